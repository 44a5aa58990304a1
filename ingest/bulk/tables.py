"""Tables that compiled code looks keys up in, filled from Python: a number for each key.

Knows words and numbers. Refuses to know what they mean.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.compiled.learned import SHIFTED, insert

_SLOTS, _SIDE = 1 << 10, 1 << 8
"""Of the smallest table and the smallest grid."""


class Table:
    """Grows as keys are met; at most half full."""

    def __init__(self, words: int) -> None:
        self.size = 0
        self._words = words
        self.slots: NDArray[np.uint64] = self._empty(_SLOTS)

    def _empty(self, slots: int) -> NDArray[np.uint64]:
        """Slots of an even number of words, so that few of them lie in two lines of the processor's memory."""
        return np.zeros((slots, self._words + 2 - self._words % 2), np.uint64)

    def put(self, keys: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        """Add keys, ``uint64[n, words]``, that are not there yet."""
        self.size += len(numbers)
        if 2 * self.size > len(self.slots):
            self._grow()
        insert(self.slots, np.ascontiguousarray(keys), numbers)

    def _grow(self) -> None:
        slots = len(self.slots)
        while slots < 4 * self.size:
            slots *= 2
        used = self.slots[self.slots[:, -1] != 0]
        self.slots = self._empty(slots)
        insert(self.slots, np.ascontiguousarray(used[:, : self._words]), used[:, -1].astype(np.int64) - SHIFTED)


class Grid:
    """Numbers other than -1, by row and column, few of which are ever met; grows as they are."""

    def __init__(self) -> None:
        self.cells: NDArray[np.int16] = np.zeros((_SIDE, _SIDE), np.int16)
        """One more than each, 0 for what is not met."""

    def put(self, row: int, column: int, number: int) -> None:
        """Put a number."""
        rows, columns = self.cells.shape
        if row >= rows or column >= columns:
            grown = np.zeros((_doubled(rows, row), _doubled(columns, column)), np.int16)
            grown[:rows, :columns] = self.cells
            self.cells = grown
        self.cells[row, column] = number + 1


def _doubled(size: int, place: int) -> int:
    while place >= size:
        size *= 2
    return size


class Rows:
    """Rows of whole numbers that are added one by one."""

    def __init__(self, columns: int) -> None:
        self.size = 0
        self._rows: NDArray[np.int64] = np.zeros((64, columns), np.int64)

    def add(self, row: list[int]) -> int:
        """Add a row; its number."""
        if self.size == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[self.size] = row
        self.size += 1
        return self.size - 1

    @property
    def array(self) -> Any:
        """All rows."""
        return self._rows


def distinct(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every key once, in the order of its first row."""
    whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1] * 8))).ravel()
    _, first = np.unique(whole, return_index=True)
    return keys[np.sort(first)]
