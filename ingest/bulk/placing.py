"""Assessed blocks placed among those before, in the order of the log.

What is proven goes into the memory at once, up to a hand that is not, or of which something was there before; that one
is placed by ``ingest.batch``, which remembers in the same memory, and so on behind it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ingest.batch import Audited, Batch, Judged, judge
from ingest.bulk.assessing import Assessed
from ingest.bulk.briefly import Brief
from ingest.bulk.codes import codes_of
from ingest.bulk.compiled.recall import recall
from ingest.bulk.layout import Gist
from ingest.bulk.recollection import InArrays
from ingest.bulk.reported import Verdicts
from ingest.logs import Lines
from ingest.verdict import Verdict, with_findings

Single = Callable[[int, Callable[[], Judged]], Audited | None]
"""Places a row of a block by itself, once it is judged; None: it stays as it was proven, and nothing remembers it."""


class Placer:
    """Places blocks one after another."""

    def __init__(self, rules: str | None, telling: Callable[[Verdict], bytes], memory: InArrays | None = None) -> None:
        """``telling``: how a verdict becomes a line of JSON."""
        self._rules, self._telling = rules, telling
        self.memory = memory or InArrays()
        self.batch = Batch(rules, self.memory)
        self._counts: list[bool] = []
        self._survives: list[bool] = []

    def place(self, lines: Lines, found: Assessed) -> Verdicts:
        """The verdicts on an assessed block."""
        placed = self._placed(lines, found, found.proven | found.ready)
        others = {row: placed[row].verdict if row in placed else found.others[row][0] for row in found.others}
        others |= {row: audited.verdict for row, audited in placed.items() if row not in others}
        return self._verdicts(lines, found, dict(sorted(others.items())))

    def one_by_one(
        self, lines: Lines, found: Assessed, single: Single | None = None, apart: Collection[int] = ()
    ) -> dict[int, Audited]:
        """Remember the hands of an assessed block; the rows of it that had to be placed by themselves, in order.

        ``single``: what places these, in place of the batch. ``apart``: rows that are for it in any case.
        """
        ready = found.proven.copy()
        ready[list(apart)] = False
        return self._placed(lines, found, ready, single)

    def verdicts(self, lines: Lines, found: Assessed, placed: Mapping[int, Audited]) -> Verdicts:
        """The verdicts on an assessed block of which these rows were placed by themselves."""
        return self._verdicts(lines, found, {row: audited.verdict for row, audited in placed.items()})

    def _placed(
        self, lines: Lines, found: Assessed, ready: NDArray[np.bool_], single: Single | None = None
    ) -> dict[int, Audited]:
        """Remember all hands; those that were placed by themselves, for they are not ``ready`` or not new."""
        place = single or (lambda _, judged: self.batch.place(judged()))
        laws, size = self._laws(found), len(found.proven)
        placed: dict[int, Audited] = {}
        row = self._recall(found, ready, laws, lines, 0)
        while row < size:
            audited = place(row, partial(self._judged, found, row, lines))
            if audited is not None:
                placed[row] = audited
            row = self._recall(found, ready, laws, lines, row + 1)
        return placed

    def _verdicts(self, lines: Lines, found: Assessed, others: Mapping[int, Verdict]) -> Verdicts:
        """``others``: the verdicts on all rows but those that are clean and like no other, in order."""
        size = len(found.proven)
        plain = found.proven.copy()
        plain[list(others)] = False
        notes = Counter({code: 0 for code, _ in found.notes})
        for code, rows in found.notes:
            notes[code] += int(np.count_nonzero(plain[rows]))

        def told() -> Iterable[bytes]:
            return (self._telling(others[row]) if row in others else found.told[row] for row in range(size))

        def brief() -> Brief:
            notes = codes_of((code, rows[plain[rows]]) for code, rows in found.notes)
            return Brief(found.short, plain, notes, others)

        return Verdicts(lines.source, int(plain.sum()), +notes, [*others.values()], told, brief)

    def _laws(self, found: Assessed) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
        """The numbers in the memory of a block's rulesets; by number, whether void hands count, and still do where
        others sit down.
        """
        numbers = [self.memory.ruleset(law.name) for law in found.laws]
        more = len(self.memory.rulesets) - len(self._counts)
        self._counts += [False] * more
        self._survives += [True] * more
        for number, law in zip(numbers, found.laws, strict=True):
            self._counts[number], self._survives[number] = law.counts_voids, law.carry_survives_leave
        return np.array(numbers, np.int64), np.array(self._counts, np.bool_), np.array(self._survives, np.bool_)

    def _recall(
        self,
        found: Assessed,
        ready: NDArray[np.bool_],
        laws: tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]],
        lines: Lines,
        start: int,
    ) -> int:
        """Remember hands that are ``ready`` from a row on; the first row that is for ``ingest.batch``."""
        size = len(found.proven)
        if start == size or not ready[start]:
            return start
        return int(
            recall(
                self.memory.arrays(size - start),
                ready,
                found.alone,
                found.marks,
                found.digests,
                found.gist,
                *laws,
                self.memory.source(lines.source),
                lines.line,
                start,
            )
        )

    def _judged(self, found: Assessed, row: int, lines: Lines) -> Judged:
        """One hand by itself."""
        entry = lines.entry(lines.line + int(found.gist[row, Gist.LINE]), *map(int, found.spans[row]))
        if found.proven[row]:
            return judge(entry, self._rules)
        verdict, identity = found.others[row]
        more = () if entry.record is None else entry.findings
        return Judged(entry, with_findings(verdict, more), None, identity)
