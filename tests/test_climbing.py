"""Tricks and turns: the cases of kind ``plays``.

Seat 0 is landlord, no card is shown and the hand may break off, where a case says nothing else: ``record`` gives
fields of the record. Expected are all ``findings`` of the play (P407 left out where nobody is out of cards),
``stands`` (by index: the readings a move stands for) and the seat that is ``out``.
"""

from collections.abc import Callable
from typing import Any

import pytest

from ingest.audit import examine, verdict_of
from ingest.faults import CATALOGUE, severity
from ingest.rules.combinations import public


def test_plays(plays_case: dict[str, Any], ruleset: Callable[..., Any], a_record: Callable[..., Any], brief: Any):
    given, rules = plays_case, ruleset(plays_case)
    hand = examine(a_record(rules, plays=given["plays"], **given.get("record", {})), rules)
    found = [finding for finding in hand.findings if CATALOGUE[finding.code].phase == "play"]
    played = hand.played
    assert played is not None, brief(hand.findings)
    if played.winner is None:
        found = [finding for finding in found if finding.code != "P407"]
    assert brief(found) == given.get("findings", [])
    assert [finding.code for finding in hand.findings if finding.code[0] in "DA" and severity(finding) == "fault"] == []
    assert played.winner == given.get("out")
    for index, readings in given.get("stands", {}).items():
        stands = played.stands[int(index)]
        assert stands is not None
        assert [f"{r.name} {r.length} {r.rank}" for r in map(public, stands.readings)] == readings
    if "p408" in given:
        assert [severity(finding) for finding in found if finding.code == "P408"] == given["p408"]
    for key in ("scores", "multiplier", "outcome", "winners"):
        if key in given:
            assert getattr(verdict_of(hand, "", 1), key) == given[key]


@pytest.mark.parametrize("rules", ["classic", "pagat", "platform", "call-score", "openspiel", "botzone", "rlcard"])
def test_seats_follow_one_another_and_a_trick_closes(rules: str, ruleset: Any, a_record: Any, brief: Any):
    """U-R3, for every game of three: two passes, and the last to have played leads."""
    of = ruleset({"rules": rules})
    hand = examine(a_record(of, plays="0:3 1:4 2:- 0:- 1:3 2:4 0:- 1:- 2:3"), of)
    assert brief([finding for finding in hand.findings if finding.code[0] == "P"]) == ["P407"]
    hand = examine(a_record(of, plays="0:3 1:4 2:- 0:- 2:3"), of)
    assert brief([finding for finding in hand.findings if finding.code[0] == "P"]) == ["P401@4"]
