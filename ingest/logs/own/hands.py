"""A hand of the source as a record.

Knows the fields of a record and which keys of the mapping they come from. Refuses to know rules.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ingest.logs.own import values
from ingest.logs.own.found import Hand, chosen, rows_at
from ingest.logs.own.keys import When
from ingest.logs.own.mapping import Own
from ingest.logs.own.moves import auction_text, play_text
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.places import place
from ingest.logs.own.seats import Seating, number_of
from ingest.logs.own.sense import SIDES
from ingest.logs.own.taking import Given, Taking, pairs_at, trimmed
from ingest.logs.own.troubles import KEPT, Trouble, Unread, impossible, unreadable
from ingest.record import PASS, Claim, Player, Record, Unreadable, read_record, write_record
from ingest.record import impossible as impossible_field

T = TypeVar("T")

_ID_LIMIT = 128
_extra = msgspec.json.Encoder(decimal_format="number")


class Reading(Struct, frozen=True):
    """What became of a hand: a record, or troubles."""

    record: Record | None
    troubles: tuple[Trouble, ...] = ()


def reading(hand: Hand, own: Own, name: str) -> Reading:
    """The record of a hand. ``name`` stands for its id where the source has none."""
    taking = Taking(hand, list(hand.troubles))
    record = None if taking.troubles else _record(taking, own, name)
    if record is None or taking.troubles:
        return Reading(None, troubles=tuple(taking.troubles[:KEPT]))
    try:
        again, _ = read_record(write_record(record))
    except Unreadable as problem:
        return Reading(None, troubles=(_as_trouble(problem.finding.code, problem.finding.details),))
    except (RecursionError, UnicodeEncodeError, TypeError, ValueError) as problem:
        return Reading(None, troubles=(_as_trouble("R103", {"field": "", "reason": str(problem)}),))
    wrong = impossible_field(again)
    return Reading(again) if wrong is None else Reading(None, troubles=(_as_trouble(wrong.code, wrong.details),))


def _as_trouble(code: str, details: dict[str, Any]) -> Trouble:
    return Trouble("shape", code, field=details.get("field", ""), reason=details.get("reason", ""))


def _record(taking: Taking, own: Own, name: str) -> Record | None:
    _every_row_is_read(taking, own)
    players = _players(taking, own)
    if players is None:
        return None
    seating = Seating(own.keys.seats, len(players), [player.id for player in players])
    said, always = own.keys.record, own.keys.always
    claimed = taking.one("claim.landlord", own.keys.claim.landlord, seating.seat)
    landlord = taking.one("landlord", said.landlord, seating.seat)
    landlord = always.landlord if landlord is None else landlord
    seating = msgspec.structs.replace(seating, landlord=claimed if landlord is None else landlord)
    at = taking.one("at", said.at, own.clock.moment)
    first = taking.one("first", said.first, seating.seat)
    first = always.first if first is None else first
    given = {
        "rules": taking.one("rules", said.rules, values.text) or always.rules,
        "table": taking.one("table", said.table, values.text) or always.table,
        "at": at,
        "base": _or(taking.number("base", said.base), always.base),
        "voids": _or(taking.number("voids", said.voids), always.voids),
        **_cards(taking, own, seating),
        "first": first,
        "auction": auction_text(taking, own, seating, first, at),
        "landlord": landlord,
        "open": _or(taking.one("open", said.open, values.yes_or_no), always.open),
        "trump": taking.one("trump", said.trump, values.text),
        "plays": play_text(taking, own, seating, at),
        "end": _end(taking, own, seating),
        "claim": _claim(taking, own, seating, claimed),
        "tags": _tags(taking, own),
        "extra": _kept(taking, own),
    }
    if said.end is None and not given["plays"] and _all_passed(given["auction"]):
        given["end"] = "void"
    id = _id(taking, own, name)
    return Record(id=id, players=players, **{field: value for field, value in given.items() if value is not None})


def _all_passed(auction: object) -> bool:
    """Whether nobody wanted the hand; a source that has no word for its end says so by its auction."""
    return isinstance(auction, str) and auction != "" and all(_is_pass(call) for call in auction.split(" "))


def _is_pass(call: str) -> bool:
    return call.partition("@")[0].endswith(f":{PASS}")


def _id(taking: Taking, own: Own, name: str) -> str:
    """The hand's id: said, or what its rows are grouped by, or the name given."""
    where, before = own.keys.record.id, len(taking.troubles)
    if where is None:
        return hand_name(taking.hand) or name
    id = taking.one("id", where, values.text)
    if id is None and len(taking.troubles) == before:
        taking.troubles.append(Trouble("missing", "R102", field="id"))
    return id or name


def hand_name(hand: Hand) -> str:
    """What a hand's rows are grouped by, as an id."""
    return hand.name[-_ID_LIMIT:]


def _or(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value


# --- players


def _players(taking: Taking, own: Own) -> list[Player] | None:
    """The players in order of turn; as many as the source names."""
    keys = own.keys.players
    ids = _ids(taking, own)
    if ids is None:
        taking.troubles.append(Trouble("missing", "R102", field="players.id"))
        return None
    seating = Seating(own.keys.seats, len(ids), ids)
    names = taking.by_seat("players.name", keys.name, seating, values.text)
    balances = taking.by_seat("players.balance", keys.balance, seating, values.whole)
    bots = taking.by_seat("players.bot", keys.bot, seating, values.yes_or_no)
    return [
        Player(id=id, name=_of(names, seat), balance=_of(balances, seat), bot=_of(bots, seat))
        for seat, id in enumerate(ids)
    ]


def _of(values: Sequence[T | None] | None, seat: int) -> T | None:
    return None if values is None else values[seat]


def _ids(taking: Taking, own: Own) -> list[str] | None:
    keys, where = own.keys.seats, own.keys.players.id
    if where is None:
        return [f"P{seat}" for seat in range(number_of(keys))]
    count = taking.attempt("players.id", _counted, where, taking.hand, keys.count, taking)
    if count is None:
        return None
    ids = taking.by_seat("players.id", where, Seating(keys, count), values.text)
    absent = [seat for seat in range(count) if ids is None or ids[seat] is None]
    taking.troubles.extend(Trouble("missing", "R102", field=f"players[{seat}].id") for seat in absent)
    return None if ids is None or absent else [id for id in ids if id is not None]


def _counted(where: Any, hand: Hand, count: int | None, taking: Taking) -> int | None:
    """How many seats have players."""
    if count is not None:
        return count
    pairs = pairs_at(where, hand)
    if pairs is not None:
        return len(pairs) or None
    listed: list[Given] | None = taking.in_order("players.id", where)
    return None if listed is None else len(trimmed(listed)) or None


# --- cards


def _cards(taking: Taking, own: Own, seating: Seating) -> dict[str, Any]:
    said, spelling = own.keys.record, own.spelling
    hands = taking.by_seat("hands", said.hands, seating, spelling.cards)
    found = {
        name: taking.one(name, getattr(said, name), spelling.cards)
        for name in ("bottom", "dead", "marker", "taken", "buried")
    }
    bottom = found["bottom"]
    if said.hands_hold_bottom and hands is not None and bottom:
        hands = _without_bottom(hands, bottom, seating.landlord)
    texts: dict[str, Any] = {name: None if cards is None else "".join(cards) for name, cards in found.items()}
    return texts | {"hands": None if hands is None else [None if hand is None else "".join(hand) for hand in hands]}


def _without_bottom(hands: list[list[str] | None], bottom: list[str], landlord: int | None) -> list[list[str] | None]:
    """Hands as they were dealt: the bottom is taken out of the landlord's, or the longest, where it is in there."""
    sizes = [len(hand or ()) for hand in hands]
    seat = sizes.index(max(sizes)) if landlord is None else landlord
    hand = hands[seat]
    others = [size for other, size in enumerate(sizes) if other != seat and size]
    if hand is None or Counter(bottom) - Counter(hand) or (others and len(hand) - len(bottom) < max(others)):
        return hands
    left = Counter(bottom)
    kept: list[str] = []
    for card in reversed(hand):
        if left[card]:
            left[card] -= 1
        else:
            kept.append(card)
    return [*hands[:seat], kept[::-1], *hands[seat + 1 :]]


# --- the end and the claim


def _end(taking: Taking, own: Own, seating: Seating) -> str | None:
    """How the hand ended; None for one that was played out."""
    said = own.keys.record
    word = taking.one("end", said.end, _end_word)
    seat = taking.one("escape", said.escape, seating.seat)
    if seat is not None and word in (None, "escape"):
        return f"escape:{seat}"
    if seat is not None:
        taking.troubles.append(Trouble("row", "R103", field="end", reason=f"{word}, and yet seat {seat} left"))
    elif word == "escape":
        taking.troubles.append(Trouble("missing", "R102", field="escape"))
    return word


def _end_word(given: Any) -> str:
    word = values.text(given)
    if word not in ("void", "surrender", "escape") and not (word[:7] == "escape:" and word[7:].isdigit()):
        raise unreadable("word", word)
    return word


def _claim(taking: Taking, own: Own, seating: Seating, landlord: int | None) -> Claim | None:
    keys = own.keys.claim
    winners = taking.one("claim.winners", keys.winners, lambda given: _winners(given, seating, own))
    side = taking.one("claim.side", keys.side, lambda given: _side(given, seating))
    claim = Claim(
        landlord=landlord,
        winners=side if winners is None else winners,
        multiplier=taking.number("claim.multiplier", keys.multiplier),
        bid=taking.number("claim.bid", keys.bid),
        scores=_complete(taking, "claim.scores", taking.by_seat("claim.scores", keys.scores, seating, values.whole)),
        balances=taking.by_seat("claim.balances", keys.balances, seating, values.whole),
    )
    return None if claim == Claim() else claim


def _complete(taking: Taking, field: str, numbers: list[int | None] | None) -> list[int] | None:
    """Numbers of all seats: a score that is not said is missing."""
    if numbers is None or taking.troubles:
        return None
    absent = [seat for seat, number in enumerate(numbers) if number is None]
    taking.troubles.extend(Trouble("missing", "R102", field=f"{field}[{seat}]") for seat in absent)
    return [number for number in numbers if number is not None]


def _winners(given: Any, seating: Seating, own: Own) -> list[int]:
    where = own.keys.claim.winners
    split = None if where is None else place(where).split
    words: Sequence[Any] = given if type(given) is list else [given]
    if isinstance(given, str) and split is not None:
        words = given.split(split)
    return sorted(map(seating.seat, words))


def _side(given: Any, seating: Seating) -> list[int]:
    """The seats of the side that won. Raises ``Unread``."""
    side = values.text(given)
    if side not in SIDES:
        raise unreadable("word", side)
    if seating.landlord is None:
        raise Unread("missing", "R102")
    return [seat for seat in range(seating.count) if (seat == seating.landlord) == (side == "landlord")]


# --- what is kept beside


def _tags(taking: Taking, own: Own) -> dict[str, str] | None:
    found = {name: taking.one(f"tags.{name}", where, values.text) for name, where in own.keys.tags.items()}
    return {name: text for name, text in found.items() if text is not None} or None


def _kept(taking: Taking, own: Own) -> msgspec.Raw | None:
    found = {name: taking.one(f"extra.{name}", where, _anything) for name, where in own.keys.extra.items()}
    said = {name: value for name, value in found.items() if value is not None}
    return msgspec.Raw(_extra.encode(said)) if said else None


def _anything(given: Any) -> Any:
    try:
        _extra.encode(given)
    except (TypeError, ValueError, RecursionError):
        raise impossible("shape", "", "cannot be kept") from None
    return given


# --- rows


def _every_row_is_read(taking: Taking, own: Own) -> None:
    """A trouble for a row that no place of the mapping reads: nothing is passed over in silence."""
    for rows, conditions in own.conditions.items():
        found = taking.attempt(rows or "rows", rows_at, taking.hand, rows) or []
        read = {index for when in conditions for index, _, _ in chosen(taking.hand, rows, when)} if found else set()
        if rows is None and own.reads_head:
            read.add(0)
        unread = [index for index in range(len(found)) if index not in read]
        for index in unread[:KEPT]:
            line, value = found[index]
            taking.troubles.append(_unread_row(f"{rows or 'rows'}[{index}]", line, value, conditions))


def _unread_row(field: str, line: int, value: Any, conditions: Sequence[When]) -> Trouble:
    told = {path: find(value, path) for when in conditions for path in when}
    text = ", ".join(f"{path} = {_shown(said)}" for path, said in told.items())
    return Trouble("row", "R103", field, text, f"nothing reads a row with {text}", line)


def _shown(said: Any) -> str:
    return "-" if said is MISSING else str(said)[:20]
