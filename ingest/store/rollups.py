"""Sums over one batch that screens show first, worked out while its columns are in memory.

Knows what is added up. Every sum may be added to that of another batch.
"""

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from ingest.store.schema import COMBINATIONS, DAYS, MATES, PLAYERS, Table


def days(hands: pa.Table, gone: pa.Table | None = None) -> pa.Table:
    """Hands per day, ruleset, verdict and outcome. ``gone``: hands of earlier batches that no longer count."""
    return _summed([_days(hands), *_taken_off(gone, _days, DAYS)], DAYS)


def players(seats: pa.Table, gone: pa.Table | None = None) -> pa.Table:
    """What each player did, per ruleset, role, position and verdict. ``gone``: seats that no longer count."""
    return _summed([_players(seats), *_taken_off(gone, _players, PLAYERS)], PLAYERS)


def combinations(seats: pa.Table, moves: pa.Table, gone: tuple[pa.Table, pa.Table] | None = None) -> pa.Table:
    """What players led and bombed with. ``gone``: seats and moves that no longer count."""
    taken = [] if gone is None else [_negative(_combinations(*gone), COMBINATIONS)]
    return _summed([_combinations(seats, moves), *taken], COMBINATIONS)


def mates(seats: pa.Table, gone: pa.Table | None = None) -> pa.Table:
    """How players did with and against one another. ``gone``: seats that no longer count."""
    return _summed([_mates(seats), *_taken_off(gone, _mates, MATES)], MATES)


def added(parts: list[pa.Table], rollup: Table) -> pa.Table:
    """The same roll-up of several batches as one."""
    return _summed(parts, rollup)


def _taken_off(gone: pa.Table | None, rows: Callable[[pa.Table], pa.Table], rollup: Table) -> list[pa.Table]:
    """Rows that take away from the sums what rows of earlier batches added."""
    return [] if gone is None else [_negative(rows(gone), rollup)]


def _negative(table: pa.Table, rollup: Table) -> pa.Table:
    for name in rollup.sums:
        table = table.set_column(table.schema.get_field_index(name), name, pc.negate(table[name]))
    return table


_ADDED = ("won", "score", "plays", "passes", "bombs", "rockets", "spring", "anti_spring")
"""The columns of ``seats`` that ``players`` adds up."""


def _days(hands: pa.Table) -> pa.Table:
    return hands.select(DAYS.keys).append_column("hands", pa.array([1] * hands.num_rows, pa.int64()))


def _players(seats: pa.Table) -> pa.Table:
    asked = seats.select([*PLAYERS.keys, *_ADDED])
    decided = asked.filter(pc.and_(pc.is_valid(seats["won"]), pc.is_valid(seats["role"])))
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
        kind = PLAYERS.schema.field(name).type
        table = table.append_column(name, pc.fill_null(values.cast(kind, safe=False), 0))
    return table


_PLACE = ("hand", "seat")
_OF_PLAYER = ("player", "rules", "role", "position", "bot", "day")


def _combinations(seats: pa.Table, moves: pa.Table) -> pa.Table:
    clean = seats.select([*_PLACE, *_OF_PLAYER]).filter(pc.equal(seats["verdict"], "clean"))
    led = pc.fill_null(pc.and_not(moves["lead"], moves["pass"]), False)
    bomb = pc.fill_null(moves["bomb"], False)
    wanted = pc.or_(led, bomb)
    moves, led, bomb = (
        each.filter(wanted) for each in (moves.select([*_PLACE, "index", "reading", "size"]), led, bomb)
    )
    some = moves.select(["index", "reading", "size"])
    some = some.append_column("leads", led.cast(pa.int64())).append_column("bombs", bomb.cast(pa.int64()))
    places = pc.index_in(_places(moves), value_set=_places(clean).combine_chunks())
    some, places = some.filter(pc.is_valid(places)), places.drop_null()
    table = _told_apart(clean.select(_OF_PLAYER)).take(places)
    opened = pc.multiply(pc.equal(some["index"], 0).cast(pa.int64()), some["leads"])
    columns = {
        "reading": some["reading"],
        "size": pc.if_else(pc.equal(some["bombs"], 1), some["size"], pa.scalar(None, pa.int16())),
        "leads": some["leads"],
        "openings": opened,
        "bombs": some["bombs"],
    }
    for name, values in columns.items():
        table = table.append_column(name, values)
    return table


def _mates(seats: pa.Table) -> pa.Table:
    decided = pc.and_(pc.is_valid(seats["won"]), pc.is_valid(seats["role"]))
    asked = seats.select([*_PLACE, "player", "rules", "role", "won", "score", "base"])
    mine = asked.filter(pc.and_(decided, pc.equal(seats["verdict"], "clean")))
    score = pc.divide(mine["score"].cast(pa.float64(), safe=False), mine["base"].cast(pa.float64(), safe=False))
    sums = {
        "hands": pa.array([1] * mine.num_rows, pa.int64()),
        "wins": mine["won"].cast(pa.int64()),
        "scored": pc.is_valid(score).cast(pa.int64()),
        "total": pc.fill_null(score, 0.0),
        "squares": pc.fill_null(pc.multiply(score, score), 0.0),
    }
    table = _told_apart(mine.select(["hand", "seat", "player", "rules", "role"]))
    for name, values in sums.items():
        table = table.append_column(name, values)
    others = table.select(["player", "role"]).rename_columns(["other", "other_role"])
    rows = mine.select(["hand"]).append_column("row", pa.array(range(mine.num_rows), pa.int64()))
    met = rows.join(rows.rename_columns(["hand", "beside"]), "hand", join_type="inner")
    met = met.filter(pc.not_equal(met["row"], met["beside"]))
    table, others = table.take(met["row"]), others.take(met["beside"])
    for name in others.schema.names:
        table = table.append_column(name, others[name])
    return table.select(MATES.schema.names)


def _places(rows: pa.Table) -> pa.ChunkedArray:
    """Hand and seat as one number."""
    return pc.add(pc.multiply(rows["hand"], 1 << 8), rows["seat"].cast(pa.int64()))


def _told_apart(table: pa.Table) -> pa.Table:
    """Each text as its number among the different ones: what compares or copies rows handles numbers alone."""
    for name in table.schema.names:
        if pa.types.is_string(table.schema.field(name).type):
            apart = table[name].combine_chunks().dictionary_encode()
            table = table.set_column(table.schema.get_field_index(name), name, apart)
    return table


def _summed(tables: list[pa.Table], rollup: Table) -> pa.Table:
    whole = pa.concat_tables([_told_apart(each) for each in tables], promote_options="permissive")
    whole = whole.unify_dictionaries()
    texts = {name: whole[name].combine_chunks() for name in rollup.keys if pa.types.is_dictionary(whole[name].type)}
    for name, values in texts.items():
        whole = whole.set_column(whole.schema.get_field_index(name), name, values.indices)
    summed = whole.group_by(list(rollup.keys)).aggregate([(name, "sum") for name in rollup.sums])
    names = [*rollup.keys, *(f"{name}_sum" for name in rollup.sums)]
    ordered = summed.select(names).rename_columns([*rollup.keys, *rollup.sums])
    for name, values in texts.items():
        ordered = ordered.set_column(ordered.schema.get_field_index(name), name, values.dictionary.take(ordered[name]))
    return ordered.select(rollup.schema.names).cast(rollup.schema)
