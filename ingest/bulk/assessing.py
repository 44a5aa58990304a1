"""Blocks of lines, assessed by themselves: hands that are proven as flat arrays, verdicts on all others.

Knows one block. What its hands say about those before is for ``ingest.bulk.placing``, perhaps in another process: so
nothing here refers to the block, and all of it can be sent.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import Judged, counts_voids, judge
from ingest.bulk import at_fault
from ingest.bulk.blocks import Block, Reader, TooManyLines
from ingest.bulk.briefly import no_numbers, tell_shortly
from ingest.bulk.compiled.reader import lines_at
from ingest.bulk.compiled.recall import mark, sum_up
from ingest.bulk.compiled.replay import STOPPED
from ingest.bulk.layout import DIGESTS, GIST, MARKS, Gist, Number
from ingest.bulk.proofs import Proof, prover_of
from ingest.bulk.recollection import Hasher
from ingest.bulk.sharing import Room
from ingest.bulk.unproven import Identifier, digests_of, identities_of, leave
from ingest.bulk.verdict_lines import lines_of
from ingest.faults import Language
from ingest.hand import verdict_of
from ingest.identity import Identity
from ingest.logs import Entry, entry_of_line
from ingest.rules.ruleset import AnyRuleset, Ruleset, builtin_names, load_any
from ingest.verdict import Verdict

PRIVATE = Room()
"""Room of this process alone."""
Entries = Callable[[int], Entry]
"""The entry of a row."""
MOST_UNPROVEN = 20_000
"""Rows of a block that are judged together one by one: each becomes an object of some kilobytes."""
MOST_LINES = 100_000
"""Lines of a block that are read together, each half a kilobyte in arrays: lines of hands are not so short."""


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
    ready: NDArray[np.bool_]
    """Rows that are not proven, but of which the arrays say what placing them takes; with no players, no record."""
    alone: NDArray[np.bool_]
    """Rows of which it is known that no other hand has their id and none is the same: these are not remembered."""
    others: dict[int, tuple[Verdict, Identity | None]]
    """The verdict on each row that is not proven, its unknown fields not noted; and what its hand is recognised by."""
    told: dict[int, bytes]
    """The verdicts on proven rows as lines of JSON, where that was asked for."""
    short: NDArray[np.int64]
    """The same in short, as ``ingest.bulk.briefly`` has it, without notes; no rows where that was not asked for."""
    lines: int
    """How many lines the block has, blank ones included."""


class Examined(Struct, frozen=True):
    """A block, and all that was found of it. Good until the next is read."""

    block: Block
    found: Assessed
    proofs: list[Proof]
    judged: dict[int, Judged]
    """The rows that are not proven, with their hands."""


class Assessor:
    """Assesses blocks one after another."""

    def __init__(
        self, rules: str | None, secret: NDArray[np.uint64], language: Language | None, *, shortly: bool = False
    ) -> None:
        """``language``: that of lines of JSON, where these are wanted. ``shortly``: whether verdicts in short are."""
        self._rules, self._language, self._secret, self._shortly = rules, language, secret, shortly
        self._given = None if rules is None else load_any(rules)
        self._names = builtin_names()
        self._reader = Reader(self._names)
        self._hasher, self._identifier = Hasher(secret), Identifier()

    def assess(self, source: str, line: int, text: bytes | memoryview, room: Room = PRIVATE) -> Assessed:
        """Assess a block: the text of ``Lines`` that begin with this line of a log. ``room``: for its arrays.

        Raises ``TooManyLines``.
        """
        return self.examine(source, line, text, room).found

    def examine(
        self, source: str, line: int, text: bytes | memoryview, room: Room = PRIVATE, *, with_moves: bool = False
    ) -> Examined:
        """The same with the proofs, and the hands that are not proven. ``with_moves``: whether proofs have moves."""
        block = self._reader.read(text, None if with_moves else MOST_LINES)
        found = _empty(block, room, no_numbers(len(block.is_read) * self._shortly))
        lines_at(block.text, block.numbers, len(text), found.spans)
        examined = Examined(block, found, [], {})
        for proof in self._proofs(block, found, with_moves=with_moves):
            examined.proofs.append(proof)
            if self._language is not None:
                told = lines_of(proof, source, line, self._language)
                found.told.update(zip(proof.rows.tolist(), told, strict=True))
        if not with_moves and np.count_nonzero(~found.proven) > MOST_UNPROVEN:
            raise TooManyLines
        known = self._identifier.identify(block, np.flatnonzero(block.is_read & ~found.proven), found.digests)
        self._mark(block, found, block.is_read, source)

        def entry(row: int) -> Entry:
            begin, end = found.spans[row].tolist()
            return entry_of_line(bytes(text[begin:end]), source, line + int(found.gist[row, Gist.LINE]), set())

        self._judge(block, examined, entry, known, follow=not with_moves)
        return examined

    def assess_packed(self, source: str, block: Block) -> Assessed:
        """Assess packed hands: which of them are proven. Nothing is said of the others, and of none by what it is
        recognised.
        """
        found = _empty(block, PRIVATE, no_numbers(len(block.is_read) * self._shortly))
        for _ in self._proofs(block, found):
            pass
        self._mark(block, found, found.proven, source)
        return found

    def _proofs(self, block: Block, found: Assessed, *, with_moves: bool = False) -> Iterator[Proof]:
        """The proofs of a block, ruleset by ruleset, with what they say put into ``found``."""
        found.gist[:, Gist.LINE] = block.numbers[:, Number.LINE]
        for rules, some in self._by_ruleset(block):
            prover = prover_of(rules)
            if prover is not None:
                proof = prover.prove(block, some, with_moves=with_moves, digests=found.digests)
                _add(found, proof)
                if self._shortly:
                    tell_shortly(proof, found.short)
                yield proof

    def _mark(self, block: Block, found: Assessed, rows: NDArray[np.bool_], source: str) -> None:
        """Hash the names of these hands."""
        named = self._hasher.source(source)
        mark(block.text, block.texts, block.numbers, rows, self._secret, named, found.marks)

    def _judge(
        self, block: Block, examined: Examined, entry_of: Entries, known: NDArray[np.bool_], *, follow: bool
    ) -> None:
        """Audit the hands of the rows that are not proven. ``known``: those of which there are digests.
        ``follow``: whether hands that were followed as far as their fault are told from there.
        """
        found, rows = examined.found, np.flatnonzero(~examined.found.proven)
        laws = {law.name: number for number, law in enumerate(found.laws)}
        followed = _followed(examined.proofs, known) if follow else {}
        identities = identities_of(found.digests[rows], block.numbers[rows, Number.PLAYERS], known[rows])
        for row, identity in zip(rows.tolist(), identities, strict=True):
            entry = entry_of(row)
            if entry.record is not None and entry.findings:
                entry = msgspec.structs.replace(entry, findings=())
            judged = examined.judged[row] = self._judged(entry, identity, followed.get(row), row)
            found.others[row] = judged.verdict, judged.identity
        self._leave(examined, rows[block.is_read[rows]].tolist(), laws)

    def _judged(self, entry: Entry, known: Identity | None, proof: Proof | None, row: int) -> Judged:
        if proof is not None and entry.record is not None and known is not None:
            hand = at_fault.examined(proof, row, entry.record)
            if hand is not None:
                return Judged(entry, verdict_of(hand, entry.source, entry.line), None, known)
        return judge(entry, self._rules, known)

    def _leave(self, examined: Examined, rows: list[int], laws: dict[str, int]) -> None:
        """What hands that are not proven leave at their tables. ``laws``: the numbers of rulesets. Lines that are no
        records are ready too: they leave nothing.
        """
        found, judged = examined.found, examined.judged
        found.ready[[row for row, each in judged.items() if each.entry.record is None]] = True
        left = {row: leave(judged[row], self._rules, laws) for row in rows}
        whole = {row: each for row, each in left.items() if each is not None}
        found.digests[[*whole]] = digests_of([judged[row].identity for row in whole])
        found.gist[[*whole], Gist.RULES :] = np.array([*whole.values()], np.int64).reshape(-1, GIST - Gist.RULES)
        found.ready[[*whole]] = True

    def _by_ruleset(self, block: Block) -> Iterator[tuple[AnyRuleset, NDArray[np.int64]]]:
        """The rows of each ruleset that have been read."""
        if self._given is not None:
            yield self._given, np.flatnonzero(block.is_read)
            return
        numbers = np.where(block.is_read, block.numbers[:, Number.RULES], -1)
        for number in np.unique(numbers):
            if number >= 0:
                yield load_any(self._names[number]), np.flatnonzero(numbers == number)


def _empty(block: Block, room: Room, short: NDArray[np.int64]) -> Assessed:
    """A block of which nothing was found yet."""
    size = len(block.is_read)
    return Assessed(
        room.zeros((size, 2), np.int64), room.zeros((size,), np.bool_), room.zeros((size, MARKS), np.uint64),
        room.zeros((size, DIGESTS), np.uint64), room.zeros((size, GIST), np.int64), [], [],
        room.zeros((size,), np.bool_), room.zeros((size,), np.bool_), {}, {}, short, block.lines,
    )  # fmt: skip


def moved(found: Assessed, lines: int) -> Assessed:
    """A block that was assessed as one of so many lines before."""
    others = {
        row: (msgspec.structs.replace(verdict, line=verdict.line + lines), identity)
        for row, (verdict, identity) in found.others.items()
    }
    return msgspec.structs.replace(found, others=others) if lines and others else found


def put_in(found: Assessed, rows: NDArray[np.int64], part: Assessed) -> Assessed:
    """Some hands of a block with what was found of these rows of it by themselves."""
    found.gist[rows] = part.gist
    found.gist[rows, Gist.RULES] += len(found.laws)
    found.gist[rows, Gist.LINE] = rows
    for name in ("spans", "proven", "marks", "digests", "ready", "short"):
        getattr(found, name)[rows] = getattr(part, name)
    return msgspec.structs.replace(
        found,
        laws=[*found.laws, *part.laws],
        notes=[*found.notes, *((code, rows[noted]) for code, noted in part.notes)],
        others=found.others | {int(rows[row]): each for row, each in part.others.items()},
    )


def _followed(proofs: Sequence[Proof], known: NDArray[np.bool_]) -> dict[int, Proof]:
    """The rows at fault that were followed as far as their fault, where all their texts can be read."""
    return {row: proof for proof in proofs for row in np.flatnonzero(known & (proof.status >= STOPPED)).tolist()}


def _add(found: Assessed, proof: Proof) -> None:
    """What one ruleset's proof says of the rows that it proves."""
    rules, block, number = proof.learned.rules, proof.block, len(found.laws)
    sum_up(
        block.texts, block.numbers, proof.proven, proof.facts, proof.learned.law().worths, number,
        rules.void.mode == "queue", found.proven, found.gist,
    )  # fmt: skip
    found.laws.append(_law(rules))
    found.notes.extend(proof.notes(proof.rows))


def _law(rules: Ruleset) -> Law:
    """What of a ruleset is needed beside the hands."""
    return Law(rules.name, counts_voids(rules), rules.void.carry_survives_leave)
