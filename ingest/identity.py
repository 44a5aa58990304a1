"""What a hand is recognised by, however it is written down.

Under another id, file or time zone, from another seat on, with hands sorted another way, or as one player saw it.

Knows records, cards and moves. Refuses to know rules and verdicts. Source: record.md 6 (R108, R109) and 8.
"""

import hashlib
import re
import zlib
from array import array
from functools import lru_cache

import msgspec
from msgspec import Struct

from ingest.cards import FACES, RANKS, UnreadableCards, split_cards
from ingest.record import PASS, Record

ENOUGH = 6
"""Plays, passes not counted, from which on players and moves tell a hand: cards that agree so often are one deal."""
_SLOT = 4
_PASSED = f":{PASS}"
_HIDDEN = bytes(_SLOT)
_DEAL_LIMIT = 1 << 12
_MEMORY = 1 << 17

_CLOCK = re.compile(r"@[0-9]+")
_END = re.compile(r"escape:([0-9])")


class Identity(Struct, frozen=True, array_like=True, gc=False):
    """What one record says of which hand it is."""

    content: bytes
    """Players, cards and moves as this record has them; 16 bytes."""
    played: bytes = b""
    """Players and moves alone, which all players' copies of a hand share; empty where too little was played."""
    deal: bytes = b""
    """Four bytes for each seat's cards and for the bottom, zero for those that this record does not show."""

    @property
    def key(self) -> bytes:
        """What records of one hand have in common."""
        return self.played or self.content

    def is_of(self, other: "Identity") -> bool:
        """Whether two records are of one hand: of the same content, or two players' views that fit together."""
        if self.content == other.content:
            return True
        if not self.played or self.played != other.played or len(self.deal) != len(other.deal):
            return False
        slots = range(0, len(self.deal), _SLOT)
        return all(_fit(self.deal[at : at + _SLOT], other.deal[at : at + _SLOT]) for at in slots)


def _fit(one: bytes, other: bytes) -> bool:
    return one == other or _HIDDEN in (one, other)


NOBODY = Identity(b"")
"""The identity of no hand."""


def identity(record: Record) -> Identity:
    """What a record is recognised by. Where it shows no card, its time and its id stand in for the cards."""
    ids = [player.id for player in record.players]
    least = min(ids, default="")
    turns = [turn for turn, id in enumerate(ids) if id == least]
    if len(turns) == 1:
        return _identity(record, ids, turns[0])
    return min((_identity(record, ids, turn) for turn in turns or [0]), key=lambda each: each.content)


def _identity(record: Record, ids: list[str], turn: int) -> Identity:
    """The identity with seat ``turn`` as the first."""
    size = len(ids)
    hands = record.hands or [None] * size
    cards = [_cards(text) for text in (*hands[turn:], *hands[:turn], record.bottom)]
    more = [_cards(text) for text in (record.dead, record.taken, record.buried)]
    calls, plays = _calls(record.auction, size, turn), _moves(record.plays, size, turn)
    players = ids[turn:] + ids[:turn]
    moves = msgspec.json.encode((players, calls, record.trump, plays, _end(record.end, size, turn)))
    if not plays and not any(cards):
        when = None if record.at is None else record.at.timestamp()
        return Identity(_short(moves, *more, msgspec.json.encode((record.id, when))))
    content = _short(moves, *cards, *more)
    if record.plays.count(":") - record.plays.count(_PASSED) < ENOUGH:
        return Identity(content)
    deal = b"".join([zlib.crc32(shown).to_bytes(_SLOT) if shown else _HIDDEN for shown in cards])
    return Identity(content, _short(moves), deal[:_DEAL_LIMIT])


def _short(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"\n".join(parts), digest_size=16).digest()


_FACES = {face: memoryview(face.rjust(2, "-").encode()).cast("H")[0] for face in (*FACES, *RANKS)}
_KNOWN = frozenset(_FACES.values())


def _cards(text: str | None) -> bytes:
    """Cards whatever their order and spelling; empty where they are hidden; what cannot be read stands for itself."""
    if text is None:
        return b""
    try:
        faces = memoryview(text.replace("B", "-B").replace("R", "-R").encode()).cast("H").tolist()
    except (TypeError, UnicodeEncodeError):
        faces = []
    if not faces or not _KNOWN.issuperset(faces):
        try:
            faces = [_FACES[card] for card in split_cards(text)]
        except UnreadableCards:
            return b"?" + text.encode(errors="replace")
    return array("H", sorted(faces)).tobytes() or b"0"


class _Told(dict[str, str]):
    """Plays as they are recognised, seats turned one way; forgets everything when it has become large."""

    def __init__(self, size: int, turn: int) -> None:
        super().__init__()
        self._seats = _seats(size, turn)

    def __missing__(self, move: str) -> str:
        if len(self) >= _MEMORY:
            self.clear()
        told = self[move] = self._seats.get(move[:2], move[:2]) + _told(move[2:])
        return told


def _told(what: str) -> str:
    """Cards whatever their order and spelling, with the reading or the throw that is said of them."""
    cards, mark, more = next(((c, m, r) for m in "!=" for c, m, r in [what.partition(m)] if m), (what, "", ""))
    if cards == PASS:
        return what
    try:
        return "".join(sorted(split_cards(cards))) + mark + more
    except UnreadableCards:
        return what


@lru_cache(maxsize=1 << 8)
def _told_by(size: int, turn: int) -> _Told:
    """One memory for each way in which seats are turned."""
    return _Told(size, turn)


def _moves(text: str | None, size: int, turn: int) -> str | None:
    """Plays without their clocks, seats turned, cards in one order."""
    if not text:
        return text
    if "@" in text:
        text = _CLOCK.sub("", text)
    return " ".join(map(_told_by(size, turn).__getitem__, text.split(" ")))


@lru_cache(maxsize=1 << 8)
def _seats(size: int, turn: int) -> dict[str, str]:
    return {f"{seat}:": f"{(seat - turn) % size}:" for seat in range(min(size, 10))}


def _calls(text: str | None, size: int, turn: int) -> str | None:
    """An auction without its clocks, seats turned."""
    if not text:
        return text
    seats = _seats(size, turn)
    return " ".join([seats.get(call[:2], call[:2]) + call[2:] for call in _CLOCK.sub("", text).split(" ")])


def _end(end: str | None, size: int, turn: int) -> str | None:
    found = _END.fullmatch(end) if end is not None else None
    return end if found is None else f"escape:{(int(found[1]) - turn) % max(size, 1)}"
