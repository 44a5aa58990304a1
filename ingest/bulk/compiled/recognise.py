"""What a hand is recognised by, as ``ingest.identity`` says it, for hands that are spelt plainly.

A message is written byte by byte and then digested. Players are turned so that the one with the least id is first.
"""

import numpy as np

from ingest.bulk.compiled.blake import digest
from ingest.bulk.compiled.learned import mixed
from ingest.bulk.compiled.machine import eight_bytes, inner, item, put, put_eight_bytes
from ingest.bulk.layout import Digest, Text

LONGEST_NAME = 200
"""Bytes of a player's id; a hand with a longer one is not sure."""
ROOM = 4096
"""Bytes of the longest message."""
_PLAYER, _END, _HAND, _BOTTOM = int(Text.PLAYER), int(Text.END), int(Text.HAND), int(Text.BOTTOM)
_DEAD, _TAKEN = int(Text.DEAD), int(Text.TAKEN)
_CONTENT, _MOVES, _DEAL = int(Digest.CONTENT), int(Digest.MOVES), int(Digest.DEAL)
_LOW = np.uint64(0xFFFFFFFF)


@inner
def _is_less(text, start, end, other, other_end):
    while start < end and other < other_end:
        if text[start] != text[other]:
            return text[start] < text[other]
        start += 1
        other += 1
    return start == end and other < other_end


@inner
def first_seat(text, texts, row, players):
    """The seat whose player has the least id; -1 where two have it or one is too long."""
    least = 0
    for seat in range(players):
        start, end = texts[row, _PLAYER + seat, 0], texts[row, _PLAYER + seat, 1]
        if end - start > LONGEST_NAME:
            return -1
        if _is_less(text, start, end, texts[row, _PLAYER + least, 0], texts[row, _PLAYER + least, 1]):
            least = seat
    for seat in range(players):
        if seat != least and not _is_less(
            text, texts[row, _PLAYER + least, 0], texts[row, _PLAYER + least, 1],
            texts[row, _PLAYER + seat, 0], texts[row, _PLAYER + seat, 1],
        ):  # fmt: skip
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
        message[at + place] = 0x80 + (letter - 0x80 - turn + players) % players if letter >= 0x80 else letter
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


@inner
def write_digests(messages, size, deal_size, work, digests, row):
    """Digest the moves of a hand, then what was dealt behind them."""
    moves, deal = messages
    digests[row, _MOVES], digests[row, _MOVES + 1] = digest(moves, size, work)
    for half in range(2):
        put_eight_bytes(deal, 8 * half, digests[row, _MOVES + half])
    digests[row, _CONTENT], digests[row, _CONTENT + 1] = digest(deal, deal_size, work)
