"""``weng_lin.Ratings`` over many hands, compiled: the same operations in the same order, so the same numbers.

Knows arrays. Refuses to know more mathematics than ``weng_lin``, whose functions are compiled as they stand.
"""

from math import sqrt
from typing import Any

import numpy as np
from numba import njit

from analysis import weng_lin

_NOISE = weng_lin._NOISE
_LEAST = weng_lin.LEAST
_exponential: Any = njit(weng_lin.exponential)


@njit
def _logistic(x):
    if x < 0:
        small = _exponential(x)
        return small / (1.0 + small)
    return 1.0 / (1.0 + _exponential(-x))


@njit(cache=True)
def rate(ends, member, role, won, spared, mu, variance, drift, before, expected):
    """Learn from all hands in turn; ``mu`` and ``variance`` change, ``before`` and ``expected`` are filled.

    ends: for each hand, behind its last seat; role and won: of each hand; member and spared: of each seat, the landlord
    of a hand first.
    """
    had = np.empty(16)
    start = 0
    for hand in range(len(ends)):
        end, lord, law = ends[hand], member[start], role[hand]
        lord_had, law_had = variance[lord] + drift[lord], variance[law] + drift[law]
        our_mu, ours = 0.0 + mu[lord] + mu[law], 0.0 + lord_had + law_had
        their_mu, theirs = 0.0, 0.0
        before[start] = mu[lord]
        for seat in range(start + 1, end):
            one = member[seat]
            before[seat] = mu[one]
            had[seat - start] = variance[one] + drift[one]
            their_mu += mu[one]
            theirs += had[seat - start]
        squared = ours + theirs + _NOISE
        spread = sqrt(squared)
        chance = _logistic((our_mu - their_mu) / spread)
        surprise = ((1.0 if won[hand] else 0.0) - chance) / spread
        told = chance * (1.0 - chance) / squared / spread
        push, shrink = surprise, told * sqrt(ours)
        mu[lord] += lord_had * push
        variance[lord] = lord_had * max(1.0 - lord_had * shrink, _LEAST)
        mu[law] += law_had * push
        variance[law] = law_had * max(1.0 - law_had * shrink, _LEAST)
        shrink = told * sqrt(theirs)
        expected[start] = chance
        for seat in range(start + 1, end):
            one, one_had = member[seat], had[seat - start]
            expected[seat] = 1.0 - chance
            if not spared[seat]:
                mu[one] += one_had * -surprise
                variance[one] = one_had * max(1.0 - one_had * shrink, _LEAST)
        start = end
