"""What hands are recognised by that were not proven, as far as they are spelt plainly (``ingest.identity``).

Knows how cards and moves are written. Refuses to know any rule: whatever was played by whom is taken as it stands.
"""

import numpy as np

from ingest.bulk.compiled.machine import eight_bytes, inner, item, outer, put
from ingest.bulk.compiled.recognise import (
    ROOM,
    first_seat,
    put_off,
    write_calls,
    write_deal,
    write_digests,
    write_end,
    write_players,
    write_size,
)
from ingest.bulk.compiled.replay import LONGEST_PLAY, SEAT_MARK, after_move, declared, read_calls
from ingest.bulk.compiled.sets import empty_set, read_set, write_cards
from ingest.bulk.layout import Digest, Number, Text
from ingest.identity import ENOUGH

_AUCTION, _PLAYS, _END, _TRUMP, _BURIED = (
    int(each) for each in (Text.AUCTION, Text.PLAYS, Text.END, Text.TRUMP, Text.BURIED)
)
_HAND, _BOTTOM, _DEAD, _TAKEN = (int(each) for each in (Text.HAND, Text.BOTTOM, Text.DEAD, Text.TAKEN))
_PLAYERS, _HANDS, _IS_ENOUGH = int(Number.PLAYERS), int(Number.HANDS), int(Digest.ENOUGH)
_ESCAPE, _ESCAPE_SIZE, _LONGEST_END = np.uint64(int.from_bytes(b"escape:", "little")), np.uint64(0xFFFFFFFFFFFFFF), 64
_PACKS = 2
"""So many of each card may stand in a text."""
_PASS = 45


@inner
def _read_deal(text, texts, row, players, cards):
    """Read all cards that are shown; how many texts do, -1 where one is not plain."""
    counts, faces, by_face = cards[0], cards[1], cards[2]
    shown = 0
    for part in range(players + 3):
        column = _HAND + part if part < players else (_BOTTOM, _DEAD, _TAKEN)[part - players]
        start = texts[row, column, 0]
        empty_set(part, counts, faces, by_face)
        if start >= 0 and read_set(text, start, texts[row, column, 1], part, _PACKS, counts, faces, by_face) < 0:
            return -1
        shown += start >= 0 and part <= players
    return shown


@inner
def _who_left(text, texts, row):
    """The seat that left, -1 where nobody did, -2 for an end that is too long."""
    start, end = texts[row, _END, 0], texts[row, _END, 1]
    if end - start > _LONGEST_END:
        return -2
    if end - start != 8 or eight_bytes(text, start) & _ESCAPE_SIZE != _ESCAPE:
        return -1
    seat = np.int64(text[start + 7]) - 48
    return seat if 0 <= seat <= 9 else -1


@inner
def _are_seats(calls, size, players):
    for place in range(size):
        if calls[place] >= SEAT_MARK + players:
            return False
    return True


@inner
def write_plays(text, at, end, players, turn, names, message, written):
    """Moves as they stand, seats turned: the bytes of the message, -1 where one is not plain, and how many plays."""
    plays = 0
    while at < end:
        seat = np.int64(item(text, at)) - 48
        if seat < 0 or seat >= players or item(text, at + 1) != 58 or written + LONGEST_PLAY + 20 > ROOM:
            return -1, plays
        at += 2
        put(message, written, np.uint8(SEAT_MARK + seat - turn + (players if seat < turn else 0)))
        written += 1
        if item(text, at) == _PASS:
            at += 1
        else:
            at, size, written = write_cards(text, at, end, LONGEST_PLAY, message, written)
            at, name, written = declared(text, at, end, names, message, written)
            if size == 0 or name < 0:
                return -1, plays
            plays += 1
        at, _ = after_move(text, at, end)
        if at < 0:
            return -1, plays
    return written, plays


@inner
def _identify(text, texts, numbers, row, names, work, digests, slots):
    """Digest one hand; False where it is for Python."""
    messages, cards, calls, digesting = work[0], work[1], work[2], work[3]
    players, hands = numbers[row, _PLAYERS], numbers[row, _HANDS]
    ended = _who_left(text, texts, row)
    if texts[row, _TRUMP, 0] >= 0 or texts[row, _BURIED, 0] >= 0 or ended == -2 or (hands != -1 and hands != players):
        return False
    turn, shown = first_seat(text, texts, row, players), _read_deal(text, texts, row, players, cards)
    start, end = texts[row, _PLAYS, 0], texts[row, _PLAYS, 1]
    if turn < 0 or shown < 0 or (shown == 0 and start == end):
        return False
    begin = texts[row, _AUCTION, 0]
    size = 0 if begin < 0 else read_calls(text, begin, texts[row, _AUCTION, 1], calls)
    if size < 0 or not _are_seats(calls, size, players):
        return False
    moves, deal = messages
    deal_size = write_deal(deal, row, players, turn, texts, cards, slots)
    size_at = write_calls(moves, write_players(moves, text, texts, row, players, turn), calls, size, players, turn)
    written, plays = write_plays(text, start, end, players, turn, names, moves, write_size(moves, size_at, 0))
    if written < 0:
        return False
    write_size(moves, size_at, written - size_at - 4)
    written = write_end(moves, written, text, texts, row, ended, players, turn)
    put_off(messages, written, deal_size, digesting, digests, row)
    digests[row, _IS_ENOUGH] = np.uint64(plays >= ENOUGH)
    return True


@outer
def identify(text, texts, numbers, todo, names, work, digests, slots, known):
    """Digest the hands in the rows ``todo`` of a block. Fills ``digests`` and, by row, whether that is ``known`` now.

    ``work``: a ``workspace``. ``slots``: ``digests`` as ``uint32``. ``names``: ``Law.names``.
    """
    for place in range(todo.size):
        row = todo[place]
        known[row] = _identify(text, texts, numbers, row, names, work, digests, slots)
    write_digests(work[3], digests)
