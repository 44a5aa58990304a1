"""Parquet as rows. The only module of the formats that knows pyarrow, which it asks for only when it is needed.

Knows files with random access: one that has none is copied to a temporary file first.
"""

import math
import tempfile
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import IO, Any

from ingest.logs.entry import Damaged, Entry, Source, broken_off, unrecognised
from ingest.logs.own.found import Row
from ingest.logs.own.json import unfold
from ingest.logs.own.keys import Mapping
from ingest.logs.own.table import lacking
from ingest.logs.own.troubles import Trouble

AT_ONCE = 1024
"""Rows that are held at once."""
PIECE = 1 << 20
IN_MEMORY = 1 << 24
LARGEST = 1 << 34
"""Bytes of the largest file that is copied."""


def rows(source: Source, keys: Mapping) -> Iterator[Row | Entry]:
    """Every row of a file; an entry for what is lost of it."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        try:
            _copy(source, file)
        except (Damaged, OSError) as problem:
            yield broken_off(source.name, 1, Damaged(str(problem)))
            return
        yield from _rows(source.name, file, keys)


def _copy(source: Source, file: IO[bytes]) -> None:
    while piece := source.stream.read(PIECE):
        file.write(piece)
        if file.tell() > LARGEST:
            raise OSError(f"over {LARGEST} bytes")
    file.seek(0)


def _rows(name: str, file: IO[bytes], keys: Mapping) -> Iterator[Row | Entry]:
    import pyarrow as pa
    from pyarrow import parquet

    number = 0
    try:
        with parquet.ParquetFile(file) as table:
            entry = lacking(name, table.schema_arrow.names, keys, 1)
            if entry is not None:
                yield entry
                return
            for batch in table.iter_batches(batch_size=AT_ONCE):
                for value in _in_microseconds(batch).to_pylist():
                    number += 1
                    yield _row(number, value, keys)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        yield unrecognised(name, f"no Parquet: {reason}", line=number + 1)


def _in_microseconds(batch: Any) -> Any:
    """Times in what Python can tell: it knows no nanoseconds."""
    import pyarrow as pa

    for place, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            column = batch.column(place).cast(pa.timestamp("us", field.type.tz), safe=False)
            batch = batch.set_column(place, field.name, column)
    return batch


def _row(number: int, value: dict[str, Any], keys: Mapping) -> Row:
    troubles: list[Trouble] = []
    plain = {name: _plain(each, name, troubles) for name, each in value.items()}
    if keys.source.json:
        troubles += unfold(plain, keys.source.json)
    return Row(number, plain, b"", tuple(troubles))


def _plain(value: Any, name: str, troubles: list[Trouble]) -> Any:
    """A value as JSON would have it: pairs of a map as an object, bytes as text, what is no number as nothing."""
    if isinstance(value, float):
        return Decimal(repr(value)) if math.isfinite(value) else None
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) for item in value):
            return {str(key): _plain(item, name, troubles) for key, item in value}
        return [_plain(item, name, troubles) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item, name, troubles) for key, item in value.items()}
    if isinstance(value, bytes):
        return _text(value, name, troubles)
    return value.isoformat() if type(value) is date else value


def _text(value: bytes, name: str, troubles: list[Trouble]) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as problem:
        troubles.append(Trouble("text", "R111", field=name, reason=f"{name}: {problem}"))
        return value.decode("utf-8", "replace")
