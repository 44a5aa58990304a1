"""Statistics of one number: a rate, a ratio, a mean or shares, which a file states as little more than what is counted.

Such a file has ``kind`` in its header and one short SELECT over ``chosen``, the seats of clean hands that pass the
filters, which may join ``company``, all who sat at their tables. Everything else, the grouping, the intervals and the
order, is the same for all and is put around it here.
Knows SQL text. Refuses to know what is measured.
"""

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from analysis import rolled
from analysis.narrowing import FILTERS, Values, about_seats, narrowed

KINDS = ("rate", "ratio", "mean", "shares")
GROUPS = {
    "player": "player",
    "role": "role",
    "position": "position",
    "bid": "CAST(bid AS VARCHAR)",
    "base": "CAST(base AS VARCHAR)",
    "day": "CAST(day AS VARCHAR)",
    "month": "strftime(day, '%Y-%m')",
    "weekday": "strftime(day, '%u')",
    "bot": "CAST(coalesce(bot, false) AS VARCHAR)",
    "strength": "CAST(dealt_points AS VARCHAR)",
}
"""What an answer may be split by, and the text that names a group."""
PARAMETERS = (*FILTERS, "by", "across")
_BODY = re.compile(r"\s*SELECT\s+(?P<what>.*?)\s+FROM\s+chosen\b(?P<rest>.*)", re.DOTALL)

Question = Callable[[Values], str]
"""The SQL of a statistic for some values; it names only parameters that have one."""


class Shape(Struct, frozen=True):
    """What an answer of one kind looks like: the columns beyond ruleset and group, and how they are made."""

    columns: tuple[tuple[str, str, str, str], ...]
    """Name, unit, Chinese and English title; part and whole take theirs from the file."""
    select: str


SHAPES = {
    "rate": Shape(
        (
            ("part", "count", "", ""),
            ("whole", "count", "", ""),
            ("rate", "rate", "比率", "Rate"),
            ("low", "rate", "下限", "Low"),
            ("high", "rate", "上限", "High"),
        ),
        "part, whole, rate(part, whole) AS rate, wilson_low(part, whole) AS low, wilson_high(part, whole) AS high",
    ),
    "ratio": Shape(
        (
            ("part", "count", "", ""),
            ("whole", "count", "", ""),
            ("ratio", "number", "比值", "Ratio"),
            ("error", "number", "标准误", "Standard error"),
        ),
        "part, whole, rate(part, whole) AS ratio, error",
    ),
    "mean": Shape(
        (
            ("whole", "count", "", ""),
            ("total", "number", "合计", "Total"),
            ("mean", "number", "平均", "Mean"),
            ("error", "number", "标准误", "Standard error"),
        ),
        "whole, total, mean, error",
    ),
    "shares": Shape(
        (
            ("class", "text", "", ""),
            ("part", "count", "", ""),
            ("whole", "count", "", ""),
            ("rate", "rate", "占比", "Share"),
            ("low", "rate", "下限", "Low"),
            ("high", "rate", "上限", "High"),
        ),
        "class, part, whole, rate(part, whole) AS rate, wilson_low(part, whole) AS low, "
        "wilson_high(part, whole) AS high",
    ),
}

_CELL = {
    "rate": "CAST(coalesce(sum(part), 0) AS BIGINT) AS part, CAST(coalesce(sum(whole), 0) AS BIGINT) AS whole",
    "ratio": """
        CAST(coalesce(sum(part), 0) AS BIGINT) AS part,
        CAST(coalesce(sum(whole), 0) AS BIGINT) AS whole,
        sum(part::DOUBLE * part) AS parts,
        sum(part::DOUBLE * whole) AS products,
        sum(whole::DOUBLE * whole) AS wholes
    """,
    "mean": """
        count(x) AS whole,
        CAST(sum(x) AS DOUBLE) AS total,
        CAST(avg(x) AS DOUBLE) AS mean,
        var_pop(x) * count(x) AS spread
    """,
    "shares": "CAST(class AS VARCHAR) AS class, CAST(sum(part) AS BIGINT) AS part",
}
"""What is known of the seats with the same keys; several cells add up to one, whatever they are."""

_SUMMED = {
    "rate": """
    SELECT {of}rules, "group", CAST(sum(part) AS BIGINT) AS part, CAST(sum(whole) AS BIGINT) AS whole
    FROM cells
    GROUP BY {of}rules, "group"
""",
    "ratio": """
    SELECT
        {of}rules,
        "group",
        CAST(sum(part) AS BIGINT) AS part,
        CAST(sum(whole) AS BIGINT) AS whole,
        rate(sum(part), sum(whole)) AS r,
        sqrt(greatest(sum(parts) - 2 * r * sum(products) + r * r * sum(wholes), 0.0)) / nullif(sum(whole), 0) AS error
    FROM cells
    GROUP BY {of}rules, "group"
""",
    "mean": """
    WITH middles AS (
        SELECT {as_of}, sum(total) / nullif(sum(whole), 0) AS middle
        FROM cells
        GROUP BY {of}rules, "group"
    )
    SELECT
        {of}rules,
        "group",
        CAST(sum(whole) AS BIGINT) AS whole,
        sum(total) AS total,
        any_value(middle) AS mean,
        sqrt((sum(spread) + sum(whole * (mean - middle) ** 2)) / nullif(sum(whole) - 1, 0) / sum(whole)) AS error
    FROM cells
    JOIN middles ON {same}
    GROUP BY {of}rules, "group"
""",
    "shares": """
    WITH wholes AS (
        SELECT {as_of}, CAST(sum(part) AS BIGINT) AS whole
        FROM cells
        WHERE class IS NOT NULL
        GROUP BY {of}rules, "group"
    )
    SELECT {of}rules, "group", class, CAST(sum(part) AS BIGINT) AS part, any_value(wholes.whole) AS whole
    FROM cells
    JOIN wholes ON {same}
    WHERE class IS NOT NULL
    GROUP BY {of}rules, "group", class
""",
}
"""Cells added up; ``{of}`` begins the keys where they are of several measures, ``{as_of}`` are the keys by other names,
``{same}`` holds them against each other. Sums of a group are joined to its cells: a window over a few rows takes longer
than all the rest of a short question."""


_CLEAN = "verdict = 'clean'"


def table(body: str) -> Question:
    """The question of a file that makes its own table of ``chosen``, or of a relation of ``rolled``: a SELECT, after
    further parts if need be.
    """

    def question(values: Values) -> str:
        parts = [f"chosen AS ({_chosen(values)})", *rolled.parts(body, values)]
        return f"WITH {', '.join(parts)}\n{body.strip()}\n"

    return question


def measure(kind: str, body: str, *, by_hand: bool = False) -> Question:
    """The question of a file's SELECT; ``by_hand``: seats of one hand and group that count alike count once.

    Raises ``ValueError`` where it is not one over ``chosen``.
    """
    _parts(kind, body)

    def question(values: Values) -> str:
        asked = f"asked AS ({_asked(kind, body, _keys(values), by_hand=by_hand)})"
        cells = f"SELECT {', '.join(_keys(values))}, {_CELL[kind]} FROM asked GROUP BY ALL"
        return f"WITH {_picked(values)},\n\n{asked},\n\ncells AS MATERIALIZED ({cells}),\n\n{_answer(kind)}"

    return question


class Tally(Struct, frozen=True):
    """A measure as cells by day: by player, role and position, and by strength of the dealt hand, role and position.

    Answers under most filters are cells added up.
    """

    kind: str
    body: str
    by_hand: bool

    @property
    def sql(self) -> str:
        """The question that makes the cells of all clean hands; ``of_player`` says which of the two one is."""
        keys = {name: name for name in CELLS} | {"strength": "dealt_points"}
        also = ("class",) if self.kind == "shares" else ()
        sets = ", ".join(f"({', '.join(each + also)})" for each in (CELLS, _BY_STRENGTH))
        asked = _asked(self.kind, self.body, keys, by_hand=self.by_hand)
        return f"""WITH {_picked({})},

asked AS ({asked})

SELECT {", ".join(keys)}, grouping(player) = 0 AS of_player, {_CELL[self.kind]}
FROM asked
GROUP BY GROUPING SETS ({sets})
"""

    def serves(self, values: Values) -> bool:
        """Whether the cells answer under these filters, if nobody sits at two seats of a hand."""
        given = {name for name, value in values.items() if value is not None} - {"by", "across"}
        of_one = given & {"player"} or values.get("by") == "player"
        return (
            given <= _TALLIED_FILTERS
            and values.get("bots") != "none"
            and values.get("by") in _TALLIED_GROUPS
            and not (values.get("by") == "strength" and of_one)
            and bool(of_one or not self.by_hand)
        )


CELLS = ("rules", "player", "role", "position", "bot", "day")
"""The columns of ``seats`` by which cells of players are kept."""
_BY_STRENGTH = ("rules", "role", "position", "bot", "day", "strength")
_TALLIED_FILTERS = {"player", "rules", "since", "until", "role", "position", "bots"}
_TALLIED_GROUPS = {None, "player", "role", "position", "bot", "day", "month", "weekday", "strength"}


def added_up(kind: str, values: Values) -> str:
    """The question that adds up cells of measures of one kind, which stand in ``tally`` with ``measure``."""
    by_strength = values.get("by") == "strength"
    group = "CAST(strength AS VARCHAR)" if by_strength else _group(values)
    of_some = narrowed(values, f"{'NOT ' if by_strength else ''}of_player")
    cells = f'SELECT {_rules(values)} AS rules, {group} AS "group", * EXCLUDE (rules) FROM tally WHERE {of_some}'
    return f"WITH cells AS MATERIALIZED ({cells}),\n\n{_answer(kind, 'measure, ')}"


def together(measures: Mapping[str, Tally], values: Values) -> str:
    """The question of several measures of one kind, which stand in ``measure``: their seats are picked once for all."""
    [kind] = {each.kind for each in measures.values()}
    asked = {name: _asked(kind, each.body, _keys(values), by_hand=each.by_hand) for name, each in measures.items()}
    cells = "\nUNION ALL\n".join(
        f"SELECT '{name}' AS measure, {', '.join(_keys(values))}, {_CELL[kind]} FROM ({sql}) GROUP BY ALL"
        for name, sql in asked.items()
    )
    return f"WITH {_picked(values)},\n\ncells AS MATERIALIZED ({cells}),\n\n{_answer(kind, 'measure, ')}"


def _picked(values: Values) -> str:
    """The parts of a question that files count in."""
    return f"chosen AS ({_chosen(values)}),\n\ncompany AS ({_company(values)})"


def _asked(kind: str, body: str, keys: Mapping[str, str], *, by_hand: bool) -> str:
    """What is counted of each seat with its keys, SQL by name."""
    what, rest = _parts(kind, body)
    written = ", ".join(f"{told} AS {name}" for name, told in keys.items())
    select = "SELECT DISTINCT\n        hand," if by_hand else "SELECT"
    return f"""
    {select}
        {written},
        {what}
    FROM chosen{rest}
"""


def _keys(values: Values) -> dict[str, str]:
    return {"rules": _rules(values), '"group"': _group(values)}


def _answer(kind: str, of: str = "") -> str:
    """The end of a question: cells added up. ``of``: what begins the keys of cells of several measures."""
    return f"""summed AS ({_summed(kind, of)})

SELECT {of}rules, "group", {SHAPES[kind].select}
FROM summed
WHERE whole > 0
ORDER BY {of}rules, {"class, " if kind == "shares" else ""}whole DESC, "group"
"""


def _summed(kind: str, of: str) -> str:
    """Cells added up by their keys."""
    keys = {"of_measure": "measure"} if of else {}
    keys |= {"of_rules": "rules", "of_group": '"group"'}
    told = ", ".join(f"{key} AS {name}" for name, key in keys.items())
    same = " AND ".join(f"{name} IS NOT DISTINCT FROM {key}" for name, key in keys.items())
    return _SUMMED[kind].format(of=of, as_of=told, same=same)


def _chosen(values: Values) -> str:
    return f"SELECT * FROM seats WHERE {narrowed(values, _CLEAN)}"


_BESIDE = "hand IN (SELECT hand FROM chosen)"


def _company(values: Values) -> str:
    """Seats, all those of hands with a chosen one among them; of few hands where few are chosen."""
    return f"SELECT * FROM seats WHERE {_BESIDE if about_seats(values) else 'true'}"


def counted(kind: str, body: str, *, by_hand: bool = False) -> Question:
    """The seats that a file's SELECT counts, as ``counted``: hand, seat, group, and what each adds to part and whole.

    A mean has its number as part, shares have their class in ``class`` besides. ``by_hand``: of those
    of one hand that count alike the first.
    """
    once = "SELECT min(seat) AS seat, * EXCLUDE (seat) FROM each_seat GROUP BY ALL" if by_hand else "FROM each_seat"
    what, rest = _parts(kind, body)
    part = "x" if kind == "mean" else "part"
    whole = "1" if kind in ("mean", "shares") else "whole"
    more = ", CAST(class AS VARCHAR) AS class" if kind == "shares" else ""
    return lambda values: (
        f"""
WITH chosen AS ({_chosen(values)}),

company AS ({_company(values)}),

each_seat AS (SELECT hand, seat, {_group(values)} AS "group", {what} FROM chosen{rest}),

asked AS ({once}),

counted AS (
    SELECT hand, seat, "group", CAST({part} AS DOUBLE) AS part, CAST({whole} AS DOUBLE) AS whole{more}
    FROM asked
    WHERE {whole} > 0 AND {part} IS NOT NULL
)
"""
    )


def _rules(values: Values) -> str:
    return "'*'" if values.get("across") == "yes" else "rules"


def _group(values: Values) -> str:
    return "CAST(NULL AS VARCHAR)" if values.get("by") is None else GROUPS[values["by"]]


def _parts(kind: str, body: str) -> tuple[str, str]:
    """What a file's SELECT asks, and what follows ``FROM chosen``."""
    found = _BODY.fullmatch(body.strip())
    if kind not in KINDS or found is None:
        raise ValueError(f"a {kind} is SELECT … FROM chosen …")
    return found["what"], found["rest"]
