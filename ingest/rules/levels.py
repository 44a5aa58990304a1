"""What a hand of 三打哈 is worth: levels of winning and losing, a doubled opening, surrender (F-R17 … F-R20, F-R31)."""

from typing import Annotated

from msgspec import Meta, Struct

from ingest.rules.ruleset import TrickRuleset
from ingest.rules.settlement import Factor, Settlement

Seat = Annotated[int, Meta(ge=0)]


class TrickFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a hand of 三打哈 that its score depends on (record.md 7, `settle`)."""

    base: Annotated[int, Meta(ge=1)] = 1
    landlord: Seat = 0
    bid: Annotated[int, Meta(ge=5, le=200)]
    opening: Annotated[int, Meta(ge=5, le=200)] | None = None
    """The first bid that was made; ``bid`` where it is not said."""
    points: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Points of the three, those of the bottom included."""
    surrender: bool = False
    poked_by: Seat | None = None
    """The seat whose 插 forced the landlord, who then surrendered (F-R20)."""


def settle_level(facts: TrickFacts, rules: TrickRuleset) -> Settlement:
    """The level, doubled by a low opening, paid between the landlord and the others."""
    kept, level = landlord_keeps(facts), level_of(facts, rules)
    opening = facts.bid if facts.opening is None else facts.opening
    doubled = _opening_factor(opening, facts.bid, rules)
    factors = [f for f in (Factor("level", level), Factor("opening", doubled)) if f.factor != 1]
    multiplier = level * doubled
    unit = facts.base * multiplier
    return Settlement(factors, multiplier, unit, _pay(unit if kept else -unit, facts, rules))


def landlord_keeps(facts: TrickFacts) -> bool:
    """Whether the landlord wins: the others have fewer points than the bid, and he did not give up (F-R31)."""
    return not facts.surrender and facts.points < facts.bid


def level_of(facts: TrickFacts, rules: TrickRuleset) -> int:
    """下庄 小光 大光, or 过庄 小光 清光 (F-R31, F-R19)."""
    if facts.surrender:
        surrender = rules.surrender
        return surrender.level_high if facts.bid >= surrender.threshold else surrender.level_low
    if landlord_keeps(facts):
        return rules.levels.kept[_kept_grade(facts.points, rules)]
    return rules.levels.lost[_lost_grade(facts.points - facts.bid, rules)]


def _kept_grade(points: int, rules: TrickRuleset) -> int:
    below = rules.xiaoguang_below
    few = points <= below.points if below.inclusive else points < below.points
    return 2 if points == 0 else int(few)


def _lost_grade(above: int, rules: TrickRuleset) -> int:
    limits = rules.thresholds
    reached = [above >= limit if limits.inclusive else above > limit for limit in (limits.xiaoguang, limits.daguang)]
    return sum(reached)


def _opening_factor(opening: int, bid: int, rules: TrickRuleset) -> int:
    """F-R17, F-Q8: an opening of 50 or less doubles the hand, whoever plays it."""
    direct = rules.direct50
    low = opening <= 50 if direct.applies == "opening_le_50" else opening == 50
    return direct.factor if low and (direct.survives_overbid or bid == opening) else 1


def _pay(each: int, facts: TrickFacts, rules: TrickRuleset) -> list[int]:
    """Every other seat pays or gets the unit; after a forced surrender the poker alone gets all shares (F-R20)."""
    players = rules.deal.players
    scores = [-each] * players
    scores[facts.landlord] = each * (players - 1)
    if facts.surrender and facts.poked_by is not None:
        scores = [0] * players
        scores[facts.landlord], scores[facts.poked_by] = each * (players - 1), -each * (players - 1)
    return scores
