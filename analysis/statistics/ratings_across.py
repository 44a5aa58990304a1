# name: ratings_across
# title_zh: 技术分（跨规则）
# title_en: Ratings across rulesets
# grain: one row per player, over all rulesets
# parameters: player since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
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
# definition_zh: 同 ratings，但每人在所有规则下共用一个评分，各规则只有角色值不同。规则之间是否可比由使用者判断。
# definition_en: As ratings, but a player has one rating over all rulesets, and only the role is of each ruleset.
#   Whether they compare is for you to judge.
# minimum: 100
# kept: player
"""How skilled players are, whatever ruleset they play: what is asked for by name only (statistics.md 2.9, #101)."""

from datetime import date

import pandas as pd

from analysis.ratings import players_of
from analysis.warehouse import Warehouse

_COLUMNS = "player bot mu sigma conservative wins hands expected over error last_day excluded".split()


def answer(warehouse: Warehouse, *, player: str | None, since: date | None, until: date | None) -> pd.DataFrame:
    """The best first."""
    return players_of(warehouse, "everything", player, since=since, until=until)[_COLUMNS]
