# name: integrity_clocks
# title_zh: 文件的时钟
# title_en: Clocks of files
# grain: one row per ruleset, file and kind
# parameters: rules since until table
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: source | text | 文件 | File | 记录所在的文件 | The file
# column: kind | text | 种类 | Kind | backwards、standing_still 时间戳倒退、相同；hasty 整局过短；twins 用时与另一局全同；overlap、order、offset、eight_hours 与同桌前一局相比 | backwards, standing_still: stamps; hasty: a hand too short; twins: the very times of another; overlap, order, offset, eight_hours: against the hand before at the table
# column: part | count | 所见 | Found | 有此情形的局 | Hands that show it
# column: whole | count | 样本 | Sample | 记录足以看出的局 | Hands whose record could show it
# column: excluded | count | 未计 | Left out | 记录看不出的局 | Hands whose record could not
# column: rate | rate | 比率 | Rate | 所见除以样本 | Found among the sample
# column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
# column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
# column: tolerated | rate | 容许 | Tolerated | 正常日志中至多的比率 | The highest rate among sound logs
# column: p | number | p | p | 正常时出现至少这样多的概率 | How likely as much is where all is well
# column: adjusted | number | 校正后的 p | Adjusted p | 按 Benjamini-Hochberg 对各行校正 | Benjamini-Hochberg over the rows
# column: score | number | 分值 | Score | 校正后 p 的负常用对数，至多 16 | Minus the common logarithm of the adjusted p, at most 16
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 所见 | What was seen
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: innocent_zh | text | 无辜的解释（中文） | Innocent explanation (Chinese) | 什么情形下无妨 | What would make it harmless
# column: innocent_en | text | 无辜的解释（英文） | Innocent explanation (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 至多五局的编号 | Running numbers of up to five hands
# definition_zh: 时间戳不可能或罕见的情形，逐个文件。各种情形有容许的比率，超出多少由二项分布得出；所见比率不超过容许者，
#   全部校正后至多二十分之一误报。同桌以桌名与文件为准，前一局不论日期与规则。八小时：与前一局相差八小时上下一刻钟。决策时限、托管与结算时刻记录中没有，不查。
#   分值只说该看哪里，不是对任何人的结论。
# definition_en: Stamps that cannot be or seldom are, file by file. Each kind has a rate that sound logs may have, and
#   the binomial distribution says how far beyond it a file is; where no file is beyond, all rows together
#   raise a false alarm at most once in twenty times. A table is its name within its file;
#   the hand before counts whatever its day and ruleset. Limits of decisions, 托管 and times of settlement
#   are in no record and not looked for. A score says where to
#   look and is no verdict on anybody.
# minimum: 100
# kept:
"""Do the clocks of a file run as clocks do? (statistics.md 4.4, #121)"""

from datetime import date
from typing import Any

from analysis.clocks import LOG_CELLS, of_logs
from analysis.warehouse import Warehouse

cells = (LOG_CELLS,)


def answer(
    warehouse: Warehouse, *, rules: str | None, since: date | None, until: date | None, table: str | None
) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    filters = {"rules": rules, "since": since, "until": until, "table": table}
    return warehouse.remembered(("clocks", *filters.values()), lambda: of_logs(warehouse, filters))
