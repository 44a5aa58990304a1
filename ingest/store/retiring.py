"""Folders that no longer count: how long each stays for those who are reading it.

Knows time as it passes. Refuses to believe the clock on the wall, which may be set back or forward at any moment: what
counts is how long ago a writer on this machine met a folder first, by a clock that only runs on while the machine does.
So much time at least has passed; on another machine, or after a start, the waiting begins anew.
"""

import platform
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from msgspec import structs

from ingest.store.manifest import Manifest, Retired, StoredBatch

GRACE = 3600
"""Seconds that folders stay beside the store for those who are reading them: longer than a question takes."""
_START = Path("/proc/sys/kernel/random/boot_id")
"""Linux: what tells this start of this machine from every other."""


def retired(batches: Iterable[StoredBatch]) -> tuple[Retired, ...]:
    """The folders of batches that cease to count now."""
    return tuple(Retired(batch.folder, int(time.time()), {machine(): time.monotonic()}) for batch in batches)


def met(manifest: Manifest) -> Manifest:
    """A manifest whose retired folders have been met by a writer on this machine."""
    return structs.replace(manifest, retired=tuple(_met(each) for each in manifest.retired))


def is_over(each: Retired) -> bool:
    """Whether nobody can be reading a folder any more."""
    return machine() in each.seen and time.monotonic() - each.seen[machine()] >= GRACE


def _met(each: Retired) -> Retired:
    """A clock that shows less than when it was asked first has begun anew, with the machine."""
    now = time.monotonic()
    return structs.replace(each, seen=each.seen | {machine(): min(now, each.seen.get(machine(), now))})


@cache
def machine() -> str:
    """This machine since it was started; where that cannot be told, this machine."""
    try:
        return _START.read_text("ascii").strip()
    except OSError:
        return platform.node()
