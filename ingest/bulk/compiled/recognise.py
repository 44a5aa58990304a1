"""What a hand is recognised by, as ``ingest.identity`` says it, for hands that are spelt plainly.

A message is written byte by byte and then digested, together with others that wait. Players are turned so that the one
with the least id is first.
"""

from typing import Any

import numpy as np

from ingest.bulk.compiled.blake import BLOCK, LANES, STATE, digest_lanes, into_lane
from ingest.bulk.compiled.learned import mixed
from ingest.bulk.compiled.machine import eight_bytes, inner, item, put, put_eight_bytes, swapped, tight
from ingest.bulk.layout import Digest, Text

LONGEST_NAME = 200
"""Bytes of a player's id; a hand with a longer one is not sure."""
ROOM = 4096
"""Bytes of the longest message."""
_PLAYER, _END, _HAND, _BOTTOM = int(Text.PLAYER), int(Text.END), int(Text.HAND), int(Text.BOTTOM)
_DEAD, _TAKEN = int(Text.DEAD), int(Text.TAKEN)
_CONTENT, _MOVES, _DEAL = int(Digest.CONTENT), int(Digest.MOVES), int(Digest.DEAL)
_LOW = np.uint64(0xFFFFFFFF)
_OF_EIGHT = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
"""What is left of eight letters."""
DEAL_ROOM = 1024
"""Bytes of the longest message about a deal."""
SPARE = 2 * BLOCK
"""Bytes behind a message: for zeros, and for what is written eight at a time."""
_QUEUES = 3
"""Hands of one block, of two and of more wait for others of their length."""
_DEALS = (ROOM + SPARE) // 8 * LANES
_QUEUE = _DEALS + DEAL_ROOM // 8 * LANES
"""Words of a queue: lanes of moves, from ``_DEALS`` on lanes of deals."""


@inner
def _is_less(text, start, end, other, other_end):
    while start < end and other < other_end:
        if text[start] != text[other]:
            return text[start] < text[other]
        start += 1
        other += 1
    return start == end and other < other_end


@tight
def _beginning(text, texts, row, seat):
    """The first letters of a player's id as a word; of two different ones that of the lesser id is less."""
    start, end = texts[row, _PLAYER + seat, 0], texts[row, _PLAYER + seat, 1]
    return swapped(eight_bytes(text, start) & _OF_EIGHT[min(end - start, 8)])


@inner
def _sits_before(text, texts, row, seat, other):
    """Whether the id of one seat's player is less than another's."""
    start, end = texts[row, _PLAYER + seat, 0], texts[row, _PLAYER + seat, 1]
    return _is_less(text, start, end, texts[row, _PLAYER + other, 0], texts[row, _PLAYER + other, 1])


@inner
def first_seat(text, texts, row, players):
    """The seat whose player has the least id; -1 where two have it or one is too long."""
    least, first = 0, _beginning(text, texts, row, 0)
    for seat in range(players):
        if texts[row, _PLAYER + seat, 1] - texts[row, _PLAYER + seat, 0] > LONGEST_NAME:
            return -1
        word = _beginning(text, texts, row, seat)
        if word < first or (word == first and _sits_before(text, texts, row, seat, least)):
            least, first = seat, word
    for seat in range(players):
        is_alike = seat != least and _beginning(text, texts, row, seat) == first
        if is_alike and not _sits_before(text, texts, row, least, seat):
            return -1
    return least


@inner
def write_size(message, at, size):
    """Four bytes, the lowest first."""
    for place in range(4):
        put(message, at + place, np.uint8(size >> (8 * place) & 255))
    return at + 4


@inner
def write_players(message, text, texts, row, players, turn):
    """The beginning of a message: how many players, and their ids from seat ``turn`` on."""
    at = write_size(message, 0, players)
    for step in range(players):
        seat = _PLAYER + turn + step - (players if turn + step >= players else 0)
        start, end = texts[row, seat, 0], texts[row, seat, 1]
        at = write_size(message, at, end - start)
        for place in range(0, end - start, 8):
            put_eight_bytes(message, at + place, eight_bytes(text, start + place))
        at += end - start
    return at


@inner
def write_set(message, at, counts, faces, row):
    """Cards that are shown."""
    put(message, at, np.uint8(1))
    put_eight_bytes(message, at + 1, item(counts, row))
    put_eight_bytes(message, at + 9, item(faces, 2 * row))
    put_eight_bytes(message, at + 17, item(faces, 2 * row + 1))
    return at + 25


@inner
def write_hidden(message, at):
    """Cards that are not told."""
    message[at] = 0
    return at + 1


@inner
def slot_of_deal(counts, faces, row):
    """The four bytes that tell these cards from others."""
    told = mixed(mixed(mixed(np.uint64(0), counts[row]), faces[2 * row]), faces[2 * row + 1]) & _LOW
    return np.uint32(told) if told != np.uint64(0) else np.uint32(1)


@inner
def write_calls(message, at, calls, size, players, turn):
    """The auction in a message, seats turned."""
    at = write_size(message, at, size)
    for place in range(size):
        letter = np.int64(calls[place])
        if letter >= 0x80:
            letter += players - turn if letter - 0x80 < turn else -turn
        message[at + place] = letter
    return at + size


@inner
def write_end(message, at, text, texts, row, ended, players, turn):
    """No trump, then how the hand ends, the seat turned. ``ended``: who left, negative where nobody did."""
    at = write_size(message, at, 0)
    start, end = texts[row, _END, 0], texts[row, _END, 1]
    if start < 0:
        return write_size(message, at, 0)
    at = write_size(message, at, end - start + 1)
    for place in range(start, end):
        message[at] = text[place]
        at += 1
    if ended >= 0:
        message[at - 1] = 48 + (ended - turn + players) % players
    return at


@inner
def write_deal(message, row, players, turn, texts, cards, slots):
    """Cards behind the sixteen bytes of the moves, as they were dealt; and their slots."""
    counts, faces = cards[0], cards[1]
    at = 16
    for step in range(players + 1):
        part = players if step == players else turn + step - (players if turn + step >= players else 0)
        shown = texts[row, _BOTTOM if part == players else _HAND + part, 0] >= 0
        at = write_set(message, at, counts, faces, part) if shown else write_hidden(message, at)
        slots[row, 2 * _DEAL + step] = slot_of_deal(counts, faces, part) if shown else np.uint32(0)
    for part, column in ((players + 1, _DEAD), (players + 2, _TAKEN)):
        shown = texts[row, column, 0] >= 0
        at = write_set(message, at, counts, faces, part) if shown else write_hidden(message, at)
    return write_hidden(message, at)


def waiting() -> tuple[Any, ...]:
    """The arrays in which messages wait to be digested: words, bytes of each, rows, how many, and two to work in."""
    return (
        np.zeros(_QUEUES * _QUEUE, np.uint64), np.zeros(2 * _QUEUES * LANES, np.int64),
        np.zeros(_QUEUES * LANES, np.int64), np.zeros(_QUEUES, np.int64),
        np.zeros(STATE * LANES, np.uint64), np.zeros((LANES, 2), np.uint64),
    )  # fmt: skip


@inner
def put_off(messages, size, deal_size, waits, digests, row):
    """Have the moves of a hand digested, then what was dealt behind them, as soon as enough of its length wait."""
    words, sizes, rows, counts = waits[0], waits[1], waits[2], waits[3]
    queue = min((size - 1) // BLOCK, _QUEUES - 1)
    lane, at, first = counts[queue], queue * _QUEUE, 2 * queue * LANES
    into_lane(messages[0], size, lane, words, at)
    into_lane(messages[1], deal_size, lane, words, at + _DEALS)
    sizes[first + lane], sizes[first + LANES + lane], rows[queue * LANES + lane] = size, deal_size, row
    counts[queue] = lane + 1
    if lane + 1 == LANES:
        _write_digests(waits, queue, digests)


@inner
def write_digests(waits, digests):
    """Digest what still waits."""
    for queue in range(_QUEUES):
        if waits[3][queue] > 0:
            _write_digests(waits, queue, digests)


@inner
def _write_digests(waits, queue, digests):
    """Digest the moves of the hands in a queue, then what was dealt behind these digests."""
    words, sizes, rows, counts, state, found = waits
    at, first, count = queue * _QUEUE, 2 * queue * LANES, counts[queue]
    digest_lanes(words, at, sizes, first, count, state, found)
    for lane in range(count):
        row = rows[queue * LANES + lane]
        for half in range(2):
            digests[row, _MOVES + half] = found[lane, half]
            words[at + _DEALS + half * LANES + lane] = found[lane, half]
    digest_lanes(words, at + _DEALS, sizes, first + LANES, count, state, found)
    for lane in range(count):
        row = rows[queue * LANES + lane]
        digests[row, _CONTENT], digests[row, _CONTENT + 1] = found[lane, 0], found[lane, 1]
    counts[queue] = 0
