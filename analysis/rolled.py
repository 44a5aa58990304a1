"""Relations that statistics add up, and that a roll-up answers wherever it knows the filters.

Knows for each which rows say the same. Refuses to know what is made of them. The rows are those of ``chosen``, the
seats of clean hands that pass the filters.
"""

from msgspec import Struct

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

    def is_rolled(self, values: Values) -> bool:
        """Whether the roll-up can answer under these filters."""
        given = {name for name in FILTERS if values.get(name) is not None}
        return given <= set(self.filters) and values.get("bots") != "none"

    def select(self, values: Values, *, rolled: bool) -> str:
        """The rows under these filters."""
        if not rolled:
            return self.raw
        return f"SELECT {', '.join([*self.keys, *self.sums])} FROM {self.table} WHERE {narrowed(values)}"


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
    ),
}
"""By the name that a statistic calls it by."""


def parts(body: str, values: Values) -> list[str]:
    """The parts of WITH that a question's text needs, from roll-ups where they can answer."""
    return [
        f"{name} AS ({relation.select(values, rolled=relation.is_rolled(values))})"
        for name, relation in RELATIONS.items()
        if f"FROM {name}" in body
    ]
