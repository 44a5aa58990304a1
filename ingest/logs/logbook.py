"""What reading says of files rather than of hands: how far it is, what each log is, what was passed over.

One is given to ``read`` by whoever wants to know; nothing else depends on it.
"""

import stat
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

KEPT = 1_000
"""Logs and passed-over names that are kept; all are counted."""


class LogFile(Struct, frozen=True):
    """One log as it was opened."""

    name: str
    format: str | None = None
    """A name of ``FORMATS`` or of a file of one's own; None where it is not recognised."""
    encoding: str | None = None
    """The encoding that it was turned from; None for UTF-8 and for what is no text."""


class Logbook:
    """Filled while logs are read."""

    def __init__(self) -> None:
        self.size: int | None = None
        """Bytes on disk of all logs, packed as they are; None where they were not measured or come from a pipe."""
        self.read = 0
        """Of these, bytes read so far."""
        self.unpacked = 0
        """Bytes that have come out of archives so far, or are about to."""
        self.files = 0
        self.logs: dict[str, LogFile] = {}
        """The first logs, by name."""
        self.passed_over = 0
        self.passed_over_names: list[str] = []
        """Hidden files, what a Mac adds to archives, links and what is no file."""

    def measure(self, paths: Iterable[str]) -> None:
        """Add up the bytes of what will be read, for those who want to know how long it takes."""
        sizes = [None if path == "-" else _size(Path(path)) for path in paths]
        self.size = None if None in sizes else sum(size or 0 for size in sizes)

    def opened(self, log: LogFile) -> None:
        """A log is about to be read."""
        self.files += 1
        if len(self.logs) < KEPT:
            self.logs[log.name] = log

    def pass_over(self, name: str) -> None:
        """Something was left alone."""
        self.passed_over += 1
        if len(self.passed_over_names) < KEPT:
            self.passed_over_names.append(name)


def _size(path: Path) -> int | None:
    """Bytes of a file or of a folder's files; None for what is neither."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return sum(_size(inner) or 0 for inner in path.iterdir() if not inner.is_symlink() or inner.is_file())
        return path.stat().st_size if stat.S_ISREG(mode) else None
    except OSError:
        return 0
