"""What players did day by day in every measure, kept with a large store, so that any span of days is soon added up.

Knows when cells are worth keeping and when they hold an answer. Refuses to know what is measured, and to be needed:
without cells the store is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from analysis import abreast, keeping, measures, narrowing
from analysis.declared import Statistic
from analysis.warehouse import ROWS, Warehouse, first_rows

SPARE = 4
"""Seats of clean hands a cell on average, below which none are kept: the store is asked as quickly."""
_SIZE = f"""
SELECT
    (SELECT count(*) FROM seats WHERE verdict = 'clean') AS seats,
    (SELECT count(*) FROM (SELECT DISTINCT {", ".join(measures.CELLS)} FROM seats WHERE verdict = 'clean')) AS cells
"""
_TWICE = """
SELECT 1
FROM seats
WHERE verdict = 'clean'
GROUP BY hand, player
HAVING count(*) > 1
LIMIT 1
"""


def answers(
    warehouse: Warehouse, statistics: Sequence[Statistic], values: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """The answers of those measures of which cells are kept that hold them, by name."""
    served = [each for each in statistics if each.tally is not None and each.tally.serves(values)]
    if not served or not keeping.is_large(warehouse):
        return {}
    key, cells = keeping.key_of(warehouse), dict[str, dict[str, pa.Table]]()
    for each in served:
        kept = keeping.found(warehouse, _name(each), key)
        if kept is not None and each.tally is not None:
            cells.setdefault(each.tally.kind, {})[each.name] = kept
    found = abreast.each(lambda of_kind: _added_up(warehouse, *of_kind, values), cells.items())
    return {name: frame for frames in found for name, frame in frames.items()}


def _added_up(
    warehouse: Warehouse, kind: str, cells: Mapping[str, pa.Table], values: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    sql, whole = measures.added_up(kind, values), pa.concat_tables([_of(name, table) for name, table in cells.items()])
    given = {name: values[name] for name in narrowing.named(sql)}
    frame = warehouse.query(sql, given, beside={"tally": whole}, rows=ROWS * len(cells))
    names = frame.pop("measure")
    return {name: first_rows(frame[names == name].reset_index(drop=True)) for name in cells}


def _of(name: str, cells: pa.Table) -> pa.Table:
    """Cells with what they are of."""
    zeros = pa.repeat(pa.scalar(0, pa.int8()), len(cells))
    return cells.append_column("measure", pa.DictionaryArray.from_arrays(zeros, [name]))


def prepare(warehouse: Warehouse, statistics: Mapping[str, Statistic]) -> int:
    """Keep the cells of all measures of a large store; of how many. What takes too long is left to who asks."""
    if not keeping.is_large(warehouse) or not _are_worth_it(warehouse):
        return 0
    twice = not warehouse.query(_TWICE).empty
    tallies = [(each, each.tally) for each in statistics.values() if each.tally is not None]
    return keeping.prepare(
        warehouse, {_name(each): tally.sql for each, tally in tallies if not (twice and tally.by_hand)}
    )


def _are_worth_it(warehouse: Warehouse) -> bool:
    size = warehouse.query(_SIZE).iloc[0]
    return bool(size["seats"] >= SPARE * size["cells"])


def _name(statistic: Statistic) -> str:
    return f"daily.{statistic.name}"
