"""Of which stored hands it is known that no other has their id and none is the same, so that nothing of that kind is
to be said of them (R108, R109).

Knows the digests that a store has. By eight bytes of each, 16 bytes a hand in memory: hands that only seem to be alike
are audited among the others, which says whether they are.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ingest.store import Manifest

COLUMNS = ("id_digest", "digest", "played")
Words = NDArray[np.uint64]


class Alone:
    """What is met more than once in a store."""

    def __init__(self, store: Path, manifest: Manifest) -> None:
        found = [_words(pq.read_table(path, columns=[*COLUMNS])) for path in manifest.paths(store, "hands")]
        self._ids, self._hands = (_repeated([each[place] for each in found]) for place in range(2))

    def rows(self, hands: pa.Table) -> NDArray[np.bool_]:
        """Which rows of a table with ``COLUMNS`` are alone."""
        if not len(self._ids) and not len(self._hands):
            return np.ones(len(hands), np.bool_)
        ids, keys = _words(hands)
        return ~(np.isin(ids, self._ids) | np.isin(keys, self._hands))


def _words(hands: pa.Table) -> tuple[Words, Words]:
    """The first eight bytes of the id, and of what is the same of all records of a hand; 0 where there is none."""
    ids, contents, played = (_first(hands[name]) for name in COLUMNS)
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
