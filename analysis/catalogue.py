"""The list of statistics, and how one is asked. What a file declares is read by ``declared``."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd

from analysis import abreast, cells, kept, measures, meetings_kept, narrowing, tallies
from analysis.declared import BadStatistic, Statistic, StatisticColumn, parse, parse_module
from analysis.warehouse import Warehouse
from ingest.faults import Language

__all__ = [
    "BadFilter",
    "BadStatistic",
    "Statistic",
    "StatisticColumn",
    "filtered",
    "of_frame",
    "parse",
    "parse_module",
    "prepare",
    "run",
    "run_each",
    "run_parts",
    "statistics",
]

CHOICES = {
    "role": ("landlord", "farmer"),
    "position": ("down", "up", "across"),
    "bots": tuple(narrowing.BOTS),
    "by": tuple(measures.GROUPS),
    "across": ("yes", "no"),
}
"""The values of those parameters that have only a few."""


@cache
def statistics() -> dict[str, Statistic]:
    """Every statistic, by name."""
    files = resources.files("analysis").joinpath("statistics").iterdir()
    named = sorted((*file.name.rsplit(".", 1), file.read_text("utf-8")) for file in files if file.is_file())
    kinds = {"sql": parse, "py": parse_module}
    return {name: kinds[kind](text, name) for name, kind, text in named if name != "__init__"}


class BadFilter(ValueError):
    """A value that a filter cannot have."""

    def __init__(self, kind: str, **details: str) -> None:
        self.kind, self.details = kind, details
        super().__init__(self.sentence("en"))

    def sentence(self, language: Language) -> str:
        """What it may be, for people."""
        return _FORMS[self.kind][language].format_map(self.details)


_FORMS: dict[str, dict[Language, str]] = {
    "choice": {"zh": "{name} 只能是 {known}，不能是 {given}", "en": "{name} is {known}, not {given}"},
    "tag": {"zh": "tag 要写成 KEY=VALUE，不能是 {given}", "en": "tag is KEY=VALUE, not {given}"},
    "day": {
        "zh": "{name} 要写成 2026-11-29 这样的日期，不能是 {given}",
        "en": "{name} is a day such as 2026-11-29, not {given}",
    },
}


def run(warehouse: Warehouse, name: str, **parameters: Any) -> pd.DataFrame:
    """The answer of a statistic. A parameter that is left out or None narrows nothing.

    Raises ``KeyError`` for an unknown statistic and ``ValueError`` for a parameter that it does not have.
    """
    return run_each(warehouse, (name,), **parameters)[name]


def run_each(warehouse: Warehouse, names: Sequence[str], **parameters: Any) -> dict[str, pd.DataFrame]:
    """The answers of several statistics under the same parameters, by name; measures are answered together.

    Raises as ``run`` does.
    """
    asked = [(each, _values(each, parameters)) for each in map(_known, dict.fromkeys(names))]
    found = {
        each.name: kept.answer(warehouse, each, values) for each, values in asked if kept.holds(warehouse, each, values)
    }
    rest = [(each, values) for each, values in asked if each.name not in found]
    measured = [(each, values) for each, values in rest if each.tally is not None]
    if measured:
        found |= tallies.answers(warehouse, [each for each, _ in measured], measured[0][1])[0]
    left = [(each, values) for each, values in rest if each.name not in found]
    for answers in abreast.each(lambda some: _answered(warehouse, some), _together(left)):
        found |= answers
    return {each.name: found[each.name] for each, _ in asked}


Asked = tuple[Statistic, dict[str, Any]]


def _together(left: Sequence[Asked]) -> list[list[Asked]]:
    """What is asked in one question: measures of one kind where few seats are picked, all others by themselves."""
    groups = dict[object, list[Asked]]()
    for place, (each, values) in enumerate(left):
        key = each.tally.kind if each.tally is not None and narrowing.about_seats(values) else place
        groups.setdefault(key, []).append((each, values))
    return list(groups.values())


def _answered(warehouse: Warehouse, some: Sequence[Asked]) -> dict[str, pd.DataFrame]:
    (first, values), *more = some
    if not more:
        return {first.name: first.answer(warehouse, values)}
    return tallies.together(warehouse, [each for each, _ in some], values)


def run_parts(
    warehouse: Warehouse, names: Sequence[str], parts: Sequence[tallies.Part], **parameters: Any
) -> list[dict[str, pd.DataFrame]]:
    """The answers of measures for several parts of the seats: as ``run_each`` with the filters of each part set.

    Raises as ``run`` does.
    """
    for part in parts:
        filtered(part)
    measured = list(map(_known, dict.fromkeys(names)))
    found = tallies.answers(warehouse, measured, _values(measured[0], parameters), parts)
    left = [name for name in names if name not in found[0]]
    rest = abreast.each(lambda part: run_each(warehouse, left, **{**parameters, **part}), parts)
    return [told | more for told, more in zip(found, rest, strict=True)]


def _known(name: str) -> Statistic:
    known = statistics()
    if name not in known:
        raise KeyError(f"unknown statistic: {name}")
    return known[name]


def _values(statistic: Statistic, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a statistic as SQL takes them."""
    unknown = sorted(set(parameters) - set(statistic.parameters))
    if unknown:
        has = ", ".join(statistic.parameters)
        raise ValueError(f"{statistic.name} has no parameter {', '.join(unknown)}; it has {has}")
    return {parameter: _value(parameter, parameters.get(parameter)) for parameter in statistic.parameters}


def prepare(warehouse: Warehouse) -> int:
    """Keep with a large store what takes longest to answer over all its hands; how many answers that is."""
    parts = cells.prepare(warehouse, [part for each in statistics().values() for part in each.cells])
    parts += tallies.prepare(warehouse, statistics()) + meetings_kept.prepare(warehouse)
    return parts + kept.prepare(warehouse, statistics())


def filtered(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every filter with its value as SQL takes it. Raises ``BadFilter`` for a value that it cannot have."""
    return {name: _value(name, given.get(name)) for name in narrowing.FILTERS}


def of_frame(frame: pd.DataFrame) -> tuple[StatisticColumn, ...]:
    """The columns of an answer to a question of one's own, by the names and kinds that they have."""
    return tuple(StatisticColumn(str(name), _unit(frame[name]), *[str(name)] * 4) for name in frame.columns)


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
        raise BadFilter("choice", name=parameter, known=" / ".join(CHOICES[parameter]), given=str(given))
    if parameter == "tag" and "=" not in str(given):
        raise BadFilter("tag", given=str(given))
    return str(given)


def _day(parameter: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadFilter("day", name=parameter, given=text) from None
