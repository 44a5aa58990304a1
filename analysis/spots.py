"""Situations of the play: what was played in them, how that ended, and examples.

Knows how a situation is described. Refuses to say what should have been played. Only the latest hands are looked into,
as many as are asked for, since every turn of them is read.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from msgspec import Struct, structs

from analysis.catalogue import filtered
from analysis.narrowing import CHOSEN, narrowed
from analysis.warehouse import Warehouse

CARDS = {"1": (1, 1), "2": (2, 2), "3-5": (3, 5), "6-10": (6, 10), "11-16": (11, 16), "17+": (17, 99)}
"""Numbers of cards left, lowest and highest."""
FEW, MORE = 500, 10
"""Hands in which examples are looked for first, and how many times as many next where those are too few."""
TURNS = ("lead", "follow")
WHOSE = ("foe", "mate")
COULD = ("softly", "bombs", "no")
"""An answer other than bombs, only a bomb or rocket, none."""


class Spot(Struct, frozen=True):
    """A situation; what is empty narrows nothing."""

    turn: str = ""
    own: str = ""
    """Cards in hand; this and the next two as in ``CARDS``."""
    foe: str = ""
    """Fewest cards of an opponent."""
    mate: str = ""
    """Fewest cards of a team mate."""
    standing: str = ""
    """The combination that is to be beaten."""
    rank: str = ""
    """Its rank."""
    whose: str = ""
    could: str = ""


_EARLIER = """,
        last_value(CASE WHEN NOT pass THEN reading END IGNORE NULLS) OVER earlier AS standing,
        last_value(CASE WHEN NOT pass THEN rank END IGNORE NULLS) OVER earlier AS standing_rank,
        last_value(CASE WHEN NOT pass THEN cards END IGNORE NULLS) OVER earlier AS standing_cards"""
_WINDOW = "WINDOW earlier AS (PARTITION BY hand ORDER BY index ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"


def _cards_of(seat: str) -> str:
    """What a seat held before the turn."""
    return f"CAST(split_part(left_before, ' ', {seat} + 1) AS SMALLINT)"


def _turns(*, standing: bool) -> str:
    """The turns of a situation; ``standing``: with what was to be beaten, for which every turn before is looked at."""
    return f"""
WITH passing AS ({CHOSEN}        AND verdict = 'clean' AND hand BETWEEN $from AND $to
),

seen AS (
    SELECT
        hand, index, seat, cards, pass, reading, length, rank, lead, answered, could, could_softly, left_before
        {_EARLIER if standing else ""}
    FROM moves
    WHERE phase = 'play' AND hand BETWEEN $from AND $to AND lead IS NOT NULL
    {_WINDOW if standing else ""}
),

described AS (
    SELECT
        seen.*, passing.player, passing.role, passing.won, passing.score / passing.base AS score, passing.rules,
        hands.id, hands.landlord, hands.outcome, hands.multiplier,
        {_cards_of("seat")} AS own,
        list_min(list_filter(
            list_transform(string_split(left_before, ' '), lambda cards: CAST(cards AS SMALLINT)),
            lambda cards, place: place - 1 NOT IN (hands.landlord, seat)
        )) AS farmers,
        {_cards_of("hands.landlord")} AS landlords
    FROM seen
    JOIN passing USING (hand, seat)
    JOIN hands USING (hand)
    WHERE passing.role IS NOT NULL
),

turns AS (
    SELECT
        *,
        CASE WHEN role = 'landlord' THEN farmers ELSE landlords END AS foe,
        CASE WHEN role = 'farmer' THEN farmers END AS mate,
        CASE WHEN lead THEN NULL WHEN role = 'farmer' AND answered <> landlord THEN 'mate' ELSE 'foe' END AS whose,
        CASE WHEN lead THEN NULL WHEN could_softly THEN 'softly' WHEN could THEN 'bombs' WHEN NOT could THEN 'no' END
            AS answer
    FROM described
),

spot AS (
    SELECT *, CASE WHEN pass THEN 'pass' ELSE coalesce(reading, 'nothing') END AS kind,
        CASE WHEN pass THEN 'pass' WHEN reading IS NULL THEN 'nothing'
            ELSE concat(reading, ' ', length, ' ', rank) END AS exact
    FROM turns
    WHERE ($turn IS NULL OR lead = ($turn = 'lead'))
        AND ($own_low IS NULL OR own BETWEEN $own_low AND $own_high)
        AND ($foe_low IS NULL OR foe BETWEEN $foe_low AND $foe_high)
        AND ($mate_low IS NULL OR mate BETWEEN $mate_low AND $mate_high)
        {_ANSWERED if standing else ""}
        AND ($whose IS NULL OR whose = $whose)
        AND ($could IS NULL OR answer = $could)
)
"""


_ANSWERED = """AND ($standing IS NULL OR (NOT lead AND standing = $standing))
        AND ($rank IS NULL OR (NOT lead AND standing_rank = $rank))"""
_ACTIONS = """
SELECT
    CASE WHEN $exactly THEN exact ELSE kind END AS action,
    count(*) AS turns,
    count(DISTINCT hand) AS hands,
    rate(count(*), sum(count(*)) OVER ()) AS share,
    count(*) FILTER (WHERE won) AS wins,
    count(won) AS decided,
    rate(wins, decided) AS rate,
    wilson_low(wins, decided) AS low,
    wilson_high(wins, decided) AS high,
    CAST(avg(score) AS DOUBLE) AS score
FROM spot
GROUP BY action
ORDER BY turns DESC, action
"""
_EXAMPLES = """
SELECT
    hand, index, id, rules, player, role, own, foe, mate, standing, standing_cards, cards, pass, reading, won, outcome,
    multiplier
FROM spot
WHERE $action IS NULL OR (CASE WHEN $exactly THEN exact ELSE kind END) = $action
QUALIFY row_number() OVER (PARTITION BY hand ORDER BY index) = 1
ORDER BY hand DESC, index
LIMIT $rows
"""
_LATEST = """
SELECT coalesce(min(hand), 0) AS first, coalesce(max(hand), 0) AS last
FROM (SELECT hand FROM hands ORDER BY hand DESC LIMIT $latest)
"""
_STANDING = """
SELECT reading
FROM moves
WHERE phase = 'play' AND reading IS NOT NULL AND hand >= $from
GROUP BY reading
ORDER BY count(*) DESC, reading
"""


def actions(
    warehouse: Warehouse, spot: Spot, filters: Mapping[str, Any], latest: int, *, exactly: bool
) -> pd.DataFrame:
    """What was played in a situation, most frequent first: by combination, or ``exactly`` with length and rank.

    ``wins`` of ``decided`` are turns of seats that won; ``rate`` with its interval; ``score`` is over the base.
    """
    values = _values(warehouse, spot, filters, latest) | {"exactly": exactly}
    return warehouse.query(_turns(standing=bool(spot.standing or spot.rank)) + _ACTIONS, values)


def examples(
    warehouse: Warehouse, spot: Spot, filters: Mapping[str, Any], latest: int, *, exactly: bool, action: str, rows: int
) -> pd.DataFrame:
    """Turns of a situation, the first of each hand, latest hands first; of an ``action`` only, if one is named."""
    values = _values(warehouse, spot, filters, latest) | {"exactly": exactly, "action": action or None, "rows": rows}
    first, reach = values["from"], FEW
    values["to"] = _last(warehouse, filters, values)
    while True:
        values["from"] = max(first, values["to"] - reach)
        found = warehouse.query(_turns(standing=True) + _EXAMPLES, values)
        if len(found) >= rows or values["from"] == first:
            return found
        reach *= MORE


def _last(warehouse: Warehouse, filters: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """The latest hand that passes the filters, or the first of all that are looked into."""
    passing = narrowed(filtered(filters), "verdict = 'clean'", "hand BETWEEN $from AND $to")
    sql = f"SELECT coalesce(max(hand), $from) AS last FROM seats WHERE {passing}"
    return int(warehouse.query(sql, values)["last"][0])


def combinations(warehouse: Warehouse, latest: int) -> list[str]:
    """The combinations that were played in the latest hands, most frequent first."""
    first, _ = _reach(warehouse, latest)
    return warehouse.query(_STANDING, {"from": first})["reading"].astype(str).tolist()


def _reach(warehouse: Warehouse, latest: int) -> tuple[int, int]:
    """The first and the last of the latest hands."""

    def work_out() -> tuple[int, int]:
        first, last = warehouse.query(_LATEST, {"latest": latest}).iloc[0]
        return int(first), int(last)

    return warehouse.remembered(("latest", latest), work_out)


def _values(warehouse: Warehouse, spot: Spot, filters: Mapping[str, Any], latest: int) -> dict[str, Any]:
    """A situation as SQL takes it. Raises ``ValueError`` for what is none."""
    first, last = _reach(warehouse, latest)
    values: dict[str, Any] = {"from": first, "to": last}
    for key, word in structs.asdict(spot).items():
        if key not in ("own", "foe", "mate"):
            values[key] = word or None
            continue
        if word and word not in CARDS:
            raise ValueError(f"{key} is one of {', '.join(CARDS)}, not {word}")
        values[f"{key}_low"], values[f"{key}_high"] = CARDS.get(word, (None, None))
    return filtered(filters) | values
