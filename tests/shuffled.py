"""Deals by the hundred thousand, as columns of a store, for the tests of the shuffle's statistics.

Cards are numbered as ``ingest.cards.FACES``; 53 is the big joker. With two packs each number stands twice.
"""

from collections.abc import Mapping
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from ingest.cards import FACES, RANKS
from ingest.store import Manifest
from ingest.store.decks import read_deck

DECK = "3x17+3+0 of 1"
BIG = 53
_RANK = np.array([1 << 4 * RANKS.index(face[-1]) for face in FACES])
_FACE = np.array([1 << 2 * (i % 27) + i // 27 for i in range(54)])


def shuffled(number: int, seed: int, packs: int = 1) -> np.ndarray:
    """So many decks in random order: the cards of each seat, then the bottom, then the dead."""
    keys = np.random.default_rng(seed).random((number, 54 * packs), dtype=np.float32)
    return (keys.argsort(axis=1) // packs).astype(np.int8)


def masks(cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which faces stand at least once in each row, and which twice, in the bits of ``seats.faces``."""
    ordered = np.sort(cards, axis=1)
    again = np.zeros(ordered.shape, bool)
    again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    bits = _FACE[ordered]
    return np.where(again, 0, bits).sum(axis=1), np.where(again, bits, 0).sum(axis=1)


def steered(packs: np.ndarray, card: int, share: float, seed: int) -> np.ndarray:
    """The same with one card put into a share of the first hands, in exchange for a card that is there."""
    rng = np.random.default_rng(seed)
    chosen = np.flatnonzero(rng.random(len(packs)) < share)
    packs, places = packs.copy(), rng.integers(0, 17, len(chosen))
    at = (packs[chosen] == card).argmax(axis=1)
    outside = at >= 17
    chosen, at, places = chosen[outside], at[outside], places[outside]
    packs[chosen, at] = packs[chosen, places]
    packs[chosen, places] = card
    return packs


class Rooms:
    """Tables ``hands`` and ``seats`` with as many hands in each room, to be asked as a warehouse is."""

    manifest = Manifest()
    """That of a store of which no answer is kept."""

    def __init__(self, packs: np.ndarray, room: int, dealt: str = DECK, **columns: Any) -> None:
        number, deck = len(packs), read_deck(dealt)
        hand, seats = np.arange(number), range(deck.players)
        held = [packs[:, seat * deck.hand : (seat + 1) * deck.hand] for seat in seats]
        bottom = packs[:, deck.players * deck.hand :][:, : deck.bottom]
        hands = {
            "hand": hand, "source": "a", "rules": "classic", "deck": dealt, "counted": True, "players": deck.players,
            "tags": None, "table_id": [f"room {at // room}" for at in hand], "day": pd.Timestamp("2026-03-01"),
            "bottom_counts": _RANK[bottom].sum(axis=1), "deal_digest": 0, "deal_shape": 0,
        }  # fmt: skip
        hands = pd.DataFrame(hands | columns)
        rows = []
        for seat in seats:
            faces, twins = masks(held[seat])
            own = {
                "hand": hand, "seat": seat, "player": [f"p{(at // room) % 40}-{seat}" for at in hand],
                "rules": hands["rules"], "day": hands["day"], "dealt": _RANK[held[seat]].sum(axis=1),
                "faces": faces, "twins": twins,
            }  # fmt: skip
            rows.append(pd.DataFrame(own))
        seats = pd.concat(rows)
        self._connection = duckdb.connect()
        for name, table in (("hands", hands), ("seats", seats)):
            self._connection.register("given", table)
            tags = ", tags::VARCHAR AS tags" if name == "hands" else ""
            chosen = f"* EXCLUDE (tags){tags}" if tags else "*"
            self._connection.execute(f"CREATE TABLE {name} AS SELECT {chosen} FROM given")
            self._connection.unregister("given")

    def query(
        self, sql: str, parameters: Mapping[str, Any] | None = None, *, rows: int, seconds: float
    ) -> pd.DataFrame:
        assert rows
        assert seconds
        return self._connection.execute(sql, parameters).df()
