"""Lists of hands, page by page: those that pass the filters, and those behind a number of a statistic.

Knows what a list shows of a hand. Refuses to know any statistic: what a hand adds to one stands in its file.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis import narrowing
from analysis.catalogue import filtered, statistics
from analysis.warehouse import Warehouse

_SHOWN = """
    hands.hand, hands.id, hands.rules, hands.day, hands.began, hands.table_id, hands.verdict, hands.outcome,
    hands.bid, hands.multiplier, hands.unit, hands.first_fault
"""
_NARROWED = {
    "verdict": "verdict = $verdict",
    "code": "hand IN (SELECT hand FROM findings WHERE code = $code)",
    "other": """hand IN (
        SELECT theirs.hand
        FROM seats AS theirs
        JOIN seats AS own USING (hand)
        WHERE theirs.player = $other AND own.player = $player
    )""",
    "side": """hand IN (
        SELECT theirs.hand
        FROM seats AS theirs
        JOIN seats AS own USING (hand)
        WHERE theirs.player = $other AND own.player = $player AND (own.role = theirs.role) = ($side = 'mate')
    )""",
}
"""What a list may be narrowed to besides the filters."""

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
    values: dict[str, Any] = filtered(filters)
    own = {key: word for key, word in narrowed.items() if word and key in _NARROWED}
    if not (own.get("other") and values["player"]):
        own = {key: word for key, word in own.items() if key not in ("other", "side")}
    passing = narrowing.narrowed(values)
    seats = f"hand IN (SELECT hand FROM seats WHERE {passing})" if narrowing.about_seats(values) else passing
    sql = f"FROM hands WHERE {' AND '.join(['counted', seats, *(_NARROWED[key] for key in own)])}"
    asked = {name: (values | own)[name] for name in narrowing.named(sql)}
    count = int(warehouse.query(f"SELECT count(*) AS hands {sql}", asked)["hands"][0])
    page = f"SELECT {_SHOWN} {sql} ORDER BY hands.hand DESC LIMIT $rows OFFSET $first"
    return warehouse.query(page, asked | {"first": first, "rows": rows}), count


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
