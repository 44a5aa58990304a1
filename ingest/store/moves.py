"""The moves of audited hands as columns: who said or played what, whether it led, whose play it answered.

Knows how a move is told in columns. Refuses to judge it.
"""

from collections.abc import Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import pyarrow as pa

from ingest.hand import Story
from ingest.record import PASS, Call, Move, read_clock
from ingest.rules.answers import Standing
from ingest.store.columns import from_lists
from ingest.store.replays import UNJUDGED, Replay
from ingest.store.schema import MOVES

Columns = dict[str, Any]
"""Values by column: a sequence, or an array."""

_seat_of, _text_of, _cards_of, _word_of = map(attrgetter, ("seat", "text", "cards", "word"))


class Moves:
    """The moves of hands, gathered until they are taken as Arrow columns."""

    def __init__(self) -> None:
        self._start_anew()

    def _start_anew(self) -> None:
        self._runs: dict[str, list[tuple[int, int]]] = {"auction": [], "play": []}
        self._clocks: dict[str, list[int | None]] = {"auction": [], "play": []}
        self._calls: list[Call] = []
        self._moves: list[Move] = []
        self._stands: list[Standing | None] = []
        self._owners: list[int | None] = []

    def add(self, number: int, story: Story, replay: Replay) -> None:
        """Add the auction and the plays of one hand."""
        if replay.calls:
            self._place("auction", number, replay.calls, story.record.auction or "")
            self._calls += replay.calls
        if story.moves:
            self._place("play", number, story.moves, story.record.plays)
            self._moves += story.moves
            self._stands += replay.stands
            self._owners += replay.owners

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
            "lead": [None if s is UNJUDGED else owner is None for s, owner in zip(stands, owners, strict=True)],
            "answered": owners,
        }
        return from_lists(MOVES, self._places("play", self._moves) | played | _said(stands))


def _said(stands: Sequence[Standing | None]) -> Columns:
    """reading, length, rank and bomb of plays; there are few different ones, so each is looked at once."""
    codes: dict[Standing | None, int] = {}
    plays = pa.array([codes.setdefault(stand, len(codes)) for stand in stands], pa.int32())
    first = [stand.readings[0] if stand is not None and stand.readings else None for stand in codes]
    different: Columns = {
        "reading": [None if reading is None else reading.name for reading in first],
        "length": [None if reading is None else reading.length for reading in first],
        "rank": [None if reading is None else reading.rank for reading in first],
        "bomb": [None if stand is UNJUDGED else stand is not None and stand.tier > 0 for stand in codes],
    }
    return {name: pa.array(values, MOVES.schema.field(name).type).take(plays) for name, values in different.items()}
