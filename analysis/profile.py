"""What a player does beside what all others do: every measure with its interval, and his place among his peers.

Knows how measures are compared. Refuses to know any of them. Peers are the players whose sample of a measure, under the
same filters, is at least its minimum; the place is the share of them that a value is above, those that have the same
counted half.
"""

from math import sqrt

import pandas as pd
from msgspec import Struct

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
    own = frame[frame["group"] == player]
    if own.empty:
        return None
    row, minimum = own.iloc[0], statistics()[name].minimum
    key, part = _value(frame), "part" if "part" in frame else "total"
    peers = frame.loc[frame["whole"] >= minimum, key]
    few = int(row["whole"]) < minimum
    value = None if pd.isna(row[key]) else float(row[key])
    low, high = _bounds(row, key)
    return Standing(
        name=name,
        part=float(row[part]),
        whole=int(row["whole"]),
        value=value,
        low=low,
        high=high,
        everybody=float(frame[part].sum() / frame["whole"].sum()),
        place=None if few or value is None or len(peers) < 2 else _place(peers, value),
        peers=len(peers),
        few=few,
        rate=key == "rate",
    )


def _value(frame: pd.DataFrame) -> str:
    return next(name for name in ("rate", "ratio", "mean") if name in frame)


def _bounds(row: pd.Series, key: str) -> tuple[float | None, float | None]:
    if key == "rate":
        return float(row["low"]), float(row["high"])
    if pd.isna(row["error"]) or pd.isna(row[key]):
        return None, None
    half = Z * float(row["error"])
    return float(row[key]) - half, float(row[key]) + half


def _place(peers: pd.Series, value: float) -> float:
    """The share below, of those that are not this player himself."""
    below, same = int((peers < value).sum()), int((peers == value).sum()) - 1
    return (below + same / 2) / (len(peers) - 1)


def contrast(name: str, frame: pd.DataFrame, one: str, other: str) -> Contrast | None:
    """Two players in the answer of a measure for everybody; None where nothing counts of one of them."""
    first, second = standing(name, frame, one), standing(name, frame, other)
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
