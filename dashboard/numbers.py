"""How numbers are written, the same on every screen: counts with separators, rates in per cent, scores with a sign.

Missing numbers are a dash, so that nobody takes them for 0.
"""

import pandas as pd

MISSING = "–"
MILLION = 1_000_000


def minus(text: str) -> str:
    """A number as people read it: with a minus sign, which files write as a hyphen."""
    return text.replace("-", "−")


def count(value: float | None) -> str:
    """1,234."""
    return MISSING if pd.isna(value) else minus(f"{int(value):,}")


def short(value: float) -> str:
    """1,234 or 1.23M, for figures that stand large."""
    return count(value) if value < MILLION else f"{value / MILLION:.2f}M"


def rate(value: float | None) -> str:
    """45.3%."""
    return MISSING if pd.isna(value) else minus(f"{value:.1%}")


def share(value: float) -> str:
    """73%, or 0.4% of what is small."""
    return f"{value:.0%}" if value >= 0.1 or value == 0 else f"{value:.1%}"


def number(value: float | None) -> str:
    """1,234.57; no digits behind the point where there is nothing but 0."""
    if pd.isna(value):
        return MISSING
    return minus(f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}")


def signed(value: float | None) -> str:
    """+1.20 or −1.20: of scores and differences."""
    return MISSING if pd.isna(value) else minus(f"{value:+,.2f}")


def points(value: float | None) -> str:
    """+12.3 or −12.3 percentage points."""
    return MISSING if pd.isna(value) else minus(f"{value * 100:+.1f}")


def between(low: float | None, high: float | None) -> str:
    """An interval of rates: 41.2–49.5%."""
    return "" if pd.isna(low) or pd.isna(high) else minus(f"{low * 100:.1f}–{high:.1%}")


def between_numbers(low: float | None, high: float | None) -> str:
    """An interval of numbers: −0.31 … 1.20."""
    return "" if pd.isna(low) or pd.isna(high) else minus(f"{low:,.2f} … {high:,.2f}")


def figure(value: float | None, *, rate: bool) -> str:
    """A rate or another number."""
    if pd.isna(value):
        return MISSING
    return minus(f"{value:.1%}") if rate else minus(f"{value:,.2f}")


def gap(value: float | None, *, rate: bool) -> str:
    """A difference of rates, in percentage points, or of numbers."""
    return points(value) if rate else signed(value)


def between_gaps(low: float | None, high: float | None, *, rate: bool) -> str:
    """The interval of a difference."""
    return "" if pd.isna(low) or pd.isna(high) else f"{gap(low, rate=rate)} … {gap(high, rate=rate)}"
