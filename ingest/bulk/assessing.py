"""Blocks of lines, assessed by themselves: hands that are proven as flat arrays, verdicts on all others.

Knows one block. What its hands say about those before is for ``ingest.bulk.placing``, perhaps in another process: so
nothing here refers to the block, and all of it can be sent.
"""

from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import counts_voids, judge
from ingest.bulk.blocks import Block, Reader
from ingest.bulk.compiled.recall import mark
from ingest.bulk.layout import ABSENT, DIGESTS, GIST, MARKS, OUTCOMES, SEATS, Fact, Gist, Number, Text
from ingest.bulk.proofs import Proof, prover_of
from ingest.bulk.recollection import Hasher
from ingest.bulk.verdict_lines import lines_of
from ingest.faults import Language
from ingest.identity import Identity
from ingest.logs import Lines
from ingest.rules.ruleset import AnyRuleset, Ruleset, builtin_names, load_any
from ingest.verdict import Verdict

_VOID = OUTCOMES.index("void")
_SEATED = slice(Gist.BALANCE, Gist.BALANCE + SEATS)
_THEN = slice(Gist.AFTER, Gist.AFTER + SEATS)
_SAID = slice(Gist.CLAIMED, Gist.CLAIMED + SEATS)


class Law(Struct, frozen=True):
    """What of a ruleset is needed to see whether a hand goes on from the one before."""

    name: str
    counts_voids: bool
    carry_survives_leave: bool


class Assessed(Struct, frozen=True):
    """The lines of a block that are not blank. Rows that are not proven mean nothing in the arrays."""

    spans: NDArray[np.int64]
    """``int64[n, 2]``: where in the block a line begins, and where it ends, its newline included."""
    proven: NDArray[np.bool_]
    marks: NDArray[np.uint64]
    digests: NDArray[np.uint64]
    gist: NDArray[np.int64]
    laws: list[Law]
    """The rulesets that ``Gist.RULES`` tells apart."""
    notes: list[tuple[str, NDArray[np.int64]]]
    """Codes, and the rows of the proven hands on which they are noted, once for each time."""
    others: dict[int, tuple[Verdict, Identity | None]]
    """The verdict on each row that is not proven, its unknown fields not noted; and what its hand is recognised by."""
    told: dict[int, bytes]
    """The verdicts on proven rows as lines of JSON, where that was asked for."""


class Assessor:
    """Assesses blocks one after another."""

    def __init__(self, rules: str | None, secret: NDArray[np.uint64], language: Language | None) -> None:
        """``language``: that of lines of JSON, where these are wanted."""
        self._rules, self._language, self._secret = rules, language, secret
        self._given = None if rules is None else load_any(rules)
        self._names = builtin_names()
        self._reader = Reader(self._names)
        self._hasher = Hasher(secret)

    def assess(self, source: str, line: int, text: bytes) -> Assessed:
        """Assess a block: the text of ``Lines`` that begin with this line of a log."""
        block = self._reader.read(text)
        size = len(block.is_read)
        proven, digests = np.zeros(size, np.bool_), np.zeros((size, DIGESTS), np.uint64)
        gist, marks = np.zeros((size, GIST), np.int64), np.zeros((size, MARKS), np.uint64)
        found = Assessed(_spans(block, text), proven, marks, digests, gist, [], [], {}, {})
        gist[:, Gist.LINE] = block.numbers[:, Number.LINE]
        for rules, some in self._by_ruleset(block):
            prover = prover_of(rules)
            if prover is not None:
                proof = prover.prove(block, some)
                rows = np.flatnonzero(proof.proven)
                _add(found, proof, rows)
                if self._language is not None:
                    found.told.update(
                        zip(rows.tolist(), lines_of(proof, rows, source, line, self._language), strict=True)
                    )
        mark(block.text, block.texts, block.numbers, proven, self._secret, self._hasher.source(source), marks)
        lines = Lines(source, line, text, set())
        for row in np.flatnonzero(~proven).tolist():
            entry = lines.entry(line + int(gist[row, Gist.LINE]), *map(int, found.spans[row]))
            judged = judge(entry if entry.record is None else msgspec.structs.replace(entry, findings=()), self._rules)
            found.others[row] = judged.verdict, judged.identity
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


def _spans(block: Block, text: bytes) -> NDArray[np.int64]:
    """Where lines begin and end; behind the text of one there may be carriage returns and a newline."""
    begin, end = block.numbers[:, Number.START], block.numbers[:, Number.STOP]
    newlines = np.flatnonzero(block.text == 10)
    after = newlines[np.searchsorted(newlines, end)] + 1
    return np.stack([begin, np.minimum(after, len(text))], axis=1)


def _add(found: Assessed, proof: Proof, rows: NDArray[np.int64]) -> None:
    """What one ruleset's proof says of the rows that it proves."""
    rules, numbers, gist = proof.learned.rules, proof.block.numbers, found.gist
    found.proven[rows] = True
    found.digests[rows] = proof.digests[rows]
    players = rules.deal.players
    voids = numbers[rows, Number.VOIDS]
    played = np.maximum(voids - 1, 0) if rules.void.mode == "queue" else np.zeros_like(voids)
    gist[rows, Gist.RULES], gist[rows, Gist.PLAYERS] = len(found.laws), players
    gist[rows, Gist.AT_TABLE] = proof.block.texts[rows, Text.TABLE, 0] >= 0
    gist[rows, Gist.VOIDS] = voids
    gist[rows, Gist.VOIDS_AFTER] = np.where(proof.facts[rows, Fact.OUTCOME] == _VOID, voids + 1, played)
    before = numbers[rows, Number.BALANCE : Number.BALANCE + SEATS]
    after = np.full_like(before, ABSENT)
    if (before != ABSENT).any():
        scores = np.zeros_like(before)
        scores[:, :players] = proof.scores(rows)
        after = np.where(before == ABSENT, ABSENT, before + scores)
    gist[rows, _SEATED], gist[rows, _THEN] = before, after
    claims = numbers[rows, Number.BALANCES] > 0
    claimed = numbers[rows, Number.CLAIMED_BALANCE : Number.CLAIMED_BALANCE + SEATS]
    gist[rows, _SAID] = np.where(claims[:, None], claimed, after)
    found.laws.append(_law(rules))
    found.notes.extend(proof.notes(rows))


def _law(rules: Ruleset) -> Law:
    """What of a ruleset is needed beside the hands."""
    return Law(rules.name, counts_voids(rules), rules.void.carry_survives_leave)
