"""Digests of many parts of a text at once, as ``hashlib.blake2b`` has them.

Refuses to know what a part is recognised by.
"""

from typing import Any

import numpy as np

from ingest.bulk.compiled.blake import BLOCK, STATE, shortened
from ingest.bulk.compiled.machine import inner, outer


@inner
def _fill(message, at, text, start, stop):
    for place in range(stop - start):
        message[at + place] = text[start + place]
    return at + stop - start


@outer
def _digest_parts(begin, text, starts, stops, size, message, state, digests):
    at = _fill(message, 0, begin, 0, begin.size)
    for part in range(starts.size):
        end = _fill(message, at, text, starts[part], stops[part])
        digests[part, 0], digests[part, 1] = shortened(message, end, size, state)


def digests_of(begin: bytes, text: Any, starts: Any, stops: Any, size: int) -> Any:
    """``uint64[n, 2]``: digests of ``size`` bytes, at most 16, the first word first, lowest byte first.

    ``text``, ``uint8[t]``, of which each part stands from ``starts`` to ``stops``, both ``int64[n]``; ``begin``: bytes
    that stand before each.
    """
    digests = np.zeros((len(starts), 2), np.uint64)
    longest = len(begin) + int((stops - starts).max(initial=0))
    message = np.zeros(longest + 2 * BLOCK, np.uint8)
    state = np.zeros(STATE, np.uint64)
    before = np.frombuffer(begin, np.uint8).copy()
    _digest_parts(before, text, starts, stops, size, message, state, digests)
    return digests
