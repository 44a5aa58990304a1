"""Blocks in, proofs out: which hands are plainly clean, with everything that their verdicts say, as flat arrays.

What the compiled loop has not met before is learned here, hand by hand and ever more rarely.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.bulk.blocks import Block
from ingest.bulk.compiled import law as laws
from ingest.bulk.compiled.prove import prove, workspace
from ingest.bulk.compiled.prove_again import prove_again
from ingest.bulk.compiled.replay import CLEAN, NOT_SURE, UNKNOWN_AUCTION, UNKNOWN_PLAY, UNKNOWN_SHORT, UNKNOWN_WORTH
from ingest.bulk.layout import ABSENT, BEYOND, DIGESTS, EVENTS, FACTS, MOVES, RULED, Event, Fact, Number, Text
from ingest.bulk.learning import Auction, Learned, Worth, is_told
from ingest.bulk.unproven import identity_of
from ingest.faults import Finding
from ingest.identity import Identity
from ingest.rules.answers import Standing, answers_of
from ingest.rules.ruleset import AnyRuleset, Ruleset

_EVENTS_PER_HAND = 4
Rows = NDArray[np.int64]


class Proof(Struct, frozen=True):
    """What the compiled loop found of the hands of a block, row by row. Rows of hands not proven mean nothing."""

    block: Block
    learned: Learned
    standings: list[Standing]
    """By number, what stands in ``events`` and ``moves``."""
    proven: NDArray[np.bool_]
    rows: Rows
    """Those that are proven."""
    facts: Rows
    digests: NDArray[np.uint64]
    moves: Rows
    """With no rows where moves were not asked for."""
    events: Rows
    status: NDArray[np.uint8]
    """What is said of each hand (``compiled.replay``)."""
    words: NDArray[np.uint64]
    """What beside ``facts`` is known of a hand that stops."""

    def findings(self, row: int) -> list[Finding]:
        """The notes on a proven hand, in the order of the audit."""
        facts = self.facts[row]
        first = facts[Fact.EVENT]
        events = [self.finding(event) for event in self.events[first : first + facts[Fact.EVENTS]].tolist()]
        events.sort(key=lambda finding: (finding.index or 0, -_RANK[finding.code]))
        return [*self.auction(row).findings, *events, *self.worth(row).findings]

    def finding(self, event: Sequence[int]) -> Finding:
        """The note that an event calls for."""
        index, seat, first, second = (event[column] for column in (Event.INDEX, Event.SEAT, Event.FIRST, Event.SECOND))
        if event[Event.KIND] == BEYOND:
            return Finding("P408", index, seat, {"count": first, "limit": second})
        cards = self.block.bytes_of(event[Event.START], event[Event.STOP]).decode()
        switches = answers_of(self.learned.rules).deciding_switches(self.standings[first], second)
        return Finding("P410", index, seat, {"cards": cards, "switches": switches})

    def worth(self, row: int) -> Worth:
        """How a proven hand ended and what it is worth."""
        return self.learned.worths[int(self.facts[row, Fact.SETTLEMENT])]

    def auction(self, row: int) -> Auction:
        """The auction of a proven hand."""
        return self.learned.auctions[int(self.facts[row, Fact.AUCTION])]

    def id(self, row: int) -> str:
        """The id of a hand."""
        start, stop = self.block.texts[row, Text.ID]
        return self.block.bytes_of(start, stop).decode()

    def balances(self, row: int) -> list[int | None] | None:
        """The balances after a proven hand; None where none is known."""
        players, scores = self.learned.rules.deal.players, self.worth(row).settled.scores
        before = self.block.numbers[row, Number.BALANCE : Number.BALANCE + players].tolist()
        if scores is None or all(has == ABSENT for has in before):
            return None
        return [None if has == ABSENT else has + score for has, score in zip(before, scores, strict=True)]

    def scores(self, rows: Rows) -> Rows:
        """``int64[n, players]``: the scores of these hands."""
        scores: Rows = self.learned.scores(self.facts[rows, Fact.SETTLEMENT])
        return scores

    def is_noted(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether there are notes on these hands."""
        noted: NDArray[np.bool_] = self.facts[rows, Fact.NOTES] > 0
        return noted

    def notes(self, rows: Rows) -> list[tuple[str, Rows]]:
        """Codes, and those of these hands on which they are noted, as often as they are."""
        found: list[tuple[str, Rows]] = []
        if len(self.events):
            is_asked = np.zeros(len(self.proven), np.bool_)
            is_asked[rows] = True
            events = self.events[is_asked[self.events[:, Event.ROW]]]
            found += [(code, events[events[:, Event.KIND] == kind, Event.ROW]) for kind, code in _CODES.items()]
        is_more = self.facts[:, Fact.NOTES] > self.facts[:, Fact.EVENTS]
        rows = rows[is_more[rows]]
        for things, places in self._things(rows):
            counts: dict[str, Rows] = {}
            for number, thing in enumerate(things):
                for finding in thing.findings:
                    counts.setdefault(finding.code, np.zeros(len(things), np.int64))[number] += 1
            found += [(code, np.repeat(rows, count[places])) for code, count in counts.items()]
        return [(code, noted) for code, noted in found if len(noted)]

    def _things(self, rows: Rows) -> Iterator[tuple[Sequence[Auction | Worth], Rows]]:
        """The different auctions, and the different worths, of hands, and which of them each has."""
        learned: Sequence[tuple[int, Sequence[Auction | Worth]]] = (
            (Fact.AUCTION, self.learned.auctions), (Fact.SETTLEMENT, self.learned.worths)
        )  # fmt: skip
        for column, things in learned:
            few, places = np.unique(self.facts[rows, column], return_inverse=True)
            yield [things[number] for number in few], places.ravel()

    def identity(self, row: int) -> Identity:
        """What a proven hand is recognised by."""
        return identity_of(self.digests[row], self.learned.rules.deal.players)


_CODES = {RULED: "P410", BEYOND: "P408"}
_RANK = {"P410": 1, "P408": 0}


class Prover:
    """Proves hands of one ruleset clean."""

    def __init__(self, rules: Ruleset) -> None:
        self.learned = Learned(rules)
        self._work = workspace()

    def prove(
        self, block: Block, rows: Rows, *, with_moves: bool = False, digests: NDArray[np.uint64] | None = None
    ) -> Proof:
        """Prove the hands in these rows of a block. ``digests``: an array with a row for each, to be filled. Of packed
        hands there are neither digests nor moves.
        """
        self.learned.make_room()
        size = len(block.is_read)
        status = np.zeros(size, np.uint8)
        facts = np.empty((size, FACTS), np.int64)
        digests = np.zeros((size, DIGESTS), np.uint64) if digests is None else digests
        words = np.empty((size, laws.AUCTION_WORDS), np.uint64)
        events = np.empty((_EVENTS_PER_HAND * len(rows) + 64, EVENTS), np.int64)
        most = int(np.count_nonzero(block.text == 58)) if with_moves else 0
        moves, cursors = np.empty((most, MOVES), np.int64), np.zeros(2, np.int64)
        todo = rows
        while todo.size:
            given = block.text, block.texts, block.numbers, todo, self.learned.law(), self._work, moves, events, cursors
            if block.is_packed:
                prove_again(*given, status, facts, words)
            else:
                prove(*given, status, facts, digests, digests.view(np.uint32), words)
            todo = self._learn(todo, status, words)
        return Proof(
            block, self.learned, self.learned.standings, status == CLEAN, np.flatnonzero(status == CLEAN), facts,
            digests, moves[: cursors[0]], events[: cursors[1]], status, words,
        )  # fmt: skip

    def _learn(self, rows: Rows, status: Any, words: Any) -> Rows:
        """Learn what these rows lack; the rows to be replayed."""
        said = status[rows]
        again = []
        for unknown, columns, learn in (
            (UNKNOWN_PLAY, 2, self.learned.learn_plays),
            (UNKNOWN_AUCTION, laws.AUCTION_WORDS, self.learned.learn_auctions),
            (UNKNOWN_WORTH, laws.WORTH_WORDS, self.learned.learn_worths),
            (UNKNOWN_SHORT, laws.SHORT_WORDS, self.learned.learn_shorts),
        ):
            some = rows[said == unknown]
            if some.size and learn(words[some, :columns]):
                again.append(some)
            else:
                status[some] = NOT_SURE
        return np.sort(np.concatenate(again)) if again else rows[:0]


@cache
def prover_of(rules: AnyRuleset) -> Prover | None:
    """The one prover of a ruleset; None for one that is for the audit alone."""
    return Prover(rules) if isinstance(rules, Ruleset) and is_told(rules) else None
