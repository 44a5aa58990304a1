"""Other processes: started for one kind of work, and asked ahead of their answers.

Knows pools, futures and their order. Refuses to know what is asked.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Literal, TypeVar

from ingest.faults import Language

A = TypeVar("A")
R = TypeVar("R")


class ProcessEnded(OSError):
    """A process was ended by somebody, or by the system for want of memory."""

    def __init__(self) -> None:
        super().__init__(self.sentence("en"))

    def sentence(self, language: Language) -> str:
        """For a person."""
        if language == "zh":
            return "一个工作进程被结束了（内存不够？）：请少用几个进程（--jobs）再试"
        return "a process that worked for this one was ended (for want of memory?): try again with fewer (--jobs)"


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
    """Interrupts are for the parent, and nothing is done for one that is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def ahead(asked: Iterable[tuple[A, Future[R]]], jobs: int) -> Iterator[tuple[A, R]]:
    """What was asked of ``jobs`` processes with their answers, in order, some of them asked ahead.

    Raises ``ProcessEnded``.
    """
    waiting: deque[tuple[A, Future[R]]] = deque()
    try:
        for each in asked:
            waiting.append(each)
            if len(waiting) > 2 * jobs:
                item, future = waiting.popleft()
                yield item, future.result()
        for item, future in waiting:
            yield item, future.result()
    except BrokenExecutor as problem:
        raise ProcessEnded from problem
