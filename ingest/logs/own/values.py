"""Values of a source as texts, whole numbers and yes or no, exactly.

Knows that a CSV has only texts and that pandas writes 12 as 12.0. Refuses to round: what is not whole is unreadable.
"""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ingest.logs.own.troubles import impossible, unreadable
from ingest.record import LARGEST

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_DIGITS = 40
_YES_NO = {"true": True, "false": False, "1": True, "0": False}


def is_empty(value: Any) -> bool:
    """Whether a value says that there is none."""
    return value is None or value == "" or (type(value) is float and math.isnan(value))


def text(value: Any) -> str:
    """A value as text, letter for letter; nothing for null. Raises ``Unread`` for lists and objects."""
    if type(value) is str:
        return value
    if is_empty(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal | datetime):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    raise impossible("shape", value, "not a text")


def key(value: Any) -> str:
    """A value as words are looked up by; also for an empty list, which says nothing."""
    return "" if value == [] else text(value)


def translated(value: Any, words: Mapping[str, str]) -> str:
    """What a word of the source means. Raises ``Unread``."""
    said = key(value)
    if said not in words:
        raise unreadable("word", said)
    return words[said]


def whole(value: Any, unit: str | None = None, suffix: str | None = None) -> int:
    """A value as a whole number of units. Raises ``Unread`` for what is none."""
    if type(value) is int and unit is None and -LARGEST - 1 <= value <= LARGEST:
        return value
    number = exact(value, suffix)
    exponent = number.as_tuple().exponent
    if number.adjusted() > _DIGITS or not isinstance(exponent, int) or exponent < -_DIGITS:
        raise impossible("number", value, "impossible number")
    amount = Fraction(number) / Fraction(unit or 1)
    if amount.denominator != 1:
        raise impossible("number", value, "not a whole number" if unit is None else f"not a whole number of {unit}")
    if not -LARGEST - 1 <= amount.numerator <= LARGEST:
        raise impossible("number", value, "impossible number")
    return amount.numerator


def exact(value: Any, suffix: str | None = None, kind: str = "number") -> Decimal:
    """A value as a number, to the last digit. Raises ``Unread`` for what is none."""
    if type(value) is int:
        return Decimal(value)
    if type(value) is Decimal and value.is_finite():
        return value
    if type(value) is float and math.isfinite(value):
        return Decimal(repr(value))
    if isinstance(value, str):
        digits = value.removesuffix(suffix) if suffix else value
        if _NUMBER.fullmatch(digits):
            return Decimal(digits)
    raise impossible(kind, value, "not a number")


def yes_or_no(value: Any) -> bool:
    """A value as yes or no. Raises ``Unread``."""
    said = text(value).lower()
    if said not in _YES_NO:
        raise unreadable("word", said)
    return _YES_NO[said]


def is_amount(unit: str) -> bool:
    """Whether a text is a number above 0."""
    return bool(_NUMBER.fullmatch(unit)) and Decimal(unit) > 0
