"""How a score came about: the terms whose product is the unit, and what every seat got beside what the log claims.

Reads what the audit found out. Computes no score and knows no rule.
"""

from math import prod

from msgspec import Struct

from ingest.hand import Story, Term, terms_of_unit
from ingest.verdict import Verdict


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


def derivation(verdict: Verdict, hand: Story) -> Derivation | None:
    """The terms of a verdict's unit; None where there is nothing to pay or the pay is no product."""
    terms = terms_of_unit(hand, verdict)
    if terms is None or verdict.unit is None:
        return None
    return Derivation(terms, prod(term.value for term in terms), verdict.unit)


def seat_scores(verdict: Verdict, hand: Story) -> list[SeatScore]:
    """Recomputed and claimed scores, seat by seat."""
    claimed = hand.record.claim.scores if hand.record.claim else None
    lists = (verdict.scores, claimed, verdict.balances)
    return [
        SeatScore(seat, *(None if values is None or seat >= len(values) else values[seat] for values in lists))
        for seat in range(len(hand.record.players))
    ]
