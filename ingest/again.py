"""A store audited again, under the same rules or others: what would be said of its hands now that was not said then.

Knows what of a verdict is compared. The store is not changed. Lines that are no record of ours, such as the damaged
ones of other formats, say the same under any rules and are passed over.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from ingest.bulk import Telling, Way, audit_logs
from ingest.logs import Entry, Lines
from ingest.logs.lines import BLOCK
from ingest.logs.native import entry_of
from ingest.rules.ruleset import builtin_names
from ingest.store import Checked, Manifest, read_manifest, whole
from ingest.store.known import CUT_OFF, replaced
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE

FARTHEST = 1_000
"""Lines between two stored ones of a log that are passed over as if they were blank."""
_TOLD = ("verdict", "outcome", "landlord", "bid", "multiplier", "unit")
REFUSED = "R109"
"""On a hand that could not be kept as one."""


class Told(Struct, frozen=True):
    """What is said of a hand, as far as it is compared."""

    verdict: str
    outcome: str | None = None
    landlord: int | None = None
    bid: int | None = None
    multiplier: int | None = None
    unit: int | None = None
    scores: list[int | None] | None = None
    codes: list[str] = []
    """The codes of its findings, in order of the alphabet."""


class Change(Struct, frozen=True):
    """A hand of which something else is said now."""

    source: str
    line: int
    id: str | None
    before: Told
    after: Told


class Again(Struct, frozen=True):
    """Some hands that were audited again."""

    hands: int
    changes: list[Change]


class UnknownLaw(Exception):
    """The store has hands that were audited under rules of one's own, and none were given; ``args`` names them."""


class _Row(Struct, frozen=True):
    """A stored entry."""

    source: str
    line: int
    id: str | None
    law: str | None
    """The ruleset that it was audited under in place of its own; None for its own, and for what is no hand."""
    text: bytes
    told: Told


def audit_again(store: Path, way: Way, telling: Telling = lambda _: None) -> Iterator[Again]:
    """Audit the records of a store again, in the order in which it has them.

    Without rules each hand is audited under those of the time. Raises ``FileNotFoundError``, ``BadStore``,
    ``UnknownLaw`` and what ``audit_logs`` raises.
    """
    manifest, _ = whole(read_manifest(store), Checked(store))
    laws = [way.rules] if way.rules is not None else _laws(store, manifest)
    for law in laws:
        rows = (row for row in _rows(store, manifest) if way.rules is not None or row.law == law)
        yield from _compared(rows, msgspec.structs.replace(way, rules=law, language="en"), telling)


def _laws(store: Path, manifest: Manifest) -> list[str | None]:
    """The rulesets that hands were audited under in place of their own, after None for their own."""
    found = {row.law for row in _rows(store, manifest)}
    own = sorted(name for name in found if name is not None and name not in builtin_names())
    if own:
        raise UnknownLaw(", ".join(own))
    return [None, *sorted(name for name in found if name is not None)]


def _compared(rows: Iterable[_Row], way: Way, telling: Telling) -> Iterator[Again]:
    """Rows with what is said of them now."""
    asked: list[_Row] = []

    def items() -> Iterator[Lines | Entry]:
        for item, some in _items(rows):
            asked.extend(some)
            yield item

    for verdicts in audit_logs(items(), way, telling):
        told = [msgspec.json.decode(line) for line in verdicts.lines()]
        changes = [
            Change(row.source, row.line, row.id or now["id"], row.told, after)
            for row, now in zip(asked, told, strict=False)
            if (after := _after(now)) != row.told
        ]
        del asked[: len(told)]
        yield Again(len(told), changes)


def _after(now: dict[str, Any]) -> Told:
    codes = sorted(each["code"] for each in now["findings"])
    scores = None if now["scores"] is None else _whole([_small(score) for score in now["scores"]])
    return Told(**{name: _small(now[name]) for name in _TOLD} | {"scores": scores, "codes": codes})


def _small(value: Any) -> Any:
    """A number that has room in the store; null for a larger one, as there."""
    return None if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else value


def _whole(scores: list[int | None] | None) -> list[int | None] | None:
    """Scores of which every one is known."""
    return None if scores is None or None in scores else scores


# What is stored


def _rows(store: Path, manifest: Manifest) -> Iterator[_Row]:
    """The entries of a store that can be audited again, in the order of their numbers."""
    gone = replaced(store, manifest)
    for batch in manifest.batches:
        yield from _of_batch(store, batch, gone)


def _of_batch(store: Path, batch: StoredBatch, gone: frozenset[int]) -> Iterator[_Row]:
    def read(table: str, *columns: str) -> pa.Table:
        return pq.read_table(store / batch.folder / f"{table}.parquet", columns=list(columns))

    codes = _gathered(read("findings", "hand", "code"), "code")
    seats = read("seats", "hand", "seat", "score").sort_by([("hand", "ascending"), ("seat", "ascending")])
    scores = _gathered(seats, "score")
    raw = _lists(read("raw", "hand", "raw", "record", "format"))
    texts = {hand: (line, format == NATIVE) if record is None else (record, True)
             for hand, line, record, format in zip(*raw, strict=True)}  # fmt: skip
    hands = read("hands", "hand", "source", "line", "id", "rules", "counted", *_TOLD).sort_by("hand")
    for hand, source, line, name, rules, is_hand, *told in zip(*_lists(hands), strict=True):
        text, is_ours = texts[hand]
        found = sorted(codes.get(hand, []))
        if hand in gone or not is_ours or REFUSED in found:
            continue
        before = Told(**dict(zip(_TOLD, told, strict=True)) | {"scores": _whole(scores.get(hand)), "codes": found})
        law = rules if is_hand and rules != _named(text) else None
        yield _Row(source, line, name, law, text, before)


class _Named(Struct):
    rules: str | None = None


def _named(text: bytes) -> str | None:
    """The ruleset that a record names."""
    try:
        return msgspec.json.decode(text, type=_Named).rules
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _lists(table: pa.Table) -> list[list[Any]]:
    return [column.to_pylist() for column in table.columns]


def _gathered(table: pa.Table, column: str) -> dict[int, list[Any]]:
    """The values of a column by hand, in their order."""
    found: dict[int, list[Any]] = {}
    for hand, value in zip(*_lists(table.select(["hand", column])), strict=True):
        found.setdefault(hand, []).append(value)
    return found


def _items(rows: Iterable[_Row]) -> Iterator[tuple[Lines | Entry, list[_Row]]]:
    """Rows as a log has them, with the rows of which each item consists."""
    held: list[_Row] = []
    size = 0
    for row in rows:
        if held and not (size < BLOCK and _goes_on(held[-1], row)):
            yield _lines(held), held
            held, size = [], 0
        if b"\n" in row.text or not row.text.strip():
            yield entry_of(row.text, row.source, row.line, set(), last=_is_cut(row)), [row]
        else:
            held.append(row)
            size += len(row.text)
    if held:
        yield _lines(held), held


def _goes_on(before: _Row, row: _Row) -> bool:
    one_line = b"\n" not in row.text and bool(row.text.strip())
    follows = before.source == row.source and before.line < row.line <= before.line + FARTHEST
    return one_line and follows and not _is_cut(before)


def _is_cut(row: _Row) -> bool:
    return CUT_OFF in row.told.codes


def _lines(rows: list[_Row]) -> Lines:
    """Rows of one log as its lines; in place of what lay between them, blank ones."""
    text, line = [], rows[0].line
    for row in rows:
        text.append(b"\n" * (row.line - line))
        text.append(row.text + (b"" if _is_cut(row) else b"\n"))
        line = row.line + 1
    return Lines(rows[0].source, rows[0].line, b"".join(text), set())
