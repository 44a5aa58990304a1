"""The tokens of JSON in their plain spelling: where each ends, or -1 for whatever is not plain.

Stricter than any JSON parser, never more lenient. No token passes a control character, so that none passes the newline
with which a block ends.
"""

import numpy as np

from ingest.bulk.compiled.machine import eight_bytes, inner, item, leading_number, plain_letters, tight

DEEPEST = 32
"""How deep a value may be nested that is passed over."""
_SIMPLE_ESCAPES = np.zeros(256, np.bool_)
for _letter in b'"\\/bfnrt':
    _SIMPLE_ESCAPES[_letter] = True
_THREE_BYTES, _THREE_MARKS, _FOUR_LETTERS = np.uint64(0xC0C0F0), np.uint64(0x8080E0), np.uint64(0xFFFFFFFF)
_HEX = np.zeros(256, np.bool_)
for _letter in b"0123456789abcdefABCDEF":
    _HEX[_letter] = True


@tight
def spaces(text, at):
    """Past spaces and tabs."""
    while item(text, at) == 32 or item(text, at) == 9:
        at += 1
    return at


@inner
def foreign(text, at):
    """Past one character beyond ASCII; -1 where its bytes are not UTF-8 (no overlong form, no surrogate)."""
    lead = item(text, at)
    second = item(text, at + 1)
    if second & 0xC0 != 0x80:
        return -1
    if lead < 0xE0:
        return at + 2 if lead >= 0xC2 else -1
    if item(text, at + 2) & 0xC0 != 0x80:
        return -1
    if lead < 0xF0:
        overlong = lead == 0xE0 and second < 0xA0
        surrogate = lead == 0xED and second >= 0xA0
        return -1 if overlong or surrogate else at + 3
    if item(text, at + 3) & 0xC0 != 0x80 or lead > 0xF4:
        return -1
    overlong = lead == 0xF0 and second < 0x90
    beyond = lead == 0xF4 and second >= 0x90
    return -1 if overlong or beyond else at + 4


@inner
def escape(text, at):
    """Past one escape, of which ``at`` is the backslash; -1 for a wrong one and for halves of surrogate pairs."""
    if _SIMPLE_ESCAPES[item(text, at + 1)]:
        return at + 2
    if item(text, at + 1) != 117:
        return -1
    for place in range(at + 2, at + 6):
        if not _HEX[item(text, place)]:
            return -1
    surrogate = (item(text, at + 2) == 100 or item(text, at + 2) == 68) and item(text, at + 3) > 55
    return -1 if surrogate else at + 6


@tight
def string(text, at, decoded):
    """Past what is inside quotes, to the closing one; ``at`` is behind the opening one.

    ``decoded``: whether escapes may stand there.
    """
    while True:
        at += plain_letters(text, at)
        if item(text, at) == 34:
            return at
        at = _strange(text, at, decoded)
        if at < 0:
            return -1


@inner
def _strange(text, at, decoded):
    """Past letters beyond ASCII, or one escape, or a plain letter; -1 for what may not stand in a text."""
    letter = item(text, at)
    if letter == 92:
        return escape(text, at) if decoded else -1
    if letter < 32:
        return -1
    if letter < 128:
        return at + 1
    while letter >= 128:
        at = at + 3 if _is_common(text, at, letter) else foreign(text, at)
        if at < 0:
            return -1
        letter = item(text, at)
    return at


@tight
def _is_common(text, at, letter):
    """Whether three bytes are one character, and neither overlong nor a surrogate."""
    return eight_bytes(text, at) & _THREE_BYTES == _THREE_MARKS and letter != 0xE0 and letter != 0xED


@tight
def word(text, at, letters):
    """Whether these four letters stand here."""
    return eight_bytes(text, at) & _FOUR_LETTERS == letters


NULL, TRUE, _FALS = (np.uint64(int.from_bytes(letters, "little")) for letters in (b"null", b"true", b"fals"))


@tight
def is_false(text, at):
    """Whether ``false`` stands here."""
    return word(text, at, _FALS) and item(text, at + 4) == 101


@tight
def is_null(text, at):
    """Whether ``null`` stands here."""
    return word(text, at, NULL)


@tight
def integer(text, at):
    """A whole number of at most 18 digits, without a leading zero: where it ends, and the number."""
    negative = item(text, at) == 45
    at += negative
    size, value = leading_number(eight_bytes(text, at))
    if size == 0 or (item(text, at) == 48 and (size > 1 or negative)):
        return -1, value
    at += size
    if size == 8:
        at, value = _longer(text, at, value)
    return at, -value if negative else value


@inner
def _longer(text, at, value):
    """The rest of a number behind eight digits; -1 where it has more than 18."""
    size = 8
    while 48 <= item(text, at) <= 57 and size <= 18:
        value = value * 10 + np.int64(item(text, at)) - 48
        at += 1
        size += 1
    return (at if size <= 18 else -1), value


@inner
def number(text, at):
    """Past any number as JSON writes it; -1 for what is none."""
    if item(text, at) == 45:
        at += 1
    start = at
    while 48 <= item(text, at) <= 57:
        at += 1
    if at == start or (item(text, start) == 48 and at - start > 1) or at - start > 300:
        return -1
    if item(text, at) == 46:
        start = at + 1
        at += 1
        while 48 <= item(text, at) <= 57:
            at += 1
        if at == start:
            return -1
    return -1 if item(text, at) == 101 or item(text, at) == 69 else at


@inner
def scalar(text, at):
    """Past a text, a number or a word; -1 for what is none."""
    letter = item(text, at)
    if letter == 34:
        at = string(text, at + 1, True)
        return -1 if at < 0 else at + 1
    if letter == 110:
        return at + 4 if word(text, at, NULL) else -1
    if letter == 116:
        return at + 4 if word(text, at, TRUE) else -1
    if letter == 102:
        return at + 5 if is_false(text, at) else -1
    return number(text, at)


@inner
def key(text, at):
    """Past a key and its colon, to the value; ``at`` is its opening quote."""
    if item(text, at) != 34:
        return -1
    at = string(text, at + 1, True)
    if at < 0:
        return -1
    at = spaces(text, at + 1)
    return spaces(text, at + 1) if item(text, at) == 58 else -1


@inner
def value(text, at):
    """Past any JSON value that is not nested too deep."""
    objects = np.uint64(0)
    depth = 0
    while True:
        letter = item(text, at)
        if letter == 123 or letter == 91:
            if depth == DEEPEST:
                return -1
            depth += 1
            objects = (objects << np.uint64(1)) | np.uint64(letter == 123)
            at = spaces(text, at + 1)
            if item(text, at) != (125 if letter == 123 else 93):
                at = key(text, at) if letter == 123 else at
                if at < 0:
                    return -1
                continue
        else:
            at = scalar(text, at)
            if at < 0:
                return -1
            if depth == 0:
                return at
        at, depth, objects = _after_value(text, at, depth, objects)
        if at < 0 or depth == 0:
            return at


@inner
def _after_value(text, at, depth, objects):
    """From behind a value, or from the bracket that closes an empty one, to the next: its place and what is open."""
    while True:
        at = spaces(text, at)
        in_object = objects & np.uint64(1) == np.uint64(1)
        if item(text, at) == 44:
            at = spaces(text, at + 1)
            return (key(text, at) if in_object else at), depth, objects
        if item(text, at) != (125 if in_object else 93):
            return -1, depth, objects
        at += 1
        depth -= 1
        objects >>= np.uint64(1)
        if depth == 0:
            return at, depth, objects
