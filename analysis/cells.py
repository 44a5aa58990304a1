"""Parts of questions that no filter changes, kept with a large store: what a question adds up, day by day, is there.

Knows how such a part is put into SQL. Refuses to know what it holds, and to be needed: where nothing is kept, it is
worked out with the question.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import pandas as pd
import pyarrow as pa
from msgspec import Struct

from analysis import keeping
from analysis.narrowing import closing
from analysis.warehouse import ROWS, SECONDS, Questionable, TooSlow, Warehouse

SPARE = 2
"""Hands a row of a part, below which it is not kept: the store is asked as quickly."""


class Cells(Struct, frozen=True):
    """One part of a question: a relation over all hands."""

    file: str
    """What it is kept under; empty for what never is."""
    name: str
    """What questions call it."""
    sql: str

    @property
    def part(self) -> str:
        """It, as it stands in WITH."""
        return _part(self.name, self.sql)

    @property
    def _kept(self) -> str:
        return f"kept_{self.name}"

    def taken_from(self, table: pa.Table, sql: str) -> tuple[str, dict[str, pa.Table]]:
        """A question that names this part with what is kept in its place, and that beside it."""
        return sql.replace(self.part, _part(self.name, f"SELECT * FROM {self._kept}")), {self._kept: table}


def _part(name: str, sql: str) -> str:
    return f"{name} AS ({sql})"


def cut(file: str, name: str, sql: str) -> Cells:
    """The part of this name in the text of a question. Raises ``ValueError`` where there is none."""
    found = re.search(rf"\b{name} AS \(", sql)
    end = None if found is None else closing(sql, found.end())
    if found is None or end is None:
        raise ValueError(f"no part is called {name}")
    return Cells(file, name, sql[found.end() : end])


def asked(
    warehouse: Questionable,
    sql: str,
    cells: Iterable[Cells],
    values: Mapping[str, Any],
    *,
    rows: int = ROWS,
    seconds: float = SECONDS,
) -> pd.DataFrame:
    """The answer to a question in which these parts stand, as ``Warehouse.query`` gives it and raises."""
    beside: dict[str, pa.Table] = {}
    if isinstance(warehouse, Warehouse) and keeping.is_large(warehouse):
        key = keeping.key_of(warehouse)
        for each in (part for part in cells if part.file):
            table = keeping.found(warehouse, each.file, key)
            if table is not None:
                sql, more = each.taken_from(table, sql)
                beside |= more
    return warehouse.query(sql, values, rows=rows, seconds=seconds, **({"beside": beside} if beside else {}))


def prepare(warehouse: Warehouse, cells: Iterable[Cells]) -> int:
    """Keep these parts of a large store, those that are much shorter than it; how many that is."""
    if not keeping.is_large(warehouse):
        return 0
    key, done, most = keeping.key_of(warehouse), 0, warehouse.manifest.rows("hands") // SPARE
    for each in cells:
        with suppress(TooSlow):
            table = keeping.found(warehouse, each.file, key)
            if table is None:
                table = warehouse.arrow(f"SELECT * FROM ({each.sql}) LIMIT {most + 1}")
                if len(table) <= most:
                    keeping.keep(warehouse, each.file, key, table)
            done += len(table) <= most
    return done
