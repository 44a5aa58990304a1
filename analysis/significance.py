"""How far what was seen is from what was to be expected: tail probabilities, corrections for many tests, power.

Knows statistics. Refuses to know what is counted. SciPy has all of this and weighs 140 MB; here it is a page.
Source of the power figures: statistics.md 4.3.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05
"""How often a sound shuffle may be called unsound, where nothing else is said."""
POWER = 0.9
"""How surely a deviation that is called detectable is seen."""
ENOUGH = 5.0
"""Cells of which fewer are expected are put together."""

Array = NDArray[np.float64]
Counts = NDArray[np.int64]

_TINY = 1e-300
_EXACT = 1e-15
_AT_ONCE = 1 << 21
"""Terms that are worked out at once at most."""
_NORMAL = NormalDist()


def normal_p(z: float) -> float:
    """How likely a standard normal deviate is at least so far from 0, on either side."""
    return erfc(abs(z) / sqrt(2))


def one_sided_p(z: float) -> float:
    """How likely a standard normal deviate is at most ``z``."""
    return erfc(-z / sqrt(2)) / 2


def normal_quantile(p: float) -> float:
    """Below which a standard normal deviate lies with probability ``p``."""
    return _NORMAL.inv_cdf(p)


def chi_square_p(x: float, df: int) -> float:
    """How likely a chi-square of ``df`` degrees of freedom is at least ``x``: the regularised incomplete gamma Q."""
    a, half = df / 2, x / 2
    if half <= 0:
        return 1.0
    front = exp(a * log(half) - half - lgamma(a))
    return 1 - front * _series(a, half) if half < a + 1 else front * _fraction(a, half)


def _series(a: float, x: float) -> float:
    """P(a, x) without its front: the power series, which is quick below the mean."""
    total = term = 1 / a
    n = a
    while term > total * _EXACT:
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Q(a, x) without its front: Lentz's continued fraction, which is quick above the mean."""
    b = x + 1 - a
    c, d = inf, 1 / b
    whole = d
    for i in range(1, 10_000):
        b += 2
        factor = -i * (i - a)
        d = 1 / _not_zero(factor * d + b)
        c = _not_zero(b + factor / c)
        whole *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return whole


def _not_zero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def chi_square_quantile(p: float, df: int) -> float:
    """The value that a chi-square of ``df`` degrees of freedom exceeds with probability ``p``."""
    return _root(lambda x: p - chi_square_p(x, df), df + 10.0)


def binomial_p(k: int, n: int, p: float) -> float:
    """How likely at least ``k`` among ``n`` are where each is so with probability ``p``."""
    if k <= 0:
        return 1.0
    if k > n or p <= 0:
        return 0.0
    if k > n * p:
        return min(1.0, _binomial_sum(range(k, n + 1), n, p))
    return 1.0 - min(1.0, _binomial_sum(range(k - 1, -1, -1), n, p))


def fisher_ps(k: Counts, n: Counts, k_other: Counts, n_other: Counts) -> Array:
    """How likely at least ``k`` of all ``k + k_other`` are among these ``n`` by chance alone (Fisher's exact test).

    Many tables at once, those with about as many terms side by side.
    """
    both, everything = k + k_other, n + n_other
    lowest, highest = np.maximum(k, n - everything + both), np.minimum(n, both)
    first = np.array([_log_chance(*table) for table in zip(*_lists(lowest, n, both, everything), strict=True)])
    widths = 1 << np.ceil(np.log2(highest - lowest + 1)).astype(np.int64)
    found = np.empty(len(k))
    for width in np.unique(widths):
        alike = np.flatnonzero(widths == width)
        for some in np.array_split(alike, len(alike) * width // _AT_ONCE + 1):
            edges = (each[some, None].astype(np.float64) for each in (n, both, everything, highest))
            found[some] = _fisher_sum(first[some], lowest[some, None] + np.arange(float(width)), *edges)
    return np.minimum(1.0, found)


def _fisher_sum(first: Array, j: Array, n: Array, both: Array, everything: Array, highest: Array) -> Array:
    """The chances of all ``j`` up to the highest, by the logarithm of the first of them."""
    ratios = (both - j) * (n - j) / ((j + 1) * (everything - both - n + j + 1))
    logs = np.log(ratios, where=j < highest, out=np.full(ratios.shape, -inf))
    logs = np.hstack([first[:, None], logs[:, :-1]])
    return np.asarray(np.exp(np.cumsum(logs, axis=1)).sum(axis=1), np.float64)


def _lists(*values: Counts) -> tuple[list[int], ...]:
    return tuple(each.tolist() for each in values)


def _log_chance(k: int, n: int, both: int, everything: int) -> float:
    return _log_choose(both, k) + _log_choose(everything - both, n - k) - _log_choose(everything, n)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) if 0 <= k <= n else -inf


def _binomial_sum(counts: range, n: int, p: float) -> float:
    """The chances of these counts together, which fall from the first on; those too small to matter are left out."""
    total = 0.0
    for k in counts:
        term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p))
        total += term
        if term <= total * _EXACT:
            break
    return total


def noncentral_p(x: float, df: int, noncentrality: float) -> float:
    """How likely a noncentral chi-square is at least ``x``: central ones mixed with Poisson weights."""
    half = noncentrality / 2
    if not half:
        return chi_square_p(x, df)
    width = int(10 * sqrt(half) + 20)
    terms = range(max(0, int(half) - width), int(half) + width)
    return sum(exp(k * log(half) - half - lgamma(k + 1)) * chi_square_p(x, df + 2 * k) for k in terms)


@lru_cache(maxsize=256)
def noncentrality(df: int, alpha: float = ALPHA, power: float = POWER) -> float:
    """The noncentrality that a chi-square test at ``alpha`` sees with probability ``power``; divided by n it is w²."""
    limit = chi_square_quantile(alpha, df)
    return _root(lambda x: noncentral_p(limit, df, x) - power, limit + 20.0)


def _root(rising: Callable[[float], float], high: float) -> float:
    """Where a rising function passes 0, above 0."""
    while rising(high) < 0:
        high *= 2
    low = 0.0
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def detectable_difference(sd: float, n: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """The difference of a mean from its expectation that is seen with probability ``power`` among ``n``.

    ``sd`` is that of one observation; of a rate it is sqrt(p(1 - p)) with the expected p.
    """
    return (normal_quantile(1 - alpha / 2) + normal_quantile(power)) * sd / sqrt(n)


def hands_needed(sd: float, difference: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """How many observations it takes to see a difference with probability ``power``."""
    return float(((normal_quantile(1 - alpha / 2) + normal_quantile(power)) * sd / difference) ** 2)


def pooled(expected: Sequence[float], enough: float = ENOUGH) -> list[int]:
    """The pool of each cell: while the smallest has less than ``enough``, it joins the next smallest.

    Pools are numbered from 0 in the order of their first cells.
    """
    pools = [(value, [place]) for place, value in enumerate(expected)]
    while len(pools) > 1:
        pools.sort()
        if pools[0][0] >= enough:
            break
        (small, few), (next_small, more) = pools[:2]
        pools[:2] = [(small + next_small, sorted(few + more))]
    cells = sorted(cells for _, cells in pools)
    number = {place: pool for pool, members in enumerate(cells) for place in members}
    return [number[place] for place in range(len(expected))]


def added_up(values: Array, pools: Sequence[int]) -> Array:
    """Values of cells as values of their pools."""
    return np.asarray(np.bincount(np.asarray(pools), weights=values, minlength=max(pools) + 1), np.float64)


def pearson(observed: Array, expected: Array) -> float:
    """Pearson's chi-square."""
    return float(((observed - expected) ** 2 / expected).sum())


def wald(difference: Array, covariance: Array) -> float:
    """The square of a difference in units of its covariance, which may be singular: chi-square with its rank."""
    return float(difference @ np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ difference)


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p: any of them below alpha by chance alone happens with at most alpha, however they depend."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    adjusted, highest = [1.0] * len(ps), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def holms(ps: Array) -> Array:
    """``holm`` for many families at once, a row each; NaN where there is no test."""
    order = np.argsort(ps, axis=1, kind="stable")
    tests = (~np.isnan(ps)).sum(axis=1, keepdims=True)
    steps = np.minimum(1.0, np.take_along_axis(ps, order, axis=1) * (tests - np.arange(ps.shape[1])))
    found = np.empty_like(ps)
    np.put_along_axis(found, order, np.maximum.accumulate(steps, axis=1), axis=1)
    return found


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Adjusted p (Benjamini and Hochberg 1995): of those below alpha at most a share of alpha is expected by chance."""
    order = sorted(range(len(ps)), key=ps.__getitem__, reverse=True)
    adjusted, lowest = [1.0] * len(ps), 1.0
    for rank, place in enumerate(order):
        lowest = min(lowest, ps[place] * len(ps) / (len(ps) - rank))
        adjusted[place] = lowest
    return adjusted
