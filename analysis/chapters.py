"""Which chapter of the project's list of statistics each statistic belongs to, by its number there.

Knows the list's chapters. Refuses to list statistics: a new one finds its place by its number, or its columns.
"""

import re

from analysis.declared import Statistic

CHAPTERS = {
    "results": range(1, 12),
    "bidding": range(12, 28),
    "deal": range(28, 37),
    "play": range(37, 61),
    "springs": range(61, 66),
    "people": range(79, 87),
    "time": range(87, 101),
    "ratings": range(101, 105),
    "duplicate": range(105, 112),
    "operator": range(112, 122),
    "variants": range(122, 136),
}
"""Chapters and the numbers of their statistics."""
INTEGRITY, OTHER = "integrity", "other"
_FIRST = re.compile(r"\d+")
_BOMBS = range(49, 55)


def chapter(statistic: Statistic) -> str:
    """The chapter of a statistic: screens of integrity, those of its first number, ratings, or others."""
    if is_screen(statistic):
        return INTEGRITY
    number = _first(statistic)
    if number is None:
        return "ratings" if {"mu", "sigma"} <= {column.name for column in statistic.columns} else OTHER
    return next((name for name, numbers in CHAPTERS.items() if number in numbers), OTHER)


def is_screen(statistic: Statistic) -> bool:
    """Whether it is a screen of integrity: it scores, and names hands as evidence."""
    return {"score", "evidence"} <= {column.name for column in statistic.columns}


def is_about_bombs(statistic: Statistic) -> bool:
    """Whether it counts bombs as they are played."""
    number = _first(statistic)
    return number is not None and number in _BOMBS


def place(statistic: Statistic) -> tuple[int, str]:
    """Where a statistic stands in the list: by its first number, those without one last."""
    number = _first(statistic)
    return (1000 if number is None else number, statistic.name)


def _first(statistic: Statistic) -> int | None:
    """The first number; of ``4.3``, a table of the list, none."""
    found = _FIRST.match(statistic.number)
    return int(found[0]) if found and not statistic.number[found.end() :].startswith(".") else None
