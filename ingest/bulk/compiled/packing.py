"""Hands as bytes that say all a proof rests on, and back into flat arrays (``ingest.bulk.layout``) without JSON.

Knows where each field lies in these bytes. Refuses to know what a field means: whatever of a record may decide a
verdict under any rules stands here, or the hand is not packed.

A hand is: ``VERSION``; eight bytes that tell which numbers differ from those of a record that says nothing, and these,
seven bits a byte, the lowest first, the sign in the lowest; then for each of ``COLUMNS`` two bytes, one more than its
size, 0 where it is absent, and the bytes. Cards of a hand are two words of faces, and a third by rank where some have
no suit (``sets``), nothing where there are none. Calls and moves begin with a byte for the seat (``SEAT_MARK``), as in
the messages that tell hands apart, and the cards of a play are one byte each, their code. Clocks, times, names and ids
of hands are left out: no verdict on a hand depends on them that can be read, of players whose ids are told apart.
"""

import numpy as np

from ingest.bulk.compiled.identify import write_plays
from ingest.bulk.compiled.machine import eight_bytes, inner, item, lowest, outer, put, put_eight_bytes
from ingest.bulk.compiled.reader import EMPTY, rules_number
from ingest.bulk.compiled.recognise import first_seat
from ingest.bulk.compiled.replay import read_calls
from ingest.bulk.compiled.sets import add_up, are_told, ranks_of
from ingest.bulk.layout import NUMBERS, SEATS, Number, Text

VERSION = 1
"""Goes up whenever a proof looks at something of a record that it did not look at before, or these bytes are changed:
what was packed otherwise is audited by its line.
"""
ROOM = 9 + 10 * NUMBERS + 64
"""Bytes that a packed hand may have more than its line."""
_AS_IT_IS, _CALLS, _CARDS, _MOVES = range(4)
_FORMS = {
    Text.RULES: _AS_IT_IS, Text.TABLE: _AS_IT_IS, Text.MARKER: _AS_IT_IS, Text.END: _AS_IT_IS,
    **dict.fromkeys(range(Text.PLAYER, Text.PLAYER + SEATS), _AS_IT_IS), Text.AUCTION: _CALLS,
    **dict.fromkeys(range(Text.HAND, Text.HAND + SEATS), _CARDS), Text.BOTTOM: _CARDS, Text.DEAD: _CARDS,
    Text.TAKEN: _CARDS, Text.PLAYS: _MOVES,
}  # fmt: skip
COLUMNS = tuple(int(column) for column in _FORMS)
"""The texts of a packed hand, in their order."""
_COLUMNS, _HOW = np.array(COLUMNS, np.int64), np.array([*_FORMS.values()], np.int64)
_FIRST_NUMBER, _PLAYERS = int(Number.BASE), int(Number.PLAYERS)
_RULES_NUMBER, _LINE, _START, _STOP = int(Number.RULES), int(Number.LINE), int(Number.START), int(Number.STOP)
_RULES, _TRUMP, _BURIED = int(Text.RULES), int(Text.TRUMP), int(Text.BURIED)
_LONGEST = 60_000
_LEAST = np.full(NUMBERS, -(1 << 61), np.int64)
_MOST = np.full(NUMBERS, 1 << 61, np.int64)
_LEAST[[Number.VOIDS, Number.FIRST, Number.LANDLORD, Number.PLAYERS, Number.HANDS, Number.WINNERS]] = -1
_MOST[[Number.VOIDS, Number.FIRST, Number.LANDLORD]] = 1000, 99, 99
_MOST[[Number.PLAYERS, Number.HANDS, Number.WINNERS, Number.SCORES, Number.BALANCES]] = SEATS
for _seat in range(SEATS):
    _LEAST[Number.WINNER + _seat], _MOST[Number.WINNER + _seat] = -1, 99
_ZERO, _ONE, _SEVEN, _SIGN = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(63)
_LOW, _MORE = np.uint64(127), np.uint64(128)


@inner
def _copy(source, start, size, packed, at):
    for place in range(size):
        put(packed, at + place, item(source, start + place))


@inner
def _write_numbers(numbers, row, packed, at):
    """The numbers of a record that differ from those of one that says nothing: where they end, -1 for one too large."""
    told, mark = _ZERO, at
    at += 8
    for column in range(_FIRST_NUMBER, NUMBERS):
        number = numbers[row, column]
        if number == EMPTY[column]:
            continue
        if number < _LEAST[column] or number > _MOST[column]:
            return -1
        told |= _ONE << np.uint64(column - _FIRST_NUMBER)
        left = np.uint64(number << 1) ^ np.uint64(number >> 63)
        while left >= _MORE:
            put(packed, at, np.uint8((left & _LOW) | _MORE))
            left >>= _SEVEN
            at += 1
        put(packed, at, np.uint8(left))
        at += 1
    put_eight_bytes(packed, mark, told)
    return at


@inner
def _write_set(text, start, end, packed, at):
    """The cards of a hand: how many bytes, -1 for what is not plain."""
    stop, size, ranks, low, high, plain = add_up(text, start, end)
    if stop != end or not are_told(size, ranks, low, high, plain) or ranks_of(low, high) + plain != ranks:
        return -1
    put_eight_bytes(packed, at, low)
    put_eight_bytes(packed, at + 8, high)
    put_eight_bytes(packed, at + 16, plain)
    return 0 if size == 0 else 16 if plain == _ZERO else 24


@inner
def _write_text(text, texts, numbers, row, place, names, work, packed, at):
    """One text: where it ends, -1 where it is not plain."""
    column, how = _COLUMNS[place], _HOW[place]
    start, end = np.int64(texts[row, column, 0]), np.int64(texts[row, column, 1])
    begin, size = at + 2, np.int64(-1)
    if start >= 0 and end - start > _LONGEST:
        return np.int64(-1)
    if start >= 0 and how == _AS_IT_IS:
        size = end - start
        _copy(text, start, size, packed, begin)
    elif start >= 0 and how == _CARDS:
        size = np.int64(_write_set(text, start, end, packed, begin))
    elif start >= 0:
        scratch = work[2] if how == _CALLS else work[0][0]
        if how == _CALLS:
            size = np.int64(read_calls(text, start, end, scratch))
        else:
            size, _ = write_plays(text, start, end, numbers[row, _PLAYERS], 0, names, scratch, 0)
        _copy(scratch, 0, size, packed, begin)
    if start >= 0 and size < 0:
        return np.int64(-1)
    put(packed, at, np.uint8((size + 1) & 255))
    put(packed, at + 1, np.uint8((size + 1) >> 8))
    return begin + max(size, 0)


@inner
def _pack(text, texts, numbers, row, names, work, packed, at):
    if texts[row, _TRUMP, 0] >= 0 or texts[row, _BURIED, 0] >= 0:
        return np.int64(-1)
    if first_seat(text, texts, row, numbers[row, _PLAYERS]) < 0:
        return np.int64(-1)
    put(packed, at, np.uint8(VERSION))
    at = np.int64(_write_numbers(numbers, row, packed, at + 1))
    for place in range(_COLUMNS.size):
        if at < 0:
            return at
        at = _write_text(text, texts, numbers, row, place, names, work, packed, at)
    return at


@outer
def pack(text, texts, numbers, rows, names, work, packed, ends):
    """Pack the hands in these rows of a block, one behind the other. Fills ``packed`` and ``ends``, where each begins
    and the last ends; a hand that cannot be packed has no bytes.

    ``names``: ``Law.names``. ``work``: a ``workspace``. ``packed`` has ``ROOM`` for each beside its line.
    """
    at = np.int64(0)
    for place in range(rows.size):
        ends[place] = at
        at = max(_pack(text, texts, numbers, rows[place], names, work, packed, at), at)
    ends[rows.size] = at


@inner
def _read_numbers(packed, at, end, numbers, row):
    """Where the numbers end; -1 where they are none."""
    for column in range(NUMBERS):
        numbers[row, column] = EMPTY[column]
    told = eight_bytes(packed, at)
    at += 8
    while told != _ZERO:
        column = _FIRST_NUMBER + lowest(told)
        told &= told - _ONE
        left, shift, more = _ZERO, _ZERO, True
        while more:
            if at >= end or shift > _SIGN:
                return -1
            byte = np.uint64(item(packed, at))
            left |= (byte & _LOW) << shift
            shift += _SEVEN
            more = byte >= _MORE
            at += 1
        number = np.int64(left >> _ONE) ^ -np.int64(left & _ONE)
        if column >= NUMBERS or number < _LEAST[column] or number > _MOST[column]:
            return -1
        numbers[row, column] = number
    return at


@inner
def _unpack(packed, at, end, texts, numbers, row):
    """Whether these bytes are a hand."""
    if end - at < 9 or packed[at] != VERSION:
        return False
    at = _read_numbers(packed, at + 1, end, numbers, row)
    if at < 0 or numbers[row, _PLAYERS] < 1:
        return False
    for column in range(texts.shape[1]):
        texts[row, column, 0] = texts[row, column, 1] = -1
    for place in range(_COLUMNS.size):
        if at + 2 > end:
            return False
        size = np.int64(item(packed, at)) | np.int64(item(packed, at + 1)) << 8
        at += 2
        if size:
            texts[row, _COLUMNS[place], 0], texts[row, _COLUMNS[place], 1] = at, at + size - 1
            at += size - 1
    return at == end


@outer
def unpack(packed, ends, rules, texts, numbers, is_read):
    """Find texts and numbers of packed hands; some bytes follow the last of them.

    ``ends``: where each begins, and the last ends. ``rules``: as ``read_block`` has names of rulesets. Texts that are
    no letters (cards, calls, moves) stand as they were packed. Fills whether each row is a hand ``is_read``.
    """
    before = 0
    for row in range(is_read.size):
        is_read[row] = _unpack(packed, np.int64(ends[row]), np.int64(ends[row + 1]), texts, numbers, row)
        if is_read[row]:
            number = rules_number(packed, texts[row, _RULES, 0], texts[row, _RULES, 1], rules, before)
            before = max(number, 0)
            numbers[row, _RULES_NUMBER] = number
        numbers[row, _LINE], numbers[row, _START], numbers[row, _STOP] = row, 0, 0
