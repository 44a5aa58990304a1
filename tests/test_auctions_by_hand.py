"""Auctions worked out by hand on points that a mistake in the rules could change unnoticed (``make mutation``)."""

from typing import Any

import pytest
from by_hand import HELD, Audit, Make, Own, codes, told

from ingest.record import read_calls
from ingest.rules.auction import hold_auction, named_landlord
from ingest.rules.falling import run_falling
from ingest.rules.ruleset import AnyRuleset, TrickRuleset, builtin_names, load, load_any


def has_auction(law: AnyRuleset) -> bool:
    return isinstance(law, TrickRuleset) or law.auction.type != "none"


VOID_NOT_SAID = ("A309", None, None, {"reason": "void_not_said"})


@pytest.mark.parametrize(
    ("rules", "auction", "expected"),
    [
        ("rlcard", "0:3 1:-", [("A304", 0, 0, {"word": "3"}), ("A304", 1, 1, {"word": "-"})]),
        ("classic", "0:3 1:- 2:1", [("A304", 1, 1, {"word": "-"}), ("A304", 2, 2, {"word": "1"})]),
        ("classic", "0:2 1:1", [("A303", 1, 1, {"bid": 1, "last": 2})]),
        ("classic", "0:2 1:- 2:2", [("A303", 2, 2, {"bid": 2, "last": 2})]),
        ("classic", "0:- 1:4", [("A302", 1, 1, {"word": "4", "possible": ["1", "2", "3", "-"]})]),
        ("classic", "0:call", [("A302", 0, 0, {"word": "call", "possible": ["1", "2", "3", "-"]})]),
        ("classic", "1:3", [("A301", 0, 1, {"expected": 0, "actual": 1})]),
        ("classic", "0:1 2:2", [("A301", 1, 2, {"expected": 1, "actual": 2})]),
        ("classic", "0:1 1:-", [("A305", None, None, {})]),
        ("four-player", "0:1 1:- 2:-", [("A305", None, None, {})]),
        ("two-player", "0:rob", [("A302", 0, 0, {"word": "rob", "possible": ["call", "-"]})]),
        ("two-player", "0:-", [("A305", None, None, {})]),
        ("two-player", "0:call 1:-", [("A304", 1, 1, {"word": "-"})]),
        ("call-rob", "0:rob", [("A302", 0, 0, {"word": "rob", "possible": ["call", "-"]})]),
        ("call-rob", "0:call 1:call", [("A302", 1, 1, {"word": "call", "possible": ["rob", "-"]})]),
        ("call-rob", "0:call 1:rob", [("A305", None, None, {})]),
        ("call-rob", "0:call 1:rob 2:- 0:rob", [("A304", 3, 0, {"word": "rob"})]),
        ("call-score", "0:1 1:-", [("A305", None, None, {})]),
        ("call-score", "0:1 1:- 2:- 0:2", [("A304", 3, 0, {"word": "2"})]),
        ("platform", "0:3 1:3", [("A302", 1, 1, {"word": "3", "possible": ["rob", "-"]})]),
        ("platform", "0:3 2:rob", [("A301", 1, 2, {"expected": 1, "actual": 2})]),
        ("platform", "0:3 1:- 2:- 0:rob", [("A304", 3, 0, {"word": "rob"})]),
        ("platform", "0:3 1:rob 2:- 0:rob 1:rob", [("A304", 4, 1, {"word": "rob"})]),
        ("platform", "0:- 1:1 2:- 2:rob 0:rob 1:-", [("A308", 3, 2, {}), ("A308", 4, 0, {})]),
        ("platform", "0:2 1:1", [("A303", 1, 1, {"bid": 1, "last": 2})]),
    ],
)
def test_what_is_wrong_with_an_auction(a_record: Make, audit: Audit, rules: str, auction: str, expected: list[Any]):
    """A-R6, A-R7, C-R4, D-Q1, E-R8 … E-R15, G-R4 … G-R7: each finding whole."""
    named = {"landlord": 0} if rules == "rlcard" else {"first": 0}
    verdict = audit(a_record(rules, auction=auction, **named), rules)
    assert [each for each in told(verdict) if each[0] not in ("P407", "S607")] == expected


@pytest.mark.parametrize(
    ("rules", "auction", "expected"),
    [
        ("classic", "0:- 1:1 2:- 0:2 1:- 2:-", (0, 2, 0)),
        ("classic", "0:- 1:- 2:1 0:- 1:-", (2, 1, 0)),
        ("four-player", "0:1 1:- 2:- 3:2 0:- 1:- 2:-", (3, 2, 0)),
        ("two-player", "0:- 1:call", (1, 1, 0)),
        ("call-rob", "0:- 1:call 2:rob", (2, 1, 1)),
        ("call-rob", "0:call 1:rob 2:rob", (2, 1, 2)),
        ("call-score", "0:- 1:1 2:2", (2, 2, 0)),
        ("platform", "0:1 1:- 2:2 0:- 1:-", (2, 2, 0)),
        ("platform", "0:1 1:- 2:2 0:rob 1:- 2:-", (0, 2, 1)),
        ("platform", "0:1 1:- 2:2 0:rob 1:rob 2:rob", (2, 2, 3)),
        ("platform", "0:3 1:rob", (1, 3, 1)),
        ("platform", "0:3", (0, 3, 0)),
        ("botzone", "0:- 1:- 2:-", (0, 1, 0)),
    ],
)
def test_who_is_landlord_at_which_bid(a_record: Make, audited: Any, rules: str, auction: str, expected: Any):
    """A-Q7, A-Q8, C-R4, D-Q1, E-Q5, G-R5, G-R7, BZ-R1; answers to 抢地主 that lack at the end mean no."""
    judged = audited(a_record(rules, auction=auction, first=0), rules)
    assert (judged.verdict.landlord, judged.verdict.bid, judged.hand.bidding.robs) == expected


def test_nobody_bids_for_the_third_time(a_record: Make, audit: Audit, own_rules: Own):
    """G-R9, G-Q8: then the first speaker is landlord, and to call the hand void is a fault."""
    said = {"auction": "1:- 2:- 0:-", "first": 1, "end": "void"}
    assert codes(audit(a_record("call-score", **said, voids=1), "call-score")) == []
    verdict = audit(a_record("call-score", **said, voids=2), "call-score")
    assert told(verdict)[0] == ("A309", None, None, {"reason": "landlord_forced"})
    assert (verdict.landlord, verdict.bid) == (1, 1)
    two = own_rules("call-score", {"void.forced_value": 2})
    assert audit(a_record("call-score", **said, voids=2), two).bid == 2
    chosen = audit(a_record("call-score", auction="0:3", end="void"), "call-score")
    assert told(chosen)[0] == ("A309", None, None, {"reason": "landlord_chosen"})
    played = audit(a_record("call-score", **(said | {"end": None}), plays="1:3"), "call-score")
    assert told(played) == [("A309", None, None, {"reason": "void_but_played"})]


def test_what_a_seat_is_obliged_to_bid(a_record: Make, audit: Audit, own_rules: Own):
    """G-Q15: of two cards, at the most; not after somebody else has bid it."""
    hands = [HELD[0], "BR" + HELD[1][4:], HELD[2]]
    held = {"hands": hands, "bottom": "D2H7C7"}
    must = own_rules("platform", {"auction.must_bid_max": "rocket", "deal.marker": False, "auction.first": "log"})
    assert told(audit(a_record("platform", **held, auction="0:- 1:2 2:3"), must))[0] == (
        "A307", 1, 1, {"count": 2, "floor": 3},
    )  # fmt: skip
    once = codes(audit(a_record("platform", **held, auction="0:2 1:- 2:- 1:- 2:-"), must))
    assert once.count("A307") == 1  # to answer whether to rob is no bid
    for said in ("0:3 1:- 2:-", "0:- 1:3 2:-"):
        assert "A307" not in codes(audit(a_record("platform", **held, auction=said), must))


def test_a_bid_that_does_not_count_is_one(a_record: Make, audit: Audit, own_rules: Own):
    """`score.bid_factor` = 1."""
    verdict = audit(a_record("classic", auction="0:3"), own_rules("classic", {"score.bid_factor": 1}))
    assert (verdict.bid, audit(a_record("classic", auction="0:3"), "classic").bid) == (1, 3)


def test_the_last_to_speak_may_be_held_to_the_most_or_a_pass(a_record: Make, audit: Audit, own_rules: Own):
    """G-Q15, `auction.last_values` = max_or_pass."""
    rules = own_rules("call-score", {"auction.last_values": "max_or_pass"})
    verdict = audit(a_record("call-score", auction="0:1 1:- 2:2"), rules)
    assert told(verdict) == [("A302", 2, 2, {"word": "2", "possible": ["3", "-"]})]
    for said, bid in (("0:1 1:2 2:-", 2), ("0:1 1:- 2:3", 3)):
        verdict = audit(a_record("call-score", auction=said), rules)
        assert (codes(verdict), verdict.bid) == (["P407", "S607"], bid)


def test_a_landlord_who_is_named_was_not_bid_for():
    """DZ-R1: words of the auction are kept, and are one and all too many."""
    named = named_landlord("0:3 1:-", 1)
    assert ([call.word for call in named.calls], named.landlord, named.bid) == (["3", "-"], 1, 1)
    assert (named.ended, named.void, [finding.index for finding in named.findings]) == (True, False, [0, 1])


def test_where_no_numbers_are_bid_nobody_is_obliged(a_record: Make, audit: Audit, own_rules: Own):
    """C-R4, G-Q15."""
    rules = own_rules("two-player", {"auction.must_bid_max": "rocket"})
    hands = ["BR" + "345678" * 3, None]
    for said, landlord in (("0:- 1:call", 1), ("0:call", 0)):
        verdict = audit(a_record("two-player", hands=hands, auction=said), rules)
        assert (codes(verdict), verdict.landlord) == (["P407", "S607"], landlord)


@pytest.mark.parametrize(
    ("auction", "landlord", "expected"),
    [
        ("0:1 1:- 2:2 0:-", 2, []),
        ("0:- 1:1 2:2 1:-", 2, []),
        ("0:- 1:- 2:1", 2, []),
        ("0:1 1:- 2:-", 0, []),
        ("0:- 1:1 2:2 1:3", 1, []),
        ("0:- 1:1 2:2", None, [("A305", None, None, {})]),
        ("0:- 1:- 2:1 0:-", 2, [("A304", 3, 0, {"word": "-"})]),
        ("0:1 1:- 2:2 1:3", None, [("A301", 3, 1, {"expected": 0, "actual": 1})]),
        ("0:- 1:-", None, [("A305", None, None, {})]),
        ("0:- 1:- 2:-", None, [VOID_NOT_SAID]),
        ("0:- 1:- 2:- 0:-", None, [("A304", 3, 0, {"word": "-"}), VOID_NOT_SAID]),
    ],
)
def test_who_has_passed_is_asked_no_more(
    a_record: Make, audit: Audit, own_rules: Own, auction: str, landlord: int | None, expected: list[Any]
):
    """A-Q7, `auction.pass_is_final`: the auction is over when nobody else is left to speak."""
    verdict = audit(a_record("classic", auction=auction), own_rules("classic", {"auction.pass_is_final": True}))
    assert [each for each in told(verdict) if each[0] not in ("P407", "S607")] == expected
    assert verdict.landlord == landlord


@pytest.mark.parametrize("rules", [name for name in builtin_names() if has_auction(load_any(name))])
def test_whoever_speaks_first_sits_at_the_table(rules: str):
    """A301; where nothing tells who begins, it is not a seat that the game has not."""
    law = load_any(rules)
    players = law.deal.players
    text = f"{players}:- 0:-"
    found = (
        run_falling(read_calls(text), None, [None] * 4, law)
        if isinstance(law, TrickRuleset)
        else hold_auction(text, None, law, 0)
    )
    expected = [("A301", {"expected": [*range(players)], "actual": players})]
    assert [(finding.code, finding.details) for finding in found.findings] == expected
    assert (found.stopped, found.landlord) == (True, None)


def test_after_an_auction_stops_nobody_is_obliged(a_record: Make, audit: Audit, own_rules: Own):
    """G-Q15: the second word is no part of it any more."""
    rules = own_rules("call-score", {"auction.must_bid_max": "rocket"})
    hands = [None, "BR" + HELD[1][4:], None]
    assert codes(audit(a_record("call-score", hands=hands, auction="0:4 1:-"), rules)) == ["A302"]
    assert codes(audit(a_record("call-score", hands=hands, auction="0:1 1:- 2:-"), rules))[0] == "A307"


def test_how_an_auction_ends_is_told():
    """U-R17: a void hand has no bid. E-Q16: who leaves breaks an auction off, which is no fault of it."""
    unfinished = hold_auction("0:1", 0, load("platform"), 0)
    assert (unfinished.ended, unfinished.stopped, unfinished.void) == (False, True, False)
    left = hold_auction("0:1", 0, load("platform"), 0, broken_off=True)
    assert (left.ended, left.stopped, left.void, left.landlord, left.findings) == (False, False, False, None, [])
    void = hold_auction("0:- 1:-", 0, load("two-player"), 0)
    assert (void.ended, void.stopped, void.void, void.landlord, void.bid) == (True, False, True, None, 0)


def test_a_call_is_a_bid_of_one(own_rules: Own):
    """C-Q1, G-Q4, where a ruleset lets the bid count."""
    for rules, said in (("two-player", "0:call"), ("call-rob", "0:call 1:- 2:rob")):
        assert hold_auction(said, 0, load(own_rules(rules, {"score.bid_factor": "bid"})), 0).bid == 1
