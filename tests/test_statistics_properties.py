"""What holds of every answer of the catalogue, whatever the hands: parts are within wholes, rates within intervals."""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_store_hands import SHAPES, kept, record

from analysis import catalogue

WITHIN = (
    "part whole", "part hands", "part entries", "wins hands", "wins landlords", "wins humans", "made hands",
    "taken hands", "won sessions", "sessions hands", "springs hands", "anti_springs hands", "hands entries",
    "missed strong", "weak calls", "calls hands", "leads hands", "openings leads", "hands own", "landlords hands",
    "surrendered hands", "by_single taken", "by_pair taken", "by_tractor taken", "runs hands", "timed hands",
    "without_plays hands", "without_hands hands", "partly_hidden hands", "clean hands", "faulty hands", "void clean",
    "decided bombs", "stood bombs", "wins decided", "longest_win hands",
    "longest_loss hands", "calls words", "words hands", "calls_after turns_after",
    "calls_else turns_else", "turns_after hands",
)  # fmt: skip
"""Columns of which the first is part of the second, wherever a table has both."""
OTHERWISE = {("rolling", "hands"), ("robots_at_table", "hands"), ("bombs_by_size", "hands")}
"""Where the column of that name is no whole of any other."""
PEOPLE = ("a", "b", "c", "d")

one_hand = st.fixed_dictionaries(
    {
        "shape": st.sampled_from(sorted(SHAPES)),
        "landlord": st.integers(0, 2),
        "bid": st.integers(1, 3),
        "ids": st.permutations(PEOPLE).map(lambda ids: ids[:3]),
        "base": st.sampled_from((1, 20)),
    },
    optional={
        "at": st.datetimes().map(lambda at: f"2026-03-{at.day:02}T{at.hour:02}:{at.minute:02}:00+08:00"),
        "table": st.sampled_from(("t1", "t2")),
        "tags": st.just({"deal_mode": "preset"}),
        "claim": st.just({"scores": [1, 0, -1]}),
        "bottom": st.just(None),
    },
)


def answers(hands: list[dict[str, Any]], folder: Any) -> Iterator[tuple[str, pd.DataFrame]]:
    """Every statistic, by player where it may be split."""
    with kept(folder, *[record(str(place), **told) for place, told in enumerate(hands)], "no record") as warehouse:
        for name, statistic in catalogue.statistics().items():
            split = {"by": "player"} if "by" in statistic.parameters else {}
            yield name, catalogue.run(warehouse, name, **split)


def check(name: str, frame: pd.DataFrame) -> None:
    statistic = catalogue.statistics()[name]
    for part, whole in (pair.split() for pair in WITHIN):
        if {part, whole} <= set(frame.columns) and not {(statistic.name, part), (statistic.name, whole)} & OTHERWISE:
            if "ratio" in frame.columns:
                continue
            assert ((frame[part] >= 0) & (frame[part] <= frame[whole])).all(), (name, part, whole)
    for column in statistic.columns:
        if column.unit == "rate":
            known = frame[column.name].dropna()
            assert ((known >= 0) & (known <= 1)).all(), (name, column.name)
    for low in (column.name for column in statistic.columns if column.name.endswith("low")):
        known = frame.dropna(subset=[low])
        high, rate = low[:-3] + "high", low[:-3] + "rate"
        assert (known[low] <= known[high]).all(), name
        if rate in frame.columns:
            assert ((known[low] <= known[rate] + 1e-9) & (known[rate] <= known[high] + 1e-9)).all(), name


def holds(hands: list[dict[str, Any]], folder: Any) -> None:
    folder.mkdir()
    for name, frame in answers(hands, folder):
        check(name, frame)


AT = {"at": "2026-03-01T10:00:00+08:00", "table": "t1"}
SOME: list[dict[str, Any]] = [
    {"shape": "spring", "landlord": 0, "bid": 3, "ids": "abc", **AT},
    {"shape": "spring", "landlord": 0, "bid": 1, "ids": "bac", **AT, "claim": {"scores": [1, 0, -1]}},
    {"shape": "anti_spring", "landlord": 1, "bid": 2, "ids": "abd", "base": 20, "at": "2026-03-02T23:59:00+08:00"},
    {"shape": "anti_spring", "landlord": 1, "bid": 2, "ids": "dba", "table": "t2", "tags": {"deal_mode": "preset"}},
    {"shape": "plain", "landlord": 2, "bid": 3, "ids": "acd", "bottom": None},
    {"shape": "plain", "landlord": 0, "bid": 3, "ids": "aca", **AT},
    {"shape": "void", "landlord": 0, "bid": 3, "ids": "abc", **AT},
]
"""Deals twice, won and lost in each role, dated and not, at a table and not, a claim that is wrong, a hidden bottom, a
player against himself and a void hand.
"""


def test_parts_are_within_wholes(tmp_path):
    holds(SOME, tmp_path / "few")


@pytest.mark.soak
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(one_hand, max_size=12, unique_by=json.dumps))
def test_parts_are_within_wholes_of_many(tmp_path_factory, hands):
    holds(hands, tmp_path_factory.mktemp("many") / "store")


ALONE = {
    ("role_neutral_win_rate", "landlord_rate"), ("role_neutral_win_rate", "farmer_rate"),  # those of other statistics
    ("robots_at_table", "share"), ("robots_at_table", "landlord"), ("volatility", "big"),  # shares of what is whole
    ("integrity_clocks", "tolerated"),  # a limit, not a rate of the sample
}  # fmt: skip
"""Rates without an interval."""


WHOLE_UNSEEN = {
    "role_neutral_win_rate", "hours", "deal_modes", "verdicts", "duplicate_datum", "integrity_settlement",
}  # fmt: skip
"""Tables whose rate has its part or its whole in other rows or under the names of what it counts."""


def test_every_rate_has_an_interval():
    for name, statistic in catalogue.statistics().items():
        rates = {column.name for column in statistic.columns if column.unit == "rate"}
        for rate in rates:
            if not rate.endswith(("low", "high")) and (name, rate) not in ALONE:
                stem = rate.removesuffix("rate")
                assert {f"{stem}low", f"{stem}high"} <= rates, (name, rate)


def test_every_table_with_a_rate_names_its_part_and_whole():
    """What has a rate has a pair of columns above, so that nothing is passed over."""
    for name, statistic in catalogue.statistics().items():
        columns = {column.name for column in statistic.columns}
        if "rate" in columns and name not in WHOLE_UNSEEN:
            assert any(set(pair.split()) <= columns for pair in WITHIN), name
