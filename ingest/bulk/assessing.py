"""One block of lines, assessed: hands that are proven and new in flat arrays, the others by ``ingest.batch``."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import Batch, Judged, counts_voids, judge
from ingest.bulk.blocks import Block, Reader
from ingest.bulk.compiled.recall import recall
from ingest.bulk.judging import judged_of, verdict_of
from ingest.bulk.layout import ABSENT, DIGESTS, OUTCOMES, SEATS, Fact, Number
from ingest.bulk.proofs import Proof, prover_of
from ingest.bulk.recollection import InArrays
from ingest.bulk.whole import Verdicts
from ingest.logs import Lines
from ingest.rules.ruleset import AnyRuleset, Ruleset, builtin_names, load_any
from ingest.verdict import Verdict

_VOID = OUTCOMES.index("void")


class _Assessed(Struct, frozen=True):
    """The hands of a block as they are proven, row by row; rows that are not proven mean nothing."""

    block: Block
    proofs: list[Proof]
    proof: NDArray[np.int64]
    """Which of the proofs a row has."""
    proven: NDArray[np.bool_]
    digests: NDArray[np.uint64]
    rules: NDArray[np.int64]
    """The number of the ruleset in the memory."""
    voids: NDArray[np.int64]
    """What ``voids`` of the next record must be."""
    after: NDArray[np.int64]
    """``int64[n, SEATS]``: the balances after the hand."""


class Assessor:
    """Assesses blocks one after another, and remembers."""

    def __init__(self, rules: str | None) -> None:
        self._given = None if rules is None else load_any(rules)
        self._rules = rules
        self._names = builtin_names()
        self._reader = Reader(self._names)
        self.memory = InArrays()
        self._counts: list[bool] = []
        self._survives: list[bool] = []

    def verdicts(self, lines: Lines, batch: Batch) -> Verdicts:
        """The verdicts on a block. ``batch``: one that remembers in ``memory``."""
        block = self._reader.read(lines.text)
        found = self._prove(block)
        placed: dict[int, Verdict] = {}
        row = self._recall(found, lines, 0)
        while row < len(found.proven):
            placed[row] = batch.place(self._judge(found, row, lines)).verdict
            row = self._recall(found, lines, row + 1)

        def every() -> Iterator[Verdict]:
            for row in range(len(found.proven)):
                yield placed.get(row) or _told(found, row, lines)

        plain = found.proven.copy()
        plain[list(placed)] = False
        return Verdicts(lines.source, int(plain.sum()), _notes(found, plain), list(placed.values()), every)

    def _recall(self, found: _Assessed, lines: Lines, start: int) -> int:
        """Remember proven hands from a row on; the first row that is for ``ingest.batch``."""
        size = len(found.proven)
        if start == size or not found.proven[start]:
            return start
        block = found.block
        counts, survives = np.array(self._counts, np.bool_), np.array(self._survives, np.bool_)
        row = recall(
            self.memory.arrays(size - start), block.text, block.texts, block.numbers, found.proven, found.digests,
            found.rules, found.voids, found.after, counts, survives, self.memory.source(lines.source), lines.line,
            start,
        )  # fmt: skip
        return int(row)

    def _judge(self, found: _Assessed, row: int, lines: Lines) -> Judged:
        start, stop = map(int, found.block.numbers[row, [Number.START, Number.STOP]])
        stop = lines.text.find(b"\n", stop) + 1 or len(lines.text)
        entry = lines.entry(lines.line + int(found.block.numbers[row, Number.LINE]), start, stop)
        return judged_of(entry, _proof(found, row), row) if found.proven[row] else judge(entry, self._rules)

    def _prove(self, block: Block) -> _Assessed:
        size = len(block.is_read)
        found = _Assessed(
            block, [], np.zeros(size, np.int64), np.zeros(size, np.bool_),
            np.zeros((size, DIGESTS), np.uint64), np.zeros(size, np.int64), np.zeros(size, np.int64),
            np.full((size, SEATS), ABSENT, np.int64),
        )  # fmt: skip
        for rules, rows in self._by_ruleset(block):
            prover = prover_of(rules)
            if prover is not None:
                _add(found, prover.prove(block, rows), self._number(rules))
        return found

    def _by_ruleset(self, block: Block) -> Iterator[tuple[AnyRuleset, NDArray[np.int64]]]:
        """The rows of each ruleset that have been read."""
        if self._given is not None:
            yield self._given, np.flatnonzero(block.is_read)
            return
        numbers = np.where(block.is_read, block.numbers[:, Number.RULES], -1)
        for number in np.unique(numbers):
            if number >= 0:
                yield load_any(self._names[number]), np.flatnonzero(numbers == number)

    def _number(self, rules: AnyRuleset) -> int:
        number = self.memory.ruleset(rules.name)
        while len(self._counts) < len(self.memory.rulesets):
            self._counts.append(False)
            self._survives.append(True)
        if isinstance(rules, Ruleset):
            self._counts[number], self._survives[number] = counts_voids(rules), rules.void.carry_survives_leave
        return number


def _add(found: _Assessed, proof: Proof, number: int) -> None:
    """What one ruleset's proof says of its rows."""
    rows = np.flatnonzero(proof.proven)
    found.proof[rows] = len(found.proofs)
    found.proofs.append(proof)
    found.proven[rows] = True
    found.digests[rows] = proof.digests[rows]
    found.rules[rows] = number
    numbers, players = found.block.numbers, proof.learned.rules.deal.players
    voids = numbers[rows, Number.VOIDS]
    queued = proof.learned.rules.void.mode == "queue"
    played = np.maximum(voids - 1, 0) if queued else np.zeros_like(voids)
    found.voids[rows] = np.where(proof.facts[rows, Fact.OUTCOME] == _VOID, voids + 1, played)
    before = numbers[rows, Number.BALANCE : Number.BALANCE + players]
    if (before != ABSENT).any():
        found.after[rows, :players] = np.where(before == ABSENT, ABSENT, before + proof.scores(rows))


def _notes(found: _Assessed, plain: NDArray[np.bool_]) -> Counter[str]:
    """How often each note is on the hands of these rows."""
    notes = Counter[str]()
    for number, proof in enumerate(found.proofs):
        notes += proof.notes(np.flatnonzero(plain & (found.proof == number)))
    return notes


def _proof(found: _Assessed, row: int) -> Proof:
    return found.proofs[int(found.proof[row])]


def _told(found: _Assessed, row: int, lines: Lines) -> Verdict:
    line = lines.line + int(found.block.numbers[row, Number.LINE])
    return verdict_of(_proof(found, row), row, lines.source, line)
