"""What an audit found out about the moves of a hand, told alike for every game.

Knows the hands of ``audit`` and ``audit_tricks``. Judges nothing itself.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ingest.audit import Hand
from ingest.audit_tricks import TrickHand
from ingest.hand import Story
from ingest.record import Call, Move
from ingest.rules.answers import Standing
from ingest.rules.tricks import TrickPlay

UNJUDGED = Standing()
"""In place of what a move stands for that the audit did not come to."""
UNREAD = Standing()
"""In place of what a play stands for in a game whose plays stand for nothing by themselves."""


class Replay(Struct):
    """The auction and the plays of a hand; what is about a move has one value for each."""

    calls: Sequence[Call] = ()
    first: int | None = None
    """The seat with which the auction begins."""
    robs: int | None = None
    spring: bool | None = None
    anti_spring: bool | None = None
    stands: Sequence[Standing | None] = ()
    """What each play stands for; None for a pass."""
    owners: Sequence[int | None] = ()
    """The seat whose play was to be beaten; None for a lead."""
    left: Sequence[int] | None = None
    """Cards left at each seat; None where no play was judged."""


def replay_of(story: Story) -> Replay:
    """What is told of a hand of any game."""
    if isinstance(story, Hand):
        return _climbed(story)
    return _tricks(story) if isinstance(story, TrickHand) else Replay()


def _climbed(hand: Hand) -> Replay:
    replay = Replay()
    if hand.bidding is not None:
        replay.calls, replay.first = hand.bidding.calls, hand.bidding.first
        replay.robs = None if hand.landlord is None else hand.bidding.robs
    if hand.facts is not None:
        replay.spring, replay.anti_spring = hand.facts.spring, hand.facts.anti_spring
    played = hand.played
    stands = [] if played is None else played.stands
    unjudged = len(hand.moves) - len(stands)
    owners = _owners(hand.moves, stands, hand.rules.trick.close_passes)
    replay.left = None if played is None else played.left
    replay.stands = [*stands, *[UNJUDGED] * unjudged] if unjudged else stands
    replay.owners = [*owners, *[None] * unjudged] if unjudged else owners
    return replay


def _owners(moves: Iterable[Move], stands: Iterable[Standing | None], close: int) -> list[int | None]:
    """For each judged move the seat whose play was to be beaten, None where the seat led (U-R11)."""
    owner: int | None = None
    passes = 0
    found: list[int | None] = []
    for move, stand in zip(moves, stands, strict=False):
        found.append(owner)
        if stand is not None:
            owner, passes = move.seat, 0
        elif owner is not None:
            passes += 1
            if passes == close:
                owner = None
    return found


def _tricks(hand: TrickHand) -> Replay:
    size = len(hand.moves)
    replay = Replay(hand.calls, hand.first, stands=[UNJUDGED] * size, owners=[None] * size)
    if hand.play is not None:
        replay.left = hand.play.left
        replay.stands, replay.owners = _by_trick(hand.play, size)
    return replay


def _by_trick(play: TrickPlay, size: int) -> tuple[list[Standing | None], list[int | None]]:
    """Who led a trick and who followed whom (F-R21)."""
    stands: list[Standing | None] = [UNJUDGED] * size
    owners: list[int | None] = [None] * size
    for trick in play.tricks:
        for place, move in enumerate(trick.moves):
            stands[move.index] = UNREAD
            owners[move.index] = trick.moves[0].seat if place else None
    return stands, owners
