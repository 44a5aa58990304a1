"""The codes of findings on many hands as flat arrays: who has which.

Knows numbers and codes. Refuses to know what a code means.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_EACH = 1 << 20


class Codes:
    """Codes by the numbers of hands, as often as each stands there."""

    def __init__(self, hands: Numbers, codes: Numbers, names: Sequence[str]) -> None:
        """``hands``: in order. ``codes``: for each its place in ``names``, which are in order of the alphabet; those of
        one hand are in order too.
        """
        self.hands, self.codes, self.names = hands, codes, names

    def of(self, hand: int) -> list[str]:
        """Those of a hand, in order of the alphabet."""
        begin, end = np.searchsorted(self.hands, [hand, hand + 1])
        return [self.names[code] for code in self.codes[begin:end].tolist()]

    def among(self, hands: Numbers) -> "Codes":
        """Those of some hands, which are in order, by their places among these."""
        if not len(hands) or not len(self.hands):
            return Codes(self.hands[:0], self.codes[:0], self.names)
        begin, end = np.searchsorted(self.hands, [hands[0], hands[-1] + 1])
        places = np.searchsorted(hands, self.hands[begin:end])
        is_there = hands[places] == self.hands[begin:end]
        return Codes(places[is_there], self.codes[begin:end][is_there], self.names)

    def differ(self, other: "Codes") -> list[int]:
        """The hands that have other codes there, in order."""
        names = sorted({*self.names, *other.names})
        one, two = self._keys(names), other._keys(names)
        if np.array_equal(one, two):
            return []
        (mine, counts), (its, others) = (np.unique(keys, return_counts=True) for keys in (one, two))
        both, at, there = np.intersect1d(mine, its, assume_unique=True, return_indices=True)
        unlike = [np.setxor1d(mine, its, assume_unique=True), both[counts[at] != others[there]]]
        found: list[int] = np.unique(np.concatenate(unlike) // _EACH).tolist()
        return found

    def _keys(self, names: Sequence[str]) -> Numbers:
        places = np.array([names.index(name) for name in self.names], np.int64)
        keys: Numbers = np.sort(self.hands * _EACH + places[self.codes])
        return keys

    def having(self, name: str) -> Numbers:
        """The hands that have a code."""
        if name not in self.names:
            return self.hands[:0]
        found: Numbers = self.hands[self.codes == self.names.index(name)]
        return found


def codes_of(found: Iterable[tuple[str, Numbers]]) -> Codes:
    """From codes, each with the hands that have it, once for each time."""
    pairs = sorted(found, key=lambda each: each[0])
    names = sorted({name for name, _ in pairs})
    hands = np.concatenate([np.zeros(0, np.int64), *(rows for _, rows in pairs)])
    numbers = np.repeat([names.index(name) for name, _ in pairs], [len(rows) for _, rows in pairs]).astype(np.int64)
    order = np.argsort(hands, kind="stable")
    return Codes(hands[order], numbers[order], names)
