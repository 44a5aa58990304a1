"""What a key of a TOML file may be, in words, from the type that its struct gives it.

Knows types. Refuses to know what is documented.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import inspect

from fupan.docs.markdown import code, codes


def allowed(kind: Any) -> str:
    """What a value of a type may be."""
    return _allowed(inspect.type_info(kind))


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    """What a key is where a file does not say it."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return () if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _allowed(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.UnionType):
        return ", ".join(map(_allowed, kind.types))
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return f"list of {_allowed(kind.item_type)}"
    if isinstance(kind, inspect.TupleType):
        return f"list of {len(kind.item_types)}: {_allowed(kind.item_types[0])}"
    if isinstance(kind, inspect.DictType):
        return f"{_allowed(kind.key_type)} → {_allowed(kind.value_type)}"
    if isinstance(kind, inspect.StructType):
        return _fields(kind.fields)
    return _allowed_word(kind)


def _allowed_word(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return codes(map(str, kind.values))
    if isinstance(kind, inspect.IntType):
        return _span(kind)
    if isinstance(kind, inspect.StrType) and kind.pattern:
        return code(kind.pattern.removeprefix("^").removesuffix("$"))
    return "yes, no" if isinstance(kind, inspect.BoolType) else type(kind).__name__.removesuffix("Type").lower()


def _span(kind: inspect.IntType) -> str:
    return f"{'' if kind.ge is None else kind.ge}–{'' if kind.le is None else kind.le}"


def _fields(fields: Sequence[inspect.Field]) -> str:
    return ", ".join(f"{code(field.name)} {_allowed(field.type)}" for field in fields)
