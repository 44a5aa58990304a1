"""Logs in, a store out: audit, keep, count.

Knows the order of steps and how much is held in memory meanwhile. Refuses to know rules and tables.
"""

import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from ingest.batch import Audited, Batch, Judged, quiet_collector
from ingest.bulk import judge_all
from ingest.ledger import Ledger
from ingest.logs import Entry, read
from ingest.rules.ruleset import load_any
from ingest.store.digests import line_digest
from ingest.store.lock import Waiting
from ingest.store.publish import Published, create, publish
from ingest.store.recall import with_hand
from ingest.store.rows import complete
from ingest.store.sketches import Part, sketch
from ingest.verdict import Verdict

T = TypeVar("T")
Sketched = tuple[list[tuple[Verdict, bytes]], Part]
Chunks = Generator[tuple[list[Judged], Part], None, None]

BATCH = 50_000
"""Entries that are published at once."""
CHUNK = 1_000
"""Entries that are held as Python objects before they become columns."""

Progress = Callable[[int, int | None], None]
"""Told the entries read so far, and the bytes where they are known."""


class LoadReport(Struct, frozen=True):
    """What a load did."""

    read: int = 0
    """Entries of the logs."""
    stored: int = 0
    """Of these, rows of ``hands`` that are new in the store."""
    known: int = 0
    """Entries that the store had already."""
    repeated: int = 0
    """The same hand again within these logs (R108), listed among the findings."""
    clean: int = 0
    faulty: int = 0
    unreadable: int = 0
    """Verdicts of what was stored."""
    codes: dict[str, int] = {}
    """Findings stored, by code."""


def load(  # noqa: PLR0913 - every option of the command
    paths: Iterable[str],
    store: Path | str,
    *,
    rules: str | None = None,
    format: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    batch_hands: int = BATCH,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Audit the logs under these paths and keep every hand that the store does not have.

    Every ``batch_hands`` entries become visible together; whatever interrupts a load, loading again completes it.
    ``jobs``: processes that audit side by side; the store is the same whatever their number.
    ``waiting`` is told when another process is writing, ``timeout`` says how long to wait for it.
    Raises what ``logs.read`` raises for paths, ``BadRuleset`` and ``UnknownRuleset`` for ``rules``, ``BadStore``,
    ``StoreBusy``.
    """
    if rules is not None:
        load_any(rules)
    entries = read(list(dict.fromkeys(paths)), format=format)
    keeper = Keeper(Path(store), batch_hands, timeout, waiting)
    with (
        quiet_collector(),
        Batch(rules) as batch,
        closing(_sketched(entries, rules, min(CHUNK, batch_hands), jobs)) as chunks,
    ):
        return keeper.keep((([batch.place(each) for each in judged], part) for judged, part in chunks), progress)


def load_audited(
    audited: Iterable[Audited], store: Path | str, *, timeout: float | None = None, waiting: Waiting | None = None
) -> LoadReport:
    """Keep entries that have been audited, as ``load`` does. Raises ``ValueError`` for one whose hand was let go."""
    keeper = Keeper(Path(store), BATCH, timeout, waiting)
    return keeper.keep((chunk, sketch(chunk)) for chunk in _chunks(map(_with_hand, audited), CHUNK))


def _with_hand(audited: Audited) -> Audited:
    if audited.counted and audited.hand is None:
        raise ValueError("verdicts alone cannot be kept: the hand is needed")
    return audited


def _chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(values)
    return iter(lambda: list(islice(rest, size)), [])


def _sketched(entries: Iterable[Entry], rules: str | None, size: int, jobs: int) -> Chunks:
    """Entries audited by themselves, in their order, with the rows of the hands among them."""
    if jobs == 1:
        judged = (with_hand(each, rules) for each in judge_all(entries, rules))
        yield from ((chunk, sketch(chunk)) for chunk in _chunks(judged, size))
        return
    waiting: deque[tuple[list[Entry], Future[Sketched]]] = deque()
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            for chunk in _chunks(entries, size):
                waiting.append((chunk, pool.submit(_sketch_apart, chunk, rules)))
                if len(waiting) > 2 * jobs:
                    yield _rejoined(*waiting.popleft())
            while waiting:
                yield _rejoined(*waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _sketch_apart(chunk: list[Entry], rules: str | None) -> Sketched:
    """What another process sends back: no entry, and of hands their rows only."""
    warm_up = len(chunk) if len(chunk) < CHUNK else 0
    judged = [with_hand(each, rules) for each in judge_all(chunk, rules, warm_up)]
    return [(each.verdict, each.digest) for each in judged], sketch(judged)


def _rejoined(chunk: list[Entry], future: Future[Sketched]) -> tuple[list[Judged], Part]:
    verdicts, part = future.result()
    judged = [Judged(entry, verdict, None, digest) for entry, (verdict, digest) in zip(chunk, verdicts, strict=True)]
    return judged, part


class Keeper:
    """Gathers audited entries and publishes them batch by batch."""

    def __init__(self, store: Path, batch: int, timeout: float | None, waiting: Waiting | None) -> None:
        self._store, self._batch = store, batch
        self._timeout, self._waiting = timeout, waiting
        self._parts: list[Part] = []
        self._rows = self._entries = 0
        self._done: list[Published] = []

    def keep(self, chunks: Iterable[tuple[list[Audited], Part]], progress: Progress | None = None) -> LoadReport:
        """Keep these chunks of entries, each with the rows of its hands."""
        create(self._store)
        count = 0
        with Ledger() as seen:
            for audited, part in chunks:
                entries = [None if _is_read_again(entry, seen) else entry for entry in audited]
                self._add(complete(entries, part, self._rows), len(entries))
                count += len(entries) - entries.count(None)
                if progress is not None:
                    progress(count, None)
        self._publish()
        return self._report(count)

    def _add(self, part: Part, entries: int) -> None:
        self._parts.append(part)
        self._rows += part["hands"].num_rows
        self._entries += entries
        if self._entries >= self._batch:
            self._publish()

    def _publish(self) -> None:
        published = publish(self._store, self._parts, timeout=self._timeout, waiting=self._waiting)
        self._done.append(published)
        self._parts, self._rows, self._entries = [], 0, 0

    def _report(self, read: int) -> LoadReport:
        verdicts, codes = Counter[str](), Counter[str]()
        for published in self._done:
            verdicts.update(published.verdicts)
            codes.update(published.codes)
        stored, known = sum(each.stored for each in self._done), sum(each.known for each in self._done)
        return LoadReport(
            read=read,
            stored=stored,
            known=known,
            repeated=read - stored - known,
            clean=verdicts["clean"],
            faulty=verdicts["faulty"],
            unreadable=verdicts["unreadable"],
            codes=dict(sorted(codes.items())),
        )


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
