"""Fields of a record taken from a hand of the source, each with what could not be read of it.

Knows places, words and seats. Refuses to know which fields a record has.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ingest.logs.own.found import Hand, value_at, values_at
from ingest.logs.own.keys import BySeat, Place, Where
from ingest.logs.own.paths import MISSING
from ingest.logs.own.places import place
from ingest.logs.own.seats import Seating
from ingest.logs.own.troubles import Trouble, Unread, impossible, missing
from ingest.logs.own.values import is_empty, translated, whole

T = TypeVar("T")
Given = tuple[Place, Any]
"""A value as it stands, and the place that says how to read it."""


class Taking(Struct, frozen=True):
    """One hand from which fields are taken; what cannot be read is gathered in ``troubles``."""

    hand: Hand
    troubles: list[Trouble]

    def attempt(self, field: str, read: Callable[..., T], *given: Any, line: int = 0) -> T | None:
        """What is read, or None and a trouble."""
        try:
            return read(*given)
        except Unread as problem:
            inner = problem.trouble.field
            self.troubles.append(msgspec.structs.replace(problem.trouble, field=field + inner, line=line))
            return None

    def one(self, field: str, where: Where | None, read: Callable[[Any], T]) -> T | None:
        """A field of the hand; None where nothing is said."""
        return None if where is None else self.attempt(field, _one, place(where), self.hand, read)

    def number(self, field: str, where: Where | None) -> int | None:
        """A field that is a whole number of its unit."""
        return None if where is None else self.attempt(field, _number, place(where), self.hand)

    def in_order(self, field: str, where: BySeat) -> list[Given] | None:
        """The values of all seats as the source lists them. None where nothing is said."""
        return self.attempt(field, _listed, where, self.hand)

    def by_seat(
        self, field: str, where: BySeat | None, seating: Seating, read: Callable[[Any], T]
    ) -> list[T | None] | None:
        """A field that every seat has, in order of turn; None where nothing is said of any."""
        if where is None:
            return None
        values = self.attempt(field, _seated, where, self.hand, seating)
        if values is None or all(_says_nothing(given) for given in values):
            return None
        return [
            self.attempt(f"{field}[{seat}]", _read, each, value, _reader(each, read))
            for seat, (each, value) in enumerate(values)
        ]


def _one(each: Place, hand: Hand, read: Callable[[Any], T]) -> T | None:
    return _read(each, value_at(each, hand), read)


def _number(each: Place, hand: Hand) -> int | None:
    return _read(each, value_at(each, hand), _amount(each))


def _amount(each: Place) -> Callable[[Any], Any]:
    return lambda value: whole(value, each.unit, each.suffix)


def _reader(each: Place, read: Callable[[Any], T]) -> Callable[[Any], T]:
    return read if each.unit is None and each.suffix is None else _amount(each)


def _read(each: Place, value: Any, read: Callable[[Any], T]) -> T | None:
    """A value, translated and read. Raises ``Unread``."""
    if value is MISSING:
        if each.optional:
            return None
        raise missing()
    if each.words is not None and not (is_empty(value) and "" not in each.words):
        value = translated(value, each.words)
    return None if is_empty(value) else read(value)


def _says_nothing(given: Given) -> bool:
    each, value = given
    return is_empty(value) or (value is MISSING and each.optional)


def _listed(where: BySeat, hand: Hand) -> list[Given] | None:
    """The values of all seats in the source's order, which must not need seats to be read."""
    if isinstance(where, list):
        places = [place(each) for each in where]
        return [(each, value_at(each, hand)) for each in places]
    each = place(where)
    value = value_at(each, hand)
    if value is MISSING:
        if each.optional:
            return None
        raise missing()
    if is_empty(value):
        return None
    if isinstance(value, str) and each.split is not None:
        value = value.split(each.split)
    if type(value) is not list:
        raise impossible("shape", value, "not a list")
    return [(each, item) for item in value]


def pairs_at(where: BySeat, hand: Hand) -> list[tuple[Any, Given]] | None:
    """Values with the words for their seats: rows that name a seat each, or an object. None for what is neither."""
    if isinstance(where, list):
        return None
    each = place(where)
    if each.seat is not None:
        return [(seat, (each, value)) for seat, value in values_at(each, hand)]
    value = value_at(each, hand)
    return [(seat, (each, item)) for seat, item in value.items()] if isinstance(value, dict) else None


def _seated(where: BySeat, hand: Hand, seating: Seating) -> list[Given] | None:
    """The values of all seats in order of turn. Raises ``Unread``."""
    pairs = pairs_at(where, hand)
    if pairs is not None:
        return _by_word(pairs, where, seating)
    listed = _listed(where, hand)
    return None if listed is None else seating.in_turn(fitted(listed, seating.count))


def _by_word(pairs: Sequence[tuple[Any, Given]], where: BySeat, seating: Seating) -> list[Given] | None:
    found: dict[int, Given] = {}
    for word, given in pairs:
        seat = seating.seat(word) if word is not MISSING else None
        if seat is None:
            raise missing()
        if seat in found:
            raise impossible("seat", word, "the same seat twice")
        found[seat] = given
    if not found and isinstance(where, Place) and where.optional:
        return None
    nothing = (where, MISSING) if isinstance(where, Place) else (Place(), MISSING)
    return [found.get(seat, nothing) for seat in range(seating.count)]


def fitted(given: list[Given], count: int) -> list[Given]:
    """As many values as there are seats; empty ones that are too many are left out. Raises ``Unread``."""
    kept = trimmed(given, count)
    if len(kept) != count:
        raise impossible("shape", len(kept), f"values for {count} seats")
    return kept


def trimmed(given: list[Given], count: int = 0) -> list[Given]:
    """Values without the empty ones at their end, ``count`` of them at least."""
    size = len(given)
    while size > count and is_empty(given[size - 1][1]):
        size -= 1
    return given[:size]
