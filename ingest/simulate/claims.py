"""Claims: what a record says of its own result, taken from the audit."""

from ingest.audit import Hand
from ingest.hand import verdict_of
from ingest.record import Claim


def full_claim(hand: Hand) -> Claim:
    """Everything that a truthful source could claim of an audited hand."""
    verdict = verdict_of(hand, "", 0)
    return Claim(
        landlord=verdict.landlord,
        winners=verdict.winners,
        multiplier=verdict.multiplier,
        bid=verdict.bid,
        scores=verdict.scores,
        balances=verdict.balances,
    )
