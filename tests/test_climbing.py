"""Tricks and turns: the cases of kind ``plays``.

Seat 0 is landlord, no card is shown and the hand may break off, where a case says nothing else: ``record`` gives
fields of the record. Expected are all ``findings`` of the play (P407 left out where nobody is out of cards),
``stands`` (by index: the readings a move stands for) and the seat that is ``out``.
"""

from typing import Any

import pytest

from ingest.faults import CATALOGUE, severity
from ingest.rules.combinations import public


def test_plays(plays_case: dict[str, Any], named: Any, a_record: Any, audited: Any, brief: Any):
    given, name = plays_case, named(plays_case)
    judged = audited(a_record(name, plays=given["plays"], **given.get("record", {})), name)
    verdict, played = judged.verdict, judged.hand.played
    assert played is not None, brief(verdict.findings)
    found = [finding for finding in verdict.findings if CATALOGUE[finding.code].phase == "play"]
    if played.winner is None:
        found = [finding for finding in found if finding.code != "P407"]
    assert brief(found) == given.get("findings", [])
    assert [f.code for f in verdict.findings if f.code[0] in "DA" and severity(f) == "fault"] == []
    assert played.winner == given.get("out")
    for index, readings in given.get("stands", {}).items():
        assert [f"{r.name} {r.length} {r.rank}" for r in map(public, played.stands[int(index)].readings)] == readings
    if "p408" in given:
        assert [severity(finding) for finding in found if finding.code == "P408"] == given["p408"]
    for key in ("scores", "multiplier", "outcome", "winners"):
        if key in given:
            assert getattr(verdict, key) == given[key]


@pytest.mark.parametrize("rules", ["classic", "pagat", "platform", "call-score", "openspiel", "botzone", "rlcard"])
def test_seats_follow_one_another_and_a_trick_closes(rules: str, a_record: Any, audited: Any, brief: Any):
    """U-R3, for every game of three: two passes, and the last to have played leads."""
    for plays, expected in (
        ("0:3 1:4 2:- 0:- 1:3 2:4 0:- 1:- 2:3", ["P407"]),
        ("0:3 1:4 2:- 0:- 2:3", ["P401@4"]),
        ("0:3 1:4 0:5", ["P401@2"]),
        ("0:3 1:4 2:- 0:- 1:- 2:3", ["P405@4", "P407"]),
    ):
        verdict = audited(a_record(rules, plays=plays), rules).verdict
        assert brief([finding for finding in verdict.findings if finding.code[0] == "P"]) == expected
