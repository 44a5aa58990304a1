"""The tables of the store as people look them up: what a row is, and what each column means, in both languages."""

import tomllib
from functools import cache
from importlib import resources

from dashboard.text import chosen
from ingest.store import KINDS, TABLES, Column, Table


@cache
def chinese() -> dict[str, str]:
    """What tables and columns mean in Chinese, by their meaning in English."""
    return tomllib.loads(resources.files("dashboard").joinpath("assets", "columns.toml").read_text("utf-8"))


def meaning(english: str) -> str:
    """A meaning in the language of this session; in English where nobody has said it in Chinese yet."""
    return chosen(chinese().get(english, english), english)


def kind(column: Column) -> str:
    """What SQL calls the kind of a column."""
    return KINDS[column.kind][1]


def tables_with(wanted: str) -> list[tuple[Table, list[Column]]]:
    """The tables that have something to do with a word, and those of their columns that have."""
    word = wanted.strip().lower()
    found = [(table, [column for column in table.columns if _is_about(column, word)]) for table in TABLES.values()]
    return [(table, columns) for table, columns in found if columns]


def _is_about(column: Column, word: str) -> bool:
    return not word or any(word in text.lower() for text in (column.name, column.meaning, meaning(column.meaning)))
