"""Batch folders: how one is published, and when one that no longer counts is removed.

Knows the order of steps after which a store is as before or as after: files into a new folder, the folder renamed, the
manifest replaced. Refuses to know what stands in the files.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import structs

from ingest.store.damage import vouch
from ingest.store.manifest import (
    BATCH,
    SPANS,
    Manifest,
    Retired,
    Span,
    StoredBatch,
    StoredFile,
    keep_folder,
    write_manifest,
)
from ingest.store.retiring import is_over, met, retired

UPGRADE = ".upgrade"
"""Where the new store grows of which an old one is made, on the same disk, so that its folders are only renamed."""

Write = Callable[[Path], dict[str, StoredFile]]
"""Puts the files of a batch into a folder, and says by table what they are."""


def batch_name(manifest: Manifest) -> str:
    """The folder of the next batch."""
    return f"batch-{manifest.sequence + 1:06}"


def add_batch(store: Path, manifest: Manifest, write: Write, spans: Sequence[Span], more_spans: int = 0) -> None:
    """Publish one more batch. Nothing counts before the last step; the caller holds the lock."""
    batch = StoredBatch(*_written(store, manifest, write), *_named(spans, more_spans))
    changed = structs.replace(manifest, sequence=manifest.sequence + 1, batches=(*manifest.batches, batch))
    write_manifest(store, changed)
    vouch(store, changed, batch)


def replace_batches(
    store: Path, manifest: Manifest, old: Sequence[StoredBatch], write: Write, spans: Sequence[Span]
) -> None:
    """Publish one batch in the place of neighbours, which stay for a while for their readers; as ``add_batch``."""
    named, more = _named(spans, sum(batch.more_spans for batch in old))
    merged = tuple(name for batch in old for name in (*batch.merged, batch.folder))
    batch = StoredBatch(*_written(store, manifest, write), named, more, merged)
    left = [each for each in manifest.batches if each not in old]
    left.insert(manifest.batches.index(old[0]), batch)
    changed = structs.replace(
        manifest,
        sequence=manifest.sequence + 1,
        batches=tuple(left),
        retired=(*_still(store, manifest.retired), *retired(old)),
    )
    write_manifest(store, changed)
    vouch(store, changed, batch)


def clean(store: Path, manifest: Manifest) -> Manifest:
    """Remove the folders of writers that died, and those that have not counted for longer than a question takes.

    Answers with the manifest to go on from, which says that the others were met.
    """
    waited = {each.folder for each in manifest.retired if not is_over(each)}
    kept = {batch.folder for batch in manifest.batches} | waited
    for path in store.iterdir():
        if path.name == UPGRADE or (path.name not in kept and BATCH.fullmatch(path.name.removeprefix("new-"))):
            shutil.rmtree(path)
    return met(structs.replace(manifest, retired=tuple(_still(store, manifest.retired))))


def _written(store: Path, manifest: Manifest, write: Write) -> tuple[str, dict[str, StoredFile]]:
    """The folder of the next batch with its files; it does not count yet."""
    name = batch_name(manifest)
    unfinished = store / f"new-{name}"
    unfinished.mkdir()
    files = write(unfinished)
    keep_folder(unfinished)
    unfinished.rename(store / name)
    keep_folder(store)
    return name, files


def _named(spans: Sequence[Span], more: int) -> tuple[tuple[Span, ...], int]:
    return tuple(spans[:SPANS]), max(0, len(spans) - SPANS) + more


def _still(store: Path, retired: Iterable[Retired]) -> list[Retired]:
    return [each for each in retired if (store / each.folder).exists()]
