"""Other processes asked ahead of their answers.

Knows futures and their order. Refuses to know what is asked.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


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
