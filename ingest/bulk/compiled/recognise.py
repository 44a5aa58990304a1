"""What a hand is recognised by, as ``ingest.identity`` says it, for hands that are spelt plainly.

A message is written byte by byte and then digested. Players are turned so that the one with the least id is first.
"""

import numpy as np

from ingest.bulk.compiled.blake import digest
from ingest.bulk.compiled.learned import mixed
from ingest.bulk.compiled.machine import eight_bytes, inner, item, put, put_eight_bytes
from ingest.bulk.layout import Text

LONGEST_NAME = 200
"""Bytes of a player's id; a hand with a longer one is not sure."""
ROOM = 4096
"""Bytes of the longest message."""
_PLAYER = int(Text.PLAYER)
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
def write_digest(message, size, work, digests, row, column):
    """Digest a message into two words of ``digests``."""
    digests[row, column], digests[row, column + 1] = digest(message, size, work[0], work[1])
