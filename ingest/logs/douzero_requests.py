"""Requests to servers that play DouZero's models, as games in DouZero's own words.

Knows the demo's form (RLCard-Showdown), a line each, and the messages of a whole session (EvelynCarter/Resnet_JJ).
Refuses to know the record.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Raw, Struct

from ingest.logs.douzero_words import BOTTOM, POSITIONS, cards, objects, shown
from ingest.logs.entry import refused
from ingest.logs.outline import outline
from ingest.record import PASS

SEQUENCE = "card_play_action_seq"
FORM = re.compile(rb"[a-z_0-9]+=[^\s\"'&]*(?:&[a-z_0-9]+=[^\s\"'&]*)+")
"""The fields of a request, wherever in a line they stand: alone, after a ``?``, or in a call of curl."""
FIELDS_LIMIT = 64

_CODES = {1: 0, 2: 1, 0: 2}
"""Seats by ``position_code``: 0 sits before the landlord, 1 is he, 2 sits after him."""
_MESSAGE = frozenset((b"action", b"data"))


def is_request(line: bytes) -> bool:
    """Whether a line holds a request as a form."""
    return f"{SEQUENCE}=".encode() in line and b"player_position=" in line and FORM.search(line) is not None


def request(line: bytes) -> dict[str, Raw]:
    """The fields of a request. Raises ``Unreadable`` (R103, R111, R112)."""
    found = FORM.search(line)
    if found is None or not is_request(line):
        raise refused("R112", reason="no request")
    try:
        pairs = parse_qsl(found[0].decode(), keep_blank_values=True, errors="strict", max_num_fields=FIELDS_LIMIT)
    except UnicodeDecodeError as problem:
        raise refused("R111", reason=str(problem)) from None
    except ValueError as problem:
        raise refused("R103", field="", reason=str(problem)) from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise refused("R103", field="", reason="a field that is given twice")
    return {name: Raw(msgspec.json.encode(value)) for name, value in fields.items()}


class Hand(Struct, frozen=True):
    """One player of a session whose cards are known."""

    hand_cards: Any
    position_code: Any
    model: Any = None


class Said(Struct, frozen=True):
    """A play in an answer of the server."""

    cards: Any = None


class Data(Struct, frozen=True):
    """What a message says; which of it is there depends on its kind."""

    pid: Any = None
    three_landlord_cards: Any = None
    ai_amount: Any = None
    player_data: list[Hand] = []
    player: Any = None
    cards: Any = None
    play: list[Said] | None = None
    game_over: Any = None


class Message(Struct, frozen=True):
    """A report to the server, or its answer, which has a type."""

    action: Any
    data: Data | None = None
    type: Any = None
    status: Any = None
    msg: Any = None


class Session(Struct, frozen=True, kw_only=True):
    """A game as its messages tell it, by seat."""

    pid: Any
    hands: dict[int, Hand]
    bottom: Any
    ai_amount: Any
    plays: list[tuple[int, str]]
    refusals: list[Any]
    """What the server refused, in its words."""


_message = msgspec.json.Decoder(Message)
_messages = msgspec.json.Decoder(list[Message])


def is_message(raw: bytes) -> bool:
    """Whether JSON is a message of a session."""
    told = outline(raw)
    return told.opening == b"{" and told.keys >= _MESSAGE


def begins_session(raw: bytes) -> bool:
    """Whether a message says the deal."""
    return is_message(raw) and BOTTOM.encode() in raw


def pid_of(raw: bytes) -> str:
    """Which game a message is about. Raises what decoding raises."""
    data = _message.decode(raw).data
    return msgspec.json.encode(data.pid if data else None).decode().strip('"')


def together(messages: Iterable[bytes]) -> list[bytes]:
    """Messages in the order they came, each game's as one JSON array. Raises what decoding raises."""
    games: list[list[bytes]] = []
    at: dict[str, int] = {}
    for raw in messages:
        pid = pid_of(raw) if is_message(raw) else None
        if pid is None or begins_session(raw) or pid not in at:
            games.append([])
            if pid is not None:
                at[pid] = len(games) - 1
        games[len(games) - 1 if pid is None else at[pid]].append(raw)
    return [joined(game) if is_message(game[0]) else game[0] for game in games]


def joined(messages: list[bytes]) -> bytes:
    """The messages of one game as one JSON array."""
    return b"[" + b",".join(messages) + b"]"


def session(raw: bytes) -> Session:
    """A game from its messages. Raises ``Unreadable`` and what decoding raises."""
    messages = _messages.decode(raw)
    if messages[0].action != "init" or messages[0].type is not None or messages[0].data is None:
        raise refused("R102", field="init")
    deal = messages[0].data
    told: list[tuple[int, str]] = []
    for place, message in enumerate(messages[1:], 1):
        told += _plays(message, f"[{place}].data", told[-1][0] if told else -1)
    failed = [message.msg for message in messages if message.status == "fail"]
    return Session(
        pid=deal.pid,
        hands=_hands(deal.player_data),
        bottom=deal.three_landlord_cards,
        ai_amount=deal.ai_amount,
        plays=told,
        refusals=failed,
    )


def _hands(given: list[Hand]) -> dict[int, Hand]:
    hands: dict[int, Hand] = {}
    for place, hand in enumerate(given):
        seat = _seat(hand.position_code, f"player_data[{place}].position_code")
        if seat in hands:
            raise refused("R103", field=f"player_data[{place}].position_code", reason="a position that is given twice")
        hands[seat] = hand
    return hands


def _seat(code: Any, field: str) -> int:
    if type(code) is not int or code not in _CODES:
        raise refused("R103", field=field, reason=f"no position: {shown(code)}")
    return _CODES[code]


def _plays(message: Message, field: str, last: int) -> list[tuple[int, str]]:
    """What a message says was played. An answer names no seat: the server plays when it is its turn."""
    data = message.data
    if data is None:
        return []
    if message.type is None:
        return [(_seat(data.player, f"{field}.player"), _text(data.cards, f"{field}.cards"))]
    said = data.play or []
    return [
        ((last + turn) % len(POSITIONS), _text(play.cards, f"{field}.play[{turn - 1}].cards"))
        for turn, play in enumerate(said, 1)
    ]


def _text(given: Any, field: str) -> str:
    return "".join(cards(given, field)) or PASS


def fields_of(raw: bytes) -> dict[str, Raw]:
    """The fields of a JSON object, those of a deal within it among them. Raises what decoding raises."""
    given = objects.decode(raw)
    if "card_play_data" in given and POSITIONS[0] not in given:
        return {name: part for name, part in given.items() if name != "card_play_data"} | objects.decode(
            given["card_play_data"]
        )
    return given
