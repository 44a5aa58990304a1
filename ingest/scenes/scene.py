"""What is seen of a hand at one moment, and the cards that seats are seen to hold.

Knows cards as texts, each for itself. Refuses to know rules: who may play what is told by the games.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ingest.cards import RANKS, SUITS, Cards, UnreadableCards, split_cards
from ingest.hand import Term
from ingest.record import Call, Move

Phase = Literal["deal", "auction", "bottom", "play", "end"]
Reading = tuple[str, int]
"""Name and length of what a play stands for."""


class Option(Struct, frozen=True):
    """Something that could have been played."""

    cards: list[str]
    reading: Reading | None = None


class Scene(Struct, frozen=True, kw_only=True):
    """What is seen after something has happened. Lists go by seat."""

    phase: Phase
    index: int | None = None
    """The number of the move within its phase."""
    seat: int | None = None
    """Who acted."""
    word: str | None = None
    """What was said in the auction."""
    cards: list[str] | None = None
    """What was played, taken or buried; none for a pass."""
    thrown: list[str] | None = None
    """三打哈: the cards of a throw that failed."""
    judged: bool = True
    """Whether the audit came so far; else it is told as the log has it."""
    hands: list[list[str] | None]
    """Cards held, highest first; None where they are hidden."""
    left: list[int]
    """How many cards each seat has."""
    table: list[list[str] | None]
    """What lies before each seat: its cards, nothing for a pass, None where it did not act in this trick."""
    readings: list[Reading] = []
    """What the play stands for."""
    owner: int | None = None
    """Whose cards are to be beaten, or win the trick so far."""
    options: list[Option] | None = None
    """What the seat could have played; None where that is not known."""
    more: bool = False
    """Whether there was more."""
    landlord: int | None = None
    bid: int | None = None
    terms: list[Term] = []
    """What is multiplied so far: base, bid and factors; the factors alone while there is no landlord."""
    multiplier: int | None = None
    unit: int | None = None
    """The product of all terms, or less where the rules cap it; None while there is no landlord."""
    trick: int | None = None
    """三打哈: the number of the trick, from 1."""
    trick_points: int | None = None
    """三打哈: points among its cards so far."""
    points: int | None = None
    """三打哈: points that the three have won."""


class Seats:
    """The cards that seats are seen to hold while a hand goes on."""

    def __init__(self, hands: Sequence[Sequence[str] | None], left: Sequence[int], moves: Sequence[Move]) -> None:
        """``moves``: where a play of a seat names no suits, nobody knows which of its cards went; they lose theirs."""
        bare = {move.seat for move in moves if move.cards is not None and not move.cards.suited}
        self.held = [
            None if cards is None else [card[-1:] if seat in bare else card for card in cards]
            for seat, cards in enumerate(hands)
        ]
        self.left = list(left)

    def gain(self, seat: int, cards: Sequence[str] | None, size: int) -> None:
        """A seat takes cards up; where they are not known, nor is the hand."""
        own = self.held[seat]
        bare = own is not None and any(len(card) == 1 and card not in "BR" for card in own)
        self.left[seat] += size
        if own is None or cards is None:
            self.held[seat] = None
        else:
            own.extend(card[-1:] if bare else card for card in cards)

    def lose(self, seat: int, cards: Sequence[str]) -> None:
        """Cards leave a seat, as far as it has them."""
        if not 0 <= seat < len(self.left):
            return
        self.left[seat] = max(self.left[seat] - len(cards), 0)
        own = self.held[seat]
        for card in cards if own is not None else ():
            gone = _one_like(card, own or [])
            if gone is not None and own is not None:
                own.remove(gone)

    def shown(self, strength: dict[str, int] | None = None) -> list[list[str] | None]:
        """What each seat holds, highest first. ``strength``: by face, where suits matter."""
        return [None if own is None else in_order(own, strength) for own in self.held]


def _one_like(card: str, own: Sequence[str]) -> str | None:
    """The card of a hand that a written one is: the same, else one of its rank where either lacks its suit."""
    if card in own:
        return card
    return next((held for held in own if held[-1] == card[-1] and 1 in (len(held), len(card))), None)


def in_order(cards: Sequence[str], strength: dict[str, int] | None = None) -> list[str]:
    """Cards from the highest down."""
    known = strength or {}
    return sorted(cards, key=lambda card: (-known.get(card, RANKS.index(card[-1])), SUITS.find(card[0])))


def each(text: str | None) -> list[str] | None:
    """The cards of a text, each for itself; None where there is none or it cannot be read."""
    if text is None:
        return None
    try:
        return split_cards(text)
    except UnreadableCards:
        return None


def played(move: Move) -> list[str]:
    """The cards of a move."""
    return [] if move.cards is None else each(move.text) or []


def size_of(cards: Cards | None) -> int:
    """How many cards, 0 where they are not known."""
    return 0 if cards is None else cards.size


def is_seat(seat: int, players: int) -> bool:
    """Whether there is such a seat: beyond a fault a log may name any."""
    return 0 <= seat < players


def said_so_far(calls: Sequence[Call], index: int, players: int) -> int | None:
    """The highest number that was bid up to a call."""
    bids = [call.bid for call in calls[: index + 1] if call.bid is not None and is_seat(call.seat, players)]
    return max(bids, default=None)
