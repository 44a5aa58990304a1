"""Spoilers of the auction: somebody speaks out of turn, too low, too late, or not at all (A301 … A309)."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from ingest.audit import Hand
from ingest.hand import Story
from ingest.record import CALL, PASS, ROB, Claim, Record
from ingest.simulate.claims import full_claim
from ingest.simulate.spoilers.tokens import Token, after, text_of, tokens, with_seat, with_what


def out_of_turn(hand: Story, rng: Random) -> Record | None:
    """A301: another seat speaks."""
    moves, players = tokens(hand.record.auction), hand.rules.deal.players
    if not moves:
        return None
    index = rng.randrange(len(moves))
    return _with(hand, with_seat(moves, index, (moves[index].seat + rng.randrange(1, players)) % players))


def impossible_word(hand: Story, rng: Random) -> Record | None:
    """A302: a word that this auction, or this moment, does not have."""
    moves = tokens(hand.record.auction)
    if not moves:
        return None
    return _with(hand, with_what(moves, rng.randrange(len(moves)), rng.choice((CALL, ROB, "1", "9", "0"))))


def bid_too_low(hand: Hand, rng: Random) -> Record | None:
    """A303: what was a pass, or a higher bid, says an earlier bid again, or less."""
    moves = tokens(hand.record.auction)
    bids = [index for index, move in enumerate(moves) if move.what.isdigit()]
    if not bids or bids[0] == len(moves) - 1:
        return None
    index = rng.randrange(bids[0] + 1, len(moves))
    lower = [str(value) for value in hand.rules.auction.values if value <= int(moves[bids[0]].what)]
    return _with(hand, with_what(moves, index, rng.choice(lower)))


def after_the_end(hand: Hand, rng: Random) -> Record:
    """A304: one more word."""
    moves, players = tokens(hand.record.auction), hand.rules.deal.players
    seat = (moves[-1].seat + 1) % players if moves else rng.randrange(players)
    return _with(hand, after(moves, seat, rng.choice((PASS, PASS, CALL, ROB, *map(str, hand.rules.auction.values)))))


def not_finished(hand: Story, rng: Random) -> Record | None:
    """A305: the last words are missing."""
    moves = tokens(hand.record.auction)
    return _with(hand, moves[: rng.randrange(len(moves))]) if moves else None


def wrong_landlord(hand: Story, rng: Random) -> Record | None:
    """A306: the claim names another landlord."""
    if hand.landlord is None:
        return None
    others = [seat for seat in range(hand.rules.deal.players) if seat != hand.landlord]
    claim: Claim = hand.record.claim or full_claim(hand)
    return replace(hand.record, claim=replace(claim, landlord=rng.choice(others)))


def void_or_not(hand: Story, rng: Random) -> Record:
    """A309: a hand that was played is said to be void, or a void one is not said to be."""
    if hand.outcome == "void":
        return replace(hand.record, end=None)
    return replace(hand.record, end="void", plays=rng.choice(("", hand.record.plays)))


def _with(hand: Story, moves: Sequence[Token]) -> Record:
    return replace(hand.record, auction=text_of(moves) or None)
