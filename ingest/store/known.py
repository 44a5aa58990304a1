"""Which of new hands a store has already, found by looking through its digests file by file.

Knows digests. Memory is bounded by what is looked for, not by what the store has.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.store.manifest import Manifest
from ingest.store.schema import KINDS

Clash = tuple[str, int]
"""Source and line of a hand in the store that has the same id but is another hand."""

_KEY = KINDS["key"][0]


def stored(store: Path, manifest: Manifest, hands: pa.ChunkedArray, repeats: pa.ChunkedArray) -> pa.Array:
    """The digests among these that a store has: of rows of ``hands``, and of repetitions listed as findings."""
    found = [
        *_found(manifest.paths(store, "hands"), hands),
        *_found(manifest.paths(store, "findings"), repeats),
    ]
    return pa.array(found, _KEY)


def _found(paths: Iterable[Path], wanted: pa.ChunkedArray) -> Iterator[bytes]:
    values = pc.drop_null(wanted).combine_chunks()
    if not len(values):
        return
    for batch in _batches(paths, ["digest"]):
        yield from batch["digest"].filter(pc.is_in(batch["digest"], value_set=values)).to_pylist()


def clashing(store: Path, manifest: Manifest, hands: pa.Table) -> dict[bytes, Clash]:
    """By digest the new hands whose source and id stand for another hand in the store (R109)."""
    pairs = zip(hands["id_digest"].to_pylist(), hands["digest"].to_pylist(), strict=True)
    new = {id: digest for id, digest in pairs if id is not None}
    values, found = pa.array(list(new), _KEY), {}
    for batch in _batches(manifest.paths(store, "hands") if new else (), ["id_digest", "digest", "source", "line"]):
        for row in batch.filter(pc.is_in(batch["id_digest"], value_set=values)).to_pylist():
            digest = new[row["id_digest"]]
            if digest != row["digest"]:
                found[digest] = (row["source"], row["line"])
    return found


def _batches(paths: Iterable[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for path in paths:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(1 << 17, columns=list(columns))
