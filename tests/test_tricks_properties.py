"""三打哈 beside a second, naive telling of its rules: duties of followers and winners of tricks, by trying everything.

What is told here knows nothing of ``ingest.rules``: cards are texts, and every subset of a hand is tried.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.audit_tricks import TrickHand, examine_tricks
from ingest.cards import pack, read_cards, split_cards
from ingest.faults import CATALOGUE
from ingest.record import Record, Unreadable, read_calls, read_record, write_record
from ingest.rules.falling import run_falling
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.suits import faces_in
from ingest.rules.tricks import TrickMove, TrickPlay, fault_of, put, table_of
from ingest.simulate import hands

SIDE = "5689TJQKA"
PACK = [suit + rank for suit in "SHCD" for rank in SIDE + "72"] * 2 + ["B", "R"] * 2
TRUMPS = ["S", "H", "C", "D", "NT"]


@cache
def rules() -> TrickRuleset:
    found = load_any("sandaha")
    assert isinstance(found, TrickRuleset)
    return found


# --- the naive telling


def class_of(card: str, trump: str) -> str:
    return "trump" if card[-1] in "BR27" or card[0] == trump else card[0]


def height(card: str, trump: str) -> int:
    """F-R5, F-R9: a step of the ladder; 正 and 副 are one step with 无主."""
    if card[-1] in SIDE:
        return SIDE.index(card[-1])
    own = card[0] == trump
    ladder = ["2副", "2正", "7副", "7正", "B", "R"] if trump != "NT" else ["2副", "7副", "B", "R"]
    return len(SIDE) + ladder.index(card if card in "BR" else card[-1] + ("正" if own else "副"))


def pairs(cards: Iterable[str]) -> list[str]:
    return [card for card, count in Counter(cards).items() if count == 2]


def longest_run(cards: Iterable[str], trump: str) -> int:
    """Pairs of the longest tractor; 0 where there is none. All cards are of one class."""
    heights = {height(card, trump) for card in pairs(cards)}
    runs = [sum(1 for _ in itertools.takewhile(heights.__contains__, itertools.count(h))) for h in heights]
    return max((run for run in runs if run > 1), default=0)


def may_follow(played: Sequence[str], held: Sequence[str], led: Sequence[str], trump: str) -> bool:
    """F-R23, F-R24."""
    suit = class_of(led[0], trump)
    own = [card for card in held if class_of(card, trump) == suit]
    answer = [card for card in played if class_of(card, trump) == suit]
    if len(played) != len(led) or len(answer) != min(len(own), len(led)):
        return False
    if len(own) <= len(led):
        return True
    wanted = longest_run(led, trump)
    if wanted and min(longest_run(answer, trump), wanted) < min(longest_run(own, trump), wanted):
        return False
    return len(pairs(answer)) >= min(len(pairs(led)), len(pairs(own)))


def kind(cards: Sequence[str], trump: str) -> str | None:
    """A single, a pair or a tractor of so many pairs; None for everything else."""
    if len({class_of(card, trump) for card in cards}) != 1:
        return None
    if len(cards) == 1:
        return "single"
    twice, heights = pairs(cards), {height(card, trump) for card in cards}
    if 2 * len(twice) != len(cards) or len(heights) != len(twice) or max(heights) - min(heights) != len(twice) - 1:
        return None
    return f"{len(twice)} pairs"


def winner_of(plays: Sequence[Sequence[str]], trump: str) -> int:
    """F-R25 … F-R28: the first of the highest among those who compete."""
    led, suit = kind(plays[0], trump), class_of(plays[0][0], trump)
    if led is None:
        return 0
    strength = []
    for cards in plays:
        own = class_of(cards[0], trump)
        competes = kind(cards, trump) == led and own in (suit, "trump")
        top = max(height(card, trump) for card in cards)
        strength.append((own == "trump" and suit != "trump", top) if competes else (False, -1))
    return strength.index(max(strength))


# --- beside it


def faces(cards: Iterable[str]) -> int:
    return faces_in(read_cards("".join(cards)))


def leads_out_of(cards: Sequence[str], trump: str, rng: Random) -> Iterable[list[str]]:
    """A single, a pair, tractors and throws that these cards allow."""
    by_class: dict[str, list[str]] = {}
    for card in cards:
        by_class.setdefault(class_of(card, trump), []).append(card)
    for suit, own in by_class.items():
        yield [rng.choice(own)]
        twice = sorted(pairs(own), key=lambda card: height(card, trump))
        yield from ([card, card] for card in twice[:2])
        for size in (2, 3):
            for some in itertools.combinations(twice, size):
                if kind([*some, *some], trump) or suit == "trump":
                    yield [*some, *some]
        if suit == "trump" and len(own) > 2:
            yield rng.sample(own, 3)


@pytest.mark.parametrize("trump", TRUMPS)
def test_duties_of_followers(trump: str):
    """Every subset of a small hand that is rich in pairs, against everything that could be led."""
    rng, table, tried = Random(trump), table_of(rules(), trump, 0), Counter[tuple[int, bool]]()
    for _ in range(40):
        few = rng.sample(sorted(set(PACK), key=PACK.index), 7)
        pool = rng.sample([card for card in PACK if card in few or class_of(card, trump) == "S"], 8)
        left = list((Counter(PACK) - Counter(pool)).elements())
        for led in itertools.islice(leads_out_of(rng.sample(left, 30), trump, rng), 12):
            trick = put(None, TrickMove(0, 0, faces(led), len(led)), [None] * 4, TrickPlay([21] * 4), table)
            for played in set(itertools.combinations(sorted(pool), len(led))):
                move = TrickMove(1, 1, faces(played), len(played))
                fault = fault_of(move, trick, [None, faces(pool), None, None], table)
                assert (fault is None) == may_follow(played, pool, led, trump), (pool, led, played, fault)
                tried[len(led), fault is None] += 1
    assert {(size, lawful) for size in (1, 2, 3, 4, 6) for lawful in (True, False)} <= set(tried), tried


@pytest.mark.parametrize("trump", TRUMPS)
def test_duties_where_there_are_many_pairs(trump: str):
    """Long tractors against hands of pairs."""
    rng, table, refused = Random(trump), table_of(rules(), trump, 0), 0
    for _ in range(60):
        suit = rng.choice(["S" if trump == "H" else "H", "trump"])
        ranked = sorted({c for c in PACK if class_of(c, trump) == suit}, key=lambda card: height(card, trump))
        start, size = rng.randrange(len(ranked) - 3), rng.choice((2, 3))
        led = [card for card in ranked[start : start + size] for _ in "ab"]
        rest = [card for card in ranked if card not in led]
        pool = [card for card in rng.sample(rest, min(5, len(rest))) for _ in range(rng.choice((1, 2, 2)))][:9]
        if kind(led, trump) is None:
            continue
        trick = put(None, TrickMove(0, 0, faces(led), len(led)), [None] * 4, TrickPlay([21] * 4), table)
        for played in set(itertools.combinations(sorted(pool), len(led))):
            fault = fault_of(TrickMove(1, 1, faces(played), len(played)), trick, [None, faces(pool), None, None], table)
            assert (fault is None) == may_follow(played, pool, led, trump), (pool, led, played, fault)
            refused += fault is not None
    assert refused > 50


@cache
def lawful() -> tuple[TrickHand, ...]:
    return tuple(examine_tricks(read_record(line)[0], rules()) for line in hands(rules(), 80, seed=7))


def test_winners_of_lawful_tricks():
    """Exactly one seat wins, with the highest cards that compete."""
    seen = Counter[bool]()
    for hand in lawful():
        for trick in hand.play.tricks if hand.play else ():
            plays = [split_cards(hand.moves[move.index].text) for move in trick.moves]
            place = winner_of(plays, hand.record.trump or "")
            assert trick.winner == trick.moves[place].seat, plays
            seen[place == 0] += 1
    assert min(seen.values()) > 200


def test_points_of_lawful_hands():
    """F-R29, F-R30, counted by hand."""
    worth = {"5": 5, "T": 10, "K": 10}
    for hand in lawful():
        if hand.play is None or hand.points is None:
            continue
        taken, last = 0, hand.play.tricks[-1]
        for trick in hand.play.tricks:
            cards = [card for move in trick.moves for card in split_cards(hand.moves[move.index].text)]
            taken += sum(worth.get(card[-1], 0) for card in cards) if trick.winner != hand.landlord else 0
        trump = hand.record.trump or ""
        won_with = next(split_cards(hand.moves[move.index].text) for move in last.moves if move.seat == last.winner)
        counts = last.winner != hand.landlord and class_of(won_with[0], trump) == "trump"
        factor = 4 if longest_run(won_with, trump) else 2 if pairs(won_with) else 1
        buried = sum(worth.get(card[-1], 0) for card in split_cards(hand.record.buried or ""))
        assert hand.points.total == taken + (factor * buried if counts else 0)


# --- nothing falls over


card_texts = st.one_of(
    st.lists(st.sampled_from(PACK), max_size=23).map("".join), st.none(), st.text("SHCD35TKA27BR-!x ", max_size=12)
)
words = st.sampled_from(["-", "5", "50", "55", "85", "90", "7", "call", "rob", "0", "999999999"])
calls = st.lists(st.builds("{}:{}".format, st.integers(0, 4), words), max_size=9).map(" ".join)
played = st.lists(st.sampled_from(PACK), min_size=1, max_size=5).map("".join)
moves = st.lists(
    st.builds("{}:{}{}".format, st.integers(0, 4), played, st.sampled_from(["", "", "", "!CT", "=throw", "@7"])),
    max_size=12,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(fields=st.data())
def test_no_record_falls_over(fields: st.DataObject):
    given_fields: dict[str, Any] = {
        "hands": fields.draw(st.lists(card_texts, min_size=4, max_size=4)),
        "bottom": fields.draw(card_texts),
        "buried": fields.draw(card_texts),
        "auction": fields.draw(calls),
        "plays": fields.draw(moves),
        "trump": fields.draw(st.sampled_from(["S", "H", "C", "D", "NT", None, "X"])),
        "first": fields.draw(st.sampled_from([None, 0, 1, 3, 4])),
        "end": fields.draw(st.sampled_from([None, None, "void", "surrender", "escape:1", "gone"])),
    }
    record = msgspec.convert({"id": "a", "players": [{"id": name} for name in "abcd"], **given_fields}, Record)
    found = examine_tricks(record, rules())
    assert {finding.code for finding in found.findings} <= set(CATALOGUE)


@settings(max_examples=150, deadline=None)
@given(which=st.integers(0, 79), place=st.integers(0, 2000), letter=st.sampled_from(list('0123456789:-!@ "SHCDTBR,')))
def test_no_changed_letter_falls_over(which: int, place: int, letter: str):
    line = write_record(lawful()[which].record).decode()
    place %= len(line)
    try:
        record, _ = read_record((line[:place] + letter + line[place + 1 :]).encode())
    except Unreadable:
        return
    found = examine_tricks(record, rules())
    assert {finding.code for finding in found.findings} <= set(CATALOGUE)


@settings(max_examples=100, deadline=None)
@given(said=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["-", *map(str, range(5, 90, 5))])), max_size=10))
def test_auctions_that_are_lawful_fall_and_end(said: list[tuple[int, str]]):
    """F-R13, F-R14: bids fall, nobody speaks after a pass, and the lowest bidder is landlord."""
    auction = run_falling(read_calls(" ".join(f"{seat}:{word}" for seat, word in said)), 0, [None] * 4, rules())
    if auction.findings:
        return
    bids = [(int(word), seat) for seat, word in said if word != "-"]
    assert bids == sorted(bids, key=lambda bid: -bid[0])
    assert len({value for value, _ in bids}) == len(bids)
    assert (auction.bid, auction.landlord) == (min(bids) if bids else (85, 0))
    for place, (seat, word) in enumerate(said):
        assert word != "-" or seat not in [later for later, _ in said[place + 1 :]]


@settings(max_examples=200, deadline=None)
@given(cards=st.lists(st.sampled_from(PACK), max_size=30), sorted_last=st.booleans())
def test_cards_are_read_alike_however_they_are_put(cards: list[str], sorted_last: bool):
    """Jokers last, the quick way; else by splitting; also where a card stands more often than two packs have it."""
    text = "".join(sorted(cards, key=len, reverse=True) if sorted_last else cards)
    assert read_cards(text) == pack(cards)
