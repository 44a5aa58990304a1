"""The folder that keeps hands: what makes it a store, who may write, what counts."""

import json
import threading
import time

import pyarrow.parquet as pq
import pytest
from apart import die_with_lock, ended
from test_store_hands import many, record, write

from ingest.load import load
from ingest.store import TABLES, BadStore, StoreBusy, damage, read_manifest
from ingest.store.lock import locked


def test_every_table_is_a_file_with_the_declared_columns_and_their_meanings(tmp_path):
    load([str(write(tmp_path / "log.jsonl", record("a", "plain")))], tmp_path / "store")
    (batch,) = read_manifest(tmp_path / "store").batches
    assert set(batch.files) == set(TABLES)
    for name, table in TABLES.items():
        schema = pq.read_schema(tmp_path / "store" / batch.folder / f"{name}.parquet")
        assert schema.equals(table.schema)
        assert [schema.field(column.name).metadata[b"meaning"].decode() for column in table.columns] == [
            column.meaning for column in table.columns
        ]


def test_the_manifest_counts_rows_and_tells_damage(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "log.jsonl", 6))], store)
    manifest = read_manifest(store)
    assert (manifest.rows("hands"), manifest.rows("seats"), manifest.next_hand, manifest.sequence) == (6, 18, 6, 1)
    assert damage(store) == []
    file = store / manifest.batches[0].folder / "moves.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    (store / manifest.batches[0].folder / "raw.parquet").unlink()
    assert [(each.path, each.trouble) for each in damage(store)] == [
        ("batch-000001/moves.parquet", "bytes"),
        ("batch-000001/raw.parquet", "missing"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format":"something else"}', "is not a store"),
        ('{"version":99}', "has version 99"),
        ('{"sequence":"1"}', "cannot be read"),
    ],
)
def test_a_folder_with_another_manifest_is_refused_and_left_alone(tmp_path, text, reason):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(BadStore, match=reason):
        read_manifest(tmp_path)
    with pytest.raises(BadStore, match=reason):
        load([str(write(tmp_path / "log.jsonl", record("a", "plain")))], tmp_path)
    assert (tmp_path / "manifest.json").read_text() == text


def test_a_folder_with_other_things_does_not_become_a_store(tmp_path):
    (tmp_path / "batch-000001").mkdir()
    (tmp_path / "batch-000001" / "mine.txt").write_text("mine")
    with pytest.raises(BadStore, match="neither empty nor a store"):
        load([str(write(tmp_path / "log.jsonl", record("a", "plain")))], tmp_path)
    assert (tmp_path / "batch-000001" / "mine.txt").read_text() == "mine"


def test_a_file_does_not_become_a_store(tmp_path):
    (tmp_path / "store").write_text("")
    with pytest.raises(BadStore, match="not a folder"):
        load([str(write(tmp_path / "log.jsonl", record("a", "plain")))], tmp_path / "store")


def test_folders_of_dead_writers_go_and_nothing_else(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "a.jsonl", 3, "a"))], store)
    for name in ("batch-000002", "new-batch-000002", "batch-mine", "notes"):
        (store / name).mkdir()
    load([str(many(tmp_path / "b.jsonl", 3, "b"))], store)
    left = {path.name for path in store.iterdir()}
    assert left == {
        ".checked",
        ".lock",
        "manifest.json",
        "manifest.copy.json",
        "batch-000001",
        "batch-000002",
        "batch-mine",
        "notes",
    }
    assert damage(store) == []


def test_a_second_writer_waits_and_says_so(tmp_path):
    said, done = [], []
    with locked(tmp_path / "lock"):
        second = threading.Thread(target=_hold, args=(tmp_path / "lock", said, done))
        second.start()
        while not said:
            time.sleep(0.01)
        assert not done
    second.join(10)
    assert done == [True]
    assert len(said) == 1
    assert str(tmp_path) in said[0]


def _hold(path, said, done):
    with locked(path, 10, said.append):
        done.append(True)


def test_who_waits_too_long_is_told(tmp_path):
    log, store = many(tmp_path / "log.jsonl", 1), tmp_path / "store"
    load([str(log)], store)
    with locked(store / ".lock"), pytest.raises(StoreBusy, match="another process is writing"):
        load([str(log)], store, timeout=0.1)


def test_the_lock_of_a_process_that_dies_is_free(tmp_path):
    assert ended(die_with_lock, tmp_path / "lock") == 1
    with locked(tmp_path / "lock", 0):
        pass


def test_the_manifest_is_plain_json(tmp_path):
    load([str(many(tmp_path / "log.jsonl", 3))], tmp_path / "store")
    manifest = json.loads((tmp_path / "store" / "manifest.json").read_text())
    assert manifest["format"] == "fupan store"
    assert manifest["version"] == 7
    assert manifest["batches"][0]["files"]["seats"]["rows"] == 9
