"""OpenSpiel's histories of dou_dizhu as records: JSON, text, serialized states and playthroughs.

Knows whose turn it was by the order of the actions: the cards go round, the face-up card speaks first, the last to bid
leads. Refuses to know rules; what is printed of a deal is never read, for the program prints another than it dealt.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial

import msgspec

from ingest.cards import FACES
from ingest.logs import openspiel_words as words
from ingest.logs.documents import Test, block_hands, json_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.openspiel_actions import (
    BIDS,
    CARDS,
    DEALT,
    NUMBERINGS,
    SEATS,
    Numbering,
    begins_a_game,
    numbering_of,
    plays,
)
from ingest.logs.openspiel_words import Told
from ingest.logs.outline import lines_of
from ingest.record import PASS, Claim, Player, Record, write_moves

_ORDER = {face: place for place, face in enumerate(FACES)}
_SCORE_LIMIT = 10**9
_ID_LIMIT = 128
_SHOWN = 40
_PLAYTHROUGH = re.compile(rb"^" + words.PLAYTHROUGH, re.MULTILINE)
_META = re.compile(rb"^" + re.escape(words.META), re.MULTILINE)
_NUMBER = re.compile(rb"-?[0-9]+,?")
_UNTOLD = "fits openspiel-1 (deals 0-53, bids 54-57) and openspiel-3 (deals 51-104, bids 0-3): name one as the format"

Moves = list[tuple[int, str]]


def entries(source: Source, numbering: str | None = None) -> Iterator[Entry]:
    """Every game of a log, in whatever spelling. ``numbering``: a name of ``NUMBERINGS``, instead of telling it."""
    first = (lines_of(source.head) or [b""])[0].strip()
    reading = partial(_reading, numbering)
    is_text = first[:1] not in words.JSON or first.startswith(words.META)
    if is_text and _META.search(source.head):
        return block_hands(source, partial(reading, words.told_by_state), words.at_meta())
    if is_text and _PLAYTHROUGH.search(source.head):
        return block_hands(source, partial(reading, words.told_by_playthrough), _begins_playthrough)
    if _NUMBER.fullmatch(first):
        return block_hands(source, partial(reading, words.told), words.after_blank_line())
    return json_hands(source, partial(reading, words.told), _test_of_line(first), words.games)


def _test_of_line(first: bytes) -> Test:
    """How to tell that the lines of a log are games, by the first of them: it may open a document of many lines."""
    if first in (b"[", b"{"):
        return _never
    return words.is_json_game if first[:1] in words.JSON else words.is_game


def recognises(head: bytes) -> bool:
    """Whether a log begins as one of this game does: it names the game, or its first numbers are a whole deal."""
    return words.speaks_of_game(head) or any(begins_a_game(words.beginning(text)) for text in (head, *lines_of(head)))


def _begins_playthrough(line: bytes) -> bool:
    return line.startswith(words.PLAYTHROUGH)


def _never(_: bytes) -> bool:
    return False


def _reading(numbering: str | None, told: Callable[[bytes], Told], raw: bytes, place: str) -> Record:
    return _record(told(raw), numbering, place)


def _record(told: Told, numbering: str | None, place: str) -> Record:
    """The record of a game; ``place`` names it where it has no id."""
    if not told.actions:
        raise refused("R102", field="history")
    name = numbering or numbering_of(told.actions)
    if name is None:
        raise refused("R103", field="history", reason=_UNTOLD)
    by = NUMBERINGS[name]
    dealt = [_card(by, action, index) for index, action in enumerate(told.actions[1 : DEALT + 1], 1)]
    marker, first = _face_up(by, told.actions[0], dealt)
    calls, moves = _calls_and_moves(told, by, first, dealt)
    record = Record(
        id=told.id or place[-_ID_LIMIT:],
        rules="openspiel",
        players=[Player(id=name) for name in told.players or [f"P{seat}" for seat in range(SEATS)]],
        hands=[_text(dealt[seat::SEATS]) for seat in range(SEATS)],
        bottom=_text(set(CARDS).difference(dealt)) if len(set(dealt)) == DEALT else None,
        marker=marker,
        first=first,
        auction=write_moves(calls),
        plays=write_moves(moves),
        end="void" if len(calls) >= SEATS and not moves and {call for _, call in calls} == {PASS} else None,
        claim=_claim(told.returns),
    )
    return msgspec.structs.replace(record, extra=msgspec.Raw(msgspec.json.encode(told.rest))) if told.rest else record


def _text(cards: list[str] | set[str]) -> str:
    return "".join(sorted(cards, key=_ORDER.__getitem__))


def _card(by: Numbering, action: int, index: int) -> str:
    if not 0 <= action - by.deal < len(CARDS):
        raise _unreadable(index, action)
    return CARDS[action - by.deal]


def _face_up(by: Numbering, action: int, dealt: list[str]) -> tuple[str | None, int | None]:
    """The card turned face up and whom it was dealt to, as far as the deal has come."""
    if not 0 <= action < (DEALT if by.shows_position else len(CARDS)):
        raise refused(
            "R103", field="history[0]", reason=f"no position {action}" if by.shows_position else f"no card {action}"
        )
    if by.shows_position:
        return (dealt[action], action % SEATS) if action < len(dealt) else (None, None)
    places = [place for place, card in enumerate(dealt) if card == CARDS[action]]
    return CARDS[action], places[-1] % SEATS if places else None


def _calls_and_moves(told: Told, by: Numbering, first: int | None, dealt: list[str]) -> tuple[Moves, Moves]:
    """The auction and the plays: all before the first action that plays cards is the auction."""
    later = told.actions[DEALT + 1 :]
    if later and first is None and told.seats is None:
        raise refused("R103", field="history[0]", reason="the face-up card was dealt to nobody, so nobody speaks first")
    texts = [_said(by, action, index) for index, action in enumerate(later, DEALT + 1)]
    _must_agree(told, later, by)
    start = next((i for i, action in enumerate(later) if action >= by.play), len(later))
    _must_be_plays(later, start, by)
    seats = told.seats[DEALT + 1 :] if told.seats is not None else _seats(later, start, by, first or 0, dealt)
    moves = list(zip(seats, texts, strict=True))
    return moves[:start], moves[start:]


def _said(by: Numbering, action: int, index: int) -> str:
    """An action after the deal in the record's words."""
    call, play = action - by.call, action - by.play
    if 0 <= call <= BIDS:
        return str(call) if call else PASS
    if not 0 <= play < len(plays()):
        raise _unreadable(index, action)
    return plays()[play].text


def _must_agree(told: Told, later: list[int], by: Numbering) -> None:
    """Raise ``Unreadable`` (R103) where a playthrough calls an action something else than what its number means."""
    if told.texts is None:
        return
    for index, (given, action) in enumerate(zip(told.texts[DEALT + 1 :], later, strict=True), DEALT + 1):
        meant = _spelled(by, action)
        if given != meant:
            reason = f"action {action} is {meant}, and the log calls it {given[:_SHOWN]}"
            raise refused("R103", field=f"history[{index}]", reason=reason)


def _spelled(by: Numbering, action: int) -> str:
    """The same action in OpenSpiel's words."""
    call = action - by.call
    if 0 <= call <= BIDS:
        return f"Bid {call}" if call else "Pass"
    return plays()[action - by.play].spelled


def _must_be_plays(later: list[int], start: int, by: Numbering) -> None:
    """Raise ``Unreadable`` (R105) for a bid among the plays."""
    for index, action in enumerate(later[start:], start):
        if by.call < action < by.play:
            raise _unreadable(index + DEALT + 1, action)


def _unreadable(index: int, action: int) -> Exception:
    return refused("R105", field=f"history[{index}]", text=str(action)[:_SHOWN])


def _seats(later: list[int], start: int, by: Numbering, first: int, dealt: list[str]) -> list[int]:
    """Whose each action was. Where the program may have kept the turn at a pass, who holds what is played decides."""
    in_turn = _order(later, start, by, first, keeps=False)
    if not by.may_keep_turn or _are_held(later[start:], in_turn[start:], by, dealt):
        return in_turn
    as_it_had = _order(later, start, by, first, keeps=True)
    return as_it_had if _are_held(later[start:], as_it_had[start:], by, dealt) else in_turn


def _order(later: list[int], start: int, by: Numbering, first: int, *, keeps: bool) -> list[int]:
    """Whose each action was; the last to bid begins the plays. ``keeps``: a pass keeps the turn, until two follow."""
    seats = [(first + place) % SEATS for place in range(start)]
    bidders = [seat for seat, call in zip(seats, later, strict=False) if call != by.call]
    turn = owner = bidders[-1] if bidders else (first + start) % SEATS
    passes = 0
    for action in later[start:]:
        seats.append(turn)
        if action != by.call or not keeps:
            turn, owner, passes = (turn + 1) % SEATS, turn, 0
        else:
            passes = (passes + 1) % (SEATS - 1)
            turn = turn if passes else owner
    return seats


def _are_held(moves: list[int], seats: list[int], by: Numbering, dealt: list[str]) -> bool:
    """Whether every seat holds what it plays, and the first of them the cards that were not dealt too."""
    held = [Counter(card[-1] for card in dealt[seat::SEATS]) for seat in range(SEATS)]
    held[seats[0] if seats else 0] += Counter(card[-1] for card in set(CARDS).difference(dealt))
    for seat, action in zip(seats, moves, strict=True):
        if action != by.call:
            held[seat].subtract(plays()[action - by.play].cards)
    return all(number >= 0 for hand in held for number in hand.values())


def _claim(returns: list[Decimal] | None) -> Claim | None:
    if returns is None:
        return None
    scores = [_score(points, seat) for seat, points in enumerate(returns)]
    return Claim(scores=scores, winners=[seat for seat in range(SEATS) if scores[seat] > 0] or None)


def _score(points: Decimal, seat: int) -> int:
    if not points.is_finite() or points.copy_abs() > _SCORE_LIMIT or points != points.to_integral_value():
        raise refused("R103", field=f"returns[{seat}]", reason=f"{str(points)[:_SHOWN]} is not a whole number")
    return int(points)
