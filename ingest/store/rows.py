"""Entries among their neighbours as rows of the tables: which hands count, what was found, what came in.

Knows what becomes of a sketch once its verdicts are final. Refuses to know files.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ingest.batch import Audited
from ingest.faults import CATALOGUE, Finding, severity
from ingest.logs import Entry
from ingest.record import write_record
from ingest.store.columns import Row, from_rows
from ingest.store.digests import line_digest
from ingest.store.schema import FINDINGS, HANDS, OF_HANDS, RAW, TABLES
from ingest.store.sketches import Part, counts
from ingest.verdict import Verdict

NATIVE, AGAIN = "native", "R108"
_BEFORE_VERDICT = HANDS.place("verdict") - HANDS.place("rules") - 1
_AFTER_VERDICT = HANDS.place("faults") - HANDS.place("counted") - 1


def complete(entries: Sequence[Audited | None], sketch: Part, first: int) -> Part:
    """All rows of entries of which ``sketch`` has the hands. Hands are numbered from ``first``; None leaves no trace.

    The same hand again is listed among the findings only (R108).
    """
    lines: list[Row] = []
    findings: list[Row] = []
    raw: list[Row] = []
    numbers: list[int | None] = [None] * len(entries)
    for place, audited in enumerate(entries):
        if audited is None:
            continue
        entry, verdict = audited.entry, audited.verdict
        where = (first + len(raw), entry.source, entry.line)
        again = [finding for finding in verdict.findings if finding.code == AGAIN]
        if again:
            key = line_digest(entry.source, entry.line, entry.raw)
            findings += finding_rows((None, *where[1:]), again, key)
            continue
        raw.append((*where, entry.raw, entry.format, _record(entry), None))
        findings += finding_rows(where, verdict.findings)
        if audited.counted:
            numbers[place] = where[0]
        else:
            lines.append(_line(where, verdict, line_digest(entry.source, entry.line, entry.raw)))
    part = _numbered(sketch, pa.array(numbers, pa.int64()))
    part |= _judged(part, [each.verdict for each in entries if each is not None and each.counted])
    part["hands"] = pa.concat_batches([part["hands"], from_rows(HANDS, lines)])
    return part | {"findings": from_rows(FINDINGS, findings), "raw": from_rows(RAW, raw)}


def is_row(audited: Audited | None) -> bool:
    """Whether an entry has a row of its own in ``hands``."""
    return audited is not None and all(finding.code != AGAIN for finding in audited.verdict.findings)


def _numbered(sketch: Part, numbers: pa.Array) -> Part:
    """The hands that have a number, in place of their place in the sketch."""
    numbered = {}
    for name, batch in sketch.items():
        hand = pc.take(numbers, batch["hand"])
        whole = batch.set_column(0, batch.schema.field("hand"), hand)
        numbered[name] = whole.filter(pc.is_valid(hand)) if hand.null_count else whole
    return numbered


def _judged(part: Part, verdicts: Sequence[Verdict]) -> Part:
    """Hands and their seats with what the hands before say against them."""
    rows = [(verdict.verdict, *counts(verdict.findings)) for verdict in verdicts]
    hands, seats = part["hands"], part["seats"]
    columns = zip(
        ("verdict", "faults", "notes", "first_fault"), zip(*rows, strict=True) if rows else [()] * 4, strict=True
    )
    for name, values in columns:
        hands = _replaced(hands, name, pa.array(values, HANDS.schema.field(name).type))
    places = pc.index_in(seats["hand"], value_set=hands["hand"])
    return {"hands": hands, "seats": _replaced(seats, "verdict", pc.take(hands["verdict"], places))}


def _replaced(batch: pa.RecordBatch, name: str, values: pa.Array) -> pa.RecordBatch:
    place = batch.schema.get_field_index(name)
    return batch.set_column(place, batch.schema.field(place), values)


def refused(hand: Mapping[str, Any], raw: Mapping[str, Any], details: dict[str, Any]) -> Part:
    """A hand's rows where it cannot be kept as one, because its id stands for another hand in the store (R109)."""
    where = (hand["hand"], hand["source"], hand["line"])
    findings = [Finding("R109", details=details)]
    verdict = Verdict(
        source=hand["source"], line=hand["line"], id=hand["id"], rules=hand["rules"], verdict="unreadable",
        findings=findings,
    )  # fmt: skip
    return {
        "hands": from_rows(HANDS, [_line(where, verdict, hand["entry"])]),
        "findings": from_rows(FINDINGS, finding_rows(where, findings)),
        "raw": from_rows(RAW, [(*where, raw["raw"], raw["format"], raw["record"], None)]),
    }


def repeated(hand: Mapping[str, Any], details: dict[str, Any]) -> pa.RecordBatch:
    """The one row of a hand that the store has from another place: a finding (R108)."""
    where = (None, hand["source"], hand["line"])
    return from_rows(FINDINGS, finding_rows(where, [Finding("R108", details=details)], hand["entry"]))


def _record(entry: Entry) -> bytes | None:
    return None if entry.record is None or entry.format == NATIVE else write_record(entry.record)


def joined(parts: Sequence[Part]) -> dict[str, pa.Table]:
    """Pieces of every table but the roll-ups as whole tables, hands in the order of their numbers."""
    tables = {
        name: pa.Table.from_batches([part[name] for part in parts if name in part], TABLES[name].schema)
        for name in OF_HANDS
    }
    numbers = tables["hands"]["hand"]
    in_order = pc.all(pc.less_equal(numbers.slice(0, max(len(numbers) - 1, 0)), numbers.slice(1))).as_py()
    return tables if in_order is not False else tables | {"hands": tables["hands"].sort_by("hand")}


def _line(where: Row, verdict: Verdict, key: bytes) -> Row:
    """The row of a line that is no record: little more than where it stands."""
    return (
        *(*where, verdict.id, verdict.rules, *(None,) * _BEFORE_VERDICT),
        *(verdict.verdict, False, *(None,) * _AFTER_VERDICT),
        *(*counts(verdict.findings), None, key, key, None, None, None),
    )


def finding_rows(where: Row, findings: Iterable[Finding], key: bytes | None = None) -> list[Row]:
    """Findings as rows. ``where``: hand, source, line."""
    return [
        (
            *where,
            finding.code,
            severity(finding),
            CATALOGUE[finding.code].phase,
            finding.index,
            finding.seat,
            msgspec.json.encode(finding.details).decode(),
            key,
        )
        for finding in findings
    ]
