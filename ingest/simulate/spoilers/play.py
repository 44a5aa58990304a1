"""Spoilers of the play: turns, cards, combinations, the end (P401 … P412)."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from ingest.audit import Hand
from ingest.cards import read_cards, split_cards
from ingest.hand import Story
from ingest.record import PASS, READING_NAMES, Record
from ingest.rules.answers import answers_of
from ingest.simulate.spoilers.tokens import Token, after, text_of, tokens, with_seat, with_what


def out_of_turn(hand: Story, rng: Random) -> Record | None:
    """P401: another seat moves."""
    moves, players = tokens(hand.record.plays), hand.rules.deal.players
    if not moves:
        return None
    index = rng.randrange(len(moves))
    return _with(hand, with_seat(moves, index, (moves[index].seat + rng.randrange(1, players)) % players))


def not_held(hand: Hand, rng: Random) -> Record | None:
    """P402: a card of the same rank that lies elsewhere, or else any card that does, is played instead."""
    moves = tokens(hand.record.plays)
    index = _any_play(moves, rng)
    if index is None:
        return None
    cards = split_cards(moves[index].cards)
    place = rng.randrange(len(cards))
    strange = list((Counter(_all_cards(hand.record)) - Counter(_held(hand, moves, index))).elements())
    alike = [card for card in strange if card[-1] == cards[place][-1]]
    cards[place] = rng.choice(alike or strange)
    return _with(hand, with_what(moves, index, "".join(cards)))


def no_combination(hand: Hand, rng: Random) -> Record | None:
    """P403: one card too many, or other cards, are played along."""
    moves = tokens(hand.record.plays)
    index = _any_play(moves, rng)
    if index is None:
        return None
    cards = split_cards(moves[index].cards)
    rest = list((Counter(_held(hand, moves, index)) - Counter(cards)).elements())
    more = rng.sample(rest, min(len(rest), rng.choice((1, 1, 2))))
    return _with(hand, with_what(moves, index, "".join([*cards, *more])))


def too_low(hand: Hand, rng: Random) -> Record | None:
    """P404: instead of a pass a seat plays what it led or answered later, which does not beat what lies there."""
    moves = tokens(hand.record.plays)
    passes = [index for index, move in enumerate(moves) if move.passes]
    if not passes:
        return None
    index = rng.choice(passes)
    later = [i for i in range(index + 1, len(moves)) if moves[i].seat == moves[index].seat and not moves[i].passes]
    if not later:
        return None
    source = rng.choice(later)
    return _with(hand, with_what(with_what(moves, index, moves[source].cards), source, PASS))


def pass_when_leading(hand: Hand, rng: Random) -> Record | None:
    """P405: a leader passes."""
    moves = tokens(hand.record.plays)
    leads = [i for i, move in enumerate(moves) if not move.passes and _leads(moves, i, hand)]
    return _with(hand, with_what(moves, rng.choice(leads), PASS)) if leads else None


def after_the_end(hand: Hand, rng: Random) -> Record | None:
    """P406: one more move after a seat went out."""
    moves, players = tokens(hand.record.plays), hand.rules.deal.players
    if not moves:
        return None
    seat = (moves[-1].seat + 1) % players
    rest = _held(hand, moves, len(moves), seat)
    return _with(hand, after(moves, seat, rng.choice((PASS, rest[0] if rest else PASS))))


def not_finished(hand: Story, rng: Random) -> Record | None:
    """P407: the last moves are missing."""
    moves = tokens(hand.record.plays)
    return _with(hand, moves[: -rng.randint(1, min(6, len(moves)))]) if moves else None


def wrong_reading(hand: Hand, rng: Random) -> Record | None:
    """P409: a play declares a reading that its cards do not have."""
    moves = tokens(hand.record.plays)
    index = _any_play(moves, rng)
    if index is None:
        return None
    found = answers_of(hand.rules).readings(read_cards(moves[index].cards).counts)
    others = sorted(READING_NAMES - {reading.name for reading in found})
    return _with(hand, with_what(moves, index, f"{moves[index].cards}={rng.choice(others)}"))


def same_move_twice(hand: Story, rng: Random) -> Record | None:
    """P411: a move stands twice in succession."""
    moves = tokens(hand.record.plays)
    if len(moves) < 2:
        return None
    index = rng.randrange(len(moves) - 1)
    return _with(hand, [*moves[: index + 1], *moves[index:]])


def pass_though_able(hand: Hand, rng: Random) -> Record | None:
    """P412: a seat that answered passes instead, where the rules force it to beat."""
    moves = tokens(hand.record.plays)
    answered = [i for i, move in enumerate(moves) if not move.passes and not _leads(moves, i, hand)]
    return _with(hand, with_what(moves, rng.choice(answered), PASS)) if answered else None


def _with(hand: Story, moves: Sequence[Token]) -> Record:
    return replace(hand.record, plays=text_of(moves))


def _any_play(moves: Sequence[Token], rng: Random) -> int | None:
    plays = [index for index, move in enumerate(moves) if not move.passes]
    return rng.choice(plays) if plays else None


def _leads(moves: Sequence[Token], index: int, hand: Hand) -> bool:
    """Whether a move opens a trick."""
    closing = hand.rules.trick.close_passes
    return index == 0 or (index >= closing and all(move.passes for move in moves[index - closing : index]))


def _all_cards(record: Record) -> list[str]:
    return [card for text in (*(record.hands or ()), record.bottom, record.dead) for card in split_cards(text or "")]


def _held(hand: Hand, moves: Sequence[Token], index: int, seat: int | None = None) -> list[str]:
    """What a seat (the one that moves) holds before a move."""
    record, seat = hand.record, moves[index].seat if seat is None else seat
    assert record.hands is not None
    cards = Counter(split_cards(record.hands[seat] or ""))
    if seat == hand.landlord:
        cards += Counter(split_cards((record.bottom if record.taken is None else record.taken) or ""))
    for move in moves[:index]:
        if move.seat == seat and not move.passes:
            cards -= Counter(split_cards(move.cards))
    return list(cards.elements())
