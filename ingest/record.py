"""The record of a hand and its move text (record.md 2 and 4), as frozen structs.

Knows how a hand is written down. Refuses to know any rule: an auction word or a reading name is a word here.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from ingest.cards import Cards, UnreadableCards, read_cards
from ingest.faults import Finding

LARGEST = (1 << 63) - 1
"""Beyond this no number of a record is believed: scores and tables count in 64 bits."""
Seat = Annotated[int, Meta(ge=0, le=99)]
Base = Annotated[int, Meta(ge=1, le=LARGEST)]
Voids = Annotated[int, Meta(ge=0, le=1000)]
Points = Annotated[int, Meta(ge=-LARGEST - 1, le=LARGEST)]
Time = Annotated[datetime, Meta(tz=True)]

READING_NAMES = frozenset(
    "solo pair trio quad solo_chain pair_chain trio_chain quad_chain trio1 trio2 plane1 plane2 quad_solos quad_pairs "
    "quad_solo_pair quad_trio carrier quad_trio_pair ship bomb rocket single tractor throw".split()
)
PASS = "-"
CALL = "call"
ROB = "rob"
LINE_LIMIT = 64 << 20
"""Bytes of the longest line that is read as a record."""

MOVES = 10_000
"""Moves that an auction or a hand may have: more than any game allows, so that no line has findings without an end."""

_END = re.compile(r"void|surrender|escape:[0-9]")
_TIMED = re.compile(r"@[0-9]+(?= |\Z)")
_BID = re.compile(r"[0-9]{1,9}")
_CLOCK = re.compile(r"[0-9]{1,18}")


class Player(Struct, frozen=True, omit_defaults=True, gc=False):
    """One seat's player."""

    id: str
    name: str | None = None
    balance: Points | None = None
    bot: bool | None = None


class Claim(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the source says the result was."""

    landlord: Seat | None = None
    winners: list[Seat] | None = None
    multiplier: Points | None = None
    bid: Points | None = None
    scores: list[Points] | None = None
    balances: list[Points | None] | None = None


class Record(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a log claims happened in one hand; field by field as record.md 2 says."""

    id: Annotated[str, Meta(min_length=1, max_length=128)]
    rules: str | None = None
    table: str | None = None
    at: Time | None = None
    base: Base = 1
    voids: Voids = 0
    players: list[Player]
    hands: list[str | None] | None = None
    bottom: str | None = None
    dead: str | None = None
    marker: str | None = None
    first: Seat | None = None
    auction: str | None = None
    landlord: Seat | None = None
    taken: str | None = None
    open: bool = False
    trump: str | None = None
    buried: str | None = None
    plays: str = ""
    end: str | None = None
    claim: Claim | None = None
    tags: dict[str, str] | None = None
    extra: msgspec.Raw = msgspec.Raw()


class _StrictPlayer(Player, frozen=True, forbid_unknown_fields=True):
    pass


class _StrictClaim(Claim, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _StrictRecord(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    players: list[_StrictPlayer]  # type: ignore[assignment]
    claim: _StrictClaim | None = None


_strict = msgspec.json.Decoder(_StrictRecord)
_lenient = msgspec.json.Decoder(Record)
_KNOWN = {field: frozenset(struct.__struct_fields__) for field, struct in (("players", Player), ("claim", Claim))}


class Unreadable(Exception):
    """A line that is no record; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def read_record(line: bytes) -> tuple[Record, tuple[str, ...]]:
    """Read one line of a log: the record and the names of its unknown fields.

    Raises ``Unreadable`` with R101, R102, R103 or R111.
    """
    try:
        record = _strict.decode(line)
    except msgspec.ValidationError as error:
        if "unknown field" not in str(error):
            raise Unreadable(_what_is_wrong(str(error))) from None
        return _read_leniently(line)
    except _NOT_JSON as error:
        raise Unreadable(_not_json(line, error)) from None
    if record.extra:
        _check_text(line)
    return record, ()


_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _read_leniently(line: bytes) -> tuple[Record, tuple[str, ...]]:
    """A record with fields that nobody knows."""
    _check_text(line)
    try:
        return _lenient.decode(line), _unknown_fields(msgspec.json.decode(line))
    except msgspec.ValidationError as error:
        raise Unreadable(_what_is_wrong(str(error))) from None
    except _NOT_JSON as error:
        raise Unreadable(_not_json(line, error)) from None


def _check_text(line: bytes) -> None:
    """R111 for what is no UTF-8, also where its meaning is never looked at."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(Finding("R111", details={"reason": str(error)})) from None


def _not_json(line: bytes, error: Exception) -> Finding:
    try:
        _check_text(line)
    except Unreadable as problem:
        return problem.finding
    return Finding("R101", details={"reason": str(error)})


def _what_is_wrong(problem: str) -> Finding:
    """The finding for a line whose JSON does not have the shape of a record."""
    what, _, path = problem.partition(" - at `")
    field = path.rstrip("`").removeprefix("$").removeprefix(".")
    if not field and what.startswith("Expected `object`"):
        return Finding("R101", details={"reason": what})
    missing = re.search(r"missing required field `([^`]*)`", what)
    if missing:
        return Finding("R102", details={"field": f"{field}.{missing[1]}".lstrip(".")})
    return Finding("R103", details={"field": field, "reason": what})


def _unknown_fields(given: dict[str, Any]) -> tuple[str, ...]:
    names = [name for name in given if name not in Record.__struct_fields__]
    for player in given["players"]:
        names += [f"players.{name}" for name in player if name not in _KNOWN["players"]]
    names += [f"claim.{name}" for name in given.get("claim") or () if name not in _KNOWN["claim"]]
    return tuple(dict.fromkeys(names))


def write_record(record: Record) -> bytes:
    """One line of a log, without its newline; fields at their default are left out."""
    return msgspec.json.encode(record)


class _Named(Struct):
    rules: str | None = None


def rules_named(text: bytes) -> str | None:
    """The ruleset that a record names, without reading the rest of it; None where that cannot be told."""
    try:
        return msgspec.json.decode(text, type=_Named).rules
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def impossible(record: Record) -> Finding | None:
    """R103 for a field whose value no hand with these players can have, or None."""
    players = len(record.players)
    seats = (("first", record.first), ("landlord", record.landlord), ("end", escapee(record)))
    for field, seat in seats:
        if seat is not None and seat >= players:
            return _no_such(field, f"no seat {seat}")
    if record.hands is not None and len(record.hands) != players:
        return _no_such("hands", f"{len(record.hands)} hands for {players} players")
    for field, moves in (("auction", record.auction or ""), ("plays", record.plays)):
        if moves.count(" ") >= MOVES:
            return _no_such(field, f"over {MOVES} moves")
    if record.end is not None and not _END.fullmatch(record.end):
        return _no_such("end", "neither void, surrender nor escape:SEAT")
    if record.trump is not None and record.trump not in ("S", "H", "C", "D", "NT"):
        return _no_such("trump", "neither S, H, C, D nor NT")
    return None if record.claim is None else _impossible_claim(record.claim, players)


def _impossible_claim(claim: Claim, players: int) -> Finding | None:
    for seat in [*(claim.winners or ()), *([] if claim.landlord is None else [claim.landlord])]:
        if seat >= players:
            return _no_such("claim", f"no seat {seat}")
    for field, per_seat in (("scores", claim.scores), ("balances", claim.balances)):
        if per_seat is not None and len(per_seat) != players:
            return _no_such(f"claim.{field}", f"{len(per_seat)} values for {players} players")
    return None


def _no_such(field: str, reason: str) -> Finding:
    return Finding("R103", details={"field": field, "reason": reason})


def escapee(record: Record) -> int | None:
    """The seat that left before the end, if one did."""
    if record.end is not None and record.end.startswith("escape:") and record.end[7:].isdigit():
        return int(record.end[7:])
    return None


class Call(Struct, frozen=True, gc=False):
    """One action of an auction."""

    seat: int
    word: str
    """A number, ``-``, ``call`` or ``rob``."""
    bid: int | None
    """The number, if it is one."""


DECLARED = -1
"""The key of no cards: what declares a reading is never looked up."""


class Move(Struct, frozen=True, gc=False):
    """One play or pass."""

    seat: int
    cards: Cards | None
    """The cards played; None for a pass."""
    key: int | None
    """By what an answer is looked up: the packed counts, ``DECLARED`` where a reading is declared, None for a pass."""
    text: str
    """The cards as the record writes them; ``-`` for a pass."""
    declared: str | None = None
    """The reading that the source declares."""
    thrown: str | None = None
    """三打哈: the cards of a throw that failed."""


class UnreadableMove(ValueError):
    """A move text that cannot be read; ``args`` is the move as it stands."""


def _split(token: str) -> tuple[int, str]:
    seat, colon, what = token.partition(":")
    if not colon or len(seat) != 1 or not "0" <= seat <= "9" or not what:
        raise UnreadableMove(token)
    return int(seat), what


_T = TypeVar("_T")


class _Remembered(dict[str, _T]):
    """What move texts were read as; forgets everything when it has become large."""

    def __init__(self, read: Callable[[str], _T], limit: int) -> None:
        super().__init__()
        self._read, self._limit = read, limit

    def __missing__(self, token: str) -> _T:
        if len(self) >= self._limit:
            self.clear()
        move = self[token] = self._read(token)
        return move


def _read_call(token: str) -> Call:
    seat, word = _split(token)
    if word in (PASS, CALL, ROB):
        return Call(seat, word, None)
    if _BID.fullmatch(word):
        return Call(seat, word, int(word))
    raise UnreadableMove(token)


def _read_move(token: str) -> Move:
    seat, what = _split(token)
    if what == PASS:
        return Move(seat, None, None, PASS)
    what, equals, declared = what.partition("=")
    thrown, failed, led = what.partition("!")
    if (equals and declared not in READING_NAMES) or (failed and not thrown):
        raise UnreadableMove(token)
    try:
        cards = read_cards(led if failed else what)
        if failed:
            read_cards(thrown)
    except UnreadableCards as problem:
        raise UnreadableMove(token) from problem
    if not cards.size:
        raise UnreadableMove(token)
    key = DECLARED if declared else cards.counts
    return Move(seat, cards, key, led if failed else what, declared or None, thrown if failed else None)


_calls = _Remembered(_read_call, 1 << 10)
_moves = _Remembered(_read_move, 1 << 17)


def _tokens(text: str) -> list[str]:
    if not text:
        return []
    bare = _TIMED.sub("", text) if "@" in text else text
    return [_untimed(token) for token in text.split(" ")] if "@" in bare else bare.split(" ")


def _untimed(token: str) -> str:
    move, at, clock = token.partition("@")
    if at and not (clock.isascii() and clock.isdigit()):
        raise UnreadableMove(token)
    return move


def read_calls(text: str) -> list[Call]:
    """Read the move text of an auction. Raises ``UnreadableMove``."""
    return list(map(_calls.__getitem__, _tokens(text)))


def read_plays(text: str) -> list[Move]:
    """Read the move text of the plays. Raises ``UnreadableMove``."""
    return list(map(_moves.__getitem__, _tokens(text)))


def read_clock(text: str) -> list[int | None]:
    """Milliseconds since the hand began of each move, None where the text has none, or none that can be believed.

    Of a hand that was not played by as many as its rules say nobody has read the moves.
    """
    if not text:
        return []
    clocks = (token.partition("@")[2] for token in text.split(" "))
    return [int(clock) if _CLOCK.fullmatch(clock) else None for clock in clocks]


def write_moves(moves: Sequence[tuple[int, str]]) -> str:
    """Move text of (seat, what) pairs."""
    return " ".join(f"{seat}:{what}" for seat, what in moves)
