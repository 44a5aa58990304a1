"""What a body may carry: every choice of kickers out of the cards that are left beside it.

Knows the same bans as ``combinations``, the other way round: there a set of cards is judged, here lawful ones are put
together, the lowest first. Nothing is found here that the table of shapes would not read (U-R9).
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS, covers
from ingest.rules.combinations import JOKER_PLACES, Group, Law, Shape, may_group

ONE = tuple(1 << RANK_BITS * place for place in range(len(RANKS)))
"""One card of each rank, packed."""
HIGHEST = sum(8 * one for one in ONE)
"""The highest bit of each rank's count, which marks a rank in a mask: two packs have 8 cards of a rank at most."""

Pile = tuple[int, int]
"""A piece (equal cards of one rank, packed), and how many of it there are."""


class Limits(Struct, frozen=True, gc=False):
    """How many cards of each rank a body may carry as pieces of one size; the size is what they come in."""

    size: int
    most: tuple[int, ...]
    """By place among the ranks."""
    order: tuple[int, ...]
    """The places that may be carried at all, weakest first."""


class Load(Struct, frozen=True, gc=False):
    """What a row carries beside one body."""

    kind: str
    """The row's key of ``combinations.CARRIES``."""
    number: int
    """How many pieces; of trios where trios and pairs are carried, and then as many pairs."""
    limits: Limits
    pairs: Limits
    """The same for pairs that are carried beside other pieces."""
    runs: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    """Where carried trios must be neighbours: packed trios, their strength, their places; weakest first."""
    jokers_apart: bool = False
    """Whether both jokers may not be carried together."""


_SIZES = {"pairs": 2, "trios": 3, "trios_pairs": 3, "running_trios_pairs": 3}


def load_of(shape: Shape, body: Group, law: Law) -> Load:
    """What a row carries beside a body."""
    kickers, groups = law.rules.kickers, body.length
    size = _SIZES.get(shape.kickers, 1)
    number = groups if "trios" in shape.kickers else shape.carried * groups // size
    return Load(
        kind=shape.kickers,
        number=number,
        limits=_limits(size, shape.kickers, body, law),
        pairs=_limits(2, "pairs", body, law),
        runs=_runs(body, law) if shape.kickers.startswith("running") else (),
        jokers_apart=shape.kickers.endswith("solos") and kickers.both_jokers == "forbid",
    )


def _limits(size: int, kind: str, body: Group, law: Law) -> Limits:
    most = tuple(_most(place, size, kind, body, law) // size * size for place in range(len(RANKS)))
    weakest_first = sorted(range(len(RANKS)), key=law.strength.__getitem__)
    return Limits(size, most, tuple(place for place in weakest_first if most[place]))


def _most(place: int, size: int, kind: str, body: Group, law: Law) -> int:
    """How many cards of a rank may stand among the kickers (rules.md 9.2, the ``kickers`` switches)."""
    kickers, joker = law.rules.kickers, place in JOKER_PLACES
    if (kickers.body_rank == "forbid" and place in body.places) or not may_group(place, size, law):
        return 0
    most = RANK_LIMIT if joker or kickers.bomb_inside == "allow" else law.rules.bomb.min_size - 1
    if kind in ("solos", "quad_solos"):
        distinct = kickers.singles_distinct if kind == "solos" else kickers.quad_singles_distinct
        most = min(most, 1) if distinct else most
        return min(most, 2) if kickers.adjacent_trio == "forbid" and place in body.ends else most
    return min(most, size) if size > 1 and kickers.pairs_distinct else most


def _runs(body: Group, law: Law) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    line, groups, barred = law.line, body.length, law.rules.kickers.body_rank == "forbid"
    runs = [(start + groups, line[start : start + groups]) for start in range(len(line) - groups + 1)]
    return tuple(
        (3 * sum(ONE[place] for place in places), top, places)
        for top, places in runs
        if not (barred and set(places) & set(body.places))
    )


def choices(rest: int, load: Load, beyond: int) -> Iterator[int]:
    """Every lawful choice of kickers out of packed cards, lowest first; a second key (B-T14) is above ``beyond``."""
    return _CHOICES[load.kind](rest, load, beyond)


def _equal_pieces(rest: int, load: Load, beyond: int) -> Iterator[int]:
    """Single cards, pairs or trios (A-T9 … A-T12, B-T11, B-T12)."""
    found = heaps(_piles(rest, load.limits), load.number)
    if load.jokers_apart:
        return (cards for cards in found if not (cards >> _BLACK & RANK_LIMIT and cards >> _RED))
    return found


_BLACK, _RED = (RANK_BITS * place for place in JOKER_PLACES)


def _solo_and_pair(rest: int, load: Load, beyond: int) -> Iterator[int]:
    """Three cards of which two make a pair (E-T11, E-Q9)."""
    if not _piles(rest, load.pairs):
        return iter(())
    pairs = [ONE[place] * 2 for place in load.pairs.order]
    found = heaps(_piles(rest, load.limits), 3)
    return (cards for cards in found if any(covers(cards, pair) for pair in pairs))


def _trio_and_pair(rest: int, load: Load, beyond: int) -> Iterator[int]:
    """A trio and a pair of another rank (B-T13)."""
    for trio, _ in _piles(rest, load.limits):
        for pair, _ in _piles(rest, load.pairs):
            if trio // 3 != pair // 2:
                yield trio + pair


def _running_trios_and_pairs(rest: int, load: Load, beyond: int) -> Iterator[int]:
    """Neighbouring trios, and as many pairs of other ranks (B-T14)."""
    for trios, top, places in load.runs:
        if top > beyond and covers(rest, trios):
            others = rest & ~sum(ONE[place] * RANK_LIMIT for place in places)
            for pairs in heaps(_piles(others, load.pairs), load.number):
                yield trios + pairs


_CHOICES: dict[str, Callable[[int, Load, int], Iterator[int]]] = {
    "solos": _equal_pieces,
    "quad_solos": _equal_pieces,
    "pairs": _equal_pieces,
    "trios": _equal_pieces,
    "solo_pair": _solo_and_pair,
    "trios_pairs": _trio_and_pair,
    "running_trios_pairs": _running_trios_and_pairs,
}


def _piles(rest: int, limits: Limits) -> list[Pile]:
    """The pieces that there are of each rank, as far as they may be carried."""
    size, most = limits.size, limits.most
    return [
        (size * ONE[place], min(count, most[place]) // size)
        for place in limits.order
        if (count := rest >> RANK_BITS * place & RANK_LIMIT) >= size
    ]


def heaps(piles: Sequence[Pile], number: int) -> Iterator[int]:
    """Every choice of so many pieces, those that take most of the first piles first."""
    if not number:
        yield 0
        return
    left = sum(count for _, count in piles)
    for place, (piece, count) in enumerate(piles, start=1):
        if left < number:
            return
        left -= count
        if number == 1:
            yield piece
            continue
        for taken in range(min(count, number), 0, -1):
            for more in heaps(piles[place:], number - taken):
                yield taken * piece + more
