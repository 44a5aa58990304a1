"""How sure a rate is: Wilson's interval, in SQL and in Python.

Knows proportions. Refuses to know what they are of.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: intervals are of 95 %."""

Array = NDArray[np.float64]
Counts = NDArray[np.int64]

_MIDDLE = f"((k + {Z * Z / 2!r}) / (n + {Z * Z!r}))"
_HALF = f"({Z!r} / (n + {Z * Z!r}) * sqrt(k::DOUBLE * (n - k) / n + {Z * Z / 4!r}))"

MACROS = (
    "CREATE MACRO rate(k, n) AS CASE WHEN n > 0 THEN k / n::DOUBLE END",
    f"CREATE MACRO wilson_low(k, n) AS CASE WHEN n > 0 THEN if(k = 0, 0.0, greatest(0.0, {_MIDDLE} - {_HALF})) END",
    f"CREATE MACRO wilson_high(k, n) AS CASE WHEN n > 0 THEN if(k = n, 1.0, least(1.0, {_MIDDLE} + {_HALF})) END",
)
"""The same in SQL: ``rate``, ``wilson_low`` and ``wilson_high`` of ``k`` among ``n``; null where ``n`` is 0."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a rate, where ``k`` among ``n`` were seen (Wilson 1927). Raises ``ValueError`` for n = 0."""
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} among {n}")
    middle = (k + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * sqrt(k * (n - k) / n + Z * Z / 4)
    return 0.0 if k == 0 else max(0.0, middle - half), 1.0 if k == n else min(1.0, middle + half)


def wilsons(k: Counts, n: Counts) -> tuple[Array, Array]:
    """The same of many rates; no ``n`` may be 0."""
    middle = (k + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * np.sqrt(k * (n - k) / n + Z * Z / 4)
    return np.where(k == 0, 0.0, np.maximum(0.0, middle - half)), np.where(k == n, 1.0, np.minimum(1.0, middle + half))


def difference(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float, float]:
    """The difference of two rates, each ``k`` among ``n``, with its 95 % interval (Newcombe 1998, method 10).

    Raises ``ValueError`` for n = 0.
    """
    (low, high), (other_low, other_high) = wilson(*one), wilson(*other)
    rate, other_rate = one[0] / one[1], other[0] / other[1]
    less = sqrt((rate - low) ** 2 + (other_high - other_rate) ** 2)
    more = sqrt((high - rate) ** 2 + (other_rate - other_low) ** 2)
    return rate - other_rate, rate - other_rate - less, rate - other_rate + more
