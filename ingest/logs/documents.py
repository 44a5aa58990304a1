"""A log cut into its hands: one a line, one a JSON document, an array of them, or a block of lines.

Knows where a hand begins and ends, and what becomes of one that cannot be read. Refuses to know what stands in it:
the module of a format says that with a ``Reading``.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import msgspec

from ingest.faults import Finding
from ingest.logs.entry import (
    HEAD,
    NOT_JSON,
    Damaged,
    Entry,
    Source,
    broken_off,
    is_json,
    not_json,
    numbered_lines,
    pass_over,
    too_long,
)
from ingest.record import LINE_LIMIT, Record, Unreadable

Parts = Callable[[bytes], list[bytes]]
"""The hands in one JSON document, each as it stands. May raise what decoding raises."""
Reading = Callable[[bytes, str], Record]
"""The record of one hand; the text names its place (``title#line``) where the log gives no id.

May raise ``Unreadable``, ``msgspec.ValidationError`` (R103) and what decoding raises.
"""
Test = Callable[[bytes], bool]
T = TypeVar("T")


def json_hands(
    source: Source, reading: Reading, is_hand: Test, parts: Parts = lambda raw: [raw], limit: int = LINE_LIMIT
) -> Iterator[Entry]:
    """Every hand of a log of JSON: a document a line, or the whole file one document.

    ``is_hand``: whether a line holds a hand; it may raise what decoding raises. ``limit``: bytes of the longest line or
    document that is read.
    """
    if _one_per_line(source.head, is_hand):
        document = partial(_of_document, source, reading, parts)
        yield from line_hands(source, document, limit)
        return
    try:
        raw = source.stream.read(limit + 1)
    except Damaged as problem:
        yield broken_off(source.name, 1, problem)
        return
    if len(raw) > limit:
        yield too_long(source.name, 1, raw, limit)
    else:
        yield from _of_document(source, reading, parts, raw.strip(), 1, True)


def line_hands(
    source: Source, made_of: Callable[[bytes, int, bool], Iterable[T]], limit: int = LINE_LIMIT
) -> Iterator[T | Entry]:
    """What ``made_of`` makes of every line that is not blank: its bytes, its number, whether it has no newline.

    An entry for a line that is too long, and for what is lost of a damaged archive.
    """
    number = 0
    try:
        while line := source.stream.readline(limit + 1):
            number += 1
            if len(line) > limit:  # blank as far as it is read, too: nobody knows what stands behind
                pass_over(source.stream, line)
                yield too_long(source.name, number, line, limit)
                continue
            if line.isspace():
                number += _pass_over_blank(source.stream, limit)
                continue
            raw = line.rstrip(b"\r\n")
            yield from made_of(raw, number, raw is line)
    except Damaged as problem:
        yield broken_off(source.name, number + 1, problem)


def _pass_over_blank(stream: io.BufferedReader, limit: int) -> int:
    """Pass over the blank lines that are at hand, none of which is too long; how many. A log may have nothing but
    these, by the million.
    """
    ahead = stream.peek()
    if len(ahead) > limit:
        return 0
    blank = ahead[: len(ahead) - len(ahead.lstrip())]
    end = blank.rfind(b"\n") + 1
    stream.read(end)
    return blank.count(b"\n")


def block_hands(source: Source, reading: Reading, begins: Test, limit: int = LINE_LIMIT) -> Iterator[Entry]:
    """Every hand of a log of text, from a line with which one ``begins`` to the line before the next.

    What stands before the first is no hand and must be blank. ``limit``: bytes of the longest block that is read.
    """
    first = size = number = 0
    lines: list[bytes] = []
    try:
        for number, line in numbered_lines(source.stream, limit):
            if begins(line) or not first:
                yield from _of_block(source, first, lines, size, reading, limit)
                first, lines, size = number, [], 0
            if len(line) > limit:
                pass_over(source.stream, line)
            size += len(line)
            if size <= limit:
                lines.append(line)
    except Damaged as problem:
        yield from _of_block(source, first, lines, size, reading, limit)
        yield broken_off(source.name, number + 1, problem)
        return
    yield from _of_block(source, first, lines, size, reading, limit)


def hand(source: Source, line: int, raw: bytes, reading: Reading, *, last: bool = False) -> Entry:
    """The entry of one hand. ``last``: whether it may have been cut off (R107)."""
    try:
        record = reading(raw, f"{source.title}#{line}")
    except Unreadable as problem:
        return Entry(source.name, line, raw, None, (problem.finding,))
    except msgspec.ValidationError as problem:
        return Entry(source.name, line, raw, None, (_misshapen(str(problem)),))
    except NOT_JSON as problem:
        return Entry(source.name, line, raw, None, (not_json(raw, str(problem), last=last),))
    return Entry(source.name, line, raw, record)


def _one_per_line(head: bytes, is_hand: Test) -> bool:
    """Whether every line is a document, rather than the file; a single one may be damaged."""
    lines = [line for line in head.split(b"\n") if line.strip()]
    if len(lines) < 2 and len(head) >= HEAD:
        return True
    if lines and lines[0].strip() in (b"[", b"{"):
        return False
    return not lines or is_json(lines[0]) or any(_holds(line, is_hand) for line in lines)


def _holds(line: bytes, is_hand: Test) -> bool:
    try:
        return is_hand(line)
    except NOT_JSON:
        return False


def _of_document(
    source: Source, reading: Reading, parts: Parts, raw: bytes, number: int, last: bool
) -> Iterator[Entry]:
    """The hands in one document; those of an array are numbered on from the document's line."""
    try:
        found = parts(raw)
    except NOT_JSON as problem:
        yield Entry(source.name, number, raw, None, (not_json(raw, str(problem), last=last),))
        return
    for line, part in enumerate(found, number):
        yield hand(source, line, part, reading, last=last)


def _of_block(
    source: Source, first: int, lines: list[bytes], size: int, reading: Reading, limit: int
) -> Iterator[Entry]:
    raw = b"".join(lines)
    if size > limit:
        yield too_long(source.name, first, raw, limit)
    elif raw.strip():
        yield hand(source, first, raw.rstrip(b"\r\n"), reading, last=True)


def _misshapen(problem: str) -> Finding:
    what, _, path = problem.partition(" - at `")
    return Finding(
        "R103", details={"field": path.rstrip("`").removeprefix("$").removeprefix(".") or "$", "reason": what}
    )
