"""What is said of pairs, row by row, as people read it.

Knows words and the order of rows. Refuses to work anything out. Only rows that are shown are written out, however many
pairs there are.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.deal_tests import score
from analysis.meetings import Real, Whole
from analysis.pairs import GIVER, TAKER, Screened, Told
from analysis.screens import numbers
from analysis.warehouse import ROWS

ALL = "all"
TITLES: dict[str, tuple[str, str, str, str]] = {
    "together": ("同桌", "together", "朋友相约，或人少", "friends who play together, or few players"),
    "flow": (
        "相对时得分流向对方", "points flow to the other when opposed",
        "一方擅长对付另一方", "one of them knows how to play the other",
    ),
    "third_party": (
        "作农民时己方少得", "as farmer against him his side gets less",
        "与这位地主同桌的第三人较弱", "the third at that table is weak",
    ),
    "soft": (
        "能压而不压对方", "passes although he could beat him",
        "对方的牌路使人保留实力", "the other's play makes one wait",
    ),
    "weak_bids": (
        "弱牌叫地主而大输给对方", "bids with weak cards and loses much to him",
        "同桌者都敢叫", "everybody bids boldly at that table",
    ),
    "shape": (
        "输给对方的局更多翻倍", "what is lost to him is doubled more often",
        "对方好炸", "the other bombs freely",
    ),
    "runs": ("胜负交替过于整齐", "wins alternate too regularly", "地主轮流当", "the two are landlord by turns"),
}  # fmt: skip
"""What is tested of a pair, and what would make it harmless."""
NUMBERS = ("value", "expected", "value_from", "value_to", "points", "p")
WORDS = ("reason_zh", "reason_en", "innocent_zh", "innocent_en", "evidence")

Words = NDArray[np.object_]


def rows(found: Screened, player: str | None = None) -> pd.DataFrame:
    """Of every pair, or those of a player, a row that sums it up, then its tests; the highest scores first."""
    shown, test = _shown(found, player)
    figures = {name: np.full(len(shown), np.nan) for name in ("whole", *NUMBERS, "adjusted")}
    words: dict[str, Words] = {name: np.full(len(shown), np.nan, object) for name in WORDS}
    summed = test < 0
    figures["p"][summed] = found.adjusted[shown[summed], found.worst[shown[summed]]]
    figures["adjusted"][summed] = found.summed[shown[summed]]
    figures["whole"][summed] = found.told["flow"].whole[shown[summed]]
    for number, (name, told) in enumerate(found.told.items()):
        own = np.flatnonzero(test == number)
        for column in ("whole", *NUMBERS):
            values = getattr(told, column)
            if values is not None:
                figures[column][own] = values[shown[own]]
        figures["adjusted"][own] = found.adjusted[shown[own], number]
        _say(words, np.flatnonzero((test == number) | (summed & (found.worst[shown] == number))), name, told, shown)
    return _framed(found, shown, test, figures, words)


def _shown(found: Screened, player: str | None) -> tuple[Whole, Whole]:
    """Of each row the pair and the number of the test, -1 for what sums it up; one more than are shown at most."""
    order = found.order
    if player is not None:
        known = found.players.index(player) if player in found.players else -1
        order = order[(found.who[:, order] == known).any(axis=0)]
    every = np.ones(len(order), bool)
    said = [each.tested[order] if each.tested is not None else every for each in found.told.values()]
    place, test = np.nonzero(np.stack([every, *said], axis=1))
    return order[place[: ROWS + 1]], test[: ROWS + 1] - 1


def _say(words: dict[str, Words], rows: Whole, test: str, told: Told, shown: Whole) -> None:
    """Fill in what these rows say in words: what was seen, what would make it harmless, hands to look at."""
    pairs, (zh, en, *innocent) = shown[rows], TITLES[test]
    figures = [told.words.format(*each) for each in zip(*(values[pairs].tolist() for values in told.seen), strict=True)]
    words["reason_zh"][rows] = [f"{zh}：{each}" for each in figures]
    words["reason_en"][rows] = [f"{en}: {each}" for each in figures]
    words["innocent_zh"][rows], words["innocent_en"][rows] = innocent
    if told.evidence is not None:
        words["evidence"][rows] = [
            numbers(tuple(hand for hand in each if hand >= 0)) or np.nan for each in told.evidence[pairs].tolist()
        ]


def _framed(
    found: Screened, shown: Whole, test: Whole, figures: dict[str, Real], words: dict[str, Words]
) -> pd.DataFrame:
    """The declared columns."""
    players, names = np.array(found.players, object), np.array([*found.told, ALL], object)
    told: dict[str, Any] = {
        "player": players[found.who[GIVER, shown]], "other": players[found.who[TAKER, shown]],
        "rules": np.array(found.rules, object)[found.law[shown]], "test": names[test],
    } | figures  # fmt: skip
    told["score"] = [np.nan if np.isnan(p) else score(p) for p in figures["adjusted"].tolist()]
    kinds = dict.fromkeys(figures, "float64") | {"whole": "Int64", "score": "float64"}
    columns = told | words
    return pd.DataFrame({name: pd.Series(values, dtype=kinds.get(name, object)) for name, values in columns.items()})
