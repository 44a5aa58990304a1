"""What could answer a standing play, worked out once: which rows, how many groups, how high.

Knows readings and the switches that let one beat another (U-R4, U-R5, E-Q8); of the hand that answers it knows nothing.
A body is looked for in a whole hand at once: one addition marks every rank that is there often enough, and a few shifts
of that mask along a line of ranks leave a mark where a chain starts.
"""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from ingest.cards import RANK_BITS, RANKS, covers
from ingest.rules.combinations import (
    BOMB,
    JOKER_PLACES,
    PLAIN,
    ROCKET,
    STEP,
    Group,
    Law,
    Reading,
    Shape,
    beats,
    bomb_power,
    law_of,
    may_group,
    same_kind,
)
from ingest.rules.kickers import HIGHEST, ONE, Load, load_of
from ingest.rules.ruleset import Ruleset

ALL_ONES = sum(ONE)

Move = tuple[int, int, int]
"""Marks that stand together: how far right, which of them, how far left."""


class Body(Struct, frozen=True, gc=False):
    """A body that a row may have."""

    counts: int
    height: int
    """What compares within its row, without the second key of B-T14."""
    load: Load | None
    """What it carries."""


class Row(Struct, frozen=True, gc=False):
    """A row of the table of shapes with so many groups."""

    name: str
    size: int
    """Cards in all."""
    lift: int
    """Added to packed counts, it raises the mark of every rank that is there often enough."""
    moves: tuple[Move, ...]
    """How marks get from the order of the ranks to the row's line; none where both are the same."""
    shifts: tuple[int, ...]
    """Shifts that leave a mark where as many marks follow one another as there are groups."""
    bodies: tuple[Body | None, ...]
    """By where they start on the line, weakest first; None where jokers make no body."""
    twice: bool
    """Whether a chain may go round and need a rank twice (E-Q12)."""


class Target(Struct, frozen=True, gc=False):
    """A row in which an answer can be found."""

    row: Row
    starts: int
    """Marks of the bodies that are high enough."""
    power: int
    """What an answer has to be above."""
    bare: bool
    """Whether a mark alone says that there is an answer: nothing is carried, and no rank is needed twice."""


class Menu(Struct, frozen=True, gc=False):
    """All that can answer a play; where nothing stands, all that can be led."""

    targets: tuple[Target, ...]
    bombs: tuple[tuple[int, int], ...]
    """For each size of a bomb what marks the ranks that are there often enough, and the marks of those high enough."""
    bombs_above: int
    """What a bomb has to be above."""
    rocket: int
    """Packed counts of the rocket where it is an answer, else 0."""
    plain: bool
    """Whether whatever is found is an answer, and no bomb unless it is found as one."""


@cache
def rows_of(rules: Ruleset) -> tuple[Row, ...]:
    """Every row that a ruleset plays, with each number of groups that it may have."""
    law = law_of(rules)
    return tuple(
        row
        for shape, fewest, most in law.shapes
        for groups in range(fewest, most + 1)
        if (row := _row(shape, groups, law)) is not None
    )


def _row(shape: Shape, groups: int, law: Law) -> Row | None:
    line = _line(shape, law)
    bodies = tuple(_body(shape, line, start, groups, law) for start in range(len(line) - groups + 1))
    if not any(bodies):
        return None
    return Row(
        name=shape.name,
        size=(shape.body + shape.carried) * groups,
        lift=(8 - shape.body) * ALL_ONES,
        moves=_moves(line),
        shifts=_shifts(groups),
        bodies=bodies,
        twice=groups > len(set(line)),
    )


def _line(shape: Shape, law: Law) -> tuple[int, ...]:
    """The places along which chains run; for single groups all of them, weakest first."""
    if shape.chain:
        return law.straight_line if shape.body == 1 else law.line
    return tuple(RANKS.index(rank) for rank in law.rules.order.ranks)


def _body(shape: Shape, line: tuple[int, ...], start: int, groups: int, law: Law) -> Body | None:
    places = line[start : start + groups]
    if shape.chain:
        ends = line[max(start - 1, 0) : start] + line[start + groups : start + groups + 1]
        group = Group(places, groups, RANKS[places[-1]], start + groups, ends)
    elif may_group(places[0], shape.body, law):
        group = Group(places, 1, RANKS[places[0]], law.strength[places[0]], ())
    else:
        return None
    load = load_of(shape, group, law) if shape.kickers else None
    return Body(shape.body * sum(ONE[place] for place in places), group.power, load)


def _moves(line: tuple[int, ...]) -> tuple[Move, ...]:
    """Neighbours move together; a line that begins like the ranks themselves needs no move."""
    if line == tuple(range(len(line))):
        return ()
    moves, start = [], 0
    for end in range(1, len(line) + 1):
        if end == len(line) or line[end] != line[end - 1] + 1:
            moves.append((RANK_BITS * line[start], (1 << RANK_BITS * (end - start)) - 1, RANK_BITS * start))
            start = end
    return tuple(moves)


def _shifts(groups: int) -> tuple[int, ...]:
    shifts, joined = [], 1
    while joined < groups:
        step = min(joined, groups - joined)
        shifts.append(RANK_BITS * step)
        joined += step
    return tuple(shifts)


@cache
def menu_of(standing: tuple[Reading, ...], rules: Ruleset) -> Menu:
    """What can answer a play with these readings (U-R10); with none, any combination."""
    found = [target for row in rows_of(rules) if (target := _target(row, standing, rules)) is not None]
    rocket = Reading("rocket", 1, "R", 0, ROCKET, 0)
    led = not standing or any(beats(rocket, reading, rules) for reading in standing)
    above = _bombs_above(standing, rules)
    return Menu(
        targets=tuple(found),
        bombs=() if above is None else tuple(_bombs(above, rules)),
        bombs_above=-1 if above is None else above,
        rocket=law_of(rules).rocket if led else 0,
        plain=is_plain(rules),
    )


@cache
def is_plain(rules: Ruleset) -> bool:
    """Whether no reading of a set of cards hides another, and no cards are a bomb and something else.

    Otherwise what is found has to be judged as a whole: where one reading only counts, where a quad may carry a card of
    its own rank, where jokers stand in a line.
    """
    law = law_of(rules)
    return (
        rules.combinations.ambiguity == "declared_context_canonical"
        and rules.kickers.body_rank == "forbid"
        and not {*law.line, *law.straight_line} & {*JOKER_PLACES}
    )


def _target(row: Row, standing: tuple[Reading, ...], rules: Ruleset) -> Target | None:
    """The bodies of a row that are high enough for one of the readings."""
    power = -1 if not standing else _least_power(row, standing, rules)
    if power is None:
        return None
    starts = sum(8 * 1 << RANK_BITS * start for start, body in enumerate(row.bodies) if _reaches(body, power))
    bare = not row.twice and all(body is None or body.load is None for body in row.bodies)
    return Target(row, starts, power, bare) if starts else None


def _least_power(row: Row, standing: tuple[Reading, ...], rules: Ruleset) -> int | None:
    alike = Reading(row.name, _groups(row), "3", row.size, PLAIN, 0)
    fitting = [reading.power for reading in standing if reading.tier == PLAIN and same_kind(alike, reading, rules)]
    return min(fitting, default=None)


def _groups(row: Row) -> int:
    return 1 + sum(row.shifts) // RANK_BITS


def _reaches(body: Body | None, power: int) -> bool:
    """Whether a body is high enough, with the highest second key that it can have."""
    if body is None or body.load is None:
        return body is not None and body.height > power
    second = max((top for _, top, _ in body.load.runs), default=0)
    return STEP * body.height + second > power


def _bombs_above(standing: tuple[Reading, ...], rules: Ruleset) -> int | None:
    """What a bomb has to be above to beat one of the readings (U-R5, B-R9, D-R6, OS-R4)."""
    anyhow = Reading("bomb", 1, "3", 0, BOMB, -1)
    if not standing or any(beats(anyhow, reading, rules) for reading in standing):
        return -1
    return min((reading.power for reading in standing if reading.tier == BOMB), default=None)


def _bombs(above: int, rules: Ruleset) -> Iterator[tuple[int, int]]:
    law, bomb = law_of(rules), rules.bomb
    for size in range(bomb.min_size, 4 * rules.deal.packs + 1):
        powers = [bomb_power(place, size, law) for place in range(JOKER_PLACES[0])]
        yield (8 - size) * ALL_ONES, sum(8 * ONE[place] for place, power in enumerate(powers) if power > above)


def starts_in(held: int, target: Target) -> int:
    """Marks of the bodies of packed counts that are high enough: the highest bit of four for each start."""
    row = target.row
    marks = held + row.lift & HIGHEST
    if row.moves:
        marks = sum((marks >> right & which) << left for right, which, left in row.moves)
    for shift in row.shifts:
        marks &= marks >> shift
    return marks & target.starts


def bodies_in(held: int, target: Target) -> Iterator[Body]:
    """The bodies of packed counts that are high enough, weakest first."""
    starts, row = starts_in(held, target), target.row
    while starts:
        lowest = starts & -starts
        starts ^= lowest
        body = row.bodies[lowest.bit_length() // RANK_BITS - 1]
        assert body is not None
        if not row.twice or covers(held, body.counts):
            yield body
