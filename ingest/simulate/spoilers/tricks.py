"""Spoilers of the play of 三打哈: following, leading, throwing, burying, the trump (P402, P406, T501 … T510, D204).

Other cards are proposed at every place of a hand; which fault they make is asked of ``ingest.rules.tricks``.
"""

from collections.abc import Callable, Iterator
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ingest.audit_tricks import TrickHand
from ingest.cards import FACES, split_cards
from ingest.record import Record
from ingest.rules.sets import parts_of
from ingest.rules.suits import TRUMPS, Faces, cards_text, number_of_cards, numbers, without
from ingest.rules.tricks import Hands, Table, Trick, TrickMove, TrickPlay, close, fault_of, put
from ingest.simulate.spoilers.tokens import after, text_of, tokens, with_what


class Position(Struct, frozen=True):
    """What a seat sees before its move."""

    move: TrickMove
    hand: Faces
    hands: Hands
    trick: Trick | None
    table: Table

    @property
    def led(self) -> Faces:
        """The seat's cards of the led class."""
        return self.hand & self.table.suits.masks[self.trick.suit] if self.trick else 0


Tried = tuple[Faces, Faces | None]
"""Cards to play instead, and what they are the rest of, where a throw is said to have failed."""
Proposals = Callable[[Position, Random], Iterator[Tried]]


def _positions(hand: TrickHand) -> Iterator[Position]:
    hands, players = list(hand.faces), hand.rules.deal.players
    assert hand.table is not None
    play, trick = TrickPlay([hand.rules.deal.hand] * players), None
    for move in hand.read:
        assert move is not None
        yield Position(move, hands[move.seat] or 0, hands, trick, hand.table)
        trick = put(trick, move, hands, play, hand.table)
        if len(trick.moves) == players:
            close(trick, hand.table)
            trick = None


def _breach(code: str, proposals: Proposals) -> Callable[[TrickHand, Random], Record | None]:
    """A spoiler that plays other cards at some place where they make this fault."""

    def spoil(hand: TrickHand, rng: Random) -> Record | None:
        if not hand.moves:
            return None
        found = [
            (at.move.index, tried)
            for at in _positions(hand)
            for tried in proposals(at, rng)
            if _code(tried, at) == code
        ]
        if not found:
            return None
        index, tried = rng.choice(found)
        return replace(hand.record, plays=text_of(with_what(tokens(hand.record.plays), index, _text(tried))))

    return spoil


def _code(tried: Tried, at: Position) -> str | None:
    cards, thrown = tried
    if not cards or (cards == at.move.faces and thrown == at.move.thrown):
        return None
    fault = fault_of(TrickMove(0, at.move.seat, cards, number_of_cards(cards), thrown), at.trick, at.hands, at.table)
    return None if fault is None else fault.code


def _text(tried: Tried) -> str:
    cards, thrown = tried
    return cards_text(cards) if thrown is None else f"{cards_text(thrown)}!{cards_text(cards)}"


def _one(faces: Faces, rng: Random) -> Faces:
    """A card of a set, 0 where it has none."""
    return 1 << 2 * rng.choice(numbers(faces)) if faces else 0


def _some(faces: Faces, number: int, rng: Random) -> Faces:
    cards = [1 << 2 * face for face in numbers(faces) for _ in range(faces >> 2 * face & 3)]
    return sum(rng.sample(cards, number)) if len(cards) >= number else 0


def _strange(at: Position, rng: Random) -> Iterator[Tried]:
    """A card that the seat has no more of."""
    card = _one(at.move.faces, rng)
    have = set(numbers(at.hand))
    strange = rng.choice([number for number in range(len(FACES)) if number not in have])
    yield at.move.faces - card + (1 << 2 * strange), None


def _other_suit(at: Position, rng: Random) -> Iterator[Tried]:
    """A card of another class in place of one of the led class."""
    own, rest = at.led & at.move.faces, at.hand - at.led
    if own and rest:
        yield at.move.faces - _one(own, rng) + _one(without(rest, at.move.faces), rng), None


def _other_cards(at: Position, rng: Random) -> Iterator[Tried]:
    """As many cards of the led class, whatever they are."""
    if at.trick and at.move.size > 1:
        yield from ((_some(at.led, at.move.size, rng), None) for _ in range(3))


def _more_or_fewer(at: Position, rng: Random) -> Iterator[Tried]:
    if at.trick:
        yield at.move.faces + _one(at.hand - at.move.faces, rng), None
        yield at.move.faces - _one(at.move.faces, rng), None


def _mixed(at: Position, rng: Random) -> Iterator[Tried]:
    """A lead of several classes."""
    if at.trick is None:
        yield at.move.faces + _one(at.hand - at.move.faces, rng), None


def _thrown_cards(at: Position, rng: Random, *, trumps: bool) -> Iterator[Faces]:
    """Several cards of one class, as leads."""
    masks = at.table.suits.masks.items()
    for suit, mask in masks if at.trick is None else ():
        if (suit == TRUMPS) == trumps:
            yield from (_some(at.hand & mask, number, rng) for number in (2, 3))


def _thrown_side_cards(at: Position, rng: Random) -> Iterator[Tried]:
    yield from ((cards, None) for cards in _thrown_cards(at, rng, trumps=False))


def _wrong_outcome(at: Position, rng: Random) -> Iterator[Tried]:
    """A throw that fails is said to stand; one that stands is said to have failed."""
    for cards in _thrown_cards(at, rng, trumps=True):
        yield cards, None
        yield _one(cards, rng), cards or None
    if at.trick is None and at.move.thrown is None:
        yield _one(at.move.faces, rng), at.move.faces


def _wrong_rest(at: Position, rng: Random) -> Iterator[Tried]:
    """Another part than the one that has to be led after a failed throw."""
    throws = [at.move.thrown] if at.move.thrown else list(_thrown_cards(at, rng, trumps=True))
    for cards in throws:
        yield from ((part.cards, cards) for part in parts_of(cards, at.table.suits))


not_held = _breach("P402", _strange)
suit_not_followed = _breach("T501", _other_suit)
pair_kept = _breach("T502", _other_cards)
tractor_kept = _breach("T503", _other_cards)
wrong_number = _breach("T504", _more_or_fewer)
no_lead = _breach("T505", _mixed)
side_suit_thrown = _breach("T506", _thrown_side_cards)
wrong_outcome_of_a_throw = _breach("T507", _wrong_outcome)
wrong_rest_of_a_throw = _breach("T508", _wrong_rest)


def after_the_end(hand: TrickHand, rng: Random) -> Record:
    """P406: one more move after the last trick, or after a surrender."""
    moves, players = tokens(hand.record.plays), hand.rules.deal.players
    seat = (moves[-1].seat + 1) % players if moves else hand.landlord or 0
    card = rng.choice(split_cards((hand.record.hands or [""])[seat] or ""))
    return replace(hand.record, plays=text_of(after(moves, seat, card)))


def buried_from_elsewhere(hand: TrickHand, rng: Random) -> Record | None:
    """T509: a card was buried that the landlord never had, or nothing was."""
    record, landlord = hand.record, hand.landlord
    if not hand.moves or record.buried is None or landlord is None or hand.bottom is None:
        return None
    have = set(numbers((hand.faces[landlord] or 0) + (hand.buried or 0)))
    strange = [face for number, face in enumerate(FACES) if number not in have]
    buried = [rng.choice(strange), *split_cards(record.buried)[1:]]
    return replace(record, buried="".join(buried) if rng.random() < 0.8 else None)


def no_trump_named(hand: TrickHand, _: Random) -> Record | None:
    """T510: the trump is missing."""
    return replace(hand.record, trump=None) if hand.moves else None


def card_of_a_removed_rank(hand: TrickHand, rng: Random) -> Record | None:
    """D204: a card that was taken out of the packs."""
    record, removed = hand.record, hand.rules.deal.removed_ranks
    if not removed or not record.bottom:
        return None
    card = rng.choice("SHCD") + rng.choice(removed)
    return replace(record, bottom=card + "".join(split_cards(record.bottom)[1:]))
