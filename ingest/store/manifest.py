"""The list of the files that count: ``manifest.json``, read and replaced as a whole.

Knows how a store is told from another folder, and what a whole batch is. Refuses to know what stands in the tables.
"""

import errno
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ingest.faults import Language
from ingest.store.history import sentence
from ingest.store.schema import VERSION, ZONE

MANIFEST = "manifest.json"
LOCK = ".lock"
FORMAT = "fupan store"
COPY = "manifest.copy.json"
"""The same once more, for when the manifest itself is damaged."""

BATCH = re.compile(r"batch-[0-9]{6,12}")
"""The folders of batches: a manifest names no others, wherever it came from."""
LARGE = 100_000
"""Hands from which on a store is large: what takes long to answer over all of them is kept beside it."""
SPANS = 200
"""Logs of one batch that the manifest names."""
_NEXT = ".next"

Count = Annotated[int, Meta(ge=0)]


class BadStore(Exception):
    """A folder that is no store, or one that cannot be opened; the text says why."""


class EarlierStore(BadStore):
    """A store of an earlier version, which cannot be written, or lacks what is asked of it."""

    def __init__(self, store: Path, version: int, lacks: Sequence[str] = ()) -> None:
        self._name = "read" if lacks else "write"
        self._values = {"store": store, "version": version, "names": ", ".join(lacks)}
        super().__init__(self.sentence("en"))

    def sentence(self, language: Language) -> str:
        """What is to be done with it first."""
        return sentence(self._name)(language, **self._values)


class StoredFile(Struct, frozen=True):
    """One Parquet file of a batch."""

    rows: Count
    bytes: Count
    blake2b: str


class Span(Struct, frozen=True):
    """Where hands came from: the lines of one log from the first to the last."""

    source: str
    first: int
    last: int
    entries: int
    """Entries between them that were kept."""


class StoredBatch(Struct, frozen=True):
    """One batch folder; ``files`` by table."""

    folder: str
    files: dict[str, StoredFile]
    spans: tuple[Span, ...] = ()
    """What to load again if the folder is lost: the first ``SPANS`` logs that it came from."""
    more_spans: Count = 0
    """How many more there are."""
    merged: tuple[str, ...] = ()
    """The folders of earlier batches whose rows it has."""


class Retired(Struct, frozen=True):
    """A folder that no longer counts, but that a question may still be reading."""

    folder: str
    since: Count
    """Seconds since 1970, for people: a clock may be set, so nothing is decided by it."""
    seen: dict[str, float] = {}
    """When writers met it first, by machine and start: seconds of a clock there that only runs on."""


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
    retired: tuple[Retired, ...] = ()
    repairs: Count = 0
    """How often batches were put aside: what remembers lines as stored must not be believed after that."""
    blake2b: str = ""
    """The checksum of all this, with nothing in its own place."""

    def paths(self, store: Path, table: str) -> list[Path]:
        """The files of one table, oldest first."""
        return [store / batch.folder / f"{table}.parquet" for batch in self.batches if table in batch.files]

    def rows(self, table: str) -> int:
        """How many rows a table has, before roll-ups are merged."""
        return sum(batch.files[table].rows for batch in self.batches if table in batch.files)

    @property
    def is_earlier(self) -> bool:
        """Whether it is of a version that this program reads and does not write."""
        return self.version < VERSION


def read_manifest(store: Path) -> Manifest:
    """What counts now. Raises ``FileNotFoundError`` where no store is, ``BadStore`` where one cannot be opened.

    Where the manifest is damaged its copy counts, which is the same or, after a crash, one change older.
    """
    try:
        return _read(store, MANIFEST)
    except (FileNotFoundError, BadStore):
        if not (store / COPY).is_file():
            raise
        return _read(store, COPY)


def writable(store: Path) -> Manifest:
    """As ``read_manifest``, for who will write. Raises ``EarlierStore`` too."""
    manifest = read_manifest(store)
    if manifest.is_earlier:
        raise EarlierStore(store, manifest.version)
    return manifest


def is_store(folder: Path) -> bool:
    """Whether a folder has a manifest, sound or not."""
    return (folder / MANIFEST).exists() or (folder / COPY).exists()


def manifest_look(store: Path) -> tuple[int, ...]:
    """What changes when the manifest does. Raises ``FileNotFoundError``."""
    found = (store / (MANIFEST if (store / MANIFEST).exists() else COPY)).stat()
    return found.st_mtime_ns, found.st_ino, found.st_size


def manifest_is_damaged(store: Path) -> str | None:
    """What is wrong with the manifest though the store can be opened by its copy."""
    try:
        _read(store, MANIFEST)
    except FileNotFoundError:
        return f"{store / MANIFEST} is missing"
    except BadStore as problem:
        return str(problem)
    return None


def _read(store: Path, name: str) -> Manifest:
    try:
        text = (store / name).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(errno.ENOENT, "no store is there", str(store)) from None
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadStore(f"{store / name} cannot be read: {problem}") from None
    if manifest.format != FORMAT:
        raise BadStore(f"{store} is not a store of Fupan")
    if not 1 <= manifest.version <= VERSION:
        raise BadStore(f"{store} has version {manifest.version}; this Fupan reads versions 1 to {VERSION}")
    strange = [batch.folder for batch in manifest.batches if not BATCH.fullmatch(batch.folder)]
    if strange:
        raise BadStore(f"{store / name} names a folder that no loader makes: {strange[0]}")
    if manifest.blake2b not in ("", _checksum(text)):
        raise BadStore(f"{store / name} is not as it was written: its checksum differs")
    return manifest


def write_manifest(store: Path, manifest: Manifest) -> None:
    """Replace the manifest: a reader sees the one before or this one, whatever happens meanwhile."""
    plain = msgspec.json.encode(msgspec.structs.replace(manifest, blake2b=""))
    sealed = msgspec.structs.replace(manifest, blake2b=_checksum(plain))
    text = msgspec.json.format(msgspec.json.encode(sealed), indent=1) + b"\n"
    for name in (MANIFEST, COPY):
        _replace(store / name, text)
    keep_folder(store)


def _checksum(text: bytes) -> str:
    """The checksum of a manifest as it is written, whatever fields those of its version have."""
    told = msgspec.json.decode(text)
    told["blake2b"] = ""
    for batch in told.get("batches", ()):
        batch["files"] = dict(sorted(batch["files"].items()))
    return hashlib.blake2b(msgspec.json.encode(told), digest_size=16).hexdigest()


def _replace(path: Path, text: bytes) -> None:
    """A file in place of the one before, at once."""
    unfinished = path.with_name(path.name + _NEXT)
    with unfinished.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)  # noqa: PTH105 - the call whose atomicity all depends on


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
