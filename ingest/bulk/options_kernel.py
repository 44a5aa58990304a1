"""The compiled search for what a hand could play: as ``ingest.rules.options``, over menus that ``ingest.bulk.menus``
writes out.

Only for rulesets whose menus are plain: whatever is found is an answer, and no bomb unless it is found as one.
"""

import numpy as np

from ingest.bulk.compiled.machine import inner, outer
from ingest.bulk.loads import FIFTEEN, FOUR, ZERO
from ingest.bulk.loads_kernel import covers, first_choice
from ingest.bulk.menus import (
    BARE,
    BODIES,
    BODY,
    BOMB,
    BOMBS,
    BOMBS_END,
    BY_SIZE,
    LEAST_BOMB,
    LIFT,
    MOVE,
    MOVES,
    MOVES_END,
    POWER,
    ROCKET,
    SHIFTS,
    SIZE,
    STARTS,
    STRENGTHS,
    TARGET,
    TARGET_ROW,
    TARGETS,
    TARGETS_END,
    TWICE,
)
from ingest.rules.combinations import STEP
from ingest.rules.kickers import HIGHEST

NOTHING = ~ZERO
_HIGHEST, _BYTE, _EIGHT, _ONE = np.uint64(HIGHEST), np.uint64(255), np.uint64(8), np.uint64(1)


@inner
def starts_in(held, law, target):
    """Marks of the bodies that are high enough, as ``ingest.rules.menus.starts_in``."""
    row = np.int64(law[target + TARGET_ROW])
    marks = (held + law[row + LIFT]) & _HIGHEST
    first, last = np.int64(law[row + MOVES]), np.int64(law[row + MOVES_END])
    if first < last:
        found = ZERO
        for move in range(first, last, MOVE):
            found += ((marks >> law[move]) & law[move + 1]) << law[move + 2]
        marks = found
    shifts = law[row + SHIFTS]
    while shifts != ZERO:
        marks &= marks >> (shifts & _BYTE)
        shifts >>= _EIGHT
    return marks & law[target + STARTS]


@inner
def place_of(mark):
    """The place of a mark, which is the highest bit of its field."""
    place = 0
    while mark > FIFTEEN:
        mark >>= FOUR
        place += 1
    return place


@inner
def cheapest_in(held, law, target):
    """The cheapest play of a target, all bits where there is none, and the height of its body."""
    starts = starts_in(held, law, target)
    row = np.int64(law[target + TARGET_ROW])
    while starts != ZERO:
        lowest = starts & (~starts + _ONE)
        starts ^= lowest
        body = np.int64(law[row + BODIES]) + BODY * place_of(lowest)
        counts, height, load = law[body], np.int64(law[body + 1]), np.int64(law[body + 2])
        if law[row + TWICE] != ZERO and not covers(held, counts):
            continue
        if load == 0:
            return counts, height
        kickers = first_choice(held - counts, law, load, np.int64(law[target + POWER]) - STEP * height)
        if kickers != NOTHING:
            return counts + kickers, height
    return NOTHING, 0


@inner
def cheapest_bomb(held, law, menu):
    """The weakest bomb, then the rocket; all bits where a hand has neither."""
    found, least, size = NOTHING, 0, np.int64(law[menu + LEAST_BOMB])
    for bomb in range(np.int64(law[menu + BOMBS]), np.int64(law[menu + BOMBS_END]), BOMB):
        marks = (held + law[bomb]) & law[bomb + 1]
        while marks != ZERO:
            lowest = marks & (~marks + _ONE)
            marks ^= lowest
            place = np.uint64(place_of(lowest))
            power = np.int64((law[STRENGTHS] >> (FOUR * place)) & FIFTEEN) + np.int64(law[BY_SIZE]) * size
            counts = np.uint64(size) << (FOUR * place)
            # Among the equally strong the smaller, then the lower: what is found first is smaller.
            if found == NOTHING or power < least:
                found, least = counts, power
        size += 1
    rocket = law[menu + ROCKET]
    if found == NOTHING and rocket != ZERO and covers(held, rocket):
        return rocket
    return found


@outer
def cheapest_answer(held, law, menu, bombs):
    """The cheapest play that a hand could make, 0 where it must pass, and whether it is neither bomb nor rocket."""
    best, lowest, fewest = NOTHING, 0, 0
    for target in range(np.int64(law[menu + TARGETS]), np.int64(law[menu + TARGETS_END]), TARGET):
        counts, height = cheapest_in(held, law, target)
        if counts == NOTHING:
            continue
        size = np.int64(law[np.int64(law[target + TARGET_ROW]) + SIZE])
        if best == NOTHING or height < lowest or (height == lowest and size < fewest):
            best, lowest, fewest = counts, height, size
    if best != NOTHING:
        return best, True
    if not bombs:
        return ZERO, False
    bomb = cheapest_bomb(held, law, menu)
    return (ZERO if bomb == NOTHING else bomb), False


@outer
def could_beat(held, law, menu, least, bombs):
    """Whether a hand holds any play of a menu with at least so many cards."""
    if bombs and cheapest_bomb(held, law, menu) != NOTHING:
        return True
    for target in range(np.int64(law[menu + TARGETS]), np.int64(law[menu + TARGETS_END]), TARGET):
        if np.int64(law[np.int64(law[target + TARGET_ROW]) + SIZE]) < least:
            continue
        if law[target + BARE] != ZERO:
            if starts_in(held, law, target) != ZERO:
                return True
        elif cheapest_in(held, law, target)[0] != NOTHING:
            return True
    return False
