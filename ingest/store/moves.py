"""The moves of audited hands as columns: who said or played what, whether it led, whose play it answered.

Knows the order of tricks, as the audit replayed them. Judges nothing itself.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import pyarrow as pa

from ingest.audit import Hand
from ingest.record import PASS, Call, Move, read_clock
from ingest.rules.answers import Standing
from ingest.rules.climbing import Played
from ingest.store.columns import from_lists
from ingest.store.schema import MOVES

_UNJUDGED = Standing((), ruled=False)
"""In place of what a move stands for that the audit did not come to."""
_REMEMBERED = 1 << 16

Columns = dict[str, Sequence[Any]]

_seat_of, _text_of, _cards_of, _word_of = map(attrgetter, ("seat", "text", "cards", "word"))


class Moves:
    """The moves of hands, gathered until they are taken as Arrow columns."""

    def __init__(self) -> None:
        self._saying = _Saying()
        self._start_anew()

    def _start_anew(self) -> None:
        self._runs: dict[str, list[tuple[int, int]]] = {"auction": [], "play": []}
        self._clocks: dict[str, list[int | None]] = {"auction": [], "play": []}
        self._calls: list[Call] = []
        self._moves: list[Move] = []
        self._stands: list[Standing | None] = []
        self._owners: list[int | None] = []

    def add(self, number: int, hand: Hand) -> None:
        """Add the auction and the plays of one hand."""
        if hand.bidding is not None and hand.bidding.calls:
            self._place("auction", number, hand.bidding.calls, hand.record.auction or "")
            self._calls += hand.bidding.calls
        if hand.moves:
            self._place("play", number, hand.moves, hand.record.plays)
            self._moves += hand.moves
            stands = hand.played.stands if isinstance(hand.played, Played) else []
            unjudged = len(hand.moves) - len(stands)
            self._stands += stands
            self._stands += [_UNJUDGED] * unjudged
            self._owners += answered(hand.moves, stands, hand.rules.trick.close_passes)
            self._owners += [None] * unjudged

    def _place(self, phase: str, number: int, moves: Sequence[Call | Move], text: str) -> None:
        self._runs[phase].append((number, len(moves)))
        self._clocks[phase] += read_clock(text) if "@" in text else [None] * len(moves)

    def take(self) -> pa.RecordBatch:
        """What has been gathered, as Arrow columns: the auctions, then the plays."""
        taken = pa.concat_batches([self._auctions(), self._plays()])
        self._start_anew()
        return taken

    def _places(self, phase: str, moves: Sequence[Call | Move]) -> Columns:
        runs = self._runs[phase]
        return {
            "hand": list(chain.from_iterable(repeat(number, count) for number, count in runs)),
            "phase": [phase] * len(moves),
            "index": list(chain.from_iterable(range(count) for _, count in runs)),
            "seat": list(map(_seat_of, moves)),
            "ms": self._clocks[phase],
        }

    def _auctions(self) -> pa.RecordBatch:
        words = list(map(_word_of, self._calls))
        said: Columns = {"word": words, "pass": [word == PASS for word in words]}
        return from_lists(MOVES, self._places("auction", self._calls) | said)

    def _plays(self) -> pa.RecordBatch:
        stands, owners = self._stands, self._owners
        texts, cards = map(_text_of, self._moves), list(map(_cards_of, self._moves))
        played: Columns = {
            "cards": [text if text != PASS else None for text in texts],
            "pass": [each is None for each in cards],
            "size": [None if each is None else each.size for each in cards],
            "lead": [None if s is _UNJUDGED else owner is None for s, owner in zip(stands, owners, strict=True)],
            "answered": owners,
        }
        said = list(zip(*map(self._saying.__getitem__, stands), strict=True)) or [()] * 4
        readings: Columns = dict(zip(("reading", "length", "rank", "bomb"), said, strict=True))
        return from_lists(MOVES, self._places("play", self._moves) | played | readings)


class _Saying(dict[Standing | None, tuple[Any, ...]]):
    """What is said of a standing play: reading, length, rank, whether it is a bomb."""

    def __missing__(self, stands: Standing | None) -> tuple[Any, ...]:
        if stands is None:
            return None, None, None, False
        if stands is _UNJUDGED:
            return None, None, None, None
        if len(self) >= _REMEMBERED:
            self.clear()
        first = stands.readings[0] if stands.readings else None
        named = (None, None, None) if first is None else (first.name, first.length, first.rank)
        self[stands] = said = (*named, stands.tier > 0)
        return said


def answered(moves: Iterable[Move], stands: Iterable[Standing | None], close: int) -> list[int | None]:
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
