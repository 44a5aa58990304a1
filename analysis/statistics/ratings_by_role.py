# name: ratings_by_role
# title_zh: 各角色技术分
# title_en: Ratings by role
# grain: one row per player, ruleset and role
# parameters: player rules since until role
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: role | text | 角色 | Role | landlord 地主、farmer 农民 | landlord or farmer
# column: bot | flag | 机器人 | Bot | 是否有记录说他是机器人 | Whether a record says that it is a bot
# column: mu | number | 水平 μ | mu | 水平的估计，新人为 25 | Estimate of the skill; 25 for a newcomer
# column: sigma | number | 不确定度 σ | sigma | μ 的标准差，新人为 8.33 | Standard deviation of mu; 8.33 for a newcomer
# column: conservative | number | 技术分 | Rating | μ − 3σ，排名用它 | mu - 3 sigma, by which rows are ranked
# column: wins | count | 胜局 | Wins | 在胜方的局 | Hands on the winning side
# column: hands | count | 局数 | Hands | 计入等级分的局 | Hands that were rated
# column: expected | number | 期望胜局 | Expected wins | 每局开始前预测胜率之和 | Sum of the predicted chances before each hand
# column: over | number | 超出期望 | Over expectation | 胜局减期望胜局 | Wins less expected wins
# column: error | number | 标准误 | Standard error | 超出期望的标准误 | Standard error of that difference
# column: last_day | day | 最近 | Last day | 最近一局计入的日期；都无时间则为空 | Day of the last rated hand; null if undated
# column: excluded | count | 未计 | Left out | 有误、地主与农民同一人或队友逃跑的局 | Hands left out: faulty, against himself, or deserted by the other farmer
# definition_zh: 同 ratings，但每人作地主与作农民各有一个评分，都从新人的 25 ± 8.33 开始。
# definition_en: As ratings, but a player has one rating as landlord and one as farmer, both from a newcomer's 25 ±
#   8.33.
# minimum: 100
# behind: seats
# behind: won IS NOT NULL AND role IS NOT NULL
# kept: player rules role
"""How skilled players are as landlord and as farmer (statistics.md 2.9, #102)."""

from datetime import date

import pandas as pd

from analysis.ratings import players_of
from analysis.warehouse import Warehouse

_COLUMNS = "player rules role bot mu sigma conservative wins hands expected over error last_day excluded".split()


def answer(
    warehouse: Warehouse,
    *,
    player: str | None,
    rules: str | None,
    since: date | None,
    until: date | None,
    role: str | None,
) -> pd.DataFrame:
    """The best first, ruleset by ruleset; the role narrows what is shown, not what is rated."""
    ranked = players_of(warehouse, "role", player, rules=rules, since=since, until=until)[_COLUMNS]
    return ranked if role is None else ranked[ranked["role"] == role].reset_index(drop=True)
