# name: volatility
# title_zh: 波动
# title_en: Volatility
# kind: table
# number: 8, 10
# grain: one row per player and ruleset
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 有得分的局 | Hands with a score
# column: deviation | number | 标准差 | Standard deviation | 得分（除以底分）的样本标准差 | Sample standard deviation of the score over the base
# column: worst | number | 最差 5% | Worst 5 % | 得分的 5% 分位数 | The 5 % quantile of the score
# column: drawdown | number | 最大回撤 | Drawdown | 按时间累计得分从最高点的最大回落 | Largest fall of the running total from its highest, in order of time
# column: big | rate | 大局占比 | Big hands | 绝对值最大的 5% 的局占得分绝对值总和的比率 | Share of all points, won or lost, that the largest 5 % of hands carry
# definition_zh: 得分除以底分；流局不计；未注明时间的局排在最后。
# definition_en: Scores over the base, void hands left out; undated hands come last.
# minimum: 100
# behind: seats
# behind: score IS NOT NULL AND outcome <> 'void'
# kept: player rules
"""How far scores swing, and how much hangs on a few hands (statistics.md 2.1, #8 and #10)."""

from typing import Any

import numpy as np

from analysis.courses import SCORED, Course, X, courses
from analysis.narrowing import Values
from analysis.warehouse import Warehouse


def answer(warehouse: Warehouse, values: Values) -> list[dict[str, Any]]:
    """Those who played most first."""
    return [_row(course) for course in courses(warehouse, values, {"x": X}, *SCORED)]


def _row(course: Course) -> dict[str, Any]:
    x, hands = course["x"], len(course)
    total = np.cumsum(x)
    highest = np.maximum.accumulate(np.maximum(total, 0.0))
    sizes = np.sort(np.abs(x))
    points = float(sizes.sum())
    return {
        "player": course.player, "rules": course.rules, "hands": hands,
        "deviation": float(np.std(x, ddof=1)) if hands > 1 else None, "worst": float(np.quantile(x, 0.05)),
        "drawdown": float((highest - total).max()),
        "big": float(sizes[hands - (hands + 19) // 20 :].sum()) / points if points else None,
    }  # fmt: skip
