"""A memory of what was seen that does not grow with what is read: recent entries in dictionaries, the rest on disk.

Knows keys and values as bytes. Refuses to know what they mean.
"""

import sqlite3
import tempfile
from pathlib import Path

HOT = 1 << 16
"""Entries of one ledger held in memory before they move to the disk."""
_MEMO = "memo"


class Busy(Exception):
    """A file of ledgers that another process has open, or that is none."""


class Ledgers:
    """Ledgers by name, on one disk file. Use as a context manager, or ``close`` them.

    ``file``: kept from one process to the next, as it was at the last ``checkpoint``; without it everything is
    forgotten. Nothing is on disk before it must be.
    """

    def __init__(self, *names: str, file: Path | None = None, hot: int = HOT) -> None:
        """Raises ``Busy``."""
        self._file = file
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._disk: sqlite3.Connection | None = None
        self._ledgers = {name: Ledger(self, name, hot) for name in names}
        if file is not None and file.exists():
            self._disk = _open(file, self._tables, keeps=True)

    def __getitem__(self, name: str) -> "Ledger":
        return self._ledgers[name]

    @property
    def memo(self) -> bytes | None:
        """What the last checkpoint was told to keep."""
        return None if self._disk is None else _value(self._disk, _MEMO, b"")

    def disk(self) -> sqlite3.Connection:
        """The file, made when it is first needed."""
        if self._disk is None:
            path = self._file if self._file is not None and _make(self._file) else None
            if path is None:
                self._file = None
                self._folder = tempfile.TemporaryDirectory(prefix="fupan-")
                path = Path(self._folder.name) / "ledgers.sqlite"
            self._disk = _open(path, self._tables, keeps=self._file is not None)
        return self._disk

    @property
    def _tables(self) -> list[str]:
        return [*self._ledgers, _MEMO]

    @property
    def keeps(self) -> bool:
        """Whether there is a file that outlives this process."""
        return self._file is not None

    @property
    def has_disk(self) -> bool:
        """Whether anything is on disk."""
        return self._disk is not None

    def checkpoint(self, memo: bytes) -> None:
        """Write everything down, and ``memo`` with it, at once or not at all."""
        for ledger in self._ledgers.values():
            ledger.spill()
        self.disk().execute(f"INSERT OR REPLACE INTO {_MEMO} VALUES (?, ?)", (b"", memo))
        self.disk().commit()

    def close(self) -> None:
        """Forget everything since the last checkpoint."""
        if self._disk is not None:
            self._disk.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._disk = self._folder = None

    def forget(self) -> None:
        """Close, and remove the file."""
        self.close()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def __enter__(self) -> "Ledgers":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class Ledger:
    """Bytes by bytes, in bounded memory."""

    def __init__(self, ledgers: Ledgers, name: str, hot: int) -> None:
        self._ledgers, self._name, self._limit = ledgers, name, hot
        self._hot: dict[bytes, bytes] = {}

    def get(self, key: bytes) -> bytes | None:
        """The value of a key, or None."""
        value = self._hot.get(key)
        return _value(self._ledgers.disk(), self._name, key) if value is None and self._ledgers.has_disk else value

    def all(self) -> list[tuple[bytes, bytes]]:
        """Every key with its value, in the order of the keys."""
        self.spill()
        disk = self._ledgers.disk() if self._ledgers.has_disk else None
        return [] if disk is None else disk.execute(f"SELECT key, value FROM {self._name} ORDER BY key").fetchall()

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a value, in place of the one before."""
        self._hot[key] = value
        if len(self._hot) >= self._limit:
            self.spill()

    def spill(self) -> None:
        """Move what is in memory to the disk."""
        if self._hot:
            rows = sorted(self._hot.items())
            self._ledgers.disk().executemany(f"INSERT OR REPLACE INTO {self._name} VALUES (?, ?)", rows)
            self._hot.clear()


def _make(path: Path) -> bool:
    """Make a file; False where one has appeared meanwhile, which is another process's."""
    path.parent.mkdir(exist_ok=True)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _value(disk: sqlite3.Connection, table: str, key: bytes) -> bytes | None:
    row = disk.execute(f"SELECT value FROM {table} WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def _open(path: Path, tables: list[str], *, keeps: bool) -> sqlite3.Connection:
    disk = sqlite3.connect(path, timeout=0)
    try:
        disk.execute("PRAGMA locking_mode = EXCLUSIVE")
        disk.execute(f"PRAGMA journal_mode = {'DELETE' if keeps else 'OFF'}")
        disk.execute(f"PRAGMA synchronous = {'NORMAL' if keeps else 'OFF'}")
        disk.execute("PRAGMA cache_size = -16384")
        disk.execute("BEGIN EXCLUSIVE")
        for table in tables:
            disk.execute(f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        disk.commit()
    except sqlite3.DatabaseError as problem:
        disk.close()
        raise Busy(str(problem)) from None
    return disk
