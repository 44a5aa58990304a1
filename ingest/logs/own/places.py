"""Every place that a mapping names, whatever it is for.

Knows where in a mapping places stand. Refuses to know what is found there.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from ingest.logs.own.keys import BySeat, Mapping, MoveKeys, Place, When, Where
from ingest.logs.own.paths import steps_of

BY_SEAT = frozenset(
    ("record.hands", "players.id", "players.name", "players.balance", "players.bot", "claim.scores", "claim.balances")
)
"""Keys that say something of every seat."""
NUMBERS = frozenset(
    (
        "record.base",
        "record.voids",
        "players.balance",
        "claim.multiplier",
        "claim.bid",
        "claim.scores",
        "claim.balances",
    )
)
"""Keys that are numbers, of which a place may say the unit."""
IN_MOVES = {"auction": ("seat", "word", "time"), "plays": ("seat", "cards", "time", "reading", "thrown")}
"""Keys of moves that are paths in a move."""


@lru_cache(maxsize=1024)
def plain(path: str) -> Place:
    """A path as a place."""
    return Place(at=path)


def place(where: Where) -> Place:
    """A place, said at length."""
    return plain(where) if isinstance(where, str) else where


def places(keys: Mapping) -> Iterator[tuple[str, list[Place]]]:
    """Every key that names places for fields of the record, by its path: ``record.id``, ``claim.scores``."""
    for table in ("record", "players", "claim"):
        for name, value in msgspec.structs.asdict(getattr(keys, table)).items():
            if value is not None and not isinstance(value, bool):
                yield f"{table}.{name}", list(_all(value))
    for table, named in (("tags", keys.tags), ("extra", keys.extra)):
        yield from ((f"{table}.{name}", [place(value)]) for name, value in named.items())


def _all(value: BySeat) -> Iterator[Place]:
    yield from (place(each) for each in (value if isinstance(value, list) else [value]))


def moves(keys: Mapping) -> Iterator[tuple[str, MoveKeys]]:
    """The tables that describe moves."""
    if keys.auction is not None:
        yield "auction", keys.auction
    yield "plays", keys.plays


def paths_in_moves(name: str, table: MoveKeys) -> Iterator[tuple[str, str]]:
    """The paths that a table of moves names in a move, by key."""
    for key in IN_MOVES[name]:
        path = getattr(table, key)
        if path is not None:
            yield key, path


def conditions(keys: Mapping) -> dict[str | None, list[When]]:
    """By list of rows the conditions under which its rows are read. Lists whose every row is read are left out."""
    read: dict[str | None, list[When | None]] = {}
    for _, table in moves(keys):
        read.setdefault(table.rows, []).append(table.when)
    for _, several in places(keys):
        for each in several:
            if each.when is not None or each.seat is not None:
                read.setdefault(each.rows, []).append(each.when)
    ignored = [] if keys.source.ignore is None else [keys.source.ignore]
    return {
        rows: [when for when in whens if when is not None] + ignored
        for rows, whens in read.items()
        if None not in whens
    }


def reads_head(keys: Mapping) -> bool:
    """Whether something is read in the first row of a hand as such."""
    return any(each.rows is None and each.when is None and each.seat is None for _, all in places(keys) for each in all)


def columns(keys: Mapping) -> dict[str, str]:
    """What the rows of a source must have at their top, and the key of the mapping that says so."""
    found: dict[str, str] = {}
    for key, path in _paths_at_top(keys):
        steps = steps_of(path)
        if steps:
            found.setdefault(str(steps[0]), key)
    return found


def _paths_at_top(keys: Mapping) -> Iterator[tuple[str, str]]:
    source = keys.source
    yield from (("source.group", path) for path in group_paths(keys))
    yield from (("source.sort", path) for path in (source.sort,) if path)
    for name, when in (("begins", source.begins), ("ignore", source.ignore)):
        yield from ((f"source.{name}", path) for path in when or ())
    for key, several in places(keys):
        yield from ((key, path) for each in several if not each.optional for path in _at_top(each))
    for name, table in moves(keys):
        if table.rows is not None:
            yield f"{name}.rows", table.rows
            continue
        yield from ((f"{name}.when", path) for path in table.when or ())
        yield from ((f"{name}.{key}", path) for key, path in paths_in_moves(name, table))
    if keys.plays.rows is None:
        yield from (("plays.pass_when", path) for path in keys.plays.pass_when or ())


def _at_top(each: Place) -> Iterator[str]:
    if each.rows is not None:
        yield each.rows
        return
    yield each.at
    yield from each.when or ()
    if each.seat is not None:
        yield each.seat


def group_paths(keys: Mapping) -> list[str]:
    """The paths that together say to which hand a row belongs."""
    group = keys.source.group
    return [group] if isinstance(group, str) else group or []


def is_grouped(keys: Mapping) -> bool:
    """Whether several rows of the source are one hand."""
    return keys.source.group is not None or keys.source.begins is not None
