"""Hands that are not proven, as flat arrays all the same: what they are recognised by, what they leave at their table.

Knows digests and states. Refuses to know why a hand is not proven.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.batch import Judged, ruleset_of, state_after
from ingest.bulk.blocks import Block
from ingest.bulk.compiled.identify import identify
from ingest.bulk.compiled.prove import workspace
from ingest.bulk.layout import ABSENT, DIGESTS, SEATS, Digest
from ingest.bulk.learning import names
from ingest.bulk.recollection import filled, is_plain
from ingest.identity import NOBODY, Identity


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


def identities_of(
    digests: NDArray[np.uint64], players: NDArray[np.int64], known: NDArray[np.bool_]
) -> list[Identity | None]:
    """The same of several rows; None of those that are not ``known``."""
    pairs = zip(digests, players.tolist(), known.tolist(), strict=True)
    return [identity_of(row, size) if is_known else None for row, size, is_known in pairs]


def digests_of(identities: Sequence[Identity | None]) -> NDArray[np.uint64]:
    """Their rows of ``digests``, of hands with no more cards than have room there."""
    told = [each or NOBODY for each in identities]
    rows = [each.content.ljust(16, b"\0") + each.played.ljust(16, b"\0") + bytes([bool(each.played)]) + bytes(7)
            + each.deal.ljust(_ROOM, b"\0") for each in told]  # fmt: skip
    return np.frombuffer(b"".join(rows), np.uint64).reshape(len(rows), DIGESTS)


def leave(judged: Judged, rules: str | None, laws: Mapping[str, int]) -> list[int] | None:
    """What a hand leaves at its table, as its row of ``gist`` has it from ``Gist.RULES`` on; None where it has no room.

    ``rules``: as for ``judge``. ``laws``: the numbers of rulesets.
    """
    record, number, hand = judged.entry.record, laws.get(judged.verdict.rules or ""), judged.identity
    if number is None or record is None or hand is None or len(hand.deal) > _ROOM:
        return None
    players = [player.id for player in record.players]
    if record.table is None:
        return [number, len(players), 0, 0, 0, *_NOTHING, *_NOTHING, *_NOTHING, len(hand.deal)]
    state = state_after(record, players, judged.verdict, None, ruleset_of(record, rules))
    if not is_plain(state):
        return None
    had = _by_seat([player.balance for player in record.players])
    balances = _NOTHING if state.balances is None else _by_seat(state.balances)
    claimed = _by_seat(state.claimed) if state.claimed else balances
    voids = -1 if state.voids is None else state.voids
    return [number, len(players), 1, record.voids, voids, *had, *balances, *claimed, len(hand.deal)]


_NOTHING = [ABSENT] * SEATS
_ROOM = 8 * (DIGESTS - Digest.DEAL)
"""Bytes of a deal's slots."""


def _by_seat(values: Sequence[int | None]) -> list[int]:
    return [*filled(values), *_NOTHING[len(values) :]]
