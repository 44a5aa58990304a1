"""Hands of 三打哈 worked out by hand where a mistake in the rules could go unnoticed (``make mutation``)."""

from typing import Any

import pytest
from by_hand import Audit, Own, told

from ingest.record import Player, Record

SMALL = {"deal.removed_ranks": [*"3456789TJQ2"], "deal.hand": 3}
"""Aces, kings and jokers: three cards for each seat, eight at the bottom."""
HANDS = ["SASAR", "SKSKHA", "HAHKDA", "DADKDK"]
BOTTOM = "HKCACACKCKBBR"
DEAL = {"hands": HANDS, "bottom": BOTTOM, "buried": BOTTOM, "trump": "C"}
LAST = "0:R 1:HA 2:DA 3:DK"
OPEN = ("P407", "S607")


def of(deal: dict[str, Any], plays: str, landlord: int = 0) -> Record:
    """A hand that its landlord bid for alone."""
    others = [f"{(landlord + step) % 4}:-" for step in (1, 2, 3)]
    players = [Player(name) for name in "abcd"]
    return Record(
        id="a", players=players, first=landlord, auction=" ".join([f"{landlord}:80", *others]), plays=plays, **deal
    )


def found(verdict: Any) -> list[tuple[Any, ...]]:
    return [each for each in told(verdict) if each[0] not in OPEN]


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (f"0:SASA 1:SKSK 2:HAHK 3:DADK {LAST}", []),
        (f"0:SASA 1:SKSK 2:HAHK 3:DADK {LAST} 1:S5 2:-",
         [("P406", 8, 1, {"move": "S5"}), ("P406", 9, 2, {"move": "-"})]),
        ("1:SK", [("P401", 0, 1, {"expected": 0, "actual": 1})]),
        ("0:SA 0:SA", [("P411", 1, 0, {"move": "0:SA"})]),
        ("0:SA 2:HA", [("P401", 1, 2, {"expected": 1, "actual": 2})]),
        ("0:SA 1:SK 2:HA 3:DA 1:SK", [("P401", 4, 1, {"expected": 0, "actual": 1})]),
        ("0:SA 1:SK 2:HA 3:DA 0:SA 1:HA", [("T501", 5, 1, {"must": "SK", "played": "HA"})]),
        ("0:-", [("T505", 0, 0, {"cards": "-"})]),
        ("0:SA 1:-", [("T504", 1, 1, {"expected": 1, "actual": 0})]),
        ("0:SASA 1:SK", [("T504", 1, 1, {"expected": 2, "actual": 1})]),
        ("0:SASA 1:SKHA", [("T501", 1, 1, {"must": "SKSK", "played": "SKHA"})]),
        ("0:SA 1:HA", [("T501", 1, 1, {"must": "SKSK", "played": "HA"})]),
        ("0:SAR", [("T505", 0, 0, {"cards": "SAR"})]),
        ("0:HASK", [("P402", 0, 0, {"cards": "SKHA", "missing": "SKHA"})]),
        ("0:SASASA", [("P402", 0, 0, {"cards": "SASASA", "missing": "SA"})]),
        ("0:SA 1:SK 2:HA 3:DA 0:SA 1:SK 2:HA", [("P402", 6, 2, {"cards": "HA", "missing": "HA"})]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_plays(audit: Audit, own_rules: Own, plays: str, expected: list[Any]):
    """U-R6, U-R8, F-R22 … F-R24: each finding whole, at its move."""
    assert found(audit(of(DEAL, plays), own_rules("sandaha", SMALL))) == expected


TRUMPS = {
    "hands": ["RBCK", "RCACK", "SASASK", "HAHASK"],
    "bottom": "BCAHKHKDADADKDK",
    "buried": "BCAHKHKDADADKDK",
    "trump": "C",
}
ANY, NONE, LOWEST = {"throw.scope": "any"}, {"throw.scope": "none"}, {"throw.fail": "lowest_component"}


@pytest.mark.parametrize(
    ("switches", "hidden", "plays", "expected"),
    [
        ({}, (), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (), "0:RB!B 1:R", []),
        ({}, (), "0:RB!R", [("T508", {"expected": "B", "actual": "R"})]),
        ({}, (), "0:RBCK!CK 1:R", []),
        ({}, (), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (), "0:RBCK!RB", [("T508", {"expected": "CK", "actual": "BR"})]),
        ({}, (), "0:R!R", [("T507", {"cards": "R", "failing": []})]),
        ({}, (), "0:RSA!R", [("P402", {"cards": "SAR", "missing": "SA"})]),
        ({}, (1,), "0:RB", []),  # who could beat it is not known
        ({}, (1,), "0:RB!B", []),
        ({}, (1,), "0:RB!R", []),
        ({}, (2,), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (2,), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (0,), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (0,), "0:RR", [("P402", {"cards": "RR", "missing": "R"})]),
        ({}, (0,), "0:RBCK!CK", []),
        ({}, (), "2:SASK", [("T506", {"cards": "SKSA"})]),
        ({}, (), "2:SASA", []),
        (ANY, (), "2:SASK 3:HAHA", [("T501", {"must": "SK", "played": "HAHA"})]),
        (ANY, (), "2:SASK 3:HASK", []),
        (ANY, (), "2:SASASK", []),
        (ANY, (), "2:SASK!SK", [("T507", {"cards": "SKSA", "failing": []})]),
        (ANY, (), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        (NONE, (), "0:RB", [("T505", {"cards": "BR"})]),
        (NONE, (), "2:SASK", [("T505", {"cards": "SKSA"})]),
        (NONE, (), "2:SASA", []),
        (LOWEST, (), "0:RBCK!CK", []),
        (LOWEST, (1,), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (0,), "0:-", [("T505", {"cards": "-"})]),
        ({}, (0,), "0:RRB!B", [("P402", {"cards": "BRR", "missing": "R"})]),
        ({}, (0, 1), "0:RRBCK", [("P402", {"cards": "CKBRR", "missing": "?"})]),
        ({}, (0, 1), "0:RRB", []),
        ({}, (), "0:RBCK!BCK", [("T508", {"expected": "CK", "actual": "CKB"})]),
        ({}, (1,), "0:RBCK!RB", [("T508", {"expected": "CK / B / R", "actual": "BR"})]),
    ],
)  # fmt: skip
def test_what_is_thrown(audit: Audit, own_rules: Own, switches: Any, hidden: Any, plays: str, expected: list[Any]):
    """F-R27, F-Q17 … F-Q21: what is wrong with the last move."""
    hands = [None if seat in hidden else hand for seat, hand in enumerate(TRUMPS["hands"])]
    verdict = audit(of(TRUMPS | {"hands": hands}, plays, int(plays[0])), own_rules("sandaha", SMALL | switches))
    assert [(code, details) for code, *_, details in found(verdict)] == expected


SEVENS = SMALL | {"deal.removed_ranks": [*"345689TJQKA"]}
"""Nothing but what is always trump."""


@pytest.mark.parametrize(
    ("own", "others", "plays", "expected"),
    [
        ("S7S7H7", "R", "0:S7S7H7", [("T507", {"cards": "S7S7H7", "failing": ["S7S7", "H7"]})]),
        ("S7S7H7", "R", "0:S7S7H7!H7", []),
        ("S7S7H7", "R", "0:S7S7H7!S7", [("T508", {"expected": "H7", "actual": "S7"})]),
        ("S7S7H7", "R", "0:S7S7H7!S7S7", [("T508", {"expected": "H7", "actual": "S7S7"})]),
        ("S7S7R", "H7", "0:S7S7R!S7S7", []),
        ("S7S7R", "H7", "0:S7S7R!R", [("T508", {"expected": "S7S7", "actual": "R"})]),
        ("S7S7R", "H7", "0:S7S7R!D7D7", [("T508", {"expected": "S7S7", "actual": "D7D7"})]),
    ],
)
def test_what_is_led_after_a_throw_of_pairs(
    audit: Audit, own_rules: Own, own: str, others: str, plays: str, expected: list[Any]
):
    """F-Q17, F-Q18, F-Q20: of one level the single is lower than the pair, and what is led was thrown."""
    bottom = "H2H2C2C2D2D2BR"
    deal = {"hands": [own, f"C7C7{others}", "D7D7B", "H7S2S2"], "bottom": bottom, "buried": bottom, "trump": "C"}
    verdict = audit(of(deal, plays), own_rules("sandaha", SEVENS))
    assert [(code, details) for code, *_, details in found(verdict)] == expected
