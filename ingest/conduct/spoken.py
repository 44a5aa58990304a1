"""What each seat could say in an auction and said, counted action by action for the statistics to add up.

Knows the auctions of ``rules`` only by what they gave. Judges nothing. Numbers in brackets are those of the project's
list of statistics (2.2).
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.audit import Hand
from ingest.audit_tricks import TrickHand
from ingest.hand import Story
from ingest.record import PASS, ROB, Call
from ingest.rules.auction import Bidding
from ingest.rules.ruleset import Ruleset

_WITH_BIDS = ("ascending_open", "ascending_once")


class Spoken(Struct):
    """What one seat could say and said; None where the game has no such word."""

    bid_turns: int | None = None
    """(17) Turns after a bid that may still be gone beyond."""
    overbids: int | None = None
    rob_turns: int | None = None
    """(14) Turns at which to rob was legal."""
    robs: int | None = None
    last_turns: int | None = None
    """(15) Of these, turns of the one who had called, after somebody robbed him."""
    last_robs: int | None = None


def spoken(story: Story) -> list[Spoken]:
    """What each seat of a hand said; nothing where the auction was not judged to its end or there was none."""
    seats = [Spoken() for _ in story.record.players]
    if isinstance(story, TrickHand) and story.auction is not None and not story.auction.stopped:
        _bids(seats, story.calls)
    elif isinstance(story, Hand) and story.bidding is not None and story.bidding.calls and not story.bidding.stopped:
        _climbing(seats, story.bidding, story.rules)
    return seats


def _climbing(seats: list[Spoken], bidding: Bidding, rules: Ruleset) -> None:
    if rules.auction.type in _WITH_BIDS:
        _bids(seats, bidding.calls[: bidding.bids])
    if not rules.rob.enabled or rules.auction.type == "none":
        return
    for seat in seats:
        seat.rob_turns = seat.robs = seat.last_turns = seat.last_robs = 0
    if rules.auction.type == "call_rob_once":
        _once(seats, bidding.calls)
    else:
        _answers(seats, bidding, rules)


def _bids(seats: list[Spoken], calls: Sequence[Call]) -> None:
    """(17) The bidding ends with the best bid, so every action after a bid could go beyond it."""
    for seat in seats:
        seat.bid_turns = seat.overbids = 0
    standing = False
    for call in calls:
        if standing:
            _count(seats, call, "bid_turns", "overbids", said=call.word != PASS)
        standing = standing or call.word != PASS


def _once(seats: list[Spoken], calls: Sequence[Call]) -> None:
    """(14) Each acts once: to call, and after a call to rob (G-R4)."""
    called = False
    for call in calls:
        if called:
            _count(seats, call, "rob_turns", "robs", said=call.word == ROB)
        called = called or call.word != PASS


def _answers(seats: list[Spoken], bidding: Bidding, rules: Ruleset) -> None:
    """(14, 15) Answers after the bidding; who had passed may have lost the right to rob (E-Q5)."""
    called = [call.seat for call in bidding.calls[: bidding.bids] if call.word != PASS]
    for call in bidding.calls[bidding.bids :]:
        if rules.rob.eligibility == "not_passed" and bidding.said.get(call.seat) == PASS:
            continue
        _count(seats, call, "rob_turns", "robs", said=call.word == ROB)
        if called and call.seat == called[-1]:
            _count(seats, call, "last_turns", "last_robs", said=call.word == ROB)


def _count(seats: list[Spoken], call: Call, turns: str, times: str, *, said: bool) -> None:
    if call.seat >= len(seats):  # an action too many (A304), of nobody
        return
    mine = seats[call.seat]
    setattr(mine, turns, getattr(mine, turns) + 1)
    setattr(mine, times, getattr(mine, times) + said)
