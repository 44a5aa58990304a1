"""Auctions: the cases of kind ``auctions``.

``first``: who speaks first (seat 0). ``void``: the record says that the hand is void. Expected are ``landlord``,
``bid`` and ``robs`` as far as given, what each seat ``said`` last, and all ``findings`` of the auction.
"""

from collections.abc import Callable
from typing import Any

import pytest

from ingest.faults import CATALOGUE, severity
from ingest.rules.auction import hold_auction
from ingest.rules.ruleset import load

Named = Callable[[dict[str, Any]], str]


def test_auctions(auctions_case: dict[str, Any], named: Named, a_record: Any, audited: Any, brief: Any):
    name, given = named(auctions_case), auctions_case
    fields = {key: given[key] for key in ("auction", "voids") if key in given}
    if given.get("void"):
        fields["end"] = "void"
    judged = audited(a_record(name, first=given.get("first", 0), **fields), name)
    verdict, bidding = judged.verdict, judged.hand.bidding
    found = [finding for finding in verdict.findings if CATALOGUE[finding.code].phase == "auction"]
    assert brief(found) == given.get("findings", [])
    robbed_after_a_pass = [severity(finding) for finding in found if finding.code == "A308"]
    assert robbed_after_a_pass == given.get("a308", ["note"] * len(robbed_after_a_pass))
    if "landlord" in given:
        assert (verdict.landlord, verdict.bid) == (given["landlord"], given["bid"])
        assert bidding.robs == given.get("robs", 0)
    if "said" in given:
        assert {str(seat): word for seat, word in bidding.said.items()} == given["said"]
    if given.get("void") and not found:
        assert (verdict.outcome, verdict.landlord, verdict.winners, verdict.bid) == ("void", None, [], None)
        assert (verdict.multiplier, verdict.unit, set(verdict.scores)) == (1, 0, {0})


@pytest.mark.parametrize("rules", ["classic", "platform", "call-score", "call-rob", "two-player", "botzone"])
def test_who_acts_first_is_taken_to_be_first_where_nothing_says_it(rules: str):
    word = "call" if rules in ("call-rob", "two-player") else "3"
    held = hold_auction(f"1:{word}", None, load(rules), 0)
    assert not [finding for finding in held.findings if finding.code == "A301"]
    assert held.first == 1


def test_passes_that_are_final_leave_a_player_out(named: Named):
    """A-Q7: the switch ``auction.pass_is_final``."""
    final = load(named({"rules": "classic", "switches": {"auction.pass_is_final": True}}))
    text = "0:- 1:1 2:2 1:3"
    assert hold_auction(text, 0, final, 0).findings == []
    assert hold_auction(text, 0, load("classic"), 0).findings[0].code == "A301"
