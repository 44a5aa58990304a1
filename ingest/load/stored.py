"""What a store of an earlier version has of a log, as the entries that it was.

Knows what a record is read from, and what a reader said that cannot be asked again: what is no record stays what it
was said to be, unless it can be read now. Refuses to know rules.
"""

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.faults import Finding
from ingest.logs import Entry
from ingest.logs.entry import HEAD, RAW_LIMIT, Source
from ingest.logs.native import entry_of
from ingest.logs.readers import READERS, told_format
from ingest.record import Record, Unreadable, read_record, write_record
from ingest.store.known import CUT_OFF, NO_LOG, NOT_UTF8
from ingest.store.layout import in_order
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE
from ingest.store.schema import HANDS, RAW, Table

NEIGHBOURS = frozenset(("A310", "D206", "S605"))
"""What hands before say against one."""
_OF_HANDS = ("hand", "source", "line", "id", "rules", "rules_digest", "counted", "entry", "id_digest")
_OF_RAW = ("raw", "format", "record")


class Told(Struct, frozen=True):
    """What is said of a hand, as far as it is compared."""

    verdict: str
    outcome: str | None = None
    landlord: int | None = None
    multiplier: int | None = None
    unit: int | None = None
    first_fault: str | None = None


class Stored(Struct, frozen=True):
    """One row of ``hands`` of an earlier store, with what it was read from and what was found."""

    hand: int
    source: str
    line: int
    id: str | None
    rules: str | None
    rules_digest: str | None
    counted: bool
    entry: bytes | None
    id_digest: bytes | None
    raw: bytes
    format: str | None
    """None where the store does not say."""
    record: bytes | None
    findings: tuple[Finding, ...]

    @property
    def codes(self) -> frozenset[str]:
        """What was found."""
        return frozenset(finding.code for finding in self.findings)


class Rows(Struct, frozen=True):
    """Some rows of ``hands`` one after another."""

    hands: pa.Table
    """``_OF_HANDS`` and what is told of each; null where the store does not say."""
    raw: pa.Table
    """``_OF_RAW`` of the same rows."""
    findings: Mapping[int, tuple[Finding, ...]]
    """Of those rows that have any, by number."""

    def each(self, begin: int, end: int) -> Iterator[Stored]:
        """The rows from one place to before another, by themselves."""
        hands = self.hands.slice(begin, end - begin).select(_OF_HANDS).to_pylist()
        for hand, raw in zip(hands, self.raw.slice(begin, end - begin).to_pylist(), strict=True):
            yield Stored(**hand, **raw, findings=self.findings.get(hand["hand"], ()))


def stored(store: Path, batch: StoredBatch, size: int) -> Iterator[Rows]:
    """The rows of a batch in the order of their numbers, so many at a time."""
    found = pq.read_table(_file(store, batch, "findings"), columns=["hand", "code", "index", "seat", "details"])
    hands = _pieces(store, batch, HANDS, (*_OF_HANDS, *Told.__struct_fields__), size)
    for some, raw in zip(hands, _pieces(store, batch, RAW, ("hand", *_OF_RAW), size), strict=True):
        yield Rows(some, raw.select(_OF_RAW), _by_hand(found.filter(pc.is_in(found["hand"], some["hand"]))))


def _by_hand(found: pa.Table) -> dict[int, tuple[Finding, ...]]:
    findings: dict[int, list[Finding]] = defaultdict(list)
    for row in found.to_pylist():
        details = msgspec.json.decode(row["details"])
        findings[row["hand"]].append(Finding(row["code"], row["index"], row["seat"], details))
    return {hand: tuple(some) for hand, some in findings.items()}


def repetitions(store: Path, batch: StoredBatch) -> pa.Table:
    """The findings of a batch that are about no row of ``hands``."""
    found = pq.read_table(_file(store, batch, "findings"))
    return found.filter(pc.is_null(found["hand"]))


def _pieces(store: Path, batch: StoredBatch, table: Table, names: Sequence[str], size: int) -> Iterator[pa.Table]:
    """Columns of a table in the order of hands, so many rows at a time."""
    for some in in_order(_file(store, batch, table.name), names, size):
        yield _as_today(some, table, names)


def _as_today(some: pa.Table, table: Table, names: Sequence[str]) -> pa.Table:
    """Columns in the kinds of today; null where they are not there."""
    schema = pa.schema([table.schema.field(name) for name in names])
    there = [some[f.name].cast(f.type) if f.name in some.column_names else pa.nulls(len(some), f.type) for f in schema]
    return pa.Table.from_arrays(there, schema=schema)


def _file(store: Path, batch: StoredBatch, table: str) -> Path:
    return store / batch.folder / f"{table}.parquet"


class Reader:
    """Reads stored rows again, one log after another."""

    def __init__(self) -> None:
        self._reported: dict[str, set[str]] = defaultdict(set)

    def reported(self, source: str) -> set[str]:
        """The unknown fields that a log has had so far (R106)."""
        return self._reported[source]

    def line(self, raw: bytes, format: str | None, record: bytes | None) -> bytes | None:
        """A row as a line of a log of our own; None where it must be read by itself."""
        if record is not None:
            again = _record(record)
            return None if again is None else write_record(again)
        is_line = b"\n" not in raw and bool(raw) and not raw.isspace()
        is_whole = format == NATIVE and len(raw) != RAW_LIMIT
        return raw if is_line and (is_whole or (format in (None, NATIVE) and _record(raw) is not None)) else None

    def entry(self, row: Stored) -> Entry:
        """The entry that a row was."""
        told = tuple(finding for finding in row.findings if finding.code == NOT_UTF8)
        record = None if row.record is None else _record(row.record)
        if record is not None:
            return Entry(row.source, row.line, row.raw, record, told, row.format or _format(row) or NATIVE)
        again = self._again(row)
        if again.record is not None or not _stays(row):
            return structs.replace(again, findings=(*again.findings, *told))
        return Entry(row.source, row.line, row.raw, None, row.findings, row.format or NATIVE)

    def _again(self, row: Stored) -> Entry:
        """What the bytes of a row are today, by themselves."""
        format = row.format or NATIVE
        if format == NATIVE:
            last = CUT_OFF in row.codes
            entry = entry_of(row.raw, row.source, row.line, self._reported[row.source], last=last)
            format = NATIVE if row.format is not None or entry.record is not None else _format(row) or NATIVE
            if format == NATIVE:
                return entry
        return _foreign(row, format)


def _stays(row: Stored) -> bool:
    """Whether a row that is no record is said to be what it was: only a part of it is there, or its log is gone."""
    foreign = row.format not in (None, NATIVE)
    return foreign or NO_LOG in row.codes or not row.raw or len(row.raw) == RAW_LIMIT


def _record(text: bytes) -> Record | None:
    try:
        return read_record(text)[0]
    except (Unreadable, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _format(row: Stored) -> str | None:
    """What the log of a row seems to be, where the store does not say."""
    return told_format(row.raw[:HEAD], _title(row))


def _foreign(row: Stored, format: str) -> Entry:
    """A row of another program's log, read again by itself; without a record where that cannot be."""
    text = b"\n" * (row.line - 1) + row.raw  # so that it stands on its line, where hands are told by lines
    stream: io.BufferedReader = io.BufferedReader(cast(Any, io.BytesIO(text)))
    found = list(READERS[format].entries(Source(row.source, _title(row), text[:HEAD], stream)))
    record = found[0].record if len(found) == 1 else None
    if record is None:
        return Entry(row.source, row.line, row.raw, None, row.findings, format)
    named = record.id.removesuffix(f"#{found[0].line}")
    name = row.id or (record.id if named == record.id else f"{named}#{row.line}")
    return Entry(row.source, row.line, row.raw, structs.replace(record, id=name), found[0].findings, format)


def _title(row: Stored) -> str:
    return Path(row.source).name.lower()
