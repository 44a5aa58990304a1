"""What of an earlier store can be asked: what its version has, and its files have in the sense of today.

Knows the schemas of files. Refuses to change any.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pyarrow.parquet as pq

from ingest.store.history import Lack, former, lack_of
from ingest.store.manifest import Manifest
from ingest.store.schema import TABLES


def lack(store: Path, manifest: Manifest) -> Lack:
    """What a store does not have as it is today. Versions were not always told apart as soon as tables changed."""
    by_version = lack_of(manifest.version)
    columns = {table: set(names) for table, names in by_version.columns.items()}
    for table in TABLES if manifest.is_earlier else ():
        for meanings in _of_files(store, manifest, table):
            columns.setdefault(table, set()).update({c.name for c in TABLES[table].columns} - meanings.keys())
    for each in former(manifest.version):
        for meanings in _of_files(store, manifest, each.table):
            otherwise = {name for name in each.columns if meanings.get(name) in each.was}
            columns.setdefault(each.table, set()).update(otherwise)
    return Lack(by_version.tables, {table: frozenset(names) for table, names in columns.items() if names})


def _of_files(store: Path, manifest: Manifest, table: str) -> Iterator[dict[str, str]]:
    """What the columns of a table are said to mean, file by file."""
    for batch in manifest.batches:
        if table in batch.files:
            yield _meanings(store / batch.folder / f"{table}.parquet", batch.files[table].blake2b)


@lru_cache(maxsize=1 << 12)
def _meanings(path: Path, digest: str) -> dict[str, str]:  # noqa: ARG001 - the same path may have another file later
    fields = list(pq.read_schema(path))
    return {field.name: (field.metadata or {}).get(b"meaning", b"").decode() for field in fields}
