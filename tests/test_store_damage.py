"""Files that are cut, flipped or gone: the store opens, answers without them, and says so; a repair loses no more."""

import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from test_duplicates import rows
from test_store_hands import many, record, write
from typer.testing import CliRunner

from analysis.warehouse import Warehouse
from fupan.cli import app
from ingest.load import load
from ingest.store import TABLES, BadStore, damage, read_manifest
from ingest.store.manifest import COPY, MANIFEST, SPANS
from ingest.store.repair import repair

KEPT = ("hands", "seats", "moves", "findings", "raw")
SUMS = ("days", "players")


def contents(store: Path) -> dict[str, list[str]]:
    """All of a store but the running numbers, which say in what order it was loaded."""
    asked = {name: f"SELECT * EXCLUDE (hand) FROM {name}" for name in KEPT} | {name: f"FROM {name}" for name in SUMS}
    with Warehouse(store) as warehouse:
        text = "SELECT CAST(t AS VARCHAR) AS text FROM ({}) t ORDER BY ALL"
        return {name: warehouse.query(text.format(sql))["text"].tolist() for name, sql in asked.items()}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flip(path: Path, place: int | None = None) -> None:
    text = bytearray(path.read_bytes())
    text[len(text) // 2 if place is None else place] ^= 4
    path.write_bytes(text)


Made = tuple[Path, Path, dict[str, list[str]]]
"""A log, a store of it in three batches, and what that holds."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("three")
    log = many(folder / "log.jsonl", 25)
    load([str(log)], folder / "store", batch_hands=10)
    return log, folder / "store", contents(folder / "store")


@pytest.fixture
def three(made: Made, tmp_path: Path) -> Made:
    log, store, before = made
    shutil.copytree(store, tmp_path / "store")
    return log, tmp_path / "store", before


SPOILT = list(zip(TABLES, itertools.cycle([cut, flip, Path.unlink]), strict=False))


@pytest.mark.parametrize(("table", "spoil"), SPOILT)
def test_whatever_file_is_spoilt_the_rest_is_answered_and_the_lost_is_loaded_again(three, table, spoil):
    log, store, before = three
    spoil(store / "batch-000002" / f"{table}.parquet")
    assert [each.path for each in damage(store)] == [f"batch-000002/{table}.parquet"]
    with Warehouse(store) as warehouse:
        assert warehouse.query("SELECT list(line ORDER BY line) AS n FROM hands")["n"][0].tolist() == [
            *range(1, 11), *range(21, 26),
        ]  # fmt: skip
        assert warehouse.query("SELECT sum(hands) AS n FROM days")["n"][0] == 15
        assert {each.batch for each in warehouse.damage} == {"batch-000002"}
    with pytest.raises(BadStore, match="repair"):
        load([str(log)], store)
    done = repair(store)
    assert (done.aside, done.hands) == (["aside/batch-000002"], 10)
    assert [(s.source, s.first, s.last, s.entries) for s in done.again] == [(str(log), 11, 20, 10)]
    assert json.loads((store / "aside" / "batch-000002" / "again.json").read_text())[0]["first"] == 11
    assert damage(store) == []
    assert load([str(log)], store).stored == 10
    assert contents(store) == before
    assert repair(store).aside == []


def test_a_batch_that_is_gone_altogether_is_listed_from_the_manifest(three):
    log, store, before = three
    shutil.rmtree(store / "batch-000001")
    assert [(s.source, s.first, s.last) for s in repair(store).again] == [(str(log), 1, 10)]
    assert load([str(log)], store).stored == 10
    assert contents(store) == before


def test_of_many_logs_those_that_the_manifest_does_not_name_are_read_from_the_files_that_are_left(tmp_path):
    store, folder = tmp_path / "store", tmp_path / "logs"
    folder.mkdir()
    for number in range(SPANS + 2):
        write(folder / f"{number:03}.jsonl", record(f"h{number}", "void", ids=(f"p{number}", "b", "c")))
    load([str(folder)], store)
    assert read_manifest(store).batches[0].more_spans == 2
    spoilt = tmp_path / "spoilt"
    shutil.copytree(store, spoilt)
    cut(store / "batch-000001" / "raw.parquet")
    done = repair(store)
    assert (len(done.again), done.unnamed) == (SPANS + 2, 0)
    shutil.rmtree(spoilt / "batch-000001")
    done = repair(spoilt)
    assert (len(done.again), done.unnamed) == (SPANS, 2)


def test_no_flipped_bit_changes_an_answer(three):
    """DuckDB and Parquet let most flipped bits pass: what counts is the checksum, before anything is asked."""
    _, store, before = three
    chance = random.Random(9)
    for path in chance.sample(sorted(store.glob("batch-*/*.parquet")), 4):
        text = path.read_bytes()
        flip(path, chance.randrange(len(text)))
        kept = contents(store)
        assert len(kept["hands"]) in (15, 20)
        assert all(set(kept[name]) <= set(before[name]) for name in KEPT)
        path.write_bytes(text)
    assert contents(store) == before


def test_what_took_the_place_of_lost_hands_is_left_out_too_until_the_repair(tmp_path):
    """Its roll-ups take off what nobody added."""
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    load([str(write(log, record("a", "plain"), record("b", "void")))], store)
    load([str(write(log, record("a", "spring"), record("b", "void"), record("c", "anti_spring")))], store, replace=True)
    expected = tmp_path / "expected"
    load([str(log)], expected)
    flip(store / "batch-000001" / "seats.parquet")
    with Warehouse(store) as warehouse:
        assert [(each.batch, each.trouble) for each in warehouse.damage] == [
            ("batch-000001", "bytes"), ("batch-000002", "depends"),
        ]  # fmt: skip
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 0
    done = repair(store)
    assert done.aside == ["aside/batch-000001"]
    assert rows(store, "SELECT id FROM hands ORDER BY id") == [("a",), ("c",)]
    assert rows(store, "SELECT CAST(sum(hands) AS INT) FROM days") == [(2,)]
    load([str(log)], store)
    assert damage(store) == []
    assert contents(store) == contents(expected)


def test_numbers_that_stand_twice_are_found(three):
    _, store, _ = three
    text = json.loads((store / MANIFEST).read_text())
    text["batches"].append(text["batches"][0])
    (store / MANIFEST).write_text(json.dumps(text | {"blake2b": ""}))
    assert [(each.path, each.trouble) for each in damage(store)] == [("batch-000001/hands.parquet", "rows")]


@pytest.mark.parametrize("spoil", [cut, flip, Path.unlink])
def test_a_damaged_manifest_has_a_copy(three, spoil):
    log, store, before = three
    spoil(store / MANIFEST)
    assert contents(store) == before
    done = repair(store)
    assert (done.manifest is not None, done.aside) == (True, [])
    assert (store / MANIFEST).read_bytes() == (store / COPY).read_bytes()
    assert load([str(log)], store).stored == 0
    assert repair(store).manifest is None


def test_a_flipped_digit_of_the_manifest_is_not_believed(three):
    _, store, _ = three
    for name in (MANIFEST, COPY):
        (store / name).write_text((store / name).read_text().replace('"next_hand": 25', '"next_hand": 15'))
    with pytest.raises(BadStore, match="checksum"):
        read_manifest(store)


def test_an_interrupted_load_does_not_skip_what_was_put_aside_since(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)

    heard = []

    def told(verdicts):
        heard.append(verdicts.count)
        if sum(heard) > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load([str(log)], store, batch_hands=10, told=told)
    flip(store / "batch-000001" / "raw.parquet")
    repair(store)
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.stored, report.known) == (0, 15, 10)


def test_files_that_vanish_while_a_store_is_open_are_noticed(three):
    _, store, _ = three
    with Warehouse(store) as warehouse:
        assert warehouse.query("SELECT count(*) AS n FROM moves")["n"][0] > 0
        shutil.rmtree(store / "batch-000003")
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 20
        assert {each.batch for each in warehouse.damage} == {"batch-000003"}


AS_NOBODY = """import os, sys
from analysis.warehouse import Warehouse
from ingest.load import load
def hands():
    with Warehouse(sys.argv[2]) as warehouse:
        return warehouse.query("SELECT count(*) AS n FROM hands")["n"][0]
hands()  # whatever is imported late is imported while it may be read
os.setuid(65534)
print(hands())
try:
    load([sys.argv[1]], sys.argv[2])
except PermissionError as problem:
    print("refused")
"""


@pytest.mark.skipif(not hasattr(os, "setuid") or os.getuid() != 0, reason="only root may become another user")
def test_a_store_that_may_not_be_written_can_be_asked_and_says_why_it_cannot_be_loaded(three):
    """In a folder that everybody may enter; pytest's own is private."""
    log, made, before = three
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(made, Path(folder) / "store")
        shutil.copy(log, Path(folder) / "log.jsonl")
        asked = [sys.executable, "-c", AS_NOBODY, f"{folder}/log.jsonl", f"{folder}/store"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("25\nrefused\n", "")
        assert contents(Path(folder) / "store") == before


def test_the_commands_say_what_is_damaged_and_what_to_do(three):
    log, store, _ = three
    run = lambda *words: CliRunner().invoke(app, [*words, "--store", str(store)])  # noqa: E731
    sound = run("store", "check", "--lang", "en")
    assert (sound.exit_code, sound.stdout) == (0, "everything is as it was written: batches 3, rows 25\n")
    assert run("store", "repair", "--lang", "zh").stdout == "没有需要修复的\n"
    flip(store / "batch-000002" / "moves.parquet")
    found = run("store", "check", "--lang", "en")
    assert found.exit_code == 1
    assert "batch-000002/moves.parquet: its bytes are not those that were written" in found.stdout
    assert "fupan store repair" in found.stdout
    asked = run("stats", "hands_per_day", "--lang", "en")
    assert "damaged batches are left out: batch-000002" in asked.stderr
    done = run("store", "repair", "--lang", "en")
    assert done.exit_code == 1
    assert f"{log}:11-20 (10)" in done.stdout
    assert json.loads(run("store", "check", "--json").stdout) == {"batches": 2, "manifest": None, "damage": []}
