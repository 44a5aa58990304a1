"""The play of 三打哈: what is led, thrown, followed with, ruffed and thrown away; a hand played out to its end.

Looks like play and is quick; not meant to be strong. Proposes cards; whether they may be played, and who wins a trick,
is asked of ``ingest.rules.tricks``.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from msgspec import Struct

from ingest.faults import Finding
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.sets import Part, longest_tractor, parts_of, tractors_in
from ingest.rules.suits import (
    TRUMPS,
    Faces,
    cards_text,
    number_of_cards,
    number_of_pairs,
    numbers,
    pairs_in,
    points_in,
)
from ingest.rules.tricks import Table, Trick, TrickMove, TrickPlay, close, fault_of, put
from ingest.simulate.players import Play

Order = Callable[[int], float]
"""By what cards are given away: the face with the least first."""


class Round(Struct):
    """A hand as it is played."""

    table: Table
    hands: list[Faces | None]
    boldness: Sequence[float]
    savers: frozenset[int]
    """Seats that keep pairs and tractors of trumps for the last tricks."""
    rng: Random


def play_out(play: Round) -> list[Play]:
    """Play a hand until nobody has cards (F-R21)."""
    players, moves = play.table.rules.deal.players, list[Play]()
    state = TrickPlay([number_of_cards(hand or 0) for hand in play.hands])
    trick, turn = None, play.table.landlord
    while state.left[turn]:
        move = lead(turn, play) if trick is None else follow(turn, trick, play)
        moves.append(Play(turn, _text(move)))
        trick = put(trick, move, play.hands, state, play.table)
        turn = (turn + 1) % players
        if len(trick.moves) == players:
            turn, trick = close(trick, play.table), None
    return moves


def _text(move: TrickMove) -> str:
    led = cards_text(move.faces)
    return led if move.thrown is None else f"{cards_text(move.thrown)}!{led}"


def _move(seat: int, faces: Faces, thrown: Faces | None = None) -> TrickMove:
    return TrickMove(0, seat, faces, number_of_cards(faces), thrown)


def _fault(move: TrickMove, trick: Trick | None, play: Round) -> Finding | None:
    return fault_of(move, trick, play.hands, play.table)


# --- leading


def lead(seat: int, play: Round) -> TrickMove:
    """Everything at once if that may be led; else sometimes a throw; else a part of the hand, the dearest last."""
    hand, rng = play.hands[seat] or 0, play.rng
    if _fault(whole := _move(seat, hand), None, play) is None:
        return whole
    if seat not in play.savers and rng.random() < 0.2 and (thrown := _throw(seat, hand, play)) is not None:
        return thrown
    parts = [part for mask in play.table.suits.masks.values() for part in parts_of(hand & mask, play.table.suits)]
    parts.sort(key=lambda part: _eagerness(part, seat, play), reverse=True)
    return next(move for part in parts if _fault(move := _move(seat, part.cards), None, play) is None)


def _throw(seat: int, hand: Faces, play: Round) -> TrickMove | None:
    """The highest trumps together: a good throw, or by the bold one that fails."""
    table, rng = play.table, play.rng
    trumps = parts_of(hand & table.suits.masks[TRUMPS], table.suits)
    highest = sorted(trumps, key=lambda part: -part.level)[: rng.randint(2, 4)]
    faces = sum(part.cards for part in highest)
    if len(highest) < 2:
        return None
    fault = _fault(move := _move(seat, faces), None, play)
    if fault is None:
        return move
    if rng.random() > 0.2 + 0.4 * play.boldness[seat]:
        return None
    failed = (_move(seat, part.cards, faces) for part in parts_of(faces, table.suits))
    return next((move for move in failed if _fault(move, None, play) is None), None)


def _eagerness(part: Part, seat: int, play: Round) -> float:
    """How readily a part is led: long ones and winners first, points and what is saved last."""
    table = play.table
    trump = bool(part.cards & table.suits.masks[TRUMPS])
    best = not trump and part.rank == "A"
    worth = 4 * part.pairs + (4 if best else -points_in(part.cards, table.rules) / 4) + 4 * play.rng.random()
    if trump and part.pairs and seat in play.savers:
        worth -= 30 * part.pairs
    return worth - (part.level / 4 if trump and not part.pairs else 0)


# --- following


def follow(seat: int, trick: Trick, play: Round) -> TrickMove:
    """Of the cards that may be played those that do one's side most good."""
    hand, owner = play.hands[seat] or 0, close(trick, play.table)
    moves = (_move(seat, faces) for faces in dict.fromkeys(_proposals(hand, trick, play)))
    lawful = [move for move in moves if _fault(move, trick, play) is None]
    return lawful[0] if len(lawful) == 1 else max(lawful, key=lambda move: _good(move, trick, owner, play))


def _good(move: TrickMove, trick: Trick, owner: int, play: Round) -> float:
    """How much good cards do: a trick won cheaply, points for one's own side, none for the other."""
    table, landlord = play.table, play.table.landlord
    points, at_stake = points_in(move.faces, table.rules), points_in(_lying(trick), table.rules)
    trick.moves.append(move)
    winner = close(trick, table)
    trick.moves.pop()
    cost = _cost(move, play) / 12 + 1.5 * play.rng.random()
    if (winner == landlord) != (move.seat == landlord):
        return -points / 4 - cost
    if winner != move.seat:
        return points / 5 - cost
    saved = winner != owner and (owner == landlord) != (move.seat == landlord)
    return (2 + (at_stake + points) / 5 if saved else points / 5) + play.boldness[move.seat] - cost


def _lying(trick: Trick) -> Faces:
    """What lies on the table."""
    return sum(move.faces for move in trick.moves)


def _cost(move: TrickMove, play: Round) -> float:
    """What cards are worth that leave the hand."""
    suits, hand = play.table.suits, play.hands[move.seat] or 0
    trumps = suits.masks[TRUMPS]
    cost = sum(suits.levels[n] + (6 if 1 << 2 * n & trumps else 0) for n in numbers(move.faces))
    touched = sum(bool(hand >> 2 * n & 2) for n in numbers(move.faces & trumps)) if move.seat in play.savers else 0
    return cost + 4 * number_of_pairs(move.faces) + 40 * touched


def _proposals(hand: Faces, trick: Trick, play: Round) -> Iterator[Faces]:
    """Sets of cards that may be lawful answers."""
    suits, size = play.table.suits, trick.moves[0].size
    own = hand & suits.masks[trick.suit]
    held = number_of_cards(own)
    if held > size:
        yield from _out_of_one_class(own, size, trick, play)
        return
    if not held and len(trick.parts) == 1:
        yield from _alike(hand & suits.masks[TRUMPS], trick.parts[0], play)
    for order in _orders(play):
        yield own + _first(hand - own, size - held, order)


def _out_of_one_class(own: Faces, size: int, trick: Trick, play: Round) -> Iterator[Faces]:
    """A tractor, then pairs, then single cards, as far as they are there."""
    part = trick.parts[0]
    if len(trick.parts) == 1 and part.pairs < 2:
        yield from _alike(own, part, play)
    if size == 1:
        return
    suits, most = play.table.suits, max(part.pairs for part in trick.parts)
    length = longest_tractor(own, suits, most) if most > 1 else 0
    tractors = [tractor.cards for tractor in tractors_in(own, suits, length)] if length else [0]
    owed = sum(part.pairs for part in trick.parts)
    for tractor in tractors:
        for order in _orders(play):
            picked = tractor
            pairs = sorted(numbers(pairs_in(own - picked)), key=order)
            picked += sum(2 << 2 * pair for pair in pairs[: owed - number_of_pairs(picked)])
            yield picked + _first(own - picked, size - number_of_cards(picked), order)


def _alike(cards: Faces, part: Part, play: Round) -> Iterator[Faces]:
    """Everything in cards of one class that is of the same kind as a part."""
    if part.pairs > 1:
        yield from (tractor.cards for tractor in tractors_in(cards, play.table.suits, part.pairs))
    elif part.pairs:
        yield from (2 << 2 * number for number in numbers(pairs_in(cards)))
    else:
        yield from (1 << 2 * number for number in numbers(cards))


def _orders(play: Round) -> Iterator[Order]:
    """Low ones without points first; low ones with points first; high ones first; now and then any."""
    suits, rules, rng = play.table.suits, play.table.rules, play.rng
    trumps = suits.masks[TRUMPS]
    heights = [level + (30 if 1 << 2 * n & trumps else 0) for n, level in enumerate(suits.levels)]
    for factor in (2, -2):
        yield partial(_height_and_points, heights, factor, rules)
    yield lambda n: -heights[n]
    if rng.random() < 0.2:
        yield [rng.random() for _ in heights].__getitem__


def _height_and_points(heights: Sequence[int], factor: int, rules: TrickRuleset, number: int) -> float:
    return heights[number] + factor * points_in(1 << 2 * number, rules)


def _first(cards: Faces, number: int, order: Order) -> Faces:
    """So many cards, in an order."""
    picked, left = 0, number
    for face in sorted(numbers(cards), key=order):
        count = min(cards >> 2 * face & 3, left)
        picked += count << 2 * face
        left -= count
        if not left:
            break
    return picked
