"""Of which stored hands it is not known that no other has their id and none is the same (R108, R109).

Knows the digests that a store has. By eight bytes of each, 16 bytes a hand in memory: who only seems to be like another
is held against those before it, which says whether it is. Of the others nothing need be remembered.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ingest.store import Manifest

_COLUMNS = ("id_digest", "digest", "played")
Words = NDArray[np.uint64]


def not_alone(store: Path, manifest: Manifest) -> NDArray[np.int64]:
    """The hands that are not, by number, in order."""
    paths = manifest.paths(store, "hands")
    found = [_words(pq.read_table(path, columns=[*_COLUMNS], use_threads=False)) for path in paths]
    ids, hands = (_repeated([each[place] for each in found]) for place in range(2))
    if not len(ids) and not len(hands):
        return np.zeros(0, np.int64)
    marked = [np.isin(named, ids) | np.isin(known, hands) for named, known in found]
    numbers = [pq.read_table(path, columns=["hand"])["hand"].to_numpy() for path in paths]
    return np.sort(np.concatenate([each[mark] for each, mark in zip(numbers, marked, strict=True)]))


def _words(hands: pa.Table) -> tuple[Words, Words]:
    """The first eight bytes of the id, and of what is the same of all records of a hand; 0 where there is none."""
    ids, contents, played = (_first(hands[name]) for name in _COLUMNS)
    return ids, np.where(played == 0, contents, played)


def _first(column: pa.ChunkedArray) -> Words:
    """The first eight bytes of each; 0 for null."""
    array = column.combine_chunks()
    words: Any = np.frombuffer(array.buffers()[1], np.uint64).reshape(-1, 2)[
        array.offset : array.offset + len(array), 0
    ]
    return np.where(array.is_valid().to_numpy(zero_copy_only=False), words, 0) if array.null_count else words


def _repeated(words: list[Words]) -> Words:
    """What is met more than once, in order."""
    every = np.sort(np.concatenate([np.zeros(0, np.uint64), *words]))
    return np.unique(every[1:][every[1:] == every[:-1]])
