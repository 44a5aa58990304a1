"""The auctions of proven hands: what depends on the auction alone is told once of each, and then only pointed at.

Knows which auctions were learned. What is told of one say ``ingest.conduct`` and ``ingest.store``.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.audit import Hand
from ingest.bulk.layout import Fact, Number
from ingest.bulk.learning import Learned
from ingest.bulk.proofs import Proof
from ingest.record import PASS, Call, read_record
from ingest.store.conducts import called_before, spoken_columns
from ingest.store.recall import bidding_of
from ingest.store.replays import replay_of
from ingest.store.sketches import said

Ints = NDArray[np.int64]


class Auctioned(Struct, frozen=True):
    """What is told of one auction."""

    calls: Sequence[Call]
    robs: int | None
    seats: tuple[Sequence[Any], ...]
    """first_speaker, words, called_before … last_robs: one value a seat each."""


class Spoken(Struct, frozen=True):
    """The auctions of some hands."""

    few: list[Auctioned]
    """The different ones."""
    which: Ints
    """Which of them each hand had."""
    firsts: Ints
    """Where the actions of each hand begin, one hand behind the other; one more than hands."""
    actions: Ints
    """Of each action, which it is among those of ``few`` one behind the other."""

    @property
    def calls(self) -> list[Call]:
        """The actions of ``few``, one behind the other."""
        return [call for each in self.few for call in each.calls]

    @property
    def seats(self) -> Ints:
        """Who spoke, action by action."""
        seats = np.array([call.seat for call in self.calls], np.int64)
        said: Ints = seats[self.actions]
        return said

    @property
    def words(self) -> list[str]:
        """What the actions of ``few`` say."""
        return [call.word for call in self.calls]

    @property
    def passes(self) -> list[bool]:
        """Which of them are passes."""
        return [call.word == PASS for call in self.calls]


def spoken_of(proof: Proof, rows: Ints) -> Spoken:
    """The auctions of proven hands."""
    told = _told_of(proof.learned)
    numbers, first, which = np.unique(proof.facts[rows, Fact.AUCTION], return_index=True, return_inverse=True)
    few = [
        told.get(number) or told.setdefault(number, _auctioned(proof, int(rows[place])))
        for number, place in zip(numbers.tolist(), first.tolist(), strict=True)
    ]
    which = which.ravel()
    lengths = np.array([len(each.calls) for each in few], np.int64)
    begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    sizes = lengths[which] if few else np.zeros(0, np.int64)
    firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    actions = np.repeat(begin[:-1][which] - firsts[:-1], sizes) + np.arange(firsts[-1])
    return Spoken(few, which, firsts, actions)


@cache
def _told_of(learned: Learned) -> dict[int, Auctioned]:  # noqa: ARG001 - one for each
    """The learned auctions that were told, by their numbers."""
    return {}


def _auctioned(proof: Proof, row: int) -> Auctioned:
    """The auction of one hand."""
    start, stop = map(int, proof.block.numbers[row, [Number.START, Number.STOP]])
    record, rules = read_record(proof.block.bytes_of(start, stop))[0], proof.learned.rules
    hand = Hand(record=record, rules=rules, landlord=proof.auction(row).landlord)
    hand.bidding = bidding_of(record, rules)
    replay, size = replay_of(hand), rules.deal.players
    before = [called_before(replay.calls, seat) for seat in range(size)]
    return Auctioned(replay.calls, replay.robs, (*said(replay, size), before, *spoken_columns(hand)))
