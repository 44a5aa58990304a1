"""Whole logs in, verdicts out, block by block: what is plainly clean and new is never a Python object.

Knows in which order a log is told: what is proven goes into the memory at once, up to a hand that needs ``judge`` or of
which something was there before; that one is placed by ``ingest.batch``, and so on behind it.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ingest.batch import Audited, Batch, Judged
from ingest.bulk.judging import COMPILING, WARM_UP, Telling, available, judge_all, must_compile
from ingest.bulk.loaded import KERNEL
from ingest.logs import Entry, Lines
from ingest.verdict import Verdict

if TYPE_CHECKING:
    from ingest.bulk.assessing import Assessor


class Verdicts(Struct, frozen=True):
    """The verdicts on some entries of one log, one after another. Good until the next are asked for."""

    source: str
    clean: int
    """Hands that are clean and like no other."""
    notes: Mapping[str, int]
    """How often each code stands on these."""
    others: list[Verdict]
    """The verdicts on the other entries, in their order."""
    every: Callable[[], Iterable[Verdict]]
    """The verdicts on all of them, in their order."""

    @classmethod
    def of(cls, verdict: Verdict) -> "Verdicts":
        """One verdict alone."""
        return cls(verdict.source, 0, {}, [verdict], lambda: (verdict,))

    @property
    def count(self) -> int:
        """How many they are."""
        return self.clean + len(self.others)


def audit_logs(
    items: Iterable[Lines | Entry],
    rules: str | None = None,
    telling: Telling = lambda _: None,
    warm_up: int = WARM_UP,
) -> Iterator[Verdicts]:
    """Audit whole logs (``ingest.logs.read_blocks``), in order.

    ``warm_up``: hands for which compiled code is not loaded: a small log is done sooner without it.
    ``telling`` is told when a longer log is slower than it could be: ``COMPILING``, ``NO_NUMBA``.
    Raises ``BadRuleset`` and ``UnknownRuleset`` for ``rules``.
    """
    audit = _Audit(rules, telling, warm_up)
    try:
        for kind, some in groupby(items, type):
            step: Callable[[Iterator[Any]], Iterator[Verdicts]] = audit.blocks if kind is Lines else audit.entries
            yield from step(some)
    finally:
        audit.close()


class _Audit:
    """An audit of whole logs as it goes. Compiled code is loaded when there is enough to do."""

    def __init__(self, rules: str | None, telling: Telling, warm_up: int) -> None:
        self._rules, self._telling, self._warm_up = rules, telling, warm_up
        self._batch = Batch(rules)
        self._early: list[Judged] = []
        """What was placed before compiled code was loaded."""
        self._assessor: Assessor | None = None

    def close(self) -> None:
        self._batch.__exit__()
        if self._assessor is not None:
            self._assessor.memory.close()

    def entries(self, entries: Iterable[Entry]) -> Iterator[Verdicts]:
        """Entries one by one."""
        for judged in judge_all(entries, self._rules, self._warm_up, self._telling):
            yield Verdicts.of(self._place(judged).verdict)

    def blocks(self, blocks: Iterable[Lines]) -> Iterator[Verdicts]:
        """Blocks of lines."""
        for lines in blocks:
            if self._is_worth_it(lines):
                yield self._compiled().verdicts(lines, self._batch)
            else:
                yield from self.entries(lines.entries())

    def _is_worth_it(self, lines: Lines) -> bool:
        """Whether compiled code is to be had, and loaded already or there is enough to do for it."""
        return available() and (KERNEL in sys.modules or len(self._early) + lines.text.count(b"\n") > self._warm_up)

    def _compiled(self) -> "Assessor":
        """The compiled audit; what was placed without it is placed again in its memory."""
        if self._assessor is None:
            if must_compile():
                self._telling(COMPILING)
            from ingest.bulk.assessing import Assessor

            self._assessor = Assessor(self._rules)
            self._batch.__exit__()
            self._batch = Batch(self._rules, self._assessor.memory)
            for judged in self._early:
                self._batch.place(judged)
            self._early = []
        return self._assessor

    def _place(self, judged: Judged) -> Audited:
        if self._assessor is None and available():
            if len(self._early) >= self._warm_up:
                self._compiled()
            else:
                self._early.append(msgspec.structs.replace(judged, hand=None))
        return self._batch.place(judged)
