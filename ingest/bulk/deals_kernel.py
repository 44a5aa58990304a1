"""Deals as the bytes by which they are recognised, for many hands at once: as ``ingest.store.deals`` writes them.

Knows sets of faces: 2 bits a face, 64 bits in one word and 44 in another. Refuses to know what is likely.
"""

from typing import Any

import numpy as np

from ingest.bulk.compiled.machine import inner, outer

_BITS = 108
_NIBBLES = 27
"""Half bytes of a set of faces."""
_SUITS = sum(3 << 8 * i for i in range(13))
_JOKERS = (1 << _BITS) - (1 << 8 * 13)
_WORD = (1 << 64) - 1
_SUIT_LOW, _SUIT_HIGH = np.uint64(_SUITS & _WORD), np.uint64(_SUITS >> 64)
_JOKERS_LOW, _JOKERS_HIGH = np.uint64(_JOKERS & _WORD), np.uint64(_JOKERS >> 64)
_TWO, _SIXTY_FOUR, _FIFTEEN, _FOUR = np.uint64(2), np.uint64(64), np.uint64(15), np.uint64(4)
MOST = 5
"""Sets of a deal: the seats, and the bottom where dead cards leave it open."""
BYTES = 14
PARTS = 5
"""Of a shape: the jokers, then the suits."""


@inner
def _write(sets, size, message, at):
    """Sets side by side as one number, the highest byte first."""
    for place in range(at, at + BYTES * size):
        message[place] = 0
    nibble = 2 * BYTES * size - _NIBBLES * size
    for each in range(size):
        for step in range(_NIBBLES):
            down = np.uint64(4 * (_NIBBLES - 1 - step))
            word = sets[each, 1] >> (down - _SIXTY_FOUR) if down >= _SIXTY_FOUR else sets[each, 0] >> down
            value = word & _FIFTEEN
            place = at + nibble // 2
            message[place] |= value << _FOUR if nibble % 2 == 0 else value
            nibble += 1
    return at + BYTES * size


@inner
def _is_less(one, other, size):
    for each in range(size):
        for half in (1, 0):
            if one[each, half] != other[each, half]:
                return one[each, half] < other[each, half]
    return False


@inner
def _suits_in_order(sets, size, suits, order, message, at):
    """The jokers, then the suits, the least first."""
    for each in range(size):
        low, high = sets[each, 0], sets[each, 1]
        suits[4, each, 0], suits[4, each, 1] = low & _JOKERS_LOW, high & _JOKERS_HIGH
        for suit in range(4):
            suits[suit, each, 0], suits[suit, each, 1] = low & _SUIT_LOW, high & _SUIT_HIGH
            low, high = low >> _TWO | high << (_SIXTY_FOUR - _TWO), high >> _TWO
    for suit in range(4):
        place = suit
        while place > 0 and _is_less(suits[suit], suits[order[place - 1]], size):
            order[place] = order[place - 1]
            place -= 1
        order[place] = suit
    at = _write(suits[4], size, message, at)
    for place in range(4):
        at = _write(suits[order[place]], size, message, at)
    return at


@inner
def _turned(faces, players, size, first, sets):
    for each in range(size):
        own = (first + each) % players if each < players else each
        sets[each, 0], sets[each, 1] = faces[own, 0], faces[own, 1]


def room() -> tuple[Any, Any, Any]:
    """What ``write_deals`` works in."""
    return np.zeros((MOST, 2), np.uint64), np.zeros((PARTS, MOST, 2), np.uint64), np.zeros(4, np.int64)


@outer
def write_deals(faces, counts, players, size, sets, suits, order, deals, shapes):
    """Write the bytes of ``deal_digest`` and ``deal_shape`` of each hand.

    ``faces``: ``uint64[h, size, 2]``, the seats first. ``counts``: ``uint64[h, players]``. ``deals``:
    ``uint8[h, BYTES * size]``; ``shapes``: ``uint8[h + 1, PARTS * BYTES * size]``, its last row to work in, as are
    ``sets`` to ``order`` (``room``).
    """
    spare = shapes.shape[0] - 1
    for hand in range(faces.shape[0]):
        _write(faces[hand], size, deals[hand], 0)
        highest = counts[hand, 0]
        for seat in range(1, players):
            highest = max(highest, counts[hand, seat])
        is_first = True
        for turn in range(players):
            if counts[hand, turn] != highest:
                continue
            _turned(faces[hand], players, size, turn, sets)
            _suits_in_order(sets, size, suits, order, shapes[hand if is_first else spare], 0)
            if not is_first:
                for place in range(shapes.shape[1]):
                    if shapes[spare, place] != shapes[hand, place]:
                        if shapes[spare, place] < shapes[hand, place]:
                            for rest in range(place, shapes.shape[1]):
                                shapes[hand, rest] = shapes[spare, rest]
                        break
            is_first = False
