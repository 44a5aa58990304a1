"""Claims: what a record says of its own result, taken from the audit."""

from random import Random
from typing import TypeVar

from msgspec.structs import replace

from ingest.hand import Story, verdict_of
from ingest.record import Claim

AHand = TypeVar("AHand", bound=Story)


def full_claim(hand: Story) -> Claim:
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


def claimed(hand: AHand, rng: Random) -> AHand:
    """The hand with a claim in three of four cases, of which every third says less than everything."""
    if hand.settled is None or rng.random() < 0.25:
        return hand
    claim = full_claim(hand)
    if rng.random() < 1 / 3:
        kept = rng.sample(claim.__struct_fields__, 2)
        claim = Claim(**{name: getattr(claim, name) for name in kept})
    return replace(hand, record=replace(hand.record, claim=claim))
