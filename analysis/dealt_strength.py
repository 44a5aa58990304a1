"""Screen of accounts: was somebody dealt more than his share of high cards?

Knows points of high cards, which have an exact mean and variance. Refuses to say why: luck, a chosen seat and a biased
deal look alike. Source: statistics.md 4.3; Benjamini-Hochberg over accounts.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any

from analysis import expectations as sound
from analysis import narrowing
from analysis.deal_counts import MODE, points
from analysis.deal_tests import LEAST, WEIGHTS, score
from analysis.evidence import best
from analysis.intervals import Z
from analysis.screens import SHUFFLED, numbers, rows_of
from analysis.significance import benjamini_hochberg, detectable_difference, normal_p
from analysis.warehouse import Questionable
from ingest.store.decks import read_deck

_COUNTED = f"""
    SELECT
        player, rules, deck, deal_mode, count(dealt) AS hands, count(*) - count(dealt) AS excluded,
        sum(points)::DOUBLE AS points, {best("points")} FILTER (dealt IS NOT NULL) AS evidence
    FROM held JOIN told USING (hand)
    GROUP BY ALL
    ORDER BY hands DESC, player, rules, deck, deal_mode
"""
_PARAMETERS = ("player", "rules", "since", "until")


def accounts(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Points of high cards that each account was dealt, against what a sound shuffle brings."""
    values = {name: filters.get(name) for name in _PARAMETERS}
    given = {name: value for name, value in values.items() if value is not None}
    rows = [_row(row) for row in rows_of(warehouse, _question(given), given) if row["deck"] is not None]
    tested = [row for row in rows if row["p"] is not None and (row["deal_mode"] or "") in SHUFFLED]
    for row, adjusted in zip(tested, benjamini_hochberg([row["p"] for row in tested]), strict=True):
        row |= {"adjusted": adjusted, "score": score(adjusted)}
    return rows


def _question(values: Mapping[str, Any]) -> str:
    """The points that the seats which pass the filters were dealt, by account, ruleset, deck and mode."""
    return f"""
    WITH held AS (
        SELECT hand, player, rules, dealt, {points("dealt")} AS points FROM seats WHERE {narrowing.narrowed(values)}
    ),
    told AS (SELECT hand, deck, {MODE} AS deal_mode FROM hands){_COUNTED}"""


def _row(found: dict[str, Any]) -> dict[str, Any]:
    """One account against what its hands were to bring; not tested where they are few."""
    deck, n = read_deck(found["deck"]), int(found["hands"])
    mean, variance = sound.points_of(deck, WEIGHTS)
    expected, sd = deck.hand * mean, sqrt(sound.variance_of_sum(deck, deck.hand, variance))
    row = found | {
        "expected": expected,
        "p": None,
        "evidence": numbers(tuple(map(int, () if found["evidence"] is None else found["evidence"]))),
    }
    if n < LEAST:
        return row
    effect, error = found["points"] / n - expected, sd / sqrt(n)
    return row | {
        "mean": found["points"] / n, "statistic": effect / error, "p": normal_p(effect / error), "effect": effect,
        "effect_from": effect - Z * error, "effect_to": effect + Z * error,
        "detectable": detectable_difference(sd, n),
        "reason_zh": f"平均大牌点：实际 {found['points'] / n:.3f}，期望 {expected:.3f}",
        "reason_en": f"points of high cards: {found['points'] / n:.3f} seen, {expected:.3f} expected",
    }  # fmt: skip
