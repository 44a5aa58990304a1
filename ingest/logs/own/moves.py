"""Auctions and plays of a source as move text.

Knows rows, seats and the spelling of cards. Refuses to know what may be said or played: unlawful moves stand as they
are.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from ingest.logs.own.cards import Spelling
from ingest.logs.own.found import Hand, chosen, holds
from ingest.logs.own.keys import AuctionKeys, MoveKeys, PlayKeys
from ingest.logs.own.mapping import Own
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.seats import Seating
from ingest.logs.own.taking import Taking
from ingest.logs.own.troubles import Unread, impossible, missing, unreadable
from ingest.logs.own.values import is_empty, key
from ingest.record import CALL, PASS, READING_NAMES, ROB, UnreadableMove, read_calls, read_plays

_USUAL_WORDS = {"": PASS, PASS: PASS, "pass": PASS, CALL: CALL, ROB: ROB}
"""Auction words that need no table."""
_BID_DIGITS = 9


class Made(Struct, frozen=True):
    """One move as far as it could be read."""

    seat: int | None
    what: str | None
    clock: int | None = None


def auction_text(taking: Taking, own: Own, seating: Seating, first: int | None, began: datetime | None) -> str | None:
    """The move text of the auction, None where nothing is said of one."""
    table = own.keys.auction
    if table is None:
        return None
    if table.form == "fupan":
        return taking.attempt("auction", _own_text, table, taking.hand, read_calls) or None
    made = _made(taking, own, seating, first, began, "auction", table, lambda item: said(item, table))
    return _text(made) or None


def play_text(taking: Taking, own: Own, seating: Seating, began: datetime | None) -> str:
    """The move text of the plays."""
    table = own.keys.plays
    if table.form == "fupan":
        return taking.attempt("plays", _own_text, table, taking.hand, read_plays) or ""
    made = _made(
        taking, own, seating, seating.landlord, began, "plays", table, lambda item: played(item, table, own.spelling)
    )
    return _text(made if table.passes_written else list(_with_passes(made, seating.count)))


def _own_text(table: MoveKeys, hand: Hand, read: Callable[[str], Any]) -> str | None:
    """Move text that is Fupan's own already. Raises ``Unread`` where it is not."""
    given = find(hand.head, table.rows or "")
    if given is MISSING:
        raise missing()
    if is_empty(given):
        return None
    try:
        read(given)
    except (UnreadableMove, TypeError, AttributeError):
        raise unreadable("word", given) from None
    return str(given)


def items(table: MoveKeys, hand: Hand) -> Iterator[tuple[int, Any]]:
    """The rows that are moves, each with its line. Raises ``Unread``."""
    given = find(hand.head, table.rows) if table.rows is not None and table.split is not None else None
    if isinstance(given, str):
        pieces = given.split(table.split) if given else []
        found = [(0, piece) for piece in pieces if holds(piece, table.when)]
    else:
        found = [(line, item) for _, line, item in chosen(hand, table.rows, table.when)]
    for line, item in found:
        yield line, item.split(table.between) if table.between is not None and isinstance(item, str) else item


def _made(  # noqa: PLR0913, PLR0917 - what every move is read with
    taking: Taking,
    own: Own,
    seating: Seating,
    first: int | None,
    began: datetime | None,
    name: str,
    table: MoveKeys,
    read: Callable[[Any], str],
) -> list[Made]:
    made: list[Made] = []
    found = taking.attempt(name, lambda: list(items(table, taking.hand))) or []
    for index, (line, item) in enumerate(found):
        field = f"{name}[{index}]"
        seat = taking.attempt(field, _seat, table, item, seating, first, index, line=line)
        what = taking.attempt(field, read, item, line=line)
        clock = None if table.time is None else taking.attempt(field, _clock, table, item, own, began, line=line)
        made.append(Made(seat, what, clock))
    return made


def _at(item: Any, path: str, name: str) -> Any:
    """What a move has at a path. Raises ``Unread`` where it has nothing."""
    found = find(item, path)
    if found is MISSING:
        raise Unread("missing", "R102", field=f".{name}")
    return found


def _seat(table: MoveKeys, item: Any, seating: Seating, first: int | None, index: int) -> int:
    if table.seat is not None:
        return seating.seat(_at(item, table.seat, "seat"))
    if first is None:
        raise Unread("missing", "R102", field=".seat")
    return (first + index) % seating.count


def _clock(table: MoveKeys, item: Any, own: Own, began: datetime | None) -> int | None:
    given = _at(item, table.time or "", "time")
    return None if is_empty(given) else own.clock.since(began, given)


def said(item: Any, table: AuctionKeys) -> str:
    """The word of an auction: a number, ``-``, ``call`` or ``rob``. Raises ``Unread``."""
    word = key(_at(item, table.word, "word"))
    meaning = table.words.get(word, _USUAL_WORDS.get(word))
    if meaning is not None:
        return meaning
    number = word.removesuffix(".0")
    if number.isascii() and number.isdigit() and len(number) <= _BID_DIGITS:
        return str(int(number))
    raise unreadable("word", word)


def played(item: Any, table: PlayKeys, spelling: Spelling) -> str:
    """A play or a pass as move text has it. Raises ``Unread``."""
    if table.pass_when is not None and holds(item, table.pass_when):
        return _passed(item, table)
    given = _at(item, table.cards, "cards")
    if _is_pass(given, table):
        return PASS
    cards = spelling.cards(given)
    if not cards:
        raise unreadable("card", given)
    return _thrown(item, table, spelling) + "".join(cards) + _reading(item, table)


def _passed(item: Any, table: PlayKeys) -> str:
    given = find(item, table.cards)
    if (
        given is not MISSING
        and given is not item
        and given != []
        and not _is_pass(given, table)
        and not is_empty(given)
    ):
        raise impossible("row", given, "a pass with cards")
    return PASS


def _is_pass(given: Any, table: PlayKeys) -> bool:
    return not (type(given) in (list, dict) and given) and key(given) in table.passes


def _thrown(item: Any, table: PlayKeys, spelling: Spelling) -> str:
    """三打哈: the cards of a throw that failed."""
    if table.thrown is None:
        return ""
    cards = "".join(spelling.cards(_at(item, table.thrown, "thrown")))
    return f"{cards}!" if cards else ""


def _reading(item: Any, table: PlayKeys) -> str:
    """The reading that the source declares."""
    if table.reading is None:
        return ""
    word = key(_at(item, table.reading, "reading"))
    name = table.reading_words.get(word, word)
    if name and name not in READING_NAMES:
        raise unreadable("word", word)
    return f"={name}" if name else ""


def _with_passes(made: Sequence[Made], seats: int) -> Iterator[Made]:
    """Moves with the passes that the source leaves out: of everybody between one who played and the next."""
    before: int | None = None
    for move in made:
        if before is not None and move.seat is not None:
            between = (move.seat - before - 1) % seats
            yield from (Made((before + 1 + place) % seats, PASS) for place in range(between))
        yield move
        before = move.seat


def _text(made: Sequence[Made]) -> str:
    """Move text; what could not be read of it is among the troubles, and then nobody reads it."""
    return " ".join(
        f"{move.seat}:{move.what}" + ("" if move.clock is None else f"@{move.clock}") for move in made
    )  # fmt: skip
