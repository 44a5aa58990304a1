"""Auditing logs with all that the machine has: the fast path, several processes, a quiet collector.

Whatever is used, the verdicts are the same, in the same order.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor

import msgspec

from ingest.batch import Batch, Judged, quiet_collector
from ingest.bulk import Telling, Verdicts, audit_logs, judge_all
from ingest.logs import Entry, Logbook, read, read_blocks
from ingest.logs.portions import portions, size_of

CHUNK = 2000
"""Entries that a process audits at a time."""


def audit(
    paths: Sequence[str],
    rules: str | None,
    jobs: int,
    *,
    format: str | None = None,
    encoding: str | None = None,
    logbook: Logbook | None = None,
    telling: Telling = lambda _: None,
) -> Iterator[Verdicts]:
    """Audit logs in ``jobs`` processes. The verdicts alone, in order: hands are not kept.

    ``telling`` is told why it takes longer than it could, as ``judge_all`` does. Raises what ``logs.read`` raises for
    its arguments.
    """
    with quiet_collector():
        if jobs == 1:
            blocks = read_blocks(paths, format=format, encoding=encoding, logbook=logbook)
            yield from audit_logs(blocks, rules, telling)
            return
        entries = read(paths, format=format, encoding=encoding, logbook=logbook)
        with Batch(rules) as batch:
            for judged in _judged(entries, rules, jobs):
                yield Verdicts.of(batch.place(judged).verdict)


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
