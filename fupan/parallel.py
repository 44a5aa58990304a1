"""Auditing in several processes: the same verdicts in the same order, whatever their number."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

import msgspec

from ingest.batch import Audited, Batch, Judged, judge
from ingest.logs import Entry

CHUNK = 500
"""Entries that a process audits at a time."""


def audit(entries: Iterable[Entry], rules: str | None, jobs: int) -> Iterator[Audited]:
    """Audit entries in ``jobs`` processes; one process keeps the hands, several give verdicts alone."""
    with Batch(rules) as batch:
        if jobs == 1:
            yield from batch.audit(entries)
        else:
            for judged in _judged(iter(entries), rules, jobs):
                yield batch.place(judged)


def _judged(entries: Iterator[Entry], rules: str | None, jobs: int) -> Iterator[Judged]:
    waiting: deque[Future[list[Judged]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        for chunk in iter(lambda: list(islice(entries, CHUNK)), []):
            waiting.append(pool.submit(_judge_chunk, chunk, rules))
            if len(waiting) > 2 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _judge_chunk(chunk: list[Entry], rules: str | None) -> list[Judged]:
    return [msgspec.structs.replace(judge(entry, rules), hand=None) for entry in chunk]
