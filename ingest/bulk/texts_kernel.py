"""Numbers and places in a block as texts, card texts and clocks as numbers, for many hands at once.

Knows spellings. What a number or a text means is for those who ask.
"""

import numpy as np

from ingest.bulk.compiled.machine import outer
from ingest.bulk.compiled.sets import UNSUITED, read_card
from ingest.bulk.loads import FIFTEEN, FOUR, ZERO
from ingest.cards import FACES, RANK_BITS, RANKS

_LETTERS = np.frombuffer(RANKS.encode(), np.uint8)
_CODES = UNSUITED + 16
_SHIFTS = np.array([RANK_BITS * RANKS.index(FACES[code][-1]) if code < 54 else 0 for code in range(_CODES)], np.uint64)
_SHIFTS[UNSUITED:] = np.arange(16) * RANK_BITS
_PLACES = np.array([2 * (code & 31) for code in range(_CODES)], np.uint64)
_ONE = np.uint64(1)
_SPACE, _AT = 32, 64


@outer
def copy_texts(text, starts, stops, letters):
    """Fill ``letters`` with these parts of a text, one behind the other."""
    at = 0
    for i in range(starts.size):
        size = stops[i] - starts[i]
        for place in range(size):
            letters[at + place] = text[starts[i] + place]
        at += size


@outer
def rank_texts(counts, offsets, letters):
    """Packed counts as card text without suits, low to high."""
    at = 0
    for i in range(counts.size):
        offsets[i] = at
        held, place = np.uint64(counts[i]), 0
        while held != ZERO:
            for _ in range(np.int64(held & FIFTEEN)):
                letters[at] = _LETTERS[place]
                at += 1
            held >>= FOUR
            place += 1
    offsets[counts.size] = at
    return at


@outer
def left_texts(left, players, offsets, letters):
    """Numbers below 100, eight bits each, with spaces between them."""
    at = 0
    for i in range(left.size):
        offsets[i] = at
        for seat in range(players):
            if seat:
                letters[at] = _SPACE
                at += 1
            number = (left[i] >> (8 * seat)) & 255
            if number >= 10:
                letters[at] = 48 + number // 10
                at += 1
            letters[at] = 48 + number % 10
            at += 1
    offsets[left.size] = at
    return at


@outer
def sizes_of(counts, sizes):
    """Cards of packed counts."""
    for i in range(counts.size):
        held, size = np.uint64(counts[i]), 0
        while held != ZERO:
            size += np.int64(held & FIFTEEN)
            held >>= FOUR
        sizes[i] = size


@outer
def read_sets(text, spans, counts, faces, suited):
    """Read card texts, ``int32[h, 2]`` where each stands, -1 for none: packed counts, faces, whether all are known."""
    for i in range(spans.shape[0]):
        at, end = spans[i, 0], spans[i, 1]
        counts[i] = faces[i, 0] = faces[i, 1] = ZERO
        suited[i] = True
        while 0 <= at < end:
            at, code = read_card(text, at)
            counts[i] += _ONE << _SHIFTS[code]
            if code < UNSUITED:
                faces[i, code >> 5] += _ONE << _PLACES[code]
            else:
                suited[i] = False


@outer
def read_clocks(text, spans, firsts, clocks):
    """The times in move texts: of text i from ``clocks[firsts[i]]`` on; -1 where a move has none."""
    for i in range(spans.shape[0]):
        at, end, place = np.int64(spans[i, 0]), np.int64(spans[i, 1]), firsts[i]
        clock, stamped = np.int64(0), False
        while at < end:
            letter = text[at]
            at += 1
            if letter == _AT:
                clock, stamped = np.int64(0), True
            elif letter != _SPACE and stamped:
                clock = 10 * clock + np.int64(letter) - 48
            if letter == _SPACE or at == end:
                clocks[place] = clock if stamped else -1
                place += 1
                stamped = False


@outer
def run_clocks(clocks, firsts, before, took):
    """How long each move took since the one before: -1 where either time is not known, or time ran back.

    ``before``: what the clock of each hand showed before its first move, -1 where that is not known.
    """
    for hand in range(before.size):
        last = before[hand]
        for at in range(firsts[hand], firsts[hand + 1]):
            now = clocks[at]
            took[at] = now - last if now >= 0 and last >= 0 and now >= last else -1
            last = now
