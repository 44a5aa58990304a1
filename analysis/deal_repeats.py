"""Screen of repeated deals: the same deal again, also with other first seats or with suits renamed.

Knows digests and the birthday formula. Refuses to look into cards: what is equal was found when hands were loaded, and
the store is asked only for digests that stand more than once, so that its size does not matter. Source: statistics.md
4.3.
"""

from collections.abc import Mapping
from math import expm1, log2
from typing import Any

from analysis.cells import Cells
from analysis.deal_counts import MODE, PARAMETERS, narrowed
from analysis.deal_tests import score
from analysis.evidence import EVIDENCE
from analysis.expectations import expected_repeats, log_deals
from analysis.screens import SHUFFLED, rows_of
from analysis.warehouse import Questionable
from ingest.store.decks import Deck, read_deck

KINDS = ("exact", "suits", "turned")
"""The same cards at the same seats; the same but for the names of suits; the same from another seat on."""
SEEDS = (32, 48)
"""Bits of weak seeds."""
DIGEST = 64
"""Bits of a digest: two deals may agree in it by chance."""


def _pair(by: str) -> str:
    first, last = f"arg_min(hand, row({by}, hand))", f"arg_max(hand, row({by}, hand))"
    return f"least({first}, {last}) || '=' || greatest({first}, {last})"


_KNOWN = f"""
    SELECT hand, day, rules, deck, {MODE} AS deal_mode, deal_digest, deal_shape
    FROM hands WHERE deal_shape IS NOT NULL AND counted
"""
NUMBER_CELLS = Cells(
    "deals_by_day",
    "dealt_on",
    f"SELECT rules, deck, deal_mode, day, count(*) AS hands FROM ({_KNOWN}) GROUP BY ALL",
)
AGAIN_CELLS = Cells(
    "deals_again",
    "ever_again",
    f"""
    SELECT again.*, list(seats.dealt ORDER BY seats.seat) AS ranks
    FROM (
        SELECT known.*
        FROM ({_KNOWN}) AS known
        JOIN (
            SELECT rules, deck, deal_mode, deal_shape
            FROM ({_KNOWN})
            GROUP BY rules, deck, deal_mode, deal_shape
            HAVING count(*) > 1
        ) AS shapes
        ON known.deal_shape = shapes.deal_shape AND known.rules = shapes.rules AND known.deck = shapes.deck
            AND known.deal_mode IS NOT DISTINCT FROM shapes.deal_mode
    ) AS again
    JOIN seats ON seats.hand = again.hand
    GROUP BY ALL
""",
)
"""Deals of a shape that stands more than once, on whatever days."""
_SQL = f"""
WITH {NUMBER_CELLS.part}, {AGAIN_CELLS.part}, numbers AS (
    SELECT rules, deck, deal_mode, sum(hands)::BIGINT AS hands
    FROM dealt_on WHERE {narrowed("dealt_on")} GROUP BY rules, deck, deal_mode
), seated AS (
    SELECT * FROM ever_again WHERE {narrowed("ever_again")}
), sets AS (
    SELECT rules, deck, deal_mode, 'exact' AS kind, count(*) AS k,
        CASE WHEN k > 1 THEN min(hand) || '=' || max(hand) END AS pair
    FROM seated GROUP BY rules, deck, deal_mode, deal_shape, ranks, deal_digest
    UNION ALL
    SELECT rules, deck, deal_mode, 'suits', count(*),
        CASE WHEN min(deal_digest) <> max(deal_digest) THEN {_pair("deal_digest")} END
    FROM seated GROUP BY rules, deck, deal_mode, deal_shape, ranks
    UNION ALL
    SELECT rules, deck, deal_mode, 'turned', count(*), CASE WHEN min(ranks) <> max(ranks) THEN {_pair("ranks")} END
    FROM seated GROUP BY rules, deck, deal_mode, deal_shape
), pairs AS (
    SELECT rules, deck, deal_mode, kind, sum(k * (k - 1) // 2)::BIGINT AS pairs, min(pair, {EVIDENCE}) AS evidence
    FROM sets GROUP BY ALL
)
SELECT numbers.*, kind, coalesce(pairs, 0) AS pairs, evidence
FROM numbers LEFT JOIN pairs
ON numbers.rules = pairs.rules AND numbers.deck = pairs.deck AND numbers.deal_mode IS NOT DISTINCT FROM pairs.deal_mode
ORDER BY ALL
"""


def repeats(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Deals that came twice, by ruleset, deal mode and kind of repetition."""
    values = {name: filters.get(name) for name in PARAMETERS}
    groups: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in rows_of(warehouse, _SQL, values, (NUMBER_CELLS, AGAIN_CELLS)):
        row["evidence"] = [] if row["evidence"] is None else list(row["evidence"])
        key = (row["rules"], row["deck"], row["deal_mode"], int(row["hands"]))
        groups.setdefault(key, {})[row["kind"]] = row
    return [row for key, kinds in groups.items() for row in _rows(key, kinds)]


def _rows(key: tuple[Any, ...], kinds: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row a kind; what repeats in a stricter sense is not counted again in a looser one."""
    rules, deck, mode, hands = key
    upto = [0, *(int(kinds[kind]["pairs"]) if kind in kinds else 0 for kind in KINDS)]
    return [
        {"rules": rules, "deal_mode": mode}
        | _row(kind, hands, upto[place + 1] - upto[place], read_deck(deck), shuffled=(mode or "") in SHUFFLED)
        | {"evidence": " ".join(kinds[kind]["evidence"] if kind in kinds else ()) or None}
        for place, kind in enumerate(KINDS)
    ]


def _row(kind: str, hands: int, pairs: int, deck: Deck, *, shuffled: bool) -> dict[str, Any]:
    expected = expected_repeats(hands, 10 ** log_deals(deck)) * ways(kind, deck.players)
    expected += expected_repeats(hands, 2**DIGEST)
    p = -expm1(-expected) if pairs else 1.0
    seeds = {f"expected_{bits}": expected_repeats(hands, 2**bits) if kind == "exact" else None for bits in SEEDS}
    row = {"kind": kind, "hands": hands, "pairs": pairs, "expected": expected, "p": p, **seeds}
    row["score"] = score(p) if shuffled else None
    return row | {"bits": log2(hands * (hands - 1) / 2 / pairs) if pairs else None}


def ways(kind: str, players: int) -> int:
    """In how many ways a deal may repeat in each sense: 24 namings of the suits, as many first seats as players."""
    return {"exact": 1, "suits": 23, "turned": 24 * (players - 1)}[kind]
