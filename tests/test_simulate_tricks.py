"""Lawful random hands of 三打哈, and spoilt ones: clean, the same for the same seed, rich in all that can happen."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from fupan.commands import law
from ingest.audit_tricks import TrickHand, examine_tricks
from ingest.cards import split_cards
from ingest.faults import severity
from ingest.hand import verdict_of
from ingest.record import Record, read_clock, read_record
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.sets import is_like, laid
from ingest.rules.suits import TRUMPS
from ingest.rules.tricks import Table, Trick
from ingest.simulate import TRICK_SPOILERS, first_fault, hands, lawful, spoil
from tests.test_simulate import in_order

MANY = 400


@cache
def rules() -> TrickRuleset:
    found = load_any("sandaha")
    assert isinstance(found, TrickRuleset)
    return found


@cache
def sample() -> tuple[bytes, ...]:
    return tuple(hands(rules(), MANY))


@cache
def examined() -> tuple[TrickHand, ...]:
    return tuple(examine_tricks(read_record(line)[0], rules()) for line in sample())


def test_same_seed_same_bytes() -> None:
    once, again, other = (list(hands(rules(), 12, seed=seed, faults=0.3)) for seed in (5, 5, 6))
    assert once == again
    assert once != other


def test_another_share_of_faults_leaves_the_sound_lines() -> None:
    some = list(hands(rules(), 60, faults=0.3))
    same = [a == b for a, b in zip(sample(), some, strict=False)]
    assert 30 < sum(same) < 55


def test_lawful_hands_are_clean_and_agree_with_one_another() -> None:
    for audited in in_order(sample()):
        assert audited.verdict.verdict == "clean", audited
        assert not audited.verdict.findings
        assert audited.counted


def test_a_single_hand_needs_no_table() -> None:
    record = lawful(rules(), Random("one"))
    assert record.table is None
    assert verdict_of(examine_tricks(record, rules()), "", 1).verdict == "clean"


def test_clocks_rise_from_auction_to_play() -> None:
    for line in sample()[:80]:
        record = read_record(line)[0]
        clock = [ms for text in (record.auction, record.plays) for ms in read_clock(text or "") if ms is not None]
        assert clock == sorted(set(clock))


EXPECTED = (
    "random, unshuffled, claim, clock, balance, throw failed, throw good, led single, led pair, led tractor, "
    "led long tractor, ruffed single, ruffed pair, ruffed tractor, ruffed over, bottom by single, bottom by pair, "
    "bottom by tractor, bottom by throw, side card last, surrender at 55 or more, surrender at 50 or less, "
    "surrender poked, kept 1, kept 2, kept 3, lost 1, lost 2, lost 3, opening doubled, trump S, trump H, trump C, "
    "trump D, trump NT, bid owed, bid 5, all pass"
).split(", ")


def happenings(hand: TrickHand) -> Iterable[str]:
    """The names of all that happened in a hand."""
    record, auction, facts = hand.record, hand.auction, hand.facts
    assert auction is not None
    assert facts is not None
    yield (record.tags or {})["deal_mode"]
    yield from (word for word, said in (("claim", record.claim), ("balance", record.players[0].balance)) if said)
    yield from ["clock"] if "@" in record.plays else []
    yield from bids(hand)
    if facts.surrender:
        yield f"surrender at {'55 or more' if facts.bid >= 55 else '50 or less'}"
        yield from ["surrender poked"] if facts.poked_by is not None else []
        return
    level = next((factor.factor for factor in hand.settled.factors if factor.name == "level"), 1) if hand.settled else 0
    yield f"{'kept' if hand.outcome == 'landlord' else 'lost'} {level}"
    yield f"trump {record.trump}"
    assert hand.play is not None
    assert hand.table is not None
    for trick in hand.play.tricks:
        yield from of_trick(trick, hand.table)
    last = hand.play.tricks[-1]
    if hand.points and hand.points.bottom_factor and hand.points.bottom:
        yield f"bottom by {last.won_with[0].name if len(last.won_with) == 1 else 'throw'}"
    elif hand.points and last.winner != hand.landlord and not last.with_trumps:
        yield "side card last"


def bids(hand: TrickHand) -> Iterable[str]:
    auction = hand.auction
    assert auction is not None
    if not auction.spoke:
        yield "all pass"
    if auction.spoke and auction.opening <= 50:
        yield "opening doubled"
    if auction.bid == 5:
        yield "bid 5"
    spoke, lowest = set[int](), 1000
    for call in hand.calls:
        if call.bid is not None:
            if call.seat not in spoke and lowest > 50 and fixed_trumps(hand, call.seat) >= 7:
                yield "bid owed"
            spoke, lowest = spoke | {call.seat}, call.bid


def fixed_trumps(hand: TrickHand, seat: int) -> int:
    return sum(card[-1] in "RB72" for card in split_cards((hand.record.hands or [])[seat] or ""))


def of_trick(trick: Trick, table: Table) -> Iterable[str]:
    if trick.moves[0].thrown is not None:
        yield "throw failed"
    if len(trick.parts) > 1:
        yield "throw good"
        return
    led = trick.parts[0]
    yield f"led {led.name}"
    yield from ["led long tractor"] if led.pairs > 2 else []
    if trick.suit != TRUMPS:
        cards = [(move, laid(move.faces, table.suits)) for move in trick.moves[1:]]
        ruffs = [move for move, lay in cards if lay.part and lay.suit == TRUMPS and is_like(lay.part, led)]
        yield from [f"ruffed {led.name}"] if ruffs else []
        yield from ["ruffed over"] if ruffs and trick.winner != ruffs[0].seat else []


def test_everything_happens() -> None:
    seen = Counter(happening for hand in examined() for happening in set(happenings(hand)))
    assert not [happening for happening in EXPECTED if not seen[happening]], seen


def test_the_bank_says_who_speaks_first() -> None:
    """F-R12, F-R32: asked again of the records, table by table."""
    last: dict[str, TrickHand] = {}
    kept = passed_on = 0
    for hand in examined():
        before = last.get(hand.record.table or "")
        if before is not None and seats(before.record) == seats(hand.record):
            landlord = before.landlord or 0
            kept += before.outcome == "landlord"
            passed_on += before.outcome != "landlord"
            assert hand.record.first == (landlord if before.outcome == "landlord" else (landlord + 1) % 4)
        last[hand.record.table or ""] = hand
    assert kept > 30
    assert passed_on > 100


def seats(record: Record) -> list[str]:
    return [player.id for player in record.players]


def test_payoffs_sum_to_zero() -> None:
    for hand in examined():
        assert hand.settled is not None
        assert sum(hand.settled.scores or ()) == 0


def test_all_points_are_accounted_for() -> None:
    """F-R2: what the three took, what the landlord took and what is buried are all 200 points."""
    worth = {"5": 5, "T": 10, "K": 10}
    for hand in examined():
        if hand.play is None:
            continue
        tricks = hand.play.tricks
        three = sum(trick.points for trick in tricks if trick.winner != hand.landlord)
        landlord = sum(trick.points for trick in tricks if trick.winner == hand.landlord)
        buried = sum(worth.get(card[-1], 0) for card in split_cards(hand.record.buried or ""))
        assert three + landlord + buried == 200
        assert hand.points is not None
        assert (hand.points.tricks, hand.points.bottom) == (three, buried)


def rotated(record: Record, by: int) -> Record:
    """The same hand with everybody some seats further on, without a claim."""

    def moved(text: str | None) -> str | None:
        return " ".join(f"{(int(move[0]) + by) % 4}{move[1:]}" for move in text.split(" ")) if text else text

    return replace(
        record,
        players=record.players[-by:] + record.players[:-by],
        hands=(record.hands or [])[-by:] + (record.hands or [])[:-by],
        first=((record.first or 0) + by) % 4,
        auction=moved(record.auction),
        plays=moved(record.plays) or "",
        claim=None,
    )


def test_rotating_the_seats_rotates_the_scores() -> None:
    for hand in examined()[:60]:
        before = verdict_of(hand, "", 1)
        for by in (1, 2, 3):
            after = verdict_of(examine_tricks(rotated(hand.record, by), rules()), "", 1)
            assert after.verdict == before.verdict == "clean"
            assert (after.multiplier, after.details) == (before.multiplier, before.details)
            assert after.scores == (before.scores and before.scores[-by:] + before.scores[:-by])


def test_nobody_is_accused_of_cards_that_are_hidden() -> None:
    """D207: whoever's cards are not shown, a lawful hand stays clean and is worth the same."""
    rng = Random("hidden")
    for hand in examined()[:80]:
        record = hand.record
        shown: list[str | None] = [text if rng.random() < 0.5 else None for text in record.hands or ()]
        hidden = replace(record, hands=shown, bottom=rng.choice((record.bottom, None)))
        found = examine_tricks(hidden, rules())
        assert {finding.code for finding in found.findings} <= {"D207"}
        poked = hand.facts is not None and hand.facts.poked_by is not None
        assert poked or found.settled == hand.settled


@pytest.mark.parametrize("code", TRICK_SPOILERS)
def test_a_spoiler_gives_its_code(code: str) -> None:
    rng = Random(code)
    spoilt = [line for hand in examined()[:70] if (line := spoil(hand, rng, [code]))]
    assert len(spoilt) >= 3
    for line in spoilt:
        assert first_fault(line, rules()) == ("S603" if code == "S604" else code)
        assert code == "R101" or msgspec.json.decode(line)["tags"]["spoilt"] == code


def test_every_fault_of_the_game_has_its_spoiler() -> None:
    """Those of files, of other games and of tables apart."""
    asked = (
        "R101 R102 R103 R105 R110 D201 D202 D203 D204 A301 A302 A303 A304 A305 A306 A307 A309 P401 P402 P406 P407 P411 "
        "T501 T502 T503 T504 T505 T506 T507 T508 T509 T510 S601 S602 S603 S604 S605"
    )
    assert set(TRICK_SPOILERS) == set(asked.split())


def test_spoilt_logs_are_faulty_where_they_say_so_and_only_there() -> None:
    lines = list(hands(rules(), 150, faults=0.4))
    spoilt = [line not in sample() for line in lines]
    assert 0.2 < sum(spoilt) / len(spoilt) < 0.6
    seen = set()
    for line, faulty, audited in zip(lines, spoilt, in_order(lines), strict=True):
        faults = [finding.code for finding in audited.verdict.findings if severity(finding) == "fault"]
        if faulty:
            assert first_fault(line, rules()) in faults
            seen.add(first_fault(line, rules()))
        else:
            assert not faults, (faults, line)
    assert len(seen) > 20


def test_the_command_makes_the_same_hands(tmp_path: Path) -> None:
    """``fupan sample --rules sandaha``."""
    law.sample("sandaha", hands=5, out=tmp_path / "sample.jsonl")
    assert (tmp_path / "sample.jsonl").read_bytes().splitlines() == list(sample()[:5])


def test_a_game_with_other_cards_is_played_too(tmp_path: Path) -> None:
    """A ruleset of one's own: fewer ranks, shorter hands, other switches."""
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "own"\nextends = "sandaha"\n[deal]\nremoved_ranks = ["3", "4", "5", "6", "8", "9"]\nhand = 13\n'
        '[bid]\nall_pass = "redeal"\n[throw]\nscope = "any"\nfail = "lowest_component"\n[surrender]\nwindow = "off"\n',
        "utf-8",
    )
    lines = list(hands(load_any(str(own)), 60, faults=0.2, rules_name="own"))
    outcomes = set()
    for line in lines:
        spoilt = b'"spoilt"' in line or not line.startswith(b'{"id"')
        if not spoilt:
            record, _ = read_record(line)
            hand = examine_tricks(record, load_any(str(own)))
            assert not [finding for finding in hand.findings if severity(finding) == "fault"]
            outcomes.add(hand.outcome)
    assert outcomes == {"landlord", "farmers", "void"}
