"""Suit classes and levels of 三打哈: which cards are trumps, which belong together, which is higher (F-R3 … F-R7).

A card is its number in ``cards.FACES``, a set of cards the count of each face. Knows no trick.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from ingest.cards import FACES
from ingest.rules.ruleset import TrickRuleset

Faces = list[int]
"""How often each of the 54 faces stands in a set of cards."""

TRUMPS = "trump"


class Place(Struct, frozen=True, gc=False):
    """Where a card stands: its suit class (门) and its level within it. Levels one apart are adjacent (F-R9)."""

    suit: str
    """``trump`` or a side suit."""
    level: int


@cache
def places(rules: TrickRuleset, trump: str) -> tuple[Place, ...]:
    """The place of every face under a trump suit, or none (``NT``); level -1 for a rank that the pack does not have."""
    return tuple(_place(face, rules, trump) for face in FACES)


def _place(face: str, rules: TrickRuleset, trump: str) -> Place:
    suit, rank = (face[0], face[1]) if len(face) == 2 else ("", face)
    if rank in rules.fixed_trumps:
        return Place(TRUMPS, _fixed_level(rank, rules, trump, own=suit == trump))
    ranks = [r for r in "3456789TJQKA2" if r not in rules.fixed_trumps and r not in rules.deal.removed_ranks]
    return Place(TRUMPS if suit == trump else suit, ranks.index(rank) if rank in ranks else -1)


def _fixed_level(rank: str, rules: TrickRuleset, trump: str, *, own: bool) -> int:
    """The level of a fixed trump: above all suit trumps, 正 above 副; with 无主 both are one (F-R5, F-Q17)."""
    if trump == "NT":
        gap = 0 if rules.no_trump.tractor_27 else 1
        return {"2": 20, "7": 21 + gap, "B": 22 + gap, "R": 23 + gap}[rank]
    return {"2": 9 + own, "7": 11 + own, "B": 13, "R": 14}[rank]


def count_faces(cards: Sequence[str]) -> Faces:
    """Count canonical cards, each with its suit."""
    counts = [0] * len(FACES)
    for card in cards:
        counts[FACES.index(card)] += 1
    return counts


def cards_text(counts: Faces) -> str:
    """The card text of counted faces, low to high."""
    return "".join(face * count for face, count in zip(FACES, counts, strict=True))


def is_within(some: Faces, whole: Faces) -> bool:
    """Whether a set of cards holds another."""
    return all(a <= b for a, b in zip(some, whole, strict=True))


def fixed_trump_count(counts: Faces, rules: TrickRuleset) -> int:
    """How many cards are always trumps (F-R3, F-R18)."""
    return sum(count for face, count in zip(FACES, counts, strict=True) if face[-1] in rules.fixed_trumps)


def of_suit(counts: Faces, suit: str, where: tuple[Place, ...]) -> Faces:
    """Those cards that belong to a suit class."""
    return [count if place.suit == suit else 0 for count, place in zip(counts, where, strict=True)]


def points_in(counts: Faces, rules: TrickRuleset) -> int:
    """The points of a set of cards (F-R2)."""
    return sum(rules.points.get(face[-1], 0) * count for face, count in zip(FACES, counts, strict=True))
