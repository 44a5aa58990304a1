"""The compiled loop: replays hands over flat arrays and says of each "clean, with these facts" or "not sure".

Every literal that meets a ``uint64`` is one itself: Numba compares mixed integers as floats (numba issue 10151). There
are no bounds checks: text is read only inside the limits that the caller gives.
"""

import numpy as np
from numba import njit

from ingest.bulk.table import SPREAD
from ingest.cards import RANKS, SUITS

NOT_SURE, CLEAN, UNKNOWN_PLAY = 0, 1, 2
"""What is said of a hand; ``UNKNOWN_PLAY``: a play that the table has yet to learn."""

MOST_CARDS = 64
_NONE = 255
_SUIT = np.full(256, _NONE, np.uint8)
_RANK = np.full(256, _NONE, np.uint8)
for _place, _letter in enumerate(SUITS):
    _SUIT[ord(_letter)] = _place
for _place, _letter in enumerate(RANKS):
    _RANK[ord(_letter)] = _place
_SPREAD = np.uint64(SPREAD)
_FOUR = np.uint64(4)
_ZERO = np.uint64(0)
_THIRTY_ONE = np.uint64(31)


@njit(cache=True)
def _read_card(text, at, end, counts, faces):
    """Count one card in the canonical spelling: where the next begins (-1: no card), and 1 if its face is known."""
    suit = _SUIT[text[at]]
    if suit != _NONE:
        at += 1
        if at >= end:
            return -1, 0
        rank = _RANK[text[at]]
        if rank > 12:
            return -1, 0
        faces[4 * rank + suit] += 1
    else:
        rank = _RANK[text[at]]
        if rank == _NONE:
            return -1, 0
        if rank > 12:
            faces[39 + rank] += 1
    counts[rank] += 1
    return at + 1, 1 if suit != _NONE or rank > 12 else 0


@njit(cache=True)
def _read_set(text, at, end, counts, faces):
    """Count all cards of a text: how many, -1 for what is not canonical, and how many faces are known."""
    size, known = 0, 0
    while at < end:
        at, named = _read_card(text, at, end, counts, faces)
        size += 1
        known += named
        if at < 0 or size > MOST_CARDS:
            return -1, 0
    return size, known


@njit(cache=True)
def _number_of(counts, slots, numbers):
    """The number of a play, -1 where the table does not have it, and its packed counts."""
    key = _ZERO
    for rank in range(15):
        key |= np.uint64(counts[rank]) << (_FOUR * np.uint64(rank))
    size = slots.size
    bits = np.uint64(64)
    width = size
    while width > 1:
        bits -= np.uint64(1)
        width >>= 1
    slot = np.int64((key * _SPREAD) >> bits)
    while slots[slot] != _ZERO:
        if slots[slot] == key:
            return numbers[slot], key
        slot = (slot + 1) % size
    return -1, key


@njit(cache=True)
def _deal(text, bounds, game, counts, faces, by_face, left):
    """Read the cards of a hand and give them out; False where they are not plainly those of the pack.

    ``game``: players, packs, hand, bottom, dead, take a subset, close passes, a bomb beats the rocket, landlord.
    The rows of ``counts`` and ``faces`` after the seats are the bottom, the dead cards and those taken.
    """
    players, packs = game[0], game[1]
    sizes = (game[2], game[3], game[4])
    for row in range(players + 3):
        size, known = _read_set(text, bounds[row], bounds[row + 1], counts[row], faces[row])
        by_face[row] = known == size
        left[row] = size
        wanted = sizes[0] if row < players else sizes[min(row - players + 1, 2)]
        missing_dead = row == players + 1 and size == 0
        if size < 0 or (row < players + 2 and size != wanted and not missing_dead):
            return False
    for rank in range(15):
        total = 0
        for row in range(players + 2):
            total += counts[row, rank]
        if total > packs * (4 if rank < 13 else 1):
            return False
    for face in range(54):
        total = 0
        for row in range(players + 2):
            total += faces[row, face]
        if total > packs:
            return False
    return True


@njit(cache=True)
def _pick_up(game, counts, faces, by_face, left):
    """Give the landlord the bottom, or what he takes of it; False where he takes what is not there."""
    players, landlord = game[0], game[8]
    row = players + 2 if game[5] else players
    if game[5]:
        alike = by_face[players] and by_face[row]
        for rank in range(15):
            if counts[row, rank] > counts[players, rank]:
                return False
        for face in range(54):
            if alike and faces[row, face] > faces[players, face]:
                return False
    for rank in range(15):
        counts[landlord, rank] += counts[row, rank]
    for face in range(54):
        faces[landlord, face] += faces[row, face]
    by_face[landlord] = by_face[landlord] and by_face[row]
    left[landlord] += left[row]
    return True


@njit(cache=True)
def _hold_and_play(seat, counts, faces, by_face, played, played_faces):
    """Take the cards of a play from a seat; False where it does not hold them."""
    for rank in range(15):
        if played[rank] > counts[seat, rank]:
            return False
        counts[seat, rank] -= played[rank]
    if by_face[seat]:
        for face in range(54):
            if played_faces[face] > faces[seat, face]:
                return False
            faces[seat, face] -= played_faces[face]
    return True


@njit(cache=True)
def _beats(number, standing, kinds, tiers, powers, beats_rocket):
    if tiers[number] != tiers[standing]:
        return tiers[number] > tiers[standing] or (beats_rocket and tiers[number] == 1)
    if tiers[number] == 0 and kinds[number] != kinds[standing]:
        return False
    return powers[number] > powers[standing]


@njit(cache=True)
def _skip_clock(text, at, end):
    """Past ``@MS`` and the space before the next move; -1 where something else stands there."""
    if at < end and text[at] == 64:
        at += 1
        digits = at
        while at < end and 48 <= text[at] <= 57:
            at += 1
        if at == digits:
            return -1
    if at == end:
        return at
    return at + 1 if text[at] == 32 and at + 1 < end else -1


@njit(cache=True)
def _declared(text, at, end):
    """Read ``=name``: where it ends, and its mark (0: nothing is declared)."""
    mark = _ZERO
    if at < end and text[at] == 61:
        at += 1
        while at < end and text[at] != 32 and text[at] != 64:
            mark = mark * _THIRTY_ONE + np.uint64(text[at])
            at += 1
    return at, mark


@njit(cache=True)
def _read_play(text, at, end, played, played_faces):
    """Count the cards of one play: where they end, and how many there are; 0 for what is not canonical."""
    played[:] = 0
    played_faces[:] = 0
    size = 0
    while at < end and text[at] != 32 and text[at] != 64 and text[at] != 61:
        at, _ = _read_card(text, at, end, played, played_faces)
        size += 1
        if at < 0 or size > MOST_CARDS:
            return at, 0
    return at, size


@njit(cache=True)
def _play(text, at, end, game, table, counts, faces, by_face, left, facts):
    """Replay the plays of one hand; fills ``facts``: winner, rockets, bombs by size, plays and bombs by seat."""
    slots, numbers, kinds, tiers, powers, names = table
    players, close, beats_rocket, landlord = game[0], game[6], game[7] == 1, game[8]
    played, played_faces = np.zeros(15, np.int64), np.zeros(54, np.int64)
    turn, owner, standing, passes = landlord, landlord, 0, 0
    while at < end:
        if end - at < 3 or text[at] - 48 != turn or text[at + 1] != 58:
            return NOT_SURE, _ZERO
        at += 2
        if text[at] == 45:
            at = _skip_clock(text, at + 1, end)
            if at < 0 or standing == 0:
                return NOT_SURE, _ZERO
            passes += 1
            turn = (turn + 1) % players
            if passes == close:
                standing, turn, passes = 0, owner, 0
            continue
        at, size = _read_play(text, at, end, played, played_faces)
        if size == 0 or not _hold_and_play(turn, counts, faces, by_face, played, played_faces):
            return NOT_SURE, _ZERO
        at, mark = _declared(text, at, end)
        number, key = _number_of(played, slots, numbers)
        if number < 0:
            return UNKNOWN_PLAY, key
        if mark != _ZERO and mark != names[number]:
            return NOT_SURE, _ZERO
        if number == 0 or (standing and not _beats(number, standing, kinds, tiers, powers, beats_rocket)):
            return NOT_SURE, _ZERO
        if tiers[number] == 1:
            facts[2 + size] += 1
        elif tiers[number] == 2:
            facts[1] += 1
        facts[11 + turn] += 1
        facts[15 + turn] += tiers[number] > 0
        at = _skip_clock(text, at, end)
        left[turn] -= size
        if left[turn] == 0:
            facts[0] = turn
            return (CLEAN if at == end else NOT_SURE), _ZERO
        if at < 0:
            return NOT_SURE, _ZERO
        standing, owner, passes = number, turn, 0
        turn = (turn + 1) % players
    return NOT_SURE, _ZERO


FACTS = 19
"""Numbers that are told of a hand: winner, rockets, bombs of 1 to 8 cards from 3 on, plays from 11, bombs from 15."""


@njit(cache=True)
def prove(text, bounds, games, table, status, facts, unknown):
    """Replay many hands. ``bounds[i]``: where in the text the parts of hand i begin and end; ``games[i]``: its numbers.

    Fills ``status``, ``facts`` and, for an unknown play, ``unknown`` with its packed counts.
    """
    counts, faces = np.zeros((7, 15), np.int64), np.zeros((7, 54), np.int64)
    by_face, left = np.zeros(7, np.bool_), np.zeros(7, np.int64)
    for i in range(status.size):
        game = games[i]
        counts[:] = 0
        faces[:] = 0
        facts[i, :] = 0
        status[i] = NOT_SURE
        if not _deal(text, bounds[i], game, counts, faces, by_face, left):
            continue
        if not _pick_up(game, counts, faces, by_face, left):
            continue
        last = game[0] + 3
        status[i], unknown[i] = _play(
            text, bounds[i, last], bounds[i, last + 1], game, table, counts, faces, by_face, left, facts[i]
        )
