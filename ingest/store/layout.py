"""How a table lies in its file: in which order, in groups of how many rows, on disk before anybody is told of it.

Knows Parquet. Refuses to know which files count.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.store.manifest import StoredFile, file_digest
from ingest.store.schema import TABLES

ROW_GROUP = 122_880
GROUP_OF_PLAYERS = 16_384
"""Rows of a group of a table that lies in the order of players: who asks for one of them reads few groups."""
ORDERS = {
    "seats": (GROUP_OF_PLAYERS, ("player", "day", "hand", "seat")),
    "players": (GROUP_OF_PLAYERS, ("player",)),
    "combinations": (GROUP_OF_PLAYERS, ("player", "day")),
    "mates": (GROUP_OF_PLAYERS, ("player",)),
}
"""The tables that lie in an order of their own; the others as hands are numbered."""
_QUICK = ("packed",)
"""Columns whose bytes are read faster than they would be with zstd, in a third more room."""
_NUMBERS = ("integer", "small", "moment", "day")
"""Kinds of columns that lie as differences: a fifth less work than dictionaries, in no more room. Texts have these."""


def write_table(path: Path, name: str, table: pa.Table) -> StoredFile:
    """Write a whole table."""
    group, order = ORDERS.get(name, (ROW_GROUP, ()))
    ordered = table.sort_by([(column, "ascending") for column in order]) if order else table
    return _write(path, name, ordered.to_batches(), group)


def in_order(path: Path, columns: Sequence[str], size: int, few: Sequence[str] = ()) -> Iterator[pa.Table]:
    """The rows of a table in the order of hands, so many at a time; of these columns those that its file has.

    ``few``: those of these columns that have few different texts, each to be read but once (``pa.dictionary``).
    """
    with pq.ParquetFile(path, read_dictionary=[name for name in few if name in columns]) as file:
        there = [name for name in columns if name in file.schema_arrow.names]
        hands = file.read(columns=["hand"], use_threads=False)["hand"].combine_chunks()
        if pc.all(pc.less(hands[:-1], hands[1:]), min_count=0).as_py():
            # by one thread: what several cost beside is a third of it
            yield from _grouped(file.iter_batches(size, columns=there, use_threads=False), size)
        else:
            yield from _grouped(file.read(columns=there).take(pc.sort_indices(hands)).to_batches(size), size)


def append_tables(path: Path, name: str, files: Iterable[Path]) -> StoredFile:
    """Write the rows of some files one after the other; none but a group is ever held in memory."""
    return _write(path, name, _rows(files), ROW_GROUP)


def _rows(files: Iterable[Path]) -> Iterator[pa.RecordBatch]:
    for file in files:
        with pq.ParquetFile(file) as source:
            yield from source.iter_batches(ROW_GROUP)


def _write(path: Path, name: str, batches: Iterable[pa.RecordBatch], group: int) -> StoredFile:
    rows = 0
    schema = TABLES[name].schema
    with path.open("wb") as file:
        with pq.ParquetWriter(file, schema, **_encodings(name)) as writer:
            for gathered in _grouped(batches, group):
                rows += gathered.num_rows
                writer.write_table(gathered.cast(schema), group)
        file.flush()
        os.fsync(file.fileno())
    return StoredFile(rows, path.stat().st_size, file_digest(path))


def _encodings(name: str) -> dict[str, Any]:
    """How the columns of a table are written."""
    columns = TABLES[name].columns
    return {
        "compression": {column.name: "lz4" if column.name in _QUICK else "zstd" for column in columns},
        "write_statistics": ["hand"] if name == "moves" else True,
        "use_dictionary": [column.name for column in columns if column.kind == "text"],
        "column_encoding": {
            **{column.name: "DELTA_BINARY_PACKED" for column in columns if column.kind in _NUMBERS},
            **{column.name: "DELTA_LENGTH_BYTE_ARRAY" for column in columns if column.name in _QUICK},
        },
    }


def _grouped(batches: Iterable[pa.RecordBatch], group: int) -> Iterator[pa.Table]:
    """Whole groups of so many rows, and what is left."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= group:
            table = pa.Table.from_batches(waiting)
            whole = table.num_rows - table.num_rows % group
            yield table.slice(0, whole)
            waiting = table.slice(whole).to_batches()
    if waiting:
        yield pa.Table.from_batches(waiting)
