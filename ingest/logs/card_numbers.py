"""Cards as the numbers 0 to 53, which Botzone and the students' tournament (CCGC) write.

Knows that code alone: ranks by ``number // 4``, suits by ``number % 4``, 52 and 53 the jokers.
"""

from typing import Any

import msgspec

from ingest.cards import FACES, RANKS
from ingest.logs.entry import refused

SUITS = "HDSC"
"""Suits by ``number % 4``: ♥♦♠♣."""

_FACE_OF = [SUITS[card % 4] + RANKS[card // 4] for card in range(52)] + ["B", "R"]
_ORDER = {face: place for place, face in enumerate(FACES)}


def faces(given: Any, field: str) -> list[str]:
    """Cards by their numbers, low to high. Raises ``Unreadable`` (R105)."""
    if not isinstance(given, list) or not all(type(card) is int and 0 <= card < len(_FACE_OF) for card in given):
        raise refused("R105", field=field, text=shown(given))
    return sorted((_FACE_OF[card] for card in given), key=_ORDER.__getitem__)


def card_text(given: Any, field: str) -> str:
    """The same as a card text; empty for no cards. Raises ``Unreadable`` (R105)."""
    return "".join(faces(given, field))


def shown(given: Any) -> str:
    """What cannot be read, as far as a finding shows it."""
    return msgspec.json.encode(given).decode()[:80]
