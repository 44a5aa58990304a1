"""RLCard-Showdown's replays of doudizhu as records under ``rlcard``.

Knows what the viewer's words are in the record's. Refuses to know rules, and to mend a replay: cards that stand twice
or were never dealt stay as they are. Which three of the landlord's cards were the bottom it does not say: the last
three of his list are taken for it, and no rule of ``rlcard`` and no score depends on that.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from ingest.logs.documents import json_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.rlcard import id_of, scores_of, turned, with_extra
from ingest.logs.rlcard_showdown_words import OTHER_GAME, Found, Replay, Seated, documents, found
from ingest.logs.rlcard_words import FACES, as_object, shown, typed, unreadable
from ingest.record import PASS, Claim, Player, Record, write_moves

BOTTOM = 3
_PASSES = ("pass", "P", "")
_ROLES = ("landlord", "peasant")

_HANDS = re.compile(rb"""["']initHands?\\*["']\s*:\s*\[\s*(\[|\\*["'][^"'\\]*)""")
_BESIDE = re.compile(rb"""["'](?:playerInfo|moveHistory)\\*["']\s*:""")


def entries(source: Source) -> Iterator[Entry]:
    """Every replay of a log: one a line, one a file, an array of them, or whatever the server's answers hold."""
    return json_hands(source, _reading, _is_replay, documents)


def recognises(head: bytes) -> bool:
    """Whether a log begins as a replay of doudizhu does, or what holds one; a hand of Leduc Hold'em is one card."""
    hands = [hand for hand in _HANDS.findall(head) if hand.lstrip(b"\\\"'") not in _SINGLE]
    return head.lstrip()[:1] in (b"{", b"[", b'"', b"(") and bool(hands) and _BESIDE.search(head) is not None


_SINGLE = frozenset(face.encode() for face in FACES)


def _is_replay(line: bytes) -> bool:
    return found(line) is not None


def _reading(raw: bytes, place: str) -> Record:
    raw.decode()
    replay = found(raw)
    if replay is None:
        raise refused("R112", reason="no replay of RLCard-Showdown")
    if OTHER_GAME in as_object(replay.replay):
        raise refused("R112", reason="a replay of Leduc Hold'em")
    return _record(replay, place)


def _record(told: Found, place: str) -> Record:
    replay: Replay = typed(told.replay, Replay, "")
    players = _seated(replay)
    landlord = _landlord(players)
    hands = turned(_hands(replay), landlord)
    steps = [_step(step.by_index, step.by_id, step.move, players, f"moveHistory[{number}]")
             for number, step in enumerate(_given(replay.steps, "moveHistory"))]  # fmt: skip
    record = Record(
        id=id_of(told.beside.get("id"), place),
        rules="rlcard",
        players=turned([_player(player, index) for index, player in enumerate(players)], landlord),
        hands=["".join(hand) for hand in (hands[0][:-BOTTOM], *hands[1:])],
        bottom="".join(hands[0][-BOTTOM:]),
        landlord=0,
        plays=write_moves([((index - landlord) % 3, cards) for index, cards in steps]),
        claim=_claim(told.beside, replay.payoffs, landlord),
        tags={"bottom": "assumed"},
    )
    return with_extra(record, {name: value for name, value in told.beside.items() if name != "id"})


def _given(value: Any, field: str) -> Any:
    """A field that must be there. Raises ``Unreadable`` (R102)."""
    if value is UNSET or value is None:
        raise refused("R102", field=field)
    return value


def _seated(replay: Replay) -> list[Seated]:
    """The players by index; where none is said, as they stand."""
    players = _given(replay.players, "playerInfo")
    places = [number if player.index is None else player.index for number, player in enumerate(players)]
    if sorted(places) != [0, 1, 2]:
        raise refused("R103", field="playerInfo", reason=f"seats {shown(places)} of 3 players")
    return [players[places.index(seat)] for seat in range(3)]


def _landlord(players: list[Seated]) -> int:
    """The landlord's index. Raises ``Unreadable``: R102 where nobody's role says so, R103."""
    roles = [player.role for player in players]
    for index, role in enumerate(roles):
        if role is not None and role not in _ROLES:
            raise refused(
                "R103", field=f"playerInfo[{index}].role", reason=f"neither landlord nor peasant: {shown(role)}"
            )
    if roles.count("landlord") > 1 or (None not in roles and "landlord" not in roles):
        raise refused("R103", field="playerInfo.role", reason=f"{roles.count('landlord')} landlords")
    if "landlord" not in roles:
        raise refused("R102", field=f"playerInfo[{roles.index(None)}].role")
    return roles.index("landlord")


def _hands(replay: Replay) -> list[list[str]]:
    if replay.hands is not UNSET and replay.hand is not UNSET:
        raise refused("R103", field="initHand", reason="initHands is there as well")
    hands = _given(replay.hand if replay.hands is UNSET else replay.hands, "initHands")
    if len(hands) != 3:
        raise refused("R103", field="initHands", reason=f"{len(hands)} hands for 3 players")
    return [_cards(hand, f"initHands[{index}]") for index, hand in enumerate(hands)]


def _cards(given: Any, field: str) -> list[str]:
    """Cards with their suits, in a list or in a text with spaces. Raises ``Unreadable`` (R105)."""
    cards = given.split() if isinstance(given, str) else given
    if not isinstance(cards, list) or not all(isinstance(card, str) and card in FACES for card in cards):
        raise unreadable(field, given)
    return [FACES[card] for card in cards]


def _step(by_index: Any, by_id: Any, move: Any, players: list[Seated], field: str) -> tuple[int, str]:
    """Who moved, by index, and the cards as the record writes them."""
    if by_index is UNSET and by_id is UNSET:
        raise refused("R102", field=f"{field}.playerIdx")
    ids = [index if player.id is None else player.id for index, player in enumerate(players)]
    index = by_index if by_id is UNSET else _index(ids, by_id, f"{field}.playerId")
    if type(index) is not int or not 0 <= index <= 2:
        raise refused("R103", field=f"{field}.playerIdx", reason=f"no seat {shown(index)}")
    if by_index is not UNSET and (by_index != index or type(by_index) is not int):
        raise refused("R103", field=f"{field}.playerIdx", reason=f"not the seat of playerId {shown(by_id)}")
    if move is UNSET:
        raise refused("R102", field=f"{field}.move")
    if isinstance(move, str) and move in _PASSES:
        return index, PASS
    return index, "".join(_cards(move, f"{field}.move")) or PASS


def _index(ids: list[Any], given: Any, field: str) -> int:
    """The index of the player with this id. Raises ``Unreadable`` (R103)."""
    found = [index for index, id in enumerate(ids) if (type(id), id) == (type(given), given)]
    if len(found) != 1:
        raise refused("R103", field=field, reason=f"no player {shown(given)}" if not found else "several players")
    return found[0]


def _player(player: Seated, index: int) -> Player:
    """A player by his own id; by his index where there is none."""
    id = str(player.id) if type(player.id) is int else player.id
    return Player(
        id=id if isinstance(id, str) and id else f"P{index}", name=player.agent.name if player.agent else None
    )


def _claim(beside: dict[str, Raw], payoffs: Raw, landlord: int) -> Claim | None:
    """Whether the first seat won, as the server says beside a replay; payoffs, where somebody has put them in."""
    win = msgspec.json.decode(beside["win"]) if "win" in beside else None
    if win is not None and type(win) is not bool:
        raise refused("R103", field="win", reason=f"neither true nor false: {shown(win)}")
    given = bytes(payoffs or beside.get("payoffs", Raw()))
    scores = turned(scores_of(Raw(given), "payoffs"), landlord) if given not in (b"", b"null") else None
    winners = None if win is None else [0] if win == (landlord == 0) else [1, 2]
    return None if winners is None and scores is None else Claim(winners=winners, scores=scores)
