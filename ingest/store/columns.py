"""Python values as Arrow columns.

Knows the kinds of columns. Refuses to know what they mean.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from ingest.store.schema import KINDS, Column, Table

Row = tuple[Any, ...]
"""One value for each column of a table, in its order."""

_LIMITS = {"integer": 1 << 63, "small": 1 << 15, "moment": 1 << 63, "day": 1 << 31}


def from_rows(table: Table, rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows as columns."""
    if not rows:
        return pa.RecordBatch.from_pylist([], table.schema)
    columns = zip(*rows, strict=True)
    return _batch(table, [_array(values, c) for values, c in zip(columns, table.columns, strict=True)])


def from_lists(table: Table, lists: Mapping[str, Sequence[Any] | pa.Array]) -> pa.RecordBatch:
    """Sequences or arrays of equal length by column; a column that is not given is null."""
    nothing = [None] * len(next(iter(lists.values())))
    return _batch(table, [_array(lists.get(column.name, nothing), column) for column in table.columns])


def _batch(table: Table, arrays: list[pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)


def _array(values: Sequence[Any] | pa.Array, column: Column) -> pa.Array:
    """One column; a number beyond what its kind can hold is null."""
    kind = KINDS[column.kind][0]
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values, kind)
    except (OverflowError, pa.ArrowInvalid):
        limit = _LIMITS[column.kind]
        return pa.array([v if v is not None and -limit <= v < limit else None for v in values], kind)
