# name: tilt
# title_zh: 上头
# title_en: Tilt
# kind: table
# number: 89
# grain: one row per player and ruleset
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: losses | count | 大败 | Heavy losses | 输掉不少于底分 12 倍的局 | Hands that lost at least 12 times the base
# column: hands | count | 其后五局内 | Hands soon after | 大败之后五局以内的局 | Hands among the five after such a loss
# column: mean_after | number | 其后场均 | Mean after | 这些局得分除以底分的平均 | Mean score over the base in these hands
# column: others | count | 其余 | Other hands | 其余的局 | All other hands
# column: mean_else | number | 其余场均 | Mean elsewhere | 其余的局的平均 | Mean in the other hands
# column: difference | number | 差 | Difference | 前者减后者 | The former less the latter
# column: error | number | 标准误 | Standard error | 差的标准误 | Standard error of the difference
# column: turns_after | count | 其后叫牌机会 | Turns to call after | 这些局中无人叫过时的第一次表态 | First words before any call in these hands
# column: calls_after | count | 其后叫 | Calls after | 其中叫的 | Of these, calls
# column: after_rate | rate | 其后叫牌率 | Call rate after | 其中叫的比率 | Calls among them
# column: after_low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
# column: after_high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
# column: turns_else | count | 其余叫牌机会 | Turns to call elsewhere | 其余的局中无人叫过时的第一次表态 | The same in the other hands
# column: calls_else | count | 其余叫 | Calls elsewhere | 其中叫的 | Of these, calls
# column: else_rate | rate | 其余叫牌率 | Call rate elsewhere | 其中叫的比率 | Calls among them
# column: else_low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
# column: else_high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
# definition_zh: 只计注明时间且有得分的局，按时间先后，流局不计。得分未去运气（没有基准策略），大败本身不在“其后”之内，除非它
#   紧随另一大败。差异可能只是均值回归之外的偶然，样本小时说明不了什么。
# definition_en: Dated hands with a score, in order of time, void hands left out. The score is not adjusted for luck, as there
#   is no policy to compare with. A heavy loss counts as after another one where it follows it within five hands.
# minimum: 100
# kept: player rules
"""What follows a heavy loss, beside all other hands (statistics.md 2.8, #89)."""

from math import sqrt
from typing import Any

import numpy as np

from analysis.courses import DATED, SCORED, Array, Course, X, courses
from analysis.intervals import wilson
from analysis.narrowing import Values
from analysis.warehouse import Warehouse

_HEAVY = -12
_SOON = 5
"""Hands that count as soon after."""
_CALLED = "CASE WHEN words <> '' AND called_before = '-' THEN CAST(split_part(words, ' ', 1) <> '-' AS TINYINT) END"
"""Whether the seat called as nobody had yet; null where it had no such turn."""


def answer(warehouse: Warehouse, values: Values) -> list[dict[str, Any]]:
    """Those with the most hands soon after a heavy loss first."""
    found = courses(warehouse, values, {"x": X, "called": f"coalesce({_CALLED}, -1)"}, DATED, *SCORED)
    rows = [_row(course) for course in found if (course["x"] <= _HEAVY).any()]
    return sorted(rows, key=lambda row: (-row["hands"], row["player"], row["rules"]))


def _row(course: Course) -> dict[str, Any]:
    x, called = course["x"], course["called"]
    lost = np.concatenate([np.zeros(_SOON + 1, np.int64), np.cumsum(x <= _HEAVY)])
    after = lost[_SOON:-1] > lost[: -_SOON - 1]
    soon, other = x[after], x[~after]
    means = [float(some.mean()) if len(some) else None for some in (soon, other)]
    row = {
        "player": course.player, "rules": course.rules, "losses": int(lost[-1]),
        "hands": len(soon), "mean_after": means[0], "others": len(other), "mean_else": means[1],
        "difference": None if means[0] is None or means[1] is None else means[0] - means[1],
        "error": sqrt(soon.var(ddof=1) / len(soon) + other.var(ddof=1) / len(other))
        if min(len(soon), len(other)) > 1 else None,
    }  # fmt: skip
    return row | _calls("after", called[after]) | _calls("else", called[~after])


def _calls(when: str, called: Array) -> dict[str, Any]:
    turns, calls = int((called >= 0).sum()), int((called == 1).sum())
    rate, (low, high) = (calls / turns, wilson(calls, turns)) if turns else (None, (None, None))
    return {
        f"turns_{when}": turns, f"calls_{when}": calls,
        f"{when}_rate": rate, f"{when}_low": low, f"{when}_high": high,
    }  # fmt: skip
