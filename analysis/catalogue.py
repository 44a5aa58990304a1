"""The list of statistics: one file each, whose header says what it is and means.

A file is SQL, or Python where SQL cannot say it: then its function ``answer`` takes the store and the parameters. Knows
headers, and how a statistic is asked. Refuses to know what any of them computes.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from importlib import import_module, resources
from inspect import signature
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.warehouse import Warehouse, first_rows

Answer = Callable[[Warehouse, Mapping[str, Any]], pd.DataFrame]
"""What asks a store; every parameter that the statistic has is given, None where it narrows nothing."""

PARAMETERS = ("player", "rules", "since", "until", "role")
"""What a statistic may be narrowed by; ``since`` and ``until`` are days in Asia/Shanghai, both included."""
ROLES = ("landlord", "farmer")
UNITS = ("text", "flag", "day", "count", "rate", "number")
"""What a column holds, so that it can be shown."""

Header = list[tuple[str, str]]

_KEYS = ("name", "title_zh", "title_en", "grain", "parameters", "definition_zh", "definition_en", "minimum")
_HEADER = re.compile(r" ([a-z_]+):(?: (.*))?")
_MORE = re.compile(r"   +(\S.*)")
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
    answer: Answer


@cache
def statistics() -> dict[str, Statistic]:
    """Every statistic, by name."""
    files = resources.files("analysis").joinpath("statistics").iterdir()
    named = sorted((*file.name.rsplit(".", 1), file.read_text("utf-8")) for file in files if file.is_file())
    kinds = {"sql": parse, "py": parse_module}
    return {name: kinds[kind](text, name) for name, kind, text in named if name != "__init__"}


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
    return statistic.answer(warehouse, values)


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
    """The statistic in a file of SQL. Raises ``BadStatistic`` for anything in its header that is unknown, missing or
    twice, and where the header and the query differ in their parameters.
    """

    def answer(warehouse: Warehouse, values: Mapping[str, Any]) -> pd.DataFrame:
        return warehouse.query(text, values)

    return _statistic(_header(text, name, "--"), name, set(_PARAMETER.findall(_body(text))), answer)


def parse_module(text: str, name: str) -> Statistic:
    """The statistic in a module of ``analysis.statistics``, whose text this is; as ``parse``.

    The parameters of its function ``answer`` are the store, and by name those of the statistic.
    """
    function = import_module(f"analysis.statistics.{name}").answer

    def answer(warehouse: Warehouse, values: Mapping[str, Any]) -> pd.DataFrame:
        return first_rows(function(warehouse, **values))

    return _statistic(_header(text, name, "#"), name, set(signature(function).parameters) - {"warehouse"}, answer)


def _statistic(header: Header, name: str, used: set[str], answer: Answer) -> Statistic:
    """The statistic that a header declares, of a file that uses these parameters."""
    given, columns = _declared(header, name)
    parameters = tuple(given.pop("parameters").split())
    if given["name"] != name or set(parameters) != used or not used <= set(PARAMETERS):
        raise BadStatistic(f"{name}: the header names {given['name']} with {parameters}, the query uses {sorted(used)}")
    minimum = given.pop("minimum")
    if not minimum.isdecimal():
        raise BadStatistic(f"{name}: minimum is a number of hands, not {minimum}")
    return Statistic(**given, parameters=parameters, columns=columns, minimum=int(minimum), answer=answer)


def _declared(header: Header, name: str) -> tuple[dict[str, str], tuple[StatisticColumn, ...]]:
    """What a header says by key, and the columns."""
    given: dict[str, str] = {}
    columns: list[StatisticColumn] = []
    for key, value in header:
        if key == "column":
            columns.append(_column(value, name))
        elif key not in _KEYS or key in given:
            raise BadStatistic(f"{name}: {'twice' if key in given else 'unknown key'}: {key}")
        else:
            given[key] = value
    missing = [key for key in _KEYS if key not in given]
    if missing or not columns:
        raise BadStatistic(f"{name}: missing: {', '.join(missing) or 'column'}")
    return given, tuple(columns)


def _body(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def _header(text: str, name: str, mark: str) -> Header:
    """Keys and values of the comment that a file begins with; a line that is indented goes on with the last value."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if not line.startswith(mark):
            break
        key, more = (form.fullmatch(line.removeprefix(mark)) for form in (_HEADER, _MORE))
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
