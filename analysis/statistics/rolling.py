# name: rolling
# title_zh: 滚动均分
# title_en: Rolling means
# kind: table
# number: 92
# grain: one row per player, ruleset and dated hand
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 第几局 | Hands so far | 到此局为止的局数 | Hands up to this one
# column: day | day | 日期 | Day | 日期 | Day
# column: score | number | 得分 | Score | 此局得分除以底分 | Score of this hand over the base
# column: total | number | 累计 | Total | 到此局为止的累计 | Running total
# column: last_100 | number | 近 100 局 | Last 100 | 最近 100 局的平均；不足则为空 | Mean of the last 100 hands; null before there are so many
# column: last_300 | number | 近 300 局 | Last 300 | 最近 300 局的平均 | Mean of the last 300 hands
# column: last_1000 | number | 近 1000 局 | Last 1000 | 最近 1000 局的平均 | Mean of the last 1000 hands
# definition_zh: 只计注明时间且有得分的局，按时间先后；流局不计。宜给出玩家。
# definition_en: Dated hands with a score in order of time, void hands left out; to be asked of one player.
# minimum: 0
# kept:
"""How the score goes from hand to hand (statistics.md 2.8, #92)."""

import numpy as np
import pandas as pd

from analysis.courses import DATED, SCORED, Array, Course, X, courses
from analysis.narrowing import Values
from analysis.warehouse import ROWS, Warehouse

_WINDOWS = (100, 300, 1000)


def answer(warehouse: Warehouse, values: Values) -> pd.DataFrame:
    """Player by player, as many hands as an answer may have."""
    found = courses(warehouse, values, {"x": X, "day": "day"}, DATED, *SCORED, first=ROWS + 1)
    return pd.concat([_rows(course) for course in found], ignore_index=True) if found else _NOTHING


def _rows(course: Course) -> pd.DataFrame:
    x, total = course["x"], np.cumsum(course["x"])
    told = {"player": course.player, "rules": course.rules, "hands": np.arange(1, len(x) + 1), "day": course["day"]}
    return pd.DataFrame(told | {"score": x, "total": total} | {f"last_{n}": _means(total, n) for n in _WINDOWS})


def _means(total: Array, n: int) -> Array:
    """The mean of the last ``n``, at each place, from the running total; NaN before there are so many."""
    means = np.full(len(total), np.nan)
    if len(total) >= n:
        means[n - 1 :] = (total[n - 1 :] - np.append(0.0, total[:-n])) / n
    return means


_NOTHING = _rows(Course("", "", {"x": np.empty(0), "day": np.empty(0, "datetime64[us]")}))
