"""How few plays shed a hand, if nobody ever answers (statistics.md 29).

Knows the rows of a ruleset and searches exactly: every split of the hand into bodies (chains, trios, quads, bombs, the
rocket) and other cards, and for every split whether the other cards fit on the bodies as kickers. What a split costs
where each body carries all it could is a bound that is never too high; it is worked out for whole parts of a hand at a
time and rules out nearly all splits.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS, covers
from ingest.rules.combinations import JOKER_PLACES, law_of, may_group
from ingest.rules.kickers import ONE, Load, choices
from ingest.rules.menus import rows_of
from ingest.rules.ruleset import Ruleset


class Part(Struct, frozen=True, gc=False):
    """A body that a hand may be split into."""

    counts: int
    loads: tuple[Load | None, ...]
    """The ways to play it; None for bare."""
    slots: int
    """How many pieces it carries at most."""


class Parts(Struct, frozen=True, gc=False):
    """How hands can be split under one ruleset."""

    by_place: tuple[tuple[tuple[Part, ...], ...], ...]
    """For each rank the parts that need it: those that begin alike together, each within the next."""
    groups: tuple[tuple[int, ...], ...]
    """For each rank, by the number of its cards, in how few groups without chains they can be played."""


@cache
def parts_of(rules: Ruleset) -> Parts:
    """How hands can be split under a ruleset."""
    begun = _begun(rules)
    by_place = [
        tuple(found for parts in begun if (found := tuple(part for part in parts if _count(part.counts, place))))
        for place in range(len(RANKS))
    ]
    return Parts(tuple(by_place), _groups(rules))


def _begun(rules: Ruleset) -> list[list[Part]]:
    """The parts that begin alike together, shortest first."""
    loads: dict[int, list[Load | None]] = {}
    begun: dict[tuple[object, ...], set[int]] = {}
    for key, counts, load in _bodies(rules):
        loads.setdefault(counts, []).append(load)
        begun.setdefault(key, set()).add(counts)
    parts = {counts: Part(counts, tuple(dict.fromkeys(ways)), max(map(_slots, ways))) for counts, ways in loads.items()}
    return [[parts[counts] for counts in sorted(found, key=_size)] for found in begun.values()]


def _bodies(rules: Ruleset) -> Iterator[tuple[tuple[object, ...], int, Load | None]]:
    """Every body that is neither one card nor a pair: how it begins, its packed counts, what it carries."""
    for row in rows_of(rules):
        for start, body in enumerate(row.bodies):
            if body is not None and (row.shifts or _size(body.counts) > 2):
                yield (row.lift, row.shifts > (), start), body.counts, body.load
    for place in range(JOKER_PLACES[0]):
        for size in range(rules.bomb.min_size, 4 * rules.deal.packs + 1):
            yield ("bomb", place), size * ONE[place], None
    rocket = law_of(rules).rocket
    if rocket:
        yield ("rocket",), rocket, None


def _slots(load: Load | None) -> int:
    """How many pieces are carried: each saves one play at most."""
    if load is None:
        return 0
    two_kinds = load.kind in ("trios_pairs", "running_trios_pairs")
    return 2 if load.kind == "solo_pair" else load.number * (2 if two_kinds else 1)


def _groups(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    law = law_of(rules)
    carried = {body.load.kind for row in rows_of(rules) for body in row.bodies if body is not None and body.load}
    largest = 3 if any("trio" in kind for kind in carried) else 2
    sizes = [next(n for n in (largest, 2, 1) if may_group(place, n, law)) for place in range(len(RANKS))]
    return tuple(tuple(-(-count // size) for count in range(RANK_LIMIT + 1)) for size in sizes)


def _count(counts: int, place: int) -> int:
    return counts >> RANK_BITS * place & RANK_LIMIT


def _size(counts: int) -> int:
    return sum(_count(counts, place) for place in range(len(RANKS)))


def fewest_plays(held: int, rules: Ruleset) -> int:
    """The least number of plays, each of which may be led, that shed packed counts; 0 for no cards.

    ``held`` are cards out of the ruleset's pack. Exact. A bomb and the rocket are one play each.
    """
    if not held:
        return 0
    search = Search(parts_of(rules))
    limit = max(search.bound(held), 1)
    while not search.sheds(held, limit):
        limit += 1
    return limit


class Split(NamedTuple):
    """A hand split so far."""

    parts: tuple[Part, ...] = ()
    others: int = 0
    """The cards that are in no part."""
    cost: int = 0
    """The plays, if every slot saved one."""


class Search:
    """The search for one hand; remembers what parts of it cost at least."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._bounds = {0: 0}

    def bound(self, held: int) -> int:
        """How many plays cards need at least, less what they could carry of others."""
        known = self._bounds.get(held)
        if known is not None:
            return known
        place = _lowest(held)
        count = _count(held, place)
        least = self._parts.groups[place][count] + self.bound(held - count * ONE[place])
        for part in _within(held, self._parts.by_place[place]):
            least = min(least, 1 - part.slots + self.bound(held - part.counts))
        self._bounds[held] = least
        return least

    def sheds(self, held: int, limit: int, split: Split = Split()) -> bool:  # noqa: B008 - a tuple
        """Whether so many plays shed a hand, of which a part is split already."""
        if len(split.parts) > limit or split.cost + self.bound(held) > limit:
            return False
        if not held:
            return self._fits(split.parts, split.others, limit - len(split.parts))
        place = _lowest(held)
        for part in _within(held, self._parts.by_place[place]):
            more = Split((*split.parts, part), split.others, split.cost + 1 - part.slots)
            if self.sheds(held - part.counts, limit, more):
                return True
        count = _count(held, place)
        cards = count * ONE[place]
        more = Split(split.parts, split.others + cards, split.cost + self._parts.groups[place][count])
        return self.sheds(held - cards, limit, more)

    def _fits(self, parts: Sequence[Part], others: int, alone: int) -> bool:
        """Whether parts can carry so many of the other cards that the rest are few enough plays alone."""
        if self._alone(others) - sum(part.slots for part in parts) > alone:
            return False
        if not parts:
            return True
        for load in parts[0].loads:
            if load is None:
                if self._fits(parts[1:], others, alone):
                    return True
            elif any(self._fits(parts[1:], others - cards, alone) for cards in choices(others, load, -1)):
                return True
        return False

    def _alone(self, cards: int) -> int:
        return sum(groups[_count(cards, place)] for place, groups in enumerate(self._parts.groups))


def _lowest(held: int) -> int:
    return ((held & -held).bit_length() - 1) // RANK_BITS


def _within(held: int, begun: Sequence[Sequence[Part]]) -> Iterator[Part]:
    """The parts that a hand holds."""
    for parts in begun:
        for part in parts:
            if not covers(held, part.counts):
                break
            yield part
