"""RFC 3339 moments in their plain spelling."""

import numpy as np

from ingest.bulk.compiled.machine import inner, item, tight

_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int64)
_MINUTE = np.int64(60_000_000)


@tight
def _digits(text, at, size):
    """So many digits as a number, -1 where other letters stand."""
    value = np.int64(0)
    for place in range(at, at + size):
        if item(text, place) < 48 or item(text, place) > 57:
            return np.int64(-1)
        value = value * 10 + np.int64(item(text, place)) - 48
    return value


@tight
def _days_since_1970(year, month, day):
    """Days of the Gregorian calendar; the year begins in March, so that the leap day is its last."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


@tight
def _day(text, at):
    """``YYYY-MM-DD`` as days since 1970; -1 << 40 where it is no day."""
    wrong = np.int64(-(1 << 40))
    year, month, day = _digits(text, at, 4), _digits(text, at + 5, 2), _digits(text, at + 8, 2)
    if year < 1 or month < 1 or month > 12 or day < 1 or item(text, at + 4) != 45 or item(text, at + 7) != 45:
        return wrong
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > _DAYS[month] + (1 if leap and month == 2 else 0):
        return wrong
    return _days_since_1970(year, month, day)


@inner
def moment(text, at, end):
    """Whether the text is a moment with its offset, its microseconds since 1970 UTC, and its offset in minutes."""
    if end - at < 20 or end - at > 40:
        return False, np.int64(0), np.int64(0)
    days = _day(text, at)
    hour, minute, second = _digits(text, at + 11, 2), _digits(text, at + 14, 2), _digits(text, at + 17, 2)
    marks = item(text, at + 10) == 84 and item(text, at + 13) == 58 and item(text, at + 16) == 58
    if days < -(1 << 39) or not marks or min(hour, minute, second) < 0 or hour > 23 or max(minute, second) > 59:
        return False, np.int64(0), np.int64(0)
    at += 19
    fraction = np.int64(0)
    if item(text, at) == 46:
        size = 0
        at += 1
        while size < 6 and 48 <= item(text, at) <= 57:
            fraction = fraction * 10 + np.int64(item(text, at)) - 48
            at += 1
            size += 1
        if size == 0:
            return False, np.int64(0), np.int64(0)
        for _ in range(6 - size):
            fraction *= 10
    known, offset = _offset(text, at, end)
    moment_of_day = (hour * 60 + minute - offset) * _MINUTE + second * 1_000_000 + fraction
    return known, days * 1440 * _MINUTE + moment_of_day, offset


@inner
def _offset(text, at, end):
    """``Z`` or ``+HH:MM`` up to the end: whether it is one, and its minutes."""
    if item(text, at) == 90:
        return end - at == 1, np.int64(0)
    sign = item(text, at)
    if end - at != 6 or (sign != 43 and sign != 45) or item(text, at + 3) != 58:
        return False, np.int64(0)
    hours, minutes = _digits(text, at + 1, 2), _digits(text, at + 4, 2)
    if hours < 0 or hours > 23 or minutes < 0 or minutes > 59:
        return False, np.int64(0)
    total = hours * 60 + minutes
    return True, total if sign == 43 else -total
