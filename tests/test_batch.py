"""What records say about one another: repetitions, ids, void hands and balances that run on at a table."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ingest.batch import Batch, builtin, judge
from ingest.identity import identity
from ingest.ledger import Ledgers
from ingest.logs import Entry
from ingest.record import Record, read_record
from ingest.rules.ruleset import BadRuleset, UnknownRuleset, load
from ingest.verdict import Verdict

Judge = Callable[..., list[Verdict]]
WON = "0:3456789TJQKA 1:- 2:- 0:34567 1:- 2:- 0:222"
VOID: dict[str, Any] = {"auction": "0:- 1:- 2:-", "plays": "", "end": "void"}


def line(id: str = "1", rules: str | None = "platform", balances: tuple[int | None, ...] = (), **fields: Any) -> str:
    who = fields.pop("who", "abc")
    players: list[dict[str, Any]] = [{"id": name} for name in who]
    for player, balance in zip(players, balances, strict=False):
        if balance is not None:
            player["balance"] = balance
    whole = {"id": id, "rules": rules, "players": players, "first": 0, "auction": "0:1 1:- 2:-", "plays": WON, **fields}
    return json.dumps({key: value for key, value in whole.items() if value is not None})


@pytest.fixture
def codes(verdicts: Judge) -> Callable[..., list[str]]:
    """The findings on each line of a log, but for hidden cards."""

    def of(*lines: str, rules: str | None = None) -> list[str]:
        found = verdicts("".join(one + "\n" for one in lines).encode(), rules)
        return [",".join(f.code for f in verdict.findings if f.code != "D207") for verdict in found]

    return of


# The same hand, the same id


def test_the_same_hand_again_is_noted_under_any_id(codes: Any):
    assert codes(line("1"), line("1"), line("2"), line("3", tags={"room": "x"}, claim={"bid": 1})) == [
        "", "R108", "R108", "R108"
    ]  # fmt: skip


def test_one_id_for_two_hands(codes: Any):
    other = WON.replace("34567 ", "345678 ").replace("222", "22")
    assert codes(line("1"), line("1", plays=other), line("2", plays=other)) == ["", "R109", ""]


def test_ids_are_unique_within_a_source_only(tmp_path: Any):
    first, second = (Entry(name, 1, b"", read_record(line("1", plays=plays).encode())[0])
                     for name, plays in (("a", WON), ("b", "0:3")))  # fmt: skip
    with Batch() as batch:
        found = [[f.code for f in audited.verdict.findings] for audited in batch.audit([first, second])]
    assert "R109" not in found[1]


def test_the_same_hand_in_another_source_counts_once():
    entries = [Entry(name, 1, b"", read_record(line("1").encode())[0]) for name in "ab"]
    with Batch() as batch:
        found = list(batch.audit(entries))
    assert [audited.counted for audited in found] == [True, False]
    assert [f.details for f in found[1].verdict.findings if f.code == "R108"] == [{"source": "a", "line": 1}]


def test_what_is_unreadable_is_not_counted():
    entries = [Entry("a", 1, b"", read_record(line("1", plays="0:x").encode())[0])]
    with Batch() as batch:
        (audited,) = batch.audit(entries)
    assert (audited.counted, audited.verdict.verdict) == (False, "unreadable")


@pytest.mark.parametrize(
    ("fields", "same"),
    [
        ({"id": "other"}, True),
        ({"table": "t"}, True),
        ({"claim": {"bid": 1}}, True),
        ({"plays": WON.replace("1:-", "1:-@7")}, True),
        ({"plays": WON[:-1]}, False),
        ({"auction": "0:2 1:- 2:-"}, False),
        ({"bottom": "345"}, False),
        ({"end": "escape:1"}, False),
        ({"who": "acb"}, False),
    ],
)
def test_what_a_hand_is_recognised_by(fields: dict[str, Any], same: bool):
    """record.md 8: players, cards and moves; not the id."""

    def digest(**given: Any) -> bytes:
        return identity(read_record(line(**given).encode())[0]).content

    assert (digest() == digest(**fields)) == same


def test_hands_without_any_card_are_told_apart_by_id_and_time(codes: Any):
    assert codes(line("1", **VOID), line("2", **VOID), line("2", **VOID)) == ["", "", "R108"]


# Rulesets


def test_a_ruleset_for_all_records(codes: Any, tmp_path: Any):
    assert codes(line("1", rules=None), line("2", rules="chess"), line("3", rules="classic", plays="0:3")) == [
        "R104", "R104", "P407,S607"
    ]  # fmt: skip
    assert codes(line("1", rules=None), line("2", rules="chess", plays="0:3"), rules="classic") == ["", "P407,S607"]


def test_a_record_never_opens_a_file(codes: Any, tmp_path: Any):
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "classic"\n', "utf-8")
    assert codes(line("1", rules=str(own))) == ["R104"]
    assert codes(line("1", rules=str(own)), rules=str(own)) == [""]
    assert builtin(str(own)) is None
    assert builtin(None) is None
    assert builtin("classic") is load("classic")


def test_a_ruleset_that_is_none_is_the_callers_mistake(tmp_path: Any):
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 1", "utf-8")
    entry = Entry("a", 1, b"", Record(id="a", players=[]))
    with pytest.raises(UnknownRuleset):
        judge(entry, "chess")
    with pytest.raises(BadRuleset):
        judge(entry, str(bad))


# Void hands before (A310)


def test_void_hands_run_on(codes: Any):
    """E-R12."""
    at = {"table": "t"}
    assert codes(
        line("1", **VOID, **at),
        line("2", voids=1, **VOID, **at),
        line("3", voids=2, **at),
        line("4", plays=WON + " 1:-", **at),
    ) == ["", "", "S608", "P406"]
    assert codes(line("1", **VOID, **at), line("2", **at)) == ["", "A310"]
    assert codes(line("1", **at), line("2", voids=1, **VOID, **at)) == ["", "A310"]


def test_void_hands_of_another_table_or_of_none_do_not_count(codes: Any):
    lines = [line("1", table="t", **VOID), line("2", table="u"), line("3", **VOID), line("4", auction="0:2 1:- 2:-")]
    assert codes(*lines) == ["", "", "", ""]


@pytest.mark.parametrize("rules", ["classic", "pagat", "two-player", "botzone", "openspiel"])
def test_void_hands_matter_only_where_the_rules_count_them(codes: Any, rules: str):
    """record.md 6, settled details."""
    void = {**VOID, "auction": "0:- 1:-" if rules == "two-player" else VOID["auction"]}
    who = "ab" if rules == "two-player" else "abc"
    found = codes(
        line("1", rules=rules, table="t", who=who, **void), line("2", rules=rules, table="t", who=who, plays="0:3")
    )
    assert "A310" not in found[1]


def test_the_first_record_of_a_table_may_say_what_it_likes(codes: Any):
    assert codes(line("1", voids=1, table="t"), line("2", table="t", auction="0:2 1:- 2:-")) == ["", ""]


def test_of_what_cannot_be_told_nobody_is_charged(codes: Any):
    """After a hand whose auction broke off nobody knows how many void hands there were."""
    assert codes(line("1", auction="0:4", table="t"), line("2", voids=1, table="t")) == ["A302", ""]


# Balances (S605)


def test_balances_run_on(codes: Any):
    at = {"table": "t"}
    assert codes(
        line("1", balances=(100, 100, 100), **at), line("2", auction="0:2 1:- 2:-", balances=(102, 99, 99), **at)
    ) == ["", ""]
    assert codes(
        line("1", balances=(100, 100, 100), **at), line("2", auction="0:2 1:- 2:-", balances=(103, 99, 99), **at)
    ) == ["", "S605"]


def test_balances_follow_the_player_not_the_seat(codes: Any):
    at = {"table": "t"}
    assert codes(
        line("1", balances=(100, 100, 100), **at),
        line("2", who="cab", balances=(99, 102, 99), auction="0:2 1:- 2:-", **at),
    ) == ["", ""]


def test_balances_that_are_not_known_are_not_compared(codes: Any):
    at = {"table": "t"}
    known = line("1", balances=(100, None, None), **at)
    assert codes(known, line("2", balances=(102, 7, None), auction="0:2 1:- 2:-", **at)) == ["", ""]
    assert codes(line("1", **at), line("2", balances=(5, 7, 7), auction="0:2 1:- 2:-", **at)) == ["", ""]
    assert codes(line("1", balances=(9, 9, 9), **at), line("2", who="xyz", balances=(5, 7, 7), **at)) == ["", ""]


# Memory


def test_a_ledger_moves_to_the_disk_and_forgets_nothing():
    with Ledgers("seen", hot=3) as ledgers:
        ledger = ledgers["seen"]
        for number in range(50):
            ledger.put(b"%d" % (number % 20), b"%d" % number)
        assert [ledger.get(b"%d" % number) for number in range(20)] == [
            b"%d" % (number + 40 if number < 10 else number + 20) for number in range(20)
        ]
        assert ledger.get(b"20") is None


def test_a_batch_remembers_in_bounded_memory(monkeypatch: pytest.MonkeyPatch, codes: Any):
    monkeypatch.setattr("ingest.memory.Ledgers", lambda *names: Ledgers(*names, hot=2))
    lines = [line(str(number), who=[f"p{number}", "b", "c"]) for number in range(20)]
    assert codes(*lines, lines[0], line("1", plays="0:3", who=["p0", "b", "c"])) == [""] * 20 + ["R108", "R109"]
