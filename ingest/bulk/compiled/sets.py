"""Cards as letters and as sets: 4 bits a rank in one word, 2 bits a face in two more (``ingest.cards``).

The rows of the sets are the seats, then what else a deal has: bottom, dead cards, cards taken.
"""

import numpy as np

from ingest.bulk.compiled.machine import byte_at, inner
from ingest.cards import FACES, RANKS, SUITS

UNSUITED = 64
"""What is added to a rank to make the code of a card without its suit; a face's code is its number."""
_CODES = UNSUITED + 16
_SUITED = 128
_NONE = 255
_FIRST = np.full(256, _NONE, np.uint8)
"""What a first letter says: the code of a card without suit, or ``_SUITED`` and the suit."""
_RANK = np.full(256, _NONE, np.uint8)
for _place, _letter in enumerate(SUITS):
    _FIRST[ord(_letter)] = _SUITED + _place
for _place, _letter in enumerate(RANKS):
    _RANK[ord(_letter)] = _place
    _FIRST[ord(_letter)] = UNSUITED + _place if _place < 13 else 39 + _place
_SHIFT = np.array([4 * RANKS.index(FACES[code][-1]) if code < 54 else 0 for code in range(_CODES)], np.uint64)
_SHIFT[UNSUITED:] = np.arange(16) * 4
_PLACE = np.array([2 * (code & 31) for code in range(_CODES)], np.uint64)
_ONE, _THREE, _FIFTEEN = np.uint64(1), np.uint64(3), np.uint64(15)


@inner
def read_card(text, at, end):
    """One card in the canonical spelling: where the next begins, and its code; -1 where no card stands."""
    first = _FIRST[byte_at(text, at)]
    if first < _SUITED:
        return at + 1, np.int64(first)
    if first == _NONE or at + 1 >= end:
        return at, np.int64(-1)
    rank = _RANK[byte_at(text, at + 1)]
    if rank > 12:
        return at, np.int64(-1)
    return at + 2, 4 * np.int64(rank) + np.int64(first & 3)


@inner
def face_in(faces, row, code):
    """How many of a face."""
    return np.int64((faces[row, code >> 5] >> _PLACE[code]) & _THREE)


@inner
def read_set(text, at, end, part, packs, counts, faces, by_face):
    """Put all cards of a text into an empty row of the sets: how many, -1 for what is not plain or too much of one."""
    size, suited = 0, True
    ranks, low, high = np.uint64(0), np.uint64(0), np.uint64(0)
    most = np.uint64(packs)
    while at < end:
        at, code = read_card(text, at, end)
        if code < 0:
            return -1
        shift = _SHIFT[code]
        if (ranks >> shift) & _FIFTEEN == _FIFTEEN:
            return -1
        ranks += _ONE << shift
        place = _PLACE[code]
        if code >= UNSUITED:
            suited = False
        elif code < 32:
            if (low >> place) & _THREE >= most:
                return -1
            low += _ONE << place
        else:
            if (high >> place) & _THREE >= most:
                return -1
            high += _ONE << place
        size += 1
    counts[part], faces[part, 0], faces[part, 1], by_face[part] = ranks, low, high, suited
    return size


_LANES = np.uint64(0x0F0F0F0F0F0F0F0F)
_FOUR = np.uint64(4)
_TOPS = np.uint64(0x8080808080808080)
_LOW = np.uint64(0x5555555555555555)


def _room(packs: int, *, odd: bool) -> int:
    """In eight bits for every other rank, what lacks 128 when a rank is beyond the pack."""
    ranks = [2 * lane + odd for lane in range(8)]
    return sum((127 - packs * (4 if rank < 13 else 1)) << 8 * lane for lane, rank in enumerate(ranks))


_EVEN_ROOM = np.array([_room(packs, odd=False) for packs in range(3)], np.uint64)
_ODD_ROOM = np.array([_room(packs, odd=True) for packs in range(3)], np.uint64)


@inner
def are_of_the_pack(counts, faces, parts, packs):
    """Whether the first ``parts`` rows have together no more of any card than one or two packs."""
    even, odd = _EVEN_ROOM[packs], _ODD_ROOM[packs]
    low = high = np.uint64(0)
    beyond = np.uint64(0)
    for part in range(parts):
        even += counts[part] & _LANES
        odd += (counts[part] >> _FOUR) & _LANES
        beyond |= _too_many(low, faces[part, 0], packs) | _too_many(high, faces[part, 1], packs)
        low += faces[part, 0]
        high += faces[part, 1]
        if beyond != np.uint64(0):
            return False
    return (even | odd) & _TOPS == np.uint64(0)


@inner
def _too_many(one, other, packs):
    """Marks in two-bit fields where two sets have together more than the packs."""
    if packs == 1:
        return one & other
    one_high, other_high = (one >> _ONE) & _LOW, (other >> _ONE) & _LOW
    return (one_high & (other | other_high)) | (one & other_high & _LOW) | (one & one_high)


@inner
def take(counts, faces, row, code, by_face):
    """Take a card out of a set; False where it is not there. ``by_face``: whether faces are told apart."""
    shift = _SHIFT[code]
    if (counts[row] >> shift) & _FIFTEEN == np.uint64(0):
        return False
    counts[row] -= _ONE << shift
    if by_face and code < UNSUITED:
        place = _PLACE[code]
        if (faces[row, code >> 5] >> place) & _THREE == np.uint64(0):
            return False
        faces[row, code >> 5] -= _ONE << place
    return True


@inner
def take_play(text, at, end, most, row, counts, faces, by_face, message, written):
    """Take the cards of one play out of a set: where they end, how many, their packed counts, and the bytes written.

    The cards are written in the order of their codes. No card, more than ``most``, or one that is not there: 0 cards.
    """
    ranks, low, high, by_face_here = counts[row], faces[row, 0], faces[row, 1], by_face[row]
    key, size = np.uint64(0), 0
    while at < end:
        at, code = read_card(text, at, end)
        if code < 0:
            break
        shift = _SHIFT[code]
        if size == most or (ranks >> shift) & _FIFTEEN == np.uint64(0):
            return at, 0, key, written
        ranks -= _ONE << shift
        key += _ONE << shift
        if by_face_here and code < UNSUITED:
            place = _PLACE[code]
            if ((low if code < 32 else high) >> place) & _THREE == np.uint64(0):
                return at, 0, key, written
            if code < 32:
                low -= _ONE << place
            else:
                high -= _ONE << place
        slot = written + size
        while slot > written and message[slot - 1] > code:
            message[slot] = message[slot - 1]
            slot -= 1
        message[slot] = code
        size += 1
    counts[row], faces[row, 0], faces[row, 1] = ranks, low, high
    return at, size, key, written + size
