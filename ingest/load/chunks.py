"""Logs in, chunks of rows out: block by block with compiled code, entry by entry without it.

Knows when compiled code is worth loading, how work is shared among processes, and how much is held in memory
meanwhile. Whatever is used, the rows are the same, in the same order. Refuses to know what a store has already.
"""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import groupby
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ingest.batch import Audited, Batch, Judged
from ingest.bulk import available, fewest_plays, judge_all, turned
from ingest.bulk.ahead import ahead
from ingest.bulk.judging import WARM_UP, must_compile
from ingest.bulk.loaded import KERNEL
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
LINES = 5_000
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


class Loading:
    """A load as it goes. Use as a context manager."""

    def __init__(self, way: Way, journal: Journal) -> None:
        self._way, self._seen = way, journal.ledgers[SEEN]
        self._ledgers, self._journal = journal.ledgers, journal
        self._batch = Batch(way.rules, InLedgers(journal.ledgers))
        self._early: list[Judged] | None = [] if journal.taken == 0 and available() else None
        """What was placed before compiled code was loaded; None where it never will be, or has been."""
        self._placer: Placer | None = None
        self._open = ExitStack()
        self._pool: Executor | None = None
        if journal.is_in_arrays:
            self._compiled()

    def __enter__(self) -> "Loading":
        return self

    def __exit__(self, *problem: object) -> None:
        if self._placer is not None:
            self._placer.memory.close()
        self._open.close()

    def chunks(self, items: Iterable[Lines | Entry], taken: int) -> Iterator[Chunk]:
        """The entries of whole logs (``ingest.logs.read_blocks``), but for the first ``taken``, chunk by chunk."""
        for kind, some in groupby(_cut(items, taken, self._way.batch), type):
            step: Callable[[Iterable[Any]], Iterator[Chunk]] = self._blocks if kind is Lines else self._entries
            yield from step(some)

    # Entry by entry

    def _entries(self, entries: Iterable[Entry]) -> Iterator[Chunk]:
        for judged, part in self._sketched(entries):
            yield _of_entries([self._place(each) for each in judged], part, self._seen)

    def _sketched(self, entries: Iterable[Entry]) -> Iterator[tuple[list[Judged], Part]]:
        """Entries audited by themselves, in their order, with the rows of the hands among them."""
        way, size = self._way, min(CHUNK, self._way.batch)
        if way.jobs == 1:
            judged = (with_hand(each, way.rules) for each in judge_all(entries, way.rules))
            for chunk in portions(judged, size, lambda each: size_of(each.entry)):
                yield chunk, sketch(chunk, way.zone, fewest_plays, turned)
            return
        with ExitStack() as open_:
            pool = open_.enter_context(_cancelled_at_the_end(_pool(way)))
            asked = ((chunk, pool.submit(_sketch_apart, chunk, way)) for chunk in portions(entries, size, size_of))
            for entries_, found in ahead(asked, way.jobs):
                yield _rejoined(entries_, found)

    def _place(self, judged: Judged) -> Audited:
        if self._early is not None:
            if len(self._early) >= WARM_UP:
                self._compiled()
            else:
                self._early.append(msgspec.structs.replace(judged, hand=None))
        return self._batch.place(judged)

    # Block by block

    def _blocks(self, blocks: Iterable[Lines]) -> Iterator[Chunk]:
        for worth_it, some in groupby(blocks, self._is_worth_it):
            if worth_it:
                yield from self._placed(some)
            else:
                yield from self._entries(entry for lines in some for entry in lines.entries())

    def _is_worth_it(self, lines: Lines) -> bool:
        """Whether there is compiled code, loaded already or with enough to do for it."""
        if self._placer is not None or self._early is None:
            return self._placer is not None
        if KERNEL in sys.modules:
            return True
        count = len(self._early) + lines.text.count(b"\n")
        return count > FEW and (count > WARM_UP or not must_compile())

    def _placed(self, blocks: Iterable[Lines]) -> Iterator[Chunk]:
        """Blocks that are sketched by compiled code, here or elsewhere."""
        placer = self._compiled()
        for lines, sketched in self._sketches(blocks, placer):
            yield _of_block(placer, lines, sketched, self._seen)

    def _sketches(self, blocks: Iterable[Lines], placer: "Placer") -> Iterator[tuple[Lines, "Sketched"]]:
        from ingest.bulk.elsewhere import begin_sketching, sketch_block
        from ingest.bulk.sketching import Sketcher

        given = self._way.rules, placer.memory.secret, self._way.zone
        if self._way.jobs == 1:
            sketcher = Sketcher(*given)
            yield from ((lines, sketcher.sketch(lines.source, lines.line, lines.text)) for lines in blocks)
            return
        if self._pool is None:
            pool = _pool(self._way, begin_sketching, *given)
            self._pool = self._open.enter_context(_cancelled_at_the_end(pool))
        pool_ = self._pool
        asked = ((lines, pool_.submit(sketch_block, lines.source, lines.line, lines.text)) for lines in blocks)
        yield from ahead(asked, self._way.jobs)

    def _compiled(self) -> "Placer":
        """What places blocks; whatever was placed without it is placed again in its memory."""
        if self._placer is None:
            from ingest.bulk.placing import Placer
            from ingest.bulk.recollection import InArrays

            memory = InArrays(self._ledgers)
            self._placer = Placer(self._way.rules, lambda _: b"", memory)
            self._journal.saving, self._batch = memory.save, self._placer.batch
            for judged in self._early or ():
                self._batch.place(judged)
            self._early = None
        return self._placer


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


def _pool(way: Way, begin: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(way.jobs, get_context("spawn"), initializer=_begin, initargs=(begin, given))


def _begin(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """Interrupts are for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin(*given)


class _cancelled_at_the_end:  # noqa: N801 - reads as a clause of ``with``
    """A pool whose work is not waited for when its user leaves."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def __enter__(self) -> ProcessPoolExecutor:
        return self._pool

    def __exit__(self, *problem: object) -> None:
        self._pool.shutdown(cancel_futures=True)


def _sketch_apart(chunk: list[Entry], way: Way) -> Told:
    """What another process sends back: no entry, and of hands their rows only."""
    warm_up = len(chunk) if len(chunk) < CHUNK else 0
    judged = [with_hand(each, way.rules) for each in judge_all(chunk, way.rules, warm_up)]
    return [(each.verdict, each.identity) for each in judged], sketch(judged, way.zone, fewest_plays, turned)


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
