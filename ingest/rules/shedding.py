"""How few plays shed a hand, if nobody ever answers (statistics.md 29).

Knows the rows of a ruleset and searches exactly: every split of the hand into bodies (chains, trios, quads, bombs, the
rocket) and other cards, and for every split whether the other cards fit on the bodies as kickers. What a split costs
where each body carries all it could is a bound that is never too high; it is worked out for whole parts of a hand at a
time and rules out nearly all splits.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from operator import add, mul, sub
from typing import NamedTuple

from msgspec import Struct

from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS, covers
from ingest.rules.combinations import JOKER_PLACES, law_of, may_group
from ingest.rules.kickers import ONE, Load, choices
from ingest.rules.menus import rows_of
from ingest.rules.ruleset import Ruleset

PRICES = ((2, 2, 2), (1, 1, 1), (0, 0, 0), (2, 1, 1), (1, 2, 2), (1, 1, 0), (2, 2, 0))
"""What a body is credited for a single card, a pair, a trio that it may carry, and what such a piece then costs.

A play costs 2. What a split costs at any of these prices is no more than twice its plays, because no body carries more
than it may. The dear ones tell where bodies are short, the cheap ones where kickers are; a trio for nothing, where
there are few pairs for the trios that ask for one.
"""


Costs = tuple[int, ...]
"""By price."""


class Part(Struct, frozen=True, gc=False, eq=False):
    """A body that a hand may be split into; there is one of each under a ruleset."""

    counts: int
    loads: tuple[Load | None, ...]
    """The ways to play it; None for bare."""
    costs: Costs
    """What it costs if it carries the most."""
    credits: tuple[Costs, ...]
    """What it is credited for what it carries: at most, and for each way to play it."""


class Parts(Struct, frozen=True, gc=False):
    """How hands can be split under one ruleset."""

    by_place: tuple[tuple[tuple[Part, ...], ...], ...]
    """For each rank the parts of which it is the lowest: those that begin alike together, each within the next."""
    alone: tuple[tuple[int, ...], ...]
    """For each rank, by the number of its cards, in how few groups without chains they can be played."""
    others: tuple[tuple[Costs, ...], ...]
    """For each rank, by the number of its cards: what they cost, alone or carried."""


@cache
def parts_of(rules: Ruleset) -> Parts:
    """How hands can be split under a ruleset."""
    begun = _begun(rules)
    by_place = [
        tuple(found for parts in begun if (found := tuple(part for part in parts if _lowest(part.counts) == place)))
        for place in range(len(RANKS))
    ]
    pieces = [_pieces(body.load) for row in rows_of(rules) for body in row.bodies if body is not None]
    carried = tuple(any(column) for column in zip(*pieces, strict=True))
    return Parts(
        tuple(by_place),
        tuple(_prices(place, None, carried, rules) for place in range(len(RANKS))),
        tuple(
            tuple(zip(*(_prices(place, price, carried, rules) for price in PRICES), strict=True))
            for place in range(len(RANKS))
        ),
    )


def _begun(rules: Ruleset) -> list[list[Part]]:
    """The parts that begin alike together, shortest first."""
    loads: dict[int, list[Load | None]] = {}
    begun: dict[tuple[object, ...], set[int]] = {}
    for key, counts, load in _bodies(rules):
        loads.setdefault(counts, []).append(load)
        begun.setdefault(key, set()).add(counts)
    parts = {counts: _part(counts, tuple(dict.fromkeys(ways))) for counts, ways in loads.items()}
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


def _part(counts: int, loads: tuple[Load | None, ...]) -> Part:
    credits = [tuple(sum(map(mul, price, _pieces(load))) for price in PRICES) for load in loads]
    most = tuple(map(max, *credits, credits[0]))
    return Part(counts, loads, tuple(2 - credit for credit in most), (most, *credits))


def _pieces(load: Load | None) -> tuple[int, int, int]:
    """How many single cards, pairs and trios are carried."""
    if load is None:
        return 0, 0, 0
    return {
        "solo_pair": (1, 1, 0),
        "pairs": (0, load.number, 0),
        "trios": (0, 0, load.number),
        "trios_pairs": (0, load.number, load.number),
        "running_trios_pairs": (0, load.number, load.number),
    }.get(load.kind, (load.number, 0, 0))


def _prices(place: int, price: Sequence[int] | None, carried: Sequence[bool], rules: Ruleset) -> tuple[int, ...]:
    """By the number of cards of a rank the least that they cost, cut up into pieces; without a price the fewest groups
    alone.
    """
    law, most = law_of(rules), 3 if carried[2] else 2
    pieces = [1 if price is None else price[n - 1] if carried[n - 1] else 2 for n in range(1, most + 1)]
    least = [0]
    for count in range(1, RANK_LIMIT + 1):
        sizes = [n for n in range(1, min(count, most) + 1) if may_group(place, n, law)]
        least.append(min(pieces[n - 1] + least[count - n] for n in sizes))
    return tuple(least)


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
    limit = search.bound(held)
    while not search.sheds(held, limit):
        limit += 1
    return limit


class Split(NamedTuple):
    """A hand split so far."""

    parts: tuple[Part, ...]
    others: int
    """The cards that are in no part."""
    costs: Costs


WHOLE = Split((), 0, (0,) * len(PRICES))


class Search:
    """The search for one hand; remembers what cards cost at least."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._least: dict[int, Costs] = {0: WHOLE.costs}
        self._ways: dict[int, list[tuple[Part, int]]] = {}
        self._failed: set[tuple[tuple[Part, ...], int, int]] = set()

    def bound(self, held: int) -> int:
        """How many plays are needed at least."""
        return max(1, -(-max(self._costs(held)) // 2))

    def _splits(self, held: int) -> list[tuple[Part, int]]:
        """The parts that could take the lowest rank of a hand, and what each leaves."""
        found = self._ways.get(held)
        if found is None:
            begun = self._parts.by_place[_lowest(held)]
            found = self._ways[held] = [(part, held - part.counts) for part in _within(held, begun)]
        return found

    def _costs(self, held: int) -> Costs:
        """The least that cards cost, by price."""
        known = self._least.get(held)
        if known is not None:
            return known
        place = _lowest(held)
        count = _count(held, place)
        least = tuple(map(add, self._parts.others[place][count], self._costs(held - count * ONE[place])))
        for part, rest in self._splits(held):
            least = tuple(map(min, least, map(add, part.costs, self._costs(rest))))
        self._least[held] = least
        return least

    def sheds(self, held: int, limit: int, split: Split = WHOLE) -> bool:
        """Whether so many plays shed a hand, of which a part is split already."""
        if max(map(add, split.costs, self._costs(held))) > 2 * limit:
            return False
        if not held:
            return self._fits(split.parts, split.others, 2 * (limit - len(split.parts)))
        for part, rest in self._splits(held):
            costs = tuple(map(add, split.costs, part.costs))
            if self.sheds(rest, limit, Split((*split.parts, part), split.others, costs)):
                return True
        place = _lowest(held)
        count = _count(held, place)
        cards = count * ONE[place]
        costs = tuple(map(add, split.costs, self._parts.others[place][count]))
        return self.sheds(held - cards, limit, Split(split.parts, split.others + cards, costs))

    def _fits(self, parts: tuple[Part, ...], others: int, most: int) -> bool:
        """Whether parts can carry so many of the other cards that the rest cost no more alone."""
        if not parts:
            return 2 * sum(groups[_count(others, place)] for place, groups in enumerate(self._parts.alone)) <= most
        asked = (parts, others, most)
        if asked in self._failed:
            return False
        if any(self._fits(parts[1:], rest, most) for rest in self._loaded(parts, others, most)):
            return True
        self._failed.add(asked)
        return False

    def _loaded(self, parts: tuple[Part, ...], others: int, most: int) -> Iterator[int]:
        """The other cards, without what the first part carries, for each way in which it may be enough."""
        needed = self._costs_of_others(others)
        for part in parts[1:]:
            needed = tuple(map(sub, needed, part.credits[0]))
        for load, credit in zip(parts[0].loads, parts[0].credits[1:], strict=True):
            if max(map(sub, needed, credit)) <= most:
                for cards in (0,) if load is None else choices(others, load, -1):
                    yield others - cards

    def _costs_of_others(self, cards: int) -> Costs:
        costs = WHOLE.costs
        for place, by_count in enumerate(self._parts.others):
            count = _count(cards, place)
            if count:
                costs = tuple(map(add, costs, by_count[count]))
        return costs


def _lowest(held: int) -> int:
    return ((held & -held).bit_length() - 1) // RANK_BITS


def _within(held: int, begun: Sequence[Sequence[Part]]) -> Iterator[Part]:
    """The parts that a hand holds."""
    for parts in begun:
        for part in parts:
            if not covers(held, part.counts):
                break
            yield part
