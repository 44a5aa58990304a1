"""Botzone's logs of 斗地主 as records: FightTheLandlord is ``botzone-v1``, FightTheLandlord2 ``botzone``.

Knows what Botzone's words are in the record's. Refuses to know rules: what its judge refused stands as a move.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from ingest.logs.botzone_words import OK, Deal, Match, Said, Scores, documents, form, match
from ingest.logs.card_numbers import card_text, faces, shown
from ingest.logs.documents import json_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.outline import outline
from ingest.record import PASS, Claim, Player, Record, write_moves

_ID_LIMIT = 128
_BID_LIMIT = 10**9
_SCORE_LIMIT = 10**9
_NOISE = Decimal("1e-6")
"""How far a score may be from a whole number: the judge reckons with binary fractions."""

_JUDGE = frozenset((b"initdata", b"log", b"logs"))
_DEAL = frozenset((b"allocation", b"publiccard"))

_extra = msgspec.json.Encoder(decimal_format="number")


def judge_entries(source: Source) -> Iterator[Entry]:
    """Every match of a judge log: one a line, one a file, or an array of them."""
    return json_hands(source, partial(_reading, ("judge",)), _is_match, documents)


def display_entries(source: Source) -> Iterator[Entry]:
    """Every match of a display log, likewise."""
    return json_hands(source, partial(_reading, ("display",)), _is_match, documents)


def entries(source: Source) -> Iterator[Entry]:
    """Every match of a log of either form, or of both."""
    return json_hands(source, partial(_reading, ("judge", "display")), _is_match, documents)


def _is_match(line: bytes) -> bool:
    return form(line) is not None


def _reading(forms: tuple[str, ...], raw: bytes, place: str) -> Record:
    told = form(raw)
    if told is None or told not in forms:
        raise refused("R112", reason=f"not a Botzone {' or '.join(forms)} log")
    return _record(match(raw, told), place)


def recognises_judge(head: bytes) -> bool:
    """Whether a log begins as Botzone's judge logs of 斗地主 do; the public cards are what its other games lack."""
    told = outline(head)
    if b"publiccard" not in head:
        return False
    if told.opening in (b"{", b"[{") and told.keys & _JUDGE:
        return True
    return told.opening in (b"[{", b"[[{") and b"output" in told.keys and not told.keys >= _DEAL


def recognises_display(head: bytes) -> bool:
    """Whether a log begins as its display logs do."""
    told = outline(head)
    return told.opening in (b"[{", b"[[{") and told.keys >= _DEAL and not told.keys & _JUDGE


def _record(told: Match, place: str) -> Record:
    """The record of a match; ``place`` names it where Botzone gives no id."""
    if told.deal is None:
        raise refused("R102", field="initdata.allocation")
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
    bottom = faces(deal.publiccard, "publiccard")
    hands = [faces(hand, f"allocation[{seat}]") for seat, hand in enumerate(deal.allocation)]
    if len(hands) != 3:
        raise refused("R103", field="allocation", reason=f"{len(hands)} hands for 3 players")
    is_first_version = bool(bottom) and set(bottom) <= set(hands[0])
    if is_first_version:
        hands[0] = [card for card in hands[0] if card not in bottom]
    return ["".join(hand) for hand in hands], "".join(bottom), is_first_version


def _bid(said: Said) -> tuple[int, str]:
    bid = _response(said)
    if type(bid) is not int or not 0 <= bid < _BID_LIMIT:
        raise refused("R105", field=said.place, text=shown(bid))
    return said.seat, str(bid) if bid else PASS


def _play(said: Said) -> tuple[int, str]:
    return said.seat, card_text(_response(said), said.place) or PASS


def _response(said: Said) -> Any:
    """What a player answered. Raises ``Unreadable`` (R105) where its program failed."""
    if said.answer.verdict != OK:
        raise refused("R105", field=f"{said.place}.verdict", text=said.answer.verdict)
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
    if not points.is_finite() or points.copy_abs() > _SCORE_LIMIT:
        raise refused("R103", field=field, reason="impossible score")
    whole = (points * unit).to_integral_value()
    if abs(points * unit - whole) > _NOISE:
        raise refused("R103", field=field, reason=f"{points} is not a whole number of 1/{unit} points")
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
