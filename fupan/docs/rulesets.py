"""The page of the rulesets, side by side: every parameter, what it may be, and which clause decides it.

Made from the rulesets themselves and the structs that declare them; what a parameter means is in meanings.toml of
ingest/rules.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from fupan.docs.kinds import allowed, default_of
from fupan.docs.markdown import anchor, code, page, table, text
from ingest.rules.combinations import law_of
from ingest.rules.parameters import Chain
from ingest.rules.ruleset import GAMES, AnyRuleset, Ruleset, builtin_names, digest, load_any
from ingest.rules.sheet import meanings

Family = dict[str, str | None]
"""Rulesets and what each extends."""

_TRICK_COMBINATIONS = ("single", "pair", "tractor", "throw")
"""What is played in 三打哈 (F-R8, F-R9, F-R27)."""
_CLAUSE = re.compile(r"[A-Z]{1,2}-[RTQE]\d+[ab]?(?: … [A-Z]{1,2}-[RTQE]\d+[ab]?)?")

_INTRODUCTION = """
# Rulesets · 规则集

A ruleset is a TOML file: numbers, switches and the names of mechanisms, never an expression. What it does not say it
has from the one that it `extends`, or from the default. `fupan rules NAME` prints one with every parameter,
`fupan rules check FILE` checks one's own, and `--rules FILE` audits under it. The digest is a fingerprint of what is in
force: it stays with every hand of a store, so that no statistic mixes two laws.

Clauses such as A-R7 are those of the project's rulebook; [rulings.md](rulings.md) tells how unclear points were
decided.
"""
_PARAMETERS = """
## Parameters · 参数

For each table of a ruleset file: what its parameters mean and may be, then their values side by side. A value that
differs from that of the ruleset extended is **bold**. *Decided by* names the clauses that the files give for a value of
theirs; the rulebook's table of parameters and the part of each game speak for the rest.
"""


NAMES = ("name", "game", "title_zh", "title_en", "landlord_zh", "landlord_en", "farmer_zh", "farmer_en")
"""What a ruleset is called; everything else in it is a parameter."""


GAME_TITLES = {"climbing": "Climbing games · 斗地主类", "sandaha": "三打哈"}


def pages() -> dict[str, str]:
    """The one page."""
    family = _family()
    rules = {name: load_any(name) for name in family}
    head = ("ruleset", "中文", "English", "extends", "seats", "packs")
    rows = [_overview(each, family) for each in rules.values()]
    parts = [table(head, rows), *(_section(each, family, rules) for each in rules.values()), _PARAMETERS]
    for game in GAMES:
        of_game = {name: each for name, each in rules.items() if each.game == game}
        parts += _tables(game, of_game, family) if of_game else []
    return {"rulesets.md": page(_INTRODUCTION, *parts)}


def _overview(rules: AnyRuleset, family: Family) -> tuple[str, ...]:
    parent = family[rules.name]
    extends = anchor(parent) if parent else ""
    return (anchor(rules.name), rules.title_zh, rules.title_en, extends, str(rules.deal.players), str(rules.deal.packs))


# --- the files


@cache
def source(name: str) -> str:
    """The text of a built-in ruleset's file."""
    return resources.files("ingest.rules").joinpath(f"rulesets/{name}.toml").read_text("utf-8")


def _family() -> Family:
    """Every built-in ruleset with what it extends, each after its parent."""
    parents = {name: tomllib.loads(source(name)).get("extends") for name in builtin_names()}

    def with_children(parent: str | None) -> Iterator[str]:
        for name in parents:
            if parents[name] == parent:
                yield name
                yield from with_children(name)

    return {name: parents[name] for name in with_children(None)}


@cache
def clauses(name: str) -> dict[str, list[str]]:
    """The clauses that a ruleset's own file names in its comments, by parameter; those of a table are for all of it."""
    own: dict[str, list[str]] = {}
    heading, of_table = "", list[str]()
    for line in source(name).splitlines():
        said, _, comment = line.partition("#")
        key = said.partition("=")[0].strip()
        if said.startswith("["):
            heading, of_table = said.strip().strip("[]"), _CLAUSE.findall(comment)
        elif "=" in said:
            own[f"{heading}.{key}" if heading else key] = _CLAUSE.findall(comment) or of_table
    return own


# --- one ruleset


def _section(rules: AnyRuleset, family: Family, known: dict[str, AnyRuleset]) -> str:
    parent = family[rules.name]
    facts = [f"**{text(rules.title_zh)} · {text(rules.title_en)}**", f"digest {code(digest(rules))}"]
    facts.insert(1, f"extends {anchor(parent)}" if parent else "extends nothing")
    sides = f"{rules.landlord_zh} {rules.landlord_en} · {rules.farmer_zh} {rules.farmer_en}"
    parts = [f"## {rules.name}", " · ".join(facts), f"Sides: {sides}."]
    if parent:
        parts.append(f"Differs in: {_differences(rules, known[parent])}.")
    combinations = _combinations(rules) if isinstance(rules, Ruleset) else map(code, _TRICK_COMBINATIONS)
    return "\n\n".join([*parts, f"Combinations: {', '.join(combinations)}."])


def _differences(rules: AnyRuleset, parent: AnyRuleset) -> str:
    changed = [
        f"{code(path)} {_shown(value)}" for path, value in _values(rules).items() if value != _values(parent).get(path)
    ]
    return ", ".join(changed) or "nothing"


def _combinations(rules: Ruleset) -> Iterator[str]:
    """The readings that a ruleset has, with the groups that a chain may have."""
    law = law_of(rules)
    for shape, fewest, most in law.shapes:
        yield code(shape.name) + (f" {fewest}–{min(most, len(law.straight_line))}" if shape.chain else "")
    if rules.combinations.shuttle_wings:
        yield f"{code('quad_solos')} and {code('quad_pairs')} of two groups and more (space shuttles)"
    yield f"{code('bomb')} of {rules.bomb.min_size} cards and more"
    if law.rocket:
        yield f"{code('rocket')} ({code(rules.bomb.rocket)})"


# --- side by side


def _values(rules: AnyRuleset) -> dict[str, Any]:
    """Every parameter of a ruleset by its path, in the order of the structs."""
    values: dict[str, Any] = {}
    for name, each in msgspec.structs.asdict(rules).items():
        if isinstance(each, msgspec.Struct):
            values |= {f"{name}.{key}": value for key, value in msgspec.structs.asdict(each).items()}
        elif name not in NAMES:
            values[name] = each
    return values


def declared(game: str) -> dict[str, msgspec.structs.FieldInfo]:
    """Every parameter that a game's rulesets have, by its path, those of no table first."""
    own: dict[str, msgspec.structs.FieldInfo] = {}
    tables: dict[str, msgspec.structs.FieldInfo] = {}
    for field in msgspec.structs.fields(GAMES[game]):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            tables |= {f"{field.name}.{each.name}": each for each in msgspec.structs.fields(field.type)}
        elif field.name not in NAMES:
            own[field.name] = field
    return own | tables


def _tables(game: str, rules: dict[str, AnyRuleset], family: Family) -> Iterator[str]:
    """For each table of a game's rulesets what its parameters mean, and their values."""
    yield f"### {GAME_TITLES.get(game, game)}"
    fields = declared(game)
    explained = ("parameter", "含义", "meaning", "may be", "default", "decided by")
    for name in dict.fromkeys(map(_table_of, fields)):
        here = [path for path in fields if _table_of(path) == name]
        meanings = table(explained, (_explained(path, fields[path], rules) for path in here))
        values = table(["parameter", *map(anchor, rules)], (_side_by_side(path, rules, family) for path in here))
        heading = f"[{name}]" if name else "Outside of tables"
        yield f"#### {heading}\n\n{meanings}\n\n{values}"


def _table_of(path: str) -> str:
    return path.rpartition(".")[0]


def _explained(path: str, field: msgspec.structs.FieldInfo, rules: dict[str, AnyRuleset]) -> list[str]:
    may_be = allowed(field.type)
    deciding = dict.fromkeys(clause for name in rules for clause in clauses(name).get(path, ()))
    return [code(path), *meanings().get(path, ("", "")), may_be, _shown(default_of(field)), ", ".join(deciding)]


def _side_by_side(path: str, rules: dict[str, AnyRuleset], family: Family) -> list[str]:
    values = {name: _values(each)[path] for name, each in rules.items()}
    cells = []
    for name, value in values.items():
        parent = family[name]
        changed = parent is not None and value != values.get(parent, value)
        cells.append(f"**{_shown(value)}**" if changed else _shown(value))
    return [code(path), *cells]


def _shown(value: Any) -> str:
    """A value as the tables show it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Chain):
        return f"{value.min_len}–{value.max_len}"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) or "–"
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value)) or "–"
    return str(value)
