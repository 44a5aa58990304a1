"""Where a load stopped: what it must remember to go on as if it had not, kept beside the store while it runs.

Knows which files a load was given and how they looked. Refuses to know what is in them. Nothing here counts: without
it a load begins again and finds its hands in the store.
"""

import hashlib
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ingest.ledger import Busy, Ledgers
from ingest.memory import ARRAYS, IN_ARRAYS, InLedgers
from ingest.rules.ruleset import digest, load_any
from ingest.store import VERSION, read_manifest

FOLDER = ".loads"
SEEN = "seen"
"""The ledger of entries that are no hands."""

_LEDGERS = (*InLedgers.LEDGERS, *IN_ARRAYS, SEEN)

R = TypeVar("R")


class _Memo(Struct, frozen=True):
    """What a checkpoint says."""

    taken: int
    """Entries read, each time that one was read."""
    batch: str
    """The last folder that was published: without it in the store the rest means nothing."""
    report: msgspec.Raw
    repairs: int = 0
    """Of the store, when it was written: what was put aside since must be read again."""


class Journal:
    """The memory of one load. Use as a context manager: leaving it early keeps what the last checkpoint said."""

    def __init__(self, store: Path, paths: Iterable[str] = (), options: Iterable[object] = ()) -> None:
        """``paths`` and ``options`` say which load it is; without paths nothing is kept."""
        self._store = store
        self.saving: Callable[[], None] | None = None
        """Is asked, before a checkpoint, to put into the ledgers what is not there yet."""
        self.ledgers = _ledgers(_file(store, list(paths), list(options)))
        memo = self.ledgers.memo
        self._memo = None if memo is None else msgspec.json.decode(memo, type=_Memo)
        if self._memo is not None and not self._is_of_this_store(self._memo):
            self.begin_again()

    def begin_again(self) -> None:
        """Forget whatever was kept."""
        self.ledgers.forget()
        self.ledgers, self._memo = _ledgers(None), None

    @property
    def is_in_arrays(self) -> bool:
        """Whether what was kept is a memory in arrays."""
        return self.ledgers[ARRAYS].get(b"memo") is not None

    def _is_of_this_store(self, memo: _Memo) -> bool:
        manifest = read_manifest(self._store)
        folders = (folder for batch in manifest.batches for folder in (batch.folder, *batch.merged))
        return manifest.repairs == memo.repairs and memo.batch in folders

    @property
    def taken(self) -> int:
        """Entries that were read and kept before."""
        return 0 if self._memo is None else self._memo.taken

    def report(self, kind: type[R]) -> R | None:
        """What had become of them."""
        return None if self._memo is None else msgspec.json.decode(self._memo.report, type=kind)

    def checkpoint(self, taken: int, report: Any) -> None:
        """So many entries are read, and what counts of them is in the store."""
        manifest = read_manifest(self._store)
        if self.ledgers.keeps and manifest.batches:
            told = msgspec.Raw(msgspec.json.encode(report))
            memo = _Memo(taken, manifest.batches[-1].folder, told, manifest.repairs)
            if self.saving is not None:
                self.saving()
            self.ledgers.checkpoint(msgspec.json.encode(memo))

    def done(self) -> None:
        """The load is complete."""
        self.ledgers.forget()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *problem: object) -> None:
        self.ledgers.close()


def _ledgers(file: Path | None) -> Ledgers:
    """The ledgers of a load; what another process is at, or what is damaged, is left alone."""
    try:
        return Ledgers(*_LEDGERS, file=file)
    except Busy:
        return Ledgers(*_LEDGERS)


def _file(store: Path, paths: list[str], options: list[object]) -> Path | None:
    """The file of a load, by what it was given; None where that cannot be told again, as of standard input."""
    files = None if not paths or "-" in paths else [found for path in paths for found in _looks(Path(path))]
    if not files:
        return None
    rules = options[0] if options else None
    law = digest(load_any(str(rules))) if rules is not None else None
    told = msgspec.json.encode((VERSION, paths, [str(option) for option in options], law, files))
    return store / FOLDER / f"{hashlib.blake2b(told, digest_size=16).hexdigest()}.sqlite"


def _looks(path: Path) -> Iterator[tuple[str, int, int]]:
    """Name, size and time of change of each file under a path."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            for inner in sorted(path.iterdir()):
                yield from () if inner.is_symlink() and inner.is_dir() else _looks(inner)
        else:
            yield str(path), found.st_size, found.st_mtime_ns
    except OSError:
        yield str(path), -1, -1
