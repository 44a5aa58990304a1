"""Cards as letters and as sets: 4 bits a rank in one word, 2 bits a face in two more (``ingest.cards``).

The rows of the sets are the seats, then what else a deal has: bottom, dead cards, cards taken.
"""

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.compiled.machine import eight_bytes, inner, popcount
from ingest.cards import FACES, RANKS, SUITS

UNSUITED = 64
"""What is added to a rank to make the code of a card without its suit; a face's code is its number."""
_CODES = UNSUITED + 16
_NONE = 255
_PAIR = np.uint64(0xFFFF)


def _codes() -> NDArray[np.uint8]:
    """By two letters, the first lowest, the code of the card that begins there; ``_NONE`` where none does."""
    codes = np.full((256, 256), _NONE, np.uint8)
    for place, rank in enumerate(RANKS):
        codes[:, ord(rank)] = UNSUITED + place if place < 13 else 39 + place
    for place, suit in enumerate(SUITS):
        codes[:, ord(suit)] = _NONE
        for number, rank in enumerate(RANKS[:13]):
            codes[ord(rank), ord(suit)] = 4 * number + place
    return codes.ravel()


_CODE = _codes()
_STEP = np.array([2 if code < 52 else 1 for code in range(256)], np.int64)
"""How many letters a card has, by its code."""
_SHIFT = np.array([4 * RANKS.index(FACES[code][-1]) if code < 54 else 0 for code in range(_CODES)], np.uint64)
_SHIFT[UNSUITED:] = np.arange(16) * 4
_PLACE = np.array([2 * (code & 31) for code in range(_CODES)], np.uint64)
_ONE, _THREE, _FIFTEEN = np.uint64(1), np.uint64(3), np.uint64(15)
_RANK_ONE = _ONE << _SHIFT
_LOW_ONE = np.array([1 << 2 * code if code < 32 else 0 for code in range(_CODES)], np.uint64)
_HIGH_ONE = np.array([1 << 2 * (code - 32) if 32 <= code < 54 else 0 for code in range(_CODES)], np.uint64)
"""One card of a code, in the words of a set."""


@inner
def card_at(text, at):
    """The code of the card that begins here; ``_NONE`` where none does. Some bytes follow every text."""
    return _CODE[eight_bytes(text, at) & _PAIR]


@inner
def read_card(text, at):
    """One card in the canonical spelling: where the next begins, and its code; -1 where no card stands."""
    code = card_at(text, at)
    if code == _NONE:
        return at, np.int64(-1)
    return at + _STEP[code], np.int64(code)


@inner
def face_in(faces, row, code):
    """How many of a face."""
    return np.int64((faces[row, code >> 5] >> _PLACE[code]) & _THREE)


_ZERO, _FOUR = np.uint64(0), np.uint64(4)
_LANES, _FIVES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x5555555555555555)
_EACH = np.uint64(0x0101010101010101)
_MOST = 60
"""Cards of one set: so few that no sum of fields passes eight bits."""


@inner
def read_set(text, at, end, part, packs, counts, faces, by_face):
    """Put all cards of a text into an empty row of the sets: how many, -1 for what is not plain or too much of one."""
    size, unsuited = 0, 0
    ranks, low, high = _ZERO, _ZERO, _ZERO
    while at < end:
        code = card_at(text, at)
        if code == _NONE:
            return -1
        ranks += _RANK_ONE[code]
        low += _LOW_ONE[code]
        high += _HIGH_ONE[code]
        unsuited += code >= UNSUITED
        size += 1
        at += 2 if code < 52 else 1
    if at != end or size > _MOST or not _adds_up(ranks, low, high, size, unsuited, packs):
        return -1
    counts[part], faces[part, 0], faces[part, 1], by_face[part] = ranks, low, high, unsuited == 0
    return size


@inner
def _adds_up(ranks, low, high, size, unsuited, packs):
    """Whether no field ran over into the next (then the fields add up to less), and no face stands too often."""
    even, odd = ranks & _LANES, (ranks >> _FOUR) & _LANES
    told = np.int64(((even + odd) * _EACH) >> np.uint64(56))
    twice, once = (low >> _ONE) & _FIVES, low & _FIVES
    more, less = (high >> _ONE) & _FIVES, high & _FIVES
    named = popcount(once) + popcount(less) + 2 * (popcount(twice) + popcount(more))
    if told != size or named != size - unsuited:
        return False
    if packs == 1:
        return twice | more == _ZERO
    return (twice & once) | (more & less) == _ZERO


_TOPS = np.uint64(0x8080808080808080)


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
    one_high, other_high = (one >> _ONE) & _FIVES, (other >> _ONE) & _FIVES
    return (one_high & (other | other_high)) | (one & other_high & _FIVES) | (one & one_high)


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
    key, size = _ZERO, 0
    while at < end:
        code = card_at(text, at)
        if code == _NONE:
            break
        shift = _SHIFT[code]
        if size == most or (ranks >> shift) & _FIFTEEN == _ZERO:
            return at, 0, key, written
        ranks -= _RANK_ONE[code]
        key += _RANK_ONE[code]
        if by_face_here and code < UNSUITED:
            if ((low if code < 32 else high) >> _PLACE[code]) & _THREE == _ZERO:
                return at, 0, key, written
            low -= _LOW_ONE[code]
            high -= _HIGH_ONE[code]
        slot = written + size
        while slot > written and message[slot - 1] > code:
            message[slot] = message[slot - 1]
            slot -= 1
        message[slot] = code
        size += 1
        at += 2 if code < 52 else 1
    counts[row], faces[row, 0], faces[row, 1] = ranks, low, high
    return at, size, key, written + size
