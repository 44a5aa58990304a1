"""Compaction: the same answers from fewer files, whoever is reading or loading meanwhile."""

import platform
import shutil

import pandas as pd
import pytest
from apart import COMPACTING, DIED, compact_to, ended
from test_store_hands import many, record, write
from typer.testing import CliRunner

from analysis import catalogue
from analysis.warehouse import Warehouse
from fupan.cli import app
from ingest.load import load
from ingest.store import TABLES, damage, read_manifest, retiring
from ingest.store.compact import compact

ASKED = (
    "win_rate_by_role",
    "score_per_player",
    "bombs_dealt",
    "volatility",
    "lead_types",
    "pairs",
    "faults_by_code",
    "ratings",
)
EVERYTHING = (*TABLES, "past_hands", "past_seats", "past_raw")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Several batches, hands that were replaced, and lines that are no hands; and the log that was loaded last."""
    folder = tmp_path_factory.mktemp("made")
    path, log = folder / "store", folder / "log.jsonl"
    load([str(many(log, 11))], path, batch_hands=3)
    load([str(write(log, record("h1", "spring", 2, ids=("h1", "u1", "u2")), "no hand"))], path, replace=True)
    dated = write(folder / "dated.jsonl", record("d", "plain", at="2026-03-01T10:00:00+08:00"))
    load([str(dated)], path)
    return path, dated


@pytest.fixture
def store(made, tmp_path):
    """A copy of its own."""
    return shutil.copytree(made[0], tmp_path / "store")


def sql_of(name):
    table = TABLES.get(name)
    if table is None or table.added:
        return f"FROM {name}"
    sums = ", ".join(f"sum({column}) AS {column}" for column in table.sums)
    return (
        f"SELECT {', '.join(table.keys)}, {sums} FROM {name} GROUP BY ALL HAVING {table.sums[0]} + {table.sums[-1]} > 0"
    )


def answers(warehouse):
    return {name: sorted(map(repr, warehouse.query(sql_of(name)).values.tolist())) for name in EVERYTHING}


def folders(store):
    return sorted(path.name for path in store.iterdir() if path.name.startswith("batch-"))


def test_a_compacted_store_has_the_same_rows_and_gives_the_same_answers(store):
    with Warehouse(store) as warehouse:
        rows, numbers = answers(warehouse), read_manifest(store).next_hand
        told = {name: catalogue.run(warehouse, name) for name in ASKED}
        compact(store)
        assert answers(warehouse) == rows
        for name, before in told.items():
            pd.testing.assert_frame_equal(catalogue.run(warehouse, name), before, rtol=1e-12, obj=name)
    assert (len(read_manifest(store).batches), read_manifest(store).next_hand) == (1, numbers)
    assert damage(store) == []


def test_batches_that_are_large_enough_are_left_alone(store):
    before = read_manifest(store).batches
    sizes = [batch.files["hands"].rows for batch in before]
    report = compact(store, hands=6)
    after = read_manifest(store).batches
    assert (report.before, report.after) == (len(before), len(after))
    assert 1 < len(after) < len(before)
    assert sum(batch.files["hands"].rows for batch in after) == sum(sizes)
    assert max(batch.files["hands"].rows for batch in after) <= 6
    assert [name for batch in after for name in batch.merged or (batch.folder,)] == [each.folder for each in before]
    assert compact(store, hands=6).after == len(after)
    assert read_manifest(store).batches == after


def test_one_players_seats_lie_together_in_the_order_of_days(store):
    compact(store)
    with Warehouse(store) as warehouse:
        stored = warehouse.query("SELECT player, hand, seat FROM seats")
        ordered = warehouse.query("SELECT player, hand, seat FROM seats ORDER BY player, day, hand, seat")
        assert stored.equals(ordered)


def test_what_was_merged_stays_for_those_who_read_it_and_goes_later(store, tmp_path, monkeypatch):
    before = folders(store)
    compact(store)
    assert set(before) < set(folders(store))
    load([str(many(tmp_path / "more.jsonl", 2, "m"))], store)
    assert set(before) < set(folders(store))
    monkeypatch.setattr(retiring, "GRACE", 0)
    load([str(many(tmp_path / "even.jsonl", 2, "n"))], store)
    assert folders(store) == sorted(batch.folder for batch in read_manifest(store).batches)


class Clock:
    """A clock on the wall that anybody may set, one that only runs on, and the machine that has both."""

    def __init__(self, monkeypatch):
        self.wall, self.running, self.machine = 1_800_000_000.0, 5_000.0, "first"
        monkeypatch.setattr(retiring, "time", self)
        monkeypatch.setattr(retiring, "machine", lambda: self.machine)

    def time(self):
        return self.wall

    def monotonic(self):
        return self.running

    def passes(self, seconds):
        self.wall += seconds
        self.running += seconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def more(tmp_path):
    """Adds hands, as whatever writes to a store."""
    names = iter("mnopqrst")

    def load_more(store):
        name = next(names)
        load([str(many(tmp_path / f"{name}.jsonl", 2, name))], store)

    return load_more


@pytest.mark.parametrize("set_by", [-86_400 * 400, -1_800, 3_601, 86_400 * 400])
def test_a_clock_that_is_set_neither_takes_files_from_a_reader_nor_keeps_them(store, clock, more, set_by):
    before = folders(store)
    with Warehouse(store, pinned=True) as reader:
        rows = answers(reader)
        compact(store)
        clock.wall += set_by
        clock.passes(retiring.GRACE - 10)
        more(store)
        assert set(before) < set(folders(store))
        assert answers(reader) == rows
    clock.passes(20)
    more(store)
    assert folders(store) == sorted(batch.folder for batch in read_manifest(store).batches)


def test_what_another_machine_merged_waits_for_this_ones_clock(store, clock, more):
    """Its clock has run for longer, and says nothing of ours; a start is like another machine."""
    before = folders(store)
    compact(store)
    clock.machine, clock.running = "second", 9_000_000.0
    for _ in range(2):
        more(store)
        assert set(before) < set(folders(store))
        clock.passes(retiring.GRACE // 2)
    clock.passes(retiring.GRACE // 2)
    clock.machine, here = "third", clock.running
    more(store)
    assert set(before) < set(folders(store))
    clock.machine, clock.running = "second", here
    more(store)
    assert not set(before) & set(folders(store))


def test_where_a_start_cannot_be_told_the_waiting_begins_anew(store, clock, more):
    before = folders(store)
    compact(store)
    clock.running = 10.0  # started again
    more(store)
    clock.passes(retiring.GRACE - 1)
    more(store)
    assert set(before) < set(folders(store))
    clock.passes(1)
    more(store)
    assert not set(before) & set(folders(store))


def test_a_machine_is_told_by_its_start(tmp_path, monkeypatch):
    for text in ("one", "another"):
        (tmp_path / "boot_id").write_text(f"{text}\n")
        monkeypatch.setattr(retiring, "_START", tmp_path / "boot_id")
        retiring.machine.cache_clear()
        assert retiring.machine() == text
    monkeypatch.setattr(retiring, "_START", tmp_path / "missing")
    retiring.machine.cache_clear()
    assert retiring.machine() == platform.node()
    retiring.machine.cache_clear()


def test_known_hands_stay_known(store, made):
    compact(store)
    assert load([str(made[1])], store).known == 1


def test_an_interrupted_load_goes_on_after_its_batches_were_merged(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    heard = []

    def told(verdicts):
        heard.append(verdicts.count)
        if sum(heard) > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load([str(log)], store, batch_hands=10, told=told)
    compact(store)
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.stored, report.known) == (20, 25, 0)


@pytest.mark.parametrize("step", COMPACTING)
def test_a_crash_leaves_the_store_as_it_was(store, step):
    with Warehouse(store) as warehouse:
        rows = answers(warehouse)
        assert ended(compact_to, step, store) == DIED
        assert answers(warehouse) == rows
        compact(store)
        assert answers(warehouse) == rows


def test_the_command_says_what_it_did(store):
    before = len(read_manifest(store).batches)
    said = CliRunner().invoke(app, ["store", "compact", "--store", str(store), "--lang", "en"])
    assert (said.exit_code, said.output) == (0, f"{before} batches before, 1 now\n")
