"""Deals as columns: what each seat was dealt, as integers, and by what a deal is recognised.

Knows cards and seats. Refuses to know what is likely. A deal that the pack cannot give is told nowhere, so that nobody
counts it; a record's other faults change nothing about its deal. Source: statistics.md 4.3.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ingest.cards import FACES, Cards, UnreadableCards, faces_of, read_cards
from ingest.hand import Story
from ingest.rules.deal import full_pack
from ingest.rules.ruleset import AnyRuleset
from ingest.store.decks import deck_of

_BROKEN = frozenset(("R105", "R110", "D201", "D202", "D203", "D204"))
"""Findings after which there is no deal to speak of."""

_BITS = 2 * len(FACES)
"""Bits of the part of a packed set that counts faces: two a face."""
_ODD = sum(2 << 2 * i for i in range(len(FACES)))
_EVEN = _ODD >> 1
_HALF = _BITS // 2
_HALF_MASK = (1 << _HALF) - 1
_SUIT = sum(3 << 8 * i for i in range(13))
"""The fields of one suit: four faces a rank lie side by side."""
_JOKERS = (1 << _BITS) - (1 << 8 * 13)
_BYTES = (_BITS + 7) // 8


class DealColumns(Struct, frozen=True, gc=False):
    """A deal as ``hands`` and ``seats`` have it; seats without a value are hidden."""

    of_hand: tuple[Any, ...]
    """deck, bottom_counts, deal_digest, deal_shape."""
    of_seats: tuple[Sequence[int | None], ...]
    """dealt, faces, twins; one value a seat each."""


@lru_cache(maxsize=16)
def _nothing(seats: int) -> DealColumns:
    return DealColumns((None,) * 4, ([None] * seats,) * 3)


def deal_columns(hand: Story) -> DealColumns:
    """The deal of a hand under audit; all null where it has none, or one that its pack cannot give."""
    size = len(hand.record.players)
    if size != hand.rules.deal.players or any(finding.code in _BROKEN for finding in hand.findings):
        return _nothing(size)
    try:
        hands, bottom = _cards_of(hand)
    except UnreadableCards:
        return _nothing(size)
    if len(hands) != size:
        return _nothing(size)
    whole = None not in hands and (bottom is not None or not hand.rules.deal.dead)
    faces = [None if cards is None or not cards.suited else faces_of(cards.packed) for cards in hands]
    digests = _digests(hands, bottom, hand.rules) if whole and None not in faces else (None, None)
    of_hand = (deck_of(hand.rules).text, _bottom_counts(hands, bottom, hand.rules) if whole or bottom else None)
    masks = [(None, None) if held is None else masks_of(held) for held in faces]
    dealt = [None if cards is None else cards.counts for cards in hands]
    return DealColumns((*of_hand, *digests), (dealt, [once for once, _ in masks], [twice for _, twice in masks]))


def _cards_of(hand: Story) -> tuple[Sequence[Cards | None], Cards | None]:
    """The cards of each seat and of the bottom; read anew where the fast path had no need to keep them."""
    if hand.dealt is not None:
        return hand.dealt.hands, hand.dealt.bottom
    record = hand.record
    texts = record.hands if record.hands is not None else [None] * len(record.players)
    hands = [None if text is None else read_cards(text) for text in texts]
    return hands, None if record.bottom is None else read_cards(record.bottom)


def _bottom_counts(hands: Sequence[Cards | None], bottom: Cards | None, rules: AnyRuleset) -> int:
    """Ranks of the bottom; where it alone is hidden, what the hands leave."""
    if bottom is not None:
        return bottom.counts
    return full_pack(rules).counts - sum(cards.counts for cards in hands if cards is not None)


def masks_of(faces: int) -> tuple[int, int]:
    """Which faces are held, and which are held twice, each as 54 bits.

    Bit 2i is face i, bit 2i + 1 is face 27 + i, for i below 27; faces in the order of ``ingest.cards.FACES``.
    """
    twice = faces & _ODD
    if not twice:
        return faces & _HALF_MASK | faces >> _HALF << 1, 0
    twice >>= 1
    once = faces & _EVEN | twice
    return once & _HALF_MASK | once >> _HALF << 1, twice & _HALF_MASK | twice >> _HALF << 1


def _digests(hands: Sequence[Cards | None], bottom: Cards | None, rules: AnyRuleset) -> tuple[int | None, int | None]:
    """deal_digest and deal_shape; null where the bottom is shown without suits."""
    if bottom is not None and not bottom.suited:
        return None, None
    held = [cards for cards in hands if cards is not None]
    faces = [faces_of(cards.packed) for cards in held]
    rest = [faces_of(bottom.packed)] if bottom is not None and rules.deal.dead else []
    deal = _side_by_side(faces + rest)
    size = len(faces) + len(rest)
    counts = [cards.counts for cards in held]
    return _short(deal.to_bytes(_BYTES * size)), _short(_shape(faces, counts, rest))


def _shape(faces: list[int], counts: list[int], rest: list[int]) -> bytes:
    """The same for all deals that differ only in where the table begins and in what the suits are called.

    Whoever holds the highest counts of ranks comes first, which no change of suits alters; suits are put in order.
    """
    highest = max(counts)
    if counts.count(highest) == 1:
        first = counts.index(highest)
        return _suits_in_order(faces[first:] + faces[:first] + rest)
    turns = [turn for turn, own in enumerate(counts) if own == highest]
    return min([_suits_in_order(faces[turn:] + faces[:turn] + rest) for turn in turns])


def _suits_in_order(faces: list[int]) -> bytes:
    deal, size = _side_by_side(faces), len(faces)
    suit, jokers = _masks(size)
    suits = sorted([deal & suit, deal >> 2 & suit, deal >> 4 & suit, deal >> 6 & suit])
    return b"".join([part.to_bytes(_BYTES * size) for part in (deal & jokers, *suits)])


@lru_cache(maxsize=16)
def _masks(size: int) -> tuple[int, int]:
    """The fields of the first suit, and those of the jokers, among so many sets of faces side by side."""
    return _side_by_side([_SUIT] * size), _side_by_side([_JOKERS] * size)


def _side_by_side(faces: list[int]) -> int:
    whole = 0
    for held in faces:
        whole = whole << _BITS | held
    return whole


def _short(text: bytes) -> int:
    """A digest of 64 bits, as a number with a sign."""
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True)
