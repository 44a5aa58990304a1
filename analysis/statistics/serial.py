# name: serial
# title_zh: 前后相关
# title_en: Serial correlation
# grain: one row per player and ruleset
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 注明时间且分出胜负的局 | Dated hands that were won or lost
# column: lag_1 | number | 隔 1 局 | Lag 1 | 得分与前一局得分的相关系数 | Correlation of the score with that of the hand before
# column: lag_2 | number | 隔 2 局 | Lag 2 | 与前第二局 | With the second hand before
# column: lag_3 | number | 隔 3 局 | Lag 3 | 与前第三局 | With the third hand before
# column: bound | number | 界 | Bound | 独立对局时约 95% 的相关系数在此以内 | About 95 % of such correlations lie within, if hands are independent
# column: wins | count | 胜局 | Wins | 胜局 | Wins
# column: runs | count | 游程 | Runs | 连胜与连败的段数 | Streaks of wins and of losses
# column: expected | number | 期望游程 | Expected runs | 独立对局时的期望 | To be expected of independent hands
# column: z | number | z 值 | z | 负为连得过多，正为胜负交替过多 | Negative where streaks are too long, positive where wins and losses alternate too often
# column: p | number | p | p | 独立对局时出现至少这样的偏差的概率 | How likely independent hands deviate at least so far
# definition_zh: 按时间先后；得分除以底分。玩家很多时必有小的 p，须按人数校正。
# definition_en: In order of time, scores over the base. Among many players some p are small by chance.
# minimum: 100
# kept: player rules
"""Do good and bad hands come in rows? (statistics.md 2.8, #90)"""

from datetime import date
from math import sqrt
from typing import Any

import numpy as np

from analysis.courses import DATED, SCORED, Array, Course, X, courses
from analysis.significance import normal_p
from analysis.warehouse import Warehouse


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> list[dict[str, Any]]:
    """Those who played most first."""
    values = {"player": player, "rules": rules, "since": since, "until": until}
    return [_row(course) for course in courses(warehouse, values, {"x": X, "won": "won"}, DATED, *_DECIDED)]


_DECIDED = ("won IS NOT NULL", SCORED[0])


def _row(course: Course) -> dict[str, Any]:
    x, won, hands = course["x"], course["won"], len(course)
    wins, runs = int(won.sum()), 1 + int((won[1:] != won[:-1]).sum())
    row = {"player": course.player, "rules": course.rules, "hands": hands, "wins": wins, "runs": runs}
    return row | {f"lag_{lag}": _correlation(x[lag:], x[:-lag]) for lag in (1, 2, 3)} | _tested(hands, wins, runs)


def _correlation(one: Array, other: Array) -> float | None:
    """Pearson's; None where one of the two does not vary."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    a, b = one - one.mean(), other - other.mean()
    return float(a @ b) / sqrt(float(a @ a) * float(b @ b))


def _tested(hands: int, wins: int, runs: int) -> dict[str, float | None]:
    """bound, and the test of runs after Wald and Wolfowitz; null where all hands went alike."""
    told: dict[str, float | None] = {"bound": 1.96 / sqrt(hands), "expected": None, "z": None, "p": None}
    pairs = 2 * wins * (hands - wins)
    if not pairs:
        return told
    middle = pairs / hands + 1
    told["expected"] = middle
    variance = pairs * (pairs - hands) / (hands * hands * (hands - 1))
    if variance > 0:
        z = (runs - middle) / sqrt(variance)
        told |= {"z": z, "p": normal_p(z)}
    return told
