"""What Botzone gives a bot of FightTheLandlord or FightTheLandlord2, as the record of the game so far.

Knows requests and responses: each request has the two plays before, so that in turn with the bot's own answers they
are the game. Other hands are hidden. Refuses to know which plays are lawful; of the bids that no request shows it fills
in what the final bid leaves no choice of, and ends the auction before the first that it leaves open.
Source: logs.md 3.1; the rule text of FightTheLandlord2 (Botzone wiki).
"""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from ingest.logs.card_numbers import card_text, faces, shown
from ingest.logs.documents import json_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.outline import outline
from ingest.record import PASS, Claim, Player, Record, write_moves

Seat = Annotated[int, Meta(ge=0, le=2)]
_TOP = 3
"""The most that can be bid; it ends the bidding."""
_KEPT = ("data", "globaldata", "time_limit", "memory_limit")
_STATED = frozenset((b"requests", b"responses"))


class Request(Struct, frozen=True):
    """One request. The first says the own cards; that to bid, the bids before; the first to play, who is landlord."""

    own: list[Any] | None = None
    bid: list[Any] | None = None
    history: list[Any] | None = None
    """The play of the seat before the last, and of the last; empty for a pass and for what was not yet played."""
    publiccard: list[Any] | None = None
    landlord: Seat | None = None
    pos: Seat | None = None
    finalbid: Annotated[int, Meta(ge=0, le=_TOP)] | None = None


class Conversation(Struct, frozen=True):
    """What a bot is given at one step: every request so far, and its answers to all but the last."""

    requests: Annotated[list[Request], Meta(min_length=1)]
    responses: list[Any] = []


class View(Struct, frozen=True):
    """What one seat has seen of a game."""

    seat: int
    own: list[Any]
    asked: Request | None
    """The request to bid, if there was one."""
    answer: Any
    """What was bid; None where nothing was, or not yet."""
    turns: list[tuple[Request, Any]]
    """The requests to play, with the answers; ``...`` for none yet."""

    @property
    def first(self) -> Request | None:
        """The first request to play."""
        return self.turns[0][0] if self.turns else None


_conversation = msgspec.json.Decoder(Conversation)
_object = msgspec.json.Decoder(dict[str, Raw])
_array = msgspec.json.Decoder(list[Raw])


def entries(source: Source) -> Iterator[Entry]:
    """Every state of a game: one a line, one a file, or an array of them."""
    return json_hands(source, _record, _is_state, _parts)


def recognises(head: bytes) -> bool:
    """Whether a log begins as what these bots are given does; other games of Botzone have no such cards."""
    told = outline(head)
    is_state = told.opening in (b"{", b"[{") and b"requests" in told.keys
    return is_state and b'"own"' in head and (b'"publiccard"' in head or b'"bid"' in head)


def _is_state(line: bytes) -> bool:
    return line.lstrip()[:1] == b"{" and "requests" in _object.decode(line)


def _parts(raw: bytes) -> list[bytes]:
    return [bytes(part) for part in _array.decode(raw)] if raw.lstrip()[:1] == b"[" else [raw]


def _record(raw: bytes, place: str) -> Record:
    if raw.lstrip()[:1] != b"{" or "requests" not in (around := _object.decode(raw)):
        raise refused("R112", reason="not what a Botzone bot is given")
    raw.decode()
    told = _conversation.decode(raw)
    is_first_game = not any(r.bid is not None or r.landlord is not None for r in told.requests)
    view = _view(told, is_first_game=is_first_game)
    first = view.first
    bottom = None if first is None or first.publiccard is None else faces(first.publiccard, "publiccard")
    own = faces(view.own, "own")
    if is_first_game and view.seat == 0:
        own = [card for card in own if card not in (bottom or [])]
    return Record(
        id=place[-128:],
        rules="botzone-v1" if is_first_game else "botzone",
        players=[Player(id=f"P{seat}", bot=True) for seat in range(3)],
        hands=["".join(own) if seat == view.seat else None for seat in range(3)],
        bottom=None if bottom is None else "".join(bottom),
        first=None if is_first_game else 0,
        auction=None if is_first_game else write_moves(_auction(view)),
        landlord=0 if is_first_game else None,
        plays=write_moves(list(_plays(view, 0 if is_first_game else _landlord(first)))),
        claim=_claim(first),
        extra=_extra(view, around),
    )


def _view(told: Conversation, *, is_first_game: bool) -> View:
    """Whose view this is. Raises ``Unreadable`` (R102, R103)."""
    requests, responses = told.requests, told.responses
    if not len(requests) - 1 <= len(responses) <= len(requests):
        raise refused("R103", field="responses", reason=f"{len(responses)} responses to {len(requests)} requests")
    own = next((request.own for request in requests if request.own is not None), None)
    if own is None:
        raise refused("R102", field="requests[0].own")
    answers = [*responses, ...][: len(requests)]
    asked = None if requests[0].bid is None else requests[0]
    turns = list(zip(requests, answers, strict=True))[0 if asked is None else 1 :]
    seat = _seat(asked, turns[0][0] if turns else None, is_first_game=is_first_game)
    return View(seat, own, asked, answers[0] if asked else None, turns)


def _seat(asked: Request | None, first: Request | None, *, is_first_game: bool) -> int:
    """The seat: as it is said, or as many as bid before; in the first game by what was played before."""
    before = None if asked is None or asked.bid is None else len(asked.bid)
    if before is not None and (before > 2 or (first is not None and first.pos not in (None, before))):
        raise refused("R103", field="requests[0].bid", reason=f"{before} bids before this seat's")
    if before is not None:
        return before
    if first is not None and first.pos is not None:
        return first.pos
    if not is_first_game or first is None:
        raise refused("R102", field="pos")
    first_play, second_play = _history(first, 0)
    return 2 if first_play else 1 if second_play else 0


def _history(request: Request, number: int) -> tuple[list[Any], list[Any]]:
    if request.history is None:
        raise refused("R102", field=f"requests[{number}].history")
    if len(request.history) != 2 or not all(isinstance(play, list) for play in request.history):
        raise refused("R103", field=f"requests[{number}].history", reason="not two plays")
    return request.history[0], request.history[1]


def _landlord(first: Request | None) -> int:
    if first is not None and first.landlord is None:
        raise refused("R102", field="landlord")
    return 0 if first is None or first.landlord is None else first.landlord


def _plays(view: View, landlord: int) -> Iterator[tuple[int, str]]:
    """Every play so far, in turn: before the first request there were as many as seats between landlord and bot."""
    others = [(view.seat + 1) % 3, (view.seat + 2) % 3]
    offset = 0 if view.asked is None else 1
    for number, (request, answer) in enumerate(view.turns):
        place = f"requests[{number + offset}].history"
        played = (view.seat - landlord) % 3 if number == 0 else 2
        history = _history(request, number + offset)
        if any(history[: 2 - played]):
            raise refused("R103", field=place, reason="a play before the landlord's first")
        for seat, cards in list(zip(others, history, strict=True))[2 - played :]:
            yield seat, card_text(cards, place) or PASS
        if answer is not ...:
            yield view.seat, card_text(answer, f"responses[{number + offset}]") or PASS


def _auction(view: View) -> list[tuple[int, str]]:
    """The bids, as far as they are known without a gap."""
    known = _known(view)
    bids: list[tuple[int, str]] = []
    for seat in range(3):
        bid = known.get(seat, _forced(view, known, seat))
        if bid is None:
            break
        bids.append((seat, str(bid) if bid else PASS))
    return bids


def _known(view: View) -> dict[int, int]:
    """The bids that the request to bid tells, and the own answer to it."""
    before = [] if view.asked is None or view.asked.bid is None else view.asked.bid
    known = {seat: _bid(bid, f"requests[0].bid[{seat}]") for seat, bid in enumerate(before)}
    if view.asked is not None and view.answer is not ...:
        known[view.seat] = _bid(view.answer, "responses[0]")
    return known


def _bid(given: Any, field: str) -> int:
    """A bid; some bots answer with a text. Raises ``Unreadable`` (R105)."""
    if isinstance(given, str) and given in ("0", "1", "2", "3"):
        return int(given)
    if type(given) is not int or not 0 <= given < 10**9:
        raise refused("R105", field=field, text=shown(given))
    return given


def _forced(view: View, known: dict[int, int], seat: int) -> int | None:
    """What a seat must have bid whose bid is not shown; None where it may have bid one thing or another, or nothing.

    Each seat bids once, more than those before or nothing, and the last to bid is landlord at the final bid.
    """
    first = view.first
    if first is None or first.landlord is None or first.finalbid is None:
        return None
    nobody = first.finalbid == 0 or known.get(first.landlord) == 0
    if nobody or (seat > first.landlord and first.finalbid < _TOP):
        return 0
    if seat == first.landlord:
        return first.finalbid
    most = max((bid for other, bid in known.items() if other < seat), default=0)
    return 0 if seat < first.landlord and most + 1 >= first.finalbid else None


def _claim(first: Request | None) -> Claim | None:
    if first is None:
        return None
    claim = Claim(landlord=first.landlord, bid=first.finalbid or None)
    return None if claim == Claim() else claim


def _extra(view: View, around: dict[str, Raw]) -> Raw:
    """Whose view it is, and what the bot kept for itself."""
    return Raw(msgspec.json.encode({"seat": view.seat} | {name: around[name] for name in _KEPT if name in around}))
