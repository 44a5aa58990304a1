"""One writer at a time: a lock that the system takes back from a writer that dies.

Knows processes. Refuses to know what they write.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Waiting = Callable[[str], None]
PAUSE = 0.05
"""Seconds between two attempts."""


class StoreBusy(Exception):
    """Another process is writing to the store, and did not end in time."""


@contextmanager
def locked(path: Path, timeout: float | None = None, waiting: Waiting | None = None) -> Iterator[None]:
    """Hold the lock; ``waiting`` is told once if somebody else does. Raises ``StoreBusy`` after ``timeout`` seconds."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _wait(descriptor, path, timeout, waiting)
        try:
            yield
        finally:
            _release(descriptor)
    finally:
        os.close(descriptor)


def _wait(descriptor: int, path: Path, timeout: float | None, waiting: Waiting | None) -> None:
    started = time.monotonic()
    told = False
    while not _acquire(descriptor):
        if timeout is not None and time.monotonic() - started >= timeout:
            raise StoreBusy(f"another process is writing to {path.parent}")
        if waiting is not None and not told:
            waiting(f"waiting for another process that is writing to {path.parent}")
            told = True
        time.sleep(PAUSE)


if sys.platform == "win32":
    import msvcrt

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _acquire(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
