"""How many of the hands that pass some filters are counted, why the others are not, and which filter left none.

Knows the filters of statistics. Refuses to know any statistic: what one leaves out besides stands in its ``excluded``.
"""

from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.catalogue import filtered
from analysis.narrowing import Values, about_seats, named, narrowed
from analysis.warehouse import Warehouse

_CLEAN = "verdict = 'clean'"


class Coverage(Struct, frozen=True):
    """Of the hands with a seat that passes: how many are counted, and the others by the code of their first fault."""

    used: int
    left_out: dict[str, int]


class Emptied(Struct, frozen=True):
    """Why nothing is counted under some filters: clean hands that pass all of them, and that pass without each; and the
    filters that no clean hand passes, were there no other.
    """

    passing: int
    without: dict[str, int]
    alone: tuple[str, ...]


def coverage(warehouse: Warehouse, **filters: Any) -> Coverage:
    """What is counted under these filters. Raises as ``catalogue.run`` does."""
    values = filtered(filters)
    found = _ask(warehouse, _of_seats(values) if about_seats(values) else _of_hands(values), values)
    told = dict(zip(found["reason"].astype(str).tolist(), found["hands"].astype(int).tolist(), strict=True))
    return Coverage(told.pop(_USED), told)


_USED = ""
"""What hands are listed under that are counted."""


def _of_seats(values: Values) -> str:
    """Hands by why they are left out, those that count first, where a filter is about seats."""
    return f"""
        WITH passing AS (SELECT hand, {_CLEAN} AS clean FROM seats WHERE {narrowed(values)})
        SELECT '{_USED}' AS reason, count(DISTINCT hand) AS hands, true AS used FROM passing WHERE clean
        UNION ALL
        SELECT first_fault, count(*), false FROM hands
        WHERE first_fault IS NOT NULL AND hand IN (SELECT hand FROM passing WHERE NOT clean) GROUP BY first_fault
        ORDER BY used DESC, hands DESC, reason"""


def _of_hands(values: Values) -> str:
    """The same without looking at seats, where no filter is about them."""
    return f"""
        SELECT '{_USED}' AS reason, count(*) AS hands, true AS used FROM hands WHERE {narrowed(values, _CLEAN)}
        UNION ALL
        SELECT first_fault, count(*), false FROM hands
        WHERE {narrowed(values, "counted", "first_fault IS NOT NULL")} GROUP BY first_fault
        ORDER BY used DESC, hands DESC, reason"""


def used(warehouse: Warehouse, **filters: Any) -> int:
    """Clean hands with a seat that passes these filters; without looking at seats where no filter is about them."""
    values = filtered(filters)
    counted = "count(DISTINCT hand) AS hands FROM seats" if about_seats(values) else "count(*) AS hands FROM hands"
    return int(_ask(warehouse, f"SELECT {counted} WHERE {narrowed(values, _CLEAN)}", values)["hands"][0])


def _ask(warehouse: Warehouse, sql: str, values: Values) -> pd.DataFrame:
    """The answer to SQL that names only parameters that have a value."""
    return warehouse.query(sql, {name: values[name] for name in named(sql)})


def without_each(warehouse: Warehouse, **filters: Any) -> dict[str, int]:
    """How many hands would be counted if one of the filters were dropped, for each of them."""
    return {
        dropped: used(warehouse, **{key: value for key, value in filters.items() if key != dropped})
        for dropped in filters
    }


def emptied(warehouse: Warehouse, **filters: Any) -> Emptied:
    """What to tell of an answer that is empty. Raises as ``catalogue.run`` does."""
    alone = tuple(key for key, value in filters.items() if not used(warehouse, **{key: value}))
    return Emptied(used(warehouse, **filters), without_each(warehouse, **filters), alone)
