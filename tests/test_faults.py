"""Machines that fail while a store is written or read: it opens, has each hand once, and says what it could not do."""

import errno
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from apart import begun, ended, load_in_batches, load_where_files_are_small
from reliability import note
from test_store_damage import contents
from test_store_hands import many

from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.store import damage, read_manifest

FAULTS = Path(__file__).parent / "faults.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and limits")


def killed(folder: Path, hands: int, kills: int, seed: int) -> tuple[int, int]:
    log = many(folder / "log.jsonl", hands)
    words = [sys.executable, "-W", "ignore::DeprecationWarning", str(FAULTS), str(log), str(folder / "store")]
    environment = os.environ | {"PYTHONPATH": str(FAULTS.parents[1])}
    done = subprocess.run([*words, str(kills), str(seed)], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    dead, ended = map(int, done.stdout.split())
    return dead, ended


def test_loaders_that_are_killed_leave_whole_batches_and_the_last_one_completes_them(tmp_path):
    assert killed(tmp_path, 30, 3, 1)[0] == 3


@pytest.mark.soak
def test_two_hundred_loaders_are_killed(tmp_path):
    dead, ended = killed(tmp_path, 50, 210, 2026)
    note(
        "`kill -9` of a load at a random moment",
        f"{dead} killed, {ended} came to their end first; after each the store was whole, every hand once",
    )


@pytest.mark.parametrize("room", [100, 9_000, 14_000])
def test_where_a_file_cannot_be_written_to_its_end_the_store_is_as_before(tmp_path, room):
    """As on a full disk: the manifest, a file of a batch, or the largest of them does not fit."""
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    load([str(many(tmp_path / "first.jsonl", 3, "f"))], store)
    before, text = contents(store), (store / "manifest.json").read_bytes()
    assert ended(load_where_files_are_small, room, log, store) == errno.EFBIG
    assert damage(store) == []
    if (store / "manifest.json").read_bytes() == text:
        assert contents(store) == before
    assert load([str(log)], store, batch_hands=10).stored + read_manifest(store).rows("hands") >= 28
    assert read_manifest(store).rows("hands") == 28


def test_a_clock_that_is_set_back_hides_no_change(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "a.jsonl", 3, "a"))], store)
    past = (store / "manifest.json").stat()
    with Warehouse(store) as warehouse:
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 3
        load([str(many(tmp_path / "b.jsonl", 4, "b"))], store)
        for path in (store / "manifest.json", *store.glob("batch-*/*")):
            os.utime(path, ns=(past.st_atime_ns, past.st_mtime_ns - 10**9))
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 7
        load([str(many(tmp_path / "c.jsonl", 5, "c"))], store)
        os.utime(store / "manifest.json", ns=(past.st_atime_ns, past.st_mtime_ns - 10**9))
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 12
        assert warehouse.damage == ()


def read_while_it_loads(folder: Path, hands: int, readers: int) -> list[float]:
    """Seconds that readers, each with another filter, waited for an answer while a load went on. No answer is wrong."""
    store, log = folder / "store", many(folder / "log.jsonl", hands)
    load([str(many(folder / "first.jsonl", 3, "f"))], store)
    loader = begun(load_in_batches, max(1, hands // 15), log, store, folder / "kept")
    asking, waits = threading.Lock(), list[float]()
    wrong: list[object] = []

    def reads(number: int, warehouse: Warehouse) -> None:
        sql = (
            "SELECT count(*) AS hands, count(DISTINCT digest) AS digests,"
            " (SELECT count(*) FROM seats WHERE seat = $seat) AS seats,"
            " (SELECT CAST(sum(hands) AS BIGINT) FROM days) AS in_days FROM hands"
        )
        last = 0
        while True:
            with asking:  # a process is waited for once
                going = loader.is_alive()
            began = time.perf_counter()
            row = warehouse.query(sql, {"seat": number % 3}).iloc[0]
            waits.append(time.perf_counter() - began)
            if not (row["hands"] == row["digests"] == row["seats"] == row["in_days"] and row["hands"] >= max(last, 3)):
                wrong.append(dict(row))
            last = int(row["hands"])
            if not going:
                break
        if last != hands + 3:
            wrong.append(last)

    with Warehouse(store) as warehouse:
        threads = [threading.Thread(target=reads, args=(number, warehouse)) for number in range(readers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    loader.join()
    assert loader.exitcode == 0
    assert wrong == []
    return sorted(waits)


def test_readers_beside_a_loader_see_whole_batches_only(tmp_path):
    assert len(read_while_it_loads(tmp_path, 45, 3)) >= 3


@pytest.mark.soak
def test_eight_readers_beside_a_loader(tmp_path):
    waits = read_while_it_loads(tmp_path, 600, 8)
    p95, peak = waits[int(len(waits) * 0.95)], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    note(
        "Eight readers beside a loader",
        f"{len(waits)} answers, 0 wrong, 0 empty; 95 % within {p95 * 1000:.0f} ms; readers' peak memory {peak} MiB",
    )
