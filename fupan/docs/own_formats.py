"""The page of what a mapping may say: every key, made from the structs that declare them; what it means is in
mapping.toml."""

import tomllib
import types
from functools import cache
from importlib import resources
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from fupan.docs.kinds import allowed, default_of
from fupan.docs.markdown import code, page, table
from ingest.logs.own.keys import BySeat, Mapping, Place, Where

_ORDER = "source seats cards times always record players auction plays claim tags extra".split()

_INTRODUCTION = """
# Keys of a mapping · 格式描述的键

A mapping is a TOML file that describes a log format of one's own. [own-formats.md](own-formats.md) explains it with two
examples; here is every key. `fupan formats check FILE SAMPLE…` names every mistake with its line, and says what the
mapping reads of a sample.

- **path** `data.rounds`, `seats.0.id`: keys and numbers of list items, from 0, with dots between; `-1` is the last. `*`
  stands for every item of a list: `players.*.id` is the list of their ids. A key that has a dot or is `*` stands in
  quotes: `'"p.0".cards'`. In CSV and Parquet the first key is a column.
- **place** a path, or a table: `{ at = "score", when = { kind = "result" } }`. A place for all seats is a list of
  places, one for each; or one place that has a list, an object by seat, or with `seat` a row for each seat.
- **condition** columns or keys and the value that each must have, or a list of such: `{ kind = ["bid", "play"] }`.
- What is empty or null is not said. What the mapping names and the source lacks is reported, and so is every word,
  card, seat and row that nothing explains.
"""


def pages() -> dict[str, str]:
    """The one page."""
    return {"mapping.md": page(_INTRODUCTION, *(_section(name) for name in keys()))}


def keys() -> dict[str, dict[str, msgspec.structs.FieldInfo | None]]:
    """Every key by its table, in the order in which a mapping says them; ``NAME`` for tables with any keys."""
    found: dict[str, dict[str, msgspec.structs.FieldInfo | None]] = {}
    for field in sorted(msgspec.structs.fields(Mapping), key=lambda field: _ORDER.index(field.name)):
        struct = next((each for each in _choices(field.type) if _is_struct(each)), None)
        fields = () if struct is None else msgspec.structs.fields(struct)
        found[field.name] = {each.name: each for each in fields} or {"NAME": None}
    return found | {"place": {each.name: each for each in msgspec.structs.fields(Place)}}


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


@cache
def meanings() -> dict[str, dict[str, tuple[str, str]]]:
    """What each key means, in Chinese and English, by table."""
    given = tomllib.loads(resources.files("fupan.docs").joinpath("mapping.toml").read_text("utf-8"))
    return {name: {key: (zh, en) for key, (zh, en) in said.items()} for name, said in given.items()}


def _section(name: str) -> str:
    heading = f"## {name}" if name == "place" else f"## [{name}]"
    rows = [
        (code(key), *meanings().get(name, {}).get(key, ("", "")), _may_be(field), _default(field))
        for key, field in keys()[name].items()
    ]
    return heading + "\n\n" + table(("key", "含义", "meaning", "may be", "default"), rows)


def _may_be(field: msgspec.structs.FieldInfo | None) -> str:
    choices = _choices(Where if field is None else field.type)
    titles = dict.fromkeys(_title(each) for each in choices if each is not type(None))
    if set(choices) - {type(None)} == set(_choices(BySeat)):
        return "place for all seats"
    return "place" if "place" in titles else " or ".join(titles)


def _title(kind: Any) -> str:
    """A type in one word where it has one."""
    told = inspect.type_info(kind)
    if isinstance(told, inspect.Metadata):
        return str((told.extra_json_schema or {}).get("title", "")) or _plainly(kind)
    if isinstance(told, inspect.ListType) and isinstance(told.item_type, inspect.Metadata):
        return f"list of {_title(kind.__args__[0])}"
    return "place" if kind is Place else _plainly(kind)


def _choices(kind: Any) -> tuple[Any, ...]:
    """The types of which a key may be."""
    if isinstance(kind, types.UnionType) or get_origin(kind) is Union:
        return tuple(choice for each in get_args(kind) for choice in _choices(each))
    return (kind,)


def _plainly(kind: Any) -> str:
    return allowed(kind).replace("str", "text").replace("int", "number")


def _default(field: msgspec.structs.FieldInfo | None) -> str:
    if field is None:
        return ""
    if field.required:
        return "must be said"
    value = default_of(field)
    return "" if value is None or value in ([], {}) else code(msgspec.json.encode(value).decode())
