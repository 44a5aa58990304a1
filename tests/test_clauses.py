"""No clause of the rulebook is forgotten: each is cited by a fault, a case or a test."""

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.faults import CATALOGUE
from ingest.rules.ruleset import load_any

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rulebook" / "rules.md"
CLAUSES: dict[str, list[dict[str, Any]]] = tomllib.loads((TESTS / "cases" / "clauses.toml").read_text("utf-8"))

_PARTS = "[A-G]|U|BZ|BV|OS|RL|DZ"
_RULE = re.compile(rf"^\* ((?:{_PARTS})-R\d+)\.")
_ROW = re.compile(rf"^\| ((?:{_PARTS})-[RTQ]\d+[ab]?)(?:, ((?:{_PARTS})-[RTQ]\d+[ab]?))? \|")
_CITED = re.compile(rf"\b((?:{_PARTS})-[RTQ])(\d+)([ab]?)(?: … (?:(?:{_PARTS})-[RTQ])?(\d+))?")


def clauses() -> set[str]:
    """Every clause that heads a line or a row of the rulebook."""
    found = set()
    for line in RULES.read_text("utf-8").splitlines():
        heads = _RULE.match(line) or _ROW.match(line)
        found |= {clause for clause in heads.groups() if clause} if heads else set()
    return found


def cited() -> set[str]:
    """Every clause that a fault, a case or a test names, alone or within a span."""
    found = {clause for fault in CATALOGUE.values() for clause in fault.clauses}
    for path in [*TESTS.rglob("*.py"), *TESTS.rglob("*.toml")]:
        for part, first, letter, last in _CITED.findall(path.read_text("utf-8")):
            found.add(f"{part}{first}{letter}")
            found |= {f"{part}{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_the_rulebook_has_clauses():
    assert len(clauses()) > 300


def test_no_clause_is_forgotten():
    assert sorted(clauses() - cited()) == []


def test_wording_is_said_of_clauses_that_exist_and_say_why():
    for case in CLAUSES["wording"]:
        assert case["id"] in clauses()
        assert case["why"]


@pytest.mark.parametrize("case", CLAUSES["switches"], ids=lambda case: case["id"])
def test_built_in_rulesets_say_what_was_decided(case: dict[str, Any]):
    for name in [case["rules"]] if isinstance(case["rules"], str) else case["rules"]:
        rules = msgspec.to_builtins(load_any(name))
        for path, value in case["says"].items():
            table, _, key = path.partition(".")
            assert (rules[table][key] if key else rules[table]) == value, (name, path)
