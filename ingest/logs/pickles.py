"""Python's pickles of plain data, read without running anything that stands in them.

Knows the opcodes that make lists, tuples, dictionaries, texts, numbers, booleans and None, in the protocols 0 to 5.
Refuses every other one before it is carried out: nothing is imported, called or built. Memory stays bounded: the items
of an outermost list are given as they come, and whatever announces more than it may is refused.
"""

import io
import math
import pickletools
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol, cast

from ingest.logs.pickle_machine import STEPS, CutOff, Forbidden, Items, Machine, Map, Step, Unpicklable, weight

LONGEST = 1 << 20
"""Bytes of the longest text or number that is read."""
AT_ONCE = 1 << 21
"""Values that may be waiting to become items of the outermost list; Python's own pickles have 1,000 items wait."""
REMEMBERED = 1 << 16
"""Values that later ones may refer to, before those of finished items are forgotten; texts are not."""

ITEM = 1 << 17
"""Values in one item, whatever stands in several places counted as often."""
DEEPEST = 32
"""Lists within lists in one item."""
_LARGE = 1 << 31
STOP = b"."
_OPCODES = {opcode.code.encode("latin-1"): opcode for opcode in pickletools.opcodes}
_IMPORTS = frozenset(("GLOBAL", "INST"))
_FIRST = (b"\x80", b"(", b"]", b"}", b")")
_BEGINNING = 8
"""Opcodes by which a pickle is told from other bytes."""
_ENOUGH = 3
"""Opcodes before one that is refused or cut off, after which it must be a pickle; texts begin with one or two."""


class _Bytes(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def readline(self, size: int, /) -> bytes: ...


class _Reader:
    """A stream as the readers of ``pickletools`` want it, that gives no more than ``LONGEST`` bytes at once."""

    def __init__(self, stream: _Bytes) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        if size > LONGEST:
            raise Unpicklable(f"a value of {size} bytes")
        data = self._stream.read(size)
        if len(data) < size:
            raise CutOff
        return data

    def readline(self) -> bytes:
        line = self._stream.readline(LONGEST)
        if line.endswith(b"\n"):
            return line
        raise Unpicklable(f"a value of over {LONGEST} bytes") if len(line) == LONGEST else CutOff()

    def code(self) -> bytes:
        """The next opcode, empty where the stream ends."""
        return self._stream.read(1)


def _quoted(reader: _Reader) -> str:
    """A text as Python 2 wrote it: in quotes, and here without any escape."""
    text = reader.readline().strip()
    if len(text) < 2 or text[:1] not in b"'\"" or text[:1] != text[-1:] or b"\\" in text:
        raise Unpicklable("a text that cannot be read")
    return text[1:-1].decode("ascii")


def _argument(opcode: pickletools.OpcodeInfo) -> Callable[[_Reader], Any] | None:
    """Who reads what follows an opcode."""
    if opcode.name == "STRING":
        return _quoted
    return cast("Callable[[_Reader], Any]", opcode.arg.reader) if opcode.arg else None


_ADMITTED = {code: (STEPS[opcode.name], _argument(opcode)) for code, opcode in _OPCODES.items() if opcode.name in STEPS}


def values(stream: _Bytes) -> Iterator[Any]:
    """Every value of the pickles in a stream, one after another: the items of an outermost list, or the value itself.

    Give each to ``plain``. May raise ``Unpicklable`` after any of them, and what reading the stream raises.
    """
    reader = _Reader(stream)
    while code := reader.code():
        machine = Machine(limit=AT_ONCE, roomy=REMEMBERED)
        try:
            while code != STOP:
                step, argument = _operation(code, reader)
                step(machine, argument)
                if machine.waiting > AT_ONCE:
                    raise Unpicklable(f"more than {AT_ONCE} values at once")
                if machine.items:
                    yield from machine.items
                    _forget(machine)
                code = reader.code()
        except Unpicklable:
            yield from _whole_ones(machine)
            raise
        yield from _result(machine)


def plain(value: Any) -> Any:
    """A value as lists, dictionaries, texts, numbers, booleans and None. Raises ``Unpicklable``."""
    return _plain(value, [ITEM], DEEPEST)


def begins_as_pickle(head: bytes) -> bool:
    """Whether bytes begin as a pickle does, be it one that is refused."""
    if head[:1] not in _FIRST:
        return False
    reader, done = _Reader(io.BytesIO(head)), 0
    try:
        while done < _BEGINNING:
            _operation(reader.code(), reader)
            done += 1
    except Unpicklable as problem:
        return isinstance(problem, Forbidden | CutOff) and done >= _ENOUGH
    return True


def _operation(code: bytes, reader: _Reader) -> tuple[Step, Any]:
    """What an opcode does that is admitted, and its argument; no other is read further than its name."""
    admitted = _ADMITTED.get(code)
    if admitted is None:
        raise _refusal(code, reader)
    step, argument = admitted
    try:
        return step, argument(reader) if argument else None
    except ValueError as problem:
        raise Unpicklable(str(problem)[:80]) from None


def _refusal(code: bytes, reader: _Reader) -> Unpicklable:
    """Why an opcode is not admitted; one that imports is called by what it names."""
    opcode = _OPCODES.get(code)
    if opcode is None:
        return Unpicklable(f"no opcode: {code!r}") if code else CutOff()
    if opcode.name not in _IMPORTS or opcode.arg is None:
        return Forbidden(opcode.name)
    try:
        return Forbidden(str(opcode.arg.reader(cast("IO[bytes]", reader)))[:80])
    except ValueError:
        return Forbidden(opcode.name)


def _forget(machine: Machine) -> None:
    """Items have left: what they were made of is no longer waiting, and only so much of it is remembered."""
    machine.items = []
    machine.waiting = 0
    if len(machine.memo) > machine.roomy:
        machine.memo = {place: value for place, value in machine.memo.items() if isinstance(value, str)}
        machine.roomy = 2 * len(machine.memo) + REMEMBERED


def _whole_ones(machine: Machine) -> Iterator[Any]:
    """Of a pickle that breaks off, the items that were waiting, without the last: it may not be whole."""
    if machine.stack and type(machine.stack[0]) is Items and machine.marks[:1] == [1]:
        whole = machine.marks[1] if len(machine.marks) > 1 else len(machine.stack)
        yield from machine.stack[1 : whole - 1]


def _result(machine: Machine) -> Iterator[Any]:
    """The value of a pickle at its end, or what stands in a tuple and its lists; not a list whose items have left."""
    if len(machine.stack) != 1 or machine.marks:
        raise Unpicklable("ends with values left over")
    whole = machine.stack[0]
    for part in whole if type(whole) is list else [whole]:
        if type(part) is not Items:
            yield from part if type(part) is list else [part]


def _plain(value: Any, left: list[int], depth: int) -> Any:
    """``left``: how many values there may still be."""
    if type(value) is int and -_LARGE < value < _LARGE and left[0]:
        left[0] -= 1
        return value
    left[0] -= weight(value)
    if left[0] < 0:
        raise Unpicklable(f"more than {ITEM} values in one item")
    if isinstance(value, list):
        if depth == 0:
            raise Unpicklable(f"more than {DEEPEST} lists within lists")
        if type(value) is Items:
            raise Unpicklable("the outermost list is in another")
        parts = [_plain(part, left, depth - 1) for part in value]
        return _dictionary(parts) if type(value) is Map else parts
    return _scalar(value)


def _dictionary(parts: list[Any]) -> dict[str, Any]:
    keys = parts[::2]
    if not all(isinstance(key, str) for key in keys):
        raise Unpicklable("a key that is no text")
    return dict(zip(keys, parts[1::2], strict=True))


def _scalar(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise Unpicklable(f"the number {value}")
    if isinstance(value, int) and value.bit_length() > 64:
        raise Unpicklable(f"a number of {value.bit_length()} bits")
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as problem:
            raise Unpicklable(f"a text that is no text: {problem.reason}") from None
    return value
