"""Small batches merged into large ones, so that a question opens few files and one player's seats lie together.

Knows that nothing counts more or less afterwards: the same rows under the same numbers, roll-ups added up. Readers see
the store before or after; what is merged is deleted only when no question can still be reading it.
"""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from ingest.store import layout, rollups
from ingest.store.batches import clean, replace_batches
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import LOCK, Manifest, StoredBatch, StoredFile, writable
from ingest.store.publish import sound
from ingest.store.schema import TABLES
from ingest.store.spans import merged

HANDS = 250_000
"""Rows of ``hands`` of a batch that is large enough. Its seats are sorted in memory: about a gigabyte."""


class Compacted(Struct, frozen=True):
    """What a compaction did."""

    before: int
    after: int
    """Batches."""


def compact(
    store: Path, *, hands: int = HANDS, timeout: float | None = None, waiting: Waiting | None = None
) -> Compacted:
    """Merge neighbouring batches as long as they have no more than so many hands together.

    Each merger is published by itself and the lock given back, so that a load need not wait for all of them. Raises
    ``FileNotFoundError``, ``BadStore`` (also for a damaged store) and ``StoreBusy``.
    """
    before = len(writable(store).batches)
    while True:
        with locked(store / LOCK, timeout, waiting):
            manifest = clean(store, sound(store))
            group = _group(manifest.batches, hands)
            if len(group) < 2:
                return Compacted(before, len(manifest.batches))
            _merge(store, manifest, group)


def _group(batches: Sequence[StoredBatch], hands: int) -> list[StoredBatch]:
    """The first neighbours that can be merged; fewer than two where there are none."""
    group: list[StoredBatch] = []
    for batch in batches:
        if sum(each.files["hands"].rows for each in [*group, batch]) <= hands:
            group.append(batch)
        elif len(group) > 1:
            break
        else:
            group = [batch]
    return group


def _merge(store: Path, manifest: Manifest, group: Sequence[StoredBatch]) -> None:
    def write(folder: Path) -> dict[str, StoredFile]:
        return {name: _merged(store, folder / f"{name}.parquet", name, group) for name in TABLES}

    replace_batches(store, manifest, group, write, merged(span for batch in group for span in batch.spans))


def _merged(store: Path, path: Path, name: str, group: Sequence[StoredBatch]) -> StoredFile:
    """One table of several batches as one file."""
    files = [store / batch.folder / f"{name}.parquet" for batch in group]
    if TABLES[name].sums:
        return layout.write_table(path, name, rollups.added([pq.read_table(file) for file in files], TABLES[name]))
    if name in layout.ORDERS:
        return layout.write_table(path, name, pa.concat_tables([pq.read_table(file) for file in files]))
    return layout.append_tables(path, name, files)
