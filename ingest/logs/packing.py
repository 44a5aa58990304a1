"""What is packed: gzip and Zstandard unpacked as they are read, and how much may come out of how little.

Knows sizes and streams of bytes. Refuses to know files, names and what stands in a log.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Protocol

import zstandard

PIECE = 1 << 10
"""Bytes that are unpacked at once: even the densest of them unpack to no more than 32 MiB."""
DENSEST = 250
"""How many times its packed size a log may be, beyond ``FREELY``: logs pack 10 to 50 times, bombs a thousand times."""
FREELY = 1 << 30
DIRECTORY = 1 << 25
"""Bytes of the longest list of what is in a zip: some 400,000 files."""


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    "gz": lambda: zlib.decompressobj(31),
    "zst": lambda: zstandard.ZstdDecompressor().decompressobj(),
}


class Meter:
    """How many bytes of the outermost container have been taken, and what has come out of them."""

    def __init__(self, taken: float = 0.0) -> None:
        self._taken, self._given = taken, 0

    @property
    def taken(self) -> float:
        """Bytes of the outermost container."""
        return self._taken

    def over(self, chunks: Iterator[bytes], share: float) -> Iterator[bytes]:
        """The same chunks, each counted as this share of its size."""
        for chunk in chunks:
            self._taken += len(chunk) * share
            yield chunk

    def give(self, size: int) -> None:
        """Count bytes that have been unpacked. Raises ``OSError`` for what no log packs into so little."""
        self._given += size
        if self._given > FREELY and self._given > DENSEST * self._taken:
            raise OSError(f"unpacks to more than {DENSEST} times its size")


class Short:
    """A zip's file of which no list is read that is longer than ``DIRECTORY``: zipfile reads it whole, as it says."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable
        self.size = file.seek(0, os.SEEK_END)

    def read(self, size: int = -1) -> bytes:
        """Raises ``OSError``."""
        if size > DIRECTORY:
            raise OSError(f"its list of files is over {DIRECTORY} bytes")
        return self._file.read(size)


def unpacked(chunks: Iterator[bytes], unpacker: Callable[[], _Unpacker], meter: Meter) -> Iterator[bytes]:
    """Unpack gzip members or Zstandard frames, one after another. Raises ``EOFError`` where the last has no end."""
    current: _Unpacker | None = None
    for piece in pieces(chunks):
        left = piece
        while left:
            if current is None:
                left = left.lstrip(b"\0")  # gzip may be padded
                if not left:
                    break
                current = unpacker()
            if found := current.decompress(left):
                meter.give(len(found))
                yield found
            left = current.unused_data if current.eof else b""
            current = None if current.eof else current
    if current is not None:
        raise EOFError("the compressed data is cut off")


def pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Chunks in pieces of at most ``PIECE`` bytes."""
    return (chunk[start : start + PIECE] for chunk in chunks for start in range(0, len(chunk), PIECE))
