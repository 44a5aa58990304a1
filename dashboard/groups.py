"""What the groups are called that ``by`` splits a statistic into."""

import pandas as pd

from dashboard import roles
from dashboard.text import say

_WEEKDAYS = "1234567"


def name(by: str, value: object, rules: str | None = None) -> str:
    """A group of an answer that is split ``by`` something."""
    if by == "role":
        return roles.role(str(value), rules)
    if by == "position" and value in ("down", "up", "across"):
        return say(f"position.{value}")
    if by == "weekday" and str(value) in _WEEKDAYS:
        return say(f"weekday.{value}")
    if by == "bot":
        return say("group.robots" if str(value) == "true" else "group.people")
    return str(value)


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of an answer whose group is known."""
    known: pd.DataFrame = frame[frame["group"].notna()]
    return known
