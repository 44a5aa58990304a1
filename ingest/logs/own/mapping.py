"""The TOML file of an own format, loaded: what it says, or every mistake in it with its line.

Knows how a mapping is checked key by key. What its keys may be is in ``keys``, what fits together in ``sense``.
"""

import re
import tomllib
from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from ingest.logs.own.cards import Spelling, spelling
from ingest.logs.own.keys import Mapping, When
from ingest.logs.own.places import conditions, reads_head
from ingest.logs.own.sense import contradictions
from ingest.logs.own.times import Clock, clock
from ingest.mistakes import BadFile, Mistake, line_of, lines_of_keys, syntax_mistake, wrong_value


class BadMapping(BadFile):
    """A mapping that cannot be used."""


class Own(Struct, frozen=True):
    """An own format, ready to be read with."""

    name: str
    keys: Mapping
    spelling: Spelling
    clock: Clock
    conditions: dict[str | None, list[When]]
    """By list of rows, the conditions under which its rows are read."""
    reads_head: bool
    """Whether the first row of a hand is read as such."""


PARTS = 32
"""Parts of the longest key with dots; reading one of 100,000 takes an hour."""
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP = re.compile(rf"(?:^[ \t]*+\[{{0,2}}|[{{,])[ \t]*+{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{PARTS},}}", re.MULTILINE)


def load(path: str) -> Own:
    """The own format that a file describes. Raises ``BadMapping``, and ``OSError`` for a file that cannot be read."""
    return described(Path(path).read_bytes(), path)


def described(content: bytes, source: str) -> Own:
    """The own format that a TOML text describes; its mistakes are those of ``source``. Raises ``BadMapping``."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadMapping(source, [Mistake(0, "", f"not UTF-8: {problem}")]) from None
    if (deep := _DEEP.search(text)) is not None:
        raise BadMapping(source, [Mistake(text.count("\n", 0, deep.end()) + 1, "", f"a key of over {PARTS} parts")])
    try:
        keys, mistakes = parsed(text)
    except RecursionError:
        raise BadMapping(source, [Mistake(0, "", "tables or lists too deep in one another")]) from None
    if keys is None or mistakes:
        raise BadMapping(source, mistakes)
    return own_of(keys, Path(source).name)


def own_of(keys: Mapping, name: str) -> Own:
    """An own format of keys without mistakes, and how it is called in reports."""
    return Own(name, keys, spelling(keys.cards), clock(keys.times), conditions(keys), reads_head(keys))


def parsed(text: str) -> tuple[Mapping | None, list[Mistake]]:
    """What a mapping says, as far as it can be understood, and every mistake in it in the order of their lines."""
    try:
        given = tomllib.loads(text)
    except ValueError as error:  # one of TOML, or of a number that is too long
        return None, [syntax_mistake(str(error))]
    lines = lines_of_keys(text)
    wrong = list(_mistakes(given, Mapping, ""))
    paths = [path for path, _ in wrong]
    keys = _convertible(_without(given, frozenset(paths), ""))
    if keys is not None:
        wrong += [
            (key, why) for key, why in contradictions(keys) if not any(path in (key, *why.split()) for path in paths)
        ]
    mistakes = [Mistake(line_of(path, lines), path, problem) for path, problem in wrong]
    return keys, sorted(mistakes, key=lambda mistake: mistake.line)


def _without(given: AnyMapping[str, Any], wrong: frozenset[str], inside: str) -> dict[str, Any]:
    """What a mapping says but for its mistakes, so that one of them does not hide another."""
    kept = {key: value for key, value in given.items() if inside + key not in wrong}
    return {k: _without(v, wrong, f"{inside}{k}.") if isinstance(v, dict) else v for k, v in kept.items()}


def _convertible(given: AnyMapping[str, Any]) -> Mapping | None:
    """A mapping, None where so much is missing that nothing can be said of the rest."""
    try:
        return msgspec.convert(given, Mapping)
    except msgspec.ValidationError:
        return None


Wrong = Iterator[tuple[str, str]]
"""Keys by their paths, each with what is wrong there."""


def _mistakes(given: Any, kind: Any, path: str) -> Wrong:
    """What of a value is not as its type wants it, each part by itself."""
    struct = _struct_among(kind)
    if isinstance(given, dict) and struct is not None:
        yield from _of_table(given, struct, path)
    elif isinstance(given, dict) and (value_kind := _inside(kind, dict)) is not None:
        for key, value in given.items():
            yield from _mistakes(value, value_kind, f"{path}.{key}")
    elif isinstance(given, list) and (item_kind := _inside(kind, list)) is not None:
        for value in given:
            yield from _mistakes(value, item_kind, path)
    elif problem := wrong_value(given, kind):
        yield path, problem


def _of_table(given: AnyMapping[str, Any], struct: type[Struct], path: str) -> Wrong:
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    inside = f"{path}." if path else ""
    for key, value in given.items():
        if key in fields:
            yield from _mistakes(value, fields[key].type, inside + key)
        else:
            yield inside + key, "unknown key"
    for name, field in fields.items():
        if field.required and name not in given:
            yield inside + name, "is missing"


def _choices(kind: Any) -> tuple[Any, ...]:
    """The types that a key may be of, without what is said about them."""
    if get_origin(kind) is Annotated:
        return _choices(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return tuple(choice for each in get_args(kind) for choice in _choices(each))
    return (kind,)


def _struct_among(kind: Any) -> type[Struct] | None:
    """The table that a key may be, if it may be one."""
    return next((each for each in _choices(kind) if isinstance(each, type) and issubclass(each, Struct)), None)


def _inside(kind: Any, container: type) -> Any:
    """What a list or a table with any keys may hold, if a key may be one."""
    return next((get_args(each)[-1] for each in _choices(kind) if get_origin(each) is container), None)
