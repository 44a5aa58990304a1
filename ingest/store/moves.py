"""The moves of audited hands as columns: who said or played what, whether it led, whose play it answered.

Knows the order of tricks, as the audit replayed them. Judges nothing itself.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from ingest.audit import Hand
from ingest.record import PASS, Call, Move, read_clock
from ingest.rules.answers import Standing
from ingest.rules.climbing import Played
from ingest.store.columns import from_lists
from ingest.store.schema import MOVES


class Moves:
    """The columns of ``moves``, gathered hand by hand."""

    def __init__(self) -> None:
        self._lists: dict[str, list[Any]] = {column.name: [] for column in MOVES.columns}

    def add(self, number: int, hand: Hand) -> None:
        """Add the auction and the plays of one hand."""
        record = hand.record
        if hand.bidding is not None and hand.bidding.calls:
            self._place(number, "auction", hand.bidding.calls, record.auction or "")
            self._calls(hand.bidding.calls)
        if hand.moves:
            self._place(number, "play", hand.moves, record.plays)
            self._plays(hand.moves, _stands(hand), hand.rules.trick.close_passes)

    def take(self) -> pa.RecordBatch:
        """What has been gathered, as Arrow columns."""
        taken = from_lists(MOVES, self._lists)
        for values in self._lists.values():
            values.clear()
        return taken

    def _place(self, number: int, phase: str, moves: Sequence[Call | Move], text: str) -> None:
        count = len(moves)
        lists = self._lists
        lists["hand"] += [number] * count
        lists["phase"] += [phase] * count
        lists["index"] += range(count)
        lists["seat"] += [move.seat for move in moves]
        lists["ms"] += read_clock(text) if "@" in text else [None] * count

    def _calls(self, calls: Sequence[Call]) -> None:
        nothing = [None] * len(calls)
        lists = self._lists
        lists["word"] += [call.word for call in calls]
        lists["pass"] += [call.word == PASS for call in calls]
        for name in ("cards", "reading", "length", "rank", "size", "lead", "answered", "bomb"):
            lists[name] += nothing

    def _plays(self, moves: Sequence[Move], stands: Sequence[Standing | None], close: int) -> None:
        lists = self._lists
        unjudged = [None] * (len(moves) - len(stands))
        owners = answered(moves, stands, close)
        lists["word"] += [None] * len(moves)
        lists["cards"] += [None if move.cards is None else move.text for move in moves]
        lists["pass"] += [move.cards is None for move in moves]
        lists["size"] += [None if move.cards is None else move.cards.size for move in moves]
        for name in ("reading", "length", "rank"):
            lists[name] += [_reading(stand, name) for stand in stands]
            lists[name] += unjudged
        lists["lead"] += [owner is None for owner in owners]
        lists["answered"] += owners
        lists["bomb"] += [stand is not None and stand.tier > 0 for stand in stands]
        for name in ("lead", "answered", "bomb"):
            lists[name] += unjudged


def _stands(hand: Hand) -> Sequence[Standing | None]:
    """What every judged play stood for; nothing for a game that is not one of climbing."""
    return hand.played.stands if isinstance(hand.played, Played) else ()


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


_FIELDS = {"reading": "name", "length": "length", "rank": "rank"}


def _reading(stand: Standing | None, name: str) -> Any:
    if stand is None or not stand.readings:
        return None
    return getattr(stand.readings[0], _FIELDS[name])
