"""What was dealt, counted by group: the only SQL that looks into packed cards.

Knows the columns ``deck``, ``dealt``, ``faces``, ``twins`` and ``bottom_counts`` of a store. Refuses to know what was
to be expected. A group is a ruleset, its deck, the record's tag ``deal_mode``, and where asked for a room and a day. A
room is the tag ``room``, else the table. Only deals that are known whole count, void hands and faulty ones among them:
what happened after a deal says nothing against it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from analysis.cells import Cells
from analysis.evidence import EVIDENCE, hands_of, lowest_of, most, most_of
from analysis.expectations import BOMB, Occupancy, locations
from analysis.screens import rows_of
from analysis.warehouse import Questionable
from ingest.store.decks import Deck, read_deck

WHOLE = ("rules", "deck", "deal_mode")
DAYS, ROOMS = (*WHOLE, "day"), (*WHOLE, "room", "day")
"""What hands are grouped by: all together, days apart, or rooms and days apart."""
PARAMETERS = ("rules", "since", "until")
POINTS = {"A": 1, "2": 2, "B": 3, "R": 4}
"""Points of high cards, a measure of strength that adds up card by card and so has an exact mean and variance."""

_SEATS = range(4)
_RANKS = "3456789TJQKA2BR"
_PLACES = ("d0", "d1", "d2", "d3", "bottom")
_BOMBS = sum(BOMB << 4 * rank for rank in range(13))


class Cell(Struct, frozen=True):
    """How many hands are in one cell, and the first of them."""

    hands: int
    evidence: tuple[int, ...]


class Group(Struct, frozen=True):
    """One group of deals, counted."""

    key: tuple[Any, ...]
    """Values of what was grouped by."""
    deck: Deck
    hands: int
    excluded: int
    """Hands of the same group, whatever their deck, whose deal is not known whole."""
    ranks: NDArray[np.float64]
    """Cards of each of the 15 ranks (rows) in each location (columns)."""
    jokers: dict[tuple[Occupancy, Occupancy], Cell]
    """Hands by where small jokers and where big jokers lie."""
    bombs: dict[Occupancy, Cell]
    """Hands by how many bombs each seat has."""
    pairs: int
    """Pairs of consecutive deals at one table."""
    overlap: int
    """Equal cards at the same seats in them."""
    best_bottoms: tuple[int, ...]
    closest_pairs: tuple[int, ...]
    """Hands with the most points in the bottom; the later hands of the pairs with the most equal cards."""


def points(packed: str, ranks: Mapping[str, int] = POINTS) -> str:
    """The points of packed counts, in SQL."""
    return " + ".join(f"{weight} * {_count(packed, _RANKS.index(rank))}" for rank, weight in ranks.items())


def _count(packed: str, rank: int) -> str:
    return f"(({packed} >> {4 * rank}) & 15)"


def narrowed(table: str) -> str:
    """The filters of these statistics, in SQL."""
    return (
        f"($rules IS NULL OR {table}.rules = $rules)"
        f" AND ($since IS NULL OR {table}.day >= CAST($since AS DATE))"
        f" AND ($until IS NULL OR {table}.day <= CAST($until AS DATE))"
    )


MODE = "hands.tags ->> 'deal_mode'"
_DEALT = f"""
WITH held AS (
    SELECT
        hand, count(dealt) AS shown,
        {", ".join(f"any_value(dealt) FILTER (seat = {seat}) AS d{seat}" for seat in _SEATS)}
    FROM seats GROUP BY hand
), dealt AS (
    SELECT
        hand, hands.rules, hands.deck, {MODE} AS deal_mode, coalesce(hands.tags ->> 'room', hands.table_id) AS room,
        hands.day, hands.bottom_counts AS bottom, d0, d1, d2, d3,
        hands.deck IS NOT NULL AND shown = hands.players AND hands.bottom_counts IS NOT NULL AS whole
    FROM hands JOIN held USING (hand)
    WHERE hands.counted
)
"""


def _totals(by: str) -> str:
    sums = [f"sum({_count(place, rank)}) FILTER (whole) AS {place}_{rank}" for place in _PLACES for rank in range(15)]
    return f"""{_DEALT}
        SELECT {by}, count(*) FILTER (whole) AS whole_deals, count(*) FILTER (NOT whole) AS not_whole,
            {most(points("bottom"))} FILTER (whole) AS best, {", ".join(sums)}
        FROM dealt GROUP BY {by}"""


def _by_cell(by: str, cell: str) -> str:
    return f"""{_DEALT}
        SELECT {by}, {cell} AS cell, count(*) AS found, min(hand, {EVIDENCE}) AS evidence
        FROM dealt WHERE whole GROUP BY {by}, cell"""


_JOKERS = " | ".join(f"(((coalesce({place}, 0) >> 52) & 255) << {8 * at})" for at, place in enumerate(_PLACES))
_BOMBED = " | ".join(
    f"(bit_count((coalesce(d{seat}, 0) | (coalesce(d{seat}, 0) >> 1)) & {_BOMBS})::BIGINT << {4 * seat})"
    for seat in _SEATS
)


def _equal_cards(by: str) -> str:
    """Pairs of consecutive deals at one table, in the order of its file, of one ruleset and one mode.

    A pair is of the day of the later, whatever the day of the earlier.
    """
    masks = [("faces", "faces"), ("faces", "twins"), ("twins", "faces"), ("twins", "twins")]
    equal = " + ".join(f"bit_count({one} & {other}_before)" for one, other in masks)
    return f"""
        WITH followed AS (
            SELECT
                hand, hands.rules, hands.deck, {MODE} AS deal_mode, hands.day, hands.players, seats.faces, seats.twins,
                coalesce(hands.tags ->> 'room', hands.table_id) AS room,
                lag(seats.faces) OVER earlier AS faces_before, lag(seats.twins) OVER earlier AS twins_before,
                hands.deck = lag(hands.deck) OVER earlier AND hands.rules = lag(hands.rules) OVER earlier
                    AND {MODE} IS NOT DISTINCT FROM lag({MODE}) OVER earlier AS alike
            FROM hands JOIN seats USING (hand)
            WHERE hands.table_id IS NOT NULL AND hands.counted
            WINDOW earlier AS (PARTITION BY hands.source, hands.table_id, seats.seat ORDER BY hand)
        ), pairs AS (
            SELECT {by}, hand, sum({equal}) AS equal
            FROM followed WHERE alike
            GROUP BY {by}, hand, players HAVING count(faces & faces_before) = players
        )
        SELECT {by}, count(*) AS pairs, sum(equal)::BIGINT AS equal, {most("equal")} AS closest
        FROM pairs GROUP BY {by}"""


def _parts(by: Sequence[str], *, kept: bool = False) -> dict[str, Cells]:
    """What questions add up, by these keys."""
    names = ", ".join(by)
    made = {
        "totals": _totals(names),
        "jokers": _by_cell(names, _JOKERS),
        "bombs": _by_cell(names, _BOMBED),
        "pairs": _equal_cards(names),
    }
    return {name: Cells(f"deal_{name}" if kept else "", f"deal_{name}", sql) for name, sql in made.items()}


BY_DAY = _parts(DAYS, kept=True)
"""What was dealt day by day, which may be kept."""


def _questions(by: str, parts: Mapping[str, Cells]) -> dict[str, str]:
    """The question of a group for each part."""
    sums = ", ".join(f"sum({place}_{rank}) AS {place}_{rank}" for place in _PLACES for rank in range(15))
    found = f"sum(found) AS found, {lowest_of('evidence')}"
    asked = {
        "totals": (by, f"sum(whole_deals) AS whole_deals, sum(not_whole) AS not_whole, {most_of('best')}, {sums}"),
        "jokers": (f"{by}, cell", found),
        "bombs": (f"{by}, cell", found),
        "pairs": (by, f"sum(pairs) AS pairs, sum(equal) AS equal, {most_of('closest')}"),
    }
    return {
        name: f"""WITH {parts[name].part}
            SELECT {keys}, {what} FROM deal_{name} WHERE {narrowed(f"deal_{name}")} GROUP BY {keys} ORDER BY {keys}"""
        for name, (keys, what) in asked.items()
    }


def groups(warehouse: Questionable, filters: Mapping[str, Any], by: Sequence[str]) -> list[Group]:
    """All groups that have at least one whole deal, ordered by what they are grouped by."""
    parts = BY_DAY if set(by) <= set(DAYS) else _parts(by)
    values, questions = {name: filters.get(name) for name in PARAMETERS}, _questions(", ".join(by), parts)
    told = {name: rows_of(warehouse, sql, values, [parts[name]]) for name, sql in questions.items()}
    jokers, bombs = (_cells_of(told[name], by) for name in ("jokers", "bombs"))
    pairs = {_key(row, by): row for row in told["pairs"]}
    excluded = _excluded(told["totals"], by)
    return [
        _group(row, by, excluded[_but_deck(row, by)], (jokers[_key(row, by)], bombs[_key(row, by)]), pairs)
        for row in told["totals"]
        if row["deck"] is not None and row["whole_deals"]
    ]


def _key(row: Mapping[str, Any], by: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in by)


def _but_deck(row: Mapping[str, Any], by: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in by if name != "deck")


def _excluded(totals: Sequence[Mapping[str, Any]], by: Sequence[str]) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for row in totals:
        key = _but_deck(row, by)
        found[key] = found.get(key, 0) + int(row["not_whole"])
    return found


def _cells_of(rows: Sequence[Mapping[str, Any]], by: Sequence[str]) -> dict[tuple[Any, ...], dict[int, Cell]]:
    found: dict[tuple[Any, ...], dict[int, Cell]] = {}
    for row in rows:
        cell = Cell(int(row["found"]), tuple(map(int, row["evidence"])))
        found.setdefault(_key(row, by), {})[int(row["cell"])] = cell
    return found


def _group(
    row: Mapping[str, Any],
    by: Sequence[str],
    excluded: int,
    cells: tuple[dict[int, Cell], dict[int, Cell]],
    pairs: Mapping[tuple[Any, ...], Mapping[str, Any]],
) -> Group:
    deck, hands, key = read_deck(str(row["deck"])), int(row["whole_deals"]), _key(row, by)
    pair = pairs.get(key, {"pairs": 0, "equal": 0, "closest": ()})
    return Group(
        key=key,
        deck=deck,
        hands=hands,
        excluded=excluded,
        ranks=_ranks(row, deck, hands),
        jokers={_joker_cell(code, deck): cell for code, cell in cells[0].items()},
        bombs={tuple(code >> 4 * s & 15 for s in range(deck.players)): cell for code, cell in cells[1].items()},
        pairs=int(pair["pairs"]),
        overlap=int(pair["equal"] or 0),
        best_bottoms=hands_of(row["best"]),
        closest_pairs=hands_of(pair["closest"]),
    )


def _places(deck: Deck) -> list[str]:
    """The columns of the seats, and that of the bottom where there is one; what is dead is what they leave."""
    return [*_PLACES[: deck.players], *(["bottom"] if deck.bottom else [])]


def _ranks(row: Mapping[str, Any], deck: Deck, hands: int) -> NDArray[np.float64]:
    known = np.array([[float(row[f"{place}_{rank}"]) for place in _places(deck)] for rank in range(15)])
    if not deck.dead:
        return known
    packs = np.array([0 if rank in deck.without else deck.packs * (1 if rank in "BR" else 4) for rank in _RANKS])
    return np.column_stack([known, hands * packs - known.sum(axis=1)])


def _joker_cell(code: int, deck: Deck) -> tuple[Occupancy, Occupancy]:
    """Where the small jokers lie, and where the big ones."""
    at = [_PLACES.index(place) for place in _places(deck)]
    small, big = ([code >> 8 * place + shift & 15 for place in at] for shift in (0, 4))
    dead = len(locations(deck)) > len(at)
    rest = ([deck.packs - sum(small)], [deck.packs - sum(big)]) if dead else ([], [])
    return (*small, *rest[0]), (*big, *rest[1])
