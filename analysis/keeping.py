"""Files that are kept beside a large store until it changes: what was worked out from all its hands.

Knows when such a file still holds: the same batches, byte for byte, and the same code that made it. Refuses to know
what is in it, and to be needed: where nothing can be kept, or what was kept cannot be read, there is none.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from zlib import crc32

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
from msgspec import Struct

import ingest.store
from analysis.narrowing import named
from analysis.warehouse import TooSlow, Warehouse
from ingest.store import LARGE, Manifest

FOLDER = ".answers"
LEAST = LARGE
"""Hands of a store below which nothing is kept: it is asked as quickly."""


def is_large(warehouse: Warehouse) -> bool:
    """Whether anything is kept with a store."""
    return warehouse.manifest.rows("hands") >= LEAST


def key_of(warehouse: Warehouse) -> str:
    """What tells the hands that count, and the code, from all others."""
    return _key(warehouse.manifest)


def _key(manifest: Manifest) -> str:
    told = [_code(), manifest.zone, str(manifest.rows("hands"))]
    told += [file.blake2b for batch in manifest.batches for file in batch.files.values()]
    return hashlib.blake2b("\n".join(told).encode(), digest_size=16).hexdigest()


@cache
def _code() -> str:
    """A digest of what files are made by."""
    folders = (Path(__file__).parent, Path(ingest.store.__file__).parent)
    files = sorted(file for folder in folders for kind in ("py", "sql", "toml") for file in folder.rglob(f"*.{kind}"))
    return hashlib.blake2b(b"\0".join(file.read_bytes() for file in files), digest_size=16).hexdigest()


class Kind(Struct, frozen=True):
    """A kind of file; what it reads raises ``OSError`` or ``ArrowException`` where that is not as it was written."""

    suffix: str
    read: Callable[[Path], pa.Table]
    write: Callable[[pa.Table, Path], None]


def _read_parquet(path: Path) -> pa.Table:
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read()


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, compression="zstd", write_page_checksum=True)


_SUM = 4
"""Bytes of the checksum behind an Arrow file, which has none."""


def _read_arrow(path: Path) -> pa.Table:
    whole = memoryview(path.read_bytes())
    file, told = whole[:-_SUM], whole[-_SUM:]
    if crc32(file) != int.from_bytes(told, "little"):
        raise pa.ArrowInvalid(f"{path.name} is not as it was written")
    return pa.ipc.open_file(pa.py_buffer(file)).read_all()


def _write_arrow(table: pa.Table, path: Path) -> None:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as file:
        file.write_table(table)
    written = sink.getvalue()
    path.write_bytes(b"".join((written, crc32(written).to_bytes(_SUM, "little"))))


SMALL = Kind("parquet", _read_parquet, _write_parquet)
QUICK = Kind("arrow", _read_arrow, _write_arrow)
"""Read in a third of the time, and larger."""


def found(warehouse: Warehouse, name: str, key: str, kind: Kind = SMALL) -> pa.Table | None:
    """What was kept under a name; None where nothing is that holds and can be read."""
    with suppress(OSError, pa.ArrowException):
        path = _path(warehouse, name, key, kind)
        seen = path.stat()
        return _MEMORY.read(kind, path, (seen.st_ino, seen.st_mtime_ns, seen.st_size))
    return None


class _Memory:
    """Files that were read lately, as many as fit."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._held: dict[tuple[Path, tuple[int, ...]], tuple[pa.Table, int]] = {}
        """Each with its bytes, the one that was wanted last at the end."""
        self._changing = threading.Lock()

    def read(self, kind: Kind, path: Path, state: tuple[int, ...]) -> pa.Table:
        """A file in the state in which it is; raises as its kind reads."""
        key = path, state
        with self._changing:
            if key in self._held:
                self._held[key] = self._held.pop(key)
                return self._held[key][0]
        table = kind.read(path)
        self._hold(key, table, table.nbytes)
        return table

    def _hold(self, key: tuple[Path, tuple[int, ...]], table: pa.Table, size: int) -> None:
        with self._changing:
            if key not in self._held and size * 4 <= self._most:
                self._held[key] = table, size
                self._size += size
            while self._size > self._most:
                self._size -= self._held.pop(next(iter(self._held)))[1]


_MEMORY = _Memory(128 << 20)


def keep(warehouse: Warehouse, name: str, key: str, table: pa.Table, kind: Kind = SMALL) -> None:
    """Keep a table where that is allowed, and drop what holds no more. What has changed meanwhile is not kept."""
    if key_of(warehouse) != key:
        return
    path = _path(warehouse, name, key, kind)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        kind.write(table, unfinished)
        unfinished.replace(path)
        for old in path.parent.iterdir():
            if key not in old.name:
                old.unlink(missing_ok=True)
    with suppress(OSError):
        unfinished.unlink(missing_ok=True)


def prepare(warehouse: Warehouse, questions: Mapping[str, str]) -> int:
    """Keep the answers to questions about all hands, by the name they are kept under; of how many.

    A parameter that a question names narrows nothing. What takes too long is left to who asks.
    """
    key, done = key_of(warehouse), 0
    for name, sql in questions.items():
        with suppress(TooSlow):
            if found(warehouse, name, key) is None:
                keep(warehouse, name, key, warehouse.arrow(sql, dict.fromkeys(named(sql))))
            done += 1
    return done


def _path(warehouse: Warehouse, name: str, key: str, kind: Kind) -> Path:
    return warehouse.path / FOLDER / f"{name}-{key}.{kind.suffix}"
