"""What hands say about one another, for hands that are proven clean: whether any of it is new to the memory.

Knows where an id, a hand and a table would be found again, and compares what tables left with what they go on with. A
hand of which anything was there before is for ``ingest.batch``; the others are put into the memory here.

A finder is ``uint64[slots]``, a power of two, at most half of them in use: 0, or the first 24 bits of a hash and a
place, from 1 on, in 40. Hashes are of the SipHash family under a key that is drawn for each run.
"""

from typing import Any, NamedTuple

import numpy as np

from ingest.bulk.compiled.law import SCORE
from ingest.bulk.compiled.learned import mixed
from ingest.bulk.compiled.machine import eight_bytes, fetch, inner, outer, tight
from ingest.bulk.layout import ABSENT, OUTCOMES, SEATS, Digest, Fact, Gist, Kept, Mark, Number, State, Text

_G = {each.name: int(each) for each in Gist}
_D = {each.name: int(each) for each in Digest}
_K = {each.name: int(each) for each in Kept}
_S = {each.name: int(each) for each in State}
_ID, _TABLE, _PLAYER = int(Text.ID), int(Text.TABLE), int(Text.PLAYER)
_PLAYERS, _NUMBER_LINE, _HAD_VOIDS = int(Number.PLAYERS), int(Number.LINE), int(Number.VOIDS)
_HAD, _CLAIMED_COUNT, _CLAIMS = int(Number.BALANCE), int(Number.BALANCES), int(Number.CLAIMED_BALANCE)
_OUTCOME, _SETTLEMENT, _VOID = int(Fact.OUTCOME), int(Fact.SETTLEMENT), OUTCOMES.index("void")
_MARK_ID, _MARK_TABLE, _MARK_PLAYER = int(Mark.ID), int(Mark.TABLE), int(Mark.PLAYER)
_LINE, _OF_RULES, _SEATED, _AT_TABLE = _G["LINE"], _G["RULES"], _G["PLAYERS"], _G["AT_TABLE"]
_VOIDS, _VOIDS_AFTER, _BALANCE, _THEN = _G["VOIDS"], _G["VOIDS_AFTER"], _G["BALANCE"], _G["AFTER"]
_SAID, _DEALT = _G["CLAIMED"], _G["DEALT"]
_CONTENT, _PLAYED, _ENOUGH, _DEAL = _D["CONTENT"], _D["MOVES"], _D["ENOUGH"], _D["DEAL"]
_KEPT_ID, _KEPT_CONTENT, _KEPT_PLAYED, _KEPT_DEAL = _K["ID"], _K["CONTENT"], _K["PLAYED"], _K["DEAL"]
_WHERE, _HOW = _K["WHERE"], _K["HOW"]
_KEY, _RULES, _SIZE, _LEFT_VOIDS = _S["KEY"], _S["RULES"], _S["PLAYERS"], _S["VOIDS"]
_WHO, _AFTER, _CLAIMED = _S["PLAYER"], _S["BALANCE"], _S["CLAIMED"]

PLACES = 40
IS_HAND, HAS_PLAYED, IS_ODD = 1, 2, 4
"""Bits of ``Kept.HOW``: the hand is found by its digest too; it has a digest of players and moves; its identity is kept
elsewhere. Above them, from bit 8 on, the bytes of its deal."""
ID_KIND, TABLE_KIND, PLAYER_KIND, SOURCE_KIND = 0, 1, 2, 3
ODD = -1
"""In place of rules: a state that is kept elsewhere."""
ALIKE = 16
_AHEAD = 8
"""Hands from the one that is looked up to the one whose places are fetched."""
_PLACES, _PLACE = np.uint64(PLACES), np.uint64((1 << PLACES) - 1)
_13, _16, _17, _21, _32, _56 = (np.uint64(bits) for bits in (13, 16, 17, 21, 32, 56))
_51, _48, _47, _43 = (np.uint64(64 - bits) for bits in (13, 16, 17, 21))
_FIRST, _SECOND = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_THIRD, _FOURTH = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_LONG, _MORE = np.uint64(0xEE), np.uint64(0xDD)
_NONE, _ONE, _FULL = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


class Remembered(NamedTuple):
    """The arrays of a memory."""

    secret: Any
    """``uint64[2]``: the key of this run."""
    ids: Any
    hands: Any
    tables: Any
    """Finders of rows that are kept, by id and by hand, and of states, by table."""
    states: Any
    """``int64[t, STATES]``."""
    kept: Any
    """``uint64[k, KEPT]``: the rows that are not yet on disk."""
    counts: Any
    """``int64[3]``: rows on disk, rows in ``kept``, states."""


@tight
def _round(a, b, c, d):
    a += b
    b = (b << _13 | b >> _51) ^ a
    a = a << _32 | a >> _32
    c += d
    d = (d << _16 | d >> _48) ^ c
    a += d
    d = (d << _21 | d >> _43) ^ a
    c += b
    b = (b << _17 | b >> _47) ^ c
    c = c << _32 | c >> _32
    return a, b, c, d


@tight
def _keyed(text, start, end, secret, tweak):
    """The hash of some bytes: two words. Seven bytes behind them are touched."""
    a, b = secret[0] ^ _FIRST, secret[1] ^ _SECOND ^ _LONG
    c, d = secret[0] ^ _THIRD, secret[1] ^ _FOURTH ^ tweak
    a, b, c, d = _round(a, b, c, d)
    a ^= tweak
    at = start
    while at + 8 <= end:
        word = eight_bytes(text, at)
        d ^= word
        a, b, c, d = _round(a, b, c, d)
        a ^= word
        at += 8
    left = np.uint64(8 * (end - at))
    word = np.uint64(end - start) << _56
    if end > at:
        word |= eight_bytes(text, at) & ~(_FULL << left)
    d ^= word
    a, b, c, d = _round(a, b, c, d)
    a ^= word
    c ^= _LONG
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    first = a ^ b ^ c ^ d
    b ^= _MORE
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    return first, a ^ b ^ c ^ d


@inner
def _tweak(kind, source):
    """What is hashed along: a kind, and the hash of a source for what is told apart by source."""
    return (source & ~np.uint64(3)) | np.uint64(kind)


@outer
def keyed(text, size, secret, kind, source):
    """The hash of a text of ``size`` bytes, with some bytes of room behind it."""
    return _keyed(text, 0, size, secret, _tweak(kind, source))


@inner
def _mark(text, texts, row, column, secret, tweak, marks, at):
    first, second = _keyed(text, texts[row, column, 0], texts[row, column, 1], secret, tweak)
    marks[row, at] = first
    return second


@inner
def _mark_player(text, texts, row, seat, secret, tweak, marks):
    column = _PLAYER + seat
    marks[row, _MARK_PLAYER + seat], _ = _keyed(text, texts[row, column, 0], texts[row, column, 1], secret, tweak)


@outer
def mark(text, texts, numbers, is_read, secret, source, marks):
    """Hash the names of hands that have been read. ``source``: the hash of their source."""
    id_tweak, table_tweak = _tweak(ID_KIND, source), _tweak(TABLE_KIND, source)
    player_tweak = _tweak(PLAYER_KIND, _NONE)
    for row in range(is_read.size):
        if not is_read[row]:
            continue
        if texts[row, _ID, 0] >= 0:
            marks[row, _MARK_ID + 1] = _mark(text, texts, row, _ID, secret, id_tweak, marks, _MARK_ID)
        if texts[row, _TABLE, 0] >= 0:
            marks[row, _MARK_TABLE + 1] = _mark(text, texts, row, _TABLE, secret, table_tweak, marks, _MARK_TABLE)
            for seat in range(numbers[row, _PLAYERS]):
                _mark_player(text, texts, row, seat, secret, player_tweak, marks)


@outer
def sum_up(texts, numbers, clean, facts, worths, rules, queued, proven, gist):
    """What is needed of the ``clean`` hands of one ruleset, and which they are.

    ``worths``: ``Law.worths``. ``rules``: the number of the ruleset in the block. ``queued``: whether void hands are
    worked off one by one.
    """
    for row in range(clean.size):
        if not clean[row]:
            continue
        proven[row] = True
        players, voids, worth = numbers[row, _PLAYERS], numbers[row, _HAD_VOIDS], facts[row, _SETTLEMENT]
        gist[row, _LINE], gist[row, _OF_RULES] = numbers[row, _NUMBER_LINE], rules
        gist[row, _SEATED], gist[row, _AT_TABLE] = players, texts[row, _TABLE, 0] >= 0
        gist[row, _DEALT] = 4 * (players + 1)
        played = max(voids - 1, 0) if queued else 0
        gist[row, _VOIDS], gist[row, _VOIDS_AFTER] = voids, voids + 1 if facts[row, _OUTCOME] == _VOID else played
        for seat in range(SEATS):
            has = numbers[row, _HAD + seat]
            after = has + worths[worth, SCORE + seat] if seat < players and has != ABSENT else ABSENT
            claimed = numbers[row, _CLAIMS + seat] if numbers[row, _CLAIMED_COUNT] > 0 else after
            gist[row, _BALANCE + seat], gist[row, _THEN + seat], gist[row, _SAID + seat] = has, after, claimed


@outer
def hand_hash(first, second, secret):
    """The hash of a hand's key of two words."""
    return _hand_hash(first, second, secret)


@inner
def _hand_hash(first, second, secret):
    return mixed(mixed(secret[0], first), second ^ secret[1])


@inner
def _is_there(finder, hash):
    mask, slot = finder.size - 1, np.int64(hash) & (finder.size - 1)
    while finder[slot] != _NONE:
        if finder[slot] >> _PLACES == hash >> _PLACES:
            return True
        slot = (slot + 1) & mask
    return False


@inner
def _put(finder, hash, place):
    """Put a place behind those of its hash; of more than ``ALIKE`` the first is dropped."""
    mask, slot, same, first = finder.size - 1, np.int64(hash) & (finder.size - 1), 0, -1
    while finder[slot] != _NONE:
        if finder[slot] >> _PLACES == hash >> _PLACES:
            first = slot if first < 0 else first
            same += 1
        slot = (slot + 1) & mask
    value = (hash >> _PLACES) << _PLACES | np.uint64(place + 1)
    if same < ALIKE:
        finder[slot] = value
        return
    slot, hole = first, first
    while finder[slot] != _NONE:
        if slot != first and finder[slot] >> _PLACES == hash >> _PLACES:
            finder[hole] = finder[slot]
            hole = slot
        slot = (slot + 1) & mask
    finder[hole] = value


@outer
def put(finder, hash, place):
    """Put a place into a finder that has room for it."""
    _put(finder, hash, place)


@outer
def candidates(finder, hash, places):
    """Fill ``places`` with those of a hash, in the order in which they came; how many there are."""
    mask, slot, count = finder.size - 1, np.int64(hash) & (finder.size - 1), 0
    while finder[slot] != _NONE and count < places.size:
        if finder[slot] >> _PLACES == hash >> _PLACES:
            places[count] = np.int64(finder[slot] & _PLACE) - 1
            count += 1
        slot = (slot + 1) & mask
    return count


@outer
def find_again(kept, first, secret, ids, hands):
    """Put rows, of which the first is number ``first``, into new finders."""
    for row in range(kept.shape[0]):
        _put(ids, kept[row, _KEPT_ID], first + row)
        if kept[row, _HOW] & np.uint64(IS_HAND):
            at = _KEPT_PLAYED if kept[row, _HOW] & np.uint64(HAS_PLAYED) else _KEPT_CONTENT
            _put(hands, _hand_hash(kept[row, at], kept[row, at + 1], secret), first + row)


@outer
def find_tables_again(states, count, tables):
    """Put states into a new finder."""
    for row in range(count):
        _put(tables, np.uint64(states[row, _KEY]), row)


@outer
def state_of(tables, states, first, second):
    """The row of a table's state; -1 where there is none."""
    return _state_of(tables, states, first, second)


@inner
def _state_of(tables, states, first, second):
    mask, slot = tables.size - 1, np.int64(first) & (tables.size - 1)
    while tables[slot] != _NONE:
        row = np.int64(tables[slot] & _PLACE) - 1
        if np.uint64(states[row, _KEY]) == first and np.uint64(states[row, _KEY + 1]) == second:
            return row
        slot = (slot + 1) & mask
    return -1


@inner
def _same_players(states, row, marks, hand, count):
    """Whether the same players sit at a table, each as often as before."""
    if states[row, _SIZE] != count:
        return False
    taken = 0
    for seat in range(count):
        found = False
        for other in range(count):
            is_other = np.uint64(states[row, _WHO + other]) == marks[hand, _MARK_PLAYER + seat]
            if not found and not (taken >> other) & 1 and is_other:
                taken |= 1 << other
                found = True
        if not found:
            return False
    return True


@inner
def _goes_on(states, row, marks, gist, hand, rules, counts, survives):
    """Whether a hand goes on from what its table left (A310, S605)."""
    size = gist[hand, _SEATED]
    if states[row, _RULES] == ODD:
        return False
    if counts[rules] and states[row, _RULES] == rules:
        voids = states[row, _LEFT_VOIDS]
        if not survives[rules] and not _same_players(states, row, marks, hand, size):
            voids = 0
        if voids >= 0 and voids != gist[hand, _VOIDS]:
            return False
    for seat in range(size):
        has = gist[hand, _BALANCE + seat]
        if has == ABSENT:
            continue
        after = claimed = ABSENT
        for other in range(states[row, _SIZE]):
            if np.uint64(states[row, _WHO + other]) == marks[hand, _MARK_PLAYER + seat]:
                after, claimed = states[row, _AFTER + other], states[row, _CLAIMED + other]
        if after != ABSENT and claimed != ABSENT and has != after and has != claimed:
            return False
    return True


@inner
def _leave(states, row, marks, gist, hand, rules):
    """What a hand leaves at its table."""
    states[row, _RULES], states[row, _SIZE] = rules, gist[hand, _SEATED]
    states[row, _LEFT_VOIDS] = gist[hand, _VOIDS_AFTER]
    for seat in range(SEATS):
        states[row, _WHO + seat] = np.int64(marks[hand, _MARK_PLAYER + seat])
        states[row, _AFTER + seat], states[row, _CLAIMED + seat] = gist[hand, _THEN + seat], gist[hand, _SAID + seat]


@inner
def _keep(kept, place, marks, digests, gist, row, source, line):
    """What is kept of a hand to know it again."""
    for word in range(2):
        kept[place, _KEPT_ID + word] = marks[row, _MARK_ID + word]
        kept[place, _KEPT_CONTENT + word] = digests[row, _CONTENT + word]
        kept[place, _KEPT_PLAYED + word] = digests[row, _PLAYED + word]
    for word in range(3):
        kept[place, _KEPT_DEAL + word] = digests[row, _DEAL + word]
    kept[place, _WHERE] = np.uint64(source) << _PLACES | np.uint64(line + gist[row, _LINE])
    size = gist[row, _DEALT] << 8
    kept[place, _HOW] = np.uint64(IS_HAND | HAS_PLAYED | size if digests[row, _ENOUGH] != _NONE else IS_HAND)


@inner
def _fetch(ids, hands, tables, marks, digests, row, secret):
    """Have at hand what will be looked up for a row."""
    at = _PLAYED if digests[row, _ENOUGH] != _NONE else _CONTENT
    hash = _hand_hash(digests[row, at], digests[row, at + 1], secret)
    fetch(ids, np.int64(marks[row, _MARK_ID]) & (ids.size - 1))
    fetch(hands, np.int64(hash) & (hands.size - 1))
    fetch(tables, np.int64(marks[row, _MARK_TABLE]) & (tables.size - 1))


@outer
def recall(memory, proven, alone, marks, digests, gist, laws, counts, survives, source, line, start):
    """Put hands of a block into the memory, from the row ``start`` on; the row of the first that is not all new.

    ``proven``, ``digests``: as in a ``Proof``; a row with no players is no hand. ``alone``: rows of which it is known
    that no other has their id or is the same hand: they are not remembered, but for what they leave. ``laws``: the
    number in the memory of each ruleset of the block; ``counts``, ``survives``: by that number, whether void hands
    before this one matter, and still do where others sit down. ``source``: its number; ``line``: that of the block's
    first line.
    """
    secret, ids, hands, tables, states, kept, used = memory
    for row in range(start, proven.size):
        if not proven[row]:
            return row
        if row + _AHEAD < proven.size and not alone[row + _AHEAD]:
            _fetch(ids, hands, tables, marks, digests, row + _AHEAD, secret)
        if gist[row, _SEATED] == 0:
            continue
        hash = _NONE
        if not alone[row]:
            at = _PLAYED if digests[row, _ENOUGH] != _NONE else _CONTENT
            hash = _hand_hash(digests[row, at], digests[row, at + 1], secret)
            if _is_there(ids, marks[row, _MARK_ID]) or _is_there(hands, hash):
                return row
        if gist[row, _AT_TABLE]:
            rules = laws[gist[row, _OF_RULES]]
            state = _state_of(tables, states, marks[row, _MARK_TABLE], marks[row, _MARK_TABLE + 1])
            if state < 0:
                state = used[2]
                used[2] += 1
                for word in range(2):
                    states[state, _KEY + word] = np.int64(marks[row, _MARK_TABLE + word])
                _put(tables, marks[row, _MARK_TABLE], state)
            elif not _goes_on(states, state, marks, gist, row, rules, counts, survives):
                return row
            _leave(states, state, marks, gist, row, rules)
        if alone[row]:
            continue
        place = used[1]
        used[1] += 1
        _keep(kept, place, marks, digests, gist, row, source, line)
        _put(ids, marks[row, _MARK_ID], used[0] + place)
        _put(hands, hash, used[0] + place)
    return proven.size
