"""A load that stops goes on where it was, as if it had not stopped."""

import json
import os
import signal

import pytest
from apart import ended, load_until_killed
from test_duplicates import rows
from test_store_hands import many, record, write

from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.load.resume import FOLDER

EVERYTHING = (
    "hands", "seats", "moves", "findings", "raw", "replaced",
)  # fmt: skip


class Stop(Exception):
    """What interrupts a load."""


def stopping_after(number: int):
    """Interrupts a load once it has told more verdicts than so many."""
    heard = []

    def told(verdicts):
        heard.append(verdicts.count)
        if sum(heard) > number:
            raise Stop

    return told


def a_log(path):
    """Repetitions, ids and balances that reach from one batch into another."""
    hands = [
        record(f"h{n}", ("plain", "spring", "anti_spring")[n % 3], n % 3, ids=(f"p{n}", "u1", "u2")) for n in range(12)
    ]
    hands += [
        record("again", "plain", 0, ids=("p0", "u1", "u2")),
        record("h1", "plain", ids=("x", "u1", "u2")),
        "not json",
    ]
    hands += [record(f"t{n}", "void", ids=("t", "u1", "u2"), table="t", voids=n, rules="platform") for n in (0, 1, 5)]
    return write(path, *hands, *hands[:4], '{"id":')


def tables(store):
    with Warehouse(store) as warehouse:
        found = {name: warehouse.query(f"FROM {name}") for name in EVERYTHING}
    return {name: sorted(repr(tuple(row)) for row in frame.itertuples(index=False)) for name, frame in found.items()}


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_wherever_a_load_stops_the_next_ends_as_if_it_had_not(tmp_path, jobs):
    log = a_log(tmp_path / "log.jsonl")
    whole = load([str(log)], tmp_path / "whole", batch_hands=5)
    wanted = tables(tmp_path / "whole")
    for stop in (1, 8, 15, 22) if jobs == 1 else (12,):
        store = tmp_path / f"store-{stop}"
        with pytest.raises(Stop):
            load([str(log)], store, batch_hands=5, told=stopping_after(stop), jobs=jobs)
        heard = []
        report = load([str(log)], store, batch_hands=5, told=heard.append, jobs=jobs)
        assert tables(store) == wanted
        assert report.read == whole.read
        assert report.stored + report.known == whole.stored + whole.known
        assert report.continued + sum(verdicts.count for verdicts in heard) >= whole.read
        assert report.continued > 0 or stop < 5
        assert list((store / FOLDER).glob("*")) == []


def test_what_changed_meanwhile_is_read_from_the_beginning(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    with pytest.raises(Stop):
        load([str(log)], store, batch_hands=10, told=stopping_after(20))
    os.utime(log, (1, 1))
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.stored, report.known) == (0, 5, 20)


@pytest.mark.parametrize("other", [{"rules": "classic"}, {"format": "native"}, {"replace": True}])
def test_another_way_of_loading_begins_anew(tmp_path, other):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    with pytest.raises(Stop):
        load([str(log)], store, batch_hands=10, told=stopping_after(20))
    assert load([str(log)], store, batch_hands=10, **other).continued == 0


def test_a_store_that_lost_the_batches_is_filled_again(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    with pytest.raises(Stop):
        load([str(log)], store, batch_hands=10, told=stopping_after(20))
    manifest = json.loads((store / "manifest.json").read_text())
    (store / "manifest.json").write_text(json.dumps(manifest | {"batches": [], "next_hand": 0, "blake2b": ""}))
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.stored) == (0, 25)


def test_a_damaged_memory_is_no_obstacle(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    with pytest.raises(Stop):
        load([str(log)], store, batch_hands=10, told=stopping_after(20))
    (memory,) = (store / FOLDER).iterdir()
    memory.write_bytes(b"nonsense" * 100)
    assert load([str(log)], store, batch_hands=10).known == 20


def test_a_killed_load_goes_on(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    assert ended(load_until_killed, 20, log, store, 10) == -signal.SIGKILL
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.read, report.stored) == (20, 25, 25)
    assert rows(store, "SELECT count(*) FROM hands") == [(25,)]
