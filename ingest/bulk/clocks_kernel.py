"""The stamps of many hands, watched and added up one by one: as ``ingest.store.clocks`` does."""

import numpy as np

from ingest.bulk.compiled.machine import inner, outer


@inner
def _step(now, last, hand, watched, spans, at):
    """One move: what was stamped last, and where the time of the next goes."""
    if now < 0:
        watched[hand, 4] += 1
        return last, at + 1
    if last >= 0:
        watched[hand, 1] += now < last
        watched[hand, 2] += now == last
        spans[at - 1] = now - last
    watched[hand, 0] = max(watched[hand, 0], now)
    watched[hand, 3] += 1
    return now, at + 1


@outer
def watch(call_firsts, calls, play_firsts, plays, watched, spans):
    """Fill ``watched``, ``int64[h, 5]``: the latest stamp, stamps before the one before, stamps equal to it, stamps,
    moves without one. ``spans``: the time between neighbours, a place for each move, those of one hand together.

    A text without any stamp counts for none missing, as if it were not there.
    """
    at = 0
    for hand in range(watched.shape[0]):
        last = np.int64(-1)
        for phase in range(2):
            firsts, clocks = (call_firsts, calls) if phase == 0 else (play_firsts, plays)
            first, stop = firsts[hand], firsts[hand + 1]
            stamped = False
            for place in range(first, stop):
                stamped = stamped or clocks[place] >= 0
            if stamped:
                for place in range(first, stop):
                    last, at = _step(clocks[place], last, hand, watched, spans, at)


TIMED, THINKING, FORCED, FREE, QUICK = range(5)
"""What is counted by seat."""
FORCED_LOG, FORCED_LOG_SQUARES, FREE_LOG, FREE_LOG_SQUARES = range(4)
"""What is added up by seat."""


@outer
def add_times(firsts, seats, took, counted):
    """Add the known times of moves to ``counted``, ``int64[h, SEATS, 5]``."""
    for hand in range(firsts.size - 1):
        for at in range(firsts[hand], firsts[hand + 1]):
            if took[at] >= 0:
                counted[hand, seats[at], TIMED] += 1
                counted[hand, seats[at], THINKING] += took[at]


@outer
def add_turns(firsts, seats, took, is_free, logs, quick, counted, sums):
    """Add the known times of plays and passes to ``counted``, and their ``logs`` to ``sums``, ``float64[h, SEATS, 4]``.

    In the order of the moves, ``logs`` and ``is_free`` for each. ``quick``: milliseconds below which a move is quick.
    """
    for hand in range(firsts.size - 1):
        for at in range(firsts[hand], firsts[hand + 1]):
            if took[at] < 0:
                continue
            mine, added, log = counted[hand, seats[at]], sums[hand, seats[at]], logs[at]
            if is_free[at]:
                mine[FREE] += 1
                mine[QUICK] += took[at] < quick
                added[FREE_LOG] += log
                added[FREE_LOG_SQUARES] += log * log
            else:
                mine[FORCED] += 1
                added[FORCED_LOG] += log
                added[FORCED_LOG_SQUARES] += log * log
