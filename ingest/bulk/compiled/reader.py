"""The strict reader of Fupan's own records: a block of lines in, flat arrays out (``ingest.bulk.layout``).

Reads only what is spelt plainly, each key once and every key known; of any other line it says that it has not been
read. What it reads is what ``ingest.record.read_record`` reads.
"""

import numpy as np

from ingest.bulk.compiled import tokens
from ingest.bulk.compiled.keys import (
    CLAIM_COLUMNS,
    CLAIM_ENDS,
    CLAIM_FIELD,
    CLAIM_KEYS,
    FIRST_NUMBER,
    FIRST_OTHER,
    HANDS_FIELD,
    LIMITS,
    OPEN_FLAG,
    PLAYERS_FIELD,
    PLAYS_FIELD,
    SEAT_KEYS,
    TAGS_FIELD,
    TEXT_COLUMN,
    ZERO,
    field_of,
    key,
)
from ingest.bulk.compiled.machine import inner, item, outer, tight
from ingest.bulk.compiled.moments import moment
from ingest.bulk.layout import ABSENT, NUMBERS, SEATS, Number, Text

NOT_READ, READ = 0, 1
"""What became of a line."""

TOO_MANY_LINES = -1
_LONGEST_ID = 128
_WHOLE = np.iinfo(np.int64).max
_QUOTE, _COMMA, _OPEN, _CLOSE, _ARRAY, _ARRAY_END = 34, 44, 123, 125, 91, 93


_ID, _RULES, _PLAYER, _NAME, _HAND = int(Text.ID), int(Text.RULES), int(Text.PLAYER), int(Text.NAME), int(Text.HAND)
_PLAYS, _AT, _TAGS_TEXT, _EXTRA_TEXT = int(Text.PLAYS), int(Text.AT), int(Text.TAGS), int(Text.EXTRA)
_N = {each.name: int(each) for each in Number}
_LINE, _START, _STOP, _RULES_NUMBER = _N["LINE"], _N["START"], _N["STOP"], _N["RULES"]
_AT_NUMBER, _OFFSET, _OPEN_NUMBER = _N["AT"], _N["OFFSET"], _N["OPEN"]
_PLAYERS_NUMBER, _HANDS_NUMBER, _CLAIMS = _N["PLAYERS"], _N["HANDS"], _N["CLAIMS"]
_WINNERS, _SCORES, _BALANCES, _WINNER = _N["WINNERS"], _N["SCORES"], _N["BALANCES"], _N["WINNER"]
_SCORE, _CLAIMED_BALANCE, _BALANCE, _BOT = _N["SCORE"], _N["CLAIMED_BALANCE"], _N["BALANCE"], _N["BOT"]

EMPTY = np.full(NUMBERS, -1, np.int64)
"""The numbers of a record that says nothing."""
EMPTY[[Number.AT, Number.CLAIMED_MULTIPLIER, Number.CLAIMED_BID]] = ABSENT
for _column in (Number.BALANCE, Number.SCORE, Number.CLAIMED_BALANCE):
    EMPTY[_column : _column + SEATS] = ABSENT
EMPTY[Number.BASE], EMPTY[Number.VOIDS], EMPTY[Number.OPEN] = 1, 0, 0


@tight
def _next(text, at, end):
    """From behind a value to the next one; 0 at the ``end`` bracket, -1 where neither follows."""
    at = tokens.spaces(text, at)
    if item(text, at) == _COMMA:
        return tokens.spaces(text, at + 1)
    return 0 if item(text, at) == end else -1


@tight
def _text(text, at, texts, row, column, decoded):
    """A text in quotes, or null: where it ends; ``texts`` gets its bounds."""
    if item(text, at) == _QUOTE:
        end = tokens.string(text, at + 1, decoded)
        if end < 0:
            return -1
        texts[row, column, 0], texts[row, column, 1] = at + 1, end
        return end + 1
    return at + 4 if tokens.is_null(text, at) else -1


@tight
def _number(text, at, low, high):
    """A number within limits, or null: where it ends, and the number, ``ABSENT`` for null."""
    if tokens.is_null(text, at):
        return at + 4, np.int64(ABSENT)
    at, value = tokens.integer(text, at)
    return (at if low <= value <= high else -1), value


@tight
def _flag(text, at):
    """``true`` or ``false``: where it ends, and 1 or 0."""
    if tokens.word(text, at, tokens.TRUE):
        return at + 4, 1
    return (at + 5 if tokens.is_false(text, at) else -1), 0


@inner
def _players(text, at, texts, numbers, row):
    """The list of players, ``at`` its bracket; -1 for none or more than a game has."""
    if item(text, at) != _ARRAY:
        return -1
    at = tokens.spaces(text, at + 1)
    for seat in range(SEATS):
        at = _player(text, at, texts, numbers, row, seat)
        if at < 0:
            return -1
        numbers[row, _PLAYERS_NUMBER] = seat + 1
        following = _next(text, at, _ARRAY_END)
        if following <= 0:
            return -1 if following < 0 else tokens.spaces(text, at) + 1
        at = following
    return -1


@inner
def _player(text, at, texts, numbers, row, seat):
    if item(text, at) != _OPEN:
        return -1
    at = tokens.spaces(text, at + 1)
    seen = 0
    while True:
        at, first, second = key(text, at)
        if at < 0 or second != ZERO:
            return -1
        field = 0
        while field < 4 and first != SEAT_KEYS[field]:
            field += 1
        if field == 4 or seen & (1 << field):
            return -1
        seen |= 1 << field
        if field == 0:
            at = _text(text, at, texts, row, _PLAYER + seat, False)
        elif field == 1:
            at = _text(text, at, texts, row, _NAME + seat, True)
        elif field == 2:
            at, numbers[row, _BALANCE + seat] = _number(text, at, -_WHOLE, _WHOLE)
        elif tokens.is_null(text, at):
            at += 4
        else:
            at, numbers[row, _BOT + seat] = _flag(text, at)
        if at < 0:
            return -1
        following = _next(text, at, _CLOSE)
        if following <= 0:
            known = following == 0 and texts[row, _PLAYER + seat, 0] >= 0
            return tokens.spaces(text, at) + 1 if known else -1
        at = following


@inner
def _hands(text, at, texts, numbers, row):
    """The list of dealt hands, or null."""
    if item(text, at) != _ARRAY:
        return at + 4 if tokens.is_null(text, at) else -1
    at = tokens.spaces(text, at + 1)
    for seat in range(SEATS):
        at = _text(text, at, texts, row, _HAND + seat, False)
        if at < 0:
            return -1
        numbers[row, _HANDS_NUMBER] = seat + 1
        following = _next(text, at, _ARRAY_END)
        if following <= 0:
            return -1 if following < 0 else tokens.spaces(text, at) + 1
        at = following
    return -1


@inner
def _numbers(text, at, numbers, row, count, column, low, high, hidden):
    """A list of at most ``SEATS`` numbers, or null: where it ends. ``hidden``: whether null may stand in it."""
    if item(text, at) != _ARRAY:
        return at + 4 if tokens.is_null(text, at) else -1
    at = tokens.spaces(text, at + 1)
    numbers[row, count] = 0
    if item(text, at) == _ARRAY_END:
        return at + 1
    for place in range(SEATS):
        at, numbers[row, column + place] = _number(text, at, low, high)
        if at < 0 or (numbers[row, column + place] == ABSENT and not hidden):
            return -1
        numbers[row, count] = place + 1
        following = _next(text, at, _ARRAY_END)
        if following <= 0:
            return -1 if following < 0 else tokens.spaces(text, at) + 1
        at = following
    return -1


@inner
def _claim(text, at, numbers, row):
    """The claim, or null."""
    if item(text, at) != _OPEN:
        return at + 4 if tokens.is_null(text, at) else -1
    at = tokens.spaces(text, at + 1)
    numbers[row, _CLAIMS] = 1
    if item(text, at) == _CLOSE:
        return at + 1
    seen = 0
    while True:
        at, first, second = key(text, at)
        if at < 0:
            return -1
        field = 0
        while field < 6 and (first != CLAIM_KEYS[field] or second != CLAIM_ENDS[field]):
            field += 1
        if field == 6 or seen & (1 << field):
            return -1
        seen |= 1 << field
        if field < 3:
            low, high = (0, 99) if field == 0 else (-_WHOLE, _WHOLE)
            at, value = _number(text, at, low, high)
            numbers[row, CLAIM_COLUMNS[field]] = -1 if field == 0 and value == ABSENT else value
        elif field == 3:
            at = _numbers(text, at, numbers, row, _WINNERS, _WINNER, 0, 99, False)
        elif field == 4:
            at = _numbers(text, at, numbers, row, _SCORES, _SCORE, -_WHOLE, _WHOLE, False)
        else:
            at = _numbers(text, at, numbers, row, _BALANCES, _CLAIMED_BALANCE, -_WHOLE, _WHOLE, True)
        if at < 0:
            return -1
        following = _next(text, at, _CLOSE)
        if following <= 0:
            return -1 if following < 0 else tokens.spaces(text, at) + 1
        at = following


@inner
def _tags(text, at, texts, row):
    """An object of texts, or null."""
    if item(text, at) != _OPEN:
        return at + 4 if tokens.is_null(text, at) else -1
    texts[row, _TAGS_TEXT, 0] = at
    at = tokens.spaces(text, at + 1)
    if item(text, at) != _CLOSE:
        while True:
            at = tokens.key(text, at)
            if at < 0 or item(text, at) != _QUOTE:
                return -1
            at = tokens.string(text, at + 1, True)
            if at < 0:
                return -1
            following = _next(text, at + 1, _CLOSE)
            if following < 0:
                return -1
            if following == 0:
                at = tokens.spaces(text, at + 1)
                break
            at = following
    texts[row, _TAGS_TEXT, 1] = at + 1
    return at + 1


@tight
def _field(text, at, field, texts, numbers, row):
    """The value of one field of a record: where it ends, -1 where it is not plain."""
    if field < FIRST_NUMBER:
        return _text(text, at, texts, row, TEXT_COLUMN[field], False)
    if field < FIRST_OTHER:
        place = field - FIRST_NUMBER
        at, value = _number(text, at, LIMITS[place, 1], LIMITS[place, 2])
        if value == ABSENT:
            return at if field >= FIRST_NUMBER + 2 else -1
        numbers[row, LIMITS[place, 0]] = value
        return at
    if field == OPEN_FLAG:
        at, numbers[row, _OPEN_NUMBER] = _flag(text, at)
        return at
    if field == PLAYERS_FIELD:
        return _players(text, at, texts, numbers, row)
    if field == HANDS_FIELD:
        return _hands(text, at, texts, numbers, row)
    if field == CLAIM_FIELD:
        return _claim(text, at, numbers, row)
    if field == TAGS_FIELD:
        return _tags(text, at, texts, row)
    texts[row, _EXTRA_TEXT, 0] = at
    at = tokens.value(text, at)
    texts[row, _EXTRA_TEXT, 1] = at
    return at


@tight
def _record(text, at, texts, numbers, row):
    """One record, ``at`` its brace: where it ends, -1 where it is not plain."""
    if item(text, at) != _OPEN:
        return -1
    at = tokens.spaces(text, at + 1)
    seen, plays = 0, False
    while True:
        at, first, second = key(text, at)
        if at < 0:
            return -1
        field = field_of(first, second)
        if field < 0 or seen & (1 << field):
            return -1
        seen |= 1 << field
        at = _field(text, at, field, texts, numbers, row)
        if at < 0:
            return -1
        plays = plays or field == PLAYS_FIELD
        following = _next(text, at, _CLOSE)
        if following < 0:
            return -1
        if following == 0:
            break
        at = following
    if plays and texts[row, _PLAYS, 0] < 0:
        return -1
    return tokens.spaces(text, at) + 1 if _is_whole(text, texts, numbers, row) else -1


@inner
def _is_whole(text, texts, numbers, row):
    """Whether the required fields are there and the rest is possible."""
    size = texts[row, _ID, 1] - texts[row, _ID, 0]
    if texts[row, _ID, 0] < 0 or size < 1 or size > _LONGEST_ID or numbers[row, _PLAYERS_NUMBER] < 1:
        return False
    if texts[row, _AT, 0] >= 0:
        known, numbers[row, _AT_NUMBER], numbers[row, _OFFSET] = moment(text, texts[row, _AT, 0], texts[row, _AT, 1])
        return known
    return True


@inner
def rules_number(text, start, end, names, before):
    """The place of a name among ``names`` (rows of bytes, zero behind); ``before``: where the last one was."""
    size = end - start
    if start < 0:
        return -1
    if size >= names.shape[1]:
        return -2
    for step in range(names.shape[0]):
        row = (before + step) % names.shape[0]
        place = 0
        while place < size and names[row, place] == item(text, start + place):
            place += 1
        if place == size and names[row, size] == 0:
            return row
    return -2


@outer
def read_block(text, names, texts, numbers, status):
    """Read every line of a block that is not blank; how many there are, and how many lines.

    ``names``: ``uint8[r, w]``, the names of rulesets, each with a zero behind it. Fills ``texts``, ``numbers`` and
    ``status``; ``TOO_MANY_LINES`` in place of the number where these have too few rows.
    """
    at, row, line, before, size = 0, 0, 0, 0, text.size
    while at < size:
        if row == status.size:
            return TOO_MANY_LINES, line
        for column in range(texts.shape[1]):
            texts[row, column, 0] = texts[row, column, 1] = -1
        for column in range(numbers.shape[1]):
            numbers[row, column] = EMPTY[column]
        end = _record(text, at, texts, numbers, row)
        status[row] = READ
        if end >= 0:
            while item(text, end) == 13:
                end += 1
        if end < 0 or item(text, end) != 10:
            status[row] = NOT_READ
            end = at
            while item(text, end) != 10:
                end += 1
        stop = end
        while stop > at and item(text, stop - 1) == 13:
            stop -= 1
        numbers[row, _LINE], numbers[row, _START], numbers[row, _STOP] = line, at, stop
        if status[row] == READ:
            number = rules_number(text, texts[row, _RULES, 0], texts[row, _RULES, 1], names, before)
            before = max(number, 0)
            numbers[row, _RULES_NUMBER] = number
            row += 1
        elif not _is_blank(text, at, stop):
            row += 1
        line += 1
        at = end + 1
    return row, line


@outer
def lines_at(text, numbers, size, spans):
    """Where the lines of a block of ``size`` bytes begin, and where they end, their newline included if it has one."""
    for row in range(spans.shape[0]):
        end = numbers[row, _STOP]
        while item(text, end) != 10:  # behind the text of a line there may be carriage returns
            end += 1
        spans[row, 0], spans[row, 1] = numbers[row, _START], min(end + 1, size)


@inner
def _is_blank(text, at, end):
    while at < end and (item(text, at) == 32 or 9 <= item(text, at) <= 13):
        at += 1
    return at == end
