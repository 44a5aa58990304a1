"""Whole logs in, verdicts out: block by block with compiled code, entry by entry without it.

Knows how work is shared among processes. Whatever is used, the verdicts are the same, in the same order.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ingest.batch import Batch, Judged, judge, quiet_collector
from ingest.bulk.course import Course, Engine, must_be_there
from ingest.bulk.judging import COMPILING, WARM_UP, Telling, judge_all, must_compile
from ingest.bulk.processes import ahead, processes
from ingest.bulk.reported import Verdicts
from ingest.faults import Language
from ingest.logs import Entry, Lines
from ingest.logs.portions import portions, size_of
from ingest.verdict import Verdict, as_json

if TYPE_CHECKING:
    from ingest.bulk.assessing import Assessed, Assessor
    from ingest.bulk.placing import Placer
    from ingest.bulk.sharing import Shared


CHUNK = 2000
"""Entries that a process audits at a time."""


class Way(Struct, frozen=True):
    """How whole logs are audited."""

    rules: str | None = None
    """A ruleset for every record, in place of its own."""
    language: Language | None = None
    """That of verdicts as lines of JSON, where these are wanted."""
    shortly: bool = False
    """Whether verdicts in short are wanted."""
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
    must_be_there(way.engine)
    with quiet_collector(), _Audit(way, telling) as audit:
        yield from audit.verdicts(items)


class _Audit:
    """An audit of whole logs as it goes. Use as a context manager."""

    def __init__(self, way: Way, telling: Telling) -> None:
        self._way, self._telling = way, telling
        self._course = Course(Batch(way.rules), self._begin, way.engine, few=way.warm_up, warm_up=way.warm_up)
        self._assessor: Assessor | None = None
        self._open = ExitStack()
        self._pool: Executor | None = None
        self._memory: Shared | None = None

    def __enter__(self) -> "_Audit":
        return self

    def __exit__(self, *problem: object) -> None:
        self._course.close()
        self._open.close()

    def verdicts(self, items: Iterable[Lines | Entry]) -> Iterator[Verdicts]:
        """The verdicts on blocks of lines and on single entries."""
        for is_compiled, some in self._course.parts(items):
            yield from self._placed(some) if is_compiled else self._entries(some)

    def _entries(self, entries: Iterable[Entry]) -> Iterator[Verdicts]:
        for judged in self._judged(entries):
            yield self._alone(self._course.place(judged).verdict)

    def _placed(self, blocks: Iterable[Lines]) -> Iterator[Verdicts]:
        """Blocks that are assessed by compiled code, here or elsewhere."""
        placer = self._course.compiled()
        for lines, found in self._assessed(blocks, placer):
            yield placer.place(lines, found)

    def _assessed(self, blocks: Iterable[Lines], placer: "Placer") -> Iterator[tuple[Lines, "Assessed"]]:
        remaining = iter(blocks)
        # one block before processes are started: they begin with compiled code loaded and most plays learned
        for lines in remaining if self._way.jobs == 1 else islice(remaining, self._pool is None):
            yield from self._here(lines, placer)
        if self._way.jobs > 1:
            yield from self._elsewhere(remaining, placer)

    def _here(self, lines: Lines, placer: "Placer") -> Iterator[tuple[Lines, "Assessed"]]:
        """A block that is assessed in this process; in pieces where more is to be judged than is held at once."""
        from ingest.bulk.assessing import MOST_UNPROVEN, Assessor
        from ingest.bulk.blocks import TooManyLines

        assessor = self._assessor = self._assessor or Assessor(*self._given(placer), shortly=self._way.shortly)
        try:
            found = assessor.assess(lines.source, lines.line, lines.text)
        except TooManyLines:
            for piece in lines.pieces(MOST_UNPROVEN):
                yield piece, assessor.assess(piece.source, piece.line, piece.text)
        else:
            lines.told.append(found.lines)
            yield lines, found

    def _given(self, placer: "Placer") -> tuple[Any, ...]:
        """What an assessor is made with."""
        return self._way.rules, placer.memory.secret, self._way.language

    def _elsewhere(self, blocks: Iterable[Lines], placer: "Placer") -> Iterator[tuple[Lines, "Assessed"]]:
        """Blocks that are assessed by other processes; where these are forked, without being sent."""
        from ingest.bulk.assessing import moved
        from ingest.bulk.elsewhere import begin
        from ingest.bulk.sharing import shared

        jobs = self._way.jobs
        if self._pool is None:
            self._memory = shared(2 * jobs + 1)
            self._pool = self._open.enter_context(
                processes(jobs, begin, *self._given(placer), self._way.shortly, self._memory)
            )
        pool, memory = self._pool, self._memory
        is_numbered = self._way.language is not None
        for (lines, slot), answer in ahead((_ask(pool, memory, lines, is_numbered) for lines in blocks), jobs):
            if answer is None:
                yield from self._here(lines, placer)
            else:
                found = answer if memory is None or slot is None else memory.joined(slot, *answer)
                lines.told.append(found.lines)
                yield lines, found if is_numbered else moved(found, lines.line - 1)
            if memory is not None and slot is not None:
                memory.free(slot)

    def _judged(self, entries: Iterable[Entry]) -> Iterator[Judged]:
        """Entries by themselves."""
        way = self._way
        if way.engine is Engine.audit and way.jobs == 1:
            yield from (judge(entry, way.rules) for entry in entries)
        elif way.jobs == 1:
            yield from judge_all(entries, way.rules, 0 if way.engine else way.warm_up, self._telling)
        else:
            with processes(way.jobs) as pool:
                asked = ((chunk, pool.submit(_judge_chunk, chunk, way)) for chunk in portions(entries, CHUNK, size_of))
                for _, found in ahead(asked, way.jobs):
                    yield from found

    def _begin(self) -> "Placer":
        if must_compile():
            self._telling(COMPILING)
        from ingest.bulk.placing import Placer

        return Placer(self._way.rules, self._told)

    def _alone(self, verdict: Verdict) -> Verdicts:
        return Verdicts(verdict.source, 0, {}, [verdict], lambda: (self._told(verdict),))

    def _told(self, verdict: Verdict) -> bytes:
        """A verdict as a line of JSON."""
        return as_json(verdict, self._way.language or "en")


def _ask(
    pool: Executor, memory: "Shared | None", lines: Lines, is_numbered: bool
) -> tuple[tuple[Lines, int | None], "Future[Any]"]:
    """Ask for a block to be assessed; the slot in which it lies, if it lies in one. ``is_numbered``: with its lines
    under their numbers; to know these, those before them must be counted. Else from 1 on.
    """
    from ingest.bulk.elsewhere import assess, assess_shared

    line = lines.line if is_numbered else 1
    slot = None if memory is None else memory.put(lines.text)
    if slot is None:
        return (lines, None), pool.submit(assess, lines.source, line, lines.text)
    return (lines, slot), pool.submit(assess_shared, lines.source, line, slot, len(lines.text))


def _judge_chunk(chunk: list[Entry], way: Way) -> list[Judged]:
    if way.engine is Engine.audit:
        found: Iterable[Judged] = (judge(entry, way.rules) for entry in chunk)
    else:
        found = judge_all(chunk, way.rules, len(chunk) if len(chunk) < CHUNK and way.engine is None else 0)
    return [msgspec.structs.replace(judged, hand=None) for judged in found]
