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

_BEHIND = {"group": '"group" = $group', "part": "(part > 0) = ($part = 'yes')", "class": "class = $class AND part > 0"}
"""What the seats behind a number may be narrowed to."""


def hands(
    warehouse: Warehouse, filters: Mapping[str, Any], narrowed: Mapping[str, str | None], page: range
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
    sql = f"SELECT hand FROM hands WHERE {' AND '.join(['counted', seats, *(_NARROWED[key] for key in own)])}"
    return _listed(warehouse, sql, values | own, page)


def of_row(
    warehouse: Warehouse, name: str, filters: Mapping[str, Any], told: Mapping[str, str | None], page: range
) -> tuple[pd.DataFrame, int]:
    """One page of the hands that a row of a statistic counts, last ones first, and how many there are in all.

    ``told``: what the row says by those columns that its file names in ``behind``; one that is missing narrows nothing.
    Raises ``KeyError`` for a statistic whose file does not say which hands those are.
    """
    known = statistics().get(name)
    if known is None or known.behind is None:
        raise KeyError(f"no rows with hands: {name}")
    values = filtered(filters)
    conditions = [
        f"({text})" for text in known.behind.conditions if all(told.get(key) for key in narrowing.named(text))
    ]
    passing = narrowing.narrowed(values, *conditions)
    sql = {
        "hands": f"SELECT hand FROM hands WHERE {passing}",
        "seats": f"SELECT DISTINCT hand FROM seats WHERE {passing} AND verdict = 'clean'",
        "every seat": f"SELECT DISTINCT hand FROM seats WHERE {passing}",
    }[known.behind.table]
    return _listed(warehouse, sql, values | dict(told), page)


def _listed(warehouse: Warehouse, found: str, values: Mapping[str, Any], page: range) -> tuple[pd.DataFrame, int]:
    """A page of the hands that SQL finds, and how many these are; what is found is worked out once for both."""
    sql = f"""
WITH found AS MATERIALIZED ({found}),
page AS (SELECT hand FROM found ORDER BY hand DESC LIMIT $rows OFFSET $first)
SELECT {_SHOWN}, (SELECT count(*) FROM found) AS found
FROM page JOIN hands USING (hand)
ORDER BY hands.hand DESC"""
    asked = {name: values[name] for name in narrowing.named(found)}
    shown = warehouse.query(sql, asked | {"first": page.start, "rows": len(page)})
    if shown.empty:
        return shown.drop(columns="found"), int(
            warehouse.query(f"SELECT count(*) AS found FROM ({found})", asked)["found"][0]
        )
    return shown.drop(columns="found"), int(shown["found"][0])


def behind(
    warehouse: Warehouse, name: str, filters: Mapping[str, Any], narrowed: Mapping[str, str | None], page: range
) -> tuple[pd.DataFrame, int]:
    """The seats that a measure counts, one page of them, and how many there are in all.

    ``narrowed``: to one ``group`` of those that ``by`` makes; with ``part`` to seats that count (``yes``) or not
    (``no``); of shares to one ``class``. Raises ``KeyError`` for what is no measure.
    """
    known = statistics().get(name)
    if known is None or known.counted is None:
        raise KeyError(f"no measure: {name}")
    values = filtered(filters) | {key: narrowed.get(key) or None for key in ("by", "group", "part")}
    values["class"] = (
        narrowed.get("class") or None if known.tally is not None and known.tally.kind == "shares" else None
    )
    conditions = [text for key, text in _BEHIND.items() if values[key] is not None]
    counted, where = known.counted(values), f"FROM counted WHERE {' AND '.join(conditions) or 'true'}"
    asked = {each: values[each] for each in narrowing.named(counted + where)}
    count = int(warehouse.query(f"{counted} SELECT count(*) AS hands {where}", asked)["hands"][0])
    sql = f"""{counted},
page AS (SELECT hand, seat, part, whole {where} ORDER BY hand DESC, seat LIMIT $rows OFFSET $first)
SELECT {_SHOWN}, seats.seat, seats.player, seats.role, seats.position, seats.score, part, whole
FROM page JOIN hands USING (hand) JOIN seats USING (hand, seat)
ORDER BY hands.hand DESC, seats.seat"""
    return warehouse.query(sql, asked | {"first": page.start, "rows": len(page)}), count
