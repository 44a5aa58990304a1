"""The clocks of proven hands as columns: as ``ingest.store.clocks`` tells them hand by hand.

Knows times in flat arrays. Every sum is added up in the order of the moves, so that it is the same to the last bit.
"""

from functools import cache
from math import log
from typing import Any

import numpy as np
import pyarrow as pa

from ingest.bulk.arrays import column, shortened
from ingest.bulk.clocks_kernel import (
    FORCED,
    FORCED_LOG,
    FORCED_LOG_SQUARES,
    FREE,
    FREE_LOG,
    FREE_LOG_SQUARES,
    QUICK,
    THINKING,
    TIMED,
    add_times,
    add_turns,
    watch,
)
from ingest.bulk.digests_kernel import digests_of
from ingest.bulk.layout import SEATS
from ingest.bulk.proven import Flags, Ints, Proven
from ingest.bulk.turns import Turn
from ingest.store.clocks import ENOUGH
from ingest.store.clocks import QUICK as QUICKER
from ingest.store.schema import HANDS
from ingest.store.schema import SEATS as OF_SEATS

_USUAL = 30_000
"""Milliseconds."""
_DURATION, _BACKWARDS, _STILL, _STAMPS, _MISSING = range(5)


def clock_columns(told: Proven) -> dict[str, pa.Array]:
    """duration, backwards, standing_still, clock_digest; null where a hand has no stamps."""
    watched, spans = _watched(told)
    silent = watched[:, _STAMPS] == 0
    digests, known = _digests(watched, spans)
    return {
        "duration": column(HANDS, "duration", watched[:, _DURATION], silent),
        "backwards": column(HANDS, "backwards", watched[:, _BACKWARDS], silent),
        "standing_still": column(HANDS, "standing_still", watched[:, _STILL], silent),
        "clock_digest": column(HANDS, "clock_digest", digests, ~known),
    }


def _watched(told: Proven) -> tuple[Ints, Ints]:
    """Of each hand the latest stamp, steps back, steps of nothing, stamps, missing ones; and the time between moves."""
    watched = np.zeros((told.size, 5), np.int64)
    spans = np.zeros(len(told.auction.clocks) + len(told.play.clocks), np.int64)
    watch(told.auction.firsts, told.auction.clocks, told.play.firsts, told.play.clocks, watched, spans)
    return watched, spans


def _digests(watched: Ints, spans: Ints) -> tuple[Ints, Flags]:
    """A digest of how long every move took, where there are enough and none is missing."""
    sizes = watched[:, _STAMPS] + watched[:, _MISSING]
    known = (watched[:, _MISSING] == 0) & (watched[:, _STAMPS] >= ENOUGH)
    ends, digests = 8 * np.cumsum(sizes), np.zeros(len(watched), np.int64)
    begin = ends - 8 * sizes
    digests[known] = shortened(digests_of(b"", spans.view(np.uint8), begin[known], ends[known] - 8, 8))
    return digests, known


_COUNTED = {"timed": TIMED, "thinking": THINKING, "forced": FORCED, "free": FREE, "quick": QUICK}
_SUMS = {
    "forced_log": FORCED_LOG, "forced_log_squares": FORCED_LOG_SQUARES, "free_log": FREE_LOG,
    "free_log_squares": FREE_LOG_SQUARES,
}  # fmt: skip


def time_columns(told: Proven, silent: Flags) -> dict[str, pa.Array]:
    """timed … quick of ``seats``. ``silent``: the hands without stamps."""
    counted, sums = _added(told)
    gone = np.repeat(silent, told.players)
    found = {name: column(OF_SEATS, name, counted[:, : told.players, at], gone) for name, at in _COUNTED.items()}
    found |= {name: column(OF_SEATS, name, sums[:, : told.players, at], gone) for name, at in _SUMS.items()}
    known = {name: column(OF_SEATS, name, counted[:, : told.players, _COUNTED[name]]) for name in ("timed", "thinking")}
    return found | known


def _added(told: Proven) -> tuple[Ints, Any]:
    """Counts and sums by hand and seat."""
    counted, sums = np.zeros((told.size, SEATS, len(_COUNTED)), np.int64), np.zeros((told.size, SEATS, len(_SUMS)))
    for phase in (told.auction, told.play):
        add_times(phase.firsts, phase.seats, phase.took, counted)
    play, is_free = told.play, (told.turns[:, Turn.OWNER] < 0) | (told.turns[:, Turn.COULD] > 0)
    add_turns(play.firsts, play.seats, play.took, is_free, _logs(play.took), QUICKER, counted, sums)
    return counted, sums


def _logs(took: Ints) -> Any:
    """The logarithms of times in seconds; of those not known, any."""
    known = _logs_up_to()
    logs = known[np.clip(took, 0, len(known) - 1)]
    for at in np.flatnonzero(took >= len(known)).tolist():
        logs[at] = log(int(took[at]) / 1000)
    return logs


@cache
def _logs_up_to() -> Any:
    """The logarithms of the times that nearly all moves take: to the last bit as they are told hand by hand."""
    return np.array([log(max(span, 1) / 1000) for span in range(_USUAL)])
