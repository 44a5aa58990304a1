"""Hands that are not proven as flat arrays all the same: what they are recognised by, what they leave at their table.

Knows digests and states. Refuses to know why a hand is not proven.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingest.batch import Judged, ruleset_of, state_after
from ingest.bulk.blocks import Block
from ingest.bulk.compiled.identify import identify
from ingest.bulk.compiled.prove import workspace
from ingest.bulk.layout import SEATS, Digest, Gist
from ingest.bulk.learning import names
from ingest.bulk.recollection import filled, is_plain
from ingest.identity import Identity


class Identifier:
    """Tells what hands are recognised by, whatever was played."""

    def __init__(self) -> None:
        self._work, self._names = workspace(), names()

    def identify(self, block: Block, rows: NDArray[np.int64], digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Fill ``digests`` for these rows of a block; of which of all rows that was possible."""
        known = np.zeros(len(block.is_read), np.bool_)
        identify(
            block.text, block.texts, block.numbers, rows, self._names, self._work, digests, digests.view(np.uint32),
            known,
        )  # fmt: skip
        return known


def identity_of(digests: NDArray[np.uint64], players: int) -> Identity:
    """What a hand is recognised by, from its row of ``digests``."""
    told = digests.tobytes()
    if not digests[Digest.ENOUGH]:
        return Identity(told[:16])
    start = 8 * Digest.DEAL
    return Identity(told[:16], told[16:32], told[start : start + 4 * (players + 1)])


def leave(judged: Judged, rules: str | None, gist: Any) -> bool:
    """Put what a hand leaves at its table into its row of ``gist``; False where there is no room for it.

    ``rules``: as for ``judge``.
    """
    record = judged.entry.record
    assert record is not None
    players = [player.id for player in record.players]
    gist[Gist.PLAYERS], gist[Gist.AT_TABLE] = len(players), record.table is not None
    if record.table is None:
        return True
    state = state_after(record, players, judged.verdict, None, ruleset_of(record, rules))
    if not is_plain(state):
        return False
    balances = filled(state.balances or [None] * len(players))
    gist[Gist.VOIDS], gist[Gist.VOIDS_AFTER] = record.voids, -1 if state.voids is None else state.voids
    gist[Gist.AFTER :][:SEATS] = gist[Gist.CLAIMED :][:SEATS] = filled([None] * SEATS)
    gist[Gist.AFTER :][: len(players)] = balances
    gist[Gist.CLAIMED :][: len(players)] = filled(state.claimed) if state.claimed else balances
    return True
