"""DouZero's deals and games as records: pickles, the same as JSON, and requests to servers that play its models.

Knows what DouZero's words are in the record's. Refuses to know rules, and never runs what stands in a pickle.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ingest.faults import Finding
from ingest.logs import douzero_requests as requests
from ingest.logs.documents import hand, json_hands, line_hands
from ingest.logs.douzero_words import (
    BOTTOM,
    DEALT,
    POSITIONS,
    arrays,
    begins_array,
    cards,
    is_never,
    keeping,
    name_of,
    objects,
    plays,
    shown,
    side,
    text_of,
    value,
    without,
)
from ingest.logs.entry import NOT_JSON, RAW_LIMIT, Damaged, Entry, Source, broken_off, is_json, refused
from ingest.logs.outline import Outline, lines_of, outline, outlines
from ingest.logs.pickle_machine import CutOff, Forbidden, Unpicklable
from ingest.logs.pickles import begins_as_pickle, plain, values
from ingest.record import PASS, Claim, Player, Record, write_moves

SEQUENCES = (requests.SEQUENCE, "action_seq", "action_sequence", "card_play_actions", "actions", "moves", "plays")
"""Under which names the plays may stand beside a deal; the first is DouZero's own."""
IDS = ("id", "game_id", "pid", "deal_id")
BIDDERS = ("first", "second", "third")
"""AlphaDou's hands before there is a landlord, in the order in which they bid."""
OPEN_GAMES = 256
"""Sessions of which the end is waited for at once."""
PID_LIMIT = 1 << 10
"""Letters of the name of a session."""
SESSION = 1 << 20
"""Bytes of the messages of one session."""

_DEAL = frozenset(name.encode() for name in POSITIONS)
_DEALS = (
    frozenset(name.encode() for name in (*POSITIONS, BOTTOM)),
    frozenset(name.encode() for name in (*BIDDERS, BOTTOM)),
    frozenset((b"deck", b"first_bidder")),
    frozenset((b"player_hand_cards", b"player_position", requests.SEQUENCE.encode())),
)
"""Keys by which JSON is told to be DouZero's."""


def entries(source: Source) -> Iterator[Entry]:
    """Every game of a log of any of these kinds."""
    if source.head[:1] == b"\x80" or begins_as_pickle(source.head):
        return _pickled(source)
    if any(map(requests.is_request, lines_of(source.head))):
        return line_hands(source, partial(_of_request, source))
    if any(is_json(line) and requests.is_message(line) for line in lines_of(source.head)):
        return _sessions(source)
    return json_hands(source, _reading, is_never if begins_array(source.head) else _is_game, _parts)


def recognises(head: bytes) -> bool:
    """Whether a log begins as one of these kinds does."""
    if any(map(requests.is_request, lines_of(head))):
        return True
    if b"landlord" not in head and b"first_bidder" not in head:
        return False
    return begins_as_pickle(head) or _is_message_head(head) or any(map(_is_own, outlines(head)))


def _is_own(told: Outline) -> bool:
    nested = b"card_play_data" in told.keys
    return told.opening in (b"{", b"[{") and (nested or any(told.keys >= keys for keys in _DEALS))


def _is_message_head(head: bytes) -> bool:
    told = outline(head)
    return told.opening in (b"{", b"[{") and told.keys >= {b"action", b"data"} and b"position_code" in head


def _is_game(line: bytes) -> bool:
    names = {name.encode() for name in objects.decode(line)}
    return bool(names & _DEAL) or _is_own(Outline((b"{", frozenset(names)))) or requests.is_message(line)


def _parts(raw: bytes) -> list[bytes]:
    if raw.lstrip()[:1] != b"[":
        return [raw]
    parts = [bytes(part) for part in arrays.decode(raw)]
    return requests.together(parts) if any(map(requests.is_message, parts)) else parts


# Where games stand


def _pickled(source: Source) -> Iterator[Entry]:
    """Every game of the pickles in a file; each is kept as JSON, which reads as the same."""
    number = 0
    try:
        for number, item in enumerate(values(source.stream), 1):
            yield _of_item(source, number, item)
    except Unpicklable as problem:
        yield Entry(source.name, number + 1, source.head[:RAW_LIMIT], None, (_unpicklable(problem),))
    except Damaged as problem:
        yield broken_off(source.name, number + 1, problem)


def _of_item(source: Source, number: int, item: Any) -> Entry:
    try:
        raw = msgspec.json.encode(plain(item))
    except Unpicklable as problem:
        finding = Finding("R103", details={"field": "", "reason": str(problem)})
        return Entry(source.name, number, b"", None, (finding,))
    return hand(source, number, raw, _reading)


def _unpicklable(problem: Unpicklable) -> Finding:
    if isinstance(problem, CutOff):
        return Finding("R107")
    what = f"it holds {problem}, and only plain data is read" if isinstance(problem, Forbidden) else str(problem)
    return Finding("R112", details={"reason": f"a pickle that is not read: {what}"})


def _of_request(source: Source, raw: bytes, number: int, last: bool) -> Iterator[Entry]:
    yield hand(source, number, raw, _form, last=last)


class _Open(Struct):
    """A session that may go on."""

    line: int
    messages: list[bytes]
    size: int = 0


def _sessions(source: Source) -> Iterator[Entry]:
    """Every game of a log of messages, a line each; those of several games may stand between one another."""
    games: dict[str, _Open] = {}
    yield from line_hands(source, partial(_of_message, source, games))
    for game in games.values():
        yield _closed(source, game)


def _of_message(source: Source, games: dict[str, _Open], raw: bytes, number: int, last: bool) -> Iterator[Entry]:
    """The games that end before this message; itself, where it belongs to none."""
    try:
        pid = requests.pid_of(raw)
        begins = requests.begins_session(raw) and len(pid) < PID_LIMIT
    except NOT_JSON:
        yield hand(source, number, raw, _reading, last=last)
        return
    if begins:
        if pid in games or len(games) >= OPEN_GAMES:
            yield _closed(source, games.pop(pid if pid in games else next(iter(games))))
        games[pid] = _Open(number, [])
    game = games.get(pid)
    if game is None or game.size + len(raw) > SESSION:
        yield hand(source, number, raw, _reading, last=last)
        return
    game.messages.append(raw)
    game.size += len(raw)


def _closed(source: Source, game: _Open) -> Entry:
    return hand(source, game.line, requests.joined(game.messages), _reading)


# What stands there


def _form(raw: bytes, place: str) -> Record:
    return _request(requests.request(raw), place)


def _reading(raw: bytes, place: str) -> Record:
    text_of(raw)
    if raw.lstrip()[:1] == b"[":
        if not any(map(requests.is_message, map(bytes, arrays.decode(raw)))):
            raise refused("R112", reason="not a DouZero game")
        return _session(raw, place)
    if requests.is_message(raw):
        return _session(requests.joined([raw]), place)
    given = requests.fields_of(raw)
    if "player_hand_cards" in given:
        return _request(given, place)
    if "deck" in given and "first_bidder" in given:
        return _shuffled(given, place)
    if given.keys() >= {*BIDDERS}:
        return _bidders(given, place)
    if not given.keys() & {*POSITIONS, BOTTOM}:
        raise refused("R112", reason="not a DouZero game")
    return _game(given, place)


def _game(given: dict[str, Raw], place: str) -> Record:
    """A deal with its landlord, and what was played if that stands beside it."""
    hands = {name: cards(value(given, name), name) for name in POSITIONS}
    bottom = cards(value(given, BOTTOM), BOTTOM)
    hands[POSITIONS[0]] = without(hands[POSITIONS[0]], bottom)
    told = next((name for name in SEQUENCES if name in given), None)
    record = _record(
        name_of(given, IDS, place),
        ["".join(hand) for hand in hands.values()],
        "".join(bottom),
        plays(value(given, told), told) if told else [],
        claim=Claim(winners=side(value(given, "winner"), "winner")) if "winner" in given else None,
    )
    return keeping(record, given, (*POSITIONS, BOTTOM, "winner", told or "", *_id_used(given, place)))


def _id_used(given: dict[str, Raw], place: str) -> list[str]:
    """The field from which the id is, so that it is not kept a second time."""
    return [name for name in IDS if name in given and name_of(given, (name,), place) == name_of(given, IDS, place)][:1]


def _record(
    name: str,
    hands: list[str | None],
    bottom: str | None,
    moves: list[tuple[int, str]],
    *,
    players: list[Player] | None = None,
    claim: Claim | None = None,
) -> Record:
    return Record(
        id=name,
        rules="douzero",
        players=players or [Player(id=position, bot=True) for position in POSITIONS],
        hands=hands,
        bottom=bottom,
        landlord=0,
        plays=write_moves(moves),
        claim=claim,
    )


def _request(given: dict[str, Raw], place: str) -> Record:
    """A position as a player saw it: what he was dealt is what he holds and what he has played."""
    seat = _position(value(given, "player_position"))
    moves = plays(value(given, requests.SEQUENCE), requests.SEQUENCE)
    held = cards(value(given, "player_hand_cards"), "player_hand_cards")
    held += [card for at, move in moves if at == seat and move != PASS for card in move]
    bottom: list[str] | None = cards(value(given, BOTTOM), BOTTOM)
    used = ["player_position", requests.SEQUENCE, *_id_used(given, place)]
    hands: list[str | None] = [None] * len(POSITIONS)
    if len(bottom or ()) < 3:  # some servers name only those that the landlord has not played yet
        bottom = None
    if seat != 0 or bottom is not None:
        hands[seat] = "".join(without(held, bottom) if seat == 0 else held)
        used.append("player_hand_cards")
    used += [BOTTOM] if bottom is not None else []
    record = _record(name_of(given, IDS, place), hands, None if bottom is None else "".join(bottom), moves)
    return keeping(record, given, used)


def _position(given: Any) -> int:
    """The seat of a position, which the demo gives as its place in the order of turn."""
    if type(given) is str and given in POSITIONS:
        return POSITIONS.index(given)
    if shown(given).strip('"') not in ("0", "1", "2"):
        raise refused("R103", field="player_position", reason=f"no position: {shown(given)}")
    return int(given)


def _session(raw: bytes, place: str) -> Record:
    """A game from its messages; only the hands of the server's players are known."""
    told = requests.session(raw)
    bottom = cards(told.bottom, f"data.{BOTTOM}")
    hands: list[str | None] = [None] * len(POSITIONS)
    players = [Player(id=position) for position in POSITIONS]
    for seat, player in told.hands.items():
        held = cards(player.hand_cards, f"player_data.{POSITIONS[seat]}")
        hands[seat] = "".join(without(held, bottom) if seat == 0 else held)
        model = player.model if isinstance(player.model, str) else None
        players[seat] = Player(id=POSITIONS[seat], name=model, bot=True)
    more = {"ai_amount": told.ai_amount, "refused": told.refusals or None}
    extra = {name: Raw(msgspec.json.encode(part)) for name, part in more.items() if part is not None}
    named = name_of({"pid": Raw(msgspec.json.encode(told.pid))}, IDS, place)
    return keeping(_record(named, hands, "".join(bottom), told.plays, players=players), extra)


# Games that begin with an auction


def _bidders(given: dict[str, Raw], place: str) -> Record:
    """AlphaDou's deal, with bids and plays where they stand beside it."""
    dealt = _Auctioned(
        ["".join(cards(value(given, name), name)) for name in BIDDERS], "".join(cards(value(given, BOTTOM), BOTTOM)), 0
    )
    bids = _bids(value(given, "bid_info")) if "bid_info" in given else []
    told = next((name for name in SEQUENCES if name in given), None)
    moves: list[tuple[int, str]] = []
    if told is not None and value(given, told):
        landlord = max(bids, key=lambda bid: bid[1], default=(0, 0))
        if landlord[1] == 0:
            raise refused("R102", field="bid_info")
        moves = plays(value(given, told), told, [POSITIONS[(seat - landlord[0]) % 3] for seat in range(3)])
    used = (*BIDDERS, BOTTOM, "bid_info", told or "")
    return _auctioned(given, used, place, dealt, list(BIDDERS), bids, moves)


def _bids(given: Any) -> list[tuple[int, int]]:
    """What each has bid, by seat; -1 for who has not spoken."""
    bids = msgspec.json.decode(given) if isinstance(given, str) else given
    if not isinstance(bids, list) or not all(type(bid) is int and -1 <= bid < 10 for bid in bids[:4]) or len(bids) > 3:
        raise refused("R103", field="bid_info", reason=f"no bids: {shown(given)}")
    return [(seat, bid) for seat, bid in enumerate(bids) if bid >= 0]


def _shuffled(given: dict[str, Raw], place: str) -> Record:
    """A deal of the fork GentleKingson/DouZero: the pack in its order, from which its seats are dealt in turn."""
    deck = cards(value(given, "deck"), "deck")
    first = shown(value(given, "first_bidder")).strip('"')
    if first not in ("0", "1", "2"):
        raise refused("R103", field="first_bidder", reason=f"no seat: {first}")
    hands = ["".join(deck[DEALT * seat : DEALT * (seat + 1)]) for seat in range(len(POSITIONS))]
    dealt = _Auctioned(hands, "".join(deck[DEALT * len(POSITIONS) :]), int(first))
    return _auctioned(given, ("deck", "first_bidder"), place, dealt, ["0", "1", "2"], [], [])


class _Auctioned(Struct, frozen=True):
    """A deal before there is a landlord."""

    hands: list[str]
    bottom: str
    first: int


def _auctioned(
    given: dict[str, Raw],
    used: tuple[str, ...],
    place: str,
    dealt: _Auctioned,
    players: list[str],
    bids: list[tuple[int, int]],
    moves: list[tuple[int, str]],
) -> Record:
    record = Record(
        id=name_of(given, IDS, place),
        rules="douzero-bidding",
        players=[Player(id=name, bot=True) for name in players],
        hands=list(dealt.hands),
        bottom=dealt.bottom,
        first=dealt.first,
        auction=write_moves([(seat, str(bid) if bid else PASS) for seat, bid in bids]),
        plays=write_moves(moves),
    )
    return keeping(record, given, (*used, *_id_used(given, place)))
