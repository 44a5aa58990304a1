"""What a ruleset says, as a sheet: every parameter by its path with its value, and what it means."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from ingest.rules.ruleset import AnyRuleset

_NAMES = frozenset(("name", "game", "title_zh", "title_en", "landlord_zh", "landlord_en", "farmer_zh", "farmer_en"))


def parameters(rules: AnyRuleset) -> dict[str, Any]:
    """Every parameter of a ruleset by its path, ``table.key``."""
    whole: dict[str, Any] = msgspec.to_builtins(rules)
    found: dict[str, Any] = {}
    for key, value in whole.items():
        if isinstance(getattr(rules, key), msgspec.Struct):
            found |= {f"{key}.{inner}": item for inner, item in value.items()}
        elif key not in _NAMES:
            found[key] = value
    return found


@cache
def meanings() -> dict[str, tuple[str, str]]:
    """What each parameter means, in Chinese and English, by its path."""
    given = tomllib.loads(resources.files("ingest.rules").joinpath("meanings.toml").read_text("utf-8"))
    own = {name: (said[0], said[1]) for name, said in given.items() if isinstance(said, list)}
    tables = {name: keys for name, keys in given.items() if name not in own}
    return own | {f"{name}.{key}": (zh, en) for name, keys in tables.items() for key, (zh, en) in keys.items()}
