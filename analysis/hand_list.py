"""Lists of hands, page by page: those that pass the filters, and those behind a number of a statistic.

Knows what a list shows of a hand. Refuses to know any statistic: what a hand adds to one stands in its file.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.catalogue import filtered, statistics
from analysis.narrowing import CHOSEN
from analysis.warehouse import Warehouse

_SHOWN = """
    hands.hand, hands.id, hands.rules, hands.day, hands.began, hands.table_id, hands.verdict, hands.outcome,
    hands.bid, hands.multiplier, hands.unit, hands.first_fault
"""
_PASSING = f"""
FROM hands
WHERE hand IN (SELECT hand FROM ({CHOSEN}))
    AND ($verdict IS NULL OR verdict = $verdict)
    AND ($code IS NULL OR hand IN (SELECT hand FROM findings WHERE code = $code))
    AND ($other IS NULL OR hand IN (
        SELECT theirs.hand
        FROM seats AS theirs
        JOIN seats AS own USING (hand)
        WHERE theirs.player = $other
            AND own.player = $player
            AND ($side IS NULL OR (own.role = theirs.role) = ($side = 'mate'))
    ))
"""
_PAGE = f"SELECT {_SHOWN} {_PASSING} ORDER BY hands.hand DESC LIMIT $rows OFFSET $first"
_COUNT = f"SELECT count(*) AS hands {_PASSING}"

_BEHIND = """
FROM counted
JOIN hands USING (hand)
JOIN seats USING (hand, seat)
WHERE ($group IS NULL OR "group" = $group)
    AND ($part IS NULL OR (part > 0) = ($part = 'yes'))
"""


def hands(
    warehouse: Warehouse, filters: Mapping[str, Any], narrowed: Mapping[str, str | None], first: int, rows: int
) -> tuple[pd.DataFrame, int]:
    """One page of the hands with a seat that passes, last ones first, and how many there are in all.

    ``narrowed``: to one ``verdict``, to hands with a finding of one ``code``, to those of the player with an ``other``
    on the ``side`` of a ``mate`` or a ``foe``.
    """
    values = filtered(filters) | {key: narrowed.get(key) or None for key in ("verdict", "code", "other", "side")}
    count = int(warehouse.query(_COUNT, values)["hands"][0])
    return warehouse.query(_PAGE, values | {"first": first, "rows": rows}), count


def behind(
    warehouse: Warehouse, name: str, filters: Mapping[str, Any], narrowed: Mapping[str, str | None], page: range
) -> tuple[pd.DataFrame, int]:
    """The seats that a measure counts, one page of them, and how many there are in all.

    ``narrowed``: to one ``group`` of those that ``by`` makes; with ``part`` to seats that count (``yes``) or not
    (``no``). Raises ``KeyError`` for what is no measure.
    """
    known = statistics().get(name)
    if known is None or not known.counted:
        raise KeyError(f"no measure: {name}")
    values = filtered(filters) | {key: narrowed.get(key) or None for key in ("by", "group", "part")}
    count = int(warehouse.query(f"{known.counted} SELECT count(*) AS hands {_BEHIND}", values)["hands"][0])
    shown = f"SELECT {_SHOWN}, seats.seat, seats.player, seats.role, seats.position, seats.score, part, whole"
    limits = {"first": page.start, "rows": len(page)}
    sql = f"{known.counted} {shown} {_BEHIND} ORDER BY hands.hand DESC, seats.seat LIMIT $rows OFFSET $first"
    return warehouse.query(sql, values | limits), count
