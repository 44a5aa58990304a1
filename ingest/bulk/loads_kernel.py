"""The compiled search for what a body carries, over the numbers that ``loads`` lays out.

Every literal that meets a ``uint64`` is one itself (numba issue 10151). Nothing is checked: what is given is cards.
"""

import numpy as np

from ingest.bulk.compiled.machine import inner
from ingest.bulk.loads import (
    APART,
    BLACK,
    BORROWS,
    FIFTEEN,
    FOUR,
    KIND,
    MOST,
    NUMBER,
    ORDER,
    PAIRS_MOST,
    PAIRS_ORDER,
    PAIRS_PLACES,
    PLACES,
    RED,
    RUN,
    RUNNING,
    RUNS,
    RUNS_END,
    SIZE,
    SOLO_PAIR,
    TRIO_PAIR,
    ZERO,
)

_ONE = np.uint64(1)


@inner
def field(held, place):
    """How many cards of a rank."""
    return np.int64((held >> (FOUR * np.uint64(place))) & FIFTEEN)


@inner
def covers(held, played):
    """Whether packed counts hold others."""
    return (held ^ played ^ (held - played)) & BORROWS == ZERO


@inner
def pieces_of(rest, most, place, size):
    """How many pieces of a rank may be carried."""
    return min(field(rest, place), field(most, place)) // size


@inner
def lowest_pieces(rest, most, order, places, size, number):
    """The lowest so many pieces; all bits where there are not enough."""
    taken = ZERO
    for at in range(places):
        if number == 0:
            break
        place = field(order, at)
        some = min(pieces_of(rest, most, place, size), number)
        taken += np.uint64(size * some) << (FOUR * np.uint64(place))
        number -= some
    return taken if number == 0 else ~ZERO


@inner
def are_apart(cards):
    """Whether not both jokers are among the cards."""
    return cards & BLACK == ZERO or cards & RED == ZERO


@inner
def has_pair(cards, law, load):
    """Whether two of the cards make a pair that may be carried."""
    for at in range(np.int64(law[load + PAIRS_PLACES])):
        if field(cards, field(law[load + PAIRS_ORDER], at)) >= 2:
            return True
    return False


@inner
def _next_pieces(rest, law, load, takes):
    """The next choice after ``takes``, pieces by place in the order, four bits each; all bits after the last."""
    most, order, size = law[load + MOST], law[load + ORDER], np.int64(law[load + SIZE])
    places = np.int64(law[load + PLACES])
    free = 0
    for at in range(places - 1, -1, -1):
        mine, shift = field(takes, at), FOUR * np.uint64(at)
        if mine > 0:
            room = 0
            for later in range(at + 1, places):
                room += pieces_of(rest, most, field(order, later), size)
            if room > free:
                takes -= _ONE << shift
                free += 1
                for later in range(at + 1, places):
                    some = min(pieces_of(rest, most, field(order, later), size), free)
                    takes += np.uint64(some) << (FOUR * np.uint64(later))
                    free -= some
                return takes
            free += mine
            takes &= ~(FIFTEEN << shift)
    return ~ZERO


@inner
def _is_lawful(cards, law, load):
    if np.int64(law[load + KIND]) == SOLO_PAIR:
        return has_pair(cards, law, load)
    return law[load + APART] == ZERO or are_apart(cards)


@inner
def _first_pieces(rest, law, load):
    """The lowest lawful choice of equal pieces, or of a pair and a single card."""
    most, order, size = law[load + MOST], law[load + ORDER], np.int64(law[load + SIZE])
    places = np.int64(law[load + PLACES])
    cards = lowest_pieces(rest, most, order, places, size, np.int64(law[load + NUMBER]))
    if cards == ~ZERO or _is_lawful(cards, law, load):
        return cards
    takes = ZERO
    for at in range(places):
        takes += np.uint64(field(cards, field(order, at)) // size) << (FOUR * np.uint64(at))
    takes = _next_pieces(rest, law, load, takes)
    while takes != ~ZERO:
        cards = ZERO
        for at in range(places):
            cards += np.uint64(size * field(takes, at)) << (FOUR * np.uint64(field(order, at)))
        if _is_lawful(cards, law, load):
            return cards
        takes = _next_pieces(rest, law, load, takes)
    return ~ZERO


@inner
def _first_trio_and_pair(rest, law, load):
    for at in range(np.int64(law[load + PLACES])):
        trio = field(law[load + ORDER], at)
        if pieces_of(rest, law[load + MOST], trio, 3) == 0:
            continue
        for under in range(np.int64(law[load + PAIRS_PLACES])):
            pair = field(law[load + PAIRS_ORDER], under)
            if pair != trio and pieces_of(rest, law[load + PAIRS_MOST], pair, 2) > 0:
                return (np.uint64(3) << (FOUR * np.uint64(trio))) + (np.uint64(2) << (FOUR * np.uint64(pair)))
    return ~ZERO


@inner
def _first_running(rest, law, load, beyond):
    number = np.int64(law[load + NUMBER])
    places = np.int64(law[load + PAIRS_PLACES])
    for run in range(np.int64(law[load + RUNS]), np.int64(law[load + RUNS_END]), RUN):
        if np.int64(law[run + 2]) > beyond and covers(rest, law[run]):
            others = rest & ~law[run + 1]
            pairs = lowest_pieces(others, law[load + PAIRS_MOST], law[load + PAIRS_ORDER], places, 2, number)
            if pairs != ~ZERO:
                return law[run] + pairs
    return ~ZERO


@inner
def first_choice(rest, law, load, beyond):
    """The lowest lawful kickers out of packed cards, with a second key above ``beyond``; all bits where there are none.

    As the first of ``ingest.rules.kickers.choices``.
    """
    kind = np.int64(law[load + KIND])
    if kind == TRIO_PAIR:
        return _first_trio_and_pair(rest, law, load)
    if kind == RUNNING:
        return _first_running(rest, law, load, beyond)
    return _first_pieces(rest, law, load)


@inner
def is_choice(cards, law, load):
    """Whether these cards are what a body may carry as equal pieces, or as a pair and a single card."""
    size, left = np.int64(law[load + SIZE]), cards
    number = np.int64(law[load + NUMBER])
    for at in range(np.int64(law[load + PLACES])):
        place = field(law[load + ORDER], at)
        count = field(cards, place)
        if count % size or count > field(law[load + MOST], place):
            return False
        number -= count // size
        left &= ~(FIFTEEN << (FOUR * np.uint64(place)))
    return number == 0 and left == ZERO and _is_lawful(cards, law, load)
