"""The small stores that programs of each version wrote, opened; and what today's program makes of the same logs."""

import shutil
import tarfile
from pathlib import Path

from ingest.load import load
from ingest.store import VERSION

STORES = Path(__file__).parent / "stores"
EARLIER = tuple(range(1, VERSION))


def kept(version: int, folder: Path) -> Path:
    """The store of a version, unpacked into a folder that is not there yet."""
    with tarfile.open(STORES / f"version-{version}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    return folder


def logs(folder: Path) -> Path:
    """The logs that they were made of, as they were at first."""
    folder.mkdir(exist_ok=True)
    for name in ("hands.jsonl", "rlcard.jsonl", "house.jsonl"):
        shutil.copyfile(STORES / name, folder / name)
    return folder


def fresh(folder: Path, *, corrected: bool, rlcard: bool = True) -> Path:
    """The same loads by today's program; the current folder must be ``folder``, where ``logs`` are."""
    store = folder / "fresh"
    load(["hands.jsonl", *(["rlcard.jsonl"] if rlcard else [])], store)
    load(["house.jsonl"], store, rules="pagat")
    if corrected:
        shutil.copyfile(STORES / "corrected.jsonl", folder / "hands.jsonl")
        load(["hands.jsonl"], store, replace=True)
    return store
