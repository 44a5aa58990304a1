"""The list of statistics: one SQL file each, whose header says what it is and means.

Knows headers, and how a statistic is asked. Refuses to know what any of them computes.
"""

import re
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.warehouse import Warehouse

PARAMETERS = ("player", "rules", "since", "until", "role")
"""What a statistic may be narrowed by; ``since`` and ``until`` are days in Asia/Shanghai, both included."""
ROLES = ("landlord", "farmer")
UNITS = ("text", "day", "count", "rate", "number")
"""What a column holds, so that it can be shown."""

_KEYS = ("name", "title_zh", "title_en", "grain", "parameters", "definition_zh", "definition_en", "minimum")
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
    """Hands below which a rate or a mean says little."""
    sql: str


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


def _value(parameter: str, given: Any) -> Any:
    """A parameter as SQL takes it."""
    if given is None or given == "":
        return None
    if parameter in ("since", "until"):
        return given if isinstance(given, date) else _day(parameter, str(given))
    if parameter == "role" and given not in ROLES:
        raise ValueError(f"role is {' or '.join(ROLES)}, not {given}")
    return str(given)


def _day(parameter: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{parameter} is a day such as 2026-11-29, not {text}") from None


def parse(text: str, name: str) -> Statistic:
    """The statistic in a file. Raises ``BadStatistic`` for anything in its header that is unknown, missing or twice."""
    given: dict[str, str] = {}
    columns: list[StatisticColumn] = []
    for key, value in _header(text, name):
        if key == "column":
            columns.append(_column(value, name))
        elif key not in _KEYS or key in given:
            raise BadStatistic(f"{name}: {'twice' if key in given else 'unknown key'}: {key}")
        else:
            given[key] = value
    missing = [key for key in _KEYS if key not in given]
    if missing or not columns:
        raise BadStatistic(f"{name}: missing: {', '.join(missing) or 'column'}")
    return _statistic(given, tuple(columns), text, name)


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
