"""The turns of a hand of a climbing game: what was to be beaten, what was held, what could have been played.

Knows the hands of ``audit`` and asks ``rules.options``. Judges nothing.
"""

from collections.abc import Iterator

from msgspec import Struct

from ingest.audit import Hand
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.climbing import bid_class
from ingest.rules.combinations import PLAIN
from ingest.rules.deal import Dealt, UnreadableField, read_deal
from ingest.rules.options import cheapest_answer
from ingest.rules.ruleset import Ruleset

NOBODY = frozenset[int]()


class Turn(Struct, frozen=True, gc=False):
    """One move of a hand that was judged, with what was known before it."""

    index: int
    seat: int
    counts: int | None
    """Packed counts of the cards played; None for a pass."""
    size: int
    stands: Standing | None
    """What the play stands for; None for a pass."""
    standing: Standing | None
    """What was to be beaten; None for a lead."""
    owner: int | None
    """Whose play that was."""
    left: tuple[int, ...]
    """Cards at each seat."""
    held: tuple[int | None, ...]
    """Packed counts at each seat, as far as they are known."""
    could: int | None
    """Of a seat that follows: its cheapest legal answer as packed counts, 0 where it has none; None where unknown."""
    could_softly: bool | None
    """The same without bombs and rockets."""
    barred: frozenset[int] = NOBODY
    """The seats that may throw no more bombs (E-R13)."""


def turns(hand: Hand) -> list[Turn]:
    """Every judged move of a hand."""
    played, landlord = hand.played, hand.landlord
    if played is None or landlord is None:
        return []
    dealt = read(hand)
    if dealt is None:
        return []
    held = held_at_first(dealt, landlord, hand.rules)
    return list(_walk(hand, held, _left(dealt, landlord, hand.rules), answers_of(hand.rules)))


def read(hand: Hand) -> Dealt | None:
    """The deal of a hand; None where it cannot be read."""
    if hand.dealt is not None:
        return hand.dealt
    try:
        return read_deal(hand.record)
    except UnreadableField:
        return None


def held_at_first(dealt: Dealt, landlord: int, rules: Ruleset) -> list[int | None]:
    """Packed counts at each seat when play begins; None for hands that are hidden, in whole or in part.

    Who may choose among the bottom cards has taken those that the record names, none if it names none (B-R5).
    """
    held = [None if cards is None else cards.counts for cards in dealt.hands]
    gained = dealt.bottom if rules.deal.bottom_take == "all" else dealt.taken
    own = held[landlord]
    if own is None or (gained is None and rules.deal.bottom and rules.deal.bottom_take == "all"):
        held[landlord] = None
        return held
    laid_away = dealt.buried.counts if rules.deal.bottom_take == "swap" and dealt.buried is not None else 0
    held[landlord] = own + (0 if gained is None else gained.counts) - laid_away
    return held


def _left(dealt: Dealt, landlord: int, rules: Ruleset) -> list[int]:
    """How many cards each seat has when play begins, whether they are known or not."""
    left = [rules.deal.hand] * len(dealt.hands)
    if rules.deal.bottom_take == "all":
        left[landlord] += rules.deal.bottom
    elif dealt.taken is not None:
        left[landlord] += dealt.taken.size
    if rules.deal.bottom_take == "swap" and dealt.buried is not None:
        left[landlord] -= dealt.buried.size
    return left


def _is_plain(stands: Standing | None) -> bool:
    """Whether a seat's cheapest answer is neither bomb nor rocket; if it is one, the seat has no other."""
    return stands is not None and stands.tier == PLAIN


def bomb_limits(hand: Hand) -> dict[int, int]:
    """How many bombs each farmer may throw, where the rules enforce it (E-R13)."""
    limit, bidding = hand.rules.bomb_limit, hand.bidding
    if limit.mode != "enforce" or bidding is None:
        return {}
    farmers = (seat for seat in range(hand.rules.deal.players) if seat != hand.landlord)
    allowed = {seat: limit.table.get(bid_class(bidding, seat)) for seat in farmers}
    return {seat: bombs for seat, bombs in allowed.items() if bombs is not None}


def _walk(hand: Hand, held: list[int | None], left: list[int], answers: Answers) -> Iterator[Turn]:
    assert hand.played is not None
    owner: int | None = None
    standing: Standing | None = None
    passes, close, limits = 0, hand.rules.trick.close_passes, bomb_limits(hand)
    for index, (move, stands) in enumerate(zip(hand.moves, hand.played.stands, strict=False)):
        seat, cards = move.seat, move.cards
        could = softly = None
        own = held[seat]
        barred = frozenset(each for each, bombs in limits.items() if bombs <= 0) if limits else NOBODY
        if standing is not None and own is not None:
            could = cheapest_answer(own, standing, answers, bombs=seat not in barred) or 0
            softly = could > 0 and _is_plain(answers.answer(standing, could))
        counts, size = (None, 0) if cards is None else (cards.counts, cards.size)
        before = tuple(left), tuple(held)
        yield Turn(index, seat, counts, size, stands, standing, owner, *before, could, softly, barred)
        if cards is not None:
            if seat in limits and not _is_plain(stands):
                limits[seat] -= 1
            standing, owner, passes = stands, seat, 0
            left[seat] -= cards.size
            held[seat] = None if own is None else own - cards.counts
        elif standing is not None:
            passes += 1
            standing, owner = (None, None) if passes == close else (standing, owner)
