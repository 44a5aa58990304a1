"""Proven hands as rows of ``moves``, without a Python object for each.

Knows where in a block and a proof a move stands. What the columns mean says ``ingest.store.schema``; how a hand that is
not proven gets them, ``ingest.store.moves``.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.arrays import as_texts, column, listed, seats_or_none, texts_at
from ingest.bulk.layout import Move
from ingest.bulk.proven import Ints, Phase, Proven
from ingest.bulk.texts_kernel import left_texts, rank_texts, sizes_of
from ingest.bulk.turns import Turn
from ingest.rules.answers import Standing
from ingest.store.columns import from_lists
from ingest.store.schema import MOVES


def move_rows(told: Proven) -> pa.RecordBatch:
    """The auctions and plays of hands, which have their places as numbers."""
    both = pa.concat_batches([_calls(told), _plays(told)])
    return both.take(pa.array(_in_order(told.auction.firsts, told.play.firsts)))


def _in_order(calls: Ints, plays: Ints) -> Ints:
    """Where the moves stand, hand by hand, when all plays stand behind all auctions."""
    said, played = np.diff(calls), np.diff(plays)
    starts = np.stack([calls[:-1], calls[-1] + plays[:-1]], axis=1).ravel()
    sizes = np.stack([said, played], axis=1).ravel()
    ends = np.cumsum(sizes)
    order: Ints = np.repeat(starts - (ends - sizes), sizes) + np.arange(len(sizes) and ends[-1])
    return order


def _places(phase: Phase, name: str) -> dict[str, pa.Array]:
    """hand, phase, index, seat, ms, took."""
    sizes = np.diff(phase.firsts)
    return {
        "hand": pa.array(np.repeat(np.arange(len(sizes)), sizes)),
        "phase": pa.repeat(pa.scalar(name), len(phase.seats)),
        "index": column(MOVES, "index", np.arange(len(phase.seats)) - np.repeat(phase.firsts[:-1], sizes)),
        "seat": column(MOVES, "seat", phase.seats),
        "ms": seats_or_none(MOVES, "ms", phase.clocks),
        "took": seats_or_none(MOVES, "took", phase.took),
    }


def _calls(told: Proven) -> pa.RecordBatch:
    spoken = told.spoken
    which = pa.array(spoken.actions)
    said: dict[str, list[Any]] = {"word": spoken.words, "pass": spoken.passes}
    words = {name: listed(MOVES, name, values).take(which) for name, values in said.items()}
    return from_lists(MOVES, _places(told.auction, "auction") | words)


def _plays(told: Proven) -> pa.RecordBatch:
    moves, turns = told.moves, told.turns
    passes, led = moves[:, Move.COUNTS] == 0, turns[:, Turn.OWNER] < 0
    standings = told.proof.standings
    return from_lists(
        MOVES,
        {
            **_places(told.play, "play"),
            "cards": _copied(told, passes),
            "pass": pa.array(passes),
            "size": column(MOVES, "size", _sizes(moves[:, Move.COUNTS]), passes),
            **_stands(standings, np.where(passes, len(standings), moves[:, Move.AFTER])),
            "lead": pa.array(led),
            "answered": seats_or_none(MOVES, "answered", turns[:, Turn.OWNER]),
            "could": column(MOVES, "could", turns[:, Turn.COULD] > 0, led),
            "could_softly": column(MOVES, "could_softly", turns[:, Turn.SOFTLY] > 0, led),
            "cheapest": _cheapest(turns[:, Turn.CHEAPEST]),
            "left_before": _left(turns[:, Turn.LEFT], told.players),
        },
    )


def _sizes(counts: Any) -> NDArray[np.int16]:
    """Cards of packed counts."""
    sizes = np.empty(len(counts), np.int16)
    sizes_of(counts, sizes)
    return sizes


def _stands(standings: list[Standing], numbers: Any) -> dict[str, pa.Array]:
    """reading, length, rank, bomb; the number behind the last is that of a pass."""
    few, places = np.unique(numbers, return_inverse=True)
    firsts = [standings[number].readings[:1] if number < len(standings) else () for number in few.tolist()]
    bombs = [number < len(standings) and standings[number].tier > 0 for number in few.tolist()]
    columns: dict[str, list[Any]] = {
        name: [getattr(first[0], of) if first else None for first in firsts]
        for name, of in (("reading", "name"), ("length", "length"), ("rank", "rank"))
    }
    taken = pa.array(places.ravel())
    return {name: listed(MOVES, name, values).take(taken) for name, values in (columns | {"bomb": bombs}).items()}


def _copied(told: Proven, passes: NDArray[np.bool_]) -> pa.Array:
    """The cards as the records write them; null for a pass."""
    spans = np.where(passes[:, None], -1, told.moves[:, [Move.START, Move.STOP]])
    return texts_at(told.proof.block.text, spans)


def _cheapest(counts: Any) -> pa.Array:
    ends, letters = np.zeros(len(counts) + 1, np.int64), np.empty(int(_sizes(counts).sum()), np.uint8)
    rank_texts(counts, ends, letters)
    return as_texts(ends, letters, counts == 0)


def _left(left: Any, players: int) -> pa.Array:
    ends, letters = np.zeros(len(left) + 1, np.int64), np.empty(3 * players * len(left), np.uint8)
    used = left_texts(left, players, ends, letters)
    return as_texts(ends, letters[:used], None)
