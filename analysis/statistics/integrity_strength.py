# name: integrity_strength
# title_zh: 各账号的起手牌力
# title_en: Strength dealt to each account
# grain: one row per player, ruleset and deal mode
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: deal_mode | text | 发牌方式 | Deal mode | 记录的标签 deal_mode | The record's tag deal_mode
# column: hands | count | 局数 | Hands | 起手牌已知的局 | Hands whose cards are known
# column: excluded | count | 未计 | Left out | 起手牌未公开的局 | Hands whose cards are hidden
# column: mean | number | 平均大牌点 | Mean points | 大王 4、小王 3、2 为 2、A 为 1 | Big joker 4, small joker 3, two 2, ace 1
# column: expected | number | 期望 | Expected | 可靠洗牌的平均 | The mean of a sound shuffle
# column: statistic | number | 离差 | Deviate | 正态离差 | A normal deviate
# column: p | number | p | p | 洗牌可靠时出现至少这样的偏差的概率 | How likely a sound shuffle deviates at least so far
# column: adjusted | number | 校正后的 p | Adjusted p | 按 Benjamini-Hochberg 对各账号校正 | Benjamini-Hochberg over accounts
# column: effect | number | 差 | Difference | 实际减期望，每局大牌点 | Seen minus expected, points a hand
# column: effect_from | number | 差自 | Difference from | 95% 区间下限 | Lower end of the 95 % interval
# column: effect_to | number | 差至 | Difference to | 95% 区间上限 | Upper end of the 95 % interval
# column: detectable | number | 可测的差 | Detectable | 水平 0.05、未校正时以九成把握能发现的差 | The difference seen with a probability of 90 % at 0.05, before correction
# column: score | number | 分值 | Score | 校正后 p 的负常用对数，至多 16；未标为洗牌的不计分 | Minus the common logarithm of the adjusted p, at most 16; none where the tag says that nobody shuffled
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 实际与期望 | Seen and expected
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 大牌点最高的至多五局 | Up to five hands with the most points
# definition_zh: 每个账号叫牌前所得的大牌点与可靠洗牌的精确期望相比；少于 50 局不检验。荒牌与有误的局也计。只在赢了才亮牌的日志会使结果偏高。
#   运气也会使人偏离；分值只说该看哪里，不是对任何人的结论。
# definition_en: Points of high cards that each account was dealt before the bidding, against the exact expectation
#   of a sound shuffle; fewer than 50 hands are not tested. Void hands and faulty ones count. Logs that
#   show cards only of those who won make the result too high. Luck deviates too: a score says where to
#   look and is no verdict on anybody.
# minimum: 100
# kept:
"""Was somebody dealt more than his share of high cards? (statistics.md 4.3)"""

from datetime import date
from typing import Any

from analysis.dealt_strength import accounts
from analysis.warehouse import Warehouse


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    return accounts(warehouse, {"player": player, "rules": rules, "since": since, "until": until})
