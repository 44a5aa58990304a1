"""Sums over one batch that screens show first, worked out while its columns are in memory.

Knows what is added up. Every sum may be added to that of another batch.
"""

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from ingest.store.schema import DAYS, PLAYERS, Table


def days(hands: pa.Table, gone: pa.Table | None = None) -> pa.Table:
    """Hands per day, ruleset, verdict and outcome. ``gone``: hands of earlier batches that no longer count."""
    return _summed([_days(hands), *_taken_off(gone, _days, DAYS)], DAYS)


def players(seats: pa.Table, gone: pa.Table | None = None) -> pa.Table:
    """What each player did, per ruleset, role, position and verdict. ``gone``: seats that no longer count."""
    return _summed([_players(seats), *_taken_off(gone, _players, PLAYERS)], PLAYERS)


def _taken_off(gone: pa.Table | None, rows: Callable[[pa.Table], pa.Table], rollup: Table) -> list[pa.Table]:
    """Rows that take away from the sums what rows of earlier batches added."""
    if gone is None:
        return []
    table = rows(gone)
    for name in rollup.sums:
        table = table.set_column(table.schema.get_field_index(name), name, pc.negate(table[name]))
    return [table]


def _days(hands: pa.Table) -> pa.Table:
    return hands.select(DAYS.keys).append_column("hands", pa.array([1] * hands.num_rows, pa.int64()))


def _players(seats: pa.Table) -> pa.Table:
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
    return table


def _summed(tables: list[pa.Table], rollup: Table) -> pa.Table:
    summed = (
        pa.concat_tables(tables, promote_options="permissive")
        .group_by(list(rollup.keys))
        .aggregate([(name, "sum") for name in rollup.sums])
    )
    names = [*rollup.keys, *(f"{name}_sum" for name in rollup.sums)]
    ordered = summed.select(names).rename_columns([*rollup.keys, *rollup.sums])
    return ordered.select(rollup.schema.names).cast(rollup.schema)
