"""Lawful random hands: clean under every ruleset, the same for the same seed, rich in everything that can happen."""

import itertools
from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from ingest.audit import Hand, examine
from ingest.batch import Audited, Batch
from ingest.faults import severity
from ingest.hand import is_zero_sum, verdict_of
from ingest.logs import Entry
from ingest.record import Record, Unreadable, read_clock, read_record
from ingest.rules.ruleset import Ruleset, builtin_names, load, load_any
from ingest.simulate import hands, lawful
from ingest.simulate.candidates import rows_of

CLIMBING = [name for name in builtin_names() if load_any(name).game == "climbing"]
MANY = 1000
RICH = ["classic", "call-score", "call-rob", "botzone"]
EVERYWHERE = (
    "solo pair trio solo_chain pair_chain trio_chain trio1 trio2 plane1 plane2 quad_solos quad_pairs bomb rocket "
    "spring anti_spring random unshuffled landlord farmers claim clock balance"
).split()
SHUTTLES = ["quad_chain", "winged quad_solos", "winged quad_pairs"]
VOIDS = ["void", "voids 1", "voids 2", "forced"]
EXPECTED = {
    "classic": [*EVERYWHERE, "void", "declared", "ambiguous"],
    "call-score": [*EVERYWHERE, *VOIDS],
    "call-rob": [*EVERYWHERE, *VOIDS, "robs 1", "robs 2"],
    "botzone": [*EVERYWHERE, *SHUTTLES, "forced"],
}


@cache
def sample(name: str, number: int) -> tuple[bytes, ...]:
    return tuple(hands(load(name), number))


@cache
def played(name: str, number: int) -> tuple[Record, ...]:
    return tuple(read_record(line)[0] for line in sample(name, number))


@cache
def examined(name: str, number: int) -> tuple[Hand, ...]:
    return tuple(examine(record, load(name)) for record in played(name, number))


def in_order(lines: Iterable[bytes]) -> list[Audited]:
    """The verdicts on a log, with what records say about one another."""
    with Batch() as batch:
        return list(batch.audit(map(entry, lines, itertools.count(1))))


def entry(line: bytes, number: int) -> Entry:
    try:
        return Entry("sample", number, line, read_record(line)[0])
    except Unreadable as problem:
        return Entry("sample", number, line, None, (problem.finding,))


@pytest.mark.parametrize("name", CLIMBING)
def test_same_seed_same_bytes(name: str) -> None:
    rules = load(name)
    once, again, other = (list(hands(rules, 20, seed=seed, faults=0.3)) for seed in (5, 5, 6))
    assert once == again
    assert once != other


def test_another_share_of_faults_leaves_the_sound_lines() -> None:
    rules = load("platform")
    sound, some = sample("platform", 150)[:80], list(hands(rules, 80, faults=0.3))
    same = [a == b for a, b in zip(sound, some, strict=True)]
    assert 40 < sum(same) < 72


@pytest.mark.parametrize("name", CLIMBING)
def test_lawful_hands_are_clean_and_agree_with_one_another(name: str) -> None:
    for audited in in_order(sample(name, 150)):
        assert audited.verdict.verdict == "clean", audited
        assert audited.counted


@pytest.mark.parametrize("name", CLIMBING)
def test_payoffs_sum_to_zero(name: str) -> None:
    rules = load(name)
    scores = [hand.settled.scores for hand in examined(name, 150) if hand.settled]
    assert len(scores) > 140
    assert not is_zero_sum(rules) or all(sum(score or ()) == 0 for score in scores)


@pytest.mark.parametrize("name", CLIMBING)
def test_a_single_hand_needs_no_table(name: str) -> None:
    record = lawful(load(name), Random("one"))
    assert record.table is None
    assert verdict_of(examine(record, load(name)), "", 1).verdict == "clean"


def happenings(hand: Hand) -> Iterable[str]:
    """The names of all that happened in a hand."""
    record, bidding, facts = hand.record, hand.bidding, hand.facts
    yield hand.outcome
    yield f"voids {record.voids}"
    yield (record.tags or {})["deal_mode"]
    yield from (word for word, said in (("claim", record.claim), ("balance", record.players[0].balance)) if said)
    yield from (word for word, sign in (("declared", "="), ("clock", "@")) if sign in record.plays)
    if bidding is not None and bidding.forced:
        yield "forced"
    if facts is not None:
        yield f"robs {facts.robs}"
        yield from (word for word in ("spring", "anti_spring", "open") if getattr(facts, word))
    for stands in hand.played.stands if hand.played else ():
        for reading in stands.readings[:1] if stands else ():
            yield reading.name
            if reading.name in ("quad_solos", "quad_pairs") and reading.length > 1:
                yield f"winged {reading.name}"
        if stands and len(stands.readings) > 1:
            yield "ambiguous"


@pytest.mark.parametrize("name", RICH)
def test_everything_happens(name: str) -> None:
    seen = Counter(happening for hand in examined(name, MANY) for happening in set(happenings(hand)))
    assert not [happening for happening in EXPECTED[name] if not seen[happening]], seen


def words(hand: Hand) -> tuple[str, ...]:
    return tuple(call.word for call in hand.bidding.calls) if hand.bidding else ()


def test_every_way_to_call_and_rob() -> None:
    seen = {words(hand) for hand in examined("call-rob", MANY)}
    once = {("call", a, b) for a in ("rob", "-") for b in ("rob", "-")}
    assert seen == {*once, ("-", "call", "rob"), ("-", "call", "-"), ("-", "-", "call"), ("-", "-", "-")}


@pytest.mark.parametrize("name", ["call-score", "botzone"])
def test_every_way_to_bid_once(name: str) -> None:
    seen = {words(hand) for hand in examined(name, MANY)}
    said = {
        bids
        for bids in itertools.product(("-", "1", "2", "3"), repeat=3)
        if (numbers := [bid for bid in bids if bid != "-"]) == sorted(set(numbers)) and "3" not in bids[:-1]
    }
    ended = {bids[: bids.index("3") + 1] for bids in (("3",), ("-", "3"), ("1", "3"), ("2", "3"))}
    assert seen == said | ended


def test_bids_go_round() -> None:
    seen = {words(hand) for hand in examined("classic", MANY)}
    assert {len(said) for said in seen} >= {1, 2, 3, 4, 5, 6}
    assert ("-", "-", "-") in seen


def test_short_balances_escapes_and_open_hands() -> None:
    records, rules = played("platform", 400), load("platform")
    verdicts = [verdict_of(examine(record, rules), "", 1) for record in records]
    assert {verdict.outcome for verdict in verdicts} == {"landlord", "farmers", "void", "escape"}
    assert any(record.open for record in records)
    assert any(verdict.balances and 0 in verdict.balances for verdict in verdicts)
    guests = [{player.id for record in some for player in record.players} for _, some in tables(records)]
    assert any(len(some) > 3 for some in guests)


@pytest.mark.parametrize("name", ["emperor", "four-player", "platform", "two-player"])
def test_every_row_of_shapes_is_played(name: str) -> None:
    seen = Counter(happening for hand in examined(name, 200) for happening in happenings(hand))
    assert not {row.name for row in rows_of(load(name))} - set(seen)


def test_tables_run_on() -> None:
    for _, records in tables(played("call-score", MANY)):
        times = [record.at for record in records if record.at is not None]
        assert times == sorted(set(times))
        assert len(times) == len(records)
        assert all(len({player.id for player in record.players}) == 3 for record in records)


def tables(records: Iterable[Record]) -> Iterable[tuple[str | None, list[Record]]]:
    by_table = sorted(records, key=lambda record: record.table or "")
    return ((table, list(some)) for table, some in itertools.groupby(by_table, key=lambda record: record.table))


def test_clocks_rise_from_auction_to_play() -> None:
    for record in played("classic", 100):
        clock = [ms for text in (record.auction, record.plays) for ms in read_clock(text or "") if ms is not None]
        assert clock == sorted(set(clock))


def rotated(record: Record, by: int) -> Record:
    """The same hand with everybody some seats further on."""
    players = len(record.players)

    def seats(text: str | None) -> str | None:
        moves = text.split(" ") if text else []
        return " ".join(f"{(int(move[0]) + by) % players}{move[1:]}" for move in moves) or text

    first = None if record.first is None else (record.first + by) % players
    landlord = None if record.landlord is None else (record.landlord + by) % players
    end = seats(record.end[7:] + ":") if record.end and record.end != "void" else None
    return replace(
        record,
        players=record.players[-by:] + record.players[:-by],
        hands=(record.hands or [])[-by:] + (record.hands or [])[:-by],
        first=first,
        landlord=landlord,
        auction=seats(record.auction),
        plays=seats(record.plays) or "",
        end=f"escape:{end[0]}" if end else record.end,
        claim=None,
    )


def is_symmetric(rules: Ruleset) -> bool:
    return "seat0" not in (rules.auction.first, rules.auction.landlord)


@pytest.mark.parametrize("name", [name for name in CLIMBING if is_symmetric(load(name))])
def test_rotating_the_seats_rotates_the_scores(name: str) -> None:
    rules = load(name)
    for record in played(name, 150)[:60]:
        before = verdict_of(examine(record, rules), "", 1)
        for by in range(1, len(record.players)):
            after = verdict_of(examine(rotated(record, by), rules), "", 1)
            assert after.verdict == before.verdict == "clean"
            assert after.multiplier == before.multiplier
            assert after.scores == (before.scores and before.scores[-by:] + before.scores[:-by])


def test_a_limit_of_bombs_that_is_enforced_is_kept() -> None:
    warned = load("platform")
    rules = replace(warned, bomb_limit=replace(warned.bomb_limit, mode="enforce"))
    for line in hands(rules, 150):
        found = examine(read_record(line)[0], rules).findings
        assert all(severity(finding) == "note" for finding in found)
