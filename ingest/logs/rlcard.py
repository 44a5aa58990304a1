"""RLCard's games of doudizhu as records under ``rlcard``.

Knows what RLCard's words are in the record's, and how its seats are turned so that the landlord is seat 0. Refuses to
know rules: a play that RLCard took although nobody held its cards stands as a move.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

import msgspec
from msgspec import Raw

from ingest.cards import FACES, RANKS
from ingest.logs.documents import json_hands
from ingest.logs.entry import NOT_JSON, Entry, Source, is_json, refused
from ingest.logs.outline import Outline, outline, outlines
from ingest.logs.python_text import as_document
from ingest.logs.rlcard_game import BOTTOM, FARMER_HAND, Told, is_one_game, told_by, without
from ingest.logs.rlcard_words import (
    Game,
    as_array,
    as_object,
    game,
    is_path,
    is_run,
    is_trajectories,
    shown,
    views,
)
from ingest.record import PASS, Claim, Player, Record, Unreadable, write_moves

KEPT = 1 << 10
"""Bytes of the longest value beside a game that is kept."""
_ID_LIMIT = 128
_SCORE_LIMIT = 10**9
_T = TypeVar("_T")

_ORDER = {card: place for place, card in enumerate(FACES)} | {rank: 4 * i for i, rank in enumerate(RANKS[:13])}
_ARRAY_TEXT = re.compile(r"\[\s*([-+0-9.eE]+)[\s,]+([-+0-9.eE]+)[\s,]+([-+0-9.eE]+)\s*\]")
"""An array of NumPy as ``str`` writes it."""

_TRACES = frozenset((b"trace", b"action_record"))
_SHOWN = frozenset(
    (b"seen_cards", b"hand_cards", b"hand_cards_with_suit", b"current_hand", b"landlord", b"initial_hands")
)
_FOREIGN = frozenset((b"plays", b"rules"))
_OF_FUPAN = frozenset((b"hands", b"players"))
_OF_DOUDIZHU = re.compile(rb'"seen_cards"|"legal_actions"\s*:\s*\{\s*"[0-9]+"\s*:\s*["\[]')
"""What RLCard's other games lack: to them a legal action is nothing but its number."""

_PRINTED = re.compile(rb"'(trace|seen_cards|hand_cards)'\s*:")


def entries(source: Source) -> Iterator[Entry]:
    """Every game of a log: one a line, one a file, or an array of them."""
    return json_hands(source, _reading, _is_game, documents)


def recognises(head: bytes) -> bool:
    """Whether a log begins as a game of doudizhu saved from RLCard does."""
    evident = _OF_DOUDIZHU.search(head) is not None
    return any(_is_ours(told, evident=evident) for told in outlines(head)) or _is_printed(head)


def _is_printed(head: bytes) -> bool:
    """Whether it begins with what Python prints of a state or of perfect information."""
    return head.lstrip()[:1] in (b"{", b"[") and set(_PRINTED.findall(head)) > {b"trace"}


def _is_ours(outside: Outline, *, evident: bool) -> bool:
    keys = outside.keys
    if keys & _FOREIGN:
        return False
    saved = b"trajectories" in keys or b"raw_obs" in keys or b"legal_actions" in keys
    told = bool(keys & _SHOWN) or keys & _OF_FUPAN == {b"hands"}
    return (evident and saved) or (told and bool(keys & _TRACES))


def _is_game(line: bytes) -> bool:
    document = as_document(line)
    return _is_ours(outline(document), evident=_OF_DOUDIZHU.search(document) is not None)


def documents(raw: bytes) -> list[bytes]:
    """The games in a JSON document: itself, or each of an array. Raises what decoding raises."""
    raw = as_document(raw)
    parts = as_array(raw)
    if not parts or is_run(parts) or is_trajectories(parts):
        return [raw]
    if not all(part[:1] == b"{" for part in parts):
        return [raw] if is_path(raw) else parts
    return [raw] if len(parts) > 1 and _is_one_game(raw, parts) else parts


def _is_one_game(raw: bytes, parts: list[bytes]) -> bool:
    """Whether an array of objects shows one game step by step."""
    if any(as_object(part).keys() & {"trajectories", "payoffs", "winner_id"} for part in parts):
        return False
    try:
        return is_one_game(list(views(raw, "")))
    except (Unreadable, *NOT_JSON):
        return False


def _reading(raw: bytes, place: str) -> Record:
    raw.decode()
    return _record(game(as_document(raw)), place)


def _record(saved: Game, place: str) -> Record:
    """The record of a game; ``place`` names it where nothing else does."""
    if not saved.views:
        raise refused("R102", field="raw_obs")
    told = told_by(saved.views)
    landlord = told.landlord
    mine, bottom, assumed = _apart(told)
    hands = [mine, *(_text(hand) for hand in turned(told.hands, landlord)[1:])]
    record = Record(
        id=id_of(saved.id, place),
        rules="rlcard",
        players=[Player(id=f"P{seat}") for seat in turned(range(3), landlord)],
        hands=hands,
        bottom=bottom,
        landlord=0,
        plays=write_moves([((seat - landlord) % 3, cards or PASS) for seat, cards in told.plays]),
        claim=_claim(saved, landlord),
        tags={"bottom": "assumed"} if assumed else None,
    )
    return with_extra(record, saved.rest)


def turned(values: Sequence[_T], landlord: int) -> list[_T]:
    """What belongs to each seat, from the landlord's on: in a record of ``rlcard`` the landlord is seat 0."""
    return [*values[landlord:], *values[:landlord]]


def with_extra(record: Record, rest: dict[str, Raw]) -> Record:
    """The record with what else the log says, as far as it is short and can be read again."""
    kept = {name: value for name, value in rest.items() if len(bytes(value)) <= KEPT and is_json(bytes(value))}
    return msgspec.structs.replace(record, extra=Raw(msgspec.json.encode(kept))) if kept else record


def _apart(told: Told) -> tuple[str | None, str | None, bool]:
    """The landlord's hand, the bottom, and whether which three cards it holds is only assumed."""
    hand, seen = told.hands[told.landlord], told.seen
    if hand is None:
        return None, None if seen is None else _text(seen), False
    if seen is not None and len(hand) == FARMER_HAND:
        return _text(hand), _text(seen), False
    if seen is not None:
        rest = without(hand, seen)
        return _text(rest), _text(_taken(hand, rest, seen)), False
    hand = sorted(hand, key=_ORDER.__getitem__)
    rest = without(hand, told.left)
    left = _taken(hand, rest, told.left)
    wanted = BOTTOM - len(left)
    return _text(rest[: len(rest) - wanted]), _text(left + rest[len(rest) - wanted :]), True


def _taken(hand: list[str], rest: list[str], cards: list[str]) -> list[str]:
    """Cards as the hand names them, by suit; as they stand where it does not hold them all."""
    taken = list(hand)
    for card in rest:
        taken.remove(card)
    return taken if len(taken) == len(cards) else cards


def _text(cards: list[str] | None) -> str | None:
    return None if cards is None else "".join(sorted(cards, key=_ORDER.__getitem__))


def id_of(given: Raw | None, place: str) -> str:
    """The game's own id, else its place in the logs."""
    value = None if given is None else msgspec.json.decode(given)
    if type(value) is int:
        value = str(value)
    return value if isinstance(value, str) and 0 < len(value) <= _ID_LIMIT else place[-_ID_LIMIT:]


def _claim(saved: Game, landlord: int) -> Claim | None:
    """The payoffs; in reorganised trajectories each seat's last reward is its payoff."""
    scores = None if saved.payoffs is None or bytes(saved.payoffs) == b"null" else scores_of(saved.payoffs, "payoffs")
    if len(saved.rewards) == 3:
        rewarded = [score_of(reward, f"reward[{seat}]") for seat, reward in enumerate(saved.rewards)]
        if scores is not None and scores != rewarded:
            raise refused("R103", field="payoffs", reason="not the rewards of the trajectories")
        scores = rewarded
    winners = None if saved.winner is None else _winners(saved.winner, landlord)
    claim = Claim(winners=winners, scores=None if scores is None else turned(scores, landlord))
    return None if claim == Claim() else claim


def _winners(given: Raw, landlord: int) -> list[int] | None:
    """The side of the seat that was out first; None where nobody was."""
    seat = msgspec.json.decode(given)
    if seat is None:
        return None
    if type(seat) is not int or not 0 <= seat <= 2:
        raise refused("R103", field="winner_id", reason=f"no seat {shown(seat)}")
    return [0] if seat == landlord else [1, 2]


def scores_of(payoffs: Raw, field: str) -> list[int]:
    """The payoff of each seat. Raises ``Unreadable`` (R103)."""
    raw = bytes(payoffs)
    if raw[:1] == b'"' and (text := _ARRAY_TEXT.fullmatch(msgspec.json.decode(raw, type=str))):
        parts = [msgspec.json.encode(part) for part in text.groups()]
    else:
        parts = as_array(raw)
    if len(parts) != 3:
        raise refused("R103", field=field, reason="not one payoff for each of 3 players")
    return [score_of(Raw(part), f"{field}[{seat}]") for seat, part in enumerate(parts)]


def score_of(given: Raw, field: str) -> int:
    """One payoff, which must be whole. Raises ``Unreadable`` (R103)."""
    try:
        points = msgspec.json.decode(given, type=Decimal)
    except msgspec.ValidationError as problem:
        raise refused("R103", field=field, reason=str(problem)) from None
    if not points.is_finite() or abs(points) > _SCORE_LIMIT:
        raise refused("R103", field=field, reason="impossible score")
    if points != points.to_integral_value():
        raise refused("R103", field=field, reason=f"{str(points)[:20]} is not a whole number")
    return int(points)
