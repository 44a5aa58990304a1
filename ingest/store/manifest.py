"""The list of the files that count: ``manifest.json``, read and replaced as a whole.

Knows how a store is told from another folder, and what a whole batch is. Refuses to know what stands in the tables.
"""

import errno
import hashlib
import os
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ingest.store.schema import TABLES, VERSION, ZONE

MANIFEST = "manifest.json"
LOCK = ".lock"
FORMAT = "fupan store"
_NEXT = "manifest.json.next"

Count = Annotated[int, Meta(ge=0)]


class BadStore(Exception):
    """A folder that is no store, or one that cannot be opened; the text says why."""


class StoredFile(Struct, frozen=True):
    """One Parquet file of a batch."""

    rows: Count
    bytes: Count
    blake2b: str


class StoredBatch(Struct, frozen=True):
    """One batch folder; ``files`` by table."""

    folder: str
    files: dict[str, StoredFile]


class Manifest(Struct, frozen=True, kw_only=True):
    """Everything that counts in a store at one moment."""

    format: str = FORMAT
    version: int = VERSION
    zone: str = ZONE
    """The one time zone in which it puts moments on days."""
    sequence: Count = 0
    """Goes up with every change."""
    next_hand: Count = 0
    """The number that the next hand will have."""
    batches: tuple[StoredBatch, ...] = ()

    def paths(self, store: Path, table: str) -> list[Path]:
        """The files of one table, oldest first."""
        return [store / batch.folder / f"{table}.parquet" for batch in self.batches]

    def rows(self, table: str) -> int:
        """How many rows a table has, before roll-ups are merged."""
        return sum(batch.files[table].rows for batch in self.batches)


def read_manifest(store: Path) -> Manifest:
    """What counts now. Raises ``FileNotFoundError`` where no store is, ``BadStore`` where one cannot be opened."""
    try:
        text = (store / MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(errno.ENOENT, "no store is there", str(store)) from None
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BadStore(f"{store / MANIFEST} cannot be read: {problem}") from None
    if manifest.format != FORMAT:
        raise BadStore(f"{store} is not a store of Fupan")
    if manifest.version != VERSION:
        raise BadStore(f"{store} has version {manifest.version}; this Fupan reads version {VERSION}")
    return manifest


def write_manifest(store: Path, manifest: Manifest) -> None:
    """Replace the manifest: a reader sees the one before or this one, whatever happens meanwhile."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    with (store / _NEXT).open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(store / _NEXT, store / MANIFEST)  # noqa: PTH105 - the call whose atomicity all depends on
    keep_folder(store)


def keep_folder(folder: Path) -> None:
    """Have the disk keep what was renamed in a folder. Where the system knows no such thing (Windows), nothing."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_digest(path: Path) -> str:
    """The checksum of a file, as the manifest keeps it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def damage(store: Path) -> list[str]:
    """What does not agree with the manifest: files that are missing or have other bytes, as paths in the store."""
    found = []
    for batch in read_manifest(store).batches:
        for table in TABLES:
            path, kept = store / batch.folder / f"{table}.parquet", batch.files.get(table)
            if kept is None or not path.is_file() or file_digest(path) != kept.blake2b:
                found.append(f"{batch.folder}/{table}.parquet")
    return found
