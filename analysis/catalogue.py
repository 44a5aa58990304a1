"""The list of statistics: one SQL file each, whose header says what it is and means.

Knows headers, and how a statistic is asked. Refuses to know what any of them computes. A file is a whole question whose
columns its header declares, or one of the ``measures.KINDS``, of which it says only what is counted.
"""

import re
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis import measures
from analysis.warehouse import Warehouse

PARAMETERS = measures.PARAMETERS
"""What a statistic may be narrowed by; ``since`` and ``until`` are days of the store's time zone, both included."""
CHOICES = {
    "role": ("landlord", "farmer"),
    "position": ("down", "up", "across"),
    "bots": measures.BOTS,
    "by": tuple(measures.GROUPS),
    "across": ("yes", "no"),
}
"""The values of those parameters that have only a few."""
UNITS = ("text", "day", "count", "rate", "number")
"""What a column holds, so that it can be shown."""

_KEYS = ("name", "title_zh", "title_en", "grain", "parameters", "definition_zh", "definition_en", "minimum")
_MEASURE_KEYS = ("name", "title_zh", "title_en", "kind", "number", "whole", "definition_zh", "definition_en", "minimum")
_TABLE_KEYS = ("name", "title_zh", "title_en", "kind", "number", "grain", "definition_zh", "definition_en", "minimum")
_MORE_KEYS = {"rate": ("part",), "ratio": ("part",), "mean": (), "shares": ("class", "part")}
"""What the headers of measures say beside the common keys, by kind: how columns are called, Chinese | English."""
_HEADER = re.compile(r"-- ([a-z_]+):(?: (.*))?")
_MORE = re.compile(r"--   +(\S.*)")
_PARAMETER = re.compile(r"\$([a-z_]+)")


class BadStatistic(ValueError):
    """A file whose header is not as it must be."""


class StatisticColumn(Struct, frozen=True):
    """One column of an answer."""

    name: str
    unit: str
    zh: str
    en: str
    meaning_zh: str
    meaning_en: str


class Statistic(Struct, frozen=True, kw_only=True):
    """One statistic, as its header declares it."""

    name: str
    title_zh: str
    title_en: str
    grain: str
    """What one row of the answer is."""
    parameters: tuple[str, ...]
    columns: tuple[StatisticColumn, ...]
    definition_zh: str
    definition_en: str
    minimum: int
    """Hands, or whatever the sample is counted in, below which a rate or a mean says little."""
    sql: str
    number: str = ""
    """Its number in the project's list of statistics."""

    @property
    def sample(self) -> str | None:
        """The column that says how large the sample is."""
        counts = [column.name for column in self.columns if column.unit == "count"]
        whole = next((name for name in ("whole", "entries", "hands") if name in counts), None)
        return whole if whole == "whole" or len(counts) > 1 else None


@cache
def statistics() -> dict[str, Statistic]:
    """Every statistic, by name."""
    files = resources.files("analysis").joinpath("statistics").iterdir()
    found = [
        parse(file.read_text("utf-8"), file.name.removesuffix(".sql")) for file in files if file.name[-4:] == ".sql"
    ]
    return {statistic.name: statistic for statistic in sorted(found, key=lambda each: each.name)}


def run(warehouse: Warehouse, name: str, **parameters: Any) -> pd.DataFrame:
    """The answer of a statistic. A parameter that is left out or None narrows nothing.

    Raises ``KeyError`` for an unknown statistic and ``ValueError`` for a parameter that it does not have.
    """
    known = statistics()
    if name not in known:
        raise KeyError(f"unknown statistic: {name}")
    statistic = known[name]
    unknown = sorted(set(parameters) - set(statistic.parameters))
    if unknown:
        raise ValueError(f"{name} has no parameter {', '.join(unknown)}; it has {', '.join(statistic.parameters)}")
    values = {parameter: _value(parameter, parameters.get(parameter)) for parameter in statistic.parameters}
    return warehouse.query(statistic.sql, values)


def of_frame(frame: pd.DataFrame) -> Statistic:
    """A question of one's own as if it were declared: columns by the names and kinds that the answer gives them."""
    columns = tuple(StatisticColumn(str(name), _unit(frame[name]), *[str(name)] * 4) for name in frame.columns)
    return Statistic(
        name="", title_zh="", title_en="", grain="", parameters=(), columns=columns, definition_zh="",
        definition_en="", minimum=0, sql="",
    )  # fmt: skip


def _unit(values: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        return "text"
    return "count" if pd.api.types.is_integer_dtype(values) else "number"


def _value(parameter: str, given: Any) -> Any:
    """A parameter as SQL takes it."""
    if given is None or given == "":
        return None
    if parameter in ("since", "until"):
        return given if isinstance(given, date) else _day(parameter, str(given))
    if parameter in CHOICES and given not in CHOICES[parameter]:
        raise ValueError(f"{parameter} is {' or '.join(CHOICES[parameter])}, not {given}")
    if parameter == "tag" and "=" not in str(given):
        raise ValueError(f"tag is KEY=VALUE, not {given}")
    return str(given)


def _day(parameter: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{parameter} is a day such as 2026-11-29, not {text}") from None


def parse(text: str, name: str) -> Statistic:
    """The statistic in a file. Raises ``BadStatistic`` for anything in its header that is unknown, missing or twice."""
    pairs = _header(text, name)
    columns = tuple(_column(value, name) for key, value in pairs if key == "column")
    said = [(key, value) for key, value in pairs if key != "column"]
    kind = dict(said).get("kind")
    keys = _keys_of(kind)
    given: dict[str, str] = {}
    for key, value in said:
        if key not in keys or key in given:
            raise BadStatistic(f"{name}: {'twice' if key in given else 'unknown key'}: {key}")
        given[key] = value
    missing = [key for key in keys if key not in given]
    if missing or bool(columns) == (kind in measures.KINDS):
        raise BadStatistic(f"{name}: missing: {', '.join(missing) or 'column'}")
    if kind == "table":
        return _table(given, columns, text, name)
    return _statistic(given, columns, text, name) if kind is None else _measure(given, text, name)


def _keys_of(kind: str | None) -> tuple[str, ...]:
    if kind is None:
        return _KEYS
    return _TABLE_KEYS if kind == "table" else (*_MEASURE_KEYS, *_MORE_KEYS.get(kind, ()))


def _table(given: dict[str, str], columns: tuple[StatisticColumn, ...], text: str, name: str) -> Statistic:
    """The statistic of a file that makes a table of its own of the chosen seats."""
    del given["kind"]
    sql, used = measures.table(_body(text)), set(_PARAMETER.findall(_body(text)))
    if given["name"] != name or not given["minimum"].isdecimal() or used:
        raise BadStatistic(f"{name}: the header names {given['name']}, the query uses {sorted(used)}")
    minimum = int(given.pop("minimum"))
    return Statistic(**given, parameters=measures.FILTERS, columns=columns, minimum=minimum, sql=sql)


def _measure(given: dict[str, str], text: str, name: str) -> Statistic:
    """The statistic of a file that says only what is counted."""
    kind, minimum = given.pop("kind"), given["minimum"]
    try:
        sql = measures.query(kind, _body(text))
    except ValueError as problem:
        raise BadStatistic(f"{name}: {problem}") from None
    if given["name"] != name or not minimum.isdecimal():
        raise BadStatistic(f"{name}: the header names {given['name']}, minimum {minimum}")
    return Statistic(
        name=name,
        title_zh=given["title_zh"],
        title_en=given["title_en"],
        grain="one row per ruleset and group" + (" and class" if kind == "shares" else ""),
        parameters=PARAMETERS,
        columns=_columns_of(kind, given, name),
        definition_zh=given["definition_zh"],
        definition_en=given["definition_en"],
        minimum=int(minimum),
        sql=sql,
        number=given["number"],
    )


_RULES = StatisticColumn("rules", "text", "规则", "Ruleset", "审计所用的规则集；* 为全部", "The ruleset; * for all")
_GROUP = StatisticColumn("group", "text", "分组", "Group", "按 by 分的组", "The group that `by` makes")


def _columns_of(kind: str, given: dict[str, str], name: str) -> tuple[StatisticColumn, ...]:
    """The columns of a measure, with the names that its file gives them."""
    found = [_RULES, _GROUP]
    for column, unit, zh, en in measures.SHAPES[kind].columns:
        if column in given:
            zh, _, en = (part.strip() for part in given[column].partition("|"))
            if not zh or not en:
                raise BadStatistic(f"{name}: {column} is zh | en: {given[column]}")
        found.append(StatisticColumn(column, unit, zh, en, zh, en))
    return tuple(found)


def _statistic(given: dict[str, str], columns: tuple[StatisticColumn, ...], text: str, name: str) -> Statistic:
    parameters = tuple(given.pop("parameters").split())
    used = set(_PARAMETER.findall(_body(text)))
    if given["name"] != name or set(parameters) != used or not used <= set(PARAMETERS):
        raise BadStatistic(f"{name}: the header names {given['name']} with {parameters}, the query uses {sorted(used)}")
    minimum = given.pop("minimum")
    if not minimum.isdecimal():
        raise BadStatistic(f"{name}: minimum is a number of hands, not {minimum}")
    return Statistic(**given, parameters=parameters, columns=columns, minimum=int(minimum), sql=text)


def _body(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def _header(text: str, name: str) -> list[tuple[str, str]]:
    """Keys and values of the comment that a file begins with; a line that is indented goes on with the last value."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        key, more = _HEADER.fullmatch(line), _MORE.fullmatch(line)
        if key:
            found.append((key[1], (key[2] or "").strip()))
        elif more and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {more[1]}")
        else:
            raise BadStatistic(f"{name}: neither a key nor more of a value: {line}")
    return found


def _column(value: str, name: str) -> StatisticColumn:
    parts = [part.strip() for part in value.split("|")]
    if len(parts) != 6 or not all(parts) or parts[1] not in UNITS:
        raise BadStatistic(f"{name}: a column is name | unit | zh | en | meaning zh | meaning en: {value}")
    return StatisticColumn(*parts)
