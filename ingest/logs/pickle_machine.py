"""What the opcodes of a pickle do that make plain data: a stack, the marks on it, and what was remembered.

Knows only those opcodes. Refuses whatever has not got its values, and more at once than memory should hold.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

_TEXT_WEIGHT = 6
"""A text weighs as much as a value for each 64 characters."""


class Unpicklable(Exception):
    """What a pickle cannot be read for; ``args`` is the reason."""


class CutOff(Unpicklable):
    """A pickle without its end."""


class Forbidden(Unpicklable):
    """A pickle that would do something; ``args`` is what it names."""


class Map(list[Any]):
    """The keys and values of a dictionary, in turn: hostile keys are never hashed."""

    __slots__ = ()


class Items(list[Any]):
    """The outermost list. Its items leave it as they come."""

    __slots__ = ()


class Machine(Struct):
    """One pickle while it is read."""

    limit: int
    """Weight of what may be waiting, and of the texts that are remembered."""
    roomy: int
    """How many may be remembered before some are forgotten."""
    stack: list[Any] = []
    marks: list[int] = []
    memo: dict[int, Any] = {}
    memoized: int = 0
    waiting: int = 0
    """Weight of all that is on the stack, or remembered since the last items left."""
    texts: int = 0
    """Weight of the texts that are remembered."""
    items: list[Any] = []
    """What has left the outermost list."""


Step = Callable[[Machine, Any], None]


def weight(value: Any) -> int:
    """How much of the limit a value takes up: 1, but more for a long text or number."""
    if isinstance(value, str):
        return 1 + (len(value) >> _TEXT_WEIGHT)
    return 1 + (value.bit_length() >> _TEXT_WEIGHT + 3) if isinstance(value, int) else 1


def _push(machine: Machine, value: Any) -> None:
    machine.stack.append(value)
    machine.waiting += weight(value)


def _push_small(machine: Machine, value: int) -> None:
    """Cards are small numbers, and most of a pickle."""
    machine.stack.append(value)
    machine.waiting += 1


def _pop(machine: Machine, count: int) -> list[Any]:
    """The last values, none of them from before the last mark."""
    start = len(machine.stack) - count
    if start < (machine.marks[-1] if machine.marks else 0):
        raise Unpicklable("an opcode without its values")
    values = machine.stack[start:]
    del machine.stack[start:]
    return values


def _pop_to_mark(machine: Machine) -> list[Any]:
    if not machine.marks:
        raise Unpicklable("an opcode without its mark")
    values = machine.stack[machine.marks[-1] :]
    del machine.stack[machine.marks.pop() :]
    return values


def _top(machine: Machine) -> Any:
    if len(machine.stack) == (machine.marks[-1] if machine.marks else 0):
        raise Unpicklable("an opcode without its value")
    return machine.stack[-1]


def _mark(machine: Machine, _: Any) -> None:
    machine.marks.append(len(machine.stack))
    machine.waiting += 1


def _empty_list(machine: Machine, _: Any) -> None:
    _push(machine, [] if machine.stack or machine.marks else Items())


def _marked_list(machine: Machine, _: Any) -> None:
    items = _pop_to_mark(machine)
    _empty_list(machine, None)
    _extend(machine, items)


def _marked_map(machine: Machine, _: Any) -> None:
    items = _pop_to_mark(machine)
    _push(machine, Map())
    _fill(machine, items)


def _extend(machine: Machine, items: list[Any]) -> None:
    whole = _top(machine)
    if type(whole) is Items:
        machine.items += items
    elif type(whole) is list:
        whole += items
    else:
        raise Unpicklable("items for what is no list")


def _fill(machine: Machine, items: list[Any]) -> None:
    whole = _top(machine)
    if type(whole) is not Map or len(items) % 2:
        raise Unpicklable("keys for what is no dictionary")
    whole += items


def _put(machine: Machine, place: int) -> None:
    value = _top(machine)
    machine.memoized += place not in machine.memo
    machine.memo[place] = value
    machine.waiting += 1
    machine.texts += weight(value) if isinstance(value, str) else 0
    if machine.texts > machine.limit:
        raise Unpicklable(f"texts of more than {machine.limit << _TEXT_WEIGHT} characters")


def _get(machine: Machine, place: int) -> None:
    if place not in machine.memo:
        raise Unpicklable("refers to a value that is not there, or to one in an item long before")
    if type(machine.memo[place]) is Items:
        raise Unpicklable("a list within itself")
    _push(machine, machine.memo[place])


def _import(machine: Machine, _: Any) -> None:
    """STACK_GLOBAL: not carried out, but called by what it names."""
    raise Forbidden(" ".join(part for part in machine.stack[-2:] if isinstance(part, str))[:80] or "STACK_GLOBAL")


def _constant(value: Any) -> Step:
    return lambda machine, _: _push(machine, value)


def _tuple_of(count: int) -> Step:
    return lambda machine, _: _push(machine, _pop(machine, count))


def _nothing(machine: Machine, _: Any) -> None:
    """A frame or the number of the protocol; each weighs as much as a value, so that they end."""
    machine.waiting += 1


_SCALARS = (
    "INT LONG LONG1 LONG4 FLOAT BINFLOAT STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE "
    "SHORT_BINUNICODE BINUNICODE8"
).split()
STEPS: dict[str, Step] = {
    **dict.fromkeys(_SCALARS, _push),
    **dict.fromkeys(("BININT", "BININT1", "BININT2"), _push_small),
    **dict.fromkeys(("PROTO", "FRAME"), _nothing),
    "NONE": _constant(None),
    "NEWTRUE": _constant(True),
    "NEWFALSE": _constant(False),
    "MARK": _mark,
    "EMPTY_LIST": _empty_list,
    "LIST": _marked_list,
    "APPEND": lambda machine, _: _extend(machine, _pop(machine, 1)),
    "APPENDS": lambda machine, _: _extend(machine, _pop_to_mark(machine)),
    "EMPTY_TUPLE": _tuple_of(0),
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    "TUPLE": lambda machine, _: _push(machine, _pop_to_mark(machine)),
    "EMPTY_DICT": lambda machine, _: _push(machine, Map()),
    "DICT": _marked_map,
    "SETITEM": lambda machine, _: _fill(machine, _pop(machine, 2)),
    "SETITEMS": lambda machine, _: _fill(machine, _pop_to_mark(machine)),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), _put),
    "MEMOIZE": lambda machine, _: _put(machine, machine.memoized),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _get),
    "STACK_GLOBAL": _import,
}
"""What each opcode does that is admitted."""
