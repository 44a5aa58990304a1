"""What an audit of whole logs remembers of the hands before: ids, hands, and what tables left.

Knows how a hand is found again. Refuses to know what follows from it: that is for ``ingest.batch``.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from ingest.identity import NOBODY, Identity
from ingest.ledger import Ledgers

ALIKE = 16
"""Hands with the same players and moves but other cards that are told apart."""


class Place(Struct, frozen=True, array_like=True):
    """Where a hand stands."""

    source: str
    line: int
    identity: Identity = NOBODY


class TableState(Struct, frozen=True, array_like=True):
    """What a table's last record leaves for the next. Kept as JSON, which has no largest number: balances add up."""

    rules: str
    players: list[str]
    """As ``Memory.name`` names them."""
    voids: int | None
    """Void hands in a row, None where the record does not tell."""
    balances: list[int | None] | None
    claimed: list[int | None] | None
    starter: str | None = None
    """The player who speaks first, where the bank says it (F-R12)."""


class Memory(Protocol):
    """Remembers, in bounded memory, every place by the id that stands there and by its hand."""

    def name(self, player: str) -> str:
        """What stands for a player's id in the states of tables."""

    def place_of(self, source: str, id: str) -> Place | None:
        """Where this id stood before in this source."""

    def places_of(self, hand: Identity) -> Sequence[Place]:
        """Where hands of this key stood before, the last ``ALIKE`` of them."""

    def keep_id(self, id: str, here: Place) -> None:
        """An id that stood nowhere before."""

    def keep_hand(self, here: Place) -> None:
        """A hand that stood nowhere before."""

    def state_of(self, source: str, table: str) -> TableState | None:
        """What the last record of a table left."""

    def keep_state(self, source: str, table: str, state: TableState) -> None:
        """What this record of a table leaves."""

    def close(self) -> None:
        """Let go of what is on disk."""


ARRAYS = "arrays"
IN_ARRAYS = ("states", "identities", ARRAYS)
"""The ledgers of a memory in arrays (``ingest.bulk.recollection``)."""


class InLedgers:
    """A memory of bytes by bytes. Those who bring ledgers keep them; else all is forgotten at the end."""

    LEDGERS = ("ids", "hands", "tables")

    def __init__(self, ledgers: Ledgers | None = None) -> None:
        """``ledgers``: ``LEDGERS`` among others."""
        self._ledgers, self._is_mine = ledgers or Ledgers(*self.LEDGERS), ledgers is None
        self._ids, self._hands, self._tables = (self._ledgers[name] for name in self.LEDGERS)

    def name(self, player: str) -> str:
        """The id itself."""
        return player

    def place_of(self, source: str, id: str) -> Place | None:
        """As ``Memory``."""
        before = self._ids.get(_key(source, id))
        return None if before is None else msgspec.msgpack.decode(before, type=Place)

    def places_of(self, hand: Identity) -> Sequence[Place]:
        """As ``Memory``."""
        known = self._hands.get(hand.key)
        return [] if known is None else msgspec.msgpack.decode(known, type=list[Place])

    def keep_id(self, id: str, here: Place) -> None:
        """As ``Memory``."""
        self._ids.put(_key(here.source, id), msgspec.msgpack.encode(here))

    def keep_hand(self, here: Place) -> None:
        """As ``Memory``."""
        places = [*self.places_of(here.identity), here][-ALIKE:]
        self._hands.put(here.identity.key, msgspec.msgpack.encode(places))

    def state_of(self, source: str, table: str) -> TableState | None:
        """As ``Memory``."""
        known = self._tables.get(_key(source, table))
        return None if known is None else msgspec.json.decode(known, type=TableState)

    def keep_state(self, source: str, table: str, state: TableState) -> None:
        """As ``Memory``."""
        self._tables.put(_key(source, table), msgspec.json.encode(state))

    def close(self) -> None:
        """As ``Memory``."""
        if self._is_mine:
            self._ledgers.close()


def _key(source: str, name: str) -> bytes:
    return f"{source}\n{name}".encode()
