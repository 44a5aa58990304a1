# name: integrity_pairs
# title_zh: 两个账号之间的流向
# title_en: Pairs with directed flow
# grain: one row per pair, ruleset and test; all sums them up
# parameters: player rules since until
# column: player | text | 玩家 | Player | 得分流出的一方 | The side from which points flow
# column: other | text | 对方 | Other | 得分流入的一方 | The side to which they flow
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: test | text | 检验 | Test | flow 流向、third_party 第三人、soft 放水、weak_bids 弱牌叫牌、shape 翻倍、runs 轮流赢；together 同桌；all 为总结 | flow, third_party, soft, weak_bids, shape, runs; together (no test); all sums up
# column: whole | count | 样本 | Sample | 相对的局；soft 为能压的轮次，together 为同桌的局 | Opposed hands; of soft turns with an answer; of together hands at one table
# column: value | number | 值 | Value | flow 与 third_party 为每局超出预期的得分（对数）；soft、weak_bids、shape 为比率；runs 为连胜段数；together 为占较少者局数之比 | Of flow and third_party the residual a hand (logarithm); of soft, weak_bids and shape a rate; of runs their number; of together the share of the rarer account's hands
# column: expected | number | 期望 | Expected | 双方对其他人的表现所预期 | What both do against everybody else lets expect
# column: value_from | number | 下限 | Low | 95% 区间下限；runs 为期望的区间 | Lower end of the 95 % interval; of runs that of the expectation
# column: value_to | number | 上限 | High | 95% 区间上限 | Upper end of the 95 % interval
# column: points | number | 得分 | Points | flow：流向对方的得分除以底分之和 | Of flow: points given over the base, added up
# column: p | number | p | p | 无流向时至少如此的概率 | How likely as much is where nothing flows
# column: adjusted | number | 校正后的 p | Adjusted p | 组内各检验按 Holm；all 行再按 Benjamini-Hochberg 对各对校正 | Holm over the tests of a pair; of all then Benjamini-Hochberg over pairs
# column: score | number | 分值 | Score | 校正后 p 的负常用对数，至多 16 | Minus the common logarithm of the adjusted p, at most 16
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 所见与期望 | Seen and expected
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: innocent_zh | text | 无辜的解释（中文） | Innocent explanation (Chinese) | 什么情形下无妨 | What would make it harmless
# column: innocent_en | text | 无辜的解释（英文） | Innocent explanation (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 至多五局的编号 | Running numbers of up to five hands
# definition_zh: 只看两人相对（一人为地主）的无误局，至少 20 局；同为农民互相帮助不算。每局的得分除以底分取有号对数，
#   减去按双方牌力的回归，再减去两人对其他人的表现（向平均收缩，相当于另有 100 局平均）。流向决定方向，其余检验只看该方向，故概率加倍。
#   soft：作农民能压对方而不压，与自己对别人、别人对对方相比。weak_bids：牌力在最低五分之一叫地主而输 12 倍以上。
#   runs：Wald–Wolfowitz，按入库次序。together：同桌局数、桌数、同为农民的胜局，四项门槛为 20 局、3 桌、同胜七成、占七成五。
#   没有流向时，全部各对合计至多二十分之一误报。加倍、设备与充值不在记录中。分值只说该看哪里，不是对任何人的结论。
# definition_en: Clean hands in which the two are opposed, one of them landlord, 20 at least; farmers who help one
#   another do not count. A hand's points over the base, as signed logarithm, less their regression on the
#   strength of both hands, less what both do against everybody else (drawn to the average as if by 100
#   more hands). The flow chooses the direction, and the other tests look only there, so their chances are
#   doubled. soft: as farmer passes over the other's plays that he could beat, against his own elsewhere
#   and others' there. weak_bids: landlord with cards of the lowest fifth, losing 12 times or more. runs:
#   Wald and Wolfowitz, in the order of loading. together: hands and tables together and wins as farmers;
#   the four thresholds are 20 hands, 3 tables, 70 % of wins, 75 % of one account's hands. Where nothing
#   flows all pairs together raise a false alarm at most once in twenty times. 加倍, devices and payments
#   are in no record. A score says where to look and is no verdict on anybody.
# minimum: 20
# behind: seats
# behind: role IS NOT NULL AND won IS NOT NULL AND score IS NOT NULL
# behind: hand IN (SELECT hand FROM seats WHERE player = $other)
# behind: $test = 'together' OR (hand, role = 'farmer') IN (
#   SELECT (hand, role = 'landlord') FROM seats WHERE player = $other)
# behind: $test NOT IN ('third_party', 'soft') OR role = 'farmer'
# behind: $test <> 'weak_bids' OR role = 'landlord'
# behind: $test <> 'shape' OR CASE role WHEN 'farmer' THEN score < 0
#   ELSE hand IN (SELECT hand FROM seats WHERE player = $other AND score > 0) END
# kept: player/other
"""Do points flow from one account to another when they are opposed? (statistics.md 4.5)"""

from datetime import date

import pandas as pd

from analysis import meetings_kept
from analysis.meetings import narrowed
from analysis.pair_rows import rows
from analysis.pairs import screened
from analysis.warehouse import Warehouse


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> pd.DataFrame:
    """The declared columns."""
    filters = {"rules": rules, "since": since, "until": until}
    return rows(screened(narrowed(meetings_kept.of(warehouse), filters)), player)
