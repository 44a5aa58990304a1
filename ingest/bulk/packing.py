"""Proven hands packed for a store, and blocks of them read again.

Knows columns of bytes. What stands in these says ``ingest.bulk.compiled.packing``.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.arrays import as_texts
from ingest.bulk.blocks import Block, names_as_rows
from ingest.bulk.compiled.machine import PADDING
from ingest.bulk.compiled.packing import ROOM, pack, unpack
from ingest.bulk.compiled.prove import workspace
from ingest.bulk.layout import NUMBERS, TEXTS, Number
from ingest.bulk.learning import names

Rows = NDArray[np.int64]
_OTHER = -2
"""In place of the number of a ruleset: one that is not known by its name."""


class Packer:
    """Packs hands of blocks."""

    def __init__(self) -> None:
        self._work, self._names = workspace(), names()

    def packed(self, block: Block, is_asked: NDArray[np.bool_]) -> pa.Array:
        """A row for each of a block: null for those that are not asked for, or cannot be packed."""
        rows, size = np.flatnonzero(is_asked), len(is_asked)
        letters = np.empty(len(block.text) + ROOM * len(rows), np.uint8)
        ends = np.empty(len(rows) + 1, np.int64)
        pack(block.text, block.texts, block.numbers, rows, self._names, self._work, letters, ends)
        sizes = np.zeros(size, np.int64)
        sizes[rows] = np.diff(ends)
        return as_texts(np.concatenate([[0], np.cumsum(sizes)]), letters[: ends[-1]].copy(), sizes == 0, "bytes")


class Unpacker:
    """Reads packed hands, some at a time, into the same arrays: what is told of some is gone when others are read."""

    def __init__(self, rules: Sequence[str]) -> None:
        """``rules``: as ``ingest.bulk.blocks.Reader``."""
        self._names, self._rules = rules, names_as_rows(rules)
        self._text: Any = np.zeros(0, np.uint8)
        self._texts: Any = np.empty((0, TEXTS, 2), np.int32)
        self._numbers: Any = np.empty((0, NUMBERS), np.int64)
        self._is_read: Any = np.empty(0, np.bool_)

    def block(self, packed: pa.Array) -> Block:
        """Packed hands, ``pa.binary()``, as a block; what is null or packed otherwise is not read."""
        size = len(packed)
        ends, text = self._bytes(packed)
        if size > len(self._is_read):
            self._texts, self._numbers = np.empty((size, TEXTS, 2), np.int32), np.empty((size, NUMBERS), np.int64)
            self._is_read = np.empty(size, np.bool_)
        texts, numbers, is_read = self._texts[:size], self._numbers[:size], self._is_read[:size]
        unpack(text, ends, self._rules, texts, numbers, is_read)
        return Block(text, texts, numbers, is_read, size, is_packed=True)

    def named(self, packed: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The names of the rulesets that the records of packed hands name, null where they name none; and of which that
        is known.
        """
        block = self.block(packed)
        number = np.where(block.is_read, block.numbers[:, Number.RULES], _OTHER)
        return pa.array(self._names, pa.string()).take(pa.array(number, mask=number < 0)), pa.array(number != _OTHER)

    def _bytes(self, packed: pa.Array) -> tuple[Any, NDArray[np.uint8]]:
        """Where each begins and the last ends, and the bytes, with some more behind them."""
        _, offsets, data = packed.buffers()
        if not len(packed) or data is None:
            return np.zeros(len(packed) + 1, np.int32), np.zeros(PADDING, np.uint8)
        ends = np.frombuffer(offsets, np.int32)[packed.offset : packed.offset + len(packed) + 1]
        first, last = int(ends[0]), int(ends[-1])
        if last - first + PADDING > len(self._text):
            self._text = np.zeros(last - first + PADDING, np.uint8)
        self._text[: last - first] = np.frombuffer(data, np.uint8)[first:last]
        return ends - ends[0], self._text
