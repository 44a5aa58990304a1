"""Questions to a store: what may be asked, what is answered, what is refused."""

import time

import pytest
from test_store_hands import kept, many, record, write

from analysis.intervals import wilson
from analysis.warehouse import BadQuestion, TooSlow, Warehouse
from ingest.load import load
from ingest.store import TABLES, read_manifest
from ingest.store.compact import compact
from ingest.store.publish import create


def test_no_store_is_said_clearly(tmp_path):
    with pytest.raises(FileNotFoundError, match="no store is there"):
        Warehouse(tmp_path / "none")


def test_an_empty_store_answers_with_the_same_columns(tmp_path):
    create(tmp_path / "empty")
    full = kept(tmp_path, record("a", "plain", at="2026-03-01T10:00:00+08:00"), "?")
    empty = Warehouse(tmp_path / "empty")
    for name, table in TABLES.items():
        answers = [warehouse.query(f"SELECT * FROM {name}") for warehouse in (empty, full)]
        assert [list(answer.columns) for answer in answers] == [list(table.schema.names)] * 2
        assert [len(answer) > 0 for answer in answers] == [False, name not in ("replaced", "mismatches")]
        described = [warehouse.query(f"DESCRIBE {name}")["column_type"].tolist() for warehouse in (empty, full)]
        assert described[0] == described[1]


def test_a_warehouse_follows_its_store(tmp_path):
    store = tmp_path / "store"
    create(store)
    with Warehouse(store) as warehouse:
        assert (warehouse.version, len(warehouse.query("FROM hands"))) == (0, 0)
        load([str(many(tmp_path / "a.jsonl", 4, "a"))], store)
        assert (warehouse.version, len(warehouse.query("FROM hands"))) == (1, 4)
        load([str(many(tmp_path / "b.jsonl", 2, "b"))], store)
        assert (len(warehouse.query("FROM hands")), warehouse.version) == (6, 2)
        assert warehouse.manifest == read_manifest(store)


def test_a_pinned_warehouse_stays_with_what_counted(tmp_path):
    store = tmp_path / "store"
    for name in "ab":
        load([str(many(tmp_path / f"{name}.jsonl", 4, name))], store)
    with Warehouse(store, pinned=True) as warehouse:
        load([str(many(tmp_path / "c.jsonl", 2, "c"))], store)
        compact(store)
        assert (warehouse.version, len(warehouse.query("FROM hands"))) == (2, 8)
        assert warehouse.remembered("now", lambda: len(warehouse.query("FROM seats"))) == 24
    with Warehouse(store, pinned=True) as warehouse:
        assert len(warehouse.query("FROM hands")) == 10


def test_roll_ups_are_added_up_over_batches(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "log.jsonl", 9))], store, batch_hands=2)
    with Warehouse(store) as warehouse:
        days = warehouse.query("SELECT outcome, hands FROM days ORDER BY outcome")
        assert days.to_dict("list") == {"outcome": ["farmers", "landlord"], "hands": [3, 6]}
        summed = "player, rules, role, position, verdict, {}, sum(score)::BIGINT AS score, sum(bombs)::BIGINT AS bombs"
        rolled = warehouse.query(
            f"SELECT {summed.format('sum(hands)::BIGINT AS n')} FROM players GROUP BY ALL ORDER BY ALL"
        )
        counted = warehouse.query(f"SELECT {summed.format('count(*) AS n')} FROM seats GROUP BY ALL ORDER BY ALL")
        assert rolled.equals(counted)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP VIEW hands",
        "CREATE TABLE mine (a INTEGER)",
        "INSERT INTO hands VALUES (1)",
        "SET TimeZone = 'UTC'",
        "SELECT 1; SELECT 2",
        "COPY hands TO 'out.csv'",
        "ATTACH 'other.db'",
        "INSTALL httpfs",
        "PRAGMA database_list",
        "",
        "SELEC 1",
        "SELECT nothing FROM hands",
        "SELECT * FROM nowhere",
        "SELECT 'x'::INTEGER",
        "SELECT $player",
        "SELECT * FROM read_text('pyproject.toml')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM 'pyproject.toml'",
    ],
)
def test_only_a_question_is_answered(tmp_path, sql):
    warehouse = kept(tmp_path, record("a", "plain"))
    with pytest.raises(BadQuestion):
        warehouse.query(sql)
    assert len(warehouse.query("FROM hands")) == 1


def test_files_beside_the_store_cannot_be_read(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain"))
    (tmp_path / "store-secret").mkdir()
    (tmp_path / "store-secret" / "a.csv").write_text("a\n1\n")
    for path in (tmp_path / "log.jsonl", tmp_path / "store-secret" / "a.csv", tmp_path / "store" / ".." / "log.jsonl"):
        with pytest.raises(BadQuestion, match="disabled"):
            warehouse.query(f"SELECT * FROM read_text('{path}')")


@pytest.mark.parametrize(
    "sql", ["SELECT 1 AS a;", "SELECT 1 AS a -- why", "WITH b AS (SELECT 1 AS a) FROM b", "VALUES (1)"]
)
def test_a_question_may_be_written_as_sql_allows(tmp_path, sql):
    assert kept(tmp_path, record("a", "plain")).query(sql).shape == (1, 1)


def test_the_order_of_an_answer_is_kept_and_its_length_limited(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain"))
    answer = warehouse.query("SELECT * FROM range(1000000) t(n) ORDER BY n DESC", rows=3)
    assert answer["n"].tolist() == [999999, 999998, 999997]
    assert answer.attrs["truncated"]
    assert not warehouse.query("SELECT * FROM range(3)", rows=3).attrs["truncated"]


def test_a_question_that_takes_too_long_is_stopped_and_the_next_is_answered(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain"))
    started = time.monotonic()
    with pytest.raises(TooSlow, match=r"0\.2 seconds"):
        warehouse.query(
            "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range % 7 = 1", seconds=0.2
        )
    assert time.monotonic() - started < 20
    assert len(warehouse.query("FROM hands")) == 1


def test_parameters_are_values_not_text(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain", ids=("O'Brien' OR 1=1 --", "b", "c")))
    found = warehouse.query("SELECT seat FROM seats WHERE player = $who", {"who": "O'Brien' OR 1=1 --"})
    assert found["seat"].tolist() == [0]
    assert warehouse.query("SELECT ? + 1 AS n", [2])["n"].tolist() == [3]


def test_a_store_may_lie_anywhere(tmp_path):
    store = tmp_path / "it's 复盘 [1] *" / "store"
    load([str(write(tmp_path / "log.jsonl", record("a", "plain")))], store)
    assert len(Warehouse(store).query("FROM hands")) == 1


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (33, 100), (123_456, 10_000_000)])
def test_sql_and_python_give_the_same_interval(tmp_path, k, n):
    create(tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        row = warehouse.query("SELECT rate($k, $n), wilson_low($k, $n), wilson_high($k, $n)", {"k": k, "n": n})
    assert row.iloc[0].tolist() == pytest.approx([k / n, *wilson(k, n)], abs=1e-12)


def test_intervals_are_those_of_the_books(tmp_path):
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=5e-5)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=5e-5)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe 1998, table I
    with pytest.raises(ValueError, match="1 among 0"):
        wilson(1, 0)


def test_no_hands_give_no_rate(tmp_path):
    create(tmp_path / "store")
    row = Warehouse(tmp_path / "store").query("SELECT rate(0, 0) AS a, wilson_low(0, 0) AS b, wilson_high(0, 0) AS c")
    assert row.isna().all(axis=None)
