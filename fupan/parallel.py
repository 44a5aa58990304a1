"""Auditing logs with all that the machine has: the fast path, several processes, a quiet collector.

Whatever is used, the verdicts are the same, in the same order.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import msgspec

from ingest.batch import Audited, Batch, Judged, quiet_collector
from ingest.bulk import Telling, judge_all
from ingest.logs import Entry
from ingest.logs.portions import portions, size_of

CHUNK = 2000
"""Entries that a process audits at a time."""


def audit(
    entries: Iterable[Entry], rules: str | None, jobs: int, telling: Telling = lambda _: None
) -> Iterator[Audited]:
    """Audit entries in ``jobs`` processes. The verdicts alone: proven hands are not kept.

    ``telling`` is told why it takes longer than it could, as ``judge_all`` does.
    """
    with quiet_collector(), Batch(rules) as batch:
        judged = judge_all(entries, rules, telling=telling) if jobs == 1 else _judged(iter(entries), rules, jobs)
        for entry in judged:
            yield batch.place(entry)


def _judged(entries: Iterator[Entry], rules: str | None, jobs: int) -> Iterator[Judged]:
    waiting: deque[Future[list[Judged]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        for chunk in portions(entries, CHUNK, size_of):
            waiting.append(pool.submit(_judge_chunk, chunk, rules))
            if len(waiting) > 2 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _judge_chunk(chunk: list[Entry], rules: str | None) -> list[Judged]:
    warm_up = len(chunk) if len(chunk) < CHUNK else 0
    return [msgspec.structs.replace(judged, hand=None) for judged in judge_all(chunk, rules, warm_up)]
