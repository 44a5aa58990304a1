"""Packed hands proven clean once more, under whatever rules: the loop of ``prove`` over codes in place of letters.

Knows how cards, calls and moves stand in packed hands (``packing``). Whatever else a proof consists of is that of
``prove``. Says of a hand that it is clean, what must be learned first, or nothing: then its line is audited.
"""

import numpy as np

from ingest.bulk.compiled import law as laws
from ingest.bulk.compiled.learned import EMPTY
from ingest.bulk.compiled.machine import eight_bytes, inner, item, outer, put
from ingest.bulk.compiled.prove import VOID, agrees, come_out, end_of, find_landlord, is_ordinary, is_taken, settle
from ingest.bulk.compiled.replay import (
    CLEAN,
    DECLARED_MARK,
    LONGEST_PLAY,
    MOST_CALLS,
    NOT_SURE,
    SEAT_MARK,
    UNKNOWN_AUCTION,
    UNKNOWN_PLAY,
    find_play,
    pick_up,
    play_key,
    remark,
)
from ingest.bulk.compiled.sets import add_codes, are_of_the_pack, are_told, empty_set, put_faces, take_away
from ingest.bulk.layout import SEATS, Fact, Text

_T = {each.name: int(each) for each in Text}
_F = {each.name: int(each) for each in Fact}
_HAND, _BOTTOM, _DEAD, _TAKEN = _T["HAND"], _T["BOTTOM"], _T["DEAD"], _T["TAKEN"]
_AUCTION_TEXT, _PLAYS = _T["AUCTION"], _T["PLAYS"]
_AUCTION, _LANDLORD, _ESCAPED, _OUTCOME = _F["AUCTION"], _F["LANDLORD"], _F["ESCAPED"], _F["OUTCOME"]
_WENT_OUT, _MOVES, _EVENT = _F["WINNER"], _F["MOVES"], _F["EVENT"]
_ZERO, _BITS = np.uint64(0), np.uint64(8)


@inner
def _cards(text, texts, row, column, part, packs, cards):
    """Put the cards of a text into a row of the sets: how many, -1 for too much of one."""
    start, size = np.int64(texts[row, column, 0]), texts[row, column, 1] - texts[row, column, 0]
    if size == 0:
        empty_set(part, cards[0], cards[1], cards[2])
        return 0
    if size != 16 and size != 24:
        return -1
    plain = eight_bytes(text, start + 16) if size == 24 else _ZERO
    low, high = eight_bytes(text, start), eight_bytes(text, start + 8)
    return put_faces(part, packs, low, high, plain, cards[0], cards[1], cards[2])


@inner
def _deal(text, texts, row, game, cards):
    """Put the cards of a hand into the sets, as ``replay.deal``; False where they are not plainly those of the pack."""
    players, packs = game[0], game[1]
    for part in range(players + 2):
        column = _HAND + part if part < players else (_BOTTOM, _DEAD)[part - players]
        wanted = game[2] if part < players else game[3 + part - players]
        if texts[row, column, 0] >= 0:
            if _cards(text, texts, row, column, part, packs, cards) != wanted:
                return False
            put(cards[3], part, wanted)
        elif part <= players:
            return False
        else:
            empty_set(part, cards[0], cards[1], cards[2])
    part, size = players + 2, 0
    empty_set(part, cards[0], cards[1], cards[2])
    if texts[row, _TAKEN, 0] >= 0:
        size = _cards(text, texts, row, _TAKEN, part, packs, cards)
    cards[3][part] = size
    taken = size == 0 or (size > 0 and game[5] == 1)
    return taken and are_of_the_pack(cards[0], cards[1], players + 2, packs)


@inner
def _calls(text, texts, row, calls):
    """The bytes of the calls, which are put into ``calls``; -1 for too many."""
    start, size = np.int64(texts[row, _AUCTION_TEXT, 0]), texts[row, _AUCTION_TEXT, 1] - texts[row, _AUCTION_TEXT, 0]
    if size > MOST_CALLS:
        return -1
    for place in range(size):
        put(calls, place, item(text, start + place))
    return size


@inner
def _declared(text, at, end, names):
    """The name of a declared reading: where it ends, and its number from 1, -1 for none."""
    first, second, size = _ZERO, _ZERO, 0
    while at < end and item(text, at) < SEAT_MARK and size < 16:
        letter = np.uint64(item(text, at)) << (_BITS * np.uint64(size & 7))
        first |= letter if size < 8 else _ZERO
        second |= letter if size >= 8 else _ZERO
        size += 1
        at += 1
    for number in range(names.shape[0]):
        if names[number, 0] == first and names[number, 1] == second:
            return at, number + 1
    return at, -1


@inner
def _play(text, start, end, landlord, auction, law, cards, facts, row, words, told):
    """Replay the plays of one hand, as ``replay.play``; whatever is at fault is not for here."""
    players, close = law.game[0], law.game[6]
    at, turn, owner, standing, passes, index = start, landlord, landlord, np.int64(0), 0, 0
    facts[row, _WENT_OUT] = -1
    while at < end:
        if item(text, at) != SEAT_MARK + turn:
            return NOT_SURE
        at += 1
        begin, before, seat = at, standing, turn
        turn = turn + 1 if turn + 1 < players else 0
        if at == end or item(text, at) >= SEAT_MARK:
            if standing == 0:
                return NOT_SURE
            passes += 1
            if passes == close:
                standing, turn, passes = np.int64(0), owner, 0
        else:
            at, size, ranks, low, high, plain = add_codes(text, at, end)
            if size == 0 or size > LONGEST_PLAY or not are_told(size, ranks, low, high, plain):
                return NOT_SURE
            if not take_away(ranks, low, high, seat, cards[0], cards[1], cards[2]):
                return NOT_SURE
            after, name = at, 0
            if at < end and item(text, at) == DECLARED_MARK:
                at, name = _declared(text, at + 1, end, law.names)
            number = find_play(law, ranks, standing, name)
            if number == EMPTY and name >= 0:
                words[row, 0], words[row, 1] = ranks, play_key(standing, name)
                return UNKNOWN_PLAY
            if number < 0 or name < 0:
                return NOT_SURE
            put(cards[4], seat, item(cards[4], seat) + 1)
            put(cards[3], seat, item(cards[3], seat) - size)
            if item(law.remarkable, number) and not remark(
                law, auction, facts, row, index, seat, landlord, before, number, ranks, size, begin, after, told
            ):
                return NOT_SURE
            standing, owner, passes = number, seat, 0
            if item(cards[3], seat) == 0:
                facts[row, _WENT_OUT], facts[row, _MOVES] = seat, index + 1
                return CLEAN if at == end else NOT_SURE
        index += 1
    facts[row, _MOVES] = index
    return CLEAN


@inner
def _play_out(text, texts, row, law, auction, ended, cards, facts, words, told):
    """The plays of a hand and how it ended; nothing is played in a void hand."""
    start, end = np.int64(texts[row, _PLAYS, 0]), np.int64(texts[row, _PLAYS, 1])
    if ended == -2:
        facts[row, _OUTCOME], facts[row, _WENT_OUT] = VOID, -1
        return CLEAN if start == end else NOT_SURE
    landlord = facts[row, _LANDLORD]
    if not pick_up(law.game, landlord, cards):
        return NOT_SURE
    said = _play(text, start, end, landlord, auction, law, cards, facts, row, words, told)
    return said if said != CLEAN else come_out(facts, row, law.game, ended, cards, told)


@inner
def _hand(text, texts, numbers, row, law, work, told, facts, words):
    """What is said of one hand."""
    cards, game = work[1], law.game
    ended = end_of(text, texts, row, game[0])
    if ended == -3 or not is_ordinary(texts, numbers, row, game[0]):
        return NOT_SURE
    if not _deal(text, texts, row, game, cards) or not is_taken(game, cards):
        return NOT_SURE
    size = _calls(text, texts, row, work[2])
    auction = find_landlord(text, texts, numbers, row, law, cards, work[2], size, words)
    if auction == -1:
        return UNKNOWN_AUCTION
    if auction < 0 or law.auctions[auction, laws.SURE] != 1 or law.auctions[auction, laws.AT_FAULT]:
        return NOT_SURE
    landlord = law.auctions[auction, laws.AUCTION_LANDLORD]
    if (law.auctions[auction, laws.VOID] == 1) != (ended == -2) or not agrees(numbers, row, landlord):
        return NOT_SURE
    facts[row, _AUCTION], facts[row, _LANDLORD], facts[row, _ESCAPED] = auction, landlord, max(ended, -1)
    said = _play_out(text, texts, row, law, auction, ended, cards, facts, words, told)
    return said if said != CLEAN else settle(text, texts, numbers, facts, row, law, auction, told[3][0], 0, words)


@outer
def prove_again(text, texts, numbers, todo, law, work, moves, events, cursors, status, facts, words):
    """Prove the packed hands in the rows ``todo`` of a block, or say what must be learned; as ``prove``, but for
    digests and moves.
    """
    bombs, enough = work[4], work[5]
    told = moves, events, cursors, bombs, enough
    for place in range(todo.size):
        row, event = todo[place], cursors[1]
        for column in range(facts.shape[1]):
            facts[row, column] = 0
        bombs[0], enough[0], enough[1] = _ZERO, 0, 0
        for seat in range(SEATS):
            work[1][4][seat] = 0
        status[row] = _hand(text, texts, numbers, row, law, work, told, facts, words)
        facts[row, _EVENT] = event
        if status[row] != CLEAN:
            cursors[1] = event
