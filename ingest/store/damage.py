"""Which batches of a store are as they were written, and what is wrong with the others.

Knows sizes, checksums and which rows of one batch speak of another. Refuses to guess what stood in a damaged file.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.store.history import tables_of
from ingest.store.manifest import BadStore, Manifest, StoredBatch, file_digest, read_manifest
from ingest.store.schema import OF_HANDS, TABLES

CHECKED = ".checked"

Trouble = Literal["missing", "size", "bytes", "rows", "depends"]
Look = tuple[int, int, int]
"""Size in bytes, inode, time of change in nanoseconds."""


class Damage(Struct, frozen=True):
    """One file that is not as it was written, or that cannot be used without a damaged one."""

    batch: str
    table: str
    trouble: Trouble
    """``missing``; of another ``size``; other ``bytes``; ``rows`` that contradict others; ``depends`` on a lost one."""

    @property
    def path(self) -> str:
        """The file, from the store's folder."""
        return f"{self.batch}/{self.table}.parquet"


class Checked:
    """What was hashed, and how it looked then: batches never change, so that each is hashed once on a machine.

    Kept beside the batches where that is allowed. Nothing counts on it: without it they are hashed again.
    """

    def __init__(self, store: Path) -> None:
        self.store = store
        self._seen: dict[str, Look] = {}
        with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
            self._seen = msgspec.json.decode((store / CHECKED).read_bytes(), type=dict[str, Look])
        self._new = False

    def vouches(self, file: str, look: Look) -> bool:
        """Whether a file that looks so was hashed before and found as written."""
        return self._seen.get(file) == look

    def add(self, file: str, look: Look) -> None:
        """A file that looks so is as it was written."""
        self._seen[file] = look
        self._new = True

    def keep(self, manifest: Manifest) -> None:
        """Write down what is new, but for what is no longer in the store."""
        if not self._new:
            return
        known = {_file(batch, table) for batch in manifest.batches for table in batch.files}
        self._seen = {file: look for file, look in self._seen.items() if file in known}
        self._new = False
        unfinished = self.store / f"{CHECKED}.{os.getpid()}"
        with suppress(OSError):
            unfinished.write_bytes(msgspec.json.encode(self._seen))
            unfinished.replace(self.store / CHECKED)
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def damage(store: Path) -> list[Damage]:
    """Everything that is not as it was written. Every byte is read, whatever was hashed before."""
    manifest = read_manifest(store)
    found = [each for batch in manifest.batches for each in _of_batch(store, manifest.version, batch, None)]
    left = _without(manifest, found)
    return [*found, *_contradictions(store, left)]


def whole(manifest: Manifest, checked: Checked) -> tuple[Manifest, tuple[Damage, ...]]:
    """The batches that may be read, and what is wrong with the others."""
    version = manifest.version
    found = [each for batch in manifest.batches for each in _of_batch(checked.store, version, batch, checked)]
    checked.keep(manifest)
    left = _without(manifest, found)
    if not found:
        return left, ()
    depending = _depending(checked.store, left)
    return _without(left, depending), (*found, *depending)


def must_be_whole(store: Path, manifest: Manifest) -> None:
    """Raise ``BadStore`` where some of what counts is damaged, with what to do about it."""
    _, found = whole(manifest, Checked(store))
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise BadStore(f"{store} is damaged ({found[0].path}{more}): fupan store repair --store {store}")


def vouch(store: Path, manifest: Manifest, batch: StoredBatch) -> None:
    """A batch was hashed as it was written: no reader needs to do it again."""
    checked = Checked(store)
    for table in batch.files:
        look = _look(store / _file(batch, table))
        if look is not None:
            checked.add(_file(batch, table), look)
    checked.keep(manifest)


def dangling(store: Path, batch: StoredBatch, hands: pa.Array) -> bool:
    """Whether a batch replaced hands that are not among these."""
    if "replaced" not in batch.files or not batch.files["replaced"].rows:
        return False
    gone = _column(store / _file(batch, "replaced"), "hand")
    return not pc.all(pc.is_in(gone, hands), min_count=0).as_py()


def numbers(store: Path, manifest: Manifest) -> pa.Array:
    """The running numbers of all hands in these batches."""
    return _columns(manifest.paths(store, "hands"), "hand")


def _file(batch: StoredBatch, table: str) -> str:
    return f"{batch.folder}/{table}.parquet"


def _without(manifest: Manifest, lost: Iterable[Damage]) -> Manifest:
    folders = {each.batch for each in lost}
    return structs.replace(manifest, batches=tuple(b for b in manifest.batches if b.folder not in folders))


def _of_batch(store: Path, version: int, batch: StoredBatch, checked: Checked | None) -> Iterator[Damage]:
    """What is wrong with the files of a batch. ``checked``: what need not be hashed."""
    of_version = tables_of(version)
    for table in filter(of_version.__contains__, TABLES):
        file, kept = _file(batch, table), batch.files.get(table)
        look = _look(store / file)
        if kept is None or look is None:
            yield Damage(batch.folder, table, "missing")
        elif look[0] != kept.bytes:
            yield Damage(batch.folder, table, "size")
        elif checked is None or not checked.vouches(file, look):
            if _digest(store / file) != kept.blake2b:
                yield Damage(batch.folder, table, "bytes")
            elif checked is not None:
                checked.add(file, look)


def _digest(path: Path) -> str | None:
    """The checksum of a file; None where the disk cannot read it."""
    try:
        return file_digest(path)
    except OSError:
        return None


def _look(path: Path) -> Look | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_ino, found.st_mtime_ns


def _depending(store: Path, manifest: Manifest) -> list[Damage]:
    """Batches that replaced hands of a lost batch: their roll-ups take off what nobody adds any more."""
    left, found = manifest, list[Damage]()
    while True:
        hands = numbers(store, left)
        more = [Damage(b.folder, "replaced", "depends") for b in left.batches if dangling(store, b, hands)]
        if not more:
            return found
        found += more
        left = _without(left, more)


def _contradictions(store: Path, manifest: Manifest) -> Iterator[Damage]:
    """Whole files whose rows contradict one another: a mistake of ours, or a folder put together by hand."""
    seen = pa.array([], pa.int64())
    for batch in manifest.batches:
        mine = _columns([store / _file(batch, "hands")], "hand")
        again = pc.any(pc.is_in(mine, seen)).as_py() or len(pc.unique(mine)) != len(mine)
        if again or (len(mine) and pc.max(mine).as_py() >= manifest.next_hand):
            yield Damage(batch.folder, "hands", "rows")
        for table in filter(batch.files.__contains__, OF_HANDS[1:]):
            of = pc.drop_null(_columns([store / _file(batch, table)], "hand"))
            if not pc.all(pc.is_in(of, mine), min_count=0).as_py():
                yield Damage(batch.folder, table, "rows")
        seen = pa.concat_arrays([seen, mine])


def _columns(paths: Iterable[Path], name: str) -> pa.Array:
    chunks = [chunk for path in paths for chunk in _column(path, name).chunks]
    return pa.concat_arrays(chunks) if chunks else pa.array([], pa.int64())


def _column(path: Path, name: str) -> pa.ChunkedArray:
    with pq.ParquetFile(path) as file:
        return file.read(columns=[name])[name]
