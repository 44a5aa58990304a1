"""What a player does beside what all others do: every measure with its interval, and his place among his peers.

Knows how measures are compared. Refuses to know any of them. Peers are the players whose sample of a measure, under the
same filters, is at least its minimum; the place is the share of them that a value is above, those that have the same
counted half.
"""

from collections.abc import Mapping
from math import sqrt

import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import NDArray

from analysis.catalogue import statistics
from analysis.chapters import place
from analysis.intervals import Z, difference


class Standing(Struct, frozen=True):
    """One measure of one player, and of everybody under the same filters."""

    name: str
    part: float
    """The numerator, or the sum of a mean."""
    whole: int
    value: float | None
    low: float | None
    high: float | None
    everybody: float | None
    place: float | None
    """The share of the peers that the value is above; None where the sample is below the minimum."""
    peers: int
    few: bool
    rate: bool
    """Whether the value is a rate; else a ratio or a mean."""


class Contrast(Struct, frozen=True):
    """Two players in one measure, and by how much the first is above the second."""

    one: Standing
    other: Standing
    difference: float | None
    low: float | None
    high: float | None


def measures() -> list[str]:
    """The measures of one number, which a profile can hold, in the order of the list of statistics."""
    counted = (each for each in statistics().values() if each.counted)
    single = [each for each in counted if all(column.name != "class" for column in each.columns)]
    return [each.name for each in sorted(single, key=place)]


def standing(name: str, frame: pd.DataFrame, player: str) -> Standing | None:
    """The standing of a player in the answer of a measure for everybody; None where nothing of him counts."""
    return standings(name, frame, player)[0]


def standings(name: str, frame: pd.DataFrame, *players: str) -> list[Standing | None]:
    """The same of several players."""
    groups = frame["group"].to_numpy(object)
    told = {name: frame[name].to_numpy(np.float64, na_value=np.nan) for name in _NUMBERS if name in frame}
    rows = [np.flatnonzero(groups == player) for player in players]
    return [_standing(name, told, int(found[0])) if len(found) else None for found in rows]


def _standing(name: str, told: Mapping[str, NDArray[np.float64]], row: int) -> Standing:
    """The standing of who is in a row of an answer, of which ``told`` are the numbers by column, ``float64[n]``."""
    key, part = next(name for name in _VALUES if name in told), "part" if "part" in told else "total"
    own = {name: float(column[row]) for name, column in told.items()}
    minimum = statistics()[name].minimum
    few, peers = own["whole"] < minimum, told[key][told["whole"] >= minimum]
    low, high = _bounds(own, key)
    return Standing(
        name=name,
        part=own[part],
        whole=int(own["whole"]),
        value=None if np.isnan(own[key]) else own[key],
        low=low,
        high=high,
        everybody=float(told[part].sum() / told["whole"].sum()),
        place=None if few or np.isnan(own[key]) or len(peers) < 2 else _place(peers, own[key]),
        peers=len(peers),
        few=few,
        rate=key == "rate",
    )


_VALUES = ("rate", "ratio", "mean")
_NUMBERS = ("part", "whole", "total", "rate", "ratio", "mean", "low", "high", "error")


def _bounds(own: Mapping[str, float], key: str) -> tuple[float | None, float | None]:
    if key == "rate":
        return own["low"], own["high"]
    half = Z * own["error"]
    return (None, None) if np.isnan(own[key] + half) else (own[key] - half, own[key] + half)


def _place(peers: NDArray[np.float64], value: float) -> float:
    """The share below, of those that are not this player himself."""
    below, same = int((peers < value).sum()), int((peers == value).sum()) - 1
    return (below + same / 2) / (len(peers) - 1)


def contrast(name: str, frame: pd.DataFrame, one: str, other: str) -> Contrast | None:
    """Two players in the answer of a measure for everybody; None where nothing counts of one of them."""
    first, second = standings(name, frame, one, other)
    return None if first is None or second is None else _contrast(first, second)


def _contrast(one: Standing, other: Standing) -> Contrast:
    if one.rate:
        return Contrast(one, other, *difference((int(one.part), one.whole), (int(other.part), other.whole)))
    if one.value is None or other.value is None:
        return Contrast(one, other, None, None, None)
    apart = one.value - other.value
    if one.high is None or other.high is None:
        return Contrast(one, other, apart, None, None)
    half = sqrt((one.high - one.value) ** 2 + (other.high - other.value) ** 2)
    return Contrast(one, other, apart, apart - half, apart + half)
