# name: sessions
# title_zh: 场次
# title_en: Sessions
# kind: table
# number: 87, 88
# grain: one row per player and ruleset
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 注明时间且有得分的局 | Dated hands with a score
# column: sessions | count | 场次 | Sessions | 相隔不超过 30 分钟的连续对局为一场 | Hands no more than 30 minutes apart are one session
# column: hands_per_session | number | 每场局数 | Hands per session | 每场局数 | Hands per session
# column: minutes | number | 每场分钟 | Minutes per session | 从第一局开始到最后一局开始 | From the beginning of the first hand to that of the last
# column: won | count | 赢的场次 | Sessions won | 得分合计为正的场次 | Sessions with a positive total
# column: rate | rate | 赢场率 | Rate | 赢场率 | Rate
# column: low | rate | 下限 | Low | 下限 | Low
# column: high | rate | 上限 | High | 上限 | High
# definition_zh: 时间取每局开始的时刻；流局不计。
# definition_en: Times are those at which hands began. Void hands don't count.
# minimum: 100
# behind: seats
# behind: began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
# kept: player rules
"""How people play in one go: hands no more than half an hour apart (statistics.md 2.8, #87 and #88)."""

from typing import Any

import numpy as np

from analysis.courses import DATED, SCORED, Course, X, courses
from analysis.intervals import wilson
from analysis.narrowing import Values
from analysis.warehouse import Warehouse

_APART = 30 * 60 * 1_000_000
"""Microseconds from one beginning to the next beyond which a session has ended."""


def answer(warehouse: Warehouse, values: Values) -> list[dict[str, Any]]:
    """Those who played most first."""
    return [_row(course) for course in courses(warehouse, values, {"x": X}, DATED, *SCORED)]


def _row(course: Course) -> dict[str, Any]:
    began, hands = course["began"], len(course)
    starts = np.flatnonzero(np.diff(began, prepend=began[0] - _APART - 1) > _APART)
    lasts = np.append(starts[1:], hands) - 1
    sessions, won = len(starts), int((np.add.reduceat(course["x"], starts) > 0).sum())
    low, high = wilson(won, sessions)
    return {
        "player": course.player, "rules": course.rules, "hands": hands, "sessions": sessions,
        "hands_per_session": hands / sessions,
        "minutes": int((began[lasts] - began[starts]).sum()) / sessions / 60_000_000,
        "won": won, "rate": won / sessions, "low": low, "high": high,
    }  # fmt: skip
