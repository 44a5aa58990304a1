"""Spoilers of the claim: the wrong winners, factors, scores, balances (S601 … S605)."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from ingest.hand import Story
from ingest.record import Claim, Record
from ingest.simulate.claims import full_claim


def wrong_winners(hand: Story, rng: Random) -> Record:
    """S601: the other side is said to have won, or one of the winners is left out (U-R13)."""
    claim = full_claim(hand)
    won = claim.winners or []
    others = [seat for seat in range(hand.rules.deal.players) if seat not in won]
    return _with(hand, replace(claim, winners=won[1:] if len(won) > 1 and rng.random() < 0.5 else others))


def wrong_multiplier(hand: Story, rng: Random) -> Record:
    """S602: a doubling too many or too few, or another bid."""
    claim = full_claim(hand)
    multiplier, bid = claim.multiplier or 1, claim.bid or 0
    halved = multiplier // 2 if multiplier > 1 else 2
    changed = rng.choice(({"multiplier": multiplier * 2}, {"multiplier": halved}, {"bid": bid + 1}))
    return _with(hand, replace(claim, **changed))


def wrong_scores(hand: Story, rng: Random) -> Record | None:
    """S603: everything doubled, or two seats exchanged; still summing to what it should."""
    claim = full_claim(hand)
    if not claim.scores or not any(claim.scores):
        return None
    first, *others = claim.scores
    return _with_scores(hand, rng.choice(([2 * score for score in claim.scores], [*others, first])))


def scores_that_sum_to_something(hand: Story, rng: Random) -> Record | None:
    """S604: one seat has more than the others lost."""
    scores = list(full_claim(hand).scores or ())
    if not scores:
        return None
    scores[rng.randrange(len(scores))] += hand.record.base
    return _with_scores(hand, scores)


def wrong_balances(hand: Story, rng: Random) -> Record | None:
    """S605: a balance after the hand is not the one before and the score together."""
    claim = full_claim(hand)
    known = [seat for seat, balance in enumerate(claim.balances or ()) if balance is not None]
    if not claim.balances or not known:
        return None
    off, changed = rng.choice(known), list(claim.balances)
    changed[off] = (changed[off] or 0) + rng.choice((-1, 1, 10)) * hand.record.base
    return _with(hand, replace(claim, balances=changed))


def _with(hand: Story, claim: Claim) -> Record:
    return replace(hand.record, claim=claim)


def _with_scores(hand: Story, scores: Sequence[int]) -> Record:
    return _with(hand, replace(full_claim(hand), scores=list(scores), balances=None))
