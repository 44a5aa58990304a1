"""Rows of a source as hands: each its own, those with the same key, or from one that begins a hand to the next.

Knows keys and order, and keeps no more than one hand in memory: rows that do not stand together go by way of a disk.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from ingest.ledger import Ledger, Ledgers
from ingest.logs.entry import Entry
from ingest.logs.own.found import Hand, Row, holds
from ingest.logs.own.keys import SourceKeys
from ingest.logs.own.mapping import Own
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.places import group_paths
from ingest.logs.own.stowed import fetch, stow
from ingest.logs.own.troubles import Trouble, Unread
from ingest.logs.own.values import exact, is_empty, text

ROWS_LIMIT = 20_000
"""Rows of the longest hand: beyond it the key is none of a hand."""

Found = Iterator[Row | Entry]
Hands = Iterator[Hand | Entry]


def gathered(rows: Found, own: Own) -> Hands:
    """Every hand, in the order of their first rows."""
    source = own.keys.source
    if source.group is None and source.begins is None:
        for row in rows:
            yield row if isinstance(row, Entry) else Hand(row.line, row.value, None, row.troubles, raw=row.raw)
        return
    keyed = _together(rows, own) if source.scattered else rows
    for hand in _grouped(keyed, own):
        yield hand if isinstance(hand, Entry) or source.sort is None else _sorted(hand, source.sort, own)


def _key(row: Row, own: Own) -> tuple[str, ...] | None:
    """What a row is grouped by, None where it has nothing of the kind."""
    values = [find(row.value, path) for path in group_paths(own.keys)]
    try:
        return None if any(v is MISSING or is_empty(v) for v in values) else tuple(map(text, values))
    except Unread:
        return None


def _grouped(rows: Found, own: Own) -> Hands:
    """Rows that follow one another, as hands."""
    source = own.keys.source
    open_rows: list[Row] = []
    key: tuple[str, ...] | None = None
    with Ledgers("hands") as ledgers:
        seen = ledgers["hands"]
        for row in rows:
            if isinstance(row, Entry):
                yield row
                continue
            own_key = _key(row, own)
            if open_rows and _starts(row, own_key, key, source):
                yield _closed(open_rows, key, seen, source)
                open_rows = []
            if not open_rows:
                key = own_key
            if len(open_rows) <= ROWS_LIMIT:
                open_rows.append(_keyless(row) if own_key is None and source.group is not None else row)
        if open_rows:
            yield _closed(open_rows, key, seen, source)


def _starts(row: Row, own_key: tuple[str, ...] | None, key: tuple[str, ...] | None, source: SourceKeys) -> bool:
    """Whether a row begins another hand. One without a key is of the hand in which it stands."""
    if source.begins is not None:
        return holds(row.value, source.begins)
    return own_key is not None and own_key != key


def _keyless(row: Row) -> Row:
    if row.troubles:
        return row
    return msgspec.structs.replace(row, troubles=(Trouble("missing", "R102", field="source.group", line=row.line),))


def _closed(rows: list[Row], key: tuple[str, ...] | None, seen: Ledger, source: SourceKeys) -> Hand:
    troubles = [trouble for row in rows for trouble in row.troubles]
    if len(rows) > ROWS_LIMIT:
        troubles.insert(0, Trouble("row", "R103", field="source", reason=f"over {ROWS_LIMIT} rows of one hand"))
    if key and not source.scattered:
        troubles += _again(rows[0].line, key, seen)
    return Hand(rows[0].line, rows[0].value, tuple(rows), tuple(troubles), "/".join(key or ()))


def _again(line: int, key: tuple[str, ...], seen: Ledger) -> list[Trouble]:
    """A trouble where rows of a hand come after those of another: its first part was taken for the whole."""
    name = msgspec.msgpack.encode(key)
    before = seen.get(name)
    if before is None:
        seen.put(name, str(line).encode())
        return []
    reason = f"its rows do not stand together, others begin at {before.decode()}: source.scattered = true"
    return [Trouble("row", "R103", field="source.group", text="/".join(key), reason=reason)]


def _sorted(hand: Hand, path: str, own: Own) -> Hand:
    """A hand with its rows in order, by numbers or by times."""
    rows = hand.rows or ()
    values = [find(row.value, path) for row in rows]
    try:
        order = [exact(value) for value in values]
    except Unread:
        try:
            order = [own.clock.moment(value, own.keys.times.moves_form) for value in values]  # type: ignore[misc]
        except Unread as problem:
            trouble = msgspec.structs.replace(problem.trouble, field="source.sort")
            return msgspec.structs.replace(hand, troubles=(*hand.troubles, trouble))
    places = sorted(range(len(rows)), key=order.__getitem__)
    in_order = tuple(rows[place] for place in places)
    return msgspec.structs.replace(hand, rows=in_order, head=in_order[0].value)


def _together(rows: Found, own: Own) -> Found:
    """Rows with the same key one after another, whatever stands between them; entries come first."""
    with (
        tempfile.TemporaryDirectory(prefix="fupan-") as folder,
        Ledgers("numbers") as ledgers,
        closing(_disk(Path(folder) / "rows.sqlite")) as disk,
    ):
        hands = 0
        for place, row in enumerate(rows):
            if isinstance(row, Entry):
                yield row
                continue
            name = msgspec.msgpack.encode(_key(row, own))
            known = ledgers["numbers"].get(name)
            if known is None:
                known = str(hands).encode()
                ledgers["numbers"].put(name, known)
                hands += 1
            disk.execute("INSERT INTO rows VALUES (?, ?, ?)", (int(known), place, stow(row)))
        for (row,) in disk.execute("SELECT row FROM rows ORDER BY hand, place"):
            yield fetch(row)


def _disk(path: Path) -> sqlite3.Connection:
    disk = sqlite3.connect(path)
    disk.execute("PRAGMA journal_mode = OFF")
    disk.execute("PRAGMA synchronous = OFF")
    disk.execute("CREATE TABLE rows (hand INTEGER, place INTEGER, row BLOB, PRIMARY KEY (hand, place)) WITHOUT ROWID")
    return disk
