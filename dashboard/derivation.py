"""How a score came about: the terms whose product is the unit, and what every seat got beside what the log claims.

Reads what the audit found out. Computes no score and knows no rule.
"""

from math import prod

from msgspec import Struct

from ingest.hand import Story, Term, terms_of_unit
from ingest.record import escapee
from ingest.verdict import Verdict


class Derivation(Struct, frozen=True):
    """base × bid × each factor = unit."""

    terms: list[Term]
    product: int
    unit: int
    """Less than the product where the rules cap the multiplier or pay by other points."""


class Payment(Struct, frozen=True):
    """What somebody owes, who has less."""

    seat: int
    due: int
    has: int
    paid: int
    clause: str


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


def short(verdict: Verdict, hand: Story) -> list[Payment]:
    """Who could not pay what he owes."""
    full = hand.in_full()
    if full is None or verdict.scores is None:
        return []
    return [
        Payment(seat, -due, max(player.balance or 0, 0), -score, _short_clause(seat, verdict, hand))
        for seat, (due, score, player) in enumerate(zip(full, verdict.scores, hand.record.players, strict=True))
        if due < score <= 0
    ]


def _short_clause(seat: int, verdict: Verdict, hand: Story) -> str:
    if seat == hand.landlord:
        return "E-R26"
    return "E-R27" if verdict.outcome == "escape" else "E-R25"


def left(verdict: Verdict, hand: Story) -> tuple[int, dict[int, int], str] | None:
    """Who left before the end, what he owes to whom, and by which clause; None where nobody did."""
    seat, full = escapee(hand.record), hand.in_full()
    if verdict.outcome != "escape" or seat is None or full is None:
        return None
    clause = "E-Q16" if hand.landlord is None else "E-R23" if seat == hand.landlord else "E-R24"
    return seat, {other: due for other, due in enumerate(full) if other != seat}, clause


def seat_scores(verdict: Verdict, hand: Story) -> list[SeatScore]:
    """Recomputed and claimed scores, seat by seat."""
    claimed = hand.record.claim.scores if hand.record.claim else None
    lists = (verdict.scores, claimed, verdict.balances)
    return [
        SeatScore(seat, *(None if values is None or seat >= len(values) else values[seat] for values in lists))
        for seat in range(len(hand.record.players))
    ]
