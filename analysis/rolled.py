"""Relations that statistics add up, and that a roll-up, or sums by day, answer wherever they know the filters.

Knows for each which rows say the same. Refuses to know what is made of them. The rows are those of ``chosen``, the
seats of clean hands that pass the filters.
"""

from msgspec import Struct

from analysis.cells import Cells
from analysis.narrowing import FILTERS, Values, narrowed


class Relation(Struct, frozen=True):
    """One relation: sums by keys, of which several rows may have the same keys."""

    table: str
    """The roll-up."""
    filters: tuple[str, ...]
    """The filters that it knows, but for hands without bots."""
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    raw: str
    """The same columns from the rows of ``chosen`` and others."""
    daily: Cells | None = None
    """The same sums by the keys and the day, of all clean hands."""

    def is_rolled(self, values: Values) -> bool:
        """Whether the roll-up can answer under these filters."""
        return self._given(values) <= set(self.filters) and values.get("bots") != "none"

    def _given(self, values: Values) -> set[str]:
        return {name for name in FILTERS if values.get(name) is not None}

    def parts(self, name: str, values: Values) -> list[str]:
        """The parts of WITH that end with the rows under these filters."""
        if self.is_rolled(values):
            return [f"{name} AS ({self._picked(self.table, values)})"]
        if self.daily is not None and self._given(values) <= {*self.filters, "since", "until"}:
            return [self.daily.part, f"{name} AS ({self._picked(self.daily.name, values)})"]
        return [f"{name} AS ({self.raw})"]

    def _picked(self, table: str, values: Values) -> str:
        return f"SELECT {', '.join([*self.keys, *self.sums])} FROM {table} WHERE {narrowed(values)}"


_MATED_BY_DAY = """
    SELECT
        mine.player AS player,
        other.player AS other,
        mine.rules AS rules,
        mine.role AS role,
        other.role AS other_role,
        mine.day AS day,
        count(*) AS hands,
        count(*) FILTER (mine.won) AS wins,
        count(mine.score) AS scored,
        coalesce(sum(mine.score / mine.base), 0) AS total,
        coalesce(sum((mine.score / mine.base) ** 2), 0) AS squares
    FROM seats AS mine
    JOIN seats AS other ON other.hand = mine.hand AND other.seat <> mine.seat
    WHERE mine.verdict = 'clean' AND mine.won IS NOT NULL AND mine.role IS NOT NULL
    GROUP BY ALL
"""
RELATIONS = {
    "combined": Relation(
        table="combinations",
        filters=("player", "rules", "since", "until", "role", "position", "bots"),
        keys=("rules", "role", "reading", "size"),
        sums=("leads", "openings", "bombs"),
        raw="""
    SELECT
        chosen.rules AS rules,
        role,
        reading,
        CASE WHEN bomb THEN size END AS size,
        CAST(lead AND NOT pass AS INT) AS leads,
        CAST(lead AND NOT pass AND index = 0 AS INT) AS openings,
        CAST(bomb AS INT) AS bombs
    FROM moves
    JOIN chosen ON chosen.hand = moves.hand AND chosen.seat = moves.seat
    WHERE phase = 'play' AND (lead AND NOT pass OR bomb)
""",
    ),
    "mated": Relation(
        table="mates",
        filters=("player", "rules", "role"),
        keys=("player", "other", "rules", "role", "other_role"),
        sums=("hands", "wins", "scored", "total", "squares"),
        raw="""
    SELECT
        chosen.player AS player,
        other.player AS other,
        chosen.rules AS rules,
        chosen.role AS role,
        other.role AS other_role,
        1 AS hands,
        CAST(chosen.won AS INT) AS wins,
        CAST(chosen.score IS NOT NULL AS INT) AS scored,
        coalesce(chosen.score / chosen.base, 0) AS total,
        coalesce((chosen.score / chosen.base) ** 2, 0) AS squares
    FROM chosen
    JOIN seats AS other ON other.hand = chosen.hand AND other.seat <> chosen.seat
    WHERE chosen.won IS NOT NULL AND chosen.role IS NOT NULL
""",
        daily=Cells("mated_by_day", "mated_by_day", _MATED_BY_DAY),
    ),
}
"""By the name that a statistic calls it by."""


def parts(body: str, values: Values) -> list[str]:
    """The parts of WITH that a question's text needs, from roll-ups or sums by day where they can answer."""
    return [part for name, relation in _named(body).items() for part in relation.parts(name, values)]


def cells(body: str) -> tuple[Cells, ...]:
    """The sums by day of the relations that a question's text names."""
    return tuple(relation.daily for relation in _named(body).values() if relation.daily is not None)


def _named(body: str) -> dict[str, Relation]:
    return {name: relation for name, relation in RELATIONS.items() if f"FROM {name}" in body}
