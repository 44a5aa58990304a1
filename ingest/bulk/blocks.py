"""Blocks of lines as flat arrays (``ingest.bulk.layout``): where every text stands, and every number.

Knows bytes and lines. Refuses to know what a record means.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.bulk.compiled.machine import PADDING
from ingest.bulk.compiled.reader import READ, TOO_MANY_LINES, read_block
from ingest.bulk.layout import NUMBERS, TEXTS

Bytes = NDArray[np.uint8]


class TooManyLines(Exception):
    """A block has more lines than are looked at together: it is for pieces."""


class Block(Struct, frozen=True):
    """Lines that have been read. Row i of every array is the i-th line that is not blank."""

    text: Bytes
    """The bytes, which end with a newline."""
    texts: NDArray[np.int32]
    numbers: NDArray[np.int64]
    is_read: NDArray[np.bool_]
    """Whether a line is a record in its plain spelling; of the others nothing but their place is known."""
    lines: int
    """Lines, blank ones included."""
    is_packed: bool = False
    """Whether the bytes are packed hands in place of lines (``ingest.bulk.packing``)."""

    def bytes_of(self, start: int, stop: int) -> bytes:
        """Some of the bytes."""
        return self.text[start:stop].tobytes()


class Reader:
    """Reads blocks one after another into the same arrays: what a block has is gone when the next is read."""

    def __init__(self, rules: Sequence[str]) -> None:
        """``rules``: the names of rulesets that ``Number.RULES`` tells apart."""
        self._names = names_as_rows(rules)
        self._texts: Any = np.empty((0, TEXTS, 2), np.int32)
        self._numbers: Any = np.empty((0, NUMBERS), np.int64)
        self._status: Any = np.empty(0, np.uint8)
        self._text: Any = np.empty(0, np.uint8)

    def read(self, lines: bytes | bytearray | memoryview, most: int | None = None) -> Block:
        """Read lines; a newline behind the last of them is put there where it is missing.

        Raises ``TooManyLines`` where they are more than there was room for so far, and more than ``most``.
        """
        text = self._room_for(lines)
        rows, count = self._read(text)
        if rows == TOO_MANY_LINES:
            room = int(np.count_nonzero(text == 10))
            if most is not None and room > most:
                raise TooManyLines
            room += room // 8  # the next block may have more
            self._texts = np.empty((room, TEXTS, 2), np.int32)
            self._numbers = np.empty((room, NUMBERS), np.int64)
            self._status = np.empty(room, np.uint8)
            rows, count = self._read(text)
        return Block(text, self._texts[:rows], self._numbers[:rows], self._status[:rows] == READ, count)

    def _read(self, text: Bytes) -> tuple[int, int]:
        rows, count = read_block(text, self._names, self._texts, self._numbers, self._status)
        return int(rows), int(count)

    def _room_for(self, lines: bytes | bytearray | memoryview) -> Bytes:
        size = len(lines)
        if size + PADDING + 1 > len(self._text):
            self._text = np.zeros(size + PADDING + 1, np.uint8)
        self._text[:size] = np.frombuffer(lines, np.uint8)
        if size and self._text[size - 1] != 10:
            self._text[size] = 10
            size += 1
        text: Bytes = self._text[:size]
        return text


def names_as_rows(names: Sequence[str]) -> Bytes:
    """Names as rows of bytes, each with a zero behind it."""
    width = max(map(len, names), default=0) + 1
    rows = [name.encode().ljust(width, b"\0") for name in names]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), width)
