"""Entries a portion at a time, so that those who hold several of them hold no more than fits into memory.

Knows how large an entry is. A single one may be larger than a portion; then it is one by itself.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ingest.logs.entry import Entry

T = TypeVar("T")

PORTION = 1 << 24
"""Bytes of logs that are held at once as Python objects."""


def size_of(entry: Entry) -> int:
    """Bytes of an entry as it came."""
    return len(entry.raw)


def portions(values: Iterable[T], count: int, size: Callable[[T], int]) -> Iterator[list[T]]:
    """Lists of at most ``count`` values that have ``PORTION`` bytes together, the last of each perhaps more."""
    portion: list[T] = []
    taken = 0
    for value in values:
        portion.append(value)
        taken += size(value)
        if len(portion) >= count or taken >= PORTION:
            yield portion
            portion, taken = [], 0
    if portion:
        yield portion
