"""Logs in, chunks of rows out: block by block with compiled code, entry by entry without it.

Knows how work is shared among processes, and how much is held in memory meanwhile. Whatever is used, the rows are the
same, in the same order. Refuses to know what a store has already.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from ingest.batch import Audited, Batch, Judged, judge
from ingest.bulk import Engine, fewest_plays, judge_all, turned
from ingest.bulk.course import Course
from ingest.bulk.judging import WARM_UP
from ingest.bulk.processes import ahead, processes
from ingest.bulk.reported import Verdicts
from ingest.identity import Identity
from ingest.ledger import Ledger
from ingest.load.keeper import Chunk, Kept
from ingest.load.resume import SEEN, Journal
from ingest.logs import Entry, Lines
from ingest.logs.portions import portions, size_of
from ingest.memory import InLedgers
from ingest.store.digests import line_digest
from ingest.store.recall import with_hand
from ingest.store.rows import complete
from ingest.store.sketches import Part, sketch
from ingest.verdict import Verdict

if TYPE_CHECKING:
    from ingest.bulk.placing import Placer
    from ingest.bulk.sketching import Sketched

Told = tuple[list[tuple[Verdict, Identity | None]], Part]

CHUNK = 1_000
"""Entries that are held as Python objects before they become columns."""
LINES = 10_000
"""Lines that become columns at once."""
FEW = 300
"""Lines for which compiled code is not loaded: it costs as much as to put so many into rows without it."""


class Way(NamedTuple):
    """How entries are audited and put into rows."""

    rules: str | None
    zone: str
    jobs: int
    batch: int
    """Entries that are published at once."""
    engine: Engine | None = None
    """None: compiled code where it is installed and there is enough to do."""


class Loading:
    """A load as it goes. Use as a context manager."""

    def __init__(self, way: Way, journal: Journal) -> None:
        self._way, self._seen = way, journal.ledgers[SEEN]
        self._ledgers, self._journal = journal.ledgers, journal
        batch = Batch(way.rules, InLedgers(journal.ledgers))
        self._course = Course(batch, self._begin, way.engine, few=FEW, is_new=journal.taken == 0)
        self._open = ExitStack()
        self._pool: Executor | None = None
        if journal.is_in_arrays:
            self._course.compiled()

    def __enter__(self) -> "Loading":
        return self

    def __exit__(self, *problem: object) -> None:
        self._course.close()
        self._open.close()

    def chunks(self, items: Iterable[Lines | Entry], taken: int) -> Iterator[Chunk]:
        """The entries of whole logs (``ingest.logs.read_blocks``), but for the first ``taken``, chunk by chunk."""
        for is_compiled, some in self._course.parts(_cut(items, taken, self._way.batch)):
            yield from self._placed(some) if is_compiled else self._entries(some)

    # Entry by entry

    def _entries(self, entries: Iterable[Entry]) -> Iterator[Chunk]:
        for judged, part in self._sketched(entries):
            yield _of_entries([self._course.place(each) for each in judged], part, self._seen)

    def _sketched(self, entries: Iterable[Entry]) -> Iterator[tuple[list[Judged], Part]]:
        """Entries audited by themselves, in their order, with the rows of the hands among them."""
        way, size = self._way, min(CHUNK, self._way.batch)
        if way.jobs == 1:
            for chunk in portions(_judged(entries, way), size, lambda each: size_of(each.entry)):
                yield chunk, _sketch(chunk, way)
            return
        with processes(way.jobs, method="spawn") as pool:
            asked = ((chunk, pool.submit(_sketch_apart, chunk, way)) for chunk in portions(entries, size, size_of))
            for entries_, found in ahead(asked, way.jobs):
                yield _rejoined(entries_, found)

    # Block by block

    def _placed(self, blocks: Iterable[Lines]) -> Iterator[Chunk]:
        """Blocks that are sketched by compiled code, here or elsewhere."""
        placer = self._course.compiled()
        for lines, sketched in self._sketches(blocks, placer):
            yield _of_block(placer, lines, sketched, self._seen)

    def _sketches(self, blocks: Iterable[Lines], placer: "Placer") -> Iterator[tuple[Lines, "Sketched"]]:
        from ingest.bulk.elsewhere import begin_sketching, sketch_block
        from ingest.bulk.sketching import Sketcher

        given = self._way.rules, placer.memory.secret, self._way.zone
        if self._way.jobs == 1:
            sketcher = Sketcher(*given)
            for lines in blocks:
                sketched = sketcher.sketch(lines.source, lines.line, lines.text)
                lines.told.append(sketched.found.lines)
                yield lines, sketched
            return
        if self._pool is None:
            self._pool = self._open.enter_context(processes(self._way.jobs, begin_sketching, *given, method="spawn"))
        pool = self._pool
        asked = ((lines, pool.submit(sketch_block, lines.source, lines.line, lines.text)) for lines in blocks)
        yield from ahead(asked, self._way.jobs)

    def _begin(self) -> "Placer":
        from ingest.bulk.placing import Placer
        from ingest.bulk.recollection import InArrays

        memory = InArrays(self._ledgers)
        self._journal.saving = memory.save
        return Placer(self._way.rules, lambda _: b"", memory)


def _cut(items: Iterable[Lines | Entry], taken: int, batch: int) -> Iterator[Lines | Entry]:
    """Items without those entries that were taken before; of lines no more at once than become columns at once.

    No piece reaches beyond a multiple of ``batch``, so that so many entries are published together.
    """
    count = 0
    for item in items:
        if isinstance(item, Entry):
            count += 1
            if count > taken:
                yield item
            continue
        rest: Lines | None = item
        while rest is not None:
            most = taken - count if count < taken else min(LINES, batch - count % batch)
            first, size, rest = rest.parted(most)
            if count >= taken:
                yield first
            else:
                for _ in first.entries():  # so that it is known which unknown fields were named
                    pass
            count += size


# Rows


def _of_entries(audited: list[Audited], part: Part, seen: Ledger) -> Chunk:
    def kept(first: int) -> Kept:
        entries = [None if _is_read_again(entry, seen) else entry for entry in audited]
        size = sum(len(entry.entry.raw) for entry in entries if entry is not None)
        told = Verdicts("", 0, {}, [entry.verdict for entry in audited], tuple)
        rows = complete(entries, part, first)
        return Kept(rows, len(entries), len(entries) - entries.count(None), size, told)

    return kept


def _of_block(placer: "Placer", lines: Lines, sketched: "Sketched", seen: Ledger) -> Chunk:
    from ingest.bulk.settling import settle, with_untold

    placed = placer.one_by_one(lines, sketched.found)

    def kept(first: int) -> Kept:
        single = with_untold(lines, sketched, placed)
        settled = settle(lines, sketched, single, first, lambda entry: _is_read_again(entry, seen))
        told = placer.verdicts(lines, sketched.found, placed)
        return Kept(settled.part, len(sketched.found.proven), settled.entries, settled.size, told)

    return kept


def _is_read_again(audited: Audited, seen: Ledger) -> bool:
    """Whether this line was read before, as happens where a file and its folder are both given."""
    if audited.counted:
        return False
    entry = audited.entry
    key = line_digest(entry.source, entry.line, entry.raw)
    if _repeats_itself(audited) or seen.get(key) is not None:
        return True
    seen.put(key, b"")
    return False


def _repeats_itself(audited: Audited) -> bool:
    """Whether a hand is said to be the same as the one on the same line of the same file."""
    here = {"source": audited.entry.source, "line": audited.entry.line}
    return any(finding.code == "R108" and finding.details == here for finding in audited.verdict.findings)


# Other processes


def _sketch_apart(chunk: list[Entry], way: Way) -> Told:
    """What another process sends back: no entry, and of hands their rows only."""
    judged = [*_judged(chunk, way, warm_up=len(chunk) if len(chunk) < CHUNK else 0)]
    return [(each.verdict, each.identity) for each in judged], _sketch(judged, way)


def _judged(entries: Iterable[Entry], way: Way, warm_up: int = WARM_UP) -> Iterator[Judged]:
    """Entries by themselves, those that are hands with what is told of them."""
    if way.engine is Engine.audit:
        found: Iterable[Judged] = (judge(entry, way.rules) for entry in entries)
    else:
        found = judge_all(entries, way.rules, 0 if way.engine else warm_up)
    return (with_hand(each, way.rules) for each in found)


def _sketch(judged: list[Judged], way: Way) -> Part:
    return sketch(judged, way.zone) if way.engine is Engine.audit else sketch(judged, way.zone, fewest_plays, turned)


def _rejoined(chunk: list[Entry], told: Told) -> tuple[list[Judged], Part]:
    verdicts, part = told
    judged = [
        Judged(entry, verdict, None, identity) for entry, (verdict, identity) in zip(chunk, verdicts, strict=True)
    ]
    return judged, part


def of_audited(audited: Iterable[Audited], zone: str, journal: Journal) -> Iterator[Chunk]:
    """Entries that were placed before, chunk by chunk."""
    seen = journal.ledgers[SEEN]
    for chunk in portions(audited, CHUNK, lambda each: size_of(each.entry)):
        yield _of_entries(chunk, sketch(chunk, zone), seen)
