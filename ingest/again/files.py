"""Which of several files that had one name each stored hand is of.

A log has the name that it had when it was loaded: from another folder the same name is another file. The store has no
more of it than digests, but an id stands for one hand in a file, so that a name under which it stands for two was that
of two. Knows runs of lines and ids. Refuses to know hands.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ingest.store import Manifest

Numbers = NDArray[np.int64]
_NAMED = ["source", "id"]


class Files:
    """The files of a store that are named alike, by number: 0 for all others."""

    def __init__(self, begins: Numbers, files: Numbers) -> None:
        """``begins``: hands, in order, with which lines of a file begin, and the number of that file for each."""
        self._begins, self._files = begins, files

    def of(self, hands: Numbers) -> Numbers:
        """The file of each of these hands."""
        found: Numbers = self._files[np.searchsorted(self._begins, hands, "right") - 1]
        return found


def named(source: str, file: int) -> str:
    """A name that no other file has."""
    return f"{source}\0{file}" if file else source


def files_of(store: Path, manifest: Manifest) -> Files:
    """The files of a store."""
    hands = _columns(store, manifest, "hand", "source", "line")
    begins, names = _runs(hands)
    files = np.zeros(len(begins), np.int64)
    if len(set(names)) < len(names):
        _tell_apart(_columns(store, manifest, "hand", *_NAMED, "id_digest"), begins, files)
    return Files(begins, files)


def _columns(store: Path, manifest: Manifest, *names: str) -> pa.Table:
    """Columns of all hands, in order."""
    paths = manifest.paths(store, "hands")
    read = [pq.read_table(path, columns=[*names], use_threads=False, read_dictionary=["source"]) for path in paths]
    return pa.concat_tables(read).unify_dictionaries().sort_by("hand")


def _runs(hands: pa.Table) -> tuple[Numbers, list[str]]:
    """The hands with which a run of lines begins, one after another in one file, and the name of each run's file."""
    source: Any = hands["source"].combine_chunks()
    names, lines = source.indices.to_numpy(), hands["line"].to_numpy()
    is_first = np.ones(len(names), np.bool_)
    is_first[1:] = (names[1:] != names[:-1]) | (lines[1:] <= lines[:-1])
    return hands["hand"].to_numpy()[is_first], source.filter(pa.array(is_first)).to_pylist()


def _tell_apart(hands: pa.Table, begins: Numbers, files: Numbers) -> None:
    """Number the files of runs: each is of the first under whose ids stands what stands there in the run."""
    known: dict[tuple[str, int], dict[str, bytes]] = {}
    for run, source, ids in _by_run(_ambiguous(hands), begins):
        file = 0
        while any(known.get((source, file), {}).get(id, digest) != digest for id, digest in ids.items()):
            file += 1
        known.setdefault((source, file), {}).update(ids)
        files[run] = file


def _ambiguous(hands: pa.Table) -> pa.Table:
    """The hands whose id stands for another under the same name, too, in order."""
    hands = hands.set_column(1, "source", hands["source"].cast(pa.string())).filter(hands["id_digest"].is_valid())
    different = hands.group_by([*_NAMED, "id_digest"]).aggregate([])
    counted = different.group_by(_NAMED).aggregate([("id_digest", "count")])
    several = counted.filter(pc.greater(counted["id_digest_count"], 1))
    return hands.join(several.select(_NAMED), _NAMED, join_type="left semi").sort_by("hand")


def _by_run(hands: pa.Table, begins: Numbers) -> Iterator[tuple[int, str, dict[str, bytes]]]:
    """The runs of these hands, with their name and their ids with the digest of each."""
    runs = np.searchsorted(begins, hands["hand"].to_numpy(), "right") - 1
    rows: Iterable[tuple[int, str, str, bytes]] = zip(
        runs.tolist(), *(hands[name].to_pylist() for name in (*_NAMED, "id_digest")), strict=True
    )
    ids: dict[tuple[int, str], dict[str, bytes]] = {}
    for run, source, id, digest in rows:
        ids.setdefault((run, source), {})[id] = digest
    for (run, source), each in ids.items():
        yield run, source, each
