"""三打哈 across the hands of a table: who speaks first is whom the last hand named (D206; F-R12, F-R32, F-Q10)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ingest.audit_tricks import examine_tricks
from ingest.cards import pack_of
from ingest.faults import Finding
from ingest.record import Player, Record, read_record, write_record
from ingest.rules.falling import next_to_speak
from ingest.rules.ruleset import TrickRuleset, load, load_any
from ingest.simulate import hands
from ingest.verdict import Verdict

Verdicts = Callable[..., list[Verdict]]
PLAYERS = [Player(name) for name in "abcd"]


def a_deal(shift: int) -> dict[str, Any]:
    """Hands of which none has seven fixed trumps, another one for every shift."""
    pack = sorted(pack_of(2, ("3", "4")), key=lambda card: (card[-1] in "RB72", card))
    fixed, plain = pack[-20:], pack[:-20]
    plain = plain[shift:] + plain[:shift]
    dealt = [[*plain[seat::4], *fixed[seat::4]] for seat in range(4)]
    return {
        "hands": ["".join(sorted(cards[-21:])) for cards in dealt],
        "bottom": "".join(card for cards in dealt for card in cards[:-21]),
    }


def given_up(name: str, first: int, landlord: int, **fields: Any) -> Record:
    """A hand that its landlord gave up: he alone bid."""
    said = [f"{(first + step) % 4}:{'60' if (first + step) % 4 == landlord else '-'}" for step in range(4)]
    whole: dict[str, Any] = {"rules": "sandaha", "table": "t", "players": PLAYERS, "first": first, "end": "surrender"}
    return Record(id=name, **{**whole, "auction": " ".join(said), **a_deal(int(name)), **fields})


def log(*records: Record) -> bytes:
    return b"".join(write_record(record) + b"\n" for record in records)


def starts(verdicts: list[Verdict]) -> list[Finding]:
    return [finding for verdict in verdicts for finding in verdict.findings if finding.code == "D206"]


@pytest.mark.parametrize("first", range(4))
def test_after_a_surrender_the_next_player_begins(first: int, verdicts: Verdicts):
    found = verdicts(log(given_up("1", 0, 1), given_up("2", first, 3)))
    assert found[0].verdict == "clean"
    assert starts(found) == ([] if first == 2 else [Finding("D206", details={"expected": [2], "actual": first})])
    assert (found[1].verdict, found[1].scores) == ("clean" if first == 2 else "faulty", [1, 1, 1, -3])


@cache
def played(outcome: str) -> Record:
    rules = load_any("sandaha")
    assert isinstance(rules, TrickRuleset)
    found = (examine_tricks(read_record(line)[0], rules) for line in hands(rules, 60))
    hand = next(hand for hand in found if hand.outcome == outcome and hand.landlord == 1)
    return replace(hand.record, id="1", players=PLAYERS, table="t", claim=None)


@pytest.mark.parametrize(("outcome", "starter"), [("landlord", 1), ("farmers", 2)])
def test_who_kept_the_bank_begins_again(outcome: str, starter: int, verdicts: Verdicts):
    for first in range(4):
        found = starts(verdicts(log(played(outcome), given_up("2", first, 3))))
        assert found == (
            [] if first == starter else [Finding("D206", details={"expected": [starter], "actual": first})]
        )


def test_who_begins_is_told_by_the_auction_where_first_is_missing(verdicts: Verdicts):
    before = given_up("1", 0, 1)
    assert not starts(verdicts(log(before, replace(given_up("2", 2, 3), first=None))))
    assert starts(verdicts(log(before, replace(given_up("2", 0, 3), first=None))))


def test_a_faulty_start_still_names_the_next(verdicts: Verdicts):
    found = verdicts(log(given_up("1", 0, 1), given_up("2", 0, 3), given_up("3", 0, 2), given_up("4", 0, 1)))
    assert [[finding.code for finding in verdict.findings] for verdict in found] == [[], ["D206"], [], ["D206"]]


def test_seats_may_be_counted_from_another_player(verdicts: Verdicts):
    """The same circle, written from the next player on: seat 2 of before is seat 1 now."""
    turned = PLAYERS[1:] + PLAYERS[:1]
    before = given_up("1", 0, 1)
    assert not starts(verdicts(log(before, given_up("2", 1, 3, players=turned))))
    assert starts(verdicts(log(before, given_up("2", 2, 3, players=turned))))


@pytest.mark.parametrize(
    "other",
    [
        {"players": [*PLAYERS[:3], Player("e")]},
        {"players": [PLAYERS[1], PLAYERS[0], *PLAYERS[2:]]},
        {"table": "u"},
        {"table": None},
    ],
)
def test_others_begin_anew(other: dict[str, Any], verdicts: Verdicts):
    assert not starts(verdicts(log(given_up("1", 0, 1), given_up("2", 0, 3, **other))))


def test_a_faulty_hand_names_nobody(verdicts: Verdicts):
    """Its source may have seen another winner."""
    said = log(replace(given_up("1", 0, 1), landlord=2), given_up("2", 0, 3))
    found = verdicts(said)
    assert [finding.code for verdict in found for finding in verdict.findings] == ["A306"]


def test_a_log_may_say_who_begins(verdicts: Verdicts, tmp_path: Path):
    """The switch ``bid.starter``."""
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "sandaha"\n[bid]\nstarter = "log"\n', "utf-8")
    assert not starts(verdicts(log(given_up("1", 0, 1), given_up("2", 0, 3)), rules=str(own)))
    assert starts(verdicts(log(given_up("1", 0, 1), given_up("2", 0, 3))))


def test_other_games_have_no_bank():
    assert next_to_speak(0, "landlord", load("classic")) is None


@pytest.mark.parametrize("outcome", ["void", "unfinished", None])
def test_a_hand_without_an_end_names_nobody(outcome: str | None):
    assert next_to_speak(None, outcome, load_any("sandaha")) is None
    assert next_to_speak(0, "unfinished", load_any("sandaha")) is None
