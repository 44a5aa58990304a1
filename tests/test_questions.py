"""Questions of people's own: what is answered, what is refused in which words, and that nothing else can be done."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from test_store_hands import many

from analysis import asked, questions
from analysis.questions import Limits, Refusal, ask, examples
from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.store import TABLES

CASES = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))
SMALL = Limits(rows=5, seconds=20, megabytes=1, memory=100)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory):
    """A store of two hands."""
    folder = tmp_path_factory.mktemp("questions")
    load([str(many(folder / "log.jsonl", 2))], folder / "store")
    with Warehouse(folder / "store") as opened:
        yield opened


@pytest.fixture
def at_home(monkeypatch):
    """Questions answered by the same code in this process: it starts faster."""
    monkeypatch.setattr(questions, "_run", lambda given, _limits: asked.written(*asked.respond(given)))


def named(case: dict) -> str:
    return case["sql"][:60]


@pytest.mark.parametrize("case", CASES["refused"], ids=named)
def test_refused(case, warehouse, at_home):
    with pytest.raises(Refusal) as caught:
        ask(warehouse, case["sql"], msgspec.structs.replace(SMALL, seconds=case.get("seconds", SMALL.seconds)))
    refusal = caught.value
    assert refusal.kind == case["kind"], refusal.said
    for language in ("zh", "en"):
        assert case.get("names", "") in refusal.sentence(language)
    if "place" in case:
        assert [refusal.details["line"], refusal.details["column"]] == case["place"]


@pytest.mark.parametrize("case", CASES["answered"], ids=named)
def test_answered(case, warehouse, at_home):
    assert next(ask(warehouse, case["sql"], SMALL).rows()) == case["row"]


def test_every_kind_of_mistake_has_a_case():
    known = set(questions._texts()["mistakes"]) - {"other", "crashed", "busy", "long"}
    assert known <= {case["kind"] for case in CASES["refused"]} | {"one_column", "compare", "end"}


@pytest.mark.parametrize("name", examples())
def test_examples_are_answered(name, warehouse, at_home):
    answer = ask(warehouse, examples()[name].sql, Limits())
    assert len(answer.frame().columns) == len(answer.names)


def test_an_answer_is_cut_off_where_it_is_too_long(warehouse, at_home):
    answer = ask(warehouse, "SELECT a FROM range(9) t(a) ORDER BY a DESC", SMALL)
    assert (answer.truncated, [row for [row] in answer.rows()]) == ("rows", [8, 7, 6, 5, 4])
    assert ask(warehouse, "FROM range(5)", SMALL).truncated == ""
    assert ask(warehouse, "SELECT repeat('x', 600000) FROM range(4)", SMALL).truncated == "size"


def test_a_question_sees_what_was_loaded_in_between(warehouse, at_home, tmp_path):
    load([str(many(tmp_path / "a.jsonl", 1, "a"))], tmp_path / "store")
    with Warehouse(tmp_path / "store") as growing:
        assert list(ask(growing, "SELECT count(*) FROM hands").rows()) == [[1]]
        load([str(many(tmp_path / "b.jsonl", 2, "b"))], tmp_path / "store")
        assert list(ask(growing, "SELECT count(*) FROM hands").rows()) == [[3]]


# --- the process


def test_a_question_is_answered_in_a_process_of_its_own(warehouse):
    answer = ask(warehouse, "SELECT verdict, count(*) AS hands FROM hands GROUP BY ALL")
    assert answer.names == ["verdict", "hands"]
    assert list(answer.rows()) == [["clean", 2]]
    assert answer.parquet()[:4] == b"PAR1"


def test_what_cannot_be_interrupted_is_killed(warehouse, monkeypatch):
    monkeypatch.setattr(questions, "GRACE", 0.2)
    monkeypatch.setattr(questions, "_asked", lambda *_: {})
    monkeypatch.setattr(sys, "executable", "/bin/sh" if os.name == "posix" else sys.executable)
    monkeypatch.setattr(questions, "PROGRAM", ["-c", "exec sleep 60"])
    with pytest.raises(Refusal) as caught:
        ask(warehouse, "SELECT 1", Limits(seconds=0.1))
    assert caught.value.kind == "slow"


def test_a_process_that_dies_is_a_refusal(warehouse, monkeypatch):
    monkeypatch.setattr(questions, "_asked", lambda *_: {"memory": 1})
    with pytest.raises(Refusal) as caught:
        ask(warehouse, "SELECT 1")
    assert caught.value.kind == "crashed"


@pytest.mark.skipif(os.name != "posix", reason="limits of processes are those of POSIX")
def test_the_process_may_write_no_file_and_sees_no_environment():
    program = (
        f"import sys; sys.path.insert(0, {str(Path(asked.__file__).parents[1])!r})\n"
        "import os, resource; from analysis.asked import confine\n"
        "confine(100)\n"
        "limits = [resource.getrlimit(each)[1] for each in (resource.RLIMIT_FSIZE, resource.RLIMIT_DATA)]\n"
        "print(len(os.environ), *limits)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [int(number) for number in ended.stdout.split()] == [0, 0, (100 + asked.OVERHEAD) << 20]


def test_a_question_leaves_the_store_and_other_sessions_alone(warehouse, at_home):
    files = {path: path.read_bytes() for path in warehouse.path.rglob("*") if path.is_file()}
    for case in CASES["refused"][:20]:
        with pytest.raises(Refusal):
            ask(warehouse, case["sql"], SMALL)
    assert files == {path: path.read_bytes() for path in warehouse.path.rglob("*") if path.is_file()}
    assert len(warehouse.query("FROM hands")) == 2


def test_no_more_than_so_many_are_asked_at_once(warehouse, at_home, monkeypatch):
    monkeypatch.setattr(questions, "_turns", questions.threading.BoundedSemaphore(1))
    with questions._turns, pytest.raises(Refusal) as caught:
        ask(warehouse, "SELECT 1", Limits(seconds=0.1))
    assert caught.value.kind == "busy"
    assert list(ask(warehouse, "SELECT 1").rows()) == [[1]]


# --- the command line


def test_the_command_line_asks_the_same_way(warehouse, tmp_path, commanded):
    def told(sql: str, *options: str) -> tuple[int, str, str]:
        (tmp_path / "question.sql").write_text(sql, "utf-8")
        return commanded("stats", "--store", warehouse.path, "--sql", tmp_path / "question.sql", *options)

    code, answer, _ = told("SELECT id, [hand] AS l, '=1' AS t FROM hands ORDER BY hand", "--format", "json")
    assert code == 0
    assert [list(row) for row in json.loads(answer)] == [["id", "l", "t"]] * 2
    assert json.loads(answer)[0]["l"] == "[0]"
    code, _, complaint = told("SELECT * FROM hnads", "--lang", "zh")
    assert code == 2
    assert "没有可查的表 hnads" in complaint
    assert set(questions.ASKED) == set(TABLES)
