"""Spoilers of the deal: too many cards, too few, or not these (D201 … D208)."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from ingest.audit import Hand
from ingest.cards import split_cards
from ingest.hand import Story
from ingest.record import Record


def hand_of_wrong_size(hand: Story, rng: Random) -> Record:
    """D201: a hand lacks its last card, or has one of another hand as well."""
    texts = _hands(hand.record)
    seat = rng.randrange(len(texts))
    cards = split_cards(texts[seat])
    other = split_cards(texts[seat - 1])
    changed = cards[:-1] if rng.random() < 0.5 else [*cards, rng.choice(other)]
    return _with_hand(hand.record, seat, changed)


def bottom_of_wrong_size(hand: Story, rng: Random) -> Record | None:
    """D202: the bottom, the cards out of play, or those that were buried lack a card."""
    fields = [field for field in ("bottom", "dead", "buried") if getattr(hand.record, field)]
    if not fields:
        return None
    field = rng.choice(fields)
    return replace(hand.record, **{field: "".join(split_cards(getattr(hand.record, field))[1:])})


def card_twice(hand: Story, rng: Random) -> Record:
    """D203: a card stands in the place of another one that the pack has, too."""
    texts = _hands(hand.record)
    seat = rng.randrange(len(texts))
    cards, other = split_cards(texts[seat]), split_cards(texts[seat - 1])
    cards[rng.randrange(len(cards))] = rng.choice(other)
    return _with_hand(hand.record, seat, cards)


def marker_in_bottom(hand: Hand, rng: Random) -> Record | None:
    """D205: the marked card has changed places with one of the bottom."""
    record, marker = hand.record, hand.record.marker
    if not hand.rules.deal.marker_not_in_bottom or marker is None or not record.bottom:
        return None
    bottom = split_cards(record.bottom)
    place = rng.randrange(len(bottom))
    seat = next(seat for seat, text in enumerate(_hands(record)) if marker in split_cards(text))
    cards = [bottom[place] if card == marker else card for card in split_cards(_hands(record)[seat])]
    bottom[place] = marker
    return replace(_with_hand(record, seat, cards), bottom="".join(bottom))


def wrong_first_speaker(hand: Hand, rng: Random) -> Record | None:
    """D206: the record names another first speaker than the rules do."""
    if hand.first is None or hand.rules.auction.first == "log":
        return None
    others = [seat for seat in range(hand.rules.deal.players) if seat != hand.first]
    return replace(hand.record, first=rng.choice(others))


def taken_from_elsewhere(hand: Hand, rng: Random) -> Record | None:
    """D208: the landlord took a card that is not in the bottom."""
    if hand.rules.deal.bottom_take != "subset" or not hand.record.taken:
        return None
    elsewhere = split_cards(rng.choice(_hands(hand.record)))
    return replace(hand.record, taken="".join([*split_cards(hand.record.taken)[1:], rng.choice(elsewhere)]))


def _hands(record: Record) -> list[str]:
    assert record.hands is not None
    return [text or "" for text in record.hands]


def _with_hand(record: Record, seat: int, cards: Sequence[str]) -> Record:
    texts = _hands(record)
    return replace(record, hands=["".join(cards) if place == seat else text for place, text in enumerate(texts)])
