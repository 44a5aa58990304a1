"""What a hand is worth: named factors, their product, payoffs, escapes, short balances (rules.md 9.2).

Knows sums, in whole numbers only. How the facts came about is the business of the phases before.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ingest.record import LARGEST
from ingest.rules.parameters import Score
from ingest.rules.ruleset import Ruleset

_PAID = ("each_opponent", "split")
"""The payouts by which one side pays the other."""


class Factor(Struct, frozen=True, gc=False, omit_defaults=True):
    """One factor of the multiplier; ``count`` where it counts something."""

    name: str
    factor: int
    count: int | None = None


Size = Annotated[int, Meta(ge=1, le=40)]
Count = Annotated[int, Meta(ge=0, le=1000)]


class Facts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a hand that its score depends on (record.md 7, `settle`)."""

    base: Annotated[int, Meta(ge=1, le=LARGEST)] = 1
    bid: Annotated[int, Meta(ge=0, le=1000)] = 1
    voids: Count = 0
    marker: str | None = None
    open: bool = False
    robs: Count = 0
    bombs: list[Size] = []
    rockets: Count = 0
    spring: bool = False
    anti_spring: bool = False
    landlord: Annotated[int, Meta(ge=0)] = 0
    winner: Literal["landlord", "farmers"] | None = None
    escape: Annotated[int, Meta(ge=0)] | None = None
    balances: list[int | None] | None = None


class Settlement(Struct, frozen=True):
    """What the rules say a hand is worth."""

    factors: list[Factor]
    multiplier: int
    unit: int
    scores: list[int] | None


def settle(facts: Facts, rules: Ruleset, points: Sequence[int] | None = None) -> Settlement:
    """Settle a hand that has a defined end. ``points``: pattern points per seat, for the payout of that name."""
    factors = factors_of(facts, rules)
    multiplier = multiplier_of(factors, rules.score)
    if rules.score.payout == "win_loss":
        return Settlement(factors, multiplier, 1, _win_loss(facts, rules))
    if rules.score.payout == "pattern_points":
        scores = None if points is None else _pattern_points(facts, rules, points)
        return Settlement(factors, multiplier, 1, scores)
    unit = stake_of(facts.base, facts.bid, rules) * multiplier
    return Settlement(factors, multiplier, unit, _pay(unit, facts, rules))


def base_of(record: int, rules: Ruleset) -> int:
    """What a point is worth: the record's 底分, or the ruleset's own; 1 where only wins or patterns are counted."""
    if rules.score.payout not in _PAID:
        return 1
    return record if rules.score.base == "record" else rules.score.base


def due(base: int, bid: int, factors: Sequence[Factor], rules: Ruleset) -> int | None:
    """What each farmer would pay or get of a hand that was won if nothing were capped and everybody had enough (11).

    None where one side does not pay the other.
    """
    if rules.score.payout not in _PAID:
        return None
    return _share(stake_of(base, bid, rules) * _product(factors, rules.score), rules)


def stake_of(base: int, bid: int, rules: Ruleset) -> int:
    """Base × bid, as far as a ruleset counts them."""
    return base_of(base, rules) * (bid if rules.score.bid_factor == "bid" else 1)


def void_settlement(players: int) -> Settlement:
    """A void hand is worth nothing (U-R17)."""
    return Settlement([], 1, 0, [0] * players)


def fixed_escape(seat: int, base: int, rules: Ruleset) -> Settlement:
    """Who leaves before there is a landlord pays the base to each other player (E-Q16, the switch's other value)."""
    scores = [base] * rules.deal.players
    scores[seat] = -base * (rules.deal.players - 1)
    return Settlement([], 1, base, scores)


def cannot_settle(facts: Facts, rules: Ruleset) -> str | None:
    """Why a ruleset's score cannot be computed from a record, or None (S607)."""
    if rules.score.redouble:
        return "redouble"
    if rules.balance.enforce == "always" and None in (facts.balances or [None]):
        return "balances"
    return None


def factors_of(facts: Facts, rules: Ruleset) -> list[Factor]:
    """Every factor that is not 1, in the order in which the rules list them (rules.md 9.2)."""
    score = rules.score
    farmer_escapes = facts.escape is not None and facts.escape != facts.landlord
    with_robs = not (farmer_escapes and rules.escape.farmer_multipliers == "as_written")
    factors = _bombs(facts.bombs, score) if facts.bombs and score.bomb_factor else []
    if facts.rockets and score.rocket_factor != 1:
        factors.append(_times("rocket", [score.rocket_factor] * facts.rockets, score))
    if facts.spring and score.spring_factor != 1:
        factors.append(Factor("spring", score.spring_factor))
    if facts.anti_spring and score.anti_spring_factor != 1:
        factors.append(Factor("anti_spring", score.anti_spring_factor))
    if (void := _void_factor(facts.voids, rules)) != 1:
        factors.append(Factor("void", void))
    if facts.marker in ("B", "R") and score.marker_factor != 1:
        factors.append(Factor("marker", score.marker_factor))
    if facts.open and rules.open.enabled and rules.open.factor != 1:
        factors.append(Factor("open", rules.open.factor))
    if with_robs and (rob := _rob_factor(facts.robs, rules)) != 1:
        factors.append(Factor("rob", rob, facts.robs))
    return factors


def _bombs(sizes: Sequence[int], score: Score) -> list[Factor]:
    """One factor for all bombs that double (A-R16, D-R9)."""
    worth = [score.bomb_factor[str(size)] for size in sizes if score.bomb_factor.get(str(size), 1) != 1]
    return [_times("bomb", worth, score)] if worth else []


def _times(name: str, each: Sequence[int], score: Score) -> Factor:
    """Several doublings of one kind as one factor; they multiply, or add up where the ruleset says so (G-Q7)."""
    together = {"product": prod(each), "sum": sum(each), "by_kind": 1 + sum(factor - 1 for factor in each)}
    return Factor(name, together[score.combine], len(each))


def _void_factor(voids: int, rules: Ruleset) -> int:
    """荒番 (E-R12, E-Q2): once, or for every void hand before."""
    mode, cap = rules.void.mode, rules.void.cap
    if mode == "none" or voids == 0:
        return 1
    times = voids if mode == "compound" else 1
    factor: int = rules.void.factor ** (times if cap == "none" else min(times, cap))
    return factor


def _rob_factor(robs: int, rules: Ruleset) -> int:
    """抢地主 (E-R16, E-Q1, G-Q4)."""
    if not robs or not rules.rob.enabled or rules.rob.factor == 1:
        return 1
    factors: dict[str, int] = {"power": rules.rob.factor**robs, "linear": rules.rob.factor * robs}
    return factors.get(rules.rob.mode, rules.rob.factor)


def multiplier_of(factors: Sequence[Factor], score: Score) -> int:
    """All factors together, capped where the ruleset caps them."""
    return _capped(_product(factors, score), score)


def _product(factors: Sequence[Factor], score: Score) -> int:
    each = [factor.factor for factor in factors]
    return max(sum(each), 1) if score.combine == "sum" else prod(each)


def _capped(product: int, score: Score) -> int:
    return product if score.cap == "none" else min(product, score.cap)


def _pay(unit: int, facts: Facts, rules: Ruleset) -> list[int]:
    if facts.escape is not None:
        return _pay_escape(unit, facts, rules)
    sign = 1 if facts.winner == "landlord" else -1
    dues = [_share(unit, rules)] * rules.deal.players
    dues[facts.landlord] = 0
    balances = _enforced(facts, rules)
    if balances is not None:
        dues = _what_losers_have(dues, facts, balances)
    scores = [-sign * due for due in dues]
    scores[facts.landlord] = sign * sum(dues)
    return scores


def _share(unit: int, rules: Ruleset) -> int:
    """What is one farmer's of what is to be paid."""
    return unit if rules.score.payout == "each_opponent" else unit // (rules.deal.players - 1)


def _enforced(facts: Facts, rules: Ruleset) -> list[int | None] | None:
    return facts.balances if rules.balance.enforce != "never" else None


def _what_losers_have(dues: list[int], facts: Facts, balances: Sequence[int | None]) -> list[int]:
    """E-R25: a losing farmer pays what he has. E-R26: a losing landlord pays equal shares, the rest stays his."""
    if facts.winner == "landlord":
        return [due if has is None else max(min(due, has), 0) for due, has in zip(dues, balances, strict=True)]
    has = balances[facts.landlord]
    if has is None or has >= sum(dues):
        return dues
    share = max(has, 0) // (len(dues) - 1)
    return [share if due else 0 for due in dues]


def _pay_escape(unit: int, facts: Facts, rules: Ruleset) -> list[int]:
    """Who leaves pays everybody (E-R23, E-R24), in equal shares of what he has if that is less (E-R26, E-R27)."""
    assert facts.escape is not None
    to_landlord, to_farmer = (0, 1) if facts.escape == facts.landlord else map(int, rules.escape.split.split(":"))
    parts = [0 if seat == facts.escape else to_farmer for seat in range(rules.deal.players)]
    if facts.escape != facts.landlord:
        parts[facts.landlord] = to_landlord
    balances = _enforced(facts, rules)
    has = None if balances is None else balances[facts.escape]
    share = unit if has is None or has >= unit * sum(parts) else max(has, 0) // sum(parts)
    scores = [share * part for part in parts]
    scores[facts.escape] = -share * sum(parts)
    return scores


def _win_loss(facts: Facts, rules: Ruleset) -> list[int]:
    """RL-R2: every seat of the winning side 1, every other 0."""
    won = facts.winner == "landlord"
    return [int((seat == facts.landlord) == won) for seat in range(rules.deal.players)]


def _pattern_points(facts: Facts, rules: Ruleset, points: Sequence[int]) -> list[int]:
    """BV-R3, in thousandths: 2 for the winning side, its pattern points / 100, the farmers' points shared."""
    farmers = [seat for seat in range(rules.deal.players) if seat != facts.landlord]
    side = {"landlord": 2000 if facts.winner == "landlord" else 0, "farmers": 2000 if facts.winner == "farmers" else 0}
    scores = [side["farmers"] + 10 * sum(points[seat] for seat in farmers) // len(farmers)] * rules.deal.players
    scores[facts.landlord] = side["landlord"] + 10 * points[facts.landlord]
    return scores


PATTERN_POINTS = {
    "solo": 1, "pair": 2, "trio": 4, "trio1": 4, "trio2": 4, "solo_chain": 6, "pair_chain": 6, "quad_solos": 8,
    "quad_pairs": 8, "trio_chain": 8, "plane1": 8, "plane2": 8, "bomb": 10, "quad_chain": 10, "rocket": 16,
}  # fmt: skip
"""What Botzone's first judge gives for a play (BV-R3); shuttles of three quads or more are worth 20."""


def pattern_points(name: str, length: int) -> int:
    """The points of one play (BV-R3)."""
    shuttle = name.startswith("quad") and length >= 2
    return (10 if length == 2 else 20) if shuttle else PATTERN_POINTS[name]


class OtherReading(Struct, frozen=True):
    """A decision on an open point, and what the other reading would give (U-R15)."""

    clause: str
    switch: str
    value: str
    scores: list[int]


def other_readings(facts: Facts, rules: Ruleset, settled: Settlement) -> list[OtherReading]:
    """The open points of a ruleset that would change the scores of this very hand (S608)."""
    found = []
    for clause in rules.notes.other_readings:
        if not _TOUCHES[clause](facts):
            continue
        switch, value = SWITCHES[clause]
        other = settle(facts, _switched(rules, switch, value), None)
        if other.scores != settled.scores and other.scores is not None:
            found.append(OtherReading(clause, switch, str(value), other.scores))
    return found


def settlements(facts: Facts, rules: Ruleset) -> list[Settlement]:
    """What a hand is worth, and what it would be worth by the other readings of the open points (U-R15)."""
    switches = (SWITCHES[clause] for clause in rules.notes.other_readings)
    return [settle(facts, rules), *(settle(facts, _switched(rules, *switch)) for switch in switches)]


SWITCHES: dict[str, tuple[str, int | str]] = {
    "E-Q2": ("void.mode", "compound"),
    "E-Q4": ("escape.farmer_multipliers", "same_as_normal"),
    "G-Q4": ("rob.factor", 2),
    "G-Q5": ("score.rocket_factor", 1),
}
"""For each open point of U-R15 the switch and its other value."""

_TOUCHES: dict[str, Callable[[Facts], bool]] = {
    "E-Q2": lambda facts: facts.voids > 1,
    "E-Q4": lambda facts: facts.robs > 0 and facts.escape not in (None, facts.landlord),
    "G-Q4": lambda facts: facts.robs > 0,
    "G-Q5": lambda facts: facts.rockets > 0,
}


def _switched(rules: Ruleset, switch: str, value: int | str) -> Ruleset:
    table, _, key = switch.partition(".")
    changed = msgspec.structs.replace(getattr(rules, table), **{key: value})
    return msgspec.structs.replace(rules, **{table: changed})
