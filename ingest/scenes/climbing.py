"""The scenes of a climbing game: deal, auction, bottom, plays, and the multiplier as it grows.

What could have been played is asked of ``ingest.rules.options``, what was to be beaten of ``ingest.conduct``.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ingest.audit import Hand
from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS
from ingest.conduct import Turn, turns
from ingest.hand import Term, is_zero_sum
from ingest.record import ROB
from ingest.rules.answers import Answers, answers_of
from ingest.rules.climbing import Played, bombs_and_rockets
from ingest.rules.options import options
from ingest.rules.settlement import Facts, base_of, factors_of, multiplier_of, stake_of
from ingest.scenes.scene import (
    Option,
    Scene,
    Seats,
    each,
    in_order,
    is_seat,
    played,
    said_so_far,
    size_of,
)

OFFERED = 40
"""Plays that are named of those that were possible; a hand can have a hundred thousand."""


def scenes(hand: Hand) -> Iterator[Scene]:
    """One scene after another, the hands open as far as the record shows them."""
    dealt, players = hand.dealt, len(hand.record.players)
    assert dealt is not None
    texts = hand.record.hands or [None] * players
    hands = [each(text) for text in texts]
    left = [hand.rules.deal.hand if cards is None else len(cards) for cards in hands]
    seats = Seats(hands, left, hand.moves)
    nothing: list[list[str] | None] = [None] * players
    yield Scene(phase="deal", hands=seats.shown(), left=list(seats.left), table=nothing, **_worth(hand, None, 0))
    yield from _auction(hand, seats)
    if hand.landlord is not None and hand.outcome != "void":
        yield from _bottom(hand, seats)
    yield from _plays(hand, seats)


def _auction(hand: Hand, seats: Seats) -> Iterator[Scene]:
    players = len(hand.record.players)
    table: list[list[str] | None] = [None] * players
    robs = 0
    for index, call in enumerate(hand.calls):
        robs += call.word == ROB
        worth = _worth(hand, None, robs) | {"bid": said_so_far(hand.calls, index, players)}
        yield Scene(
            phase="auction", index=index, seat=call.seat, word=call.word, judged=hand.bidding is not None,
            hands=seats.shown(), left=list(seats.left), table=table, **worth,
        )  # fmt: skip


def _bottom(hand: Hand, seats: Seats) -> Iterator[Scene]:
    """The landlord takes the bottom, or as much of it as the game lets him."""
    assert hand.landlord is not None
    deal, dealt = hand.rules.deal, hand.dealt
    if not deal.bottom or dealt is None:
        return
    whole = deal.bottom_take == "all"
    text = hand.record.bottom if whole else hand.record.taken
    cards, size = each(text), deal.bottom if whole else size_of(dealt.taken)
    seats.gain(hand.landlord, cards if whole else cards or [], size)
    if deal.bottom_take == "swap" and hand.record.buried is not None:
        seats.lose(hand.landlord, each(hand.record.buried) or [])
    yield Scene(
        phase="bottom", seat=hand.landlord, cards=None if cards is None else in_order(cards), hands=seats.shown(),
        left=list(seats.left), table=[None] * len(seats.left), **_worth(hand, None),
    )  # fmt: skip


def _plays(hand: Hand, seats: Seats) -> Iterator[Scene]:
    known = {turn.index: turn for turn in turns(hand)}
    answers, judged, players = answers_of(hand.rules), hand.judged_moves(), len(seats.left)
    table: list[list[str] | None] = [None] * players
    owner: int | None = None
    for index, move in enumerate(hand.moves):
        turn = known.get(index)
        if turn is not None and turn.standing is None:
            table, owner = [None] * players, None
        could = _could(turn, seats, answers) if turn is not None else (None, False)
        cards = played(move)
        seats.lose(move.seat, cards)
        if is_seat(move.seat, players):
            table = [cards if seat == move.seat else lying for seat, lying in enumerate(table)]
        owner = move.seat if cards else owner
        yield Scene(
            phase="play", index=index, seat=move.seat, cards=in_order(cards), judged=index < judged,
            hands=seats.shown(), left=list(seats.left), table=table, readings=hand.readings_of(index), owner=owner,
            options=could[0], more=could[1], **_worth(hand, index),
        )  # fmt: skip


# --- what could have been played


def _could(turn: Turn, seats: Seats, answers: Answers) -> tuple[list[Option] | None, bool]:
    """What a seat could have played instead, cheapest first, and whether there was more."""
    held, own = turn.held[turn.seat], seats.held[turn.seat]
    if held is None or own is None:
        return None, False
    standing = turn.standing or answers.lead
    found = list(islice(options(held, standing, answers), OFFERED + 1))
    offered = [_option(counts, own, turn, answers) for counts in found[:OFFERED]]
    return offered, len(found) > OFFERED


def _option(counts: int, own: Sequence[str], turn: Turn, answers: Answers) -> Option:
    now = answers.answer(turn.standing or answers.lead, counts)
    reading = None if now is None or not now.readings else now.readings[0]
    return Option(_picked(counts, own), None if reading is None else (reading.name, reading.length))


def _picked(counts: int, own: Sequence[str]) -> list[str]:
    """Cards of a hand with these counts, highest first."""
    wanted = {rank: counts >> RANK_BITS * place & RANK_LIMIT for place, rank in enumerate(RANKS)}
    picked = []
    for card in reversed(in_order(own)):
        if wanted[card[-1]]:
            wanted[card[-1]] -= 1
            picked.append(card)
    return in_order(picked)


# --- what the hand is worth so far


def _worth(hand: Hand, index: int | None, robs: int | None = None) -> dict[str, Any]:
    """Landlord, bid, factors, multiplier and unit after a play; before the first where ``index`` is None.

    ``robs``: how often 抢地主 was said so far, while the auction goes on.
    """
    facts = _facts(hand, index, robs)
    factors = factors_of(facts, hand.rules)
    multiplier = multiplier_of(factors, hand.rules.score)
    told = [Term(factor.name, factor.factor, factor.count) for factor in factors]
    if robs is not None or hand.landlord is None or hand.bid is None:
        return {"terms": told, "multiplier": multiplier}
    known = {"landlord": hand.landlord, "bid": hand.bid, "multiplier": multiplier}
    if not is_zero_sum(hand.rules):
        return known
    base, stake = base_of(facts.base, hand.rules), stake_of(facts.base, facts.bid, hand.rules)
    first = [Term("base", base), Term("bid", stake // base)]
    return known | {"terms": [*first, *told], "unit": stake * multiplier}


def _facts(hand: Hand, index: int | None, robs: int | None) -> Facts:
    """What the score depends on, as far as a hand has come."""
    if index is not None and hand.facts is not None and index == len(hand.moves) - 1:
        return hand.facts
    record, bidding, played_so_far = hand.record, hand.bidding, hand.played
    until = [] if played_so_far is None or index is None else [place for place in played_so_far.bombs if place <= index]
    stands = [] if played_so_far is None else played_so_far.stands
    bombs, rockets = bombs_and_rockets(Played([], [], stands=stands, bombs=until), hand.moves)
    return Facts(
        base=record.base,
        bid=hand.bid or 1,
        voids=record.voids,
        marker=None if hand.dealt is None else hand.dealt.marker,
        open=record.open,
        robs=(0 if bidding is None else bidding.robs) if robs is None else robs,
        bombs=bombs,
        rockets=rockets,
        landlord=hand.landlord or 0,
    )
