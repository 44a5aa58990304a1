# name: table_mates
# title_zh: 常同桌
# title_en: Table mates
# kind: table
# number: 83, 85
# grain: one row per pair of players and ruleset
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: other | text | 对方 | Other | 另一玩家的编号 | The other player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 同桌局数 | Hands together | 同桌局数 | Hands together
# column: own | count | 较少一方的局数 | Hands of the rarer | 两人中局数较少者的总局数 | Hands of whichever of the two has fewer
# column: rate | rate | 依存度 | Dependence | 同桌局数除以较少一方的局数 | Hands together among the hands of the rarer
# column: low | rate | 下限 | Low | 下限 | Low
# column: high | rate | 上限 | High | 上限 | High
# column: tables | count | 桌数 | Tables | 同桌过的不同牌桌 | Different tables at which both sat
# definition_zh: 两名玩家同在一桌的局，不论角色，流局也在内；一人坐两个座位的局只计一次。较少一方的局数取自同样的日期、规则、牌桌与标签。
# definition_en: Hands at which both players sat, whatever their roles, void ones among them; once where one of
#   them sat twice. Hands of the rarer are those of the same days, ruleset, table and tag.
# minimum: 30
# kept: player rules
"""Who sits with whom, and how much of what the rarer of the two plays that is (statistics.md 2.8, #83 and #85)."""

import pandas as pd

from analysis.cells import Cells, asked
from analysis.narrowing import OF_SEATS, Values, named, narrowed
from analysis.warehouse import Warehouse

_CLEAN = "verdict = 'clean'"
_SAT = f"SELECT player, rules, day, count(DISTINCT hand) AS hands FROM seats WHERE {_CLEAN} GROUP BY player, rules, day"
SAT_CELLS = Cells("sat_by_day", "sat", _SAT)
_BY_DAY = ("rules", "since", "until")
_MET = """
pairs AS (
    SELECT
        chosen.player AS player,
        other.player AS other,
        chosen.rules AS rules,
        count(DISTINCT chosen.hand) AS hands,
        count(DISTINCT chosen.table_id) AS tables
    FROM chosen
    JOIN seats AS other ON other.hand = chosen.hand AND other.player > chosen.player
    GROUP BY chosen.player, other.player, chosen.rules
)

SELECT
    pairs.player,
    pairs.other,
    pairs.rules,
    pairs.hands,
    least(mine.hands, theirs.hands) AS own,
    rate(pairs.hands, own) AS rate,
    wilson_low(pairs.hands, own) AS low,
    wilson_high(pairs.hands, own) AS high,
    pairs.tables
FROM pairs
JOIN own AS mine ON mine.player = pairs.player AND mine.rules = pairs.rules
JOIN own AS theirs ON theirs.player = pairs.other AND theirs.rules = pairs.rules
ORDER BY pairs.hands DESC, pairs.player, pairs.other, pairs.rules
"""

cells = (SAT_CELLS,)


def answer(warehouse: Warehouse, values: Values) -> pd.DataFrame:
    """Pairs that sat together most first."""
    chosen = f"chosen AS (SELECT * FROM seats WHERE {narrowed(values, _CLEAN)})"
    sql = f"WITH {chosen}, {_own(values)}, {_MET}"
    return asked(warehouse, sql, cells, {name: values[name] for name in named(sql)})


def _own(values: Values) -> str:
    """The hands of each account that pass those filters which are about hands, added up by day where that is enough."""
    given = {name for name, value in values.items() if value is not None and (name not in OF_SEATS or value == "none")}
    of_hands = {name: values[name] for name in given}
    if given <= set(_BY_DAY):
        summed = f"SELECT player, rules, sum(hands)::BIGINT AS hands FROM sat WHERE {narrowed(of_hands)}"
        return f"{SAT_CELLS.part}, own AS ({summed} GROUP BY player, rules)"
    counted = f"SELECT player, rules, count(DISTINCT hand) AS hands FROM seats WHERE {narrowed(of_hands, _CLEAN)}"
    return f"own AS ({counted} GROUP BY player, rules)"
