"""What holds for everything: cards, records, readings, comparison, and that no input whatever makes an audit fail."""

import json
from collections import Counter
from functools import cache
from typing import Any

import msgspec
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ingest.batch import Batch, judge
from ingest.cards import FACES, JOKERS, RANKS, covers, pack, pack_of, rank_counts, rank_text, read_cards, split_cards
from ingest.faults import CATALOGUE
from ingest.logs import Entry
from ingest.logs.entry import NOT_JSON
from ingest.record import READING_NAMES, Claim, Player, Record, Unreadable, read_record, write_record
from ingest.rules.answers import answers_of
from ingest.rules.combinations import PLAIN, beats, law_of, public, readings
from ingest.rules.ruleset import Ruleset, builtin_names, load
from ingest.verdict import as_json

few = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
some = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

CLIMBING = [name for name in builtin_names() if name != "sandaha"]
cards = st.sampled_from([*FACES, *RANKS[:13]])
hands = st.lists(cards, max_size=34)
names = st.sampled_from(CLIMBING)


@cache
def rules_of(name: str) -> Ruleset:
    return load(name)


# Cards


@some
@given(hands)
def test_cards_are_read_as_they_are_written(hand: list[str]):
    text = "".join(hand)
    assert split_cards(text) == hand
    assert read_cards(text) == pack(hand)


@some
@given(hands, st.sampled_from([" ", ",", ", ", "  ", ",,"]))
def test_separators_change_nothing(hand: list[str], separator: str):
    assert split_cards(separator.join(hand)) == hand


SPELLINGS = [
    lambda card: card,
    str.lower,
    lambda card: card.replace("T", "10"),
    lambda card: (card[-1].upper() + card[0].lower()) if len(card) == 2 else card,
    lambda card: card.replace("S", "♠").replace("H", "♥").replace("C", "♣").replace("D", "♦"),
    lambda card: card + "J" if card in JOKERS else card,
]


@some
@given(st.lists(st.tuples(cards, st.sampled_from(SPELLINGS)), min_size=2, max_size=20))
def test_tolerant_spellings_never_lose_a_character(spelt: list[tuple[str, Any]]):
    text = " ".join(spelling(card) for card, spelling in spelt)
    assert split_cards(text) == [card for card, _ in spelt]


@some
@given(st.text(alphabet="SHCDshcd♠♥♦♣3456789TJQKA2BRtjqkabr10 ,Xx-", max_size=12))
def test_whatever_is_read_says_every_character_again(text: str):
    """No character is ever skipped silently: what was read, joined, has the letters of the text."""
    try:
        found = split_cards(text)
    except ValueError:
        return
    signs = str.maketrans("♠♥♦♣", "SHDC")
    said = Counter(text.translate(signs).upper().replace("10", "T").replace(" ", "").replace(",", ""))
    letters = Counter("".join(found))
    surplus = said - letters
    assert letters - said == Counter()
    assert set(surplus) <= {"J"}  # of BJ and RJ, where cards are separated
    assert surplus["J"] <= letters["B"] + letters["R"]
    assert read_cards("".join(found)) == read_cards(text)


@some
@given(st.lists(st.sampled_from(pack_of(2)), max_size=30), st.lists(st.sampled_from(pack_of(2)), max_size=6))
def test_covers_is_inclusion_counted_naively(hand: list[str], played: list[str]):
    """For what a pack can hold; of more than two of a face nothing need be told."""
    assume(max(Counter(hand).values(), default=0) <= 2 >= max(Counter(played).values(), default=0))
    held = Counter(hand)
    assert covers(pack(hand).packed, pack(played).packed) == (Counter(played) <= held)
    ranks, wanted = Counter(card[-1] for card in hand), Counter(card[-1] for card in played)
    assert covers(pack(hand).counts, pack(played).counts) == (wanted <= ranks)


@some
@given(hands)
def test_counts_are_told_in_ranks(hand: list[str]):
    counted = Counter(card[-1] for card in hand)
    assume(max(counted.values(), default=0) <= 15)
    assert rank_counts(pack(hand).counts) == [counted[rank] for rank in RANKS]
    assert read_cards(rank_text(pack(hand).counts)).counts == pack(hand).counts


# Readings and comparison

strewn = st.dictionaries(st.sampled_from(RANKS), st.integers(1, 4), max_size=4)
runs = st.builds(
    lambda start, length, count: dict.fromkeys(RANKS[start : start + length], count),
    st.integers(0, 9),
    st.integers(1, 6),
    st.integers(1, 4),
)
multisets = st.one_of(strewn.filter(bool), st.builds(lambda some, run: {**some, **run}, strewn, runs))
"""Counts by rank, of runs with something beside them more often than chance has it."""


@some
@given(names, multisets, st.randoms(use_true_random=False))
def test_readings_do_not_depend_on_order_and_suits(name: str, counts: dict[str, int], dice: Any):
    plain = [rank for rank, count in counts.items() for _ in range(count)]
    suited = [rank if rank in JOKERS else dice.choice("SHCD") + rank for rank in plain]
    dice.shuffle(suited)
    law = law_of(rules_of(name))
    found = readings(read_cards("".join(plain)).counts, law)
    assert readings(read_cards("".join(suited)).counts, law) == found
    assert len(set(found)) == len(found)
    assert all(reading.size == len(plain) for reading in found)
    assert {reading.name for reading in found} <= READING_NAMES


@some
@given(names, st.lists(multisets, min_size=2, max_size=4))
def test_beats_is_a_strict_order_within_a_kind(name: str, sets: list[dict[str, int]]):
    rules = rules_of(name)
    law = law_of(rules)
    found = [r for counts in sets for r in readings(pack([c for c, n in counts.items() for _ in range(n)]).counts, law)]
    for one in found:
        assert not beats(one, one, rules)
        for other in found:
            if one.tier == other.tier:
                assert not (beats(one, other, rules) and beats(other, one, rules))
            if beats(one, other, rules) and one.tier == PLAIN:
                assert other.tier == PLAIN
                assert one.size == other.size or rules.combinations.cross_size
            for third in found:
                if one.tier == other.tier == third.tier and beats(one, other, rules) and beats(other, third, rules):
                    assert beats(one, third, rules)


@some
@given(names, multisets, multisets)
def test_a_play_stands_for_what_beats(name: str, first: dict[str, int], second: dict[str, int]):
    """U-R10, against its own words."""
    rules = rules_of(name)
    answers, law = answers_of(rules), law_of(rules)
    lead, answer = (pack([c for c, n in counts.items() for _ in range(n)]).counts for counts in (first, second))
    led = answers.answer(answers.lead, lead)
    assert (led is not None) == bool(readings(lead, law))
    if led is None:
        return
    several = None if rules.combinations.ambiguity == "declared_context_canonical" else 1
    assert led.readings == readings(lead, law)[:several]
    now = answers.answer(led, answer)
    expected = [a for a in readings(answer, law)[:several] if any(beats(a, s, rules) for s in led.readings)]
    assert list(now.readings if now else ()) == expected


@few
@given(multisets)
def test_pagat_has_one_reading_at_most(counts: dict[str, int]):
    """A-R19."""
    assume(all(count <= (1 if rank in JOKERS else 4) for rank, count in counts.items()))
    found = readings(pack([c for c, n in counts.items() for _ in range(n)]).counts, law_of(rules_of("pagat")))
    assert len(found) <= 1


@few
@given(multisets, st.sampled_from(["pagat", "botzone", "openspiel", "rlcard", "douzero", "call-score"]))
def test_classic_allows_what_the_narrower_laws_of_its_kind_allow(counts: dict[str, int], name: str):
    """A-Q4: everything that is not barred; shuttles apart, which Botzone alone has."""
    packed = pack([c for c, n in counts.items() for _ in range(n)]).counts
    wide = set(map(public, readings(packed, law_of(rules_of("classic")))))
    narrow = [r for r in readings(packed, law_of(rules_of(name))) if not (r.name.startswith("quad") and r.length > 1)]
    assert set(map(public, narrow)) - wide == set()


# Records

text = st.text(max_size=8)
numbers = st.integers(-(2**63), 2**63 - 1)
seats = st.integers(0, 4)
card_text = hands.map("".join)
what = st.one_of(st.sampled_from(["-", "3", "call", "rob", "BR"]), st.lists(cards, min_size=1, max_size=6).map("".join))
moves = st.lists(st.tuples(seats, what), max_size=8).map(
    lambda pairs: " ".join(f"{seat}:{word}" for seat, word in pairs)
)
claims = st.builds(
    Claim,
    landlord=st.none() | seats,
    winners=st.none() | st.lists(seats, max_size=3),
    multiplier=st.none() | numbers,
    bid=st.none() | numbers,
    scores=st.none() | st.lists(numbers, max_size=4),
    balances=st.none() | st.lists(st.none() | numbers, max_size=4),
)
players = st.builds(Player, id=text, name=st.none() | text, balance=st.none() | numbers, bot=st.none() | st.booleans())
records = st.builds(
    Record,
    id=st.text(min_size=1, max_size=8),
    rules=st.none() | st.sampled_from([*builtin_names(), "chess"]),
    table=st.none() | text,
    at=st.none() | st.datetimes(timezones=st.timezones(), allow_imaginary=False),
    base=st.integers(1, 2**63 - 1),
    voids=st.integers(0, 9),
    players=st.lists(players, max_size=5),
    hands=st.none() | st.lists(st.none() | card_text, max_size=4),
    bottom=st.none() | card_text,
    dead=st.none() | card_text,
    marker=st.none() | cards,
    first=st.none() | seats,
    auction=st.none() | moves,
    landlord=st.none() | seats,
    taken=st.none() | card_text,
    open=st.booleans(),
    trump=st.none() | st.sampled_from(["S", "NT", "X"]),
    buried=st.none() | card_text,
    plays=moves,
    end=st.none() | st.sampled_from(["void", "surrender", "escape:0", "escape:9", "x"]),
    claim=st.none() | claims,
    tags=st.none() | st.dictionaries(text, text, max_size=2),
)  # fmt: skip


@few
@given(records)
def test_a_record_is_read_as_it_was_written(record: Record):
    again, unknown = read_record(write_record(record))
    assert unknown == ()
    assert msgspec.to_builtins(again) == msgspec.to_builtins(record)
    assert write_record(again) == write_record(record)


# Audits that must not fail

KEYS = [*Record.__struct_fields__, "winners", "scores", "name", "x"]
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.floats(allow_nan=False) | text | moves | card_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


def judged(line: bytes, rules: str | None = None) -> None:
    """Audit one line the way a log is read; whatever it is, there is a verdict, and it can be said."""
    try:
        record, _ = read_record(line)
    except Unreadable as problem:
        entry = Entry("x", 1, line, None, (problem.finding,))
    except NOT_JSON:
        return
    else:
        entry = Entry("x", 1, line, record)
    with Batch(rules) as batch:
        (audited,) = batch.audit([entry])
    told = json.loads(as_json(audited.verdict, "zh"))
    assert told["verdict"] in ("clean", "faulty", "unreadable")
    assert (told["verdict"] == "clean") == (not any(f["severity"] == "fault" for f in told["findings"]))
    assert {finding["code"] for finding in told["findings"]} <= set(CATALOGUE)


@few
@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_have_a_verdict(line: bytes):
    judged(line)


@few
@given(st.dictionaries(st.sampled_from(KEYS), anything, max_size=8), st.none() | st.sampled_from(CLIMBING))
def test_any_object_has_a_verdict(whole: dict[str, Any], rules: str | None):
    judged(msgspec.json.encode(whole), rules)


@few
@given(records, names)
def test_no_record_makes_an_audit_fail(record: Record, name: str):
    judge(Entry("x", 1, b"", record), name)


def played(counts: dict[str, int]) -> str:
    return "".join(rank * count for rank, count in counts.items())


steps = st.lists(st.tuples(st.integers(0, 9), multisets.map(played)), max_size=12)


@few
@given(names, steps, st.integers(0, 5), st.sampled_from(["", "=plane1", "=bomb", "=solo"]))
def test_games_of_nonsense_in_good_order_have_a_verdict(
    name: str, made: list[tuple[int, str]], voids: int, declared: str
):
    """Every seat in turn, passes as often as plays: so the audit comes beyond the first move."""
    rules = rules_of(name)
    number = rules.deal.players
    plays = " ".join(f"{i % number}:{cards + declared if pick > 4 else '-'}" for i, (pick, cards) in enumerate(made))
    words = {"two-player": "0:call", "call-rob": "0:call 1:- 2:-"}.get(name, "0:3")
    record = Record(
        id="a", players=[Player(str(seat)) for seat in range(number)], first=0, landlord=0, voids=voids, open=True,
        auction=None if rules.auction.type == "none" else words, plays=plays, claim=Claim(winners=[0], multiplier=1),
    )  # fmt: skip
    found = judge(Entry("x", 1, b"", record), name)
    assert found.verdict.verdict in ("clean", "faulty")
    if found.verdict.scores is not None and rules.score.payout == "each_opponent":
        assert sum(found.verdict.scores) == 0
