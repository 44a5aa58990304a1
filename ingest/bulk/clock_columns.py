"""The clocks of proven hands as columns: as ``ingest.store.clocks`` tells them hand by hand.

Knows times in flat arrays. Every sum is added up in the order of the moves, so that it is the same to the last bit.
"""

from math import log
from typing import Any

import numpy as np
import pyarrow as pa

from ingest.bulk.arrays import column, shortened
from ingest.bulk.clocks_kernel import watch
from ingest.bulk.digests_kernel import digests_of
from ingest.bulk.layout import SEATS
from ingest.bulk.proven import Flags, Ints, Phase, Proven
from ingest.bulk.turns import Turn
from ingest.store.clocks import ENOUGH, QUICK
from ingest.store.schema import HANDS
from ingest.store.schema import SEATS as OF_SEATS

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


def time_columns(told: Proven) -> dict[str, pa.Array]:
    """timed … quick of ``seats``."""
    silent = np.repeat(_watched(told)[0][:, _STAMPS] == 0, told.players)
    found = {name: values.reshape(told.size, SEATS)[:, : told.players] for name, values in _added(told).items()}
    seen = {name: column(OF_SEATS, name, values) for name, values in found.items() if name in ("timed", "thinking")}
    return {name: column(OF_SEATS, name, values, silent) for name, values in found.items()} | seen


def _added(told: Proven) -> dict[str, Any]:
    """Sums by hand and seat."""
    most = told.size * SEATS
    timed, thinking = np.zeros((2, most), np.int64)
    for phase in (told.auction, told.play):
        own, took, _ = _known(phase)
        timed += np.bincount(own, minlength=most)
        thinking += np.bincount(own, took, minlength=most).astype(np.int64)
    own, took, known = _known(told.play)
    is_free = (told.turns[known, Turn.OWNER] < 0) | (told.turns[known, Turn.COULD] > 0)
    few, places = np.unique(took, return_inverse=True)
    logs = np.array([log(max(span, 1) / 1000) for span in few.tolist()], np.float64)[places.ravel()]
    sums: dict[str, Any] = {"timed": timed, "thinking": thinking}
    for name, some in (("forced", ~is_free), ("free", is_free)):
        sums[name] = np.bincount(own[some], minlength=most)
        sums[f"{name}_log"] = np.bincount(own[some], logs[some], minlength=most)
        sums[f"{name}_log_squares"] = np.bincount(own[some], logs[some] * logs[some], minlength=most)
    sums["quick"] = np.bincount(own[is_free & (took < QUICK)], minlength=most)
    return sums


def _known(phase: Phase) -> tuple[Ints, Ints, Flags]:
    """Of the moves whose time is known: hand and seat as one number, and their time; and which they are."""
    hands = np.repeat(np.arange(len(phase.firsts) - 1), np.diff(phase.firsts))
    known = phase.took >= 0
    return (SEATS * hands + phase.seats)[known], phase.took[known], known
