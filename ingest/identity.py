"""What a hand is recognised by, however it is written down.

Under another id, file or time zone, from another seat on, with hands sorted another way, or as one player saw it.

Knows records, cards and moves. Refuses to know rules and verdicts. Source: record.md 6 (R108, R109) and 8.
"""

import hashlib
import re
import zlib
from functools import lru_cache

import msgspec
from msgspec import Struct

from ingest.cards import FACES, RANKS, Cards, UnreadableCards, rank_counts, read_cards, split_cards
from ingest.record import PASS, Record

ENOUGH = 6
"""Plays, passes not counted, from which on players and moves tell a hand: cards that agree so often are one deal."""
UNSUITED = 64
"""The code of a card without its suit is this and its rank; that of another card is the number of its face."""
SPREAD = 0x9E3779B97F4A7C15
"""The odd number that spreads the words of a set of cards over a slot of a deal."""
_SLOT = 4
_PASSED = f":{PASS}"
_HIDDEN = bytes(_SLOT)
_DEAL_LIMIT = 1 << 12
_MEMORY = 1 << 17

_CLOCK = re.compile(r"@[0-9]+")
_CALL = re.compile(r"[0-9a-z-]+")
_END = re.compile(r"escape:([0-9])")
_SEAT, _RAW = 0x80, b"\xff"
_MARKS = {"": b"", "=": b"\x7e", "!": b"\x7d"}
_CODES = {face: code for code, face in enumerate(FACES)} | {rank: UNSUITED + i for i, rank in enumerate(RANKS[:13])}


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
    shown = (*hands[turn:], *hands[:turn], record.bottom)
    cards = [_cards(text) for text in shown]
    more = [_cards(text) for text in (record.dead, record.taken, record.buried)]
    moves = _moves(record, ids[turn:] + ids[:turn], turn)
    if not record.plays and not any(text is not None for text in shown):
        when = None if record.at is None else record.at.timestamp()
        return Identity(_short(moves, *more, msgspec.json.encode((record.id, when))))
    content = _short(moves, *cards, *more)
    if record.plays.count(":") - record.plays.count(_PASSED) < ENOUGH:
        return Identity(content)
    deal = b"".join([_HIDDEN if text is None else _slot(part) for text, part in zip(shown, cards, strict=True)])
    return Identity(content, moves, deal[:_DEAL_LIMIT])


def _short(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def _sized(part: bytes, more: int = 0) -> bytes:
    return (len(part) + more).to_bytes(4, "little") + part


def _optional(text: str | None) -> bytes:
    return _sized(b"") if text is None else _sized(_utf8(text), 1)


def _utf8(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _moves(record: Record, players: list[str], turn: int) -> bytes:
    """The digest of players and moves: every part with its length in front, so that no two records are written alike.

    A move is its seat, counted from ``turn``, then its cards in the order of their codes; an action its seat and word.
    """
    size = len(players)
    calls = _tokens(record.auction or "", _calls_by(size, turn))
    plays = _tokens(record.plays, _plays_by(size, turn))
    names = [_sized(_utf8(player)) for player in players]
    end = _optional(_end(record.end, size, turn))
    return _short(size.to_bytes(4, "little"), *names, _sized(calls), _sized(plays), _optional(record.trump), end)


def _tokens(text: str, told: "_Told") -> bytes:
    """Moves without their clocks, one behind the other; each begins with a byte that none of them holds inside."""
    if not text:
        return b""
    if "@" in text:
        text = _CLOCK.sub("", text)
    return b"".join(map(told.__getitem__, text.split(" ")))


def _cards(text: str | None) -> bytes:
    """Cards whatever their order and spelling; what cannot be read, or counted, stands for itself."""
    if text is None:
        return b"\0"
    try:
        cards = read_cards(text)
    except UnreadableCards:
        return b"\3" + _sized(_utf8(text))
    if _is_counted(cards, text):
        return b"\1" + cards.packed.to_bytes(24, "little")
    return b"\2" + _sized("".join(sorted(split_cards(text))).encode())


_LOW_BITS = sum(1 << 2 * face for face in range(len(FACES)))


def _is_counted(cards: Cards, text: str) -> bool:
    """Whether a packed set says how often each card stands, none of them standing more often than it can say."""
    faces = cards.packed >> 64
    named = (faces & _LOW_BITS).bit_count() + 2 * (faces >> 1 & _LOW_BITS).bit_count()
    if cards.suited:
        return named == cards.size
    plain = sum(rank_counts(cards.counts)) == cards.size
    return plain and named == sum(_CODES[card] < UNSUITED for card in split_cards(text))


def _slot(part: bytes) -> bytes:
    """Four bytes that tell cards from others: good against chance, not against who wants two deals to be alike."""
    if part[:1] != b"\1":
        return zlib.crc32(part).to_bytes(_SLOT, "little")
    told = 0
    for place in (1, 9, 17):
        told = (told ^ int.from_bytes(part[place : place + 8], "little")) * SPREAD & 0xFFFFFFFFFFFFFFFF
        told ^= told >> 32
    return (told & 0xFFFFFFFF or 1).to_bytes(_SLOT, "little")


class _Told(dict[str, bytes]):
    """Moves as they are recognised, seats turned one way; forgets everything when it has become large."""

    def __init__(self, size: int, turn: int, *, calls: bool) -> None:
        super().__init__()
        self._size, self._turn, self._what = size, turn, _call if calls else _play

    def __missing__(self, move: str) -> bytes:
        if len(self) >= _MEMORY:
            self.clear()
        told = self[move] = self._read(move)
        return told

    def _read(self, move: str) -> bytes:
        seat = ord(move[0]) - ord("0") if move[1:2] == ":" and move[0] in "0123456789" else self._size
        if seat >= self._size:
            return _RAW + _sized(_utf8(move))
        turned = (seat - self._turn) % self._size
        what = self._what(move[2:])
        if what is None:
            return _RAW + _sized(_utf8(f"{turned}{move[1:]}"))
        return bytes([_SEAT + turned]) + what


def _call(word: str) -> bytes | None:
    return word.encode() if _CALL.fullmatch(word) else None


def _play(what: str) -> bytes | None:
    """Cards whatever their order and spelling, with the reading or the throw that is said of them; None if unreadable.

    A pass is no cards.
    """
    if what == PASS:
        return b""
    cards, mark, more = next(((c, m, r) for m in "!=" for c, m, r in [what.partition(m)] if m), (what, "", ""))
    if not cards or not more.isascii():
        return None
    try:
        codes = sorted([_CODES[card] for card in split_cards(cards)])
    except UnreadableCards:
        return None
    return bytes(codes) + _MARKS[mark] + more.encode()


@lru_cache(maxsize=1 << 8)
def _calls_by(size: int, turn: int) -> _Told:
    """One memory for each way in which seats are turned."""
    return _Told(size, turn, calls=True)


@lru_cache(maxsize=1 << 8)
def _plays_by(size: int, turn: int) -> _Told:
    return _Told(size, turn, calls=False)


def _end(end: str | None, size: int, turn: int) -> str | None:
    found = _END.fullmatch(end) if end is not None else None
    return end if found is None else f"escape:{(int(found[1]) - turn) % max(size, 1)}"
