"""Singles, pairs, tractors and throws of 三打哈: how cards of one suit class are put together (F-R8 … F-R11, F-R27).

Works on counted faces and their places. Knows what a set of cards is, not whether it may be led.
"""

from collections.abc import Iterator

from msgspec import Struct

from ingest.cards import FACES
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.suits import Faces, Place

SINGLE, PAIR, TRACTOR, THROW = "single", "pair", "tractor", "throw"


class Part(Struct, frozen=True, gc=False):
    """A single, a pair or a tractor."""

    name: str
    pairs: int
    """Pairs of a tractor; 1 for a pair, 0 for a single."""
    level: int
    """The level of its highest card."""
    faces: tuple[int, ...]
    """Its faces, each once, from the highest down."""

    @property
    def size(self) -> int:
        """How many cards it has."""
        return max(2 * self.pairs, 1)

    def text(self) -> str:
        """Its card text."""
        return "".join(FACES[face] * (2 if self.pairs else 1) for face in reversed(self.faces))


def single_class(counts: Faces, where: tuple[Place, ...]) -> str | None:
    """The suit class to which all cards belong, None where they belong to several."""
    found = {place.suit for count, place in zip(counts, where, strict=True) if count}
    return found.pop() if len(found) == 1 else None


def pairs_in(counts: Faces) -> list[int]:
    """The faces that stand twice."""
    return [face for face, count in enumerate(counts) if count >= 2]


def tractors_in(counts: Faces, where: tuple[Place, ...], length: int) -> Iterator[Part]:
    """Every tractor of so many pairs in cards of one class, from the highest down; a level counts once (F-R10)."""
    by_level = {where[face].level: face for face in pairs_in(counts)}
    for top in sorted(by_level, reverse=True):
        if all(top - step in by_level for step in range(length)):
            yield Part(TRACTOR, length, top, tuple(by_level[top - step] for step in range(length)))


def longest_tractor(counts: Faces, where: tuple[Place, ...], rules: TrickRuleset, most: int) -> int:
    """How many pairs the longest tractor has, ``most`` at most; 0 where there is none."""
    for length in range(most, rules.tractor.min_pairs - 1, -1):
        if next(tractors_in(counts, where, length), None) is not None:
            return length
    return 0


def parts_of(counts: Faces, where: tuple[Place, ...], rules: TrickRuleset) -> list[Part]:
    """Cards of one class taken apart: the longest tractors first, then pairs, then singles (F-R27)."""
    rest, parts = list(counts), []
    while (length := longest_tractor(rest, where, rules, len(pairs_in(rest)))) > 0:
        part = next(tractors_in(rest, where, length))
        parts.append(part)
        for face in part.faces:
            rest[face] -= 2
    for face, count in enumerate(rest):
        if count >= 2:
            parts.append(Part(PAIR, 1, where[face].level, (face,)))
        elif count:
            parts.append(Part(SINGLE, 0, where[face].level, (face,)))
    return parts


def read_set(counts: Faces, where: tuple[Place, ...], rules: TrickRuleset) -> list[Part] | None:
    """What cards are when they are played together: one part, or the parts of a throw; None where no lead is both.

    Two pairs that are no tractor, or single cards side by side, are a throw where throws of that class exist.
    """
    if single_class(counts, where) is None:
        return None
    return parts_of(counts, where, rules)


def is_beaten(part: Part, hand: Faces, where: tuple[Place, ...]) -> bool:
    """Whether a hand, cards of the same class only, holds something of this kind that is higher (F-Q21)."""
    if part.name == SINGLE:
        return any(count and where[face].level > part.level for face, count in enumerate(hand))
    if part.name == PAIR:
        return any(where[face].level > part.level for face in pairs_in(hand))
    return any(tractor.level > part.level for tractor in tractors_in(hand, where, part.pairs))


def same_structure(counts: Faces, led: Part, where: tuple[Place, ...], rules: TrickRuleset) -> Part | None:
    """The one part that cards of one class are, if it is of the led kind and size; else None (F-R25)."""
    parts = parts_of(counts, where, rules)
    if len(parts) != 1 or (parts[0].name, parts[0].pairs) != (led.name, led.pairs):
        return None
    return parts[0]
