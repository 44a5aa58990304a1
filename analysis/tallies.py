"""What players did day by day in every measure, kept with a large store, so that any span of days is soon added up.

Knows when cells are worth keeping and when they hold an answer. Refuses to know what is measured, and to be needed:
without cells the store is asked.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pandas as pd

from analysis import keeping, narrowing
from analysis.declared import Statistic
from analysis.measures import TALLIED
from analysis.warehouse import TooSlow, Warehouse

SPARE = 4
"""Seats of clean hands a cell on average, below which none are kept: the store is asked as quickly."""
_SIZE = f"""
SELECT
    (SELECT count(*) FROM seats WHERE verdict = 'clean') AS seats,
    (SELECT count(*) FROM (SELECT DISTINCT {", ".join(TALLIED)} FROM seats WHERE verdict = 'clean')) AS cells
"""
_TWICE = """
SELECT 1
FROM seats
WHERE verdict = 'clean'
GROUP BY hand, player
HAVING count(*) > 1
LIMIT 1
"""


def answer(warehouse: Warehouse, statistic: Statistic, values: Mapping[str, Any]) -> pd.DataFrame | None:
    """The answer of a measure from its cells; None where none are kept that hold it."""
    tally = statistic.tally
    if tally is None or not tally.serves(values) or not keeping.is_large(warehouse):
        return None
    cells = keeping.found(warehouse, _name(statistic), keeping.key_of(warehouse))
    if cells is None:
        return None
    sql = tally.question(values)
    return warehouse.query(sql, {name: values[name] for name in narrowing.named(sql)}, beside={"tally": cells})


def prepare(warehouse: Warehouse, statistics: Mapping[str, Statistic]) -> int:
    """Keep the cells of all measures of a large store; of how many. What takes too long is left to who asks."""
    if not keeping.is_large(warehouse) or not _are_worth_it(warehouse):
        return 0
    twice = not warehouse.query(_TWICE).empty
    done = 0
    for statistic in statistics.values():
        if statistic.tally is not None and not (twice and statistic.tally.by_hand):
            with suppress(TooSlow):
                _work_out(warehouse, _name(statistic), statistic.tally.sql)
                done += 1
    return done


def _are_worth_it(warehouse: Warehouse) -> bool:
    size = warehouse.query(_SIZE).iloc[0]
    return bool(size["seats"] >= SPARE * size["cells"])


def _work_out(warehouse: Warehouse, name: str, sql: str) -> None:
    """Work cells out, where they are not kept yet."""
    key = keeping.key_of(warehouse)
    if keeping.found(warehouse, name, key) is None:
        keeping.keep(warehouse, name, key, warehouse.arrow(sql))


def _name(statistic: Statistic) -> str:
    return f"daily.{statistic.name}"
