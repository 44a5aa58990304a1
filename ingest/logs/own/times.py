"""When a hand began and when its moves were made: RFC 3339, local time, seconds and milliseconds.

Knows calendars and zones. Refuses to guess a zone: a local time without a stated one is a mistake of the mapping.
"""

import re
import zoneinfo
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any

from msgspec import Struct

from ingest.logs.own.keys import TimeKeys
from ingest.logs.own.troubles import impossible
from ingest.logs.own.values import exact

_OFFSET = re.compile(r"([+-])([01][0-9]|2[0-3]):([0-5][0-9])")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_IN_A_SECOND = {"s": 1, "ms": 1000}
_LONGEST = Decimal(10) ** 15
"""Milliseconds of the longest hand that is believed, and of the latest time."""


class Clock(Struct, frozen=True):
    """How a source writes times."""

    keys: TimeKeys
    zone: tzinfo | None

    def moment(self, given: Any, form: str | None = None) -> datetime:
        """A time with its offset. Raises ``Unread``."""
        form = form or self.keys.form
        if isinstance(given, datetime):
            return self._with_zone(given, given)
        try:
            if form in _IN_A_SECOND:
                since = timedelta(microseconds=int(_milliseconds(given, form) * 1000))
                return (_EPOCH + since).astimezone(self.zone or UTC)
            return self._with_zone(self._parsed(given), given)
        except (ValueError, OverflowError, TypeError):
            raise impossible("time", given, "not a time") from None

    def _parsed(self, given: Any) -> datetime:
        pattern = self.keys.pattern
        return datetime.strptime(given, pattern) if pattern else datetime.fromisoformat(given)

    def _with_zone(self, moment: datetime, given: Any) -> datetime:
        if moment.tzinfo is not None:
            return moment
        if self.zone is None:
            raise impossible("time", given, "no zone")
        return moment.replace(tzinfo=self.zone)

    def since(self, began: datetime | None, given: Any) -> int:
        """Whole milliseconds from the beginning of a hand to a move; what is less is cut off. Raises ``Unread``."""
        if self.keys.moves != "absolute":
            passed = _milliseconds(given, self.keys.moves)
        elif began is None:
            raise impossible("time", given, "the time when the hand began is not known")
        else:
            passed = Decimal((self.moment(given, self.keys.moves_form) - began) // timedelta(milliseconds=1))
        if passed < 0:
            raise impossible("time", given, "before the hand began")
        return int(passed)


def _milliseconds(given: Any, unit: str) -> Decimal:
    number = exact(given, kind="time")
    if number.adjusted() > 20 or abs(number * 1000) > _LONGEST * _IN_A_SECOND[unit]:
        raise impossible("time", given, "impossible time")
    return number * 1000 / _IN_A_SECOND[unit]


def clock(keys: TimeKeys) -> Clock:
    """The clock that a mapping describes. Raises ``ValueError`` for a zone that nobody knows."""
    return Clock(keys, None if keys.zone is None else _zone(keys.zone))


def _zone(name: str) -> tzinfo:
    offset = _OFFSET.fullmatch(name)
    if offset:
        size = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-size if offset[1] == "-" else size)
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is neither an offset such as +08:00 nor a zone that this machine knows") from None
