"""Tables of what has been learned: a number for each key of a few words. Filled for, and looked up by, compiled code.

A table is ``uint64[slots, words]``: in the last word the number and ``SHIFTED``, 0 where there is no key; before it the
key. ``slots`` is a power of two, at most half of them in use.
"""

import numpy as np

from ingest.bulk.compiled.machine import inner, outer

EMPTY = -1
SHIFTED = 3
_NONE = np.uint64(0)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_FACTORS = np.array([pow(int(_SPREAD), 2 * place + 1, 1 << 64) for place in range(16)], np.uint64)
"""For the words of a key but the first: all are multiplied at once."""


@inner
def mixed(hash, word):
    """A hash with one more word in it."""
    hash = (hash ^ word) * _SPREAD
    return hash ^ (hash >> _HALF)


@inner
def find_word(table, word):
    """The number of a key of one word that is not 0."""
    mask = table.shape[0] - 1
    slot = np.int64(mixed(_NONE, word)) & mask
    while True:
        if table[slot, 0] == word:
            return np.int64(table[slot, 1]) - SHIFTED
        if table[slot, 1] == _NONE:
            return np.int64(EMPTY)
        slot = (slot + 1) & mask


@inner
def _slot(table, words, row):
    """The slot of a key, or the empty one where it belongs."""
    hash, mask, last = words[row, 0], table.shape[0] - 1, table.shape[1] - 1
    size = min(words.shape[1], last)
    for place in range(1, size):
        hash += words[row, place] * _FACTORS[place]
    slot = np.int64(mixed(_NONE, hash)) & mask
    while table[slot, last] != _NONE:
        place = 0
        while place < size and table[slot, place] == words[row, place]:
            place += 1
        if place == size:
            return slot
        slot = (slot + 1) & mask
    return slot


@inner
def find(table, words, row):
    """The number of the key in the first words of a row."""
    number = table[_slot(table, words, row), table.shape[1] - 1]
    return np.int64(EMPTY) if number == _NONE else np.int64(number) - SHIFTED


@outer
def insert(table, words, values):
    """Put keys into a table that has room for them; the rows of ``words`` that are there already stay as they are."""
    last = table.shape[1] - 1
    for row in range(values.size):
        slot = _slot(table, words, row)
        if table[slot, last] == _NONE:
            table[slot, last] = np.uint64(values[row] + SHIFTED)
            for place in range(min(words.shape[1], last)):
                table[slot, place] = words[row, place]
