"""Seats as a source calls them, as the record's: 0, 1, 2 in order of turn.

Knows numbers, names, players and roles. Refuses to know who is landlord unless the source says so.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct

from ingest.logs.own.keys import SeatKeys
from ingest.logs.own.troubles import unreadable
from ingest.logs.own.values import key

T = TypeVar("T")

USUAL = 3
"""Seats of a source that names no players and says no number."""


class Seating(Struct, frozen=True):
    """How the seats of one hand are called."""

    keys: SeatKeys
    count: int
    players: Sequence[str] = ()
    """Their players' ids, in order of turn."""
    landlord: int | None = None

    def seat(self, given: Any) -> int:
        """The record's seat for a word of the source. Raises ``Unread`` (R105)."""
        said = key(given)
        if self.keys.roles is not None and self.landlord is not None:
            role = _place(self.keys.roles, said)
            if role is not None:
                return (self.landlord + role) % self.count
        if self.keys.players:
            if self.players.count(said) == 1:
                return self.players.index(said)
            raise unreadable("seat", said)
        place = self._number(said) if self.keys.names is None else _place(self.keys.names, said)
        if place is None or not 0 <= place < self.count:
            raise unreadable("seat", said)
        return self._turned(place)

    def _number(self, said: str) -> int | None:
        digits = said.removesuffix(".0")
        return int(digits) - self.keys.first if digits.isascii() and digits.isdigit() and len(digits) < 4 else None

    def _turned(self, place: int) -> int:
        return place if self.keys.order == "turn" else -place % self.count

    def in_turn(self, values: Sequence[T]) -> list[T]:
        """Values in the order of the source's seats, in the order of turn."""
        return (
            list(values)
            if self.keys.order == "turn"
            else [values[-place % len(values)] for place in range(len(values))]
        )


def _place(names: Sequence[str | list[str]], said: str) -> int | None:
    """Which of the seats a word names."""
    for place, name in enumerate(names):
        if said == name or (isinstance(name, list) and said in name):
            return place
    return None


def number_of(keys: SeatKeys) -> int:
    """How many seats a mapping has that names no players."""
    return keys.count or len(keys.names or keys.roles or ()) or USUAL
