"""What lies in ``shared/``: vectors, corpora and real logs, each judged as an independent program says it should be."""

import gzip
import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.batch import Batch
from ingest.cards import read_cards
from ingest.faults import CATALOGUE
from ingest.logs import read
from ingest.rules.answers import answers_of
from ingest.rules.combinations import public
from ingest.rules.ruleset import load
from ingest.rules.settlement import Facts, settle
from ingest.verdict import Verdict, as_json

SHARED = Path(__file__).parents[2] / "shared"
ELSEWHERE = ("sandaha",)
"""Games that are not played by climbing; their tests are with them."""
CORPORA = [path for path in sorted(SHARED.glob("corpus/*.jsonl.gz")) if not path.name.startswith(ELSEWHERE)]

pytestmark = pytest.mark.shared


def vectors(name: str) -> list[Any]:
    path = SHARED / "vectors" / f"{name}.json"
    entries = json.loads(path.read_text("utf-8")) if path.exists() else []
    return [pytest.param(entry, id=entry["id"]) for entry in entries if entry["rules"] not in ELSEWHERE]


@pytest.mark.parametrize("entry", vectors("readings"))
def test_readings(entry: dict[str, Any]):
    found = answers_of(load(entry["rules"])).readings(read_cards(entry["cards"]).counts)
    told = msgspec.to_builtins([public(reading) for reading in found])
    assert sorted(map(str, told)) == sorted(map(str, entry["expect"])), entry["why"]


@pytest.mark.parametrize("entry", vectors("beats"))
def test_beats(entry: dict[str, Any]):
    answers = answers_of(load(entry["rules"]))
    standing = answers.answer(answers.lead, read_cards(entry["standing"]).counts)
    assert standing is not None
    now = answers.answer(standing, read_cards(entry["cards"]).counts)
    assert (now is not None) == entry["expect"], entry["why"]


@pytest.mark.parametrize("entry", vectors("settle"))
def test_settle(entry: dict[str, Any]):
    settled = settle(msgspec.convert(entry["facts"], Facts), load(entry["rules"]))
    told = msgspec.to_builtins(settled)
    assert {key: told[key] for key in entry["expect"]} == entry["expect"], entry["why"]


@cache
def comparison() -> Any:
    """The functions of ``compare_audit.py``."""
    found = importlib.util.spec_from_file_location("compare_audit", SHARED / "compare_audit.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def audit(paths: list[str]) -> list[Verdict]:
    with Batch() as batch:
        return [audited.verdict for audited in batch.audit(read(paths))]


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_corpus(corpus: Path, tmp_path: Path):
    """Every verdict agrees, in what is expected and in what the contract leaves open (``--strict``)."""
    compare = comparison()
    lines = compare.read_corpus(str(corpus))
    log = tmp_path / "corpus.jsonl"
    compare.write_records(lines, str(log))
    told = {verdict.line: json.loads(as_json(verdict, "en")) for verdict in audit([str(log)])}
    assert len(told) == len(lines) > 100
    differing = {}
    for number, line in enumerate(lines, start=1):
        got = told[number]
        found = compare.differences(line["expect"], got) + compare.soft_differences(line, got)
        if found:
            differing[number, line["how"]] = found
    assert differing == {}


def test_corpora_are_there():
    assert len(CORPORA) >= 10


def truth() -> list[dict[str, Any]]:
    lines = (SHARED / "real" / "botzone" / "truth.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("form", "first"), [("judge", "first"), ("display", "display_first")])
def test_real_matches_of_botzone(form: str, first: str):
    """328 matches, in both forms of the log, exactly as is known to be true of them."""
    verdicts = audit([str(SHARED / "real" / "botzone" / f"ftl2-{form}.jsonl.gz")])
    facts = truth()
    assert len(verdicts) == len(facts) == 328
    for verdict, fact in zip(verdicts, facts, strict=True):
        told = json.loads(as_json(verdict, "en"))
        faults = [finding for finding in told["findings"] if finding["severity"] == "fault"]
        expected = fact[first]
        if expected is None:
            assert faults == [], fact["line"]
        else:
            assert {key: faults[0][key] for key in expected} == expected, fact["line"]
        keys = ("line", "verdict", "outcome", "landlord", "winners", "bid", "multiplier", "scores")
        assert {key: told[key] for key in keys} == {key: fact[key] for key in keys}


def test_real_matches_of_the_first_botzone_game():
    """BV-R3: clean, and the scores of Botzone's own judge are met to the thousandth."""
    with Batch() as batch:
        found = list(batch.audit(read([str(SHARED / "real" / "botzone-v1")])))
    assert len(found) == 6
    for audited in found:
        assert audited.verdict.verdict == "clean"
        record = audited.entry.record
        assert record is not None
        assert record.claim is not None
        assert audited.verdict.scores == record.claim.scores
        assert record.claim.scores is not None


def test_every_code_that_a_corpus_expects_is_in_the_catalogue():
    expected = set()
    for corpus in CORPORA:
        with gzip.open(corpus, "rt", encoding="utf-8") as file:
            expected |= {code for line in file for code in json.loads(line)["expect"].get("faults", [])}
    assert expected
    assert expected <= set(CATALOGUE)
