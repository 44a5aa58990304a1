# name: integrity_settlement
# title_zh: 得分不符的原因
# title_en: What would explain wrong scores
# grain: one row per ruleset, scope (all, source, table, day) and explanation
# parameters: rules since until table
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: scope | text | 范围 | Scope | all 全部、source 文件、table 桌、day 日 | all, source (a file), table, day
# column: name | text | 名称 | Name | 文件、桌或日期 | The file, table or day
# column: kind | text | 种类 | Kind | S01 至 S24；空为无已知解释 | S01 to S24; null where nothing known explains it
# column: switch | text | 开关 | Switch | 规则集的参数；facts. 之后是被看错的事实 | A parameter of the ruleset; after facts. what was taken otherwise
# column: value | text | 值 | Value | 使记分正确所需的值 | The value with which the claims are right
# column: explained | count | 可解释 | Explained | 该开关恰好给出所记得分的局 | Hands whose claimed scores it gives exactly
# column: alone | count | 唯一解释 | Alone | 其中没有别的解释的局 | Of these, hands with no other explanation
# column: laid | count | 归于此 | Laid to it | 全部范围内，没有分值更高的解释的局；空为不计分 | Of all groups hands that no explanation with a higher score has; null without a score
# column: whole | count | 不符 | Mismatches | 得分不符的局 | Hands whose claimed scores differ
# column: hands | count | 局数 | Hands | 既有所记得分又能算分的局 | Hands with claimed and recomputed scores
# column: rate | rate | 占比 | Share | 可解释除以不符 | Explained among mismatches
# column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
# column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
# column: against | count | 反例 | Against | 记分相符、而若如此则不符的局；空为不可知 | Hands whose claims agree and would not under the switch; null where not known
# column: score | number | 分值 | Score | 16 × 占比下限 × 可解释 ÷（可解释 + 反例）；反例不可知时后者为一半；可解释不足 5 局的不计分 | 16 × low × explained / (explained + against), the last a half where against is not known; none for fewer than 5 explained hands
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 占比与解释 | Share and explanation
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: innocent_zh | text | 无辜的解释（中文） | Innocent explanation (Chinese) | 什么情形下无妨 | What would make it harmless
# column: innocent_en | text | 无辜的解释（英文） | Innocent explanation (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 至多五局的编号 | Running numbers of up to five hands
# definition_zh: 所记得分与重算不符的局，逐一改动规则集的一个开关、或局中的一个事实，看哪一个恰好给出所记的得分。
#   一局可有几种解释，归于其中分值最高的。反例是同一范围内记分相符、而该开关若成立便会不符的局。S23：不同的局都记同样的数。
#   S20、S21 需要结算流水与快照，记录中没有。分值只说该看哪里，不是对任何人的结论。
# definition_en: Of hands whose claimed scores differ from the recomputed ones, which single switch of the ruleset,
#   or single fact of the hand, gives exactly the claimed scores? A hand may have several explanations
#   and is laid to that with the highest score. Against it speak hands of the same group whose claims agree and would not if the switch were so. S23:
#   hands of different worth are all claimed alike. S20 and S21 need settlement rows and snapshots, which
#   no record has. A score says where to look and is no verdict on anybody.
# minimum: 5
# kept:
"""Which rule switch would reconcile the claims of a file, a table or a day? (statistics.md 4.2, #113)"""

from datetime import date
from typing import Any

from analysis.settlements import DISPUTED_CELLS, GROUP_CELLS, explanations
from analysis.warehouse import Warehouse

cells = (DISPUTED_CELLS, GROUP_CELLS)


def answer(
    warehouse: Warehouse, *, rules: str | None, since: date | None, until: date | None, table: str | None
) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    filters = {"rules": rules, "since": since, "until": until, "table": table}
    return warehouse.remembered(("settlement", *filters.values()), lambda: explanations(warehouse, filters))
