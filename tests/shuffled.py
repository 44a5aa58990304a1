"""Deals of one pack by the hundred thousand, as columns of a store, for the tests of the shuffle's statistics.

Three seats and a bottom. Cards are numbered as ``ingest.cards.FACES``; 53 is the big joker.
"""

from collections.abc import Mapping
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from ingest.cards import FACES, RANKS

DECK = "3x17+3+0 of 1"
BIG = 53
PLACES = (slice(0, 17), slice(17, 34), slice(34, 51), slice(51, 54))
_RANK = np.array([1 << 4 * RANKS.index(face[-1]) for face in FACES])
_FACE = np.array([1 << 2 * (i % 27) + i // 27 for i in range(54)])


def shuffled(number: int, seed: int) -> np.ndarray:
    """So many packs in random order: 17 cards for each seat, then the bottom."""
    return np.random.default_rng(seed).random((number, 54), dtype=np.float32).argsort(axis=1).astype(np.int8)


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

    def __init__(self, packs: np.ndarray, room: int, **columns: Any) -> None:
        number = len(packs)
        hand = np.arange(number)
        counts = [_RANK[packs[:, place]].sum(axis=1) for place in PLACES]
        hands = {
            "hand": hand, "source": "a", "rules": "classic", "deck": DECK, "counted": True, "players": 3, "tags": None,
            "table_id": [f"room {at // room}" for at in hand], "day": pd.Timestamp("2026-03-01"),
            "bottom_counts": counts[3], "deal_digest": 0, "deal_shape": 0,
        }  # fmt: skip
        hands = pd.DataFrame(hands | columns)
        seats = pd.concat(
            pd.DataFrame({
                "hand": hand, "seat": seat, "player": [f"p{(at // room) % 40}-{seat}" for at in hand],
                "rules": hands["rules"], "day": hands["day"], "dealt": counts[seat],
                "faces": _FACE[packs[:, PLACES[seat]]].sum(axis=1), "twins": 0,
            })
            for seat in range(3)
        )  # fmt: skip
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
