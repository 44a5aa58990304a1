"""What players did one hand after the other: their seats in order of time, as arrays.

Knows that hands stand by (time, number), undated ones last, and how rows of many files are put in that order without
sorting texts. Refuses to know what is asked of them. What goes through a player's hands one by one is told in NumPy:
windows over millions of rows cost SQL seconds.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from msgspec import Struct

from analysis.narrowing import Values, named, narrowed
from analysis.warehouse import Warehouse

Whole = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

X = "score / base"
SCORED = ("score IS NOT NULL", "outcome <> 'void'")
"""Seats with a score; void hands don't count."""
DATED = "began IS NOT NULL"
UNDATED = np.iinfo(np.int64).max
"""The moment of a hand without one."""
_ALL = 10**12
_WHO = "hash(player, rules)"


class Course(Struct, frozen=True):
    """The hands of one player under one ruleset."""

    player: str
    rules: str
    columns: dict[str, Array]
    """``began`` (microseconds since 1970, or ``UNDATED``), and what was asked for; one entry a seat, in order."""

    def __getitem__(self, column: str) -> Array:
        return self.columns[column]

    def __len__(self) -> int:
        return len(self.columns["began"])


def courses(
    warehouse: Warehouse, values: Values, columns: Mapping[str, str], *conditions: str, first: int | None = None
) -> list[Course]:
    """The seats of clean hands that pass the filters and these conditions, the longest courses first.

    ``columns``: names, and what they are in SQL over ``seats``; none may be null. ``first``: the courses instead, by
    player and ruleset, that the first so many seats are in. Raises ``TooSlow``.
    """
    condition = narrowed(values, "verdict = 'clean'", *conditions)
    given = {name: values[name] for name in named(condition)}
    if first is None and {"player", "rules"} <= given.keys():
        return _of_one(warehouse, columns, condition, given)
    whose = _whose(warehouse, condition, given)
    if first is not None:
        whose = whose.sort_values(["player", "rules"], ignore_index=True)
        whose = whose[whose["hands"].cumsum().shift(fill_value=0) < first]
        condition, given = (
            f"{condition} AND player <= $last",
            given | {"last": whose["player"].max() if len(whose) else ""},
        )
    seats = _seats(warehouse, _WHO, columns, condition, given)
    code = pd.Index(whose["who"]).get_indexer(pd.Index(seats["who"])).astype(np.int64)
    seats, code = (seats, code) if first is None else (seats[code >= 0], code[code >= 0])
    return _parted(whose, seats, code)


def _of_one(warehouse: Warehouse, columns: Mapping[str, str], condition: str, given: Mapping[str, Any]) -> list[Course]:
    """The course of a player under a ruleset, who are known before the store is asked."""
    seats = _seats(warehouse, "0", columns, condition, given)
    whose = pd.DataFrame({"player": [given["player"]], "rules": [given["rules"]], "hands": [len(seats)]})
    return _parted(whose, seats, seats["who"].to_numpy(np.int64)) if len(seats) else []


def _seats(
    warehouse: Warehouse, who: str, columns: Mapping[str, str], condition: str, given: Mapping[str, Any]
) -> pd.DataFrame:
    told = "".join(f", {text} AS {name}" for name, text in columns.items())
    return warehouse.query(
        f"SELECT {who} AS who, hand, seat, coalesce(epoch_us(began), {UNDATED}) AS began{told} "
        f"FROM seats WHERE {condition}",
        given,
        rows=_ALL,
    )


def _whose(warehouse: Warehouse, condition: str, given: dict[str, Any]) -> pd.DataFrame:
    """Whose courses there are, the longest first: player, rules, who (one number for both), hands."""
    return warehouse.query(
        f"SELECT player, rules, {_WHO} AS who, count(*) AS hands FROM seats WHERE {condition} "
        "GROUP BY player, rules ORDER BY hands DESC, player, rules",
        given,
        rows=_ALL,
    )


def _parted(whose: pd.DataFrame, seats: pd.DataFrame, code: Whole) -> list[Course]:
    """Seats as courses. ``code``: the row of ``whose`` that each is of."""
    order = in_time(code, seats["began"].to_numpy(), seats["hand"].to_numpy(), seats["seat"].to_numpy(np.int64))
    ordered = {name: seats[name].to_numpy()[order] for name in seats.columns if name not in ("who", "hand", "seat")}
    ends = whose["hands"].cumsum()
    return [
        Course(player, rules, {name: array[end - hands : end] for name, array in ordered.items()})
        for player, rules, hands, end in zip(whose["player"], whose["rules"], whose["hands"], ends, strict=True)
    ]


def in_time(code: Whole, began: Whole, hand: Whole, seat: Whole) -> Whole:
    """The order of seats by (code, began, hand, seat); where there are many, hands are put in order first."""
    span = int(hand.max(initial=0)) - int(hand.min(initial=0)) + 1
    if 2 * len(hand) <= span:
        return np.lexsort((seat, hand, began, code))
    number = hand - hand.min()
    moment = np.full(span, UNDATED)
    moment[number] = began
    place = np.empty(span, np.int64)
    place[np.argsort(moment, kind="stable")] = np.arange(span)
    seats = int(seat.max()) + 1
    return np.argsort((code * span + place[number]) * seats + seat)
