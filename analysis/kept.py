"""Answers over all hands of a large store, and over those of each ruleset, kept beside it until it changes.

Knows which questions an answer that is kept answers. Refuses to know what is asked, and to be needed.
"""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pandas as pd
import pyarrow as pa

from analysis import choices, keeping
from analysis.declared import Statistic
from analysis.warehouse import TooSlow, Warehouse, first_rows

RULES = "rules"
"""The filter that every screen of players and strategy sets: a ruleset has answers of its own."""
DAYS = ("since", "until")
"""Filters that make another answer of all rows, where a statistic says how."""
_TRUNCATED, _TYPES = b"fupan.truncated", b"fupan.types"


def holds(warehouse: Warehouse, statistic: Statistic, values: Mapping[str, Any]) -> bool:
    """Whether the answer over all hands or those of a ruleset, or some of its rows, answers a question."""
    if statistic.kept is None or not keeping.is_large(warehouse):
        return False
    given = {name for name, value in values.items() if value is not None} - statistic.kept.keys()
    given -= set() if statistic.narrow is None else set(DAYS)
    return not given or (given == {RULES} and values[RULES] in choices.rulesets(warehouse))


def answer(warehouse: Warehouse, statistic: Statistic, values: Mapping[str, Any]) -> pd.DataFrame:
    """The rows that these filters pick of the answer over all hands or those of a ruleset, kept from now on."""
    kept = statistic.kept or {}
    frame = _whole(warehouse, statistic, None if RULES in kept else values.get(RULES))
    picked = {name: columns for name, columns in kept.items() if values.get(name) is not None}
    days = {name: values[name] for name in DAYS if values.get(name) is not None}
    if not picked and not days:
        return frame
    if frame.attrs["truncated"]:
        return statistic.answer(warehouse, values)
    if days and statistic.narrow is not None:
        frame = statistic.narrow(frame, since=values["since"], until=values["until"])
    for name, columns in picked.items():
        frame = frame[(frame[list(columns)] == values[name]).any(axis=1)]
    return first_rows(frame.reset_index(drop=True))


def prepare(warehouse: Warehouse, statistics: Mapping[str, Statistic]) -> int:
    """Keep all answers of a large store that can be; how many there are. What takes too long is left to who asks."""
    done = 0
    for statistic in statistics.values():
        for rules in _wholes(warehouse, statistic):
            with suppress(TooSlow):
                _whole(warehouse, statistic, rules)
                done += 1
    return done


def _wholes(warehouse: Warehouse, statistic: Statistic) -> list[str | None]:
    """The hands of which an answer is kept ahead: all, and those of each large ruleset that no filter picks."""
    if statistic.kept is None or not keeping.is_large(warehouse):
        return []
    apart = RULES in statistic.parameters and RULES not in statistic.kept
    known = choices.rulesets(warehouse) if apart else []
    return [None, *(known if len(known) > 1 else [])]


def _whole(warehouse: Warehouse, statistic: Statistic, rules: str | None) -> pd.DataFrame:
    """The answer over all hands, or those of a ruleset where there are others."""
    key = keeping.key_of(warehouse)
    law = None if rules is None or choices.rulesets(warehouse) == [rules] else rules
    of = "" if law is None else f"-{hashlib.blake2b(law.encode(), digest_size=6).hexdigest()}"
    with suppress(pa.ArrowException, KeyError, ValueError):
        table = keeping.found(warehouse, f"{statistic.name}{of}", key)
        if table is not None:
            return _framed(table)
    asked = dict.fromkeys(statistic.parameters) | ({} if law is None else {RULES: law})
    frame = statistic.answer(warehouse, asked)
    keeping.keep(warehouse, f"{statistic.name}{of}", key, _tabled(frame))
    return frame


def _framed(table: pa.Table) -> pd.DataFrame:
    told = table.schema.metadata
    types = told[_TYPES].decode().split("\n")
    frame = pd.DataFrame(
        {name: _typed(table.column(name), kind) for name, kind in zip(table.column_names, types, strict=True)}
    )
    frame.attrs["truncated"] = told[_TRUNCATED] == b"1"
    return frame


def _typed(column: pa.ChunkedArray, kind: str) -> Any:
    """A column as it was, nulls included."""
    return pd.Series(column.to_pylist(), dtype=object) if kind == "object" else column.to_pandas().astype(kind)


def _tabled(frame: pd.DataFrame) -> pa.Table:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    told = {_TRUNCATED: b"1" if frame.attrs["truncated"] else b"0", _TYPES: "\n".join(map(str, frame.dtypes)).encode()}
    return table.replace_schema_metadata(told)
