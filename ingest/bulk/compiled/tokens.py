"""The tokens of JSON in their plain spelling: where each ends, or -1 for whatever is not plain.

Stricter than any JSON parser, never more lenient. No token passes a control character, so that none passes the newline
with which a block ends.
"""

import numpy as np

from ingest.bulk.compiled.machine import eight_bytes, inner, plain_bytes

DEEPEST = 32
"""How deep a value may be nested that is passed over."""
_SIMPLE_ESCAPES = np.zeros(256, np.bool_)
for _letter in b'"\\/bfnrt':
    _SIMPLE_ESCAPES[_letter] = True
_HEX = np.zeros(256, np.bool_)
for _letter in b"0123456789abcdefABCDEF":
    _HEX[_letter] = True


@inner
def spaces(text, at):
    """Past spaces and tabs."""
    while text[at] == 32 or text[at] == 9:
        at += 1
    return at


@inner
def foreign(text, at):
    """Past one character beyond ASCII; -1 where its bytes are not UTF-8 (no overlong form, no surrogate)."""
    lead = text[at]
    second = text[at + 1]
    if second & 0xC0 != 0x80:
        return -1
    if lead < 0xE0:
        return at + 2 if lead >= 0xC2 else -1
    if text[at + 2] & 0xC0 != 0x80:
        return -1
    if lead < 0xF0:
        overlong = lead == 0xE0 and second < 0xA0
        surrogate = lead == 0xED and second >= 0xA0
        return -1 if overlong or surrogate else at + 3
    if text[at + 3] & 0xC0 != 0x80 or lead > 0xF4:
        return -1
    overlong = lead == 0xF0 and second < 0x90
    beyond = lead == 0xF4 and second >= 0x90
    return -1 if overlong or beyond else at + 4


@inner
def escape(text, at):
    """Past one escape, of which ``at`` is the backslash; -1 for a wrong one and for halves of surrogate pairs."""
    if _SIMPLE_ESCAPES[text[at + 1]]:
        return at + 2
    if text[at + 1] != 117:
        return -1
    for place in range(at + 2, at + 6):
        if not _HEX[text[place]]:
            return -1
    surrogate = (text[at + 2] == 100 or text[at + 2] == 68) and text[at + 3] > 55
    return -1 if surrogate else at + 6


@inner
def string(text, at, decoded):
    """Past what is inside quotes, to the closing one; ``at`` is behind the opening one.

    ``decoded``: whether escapes may stand there.
    """
    while True:
        plain = plain_bytes(eight_bytes(text, at))
        at += plain
        if plain == 8:
            continue
        letter = text[at]
        if letter == 34:
            return at
        if letter >= 128:
            at = foreign(text, at)
        elif letter == 92 and decoded:
            at = escape(text, at)
        else:
            return -1
        if at < 0:
            return -1


@inner
def word(text, at, letters):
    """Whether these letters stand here."""
    for letter in letters:
        if text[at] != letter:
            return False
        at += 1
    return True


NULL = (110, 117, 108, 108)
TRUE = (116, 114, 117, 101)
FALSE = (102, 97, 108, 115, 101)


@inner
def is_null(text, at):
    """Whether ``null`` stands here."""
    return word(text, at, NULL)


@inner
def integer(text, at):
    """A whole number of at most 18 digits, without a leading zero: where it ends, and the number."""
    negative = text[at] == 45
    if negative:
        at += 1
    start, value = at, np.int64(0)
    while 48 <= text[at] <= 57 and at - start <= 18:
        value = value * 10 + np.int64(text[at]) - 48
        at += 1
    size = at - start
    if size == 0 or size > 18 or (text[start] == 48 and (size > 1 or negative)):
        return -1, value
    return at, -value if negative else value


@inner
def number(text, at):
    """Past any number as JSON writes it; -1 for what is none."""
    if text[at] == 45:
        at += 1
    start = at
    while 48 <= text[at] <= 57:
        at += 1
    if at == start or (text[start] == 48 and at - start > 1) or at - start > 300:
        return -1
    if text[at] == 46:
        start = at + 1
        at += 1
        while 48 <= text[at] <= 57:
            at += 1
        if at == start:
            return -1
    return -1 if text[at] == 101 or text[at] == 69 else at


@inner
def scalar(text, at):
    """Past a text, a number or a word; -1 for what is none."""
    letter = text[at]
    if letter == 34:
        at = string(text, at + 1, True)
        return -1 if at < 0 else at + 1
    if letter == 110:
        return at + 4 if word(text, at, NULL) else -1
    if letter == 116:
        return at + 4 if word(text, at, TRUE) else -1
    if letter == 102:
        return at + 5 if word(text, at, FALSE) else -1
    return number(text, at)


@inner
def key(text, at):
    """Past a key and its colon, to the value; ``at`` is its opening quote."""
    if text[at] != 34:
        return -1
    at = string(text, at + 1, True)
    if at < 0:
        return -1
    at = spaces(text, at + 1)
    return spaces(text, at + 1) if text[at] == 58 else -1


@inner
def value(text, at):
    """Past any JSON value that is not nested too deep."""
    objects = np.uint64(0)
    depth = 0
    while True:
        letter = text[at]
        if letter == 123 or letter == 91:
            if depth == DEEPEST:
                return -1
            depth += 1
            objects = (objects << np.uint64(1)) | np.uint64(letter == 123)
            at = spaces(text, at + 1)
            if text[at] != (125 if letter == 123 else 93):
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
        if text[at] == 44:
            at = spaces(text, at + 1)
            return (key(text, at) if in_object else at), depth, objects
        if text[at] != (125 if in_object else 93):
            return -1, depth, objects
        at += 1
        depth -= 1
        objects >>= np.uint64(1)
        if depth == 0:
            return at, depth, objects
