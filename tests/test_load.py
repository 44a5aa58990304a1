"""Loading: each hand once, and a store that is as before or as after whatever happens."""

import gzip
import json
import threading
from collections import Counter
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from apart import DIED, begun, ended, load_in_batches, load_to
from test_store_hands import many, record, write

from analysis.warehouse import Warehouse
from ingest.batch import Batch
from ingest.load import load, load_audited
from ingest.logs import read
from ingest.store import TABLES, damage, read_manifest

SHARED = Path(__file__).parents[2] / "shared"
SPOILT = ("not json", '{"id":"x"}', '{"id":')


def count(store, sql="SELECT count(*) AS n FROM hands"):
    with Warehouse(store) as warehouse:
        return int(warehouse.query(sql)["n"].iloc[0])


def test_the_same_log_again_adds_nothing(tmp_path):
    store = tmp_path / "store"
    log = write(tmp_path / "log.jsonl", record("a", "plain"), record("b", "plain"), record("a", "spring"), *SPOILT)
    first = load([str(log)], store)
    assert (first.read, first.stored, first.known, first.repeated) == (6, 5, 0, 1)
    assert (first.clean, first.faulty, first.unreadable) == (1, 0, 4)
    assert {code: n for code, n in first.codes.items() if code[0] == "R"} == {
        "R101": 2,
        "R102": 1,
        "R108": 1,
        "R109": 1,
    }
    before = (store / "manifest.json").read_bytes()
    again = load([str(log)], store)
    assert (again.read, again.stored, again.known, again.repeated, again.codes) == (6, 0, 6, 0, {})
    assert (store / "manifest.json").read_bytes() == before


def test_a_copy_of_a_hand_in_another_file_adds_nothing(tmp_path):
    store = tmp_path / "store"
    load([str(write(tmp_path / "a.jsonl", record("a", "plain")))], store)
    again = load([str(write(tmp_path / "b.jsonl", record("other", "plain"), record("new", "spring")))], store)
    assert (again.stored, again.known, again.repeated) == (1, 0, 1)
    assert count(store) == 2


def test_a_file_that_grows_is_loaded_from_where_it_was(tmp_path):
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    load([str(many(log, 5))], store)
    assert load([str(many(log, 8))], store).stored == 3
    with Warehouse(store) as warehouse:
        hands = warehouse.query("SELECT hand, line FROM hands ORDER BY hand")
        assert hands["hand"].tolist() == list(range(8))
        assert hands["line"].tolist() == list(range(1, 9))
        orphans = "SELECT count(*) AS n FROM {} WHERE hand NOT IN (SELECT hand FROM hands)"
        assert [count(store, orphans.format(table)) for table in ("seats", "moves", "raw", "findings")] == [0] * 4
        assert warehouse.query("SELECT DISTINCT hand FROM moves ORDER BY hand")["hand"].tolist() == list(range(8))


def test_an_id_that_stands_for_another_hand_is_refused(tmp_path):
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    load([str(write(log, record("a", "plain"), record("b", "anti_spring")))], store)
    changed = load([str(write(log, record("c", "void"), record("a", "spring"), record("b", "anti_spring")))], store)
    assert (changed.stored, changed.known, changed.clean, changed.unreadable) == (2, 1, 1, 1)
    assert changed.codes["R109"] == 1
    with Warehouse(store) as warehouse:
        rows = warehouse.query("SELECT hand, line, verdict, counted, id FROM hands ORDER BY hand")
        assert rows["verdict"].tolist() == ["clean", "clean", "clean", "unreadable"]
        assert rows["id"].tolist() == ["a", "b", "c", "a"]
        finding = warehouse.query("SELECT * FROM findings WHERE code = 'R109'").iloc[0]
        assert json.loads(finding["details"]) == {"source": str(log), "line": 1}
        assert (finding["hand"], finding["line"]) == (3, 2)
        assert warehouse.query("SELECT DISTINCT hand FROM seats ORDER BY hand")["hand"].tolist() == [0, 1, 2]
    assert load([str(log)], store).stored == 0


def test_a_file_given_twice_counts_once(tmp_path):
    log = write(tmp_path / "logs.jsonl", record("a", "plain"), *SPOILT)
    folder = tmp_path / "folder"
    folder.mkdir()
    inner = write(folder / "log.jsonl", record("b", "spring"), *SPOILT)
    report = load([str(log), str(log), str(folder), str(inner)], tmp_path / "store")
    assert report.stored == 8
    assert report.repeated == 0


def test_undated_hands_are_counted(tmp_path):
    store = tmp_path / "store"
    dated = record("a", "plain", at="2026-03-01T23:30:00+00:00")
    load([str(write(tmp_path / "log.jsonl", dated, record("b", "spring"), "?"))], store)
    with Warehouse(store) as warehouse:
        days = warehouse.query("SELECT CAST(day AS VARCHAR) AS day, hands FROM days ORDER BY day NULLS FIRST, hands")
    assert days["hands"].tolist() == [1, 1, 1]
    assert days["day"].dropna().tolist() == ["2026-03-02"]


def test_batches_are_published_as_they_fill(tmp_path):
    store, told = tmp_path / "store", []
    log = many(tmp_path / "log.jsonl", 25)
    report = load([str(log)], store, batch_hands=10, told=told.append)
    assert [batch.files["hands"].rows for batch in read_manifest(store).batches] == [10, 10, 5]
    assert report.stored == count(store) == 25
    assert [verdicts.count for verdicts in told] == [10, 10, 5]
    assert count(store, "SELECT CAST(sum(hands) AS BIGINT) AS n FROM players") == 75
    assert count(store, "SELECT count(*) AS n FROM days") == 2


def test_stopping_a_load_leaves_whole_batches_and_the_next_completes_it(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 25)
    with pytest.raises(KeyboardInterrupt):
        load([str(log)], store, batch_hands=10, told=stopping_after(20))
    assert count(store) == 20
    report = load([str(log)], store, batch_hands=10)
    assert (report.continued, report.read, report.stored) == (20, 25, 25)
    assert count(store) == 25
    assert damage(store) == []


def stopping_after(number):
    """Interrupts a load once it has told so many verdicts."""
    heard = Counter()

    def told(verdicts):
        heard["entries"] += verdicts.count
        if heard["entries"] >= number:
            raise KeyboardInterrupt

    return told


STEPS = {
    "before table": 3, "after table": 3, "before rename": 3, "after rename": 3, "before manifest": 3,
    "before replace": 3, "after replace": 8, "after manifest": 8,
}  # fmt: skip


@pytest.mark.parametrize(("step", "hands"), STEPS.items())
def test_a_crash_leaves_the_store_as_before_or_as_after(tmp_path, step, hands):
    store = tmp_path / "store"
    load([str(many(tmp_path / "a.jsonl", 3, "a"))], store)
    log = many(tmp_path / "b.jsonl", 5, "b")
    assert ended(load_to, step, log, store) == DIED
    assert damage(store) == []
    assert count(store) == hands
    assert count(store, "SELECT count(DISTINCT hand) AS n FROM seats") == hands
    assert load([str(log)], store).stored == 8 - hands
    assert count(store) == 8
    assert {path.name for path in store.iterdir()} - {"manifest.json.next"} == {
        ".checked", ".lock", "manifest.json", "manifest.copy.json", "batch-000001", "batch-000002",
    }  # fmt: skip


def test_a_crash_before_the_first_batch_leaves_an_empty_store(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "a.jsonl", 3, "a")
    assert ended(load_to, "before rename", log, store) == DIED
    assert count(store) == 0
    assert load([str(log)], store).stored == 3


def test_a_crash_while_the_store_is_made_is_no_obstacle(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "a.jsonl", 3, "a")
    assert ended(load_to, "before replace", log, store) == DIED
    with pytest.raises(FileNotFoundError):
        Warehouse(store)
    assert load([str(log)], store).stored == 3


def test_two_loaders_at_once_keep_each_hand_once_and_readers_see_whole_batches(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 300)
    load([str(write(tmp_path / "first.jsonl", record("first", "void")))], store)
    kept = [tmp_path / "one", tmp_path / "two"]
    loaders = [begun(load_in_batches, 20, log, store, each) for each in kept]
    seen = Counter()
    with Warehouse(store) as warehouse:
        while any(loader.is_alive() for loader in loaders):
            row = warehouse.query(
                "SELECT (SELECT count(*) FROM hands) AS hands, (SELECT count(*) FROM seats) AS seats,"
                " (SELECT count(DISTINCT hand) FROM moves) AS moved"
            ).iloc[0]
            assert row["seats"] == 3 * row["hands"]
            assert row["moved"] == row["hands"]
            seen[int(row["hands"])] += 1
        assert warehouse.version == read_manifest(store).sequence
    assert [loader.exitcode for loader in loaders] == [0, 0]
    assert sum(int(each.read_text("utf-8")) for each in kept) == 300
    assert count(store) == count(store, "SELECT count(DISTINCT digest) AS n FROM hands") == 301
    assert set(seen) <= set(range(1, 302))


def test_one_warehouse_serves_many_threads(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "log.jsonl", 9))], store)
    found = []
    with Warehouse(store) as warehouse:
        ask = lambda: found.append(warehouse.query("SELECT sum(unit) AS n FROM hands")["n"].iloc[0])  # noqa: E731
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8


def test_audited_entries_are_kept_as_a_load_keeps_them(tmp_path):
    log = write(tmp_path / "log.jsonl", record("a", "plain"), "?", record("b", "plain"))
    with Batch() as batch:
        report = load_audited(batch.audit(read([str(log)])), tmp_path / "store")
    assert report == load([str(log)], tmp_path / "other")
    assert load([str(log)], tmp_path / "store").stored == 0
    with Batch() as batch:
        alone = (msgspec.structs.replace(each, hand=None) for each in batch.audit(read([str(log)])))
        with pytest.raises(ValueError, match="the hand is needed"):
            load_audited(alone, tmp_path / "third")


def test_several_processes_make_the_same_store(tmp_path):
    hands = (record(f"h{n}", "plain", n % 3, table="t", ids=(f"p{n}", "b", "c"), voids=n % 2) for n in range(20))
    log = write(
        tmp_path / "log.jsonl", *hands, *SPOILT, record("again", "plain", ids=("p0", "b", "c")), record("h1", "void")
    )
    tables = []
    for jobs in (1, 2):
        load([str(log)], tmp_path / f"store{jobs}", jobs=jobs, batch_hands=5)
        with Warehouse(tmp_path / f"store{jobs}") as warehouse:
            tables.append([warehouse.query(f"FROM {name} ORDER BY ALL") for name in TABLES])
    for one, two in zip(*tables, strict=True):
        pd.testing.assert_frame_equal(one, two)


def test_stopping_a_load_in_several_processes_ends_them(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 40)
    with pytest.raises(KeyboardInterrupt):
        load([str(log)], store, jobs=2, batch_hands=10, told=stopping_after(20))
    report = load([str(log)], store, jobs=2, batch_hands=10)
    assert (report.continued, report.stored) == (20, 40)


def test_what_is_wrong_with_the_question_is_said_before_anything_is_written(tmp_path):
    with pytest.raises(FileNotFoundError):
        load([str(tmp_path / "none.jsonl")], tmp_path / "store")
    log = write(tmp_path / "log.jsonl", record("a", "plain"))
    with pytest.raises(ValueError, match="unknown format"):
        load([str(log)], tmp_path / "store", format="none")
    with pytest.raises(Exception, match="none"):
        load([str(log)], tmp_path / "store", rules="none")
    assert not (tmp_path / "store").exists()


def test_the_ruleset_for_all_records_is_kept_with_each(tmp_path):
    log = write(tmp_path / "log.jsonl", record("a", "plain", rules=None), record("b", "spring"))
    load([str(log)], tmp_path / "store", rules="call-score")
    assert count(tmp_path / "store", "SELECT count(*) AS n FROM hands WHERE rules = 'call-score'") == 2
    assert count(tmp_path / "store", "SELECT count(DISTINCT rules_digest) AS n FROM hands") == 1


@pytest.mark.shared
@pytest.mark.parametrize("path", sorted((SHARED / "corpus").glob("*.jsonl.gz")), ids=lambda path: path.name)
def test_the_corpus_is_kept_as_it_is_judged(tmp_path, path):
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    texts = [line["line"] if "line" in line else line["record"] for line in lines]
    log = write(tmp_path / "log.jsonl", *texts)
    with Batch() as batch:
        judged = [audited.verdict for audited in batch.audit(read([str(log)]))]
    kept = [verdict for verdict in judged if all(finding.code != "R108" for finding in verdict.findings)]
    report = load([str(log)], tmp_path / "store")
    assert report.stored == len(kept)
    with Warehouse(tmp_path / "store") as warehouse:
        rows = warehouse.query("SELECT line, verdict, multiplier, faults FROM hands ORDER BY line")
        assert rows["line"].tolist() == [verdict.line for verdict in kept]
        assert rows["verdict"].tolist() == [verdict.verdict for verdict in kept]
        scores = warehouse.query("SELECT line, score FROM seats JOIN hands USING (hand) WHERE score IS NOT NULL")
        expected = [score for verdict in kept for score in verdict.scores or () if verdict.verdict != "unreadable"]
        assert sorted(scores["score"]) == sorted(expected)
    assert load([str(log)], tmp_path / "store").stored == 0
