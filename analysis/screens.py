"""What screens have in common: they look for what is odd, and never give a verdict on a person.

A screen gives a score, its reasons, hands as evidence and how many hands it rests on.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.cells import Cells, asked
from analysis.warehouse import Questionable

ROWS = 10_000_000
SECONDS = 600.0
"""What the question of a screen may give and take."""
SHUFFLED = ("", "random")
"""The tags ``deal_mode`` (empty: none) of deals that are said to be shuffled; only these are scored."""
LOOK, UNSURE = 2.0, 1.3
"""Scores from which something is worth a look, or cannot be told from chance: of one in a hundred, one in twenty."""

Values = Mapping[str, Any]


def rows_of(warehouse: Questionable, sql: str, values: Values, cells: Iterable[Cells] = ()) -> list[dict[str, Any]]:
    """The answer to a screen's question as rows, None for what is null. ``cells``: parts of it that may be kept."""
    frame = asked(warehouse, sql, cells, values, rows=ROWS, seconds=SECONDS)
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame]
    return [dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def numbers(hands: tuple[int, ...]) -> str | None:
    """Hands as text, by their running numbers, each once."""
    return " ".join(map(str, dict.fromkeys(hands))) or None
