# name: streaks
# title_zh: 连胜连败
# title_en: Streaks
# kind: table
# number: 91
# grain: one row per player and ruleset
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 注明时间且分出胜负的局 | Dated hands that were won or lost
# column: longest_win | count | 最长连胜 | Longest winning streak | 最长连胜 | Longest winning streak
# column: expected_win | number | 期望连胜 | Expected | 按胜率与局数，独立对局时约 log(n(1-p))/log(1/p) | About log(n(1-p))/log(1/p) for independent hands
# column: longest_loss | count | 最长连败 | Longest losing streak | 最长连败 | Longest losing streak
# column: expected_loss | number | 期望连败 | Expected | 同上，按负率 | The same by the rate of losses
# definition_zh: 按时间先后；期望值只是独立对局时的约数。
# definition_en: In order of time; what is expected is about so for independent hands.
# minimum: 100
# behind: seats
# behind: began IS NOT NULL AND won IS NOT NULL
# kept: player rules
"""The longest runs of hands won and of hands lost (statistics.md 2.8, #91)."""

from math import log
from typing import Any

import numpy as np

from analysis.courses import DATED, Course, courses
from analysis.narrowing import Values
from analysis.warehouse import Warehouse


def answer(warehouse: Warehouse, values: Values) -> list[dict[str, Any]]:
    """Those who played most first."""
    return [_row(course) for course in courses(warehouse, values, {"won": "won"}, DATED, "won IS NOT NULL")]


def _row(course: Course) -> dict[str, Any]:
    won, hands = course["won"], len(course)
    starts = np.flatnonzero(np.append(True, won[1:] != won[:-1]))
    sizes = np.diff(starts, append=hands)
    wins = int(won.sum())
    return {
        "player": course.player, "rules": course.rules, "hands": hands,
        "longest_win": int(sizes[won[starts]].max(initial=0)), "expected_win": _expected(wins, hands),
        "longest_loss": int(sizes[~won[starts]].max(initial=0)), "expected_loss": _expected(hands - wins, hands),
    }  # fmt: skip


def _expected(part: int, hands: int) -> float | None:
    """The longest run of what happens in ``part`` of these hands, if they are independent; None where all are alike."""
    return log(hands - part) / log(hands / part) if 0 < part < hands else None
