"""Python values as Arrow columns.

Knows the kinds of columns. Refuses to know what they mean.
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ingest.store.schema import KINDS, Table

Row = dict[str, Any]

_LIMITS = {"integer": 1 << 63, "small": 1 << 15, "moment": 1 << 63, "day": 1 << 31}


def from_rows(table: Table, rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows as columns; what a row does not have is null."""
    return from_lists(table, {name: [row.get(name) for row in rows] for name in table.schema.names})


def from_lists(table: Table, lists: dict[str, list[Any]]) -> pa.RecordBatch:
    """Lists of equal length, one a column, as columns."""
    arrays = [_array(lists[column.name], column.kind) for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)


def _array(values: list[Any], kind: str) -> pa.Array:
    """One column; a number beyond what its kind can hold is null."""
    try:
        return pa.array(values, KINDS[kind][0])
    except (OverflowError, pa.ArrowInvalid):
        limit = _LIMITS[kind]
        return pa.array([v if v is not None and -limit <= v < limit else None for v in values], KINDS[kind][0])
