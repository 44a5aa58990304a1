"""A store audited again, under the same rules or others: what would be said of its hands now that was not said then.

Knows what of a verdict is compared. The store is not changed. Lines that are no record of ours, such as the damaged
ones of other formats, say the same under any rules and are passed over.

What is audited are the lines as they came: the columns of a store lack the marker, who spoke first, what was taken,
declared readings, claimed winners and how cards were spelt, and all of these may make a hand faulty.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct

from ingest.bulk import Telling, Way, audit_logs
from ingest.bulk.reported import SHORTLY, Told, Verdicts, told_of
from ingest.logs import Entry, Lines
from ingest.logs.lines import BLOCK
from ingest.logs.native import entry_of
from ingest.rules.ruleset import UnknownLaw, builtin_names
from ingest.store import Checked, EarlierStore, Manifest, lack, read_manifest, whole
from ingest.store.known import CUT_OFF, REFUSED, replaced
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE
from ingest.verdict import Verdict

FARTHEST = 1_000
"""Lines between two stored ones of a log that are passed over as if they were blank."""


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


class _Row(Struct, frozen=True, gc=False):
    """A stored entry."""

    source: str
    line: int
    id: str | None
    rules: str | None
    """The ruleset that it was audited under; None for what is no hand."""
    text: bytes
    told: Told


def audit_again(store: Path, way: Way, telling: Telling = lambda _: None) -> Iterator[Again]:
    """Audit the records of a store again, in the order in which it has them.

    Without rules each hand is audited under those of the time. Raises ``FileNotFoundError``, ``BadStore``,
    ``UnknownLaw`` and what ``audit_logs`` raises.
    """
    manifest, _ = whole(read_manifest(store), Checked(store))
    lacks = sorted(lack(store, manifest).columns.get("raw", ()))
    if lacks:
        raise EarlierStore(store, manifest.version, [f"raw.{name}" for name in lacks])
    laws = [way.rules] if way.rules is not None else _laws(store, manifest)
    for law in laws:
        rows = _rows(store, manifest)
        if way.rules is None and len(laws) > 1:
            rows = (row for row in rows if _law(row.rules, row.text) == law)
        yield from _compared(rows, msgspec.structs.replace(way, rules=law, shortly=True), telling)


def _laws(store: Path, manifest: Manifest) -> list[str | None]:
    """The rulesets that hands were audited under in place of their own, after None for their own."""
    gone = replaced(store, manifest)
    found = {law for batch in manifest.batches for law in _laws_of_batch(store, batch, gone)}
    own = sorted(name for name in found if name is not None and name not in builtin_names())
    if own:
        raise UnknownLaw(", ".join(own))
    return [None, *sorted(name for name in found if name is not None)]


def _laws_of_batch(store: Path, batch: StoredBatch, gone: frozenset[int]) -> Iterator[str | None]:
    hands, raw = _in_order(_read(store, batch, "hands", "rules", "counted")), _in_order(_read(store, batch, *_RAW))
    for begin in range(0, hands.num_rows, _GROUP):
        rows = zip(*_lists(hands.slice(begin, _GROUP)), *_lists(raw.slice(begin, _GROUP)), strict=True)
        for hand, rules, is_hand, _, line, record, format in rows:
            if is_hand and hand not in gone and (record is not None or format == NATIVE):
                yield _law(rules, line if record is None else record)


def _law(rules: str | None, text: bytes) -> str | None:
    """The ruleset that a hand was audited under where it stood in place of its own; None for its own."""
    return None if rules == _named(text) else rules


def _compared(rows: Iterable[_Row], way: Way, telling: Telling) -> Iterator[Again]:
    """Rows with what is said of them now."""
    asked: list[_Row] = []

    def items() -> Iterator[Lines | Entry]:
        for item, some in _items(rows):
            asked.extend(some)
            yield item

    for verdicts in audit_logs(items(), way, telling):
        yield Again(verdicts.count, list(_changes(asked, verdicts)))
        del asked[: verdicts.count]


def _changes(asked: list[_Row], verdicts: Verdicts) -> Iterator[Change]:
    """The first of these rows of which something else is said now."""
    for row, now in zip(asked, verdicts.shortly(), strict=False):
        after, name = (told_of(now), now.id) if isinstance(now, Verdict) else (now, None)
        if after != row.told:
            yield Change(row.source, row.line, row.id or name, row.told, after)


# What is stored


def _rows(store: Path, manifest: Manifest) -> Iterator[_Row]:
    """The entries of a store that can be audited again, in the order of their numbers."""
    gone = replaced(store, manifest)
    for batch in manifest.batches:
        yield from _of_batch(store, batch, gone)


def _of_batch(store: Path, batch: StoredBatch, gone: frozenset[int]) -> Iterator[_Row]:
    codes = _gathered(_read(store, batch, "findings", "code"), "code")
    scores = _scores(_read(store, batch, "seats", "seat", "score"))
    hands = _in_order(_read(store, batch, "hands", *SHORTLY, "source", "line", "id", "rules", "counted"))
    raw = _in_order(_read(store, batch, *_RAW))
    for begin in range(0, hands.num_rows, _GROUP):
        rows = zip(*_lists(hands.slice(begin, _GROUP)), *_lists(raw.slice(begin, _GROUP)), strict=True)
        for hand, *said, source, number, name, rules, is_hand, _, line, record, format in rows:
            found = sorted(codes[hand]) if hand in codes else _NONE
            if hand in gone or (record is None and format != NATIVE) or REFUSED in found:
                continue
            said += [scores.get(hand), found]
            yield _Row(
                source, number, name, rules if is_hand else None, line if record is None else record, Told(*said)
            )


_RAW = ("raw", "raw", "record", "format")
_GROUP = 20_000
"""Rows that are made objects at a time."""
_NONE: list[str] = []


def _read(store: Path, batch: StoredBatch, table: str, *columns: str) -> pa.Table:
    return pq.read_table(store / batch.folder / f"{table}.parquet", columns=["hand", *columns])


def _in_order(table: pa.Table) -> pa.Table:
    """Rows in the order of hands."""
    hands = table["hand"].combine_chunks()
    is_sorted = pc.all(pc.less(hands[:-1], hands[1:]), min_count=0).as_py()
    return table if is_sorted else table.sort_by("hand")


def _scores(seats: pa.Table) -> dict[int, list[int]]:
    """The scores by seat of the hands whose every score is known."""
    seats = seats.sort_by([("hand", "ascending"), ("seat", "ascending")])
    runs = pc.run_end_encode(seats["hand"].combine_chunks())
    begin = pa.concat_arrays([pa.array([0], pa.int32()), runs.run_ends])
    scores = pa.ListArray.from_arrays(begin, seats["score"].combine_chunks()).to_pylist()
    found = dict(zip(runs.values.to_pylist(), scores, strict=True))
    return {hand: some for hand, some in found.items() if None not in some} if seats["score"].null_count else found


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
        is_line = b"\n" not in row.text and bool(row.text) and not row.text.isspace()
        if held and not (is_line and size < BLOCK and _goes_on(held[-1], row)):
            yield _lines(held), held
            held, size = [], 0
        if is_line:
            held.append(row)
            size += len(row.text)
        else:
            yield entry_of(row.text, row.source, row.line, set(), last=_is_cut(row)), [row]
    if held:
        yield _lines(held), held


def _goes_on(before: _Row, row: _Row) -> bool:
    follows = before.line < row.line <= before.line + FARTHEST and before.source == row.source
    return follows and not (before.told.codes and _is_cut(before))


def _is_cut(row: _Row) -> bool:
    return CUT_OFF in row.told.codes


def _lines(rows: list[_Row]) -> Lines:
    """Rows of one log as its lines; in place of what lay between them, blank ones."""
    line = rows[0].line - 1
    text = []
    for row in rows:
        text.append(row.text if row.line == line + 1 else b"\n" * (row.line - line - 1) + row.text)
        line = row.line
    return Lines(rows[0].source, rows[0].line, b"\n".join(text) + (b"" if _is_cut(rows[-1]) else b"\n"), set())
