# name: integrity_paces
# title_zh: 账号的用时与作息
# title_en: Paces of accounts
# grain: one row per player, ruleset and test; all sums them up
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: bot | flag | 机器人 | Bot | 是否有记录说他是机器人 | Whether a record says that it is a bot
# column: test | text | 检验 | Test | quick 过快、even 恒定、careless 与选择无关、overlap 两局重叠、awake 不休息；all 为总结 | quick, even, careless (times), overlap and awake (hands); all sums up
# column: whole | count | 样本 | Sample | 有选择的着数；careless 为无选择的着数；overlap 与 awake 为局数 | Moves with a choice; of careless without; of overlap and awake hands
# column: value | number | 值 | Value | 比率；even 为用时对数的标准差；careless 为有选择与无选择的用时之比；awake 为小时 | A rate; of even the deviation of the logarithm of times; of careless the ratio of times with a choice and without; of awake hours
# column: value_from | number | 下限 | Low | 95% 区间下限 | Lower end of the 95 % interval
# column: value_to | number | 上限 | High | 95% 区间上限 | Upper end of the 95 % interval
# column: p | number | p | p | 正常时出现至少这样多的概率 | How likely as much is where all is well
# column: adjusted | number | 校正后的 p | Adjusted p | 账号内按 Holm；all 行再按 Benjamini-Hochberg 对各账号校正 | Holm over the tests of an account; of all then Benjamini-Hochberg over accounts
# column: score | number | 分值 | Score | 校正后 p 的负常用对数，至多 16；awake 为超过 16 小时者每两小时一分 | Minus the common logarithm of the adjusted p, at most 16; of awake a point for every two hours beyond 16
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 所见 | What was seen
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: innocent_zh | text | 无辜的解释（中文） | Innocent explanation (Chinese) | 什么情形下无妨 | What would make it harmless
# column: innocent_en | text | 无辜的解释（英文） | Innocent explanation (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 至多五局的编号 | Running numbers of up to five hands
# definition_zh: 账号的用时像不像机器。quick：快于 150 毫秒的有选择着数，容许百分之一。even：变异系数低于 0.1；人至少为 0.2。
#   careless：有选择时比无选择（只能过牌）慢不到五分之一。overlap：上一局最后一着之前又开一局，容许千分之一。awake：没有四小时休息的最长一段。
#   少于 30 着不检验。人的行为若在这些界限以内，对全部账号至多二十分之一误报。分值只说该看哪里，不是对任何人的结论。
# definition_en: Are the times of an account those of a machine? quick: moves with a choice in less than 150
#   milliseconds; one in a hundred is tolerated. even: a coefficient of variation below 0.1; people's is 0.2
#   at least. careless: with a choice less than a fifth slower than without (forced passes). overlap: a
#   hand begun before the last move of the one before; one in a thousand is tolerated. awake: the longest
#   stretch without four hours' rest. Fewer than 30 moves are not tested. Where people keep within these
#   bounds, all accounts together raise a false alarm at most once in twenty times. A score says where to
#   look and is no verdict on anybody.
# minimum: 100
# behind: every seat
# behind: CASE $test WHEN 'quick' THEN free > 0 WHEN 'even' THEN free > 0 WHEN 'careless' THEN forced > 0
#   WHEN 'all' THEN free > 0 OR forced > 0 OR began IS NOT NULL ELSE began IS NOT NULL END
# kept: player
"""Does an account act as a machine would? (statistics.md 4.4, 4.5, #95)"""

from datetime import date
from typing import Any

from analysis.clocks import FOLLOWED_CELLS, HOUR_CELLS, PACE_CELLS, of_players
from analysis.warehouse import Warehouse

cells = (
    FOLLOWED_CELLS,
    HOUR_CELLS,
    PACE_CELLS,
)


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    filters = {"rules": rules, "since": since, "until": until}
    told = warehouse.remembered(("paces", *filters.values()), lambda: of_players(warehouse, filters))
    return [row for row in told if player is None or player == row["player"]]
