"""Tables of what has been learned: a number for each key of a few words. Filled for, and looked up by, compiled code.

A table is ``keys``, ``uint64[slots, words]``, and ``numbers``, ``int32[slots]``, with ``EMPTY`` where there is no key.
``slots`` is a power of two, at most half of them in use.
"""

import numpy as np

from ingest.bulk.compiled.machine import inner, outer

EMPTY = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@inner
def mixed(hash, word):
    """A hash with one more word in it."""
    hash = (hash ^ word) * _SPREAD
    return hash ^ (hash >> _HALF)


@inner
def find_pair(keys, numbers, first, second):
    """The number of a key of two words."""
    mask = numbers.size - 1
    slot = np.int64(mixed(mixed(np.uint64(0), first), second)) & mask
    while numbers[slot] != EMPTY:
        if keys[slot, 0] == first and keys[slot, 1] == second:
            return numbers[slot]
        slot = (slot + 1) & mask
    return EMPTY


@inner
def _slot(keys, numbers, words, row):
    """The slot of a key, or the empty one where it belongs."""
    hash = np.uint64(0)
    for place in range(keys.shape[1]):
        hash = mixed(hash, words[row, place])
    mask = numbers.size - 1
    slot = np.int64(hash) & mask
    while numbers[slot] != EMPTY:
        place = 0
        while place < keys.shape[1] and keys[slot, place] == words[row, place]:
            place += 1
        if place == keys.shape[1]:
            return slot
        slot = (slot + 1) & mask
    return slot


@inner
def find(keys, numbers, words, row):
    """The number of the key in a row of ``words``."""
    return numbers[_slot(keys, numbers, words, row)]


@outer
def insert(keys, numbers, words, values):
    """Put keys into a table that has room for them; the rows of ``words`` that are there already stay as they are."""
    for row in range(values.size):
        slot = _slot(keys, numbers, words, row)
        if numbers[slot] == EMPTY:
            numbers[slot] = values[row]
            for place in range(keys.shape[1]):
                keys[slot, place] = words[row, place]
