"""Fupan's own logs: JSON Lines, one record a line (record.md 2).

Knows lines. Refuses to know what a record means; which of its fields are unknown it reports once per file.
"""

from collections.abc import Iterator

from ingest.faults import Finding
from ingest.logs.entry import (
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
from ingest.record import LINE_LIMIT, Unreadable, read_record


def entries(source: Source, limit: int = LINE_LIMIT) -> Iterator[Entry]:
    """Every line that is not blank. ``limit``: bytes of the longest line that is read."""
    name, number = source.name, 0
    reported: set[str] = set()
    try:
        for number, line in numbered_lines(source.stream, limit):
            if line.isspace():
                continue
            if len(line) > limit:
                pass_over(source.stream, line)
                yield too_long(name, number, line, limit)
                continue
            raw = line.rstrip(b"\r\n")
            try:
                record, unknown = read_record(raw)
            except (Unreadable, *NOT_JSON) as problem:
                yield Entry(name, number, raw, None, (_finding(raw, problem, last=raw is line),))
            else:
                yield Entry(name, number, raw, record, _notes(unknown, reported) if unknown else ())
    except Damaged as problem:
        yield broken_off(name, number + 1, problem)


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
