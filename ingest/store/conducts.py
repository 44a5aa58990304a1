"""What seats were dealt, could do and did, as the columns of ``seats`` and ``moves`` that statistics add up.

Knows which of them a hand can tell: whether its cards are known, its plays were judged, its clocks run forward.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ingest.audit import Hand
from ingest.cards import rank_text
from ingest.conduct import Counts, Shed, Spoken, Strength, Turn, bombs_in, counted, spoken, strength, turns
from ingest.hand import Story
from ingest.record import PASS, Call, Move, read_clock
from ingest.rules.deal import read_field
from ingest.store.replays import Replay

Columns = list[Sequence[Any]]
"""One sequence a column, one value a seat."""

DEALT = 7
COUNTED = len(Counts.__struct_fields__)
SPOKEN = len(Spoken.__struct_fields__)


class Possible(Struct):
    """What was possible at each judged move of a hand, as far as it is known."""

    could: Sequence[bool | None] = ()
    softly: Sequence[bool | None] = ()
    cheapest: Sequence[str | None] = ()
    left: Sequence[str] = ()
    free: Sequence[bool | None] = ()
    """Whether the seat had a choice: it led, or could answer."""


class Turned(Struct):
    """What is told of the turns of one hand."""

    possible: Possible
    dealt: Columns
    """dealt_jokers … bombs_unplayed, went_out."""
    counts: Columns
    """Those of ``ingest.conduct.Counts``."""


class Conduct(Struct):
    """What is told of one hand beyond what was found wrong with it."""

    possible: Possible
    seats: Columns
    """From ``called_before`` to ``thinking``."""
    took: tuple[list[int | None], list[int | None]]
    """Milliseconds of each action of the auction, and of each play."""


def conduct_of(story: Story, replay: Replay, shed: Shed, told: Turned | None = None) -> Conduct:
    """What the players of a hand did. ``told``: what is known of its turns already."""
    size = len(story.record.players)
    if told is None:
        told = _turned(story, size, shed)
    took = _took(story)
    columns = [
        [called_before(replay.calls, seat) for seat in range(size)],
        *spoken_columns(story),
        *told.dealt,
        *told.counts,
        *_thinking(story, replay, took, size),
    ]
    return Conduct(told.possible, columns, took)


def _turned(story: Story, size: int, shed: Shed) -> Turned:
    told = turns(story) if isinstance(story, Hand) else []
    return Turned(_possible(told), _dealt(story, told, size, shed), _counted(story, told, size))


def _possible(told: Sequence[Turn]) -> Possible:
    return Possible(
        could=[None if turn.could is None else turn.could > 0 for turn in told],
        softly=[turn.could_softly for turn in told],
        cheapest=[rank_text(turn.could) if turn.could else None for turn in told],
        left=[" ".join(map(str, turn.left)) for turn in told],
        free=[turn.could != 0 if turn.standing is None or turn.could is not None else None for turn in told],
    )


def called_before(calls: Sequence[Call], seat: int) -> str | None:
    """What stood when a seat first spoke; bids rise or fall, but each goes beyond the last."""
    standing = PASS
    for call in calls:
        if call.seat == seat:
            return standing
        standing = standing if call.word == PASS else call.word
    return None


def spoken_columns(story: Story) -> Columns:
    """bid_turns … last_robs."""
    rows = [msgspec.structs.astuple(each) for each in spoken(story)]
    return [list(column) for column in zip(*rows, strict=True)] if rows else [()] * SPOKEN


def _dealt(story: Story, told: Sequence[Turn], size: int, shed: Shed) -> Columns:
    """dealt_jokers … bombs_unplayed, went_out; what was dealt also of hands that were not played, void ones too."""
    if not isinstance(story, Hand) or story.bidding is None:
        return [[None] * size] * (DEALT + 3)
    unknown: list[int | None] = [None] * size
    first, last = (told[0].held, _at_the_end(told)) if told else (unknown, unknown)
    rows = [_dealt_row(story, seat, first[seat], last[seat], shed) for seat in range(size)]
    return [list(column) for column in zip(*rows, strict=True)]


def _at_the_end(told: Sequence[Turn]) -> list[int | None]:
    held = list(told[-1].held)
    own, counts = held[told[-1].seat], told[-1].counts
    if own is not None and counts is not None:
        held[told[-1].seat] = own - counts
    return held


def _dealt_row(hand: Hand, seat: int, held: int | None, left: int | None, shed: Shed) -> tuple[int | bool | None, ...]:
    """One seat's cards before the bottom, with it, and at the end."""
    went_out = None if hand.played is None else hand.played.winner == seat
    dealt = _before_the_bottom(hand, seat, shed)
    own = (None,) * (DEALT - 1) if dealt is None else _of(dealt)
    if held is None or left is None:
        return (*own, None, None, None, went_out)
    is_landlord = seat == hand.landlord and dealt is not None
    taken = strength(held, hand.rules, shed).points - dealt.points if dealt is not None and is_landlord else None
    return (*own, taken, bombs_in(held, hand.rules), bombs_in(left, hand.rules), went_out)


def _of(dealt: Strength) -> tuple[int | bool, ...]:
    return dealt.jokers, dealt.twos, dealt.bombs, dealt.rocket, dealt.plays, dealt.points


def _before_the_bottom(hand: Hand, seat: int, shed: Shed) -> Strength | None:
    hands = hand.record.hands
    cards = None if hands is None else read_field("hands", hands[seat])
    return None if cards is None else strength(cards.counts, hand.rules, shed)


def _counted(story: Story, told: Sequence[Turn], size: int) -> Columns:
    if not isinstance(story, Hand) or not told:
        return [[None] * size] * COUNTED
    each = [msgspec.structs.astuple(counts) for counts in counted(told, story)]
    return [list(column) for column in zip(*each, strict=True)]


def _took(story: Story) -> tuple[list[int | None], list[int | None]]:
    """How long each move took: since the one before, where both times are known and run forward."""
    auction, plays = story.record.auction or "", story.record.plays
    if "@" not in auction and "@" not in plays:
        return [None] * len(auction.split()), [None] * len(plays.split())
    before: int | None = 0
    spans: list[list[int | None]] = []
    for text in (auction, plays):
        span: list[int | None] = []
        for now in read_clock(text):
            span.append(now - before if now is not None and before is not None and now >= before else None)
            before = now
        spans.append(span)
    return spans[0], spans[1]


def _thinking(story: Story, replay: Replay, took: tuple[list[int | None], list[int | None]], size: int) -> Columns:
    """timed, thinking."""
    timed, thinking = [0] * size, [0] * size
    phases: tuple[Sequence[Call | Move], ...] = (replay.calls, story.moves)
    for moves, spans in zip(phases, took, strict=True):
        for move, span in zip(moves, spans, strict=False):
            if span is not None and move.seat < size:
                timed[move.seat] += 1
                thinking[move.seat] += span
    return [timed, thinking]
