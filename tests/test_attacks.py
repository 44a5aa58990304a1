"""What a second person may try with a question of his own; the attempts stand in attacks.toml."""

import threading
import tomllib
from pathlib import Path

import duckdb
import pytest
from test_questions import SMALL, warehouse

from analysis import asked, questions
from analysis.asked import AS_TEXT, REFUSED, TABLE_FUNCTIONS, Refused
from analysis.questions import BEFORE, EXPLAIN, Limits, Refusal, ask
from ingest.store import TABLES

CASES = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text("utf-8"))
HARMLESS = set(CASES.pop("harmless")["functions"].split())
__all__ = ["warehouse"]


@pytest.fixture(scope="module")
def confined():
    """The database of a question, before the store's tables are put into it."""
    with asked.opened({"memory": 100, "threads": 1, "zone": "UTC", "files": [], "macros": []}) as connection:
        yield connection


def explained(sql: str, confined: duckdb.DuckDBPyConnection) -> None:
    """As far as a question comes before it is run."""
    text, _ = asked.check(sql, confined, list(TABLES), {})
    confined.execute(f"{EXPLAIN}{BEFORE}{text}\n) LIMIT 6")


@pytest.mark.parametrize(("kind", "sql"), [(kind, sql) for kind, case in CASES.items() for sql in case["sql"]])
def test_an_attempt_is_refused_before_it_is_run(kind, sql, confined):
    with pytest.raises((Refused, duckdb.ParserException)) as caught:
        explained(sql, confined)
    assert (caught.value.args[0] if isinstance(caught.value, Refused) else "syntax") == kind


@pytest.mark.parametrize(
    "sql",
    ["SET threads = 1", "SET enable_external_access = true", "SET lock_configuration = false", "RESET memory_limit",
     "COPY (SELECT 1) TO 'x.csv'", "FROM read_text('attacks.toml')", "LOAD httpfs", "INSTALL httpfs", "ATTACH 'x.db'"],
)  # fmt: skip
def test_the_settings_are_locked_even_for_what_would_pass_the_check(sql, warehouse, monkeypatch):
    def instead(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        connection.execute(sql)

    monkeypatch.setattr(asked, "_fetched", instead)
    with pytest.raises((duckdb.PermissionException, duckdb.InvalidInputException)) as caught:
        asked.answer(questions._asked(warehouse, "SELECT 1", SMALL))
    assert any(word in str(caught.value) for word in ("locked", "disabled"))


def test_what_duckdb_has_beyond_is_refused_or_known(confined):
    """A newer DuckDB may have more: functions that are volatile, and macros that ask what a question may not.

    What stands in a FROM is refused unless it is one of a few.
    """
    volatile = {name for (name,) in confined.execute(
        "SELECT function_name FROM duckdb_functions() WHERE function_type = 'scalar' AND stability <> 'CONSISTENT'"
    ).fetchall()}  # fmt: skip
    assert volatile - REFUSED - HARMLESS == set()
    macros = confined.execute(
        "SELECT function_name, lower(macro_definition) FROM duckdb_functions() WHERE function_type = 'macro'"
    ).fetchall()
    tables = {name for (name,) in confined.execute(
        "SELECT function_name FROM duckdb_functions() WHERE function_type = 'table'"
    ).fetchall()}  # fmt: skip
    forbidden = (tables - TABLE_FUNCTIONS - {"query", "repeat", "summary", "glob"}) | REFUSED
    asking = {name for name, text in macros if any(f"{word}(" in text for word in forbidden)}
    assert asking - REFUSED == set()


def test_no_table_of_duckdb_may_be_the_name_of_a_part(confined):
    known = {name for (name,) in confined.execute(
        "SELECT view_name FROM duckdb_views() WHERE schema_name IN ('main', 'pg_catalog')"
    ).fetchall()}  # fmt: skip
    assert len(known) > 30
    for name in known:
        with pytest.raises(Refused):
            asked.check(f"WITH {name} AS (SELECT 1) FROM {name}", confined, list(TABLES), {})
    named = 'WITH "玩家 甲" AS (SELECT 1), columns AS (SELECT 2) FROM "玩家 甲", columns'
    asked.check(named, confined, list(TABLES), {})


@pytest.mark.parametrize("value", ["[DATE 'infinity']", "{'a': TIMESTAMP 'infinity'}", "MAP {1: DATE '-infinity'}"])
def test_a_moment_of_no_calendar_is_found_in_lists_and_objects(value, warehouse, monkeypatch):
    monkeypatch.setattr(questions, "_run", lambda given, _limits: asked.written(*asked.respond(given)))
    with pytest.raises(Refusal) as caught:
        ask(warehouse, f"SELECT {value} AS late", SMALL)
    assert (caught.value.kind, caught.value.details["name"]) == ("moment", "late")


def test_what_no_file_has_is_a_text_in_lists_and_objects_too(warehouse, monkeypatch):
    monkeypatch.setattr(questions, "_run", lambda given, _limits: asked.written(*asked.respond(given)))
    answer = ask(warehouse, "SELECT [INTERVAL 1 DAY], ['101'::BIT], {'a': 1::UHUGEINT}, [1], {'interval': 1}", SMALL)
    assert list(answer.rows()) == [["[1 day]", "[101]", "{'a': 1}", [1], {"interval": 1}]]
    assert answer.parquet()[:4] == b"PAR1"
    assert AS_TEXT.search("STRUCT(a INTERVAL[])")


def test_others_go_on_while_a_question_that_cannot_be_interrupted_is_killed(warehouse, monkeypatch):
    monkeypatch.setattr(questions, "GRACE", 2.0)
    told: list[str] = []

    def heavy() -> None:
        with pytest.raises(Refusal) as caught:
            ask(warehouse, "SELECT levenshtein(repeat('a', 2000000), repeat('b', 2000000))", Limits(seconds=1))
        told.append(caught.value.kind)

    thread = threading.Thread(target=heavy)
    thread.start()
    assert list(ask(warehouse, "SELECT count(*) FROM hands").rows()) == [[2]]
    assert len(warehouse.query("FROM hands")) == 2
    thread.join()
    assert told in (["slow"], ["memory"], ["crashed"])
