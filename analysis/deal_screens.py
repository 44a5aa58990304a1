"""Screens of the shuffle: the tests of ``deal_tests`` for each room and day, and for all hands of a ruleset.

Knows how tests become rows, and how many groups are corrected for. Refuses to know how anything is tested.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pandas as pd

from analysis.deal_counts import ROOMS, WHOLE, Group, groups
from analysis.deal_tests import Outcome, outcomes, score, summary
from analysis.screens import SHUFFLED, numbers
from analysis.significance import benjamini_hochberg
from analysis.warehouse import Questionable

ALL = "all"
"""The name of the row that sums up a group."""
TITLES = {
    ALL: ("全部检验", "all tests"),
    "small_joker": ("小王的位置", "where the small joker lies"),
    "big_joker": ("大王的位置", "where the big joker lies"),
    "jokers": ("两王的联合位置", "where the jokers lie together"),
    "rocket": ("一家得王炸", "all jokers at one seat"),
    "bombs_hand": ("每手的炸弹", "bombs in one hand"),
    "bombs_table": ("全桌的炸弹", "bombs at the table"),
    "ranks": ("各点数的分布", "cards of each rank in each place"),
    "strength": ("各处的大牌点", "points of high cards in each place"),
    "first_seat": ("首座的大牌点", "points of high cards at seat 0"),
    "bottom": ("底牌的大牌点", "points of high cards in the bottom"),
    "overlap": ("前后两副牌的重合", "cards in common with the deal before"),
}
"""What each test looks at."""
_WORDS = {
    "mean": "平均", "bombs": "炸弹", "rate": "比率", "cards": "张数", "rank": "点数", "points": "大牌点",
    "seat": "座位", "bottom": "底牌", "dead": "作废的牌", " or ": "或",
}  # fmt: skip


def _run(counted: Sequence[Group], by: Sequence[str]) -> list[dict[str, Any]]:
    found = [outcomes(group) for group in counted]
    scored = [bool(tests) and _is_shuffled(group, by) for group, tests in zip(counted, found, strict=True)]
    summaries = [summary(tests) for tests in found]
    among = benjamini_hochberg([p for p, counts in zip(summaries, scored, strict=True) if counts])
    corrected = iter(among)
    rows: list[dict[str, Any]] = []
    for group, tests, p, counts in zip(counted, found, summaries, scored, strict=True):
        own = dict(zip(by, group.key, strict=True)) | {"excluded": group.excluded}
        rows.append(own | _summed_up(group, tests, p, next(corrected) if counts else None))
        rows += [own | _row(outcome, counts) for outcome in tests]
    return rows


def _is_shuffled(group: Group, by: Sequence[str]) -> bool:
    return (group.key[by.index("deal_mode")] or "") in SHUFFLED


def _summed_up(group: Group, tests: Sequence[Outcome], p: float, adjusted: float | None) -> dict[str, Any]:
    """The row of a group: its p, the same among all groups, and the reason of the test that deviates most."""
    row: dict[str, Any] = {"test": ALL, "hands": group.hands}
    if not tests:
        return row
    worst = min(tests, key=lambda outcome: outcome.adjusted)
    return row | {
        "p": p, "adjusted": adjusted, "score": None if adjusted is None else score(adjusted),
        "reason_zh": _reason(worst, "zh"), "reason_en": _reason(worst, "en"), "evidence": numbers(worst.evidence),
    }  # fmt: skip


def _row(outcome: Outcome, counts: bool) -> dict[str, Any]:
    return {
        "test": outcome.test, "hands": outcome.n, "statistic": outcome.statistic, "df": outcome.df, "p": outcome.p,
        "adjusted": outcome.adjusted, "effect_kind": outcome.effect_kind, "effect": outcome.effect,
        "effect_from": outcome.low, "effect_to": outcome.high, "detectable": outcome.detectable,
        "score": score(outcome.adjusted) if counts else None, "reason_zh": _reason(outcome, "zh"),
        "reason_en": _reason(outcome, "en"), "evidence": numbers(outcome.evidence),
    }  # fmt: skip


def _reason(outcome: Outcome, language: str) -> str:
    seen, expected = f"{outcome.observed:.4g}", f"{outcome.expected:.4g}"
    if language == "en":
        return f"{TITLES[outcome.test][1]}: {outcome.cell}: {seen} seen, {expected} expected"
    cell = outcome.cell
    for english, chinese in _WORDS.items():
        cell = cell.replace(english, chinese)
    return f"{TITLES[outcome.test][0]}：{cell}：实际 {seen}，期望 {expected}"


def by_room(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tests of every room and day, each group first summed up."""
    return _run(groups(warehouse, filters, ROOMS), ROOMS)


def of_days(rows: pd.DataFrame, since: date | None, until: date | None) -> pd.DataFrame:
    """The tests of the rooms of some days among those of all: the same, but for how many are corrected for."""
    day = rows["day"]
    some = day.notna()
    if since is not None:
        some &= day >= pd.Timestamp(since)
    if until is not None:
        some &= day <= pd.Timestamp(until)
    told = rows[some].reset_index(drop=True)
    scored = (told["test"] == ALL) & told["adjusted"].notna()
    adjusted = benjamini_hochberg(told.loc[scored, "p"].tolist())
    told.loc[scored, "adjusted"], told.loc[scored, "score"] = adjusted, [score(p) for p in adjusted]
    return told


def of_all(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tests of every ruleset and deal mode, likewise."""
    return _run(groups(warehouse, filters, WHOLE), WHOLE)
