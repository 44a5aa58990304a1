"""What hands are worth: the cases of kind ``settlements``.

``facts`` are those of ``fupan settle`` (record.md 7). ``factors``: those that are not 1, in their order, where given.
``others``: the scores that another reading of the rules would give (U-R15), by its switch; none where not given.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ingest.rules.combinations import SHAPES
from ingest.rules.ruleset import WITHOUT_POINTS, load
from ingest.rules.settlement import PATTERN_POINTS, Facts, other_readings, pattern_points, settle, void_settlement


def test_settlements(settlements_case: dict[str, Any], named: Callable[..., str]):
    rules, given = load(named(settlements_case)), settlements_case
    facts = msgspec.convert(given["facts"], Facts)
    settled = settle(facts, rules, given.get("points"))
    assert (settled.multiplier, settled.unit) == (given["multiplier"], given["unit"])
    assert settled.scores == given["scores"]
    if "factors" in given:
        assert {factor.name: factor.factor for factor in settled.factors} == given["factors"]
        assert [factor.name for factor in settled.factors] == list(given["factors"])
    others = {other.switch: other.scores for other in other_readings(facts, rules, settled)}
    assert others == given.get("others", {})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_void_hand_is_worth_nothing(players: int):
    """U-R17."""
    settled = void_settlement(players)
    assert (settled.factors, settled.multiplier, settled.unit, settled.scores) == ([], 1, 0, [0] * players)


@pytest.mark.parametrize("winner", ["landlord", "farmers"])
@pytest.mark.parametrize("landlord", [0, 1])
def test_everything_that_could_be_true_at_once_still_sums_to_zero(climbing: str, winner: str, landlord: int):
    ruleset = load(climbing)
    facts = Facts(
        base=7, bid=3, voids=3, marker="R", open=True, robs=3, bombs=[4, 5, 6, 7, 8], rockets=2, spring=True,
        anti_spring=True, landlord=landlord, winner=winner, balances=[11] * ruleset.deal.players,
    )  # fmt: skip
    settled = settle(facts, ruleset)
    if ruleset.score.payout in ("win_loss", "pattern_points"):  # RL-R2, BV-R3
        assert settled.scores is None or sum(settled.scores) > 0
        return
    assert settled.scores is not None
    assert sum(settled.scores) == 0
    assert (settled.scores[landlord] > 0) == (winner == "landlord")
    product = 1
    for factor in settled.factors:
        assert factor.factor != 1
        product *= factor.factor
    assert product == settled.multiplier


def test_facts_that_a_ruleset_does_not_know_change_nothing(climbing: str):
    """rules.md 9.2: a bid under two-player, a spring under classic."""
    rules = load(climbing)
    unknown: dict[str, Any] = {"marker": "R", "open": True, "voids": 2, "balances": [1] * rules.deal.players}
    if not rules.rob.enabled or rules.rob.factor == 1:
        unknown["robs"] = 2
    if rules.score.bid_factor == 1:
        unknown["bid"] = 3
    if rules.score.spring_factor == 1:
        unknown |= {"spring": True, "anti_spring": True}
    plain = settle(Facts(landlord=0, winner="landlord"), rules)
    known = climbing.startswith("platform")
    assert (settle(Facts(landlord=0, winner="landlord", **unknown), rules) != plain) == known


def test_every_combination_has_pattern_points_or_goes_without_that_payout():
    assert {shape.name for shape in SHAPES} - PATTERN_POINTS.keys() == {*WITHOUT_POINTS}


def test_pattern_points_are_needed_for_their_payout():
    """BV-R3: ``fupan settle`` has no scores for ``botzone-v1``."""
    assert settle(Facts(landlord=0, winner="landlord"), load("botzone-v1")).scores is None


@pytest.mark.parametrize(
    ("names", "length", "points"),
    [
        ("solo", 1, 1),
        ("pair", 1, 2),
        ("trio trio1 trio2", 1, 4),
        ("solo_chain", 5, 6),
        ("pair_chain", 3, 6),
        ("quad_solos quad_pairs", 1, 8),
        ("trio_chain plane1 plane2", 2, 8),
        ("trio_chain plane1", 5, 8),
        ("bomb", 1, 10),
        ("quad_chain quad_solos quad_pairs", 2, 10),
        ("quad_chain quad_solos quad_pairs", 3, 20),
        ("quad_chain", 5, 20),
        ("rocket", 1, 16),
    ],
)
def test_pattern_points(names: str, length: int, points: int):
    """BV-R3."""
    assert {pattern_points(name, length) for name in names.split()} == {points}
