"""New hands into a store, so that whatever happens it is as before or as after.

Knows which entries are new, and what becomes of the rest.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct, structs

from ingest.store import rollups
from ingest.store.batches import add_batch, clean
from ingest.store.columns import from_rows
from ingest.store.damage import must_be_whole
from ingest.store.history import tables_of
from ingest.store.known import Fate, known, repeats, rows_of
from ingest.store.layout import write_table
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import (
    LOCK,
    MANIFEST,
    BadStore,
    Manifest,
    StoredFile,
    is_store,
    writable,
    write_manifest,
)
from ingest.store.rows import joined, refused, repeated
from ingest.store.schema import KINDS, REPLACED, ZONE
from ingest.store.sketches import Part
from ingest.store.spans import spans_of

Tables = dict[str, pa.Table]
Hand = dict[str, Any]
"""A new row of ``hands``, as far as it is told by."""
_TOLD_BY = ["hand", "source", "line", "id", "rules", "entry", "digest", "played", "deal", "id_digest"]


class Met(NamedTuple):
    """A new hand of which the store has something."""

    row: int
    hand: Hand
    fate: Fate


NOTICES = 200
"""Of one batch, notices that are given back; all are in the store."""


class Notice(Struct, frozen=True):
    """A hand that the store has from another place (R108), or whose id it has for another hand (R109)."""

    code: str
    source: str
    line: int
    id: str | None
    details: dict[str, Any]


class Published(Struct, frozen=True):
    """What became of the entries that were to be published."""

    stored: int = 0
    """New rows of ``hands``."""
    known: int = 0
    """Entries that the store had already."""
    elsewhere: int = 0
    """Entries of hands that the store has from another place, which it did not say before (R108)."""
    refused: int = 0
    """Of the new rows, hands whose id stands for another hand in the store (R109)."""
    replaced: int = 0
    """Rows that no longer count, because others took their place."""
    verdicts: dict[str, int] = {}
    """Rows stored, by verdict."""
    codes: dict[str, int] = {}
    """Findings stored, by code."""
    notices: list[Notice] = []


class _New(Struct, frozen=True):
    tables: Tables
    known: int
    elsewhere: int
    refused: int
    replaced: int
    notices: list[Notice]


def create(store: Path, zone: str | None = None) -> Manifest:
    """Make an empty store where none is, and say what there is.

    ``zone``: its time zone. Raises ``BadStore`` where something else is, or a store with another zone.
    """
    if is_store(store):
        return _of_zone(store, zone)
    if store.exists() and not store.is_dir():
        raise BadStore(f"{store} is not a folder")
    store.mkdir(parents=True, exist_ok=True)
    with locked(store / LOCK):
        if is_store(store):
            return _of_zone(store, zone)
        if any(not path.name.startswith((".", MANIFEST)) for path in store.iterdir()):
            raise BadStore(f"{store} is neither empty nor a store")
        manifest = Manifest(zone=zone or ZONE)
        write_manifest(store, manifest)
        return manifest


def sound(store: Path) -> Manifest:
    """What a store holds. Raises ``BadStore`` where some of it is damaged: what it had would be stored again."""
    manifest = writable(store)
    must_be_whole(store, manifest)
    return manifest


def _of_zone(store: Path, zone: str | None) -> Manifest:
    manifest = writable(store)
    if zone is not None and zone != manifest.zone:
        raise BadStore(f"{store} puts hands on the days of {manifest.zone}, not of {zone}")
    return manifest


def publish(
    store: Path,
    parts: Sequence[Part],
    *,
    replace: bool = False,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> Published:
    """Store what is new among these entries, as one batch; nothing where nothing is new.

    ``replace``: a hand with the id of another in the same file takes its place, which is kept but no longer counts.
    """
    create(store)
    with locked(store / LOCK, timeout, waiting):
        manifest = clean(store, sound(store))
        new = _new(store, manifest, joined(parts), replace=replace)
        tables = new.tables
        if tables["hands"].num_rows or tables["findings"].num_rows or tables["replaced"].num_rows:
            _write(store, manifest, tables)
    return Published(
        stored=tables["hands"].num_rows,
        known=new.known,
        elsewhere=new.elsewhere,
        refused=new.refused,
        replaced=new.replaced,
        verdicts=_count(tables["hands"]["verdict"]),
        codes=_codes(tables["findings"]),
        notices=new.notices,
    )


def _count(values: pa.ChunkedArray) -> dict[str, int]:
    return {count["values"]: count["counts"] for count in pc.value_counts(values).to_pylist()}


def _codes(findings: pa.Table) -> dict[str, int]:
    return dict(sorted(_count(findings["code"]).items()))


def _new(store: Path, manifest: Manifest, tables: Tables, *, replace: bool) -> _New:
    """What the store does not have, numbered as it will be, and what becomes of the rest."""
    met = _met(store, manifest, tables["hands"], replace=replace)
    listed = repeats(store, manifest, _repeating(tables, met))
    new = pc.invert(_having(tables, met, "known", "again"))
    numbers = pc.add(pc.cumulative_sum(new.cast(pa.int64())), pa.scalar(manifest.next_hand - 1, pa.int64()))
    kept = {name: _renumbered(table, numbers) for name, table in _kept(tables, met, listed).items()}
    pairs = [(old, _successor(each.fate, numbers[each.row].as_py())) for each in met for old in each.fate.replaces]
    kept["replaced"] = _as_table(from_rows(REPLACED, pairs))
    fates_of = Counter(each.fate.word for each in met)
    notices = [
        Notice("R108" if fate.word == "again" else "R109", hand["source"], hand["line"], hand["id"], _place(fate))
        for _, hand, fate in met
        if fate.word == "refused" or (fate.word == "again" and hand["entry"] not in listed)
    ]
    known_before, elsewhere = fates_of["known"] + len(listed), len(notices) - fates_of["refused"]
    return _New(kept, known_before, elsewhere, fates_of["refused"], len(pairs), notices[:NOTICES])


def _met(store: Path, manifest: Manifest, hands: pa.Table, *, replace: bool) -> list[Met]:
    """The new hands that have something in common with what the store has, in their order."""
    before = known(store, manifest, hands)
    rows = before.met(hands)
    told = hands.select(_TOLD_BY).take(pa.array(rows, pa.int64())).to_pylist()
    return [Met(row, hand, before.fate(hand, replace=replace)) for row, hand in zip(rows, told, strict=True)]


def _having(tables: Tables, met: Sequence[Met], *words: str) -> pa.Array:
    """For each new hand whether it has one of these fates."""
    flags = [False] * tables["hands"].num_rows
    for each in met:
        flags[each.row] = each.fate.word in words
    return pa.array(flags, pa.bool_())


def _kept(tables: Tables, met: Sequence[Met], listed: frozenset[bytes]) -> Tables:
    """The rows that are new, under the numbers that they came with."""
    again = [
        _as_table(repeated(hand, _place(fate)))
        for _, hand, fate in met
        if fate.word == "again" and hand["entry"] not in listed
    ]
    new = pc.invert(_having(tables, met, "known", "again"))
    kept = _only(_refuse(_unlisted(tables, listed), met), new)
    return kept | {"findings": pa.concat_tables([kept["findings"], *again])}


def _successor(fate: Fate, number: int) -> int:
    """The row that takes the place of others: the new one, or the one that the store has of the same hand."""
    return fate.other.hand if fate.word == "again" and fate.other is not None else number


def _as_table(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


def _place(fate: Fate) -> dict[str, Any]:
    return {} if fate.other is None else {"source": fate.other.source, "line": fate.other.line}


def _repeating(tables: Tables, met: Sequence[Met]) -> pa.Array:
    """The entries that would be listed as repetitions."""
    again = _having(tables, met, "again")
    mine = pc.drop_null(tables["findings"]["digest"]).combine_chunks()
    return pa.concat_arrays([mine, tables["hands"]["entry"].filter(again).combine_chunks()])


def _unlisted(tables: Tables, listed: frozenset[bytes]) -> Tables:
    """Without the repetitions that the store lists already."""
    findings = tables["findings"]
    before = pc.is_in(findings["digest"], value_set=pa.array(list(listed), KINDS["key"][0]))
    return tables | {"findings": findings.filter(pc.invert(before))}


def _refuse(tables: Tables, met: Sequence[Met]) -> Tables:
    """In place of hands whose id stands for another hand in the store the rows that say so (R109)."""
    clash = _having(tables, met, "refused")
    if not pc.any(clash).as_py():
        return tables
    came = tables["raw"].filter(clash).to_pylist()
    rows = [(hand, fate) for _, hand, fate in met if fate.word == "refused"]
    parts = [refused(hand, raw, _place(fate)) for (hand, fate), raw in zip(rows, came, strict=True)]
    kept, more = _only(tables, pc.invert(clash)), joined(parts)
    return {name: pa.concat_tables([kept[name], more[name]]).sort_by("hand") for name in tables}


def _only(tables: Tables, keep: pa.Array) -> Tables:
    """The rows of those hands whose place in ``keep`` is true, and those of no hand."""
    if pc.all(keep).as_py():
        return tables
    return {name: table.filter(pc.fill_null(pc.take(keep, table["hand"]), True)) for name, table in tables.items()}


def _renumbered(table: pa.Table, numbers: pa.Array) -> pa.Table:
    return table.set_column(0, table.schema.field("hand"), pc.take(numbers, table["hand"]))


def _write(store: Path, manifest: Manifest, tables: Tables) -> None:
    """Publish these rows with their roll-ups."""
    tables = tables | rolled_up(store, manifest, tables)

    def write(folder: Path) -> dict[str, StoredFile]:
        return {name: write_table(folder / f"{name}.parquet", name, rows) for name, rows in tables.items()}

    numbered = structs.replace(manifest, next_hand=manifest.next_hand + tables["hands"].num_rows)
    add_batch(store, numbered, write, spans_of(tables["raw"], tables["findings"]))


def _gone(store: Path, manifest: Manifest, tables: Tables, name: str, hands: Sequence[int]) -> pa.Table | None:
    """The rows of replaced hands, in earlier batches and in this one, which may be several that were merged."""
    found = rows_of(store, manifest, name, hands)
    mine = tables[name].filter(pc.is_in(tables[name]["hand"], pa.array(hands, pa.int64())))
    return found if not mine.num_rows else mine if found is None else pa.concat_tables([found, mine])


def rolled_up(store: Path, manifest: Manifest, tables: Tables) -> Tables:
    """The roll-ups of a batch, less what it replaced of the batches in ``manifest``; those that its version has."""
    gone = tables["replaced"]["hand"].to_pylist()
    was = {name: _gone(store, manifest, tables, name, gone) for name in ("hands", "seats", "moves")}
    played = None if was["seats"] is None or was["moves"] is None else (was["seats"], was["moves"])
    added: dict[str, Callable[[], pa.Table]] = {
        "days": lambda: rollups.days(tables["hands"], was["hands"]),
        "players": lambda: rollups.players(tables["seats"], was["seats"]),
        "mates": lambda: rollups.mates(tables["seats"], was["seats"]),
        "combinations": lambda: rollups.combinations(tables["seats"], tables["moves"], played),
    }
    return {name: add() for name, add in added.items() if name in tables_of(manifest.version)}
