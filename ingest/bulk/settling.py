"""The rows of a block once its hands are placed among those before: what a store gets of it.

Knows which rows count, and in which order they stand. What becomes of those that were placed by themselves says
``ingest.store.rows``.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import Audited
from ingest.bulk.arrays import column, same, texts_at
from ingest.bulk.layout import Gist
from ingest.bulk.sketching import Sketched, in_order, numbered
from ingest.logs import Lines
from ingest.store.columns import from_lists
from ingest.store.rows import complete, is_row
from ingest.store.schema import OF_HANDS, RAW, TABLES
from ingest.store.sketches import Part

Ints = NDArray[np.int64]
_NOT_PACKED = pa.scalar(None, pa.binary())


class Settled(Struct, frozen=True):
    """What a store gets of a block."""

    part: Part
    entries: int
    """Entries that leave a trace."""
    size: int
    """Their bytes."""


def with_untold(lines: Lines, sketched: Sketched, placed: Mapping[int, Audited]) -> dict[int, Audited]:
    """The rows that were placed by themselves, and those that are proven but told hand by hand, in order."""
    found = dict(placed)
    for row, (verdict, identity) in sketched.untold.items():
        if row not in found:
            entry = lines.entry(verdict.line, *map(int, sketched.found.spans[row]))
            found[row] = Audited(entry, verdict, None, identity)
    return dict(sorted(found.items()))


def settle(
    lines: Lines, sketched: Sketched, single: Mapping[int, Audited], first: int, again: Callable[[Audited], bool]
) -> Settled:
    """The rows of a block, its hands numbered from ``first``.

    ``single``: ``with_untold``. ``again``: whether an entry was read before, and leaves no trace.
    """
    entries = {row: None if again(entry) else entry for row, entry in single.items()}
    gone = [row for row, entry in entries.items() if entry is None]
    plain = sketched.found.proven.copy()
    plain[[*single]] = False
    kept = plain.copy()
    kept[[row for row, entry in entries.items() if is_row(entry)]] = True
    numbers = np.cumsum(kept) - 1 + first
    told, own = _plain(sketched, plain), _single(sketched, entries)
    part = {name: _merged(name, told.get(name), own.get(name), numbers) for name in OF_HANDS if name != "raw"}
    spans = sketched.found.spans
    size = int((spans[:, 1] - spans[:, 0]).sum()) - sum(int(spans[row, 1] - spans[row, 0]) for row in gone)
    part["raw"] = _raw(lines, sketched, np.flatnonzero(kept), numbers, plain)
    return Settled(part, len(plain) - len(gone), size)


def _plain(sketched: Sketched, plain: NDArray[np.bool_]) -> Part:
    """The rows of hands that are as they were proven."""
    if plain[sketched.found.proven].all():
        return sketched.told
    return {name: _where(batch, plain[batch["hand"].to_numpy()]) for name, batch in sketched.told.items()}


def _where(batch: pa.RecordBatch, keep: NDArray[np.bool_]) -> pa.RecordBatch:
    """Some rows of a batch, of which few are left out: what lies between these is copied as it lies."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], keep, [False]]).astype(np.int8))).reshape(-1, 2).tolist()
    pieces = [batch.slice(begin, end - begin) for begin, end in edges]
    return pa.concat_batches(pieces) if pieces else batch.slice(0, 0)


def _single(sketched: Sketched, entries: Mapping[int, Audited | None]) -> dict[str, tuple[pa.RecordBatch, Ints]]:
    """The rows of entries that were placed by themselves, and for each the row of the block that it belongs to."""
    if not entries:
        return {}
    rows = np.array([*entries], np.int64)
    place = np.full(len(sketched.found.proven), -1, np.int64)
    place[rows] = np.arange(len(rows))
    some = {name: batch for name, batch in sketched.told.items() if name != "findings"}
    chosen = {name: batch.filter(pa.array(place[batch["hand"].to_numpy()] >= 0)) for name, batch in some.items()}
    sketches = in_order([chosen, sketched.others])
    part = complete([*entries.values()], {name: numbered(each, place) for name, each in sketches.items()}, 0)
    numbered_rows = np.array([row for row, entry in entries.items() if is_row(entry)], np.int64)
    part["hands"] = part["hands"].take(pa.array(part["hands"]["hand"].to_numpy().argsort(kind="stable")))
    found = {name: (each, numbered_rows[each["hand"].to_numpy()]) for name, each in part.items() if name != "findings"}
    counts = [0 if entry is None else _findings(entry) for entry in entries.values()]
    return found | {"findings": (part["findings"], np.repeat(rows, counts))}


def _findings(entry: Audited) -> int:
    """How many rows of ``findings`` an entry has."""
    codes = [finding.code for finding in entry.verdict.findings]
    return codes.count("R108") or len(codes)


def _merged(
    name: str, told: pa.RecordBatch | None, own: tuple[pa.RecordBatch, Ints] | None, numbers: Ints
) -> pa.RecordBatch:
    """The rows of a table in the order of the block, under their numbers."""
    none = np.zeros(0, np.int64)
    empty = pa.RecordBatch.from_pylist([], TABLES[name].schema)
    first, of_first = (empty, none) if told is None else (told, told["hand"].to_numpy())
    second, of_second = own or (empty, none)
    whole = _interleaved(first, of_first, second, of_second)
    rows = np.sort(np.concatenate([of_first, of_second]), kind="stable")
    gone = np.ascontiguousarray(whole["hand"].is_null().to_numpy(zero_copy_only=False))
    hands = pa.array(numbers[rows], pa.int64(), mask=gone)
    return whole.set_column(0, whole.schema.field("hand"), hands)


def _interleaved(first: pa.RecordBatch, rows: Ints, second: pa.RecordBatch, others: Ints) -> pa.RecordBatch:
    """Two batches as one, each in the order of its rows of the block, which they have apart from each other."""
    if not len(others) or not len(rows):
        return first if len(rows) else second
    cuts = np.searchsorted(rows, others)
    borders = np.flatnonzero(np.diff(cuts, prepend=-1))
    ends = [*borders[1:].tolist(), len(others)]
    pieces, at = [], 0
    for border, end in zip(borders.tolist(), ends, strict=True):
        cut = int(cuts[border])
        pieces += [first.slice(at, cut - at), second.slice(border, end - border)]
        at = cut
    return pa.concat_batches([*pieces, first.slice(at)])


def _raw(lines: Lines, sketched: Sketched, rows: Ints, numbers: Ints, plain: NDArray[np.bool_]) -> pa.RecordBatch:
    """The lines as they came, without their newlines; packed too where a hand is as it was proven."""
    text = np.frombuffer(lines.text, np.uint8)
    spans = sketched.found.spans[rows].copy()
    for mark in b"\n\r":
        while (ends := spans[:, 1] > spans[:, 0]).any() and (ends := ends & (text[spans[:, 1] - 1] == mark)).any():
            spans[ends, 1] -= 1
    return from_lists(
        RAW,
        {
            "hand": pa.array(numbers[rows], pa.int64()),
            "source": same(lines.source, len(rows)),
            "line": column(RAW, "line", lines.line + sketched.found.gist[rows, Gist.LINE]),
            "raw": texts_at(text, spans, "bytes"),
            "format": same("native", len(rows)),
            "packed": pc.if_else(pa.array(plain[rows]), sketched.packed.take(pa.array(rows)), _NOT_PACKED),
        },
    )
