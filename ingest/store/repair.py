"""A damaged store as a sound one: bad batches are put aside, and what they held is listed, so that it is loaded again.

Knows the order of steps that loses nothing more: what was lost is written down, the folder is moved, then it counts no
longer. Refuses to throw anything away.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.store.batches import batch_name
from ingest.store.damage import Damage, damage, dangling, numbers
from ingest.store.layout import write_table
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import (
    LOCK,
    Manifest,
    Span,
    StoredBatch,
    keep_folder,
    manifest_is_damaged,
    read_manifest,
    write_manifest,
)
from ingest.store.publish import rolled_up
from ingest.store.spans import merged, spans_of

_ROLLED = ("hands", "seats", "moves", "replaced")
"""What the roll-ups of a batch are worked out from."""
ASIDE = "aside"
"""Folder of what was put aside; nothing reads it, and whoever has loaded its hands again may remove it."""
AGAIN = "again.json"


class Repaired(Struct, frozen=True):
    """What was done."""

    damage: list[Damage] = []
    manifest: str | None = None
    """What was wrong with the manifest, which was written anew from its copy."""
    aside: list[str] = []
    """Folders that were put aside, as paths in the store."""
    hands: int = 0
    """Rows of ``hands`` that they had."""
    again: list[Span] = []
    """Which lines of which logs are to be loaded again."""
    unnamed: int = 0
    """Logs that are to be loaded again, too, but whose names are lost."""


def repair(store: Path, timeout: float | None = None, waiting: Waiting | None = None) -> Repaired:
    """Put bad batches aside, also of an earlier store. Raises ``FileNotFoundError``, ``BadStore`` and ``StoreBusy``."""
    read_manifest(store)
    with locked(store / LOCK, timeout, waiting):
        trouble, manifest = manifest_is_damaged(store), read_manifest(store)
        found = damage(store)
        bad = [batch for batch in manifest.batches if any(each.batch == batch.folder for each in found)]
        if not bad and trouble is None:
            return Repaired()
        lost = [_lost(store, batch, found) for batch in bad]
        aside = [_put_aside(store, batch, each) for batch, each in zip(bad, lost, strict=True)]
        kept = structs.replace(manifest, batches=tuple(b for b in manifest.batches if b not in bad))
        write_manifest(
            store, _mended(store, structs.replace(kept, sequence=manifest.sequence + 1, repairs=manifest.repairs + 1))
        )
    again, unnamed = merged(span for spans, _ in lost for span in spans), sum(more for _, more in lost)
    return Repaired(found, trouble, aside, sum(b.files["hands"].rows for b in bad), again, unnamed)


def _lost(store: Path, batch: StoredBatch, found: Iterable[Damage]) -> tuple[list[Span], int]:
    """Which lines a batch came from, and how many logs more: by the manifest, or where it names only some, by files."""
    if not batch.more_spans and batch.spans:
        return list(batch.spans), 0
    bad = {each.table for each in found if each.batch == batch.folder and each.trouble != "rows"}
    whole = [name for name in ("raw", "findings") if name not in bad]
    if "raw" in bad and "hands" not in bad:
        whole.append("hands")
    if not {"raw", "hands"} & set(whole):
        return list(batch.spans), batch.more_spans
    paths = (store / batch.folder / f"{name}.parquet" for name in whole)
    return spans_of(*(pq.read_table(path, columns=["source", "line"]) for path in paths)), 0


def _put_aside(store: Path, batch: StoredBatch, lost: tuple[list[Span], int]) -> str:
    """Move the folder of a batch, with a list of what was in it."""
    folder, number = store / ASIDE / batch.folder, 1
    while folder.exists():
        number += 1
        folder = store / ASIDE / f"{batch.folder}-{number}"
    folder.parent.mkdir(exist_ok=True)
    if (store / batch.folder).is_dir():
        (store / batch.folder / AGAIN).write_bytes(msgspec.json.format(msgspec.json.encode(lost[0]), indent=1))
        (store / batch.folder).rename(folder)
    else:
        folder.mkdir()
        (folder / AGAIN).write_bytes(msgspec.json.format(msgspec.json.encode(lost[0]), indent=1))
    keep_folder(folder.parent)
    keep_folder(store)
    return f"{ASIDE}/{folder.name}"


def _mended(store: Path, manifest: Manifest) -> Manifest:
    """Batches that replaced hands of those that are gone, written again without that."""
    hands = numbers(store, manifest)
    changed = manifest
    for batch in manifest.batches:
        if dangling(store, batch, hands):
            changed = _rewritten(store, changed, batch, hands)
    return changed


def _rewritten(store: Path, manifest: Manifest, batch: StoredBatch, hands: pa.Array) -> Manifest:
    """A manifest in which a batch has another folder, whose roll-ups fit the hands that are left."""
    tables = {name: pq.read_table(store / batch.folder / f"{name}.parquet") for name in _ROLLED}
    tables["replaced"] = tables["replaced"].filter(pc.is_in(tables["replaced"]["hand"], hands))
    before = structs.replace(manifest, batches=tuple(b for b in manifest.batches if b.folder != batch.folder))
    new = {"replaced": tables["replaced"]} | rolled_up(store, before, tables)
    name = batch_name(manifest)
    (store / f"new-{name}").mkdir()
    files = {table: write_table(store / f"new-{name}" / f"{table}.parquet", table, rows) for table, rows in new.items()}
    for table in batch.files.keys() - new.keys():
        shutil.copyfile(store / batch.folder / f"{table}.parquet", store / f"new-{name}" / f"{table}.parquet")
    keep_folder(store / f"new-{name}")
    (store / f"new-{name}").rename(store / name)
    rewritten = structs.replace(batch, folder=name, files=batch.files | files)
    batches = tuple(rewritten if b.folder == batch.folder else b for b in manifest.batches)
    return structs.replace(manifest, sequence=manifest.sequence + 1, batches=batches)
