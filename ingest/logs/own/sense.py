"""What in a mapping does not fit together: each key with what is wrong.

Knows what one key wants of another. That each is of its type is known already.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ingest.cards import RANKS, SUITS
from ingest.logs.own.cards import PLAIN
from ingest.logs.own.keys import CardKeys, Mapping, MoveKeys, Place, When
from ingest.logs.own.paths import steps_of
from ingest.logs.own.places import BY_SEAT, NUMBERS, group_paths, is_grouped, moves, paths_in_moves, places
from ingest.logs.own.times import clock
from ingest.logs.own.values import is_amount
from ingest.record import CALL, PASS, READING_NAMES, ROB

Wrong = Iterator[tuple[str, str]]

_OF_KIND = {
    "hands": ("json", "jsonl"), "delimiter": ("csv",), "quote": ("csv",), "escape": ("csv",), "columns": ("csv",),
    "skip": ("csv",), "null": ("csv",),
}  # fmt: skip
"""Keys of ``[source]`` that only some kinds of file have."""
_OF_CODE = {
    "suits": ("hex", "numbers"), "ranks": ("numbers",), "jokers": ("hex", "numbers"), "radix": ("hex",),
    "first": ("numbers",), "by": ("numbers",), "packs": ("numbers",), "copies": ("numbers",),
}  # fmt: skip
"""Keys of ``[cards]`` that only some codes have."""
_FACES = frozenset([*(suit + rank for suit in SUITS for rank in PLAIN), *RANKS, ""])
_NO_LANDLORD = "needs a landlord, of record.landlord or claim.landlord or always.landlord"
ENDS = ("", "void", "surrender", "escape")
SIDES = ("landlord", "farmers")


def contradictions(keys: Mapping) -> Wrong:
    """Every key that does not go with the others."""
    yield from _of_source(keys)
    yield from _of_seats(keys)
    yield from _of_cards(keys.cards)
    yield from _of_times(keys)
    yield from _of_always(keys)
    yield from _of_landlord(keys)
    for path, several in places(keys):
        for each in several:
            yield from _of_place(path, each, keys)
    yield from _of_words(keys)
    for name, table in moves(keys):
        yield from _of_moves(name, table, keys)


def _paths(given: Iterable[tuple[str, str | None]]) -> Wrong:
    for key, path in given:
        try:
            steps_of(path or "")
        except ValueError as problem:
            yield key, str(problem)


def _conditions(key: str, when: When | None) -> Wrong:
    if when is not None:
        yield from _paths((f"{key}.{path}", path) for path in when)
        if not when:
            yield key, "names no path"


def _unfitting(table: str, given: msgspec.Struct, fitting: dict[str, tuple[str, ...]], kind: str) -> Wrong:
    """Keys that are set although this kind has none."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(given)}
    for name, kinds in fitting.items():
        value = getattr(given, name)
        if kind not in kinds and value and value != defaults[name]:
            yield f"{table}.{name}", f"is only for {' and '.join(kinds)}"


def _of_source(keys: Mapping) -> Wrong:
    source = keys.source
    yield from _unfitting("source", source, _OF_KIND, source.kind)
    yield from _paths((("source.hands", source.hands), ("source.sort", source.sort)))
    yield from _paths(("source.group", path) for path in group_paths(keys))
    yield from _conditions("source.begins", source.begins)
    yield from _conditions("source.ignore", source.ignore)
    if source.group is not None and source.begins is not None:
        yield "source.begins", "and source.group exclude each other"
    if source.group == []:
        yield "source.group", "names no column"
    if source.scattered and source.group is None:
        yield "source.scattered", "needs source.group"
    if source.sort is not None and not is_grouped(keys):
        yield "source.sort", "needs source.group or source.begins"
    if source.columns is not None and len(set(source.columns)) != len(source.columns):
        yield "source.columns", "names a column twice"
    if source.kind == "csv" and len({source.delimiter, source.quote, source.escape, "\n", "\r"}) != 5:
        yield "source.delimiter", "must differ from quote, escape and the end of a line"


def _of_seats(keys: Mapping) -> Wrong:
    seats = keys.seats
    for name in ("names", "roles"):
        words = [word for each in getattr(seats, name) or () for word in ([each] if isinstance(each, str) else each)]
        if len(set(words)) != len(words):
            yield f"seats.{name}", "has a word twice"
        if getattr(seats, name) is not None and len(getattr(seats, name)) != (seats.count or len(getattr(seats, name))):
            yield f"seats.{name}", "is not as long as seats.count says"
    if seats.players and seats.names is not None:
        yield "seats.players", "and seats.names exclude each other"
    if seats.players and keys.players.id is None:
        yield "seats.players", "needs players.id"
    if seats.first and (seats.names is not None or seats.players):
        yield "seats.first", "is only for seats that are numbers"


def _of_cards(cards: CardKeys) -> Wrong:
    yield from _unfitting("cards", cards, _OF_CODE, cards.code)
    for name, letters in (("suits", SUITS), ("ranks", PLAIN), ("jokers", "BR")):
        given = getattr(cards, name)
        if given is not None and sorted(given) != sorted(letters):
            yield f"cards.{name}", f"does not have each of {letters} once"
    for word, card in cards.words.items():
        if card not in _FACES:
            yield f"cards.words.{word}", f"{card!r} is no card: a suit {SUITS} and a rank {PLAIN}, a rank, B or R"
    if cards.code == "words" and not cards.words:
        yield "cards.words", "is missing"
    if cards.split is not None and cards.width is not None:
        yield "cards.width", "and cards.split exclude each other"
    if cards.split == "":
        yield "cards.split", "is empty"
    yield from _paths(("cards.parts", path) for path in cards.parts or ())


def _of_times(keys: Mapping) -> Wrong:
    times = keys.times
    try:
        clock(times)
    except ValueError as problem:
        yield "times.zone", str(problem)
    if "local" in (times.form, times.moves_form) and times.zone is None:
        yield "times.zone", "is missing: a local time says nothing without it"
    if times.pattern is not None and times.form not in ("local", "rfc3339"):
        yield "times.pattern", "is only for times that are texts"
    if times.moves_form is not None and times.moves != "absolute":
        yield "times.moves_form", 'is only for times.moves = "absolute"'
    if times.moves == "absolute" and keys.record.at is None and any(table.time for _, table in moves(keys)):
        yield "times.moves", "needs record.at, from which moves are counted"


def _of_always(keys: Mapping) -> Wrong:
    for name, value in msgspec.structs.asdict(keys.always).items():
        if value is not None and getattr(keys.record, name) is not None:
            yield f"always.{name}", f"and record.{name} exclude each other"


def _of_landlord(keys: Mapping) -> Wrong:
    """Who needs to know the landlord, where no place tells him."""
    if keys.record.landlord or keys.claim.landlord or keys.always.landlord is not None:
        return
    if keys.seats.roles is not None:
        yield "seats.roles", _NO_LANDLORD
    if keys.claim.side is not None:
        yield "claim.side", _NO_LANDLORD
    if keys.plays.seat is None and keys.plays.form == "rows":
        yield "plays.seat", f"is missing, and the first move {_NO_LANDLORD}"


def _of_place(key: str, each: Place, keys: Mapping) -> Wrong:
    yield from _paths(((key, each.at), (f"{key}.rows", each.rows), (f"{key}.seat", each.seat)))
    yield from _conditions(f"{key}.when", each.when)
    in_rows = each.rows is not None or each.when is not None or each.seat is not None
    if not each.at and not in_rows:
        yield key, "says no path"
    if in_rows and each.rows is None and not is_grouped(keys):
        yield key, "needs rows: a list in the hand, for its rows are no hand's"
    if each.seat is not None and key not in BY_SEAT:
        yield f"{key}.seat", "is only for what every seat has"
    if each.split is not None and key not in BY_SEAT | {"claim.winners"}:
        yield f"{key}.split", "is only for what has several values"
    if each.split == "":
        yield f"{key}.split", "is empty"
    for name in ("unit", "suffix"):
        if getattr(each, name) is not None and key not in NUMBERS:
            yield f"{key}.{name}", "is only for numbers"
    if each.unit is not None and not is_amount(each.unit):
        yield f"{key}.unit", f"{each.unit!r} is no number above 0"


def _of_words(keys: Mapping) -> Wrong:
    """Words of the source whose meaning is no word of the record."""
    for key, allowed in (("record.end", ENDS), ("claim.side", SIDES)):
        where = getattr(getattr(keys, key.partition(".")[0]), key.partition(".")[2])
        words = where.words if isinstance(where, Place) else None
        yield from ((f"{key}.words.{w}", f"{m!r} is none of {', '.join(map(repr, allowed))}")
                    for w, m in (words or {}).items() if m not in allowed)  # fmt: skip
    for word, meaning in (keys.auction.words if keys.auction is not None else {}).items():
        if meaning not in (PASS, CALL, ROB) and not (meaning.isascii() and meaning.isdigit() and len(meaning) < 10):
            yield f"auction.words.{word}", f"{meaning!r} is neither a number nor '-', 'call' or 'rob'"
    for word, meaning in keys.plays.reading_words.items():
        if meaning not in READING_NAMES | {""}:
            yield f"plays.reading_words.{word}", f"{meaning!r} is the name of no reading"


def _of_moves(name: str, table: MoveKeys, keys: Mapping) -> Wrong:
    yield from _paths([(f"{name}.rows", table.rows)])
    yield from _paths((f"{name}.{key}", path) for key, path in paths_in_moves(name, table))
    yield from _conditions(f"{name}.when", table.when)
    if table.rows is None and not is_grouped(keys):
        yield f"{name}.rows", "is missing: a list or a text in the hand"
    if table.form == "fupan":
        yield from _of_own_text(name, table, keys)
    for key in ("split", "between"):
        if getattr(table, key) == "":
            yield f"{name}.{key}", "is empty"
    nobody = keys.record.first is None and keys.always.first is None
    if name == "auction" and table.seat is None and table.form == "rows" and nobody:
        yield "auction.seat", "is missing, and the first word needs record.first or always.first"
    if name == "plays":
        yield from _conditions("plays.pass_when", keys.plays.pass_when)
    if name == "plays" and table.seat is None and not keys.plays.passes_written:
        yield "plays.passes_written", "needs plays.seat: without passes, turns cannot be counted"


def _of_own_text(name: str, table: MoveKeys, keys: Mapping) -> Wrong:
    """Move text of Fupan's own goes to the record as it stands."""
    if keys.seats.order != "turn" or keys.seats.first:
        yield f"{name}.form", "'fupan' has seats as a record has them: 0, 1, 2 in order of turn"
    for key in ("split", "between", "seat", "time"):
        if getattr(table, key) is not None:
            yield f"{name}.{key}", "is only for form = 'rows'"
