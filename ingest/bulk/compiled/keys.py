"""The keys of a record, its players and its claim: which field each is, by its letters as numbers.

Knows how keys are spelt. A key with an escape is none of them.
"""

import numpy as np

from ingest.bulk.compiled import tokens
from ingest.bulk.compiled.machine import before_quote, eight_bytes, item, tight
from ingest.bulk.layout import Number, Text


def _packed(name: str) -> tuple[int, int]:
    """A key of at most 16 letters as two numbers, as ``key`` reads it."""
    letters = name.encode().ljust(16, b"\0")
    return int.from_bytes(letters[:8], "little"), int.from_bytes(letters[8:], "little")


_TEXT_KEYS = {
    "id": Text.ID, "rules": Text.RULES, "table": Text.TABLE, "at": Text.AT, "bottom": Text.BOTTOM, "dead": Text.DEAD,
    "marker": Text.MARKER, "auction": Text.AUCTION, "taken": Text.TAKEN, "trump": Text.TRUMP, "buried": Text.BURIED,
    "plays": Text.PLAYS, "end": Text.END,
}  # fmt: skip
_NUMBER_KEYS = {
    "base": (Number.BASE, 1, 10**18), "voids": (Number.VOIDS, 0, 1000), "first": (Number.FIRST, 0, 99),
    "landlord": (Number.LANDLORD, 0, 99),
}  # fmt: skip
_OTHER_KEYS = ("open", "players", "hands", "claim", "tags", "extra")
_NAMES = [*_TEXT_KEYS, *_NUMBER_KEYS, *_OTHER_KEYS]
FIRST_NUMBER, FIRST_OTHER = len(_TEXT_KEYS), len(_TEXT_KEYS) + len(_NUMBER_KEYS)
OPEN_FLAG, PLAYERS_FIELD, HANDS_FIELD, CLAIM_FIELD, TAGS_FIELD, _EXTRA_FIELD = range(FIRST_OTHER, len(_NAMES))
PLAYS_FIELD = _NAMES.index("plays")
TEXT_COLUMN = np.array([*_TEXT_KEYS.values()], np.int64)
LIMITS = np.array([*_NUMBER_KEYS.values()], np.int64)
_SLOTS = 128
_SPREAD = 0x9E3779B97F4DBC23
"""A number by which every key has a slot of its own: found by trying, which takes seconds."""
_SLOT_KEY = np.zeros(_SLOTS, np.uint64)
_SLOT_FIELD = np.full(_SLOTS, -1, np.int64)
for _number_of_key, _name in enumerate(_NAMES):
    _slot = (_packed(_name)[0] * _SPREAD % (1 << 64)) >> 57
    assert _SLOT_FIELD[_slot] < 0, "another field has another spread"
    _SLOT_KEY[_slot], _SLOT_FIELD[_slot] = _packed(_name)[0], _number_of_key
_MULTIPLIER = np.uint64(_SPREAD)
_SHIFT = np.uint64(57)
ZERO = np.uint64(0)
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
"""What is left of eight letters."""

SEAT_KEYS = np.array([_packed(name)[0] for name in ("id", "name", "balance", "bot")], np.uint64)
_CLAIM_NAMES = ("landlord", "multiplier", "bid", "winners", "scores", "balances")
CLAIM_KEYS = np.array([_packed(name)[0] for name in _CLAIM_NAMES], np.uint64)
CLAIM_ENDS = np.array([_packed(name)[1] for name in _CLAIM_NAMES], np.uint64)
CLAIM_COLUMNS = np.array([Number.CLAIMED_LANDLORD, Number.CLAIMED_MULTIPLIER, Number.CLAIMED_BID], np.int64)


_QUOTE, _COLON = 34, 58


@tight
def key(text, at):
    """A key in quotes and its colon: where the value begins (-1: no plain key), and its letters as two numbers."""
    if item(text, at) != _QUOTE:
        return -1, ZERO, ZERO
    first, second, size = eight_bytes(text, at + 1), ZERO, 0
    size = before_quote(first)
    first &= _MASKS[size]
    if size == 8:
        second = eight_bytes(text, at + 9)
        more = before_quote(second)
        second &= _MASKS[more]
        size += more
    at += size + 1
    if size == 16 or item(text, at) != _QUOTE:
        return -1, ZERO, ZERO
    at = tokens.spaces(text, at + 1)
    if item(text, at) != _COLON:
        return -1, ZERO, ZERO
    return tokens.spaces(text, at + 1), first, second


@tight
def field_of(first, second):
    """The number of a record's field by its key; -1 for any other key."""
    slot = np.int64((first * _MULTIPLIER) >> _SHIFT)
    return _SLOT_FIELD[slot] if _SLOT_KEY[slot] == first and second == ZERO else -1
