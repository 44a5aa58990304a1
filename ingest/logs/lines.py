"""Fupan's own logs a block of lines at a time, for those who read many lines at once.

Knows lines. What stands in them is what ``native.entries`` gives one by one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter

from msgspec import Struct

from ingest.logs import native
from ingest.logs.entry import Damaged, Entry, Source, broken_off, pass_over, too_long
from ingest.record import LINE_LIMIT

BLOCK = 1 << 22
"""Bytes of a block: some thousands of hands."""
FARTHEST = 1_000
"""Lines between two of a log that are passed over as if they were blank, where only some lines are at hand."""
_PIECE = 1 << 18
_END = 1 << 16
"""Bytes at the end of a block in which its last newline is looked for."""
_SPACE = 32

Piece = tuple[bytes, Damaged | None]
"""A piece of a log, at its end an empty one, with what broke it off."""


class Lines(Struct, frozen=True):
    """Whole lines of one log, one after another, not all of them blank."""

    source: str
    first: "int | Behind"
    """The number of the first, or what tells it."""
    text: bytes
    """Only the last line of a log may have no newline."""
    reported: set[str]
    """The unknown fields that this log has had so far (R106)."""
    told: list[int] = []
    """How many lines these are, once somebody who has read them says so: they need not be counted again."""

    @property
    def line(self) -> int:
        """The number of the first."""
        return self.first if isinstance(self.first, int) else self.first.line

    def entries(self) -> Iterator[Entry]:
        """The entry of every line that is not blank."""
        number, at = self.line, 0
        while at < len(self.text):
            end = self.text.find(b"\n", at) + 1 or len(self.text)
            if not self.text[at:end].isspace():
                yield self.entry(number, at, end)
            number, at = number + 1, end

    def parted(self, most: int) -> tuple["Lines", int, "Lines | None"]:
        """The first ``most`` lines that are not blank, how many they are, and what is left, if anything is."""
        lines = self.text.removesuffix(b"\n").split(b"\n")
        if len(lines) <= most and all(lines) and min(map(itemgetter(0), lines)) > _SPACE:
            return self, len(lines), None
        at = count = passed = 0
        while count < most and at < len(self.text):
            end = self.text.find(b"\n", at) + 1 or len(self.text)
            count += self.text[at] > _SPACE or not self.text[at:end].isspace()
            passed, at = passed + 1, end
        first, rest = self.text[:at], self.text[at:]
        left = Lines(self.source, self.line + passed, rest, self.reported) if rest and not rest.isspace() else None
        return Lines(self.source, self.line, first, self.reported), count, left

    def pieces(self, most: int) -> Iterator["Lines"]:
        """The same lines, ``most`` at a time, blank ones included, but for pieces that are blank."""
        number, at = self.line, 0
        while at < len(self.text):
            end = at
            for _ in range(most):
                end = self.text.find(b"\n", end) + 1 or len(self.text)
                if end == len(self.text):
                    break
            piece = Lines(self.source, number, self.text[at:end], self.reported)
            if not piece.text.isspace():
                yield piece
            number, at = number + most, end

    def entry(self, number: int, start: int, stop: int) -> Entry:
        """The entry of one line that is not blank, its newline included if it has one."""
        return entry_of_line(self.text[start:stop], self.source, number, self.reported)


class Behind:
    """The line behind some others: where that is, is found when somebody asks, who may have been told how many they
    are by then.
    """

    def __init__(self, lines: Lines) -> None:
        self._place: int | Lines = lines

    @property
    def line(self) -> int:
        """Its number."""
        place = self._place
        if isinstance(place, Lines):
            place = self._place = place.line + (place.told[0] if place.told else _newlines(place.text))
        return place


def entry_of_line(line: bytes, source: str, number: int, reported: set[str]) -> Entry:
    """The entry of one line that is not blank; the last of a log may have no newline."""
    raw = line.rstrip(b"\r\n")
    return native.entry_of(raw, source, number, reported, last=len(raw) == len(line))


def spaced(source: str, lines: Sequence[tuple[int, bytes]], reported: set[str], *, ends: bool = True) -> Lines:
    """Some lines of a log by their numbers, in order; in place of what lay between them, blank ones.

    ``ends``: whether the last has its newline.
    """
    line = lines[0][0] - 1
    text = []
    for number, each in lines:
        text.append(each if number == line + 1 else b"\n" * (number - line - 1) + each)
        line = number
    return Lines(source, lines[0][0], b"\n".join(text) + (b"\n" if ends else b""), reported)


def blocks(source: Source, size: int = BLOCK, limit: int = LINE_LIMIT) -> Iterator[Lines | Entry]:
    """Every line of a log that is not blank; an entry for a line of more than ``limit`` bytes, and for what is lost.

    ``size``: bytes of a block; it may be more by a line. ``limit`` is far above it.
    """
    first: int | Behind = 1
    reported = set[str]()
    for text in _stretches(source, size):
        lines = Lines(source.name, first, text, reported)
        if not text.isspace():
            yield lines
        first = Behind(lines) if not lines.told else lines.line + lines.told[0]
        del lines, text  # the next takes their room
    pieces = _pieces(source)
    piece, problem = next(pieces)
    if piece or problem:
        number = first if isinstance(first, int) else first.line
        yield from _pieced(source, chain([(piece, problem)], pieces), number, reported, size, limit)


def _stretches(source: Source, size: int) -> Iterator[bytes]:
    """Whole lines, no more than ``size`` bytes at a time, which a file gives as they stand, without being put together;
    what it does not give so is left in the stream.
    """
    if source.part is None:
        return
    at, room = source.stream.tell(), min(size, _END)
    try:
        while True:
            end = source.part(at + size - room, room)
            text = source.part(at, size - room + end.rfind(b"\n") + 1 if len(end) == room else size)
            if not text.endswith(b"\n"):
                break
            at += len(text)
            yield text
            del text
    except Damaged:
        pass  # the stream says so, from where this ended
    source.stream.seek(at)


def _pieced(
    source: Source, pieces: Iterable[Piece], number: int, reported: set[str], size: int, limit: int
) -> Iterator[Lines | Entry]:
    """The lines of what is left in the stream, ``number`` that of the first."""
    held, length, has_line = [], 0, False
    for piece, problem in pieces:
        held.append(piece)
        length, has_line = length + len(piece), has_line or b"\n" in piece
        if piece and (length < size or not (has_line or length > limit)):
            continue
        whole, rest = _parted(held, is_last=not (piece or problem))
        first = whole.find(b"\n") + 1
        if (first or length) > limit:  # only the first line can be: a block without it would have ended before
            text = whole or rest
            yield too_long(source.name, number, text[: limit + 1], limit)
            if not first:
                pass_over(source.stream, text[-1:])
            whole, rest = whole[first:] if first else b"", rest if first else b""
            number += 1
        held, length, has_line = [rest], len(rest), False
        if whole and not whole.isspace():
            lines = Lines(source.name, number, whole, reported)
            yield lines
            number += lines.told[0] if lines.told else _newlines(whole)
        else:
            number += _newlines(whole)
        if problem:
            yield broken_off(source.name, number, problem)


def _newlines(text: bytes) -> int:
    return len(text) - len(text.replace(b"\n", b""))  # counting them takes three times as long


def _parted(pieces: list[bytes], *, is_last: bool) -> tuple[bytes, bytes]:
    """All up to the end of the last whole line, and the rest; ``is_last``: the rest is a line too."""
    end = len(pieces[-1]) if is_last else pieces[-1].rfind(b"\n") + 1
    if end or is_last:
        return b"".join([*pieces[:-1], pieces[-1][:end]]), pieces[-1][end:]
    text = b"".join(pieces)
    end = text.rfind(b"\n") + 1
    return text[:end], text[end:]


def _pieces(source: Source) -> Iterator[Piece]:
    """A log piece by piece; at its end an empty one, with what broke it off."""
    try:
        while piece := source.stream.read1(_PIECE):
            yield piece, None
    except Damaged as problem:
        yield b"", problem
    else:
        yield b"", None
