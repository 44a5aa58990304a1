"""One file per code: a record that has the fault and the nearest one that has not; and whether all cases are there.

``[broken]`` and ``[sound]`` are logs of their own; ``lines`` are written one below the other, in UTF-8 where no other
``encoding`` is named, with a newline at the end unless they are ``cut``. The verdict on the last line is looked at:
``scores`` and ``outcome`` not given mean that there are none. ``also``: faults that come along. ``rules``: a ruleset
file. ``file``: what the log is called.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.faults import CATALOGUE, severity
from ingest.verdict import Verdict

SHARED = Path(__file__).parents[2] / "shared"
ELSEWHERE = {code for code in CATALOGUE if code.startswith("T")} | {"A307"}
"""Codes that only 三打哈 has."""
EXAMPLE = re.compile(r"^\| ((?:[A-EGU]|BZ|BV|OS|RL|DZ)-E\d+) \|", re.M)

Judge = Callable[[dict[str, Any], dict[str, Any]], Verdict]


@pytest.fixture
def judge(verdicts: Callable[..., list[Verdict]], tmp_path: Path) -> Judge:
    """The verdicts on a log of a fault's file: the last one, after all others were found clean."""

    def of(case: dict[str, Any], log: dict[str, Any]) -> Verdict:
        rules = None
        if "rules" in case:
            rules = str(tmp_path / "own.toml")
            Path(rules).write_text(case["rules"], "utf-8")
        text = "\n".join(log["lines"]) + ("" if log.get("cut") else "\n")
        found = verdicts(text.encode(log.get("encoding", "utf-8")), rules, log.get("file", "log.jsonl"))
        assert len(found) == len(log["lines"])
        assert {verdict.verdict for verdict in found[:-1]} <= {"clean"}
        return found[-1]

    return of


def test_the_broken_record_has_the_fault(broken_case: dict[str, Any], judge: Judge):
    code, broken = broken_case["code"], broken_case["broken"]
    verdict = judge(broken_case, broken)
    finding = next(finding for finding in verdict.findings if finding.code == code)
    assert (finding.index, finding.seat) == (broken.get("index"), broken.get("seat"))
    assert CATALOGUE[code].phase == broken["phase"]
    assert (verdict.verdict, verdict.outcome) == (broken["verdict"], broken.get("outcome"))
    assert verdict.scores == broken.get("scores")
    faults = [finding.code for finding in verdict.findings if severity(finding) == "fault"]
    expected = {*broken.get("also", []), code} if severity(finding) == "fault" else set()
    assert set(faults) == expected
    assert len(faults) == len(expected)
    assert set(finding.details) == set(CATALOGUE[code].details)


def test_the_sound_record_is_clean(fault_case: dict[str, Any], judge: Judge):
    sound = fault_case["sound"]
    verdict = judge(fault_case, sound)
    assert fault_case["code"] not in {finding.code for finding in verdict.findings}
    assert (verdict.verdict, verdict.outcome, verdict.scores) == ("clean", sound["outcome"], sound["scores"])


def test_every_code_has_its_file(fault_case: dict[str, Any]):
    assert fault_case["code"] in CATALOGUE
    assert re.search("[一-鿿]", fault_case["zh"])
    assert not re.search("[一-鿿]", fault_case["en"])
    assert max(len(line) for part in ("broken", "sound") for line in fault_case[part]["lines"]) < 400


def test_no_code_is_without_a_file():
    files = {path.stem for path in (Path(__file__).parent / "cases" / "faults").glob("*.toml")}
    assert set(CATALOGUE) - ELSEWHERE <= files <= set(CATALOGUE)


@pytest.mark.shared
def test_every_example_of_the_rulebook_is_a_case(case_ids: set[str]):
    printed = set(EXAMPLE.findall((SHARED / "rules.md").read_text("utf-8")))
    assert len(printed) > 90
    assert printed - case_ids == set()


@pytest.mark.shared
def test_cases_are_named_after_what_the_rulebook_has(case_ids: set[str]):
    """An id is a clause, a decision, a type, an example, or a public case (H-01 …)."""
    rulebook = (SHARED / "rules.md").read_text("utf-8") + (SHARED / "cases.md").read_text("utf-8")
    assert {case for case in case_ids if not re.search(rf"\b{case}\b", rulebook)} == set()


@pytest.mark.shared
def test_every_public_case_of_these_games_is_a_case(case_ids: set[str]):
    assert {f"H-{number:02}" for number in range(1, 22)} - case_ids == set()
