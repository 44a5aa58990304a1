"""How many of the hands that pass some filters are counted, why the others are not, and which filter left none.

Knows the filters of statistics. Refuses to know any statistic: what one leaves out besides stands in its ``excluded``.
"""

from typing import Any

from msgspec import Struct

from analysis.catalogue import filtered, left_out
from analysis.narrowing import CHOSEN
from analysis.warehouse import Warehouse

_USED = f"""
WITH passing AS ({CHOSEN})

SELECT count(DISTINCT hand) AS hands
FROM passing
WHERE verdict = 'clean'
"""


class Coverage(Struct, frozen=True):
    """Of the hands with a seat that passes: how many are counted, and the others by the code of their first fault."""

    used: int
    left_out: dict[str, int]


def coverage(warehouse: Warehouse, **filters: Any) -> Coverage:
    """What is counted under these filters. Raises as ``catalogue.run`` does."""
    return Coverage(used(warehouse, **filters), left_out(warehouse, **filters))


def used(warehouse: Warehouse, **filters: Any) -> int:
    """Clean hands with a seat that passes these filters."""
    return int(warehouse.query(_USED, filtered(filters))["hands"][0])


def without_each(warehouse: Warehouse, **filters: Any) -> dict[str, int]:
    """How many hands would be counted if one of the filters were dropped, for each of them."""
    return {
        dropped: used(warehouse, **{key: value for key, value in filters.items() if key != dropped})
        for dropped in filters
    }
