"""What a log yields: one entry per hand, or per thing in it that is no hand.

Knows how a source is named and why bytes are no record. Refuses to know any format.
"""

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from ingest.faults import Finding
from ingest.logs.encodings import is_utf8
from ingest.record import Record, Unreadable

HEAD = 1 << 16
"""Bytes of a log from which its format is told."""
DAMAGED = "damaged"
"""What the reason begins with for bytes that cannot be unpacked or read (R112)."""
_PASSED_OVER = 1 << 16
RAW_LIMIT = 1 << 10
"""Bytes that are kept of a thing too long or too strange to be kept whole."""

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ArithmeticError)
"""What decoding raises for bytes that are not JSON or not of the expected shape, a number past reckoning included."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One hand of a log as it was found, with its record or with the reason why it has none."""

    source: str
    """How the file is named in verdicts."""
    line: int
    """From 1; the number of the hand where several stand in one JSON document."""
    raw: bytes
    """The hand as it came, without its newline."""
    record: Record | None
    findings: tuple[Finding, ...] = ()
    format: str = "native"
    """The format that it was read as."""


class Source(msgspec.Struct, frozen=True):
    """One log, unpacked and opened: its name, its beginning and the whole of it as a stream."""

    name: str
    """How it is named in verdicts, archive included: ``a.zip/inner.jsonl.gz``."""
    title: str
    """Its own name without folders, archives and compression, lower case: ``inner.jsonl``; ``-`` for standard input."""
    head: bytes
    """As UTF-8, if it is text: its first bytes, ``HEAD`` of them or all there are.

    A byte order mark is left out, here and in the stream.
    """
    stream: io.BufferedReader
    encoding: str | None = None
    """What it was turned from; None for UTF-8 and for what is no text."""
    part: Callable[[int, int], bytes] | None = None
    """So many bytes from a place of the stream on, fewer at its end, where the log is a file as it stands; its stream
    can go to a place too. Raises ``Damaged``."""


class Damaged(Exception):
    """A stream that breaks off: a damaged archive or an unreadable disk; ``args`` is the reason."""


def refused(code: str, **details: Any) -> Unreadable:
    """What to raise for a hand that cannot be read, with this finding."""
    return Unreadable(Finding(code, details=details))


def unrecognised(source: str, reason: str, *, line: int = 1, raw: bytes = b"") -> Entry:
    """The entry for a file, or the rest of one, that is no log (R112)."""
    return Entry(source, line, raw[:RAW_LIMIT], None, (Finding("R112", details={"reason": reason}),))


def too_long(source: str, line: int, raw: bytes, limit: int) -> Entry:
    """The entry for a line or a document of more than ``limit`` bytes (R101)."""
    return Entry(source, line, raw[:RAW_LIMIT], None, (Finding("R101", details={"reason": f"over {limit} bytes"}),))


def broken_off(source: str, line: int, problem: Damaged) -> Entry:
    """The entry for what is lost of a damaged archive, from this line on (R112)."""
    return unrecognised(source, f"{DAMAGED}: {problem}", line=line)


def tells_of_damage(finding: Finding) -> bool:
    """Whether a finding says that an archive or a file is broken, rather than that it is no log."""
    return finding.code == "R112" and str(finding.details.get("reason", "")).startswith(DAMAGED)


def numbered_lines(stream: io.BufferedReader, limit: int) -> Iterator[tuple[int, bytes]]:
    """Every line with its number from 1 and its newline. May raise ``Damaged``.

    Of a line of more than ``limit`` bytes only ``limit + 1`` are given; its reader must then ``pass_over`` the rest.
    """
    return enumerate(iter(partial(stream.readline, limit + 1), b""), 1)


def pass_over(stream: io.BufferedReader, line: bytes) -> None:
    """Read on to the end of a line of which this much has been read."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(_PASSED_OVER)


def not_json(raw: bytes, reason: str, *, last: bool = False) -> Finding:
    """Why bytes are not JSON: R111, R107 for a ``last`` line that begins as JSON does but has no end, else R101."""
    if last and raw.lstrip()[:1] in (b"{", b"[", b'"') and is_utf8(raw):
        return Finding("R107")
    try:
        raw.decode()
    except UnicodeDecodeError as problem:
        return Finding("R111", details={"reason": str(problem)})
    return Finding("R101", details={"reason": reason})


def is_json(raw: bytes) -> bool:
    """Whether bytes are one whole JSON value."""
    try:
        msgspec.json.decode(raw)
    except NOT_JSON:
        return False
    return True
