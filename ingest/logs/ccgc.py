"""The logs of the students' tournament (CCGC, ICGA) as records: a session of its protocol, and its record in brackets.

Knows where a game begins, and what a session hides: one engine hears only its own cards, and a log of what it heard
lacks its own answers. What was not written down is not made up: moves stand up to the first that is missing, the rest
goes to ``extra``. Refuses to know rules.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from ingest.logs.card_numbers import card_text
from ingest.logs.ccgc_words import NOBODY, SEATS, Saying, card_numbers, noted, spoken
from ingest.logs.documents import block_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.outline import lines_of
from ingest.record import PASS, Claim, Player, Record, write_moves

RULES = "ccgc"
_LIMIT = 1 << 24
"""Bytes of the longest game that is read."""
_OTHERS = 20
"""Lines without a command that are kept."""
_PASSED = "-1"
_TOP = "3"
"""The highest of the four words with which one bids; nobody is asked after it."""
_AFTER_THE_DEAL = frozenset(("ask", "bid", "bottom", "play", "over", "error"))

Words = Callable[[str], Iterable[Saying]]


class _Course(Struct):
    """How far the game is that is being read, and who sits there: what tells where the next one begins."""

    info: str | None = None
    dealt: set[int] = set()
    went_on: bool = False
    """Whether anything was said after the deal."""
    names: list[Saying] = []
    """Those of the session, which later games do not repeat."""


def protocol_entries(source: Source) -> Iterator[Entry]:
    """Every game of a session."""
    return _entries(source, spoken)


def record_entries(source: Source) -> Iterator[Entry]:
    """Every game of a record in brackets."""
    return _entries(source, noted)


def entries(source: Source) -> Iterator[Entry]:
    """Every game of a log of either form."""
    return record_entries(source) if recognises_record(source.head) else protocol_entries(source)


def recognises_protocol(head: bytes) -> bool:
    """Whether a log begins as a session does: with its version, or with a game and its deal."""
    said = {saying.what for line in lines_of(head) for saying in spoken(line.decode("utf-8", "replace").strip())}
    return ("version" in said and b"DOUDIZHUVER" in head) or {"info", "deal"} <= said


def recognises_record(head: bytes) -> bool:
    """Whether a log begins as a record does."""
    lines = [line.decode("utf-8", "replace").strip() for line in lines_of(head)]
    said = [saying for line in lines for saying in noted(line)]
    known = {saying.what for saying in said}
    return bool(lines) and lines[0][:1] in ("(", ";") and bool(known & {"version", "info"}) and len(known - {"bad"}) > 1


def _entries(source: Source, words: Words) -> Iterator[Entry]:
    course, session = _Course(), _Course()
    return block_hands(source, partial(_record, session, words), partial(_begins, course, words), _LIMIT)


def _begins(course: _Course, words: Words, line: bytes) -> bool:
    """Whether a game begins with this line. The platform's own log says everything three times, once to each engine."""
    said = list(words(line.decode("utf-8", "replace").rstrip("\r\n")))
    begins = bool(said) and _opens(course, said[0])
    if begins:
        course.info, course.dealt, course.went_on = None, set(), False
    for saying in said:
        _advance(course, saying)
    return begins


def _opens(course: _Course, saying: Saying) -> bool:
    if saying.what == "version":
        return bool(course.dealt)
    if saying.what == "info":
        return bool(course.dealt) and (course.went_on or saying.text != course.info)
    return saying.what == "deal" and (course.went_on or saying.seat in course.dealt)


def _advance(course: _Course, saying: Saying) -> None:
    if saying.what == "info":
        course.info = saying.text
    elif saying.what == "deal" and saying.seat is not None:
        course.dealt.add(saying.seat)
    course.went_on = course.went_on or saying.what in _AFTER_THE_DEAL


class Moves(Struct, frozen=True):
    """The bids or the plays of a game, as far as they are there without a gap."""

    placed: list[Saying]
    unplaced: list[Saying]
    """What came after an answer that the log does not have."""

    def written(self, what: Callable[[Saying], str]) -> str:
        """Their move text. Raises ``Unreadable`` (R105), also for one that has no place."""
        written = [(saying.seat or 0, what(saying)) for saying in [*self.placed, *self.unplaced]]
        return write_moves(written[: len(self.placed)])


def _record(session: _Course, words: Words, raw: bytes, place: str) -> Record:
    said = [saying for line in raw.decode().split("\n") for saying in words(line.rstrip("\r"))]
    if all(saying.what in ("other", "bad") for saying in said):
        raise refused("R112", reason="not a CCGC log")
    for saying in said:
        if saying.what == "bad":
            raise refused("R105", field="line", text=saying.text[:80])
    deals = _deals(said)
    bids, plays = _moves(said, "bid", list(deals)), _moves(said, "play", list(deals))
    bottom, over = _agreed(said, "bottom"), _agreed(said, "over")
    unheard = bottom is not None and not _all_bid(bids)
    auction = bids.written(_bid)
    return Record(
        id=place[-128:],
        rules=RULES,
        players=_players(_names(session, said), list(deals)),
        hands=[_cards(deals[seat]) if seat in deals else None for seat in range(3)],
        bottom=None if bottom is None else _cards(bottom),
        first=_first(said, list(deals)),
        auction=None if unheard else auction,
        landlord=bottom.seat if bottom and unheard else None,
        plays=plays.written(_play),
        end=_end(said, bids, bottom, over),
        claim=_claim(bottom, over),
        tags=_tags(said),
        extra=_extra(said, deals, [*(bids.placed if unheard else []), *bids.unplaced, *plays.unplaced]),
    )


def _deals(said: list[Saying]) -> dict[int, Saying]:
    """The hands that the log shows: one engine's, or all."""
    deals = [(saying.seat, saying) for saying in said if saying.what == "deal" and saying.seat is not None]
    if not deals:
        raise refused("R102", field="DEAL")
    if len(dict(deals)) != len(deals):
        raise refused("R103", field="DEAL", reason="a seat is dealt two hands on one line")
    return dict(deals)


def _moves(said: list[Saying], what: str, seats: list[int]) -> Moves:
    """The bids or plays. Where one engine was asked and did not answer, the rest has no place.

    A platform's log has a move as it was answered and as it was passed on.
    """
    own = seats[0] if len(seats) == 1 else None
    placed: list[Saying] = []
    unplaced: list[Saying] = []
    asked = lost = False
    for saying in said:
        if saying.what == "ask" and saying.text == what:
            asked, lost = True, lost or asked
        elif saying.what == what:
            lost = lost or (asked and own is not None and saying.seat != own)
            moves = unplaced if lost else placed
            if asked or own is not None or not moves or not _same(moves[-1], saying):
                moves.append(saying)
            asked = False
    return Moves(placed, unplaced)


def _same(one: Saying, other: Saying) -> bool:
    return (one.seat, one.text) == (other.seat, other.text)


def _agreed(said: list[Saying], what: str) -> Saying | None:
    """What is said once, or three times alike. Raises ``Unreadable`` (R103)."""
    found = [saying for saying in said if saying.what == what]
    if any(not _same(saying, found[0]) for saying in found):
        raise refused("R103", field="LEFTOVER" if what == "bottom" else "GAMEOVER", reason="said in different ways")
    return found[0] if found else None


def _cards(saying: Saying) -> str:
    numbers = card_numbers(saying.text)
    if numbers is None:
        raise refused("R105", field="line", text=saying.line.strip()[:80])
    return card_text(numbers, saying.line.strip()[:40])


def _bid(saying: Saying) -> str:
    if not (saying.text.isascii() and saying.text.isdigit() and len(saying.text) < 10):
        raise refused("R105", field="line", text=saying.line.strip()[:80])
    return str(int(saying.text)) if int(saying.text) else PASS


def _play(saying: Saying) -> str:
    return PASS if saying.text == _PASSED else _cards(saying)


def _all_bid(bids: Moves) -> bool:
    """Whether every bid is there: three, or the highest last. The script that makes records notes the first only."""
    return not bids.unplaced and (len(bids.placed) >= len(SEATS) or [s.text for s in bids.placed[-1:]] == [_TOP])


def _first(said: list[Saying], seats: list[int]) -> int | None:
    """Who bid first, or was asked to."""
    for saying in said:
        if saying.what == "bid":
            return saying.seat
        if saying.what == "ask" and saying.text == "bid" and len(seats) == 1:
            return seats[0]
    return None


def _end(said: list[Saying], bids: Moves, bottom: Saying | None, over: Saying | None) -> str | None:
    """An engine that failed ends the game; so do three who do not bid."""
    failed = next((saying.seat for saying in said if saying.what == "error"), None)
    if failed is not None:
        return f"escape:{failed}"
    nobody = len(bids.placed) == len(SEATS) and all(_bid(saying) == PASS for saying in bids.placed)
    played = any(saying.what == "play" for saying in said)
    return "void" if bottom is None and not played and (nobody or (over and over.text == NOBODY)) else None


def _claim(bottom: Saying | None, over: Saying | None) -> Claim | None:
    """Landlord, and the winner's side: the platform names who went out."""
    landlord = None if bottom is None else bottom.seat
    if over is not None and over.seat is None and over.text != NOBODY:
        raise refused("R103", field="GAMEOVER", reason=f"no seat: {over.text[:40]}")
    winners = None
    if landlord is not None and over is not None and over.seat is not None:
        winners = [seat for seat in range(3) if (seat == landlord) == (over.seat == landlord)]
    claim = Claim(landlord=landlord, winners=winners)
    return None if claim == Claim() else claim


def _names(session: _Course, said: list[Saying]) -> list[Saying]:
    """The names of this session; a game after its first does not repeat them."""
    names = [saying for saying in said if saying.what == "name"]
    if names or any(saying.what == "version" for saying in said):
        session.names = names
    return session.names


def _players(names: list[Saying], seats: list[int]) -> list[Player]:
    """The engines: by the record's seats, or in the order in which the platform asked, or the one whose log it is."""
    order = range(3) if len(names) == 3 else seats if len(names) == len(seats) == 1 else []
    named = {saying.seat: saying.text for saying in names if saying.seat is not None}
    named = named or dict(zip(order, (saying.text for saying in names), strict=False))
    return [Player(id=named.get(seat) or SEATS[seat], bot=True) for seat in range(3)]


def _tags(said: list[Saying]) -> dict[str, str] | None:
    """Round and game, by which the tournament is arranged."""
    info = next((saying.text.split(",") for saying in said if saying.what == "info"), [])
    if len(info) < 4 or not all(number.strip().isdigit() for number in info[:4]):
        return None
    return {"turn": info[0].strip(), "round": info[2].strip()}


def _extra(said: list[Saying], deals: dict[int, Saying], unplaced: list[Saying]) -> msgspec.Raw:
    """What else the log says."""
    rest: dict[str, Any] = {}
    for what in ("version", "info", "over"):
        found = next((saying.text for saying in said if saying.what == what), None)
        rest |= {} if found is None else {what: found}
    if len(deals) == 1:
        rest["seat"] = SEATS[next(iter(deals))]
    if unplaced:
        rest["unplaced"] = [saying.line.strip() for saying in unplaced]
    if others := [saying.text for saying in said if saying.what == "other"]:
        rest |= {"other_lines": len(others), "first_other_lines": others[:_OTHERS]}
    return msgspec.Raw(msgspec.json.encode(rest))
