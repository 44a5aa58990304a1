"""How a score came about: the terms whose product is the unit, and what every seat got beside what the log claims.

Reads what the audit found out. Computes no score and knows no rule.
"""

from msgspec import Struct

from ingest.audit import Hand
from ingest.verdict import Verdict


class Term(Struct, frozen=True):
    """One term of the product."""

    name: str
    value: int
    count: int | None = None


class Derivation(Struct, frozen=True):
    """base × bid × each factor = unit."""

    terms: list[Term]
    product: int
    unit: int
    """Less than the product where the rules cap the multiplier or pay by other points."""


class SeatScore(Struct, frozen=True):
    """What one seat got, by the rules and by the log."""

    seat: int
    score: int | None
    claimed: int | None
    balance: int | None


def derivation(verdict: Verdict, hand: Hand) -> Derivation | None:
    """The terms of a verdict's unit; None where there is nothing to pay or the pay is no product."""
    if verdict.unit is None or verdict.outcome == "void" or hand.rules.score.payout in ("win_loss", "pattern_points"):
        return None
    terms = [Term("base", _base(hand)), Term("bid", _bid(verdict, hand))]
    terms += [Term(factor.name, factor.factor, factor.count) for factor in verdict.factors]
    product = 1
    for term in terms:
        product *= term.value
    return Derivation(terms, product, verdict.unit)


def _base(hand: Hand) -> int:
    return hand.record.base if hand.rules.score.base == "record" else hand.rules.score.base


def _bid(verdict: Verdict, hand: Hand) -> int:
    return verdict.bid or 0 if hand.rules.score.bid_factor == "bid" else 1


def seat_scores(verdict: Verdict, hand: Hand) -> list[SeatScore]:
    """Recomputed and claimed scores, seat by seat."""
    claimed = hand.record.claim.scores if hand.record.claim else None
    lists = (verdict.scores, claimed, verdict.balances)
    return [
        SeatScore(seat, *(None if values is None or seat >= len(values) else values[seat] for values in lists))
        for seat in range(len(hand.record.players))
    ]
