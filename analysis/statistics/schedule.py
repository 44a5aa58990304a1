# name: schedule
# title_zh: 对手强度
# title_en: Strength of schedule
# grain: one row per player and ruleset
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 计入等级分的局 | Hands that were rated
# column: own | number | 自己 | Own | 自己每局之前 μ 的平均 | Mean of one's own mu before each hand
# column: opponents | number | 对手 | Opponents | 对手每局之前 μ 的平均 | Mean of the opponents' mu before each hand
# column: mates | number | 队友 | Mates | 当农民时队友 μ 的平均；没有则为空 | Mean of the fellow farmers' mu; null where there were none
# definition_zh: 等级分见 ratings；每局取该局开始前的 μ，地主的对手是农民的平均，农民的对手是地主。
# definition_en: By the ratings of `ratings`, before each hand: a landlord's opponents are the mean of the farmers, a
#   farmer's the landlord.
# minimum: 100
# kept: player rules
"""How strong one's opponents were at the time (statistics.md 2.7, #86)."""

from datetime import date

import pandas as pd

from analysis import company
from analysis.warehouse import Warehouse

_COLUMNS = "player rules hands own opponents mates".split()


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> pd.DataFrame:
    """Who played most first."""
    return company.schedule(warehouse, player, rules=rules, since=since, until=until)[_COLUMNS]
