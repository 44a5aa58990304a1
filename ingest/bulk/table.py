"""The plays of one ruleset as flat arrays: for the packed counts of a play a number, for a number what compares.

Only plays with a single reading, which no ruling is needed for, have a number; for every other play it is 0, which
means: not sure.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingest.rules.combinations import Reading, law_of, readings, strict_profile
from ingest.rules.ruleset import Ruleset

_SMALLEST = 1 << 12


class PlayTable:
    """Grows as plays are met. Arrays: ``slots`` and ``numbers`` are the hash table, the others are by number."""

    def __init__(self, rules: Ruleset) -> None:
        self._law = law_of(rules)
        self._strict = law_of(strict_profile(rules)) if rules.notes.rulings else None
        self._kinds: dict[tuple[str, int, int], int] = {}
        self._codes: dict[Reading, int] = {}
        self._numbers: dict[int, int] = {}
        self.slots: NDArray[np.uint64] = np.zeros(_SMALLEST, np.uint64)
        self.numbers: NDArray[np.int32] = np.zeros(_SMALLEST, np.int32)
        self.kinds: NDArray[np.int32] = np.zeros(1, np.int32)
        self.tiers: NDArray[np.int32] = np.zeros(1, np.int32)
        self.powers: NDArray[np.int32] = np.zeros(1, np.int32)
        self.names: NDArray[np.uint64] = np.zeros(1, np.uint64)

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the compiled loop needs."""
        return self.slots, self.numbers, self.kinds, self.tiers, self.powers, self.names

    def learn(self, plays: list[int]) -> None:
        """Add plays by their packed counts."""
        for counts in plays:
            if counts not in self._numbers:
                self._numbers[counts] = self._number(counts)
        self._lay_out()

    def _number(self, counts: int) -> int:
        found = readings(counts, self._law)
        if len(found) != 1 or (self._strict is not None and readings(counts, self._strict) != found):
            return 0
        return self._codes.setdefault(found[0], len(self._codes) + 1)

    def _lay_out(self) -> None:
        """Write the arrays anew, at most half full."""
        size = _SMALLEST
        while size < 2 * len(self._numbers):
            size *= 2
        self.slots, self.numbers = np.zeros(size, np.uint64), np.zeros(size, np.int32)
        for counts, number in self._numbers.items():
            slot = slot_of(counts, size)
            while self.slots[slot]:
                slot = (slot + 1) % size
            self.slots[slot], self.numbers[slot] = counts, number
        kinds = [self._kind(reading) for reading in self._codes]
        self.kinds = np.array([0, *kinds], np.int32)
        self.tiers = np.array([0, *(reading.tier for reading in self._codes)], np.int32)
        self.powers = np.array([0, *(reading.power for reading in self._codes)], np.int32)
        self.names = np.array([0, *(mark_of(reading.name) for reading in self._codes)], np.uint64)

    def _kind(self, reading: Reading) -> int:
        return self._kinds.setdefault((reading.name, reading.length, reading.size), len(self._kinds) + 1)


SPREAD = 0x9E3779B97F4A7C15
"""The odd number that spreads keys over the slots."""


def mark_of(name: str) -> int:
    """A number that tells reading names apart; the compiled loop computes the same of a declared name."""
    mark = 0
    for letter in name.encode():
        mark = (mark * 31 + letter) & 0xFFFFFFFFFFFFFFFF
    return mark


def slot_of(counts: int, size: int) -> int:
    """The slot where the search for a play begins; the compiled loop computes the same."""
    return ((counts * SPREAD) & 0xFFFFFFFFFFFFFFFF) >> (64 - size.bit_length() + 1)
