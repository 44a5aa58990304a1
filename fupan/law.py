"""Rulesets for people: all side by side, or one with every parameter."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from fupan.words import word
from ingest.faults import Language
from ingest.rules.ruleset import AnyRuleset, parent_of
from ingest.rules.sheet import parameters


def side_by_side(known: Sequence[AnyRuleset], language: Language) -> str:
    """Every ruleset with its title; then, game by game, each parameter in which they differ, value by value.

    A ruleset that has a value in place of its parent's is marked with ``*``.
    """
    width = max(len(rules.name) for rules in known) + 2
    lines = [f"{r.name:{width}}{r.title_zh if language == 'zh' else r.title_en}{_extends(r, language)}" for r in known]
    climbing = [rules for rules in known if rules.game == "climbing"]
    return "\n".join([*lines, "", word("marked", language), *_differences(climbing)])


def _extends(rules: AnyRuleset, language: Language) -> str:
    parent = parent_of(rules.name)
    return f" ({word('extends', language)} {parent})" if parent else ""


def _differences(known: Sequence[AnyRuleset]) -> list[str]:
    values = {rules.name: parameters(rules) for rules in known}
    lines = []
    for path in values[known[0].name]:
        by_value: dict[str, list[str]] = {}
        for name, own in values.items():
            by_value.setdefault(toml_value(own[path]), []).append(name + _mark(name, path, values))
        if len(by_value) > 1:
            lines.append(path)
            lines += [f"    {value:24} {' '.join(names)}" for value, names in by_value.items()]
    return lines


def _mark(name: str, path: str, values: dict[str, dict[str, Any]]) -> str:
    parent = parent_of(name)
    return "*" if parent is not None and values[name][path] != values[parent][path] else ""


def in_full(rules: AnyRuleset, language: Language) -> str:
    """One ruleset with every parameter, as TOML that may be copied."""
    whole: dict[str, Any] = msgspec.to_builtins(rules)
    plain = [f"{key} = {toml_value(value)}" for key, value in whole.items() if not isinstance(value, dict)]
    lines = [f"# {rules.title_zh if language == 'zh' else rules.title_en}", *plain]
    for table, values in whole.items():
        if isinstance(values, dict):
            lines += ["", f"[{table}]", *(f"{key} = {toml_value(value)}" for key, value in values.items())]
    return "\n".join(lines)


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items()) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
