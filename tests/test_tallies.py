"""Measures day by day, kept with a large store: whatever they are added up to is what the store itself answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from five_days import store_of

from analysis import catalogue, keeping, tallies
from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands

MEASURES = sorted(name for name, each in catalogue.statistics().items() if each.tally)
RULES = ("classic", "platform", "four-player", "sandaha")
DAYS = {"since": "2026-01-02", "until": "2026-01-04"}
ASKED: tuple[dict[str, str], ...] = (
    {},
    {"by": "player"},
    {"by": "player", **DAYS},
    {"by": "player", "rules": "platform", "role": "farmer", "since": "2026-01-03"},
    {"by": "day", "player": "p1"},
    {"by": "month", "across": "yes", **DAYS},
    {"by": "weekday", "until": "2026-01-03"},
    {"by": "role", "bots": "human", "player": "p0", "position": "up"},
    {"by": "position", "bots": "only"},
    {"by": "bot", "across": "yes", "player": "p2"},
    {"by": "player", "across": "yes"},
    {"by": "strength", "role": "landlord", "since": "2026-01-02"},
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of four rulesets over five days, a third of the seats robots, some lines faulty, some without a day."""
    return store_of(tmp_path_factory.mktemp("tallies"), RULES, 60, 7, _among_few)


def _among_few(told: dict[str, Any], number: int) -> None:
    players = told["players"]
    told["players"] = [
        player | {"id": f"p{(seat + number) % len(players)}", "bot": (seat + number) % 3 == 0}
        for seat, player in enumerate(players)
    ]


@pytest.fixture(scope="module")
def prepared(store: Path) -> Iterator[Warehouse]:
    with pytest.MonkeyPatch.context() as patch, Warehouse(store) as warehouse:
        patch.setattr(keeping, "LEAST", 1)
        patch.setattr(tallies, "SPARE", 1)
        assert tallies.prepare(warehouse, catalogue.statistics()) == len(MEASURES)
        yield warehouse


def _same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, rtol=1e-12, atol=1e-12, check_dtype=len(other) > 0)
    assert one.attrs == other.attrs


TURN = 4
"""Of each measure every fourth question is asked, beginning with another one; all of them in the long trials."""


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        pytest.param(name, ASKED[number % TURN :: TURN] if turn else ASKED, marks=() if turn else pytest.mark.soak)
        for turn in (True, False)
        for number, name in enumerate(MEASURES)
    ],
)
def test_cells_add_up_to_what_the_store_answers(
    name: str, asked: tuple[dict[str, str], ...], prepared: Warehouse
) -> None:
    each = catalogue.statistics()[name]
    some = False
    for question in asked:
        values = {parameter: catalogue.filtered({}).get(parameter) for parameter in each.parameters} | question
        added_up = tallies.answers(prepared, [each], values)[0]
        assert len(added_up) == each.tally.serves(values)
        if not added_up:
            continue
        direct = each.answer(prepared, values)
        _same(added_up[name], direct)
        some |= len(direct) > 1
    assert some


PARTS: tuple[dict[str, str], ...] = (
    {},
    {"role": "landlord"},
    {"role": "farmer"},
    {"role": "farmer", "position": "up"},
    {"position": "down"},
)


@pytest.mark.parametrize("asked", [{"by": "player", "rules": "platform"}, {"role": "farmer"}, {"by": "base"}], ids=str)
def test_parts_are_answered_as_each_by_itself(asked: dict[str, str], prepared: Warehouse) -> None:
    names = ("score", "win_rate", "first_words")
    told = catalogue.run_parts(prepared, names, PARTS, **asked)
    some = 0
    for part, frames in zip(PARTS, told, strict=True):
        for name in names:
            _same(frames[name], catalogue.run(prepared, name, **asked | part))
            some += len(frames[name]) > 0
    assert some > 2 * len(PARTS)


@pytest.mark.parametrize("asked", [{"player": "p1", "by": "strength"}, {"role": "farmer", "by": "base"}], ids=str)
def test_measures_of_a_kind_are_one_question_where_few_seats_are_picked(
    asked: dict[str, str], prepared: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "LEAST", 10**9)
    whole = catalogue.run_each(prepared, MEASURES, **asked)
    some = 0
    for name in MEASURES:
        each = catalogue.statistics()[name]
        _same(whole[name], each.answer(prepared, dict.fromkeys(each.parameters) | asked))
        some += len(whole[name]) > 0
    assert some > len(MEASURES) / 2


def test_a_part_that_no_filter_can_be_is_refused(prepared: Warehouse) -> None:
    with pytest.raises(catalogue.BadFilter):
        catalogue.run_parts(prepared, ("score",), [{"role": "peasant"}])


def test_several_are_answered_at_once(prepared: Warehouse) -> None:
    asked = {"by": "player", "rules": "platform", "since": "2026-01-02"}
    whole = catalogue.run_each(prepared, ("score", "win_rate", "bomb_rate", "first_out", "win_rate"), **asked)
    assert list(whole) == ["score", "win_rate", "bomb_rate", "first_out"]
    for name, frame in whole.items():
        each = catalogue.statistics()[name]
        _same(frame, each.answer(prepared, dict.fromkeys(each.parameters) | asked))
        assert len(frame) > 1


def test_where_somebody_sits_twice_what_counts_hands_once_has_no_cells(tmp_path: Path) -> None:
    lines = []
    for line in hands(load_any("classic"), 6, seed=7):
        told = json.loads(line)
        told["players"] = [player | {"id": "alone"} for player in told["players"]]
        lines.append(json.dumps(told))
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    once = [name for name in MEASURES if catalogue.statistics()[name].tally.by_hand]
    with pytest.MonkeyPatch.context() as patch, Warehouse(tmp_path / "store") as warehouse:
        patch.setattr(keeping, "LEAST", 1)
        patch.setattr(tallies, "SPARE", 0)
        wanted = catalogue.run_each(warehouse, MEASURES, by="player")
        assert catalogue.prepare(warehouse)
        assert tallies.prepare(warehouse, catalogue.statistics()) == len(MEASURES) - len(once)
        for name, frame in catalogue.run_each(warehouse, MEASURES, by="player").items():
            _same(frame, wanted[name])
