# name: ratings
# title_zh: 技术分
# title_en: Ratings
# grain: one row per player and ruleset
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
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
# definition_zh: Weng–Lin 双方模型：地主一方为地主加该规则的“角色”（见 role_values），对农民全体；
#   从新人 25 ± 8.33 开始。各规则分开计分。
#   只计无误且分出胜负的局，按开局时间、编号、内容摘要的次序逐局更新，无时间的局在最后，与入库先后无关。
#   逃跑者一方算负，被丢下的另一农民不升不降；同一人既是地主又是农民的局不计。期望胜局用更新前的评分。
#   给出日期时只从这些日子的局算起。
# definition_en: Weng and Lin's model of two sides: the landlord with the role of his ruleset (see role_values)
#   against the farmers; newcomers begin at 25 ± 8.33. Rulesets are rated apart. Only clean hands with a
#   winner, rated one after another by time, id and digest, undated ones last, so that it does not
#   matter how they were loaded. Who leaves has lost for his side, and his fellow farmer stays as he
#   was; hands of a player against himself don't count. Expected wins rest on the ratings before each
#   hand. With days given, the ratings begin anew and end there.
# minimum: 100
# behind: seats
# behind: won IS NOT NULL AND role IS NOT NULL
# kept: player rules
"""How skilled the players of a ruleset are, by whom they beat (statistics.md 2.9, #101 and #103)."""

from datetime import date

import pandas as pd

from analysis.ratings import players_of
from analysis.warehouse import Warehouse

_COLUMNS = "player rules bot mu sigma conservative wins hands expected over error last_day excluded".split()


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> pd.DataFrame:
    """The best first, ruleset by ruleset."""
    return players_of(warehouse, "ruleset", player, rules=rules, since=since, until=until)[_COLUMNS]
