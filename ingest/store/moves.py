"""The moves of audited hands as columns: who said or played what, whether it led, whose play it answered.

Knows how a move is told in columns. Refuses to judge it. There are few different moves and standing plays in many
hands, so each is looked at once a chunk and then only pointed at.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from ingest.hand import Story
from ingest.record import PASS, Call, Move, read_clock
from ingest.rules.answers import Standing
from ingest.store.columns import from_lists
from ingest.store.conducts import Conduct
from ingest.store.replays import UNJUDGED, Replay
from ingest.store.schema import MOVES

Columns = dict[str, Any]
"""Values by column: a sequence, or an array."""

POSSIBLE = {"could": "could", "could_softly": "softly", "cheapest": "cheapest", "left_before": "left"}
"""Columns of what was possible, and what it is called in ``Possible``."""

_T = TypeVar("_T")
_seat_of = attrgetter("seat")


class Moves:
    """The moves of hands, gathered until they are taken as Arrow columns."""

    def __init__(self) -> None:
        self._calls, self._plays = _Phase("auction"), _Phase("play")
        self._stands: list[Standing | None] = []
        self._owners: list[int | None] = []
        self._possible: dict[str, list[Any]] = {name: [] for name in POSSIBLE}

    def add(self, number: int, story: Story, replay: Replay, conduct: Conduct) -> None:
        """Add the auction and the plays of one hand."""
        if replay.calls:
            self._calls.add(number, replay.calls, story.record.auction or "", conduct.took[0])
        if story.moves:
            self._plays.add(number, story.moves, story.record.plays, conduct.took[1])
            self._stands += replay.stands
            self._owners += replay.owners
            for name, values in self._possible.items():
                told = getattr(conduct.possible, POSSIBLE[name])
                values += told
                values += [None] * (len(story.moves) - len(told))

    def take(self) -> pa.RecordBatch:
        """What has been gathered, as Arrow columns: hand by hand the auction, then the plays."""
        calls, plays = self._calls, self._plays
        said = _of_each(calls.moves, {"word": _word, "pass": lambda call: call.word == PASS})
        played = _of_each(plays.moves, {"cards": _cards, "pass": lambda move: move.cards is None, "size": _size})
        readings = _of_each(self._stands, {"reading": _reading, "length": _length, "rank": _rank, "bomb": _is_bomb})
        owners = pa.array(self._owners, pa.int16())
        # Whether it is a bomb is null exactly where a move was not judged.
        led: Columns = {"answered": owners, "lead": pc.if_else(pc.is_valid(readings["bomb"]), pc.is_null(owners), None)}
        both = pa.concat_batches(
            [
                from_lists(MOVES, calls.places() | said),
                from_lists(MOVES, plays.places() | played | readings | led | self._possible),
            ]
        )
        return both.take(pc.array_sort_indices(both["hand"]))


class _Phase:
    """The moves of one phase of many hands, and where they stand."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.moves: list[Any] = []
        self._hands = array("q")
        self._indexes: list[int] = []
        self._clocks: list[int | None] = []
        self._took: list[int | None] = []

    def add(self, number: int, moves: Sequence[Call | Move], text: str, took: Sequence[int | None]) -> None:
        size = len(moves)
        self.moves += moves
        self._hands.extend(array("q", (number,)) * size)
        self._indexes += range(size)
        self._clocks += read_clock(text) if "@" in text else [None] * size
        self._took += took

    def places(self) -> Columns:
        """hand, phase, index, seat, ms, took."""
        size = len(self.moves)
        return {
            "hand": pa.Array.from_buffers(pa.int64(), size, [None, pa.py_buffer(self._hands)]),
            "phase": pa.repeat(pa.scalar(self._name), size),
            "index": self._indexes,
            "seat": list(map(_seat_of, self.moves)),
            "ms": self._clocks,
            "took": self._took,
        }


def _of_each(values: Iterable[_T], ask: dict[str, Callable[[_T], Any]]) -> dict[str, pa.Array]:
    """What there is to say of each of many values that are often the same object."""
    kept = list(values)
    ids = list(map(id, kept))
    different = dict(zip(ids, kept, strict=True))
    codes = dict(zip(different, range(len(different)), strict=True))
    places = pa.array(list(map(codes.__getitem__, ids)), pa.int32())
    types = {name: MOVES.schema.field(name).type for name in ask}
    return {name: pa.array(map(ask[name], different.values()), types[name]).take(places) for name in ask}


def _word(call: Call) -> str:
    return call.word


def _cards(move: Move) -> str | None:
    return None if move.cards is None else move.text


def _size(move: Move) -> int | None:
    return None if move.cards is None else move.cards.size


def _reading(stand: Standing | None) -> str | None:
    return stand.readings[0].name if stand is not None and stand.readings else None


def _length(stand: Standing | None) -> int | None:
    return stand.readings[0].length if stand is not None and stand.readings else None


def _rank(stand: Standing | None) -> str | None:
    return stand.readings[0].rank if stand is not None and stand.readings else None


def _is_bomb(stand: Standing | None) -> bool | None:
    return None if stand is UNJUDGED else stand is not None and stand.tier > 0
