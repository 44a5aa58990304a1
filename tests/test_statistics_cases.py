"""Every statistic has a case: a few hands in, a table out, worked out by hand (tests/cases/statistics.toml)."""

import tomllib
from fractions import Fraction
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
import test_second
import test_statistics
from test_second import BY_HAND, KINDS
from test_store_hands import kept, record

from analysis import catalogue
from analysis.statistics.bid_threshold import fit

GIVEN = tomllib.loads((Path(__file__).parent / "cases" / "statistics.toml").read_text("utf-8"))
ELSEWHERE = {
    "deal_tests": "test_deals", "integrity_deals": "test_deals", "integrity_strength": "test_deals",
    "repeated_deals": "test_deals", "ratings": "test_ratings", "ratings_across": "test_ratings",
    "ratings_by_role": "test_ratings", "role_values": "test_ratings", "bombs_by_cards_left": "test_spots",
    "integrity_settlement": "test_mismatches", "settlement_mismatches": "test_mismatches",
    "mismatched_hands": "test_mismatches", "integrity_clocks": "test_clocks", "integrity_paces": "test_clocks",
    "integrity_pairs": "test_pairs", "duplicate_datum": "test_same_deals", "same_deal": "test_same_deals",
    "deal_share": "test_same_deals", "side_swaps": "test_same_deals", "robots_at_table": "test_same_deals",
}  # fmt: skip
"""Statistics of their own modules, and the tests that have their cases."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The store of each log, loaded when it is first asked for."""
    opened: dict[str, Any] = {}

    def of(name: str) -> Any:
        if name not in opened:
            hands = [a_hand(told, f"{name}{place}") for place, told in enumerate(GIVEN["logs"][name])]
            opened[name] = kept(tmp_path_factory.mktemp(name), *hands)
        return opened[name]

    yield of
    for warehouse in opened.values():
        warehouse.close()


def a_hand(given: dict[str, Any], id: str) -> dict[str, Any]:
    """The record that a log's entry stands for."""
    more = dict(given)
    if "shape" in more:
        hidden = more.pop("hidden", ())
        made = record(**more)
        hands = [None if seat in hidden else cards for seat, cards in enumerate(made.pop("hands"))]
        return made | ({"hands": hands} if any(hands) else {})
    if "deal" in more:
        whole = {"players": [{"id": each} for each in more.pop("ids", "abcd")], "first": 0}
        return whole | GIVEN["deals"][more.pop("deal")] | more
    plays = getattr(test_second, more.pop("landlord_plays"))
    made = test_second.told(more.pop("landlord", 0), more.pop("auction"), plays, more.pop("rules"))
    for player, balance in zip(made["players"], more.pop("balances", ()), strict=False):
        player["balance"] = balance
    return made | {"id": id} | more


def value(told: Any) -> Any:
    """A value as the file has it: a sum is a number, ``null`` is nothing."""
    if told == "null":
        return None
    if isinstance(told, str) and told.replace("/", "").lstrip("-").isdigit() and "/" in told:
        return float(Fraction(told))
    return told


def shown(found: Any) -> Any:
    """A value of an answer in the same way."""
    return str(found.date()) if hasattr(found, "date") else found


def answers(warehouse: Any, case: dict[str, Any]) -> list[list[Any]]:
    name = case["statistic"]
    by = {"by": case["by"]} if "by" in case else {}
    frame = catalogue.run(warehouse, name, **case.get("where", {}), **by)
    columns = case.get("columns") or {
        "mean": ["group", "total", "whole"], "shares": ["group", "class", "part"]
    }.get(KINDS[name], ["group", "part", "whole"])  # fmt: skip
    rows = frame.astype(object).where(frame.notna(), None)[columns].values.tolist()
    return [[shown(each) for each in row] for row in rows]


def in_order(rows: list[list[Any]]) -> list[list[Any]]:
    return sorted(rows, key=lambda row: [str(each) for each in row if isinstance(each, str | None)] + [str(row[0])])


@pytest.mark.parametrize("case", GIVEN["cases"], ids=lambda case: f"{case['statistic']}-{case['log']}")
def test_a_statistic_says_of_a_few_hands_what_was_worked_out_by_hand(stores, case):
    found = answers(stores(case["log"]), case)
    wanted = [[value(told) for told in row] for row in case.get("rows", case.get("sums"))]
    assert len(found) == len(wanted)
    for row, expected in zip(in_order(found), in_order(wanted), strict=True):
        assert row == [pytest.approx(told, abs=1e-6) if isinstance(told, float | int) else told for told in expected]


def test_a_threshold_is_where_calls_and_passes_are_even():
    """One of four calls with 0, three of four with 2: log odds of -ln 3 and ln 3, each with variance 4/3."""
    assert fit([(0, 4, 1), (2, 4, 3)]) == {
        "threshold": pytest.approx(1), "slope": pytest.approx(log(3)), "error": pytest.approx(sqrt(2 / 3) / log(3))
    }  # fmt: skip
    assert fit([(0, 4, 1), (2, 4, 1)])["threshold"] is None


def test_every_statistic_has_a_case():
    in_python = {name for name in catalogue.statistics() if hasattr(test_statistics, f"test_{name}")}
    by_hand = {name for _, name, _ in BY_HAND}
    cases = {case["statistic"] for case in GIVEN["cases"]}
    assert catalogue.statistics().keys() - in_python - by_hand - cases - ELSEWHERE.keys() == set()
    for name, module in ELSEWHERE.items():
        assert name in (Path(__file__).parent / f"{module}.py").read_text("utf-8"), name
