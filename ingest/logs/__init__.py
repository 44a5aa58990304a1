"""Other people's logs in, entries out: the one door to every format and every container.

Knows which format reads which file. Refuses to know rules and tables; what is wrong with a log is a finding, never an
exception.
"""

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from ingest.faults import Finding
from ingest.logs import own
from ingest.logs.encodings import codec
from ingest.logs.entry import Entry, Source, unrecognised
from ingest.logs.formats import FORMATS, Format, Support
from ingest.logs.lines import Lines, blocks, entry_of_line
from ingest.logs.logbook import Logbook, LogFile
from ingest.logs.own import BadMapping, Own, described
from ingest.logs.own.check import Report, checked
from ingest.logs.readers import READERS, detect, told_format
from ingest.logs.sources import opened, opened_file

__all__ = [
    "FORMATS",
    "BadMapping",
    "Entry",
    "Format",
    "Lines",
    "LogFile",
    "Logbook",
    "Support",
    "check_mapping",
    "described",
    "detect",
    "entry_of_line",
    "read",
    "read_blocks",
    "read_file",
]


def read(
    paths: Iterable[str],
    *,
    format: str | Own | None = None,
    encoding: str | None = None,
    stdin: BinaryIO | None = None,
    logbook: Logbook | None = None,
) -> Iterator[Entry]:
    """Every hand of the logs under these paths: files, folders, archives, ``-`` for ``stdin`` (``sys.stdin``).

    Streams, in order, in bounded memory. ``format``: a name of ``FORMATS``, the path of a mapping (``.toml``) or what
    one says, instead of telling it from each file; ``encoding`` likewise. ``logbook`` is told of every file.
    Raises at once ``FileNotFoundError`` for a path that does not exist, ``ValueError`` for an unknown format or
    encoding and ``BadMapping`` for a mapping with mistakes.
    """
    paths, known = list(paths), _format(format)
    _must_be_readable(paths, encoding)
    told = logbook or Logbook()
    return _read(opened(paths, stdin or sys.stdin.buffer, told, encoding), known, told)


def read_file(
    file: IO[bytes], name: str, *, format: str | Own | None = None, logbook: Logbook | None = None
) -> Iterator[Entry]:
    """The entries of a file that is open and has random access, as ``read`` has them of a file of this name.

    No file of this name need be there, nor could be. Raises as ``read`` does for a ``format``, and what ``file`` raises
    other than an ``OSError``.
    """
    told = logbook or Logbook()
    return _read(opened_file(file, name, told), _format(format), told)


def read_blocks(
    paths: Iterable[str],
    *,
    format: str | None = None,
    encoding: str | None = None,
    stdin: BinaryIO | None = None,
    logbook: Logbook | None = None,
) -> Iterator[Lines | Entry]:
    """As ``read``, but Fupan's own logs in UTF-8 come as blocks of lines, which have the same entries."""
    paths, known = list(paths), _format(format)
    _must_be_readable(paths, encoding)
    told = logbook or Logbook()
    return _read_blocks(opened(paths, stdin or sys.stdin.buffer, told, encoding), known, told)


def _format(name: str | Own | None) -> str | Own | None:
    """A format by its name or its mapping; None where none was named. Raises ``ValueError`` and ``BadMapping``."""
    if isinstance(name, Own):
        return name
    if name is not None and own.is_mapping(name):
        return own.load(name)
    if name is not None and name not in FORMATS:
        raise ValueError(f"unknown format: {name}")
    return name


def _must_be_readable(paths: Iterable[str], encoding: str | None = None) -> None:
    """Raise ``ValueError`` for an unknown encoding, ``FileNotFoundError`` for a path that is not there."""
    if encoding is not None:
        codec(encoding)
    for path in paths:
        if path != "-":
            _must_exist(path)


def check_mapping(mapping: str, paths: Iterable[str], *, stdin: BinaryIO | None = None) -> Report:
    """What a mapping makes of the logs under these paths. Raises as ``read`` does."""
    described, paths = own.load(mapping), list(paths)
    _must_be_readable(paths)
    return checked(opened(paths, stdin or sys.stdin.buffer, Logbook()), described)


def _must_exist(path: str) -> None:
    """Raise ``FileNotFoundError`` for what is not there; what is there but may not be seen is for its entry to say."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
    except OSError:
        pass


def _read(logs: Iterator[Source | Entry], format: str | Own | None, logbook: Logbook) -> Iterator[Entry]:
    for log in logs:
        if isinstance(log, Entry):
            logbook.opened(LogFile(log.source))
            yield log
        else:
            yield from _read_log(log, format, logbook)


def _read_blocks(logs: Iterator[Source | Entry], format: str | Own | None, logbook: Logbook) -> Iterator[Lines | Entry]:
    for log in logs:
        if isinstance(log, Source) and log.encoding is None and _is_native(log, format):
            logbook.opened(LogFile(log.name, "native"))
            found = blocks(log)
            yield next(found, None) or unrecognised(log.name, "empty")
            yield from found
        else:
            yield from _read(iter([log]), format, logbook)


def _is_native(source: Source, format: str | Own | None) -> bool:
    return not isinstance(format, Own) and _told(source, format) == "native"


def _told(source: Source, format: str | Own | None) -> str | None:
    """The name of a log's format, None where it is not recognised."""
    return format.name if isinstance(format, Own) else format or told_format(source.head, source.title)


def _read_log(source: Source, format: str | Own | None, logbook: Logbook) -> Iterator[Entry]:
    """The entries of one log; one at least, so that every file is named."""
    told = _told(source, format)
    logbook.opened(LogFile(source.name, told, source.encoding))
    entries = own.entries(source, format) if isinstance(format, Own) else _entries(source, told)
    if told not in (None, "native"):
        entries = (msgspec.structs.replace(entry, format=told) for entry in entries)
    first = next(entries, None) or unrecognised(source.name, "empty")
    yield _with_encoding(first, source.encoding)
    yield from entries


def _with_encoding(entry: Entry, encoding: str | None) -> Entry:
    """A log's first entry, which says that it is not UTF-8 (R113)."""
    if encoding is None:
        return entry
    return msgspec.structs.replace(entry, findings=(*entry.findings, Finding("R113", details={"encoding": encoding})))


def _entries(source: Source, format: str | None) -> Iterator[Entry]:
    if format is None and source.head.strip():
        return iter([unrecognised(source.name, "none of the known formats", raw=source.head)])
    return READERS[format or "native"].entries(source)
