"""Verdicts in short on proven hands, as numbers: what of a verdict a store keeps, without an object for each hand.

Knows how they are told from a proof. Every proven hand is clean.
"""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.bulk.codes import Codes
from ingest.bulk.compiled import law as laws
from ingest.bulk.layout import ABSENT, OUTCOMES, SHORT, Fact, Short
from ingest.bulk.proofs import Proof
from ingest.bulk.reported import Told
from ingest.verdict import Verdict


def no_numbers(size: int) -> NDArray[np.int64]:
    """Room for so many hands."""
    return np.full((size, SHORT), ABSENT, np.int64)


def tell_shortly(proof: Proof, numbers: NDArray[np.int64]) -> None:
    """Fill the rows of proven hands."""
    law, rows, players = proof.learned.law(), proof.rows, proof.learned.rules.deal.players
    auctions = law.auctions[proof.facts[rows, Fact.AUCTION]]
    worths = law.worths[proof.facts[rows, Fact.SETTLEMENT], laws.MULTIPLIER : laws.SCORE + players]
    told = np.empty((len(rows), Short.SCORE + players), np.int64)
    told[:, Short.OUTCOME] = proof.facts[rows, Fact.OUTCOME]
    has_landlord = auctions[:, laws.AUCTION_LANDLORD] >= 0
    told[:, Short.LANDLORD] = np.where(has_landlord, auctions[:, laws.AUCTION_LANDLORD], ABSENT)
    told[:, Short.BID] = np.where(has_landlord, auctions[:, laws.BID], ABSENT)
    told[:, Short.MULTIPLIER :] = worths
    numbers[rows, : told.shape[1]] = told


def told_by(row: NDArray[np.int64], codes: list[str] | None = None) -> Told:
    """What the numbers of one hand say; ``codes``: those of its notes."""
    outcome, *numbers = [None if number == ABSENT else number for number in row.tolist()]
    landlord, bid, multiplier, unit, *scores = numbers
    found = [score for score in scores if score is not None]
    return Told("clean", OUTCOMES[outcome or 0], landlord, bid, multiplier, unit, [*found], codes or [])


class Brief(Struct, frozen=True):
    """The verdicts on some entries in short, most of them as numbers alone."""

    numbers: NDArray[np.int64]
    """``int64[n, SHORT]``."""
    is_new: NDArray[np.bool_]
    """Whether the numbers say it, but for notes: the hand is clean and like no other."""
    notes: Codes
    """By place, the codes of the notes on these."""
    rest: Mapping[int, Verdict]
    """By place, the verdicts on the others."""

    def at(self, place: int) -> Told | Verdict:
        """What is said of one of them."""
        return told_by(self.numbers[place], self.notes.of(place)) if self.is_new[place] else self.rest[place]
