"""Sums over one batch that screens show first, worked out while its columns are in memory.

Knows what is added up. Every sum may be added to that of another batch.
"""

import pyarrow as pa
import pyarrow.compute as pc

from ingest.store.schema import DAYS, PLAYERS, Table


def days(hands: pa.Table) -> pa.Table:
    """Hands per day, ruleset, verdict and outcome."""
    ones = pa.array([1] * hands.num_rows, pa.int64())
    return _summed(hands.select(DAYS.keys).append_column("hands", ones), DAYS)


def players(seats: pa.Table) -> pa.Table:
    """What each player did, per ruleset, role, position and verdict."""
    decided = seats.filter(pc.and_(pc.is_valid(seats["won"]), pc.is_valid(seats["role"])))
    sums = {
        "hands": pa.array([1] * decided.num_rows, pa.int64()),
        "wins": decided["won"],
        "scored": pc.is_valid(decided["score"]),
        "score": decided["score"],
        "plays": decided["plays"],
        "passes": decided["passes"],
        "bombs": decided["bombs"],
        "rockets": decided["rockets"],
        "springs": decided["spring"],
        "anti_springs": decided["anti_spring"],
    }
    table = decided.select(PLAYERS.keys)
    for name, values in sums.items():
        table = table.append_column(name, pc.fill_null(values.cast(pa.int64()), 0))
    return _summed(table, PLAYERS)


def _summed(table: pa.Table, rollup: Table) -> pa.Table:
    summed = table.group_by(list(rollup.keys)).aggregate([(name, "sum") for name in rollup.sums])
    names = [*rollup.keys, *(f"{name}_sum" for name in rollup.sums)]
    ordered = summed.select(names).rename_columns([*rollup.keys, *rollup.sums])
    return ordered.select(rollup.schema.names).cast(rollup.schema)
