"""RLCard-Showdown's own words for a replay of doudizhu, and where replays stand in what its server keeps.

Knows every spelling of a replay that the viewer has had, and that the server stores one as the text of a Python dict.
Refuses to know the record. Source: datamllab/rlcard-showdown, server and history of its samples; logs.md 3.3.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from ingest.logs.entry import NOT_JSON
from ingest.logs.python_text import as_document
from ingest.logs.rlcard_words import as_array, as_object

DEPTH = 8
"""How deep in a document replays are looked for."""

HANDS = ("initHands", "initHand")
PLAYERS = "playerInfo"
MOVES = "moveHistory"
_MARKS = re.compile(rb"moveHistory|initHand")
"""Without either there is no replay."""
OTHER_GAME = "publicCard"
"""What a replay of Leduc Hold'em has, under otherwise the same keys."""
_NOT_GAMES = frozenset((b'"tournament.payoff"', b'"tournament.uploadedagent"'))
"""The other tables of the server's database, in Django's words."""


class Agent(Struct, frozen=True):
    """Who plays a seat."""

    name: str | None = None


class Seated(Struct, frozen=True):
    """A player and his seat."""

    id: Any = None
    index: int | None = None
    role: str | None = None
    agent: Agent | None = field(name="agentInfo", default=None)


class Step(Struct, frozen=True):
    """A move. What the agent thought (``info``, ``probabilities``) is not read."""

    by_index: Any = field(name="playerIdx", default=UNSET)
    by_id: Any = field(name="playerId", default=UNSET)
    move: Any = UNSET


class Replay(Struct, frozen=True):
    """A replay."""

    players: list[Seated] | UnsetType = field(name="playerInfo", default=UNSET)
    hands: list[Any] | UnsetType = field(name="initHands", default=UNSET)
    hand: list[Any] | UnsetType = field(name="initHand", default=UNSET)
    steps: list[Step] | UnsetType = field(name="moveHistory", default=UNSET)
    payoffs: Raw = Raw()


class Found(Struct, frozen=True):
    """A replay, and what is said of it beside it: in it, or in what holds it."""

    replay: bytes
    beside: dict[str, Raw] = {}


_text = msgspec.json.Decoder(str)


def documents(raw: bytes) -> list[bytes]:
    """The replays in a document, each with the object that holds it, else the document. Raises what decoding raises."""
    document = as_document(raw)
    parts = list(_holders(document, DEPTH))
    return parts if len(parts) > 1 or document[:1] == b"[" else [raw.strip()]


def _holders(raw: bytes, depth: int) -> Iterator[bytes]:
    """What holds one replay each; of an array also what holds none, but for what the server keeps beside games."""
    if depth and raw[:1] == b"[":
        for part in as_array(raw):
            yield from _holders(part, depth - 1) if _holds(part, depth - 1) else _others(part)
        return
    inner = [bytes(value) for value in as_object(raw).values() if _holds(bytes(value), depth - 1)] if depth else []
    if is_replay(raw) or not inner or (len(inner) == 1 and _is_direct(inner[0])):
        yield raw
    else:
        for value in inner:
            yield from _holders(value, depth - 1)


def _others(raw: bytes) -> list[bytes]:
    return [] if bytes(as_object(raw).get("model", b"")) in _NOT_GAMES else [raw]


def _is_direct(raw: bytes) -> bool:
    """Whether this is a replay, or the text of one, or the text of that."""
    for _ in range(DEPTH):
        if raw[:1] != b'"':
            break
        raw = _inside(raw)
    return is_replay(raw)


def _holds(raw: bytes, depth: int) -> bool:
    """Whether a replay stands in there."""
    if depth < 0 or not _MARKS.search(raw):
        return False
    if is_replay(raw):
        return True
    if raw[:1] == b'"':
        inside = _inside(raw)
        return inside != b"" and _holds(inside, depth - 1)
    parts = as_array(raw) or [bytes(value) for value in as_object(raw).values()]
    return any(_holds(part, depth - 1) for part in parts)


def _inside(raw: bytes) -> bytes:
    """The document that a JSON text holds; nothing where it holds none."""
    try:
        return as_document(_text.decode(raw).encode(errors="replace"))
    except NOT_JSON:
        return b""


def is_replay(raw: bytes) -> bool:
    """Whether this is the object of a replay."""
    keys = as_object(raw).keys() if _MARKS.search(raw) else frozenset()
    return len(keys & {MOVES, *HANDS, PLAYERS}) > 1


def found(raw: bytes) -> Found | None:
    """The replay in a document that holds one. Raises what decoding raises."""
    return _found(as_document(raw), {}, DEPTH)


def _found(raw: bytes, beside: dict[str, Raw], depth: int) -> Found | None:
    if depth < 0:
        return None
    if raw[:1] == b'"':
        return _found(inside, beside, depth - 1) if (inside := _inside(raw)) else None
    told = as_object(raw)
    if is_replay(raw):
        own = {name: value for name, value in told.items() if name not in Replay.__struct_encode_fields__}
        return Found(raw, beside | own)
    if len(parts := as_array(raw)) == 1:
        return _found(parts[0], beside, depth - 1)
    holding = [name for name, value in told.items() if _MARKS.search(bytes(value))]
    if len(holding) > 1:
        holding = [name for name in holding if _holds(bytes(told[name]), depth - 1)]
    if len(holding) != 1:
        return None
    rest = {name: value for name, value in told.items() if name != holding[0]}
    return _found(bytes(told[holding[0]]), beside | rest, depth - 1)
