"""Fupan's own logs: JSON Lines, one record a line (record.md 2).

Knows lines. Refuses to know what a record means; which of its fields are unknown it reports once per file.
"""

from collections.abc import Iterator

from ingest.faults import Finding
from ingest.logs.entry import NOT_JSON, Entry, Source, is_json, not_json, numbered_lines, too_long, unended
from ingest.record import LINE_LIMIT, Unreadable, read_record


def entries(source: Source, limit: int = LINE_LIMIT) -> Iterator[Entry]:
    """Every line that is not blank. ``limit``: bytes of the longest line that is read."""
    reported: set[str] = set()
    for number, line in numbered_lines(source.stream, limit):
        if line.isspace():
            continue
        if len(line) > limit:
            yield too_long(source.name, number, line, limit)
            continue
        raw = unended(line)
        try:
            record, unknown = read_record(raw)
        except (Unreadable, *NOT_JSON) as problem:
            yield Entry(source.name, number, raw, None, (_finding(raw, problem, last=raw is line),))
            continue
        notes = _notes(unknown, reported) if unknown else ()
        yield Entry(source.name, number, raw, record, notes)


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
