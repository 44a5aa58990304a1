"""The compiled loop: replays hands over flat arrays and says of each "clean, with these facts" or "not sure".

Knows turns, holdings and ends. Which play stands after which is looked up; a play that was never met is for Python to
learn.
"""

import numpy as np

from ingest.bulk.compiled import law as laws
from ingest.bulk.compiled.learned import EMPTY, find, find_word
from ingest.bulk.compiled.machine import eight_bytes, inner, item, leading_number, lowest, put, tight
from ingest.bulk.compiled.recognise import ROOM
from ingest.bulk.compiled.sets import (
    UNSUITED,
    are_of_the_pack,
    empty_set,
    face_in,
    is_part,
    read_card,
    read_set,
    take_play,
)
from ingest.bulk.layout import BEYOND, JUDGED, LED_PASS, RULED, Event, Fact, Move, Number, Text

NOT_SURE, CLEAN, UNKNOWN_PLAY, UNKNOWN_AUCTION, UNKNOWN_WORTH, UNKNOWN_SHORT = 0, 1, 2, 3, 4, 5
STOPPED, AT_FAULT, OUT_OF_TURN, NOT_HELD, UNFINISHED = 6, 7, 8, 9, 10
"""What is said of a hand. The unknown ones: what Python has yet to learn. Those from ``STOPPED`` on, where all texts
can be read: the deal is without fault, and there is a fault in the auction behind which nothing is judged, or one after
which the hand was played and settled; a move is out of turn, cards are not held, nobody went out."""

SETS = 8
MOST_MOVES = 1000
LONGEST_PLAY = 40
_LARGEST_BOMB = 8
MOST_CALLS = 8 * (laws.AUCTION_WORDS - 1)
SEAT_MARK, DECLARED_MARK = 0x80, 0x7E
_PASS, _EQUALS = 45, 61
_ZERO, _ONE, _MANY = np.uint64(0), np.uint64(1), np.uint64(16)
_PAIR, _TURN = np.uint64(0xFFFF), np.uint64(0x3A30)
"""Of eight letters the first two, and these as a turn begins: a digit and a colon."""
_STANDING_BITS, _NAME_BITS = np.uint64(laws.STANDING_BITS), np.uint64(laws.NAME_BITS)

_T = {each.name: int(each) for each in Text}
_N = {each.name: int(each) for each in Number}
_F = {each.name: int(each) for each in Fact}
_BOTTOM, _DEAD, _TAKEN, _HAND = _T["BOTTOM"], _T["DEAD"], _T["TAKEN"], _T["HAND"]
_AUCTION, _PLAYS, _MARKER = _T["AUCTION"], _T["PLAYS"], _T["MARKER"]
_FIRST, _VOIDS = _N["FIRST"], _N["VOIDS"]
_WINNER, _MOVES, _MOVE, _EVENTS, _EVENT = _F["WINNER"], _F["MOVES"], _F["MOVE"], _F["EVENTS"], _F["EVENT"]
_LEFT, _PLAYED, _BOMBS, _ROCKETS = _F["LEFT"], _F["PLAYED"], _F["BOMBS"], _F["ROCKETS"]
_M = tuple(int(each) for each in Move)
_E = tuple(int(each) for each in Event)


@inner
def deal(text, texts, row, game, cards):
    """Read the cards of a hand; False where they are not plainly those of the pack.

    The rows of the sets: the seats, the bottom, the dead cards, the cards taken.
    """
    counts, faces, by_face, left = cards[0], cards[1], cards[2], cards[3]
    players, packs = game[0], game[1]
    for part in range(players + 2):
        column = _HAND + part if part < players else (_BOTTOM, _DEAD)[part - players]
        wanted = game[2] if part < players else game[3 + part - players]
        start = texts[row, column, 0]
        if start < 0:
            if part <= players:
                return False
            empty_set(part, counts, faces, by_face)
        else:
            size = read_set(text, start, texts[row, column, 1], part, packs, counts, faces, by_face)
            if size != wanted:
                return False
            left[part] = size
    return are_of_the_pack(counts, faces, players + 2, packs) and _taken(text, texts, row, game, cards)


@inner
def _taken(text, texts, row, game, cards):
    """Read the cards taken; False for what is not plain, and where the landlord takes all."""
    part, start = game[0] + 2, texts[row, _TAKEN, 0]
    empty_set(part, cards[0], cards[1], cards[2])
    cards[3][part] = 0
    if start < 0:
        return True
    size = read_set(text, start, texts[row, _TAKEN, 1], part, game[1], cards[0], cards[1], cards[2])
    cards[3][part] = size
    return size == 0 or (size > 0 and game[5] == 1)


@inner
def pick_up(game, landlord, cards):
    """Give the landlord the bottom, or what he takes of it; False where he takes what is not there."""
    counts, faces, by_face, left = cards[0], cards[1], cards[2], cards[3]
    players = game[0]
    part = players + 2 if game[5] else players
    if game[5] and not is_part(part, players, counts, faces, by_face):
        return False
    counts[landlord] += counts[part]
    faces[2 * landlord] += faces[2 * part]
    faces[2 * landlord + 1] += faces[2 * part + 1]
    by_face[landlord] = by_face[landlord] and by_face[part]
    left[landlord] += left[part]
    return True


@inner
def first_speaker(text, texts, numbers, row, game, cards):
    """Whether it is plain who speaks first, and who; -1 where the record leaves it open."""
    faces, by_face, players, stated = cards[1], cards[2], game[0], numbers[row, _FIRST]
    if stated >= players:
        return False, stated
    start, end = texts[row, _MARKER, 0], texts[row, _MARKER, 1]
    code = -1
    if start >= 0:
        at, code = read_card(text, start) if start < end else (start, -1)
        if code < 0 or at != end:
            return False, stated
    by_marker = code >= 0 and game[9] == laws.BY_MARKER
    if code >= 0 and (game[10] or by_marker):
        holder, holders, suited = -1, 0, code < UNSUITED
        for seat in range(players + 1):
            suited = suited and by_face[seat]
        if not suited:
            return False, stated
        in_bottom = face_in(faces, players, code) > 0
        for seat in range(players):
            if face_in(faces, seat, code) > 0:
                holder = seat
                holders += 1
        if holders == 0 and game[10]:
            return False, stated
        if by_marker and (game[10] or not in_bottom):
            if holders > 1:
                return stated >= 0 and face_in(faces, max(stated, 0), code) > 0, stated
            return holders == 1 and (stated == -1 or stated == holder), np.int64(holder)
    if game[9] == laws.FIRST_SEAT:
        return stated <= 0, np.int64(0)
    return True, stated


@inner
def read_calls(text, start, end, calls):
    """Write the calls of an auction one behind the other, a marked byte for the seat, then the word: how many bytes.

    -1 for what is not plain. Clocks are left out.
    """
    at, size = start, 0
    while at < end:
        if end - at < 3 or text[at] < 48 or text[at] > 57 or text[at + 1] != 58 or size >= MOST_CALLS:
            return -1
        calls[size] = SEAT_MARK + text[at] - 48
        size += 1
        at += 2
        word = at
        while at < end and (97 <= text[at] <= 122 or 48 <= text[at] <= 57 or text[at] == 45):
            if size >= MOST_CALLS:
                return -1
            calls[size] = text[at]
            size += 1
            at += 1
        if at == word:
            return -1
        at, _ = after_move(text, at, end)
        if at < 0:
            return -1
    return size


@inner
def find_auction(calls, size, first, voids, law, words, row):
    """The number of an auction; -1 where it has yet to be learned. ``words`` gets its key."""
    for place in range(size, MOST_CALLS):
        calls[place] = 0
    last = laws.AUCTION_WORDS - 1
    for place in range(last):
        words[row, place] = eight_bytes(calls, 8 * place)
    words[row, last] = np.uint64(first + 1) | (np.uint64(voids) << np.uint64(8)) | (np.uint64(size) << np.uint64(32))
    return find(law.auction_numbers, words, row)


@inner
def after_move(text, at, end):
    """Past ``@MS`` and the space before the next move; -1 where something else stands there. And the clock."""
    clock = np.int64(-1)
    if at < end and item(text, at) == 64:
        digits, clock = leading_number(eight_bytes(text, at + 1))
        at += 1 + digits
        if digits == 0:
            return -1, clock
        while digits >= 8 and at < end and 48 <= item(text, at) <= 57 and digits < 18:
            clock = clock * 10 + np.int64(item(text, at)) - 48
            at += 1
            digits += 1
    if at >= end:
        return (at if at == end else -1), clock
    return (at + 1 if item(text, at) == 32 and at + 1 < end else -1), clock


@inner
def declared(text, at, end, names, message, written):
    """Read ``=name`` where it stands: where it ends, the number of the name from 1 (0: none stands there, -1: no name),
    and the bytes.

    ``names``: two words each.
    """
    if item(text, at) != _EQUALS or at >= end:
        return at, 0, written
    message[written] = DECLARED_MARK
    written += 1
    first, second, size = _ZERO, _ZERO, 0
    at += 1
    while at < end and text[at] != 32 and text[at] != 64 and size < 16:
        letter = np.uint64(text[at])
        if size < 8:
            first |= letter << np.uint64(8 * size)
        else:
            second |= letter << np.uint64(8 * (size - 8))
        message[written] = text[at]
        written += 1
        size += 1
        at += 1
    for number in range(names.shape[0]):
        if names[number, 0] == first and names[number, 1] == second:
            return at, number + 1, written
    return at, -1, written


@tight
def _declared(text, at, end, names, message, written):
    """The same; hardly any play declares a reading."""
    return declared(text, at, end, names, message, written) if item(text, at) == _EQUALS else (at, 0, written)


@inner
def _tell(events, cursors, row, kind, index, seat, first, second, start, stop):
    """Write one event; False where there is no room."""
    at = cursors[1]
    if at >= events.shape[0]:
        return False
    events[at, _E[0]], events[at, _E[1]], events[at, _E[2]], events[at, _E[3]] = row, kind, index, seat
    events[at, _E[4]], events[at, _E[5]], events[at, _E[6]], events[at, _E[7]] = first, second, start, stop
    cursors[1] = at + 1
    return True


@inner
def _note_move(moves, cursors, row, seat, start, stop, before, after, key, clock):
    at = cursors[0]
    moves[at, _M[0]], moves[at, _M[1]], moves[at, _M[2]], moves[at, _M[3]] = row, seat, start, stop
    moves[at, _M[4]], moves[at, _M[5]], moves[at, _M[6]], moves[at, _M[7]] = before, after, np.int64(key), clock
    cursors[0] = at + 1


@inner
def play(text, start, end, landlord, limits, turn_of, law, cards, message, written, facts, row, words, told):
    """Replay the plays of one hand: what is said of it, and the bytes of the message.

    ``limits``: the row of ``law.auctions`` that says how many bombs each seat may throw. ``turn_of``: the seat that
    stands first in the message. ``told``: ``moves``, ``events``, where the next row of each is, the bombs by size,
    eight bits each, and whether anything is at fault. Of a hand that stops, ``words`` gets whose turn it was, or what
    its seat held.
    """
    moves, cursors = told[0], told[2]
    counts, faces, by_face, left, game = cards[0], cards[1], cards[2], cards[3], law.game
    players, close = game[0], game[6]
    at, turn, owner, standing, passes, index = start, landlord, landlord, np.int64(0), 0, 0
    facts[row, _WINNER] = -1
    while at < end:
        if eight_bytes(text, at) & _PAIR != np.uint64(turn) | _TURN:
            return _out_of_turn(facts, row, index, turn, words), written
        if index == MOST_MOVES or written + LONGEST_PLAY + 20 > ROOM:
            return NOT_SURE, written
        at += 2
        put(message, written, np.uint8(SEAT_MARK + turn - turn_of + (players if turn < turn_of else 0)))
        written += 1
        begin, before, seat = at, standing, turn
        turn = turn + 1 if turn + 1 < players else 0
        if item(text, at) == _PASS:
            at, clock = after_move(text, at + 1, end)
            if at < 0 or (
                standing == 0 and not _fault(LED_PASS, facts, row, index, seat, 0, _ZERO, begin, begin, told)
            ):
                return NOT_SURE, written
            passes = passes + 1 if standing != 0 else 0
            if passes == close:
                standing, turn, passes = np.int64(0), owner, 0
            if moves.shape[0]:
                _note_move(moves, cursors, row, seat, begin, begin, before, np.int64(-1), _ZERO, clock)
        else:
            after, size, key, written = take_play(
                text, at, end, LONGEST_PLAY, seat, counts, faces, by_face, message, written
            )
            if size == 0:
                return _not_held(facts, row, index, seat, cards, words), written
            at, name, written = _declared(text, after, end, law.names, message, written)
            number = find_play(law, key, standing, name)
            if number == EMPTY and name >= 0:
                words[row, 0], words[row, 1] = key, play_key(standing, name)
                return UNKNOWN_PLAY, written
            at, clock = after_move(text, at, end)
            if number < laws.FAULTY and _fault(JUDGED, facts, row, index, seat, standing, key, begin, after, told):
                number = laws.FAULTY - number
            if number < 0 or name < 0 or at < 0:
                return NOT_SURE, written
            put(cards[4], seat, item(cards[4], seat) + 1)
            put(left, seat, item(left, seat) - size)
            if item(law.remarkable, number) and not remark(
                law, limits, facts, row, index, seat, landlord, before, number, key, size, begin, after, told
            ):
                return NOT_SURE, written
            standing, owner, passes = number, seat, 0
            if moves.shape[0]:
                _note_move(moves, cursors, row, seat, begin, after, before, number, key, clock)
            if item(left, seat) == 0:
                facts[row, _WINNER] = seat
                if at < end:
                    facts[row, _MOVES], told[4][1] = index + 1, 1
                    return CLEAN, written
        index += 1
    facts[row, _MOVES] = index
    return CLEAN, written


@tight
def play_key(standing, name):
    """What stands and what is declared, as the key of a play has them."""
    return np.uint64(standing) << _STANDING_BITS | np.uint64(max(name, 0)) << _NAME_BITS


@tight
def find_play(law, counts, standing, name):
    """The number of what stands after a play; ``EMPTY`` where it has yet to be learned."""
    kind = _kind_of(law, counts)
    if kind == EMPTY:
        return np.int64(EMPTY)
    if name > 0:
        return find_word(law.declared, np.uint64(kind) | play_key(standing, name))
    if standing >= law.plays.shape[0] or kind >= law.plays.shape[1]:
        return np.int64(EMPTY)
    return np.int64(law.plays[np.uint64(standing), np.uint64(kind)]) - 1


@tight
def _kind_of(law, counts):
    """The kind of cards; most plays are of one rank, and these few are looked up without searching."""
    place = lowest(counts) >> 2
    size = counts >> np.uint64(4 * place)
    if size < _MANY:
        return np.int64(item(law.alike, 16 * place + np.int64(size)))
    return find_word(law.kinds, counts)


@inner
def _out_of_turn(facts, row, index, turn, words):
    """Stop at a move, for it was the turn of another seat."""
    facts[row, _MOVES], words[row, 0] = index, np.uint64(turn)
    return OUT_OF_TURN


@inner
def _not_held(facts, row, index, seat, cards, words):
    """Stop at a play, for its seat holds other cards."""
    counts, faces = cards[0], cards[1]
    facts[row, _MOVES] = index
    words[row, 0], words[row, 1], words[row, 2] = counts[seat], faces[2 * seat], faces[2 * seat + 1]
    words[row, 3] = np.uint64(cards[2][seat])
    return NOT_HELD


@inner
def _fault(kind, facts, row, index, seat, standing, key, start, stop, told):
    """Note a move that is at fault, after which the hand goes on; False where there is no room."""
    told[4][1] = 1
    facts[row, _EVENTS] += 1
    return _tell(told[1], told[2], row, kind, index, seat, standing, np.int64(key), start, stop)


@inner
def remark(law, limits, facts, row, index, seat, landlord, standing, number, key, size, start, stop, told):
    """Count bombs and tell what calls for a note; False where the audit must say it."""
    events, cursors = told[1], told[2]
    if law.ruled[number]:
        facts[row, _EVENTS] += 1
        if not _tell(events, cursors, row, RULED, index, seat, standing, np.int64(key), start, stop):
            return False
    if law.tiers[number] == 0:
        return True
    facts[row, _BOMBS + seat] += 1
    if law.tiers[number] == 2:
        facts[row, _ROCKETS + seat] += 1
    elif size > _LARGEST_BOMB:
        return False
    else:
        told[3][0] += _ONE << np.uint64(8 * (size - 1))
    allowed = law.auctions[limits, laws.LIMIT + seat]
    if seat == landlord or facts[row, _BOMBS + seat] <= allowed:
        return True
    facts[row, _EVENTS] += 1
    thrown = facts[row, _BOMBS + seat]
    return law.game[12] == 1 and _tell(events, cursors, row, BEYOND, index, seat, thrown, allowed, start, stop)
