"""What a store has already of new entries, found by looking through its digests file by file.

Knows digests and places. Memory is bounded by what is looked for, not by what the store has.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct

from ingest.identity import Identity
from ingest.store.manifest import Manifest
from ingest.store.schema import KINDS

CUT_OFF = "R107"
"""The first fault of a line that a later load may find completed."""
REFUSED = "R109"
"""On a hand that could not be kept as one: its id is another's."""
NO_LOG, NOT_UTF8 = "R112", "R113"
"""What is said of a whole log, under one of its entries, and of none of its lines."""

_KEY = KINDS["key"][0]
_COLUMNS = ("hand", "source", "line", "first_fault", "entry", "digest", "played", "deal", "id_digest")


class Stored(Struct, frozen=True):
    """One row of ``hands`` in a store, as far as it matters for what is new."""

    hand: int
    source: str
    line: int
    first_fault: str | None
    entry: bytes
    digest: bytes
    played: bytes | None
    deal: bytes | None
    id_digest: bytes | None

    @property
    def identity(self) -> Identity:
        """What the hand is recognised by."""
        return Identity(self.digest, self.played or b"", self.deal or b"")


class Fate(Struct, frozen=True):
    """What becomes of an entry that is to be stored."""

    word: Literal["new", "known", "again", "refused"]
    """``again``: the same hand as another (R108); ``refused``: its id stands for another hand (R109)."""
    other: Stored | None = None
    """The hand that it repeats, or that has its id."""
    replaces: tuple[int, ...] = ()
    """Rows that it takes the place of."""


class Known:
    """The rows of a store that have something in common with new entries."""

    def __init__(self, rows: Iterable[Stored]) -> None:
        self._entries: dict[bytes, Stored] = {}
        self._hands: dict[bytes, list[Stored]] = {}
        self._ids: dict[bytes, list[Stored]] = {}
        self._cut: dict[tuple[str, int], Stored] = {}
        for row in rows:
            self._entries[row.entry] = row
            if row.id_digest is not None:
                self._hands.setdefault(row.identity.key, []).append(row)
                self._ids.setdefault(row.id_digest, []).append(row)
            elif row.first_fault == CUT_OFF:
                self._cut[row.source, row.line] = row

    def met(self, hands: pa.Table) -> list[int]:
        """The rows of new ``hands`` of which something is there; the fate of the others is to be new."""
        if not self._entries:
            return []
        met = pc.is_in(hands["source"], pa.array([source for source, _ in self._cut], pa.string()))
        for name, known in (("entry", self._entries), ("id_digest", self._ids), ("digest", self._hands),
                            ("played", self._hands)):  # fmt: skip
            met = pc.or_(met, pc.is_in(hands[name], pa.array(list(known), _KEY)))
        return pc.indices_nonzero(met).to_pylist()  # type: ignore[no-any-return]

    def fate(self, row: Mapping[str, Any], *, replace: bool) -> Fate:
        """What becomes of a new row of ``hands``. ``replace``: whether it may take the place of one with its id."""
        before = self._entries.get(row["entry"])
        if row["id_digest"] is None:
            return Fate("new") if before is None else Fate("known", before)
        if before is not None and (before.id_digest is not None or not replace):
            return Fate("known", before)
        hand = Identity(row["digest"], row["played"] or b"", row["deal"] or b"")
        named = self._ids.get(row["id_digest"], [])
        same = [each for each in self._hands.get(hand.key, []) if hand.is_of(each.identity)]
        if named and replace:
            gone = tuple(each.hand for each in ([*named, before] if before is not None else named))
            elsewhere = next((each for each in same if each not in named), None)
            return Fate("new", named[0], gone) if elsewhere is None else Fate("again", elsewhere, gone)
        clash = next((each for each in named if not hand.is_of(each.identity)), None)
        if clash is not None:
            return Fate("refused", clash)
        if same:
            return Fate("again", same[0])
        cut = self._cut.get((row["source"], row["line"]))
        return Fate("new", replaces=() if cut is None else (cut.hand,))


def known(store: Path, manifest: Manifest, hands: pa.Table) -> Known:
    """What a store has of these rows, but for rows that were replaced."""
    wanted = {name: _wanted(hands, name) for name in ("entry", "digest", "played", "id_digest", "source")}
    gone = replaced(store, manifest)
    return Known(
        Stored(**row)
        for batch in _batches(manifest.paths(store, "hands"), _COLUMNS)
        for row in batch.filter(_matches(batch, wanted)).to_pylist()
        if row["hand"] not in gone
    )


def named(store: Path, manifest: Manifest, ids: pa.Array) -> Iterator[tuple[int, Identity]]:
    """The hands that a store has under these ids (``id_digest``, each once): the place of the id, and which hand."""
    gone = replaced(store, manifest)
    for batch in _batches(manifest.paths(store, "hands"), ("hand", "id_digest", "digest", "played", "deal")):
        places = pc.index_in(batch["id_digest"], value_set=ids)
        found = batch.filter(pc.is_valid(places)).to_pylist()
        for row, place in zip(found, pc.drop_null(places).to_pylist(), strict=True):
            if row["hand"] not in gone:
                yield place, Identity(row["digest"], row["played"] or b"", row["deal"] or b"")


def sources(store: Path, manifest: Manifest) -> frozenset[str]:
    """The files that a store has anything of."""
    batches = _batches(manifest.paths(store, "hands"), ("source",))
    return frozenset(source for batch in batches for source in pc.unique(batch["source"]).to_pylist())


def repeats(store: Path, manifest: Manifest, entries: pa.Array) -> frozenset[bytes]:
    """Which of these entries stand in a store's findings as repetitions (R108)."""
    if not len(entries):
        return frozenset()
    batches = _batches(manifest.paths(store, "findings"), ("digest",))
    return frozenset(
        found for each in batches for found in each["digest"].filter(pc.is_in(each["digest"], entries)).to_pylist()
    )


def replaced(store: Path, manifest: Manifest) -> frozenset[int]:
    """The rows of ``hands`` that another took the place of."""
    batches = _batches(manifest.paths(store, "replaced"), ("hand",))
    return frozenset(hand for batch in batches for hand in batch["hand"].to_pylist())


def rows_of(store: Path, manifest: Manifest, table: str, hands: Iterable[int]) -> pa.Table | None:
    """The rows of some hands in one table; None where there are none."""
    numbers = pa.array(sorted(hands), pa.int64())
    if not len(numbers):
        return None
    batches = _batches(manifest.paths(store, table), None)
    found = [each for batch in batches if (each := batch.filter(pc.is_in(batch["hand"], numbers))).num_rows]
    return pa.Table.from_batches(found) if found else None


def _wanted(hands: pa.Table, name: str) -> pa.Array:
    return pc.unique(pc.drop_null(hands[name]))


def _matches(batch: pa.RecordBatch, wanted: dict[str, pa.Array]) -> pa.Array:
    """The rows with a digest that is wanted, and the cut lines of the files that are."""
    matches = pc.and_(pc.equal(batch["first_fault"], CUT_OFF), pc.is_in(batch["source"], wanted["source"]))
    matches = pc.fill_null(matches, False)
    for name in ("entry", "digest", "played", "id_digest"):
        matches = pc.or_(matches, pc.is_in(batch[name], wanted[name]))
    return matches


def _batches(paths: Iterable[Path], columns: Iterable[str] | None) -> Iterator[pa.RecordBatch]:
    for path in paths:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(1 << 17, columns=None if columns is None else list(columns))
