"""What players did day by day in every measure, kept with a large store, so that any span of days is soon added up.

Knows when cells are worth keeping and when they hold an answer. Refuses to know what is measured, and to be needed:
without cells the store is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis import abreast, keeping, measures
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


Part = Mapping[str, str]
"""A role and a position, or one of them, in place of those that are asked for."""
WHOLE: Part = {}


def answers(
    warehouse: Warehouse, statistics: Sequence[Statistic], values: Mapping[str, Any], parts: Sequence[Part] = (WHOLE,)
) -> list[dict[str, pd.DataFrame]]:
    """For each part, the answers of those measures of which cells are kept that hold them, by name."""
    served = [each for each in statistics if each.tally is not None and each.tally.serves(values)]
    if not served or not keeping.is_large(warehouse):
        return [{} for _ in parts]
    key, cells = keeping.key_of(warehouse), dict[str, dict[str, pa.Table]]()
    for each in served:
        kept = keeping.found(warehouse, _name(each), key)
        if kept is not None and each.tally is not None:
            cells.setdefault(each.tally.kind, {})[each.name] = kept
    found = abreast.each(lambda of_kind: _added_up(warehouse, *of_kind, values, parts), cells.items())
    return [{name: frame for each in found for name, frame in each[place].items()} for place in range(len(parts))]


def _added_up(
    warehouse: Warehouse, kind: str, cells: Mapping[str, pa.Table], values: Mapping[str, Any], parts: Sequence[Part]
) -> list[dict[str, pd.DataFrame]]:
    """The answers of measures of one kind, all from one question: a short one costs more to ask than to work out."""
    named = {f"{place} {name}": (table, part) for place, part in enumerate(parts) for name, table in cells.items()}
    whole = pa.concat_tables([_of(name, table, {**values, **part}) for name, (table, part) in named.items()])
    sql = measures.added_up(kind, {**values, **dict.fromkeys(_OF_PARTS)})
    told = _apart(warehouse.query(sql, values, beside={"tally": whole}, rows=ROWS * len(named)))
    return [{name: first_rows(told(f"{place} {name}")) for name in cells} for place in range(len(parts))]


def together(
    warehouse: Warehouse, statistics: Sequence[Statistic], values: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """The answers of measures of one kind by name, from one question to the store."""
    sql = measures.together({each.name: each.tally for each in statistics if each.tally is not None}, values)
    told = _apart(warehouse.query(sql, values, rows=ROWS * len(statistics)))
    return {each.name: first_rows(told(each.name)) for each in statistics}


_OF_PARTS = ("role", "position")


def _of(name: str, cells: pa.Table, values: Mapping[str, Any]) -> pa.Table:
    """The cells of a part, with what they are of."""
    for key in _OF_PARTS:
        if values.get(key) is not None:
            cells = cells.filter(pc.equal(cells[key], values[key]))
    zeros = pa.repeat(pa.scalar(0, pa.int8()), len(cells))
    return cells.append_column("measure", pa.DictionaryArray.from_arrays(zeros, [name]))


def _apart(frame: pd.DataFrame) -> Callable[[str], pd.DataFrame]:
    """The rows of each measure by its name, of which those of one stand together."""
    names = frame.pop("measure").to_numpy(object)
    edges = [0, *(np.flatnonzero(names[1:] != names[:-1]) + 1), len(names)]
    spans = {names[first]: slice(first, end) for first, end in pairwise(edges) if first < end}
    return lambda name: frame.iloc[spans.get(name, slice(0))].reset_index(drop=True)


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
