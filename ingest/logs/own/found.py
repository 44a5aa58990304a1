"""What a hand of the source says at a place of the mapping.

Knows rows, conditions and places. Refuses to know what the values mean.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ingest.logs.own.keys import Place, When
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.troubles import Trouble, Unread, impossible
from ingest.logs.own.values import key


class Row(Struct, frozen=True, gc=False):
    """One row of a source, or one document of JSON."""

    line: int
    """Line of CSV, number of a row or a document."""
    value: Any
    raw: bytes = b""
    troubles: tuple[Trouble, ...] = ()


class Hand(Struct, frozen=True):
    """All that a source says of one hand."""

    line: int
    head: Any
    """The document, or the first row."""
    rows: tuple[Row, ...] | None = None
    """The rows that are the hand; None where it is one document."""
    troubles: tuple[Trouble, ...] = ()
    name: str = ""
    """What its rows are grouped by."""
    raw: bytes = b""
    """The document as it came, where it stands alone."""
    chosen: dict[tuple[str | None, str], list[tuple[int, int, Any]]] = {}
    """Rows that were looked for: a memory of ``chosen``, not part of what is said."""


def holds(value: Any, when: When | None) -> bool:
    """Whether a row is one of those meant."""
    if when is None:
        return True
    for path, wanted in when.items():
        found = find(value, path)
        if found is MISSING or (type(found) in (dict, list) and found):
            return False
        said = key(found)
        if type(wanted) is list:
            if not any(said == key(each) for each in wanted):
                return False
        elif said != (wanted if type(wanted) is str else key(wanted)):
            return False
    return True


def rows_at(hand: Hand, rows: str | None) -> list[tuple[int, Any]]:
    """The rows in a list of a hand, or the hand's own; each with its line, 0 in a list. Raises ``Unread``."""
    if rows is None:
        return [(row.line, row.value) for row in hand.rows or ()]
    found = find(hand.head, rows)
    if found is MISSING:
        raise Unread("missing", "R102")
    if found is None:
        return []
    if type(found) is not list:
        raise impossible("shape", found, "not a list")
    return [(0, item) for item in found]


def chosen(hand: Hand, rows: str | None, when: When | None) -> list[tuple[int, int, Any]]:
    """The rows of a list that are meant, each with its place in the list and its line. Raises ``Unread``.

    Several places of a mapping ask for the same rows; they are looked for once.
    """
    name = (rows, str(when))
    known = hand.chosen.get(name)
    if known is None:
        listed = enumerate(rows_at(hand, rows))
        known = [(place, line, value) for place, (line, value) in listed if holds(value, when)]
        hand.chosen[name] = known
    return known


def value_at(place: Place, hand: Hand) -> Any:
    """What stands at a place, in the first of the rows meant; ``MISSING`` where nothing does."""
    if place.rows is None and place.when is None:
        return find(hand.head, place.at)
    rows = _chosen_or_none(place, hand)
    return find(rows[0][2], place.at) if rows else MISSING


def values_at(place: Place, hand: Hand) -> Iterator[tuple[Any, Any]]:
    """In every row meant: whose value it is, and the value."""
    for _, _, value in _chosen_or_none(place, hand):
        yield find(value, place.seat or ""), find(value, place.at)


def _chosen_or_none(place: Place, hand: Hand) -> list[tuple[int, int, Any]]:
    try:
        return chosen(hand, place.rows, place.when)
    except Unread as problem:
        if problem.trouble.code == "R102":
            return []
        raise
