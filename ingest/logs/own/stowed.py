"""Rows as bytes and back, for those that go by way of a disk: every value comes back as what it was.

Knows what values sources have. Refuses to run anything: what is read back can only be data.
"""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from ingest.logs.own.found import Row
from ingest.logs.own.troubles import Trouble

_LARGE = 1 << 63
_MICROSECOND = timedelta(microseconds=1)

_TO: dict[type, tuple[str, Callable[[Any], Any]]] = {
    int: ("int", hex),
    Decimal: ("decimal", str),
    datetime: ("moment", datetime.isoformat),
    date: ("date", date.isoformat),
    time: ("time", time.isoformat),
    timedelta: ("span", lambda span: hex(span // _MICROSECOND)),
    str: ("text", lambda text: text.encode("utf-8", "surrogatepass")),
}
"""What no JSON has, by type: its word, and how it is written."""
_FROM: dict[str, Callable[[Any], Any]] = {
    "int": lambda digits: int(digits, 16),
    "decimal": Decimal,
    "moment": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "span": lambda digits: timedelta(microseconds=int(digits, 16)),
    "text": lambda raw: raw.decode("utf-8", "surrogatepass"),
}


def stow(row: Row) -> bytes:
    """A row as bytes; one whose value cannot be told so, such as one that is nested too deeply, becomes a trouble."""
    try:
        value = _told(row.value)
    except (TypeError, RecursionError) as problem:
        reason = "nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        row = msgspec.structs.replace(row, troubles=(*row.troubles, Trouble("shape", "R103", "source", reason=reason)))
        value = _told({})
    return msgspec.msgpack.encode((row.line, value, row.raw, row.troubles))


def fetch(stowed: bytes) -> Row:
    """The row that these bytes were made of."""
    line, value, raw, troubles = msgspec.msgpack.decode(stowed, type=tuple[int, Any, bytes, tuple[Trouble, ...]])
    return Row(line, _value(value), raw, troubles)


def _told(value: Any) -> Any:
    """A value in those kinds that are written as they are; every list in it is a word and what belongs to it."""
    kind = type(value)
    if value is None or kind in (bool, float, bytes):
        return value
    if (kind is str and value.isascii()) or (kind is int and -_LARGE <= value < _LARGE):
        return value
    if kind is dict:
        return ["object", *([_told(key), _told(each)] for key, each in value.items())]
    if kind in (list, tuple):
        return ["list" if kind is list else "tuple", *map(_told, value)]
    for base, (word, written) in _TO.items():
        if isinstance(value, base):
            return [word, written(value)]
    raise TypeError(f"no value of a source: {kind.__name__}")


def _value(told: Any) -> Any:
    if type(told) is not list:
        return told
    word, *rest = told
    if word == "object":
        return {_value(key): _value(each) for key, each in rest}
    if word in ("list", "tuple"):
        return [_value(each) for each in rest] if word == "list" else tuple(map(_value, rest))
    return _FROM[word](rest[0])
