"""Statistics that take more than SQL: a header like that of an SQL file, and the function that answers.

Knows what a screen is: it gives a score, its reasons, hands as evidence and how many hands it rests on. It never gives
a verdict on a person. Refuses to know what any of them looks for.
"""

import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.catalogue import Statistic, StatisticColumn
from analysis.warehouse import Warehouse

Run = Callable[[Warehouse, Mapping[str, Any]], pd.DataFrame]
"""A store and filters in, the declared columns out. A filter that is left out or None narrows nothing."""

SHUFFLED = ("", "random")
"""The tags ``deal_mode`` (empty: none) of deals that are said to be shuffled; only these are scored."""


class Screen(Struct, frozen=True, kw_only=True):
    """One screen, with the same header as a ``Statistic``."""

    name: str
    title_zh: str
    title_en: str
    grain: str
    parameters: tuple[str, ...]
    columns: tuple[StatisticColumn, ...]
    definition_zh: str
    definition_en: str
    minimum: int
    run: Run


Declared = Statistic | Screen
"""Whatever has a header."""


def screen(name: str, run: Run) -> Screen:
    """A screen whose header stands in ``headers/NAME.toml``."""
    header = tomllib.loads(resources.files("analysis").joinpath("headers", f"{name}.toml").read_text("utf-8"))
    lines = ([part.strip() for part in line.split("|")] for line in header.pop("columns").strip().splitlines())
    columns = tuple(StatisticColumn(*parts) for parts in lines)
    return Screen(name=name, parameters=tuple(header.pop("parameters").split()), columns=columns, run=run, **header)


def frame(rows: list[dict[str, Any]], declared: tuple[StatisticColumn, ...]) -> pd.DataFrame:
    """Rows as the answer of a screen: its columns in order, whole numbers that may be missing among them."""
    kinds = {"text": "object", "day": "datetime64[us]", "count": "Int64", "rate": "float64", "number": "float64"}
    answer = pd.DataFrame(rows, columns=[column.name for column in declared])
    answer = answer.astype({column.name: kinds[column.unit] for column in declared})
    answer.attrs["truncated"] = False
    return answer


def numbers(hands: tuple[int, ...]) -> str | None:
    """Hands as text, by their running numbers."""
    return " ".join(map(str, hands)) or None
