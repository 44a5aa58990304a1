"""What players could do and did in hands that the compiled loop proved, as flat arrays.

Knows how blocks and proofs (``ingest.bulk.layout``) are put to the compiled code that tells. What it tells says
``ingest.bulk.turns``.
"""

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.bulk.compiled import law as laws
from ingest.bulk.conduct_kernel import seated, tell
from ingest.bulk.layout import SEATS, Fact, Move, Text
from ingest.bulk.menus import Menus
from ingest.bulk.proofs import Proof
from ingest.bulk.spoken import Spoken, spoken_of
from ingest.bulk.telling import NO_LIMIT, can_tell, game_of, strengths
from ingest.bulk.texts_kernel import read_clocks, read_sets, run_clocks
from ingest.bulk.turns import DID, TURNS
from ingest.rules.answers import Standing
from ingest.rules.ruleset import Ruleset

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]
_LATEST = 1 << 40
"""Milliseconds beyond which a clock is not added up here: so sums of a thousand are exact as real numbers."""
_ASKED = [Move.SEAT, Move.BEFORE, Move.AFTER, Move.COUNTS]
"""What of a move ``ingest.bulk.turns.Move`` has, in its order."""


class Phase(Struct, frozen=True):
    """The times of one phase, its moves one hand behind the other."""

    firsts: Ints
    """Where those of each hand begin; one more than hands."""
    seats: Ints
    clocks: Ints
    """-1 where they are not known."""
    took: Ints
    """Milliseconds since the move before; -1 where they are not known."""


class Proven(Struct, frozen=True):
    """What is told of some proven hands of one block under one ruleset, a row a hand."""

    proof: Proof
    rows: Ints
    """Their rows in the block."""
    landlord: Ints
    counts: Words
    """Packed counts of each seat, then of the bottom, ``uint64[h, SEATS + 1]``."""
    faces: Words
    """The same by faces, two words each, ``uint64[h, SEATS + 1, 2]``."""
    suited: Flags
    """Whether all of these cards have their suits."""
    did: Ints
    """``ingest.bulk.turns.DID``."""
    strength: Ints
    """jokers, twos, bombs, rocket, plays, points of each seat before the bottom."""
    whole: Ints
    """The landlord's points with the bottom."""
    moves: Ints
    """The moves of these hands as ``ingest.bulk.layout.Move`` has them, one hand behind the other."""
    turns: Ints
    """``ingest.bulk.turns.Turn`` of each of these."""
    spoken: Spoken
    """Their auctions."""
    auction: Phase
    play: Phase

    @property
    def size(self) -> int:
        """How many hands."""
        return len(self.rows)

    @property
    def rules(self) -> Ruleset:
        """Their ruleset."""
        return self.proof.learned.rules

    @property
    def players(self) -> int:
        """Seats of each."""
        return self.rules.deal.players

    @property
    def is_void(self) -> Flags:
        """Which of them had no landlord."""
        void: Flags = self.landlord < 0
        return void


def told_rows(proof: Proof) -> Ints:
    """The proven hands of which compiled code tells everything: their clocks are not past reckoning."""
    told = proof.proven.copy() if can_tell(proof.learned.rules) else np.zeros_like(proof.proven)
    told[np.unique(proof.moves[proof.moves[:, Move.CLOCK] > _LATEST, Move.ROW])] = False
    rows = np.flatnonzero(told)
    spoken = spoken_of(proof, rows)
    clocks = _clocks(proof, rows, Text.AUCTION, spoken.firsts)
    late = np.repeat(np.arange(len(rows)), np.diff(spoken.firsts))[clocks > _LATEST]
    return np.delete(rows, np.unique(late))


def proven_of(proof: Proof, rows: Ints) -> Proven:
    """Tell those of ``told_rows``."""
    rules, landlord = proof.learned.rules, proof.facts[rows, Fact.LANDLORD]
    seats = [*range(Text.HAND, Text.HAND + SEATS), Text.BOTTOM]
    counts, faces, suited = _sets(proof, proof.block.texts[rows][:, seats])
    played = np.flatnonzero(landlord >= 0)
    begin = counts[:, :SEATS].copy()
    begin[played, landlord[played]] += _gained(proof, rows, counts)[played]
    moves, firsts = _moves(proof, rows)
    menus = _menus_of(proof)
    turns = np.zeros((len(moves), TURNS), np.int64)
    did = np.zeros((len(rows), SEATS, len(DID)), np.int64)
    asked, limits = np.ascontiguousarray(moves[:, _ASKED]), _limits(proof, rows, landlord)
    tell(firsts, landlord, asked, begin, limits, game_of(rules), menus.law, menus.plays, *seated(), turns, did)
    whole = np.zeros(len(rows), np.int64)
    whole[played] = strengths(begin[played, landlord[played]], rules)[:, -1]
    spoken = spoken_of(proof, rows)
    auction = _phase(_clocks(proof, rows, Text.AUCTION, spoken.firsts), spoken.firsts, spoken.seats, None)
    return Proven(
        proof, rows, landlord, counts, faces, suited, did, strengths(counts[:, : rules.deal.players], rules), whole,
        moves, turns, spoken, auction, _phase(moves[:, Move.CLOCK], firsts, moves[:, Move.SEAT], auction),
    )  # fmt: skip


def _menus_of(proof: Proof) -> Menus:
    """The menus of what stands in a proof; plays that were forgotten take theirs with them."""
    rules = proof.learned.rules
    known, menus = _MENUS.get(rules, (None, None))
    if menus is None or known is not proof.standings:
        menus = Menus(rules)
        _MENUS[rules] = proof.standings, menus
    menus.learn(proof.standings)
    return menus


_MENUS: dict[Ruleset, tuple[list[Standing], Menus]] = {}


def _sets(proof: Proof, spans: Any) -> tuple[Words, Words, Flags]:
    """Card texts as sets, one for each span."""
    shape = spans.shape[:-1]
    flat = np.ascontiguousarray(spans.reshape(-1, 2))
    counts, suited = np.zeros(len(flat), np.uint64), np.zeros(len(flat), np.bool_)
    faces = np.zeros((len(flat), 2), np.uint64)
    read_sets(proof.block.text, flat, counts, faces, suited)
    return counts.reshape(shape), faces.reshape(*shape, 2), suited.reshape(shape)


def _gained(proof: Proof, rows: Ints, counts: Words) -> Words:
    """What a landlord takes of the bottom."""
    if proof.learned.rules.deal.bottom_take == "all":
        bottom: Words = counts[:, SEATS]
        return bottom
    return _sets(proof, proof.block.texts[rows, Text.TAKEN])[0]


def _limits(proof: Proof, rows: Ints, landlord: Ints) -> Ints:
    """How many bombs each seat may throw, where the rules enforce it (E-R13)."""
    limits = np.full((len(rows), SEATS), NO_LIMIT, np.int64)
    if proof.learned.rules.bomb_limit.mode == "enforce":
        auctions = proof.facts[rows, Fact.AUCTION]
        limits[:] = proof.learned.law().auctions[auctions, laws.LIMIT : laws.LIMIT + SEATS]
        limits[np.arange(len(rows)), landlord] = NO_LIMIT
    return limits


def _moves(proof: Proof, rows: Ints) -> tuple[Ints, Ints]:
    sizes, begin = np.where(proof.facts[rows, Fact.LANDLORD] < 0, 0, proof.facts[rows, Fact.MOVES]), Fact.MOVE
    firsts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(sizes, out=firsts[1:])
    chosen = np.repeat(proof.facts[rows, begin] - firsts[:-1], sizes) + np.arange(firsts[-1])
    return proof.moves[chosen], firsts


def _clocks(proof: Proof, rows: Ints, text: Text, firsts: Ints) -> Ints:
    clocks = np.full(int(firsts[-1]), -1, np.int64)
    read_clocks(proof.block.text, np.ascontiguousarray(proof.block.texts[rows, text]), firsts, clocks)
    return clocks


def _phase(clocks: Any, firsts: Ints, seats: Any, before: Phase | None) -> Phase:
    """The times of a phase: since the last move of the phase before it, or the beginning where there was none."""
    start = np.zeros(len(firsts) - 1, np.int64)
    if before is not None and len(before.clocks):
        spoke = np.diff(before.firsts) > 0
        start[spoke] = before.clocks[before.firsts[1:][spoke] - 1]
    clocks, took = np.ascontiguousarray(clocks), np.empty(len(clocks), np.int64)
    run_clocks(clocks, firsts, start, took)
    return Phase(firsts, np.ascontiguousarray(seats), clocks, took)
