"""Several questions at once: a short one keeps the database on one core, and a screen asks many.

Knows threads. Refuses to know what is asked: whatever may be asked of a store may be asked in any thread.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Result = TypeVar("Result")

AT_ONCE = min(4, os.cpu_count() or 1)
"""Questions that are asked at once."""


def each(work: Callable[[Given], Result], given: Iterable[Given]) -> list[Result]:
    """What the work makes of each, in order. Raises what the work raises first."""
    items = list(given)
    if len(items) < 2 or AT_ONCE < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(len(items), AT_ONCE)) as pool:
        return list(pool.map(work, items))
