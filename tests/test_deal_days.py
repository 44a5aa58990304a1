"""The shuffle over some days: from days that are kept as from the hands themselves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from five_days import store_of

from analysis import catalogue, cells, deal_counts, deal_tests, keeping
from analysis.warehouse import Warehouse

RULES = ("platform", "two-player")
SPANS: tuple[dict[str, str], ...] = (
    {"since": "2026-01-02"},
    {"until": "2026-01-03"},
    {"since": "2026-01-02", "until": "2026-01-04"},
    {"since": "2026-01-02", "rules": "platform"},
    {"since": "2027-01-01"},
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of two rulesets over five days, in turn, and some without a day; two tables, two ways of dealing."""
    return store_of(tmp_path_factory.mktemp("days"), RULES, 220, 9, _dealt)


def _dealt(told: dict[str, Any], number: int) -> None:
    told["table"] = f"t{number // 20 % 2}"
    told["tags"] = {"deal_mode": "unshuffled"} if number % 4 == 3 else {}


@pytest.fixture
def prepared(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    monkeypatch.setattr(keeping, "LEAST", 1)
    monkeypatch.setattr(deal_tests, "LEAST", 5)
    with Warehouse(store) as warehouse:
        assert cells.prepare(warehouse, deal_counts.BY_DAY.values()) == 4
        yield warehouse


@pytest.mark.parametrize("name", ["deal_tests", "integrity_deals"])
@pytest.mark.parametrize("span", SPANS, ids=str)
def test_days_add_up_to_what_the_hands_say(
    name: str, span: dict[str, str], prepared: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = catalogue.run(prepared, name, **span)
    monkeypatch.setattr(keeping, "LEAST", 10**9)
    prepared.forget()
    direct = catalogue.run(prepared, name, **span)
    told, direct = (frame.astype(object).where(frame.notna(), None) for frame in (told, direct))
    pd.testing.assert_frame_equal(told, direct, rtol=1e-12)
    tests = set(direct["test"])
    assert {"all", "ranks", "overlap"} <= tests or span == SPANS[-1]


def test_a_span_is_corrected_for_its_own_rooms_only(prepared: Warehouse) -> None:
    whole, some = (catalogue.run(prepared, "integrity_deals", **span) for span in ({}, SPANS[0]))
    assert {str(day)[:10] for day in some["day"]} == {"2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"}
    rooms = [frame[(frame["test"] == "all") & frame["adjusted"].notna()] for frame in (whole, some)]
    assert len(rooms[0]) > len(rooms[1])
