"""New hands into a store, so that whatever happens it is as before or as after.

Knows the order of steps that makes this so: files into a new folder, the folder renamed, the manifest replaced.
"""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.store import rollups
from ingest.store.known import Clash, clashing, stored
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import (
    LOCK,
    MANIFEST,
    BadStore,
    Manifest,
    StoredBatch,
    StoredFile,
    file_digest,
    keep_folder,
    read_manifest,
    write_manifest,
)
from ingest.store.rows import joined, refused
from ingest.store.sketches import Part

_BATCH = re.compile(r"(new-)?batch-[0-9]{6,}")
ROW_GROUP = 122_880
Tables = dict[str, pa.Table]


class Published(Struct, frozen=True):
    """What became of the entries that were to be published."""

    stored: int = 0
    """New rows of ``hands``."""
    known: int = 0
    """Entries that the store had already."""
    verdicts: dict[str, int] = {}
    """Rows stored, by verdict."""
    codes: dict[str, int] = {}
    """Findings stored, by code."""


def create(store: Path) -> None:
    """Make an empty store where none is. Raises ``BadStore`` where something else is."""
    if (store / MANIFEST).exists():
        read_manifest(store)
        return
    if store.exists() and not store.is_dir():
        raise BadStore(f"{store} is not a folder")
    store.mkdir(parents=True, exist_ok=True)
    with locked(store / LOCK):
        if (store / MANIFEST).exists():
            return
        if any(not path.name.startswith((".", MANIFEST)) for path in store.iterdir()):
            raise BadStore(f"{store} is neither empty nor a store")
        write_manifest(store, Manifest())


def publish(
    store: Path, parts: Sequence[Part], *, timeout: float | None = None, waiting: Waiting | None = None
) -> Published:
    """Store what is new among these entries, as one batch; nothing where nothing is new."""
    create(store)
    with locked(store / LOCK, timeout, waiting):
        manifest = read_manifest(store)
        _clean(store, manifest)
        tables, known = _new(store, manifest, joined(parts))
        if tables["hands"].num_rows or tables["findings"].num_rows:
            _write(store, manifest, tables)
    return Published(tables["hands"].num_rows, known, _count(tables["hands"]["verdict"]), _codes(tables["findings"]))


def _count(values: pa.ChunkedArray) -> dict[str, int]:
    return {count["values"]: count["counts"] for count in pc.value_counts(values).to_pylist()}


def _codes(findings: pa.Table) -> dict[str, int]:
    return dict(sorted(_count(findings["code"]).items()))


def _clean(store: Path, manifest: Manifest) -> None:
    """Remove the folders of writers that died."""
    listed = {batch.folder for batch in manifest.batches}
    for path in store.iterdir():
        if path.name not in listed and _BATCH.fullmatch(path.name):
            shutil.rmtree(path)


def _new(store: Path, manifest: Manifest, tables: Tables) -> tuple[Tables, int]:
    """What the store does not have, numbered as it will be, and how many entries it has already."""
    clashes = clashing(store, manifest, tables["hands"])
    if clashes:
        tables = _refuse(tables, clashes)
    hands, repeats = tables["hands"]["digest"], tables["findings"]["digest"]
    have = stored(store, manifest, hands, repeats)
    if len(have):
        tables = _without(tables, have)
    known = len(hands) - tables["hands"].num_rows
    known += _valid(repeats) - _valid(tables["findings"]["digest"])
    return {name: _from(table, manifest.next_hand) for name, table in tables.items()}, known


def _valid(values: pa.ChunkedArray) -> int:
    return int(len(values) - values.null_count)


def _refuse(tables: Tables, clashes: dict[bytes, Clash]) -> Tables:
    """In place of hands that clash with the store the rows that say so (R109)."""
    digests = pa.array(list(clashes), tables["hands"]["digest"].type)
    clash = pc.is_in(tables["hands"]["digest"], value_set=digests)
    rows = tables["hands"].filter(clash).to_pylist()
    raws = tables["raw"].filter(clash)["raw"].to_pylist()
    parts = [
        refused(row, raw, dict(zip(("source", "line"), clashes[row["digest"]], strict=True)))
        for row, raw in zip(rows, raws, strict=True)
    ]
    kept, more = _only(tables, pc.invert(clash)), joined(parts)
    return {name: pa.concat_tables([kept[name], more[name]]).sort_by("hand") for name in tables}


def _without(tables: Tables, have: pa.Array) -> Tables:
    """Only what the store does not have; hands are numbered anew, without gaps."""
    new = pc.invert(pc.is_in(tables["hands"]["digest"], value_set=have)).combine_chunks()
    numbers = pc.subtract(pc.cumulative_sum(new.cast(pa.int64())), 1)
    findings = tables["findings"]
    repeats = findings.filter(
        pc.and_(pc.is_valid(findings["digest"]), pc.invert(pc.is_in(findings["digest"], value_set=have)))
    )
    only = {name: _renumbered(table, numbers) for name, table in _only(tables, new).items()}
    return only | {"findings": pa.concat_tables([only["findings"], repeats])}


def _only(tables: Tables, keep: pa.Array | pa.ChunkedArray) -> Tables:
    """The rows of those hands whose place in ``keep`` is true."""
    return {name: table.filter(pc.take(keep, table["hand"])) for name, table in tables.items()}


def _renumbered(table: pa.Table, numbers: pa.Array) -> pa.Table:
    return table.set_column(0, table.schema.field("hand"), pc.take(numbers, table["hand"]))


def _from(table: pa.Table, first: int) -> pa.Table:
    """Hands numbered from ``first`` instead of from 0."""
    return table.set_column(0, table.schema.field("hand"), pc.add(table["hand"], pa.scalar(first, pa.int64())))


def _write(store: Path, manifest: Manifest, tables: Tables) -> None:
    """The steps of publishing. Nothing counts before the last."""
    name = f"batch-{manifest.sequence + 1:06}"
    unfinished = store / f"new-{name}"
    unfinished.mkdir()
    tables = tables | {"days": rollups.days(tables["hands"]), "players": rollups.players(tables["seats"])}
    files = {table: _write_table(unfinished / f"{table}.parquet", rows) for table, rows in tables.items()}
    keep_folder(unfinished)
    unfinished.rename(store / name)
    keep_folder(store)
    changed = structs.replace(
        manifest,
        sequence=manifest.sequence + 1,
        next_hand=manifest.next_hand + tables["hands"].num_rows,
        batches=(*manifest.batches, StoredBatch(name, files)),
    )
    write_manifest(store, changed)


def _write_table(path: Path, table: pa.Table) -> StoredFile:
    with path.open("wb") as file:
        pq.write_table(table, file, compression="zstd", row_group_size=ROW_GROUP)
        file.flush()
        os.fsync(file.fileno())
    return StoredFile(table.num_rows, path.stat().st_size, file_digest(path))
