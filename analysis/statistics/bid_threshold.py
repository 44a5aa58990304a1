# name: bid_threshold
# title_zh: 叫牌门槛
# title_en: Bid threshold
# grain: one row per player and ruleset
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 叫牌机会 | Opportunities | 知道手牌且无人叫过时的第一次表态 | First words before any call, the hand being known
# column: calls | count | 叫 | Calls | 其中叫的 | Of these, calls
# column: threshold | number | 门槛 | Threshold | 叫与不叫各半的牌力；拟合不出则为空 | The strength at which calls and passes are even; null where nothing fits
# column: error | number | 标准误 | Standard error | 门槛的标准误 | Standard error of the threshold
# column: slope | number | 斜率 | Slope | 牌力每高 1，叫牌的对数几率高多少；越大越有章法 | By how much the log odds of a call rise with each point of strength; the more, the more discipline
# definition_zh: 以起手牌力（见 dealt_strength）对是否叫牌作逻辑回归。从不叫、总是叫或牌力把两者完全分开时拟合不出。
# definition_en: A logistic fit of calling by the strength dealt (see dealt_strength). Nothing fits who never calls, always
#   calls, or whose calls and passes no strength has in common.
# minimum: 100
"""From which strength on does one call, and how sharply? (statistics.md 2.2, #20)"""

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from math import exp, sqrt
from typing import Any

from analysis.warehouse import Warehouse

_ROWS = """
SELECT player, rules, dealt_points AS points, count(*) AS turns, count(*) FILTER (words NOT LIKE '-%') AS calls
FROM seats
WHERE verdict = 'clean' AND words <> '' AND called_before = '-' AND dealt_points IS NOT NULL
    AND ($player IS NULL OR player = $player)
    AND ($rules IS NULL OR rules = $rules)
    AND ($since IS NULL OR day >= CAST($since AS DATE))
    AND ($until IS NULL OR day <= CAST($until AS DATE))
GROUP BY player, rules, dealt_points
ORDER BY player, rules, dealt_points
"""
_ALL = 10**9
_STEPS = 50
_STEEP = 25.0
"""A slope beyond which strength separates calls from passes."""

Counts = tuple[float, int, int]
"""A strength, turns at it, calls among them."""


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> list[dict[str, Any]]:
    """Rows of the declared columns, the largest samples first."""
    asked = {"player": player, "rules": rules, "since": since, "until": until}
    found = warehouse.query(_ROWS, asked, rows=_ALL).to_dict("records")
    told = []
    for (who, law), rows in groupby(found, key=lambda row: (row["player"], row["rules"])):
        counts = [(float(row["points"]), int(row["turns"]), int(row["calls"])) for row in rows]
        sizes = {"hands": sum(turns for _, turns, _ in counts), "calls": sum(calls for _, _, calls in counts)}
        told.append({"player": who, "rules": law, **sizes, **fit(counts)})
    return sorted(told, key=lambda row: (-row["hands"], row["player"], row["rules"]))


def fit(counts: Sequence[Counts]) -> dict[str, float | None]:
    """threshold, error, slope of the likeliest logistic curve, by Newton's method around the mean strength."""
    nothing: dict[str, float | None] = {"threshold": None, "error": None, "slope": None}
    turns = sum(n for _, n, _ in counts)
    if separates(counts):
        return nothing
    middle = sum(x * n for x, n, _ in counts) / turns
    a = b = 0.0
    for _ in range(_STEPS):
        g, h, aa, ab, bb = _slopes(counts, middle, a, b)
        scale = aa * bb - ab * ab
        if scale <= 0 or abs(b) > _STEEP:
            return nothing
        step = ((bb * g - ab * h) / scale, (aa * h - ab * g) / scale)
        a, b = a + step[0], b + step[1]
        if max(map(abs, step)) < 1e-10:
            break
    if abs(b) < 1e-9:
        return nothing | {"slope": b}
    aa, ab, bb = _slopes(counts, middle, a, b)[2:]
    variance = (bb + 2 * (a / b) * ab + (a / b) ** 2 * aa) / (aa * bb - ab * ab) / (b * b)
    return {"threshold": middle - a / b, "error": sqrt(variance), "slope": b}


def separates(counts: Sequence[Counts]) -> bool:
    """Whether some strength divides calls from passes, so that no curve is the likeliest."""
    calls = [x for x, _, k in counts if k]
    passes = [x for x, n, k in counts if k < n]
    return not calls or not passes or max(passes) <= min(calls) or max(calls) <= min(passes)


def _slopes(counts: Sequence[Counts], middle: float, a: float, b: float) -> tuple[float, float, float, float, float]:
    """The gradient and the information of the likelihood."""
    g = h = aa = ab = bb = 0.0
    for x, n, k in counts:
        d = x - middle
        p = 1 / (1 + exp(-max(-500.0, min(500.0, a + b * d))))
        w = n * p * (1 - p)
        g, h = g + k - n * p, h + d * (k - n * p)
        aa, ab, bb = aa + w, ab + w * d, bb + w * d * d
    return g, h, aa, ab, bb
