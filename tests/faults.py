"""What may happen to a machine while it loads, done on purpose: a script that kills loaders and looks at the store.

Run as ``python faults.py LOG STORE KILLS SEED``. Loaders are forked from a process that has imported everything but
has no thread yet, so that a kill costs a part of a second. Prints how many were killed and how many came to their end.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.store import damage, read_manifest

BATCH = 10


def forked(work: Callable[[], None]) -> int:
    """A process that does some work and exits with 0, or with 1 and a traceback."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException as problem:
        print(repr(problem), file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def look(store: Path) -> None:
    """Whole files, whole batches, and each hand once."""
    assert damage(store) == []
    with Warehouse(store) as warehouse:
        row = warehouse.query(
            "SELECT count(*) AS hands, count(DISTINCT hand) AS numbers, count(DISTINCT digest) AS digests,"
            " count(DISTINCT line) AS lines, (SELECT count(*) FROM seats) AS seats,"
            " (SELECT CAST(coalesce(sum(hands), 0) AS BIGINT) FROM days) AS in_days FROM hands"
        ).iloc[0]
        assert warehouse.damage == ()
    assert row["hands"] == row["numbers"] == row["digests"] == row["lines"] == row["in_days"], dict(row)
    assert row["seats"] == 3 * row["hands"], dict(row)


def whole(store: Path, hands: int) -> None:
    look(store)
    assert read_manifest(store).rows("hands") == hands


def main(log: str, folder: str, kills: int, seed: int) -> None:
    chance, store = random.Random(seed), Path(folder)
    hands = len(Path(log).read_text("utf-8").splitlines())
    started = time.monotonic()
    assert ended(forked(lambda: load([log], store, batch_hands=BATCH))) == 0
    longest = time.monotonic() - started
    assert ended(forked(lambda: whole(store, hands))) == 0
    killed = completed = 0
    shutil.rmtree(store)
    while killed < kills:
        child = forked(lambda: load([log], store, batch_hands=BATCH))
        time.sleep(chance.random() * longest)
        os.kill(child, signal.SIGKILL)
        if ended(child) == -signal.SIGKILL:
            killed += 1
            if (store / "manifest.json").exists():
                assert ended(forked(lambda: look(store))) == 0
        else:
            completed += 1
            assert ended(forked(lambda: whole(store, hands))) == 0
            shutil.rmtree(store)
    assert ended(forked(lambda: load([log], store, batch_hands=BATCH))) == 0
    assert ended(forked(lambda: whole(store, hands))) == 0
    print(killed, completed)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
