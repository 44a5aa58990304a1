"""DouZero's own words for cards, positions and plays, which its forks and its readers share.

Knows how they are spelled. Refuses to know the record's fields. Source: logs.md 3.5.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from ingest.logs.entry import NOT_JSON, refused
from ingest.record import PASS, Record

POSITIONS = ("landlord", "landlord_down", "landlord_up")
"""In order of turn, the landlord first (DZ-R1)."""
BOTTOM = "three_landlord_cards"
DEALT = 17
"""Cards in a hand before the bottom."""

_TEXT = dict(zip("3456789TJQKA2XD", "3456789TJQKA2BR", strict=True)) | {"10": "T"}
_NUMBER = dict(zip((*range(3, 15), 17, 20, 30), "3456789TJQKA2BR", strict=True))
_CARD = re.compile("10|.", re.DOTALL)

objects = msgspec.json.Decoder(dict[str, Raw])
arrays = msgspec.json.Decoder(list[Raw])


def cards(given: Any, field: str) -> list[str]:
    """Ranks of cards given as numbers, as letters, or as a text of either. Raises ``Unreadable`` (R105)."""
    found = _cards(_listed(given))
    if found is None:
        raise refused("R105", field=field, text=shown(given))
    return found


def _cards(given: Any) -> list[str] | None:
    if isinstance(given, str):
        given = _CARD.findall(given)
    if not isinstance(given, list):
        return None
    if set(map(type, given)) == {int}:
        found = [_NUMBER.get(card) for card in given]
    else:
        found = [_rank(card) for card in given]
    return None if None in found else [rank for rank in found if rank]


def _rank(card: Any) -> str | None:
    if isinstance(card, str):
        return _TEXT.get(card)
    return _NUMBER.get(card) if type(card) is int else None


def _listed(given: Any) -> Any:
    """A list that was written as a text, as some servers want it."""
    if not isinstance(given, str) or not given.lstrip().startswith("["):
        return given
    try:
        return msgspec.json.decode(given)
    except NOT_JSON:
        return given


def plays(given: Any, field: str, seats: Sequence[str] = POSITIONS) -> list[tuple[int, str]]:
    """What each seat played: cards in order of turn from the landlord on, or pairs of a position and cards.

    A text has a comma between turns. Raises ``Unreadable`` (R103, R105).
    """
    turns = _listed(given)
    if isinstance(turns, str):
        turns = turns.split(",") if turns else []
    if not isinstance(turns, list):
        raise refused("R103", field=field, reason="not a list of plays")
    first = seats.index(POSITIONS[0])
    return [_play(turn, (first + place) % len(seats), f"{field}[{place}]", seats) for place, turn in enumerate(turns)]


def _play(turn: Any, seat: int, field: str, seats: Sequence[str]) -> tuple[int, str]:
    if isinstance(turn, list) and len(turn) == 2 and turn[0] in seats:
        seat, turn = seats.index(turn[0]), turn[1]
    return seat, "".join(cards(turn, field)) or PASS


def without(hand: list[str], bottom: list[str] | None) -> list[str]:
    """The landlord's hand as it was dealt: without the bottom cards, where it holds them."""
    left = list(hand)
    for card in bottom or ():
        if card not in left:
            return hand
        left.remove(card)
    return hand if len(hand) <= DEALT else left


def side(winner: Any, field: str, seats: Sequence[str] = POSITIONS) -> list[int]:
    """The seats of the side that won, called by its name or by a position. Raises ``Unreadable`` (R103)."""
    landlord = seats.index(POSITIONS[0])
    if winner == POSITIONS[0]:
        return [landlord]
    if winner in ("farmer", *POSITIONS[1:]):
        return [seat for seat in range(len(seats)) if seat != landlord]
    raise refused("R103", field=field, reason=f"no side: {shown(winner)}")


def keeping(record: Record, given: dict[str, Raw], used: Iterable[str] = ()) -> Record:
    """A record that keeps what its log says beside what was used, on one line."""
    rest = {name: value for name, value in given.items() if name not in frozenset(used)}
    if not rest:
        return record
    return msgspec.structs.replace(record, extra=Raw(msgspec.json.format(msgspec.json.encode(rest), indent=-1)))


def text_of(raw: bytes) -> None:
    """Raise ``UnicodeDecodeError`` for what is no UTF-8, also where its meaning is never looked at."""
    raw.decode()


def begins_array(head: bytes) -> bool:
    """Whether a log begins as an array: then a line of it may well be a game, and the log is one document still."""
    return head.lstrip()[:1] == b"["


def is_never(_: bytes) -> bool:
    """That a line is a hand, where a log is one document."""
    return False


def value(given: dict[str, Raw], field: str) -> Any:
    """What stands in a field. Raises ``Unreadable`` (R102) and what decoding raises."""
    if field not in given:
        raise refused("R102", field=field)
    return msgspec.json.decode(given[field])


def shown(given: Any) -> str:
    """A value as a finding shows it."""
    return msgspec.json.encode(given).decode()[:80]


def name_of(given: dict[str, Raw], fields: Iterable[str], place: str) -> str:
    """The id that a log gives under one of these names, a number or a text, else its place in the logs."""
    for field in fields:
        told = msgspec.json.decode(given[field]) if field in given else None
        told = str(told) if type(told) is int and abs(told) < 1 << 63 else told
        if isinstance(told, str) and 0 < len(told) <= 128:
            return told
    return place[-128:]
