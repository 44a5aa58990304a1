"""What the filters of statistics can be set to in a store, most frequent first.

Knows which words occur. Refuses to list all of them where there are very many: a person may write any other.
"""

import json
from collections import Counter

from analysis.warehouse import Warehouse

MANY = 500
"""Words that are listed of one filter."""
_TAGS = 5_000
"""Different sets of tags that are looked at."""

_RULES = "SELECT rules FROM days WHERE rules IS NOT NULL GROUP BY rules ORDER BY sum(hands) DESC, rules"
_PLAYERS = "SELECT player FROM players GROUP BY player ORDER BY sum(hands) DESC, player LIMIT $many"
_TABLES = """
SELECT table_id
FROM hands
WHERE table_id IS NOT NULL
GROUP BY table_id
ORDER BY count(*) DESC, table_id
LIMIT $many
"""
_SETS = "SELECT tags, count(*) AS hands FROM hands WHERE tags IS NOT NULL GROUP BY tags ORDER BY hands DESC, tags"
_NAMES = """
SELECT player, max_by(name, hand) AS name
FROM seats
WHERE list_contains(CAST($players AS VARCHAR[]), player) AND name IS NOT NULL
GROUP BY player
"""
_BOTS = "SELECT count(*) AS bots FROM (SELECT 1 FROM seats WHERE bot LIMIT 1)"


def rulesets(warehouse: Warehouse) -> list[str]:
    """The rulesets of the hands."""
    return _listed(warehouse, _RULES)


def players(warehouse: Warehouse) -> list[str]:
    """The ids of the players with most hands."""
    return _listed(warehouse, _PLAYERS, many=MANY)


def tables(warehouse: Warehouse) -> list[str]:
    """The tables with most hands."""
    return _listed(warehouse, _TABLES, many=MANY)


def names(warehouse: Warehouse, ids: tuple[str, ...]) -> dict[str, str]:
    """What players with these ids called themselves last."""
    frame = warehouse.query(_NAMES, {"players": list(ids)})
    return dict(zip(frame["player"].astype(str), frame["name"].astype(str), strict=True))


def tags(warehouse: Warehouse) -> list[str]:
    """The tags of hands as ``KEY=VALUE``."""
    frame, counted = warehouse.query(_SETS, rows=_TAGS), Counter[str]()
    for text, hands in zip(frame["tags"], frame["hands"], strict=True):
        counted.update({f"{key}={value}": int(hands) for key, value in json.loads(text).items()})
    return [tag for tag, _ in counted.most_common(MANY)]


def has_bots(warehouse: Warehouse) -> bool:
    """Whether any seat is said to be a robot's."""
    return bool(warehouse.query(_BOTS)["bots"][0])


def _listed(warehouse: Warehouse, sql: str, **parameters: int) -> list[str]:
    frame = warehouse.query(sql, parameters)
    return frame.iloc[:, 0].astype(str).tolist()
