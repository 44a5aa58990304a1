"""Weng and Lin's Bayesian rating for two sides: what one match tells about the skill of those who played it.

Knows the mathematics, and to do it in the same order of the same operations everywhere: it uses what IEEE 754 rounds
correctly (+ - * / and the square root) and nothing else, since the exponential of the C library and the sum of a list
differ from machine to machine and from one Python to the next. Refuses to know what a game is.

Source: R. C. Weng and C.-J. Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011), algorithm 1
(Bradley-Terry, full pair). With two sides its algorithm 4 (Plackett-Luce) comes to the same. The defaults and the
drift are those of OpenSkill; the tests compare with it.
"""

from collections.abc import Sequence
from math import ldexp, sqrt

MU = 25.0
"""What is believed of a newcomer's skill."""
SIGMA = MU / 3
"""How unsure that is, as a standard deviation."""
BETA = SIGMA / 2
"""How much one side's play varies from match to match."""
DRIFT = (SIGMA / 100) ** 2
"""What is added to a player's variance before every match, since skill changes."""
LEAST = 1e-4
"""The least part of a variance that a match may leave."""

_NOISE = 2 * BETA * BETA
_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.6931471803691238
"""The logarithm of 2, as far as its product with a small whole number is exact; the rest of it is below."""
_LN2_LOW = 1.9082149292705877e-10
_BEYOND = 700.0
_TAYLOR = tuple(1 / divisor for divisor in (6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120))


class Ratings:
    """The ratings of members, by number. They change with every match: plain lists, for the sake of a million."""

    __slots__ = ("drift", "mu", "variance")

    def __init__(self, mu: Sequence[float], drift: Sequence[float]) -> None:
        """What is believed of each before the first match, and how fast each one's skill changes."""
        self.mu = list(mu)
        self.drift = list(drift)
        self.variance = [SIGMA * SIGMA] * len(self.mu)

    def match(
        self,
        ours: Sequence[int],
        theirs: Sequence[int],
        *,
        won: bool,
        spared: Sequence[int] = (),
    ) -> float:
        """Learn from a match that ``ours`` won or lost; how probable our win was before it.

        A number that stands twice on a side is two members of one rating: both push its mu, its variance shrinks
        once. ``spared`` belong to their side but learn nothing.
        """
        our_mu, our_variance, had = self._side(ours)
        their_mu, their_variance, theirs_had = self._side(theirs)
        squared = our_variance + their_variance + _NOISE
        spread = sqrt(squared)
        expected = logistic((our_mu - their_mu) / spread)
        surprise = ((1.0 if won else 0.0) - expected) / spread
        told = expected * (1.0 - expected) / squared / spread
        self._learn(ours, had, surprise, told * sqrt(our_variance), spared)
        self._learn(theirs, theirs_had, -surprise, told * sqrt(their_variance), spared)
        return expected

    def _side(self, side: Sequence[int]) -> tuple[float, float, list[float]]:
        """The mu and the variance of a side, and the variance of each of its members.

        Added up in order: ``sum`` rounds otherwise since Python 3.12.
        """
        mu, total, had = 0.0, 0.0, []
        for one in side:
            variance = self.variance[one] + self.drift[one]
            mu += self.mu[one]
            total += variance
            had.append(variance)
        return mu, total, had

    def _learn(
        self, side: Sequence[int], had: Sequence[float], push: float, shrink: float, spared: Sequence[int]
    ) -> None:
        for one, variance in zip(side, had, strict=True):
            if one not in spared:
                self.mu[one] += variance * push
                self.variance[one] = variance * max(1.0 - variance * shrink, LEAST)


def logistic(x: float) -> float:
    """1 / (1 + e^-x)."""
    if x < 0:
        small = exponential(x)
        return small / (1.0 + small)
    return 1.0 / (1.0 + exponential(-x))


def exponential(x: float) -> float:
    """e^x for x <= 0, within two units of the last place, the same on every machine."""
    if x < -_BEYOND:
        return 0.0
    twos = int(x * _LOG2_E - 0.5)
    rest = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    value = 0.0
    for factor in _TAYLOR:
        value = value * rest + factor
    value = ((((value * rest + 1 / 24) * rest + 1 / 6) * rest + 0.5) * rest + 1.0) * rest + 1.0
    return ldexp(value, twos)
