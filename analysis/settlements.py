"""Screen of settlements: which one switch would make the wrong scores of a file, a table or a day right.

Knows the table ``mismatches``, which says it of each hand, and counts. Refuses to reckon scores: that was done when
hands were loaded. An explanation of many hands is weighed against the claims of the same group that agree with the
ruleset although the switch would change them; one of few hands is told without a score. Where several explain a hand,
it is laid to that one which scores highest. Source: statistics.md 4.2.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import abreast
from analysis.cells import Cells
from analysis.deal_counts import narrowed
from analysis.evidence import EVIDENCE
from analysis.intervals import wilson
from analysis.screens import UNSURE, numbers, rows_of
from analysis.settlement_words import innocent_words, kind_words, switch_words
from analysis.warehouse import Questionable

PARAMETERS = ("rules", "since", "until", "table")
TOP = 16.0
"""The highest score of a screen."""
LEAST = 5
"""Hands that an explanation must explain to have a score."""
ALIKE, DIFFERENT = 5, 3
"""So many hands with the same claim, of so many different worths, are a placeholder (S23)."""
CONSTANT = ("S23", "claim.constant")

TOUCHED = {
    "score.base": "base > 1",
    "score.bid_factor": "bid > 1",
    "rob.factor": "robs > 0",
    "rob.mode": "robs > 1",
    "score.bomb_factor": "bombs > 0",
    "score.rocket_factor": "rockets > 0",
    "score.spring_factor": "spring AND outcome = 'landlord'",
    "score.anti_spring_factor": "anti_spring AND outcome = 'farmers'",
    "void.factor": "voids > 0",
    "void.mode": "voids > 1",
    "score.marker_factor": "factor_marker > 1",
    "open.factor": "open",
    "direct50.factor": "factor_opening > 1",
}
"""Of laws that change a hand only where something happened in it: what, in SQL over ``hands``."""

_SCOPES = ("rules", "source", "table_id", "day")
_SETS = "GROUPING SETS ({})"
_PLACE = """
    CASE WHEN grouping(source) = 0 THEN 'source' WHEN grouping(table_id) = 0 THEN 'table'
        WHEN grouping(day) = 0 THEN 'day' ELSE 'all' END AS scope,
    CASE WHEN grouping(source) = 0 THEN source WHEN grouping(table_id) = 0 THEN table_id
        WHEN grouping(day) = 0 THEN day::VARCHAR END AS name
"""

_CLAIMED = "seat = 0 AND claimed_score IS NOT NULL AND score IS NOT NULL"
_WRONG = "SELECT DISTINCT hand FROM mismatches WHERE difference > 0"
_FILTERED = f"{narrowed('hands')} AND ($table IS NULL OR hands.table_id = $table)"
DISPUTED_CELLS = Cells(
    "disputed_hands",
    "wrong",
    f"""
    SELECT hand, rules, source, table_id, day
    FROM hands
    WHERE counted AND hand IN ({_WRONG})
        AND hand IN (SELECT hand FROM seats WHERE {_CLAIMED} AND hand IN ({_WRONG}))
""",
)
_DISPUTED = f"""
WITH {DISPUTED_CELLS.part}, disputed AS (SELECT * FROM wrong AS hands WHERE {_FILTERED})
"""
"""Hands that pass the filters whose claimed scores are not the recomputed ones."""
_AUDITED = f"""
    SELECT hands.*, wrong.hand IS NOT NULL AS wrong
    FROM hands
    SEMI JOIN (SELECT hand FROM seats WHERE {_CLAIMED}) AS claims ON claims.hand = hands.hand
    LEFT JOIN ({_WRONG}) AS wrong ON wrong.hand = hands.hand
    WHERE hands.counted
"""
"""Hands with claimed and recomputed scores, and whether they differ."""


def _grouped(more: str = "") -> str:
    """Everything together, and by file, table and day."""
    each = [f"(rules{more})", *(f"(rules, {scope}{more})" for scope in _SCOPES[1:])]
    return _SETS.format(", ".join(each))


_EXPLAINED = f"""
{_DISPUTED}, told AS (
    SELECT hand, kind, switch, value, count(*) OVER (PARTITION BY hand) AS ways FROM mismatches WHERE difference > 0
)
SELECT rules, {_PLACE}, kind, switch, value, count(DISTINCT hand) AS explained,
    count(DISTINCT hand) FILTER (ways = 1 AND kind IS NOT NULL) AS alone, min(hand, {EVIDENCE}) AS evidence
FROM told JOIN disputed USING (hand)
GROUP BY {_grouped(", kind, switch, value")}
HAVING (grouping(table_id) = 1 OR table_id IS NOT NULL) AND (grouping(day) = 1 OR day IS NOT NULL)
"""

_CONSTANT = f"""
{_DISPUTED}, told AS (
    SELECT DISTINCT hand, recomputed,
        list_reverse_sort(list_transform(string_split(claimed, ' '), lambda x: abs(x::HUGEINT))) AS claim
    FROM mismatches WHERE difference > 0
)
SELECT rules, {_PLACE}, array_to_string(claim, ' ') AS value, count(DISTINCT hand) AS explained, 0 AS alone,
    min(hand, {EVIDENCE}) AS evidence
FROM told JOIN disputed USING (hand)
GROUP BY {_grouped(", claim")}
HAVING (grouping(table_id) = 1 OR table_id IS NOT NULL) AND (grouping(day) = 1 OR day IS NOT NULL)
    AND count(DISTINCT hand) >= {ALIKE} AND count(DISTINCT recomputed) >= {DIFFERENT}
"""


_WAY = "concat_ws(chr(31), disputed.rules, coalesce(kind, ''), coalesce(switch, ''), coalesce(value, ''))"
_LAID = f"""
{_DISPUTED}, places AS (
    SELECT hand, min(list_position($ways, {_WAY})) AS place
    FROM mismatches JOIN disputed USING (hand) WHERE difference > 0 GROUP BY hand
)
SELECT place, count(*) AS laid FROM places WHERE place > 0 GROUP BY place
"""
"""To which of some ways to explain a hand, the best first, how many hands are laid."""


GROUP_CELLS = Cells(
    "settlements_by_day",
    "settled",
    f"""
    SELECT rules, source, table_id, day, count(*) AS hands, count(*) FILTER (wrong) AS mismatches,
        {", ".join(f'count(*) FILTER (NOT wrong AND {test}) AS "{name}"' for name, test in TOUCHED.items())}
    FROM ({_AUDITED})
    GROUP BY rules, source, table_id, day
""",
)
_SUMS = ", ".join(f'sum("{name}")::BIGINT AS "{name}"' for name in ("hands", "mismatches", *TOUCHED))
_TOTALS = f"""
WITH {GROUP_CELLS.part}
SELECT rules, {_PLACE}, {_SUMS}
FROM settled AS hands
WHERE {_FILTERED}
GROUP BY {_grouped()} HAVING sum(mismatches) > 0
"""


def _capped(caps: Sequence[int]) -> str:
    """How many claims that agree a cap would change."""
    counts = ", ".join(f'count(*) FILTER (multiplier > {cap}) AS "score.cap={cap}"' for cap in caps)
    return f"""
        SELECT rules, {_PLACE}, {counts}
        FROM ({_AUDITED} AND hands.multiplier > {min(caps)}) AS hands
        WHERE NOT wrong AND {_FILTERED} GROUP BY {_grouped()}"""


def _totals(warehouse: Questionable, values: Mapping[str, Any], caps: Sequence[int]) -> dict[Any, dict[str, Any]]:
    """What is counted of each group in which a claim is wrong, by the group."""
    totals = {_key(row): row for row in rows_of(warehouse, _TOTALS, values, [GROUP_CELLS])}
    if caps:
        capped = {_key(row): row for row in rows_of(warehouse, _capped(caps), values)}
        none = {f"score.cap={cap}": 0 for cap in caps}
        totals = {key: none | row | capped.get(key, {}) for key, row in totals.items()}
    return totals


def explanations(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What would explain the wrong scores, for all hands of a ruleset and by file, table and day; the best first."""
    values = {name: filters.get(name) for name in PARAMETERS}
    told, alike = abreast.each(lambda sql: rows_of(warehouse, sql, values, [DISPUTED_CELLS]), (_EXPLAINED, _CONSTANT))
    told += [row | dict(zip(("kind", "switch"), CONSTANT, strict=True)) for row in alike]
    caps = {int(row["value"]) for row in told if row["switch"] == "score.cap" and row["value"] != "none"}
    totals = _totals(warehouse, values, sorted(caps)) if told else {}
    rows = [_row(row, totals[_key(row)]) for row in told]
    laid = _laid(warehouse, values, rows)
    return sorted((row | {"laid": laid.get(_way(row))} for row in rows), key=_order)


def _laid(warehouse: Questionable, values: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Of every explanation that scores anywhere, how many hands have no other that scores higher."""
    best: dict[str, float] = {}
    for row in rows:
        if (row["score"] or 0.0) >= UNSURE:
            best[_way(row)] = max(row["score"], best.get(_way(row), 0.0))
    ways = sorted(best, key=lambda way: (-best[way], way))
    found = rows_of(warehouse, _LAID, {**values, "ways": ways}, [DISPUTED_CELLS]) if ways else []
    laid = {ways[int(row["place"]) - 1]: int(row["laid"]) for row in found}
    constant = {_way(row): row["explained"] for row in rows if row["kind"] == CONSTANT[0] and row["scope"] == "all"}
    return dict.fromkeys(ways, 0) | laid | constant


def _way(row: Mapping[str, Any]) -> str:
    """An explanation, whatever the group."""
    return "\x1f".join(row[name] or "" for name in ("rules", "kind", "switch", "value"))


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["rules"], row["scope"], row["name"]


def _order(row: Mapping[str, Any]) -> tuple[Any, ...]:
    scopes = ("all", "source", "table", "day")
    key = (row["rules"], scopes.index(row["scope"]), row["name"] or "", -(row["score"] or 0.0), -row["explained"])
    return (*key, row["kind"] or "", row["switch"] or "", row["value"] or "")


def _row(told: Mapping[str, Any], total: Mapping[str, Any]) -> dict[str, Any]:
    """One explanation in one group."""
    explained, mismatches = int(told["explained"]), int(total["mismatches"])
    low, high = wilson(explained, mismatches)
    against = _against(told, total)
    row = {name: told[name] for name in ("rules", "scope", "name", "kind", "switch", "value")}
    row |= {
        "explained": explained, "alone": int(told["alone"]), "whole": mismatches, "hands": int(total["hands"]),
        "rate": explained / mismatches, "low": low, "high": high, "against": against,
        "score": TOP * low * _trust(explained, against) if explained >= LEAST else None,
        "evidence": numbers(tuple(map(int, told["evidence"]))),
    }  # fmt: skip
    return row | _words(row)


def _against(told: Mapping[str, Any], total: Mapping[str, Any]) -> int | None:
    """Claims that agree with the ruleset although the switch would change them; None where that is not known."""
    switch = told["switch"]
    name = f"score.cap={told['value']}" if switch == "score.cap" else switch
    return None if total.get(name) is None else int(total[name])


def _trust(explained: int, against: int | None) -> float:
    """The share of hands that speak for a switch; half of it where none could speak against it."""
    return 0.5 if against is None else explained / (explained + against)


def _words(row: Mapping[str, Any]) -> dict[str, str]:
    """The reason and what would make it harmless."""
    kind, switch = kind_words(row["kind"]), switch_words(row["switch"], row["value"])
    zh, en = kind if switch is None else switch
    share, many, hands, against = f"{100 * row['rate']:.0f}%", row["whole"], row["hands"], row["against"]
    innocent = innocent_words(row["switch"])
    more_zh = "" if against is None else f"；另有 {against} 局若如此则记分反而不符"
    more_en = "" if against is None else f"; {against} claims that agree would then be wrong"
    return {
        "reason_zh": f"{hands} 局中 {many} 局得分不符，其中 {share}：{zh}{more_zh}",
        "reason_en": f"{share} of {many} mismatches in {hands} hands: {en}{more_en}",
        "innocent_zh": innocent[0],
        "innocent_en": innocent[1],
    }
