"""Paths in, opened logs out: files, folders, standard input, and what is packed in gzip, Zstandard or zip.

Knows names and containers, by their first bytes rather than by their name. Refuses to know what stands in a log.
Archives may hold archives, one level deep. Memory stays bounded: nothing is unpacked ahead of its reader.
"""

import io
import lzma
import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

import msgspec
import zstandard

from ingest.logs.entry import BOM, HEAD, Damaged, Entry, Source, unrecognised

CHUNK = 1 << 18
PIECE = 1 << 10
"""Bytes that are unpacked at once: even the densest of them unpack to no more than 32 MiB."""
BUFFER = 1 << 20
SPOOL = 1 << 24
"""Bytes of a zip without random access that are kept in memory; beyond that it goes to a temporary file."""
SPOOL_LIMIT = 1 << 32

_MAGIC = {b"\x1f\x8b": "gz", b"\x28\xb5\x2f\xfd": "zst", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
_SKIPPABLE = b"\x2a\x4d\x18"
_SUFFIXES = (".gz", ".zst", ".zip")
_NESTING = 2
_UTF8_NAME = 0x800

_ZIP_TROUBLE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, OverflowError, struct.error)
_TROUBLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, *_ZIP_TROUBLE)
"""What reading and unpacking raise for broken files. ``RuntimeError`` is how zipfile asks for a password."""


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    "gz": lambda: zlib.decompressobj(31),
    "zst": lambda: zstandard.ZstdDecompressor().decompressobj(),
}


class _Parcel(msgspec.Struct, frozen=True):
    """Bytes on their way to being a log."""

    name: str
    title: str
    chunks: Iterator[bytes]
    file: IO[bytes] | None = None
    """The same bytes with random access, where there is one."""
    depth: int = 0
    """How many containers they have been taken out of."""


def opened(paths: Iterable[str], stdin: BinaryIO) -> Iterator[Source | Entry]:
    """Every log under these paths, in order; an entry with R112 for what cannot be opened or unpacked.

    A source must be read before the next is asked for. Reading it may raise ``Damaged``.
    """
    for path in paths:
        if path == "-":
            yield from _unpacked(_Parcel("-", "-", _chunks(stdin)))
        else:
            yield from _file_or_folder(Path(path))


def _file_or_folder(path: Path, *, follow: bool = True) -> Iterator[Source | Entry]:
    """What a path stands for; nothing for a link to a folder unless it is to be followed."""
    try:
        mode = path.stat().st_mode
    except OSError as problem:
        yield unrecognised(_shown(path), _reason(problem))
        return
    if not stat.S_ISDIR(mode):
        yield from _file(path) if follow or stat.S_ISREG(mode) else ()
    elif follow or not path.is_symlink():
        yield from _folder(path)


def _folder(folder: Path) -> Iterator[Source | Entry]:
    """A folder's regular files by name, folders in their place; links to folders are not followed."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as problem:
        yield unrecognised(_shown(folder), _reason(problem))
        return
    for path in paths:
        if not _is_hidden(path.name):
            yield from _file_or_folder(path, follow=False)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _file(path: Path) -> Iterator[Source | Entry]:
    try:
        file = path.open("rb")
    except OSError as problem:
        yield unrecognised(_shown(path), _reason(problem))
        return
    with file:
        yield from _unpacked(_Parcel(_shown(path), path.name.lower(), _chunks(file), file if file.seekable() else None))


def _shown(path: Path) -> str:
    """A path as text that can be written anywhere, whatever bytes it has."""
    return os.fsencode(path).decode(errors="replace")


def _reason(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return str(problem) or type(problem).__name__


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _unpacked(parcel: _Parcel) -> Iterator[Source | Entry]:
    """The logs in a parcel: itself, or what its container holds."""
    head, chunks = _beginning(parcel.chunks)
    kind = _container(head)
    if kind is None:
        yield from _source(parcel, head, chunks)
    elif parcel.depth == _NESTING:
        yield unrecognised(parcel.name, "an archive in an archive in an archive")
    elif kind == "zip":
        yield from _members(parcel, chunks)
    else:
        inner = _unpack(chunks, _UNPACKERS[kind])
        yield from _unpacked(_Parcel(parcel.name, _without_suffix(parcel.title), inner, depth=parcel.depth + 1))


def _beginning(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes, and all of them. A stream that breaks off among them does so again after them."""
    taken, size = [], 0
    try:
        for chunk in chunks:
            taken.append(chunk)
            size += len(chunk)
            if size >= HEAD:
                break
    except _TROUBLE as problem:
        head = b"".join(taken)
        return head, _joined(head, chunks, problem)
    head = b"".join(taken)
    return head, _joined(head, chunks)


def _joined(head: bytes, rest: Iterator[bytes], problem: Exception | None = None) -> Iterator[bytes]:
    if head:
        yield head
    if problem:
        raise problem
    yield from rest


def _container(head: bytes) -> str | None:
    if head[1:4] == _SKIPPABLE and 0x50 <= head[0] <= 0x5F:
        return "zst"
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def _without_suffix(title: str) -> str:
    return title.rpartition(".")[0] if title.endswith(_SUFFIXES) else title


def _source(parcel: _Parcel, head: bytes, chunks: Iterator[bytes]) -> Iterator[Source]:
    if head.startswith(BOM):
        head = head.removeprefix(BOM)
        next(chunks)
        chunks = _joined(head, chunks)
    yield Source(parcel.name, parcel.title, head[:HEAD], io.BufferedReader(_Stream(chunks), BUFFER))


class _Stream(io.RawIOBase):
    """Chunks as a readable stream, so that lines are found in C. Raises ``Damaged``."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = memoryview(self._next())
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size

    def _next(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except _TROUBLE as problem:
            raise Damaged(_reason(problem)) from problem


def _unpack(chunks: Iterator[bytes], unpacker: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Unpack gzip members or Zstandard frames, one after another. Raises ``EOFError`` where the last has no end."""
    current: _Unpacker | None = None
    for piece in _pieces(chunks):
        left = piece
        while left:
            if current is None:
                left = left.lstrip(b"\0")  # gzip may be padded
                if not left:
                    break
                current = unpacker()
            if unpacked := current.decompress(left):
                yield unpacked
            left = current.unused_data if current.eof else b""
            current = None if current.eof else current
    if current is not None:
        raise EOFError("the compressed data is cut off")


def _pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    return (chunk[start : start + PIECE] for chunk in chunks for start in range(0, len(chunk), PIECE))


def _members(parcel: _Parcel, chunks: Iterator[bytes]) -> Iterator[Source | Entry]:
    """The logs in a zip, by name."""
    try:
        file = parcel.file or _spooled(chunks)
    except _TROUBLE as problem:
        yield unrecognised(parcel.name, f"damaged archive: {_reason(problem)}")
        return
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except _TROUBLE as problem:
            yield unrecognised(parcel.name, f"damaged archive: {_reason(problem)}")
        else:
            yield from _archive(parcel, archive)


def _archive(parcel: _Parcel, archive: zipfile.ZipFile) -> Iterator[Source | Entry]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    for member in sorted(members, key=_member_name):
        if not any(map(_is_hidden, Path(_member_name(member)).parts)):
            yield from _member(parcel, archive, member)
    if not members:
        yield unrecognised(parcel.name, "the archive is empty")


def _member(parcel: _Parcel, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[Source | Entry]:
    path = Path(_member_name(member))
    name = f"{parcel.name}/{_shown(path)}"
    try:
        file = archive.open(member)
    except _TROUBLE as problem:
        yield unrecognised(name, f"damaged archive: {_reason(problem)}")
        return
    with file:
        yield from _unpacked(_Parcel(name, path.name.lower(), _chunks(file), depth=parcel.depth + 1))


def _member_name(member: zipfile.ZipInfo) -> str:
    """A member's name; one that is not marked as UTF-8 is most likely Chinese (GB18030), as Windows writes it."""
    if member.flag_bits & _UTF8_NAME or member.filename.isascii():
        return member.filename
    for encoding in ("utf-8", "gb18030"):
        try:
            return member.filename.encode("cp437").decode(encoding)
        except UnicodeError:
            continue
    return member.filename


def _spooled(chunks: Iterator[bytes]) -> IO[bytes]:
    """The bytes of a zip with random access. Raises ``OSError`` beyond ``SPOOL_LIMIT``."""
    spool = tempfile.SpooledTemporaryFile(max_size=SPOOL)  # noqa: SIM115 - lives as long as its archive
    try:
        for chunk in chunks:
            spool.write(chunk)
            if spool.tell() > SPOOL_LIMIT:
                raise OSError(f"over {SPOOL_LIMIT} bytes without random access")
    except BaseException:
        spool.close()
        raise
    return spool
