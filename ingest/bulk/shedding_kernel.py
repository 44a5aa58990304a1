"""The compiled search for the fewest plays, over the array that ``shedding`` lays out; as ``rules.shedding.Search``.

Costs at all prices stand side by side in one number, 9 bits a price, so that one addition adds them all. The three
searches (what cards cost at least, how a hand is split, what its parts carry) walk their trees with steps in arrays:
Numba cannot keep compiled functions that call themselves.
"""

from typing import Any

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from ingest.bulk.compiled.machine import alone, inner
from ingest.bulk.loads import (
    APART,
    EQUAL,
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
    RUN,
    RUNNING,
    RUNS,
    RUNS_END,
    SIZE,
    SOLO_PAIR,
    TRIO_PAIR,
    ZERO,
)
from ingest.bulk.loads_kernel import are_apart, covers, field, has_pair, pieces_of
from ingest.bulk.shedding import ALONE, BEGUN, BITS, LISTED, MIDDLE, OTHERS, REMEMBERED_BITS, WAY
from ingest.cards import RANK_LIMIT
from ingest.identity import SPREAD
from ingest.rules.shedding import PRICES

_BIAS = np.uint64(sum(MIDDLE << BITS * i for i in range(len(PRICES))))
_HIGH = np.uint64(sum(1 << BITS * i + BITS - 1 for i in range(len(PRICES))))
_EACH = np.uint64(sum(1 << BITS * i for i in range(len(PRICES))))
_TOP, _FIELD, _WIDTH = np.uint64(BITS - 1), np.uint64((1 << BITS) - 1), np.uint64(BITS)
_PRICES, _TWO = len(PRICES), np.uint64(2)
_SPREAD, _COUNTS = np.uint64(SPREAD), np.int64(RANK_LIMIT + 1)

_CHOOSE, _RUN, _TAKE, _TAKE_PAIRS = range(4)
_FAILED_BITS, _DEEPEST = 12, 64
_REMEMBERED_SHIFT, _FAILED_SHIFT = np.uint64(64 - REMEMBERED_BITS), np.uint64(64 - _FAILED_BITS)
_LEAF = _DEEPEST
"""Where in the stack of parts the number of the split stands whose kickers are tried."""

_HELD, _LOWEST, _PLUS, _REST_OF, _COSTS = range(5)
"""What a step of a search has: cards to be split, the least so far, what the next costs, other cards, costs so far."""
_END, _AT, _DEPTH = range(3)
_OTHER, _TAKEN, _BARRED, _NEEDED = range(4)
_MODE, _PART_AT, _LOAD_AT, _NEXT, _LEFT, _SOME = range(6)
_STEPS = 256
_WORST = np.uint64(sum(((1 << BITS - 1) - 1) << BITS * i for i in range(len(PRICES))))


@inner
def _add(one, other):
    return one + other - _BIAS


@inner
def _less(one, other):
    return one - other + _BIAS


@inner
def _lesser(one, other):
    """At each price the smaller of two costs."""
    greater = ((one | _HIGH) - other) & _HIGH
    mask = greater - (greater >> _TOP)
    return (other & mask) | (one & ~mask)


@inner
def _exceeds(costs, limit):
    """Whether at some price costs are above a limit."""
    return ((costs | _HIGH) - np.uint64(limit + 1 + MIDDLE) * _EACH) & _HIGH != ZERO


@inner
def _highest(costs):
    most = np.int64(costs & _FIELD)
    for _ in range(_PRICES - 1):
        costs >>= _WIDTH
        most = max(most, np.int64(costs & _FIELD))
    return most - MIDDLE


@inner
def _lowest_place(held):
    return np.int64(trailing_zeros(held) >> _TWO)


@inner
def _begin(step, held, law, words, places):
    """A step that looks for the parts of which the lowest rank of a hand is the lowest."""
    begun = np.int64(law[BEGUN]) + _lowest_place(held)
    words[step, _HELD], words[step, _LOWEST], words[step, _PLUS] = held, _WORST, ZERO
    places[step, _AT], places[step, _END] = np.int64(law[begun]), np.int64(law[begun + 1])


@inner
def _next_part(step, law, words, places):
    """The next part of a step that its hand holds; -1 where there is none."""
    held, at, end = words[step, _HELD], places[step, _AT], places[step, _END]
    while at < end:
        if covers(held, law[at]):
            places[step, _AT] = at + LISTED
            return np.int64(law[at + 1])
        at = np.int64(law[at + 2])
    places[step, _AT] = end
    return -1


@inner
def _lowest_cards(held, law):
    """The cards of the lowest rank, and what they cost in no part."""
    place = _lowest_place(held)
    count = field(held, place)
    return np.uint64(count) << (FOUR * np.uint64(place)), law[np.int64(law[OTHERS]) + _COUNTS * place + count]


@inner
def _remembered(held, memo):
    """What cards are remembered to cost at least, 0 where it is not known."""
    if held == ZERO:
        return _BIAS
    slot = 2 * np.int64((held * _SPREAD) >> _REMEMBERED_SHIFT)
    return memo[slot + 1] if memo[slot] == held else ZERO


@inner
def _least(whole, law, memo, words, places):
    """The least that cards cost, by price; remembered from hand to hand."""
    value = _remembered(whole, memo)
    if value != ZERO:
        return value
    step = 0
    _begin(0, whole, law, words, places)
    while step >= 0:
        held = words[step, _HELD]
        if words[step, _PLUS] != ZERO:
            words[step, _LOWEST] = _lesser(words[step, _LOWEST], _add(words[step, _PLUS], value))
            part = _next_part(step, law, words, places)
            if part < 0:
                value = words[step, _LOWEST]
                slot = 2 * np.int64((held * _SPREAD) >> _REMEMBERED_SHIFT)
                memo[slot], memo[slot + 1] = held, value
                step -= 1
                continue
            rest, words[step, _PLUS] = held - law[part], law[part + 1]
        else:
            cards, words[step, _PLUS] = _lowest_cards(held, law)
            rest = held - cards
        value = _remembered(rest, memo)
        if value == ZERO:
            step += 1
            _begin(step, rest, law, words, places)
    return value


@inner
def _costs_of(others, law):
    """What cards cost that are in no part."""
    costs, table = _BIAS, np.int64(law[OTHERS])
    while others != ZERO:
        place = _lowest_place(others)
        costs = _add(costs, law[table + _COUNTS * place + field(others, place)])
        others &= ~(FIFTEEN << (FOUR * np.uint64(place)))
    return costs


@inner
def _groups_of(others, law):
    """In how few groups cards can be played that nobody carries."""
    groups, table = 0, np.int64(law[ALONE])
    while others != ZERO:
        place = _lowest_place(others)
        groups += np.int64(law[table + _COUNTS * place + field(others, place)])
        others &= ~(FIFTEEN << (FOUR * np.uint64(place)))
    return groups


@inner
def _fits(whole, depth, most, law, stack, failed, words, places):
    """Whether the parts in ``stack`` can carry so many of the other cards that the rest cost no more alone."""
    stack[_LEAF] += 1
    _choose(0, 0, whole, words, places)
    step = 0
    while step >= 0:
        mode = places[step, _MODE]
        if mode == _CHOOSE:
            if places[step, _PART_AT] == depth:
                if 2 * _groups_of(words[step, _OTHER], law) <= most:
                    return True
                step -= 1
            else:
                step = _play_part(step, depth, most, law, stack, failed, words, places)
        elif mode == _RUN:
            step = _carry_run(step, law, words, places)
        elif places[step, _LEFT] == 0:
            step = _carried(step, law, words, places)
        else:
            step = _carry(step, law, words, places)
    return False


@inner
def _choose(step, part, others, words, places):
    """A step in which a part chooses how it is played."""
    places[step, _MODE], places[step, _PART_AT], places[step, _NEXT] = _CHOOSE, part, 0
    words[step, _OTHER] = others


@inner
def _take(step, mode, load, number, taken, barred, words, places):
    """A step after ``step - 1`` in which a part takes pieces of its load."""
    places[step, _MODE], places[step, _PART_AT] = mode, places[step - 1, _PART_AT]
    places[step, _LOAD_AT], places[step, _LEFT] = load, number
    places[step, _NEXT] = places[step, _SOME] = 0
    words[step, _OTHER], words[step, _TAKEN], words[step, _BARRED] = words[step - 1, _OTHER], taken, barred


@inner
def _play_part(step, depth, most, law, stack, failed, words, places):
    """The next way to play a part; the step before where there is none."""
    part, others, way = stack[places[step, _PART_AT]], words[step, _OTHER], places[step, _NEXT]
    slot = 2 * np.int64(((others + np.uint64(places[step, _PART_AT])) * _SPREAD) >> _FAILED_SHIFT)
    mark = np.uint64(stack[_LEAF] * _DEEPEST + places[step, _PART_AT])
    if way == 0:
        if failed[slot] == others and failed[slot + 1] == mark:
            return step - 1
        needed, way = _costs_of(others, law), np.int64(law[part + 3])
        for later in range(places[step, _PART_AT] + 1, depth):
            needed = _less(needed, law[stack[later] + 2])
        words[step, _NEEDED] = needed
    while way < np.int64(law[part + 4]):
        load, credit = np.int64(law[way]), law[way + 1]
        way += WAY
        if _exceeds(_less(words[step, _NEEDED], credit), most):
            continue
        places[step, _NEXT] = way
        if load == 0:
            _choose(step + 1, places[step, _PART_AT] + 1, others, words, places)
        else:
            mode = _RUN if np.int64(law[load + KIND]) == RUNNING else _TAKE
            _take(step + 1, mode, load, np.int64(law[load + NUMBER]), ZERO, ZERO, words, places)
        return step + 1
    failed[slot], failed[slot + 1] = others, mark
    return step - 1


@inner
def _carry_run(step, law, words, places):
    """The next run of trios that a part may carry."""
    load = places[step, _LOAD_AT]
    run = np.int64(law[load + RUNS]) + places[step, _NEXT]
    while run < np.int64(law[load + RUNS_END]):
        places[step, _NEXT] += RUN
        if covers(words[step, _OTHER], law[run]):
            _take(step + 1, _TAKE_PAIRS, load, np.int64(law[load + NUMBER]), law[run], law[run + 1], words, places)
            return step + 1
        run += RUN
    return step - 1


@inner
def _carried(step, law, words, places):
    """What comes after a part took its last piece: pairs after trios, else the next part, if all is lawful."""
    if places[step, _SOME] == 1:
        return step - 1
    places[step, _SOME] = 1
    load, taken = places[step, _LOAD_AT], words[step, _TAKEN]
    kind = np.int64(law[load + KIND])
    if places[step, _MODE] == _TAKE and kind == TRIO_PAIR:
        _take(step + 1, _TAKE_PAIRS, load, 1, taken, words[step, _BARRED], words, places)
        return step + 1
    if kind == SOLO_PAIR and not has_pair(taken, law, load):
        return step - 1
    if kind == EQUAL and law[load + APART] != ZERO and not are_apart(taken):
        return step - 1
    _choose(step + 1, places[step, _PART_AT] + 1, words[step, _OTHER] - taken, words, places)
    return step + 1


@inner
def _carry(step, law, words, places):
    """The next pieces of one rank that a part may take: as many as may be, then fewer, then of the next rank."""
    load, others, barred = places[step, _LOAD_AT], words[step, _OTHER], words[step, _BARRED]
    is_first = places[step, _MODE] == _TAKE
    limits, order = (
        law[load + MOST if is_first else load + PAIRS_MOST],
        law[load + ORDER if is_first else load + PAIRS_ORDER],
    )
    last = np.int64(law[load + PLACES if is_first else load + PAIRS_PLACES])
    cards = np.int64(law[load + SIZE]) if is_first else 2
    while places[step, _SOME] == 0:
        if places[step, _NEXT] == last:
            return step - 1
        place = field(order, places[step, _NEXT])
        places[step, _NEXT] += 1
        if barred & (FIFTEEN << (FOUR * np.uint64(place))) == ZERO:
            places[step, _SOME] = min(pieces_of(others, limits, place, cards), places[step, _LEFT])
    shift = FOUR * np.uint64(field(order, places[step, _NEXT] - 1))
    some = places[step, _SOME]
    places[step, _SOME] -= 1
    now = barred | (FIFTEEN << shift) if np.int64(law[load + KIND]) == TRIO_PAIR else barred
    taken = words[step, _TAKEN] + (np.uint64(cards * some) << shift)
    _take(step + 1, places[step, _MODE], load, places[step, _LEFT] - some, taken, now, words, places)
    places[step + 1, _NEXT] = places[step, _NEXT] if places[step + 1, _LEFT] else 0
    return step + 1


@inner
def _is_dear(held, costs, limit, law, memo, words, places):
    """Whether a hand of which a part is split already costs more than so many plays."""
    return _exceeds(_add(costs, _least(held, law, memo, words, places)), 2 * limit)


@inner
def _sheds(whole, limit, law, memo, stack, failed, words, places):
    """Whether so many plays shed a hand. ``words`` and ``places``: room for the steps of the three searches."""
    inner, within = words[1], places[1]
    mine, at = words[0], places[0]
    if _is_dear(whole, _BIAS, limit, law, memo, inner, within):
        return False
    _begin(0, whole, law, mine, at)
    mine[0, _REST_OF], mine[0, _COSTS], at[0, _DEPTH] = ZERO, _BIAS, 0
    step = 0
    while step >= 0:
        held = mine[step, _HELD]
        others, costs, depth = mine[step, _REST_OF], mine[step, _COSTS], at[step, _DEPTH]
        part = _next_part(step, law, mine, at)
        if part >= 0:
            stack[depth] = part
            held, costs, depth = held - law[part], _add(costs, law[part + 1]), depth + 1
        elif mine[step, _PLUS] == ZERO:
            cards, plus = _lowest_cards(held, law)
            held, others, costs = held - cards, others + cards, _add(costs, plus)
            mine[step, _PLUS] = plus
        else:
            step -= 1
            continue
        if _is_dear(held, costs, limit, law, memo, inner, within):
            continue
        if held == ZERO:
            if _fits(others, depth, 2 * (limit - depth), law, stack, failed, words[2], places[2]):
                return True
            continue
        step += 1
        _begin(step, held, law, mine, at)
        mine[step, _REST_OF], mine[step, _COSTS], at[step, _DEPTH] = others, costs, depth
    return False


def room() -> tuple[Any, Any, Any, Any]:
    """What a search works in, all zero: the parts of a split, what failed, the steps of the three searches."""
    stack, failed = np.zeros(_DEEPEST + 1, np.int64), np.zeros(2 << _FAILED_BITS, np.uint64)
    return stack, failed, np.zeros((3, _STEPS, 5), np.uint64), np.zeros((3, _STEPS, 6), np.int64)


@alone
def shed(hands, law, memo, stack, failed, words, places, plays):
    """Fills ``plays`` with the fewest plays of each of the hands. ``stack`` to ``places``: of ``room``."""
    for i in range(hands.size):
        limit = 0
        if hands[i] != ZERO:
            limit = max(1, -(-_highest(_least(hands[i], law, memo, words[1], places[1])) // 2))
            while not _sheds(hands[i], limit, law, memo, stack, failed, words, places):
                limit += 1
        plays[i] = limit
