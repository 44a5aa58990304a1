"""Cards as letters and as sets: 4 bits a rank in one word, 2 bits a face in two more (``ingest.cards``).

The rows of the sets are the seats, then what else a deal has: bottom, dead cards, cards taken. The two words of faces
of a row stand one behind the other.
"""

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.compiled.machine import eight_bytes, inner, item, lowest, popcount, put, tight
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
_ZERO, _ONE, _THREE, _FOUR, _HALF = (np.uint64(number) for number in (0, 1, 3, 4, 32))
_RANK_ONE = _ONE << _SHIFT
_LOW_ONE = np.array([1 << 2 * code if code < 32 else 0 for code in range(_CODES)], np.uint64)
_HIGH_ONE = np.array([1 << 2 * (code - 32) if 32 <= code < 54 else 0 for code in range(_CODES)], np.uint64)
"""One card of a code, in the words of a set."""


@tight
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
    return np.int64((faces[2 * row + (code >> 5)] >> _PLACE[code]) & _THREE)


_LANES, _FIVES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x5555555555555555)
_TENS = np.uint64(0xAAAAAAAAAAAAAAAA)
_EACH = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_MOST = 60
"""Cards of one set: so few that no sum of fields passes eight bits."""
_SUITED, _RANK = np.int64(52), np.uint64(39)
_FACES, _LAST_CODE = 54, UNSUITED + 13
_THREES, _EVERY_OTHER = np.uint64(0x3333333333333333), np.uint64(0x00FF00FF00FF00FF)
_PAIRS_OF_FOUR, _LOW_HALF = np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
_TWO, _EIGHT, _SIXTEEN, _HALF = np.uint64(2), np.uint64(8), np.uint64(16), np.uint64(32)
_SMALL, _BIG, _BEYOND = (np.uint64(2 * (face - 32)) for face in (52, 53, 54))
"""Where the jokers stand in the second word of faces, and where none does."""
_SMALL_RANK, _BIG_RANK = (np.uint64(4 * rank) for rank in (13, 14))
_SUITED_HIGH = np.uint64((1 << 40) - 1)


@tight
def add_up(text, at, end):
    """Cards one behind the other: where they end, how many, and their sums by rank, by face, and of those that have no
    suit by rank.
    """
    size = 0
    ranks, low, high, plain = _ZERO, _ZERO, _ZERO, _ZERO
    while at < end:
        code = card_at(text, at)
        if code < _SUITED:
            ranks += _RANK_ONE[code]
            low += _LOW_ONE[code]
            high += _HIGH_ONE[code]
            at += 2
        elif code < UNSUITED:
            ranks += _ONE << (_FOUR * (np.uint64(code) - _RANK))
            high += _ONE << _PLACE[code]
            at += 1
        elif code != _NONE:
            one = _ONE << (_FOUR * np.uint64(code - UNSUITED))
            ranks += one
            plain += one
            at += 1
        else:
            break
        size += 1
    return at, size, ranks, low, high, plain


@tight
def add_codes(text, at, end):
    """The same of cards that stand as one byte each, their code."""
    size = 0
    ranks, low, high, plain = _ZERO, _ZERO, _ZERO, _ZERO
    while at < end:
        code = item(text, at)
        if code < _FACES:
            low += _LOW_ONE[code]
            high += _HIGH_ONE[code]
        elif UNSUITED <= code < _LAST_CODE:
            plain += _RANK_ONE[code]
        else:
            break
        ranks += _RANK_ONE[code]
        size += 1
        at += 1
    return at, size, ranks, low, high, plain


@tight
def _in_fields(ranks):
    """The sum of the fields of four bits."""
    return np.int64((((ranks & _LANES) + ((ranks >> _FOUR) & _LANES)) * _EACH) >> np.uint64(56))


@tight
def are_told(size, ranks, low, high, plain):
    """Whether no field ran over into the next: then the fields add up to less."""
    named = popcount(low & _FIVES) + popcount(high & _FIVES) + 2 * (popcount(low & _TENS) + popcount(high & _TENS))
    return size <= _MOST and _in_fields(ranks) == size and named + _in_fields(plain) == size


@inner
def read_set(text, at, end, part, packs, counts, faces, by_face):
    """Put all cards of a text into a row of the sets: how many, -1 for what is not plain or too much of one."""
    at, size, ranks, low, high, plain = add_up(text, at, end)
    if at != end or not put_set(part, packs, size, ranks, low, high, plain, counts, faces, by_face):
        return -1
    return size


@tight
def put_set(part, packs, size, ranks, low, high, plain, counts, faces, by_face):
    """Put cards that were added up into a row of the sets; False for too much of one."""
    if not are_told(size, ranks, low, high, plain):
        return False
    twice = (low | high) & _TENS if packs == 1 else ((low & (low >> _ONE)) | (high & (high >> _ONE))) & _FIVES
    if twice != _ZERO:
        return False
    counts[part], faces[2 * part], faces[2 * part + 1], by_face[part] = ranks, low, high, plain == _ZERO
    return True


@tight
def _in_nibbles(word):
    """Of each byte of a word the sum of its four fields of two bits, four bits a byte."""
    word = (word & _THREES) + ((word >> _TWO) & _THREES)
    word = (word & _LANES) + ((word >> _FOUR) & _LANES)
    word = (word | word >> _FOUR) & _EVERY_OTHER
    word = (word | word >> _EIGHT) & _PAIRS_OF_FOUR
    return (word | word >> _SIXTEEN) & _LOW_HALF


@tight
def ranks_of(low, high):
    """The packed counts of faces, none of which is there more than twice."""
    jokers = (high >> _SMALL & _THREE) << _SMALL_RANK | (high >> _BIG & _THREE) << _BIG_RANK
    return _in_nibbles(low) | _in_nibbles(high & _SUITED_HIGH) << _HALF | jokers


@tight
def put_faces(part, packs, low, high, plain, counts, faces, by_face):
    """Put cards into a row of the sets by the sums of their faces, and of those that have no suit by rank: how many, -1
    for too much of one and for what is no card.
    """
    ranks = ranks_of(low, high) + plain
    size = _in_fields(ranks)
    is_card = high >> _BEYOND | plain >> _SMALL_RANK == _ZERO
    if not is_card or not put_set(part, packs, size, ranks, low, high, plain, counts, faces, by_face):
        return -1
    return size


@inner
def empty_set(part, counts, faces, by_face):
    """Put no card into a row of the sets."""
    counts[part], faces[2 * part], faces[2 * part + 1], by_face[part] = _ZERO, _ZERO, _ZERO, True


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
    low = high = beyond = _ZERO
    for part in range(parts):
        even += item(counts, part) & _LANES
        odd += (item(counts, part) >> _FOUR) & _LANES
        more_low, more_high = item(faces, 2 * part), item(faces, 2 * part + 1)
        beyond |= _too_many(low, more_low, packs) | _too_many(high, more_high, packs)
        low += more_low
        high += more_high
    return beyond == _ZERO and (even | odd) & _TOPS == _ZERO


@tight
def _too_many(one, other, packs):
    """Marks in two-bit fields where two sets have together more than the packs."""
    if packs == 1:
        return one & other
    one_high, other_high = (one >> _ONE) & _FIVES, (other >> _ONE) & _FIVES
    return (one_high & (other | other_high)) | (one & other_high & _FIVES) | (one & one_high)


@tight
def _beyond(some, held):
    """Marks where two-bit fields, none of them more than two in ``held``, are more than those."""
    more, twice = held >> _ONE, some >> _ONE
    return ((twice & ~more) | (twice & some) | (some & ~twice & ~held & ~more)) & _FIVES


@tight
def _are_within(ranks, low, high, row, counts, faces, by_face):
    """Whether a row of the sets has all these cards. ``by_face``: whether faces are told apart."""
    held = item(counts, row)
    even = ((held & _LANES) | _TOPS) - (ranks & _LANES)
    odd = (((held >> _FOUR) & _LANES) | _TOPS) - ((ranks >> _FOUR) & _LANES)
    if even & odd & _TOPS != _TOPS:
        return False
    return not by_face or _beyond(low, item(faces, 2 * row)) | _beyond(high, item(faces, 2 * row + 1)) == _ZERO


@inner
def is_part(part, row, counts, faces, by_face):
    """Whether all cards of one row of the sets are in another."""
    low, high, alike = faces[2 * part], faces[2 * part + 1], by_face[part] and by_face[row]
    return _are_within(counts[part], low, high, row, counts, faces, alike)


@tight
def _write_codes(message, at, low, high, plain):
    """The codes of cards, the lowest first: where they end."""
    while low | high != _ZERO:  # as often as there were cards to be read, which the processor foresees
        gone = _ZERO - np.uint64(low == _ZERO)
        word = low | (high & gone)
        place = lowest(word)
        put(message, at, np.uint8((place >> 1) + np.int64(gone & _HALF)))
        word -= _ONE << np.uint64(place & 62)
        low, high = word & ~gone, (high & ~gone) | (word & gone)
        at += 1
    while plain != _ZERO:
        place = lowest(plain) >> 2
        put(message, at, np.uint8(UNSUITED + place))
        plain -= _ONE << np.uint64(4 * place)
        at += 1
    return at


@inner
def write_cards(text, at, end, most, message, written):
    """Write the cards of one play in the order of their codes: where they end, how many, and the bytes written.

    No card, or more than ``most``: 0 cards.
    """
    at, size, ranks, low, high, plain = add_up(text, at, end)
    if size > most or not are_told(size, ranks, low, high, plain):
        return at, 0, written
    return at, size, _write_codes(message, written, low, high, plain)


@tight
def take_play(text, at, end, most, row, counts, faces, by_face, message, written):
    """Take the cards of one play out of a set: where they end, how many, their packed counts, and the bytes written.

    The cards are written in the order of their codes. No card, more than ``most``, or one that is not there: 0 cards.
    """
    at, size, ranks, low, high, plain = add_up(text, at, end)
    if size > most or not are_told(size, ranks, low, high, plain):
        return at, 0, ranks, written
    if not take_away(ranks, low, high, row, counts, faces, by_face):
        return at, 0, ranks, written
    return at, size, ranks, _write_codes(message, written, low, high, plain)


@tight
def take_away(ranks, low, high, row, counts, faces, by_face):
    """Take cards that were added up out of a set; False where one is not there."""
    is_by_face = item(by_face, row)
    if not _are_within(ranks, low, high, row, counts, faces, is_by_face):
        return False
    put(counts, row, item(counts, row) - ranks)
    if is_by_face:
        put(faces, 2 * row, item(faces, 2 * row) - low)
        put(faces, 2 * row + 1, item(faces, 2 * row + 1) - high)
    return True
