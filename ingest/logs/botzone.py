"""Botzone's logs of 斗地主 as records: FightTheLandlord is ``botzone-v1``, FightTheLandlord2 ``botzone``.

Knows what Botzone's words are in the record's. Refuses to know rules: what its judge refused stands as a move.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from ingest.cards import FACES, RANKS
from ingest.faults import Finding
from ingest.logs.botzone_words import OK, Deal, Match, Said, Scores, documents, form, match
from ingest.logs.entry import (
    NOT_JSON,
    Damaged,
    Entry,
    Source,
    broken_off,
    is_json,
    not_json,
    numbered_lines,
    pass_over,
    too_long,
)
from ingest.logs.sources import HEAD
from ingest.record import LINE_LIMIT, PASS, Claim, Player, Record, Unreadable, write_moves

FORMS = ("judge", "display")
SUITS = "HDSC"
"""Suits by ``id % 4``; ranks go by ``id // 4``, and 52 and 53 are the jokers."""

_FACE_OF = [SUITS[card % 4] + RANKS[card // 4] for card in range(52)] + ["B", "R"]
_ORDER = {face: place for place, face in enumerate(FACES)}
_ID_LIMIT = 128
_BID_LIMIT = 10**9
_SCORE_LIMIT = 10**9
_NOISE = Decimal("1e-6")
"""How far a score may be from a whole number: the judge reckons with binary fractions."""

_extra = msgspec.json.Encoder(decimal_format="number")


def entries(source: Source, forms: tuple[str, ...] = FORMS, limit: int = LINE_LIMIT) -> Iterator[Entry]:
    """Every match of a log: one a line, one a file, or an array of them.

    ``forms``: which are taken. ``limit``: bytes of the longest line or document that is read.
    """
    number = 0
    try:
        if not _one_per_line(source.head):
            yield from _whole(source, forms, limit)
            return
        for number, line in numbered_lines(source.stream, limit):
            raw = line.rstrip(b"\r\n")
            if len(line) > limit:
                pass_over(source.stream, line)
                yield too_long(source.name, number, line, limit)
            elif not line.isspace():
                yield from _matches(source, number, raw, forms, last=raw is line)
    except Damaged as problem:
        yield broken_off(source.name, number + 1, problem)


def _one_per_line(head: bytes) -> bool:
    """Whether every line is a document, rather than the file; a single one may be damaged."""
    lines = [line for line in head.split(b"\n") if line.strip()]
    if len(lines) < 2 and len(head) >= HEAD:
        return True
    return not lines or is_json(lines[0]) or any(_is_match(line) for line in lines)


def _is_match(line: bytes) -> bool:
    try:
        return form(line) is not None
    except NOT_JSON:
        return False


def _whole(source: Source, forms: tuple[str, ...], limit: int) -> Iterator[Entry]:
    raw = source.stream.read(limit + 1)
    if len(raw) > limit:
        yield too_long(source.name, 1, raw, limit)
    else:
        yield from _matches(source, 1, raw.strip(), forms, last=True)


def _matches(source: Source, number: int, raw: bytes, forms: tuple[str, ...], *, last: bool) -> Iterator[Entry]:
    """The matches in one document; those of an array are numbered on from the document's line."""
    try:
        parts = documents(raw)
    except NOT_JSON as problem:
        yield Entry(source.name, number, raw, None, (not_json(raw, str(problem), last=last),))
        return
    for line, part in enumerate(parts, number):
        yield _entry(source, line, part, forms, last=last)


def _entry(source: Source, line: int, raw: bytes, forms: tuple[str, ...], *, last: bool) -> Entry:
    try:
        record = _record(_match(raw, forms), f"{source.title}#{line}")
    except Unreadable as problem:
        return Entry(source.name, line, raw, None, (problem.finding,))
    except msgspec.ValidationError as problem:
        return Entry(source.name, line, raw, None, (_misshapen(str(problem)),))
    except NOT_JSON as problem:
        return Entry(source.name, line, raw, None, (not_json(raw, str(problem), last=last),))
    return Entry(source.name, line, raw, record)


def _match(raw: bytes, forms: tuple[str, ...]) -> Match:
    told = form(raw)
    if told is None or told not in forms:
        raise _unreadable("R112", reason=f"not a Botzone {' or '.join(forms)} log")
    return match(raw, told)


def _misshapen(problem: str) -> Finding:
    what, _, path = problem.partition(" - at `")
    return Finding("R103", details={"field": path.rstrip("`").removeprefix("$").removeprefix("."), "reason": what})


def _unreadable(code: str, **details: Any) -> Unreadable:
    return Unreadable(Finding(code, details=details))


def _record(told: Match, place: str) -> Record:
    """The record of a match; ``place`` names it where Botzone gives no id."""
    if told.deal is None:
        raise _unreadable("R102", field="initdata.allocation")
    hands, bottom, is_first_version = _hands(told.deal)
    record = Record(
        id=_id(told.id, place),
        rules="botzone-v1" if is_first_version else "botzone",
        players=_players(told.players),
        hands=hands,
        bottom=bottom,
        first=None if is_first_version else 0,
        auction=None if is_first_version and not told.bids else write_moves([_bid(said) for said in told.bids]),
        landlord=0 if is_first_version else None,
        plays=write_moves([_play(said) for said in told.plays]),
        claim=_claim(told, 1000 if is_first_version else 1),
    )
    return msgspec.structs.replace(record, extra=msgspec.Raw(_extra.encode(told.rest))) if told.rest else record


def _hands(deal: Deal) -> tuple[list[str | None], str, bool]:
    """Hands, bottom, and whether this is FTL1, where the public cards are dealt to seat 0 with his own."""
    bottom = _cards(deal.publiccard, "publiccard")
    hands = [_cards(hand, f"allocation[{seat}]") for seat, hand in enumerate(deal.allocation)]
    if len(hands) != 3:
        raise _unreadable("R103", field="allocation", reason=f"{len(hands)} hands for 3 players")
    is_first_version = bool(bottom) and set(bottom) <= set(hands[0])
    if is_first_version:
        hands[0] = [card for card in hands[0] if card not in bottom]
    return [_text(hand) for hand in hands], _text(bottom), is_first_version


def _cards(given: Any, field: str) -> list[str]:
    """Cards by their numbers, low to high. Raises ``Unreadable`` (R105)."""
    if not isinstance(given, list) or not all(type(card) is int and 0 <= card < len(_FACE_OF) for card in given):
        raise _unreadable("R105", field=field, text=_shown(given))
    return sorted((_FACE_OF[card] for card in given), key=_ORDER.__getitem__)


def _text(cards: list[str]) -> str:
    return "".join(cards)


def _shown(given: Any) -> str:
    return msgspec.json.encode(given).decode()[:80]


def _bid(said: Said) -> tuple[int, str]:
    bid = _response(said)
    if type(bid) is not int or not 0 <= bid < _BID_LIMIT:
        raise _unreadable("R105", field=said.place, text=_shown(bid))
    return said.seat, str(bid) if bid else PASS


def _play(said: Said) -> tuple[int, str]:
    return said.seat, _text(_cards(_response(said), said.place)) or PASS


def _response(said: Said) -> Any:
    """What a player answered. Raises ``Unreadable`` (R105) where its program failed."""
    if said.answer.verdict != OK:
        raise _unreadable("R105", field=f"{said.place}.verdict", text=said.answer.verdict)
    return said.answer.response


def _claim(told: Match, unit: int) -> Claim | None:
    """What the log says of the result; a final bid of 0 says that nobody bid. Scores in 1/``unit`` points."""
    bid = told.final_bid if type(told.final_bid) is int and told.final_bid > 0 else None
    scores = None if told.scores is None else _scores(told.scores, unit)
    claim = Claim(landlord=told.landlord, bid=bid, scores=scores)
    return None if claim == Claim() else claim


def _scores(scores: Scores, unit: int) -> list[int]:
    given = (scores.seat0, scores.seat1, scores.seat2)
    return [_score(points, unit, f"scores[{seat}]") for seat, points in enumerate(given)]


def _score(points: Decimal, unit: int, field: str) -> int:
    """A score in 1/``unit`` points. Raises ``Unreadable`` (R103) where it is not whole."""
    if not points.is_finite() or abs(points) > _SCORE_LIMIT:
        raise _unreadable("R103", field=field, reason="impossible score")
    whole = (points * unit).to_integral_value()
    if abs(points * unit - whole) > _NOISE:
        raise _unreadable("R103", field=field, reason=f"{points} is not a whole number of 1/{unit} points")
    return int(whole)


def _id(given: Any, place: str) -> str:
    """The match's id, which a database export wraps (``{"$oid": …}``), else its place in the logs."""
    inner = given.get("$oid") if isinstance(given, dict) else given
    if isinstance(inner, str) and 0 < len(inner) <= _ID_LIMIT:
        return inner
    return place[-_ID_LIMIT:]


def _players(given: list[Any] | None) -> list[Player]:
    named = given if given is not None and len(given) == 3 else [None] * 3
    return [_player(player, f"P{seat}") for seat, player in enumerate(named)]


def _player(given: Any, seat: str) -> Player:
    """A player; most logs name none, and then the seat stands for a bot."""
    if isinstance(given, str) and given:
        return Player(id=given, bot=True)
    said = given if isinstance(given, dict) else {}
    names = [name for name in (said.get("bot"), said.get("user"), said.get("name")) if isinstance(name, str) and name]
    name = said.get("name")
    bot = said.get("type", "bot") == "bot"
    return Player(id=names[0] if names else seat, name=name if isinstance(name, str) else None, bot=bot)
