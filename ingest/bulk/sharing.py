"""Memory that forked processes share: the text of a block goes to one of them, and the arrays of it come back.

Knows bytes and arrays. Refuses to know what they mean. A slot has room for a text, and behind it for arrays.
"""

import mmap
from collections.abc import Mapping
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

TEXT = 5 << 20
"""Bytes of the longest text."""
ARRAYS = 8 << 20
"""Bytes of all arrays of a text."""
_LINE = 64
"""Bytes that the processor has at hand together: every array begins with some."""

T = TypeVar("T", bound=Struct)


class Where(Struct, frozen=True):
    """Where an array lies in a slot."""

    start: int
    shape: tuple[int, ...]
    type: str


Arrays = Mapping[str, Where | NDArray[Any]]


class Room:
    """Room for the arrays of one text: those of ordinary size are shared."""

    def __init__(self, memory: memoryview | None = None) -> None:
        self._memory, self._at = memory, 0
        self._where: dict[int, Where] = {}

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Any:
        """An array of zeros."""
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if self._memory is None or self._at + size > len(self._memory):
            return np.zeros(shape, kind)
        array = _array(self._memory, where := Where(self._at, shape, np.dtype(kind).str))
        array[...] = 0
        self._where[id(array)] = where
        self._at += -(-size // _LINE) * _LINE
        return array

    def parted(self, whole: T) -> tuple[T, Arrays]:
        """A struct without its arrays, and these, or where they lie."""
        arrays = {name: value for name, value in structs.asdict(whole).items() if isinstance(value, np.ndarray)}
        none = {name: value[:0].copy() for name, value in arrays.items()}
        return structs.replace(whole, **none), {name: self._where.get(id(a), a) for name, a in arrays.items()}


class Shared:
    """Slots that all processes have which are forked while it is there."""

    def __init__(self, slots: int) -> None:
        self._memory: memoryview = memoryview(mmap.mmap(-1, slots * (TEXT + ARRAYS)))
        self._free: list[int] = [*range(slots)]

    def put(self, text: bytes) -> int | None:
        """Put a text into a free slot; its number, None where there is no room for it."""
        if len(text) > TEXT or not self._free:
            return None
        slot = self._free.pop()
        start = slot * (TEXT + ARRAYS)
        self._memory[start : start + len(text)] = text
        return slot

    def free(self, slot: int) -> None:
        """Of what a slot holds nothing is needed any more."""
        self._free.append(slot)

    def text(self, slot: int, size: int) -> memoryview:
        """The text in a slot, which has this size: good until the slot is free."""
        start = slot * (TEXT + ARRAYS)
        return self._memory[start : start + size]

    def room(self, slot: int) -> memoryview:
        """The bytes for the arrays of a slot."""
        start = slot * (TEXT + ARRAYS) + TEXT
        return self._memory[start : start + ARRAYS]

    def joined(self, slot: int, rest: T, arrays: Arrays) -> T:
        """A struct with its arrays, as they lie in a slot: good until that is free."""
        room = self.room(slot)
        found = {name: _array(room, each) if isinstance(each, Where) else each for name, each in arrays.items()}
        return structs.replace(rest, **found)


def _array(memory: memoryview, where: Where) -> Any:
    kind, count = np.dtype(where.type), int(np.prod(where.shape))
    return np.frombuffer(memory, kind, count, where.start).reshape(where.shape)


def shared(slots: int) -> Shared | None:
    """So many slots; None where processes are not forked, so that they share nothing."""
    return Shared(slots) if get_context().get_start_method() == "fork" else None
