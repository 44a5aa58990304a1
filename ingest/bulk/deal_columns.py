"""The deals of proven hands as columns: as ``ingest.store.deals`` tells them hand by hand.

Knows how sets of cards lie in words. What a deal is recognised by says ``ingest.store.deals``.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.arrays import column, same, shortened
from ingest.bulk.deals_kernel import BYTES, PARTS, room, write_deals
from ingest.bulk.digests_kernel import digests_of
from ingest.bulk.layout import SEATS
from ingest.bulk.proven import Flags, Ints, Proven, Words
from ingest.store.decks import deck_of
from ingest.store.schema import HANDS
from ingest.store.schema import SEATS as OF_SEATS

_HALF = np.uint64(54)
_HALF_MASK = np.uint64((1 << 54) - 1)
_EVEN = np.uint64(sum(1 << 2 * i for i in range(27)))
_ODD = np.uint64(sum(2 << 2 * i for i in range(27)))
_ONE, _TEN = np.uint64(1), np.uint64(10)


def deal_columns(told: Proven) -> dict[str, pa.Array]:
    """deck, bottom_counts, deal_digest, deal_shape; every card of a proven hand is in sight."""
    seats = range(told.players)
    is_known: Flags = np.logical_and.reduce(told.suited[:, [*seats, SEATS]], axis=1)
    deals, shapes = np.zeros((2, told.size), np.int64)
    known = np.flatnonzero(is_known)
    deals[known], shapes[known] = _digests(told, known)
    return {
        "deck": same(deck_of(told.rules).text, told.size),
        "bottom_counts": column(HANDS, "bottom_counts", told.counts[:, SEATS]),
        "deal_digest": column(HANDS, "deal_digest", deals, ~is_known),
        "deal_shape": column(HANDS, "deal_shape", shapes, ~is_known),
    }


def dealt_columns(told: Proven) -> dict[str, pa.Array]:
    """dealt, faces, twins of ``seats``."""
    seats = slice(told.players)
    once, twice = _masks(told.faces[:, seats])
    unknown = ~told.suited[:, seats]
    return {
        "dealt": column(OF_SEATS, "dealt", told.counts[:, seats]),
        "faces": column(OF_SEATS, "faces", once, unknown),
        "twins": column(OF_SEATS, "twins", twice, unknown),
    }


def _digests(told: Proven, hands: Ints) -> tuple[Ints, Ints]:
    players = told.players
    sets = [*range(players), *([SEATS] if told.rules.deal.dead else [])]
    size = BYTES * len(sets)
    deals, shapes = np.zeros((len(hands), size), np.uint8), np.zeros((len(hands) + 1, PARTS * size), np.uint8)
    faces = np.ascontiguousarray(told.faces[hands][:, sets])
    write_deals(faces, np.ascontiguousarray(told.counts[hands, :players]), players, len(sets), *room(), deals, shapes)
    return _digests_of_rows(deals), _digests_of_rows(shapes[:-1])


def _digests_of_rows(messages: NDArray[np.uint8]) -> Ints:
    """A digest of 64 bits of each row, as a number with a sign."""
    begin = np.arange(len(messages), dtype=np.int64) * messages.shape[1]
    return shortened(digests_of(b"", messages.ravel(), begin, begin + messages.shape[1], 8))


def _masks(faces: Words) -> tuple[Any, Any]:
    """As ``ingest.store.deals.masks_of``."""
    low, high = faces[..., 0] & _HALF_MASK, faces[..., 0] >> _HALF | faces[..., 1] << _TEN
    once = ((half & _EVEN) | (half & _ODD) >> _ONE for half in (low, high))
    twice = ((half & _ODD) >> _ONE for half in (low, high))
    return tuple(np.bitwise_or(first, second << _ONE) for first, second in (once, twice))
