"""What lies in ``shared/`` about 三打哈: corpus and vectors, judged as an independent program says they should be."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.cards import read_cards
from ingest.rules.combinations import public
from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.tricks import leads, table_of
from ingest.verdict import as_json
from tests.test_shared import SHARED, audit, comparison

pytestmark = pytest.mark.shared


def vectors(name: str) -> list[Any]:
    path = SHARED / "vectors" / f"{name}.json"
    entries = json.loads(path.read_text("utf-8")) if path.exists() else []
    return [pytest.param(entry, id=entry["id"]) for entry in entries if entry["rules"] == "sandaha"]


@pytest.fixture(scope="module")
def rules() -> TrickRuleset:
    found = load_any("sandaha")
    assert isinstance(found, TrickRuleset)
    return found


@pytest.mark.parametrize("entry", vectors("sandaha"))
def test_leads(entry: dict[str, Any], rules: TrickRuleset):
    found = leads(read_cards(entry["cards"]), table_of(rules, entry["trump"], 0))
    told = [msgspec.to_builtins(public(reading)) for reading in found]
    asked = [{key: reading[key] for key in one} for reading, one in zip(told, entry["expect"], strict=True)]
    assert asked == entry["expect"], entry["why"]


@pytest.mark.parametrize("entry", vectors("settle"))
def test_settle(entry: dict[str, Any], rules: TrickRuleset):
    told = msgspec.to_builtins(settle_level(msgspec.convert(entry["facts"], TrickFacts), rules))
    assert {key: told[key] for key in entry["expect"]} == entry["expect"], entry["why"]


def test_corpus(tmp_path: Path):
    """Every verdict agrees, in what is expected and in what the contract leaves open (``--strict``)."""
    compare = comparison()
    lines = compare.read_corpus(str(SHARED / "corpus" / "sandaha.jsonl.gz"))
    log = tmp_path / "corpus.jsonl"
    compare.write_records(lines, str(log))
    told = {verdict.line: json.loads(as_json(verdict, "en")) for verdict in audit([str(log)])}
    assert len(told) == len(lines) > 100
    differing = {}
    for number, line in enumerate(lines, start=1):
        found = compare.differences(line["expect"], told[number]) + compare.soft_differences(line, told[number])
        if found:
            differing[number, line["how"]] = found
    assert differing == {}
