"""What each version of the tables brought, declared in ``history.toml``, and so what a store of an earlier one lacks.

Knows versions, tables and columns by name. Refuses to know rows: what an earlier store has is read as it is, and what
it has in another sense than today is not read at all.
"""

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from ingest.faults import Language
from ingest.store.schema import TABLES, Table

Columns = dict[str, tuple[str, ...]]
"""Names of columns by table."""


class Sentence(Struct, frozen=True):
    """A sentence in both languages."""

    zh: str
    en: str

    def __call__(self, language: Language, **values: object) -> str:
        """It with its values."""
        return (self.zh if language == "zh" else self.en).format_map(values)


class Meaning(Struct, frozen=True):
    """Columns that meant something else in some stores of the version that brought them."""

    table: str
    columns: tuple[str, ...]
    was: tuple[str, ...]
    """What their files say that they mean."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """What one version brought."""

    number: int
    brought: Sentence
    tables: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    """Of these tables, those of which earlier stores just have no rows."""
    added: Columns = {}
    changed: Columns = {}
    """Columns that earlier stores have in another sense, or that some of them had wrong."""
    within: tuple[Meaning, ...] = ()


class Lack(Struct, frozen=True):
    """What a store does not have as it is today."""

    tables: frozenset[str] = frozenset()
    columns: dict[str, frozenset[str]] = {}
    """By table that it has."""

    def __bool__(self) -> bool:
        return bool(self.tables) or any(self.columns.values())

    def of(self, column: str) -> list[str]:
        """The columns of a name that are lacking, as ``table.column``."""
        return [f"{table}.{column}" for table, columns in self.columns.items() if column in columns]

    def shown(self, table: Table) -> list[str] | None:
        """The columns of a table that can be asked, in their order; None for a table that is not there."""
        gone = self.columns.get(table.name, frozenset())
        return None if table.name in self.tables else [c.name for c in table.columns if c.name not in gone]


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(resources.files("ingest.store").joinpath("history.toml").read_text("utf-8"))


@cache
def steps() -> tuple[Step, ...]:
    """What each version brought, from the first."""
    return msgspec.convert(_declared()["version"], tuple[Step, ...])


@cache
def sentence(name: str) -> Sentence:
    """What is said of earlier stores."""
    return msgspec.convert(_declared()["sentences"][name], Sentence)


@cache
def tables_of(version: int) -> frozenset[str]:
    """The tables that a store of a version has files of."""
    return frozenset(TABLES) - {table for step in steps() if step.number > version for table in step.tables}


@cache
def lack_of(version: int) -> Lack:
    """What every store of a version lacks."""
    later = [step for step in steps() if step.number > version]
    none = {table for step in later for table in step.none}
    columns: dict[str, set[str]] = {}
    for step in later:
        for named in (step.added, step.changed):
            for table, names in named.items():
                columns.setdefault(table, set()).update(names)
    has = {name for name in tables_of(version) if len(columns.get(name, ())) < len(TABLES[name].columns)}
    gone = {name: frozenset(names) for name, names in columns.items() if name in has}
    return Lack(frozenset(TABLES) - has - none, gone)


def since(table: str, column: str = "") -> int:
    """The version from which on every store has a table, or a column of it, as it is today."""
    named = (
        (step.number, column in names or (not column and table in step.tables))
        for step in steps()
        for names in ({*step.added.get(table, ()), *step.changed.get(table, ()), *_meant_otherwise(step, table)},)
    )
    return max((number for number, is_it in named if is_it), default=1)


def _meant_otherwise(step: Step, table: str) -> set[str]:
    return {name for each in step.within if each.table == table for name in each.columns}


def former(version: int) -> tuple[Meaning, ...]:
    """The meanings that some stores of a version give to columns, in place of today's."""
    return tuple(each for step in steps() if step.number == version for each in step.within)
