"""The scenes of 三打哈: deal, falling auction, trump and buried cards, tricks with their points.

What could have been played is tried out on ``ingest.rules.tricks``, card by card, where there are not too many.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb

from msgspec import Struct

from ingest.audit_tricks import TrickHand
from ingest.cards import FACES
from ingest.rules.sets import PAIR, SINGLE, TRACTOR, tractors_in
from ingest.rules.suits import Faces, cards_text, is_within, number_of_cards, number_of_pairs, numbers, pairs_in
from ingest.rules.tricks import Hands, Table, Trick, TrickMove, close, fault_of
from ingest.scenes.scene import (
    Option,
    Reading,
    Scene,
    Seats,
    each,
    in_order,
    is_seat,
    played,
    said_so_far,
)

TRIED = 400
"""Sets of cards that are tried out for one move; where there are more, only what is owed is told."""


class Course(Struct):
    """How far a hand has come."""

    hand: TrickHand
    seats: Seats
    strength: dict[str, int]
    tricks: dict[int, tuple[int, int]]
    """For each judged move the number of its trick and its place in it."""
    points: int = 0


def scenes(hand: TrickHand) -> Iterator[Scene]:
    """One scene after another, the hands open as far as the record shows them."""
    course = _begun(hand)
    yield _scene(course, "deal")
    for index, call in enumerate(hand.calls):
        bid = said_so_far(hand.calls, index, len(course.seats.left))
        yield _scene(course, "auction", index=index, seat=call.seat, word=call.word, bid=bid, landlord=None)
    if hand.landlord is not None and hand.outcome != "void":
        yield _bottom(course, hand.landlord)
    yield from _plays(course)


def _begun(hand: TrickHand) -> Course:
    texts = hand.record.hands or [None] * len(hand.record.players)
    hands = [each(text) for text in texts]
    left = [hand.rules.deal.hand if cards is None else len(cards) for cards in hands]
    found = hand.play.tricks if hand.play is not None else []
    tricks = {
        move.index: (number, place) for number, trick in enumerate(found) for place, move in enumerate(trick.moves)
    }
    return Course(hand, Seats(hands, left, hand.moves), _strength(hand), tricks)


def _strength(hand: TrickHand) -> dict[str, int]:
    """In which order the cards of a hand are held: trumps first, then suit by suit."""
    if hand.table is None:
        return {}
    suits = hand.table.suits
    first = {suit: 1000 - 100 * place for place, suit in enumerate(suits.masks)}
    of = {n: suit for suit, mask in suits.masks.items() for n in range(len(FACES)) if mask >> 2 * n & 3}
    return {FACES[n]: first[suit] + suits.levels[n] for n, suit in of.items()}


def _scene(course: Course, phase: str, **more: object) -> Scene:
    hand, seats = course.hand, course.seats
    settled = hand.settled if phase == "end" else None
    known = {
        "phase": phase,
        "hands": seats.shown(course.strength),
        "left": list(seats.left),
        "table": [None] * len(seats.left),
        "landlord": None if phase == "deal" else hand.landlord,
        "bid": None if phase == "deal" else hand.bid,
        "unit": None if settled is None else settled.unit,
    }
    return Scene(**(known | more))  # type: ignore[arg-type]


def _bottom(course: Course, landlord: int) -> Scene:
    """The landlord takes the bottom, names the trump and buries as many cards."""
    hand = course.hand
    bottom, buried = each(hand.record.bottom), each(hand.record.buried)
    course.seats.gain(landlord, bottom, hand.rules.deal.bottom)
    course.seats.lose(landlord, buried or [])
    shown = None if buried is None else in_order(buried, course.strength)
    return _scene(course, "bottom", seat=landlord, cards=shown)


def _plays(course: Course) -> Iterator[Scene]:
    hand, players = course.hand, len(course.seats.left)
    hands = list(hand.faces)
    loose: list[int] = []
    table: list[list[str] | None] = [None] * players
    for index, move in enumerate(hand.moves):
        place = course.tricks.get(index)
        if place is None:
            loose.append(index)
        if (place is not None and place[1] == 0) or (loose and len(loose) % players == 1):
            table = [None] * players
        offered = None if place is None else _could(course, place, hands)
        cards = played(move)
        course.seats.lose(move.seat, cards)
        if is_seat(move.seat, players):
            table = [in_order(cards, course.strength) if s == move.seat else lying for s, lying in enumerate(table)]
        yield _played(course, index, table, offered)
        if place is not None:
            _take_away(hands, hand.play.tricks[place[0]].moves[place[1]])  # type: ignore[union-attr]


def _played(course: Course, index: int, table: list[list[str] | None], offered: list[Option] | None) -> Scene:
    hand, place, move = course.hand, course.tricks.get(index), course.hand.moves[index]
    told = {} if place is None else _so_far(course, *place)
    return _scene(
        course, "play", index=index, seat=move.seat, cards=in_order(played(move), course.strength), table=table,
        thrown=each(move.thrown), judged=place is not None, readings=hand.readings_of(index), options=offered,
        more=place is not None and offered is None and hand.faces[move.seat] is not None, **told,
    )  # fmt: skip


def _so_far(course: Course, number: int, place: int) -> dict[str, object]:
    """Who wins a trick as far as it has gone, and the points in it and in those before."""
    hand, table = course.hand, course.hand.table
    assert hand.play is not None
    assert table is not None
    whole = hand.play.tricks[number]
    trick = Trick(whole.suit, whole.parts, whole.moves[: place + 1])
    owner = close(trick, table)
    if place + 1 == len(course.seats.left) and owner != table.landlord:
        course.points += trick.points
    return {"trick": number + 1, "trick_points": trick.points, "owner": owner, "points": course.points}


# --- what could have been played


def _take_away(hands: Hands, move: TrickMove) -> None:
    own = hands[move.seat]
    hands[move.seat] = None if own is None else own - move.faces


def _could(course: Course, place: tuple[int, int], hands: Hands) -> list[Option] | None:
    """What the seat could have played; None where its cards are hidden or there were too many ways."""
    table, play = course.hand.table, course.hand.play
    assert table is not None
    assert play is not None
    whole = play.tricks[place[0]]
    move = whole.moves[place[1]]
    own = hands[move.seat]
    if own is None:
        return None
    if place[1] == 0:
        return _leads(own, table, course.strength)
    trick = Trick(whole.suit, whole.parts, whole.moves[: place[1]])
    return _follows(own, trick, hands, move.seat, table, course.strength)


def _leads(own: Faces, table: Table, strength: dict[str, int]) -> list[Option]:
    """Every single, pair and tractor of a hand; throws are not tried."""
    offered = []
    for mask in table.suits.masks.values():
        cards = own & mask
        offered += [_option(1 << 2 * face, (SINGLE, 1), strength) for face in numbers(cards)]
        offered += [_option(2 << 2 * face, (PAIR, 1), strength) for face in numbers(pairs_in(cards))]
        for length in range(table.rules.tractor.min_pairs, number_of_pairs(cards) + 1):
            found = tractors_in(cards, table.suits, length)
            offered += [_option(part.cards, (TRACTOR, length), strength) for part in found]
    return offered


def _option(faces: Faces, reading: Reading | None, strength: dict[str, int]) -> Option:
    return Option(in_order(each(cards_text(faces)) or [], strength), reading)


def _follows(
    own: Faces, trick: Trick, hands: Hands, seat: int, table: Table, strength: dict[str, int]
) -> list[Option] | None:
    """Every set of cards that may follow, None where there are too many to be tried."""
    size = trick.moves[0].size
    fitting = own & table.suits.masks[trick.suit]
    count = number_of_cards(fitting)
    owed, pool, free = (fitting, own - fitting, size - count) if count <= size else (0, fitting, size)
    ways = numbers(pool)
    if comb(len(ways) + free - 1, free) > TRIED if ways else free > 0:
        return None
    sets = (owed + extra for extra in _choices(pool, ways, free))
    lawful = (faces for faces in sets if fault_of(TrickMove(0, seat, faces, size), trick, hands, table) is None)
    return [_option(faces, None, strength) for faces in lawful]


def _choices(pool: Faces, ways: Sequence[int], count: int) -> Iterable[Faces]:
    """So many cards out of a pool, each set once."""
    for chosen in combinations_with_replacement(ways, count):
        if all(chosen.count(face) <= 2 for face in chosen):
            faces = sum(1 << 2 * face for face in chosen)
            if is_within(faces, pool):
                yield faces
