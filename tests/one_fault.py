"""Hands at fault in one way alone, which nothing else of the hand gives away: the cards are dealt and played alike, no
claim says what they are worth.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ingest.cards import RANKS, SUITS
from ingest.rules.ruleset import load
from ingest.simulate import hands

Told = dict[str, Any]
_CARD = re.compile(f"[{SUITS}][{RANKS}]")
_LONG_PLAY = re.compile(rf"(?<=:)(?:[{SUITS}][{RANKS}]|[BR]){{4,}}(?=@)")


def _another_landlord(told: Told) -> Iterator[Told]:
    """The record names somebody whom the auction does not."""
    if told.get("end") is None:
        yield from (told | {"landlord": seat} for seat in range(len(told["players"])))


def _stranger(told: Told) -> Iterator[Told]:
    """A seat that the game has not speaks first, and nothing tells who should."""
    for word in ("-", "3", "call"):
        yield told | {"marker": None, "first": None, "auction": f"{len(told['players'])}:{word}"}


def _too_poor(told: Told) -> Iterator[Told]:
    """Somebody has a point less than the table asks for."""
    for seat in range(len(told["players"])):
        players = [dict(player) for player in told["players"]]
        players[seat]["balance"] = 3 * told.get("base", 1) - 1
        yield told | {"players": players}


def _left(told: Told) -> Iterator[Told]:
    """Somebody leaves: a hand that was played out, or is not yet."""
    plays = told.get("plays", "").split(" ")
    for some in (plays, plays[: len(plays) // 2]):
        yield told | {"plays": " ".join(some), "end": "escape:1"}


def _trumps(told: Told) -> Iterator[Told]:
    """There is a trump, or something is buried, in a game that knows neither."""
    yield told | {"trump": "S"}
    yield told | {"buried": "S3"}


def _too_often(told: Told) -> Iterator[Told]:
    """Somebody holds and plays a card that others have, or he himself, as often as it is there, in place of another of
    its rank.
    """
    packs = 1 + (len(told["players"]) > 3)
    dealt = Counter(_CARD.findall(" ".join([*told["hands"], told["bottom"]])))
    for seat, held in enumerate(told["hands"]):
        for card in sorted({*_CARD.findall(held)} - {*_CARD.findall(told["bottom"]), told.get("marker")}):
            alike = (suit + card[1] for suit in SUITS if suit != card[0])
            other = next((each for each in alike if dealt[each] == packs), None)
            if other is not None and other != told.get("marker"):
                now = [held.replace(card, other) if at == seat else each for at, each in enumerate(told["hands"])]
                moves = told.get("plays", "").split(" ")
                plays = [move.replace(card, other) if move.startswith(f"{seat}:") else move for move in moves]
                yield told | {"hands": now, "plays": " ".join(plays)}


def _five_of_a_rank(told: Told) -> Iterator[Told]:
    """Somebody holds and plays a card that is one more of its rank than the pack has; no card has a suit."""
    plain = json.loads(_CARD.sub(lambda card: card[0][1], json.dumps(told | {"marker": None})))
    for rank, lower in zip(RANKS[1:13], RANKS, strict=False):
        for seat, held in enumerate(plain["hands"]):
            dealt = [*plain["hands"]]
            dealt[seat] = held.replace(rank, lower, 1)
            plays = re.sub(rf"( {seat}:[^ @]*?){rank}", rf"\g<1>{lower}", f" {plain.get('plays', '')}", count=1)[1:]
            yield plain | {"hands": dealt, "plays": plays}


def _misnamed(told: Told) -> Iterator[Told]:
    """A play of several cards is said to be a single one."""
    plays = told.get("plays", "")
    for play in _LONG_PLAY.finditer(plays):
        yield told | {"plays": f"{plays[: play.end()]}=solo{plays[play.end() :]}"}


def _one_player_twice(told: Told) -> Iterator[Told]:
    """Two seats have the same player."""
    players = [dict(player) for player in told["players"]]
    players[1]["id"] = players[0]["id"]
    yield told | {"players": players}


class Way(NamedTuple):
    """One way to be at fault."""

    rules: str
    """The ruleset of the hands."""
    changed: Callable[[Told], Iterator[Told]]
    """All that becomes of one of them."""
    codes: str = ""
    """What is found on some; nothing where it is lawful, but not what compiled code is sure of."""


WAYS = {
    "another landlord": Way("classic", _another_landlord, "A306"),
    "a stranger": Way("classic", _stranger, "A301"),
    "a stranger at a table of platform": Way("platform", _stranger, "A301"),
    "too poor": Way("platform", _too_poor, "S606"),
    "left": Way("platform", _left, "P406"),
    "left where nobody may": Way("classic", _left, "P406"),
    "trumps": Way("classic", _trumps),
    "one card too often": Way("classic", _too_often, "D203"),
    "one card too often in two packs": Way("four-player", _too_often, "D203"),
    "five of a rank": Way("classic", _five_of_a_rank, "D203"),
    "misnamed": Way("classic", _misnamed, "P409 P410"),
    "one player twice": Way("platform", _one_player_twice),
}


def at_fault_in(way: str, number: int) -> list[bytes]:
    """What becomes of so many lawful hands."""
    found = []
    for line in hands(load(WAYS[way].rules), number, seed=31, faults=0.0):
        told = json.loads(line)
        told.pop("claim", None)
        found += [json.dumps(each, ensure_ascii=False).encode() for each in WAYS[way].changed(told)]
    return found
