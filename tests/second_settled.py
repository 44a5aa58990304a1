"""What a hand of a climbing game is worth, a second time, from the formulas of the rulebook (A-R16 … G-R17, 9.2).

Takes the numbers of a ruleset as data; refuses to know ``ingest.rules.settlement``.
"""

from collections import Counter
from typing import Any, NamedTuple

from second_shapes import Shape

from ingest.rules.ruleset import Ruleset

POINTS = {"solo": 1, "pair": 2, "trio": 4, "trio1": 4, "trio2": 4, "solo_chain": 6, "pair_chain": 6, "trio_chain": 8,
          "plane1": 8, "plane2": 8, "bomb": 10, "rocket": 16}  # fmt: skip
"""BV-R3."""


class Facts(NamedTuple):
    """What the settlement of a hand rests on."""

    bid: int
    robs: int
    landlord: int
    winner: int | None
    leaver: int | None
    plays: list[tuple[int, Shape]]
    balances: list[int | None]


def settled(told: dict[str, Any], facts: Facts, law: Ruleset) -> tuple[int, list[int]]:
    """The multiplier and the scores."""
    size, landlord = law.deal.players, facts.landlord
    won = facts.winner == landlord
    if law.score.payout == "win_loss":
        return 1, [int((seat == landlord) == won) for seat in range(size)]
    if law.score.payout == "pattern_points":
        return 1, points(facts, size)
    multiplier = _multiplier(told, facts, law)
    base = told.get("base", 1) if law.score.base == "record" else law.score.base
    unit = base * multiplier * (facts.bid if law.score.bid_factor == "bid" else 1)
    if facts.leaver is not None and facts.leaver != landlord:
        return multiplier, _left(facts, unit, law)
    farmers = [seat for seat in range(size) if seat != landlord]
    limits = facts.balances if law.balance.enforce == "if_logged" else [None] * size
    scores = [0] * size
    if won:
        for seat in farmers:
            limit = limits[seat]
            scores[seat] = -unit if limit is None else -min(unit, max(limit, 0))
    else:
        limit = limits[landlord]
        share = unit if limit is None or limit >= unit * len(farmers) else max(limit, 0) // len(farmers)
        for seat in farmers:
            scores[seat] = share
    scores[landlord] = -sum(scores)
    return multiplier, scores


def _left(facts: Facts, unit: int, law: Ruleset) -> list[int]:
    """A farmer left (E-R24, E-R27)."""
    leaver = facts.leaver
    assert leaver is not None
    limit = facts.balances[leaver] if law.balance.enforce == "if_logged" else None
    share = unit if limit is None or limit >= 3 * unit else max(limit, 0) // 3
    scores = [share] * law.deal.players
    scores[facts.landlord], scores[leaver] = 2 * share, -3 * share
    return scores


def _multiplier(told: dict[str, Any], facts: Facts, law: Ruleset) -> int:
    """The product of 9.2; of one kind several bombs add up under ``by_kind`` (ccgc)."""
    score, landlord = law.score, facts.landlord
    made = Counter(seat for seat, _ in facts.plays)
    bombs = [score.bomb_factor.get(str(shape.size), 1) for _, shape in facts.plays if shape.name == "bomb"]
    total = 1
    if score.combine == "by_kind":
        total += sum(factor - 1 for factor in bombs)
    else:
        for factor in bombs:
            total *= factor
    total *= score.rocket_factor ** sum(shape.name == "rocket" for _, shape in facts.plays)
    if facts.winner == landlord and set(made) == {landlord}:
        total *= score.spring_factor
    if facts.winner not in (None, landlord) and made[landlord] == 1:
        total *= score.anti_spring_factor
    if law.void.mode == "flag" and told.get("voids", 0):
        total *= law.void.factor
    if told.get("marker") in ("B", "R"):
        total *= score.marker_factor
    if law.open.enabled and told.get("open"):
        total *= law.open.factor
    farmer_left = facts.leaver not in (None, landlord)
    if not (farmer_left and law.escape.farmer_multipliers == "as_written"):
        total *= law.rob.factor**facts.robs
    return total


def points(facts: Facts, size: int) -> list[int]:
    """Thousandths of a Botzone point (BV-R3)."""
    earned, landlord = [0] * size, facts.landlord
    for seat, shape in facts.plays:
        earned[seat] += 10 * _worth(shape)
    farmers = [seat for seat in range(size) if seat != landlord]
    won = facts.winner == landlord
    mean = sum(earned[seat] for seat in farmers) // len(farmers)
    scores = [mean + (0 if won else 2000)] * size
    scores[landlord] = earned[landlord] + (2000 if won else 0)
    return scores


def _worth(shape: Shape) -> int:
    if shape.name.startswith("quad"):
        return 8 if shape.length == 1 else 10 if shape.length == 2 else 20
    return POINTS[shape.name]
