"""Processes of their own: loaders beside the tests, and those that end before their time.

A program that is started takes a second to import what loads, a fork of one that has imported it takes none; and unlike
the tests' own process that one has no threads which a fork would leave in the middle of what they did.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ingest.load import load
from ingest.store import batches, compact, layout, publish
from ingest.store.lock import locked

_FORKS = get_context("spawn" if sys.platform == "win32" else "forkserver")
if sys.platform != "win32":
    _FORKS.set_forkserver_preload([__name__])

DIED = 9
COMPACTING = {"write": (layout, "write_table"), "rename": (Path, "rename"), "publish": (os, "replace")}
LOADING = {
    "table": (publish, "write_table"), "rename": (Path, "rename"), "manifest": (batches, "write_manifest"),
    "replace": (os, "replace"),
}  # fmt: skip
"""At which function a process dies, by what the step is called."""


def begun(function: Callable[..., None], *given: object) -> BaseProcess:
    """A process that does this."""
    process = _FORKS.Process(target=function, args=given)
    process.start()
    return process


def ended(function: Callable[..., None], *given: object) -> int | None:
    """How a process ended that did this: its status, or less than zero for the signal that killed it."""
    process = begun(function, *given)
    process.join()
    return process.exitcode


def _dies_at(where: object, name: str, *, afterwards: bool = False) -> None:
    function = getattr(where, name)

    def dies(*arguments: Any, **more: Any) -> None:
        if afterwards:
            function(*arguments, **more)
        os._exit(DIED)

    setattr(where, name, dies)


def load_to(step: str, log: Path, store: Path) -> None:
    """Load until something is about to be done, or has been done for the first time: ``before table``."""
    when, name = step.split()
    _dies_at(*LOADING[name], afterwards=when == "after")
    load([str(log)], store)


def compact_to(step: str, store: Path) -> None:
    """Compact until something is about to be done."""
    _dies_at(*COMPACTING[step])
    compact.compact(store)


def load_until_killed(number: int, log: Path, store: Path, batch: int) -> None:
    """Load until more than so many verdicts were told, and be killed."""
    heard: Counter[str] = Counter()

    def told(verdicts: Any) -> None:
        heard["entries"] += verdicts.count
        if heard["entries"] > number:
            os.kill(os.getpid(), signal.SIGKILL)

    load([str(log)], store, batch_hands=batch, told=told)


def load_where_files_are_small(room: int, log: Path, store: Path) -> None:
    """Load where no file may have more bytes than these; the status is the number of the system's refusal."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    try:
        load([str(log)], store, batch_hands=10)
    except OSError as problem:
        sys.exit(problem.errno)


def load_in_batches(batch: int, log: Path, store: Path, kept: Path) -> None:
    """Load, and write down how many hands were kept."""
    kept.write_text(str(load([str(log)], store, batch_hands=batch).stored), "utf-8")


def die_with_lock(lock: Path) -> None:
    with locked(lock):
        os._exit(1)
