# name: integrity_deals
# title_zh: 各房间各日的发牌随机性
# title_en: Randomness of the deal by room and day
# grain: one row per ruleset, deal mode, room, day and test
# parameters: rules since until
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: deal_mode | text | 发牌方式 | Deal mode | 记录的标签 deal_mode | The record's tag deal_mode
# column: room | text | 房间 | Room | 标签 room，没有则为桌 | The tag room, else the table
# column: day | day | 日期 | Day | 仓库时区的日期 | Day in the time zone of the store
# column: test | text | 检验 | Test | all 为该组的总结 | all sums up the group
# column: hands | count | 样本 | Sample | 检验所用的局数，overlap 为前后相邻的对数 | Hands the test rests on; of overlap pairs of consecutive hands
# column: excluded | count | 未计 | Left out | 牌不全知或不合牌组的局 | Hands whose deal is not known whole or is none of the pack
# column: statistic | number | 统计量 | Statistic | 卡方，无自由度者为正态离差 | Chi-square; a normal deviate where it has no degrees of freedom
# column: df | count | 自由度 | df | 卡方的自由度 | Degrees of freedom of the chi-square
# column: p | number | p | p | 洗牌可靠时出现至少这样的偏差的概率 | How likely a sound shuffle deviates at least so far
# column: adjusted | number | 校正后的 p | Adjusted p | 组内各检验按 Holm；全部检验一行按 Benjamini-Hochberg 对各组 | Holm over the tests of the group; of the row of all tests Benjamini-Hochberg over groups
# column: effect_kind | text | 效应的种类 | Kind of effect | w（Cohen）、V（Cramér）或 difference（实际减期望） | w (Cohen), V (Cramér) or difference (seen minus expected)
# column: effect | number | 效应 | Effect | 偏差有多大 | How large the deviation is
# column: effect_from | number | 效应自 | Effect from | 差的 95% 区间下限 | Lower end of the 95 % interval of a difference
# column: effect_to | number | 效应至 | Effect to | 差的 95% 区间上限 | Upper end of the 95 % interval of a difference
# column: detectable | number | 可测效应 | Detectable | 以九成把握能发现的最小效应，水平为 0.05 除以组内检验数 | The effect seen with a probability of 90 % at the level 0.05 divided by the tests of the group
# column: score | number | 分值 | Score | 校正后 p 的负常用对数，至多 16；未标为洗牌的不计分 | Minus the common logarithm of the adjusted p, at most 16; none where the tag says that nobody shuffled
# column: reason_zh | text | 理由（中文） | Reason (Chinese) | 偏多最甚之处 | Where there was most more than expected
# column: reason_en | text | 理由（英文） | Reason (English) | 同上，英文 | The same in English
# column: evidence | text | 可查的局 | Evidence | 至多五局的编号 | Running numbers of up to five hands
# definition_zh: 发牌是否随机：叫牌前的牌与可靠洗牌的精确期望相比。荒牌与有误的局也计，因发牌在先；日志若不记荒牌，强牌会显得偏多。
#   期望不足 5 的格与次小的格合并；少于 50 局不检验。大牌点：大王 4、小王 3、2 为 2、A 为 1。
#   复式赛与不洗牌应以标签 deal_mode 标明。分值只说该看哪里，不是对任何人的结论。
# definition_en: Was it dealt at random? The cards before the bidding against the exact expectations of a sound
#   shuffle. Void hands and faulty ones count, because the deal came first; where a log leaves void
#   hands out, strong hands look too many. Cells of which fewer than 5 are expected join the next
#   smallest; fewer than 50 hands are not tested. Points of high cards: big joker 4, small joker 3, two
#   2, ace 1. Duplicate matches and unshuffled games should say so in the tag deal_mode. A score says
#   where to look and is no verdict on anybody.
# minimum: 100
# behind: hands
# behind: counted AND deck IS NOT NULL AND bottom_counts IS NOT NULL
# behind: hand NOT IN (SELECT hand FROM seats WHERE dealt IS NULL)
# behind: (tags ->> 'deal_mode') IS NOT DISTINCT FROM nullif($deal_mode, '∅')
# behind: coalesce(tags ->> 'room', table_id) IS NOT DISTINCT FROM nullif($room, '∅')
# behind: day IS NOT DISTINCT FROM TRY_CAST(nullif($day, '∅') AS DATE)
# kept:
"""Was it dealt at random, room by room and day by day? (statistics.md 4.3)"""

from datetime import date
from typing import Any

import pandas as pd

from analysis.deal_screens import by_room, of_days
from analysis.warehouse import Warehouse


def answer(warehouse: Warehouse, *, rules: str | None, since: date | None, until: date | None) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    return by_room(warehouse, {"rules": rules, "since": since, "until": until})


def narrow(rows: pd.DataFrame, *, since: date | None, until: date | None) -> pd.DataFrame:
    """The answer for some days, from that for all."""
    return of_days(rows, since, until)
