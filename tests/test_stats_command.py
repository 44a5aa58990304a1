"""What ``fupan stats`` says beside its answers, and of what it does not answer."""

import tomllib
from pathlib import Path

import pytest
from test_store_hands import kept, record
from typer.testing import CliRunner, Result

from analysis import asked, questions
from fupan.cli import app
from fupan.refusals import said
from fupan.words import language_asked_for
from ingest.rules.ruleset import UnknownRuleset

CASES = tomllib.loads(Path(__file__).with_name("stats_command.toml").read_text("utf-8"))
DAY = "2026-03-0{}T12:00:00+08:00"


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """The folder that the cases tell of."""
    folder = tmp_path_factory.mktemp("stats")
    shapes = (("plain", 1, {}), ("spring", 2, {}), ("anti_spring", 2, {"claim": {"scores": [1, 0, -1]}}))
    hands = (record(shape, shape, ids=("p", "q", "r"), at=DAY.format(day), **more) for shape, day, more in shapes)
    kept(folder, *hands).close()
    for name, given in CASES["files"].items():
        text, encoding = (given, "utf-8") if isinstance(given, str) else (given["text"], given["encoding"])
        (folder / name).write_bytes(text.encode(encoding))
    return folder


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """Questions answered by the same code in this process: it starts faster."""
    monkeypatch.setattr(questions, "_run", lambda given, _limits: asked.written(*asked.respond(given)))


def run(here: Path, words: list[str], language: str) -> Result:
    words = [word.replace("{here}", str(here)) for word in words]
    return CliRunner().invoke(app, ["stats", "--store", str(here / "store"), *words, "--lang", language])


def named(case: dict) -> str:
    return " ".join(case["words"])


@pytest.mark.parametrize("case", CASES["answered"], ids=named)
def test_what_an_answer_does_not_count_stands_beside_it(case, here):
    for language in {"zh", "en"} & case.keys():
        answer = run(here, case["words"], language)
        assert answer.exit_code == 0, answer.exception
        assert answer.stderr == (case[language] and case[language] + "\n")
        assert answer.stdout == case.get("out", answer.stdout)


@pytest.mark.parametrize("case", CASES["refused"], ids=named)
def test_what_is_not_answered_is_told_in_one_line(case, here):
    for language in {"zh", "en"} & case.keys():
        answer = run(here, case["words"], language)
        assert answer.stdout == ""
        sentence = said(answer.exception, language)
        assert sentence.startswith(case[language].replace("{here}", str(here)))
        assert "\n" not in sentence


def test_a_refusal_is_in_the_language_that_was_asked_for(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert language_asked_for(["fupan", "audit", "--lang", "en"]) == "en"
    assert language_asked_for(["fupan", "--lang=en", "audit"]) == "en"
    assert language_asked_for(["fupan", "audit", "--lang", "fr"]) == "zh"
    assert said(UnknownRuleset("dizhu"), "zh").startswith("--rules：没有名为 dizhu 的规则集；现有 botzone")
    assert said(KeyError("x"), "zh") == "程序自身的错误，请报告：KeyError: 'x'（FUPAN_DEBUG=1 会显示更多）"
