"""Proven hands as rows of ``seats``, without a Python object for each.

Knows which columns depend on what. What they mean says ``ingest.store.schema``; how a hand that is not proven gets
them, ``ingest.store.sketches``.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from ingest.bulk.arrays import column, listed, numbers, texts_at
from ingest.bulk.clock_columns import time_columns
from ingest.bulk.deal_columns import dealt_columns
from ingest.bulk.hand_rows import Columns
from ingest.bulk.layout import ABSENT, Fact, Number, Text
from ingest.bulk.names import names_at
from ingest.bulk.proven import Flags, Ints, Proven
from ingest.bulk.turns import COUNTED, DID
from ingest.rules.settlement import base_of, due
from ingest.store.schema import SEATS
from ingest.store.sketches import COPIED, is_decided, positions, roles

_AT = {name: place for place, name in enumerate(DID)}
_OF_AUCTION = (
    "first_speaker", "words", "called_before", "bid_turns", "overbids", "rob_turns", "robs", "last_turns", "last_robs",
)  # fmt: skip
_PLAYED = ("plays", "passes", "bombs", "rockets", "cards_left")
_STRENGTH = ("dealt_jokers", "dealt_twos", "dealt_bombs", "dealt_rocket", "dealt_plays", "dealt_points")


def seat_columns(told: Proven, hands: Columns) -> Columns:
    """The columns of ``seats`` but the hand's number, its seats in order. ``hands``: those of ``hands``."""
    size, players = told.size, told.players
    places = pa.array(np.repeat(np.arange(size), players))
    return {
        "seat": column(SEATS, "seat", np.tile(np.arange(players), size)),
        **_people(told),
        **{name: hands[name].take(places) for name in COPIED},
        **_by_landlord(told),
        **_results(told),
        **{name: column(SEATS, name, _did(told, name), _by_seat(told, told.is_void)) for name in _PLAYED},
        **_auctions(told),
        **_strengths(told),
        **_counts(told),
        **time_columns(told, hands["duration"].is_null().to_numpy(zero_copy_only=False)),
        **dealt_columns(told),
    }


def _by_seat(told: Proven, values: Any) -> Any:
    """A value of each hand for each of its seats."""
    return np.repeat(values, told.players)


def _did(told: Proven, name: str) -> Any:
    return told.did[:, : told.players, _AT[name]]


def _people(told: Proven) -> Columns:
    """player, name, bot."""
    block, rows, players = told.proof.block, told.rows, told.players
    bots = block.numbers[rows][:, Number.BOT : Number.BOT + players]
    return {
        "player": texts_at(block.text, block.texts[rows][:, Text.PLAYER : Text.PLAYER + players]),
        "name": names_at(block, block.texts[rows][:, Text.NAME : Text.NAME + players]),
        "bot": column(SEATS, "bot", bots == 1, bots < 0),
    }


def _by_landlord(told: Proven) -> Columns:
    """role, position."""
    players, seated = told.players, [None, *range(told.players)]
    places = _blocks(told.landlord + 1, players)
    return {
        "role": listed(SEATS, "role", [*chain.from_iterable(roles(who, players) for who in seated)]).take(places),
        "position": listed(SEATS, "position", _positions(seated, players)).take(places),
    }


def _positions(seated: Sequence[int | None], players: int) -> list[str | None]:
    return [*chain.from_iterable(positions(who, players) for who in seated)]


def _blocks(numbers: Ints, width: int) -> pa.Array:
    """The places of so many neighbours for each of these numbers of blocks."""
    return pa.array((width * numbers[:, None] + np.arange(width)).ravel())


def _results(told: Proven) -> Columns:
    """base, won, score … claimed_balance."""
    proof, rows, players = told.proof, told.rows, told.players
    of_row = proof.block.numbers[rows]
    scores = proof.scores(rows)
    before = of_row[:, Number.BALANCE : Number.BALANCE + players]
    claimed = of_row[:, Number.SCORE : Number.SCORE + players]
    balances = of_row[:, Number.CLAIMED_BALANCE : Number.CLAIMED_BALANCE + players]
    has_scores, has_balances = (of_row[:, name] == players for name in (Number.SCORES, Number.BALANCES))
    won, owed, unpaid = _won_and_owed(told)
    return {
        "base": column(SEATS, "base", _by_seat(told, _each(of_row[:, Number.BASE], lambda b: base_of(b, told.rules)))),
        "won": column(SEATS, "won", won, _by_seat(told, told.is_void)),
        "score": column(SEATS, "score", scores),
        "due": column(SEATS, "due", owed, unpaid),
        "claimed_score": numbers(SEATS, "claimed_score", np.where(has_scores[:, None], claimed, ABSENT)),
        "balance_before": numbers(SEATS, "balance_before", before),
        "balance_after": numbers(SEATS, "balance_after", np.where(before == ABSENT, ABSENT, before + scores)),
        "claimed_balance": numbers(SEATS, "claimed_balance", np.where(has_balances[:, None], balances, ABSENT)),
    }


def _each(values: Ints, ask: Callable[[int], int]) -> Ints:
    few, places = np.unique(values, return_inverse=True)
    answers: Ints = np.array([ask(value) for value in few.tolist()], np.int64)[places.ravel()]
    return answers


def _won_and_owed(told: Proven) -> tuple[Any, Any, Flags]:
    """By hand and seat who won, what a farmer was to pay or get, and where there is no such thing."""
    facts, players, learned = told.proof.facts[told.rows], told.players, told.proof.learned
    few, first, places = np.unique(facts[:, Fact.SETTLEMENT], return_index=True, return_inverse=True)
    won, owed, known = np.zeros((len(few), players), np.bool_), np.empty(len(few), np.int64), learned.of_worths(_owes)
    for at, (number, row) in enumerate(zip(few.tolist(), first.tolist(), strict=True)):
        won[at, learned.worths[number].winners] = True
        owes = known.get(number)
        if owes is None:
            owes = known[number] = _owes(told, number, row)
        owed[at] = owes
    places = places.ravel()
    of_seats = np.repeat(owed[places][:, None], players, axis=1)
    landlord = told.landlord[:, None] == np.arange(players)
    return won[places], of_seats, (of_seats == ABSENT) | landlord


def _owes(told: Proven, settlement: int, row: int) -> int:
    """What a farmer owes by a settlement, which that of a row is; base and bid are the same wherever it is."""
    learned, worth = told.proof.learned, told.proof.learned.worths[settlement]
    if worth.settled.unit is None or not is_decided(worth.outcome):
        return ABSENT
    base = int(told.proof.block.numbers[told.rows[row], Number.BASE])
    bid = learned.auctions[told.proof.facts[told.rows[row], Fact.AUCTION]].bid
    owes = due(base, bid or 0, worth.settled.factors, told.rules)
    return ABSENT if owes is None else owes


def _auctions(told: Proven) -> Columns:
    """first_speaker … last_robs."""
    few, players = told.spoken.few, told.players
    places = _blocks(told.spoken.which, players)
    nothing = (None,) * players
    return {
        name: listed(SEATS, name, [*chain.from_iterable(each.seats[at] or nothing for each in few)]).take(places)
        for at, name in enumerate(_OF_AUCTION)
    }


def _strengths(told: Proven) -> Columns:
    """dealt_jokers … went_out."""
    points = told.strength[..., len(_STRENGTH) - 1]
    idle = _by_seat(told, np.diff(told.play.firsts) == 0)
    mine = told.landlord[:, None] == np.arange(told.players)
    out = told.proof.facts[told.rows, Fact.WINNER][:, None] == np.arange(told.players)
    return {
        **{name: column(SEATS, name, told.strength[..., at]) for at, name in enumerate(_STRENGTH)},
        "taken_points": column(SEATS, "taken_points", told.whole[:, None] - points, ~mine.ravel() | idle),
        "bombs_held": column(SEATS, "bombs_held", _did(told, "bombs_held"), idle),
        "bombs_unplayed": column(SEATS, "bombs_unplayed", _did(told, "bombs_unplayed"), idle),
        "went_out": column(SEATS, "went_out", out, _by_seat(told, told.is_void)),
    }


def _counts(told: Proven) -> Columns:
    """leads … cards_won; null where nothing was played."""
    idle = _by_seat(told, np.diff(told.play.firsts) == 0)
    return {name: column(SEATS, name, _did(told, name), idle) for name in DID[:COUNTED]}
