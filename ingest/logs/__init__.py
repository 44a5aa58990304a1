"""Other people's logs in, entries out: the one door to every format and every container.

Knows which format reads which file. Refuses to know rules and tables; what is wrong with a log is a finding, never an
exception.
"""

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ingest.faults import Finding
from ingest.logs import native, own
from ingest.logs.entry import RAW_LIMIT, Entry, Source, unrecognised
from ingest.logs.formats import FORMATS, Format, Support
from ingest.logs.own import BadMapping, Own
from ingest.logs.own.check import Report, checked
from ingest.logs.readers import READERS, detect, reader_of
from ingest.logs.sources import opened

__all__ = ["FORMATS", "BadMapping", "Entry", "Format", "Support", "check_mapping", "detect", "read"]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read(paths: Iterable[str], *, format: str | None = None, stdin: BinaryIO | None = None) -> Iterator[Entry]:
    """Every hand of the logs under these paths: files, folders, archives, ``-`` for ``stdin`` (``sys.stdin``).

    Streams, in order, in bounded memory. ``format``: a name of ``FORMATS``, or the path of a mapping (``.toml``),
    instead of telling it from each file. Raises at once ``FileNotFoundError`` for a path that does not exist,
    ``ValueError`` for an unknown format and ``BadMapping`` for a mapping with mistakes.
    """
    paths = list(paths)
    described = own.load(format) if format is not None and own.is_mapping(format) else None
    if format is not None and described is None and format not in FORMATS:
        raise ValueError(f"unknown format: {format}")
    for path in paths:
        if path != "-":
            _must_exist(path)
    return _read(paths, described or format, stdin or sys.stdin.buffer)


def check_mapping(mapping: str, paths: Iterable[str], *, stdin: BinaryIO | None = None) -> Report:
    """What a mapping makes of the logs under these paths. Raises as ``read`` does."""
    described, paths = own.load(mapping), list(paths)
    for path in paths:
        if path != "-":
            _must_exist(path)
    return checked(opened(paths, stdin or sys.stdin.buffer), described)


def _must_exist(path: str) -> None:
    """Raise ``FileNotFoundError`` for what is not there; what is there but may not be seen is for its entry to say."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
    except OSError:
        pass


def _read(paths: list[str], format: str | Own | None, stdin: BinaryIO) -> Iterator[Entry]:
    for log in opened(paths, stdin):
        if isinstance(log, Entry):
            yield log
        else:
            yield from _read_log(log, format)


def _read_log(source: Source, format: str | Own | None) -> Iterator[Entry]:
    """The entries of one log; one at least, so that every file is named."""
    entries = _entries(source, format)
    yield next(entries, None) or unrecognised(source.name, "empty")
    yield from entries


def _entries(source: Source, format: str | Own | None) -> Iterator[Entry]:
    if isinstance(format, Own):
        return own.entries(source, format)
    if source.head.startswith(_UTF16):
        return iter([_unread(source, Finding("R111", details={"reason": "UTF-16"}))])
    if not source.head.strip():
        return native.entries(source)
    entries = READERS[format].entries if format else reader_of(source.head, source.title)
    if entries is None:
        return iter([unrecognised(source.name, "none of the known formats", raw=source.head)])
    return entries(source)


def _unread(source: Source, finding: Finding) -> Entry:
    return Entry(source.name, 1, source.head[:RAW_LIMIT], None, (finding,))
