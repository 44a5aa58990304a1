"""Other processes: started for one kind of work, and asked ahead of their answers.

Knows pools, futures and their order. Refuses to know what is asked.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Literal, TypeVar

A = TypeVar("A")
R = TypeVar("R")


@contextmanager
def processes(
    jobs: int, begin: Callable[..., None] | None = None, *given: Any, method: Literal["fork", "spawn"] | None = None
) -> Iterator[Executor]:
    """So many processes, which ``begin`` with what is given; what they were asked is not waited for when one leaves.

    ``method``: how they are started, None for what Python does by itself.
    """
    pool = ProcessPoolExecutor(jobs, get_context(method), initializer=_begin, initargs=(begin, given))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """Interrupts are for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin(*given)


def ahead(asked: Iterable[tuple[A, Future[R]]], jobs: int) -> Iterator[tuple[A, R]]:
    """What was asked of ``jobs`` processes with their answers, in order, some of them asked ahead."""
    waiting: deque[tuple[A, Future[R]]] = deque()
    for each in asked:
        waiting.append(each)
        if len(waiting) > 2 * jobs:
            item, future = waiting.popleft()
            yield item, future.result()
    for item, future in waiting:
        yield item, future.result()
