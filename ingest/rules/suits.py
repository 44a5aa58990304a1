"""Suit classes and levels of 三打哈: which cards are trumps, which belong together, which is higher (F-R3 … F-R7).

A set of cards is one integer here, two bits for each of ``cards.FACES``, as in the upper part of a packed set. Knows no
trick.
"""

from functools import cache, lru_cache

from msgspec import Struct

from ingest.cards import FACES, RANKS, Cards, face_counts, faces_of
from ingest.rules.ruleset import TrickRuleset

Faces = int
"""How often each of the 54 faces stands in a set of cards: two bits a face."""

TRUMPS = "trump"
_ONES = sum(1 << 2 * face for face in range(len(FACES)))
_BORROWS = _ONES << 2
"""The bits into which a face that is too few borrows when a set is subtracted."""


class Suits(Struct, frozen=True, eq=False):
    """The suit classes (门) under a trump suit or none. Levels one apart are adjacent (F-R9)."""

    rules: TrickRuleset
    masks: dict[str, Faces]
    """Which faces belong to a class; a rank that the pack does not have belongs to none."""
    levels: tuple[int, ...]
    """The level of each face within its class; -1 for a rank that the pack does not have."""


@cache
def suits_of(rules: TrickRuleset, trump: str) -> Suits:
    """The suit classes of a hand played with this trump suit, or none (``NT``)."""
    masks = dict.fromkeys((TRUMPS, "S", "H", "C", "D"), 0)
    levels = tuple(_level_of(face, rules, trump) for face in FACES)
    for number, face in enumerate(FACES):
        if levels[number] >= 0:
            masks[_class_of(face, rules, trump)] |= 3 << 2 * number
    return Suits(rules, masks, levels)


def _class_of(face: str, rules: TrickRuleset, trump: str) -> str:
    return TRUMPS if face[-1] in rules.fixed_trumps or face in ("B", "R") or face[0] == trump else face[0]


def _level_of(face: str, rules: TrickRuleset, trump: str) -> int:
    """Suit trumps and side suits from 0 up, above them what is always trump (F-R5)."""
    gone = (*rules.fixed_trumps, *rules.deal.removed_ranks)
    ranks = [rank for rank in RANKS[:13] if rank not in gone]
    if face[-1] in ranks:
        return ranks.index(face[-1])
    steps = _fixed_steps(rules, trump)
    step = (face[-1], face[0] == trump)
    return len(ranks) + steps.index(step) if step in steps else -1


def _fixed_steps(rules: TrickRuleset, trump: str) -> list[tuple[str, bool]]:
    """What is always trump, from the lowest up: a rank, and whether it is 正.

    With 无主 no 7 and no 2 is, and whether 2 and 7 adjoin is a switch (F-Q16, F-Q17).
    """
    fixed = [str(rank) for rank in ("2", "7") if rank in rules.fixed_trumps]
    if trump == "NT" and not rules.no_trump.tractor_27:
        fixed.insert(1, "")
    kinds = (False,) if trump == "NT" else (False, True)
    return [(rank, own) for rank in fixed for own in kinds] + [("B", False), ("R", False)]


def faces_in(cards: Cards) -> Faces:
    """The faces of cards that all show their suit."""
    return faces_of(cards.packed)


def numbers(faces: Faces) -> list[int]:
    """The numbers of the faces that stand in a set, each once, from the lowest up."""
    found, rest = [], (faces | faces >> 1) & _ONES
    while rest:
        lowest = rest & -rest
        found.append(lowest.bit_length() >> 1)
        rest ^= lowest
    return found


def number_of_cards(faces: Faces) -> int:
    """How many cards a set has."""
    return (faces & _ONES).bit_count() + 2 * (faces >> 1 & _ONES).bit_count()


def pairs_in(faces: Faces) -> Faces:
    """Of each face that stands twice, both cards."""
    twice = faces >> 1 & _ONES
    return twice << 1


def number_of_pairs(faces: Faces) -> int:
    """How many faces stand twice."""
    return (faces >> 1 & _ONES).bit_count()


def is_within(some: Faces, whole: Faces) -> bool:
    """Whether a set of cards holds another."""
    return not (whole ^ some ^ (whole - some)) & _BORROWS


def without(whole: Faces, some: Faces) -> Faces:
    """What is left of a set; of a face that it does not have enough of, nothing."""
    left = [max(have - gone, 0) for have, gone in zip(_counts(whole), _counts(some), strict=True)]
    return sum(count << 2 * number for number, count in enumerate(left))


@lru_cache(maxsize=1 << 15)
def single_class(faces: Faces, suits: Suits) -> str | None:
    """The suit class to which all cards belong, None where they belong to several."""
    return next((suit for suit, mask in suits.masks.items() if faces and not faces & ~mask), None)


def cards_text(faces: Faces) -> str:
    """The card text of a set, low to high."""
    return "".join(face * count for face, count in zip(FACES, _counts(faces), strict=True))


def _counts(faces: Faces) -> list[int]:
    return face_counts(faces << 64)


@cache
def _masks_by_points(rules: TrickRuleset) -> tuple[tuple[int, Faces], ...]:
    worth = [(rules.points.get(face[-1], 0), 3 << 2 * number) for number, face in enumerate(FACES)]
    values = {value for value, _ in worth if value}
    return tuple((value, sum(mask for other, mask in worth if other == value)) for value in sorted(values))


def points_in(faces: Faces, rules: TrickRuleset) -> int:
    """The points of a set of cards (F-R2)."""
    return sum(value * number_of_cards(faces & mask) for value, mask in _masks_by_points(rules))


def fixed_trump_count(faces: Faces, rules: TrickRuleset) -> int:
    """How many cards are always trumps (F-R3, F-R18)."""
    return sum(number_of_cards(faces & 3 << 2 * n) for n in numbers(faces) if FACES[n][-1] in rules.fixed_trumps)
