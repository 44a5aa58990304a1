"""NumPy arrays as Arrow columns of the store's kinds.

Knows kinds of columns. Refuses to know what they mean.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.layout import ABSENT
from ingest.bulk.texts_kernel import copy_texts
from ingest.store.schema import KINDS, Column, Table

_NUMPY = {"integer": np.int64, "small": np.int16, "real": np.float64, "flag": np.bool_}
Gone = NDArray[np.bool_] | None
"""Where a column is null."""


@cache
def _kinds(columns: tuple[Column, ...]) -> dict[str, str]:
    return {each.name: each.kind for each in columns}


def column(table: Table, name: str, values: Any, gone: Gone = None) -> pa.Array:
    """Numbers or flags as a column of a table, which keeps the array that it is given if it is of its kind."""
    kind = _kinds(table.columns)[name]
    flat: Any = np.ascontiguousarray(values).ravel().astype(_NUMPY[kind], copy=False)
    data = pa.py_buffer(np.packbits(flat, bitorder="little") if kind == "flag" else flat)
    return pa.Array.from_buffers(KINDS[kind][0], len(flat), [_valid(gone), data])


def _valid(gone: Gone) -> pa.Buffer | None:
    """The bits of what is not null; None where nothing is."""
    if gone is None or not gone.any():
        return None
    return pa.py_buffer(np.packbits(~np.ascontiguousarray(gone).ravel(), bitorder="little"))


def numbers(table: Table, name: str, values: Any) -> pa.Array:
    """Numbers, null where they are ``ABSENT``."""
    return column(table, name, values, values == ABSENT)


def seats_or_none(table: Table, name: str, values: Any) -> pa.Array:
    """Numbers, null where they are negative."""
    return column(table, name, values, values < 0)


def listed(table: Table, name: str, values: Sequence[Any]) -> pa.Array:
    """Python values as a column."""
    return pa.array(values, KINDS[_kinds(table.columns)[name]][0])


def texts_at(text: NDArray[np.uint8], spans: Any, kind: str = "text") -> pa.Array:
    """Parts of a text, ``int[n, 2]`` where each begins and ends; null where it begins before the text."""
    starts = spans[..., 0].ravel().astype(np.int64)
    gone = starts < 0
    stops = np.where(gone, starts, spans[..., 1].ravel())
    ends = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(stops - starts, out=ends[1:])
    letters = np.empty(int(ends[-1]), np.uint8)
    copy_texts(text, starts, stops, letters)
    return as_texts(ends, letters, gone, kind)


def as_texts(ends: Any, letters: NDArray[np.uint8], gone: Gone, kind: str = "text") -> pa.Array:
    """A column of texts or bytes, ``ends`` where each begins, one more; null where they are ``gone``."""
    buffers = [_valid(gone), pa.py_buffer(ends.astype(np.int32, copy=False)), pa.py_buffer(letters)]
    return pa.Array.from_buffers(KINDS[kind][0], len(ends) - 1, buffers)


def keys(digests: NDArray[np.uint64]) -> pa.Array:
    """Digests of 16 bytes, ``uint64[n, 2]``."""
    return pa.Array.from_buffers(KINDS["key"][0], len(digests), [None, pa.py_buffer(np.ascontiguousarray(digests))])


def shortened(digests: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Digests of 8 bytes, ``uint64[n, 2]``, as numbers with a sign, their first byte the highest."""
    return np.ascontiguousarray(digests[:, 0]).byteswap().view(np.int64)


def same(value: Any, size: int, kind: str = "text") -> pa.Array:
    """One value in every row."""
    return pa.repeat(pa.scalar(value, KINDS[kind][0]), size)
