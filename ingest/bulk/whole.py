"""Whole logs in, verdicts out: block by block with compiled code, entry by entry without it.

Knows when compiled code is worth loading, and how work is shared among processes. Whatever is used, the verdicts are
the same, in the same order.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ingest.batch import Batch, Judged, judge, quiet_collector
from ingest.bulk.ahead import ahead
from ingest.bulk.judging import COMPILING, WARM_UP, Telling, available, judge_all, must_compile
from ingest.bulk.loaded import KERNEL
from ingest.bulk.reported import Verdicts
from ingest.faults import Language
from ingest.logs import Entry, Lines
from ingest.logs.portions import portions, size_of
from ingest.verdict import Verdict, as_json

if TYPE_CHECKING:
    from ingest.bulk.assessing import Assessor
    from ingest.bulk.placing import Placer


class Engine(StrEnum):
    """What audits."""

    audit = "audit"
    """The readable code alone."""
    bulk = "bulk"
    """Compiled code from the first hand on, where it knows the format."""


CHUNK = 2000
"""Entries that a process audits at a time."""


class Way(Struct, frozen=True):
    """How whole logs are audited."""

    rules: str | None = None
    """A ruleset for every record, in place of its own."""
    language: Language | None = None
    """That of verdicts as lines of JSON, where these are wanted."""
    jobs: int = 1
    """Processes that audit side by side."""
    engine: Engine | None = None
    """None: compiled code where it is installed and there is enough to do."""
    warm_up: int = WARM_UP
    """Hands for which compiled code is not loaded: a small log is done sooner without it."""


AS_USUAL = Way()


def audit_logs(
    items: Iterable[Lines | Entry], way: Way = AS_USUAL, telling: Telling = lambda _: None
) -> Iterator[Verdicts]:
    """Audit whole logs (``ingest.logs.read_blocks``), in order; ``R108``, ``R109``, ``A310``, ``S605`` included.

    ``telling`` is told when a longer log is slower than it could be: ``COMPILING``, ``NO_NUMBA``.
    Raises ``BadRuleset`` and ``UnknownRuleset`` for the rules, ``ValueError`` where
    compiled code is asked for and there is none.
    """
    if way.engine is Engine.bulk and not available():
        raise ValueError("--engine bulk: Numba is not installed (the extra named fast)")
    audit = _Audit(way, telling)
    try:
        with quiet_collector():
            for kind, some in groupby(items, type):
                step: Callable[[Iterator[Any]], Iterator[Verdicts]] = audit.blocks if kind is Lines else audit.entries
                yield from step(some)
    finally:
        audit.close()


class _Audit:
    """An audit of whole logs as it goes."""

    def __init__(self, way: Way, telling: Telling) -> None:
        self._way, self._telling = way, telling
        self._batch = Batch(way.rules)
        self._early: list[Judged] = []
        """What was placed before compiled code was loaded."""
        self._placer: Placer | None = None
        self._assessor: Assessor | None = None
        self._pool: Executor | None = None

    def close(self) -> None:
        self._batch.__exit__()
        if self._placer is not None:
            self._placer.memory.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def entries(self, entries: Iterable[Entry]) -> Iterator[Verdicts]:
        """Entries one by one."""
        for judged in self._judged(entries):
            yield self._alone(self._place(judged))

    def blocks(self, blocks: Iterable[Lines]) -> Iterator[Verdicts]:
        """Blocks of lines."""
        for worth_it, some in groupby(blocks, self._is_worth_it):
            if worth_it:
                yield from self._placed(some)
            else:
                yield from self.entries(entry for lines in some for entry in lines.entries())

    def _is_worth_it(self, lines: Lines) -> bool:
        """Whether compiled code is to be had, and loaded already or there is enough to do for it."""
        if self._way.engine is not None:
            return self._way.engine is Engine.bulk
        if KERNEL in sys.modules or not available():
            return available()
        return len(self._early) + lines.text.count(b"\n") > self._way.warm_up

    def _placed(self, blocks: Iterable[Lines]) -> Iterator[Verdicts]:
        """Blocks that are assessed by compiled code, here or elsewhere."""
        placer = self._compiled()
        from ingest.bulk.assessing import Assessor
        from ingest.bulk.elsewhere import assess, begin

        given = self._way.rules, placer.memory.secret, self._way.language
        if self._way.jobs == 1:
            assessor = self._assessor = self._assessor or Assessor(*given)
            for lines in blocks:
                yield placer.place(lines, assessor.assess(lines.source, lines.line, lines.text))
            return
        pool = self._pool or ProcessPoolExecutor(self._way.jobs, initializer=begin, initargs=given)
        self._pool = pool
        submitted = ((lines, pool.submit(assess, lines.source, lines.line, lines.text)) for lines in blocks)
        for lines, found in ahead(submitted, self._way.jobs):
            yield placer.place(lines, found)

    def _judged(self, entries: Iterable[Entry]) -> Iterator[Judged]:
        """Entries by themselves."""
        way = self._way
        if way.engine is Engine.audit and way.jobs == 1:
            yield from (judge(entry, way.rules) for entry in entries)
        elif way.jobs == 1:
            yield from judge_all(entries, way.rules, 0 if way.engine else way.warm_up, self._telling)
        else:
            with ProcessPoolExecutor(way.jobs) as pool:
                chunks = portions(entries, CHUNK, size_of)
                submitted = ((chunk, pool.submit(_judge_chunk, chunk, way)) for chunk in chunks)
                for _, found in ahead(submitted, way.jobs):
                    yield from found

    def _compiled(self) -> "Placer":
        """What places blocks; whatever was placed without it is placed again in its memory."""
        if self._placer is None:
            if must_compile():
                self._telling(COMPILING)
            from ingest.bulk.placing import Placer

            self._placer = Placer(self._way.rules, self._told)
            self._batch.__exit__()
            self._batch = self._placer.batch
            for judged in self._early:
                self._batch.place(judged)
            self._early = []
        return self._placer

    def _place(self, judged: Judged) -> Verdict:
        if self._placer is None and available() and self._way.engine is not Engine.audit:
            if len(self._early) >= self._way.warm_up:
                self._compiled()
            else:
                self._early.append(msgspec.structs.replace(judged, hand=None))
        return self._batch.place(judged).verdict

    def _alone(self, verdict: Verdict) -> Verdicts:
        return Verdicts(verdict.source, 0, {}, [verdict], lambda: (self._told(verdict),))

    def _told(self, verdict: Verdict) -> bytes:
        """A verdict as a line of JSON."""
        return as_json(verdict, self._way.language or "en")


def _judge_chunk(chunk: list[Entry], way: Way) -> list[Judged]:
    if way.engine is Engine.audit:
        found: Iterable[Judged] = (judge(entry, way.rules) for entry in chunk)
    else:
        found = judge_all(chunk, way.rules, len(chunk) if len(chunk) < CHUNK and way.engine is None else 0)
    return [msgspec.structs.replace(judged, hand=None) for judged in found]
