"""Stamped times as columns: whether they run forward, how long a hand took, how a seat's time goes with its choice.

Knows milliseconds. Refuses to know who is slow for which reason. A choice is a lead, or a turn to follow with a legal
answer; a turn without one is a forced pass. Source: statistics.md 4.4.
"""

import hashlib
from array import array
from itertools import pairwise
from math import log
from typing import Any

from msgspec import Struct

from ingest.hand import Story
from ingest.record import read_clock
from ingest.store.conducts import Conduct

QUICK = 150
"""Milliseconds below which network and drawing leave nobody time to choose."""
ENOUGH = 10
"""Times below which a hand is not recognised by them."""


class ClockColumns(Struct, frozen=True, gc=False):
    """The clock of a hand as ``hands`` and ``seats`` have it."""

    of_hand: tuple[int | None, ...]
    """duration, backwards, standing_still, clock_digest."""
    of_seats: tuple[list[Any], ...]
    """forced … free_log_squares, one value a seat each."""


class _Pace(Struct):
    forced: int = 0
    forced_log: float = 0.0
    forced_log_squares: float = 0.0
    free: int = 0
    free_log: float = 0.0
    free_log_squares: float = 0.0
    quick: int = 0


WIDTH = len(_Pace.__struct_fields__)


def clock_columns(story: Story, conduct: Conduct) -> ClockColumns:
    """What the clock of a hand tells; null where it has none."""
    record, size = story.record, len(story.record.players)
    stamps = [ms for text in (record.auction or "", record.plays) if "@" in text for ms in read_clock(text)]
    told = [ms for ms in stamps if ms is not None]
    if not told:
        return ClockColumns((None,) * 4, ([None] * size,) * WIDTH)
    backwards = sum(later < before for before, later in pairwise(told))
    still = sum(later == before for before, later in pairwise(told))
    digest = _digest(stamps) if len(told) == len(stamps) >= ENOUGH else None
    return ClockColumns((max(told), backwards, still, digest), _paces(story, conduct, size))


def _digest(stamps: list[int | None]) -> int:
    """A digest of 64 bits of how long every move took, whatever the hand began with."""
    told = array("q", [ms or 0 for ms in stamps])
    spans = array("q", [later - before for before, later in pairwise(told)])
    return int.from_bytes(hashlib.blake2b(spans.tobytes(), digest_size=8).digest(), "big", signed=True)


def _paces(story: Story, conduct: Conduct, size: int) -> tuple[list[Any], ...]:
    """Times of plays by whether there was a choice; logarithms of seconds, since times are skewed."""
    paces, took = [_Pace() for _ in range(size)], conduct.took[1]
    for move, span, is_free in zip(story.moves, took, conduct.possible.free, strict=False):
        if span is None or is_free is None:
            continue
        pace, x = paces[move.seat], log(max(span, 1) / 1000)
        if not is_free:
            pace.forced += 1
            pace.forced_log += x
            pace.forced_log_squares += x * x
        else:
            pace.free += 1
            pace.free_log += x
            pace.free_log_squares += x * x
            pace.quick += span < QUICK
    return tuple([getattr(pace, name) for pace in paces] for name in _Pace.__struct_fields__)
