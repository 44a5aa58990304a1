"""The screen of custom questions: asked in the address, refused in plain words, taken away in three formats."""

import csv
import io
import json

import pytest
from test_dashboard import app, log, record, shown

from analysis import asked, questions
from dashboard import export
from ingest.load import load

HOSTILE = ("<b>x</b>", "$x$", "=1+1", ":red[x]", "a[b](c)", "🀄️")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A store of hands with hostile ids."""
    folder = tmp_path_factory.mktemp("questions")
    (folder / "log.jsonl").write_bytes(log(*(record(name, players=(name, "u2", "u3")) for name in HOSTILE)))
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


@pytest.fixture
def store(loaded, monkeypatch):
    """It is asked in this process: that starts faster."""
    monkeypatch.setenv("FUPAN_STORE", str(loaded))
    monkeypatch.setattr(questions, "_run", lambda given, _limits: asked.written(*asked.respond(given)))


def question(sql: str, language: str = "zh"):
    page = app("questions", language)
    page.text_area(key="questions-sql").set_value(sql)
    return page.button[0].click().run()


def test_a_question_is_answered_and_stands_in_the_address(store):
    page = question("SELECT id FROM hands ORDER BY line")
    assert page.dataframe[0].value["id"].tolist() == list(HOSTILE)
    assert page.query_params["sql"] in ("SELECT id FROM hands ORDER BY line", ["SELECT id FROM hands ORDER BY line"])
    assert "6 行" in shown(page)


def test_an_address_with_a_question_is_answered(store):
    page = app("questions")
    page.query_params["sql"] = "SELECT count(*) AS n FROM hands"
    page.run()
    assert page.dataframe[0].value["n"].tolist() == [6]
    assert page.text_area(key="questions-sql").value == "SELECT count(*) AS n FROM hands"


@pytest.mark.parametrize(("language", "said"), [("zh", "没有可查的表 hnads"), ("en", "There is no table hnads")])
def test_a_mistake_is_told_in_plain_words(store, language, said):
    page = question("SELECT * FROM hnads", language)
    assert said in shown(page)
    assert "Catalog" not in shown(page)
    assert not page.dataframe


def test_a_long_answer_is_shown_page_by_page(store):
    page = question("SELECT range AS n FROM range(250)")
    assert page.dataframe[0].value["n"].tolist() == list(range(100))
    page.query_params["page"] = "3"
    assert page.run().dataframe[0].value["n"].tolist() == list(range(200, 250))
    assert "本页 201–250 行" in shown(page)


def test_an_answer_that_was_cut_off_says_so(store):
    page = question("SELECT range AS n FROM range(20000)")
    assert "只取了前 10,000 行" in page.warning[0].value


def test_an_example_is_asked_at_once(store):
    page = app("questions")
    page.selectbox(key="questions-example").set_value("verdicts").run()
    assert page.text_area(key="questions-sql").value.startswith("SELECT rules, verdict")
    assert page.dataframe[0].value["hands"].tolist() == [6]


def test_columns_are_found_by_name_and_meaning(store):
    page = app("questions")
    page.text_input(key="questions-find").set_value("春天").run()
    found = " ".join(element.value for element in page.html)
    assert "factor_spring" in found
    assert "utc_offset" not in found


def test_what_is_taken_away_is_what_was_answered(store):
    answer = question("SELECT id, [line] AS l, line * 1.5 AS x, '\\x01'::BLOB AS b FROM hands ORDER BY line")
    assert not answer.exception
    told = questions.ask(
        opened_store(), "SELECT id, [line] AS l, line * 1.5 AS x, '\\x01'::BLOB AS b FROM hands ORDER BY line"
    )
    rows = json.loads(export.json_of(told.names, told.rows()))
    assert rows[2] == {"id": "=1+1", "l": [3], "x": 4.5, "b": "01"}
    written = list(csv.DictReader(io.StringIO(export.csv_of(told.frame()).decode("utf-8-sig"))))
    assert written[2] == {"id": "'=1+1", "l": "[3]", "x": "4.5", "b": "01"}
    assert told.parquet()[:4] == b"PAR1"


def opened_store():
    from dashboard import store as opened

    return opened.opened()
