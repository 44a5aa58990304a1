"""Singles, pairs, tractors and throws of 三打哈: how cards of one suit class are put together (F-R8 … F-R11, F-R27).

Knows what a set of cards is, not whether it may be led.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from ingest.cards import FACES
from ingest.rules.suits import Faces, Suits, number_of_pairs, numbers, pairs_in, points_in, single_class

SINGLE, PAIR, TRACTOR, THROW = "single", "pair", "tractor", "throw"


class Part(Struct, frozen=True, gc=False):
    """A single, a pair or a tractor."""

    name: str
    pairs: int
    """Pairs of a tractor; 1 for a pair, 0 for a single."""
    level: int
    """The level of its highest card."""
    faces: tuple[int, ...]
    """The numbers of its faces, each once, from the highest down."""

    @property
    def size(self) -> int:
        """How many cards it has."""
        return max(2 * self.pairs, 1)

    @property
    def cards(self) -> Faces:
        """Its cards."""
        return sum((2 if self.pairs else 1) << 2 * face for face in self.faces)

    @property
    def rank(self) -> str:
        """The rank of its highest card."""
        return FACES[self.faces[0]][-1]


def tractors_in(faces: Faces, suits: Suits, length: int) -> Iterator[Part]:
    """Every tractor of so many pairs in cards of one class, from the highest down; a level counts once (F-R10)."""
    by_level = {suits.levels[face]: face for face in numbers(pairs_in(faces))}
    for top in sorted(by_level, reverse=True):
        if all(top - step in by_level for step in range(length)):
            yield Part(TRACTOR, length, top, tuple([by_level[top - step] for step in range(length)]))


def longest_tractor(faces: Faces, suits: Suits, most: int) -> int:
    """How many pairs the longest tractor has, ``most`` at most; 0 where there is none."""
    for length in range(min(most, number_of_pairs(faces)), suits.rules.tractor.min_pairs - 1, -1):
        if next(tractors_in(faces, suits, length), None) is not None:
            return length
    return 0


@lru_cache(maxsize=1 << 16)
def parts_of(faces: Faces, suits: Suits) -> tuple[Part, ...]:
    """Cards of one class taken apart: the longest tractors first, then pairs, then singles (F-R27)."""
    rest, parts = faces, []
    while (length := longest_tractor(rest, suits, number_of_pairs(rest))) > 0:
        part = next(tractors_in(rest, suits, length))
        parts.append(part)
        rest -= part.cards
    for face in numbers(rest):
        paired = rest >> 2 * face & 2
        parts.append(Part(PAIR if paired else SINGLE, 1 if paired else 0, suits.levels[face], (face,)))
    return tuple(parts)


def is_beaten(part: Part, hand: Faces, suits: Suits) -> bool:
    """Whether a hand, cards of the same class only, holds something of this kind that is higher (F-Q21)."""
    if part.name == TRACTOR:
        return any(tractor.level > part.level for tractor in tractors_in(hand, suits, part.pairs))
    candidates = hand if part.name == SINGLE else pairs_in(hand)
    return any(suits.levels[face] > part.level for face in numbers(candidates))


class Laid(Struct, frozen=True, gc=False):
    """What cards are that were laid on a trick."""

    suit: str | None
    """The class to which all belong."""
    part: Part | None
    """The one part that they are; None where they are none or several."""
    points: int


@lru_cache(maxsize=1 << 15)
def laid(faces: Faces, suits: Suits) -> Laid:
    """What cards are when they follow a lead (F-R25, F-R29)."""
    suit = single_class(faces, suits)
    parts = () if suit is None else parts_of(faces, suits)
    return Laid(suit, parts[0] if len(parts) == 1 else None, points_in(faces, suits.rules))


def is_like(part: Part, led: Part) -> bool:
    """Whether a part is of the kind and size of another (F-R25)."""
    return part.pairs == led.pairs and part.name == led.name
