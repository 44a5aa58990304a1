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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

import msgspec
import zstandard

from ingest.logs.encodings import BOM, codec, encoding_of, turned
from ingest.logs.entry import DAMAGED, HEAD, Damaged, Entry, Source, unrecognised
from ingest.logs.logbook import Logbook
from ingest.logs.packing import UNPACKERS, Meter, Short, pieces, unpacked

CHUNK = 1 << 18
BUFFER = 1 << 20
SPOOL = 1 << 24
"""Bytes of a zip without random access that are kept in memory; beyond that it goes to a temporary file."""
SPOOL_LIMIT = 1 << 32
_OPEN_ALREADY = (Path("/dev/fd"), Path("/proc/self/fd"))
"""Where a shell names pipes that it has opened; another pipe may wait for a writer for ever."""
_MAGIC = {b"\x1f\x8b": "gz", b"\x28\xb5\x2f\xfd": "zst", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
_SKIPPABLE = b"\x2a\x4d\x18"
_SUFFIXES = (".gz", ".zst", ".zip")
_NESTING = 2
_UTF8_NAME = 0x800

_ZIP_TROUBLE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, OverflowError, struct.error)
_TROUBLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, *_ZIP_TROUBLE)
"""What reading and unpacking raise for broken files. ``RuntimeError`` is how zipfile asks for a password."""


class _Way(msgspec.Struct, frozen=True):
    """What everything that is opened on the way needs: who is told, and an encoding that was asked for."""

    logbook: Logbook
    encoding: str | None

    def pass_over(self, name: str) -> tuple[()]:
        """Leave something alone, and say so."""
        self.logbook.pass_over(name)
        return ()


class _Parcel(msgspec.Struct, frozen=True):
    """Bytes on their way to being a log."""

    name: str
    title: str
    chunks: Iterator[bytes]
    file: IO[bytes] | None = None
    """The same bytes with random access, where there is one."""
    depth: int = 0
    """How many containers they have been taken out of."""
    meter: Meter | None = None
    """Of the outermost of these, if there is one."""


class _Zip(msgspec.Struct, frozen=True):
    """A zip that is open."""

    parcel: _Parcel
    archive: zipfile.ZipFile
    share: float
    """How many bytes of the outermost container each of its bytes is."""
    meter: Meter
    """Of all its members together."""


def opened(
    paths: Iterable[str], stdin: BinaryIO, logbook: Logbook, encoding: str | None = None
) -> Iterator[Source | Entry]:
    """Every log under these paths, in order; an entry with R112 for what cannot be opened or unpacked.

    A source must be read before the next is asked for. Reading it may raise ``Damaged``. ``encoding``: of every log,
    instead of telling it from each.
    """
    way = _Way(logbook, encoding)
    for path in paths:
        if path == "-":
            yield from _unpacked(_Parcel("-", "-", _chunks(stdin, way)), way)
        else:
            yield from _file_or_folder(Path(path), way)


def opened_file(file: IO[bytes], name: str, logbook: Logbook) -> Iterator[Source | Entry]:
    """The logs in a file that is open and has random access, as ``opened`` has those of a file of this name."""
    way = _Way(logbook, None)
    yield from _unpacked(_Parcel(name, Path(name).name.lower(), _chunks(file, way), file), way)


def _file_or_folder(path: Path, way: _Way, *, follow: bool = True) -> Iterator[Source | Entry]:
    """What a path stands for; nothing for a link to a folder unless it is to be followed."""
    try:
        mode = path.stat().st_mode
    except OSError as problem:
        yield unrecognised(_shown(path), _reason(problem))
        return
    if stat.S_ISDIR(mode):
        yield from _folder(path, way) if follow or not path.is_symlink() else way.pass_over(_shown(path))
    elif stat.S_ISREG(mode) or (follow and path.parent in _OPEN_ALREADY):
        yield from _file(path, way)
    elif follow:
        yield unrecognised(_shown(path), "a pipe or a device, no file: - reads standard input")
    else:
        way.pass_over(_shown(path))


def _folder(folder: Path, way: _Way) -> Iterator[Source | Entry]:
    """A folder's regular files by name, folders in their place; links to folders are not followed."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as problem:
        yield unrecognised(_shown(folder), _reason(problem))
        return
    for path in paths:
        if _is_hidden(path.name):
            way.pass_over(_shown(path))
        else:
            yield from _file_or_folder(path, way, follow=False)


def _is_hidden(name: str) -> bool:
    return (name.startswith(".") and name not in (".", "..")) or name == "__MACOSX"


def _file(path: Path, way: _Way) -> Iterator[Source | Entry]:
    try:
        file = path.open("rb")
    except OSError as problem:
        yield unrecognised(_shown(path), _reason(problem))
        return
    with file:
        whole = file if file.seekable() else None
        yield from _unpacked(_Parcel(_shown(path), path.name.lower(), _chunks(file, way), whole), way)


def _shown(path: Path) -> str:
    """A path as text that can be written anywhere, whatever bytes it has."""
    return os.fsencode(path).decode(errors="replace")


def _reason(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return str(problem) or type(problem).__name__


def _chunks(file: IO[bytes], way: _Way | None = None) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        if way is not None:
            way.logbook.read += len(chunk)
        yield chunk


def _unpacked(parcel: _Parcel, way: _Way) -> Iterator[Source | Entry]:
    """The logs in a parcel: itself, or what its container holds."""
    head, chunks = _beginning(parcel.chunks)
    kind = _container(head)
    if kind is None:
        yield from _source(parcel, head, chunks, way)
    elif kind == "tar":
        yield unrecognised(parcel.name, "a tar archive: unpack it first")
    elif parcel.depth == _NESTING:
        yield unrecognised(parcel.name, "an archive in an archive in an archive")
    elif kind == "zip":
        yield from _members(parcel, chunks, way)
    else:
        meter = parcel.meter or Meter()
        inner = unpacked(chunks if parcel.meter else meter.over(pieces(chunks), 1.0), UNPACKERS[kind], meter)
        inner = _told(inner, way.logbook)
        title = _without_suffix(parcel.title)
        yield from _unpacked(_Parcel(parcel.name, title, inner, depth=parcel.depth + 1, meter=meter), way)


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
    if head[257:262] == b"ustar":
        return "tar"
    if head[1:4] == _SKIPPABLE and 0x50 <= head[0] <= 0x5F:
        return "zst"
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def _told(chunks: Iterator[bytes], logbook: Logbook) -> Iterator[bytes]:
    """The same chunks, of which the logbook is told that they were unpacked."""
    for chunk in chunks:
        logbook.unpacked += len(chunk)
        yield chunk


def _without_suffix(title: str) -> str:
    return title.rpartition(".")[0] if title.endswith(_SUFFIXES) else title


def _source(parcel: _Parcel, head: bytes, chunks: Iterator[bytes], way: _Way) -> Iterator[Source]:
    encoding = codec(way.encoding) if way.encoding else encoding_of(head)
    start = len(BOM) if encoding is None and head.startswith(BOM) else 0
    if encoding is None and parcel.file is not None:
        plain = _Plain(parcel.file, start, way.logbook)
        head = head[start : start + HEAD]
        yield Source(parcel.name, parcel.title, head, io.BufferedReader(plain, BUFFER), part=plain.part)
        return
    if encoding is not None:
        head, chunks = _beginning(turned(chunks, encoding))
    elif start:
        head = head[start:]
        next(chunks)
        chunks = _joined(head, chunks)
    stream: io.BufferedReader = io.BufferedReader(_Stream(chunks), BUFFER)
    yield Source(parcel.name, parcel.title, head[:HEAD], stream, encoding)


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


class _Plain(io.RawIOBase):
    """A file as it stands, of which any part may be read, and which is copied once. Raises ``Damaged``."""

    def __init__(self, file: IO[bytes], start: int, logbook: Logbook) -> None:
        """``start``: where its text begins. Of what has been read of it so far the logbook knows."""
        self._file, self._at, self._logbook = file, start, logbook
        self._known = file.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Only from the beginning, and from where it is."""
        self._at = offset + (self._at if whence == os.SEEK_CUR else 0)
        return self._at

    def readinto(self, buffer: Any) -> int:
        piece = self.part(self._at, len(buffer))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def part(self, start: int, size: int) -> bytes:
        """So many bytes from a place on, fewer at the end."""
        try:
            self._file.seek(start)
            piece = self._file.read(size)
        except OSError as problem:
            raise Damaged(_reason(problem)) from problem
        self._logbook.read += max(start + len(piece) - self._known, 0)
        self._known = max(start + len(piece), self._known)
        return piece


def _members(parcel: _Parcel, chunks: Iterator[bytes], way: _Way) -> Iterator[Source | Entry]:
    """The logs in a zip, by name."""
    if parcel.file is not None:
        way.logbook.read -= parcel.file.tell()  # its members are counted one by one
    try:
        file = parcel.file or _spooled(chunks)
    except _TROUBLE as problem:
        yield unrecognised(parcel.name, f"{DAMAGED} archive: {_reason(problem)}")
        return
    with file:
        short = Short(file)
        size = min(short.size, parcel.meter.taken) if parcel.meter else short.size
        try:
            archive = zipfile.ZipFile(short)
            members = _visible(parcel, archive, size, way)
        except _TROUBLE as problem:
            yield unrecognised(parcel.name, f"{DAMAGED} archive: {_reason(problem)}")
            return
        within = _Zip(parcel, archive, size / short.size, Meter())
        for member in members:
            yield from _member(within, member, way)
            if parcel.file is not None:
                way.logbook.read += member.compress_size
        if not members:
            yield unrecognised(parcel.name, "the archive is empty")


def _visible(parcel: _Parcel, archive: zipfile.ZipFile, size: float, way: _Way) -> list[zipfile.ZipInfo]:
    """What may be logs in a zip of a size, by name. Raises ``OSError`` for a bomb."""
    files = (member for member in archive.infolist() if not member.filename.endswith("/"))
    members = sorted(files, key=_member_name)
    packed = min(size, sum(member.compress_size for member in members))  # they may lie over each other
    Meter(packed).give(sum(member.file_size for member in members))
    shown = []
    for member in members:
        if any(map(_is_hidden, Path(_member_name(member)).parts)):
            way.pass_over(_member_shown(parcel, member))
        else:
            shown.append(member)
            way.logbook.unpacked += member.file_size
    return shown


def _member(within: _Zip, member: zipfile.ZipInfo, way: _Way) -> Iterator[Source | Entry]:
    """The logs in a member of a zip."""
    name = _member_shown(within.parcel, member)
    try:
        file = within.archive.open(member)
    except _TROUBLE as problem:
        yield unrecognised(name, f"{DAMAGED} archive: {_reason(problem)}")
        return
    with file:
        title = Path(_member_name(member)).name.lower()
        share = within.share * min(1.0, member.compress_size / max(member.file_size, 1))
        chunks = within.meter.over(_chunks(file), share)
        yield from _unpacked(_Parcel(name, title, chunks, depth=within.parcel.depth + 1, meter=within.meter), way)


def _member_shown(parcel: _Parcel, member: zipfile.ZipInfo) -> str:
    return f"{parcel.name}/{_shown(Path(_member_name(member)))}"


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
