"""A memory of what was seen that does not grow with what is read: recent entries in a dictionary, the rest on disk.

Knows keys and values as bytes. Refuses to know what they mean.
"""

import sqlite3
import tempfile
from pathlib import Path

HOT = 1 << 16
"""Entries held in memory before they move to the disk."""


class Ledger:
    """Bytes by bytes, in bounded memory. Use as a context manager, or ``close`` it."""

    def __init__(self, hot: int = HOT) -> None:
        self._hot: dict[bytes, bytes] = {}
        self._limit = hot
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._disk: sqlite3.Connection | None = None

    def get(self, key: bytes) -> bytes | None:
        """The value of a key, or None."""
        value = self._hot.get(key)
        if value is None and self._disk is not None:
            row = self._disk.execute("SELECT value FROM seen WHERE key = ?", (key,)).fetchone()
            value = row[0] if row else None
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a value, in place of the one before."""
        self._hot[key] = value
        if len(self._hot) >= self._limit:
            self._spill()

    def _spill(self) -> None:
        if self._disk is None:
            self._folder = tempfile.TemporaryDirectory(prefix="fupan-")
            self._disk = _open(Path(self._folder.name) / "seen.sqlite")
        with self._disk:
            self._disk.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", sorted(self._hot.items()))
        self._hot.clear()

    def close(self) -> None:
        """Forget everything and remove the file."""
        if self._disk is not None:
            self._disk.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._hot.clear()
        self._disk = self._folder = None

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


def _open(path: Path) -> sqlite3.Connection:
    disk = sqlite3.connect(path)
    disk.execute("PRAGMA journal_mode = OFF")
    disk.execute("PRAGMA synchronous = OFF")
    disk.execute("PRAGMA cache_size = -16384")
    disk.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
    return disk
