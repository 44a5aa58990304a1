"""Spoilers of a falling auction: a bid that is not lower, a word too many, a bid that was owed (A303, A304, A307)."""

from random import Random

from msgspec.structs import replace

from ingest.audit_tricks import TrickHand
from ingest.record import PASS, Record
from ingest.rules.suits import fixed_trump_count
from ingest.simulate.spoilers.tokens import after, text_of, tokens, with_what


def bid_not_lower(hand: TrickHand, rng: Random) -> Record | None:
    """A303: what was a pass, or a lower bid, says the last bid again, or more."""
    moves, limits = tokens(hand.record.auction), hand.rules.bid
    bids = [index for index, move in enumerate(moves) if move.what.isdigit()]
    if not bids or bids[0] == len(moves) - 1:
        return None
    index = rng.randrange(bids[0] + 1, len(moves))
    last = next(int(moves[place].what) for place in reversed(bids) if place < index)
    higher = [str(bid) for bid in range(last, limits.first_max + 1, limits.step)]
    return replace(hand.record, auction=text_of(with_what(moves, index, rng.choice(higher))))


def after_the_end(hand: TrickHand, rng: Random) -> Record:
    """A304: one more word."""
    moves, players = tokens(hand.record.auction), hand.rules.deal.players
    seat = (moves[-1].seat + 1) % players
    return replace(hand.record, auction=text_of(after(moves, seat, rng.choice((PASS, PASS, "50", "5")))))


def owed_bid_missing(hand: TrickHand, rng: Random) -> Record | None:
    """A307: a seat with many fixed trumps passes where it bid, and says no more."""
    moves, forced = tokens(hand.record.auction), hand.rules.forced_bid
    many = [s for s, dealt in enumerate(hand.faces) if fixed_trump_count(dealt or 0, hand.rules) >= forced.count]
    bids = [index for index, move in enumerate(moves) if move.seat in many and not move.passes]
    if not bids or hand.auction is None:
        return None
    index = rng.choice(bids)
    later = [move for move in moves[index + 1 :] if move.seat != moves[index].seat]
    return replace(hand.record, auction=text_of([*with_what(moves[: index + 1], index, PASS), *later]))
