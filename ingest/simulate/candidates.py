"""Candidates: sets of cards out of a hand that may be combinations, one body and a few kickers at a time.

Proposes only. Whether a set may be played is for ``ingest.rules.answers`` to say.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from msgspec import Struct

from ingest.cards import RANK_BITS, RANKS
from ingest.rules.combinations import Law, Reading, law_of
from ingest.rules.ruleset import Ruleset

ONE = tuple(1 << RANK_BITS * place for place in range(len(RANKS)))
"""One card of each rank, packed."""


class Row(Struct, frozen=True, gc=False):
    """A shape that a ruleset plays, with the sizes of what each group of its body carries."""

    name: str
    body: int
    chain: bool
    sizes: tuple[int, ...]
    running: bool
    """Whether carried trios must be neighbours."""
    fewest: int
    most: int


class Body(Struct, frozen=True, gc=False):
    """One choice of a body."""

    counts: int
    places: tuple[int, ...]
    top: int
    """How high it stands among the bodies of its row."""


_SIZES = {"solo_pair": (2, 1), "trios": (3,), "trios_pairs": (3, 2), "running_trios_pairs": (3, 2)}


@cache
def rows_of(rules: Ruleset) -> tuple[Row, ...]:
    """Every row of shapes that a ruleset plays, space shuttles with wings (BZ-R3, BV-R2) included."""
    return tuple(
        Row(s.name, s.body, s.chain, _sizes(s.kickers, s.carried), s.kickers.startswith("running"), fewest, most)
        for s, fewest, most in law_of(rules).shapes
    )


def _sizes(kickers: str, carried: int) -> tuple[int, ...]:
    if kickers == "pairs":
        return (2,) * (carried // 2)
    return _SIZES.get(kickers, (1,) * carried)


@cache
def rows_answering(rules: Ruleset, name: str, length: int) -> tuple[Row, ...]:
    """The rows in which an answer to a reading can be found."""
    return tuple(row for row in rows_of(rules) if _may_answer(row, name, length, rules))


def _may_answer(row: Row, name: str, length: int, rules: Ruleset) -> bool:
    if row.name == name:
        return row.chain == (length > 1) and row.fewest <= length <= row.most
    four_with_two = name in ("quad_solos", "quad_solo_pair", "quad_pairs")
    return rules.combinations.cross_size and four_with_two and row.body == 4 and bool(row.sizes) and not row.chain


def chain_line(body: int, law: Law) -> tuple[int, ...]:
    """The places along which chains of this body run."""
    return law.straight_line if body == 1 else law.line


def chains(ranks: Sequence[int], body: int, groups: int, law: Law) -> Iterator[Body]:
    """Every chain of so many groups, lowest first."""
    line, run = chain_line(body, law), 0
    for end, place in enumerate(line, start=1):
        run = run + 1 if ranks[place] >= body else 0
        if run >= groups:
            places = line[end - groups : end]
            yield Body(body * sum(ONE[p] for p in places), places, end)


def groups(ranks: Sequence[int], body: int, above: int, law: Law) -> list[Body]:
    """Every single group above a height: first those that break nothing, each kind lowest first."""
    strength = law.strength
    places = [place for place, count in enumerate(ranks) if count >= body and strength[place] > above]
    if len(places) > 1:
        places.sort(key=lambda place: (ranks[place] >= 4) * 200 + (ranks[place] > body) * 100 + strength[place])
    return [Body(body * ONE[place], (place,), strength[place]) for place in places]


def height(reading: Reading, law: Law, body: int) -> int:
    """How high the body of a reading stands, as ``Body.top`` counts it."""
    place = RANKS.index(reading.rank)
    if reading.length == 1:
        return law.strength[place]
    line = chain_line(body, law)
    return len(line) - line[::-1].index(place)


def answers_like(reading: Reading, ranks: Sequence[int], rules: Ruleset, rng: Random) -> Iterator[int]:
    """Sets of cards that may beat a reading in its own kind, cheapest first."""
    law = law_of(rules)
    for row in rows_answering(rules, reading.name, reading.length):
        lowest = height(reading, law, row.body)
        for body in chains(ranks, row.body, reading.length, law) if row.chain else groups(ranks, row.body, lowest, law):
            if body.top >= lowest:
                yield from with_kickers(body, row, ranks, law, rng)


def with_kickers(body: Body, row: Row, ranks: Sequence[int], law: Law, rng: Random) -> Iterator[int]:
    """The body with what its row carries: up to three choices of kickers."""
    if not row.sizes:
        yield body.counts
        return
    rest = list(ranks)
    for place in body.places:
        rest[place] = 0
    sizes = sorted(row.sizes * len(body.places), reverse=True)
    for kickers in _running(sizes, rest, law, rng) if row.running else _loose(sizes, rest, law, rng):
        yield body.counts + kickers


def _loose(sizes: Sequence[int], rest: Sequence[int], law: Law, rng: Random) -> Iterator[int]:
    """Kickers of different ranks, and kickers heaped on few ranks; one of them first."""
    order = _cheapest(rest, law, rng)
    for heaped in (True, False) if rng.random() < 0.2 else (False, True):
        kickers = _pick(sizes, rest, order, heaped=heaped)
        if kickers is not None:
            yield kickers


def _cheapest(rest: Sequence[int], law: Law, rng: Random) -> list[int]:
    """The ranks in the order in which a player would give them away; now and then in any order."""
    places = [place for place, count in enumerate(rest) if count]
    if rng.random() < 0.15:
        rng.shuffle(places)
    else:
        places.sort(key=law.strength.__getitem__)
    return places


def _pick(sizes: Sequence[int], rest: Sequence[int], order: Sequence[int], *, heaped: bool) -> int | None:
    """One kicker after the other, largest first, out of the rank that it breaks least."""
    left, kickers = list(rest), 0
    for size in sizes:
        places = [place for place in order if left[place] >= size]
        if not places:
            return None
        place = places[0] if heaped else min(places, key=lambda place: left[place] - size)
        left[place] = left[place] - size if heaped else 0
        kickers += size * ONE[place]
    return kickers


def _running(sizes: Sequence[int], rest: Sequence[int], law: Law, rng: Random) -> Iterator[int]:
    """Kickers whose trios are neighbours (B-T14)."""
    pairs = [size for size in sizes if size != 3]
    for trios in chains(rest, 3, len(sizes) - len(pairs), law):
        left = [0 if place in trios.places else count for place, count in enumerate(rest)]
        for kickers in _loose(pairs, left, law, rng):
            yield trios.counts + kickers


def bombs(ranks: Sequence[int], rules: Ruleset) -> list[int]:
    """Every bomb of a hand, lowest and smallest first, and the rocket."""
    law = law_of(rules)
    places = [place for place, count in enumerate(ranks) if count >= rules.bomb.min_size]
    places.sort(key=lambda place: (ranks[place], law.strength[place]))
    found = [ranks[place] * ONE[place] for place in places]
    jokers = ranks[-2] * ONE[-2] + ranks[-1] * ONE[-1]
    return [*found, law.rocket] if law.rocket and jokers == law.rocket else found
