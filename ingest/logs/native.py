"""Fupan's own logs: JSON Lines, one record a line (record.md 2).

Knows lines. Refuses to know what a record means; which of its fields are unknown it reports once per file.
"""

from collections.abc import Iterator

import msgspec

from ingest.faults import Finding
from ingest.logs.documents import line_hands
from ingest.logs.entry import NOT_JSON, Entry, Source, is_json, not_json
from ingest.logs.outline import lines_of, outline
from ingest.record import LINE_LIMIT, Unreadable, read_record

MARKS = frozenset((b"id", b"players", b"hands", b"plays"))
"""Fields of which a JSON object that is a Fupan record has at least one."""


def entries(source: Source, limit: int = LINE_LIMIT) -> Iterator[Entry]:
    """Every line that is not blank. ``limit``: bytes of the longest line that is read."""
    reported: set[str] = set()

    def entry(raw: bytes, number: int, last: bool) -> Iterator[Entry]:
        yield entry_of(raw, source.name, number, reported, last=last)

    return line_hands(source, entry, limit)


def entry_of(raw: bytes, source: str, number: int, reported: set[str], *, last: bool) -> Entry:
    """The entry of one line. ``reported``: the unknown fields that its log has had so far.

    ``last``: whether the line has no newline, and may have been cut off.
    """
    try:
        record, unknown = read_record(raw)
    except (Unreadable, *NOT_JSON) as problem:
        return Entry(source, number, raw, None, (_finding(raw, problem, last=last),))
    return Entry(source, number, raw, record, _notes(unknown, reported) if unknown else ())


def recognises(head: bytes, title: str) -> bool:
    """Whether a log holds Fupan records. ``.jsonl`` and ``-`` (standard input) do unless they clearly don't."""
    lines = lines_of(head)
    if any(map(_is_marked, lines)) or title == "-":
        return True
    return title.endswith(".jsonl") and b"\0" not in head and not any(map(_is_object, lines))


def _is_marked(line: bytes) -> bool:
    told = outline(line)
    return told.opening == b"{" and bool(told.keys & MARKS)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except NOT_JSON:
        return False


def _notes(unknown: tuple[str, ...], reported: set[str]) -> tuple[Finding, ...]:
    """R106 for each field that this file has not had before."""
    fresh = [field for field in unknown if field not in reported]
    reported.update(fresh)
    return tuple(Finding("R106", details={"field": field}) for field in fresh)


def _finding(raw: bytes, problem: Exception, *, last: bool) -> Finding:
    """Why a line is no record; a last line without newline is cut off rather than wrong."""
    if last and raw.lstrip()[:1] == b"{" and not is_json(raw):
        return not_json(raw, str(problem), last=True)
    return problem.finding if isinstance(problem, Unreadable) else not_json(raw, str(problem))
