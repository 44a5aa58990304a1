"""What may answer the plays of one ruleset, as flat numbers that grow as plays are met.

Knows how ``Menu`` of ``ingest.rules.menus`` is laid out for compiled code. Refuses to know what beats what.
"""

from collections.abc import Sequence
from enum import IntEnum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.loads import LOAD, flat_loads, packed
from ingest.cards import RANK_BITS, RANKS
from ingest.rules.answers import Standing
from ingest.rules.combinations import STEP, Reading, law_of
from ingest.rules.menus import Body, Menu, Row, menu_of, rows_of
from ingest.rules.ruleset import Ruleset

STRENGTHS, BY_SIZE, MENU_HEAD = range(3)
"""The head of the array: how strong each rank is as a bomb, and what each card of a bomb adds."""
LIFT, SIZE, TWICE, SHIFTS, BODIES, MOVES, MOVES_END = range(7)
ROW, BODY, MOVE = 7, 3, 3
"""Numbers of a row; of a body: its cards, its height, its load or 0; of a move of marks: right, which, left."""
TARGET_ROW, STARTS, POWER, BARE = range(4)
TARGETS, TARGETS_END, BOMBS, BOMBS_END, LEAST_BOMB, ROCKET = range(6)
TARGET, BOMB, MENU = 4, 2, 6
"""Numbers of a target, of a size of bombs (what marks the ranks, which marks count), and of a menu."""
_WORD = (1 << 64) - 1


class Play(IntEnum):
    """Columns of ``plays``: what stands, by its number. Of several readings the first is told."""

    MENU = 0
    """Where what answers it stands in ``law``."""
    TIER = 1
    SHAPE = 2
    """1 for a single card, 2 for a pair, 3 for a trio, else 0."""
    RANK = 3
    """The place of its rank; -1 where it has none."""
    KICKERS = 4
    """1 where it carries single cards, 2 where pairs: the cards of a piece; else 0."""
    BODY = 5
    """The packed counts of its body, where it carries something."""
    LOAD = 6
    """Where what it may carry stands in ``law``."""
    GROUP = 7
    """Cards of one group of its body."""


PLAYS = 8
_PAIRS = frozenset(("trio2", "plane2", "quad_pairs"))
_SINGLES = frozenset(("trio1", "plane1", "quad_solos", "quad_solo_pair"))
_SHAPES = {"solo": 1, "pair": 2, "trio": 3}


class Menus:
    """The menus of one ruleset's standing plays, by the numbers of these."""

    def __init__(self, rules: Ruleset) -> None:
        law, self._rules = law_of(rules), rules
        rows = rows_of(rules)
        loads = list(
            dict.fromkeys(load for row in rows for body in row.bodies if body is not None and (load := body.load))
        )
        self._loads = {load: MENU_HEAD + LOAD * number for number, load in enumerate(loads)}
        runs_at = MENU_HEAD + LOAD * len(loads)
        carried, runs = flat_loads(loads, runs_at)
        self._flat = [packed(law.strength), STEP * (rules.bomb.compare == "size_then_rank"), *carried, *runs]
        self._rows: dict[tuple[str, int], tuple[Row, int]] = {}
        for row in rows:
            self._rows[row.name, _groups(row)] = row, self._add_row(row)
        self._menus: dict[tuple[Reading, ...], int] = {}
        self._rows_of_plays: list[list[int]] = []
        self.law: NDArray[np.uint64] = np.array(self._flat, np.uint64)
        """What compiled code searches."""
        self.plays: NDArray[np.int64] = np.zeros((0, PLAYS), np.int64)

    def learn(self, standings: Sequence[Standing]) -> None:
        """Lay out those of a list that grows which were not there before."""
        if len(standings) < len(self._rows_of_plays):
            self._rows_of_plays.clear()
        new = standings[len(self._rows_of_plays) :]
        if new:
            self._rows_of_plays += [self._play(standing) for standing in new]
            self.law = np.array(self._flat, np.uint64)
            self.plays = np.array(self._rows_of_plays, np.int64)

    def _add(self, numbers: Sequence[int]) -> int:
        self._flat += [number & _WORD for number in numbers]
        return len(self._flat) - len(numbers)

    def _add_row(self, row: Row) -> int:
        bodies = self._add([*chain.from_iterable(map(self._body, row.bodies))])
        moves = self._add([*chain.from_iterable(row.moves)])
        shifts = sum(shift << 8 * place for place, shift in enumerate(row.shifts))
        return self._add([row.lift, row.size, row.twice, shifts, bodies, moves, moves + 3 * len(row.moves)])

    def _body(self, body: Body | None) -> list[int]:
        if body is None:
            return [0] * BODY
        return [body.counts, body.height, 0 if body.load is None else self._loads[body.load]]

    def _menu(self, readings: tuple[Reading, ...]) -> int:
        if readings not in self._menus:
            self._menus[readings] = self._add_menu(menu_of(readings, self._rules))
        return self._menus[readings]

    def _add_menu(self, menu: Menu) -> int:
        targets = self._add(
            [
                number
                for target in menu.targets
                for number in (self._row_at(target.row), target.starts, target.power, target.bare)
            ]
        )
        bombs = self._add([*chain.from_iterable(menu.bombs)])
        ends = targets + TARGET * len(menu.targets), bombs + 2 * len(menu.bombs)
        return self._add([targets, ends[0], bombs, ends[1], self._rules.bomb.min_size, menu.rocket])

    def _row_at(self, row: Row) -> int:
        return self._rows[row.name, _groups(row)][1]

    def _play(self, standing: Standing) -> list[int]:
        menu, reading = self._menu(standing.readings), next(iter(standing.readings), None)
        if reading is None:
            return [menu, standing.tier, 0, -1, 0, 0, 0, 0]
        shape, rank = _SHAPES.get(reading.name, 0), RANKS.index(reading.rank)
        return [menu, standing.tier, shape, rank, *self._carried(reading)]

    def _carried(self, reading: Reading) -> list[int]:
        """KICKERS to GROUP."""
        size = 2 if reading.name in _PAIRS else 1 if reading.name in _SINGLES else 0
        if not size:
            return [0] * 4
        row, _ = self._rows[reading.name, reading.length]
        body = next(body for body in row.bodies if body is not None and body.height == reading.power // STEP)
        assert body.load is not None
        return [size, body.counts, self._loads[body.load], 4 if reading.name.startswith("quad") else 3]


def _groups(row: Row) -> int:
    return 1 + sum(row.shifts) // RANK_BITS
