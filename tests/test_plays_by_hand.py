"""Plays worked out by hand on points that a mistake in the rules could change unnoticed (``make mutation``)."""

from typing import Any

import pytest
from by_hand import HELD, Audit, Make, Own, told

from ingest.rules.climbing import Played, is_anti_spring, is_spring

OPEN = ("P407", "S607")
RULED = ("P410", 0, 0, {"cards": "33334444", "switches": ["kickers.pairs_distinct", "kickers.bomb_inside"]})


def of_play(verdict: Any) -> list[tuple[Any, ...]]:
    """What is found of the plays, whole, but that the hand is not finished."""
    return [found for found in told(verdict) if found[0] not in OPEN]


@pytest.mark.parametrize(
    ("rules", "plays", "expected"),
    [
        ("classic", "0:- 1:3", [("P405", 0, 0, {})]),
        ("classic", "0:- 1:- 2:- 0:3", [("P405", 0, 0, {}), ("P405", 1, 1, {}), ("P405", 2, 2, {})]),
        ("classic", "0:- 1:3 2:- 0:4", [("P405", 0, 0, {})]),
        ("classic", "0:3 1:- 2:- 0:- 1:4 2:- 0:- 1:5", [("P405", 3, 0, {})]),
        ("classic", "0:3 1:4 2:- 0:- 1:3 2:- 0:- 1:3", []),
        ("two-player", "0:- 1:3 0:4", [("P405", 0, 0, {})]),
        ("two-player", "0:3 1:- 0:- 1:3 0:4", [("P405", 2, 0, {})]),
        ("two-player", "0:3 1:- 0:3 1:4 0:- 1:3", []),
        ("four-player", "0:3 1:- 2:- 3:- 0:3", []),
        ("classic", "0:3 2:3", [("P401", 1, 2, {"expected": 1, "actual": 2})]),
        ("classic", "0:3 0:3", [("P411", 1, 0, {"move": "0:3"})]),
        ("classic", "0:3 0:4", [("P401", 1, 0, {"expected": 1, "actual": 0})]),
        ("classic", "0:3 1:- 1:-", [("P411", 2, 1, {"move": "1:-"})]),
        ("classic", "0:3 1:4 2:- 1:-", [("P401", 3, 1, {"expected": 0, "actual": 1})]),
        ("classic", "1:3", [("P401", 0, 1, {"expected": 0, "actual": 1})]),
        ("classic", "0:34 1:3", [("P403", 0, 0, {"cards": "34"})]),
        ("classic", "0:4 1:3 2:4", [("P404", 1, 1, {"cards": "3", "standing": "solo 4"})]),
        ("classic", "0:33334444 1:77",
         [RULED, ("P404", 1, 1, {"cards": "77", "standing": "quad_pairs 4 / quad_pairs 3"})]),
        ("classic", "0:333444555666 1:77",
         [("P404", 1, 1, {"cards": "77", "standing": "trio_chain×4 6 / plane1×3 6 / plane1×3 5"})]),
        ("classic", "0:3 1:4444555566667777889", [("P403", 1, 1, {"cards": "4444555566667777889"}),
         ("P402", 1, 1, {"cards": "4444555566667777889", "missing": "??"})]),
        ("classic", "0:3 1:444455556666777788", [("P403", 1, 1, {"cards": "444455556666777788"}),
         ("P402", 1, 1, {"cards": "444455556666777788", "missing": "?"})]),
        ("classic", "0:3 1:44445555666677778 2:- 0:-", [("P403", 1, 1, {"cards": "44445555666677778"}),
         ("P406", 2, 2, {"move": "-"}), ("P406", 3, 0, {"move": "-"})]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_plays(a_record: Make, audit: Audit, rules: str, plays: str, expected: list[Any]):
    """U-R1, U-R4, U-R6, U-R8, U-R16, D-Q1: each finding whole; nothing is shown of the cards."""
    assert of_play(audit(a_record(rules, plays=plays), rules)) == expected


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ("0:33334444 1:-", [RULED, ("P412", 1, 1, {"standing": "quad_pairs 4 / quad_pairs 3", "cards": "77888899"})]),
        ("0:S7 1:-", [("P412", 1, 1, {"standing": "solo 7", "cards": "8"})]),
        ("0:S7 1:S8 2:SK 0:D2 1:-", [("P412", 4, 1, {"standing": "solo 2", "cards": "9999"})]),
        ("0:B 1:- 2:-", [("P412", 1, 1, {"standing": "solo B", "cards": "8888"}),
                         ("P412", 2, 2, {"standing": "solo B", "cards": "QQQQ"})]),
        ("0:BR 1:- 2:-", []),
        ("0:34 1:- 2:-", [("P403", 0, 0, {"cards": "34"})]),
    ],
)  # fmt: skip
def test_who_can_beat_must(a_record: Make, audit: Audit, own_rules: Own, plays: str, expected: list[Any]):
    """A-Q11, `trick.must_beat`: what he holds is told, the cheapest; who may pass otherwise is not accused."""
    record = a_record("classic", hands=HELD, bottom="D2BR", plays=plays)
    assert of_play(audit(record, own_rules("classic", {"trick.must_beat": True}))) == expected
    assert [found for found in of_play(audit(record, "classic")) if found[0] == "P412"] == []


@pytest.mark.parametrize(
    ("plays", "winner", "spring", "anti_spring"),
    [
        ([3, 0, 0], 0, True, False),
        ([3, 1, 0], 0, False, False),
        ([1, 3, 0], 1, False, True),
        ([2, 3, 0], 1, False, False),
        ([1, 0, 0], None, False, False),  # nobody went out
    ],
)
def test_what_is_a_spring(plays: list[int], winner: int | None, spring: bool, anti_spring: bool):
    """G-R16, G-R17."""
    played = Played([1, 1, 1], plays, winner=winner)
    assert (is_spring(played, 0), is_anti_spring(played, 0)) == (spring, anti_spring)
