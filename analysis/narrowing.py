"""Filters: what each asks of a seat, in SQL.

Knows parameters and the columns of ``seats``. Refuses to know what is asked of the seats that pass.
"""

import re
from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Any]
"""What a statistic is asked with, by parameter; None narrows nothing."""

FILTERS = ("player", "rules", "since", "until", "role", "position", "table", "tag", "bots")
OF_SEATS = ("player", "role", "position", "bots")
"""Filters that are about single seats; all others ask the same of a hand."""
BOTS = {
    "human": "bot IS DISTINCT FROM true",
    "only": "bot",
    "none": "hand NOT IN (SELECT hand FROM seats WHERE bot)",
}
"""Seats of people, seats of robots, or hands in which no robot sat."""
_KEY = "split_part(wanted, '=', 1)"
_POINTED = (
    f"json_extract_string(tags, '/' || replace(replace({_KEY}, '~', '~0'), '/', '~1')) "
    f"= substr(wanted, length({_KEY}) + 2)"
)
"""A pointer (RFC 6901) says every key as it is; in a path, quotes and backslashes cannot be said."""
_WRITTEN_OUT = (
    """list_contains(list_transform(map_entries(from_json(tags, '"MAP(VARCHAR, VARCHAR)"')), """
    "lambda tag: concat(tag.key, '=', tag.value)), wanted)"
)
TAG = (
    "CREATE MACRO has_tag(tags, wanted) AS CASE WHEN length(wanted) - length(replace(wanted, '=', '')) > 1 "
    f"THEN {_WRITTEN_OUT} ELSE {_POINTED} END"
)
"""Whether tags hold ``KEY=VALUE``. Of several equals signs any may be the one between key and value, so that all tags
are written out and compared, which takes fifteen times as long."""

_CONDITIONS = {
    "player": "player = $player",
    "rules": "rules = $rules",
    "since": "day >= CAST($since AS DATE)",
    "until": "day <= CAST($until AS DATE)",
    "role": "role = $role",
    "position": "position = $position",
    "table": "table_id = $table",
    "tag": "hand IN (SELECT hand FROM hands WHERE has_tag(tags, $tag))",
}
_PARAMETER = re.compile(r"\$([a-z_]+)")
_OPEN = re.compile(r"\(\$([a-z_]+) IS NULL OR ")
_TOKEN = re.compile(r"'(?:[^']|'')*'|[()]")
_EACH = "\n        AND ".join(f"(${name} IS NULL OR {text})" for name, text in _CONDITIONS.items())
CHOSEN = f"""
    SELECT *
    FROM seats
    WHERE {_EACH}
        AND ($bots IS NULL OR CASE $bots
            {" ".join(f"WHEN '{name}' THEN {text}" for name, text in BOTS.items())}
        END)
"""
"""Seats that pass the filters, of hands of any verdict, in a text that names every filter."""


def narrowed(values: Values, *more: str) -> str:
    """The condition of the filters that have a value and of some more.

    A filter that narrows nothing is not written: it would be worked out all the same.
    """
    bots = [BOTS[values["bots"]]] if values.get("bots") is not None else []
    conditions = [text for name, text in _CONDITIONS.items() if values.get(name) is not None]
    return " AND ".join([*conditions, *bots, *more]) or "true"


def settled(sql: str, values: Values) -> str:
    """SQL in which every ``($name IS NULL OR condition)`` is what it means for these values.

    DuckDB does not see through it: as it stands, no row is passed over for what the condition says. A name that has no
    value here at all is left as it is.
    """
    told, start = [], 0
    for found in _OPEN.finditer(sql):
        if found.start() < start or found[1] not in values:
            continue
        end = closing(sql, found.end())
        if end is None:
            break
        condition = settled(sql[found.end() : end], values)
        told += [sql[start : found.start()], "true" if values[found[1]] is None else f"({condition})"]
        start = end + 1
    return "".join([*told, sql[start:]])


def closing(sql: str, start: int) -> int | None:
    """Where the bracket closes that was opened before ``start``; None where it never does."""
    depth = 1
    for token in _TOKEN.finditer(sql, start):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return None


def about_seats(values: Values) -> bool:
    """Whether a filter is set that is about single seats, so that ``hands`` alone cannot answer."""
    return any(values.get(name) is not None for name in OF_SEATS)


def named(sql: str) -> set[str]:
    """The parameters that SQL names."""
    return set(_PARAMETER.findall(sql))
