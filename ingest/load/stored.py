"""What a store of an earlier version has of a log, as the entries that it was.

Knows what a record is read from, and what a reader said that cannot be asked again: what is no record stays what it
was said to be, unless it can be read now. Refuses to know rules.
"""

import io
from collections import defaultdict
from collections.abc import Iterator
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
from ingest.record import Record, Unreadable, read_record
from ingest.store.known import CUT_OFF
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE

NEIGHBOURS = frozenset(("A310", "D206", "S605"))
"""What hands before say against one."""
NO_LOG, NOT_UTF8 = "R112", "R113"
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
    told: Told
    raw: bytes
    format: str | None
    """None where the store does not say."""
    record: bytes | None
    findings: tuple[Finding, ...]

    @property
    def codes(self) -> frozenset[str]:
        """What was found."""
        return frozenset(finding.code for finding in self.findings)


def stored(store: Path, batch: StoredBatch) -> Iterator[Stored]:
    """The rows of a batch in the order of their numbers."""
    findings: dict[int | None, list[Finding]] = defaultdict(list)
    for row in _read(store, batch, "findings"):
        findings[row["hand"]].append(
            Finding(row["code"], row["index"], row["seat"], msgspec.json.decode(row["details"]))
        )
    hands = iter(_read(store, batch, "hands"))
    for raw, row in zip(_read(store, batch, "raw"), hands, strict=True):
        told: dict[str, Any] = {name: row.get(name) for name in _OF_HANDS} | {name: raw.get(name) for name in _OF_RAW}
        found = tuple(findings.get(row["hand"], ()))
        yield Stored(**told, told=Told(**{name: row[name] for name in Told.__struct_fields__}), findings=found)


def repetitions(store: Path, batch: StoredBatch) -> pa.Table:
    """The findings of a batch that are about no row of ``hands``."""
    found = pq.read_table(_file(store, batch, "findings"))
    return found.filter(pc.is_null(found["hand"]))


def _read(store: Path, batch: StoredBatch, table: str) -> Iterator[dict[str, Any]]:
    path = _file(store, batch, table)
    there = pq.read_schema(path).names
    wanted = there if table != "hands" else [*_OF_HANDS, *Told.__struct_fields__]
    columns = [name for name in wanted if name in there]
    found = pq.read_table(path, columns=columns)
    for some in (found if table == "findings" else found.sort_by("hand")).to_batches(10_000):
        yield from some.to_pylist()


def _file(store: Path, batch: StoredBatch, table: str) -> Path:
    return store / batch.folder / f"{table}.parquet"


class Reader:
    """Reads stored rows again, one log after another."""

    def __init__(self) -> None:
        self._reported: dict[str, set[str]] = defaultdict(set)
        """The unknown fields that each log has had so far (R106)."""

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
