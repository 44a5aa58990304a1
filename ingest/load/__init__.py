"""Logs in, a store out: audit, keep, count; what was interrupted goes on where it stopped.

Knows the order of steps and how much is held in memory meanwhile. Refuses to know rules and tables.
"""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ingest.batch import Audited, Batch, Judged, quiet_collector
from ingest.bulk import fewest_plays, judge_all, turned
from ingest.identity import Identity
from ingest.load.keeper import Keeper, LoadReport
from ingest.load.resume import Journal
from ingest.logs import Entry, Logbook, read
from ingest.logs.portions import portions, size_of
from ingest.memory import InLedgers
from ingest.rules.ruleset import load_any
from ingest.store.lock import Waiting
from ingest.store.publish import create, sound
from ingest.store.recall import with_hand
from ingest.store.sketches import Part, sketch
from ingest.verdict import Verdict

__all__ = ["LoadReport", "load", "load_audited"]

Sketched = tuple[list[tuple[Verdict, Identity | None]], Part]
Chunks = Generator[tuple[list[Judged], Part], None, None]

BATCH = 50_000
"""Entries that are published at once."""
CHUNK = 1_000
"""Entries that are held as Python objects before they become columns."""

Told = Callable[[Verdict], None]
"""Is told the verdict on each entry, once it is among its neighbours."""


class Way(NamedTuple):
    """How entries are audited and put into rows."""

    rules: str | None
    zone: str


def load(  # noqa: PLR0913 - every option of the command
    paths: Iterable[str],
    store: Path | str,
    *,
    rules: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    jobs: int = 1,
    replace: bool = False,
    zone: str | None = None,
    told: Told | None = None,
    logbook: Logbook | None = None,
    batch_hands: int = BATCH,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Audit the logs under these paths and keep every hand that the store does not have.

    Every ``batch_hands`` entries become visible together. Whatever interrupts a load, loading the same files in the
    same way goes on after the last of them; ``told`` then hears of the rest only, the report counts all.
    ``replace``: a hand with a known id of the same file, and other content, takes the place of the one before.
    ``zone``: the time zone whose days a new store has, such as ``Europe/Berlin``.
    ``jobs``: processes that audit side by side; the store is the same whatever their number.
    ``waiting`` is told when another process is writing, ``timeout`` says how long to wait for it.
    Raises what ``logs.read`` raises for its arguments, ``BadRuleset`` and ``UnknownRuleset`` for ``rules``,
    ``BadStore`` (also for a store of
    another zone), ``StoreBusy``, ``ValueError`` for a ``zone`` that there is not.
    """
    if rules is not None:
        load_any(rules)
    if zone is not None:
        _must_be_a_zone(zone)
    paths = list(dict.fromkeys(paths))
    entries = read(paths, format=format, encoding=encoding, logbook=logbook)
    days_of = create(Path(store), zone).zone
    sound(Path(store))
    with quiet_collector(), Journal(Path(store), paths, (rules, format, encoding, replace)) as journal:
        keeper = Keeper(Path(store), batch_hands, journal, replace=replace, timeout=timeout, waiting=waiting)
        rest = islice(entries, journal.taken, None)
        with (
            Batch(rules, InLedgers(journal.ledgers)) as batch,
            closing(_sketched(rest, Way(rules, days_of), min(CHUNK, batch_hands), jobs)) as chunks,
        ):
            return keeper.keep((([batch.place(each) for each in judged], part) for judged, part in chunks), told)


def load_audited(
    audited: Iterable[Audited],
    store: Path | str,
    *,
    replace: bool = False,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Keep entries that have been audited, as ``load`` does. Raises ``ValueError`` for one whose hand was let go."""
    days_of = create(Path(store)).zone
    with Journal(Path(store)) as journal:
        keeper = Keeper(Path(store), BATCH, journal, replace=replace, timeout=timeout, waiting=waiting)
        return keeper.keep(
            (chunk, sketch(chunk, days_of)) for chunk in portions(map(_with_hand, audited), CHUNK, _size)
        )


def _must_be_a_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"unknown time zone: {zone}") from None


def _with_hand(audited: Audited) -> Audited:
    if audited.counted and audited.hand is None:
        raise ValueError("verdicts alone cannot be kept: the hand is needed")
    return audited


def _sketched(entries: Iterable[Entry], way: Way, size: int, jobs: int) -> Chunks:
    """Entries audited by themselves, in their order, with the rows of the hands among them."""
    if jobs == 1:
        judged = (with_hand(each, way.rules) for each in judge_all(entries, way.rules))
        yield from ((chunk, sketch(chunk, way.zone, fewest_plays, turned)) for chunk in portions(judged, size, _size))
        return
    waiting: deque[tuple[list[Entry], Future[Sketched]]] = deque()
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            for chunk in portions(entries, size, size_of):
                waiting.append((chunk, pool.submit(_sketch_apart, chunk, way)))
                if len(waiting) > 2 * jobs:
                    yield _rejoined(*waiting.popleft())
            while waiting:
                yield _rejoined(*waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _size(judged: Judged | Audited) -> int:
    return size_of(judged.entry)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _sketch_apart(chunk: list[Entry], way: Way) -> Sketched:
    """What another process sends back: no entry, and of hands their rows only."""
    warm_up = len(chunk) if len(chunk) < CHUNK else 0
    judged = [with_hand(each, way.rules) for each in judge_all(chunk, way.rules, warm_up)]
    return [(each.verdict, each.identity) for each in judged], sketch(judged, way.zone, fewest_plays, turned)


def _rejoined(chunk: list[Entry], future: Future[Sketched]) -> tuple[list[Judged], Part]:
    verdicts, part = future.result()
    judged = [
        Judged(entry, verdict, None, identity) for entry, (verdict, identity) in zip(chunk, verdicts, strict=True)
    ]
    return judged, part
