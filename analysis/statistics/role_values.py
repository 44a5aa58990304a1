# name: role_values
# title_zh: 地主角色值
# title_en: The landlord's role
# grain: one row per ruleset
# parameters: rules since until
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: farmers | count | 农民数 | Farmers | 对地主的人数 | How many play against the landlord
# column: start | number | 起始 | Start | 角色值的起点：25 ×（农民数 − 1），即新人之间胜负各半 | Where the role began: 25 × (farmers - 1), even chances among newcomers
# column: mu | number | 角色值 | Role value | 从牌局学得的角色值；高于起始即地主有利 | Learnt from the hands; above the start the landlord has the better of it
# column: sigma | number | 不确定度 σ | sigma | 角色值的标准差 | Standard deviation of the role value
# column: wins | count | 地主胜 | Wins | 地主胜的局 | Hands that the landlord won
# column: hands | count | 局数 | Hands | 计入等级分的局 | Hands that were rated
# column: rate | rate | 地主胜率 | Win rate | 地主胜除以局数 | Wins among hands
# column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
# column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
# column: expected | number | 期望胜局 | Expected wins | 每局开始前预测胜率之和 | Sum of the predicted chances before each hand
# column: over | number | 超出期望 | Over expectation | 胜局减期望胜局 | Wins less expected wins
# column: error | number | 标准误 | Standard error | 超出期望的标准误 | Standard error of that difference
# column: last_day | day | 最近 | Last day | 最近一局计入的日期；都无时间则为空 | Day of the last rated hand; null if undated
# column: excluded | count | 未计 | Left out | 有误或地主与农民同一人的局 | Hands left out: faulty, or the landlord is also a farmer
# definition_zh: ratings 中与地主同方的“角色”：规则给单独一方的优势，与地主是谁无关。
#   它比玩家变得慢得多，只跟随全体玩家的平均水平。各规则分开计分。
# definition_en: The role that stands beside the landlord in ratings: what a ruleset gives to the lone side, whoever
#   that is. It changes far more slowly than players do, just enough to follow their mean.
# minimum: 100
# kept: rules
"""What being landlord is worth under each ruleset (statistics.md 2.9, #101)."""

from datetime import date

import pandas as pd

from analysis.intervals import wilson
from analysis.ratings import roles_of
from analysis.warehouse import Warehouse

_COLUMNS = "rules farmers start mu sigma wins hands rate low high expected over error last_day excluded".split()


def answer(warehouse: Warehouse, *, rules: str | None, since: date | None, until: date | None) -> pd.DataFrame:
    """Ruleset by ruleset."""
    roles = roles_of(warehouse, rules=rules, since=since, until=until)
    counts = zip(roles["wins"], roles["hands"], strict=True)
    bounds = [wilson(wins, hands) if hands else (None, None) for wins, hands in counts]
    intervals = pd.DataFrame(bounds, columns=["low", "high"], dtype=float)
    return roles.assign(rate=roles["wins"] / roles["hands"].where(roles["hands"] > 0)).join(intervals)[_COLUMNS]
