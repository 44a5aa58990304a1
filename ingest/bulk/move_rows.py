"""Proven hands as rows of ``moves``, without a Python object for each.

Knows where in a block and a proof a move stands. What the columns mean says ``ingest.store.schema``; how a hand that is
not proven gets them, ``ingest.store.moves``.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.arrays import as_texts, column, listed, seats_or_none, texts_at
from ingest.bulk.layout import Move
from ingest.bulk.proven import Flags, Ints, Proven
from ingest.bulk.texts_kernel import left_texts, rank_texts, sizes_of
from ingest.bulk.turns import Turn
from ingest.rules.answers import Standing
from ingest.store.columns import from_lists
from ingest.store.schema import MOVES

_PHASES = ("auction", "play")


class _Order:
    """Where the actions of auctions and the plays stand when each hand's auction stands before its plays."""

    def __init__(self, told: Proven) -> None:
        calls, plays = told.auction.firsts, told.play.firsts
        self.said, self.played = np.diff(calls), np.diff(plays)
        self.calls: Ints = np.arange(calls[-1]) + np.repeat(plays[:-1], self.said)
        self.plays: Ints = np.arange(plays[-1]) + np.repeat(calls[1:], self.played)
        self.size = int(calls[-1] + plays[-1])
        self.is_call: Flags = self.spread(np.bool_, calls=True, plays=False)

    def spread(self, kind: Any, calls: Any, plays: Any) -> Any:
        """Values of the actions and of the plays in their places."""
        values = np.empty((self.size, *np.shape(plays)[1:]), kind)
        values[self.calls], values[self.plays] = calls, plays
        return values


def move_rows(told: Proven) -> pa.RecordBatch:
    """The auctions and plays of hands, which have their places as numbers."""
    order = _Order(told)
    sizes = order.said + order.played
    firsts = np.cumsum(sizes) - sizes
    seats, clocks, took = (
        order.spread(np.int64, getattr(told.auction, name), getattr(told.play, name))
        for name in ("seats", "clocks", "took")
    )
    return from_lists(
        MOVES,
        {
            "hand": pa.array(np.repeat(np.arange(told.size), sizes)),
            "phase": listed(MOVES, "phase", _PHASES).take(pa.array((~order.is_call).astype(np.int8))),
            "index": column(MOVES, "index", _index(order, firsts, sizes)),
            "seat": column(MOVES, "seat", seats),
            "word": _words(told, order),
            **_plays(told, order),
            "ms": seats_or_none(MOVES, "ms", clocks),
            "took": seats_or_none(MOVES, "took", took),
        },
    )


def _index(order: _Order, firsts: Ints, sizes: Ints) -> Ints:
    """The number of each move within its phase."""
    within: Ints = np.arange(order.size) - np.repeat(firsts, sizes)
    within[order.plays] -= np.repeat(order.said, order.played)
    return within


def _words(told: Proven, order: _Order) -> pa.Array:
    actions = order.spread(np.int64, told.spoken.actions, 0)
    return listed(MOVES, "word", told.spoken.words or [None]).take(pa.array(actions, mask=~order.is_call))


def _plays(told: Proven, order: _Order) -> dict[str, pa.Array]:
    """cards … left_before, but for the times; null in an auction."""
    moves, turns, standings, called = told.moves, told.turns, told.proof.standings, order.is_call
    said = np.array(told.spoken.passes, np.bool_)[told.spoken.actions]
    passes = moves[:, Move.COUNTS] == 0
    owner = order.spread(np.int64, -1, turns[:, Turn.OWNER])
    led, silent = owner < 0, order.spread(np.bool_, calls=True, plays=passes)
    counts, cheapest = (order.spread(np.int64, 0, each) for each in (moves[:, Move.COUNTS], turns[:, Turn.CHEAPEST]))
    could, softly = (order.spread(np.bool_, calls=False, plays=turns[:, at] > 0) for at in (Turn.COULD, Turn.SOFTLY))
    stands = np.where(passes, len(standings), moves[:, Move.AFTER])
    spans = np.where(passes[:, None], -1, moves[:, [Move.START, Move.STOP]])
    return {
        "cards": texts_at(told.proof.block.text, order.spread(np.int64, -1, spans)),
        "pass": pa.array(order.spread(np.bool_, said, passes)),
        "size": column(MOVES, "size", _sizes(counts), silent),
        **_stands(standings, order.spread(np.int64, len(standings), stands), called),
        "lead": column(MOVES, "lead", led, called),
        "answered": seats_or_none(MOVES, "answered", owner),
        "could": column(MOVES, "could", could, led),
        "could_softly": column(MOVES, "could_softly", softly, led),
        "cheapest": _cheapest(cheapest),
        "left_before": _left(order.spread(np.int64, 0, turns[:, Turn.LEFT]), told.players, called),
    }


def _sizes(counts: Any) -> NDArray[np.int16]:
    """Cards of packed counts."""
    sizes = np.empty(len(counts), np.int16)
    sizes_of(counts, sizes)
    return sizes


def _stands(standings: Sequence[Standing], numbers: Any, gone: Flags) -> dict[str, pa.Array]:
    """reading, length, rank, bomb; the number behind the last is that of a pass."""
    used = np.zeros(len(standings) + 1, np.bool_)
    used[numbers] = True
    few = np.flatnonzero(used)
    places = (np.cumsum(used) - 1)[numbers]
    firsts = [standings[number].readings[:1] if number < len(standings) else () for number in few.tolist()]
    bombs = [number < len(standings) and standings[number].tier > 0 for number in few.tolist()]
    columns: dict[str, list[Any]] = {
        name: [getattr(first[0], of) if first else None for first in firsts]
        for name, of in (("reading", "name"), ("length", "length"), ("rank", "rank"))
    }
    taken = pa.array(places, mask=gone)
    return {name: listed(MOVES, name, values).take(taken) for name, values in (columns | {"bomb": bombs}).items()}


def _cheapest(counts: Any) -> pa.Array:
    ends, letters = np.zeros(len(counts) + 1, np.int64), np.empty(int(_sizes(counts).sum()), np.uint8)
    rank_texts(counts, ends, letters)
    return as_texts(ends, letters, counts == 0)


def _left(left: Any, players: int, gone: Flags) -> pa.Array:
    ends, letters = np.zeros(len(left) + 1, np.int64), np.empty(3 * players * len(left), np.uint8)
    used = left_texts(left, players, ends, letters)
    return as_texts(ends, letters[:used], gone)
