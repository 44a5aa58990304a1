"""Verdicts worked out by hand on points that a mistake in the rules could change unnoticed (``make mutation``)."""

from typing import Any

import msgspec
import pytest
from by_hand import HELD, Audit, Make, Own, codes, told
from four_bombs import HANDS

from ingest.audit import examine
from ingest.rules.ruleset import load
from ingest.rules.settlement import Facts, base_of, cannot_settle, other_readings, settle, settlements


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({"hands": ["S3X", None, None]}, "hands", "S3X"),
        ({"bottom": "1"}, "bottom", "1"),
        ({"dead": "X"}, "dead", "X"),
        ({"taken": "S1"}, "taken", "S1"),
        ({"buried": "3?"}, "buried", "3?"),
        ({"marker": "X"}, "marker", "X"),
        ({"marker": "34"}, "marker", "34"),
        ({"marker": ""}, "marker", ""),
        ({"auction": "0:all"}, "auction", "0:all"),
        ({"plays": "0:3 1:X"}, "plays", "1:X"),
        ({"plays": "0:3 1:4!4 2:5!5"}, "plays", "1:4!4"),
    ],
)
def test_what_cannot_be_read_is_quoted_with_its_field(a_record: Make, audit: Audit, fields: Any, field: str, text: str):
    """R105; a throw is no word of a climbing game."""
    verdict = audit(a_record("classic", **fields), "classic")
    assert told(verdict) == [("R105", None, None, {"field": field, "text": text})]
    assert verdict.verdict == "unreadable"


def test_an_auction_that_a_record_lacks_is_not_finished(a_record: Make, audit: Audit):
    """A-R7; only where the rules say so may a record name its landlord instead (B-Q1)."""
    for named in ({}, {"landlord": 0}, {"first": None}):
        verdict = audit(a_record("classic", auction=None, plays="0:3", **named), "classic")
        assert codes(verdict) == ["A305"]
    verdict = audit(a_record("emperor", auction=None, landlord=1, plays="1:3"), "emperor")
    assert (codes(verdict), verdict.landlord) == (["P407", "S607"], 1)


def test_nobody_is_asked_who_speaks_first_where_the_deal_is_broken_or_nobody_speaks(
    a_record: Make, audit: Audit, own_rules: Own
):
    wrong = {"hands": HELD, "marker": "H7", "first": 0, "auction": "0:3"}
    assert codes(audit(a_record("classic", **wrong, bottom="D2BR"), "classic"))[:1] == ["D206"]
    assert codes(audit(a_record("classic", **wrong, bottom="D2BB"), "classic")) == ["D203"]
    silent = own_rules("classic", {"auction.type": "none", "auction.landlord": "record"})
    record = a_record("douzero", landlord=0, hands=HELD, bottom="D2BR", marker="H7", first=0)
    assert codes(audit(record, silent)) == ["P407", "S607"]


def test_an_auction_may_be_broken_off_only_before_the_play(a_record: Make, audit: Audit):
    """E-Q16."""
    left = {"auction": "0:1 1:-", "end": "escape:2"}
    verdict = audit(a_record("platform", **left), "platform")
    assert told(verdict) == [("S607", None, None, {"reason": "no_landlord"})]
    assert (verdict.outcome, verdict.scores, verdict.landlord) == ("escape", None, None)
    verdict = audit(a_record("platform", **left, plays="0:3"), "platform")
    assert codes(verdict) == ["A305"]


def test_who_leaves_before_there_is_a_landlord_pays_what_the_rules_fix(a_record: Make, audit: Audit, own_rules: Own):
    """E-Q16, `escape.before_landlord` = fixed: the base to each other player."""
    fixed = own_rules("platform", {"escape.before_landlord": "fixed"})
    left = {"auction": "0:1 1:-", "end": "escape:2", "base": 5}
    verdict = audit(a_record("platform", **left, claim={"scores": [5, 5, -10]}), fixed)
    assert (codes(verdict), verdict.scores, verdict.outcome) == ([], [5, 5, -10], "escape")
    assert (verdict.factors, verdict.multiplier, verdict.unit) == ([], 1, 5)
    verdict = audit(a_record("platform", **left, claim={"scores": [10, 0, -10]}), fixed)
    assert told(verdict) == [("S603", None, None, {"expected": [5, 5, -10], "actual": [10, 0, -10]})]


def test_a_landlord_who_is_not_named_is_a_field_that_lacks(a_record: Make, audit: Audit):
    """DZ-R1."""
    verdict = audit(a_record("douzero", landlord=None, plays="0:3"), "douzero")
    assert told(verdict) == [("R102", None, None, {"field": "landlord"})]


def test_a_hand_that_nobody_bid_for_must_be_said_to_be_void(a_record: Make, audit: Audit):
    """A-R8: one finding, and no escape is made of it."""
    verdict = audit(a_record("classic", auction="0:- 1:- 2:-"), "classic")
    assert told(verdict) == [("A309", None, None, {"reason": "void_not_said"})]
    assert (verdict.outcome, verdict.scores) == ("unfinished", None)
    verdict = audit(a_record("platform", auction="0:- 1:- 2:-", end="escape:1"), "platform")
    assert codes(verdict) == ["A309"]


def test_who_holds_both_jokers_must_bid_the_most_only_where_the_rules_say_so(
    a_record: Make, audit: Audit, own_rules: Own
):
    """G-Q15."""
    hands = ["BR" + HELD[0][4:], HELD[1], HELD[2]]
    record = a_record("classic", hands=hands, bottom="D2S3H3", auction="0:- 1:3")
    must = own_rules("classic", {"auction.must_bid_max": "rocket"})
    assert [each[:3] for each in told(audit(record, must)) if each[0] == "A307"] == [("A307", 0, 0)]
    assert "A307" not in codes(audit(record, "classic"))


def test_an_audited_hand_tells_what_was_judged_and_what_plays_stand_for(a_record: Make):
    law = load("classic")
    hand = examine(a_record("classic", plays="0:3 1:- 2:7 0:333444555666 2:4"), law)
    assert [finding.code for finding in hand.findings] == ["D207", "P404", "P401"]
    assert hand.judged_moves() == 4
    many = [("trio_chain", 4), ("plane1", 3), ("plane1", 3)]
    assert [hand.readings_of(index) for index in range(5)] == [[("solo", 1)], [], [("solo", 1)], many, []]
    hand = examine(a_record("classic", plays="0:333444555666"), law)
    assert hand.readings_of(0) == many
    hand = examine(a_record("classic", hands=HELD, bottom="D2BB", plays="0:3"), law)
    assert (hand.judged_moves(), hand.readings_of(0)) == (0, [])


@pytest.mark.parametrize(
    ("buried", "expected"),
    [
        ("H2", ["T509"]),  # he took a 2, and another seat has this one
        ("D2", ["P404"]),
        ("S3", ["P404"]),
        ("2", ["P404"]),  # without suits cards are counted by rank
        ("7", ["P404"]),
        ("8", ["T509"]),
        ("77", ["D202"]),
        ("", ["D202"]),
    ],
)
def test_a_landlord_lays_away_cards_of_his_own(
    a_record: Make, audit: Audit, own_rules: Own, buried: str, expected: list[str]
):
    """B-Q3, `deal.bottom_take` = swap; what comes after a wrong swap is not judged."""
    swap = own_rules("classic", {"deal.bottom_take": "swap"})
    swapped = {"hands": HELD, "bottom": "D2BR", "taken": "D2", "auction": "0:3", "plays": "0:C4 1:H7 2:SK 0:D5"}
    found = codes(audit(a_record("classic", **swapped, buried=buried), swap))
    assert [code for code in found if code not in ("P407", "S607")] == expected


def test_bombs_beyond_the_limit_stand_among_the_other_findings_of_the_play(
    a_record: Make, audit: Audit, own_rules: Own
):
    """E-Q6: both farmers passed, so that each may play one bomb; hidden hands are told first."""
    fields = {
        "first": 1,
        "auction": "1:- 2:- 0:1 1:- 2:-",
        "plays": "0:7 1:5 2:- 0:- 1:4444 2:- 0:- 1:6666 2:- 0:- 1:8 2:5",
    }
    verdict = audit(a_record("platform", **fields), "platform")
    found = [(finding.code, finding.index) for finding in verdict.findings]
    hidden = [each for each in found if each[0] == "D207"]
    assert hidden
    assert found == [*hidden, ("P404", 1), ("P408", 7), ("P404", 11), ("P407", None), ("S607", None)]
    unlimited = own_rules("platform", {"bomb_limit.mode": "off"})
    assert codes(audit(a_record("platform", **fields), unlimited)) == ["P404", "P404", "P407", "S607"]


def test_a_hand_that_is_not_finished_says_what_everybody_has_left(a_record: Make, audit: Audit):
    verdict = audit(a_record("classic", plays="0:33 1:44 2:- 0:-"), "classic")
    assert told(verdict) == [
        ("P407", None, None, {"left": [18, 15, 17]}),
        ("S607", None, None, {"reason": "unfinished"}),
    ]


def test_a_bottom_that_was_shown_holds_no_other_card(a_record: Make, audit: Audit):
    """U-R8: the landlord of a hidden bottom may have an 8, of this one he has not."""
    hands = [HELD[0], None, None]
    assert codes(audit(a_record("classic", hands=hands, bottom="D2BR", plays="0:S8"), "classic")) == ["P402"]
    assert codes(audit(a_record("classic", hands=hands, plays="0:S8"), "classic")) == ["P407", "S607"]


@pytest.mark.parametrize(
    ("plays", "expected", "score"),
    [
        ("0:33334444 1:- 2:- 0:555566667777", [], 2300),  # two quads 10, three quads 20
        ("0:34 1:- 2:- 0:333444 1:- 2:- 0:555566667777", ["P403"], 2280),  # what is nothing has no points
        ("0:33334444 1:- 2:- 0:555566667777 1:8", ["P406"], 2300),  # what comes too late neither
    ],
)
def test_pattern_points(a_record: Make, audit: Audit, plays: str, expected: list[str], score: int):
    """BV-R3: a trio chain 8, 2 points to the side that wins, in thousandths."""
    verdict = audit(a_record("botzone-v1", plays=plays), "botzone-v1")
    assert (codes(verdict), verdict.scores) == (expected, [score, 0, 0])


def test_what_a_point_is_worth():
    """RL-R2, BV-R3: where only wins or patterns are counted, no base is; a ruleset may have its own (ccgc)."""
    worth = {name: base_of(7, load(name)) for name in ("classic", "rlcard", "botzone-v1", "ccgc")}
    assert worth == {"classic": 7, "rlcard": 1, "botzone-v1": 1, "ccgc": 100}


@pytest.mark.parametrize(
    ("switches", "balances", "reason"),
    [
        ({"score.redouble": True}, None, "redouble"),
        ({"score.redouble": True}, [1, 2, 3], "redouble"),
        ({"balance.enforce": "always"}, None, "balances"),
        ({"balance.enforce": "always"}, [1, None, 3], "balances"),
        ({"balance.enforce": "always"}, [1, 2, 3], None),
        ({"balance.enforce": "if_logged"}, [1, None, 3], None),
    ],
)
def test_why_there_is_no_score(
    a_record: Make, audit: Audit, own_rules: Own, switches: Any, balances: Any, reason: str | None
):
    """S607, with its reason."""
    players = [{"id": str(seat), "balance": has} for seat, has in enumerate(balances or [None] * 3)]
    record = a_record("classic", plays="0:3456789TJQKA 1:- 2:- 0:34567 1:- 2:- 0:222", players=players)
    verdict = audit(record, own_rules("classic", switches))
    assert told(verdict) == ([("S607", None, None, {"reason": reason})] if reason else [])
    assert (verdict.scores is None) == (reason is not None)
    assert verdict.outcome == "landlord"


def test_what_is_switched_off_is_no_factor(own_rules: Own):
    """E-R16, E-R17: 摊打 and 抢地主 where a ruleset has them not."""
    facts = Facts(open=True, robs=2, voids=1, winner="landlord")
    assert settle(facts, load("platform")).multiplier == 16
    off = load(own_rules("platform", {"open.enabled": False, "rob.enabled": False, "void.mode": "none"}))
    assert settle(facts, off) == settle(Facts(winner="landlord"), load("platform"))


@pytest.mark.parametrize(
    ("mode", "factor", "robs", "expected"),
    [
        ("power", 2, 3, 8),
        ("linear", 2, 3, 6),
        ("once", 2, 3, 2),
        ("power", 2, 0, 1),
        ("linear", 2, 0, 1),
        ("once", 2, 0, 1),
        ("linear", 1, 3, 1),  # a rob that is worth nothing is no factor however robs are counted
    ],
)
def test_what_robs_are_worth(own_rules: Own, mode: str, factor: int, robs: int, expected: int):
    """E-Q1, G-Q4."""
    rules = load(own_rules("platform", {"rob.mode": mode, "rob.factor": factor}))
    settled = settle(Facts(robs=robs, winner="landlord"), rules)
    assert settled.multiplier == expected
    assert [each.name for each in settled.factors] == (["rob"] if expected > 1 else [])


def test_a_factor_of_one_is_not_named(own_rules: Own):
    """rules.md 9.2: factors that are not 1."""
    rules = load(own_rules("platform", {"open.factor": 1, "score.marker_factor": 1, "void.factor": 1}))
    assert settle(Facts(open=True, marker="R", voids=2, winner="landlord"), rules).factors == []


@pytest.mark.parametrize(("landlord", "expected"), [(0, [0, 0]), (1, [3, -3])])
def test_of_two_players_one_who_has_nothing_pays_nothing(own_rules: Own, landlord: int, expected: list[int]):
    """E-R26: the landlord loses, or leaves; who has 3 of 4 pays 3."""
    rules = load(own_rules("two-player", {"balance.enforce": "if_logged", "escape.enabled": True}))
    for end in ({"winner": "farmers"}, {"escape": landlord}):
        facts = Facts(base=4, landlord=landlord, balances=[0, 3], **end)
        assert settle(facts, rules).scores == expected


def test_balances_that_nobody_told_are_missing(own_rules: Own):
    rules = load(own_rules("classic", {"balance.enforce": "always"}))
    assert cannot_settle(Facts(winner="landlord"), rules) == "balances"
    assert cannot_settle(Facts(winner="landlord", balances=[0, 0, 0]), rules) is None


def test_another_reading_names_its_clause(own_rules: Own):
    """U-R15: two void hands before a platform hand; where wins alone are counted nothing is paid otherwise."""
    facts, rules = Facts(voids=2, winner="landlord"), load("platform")
    told_of = [msgspec.structs.astuple(each) for each in other_readings(facts, rules, settle(facts, rules))]
    assert told_of == [("E-Q2", "void.mode", "compound", [8, -4, -4])]
    counted = load(own_rules("platform", {"score.payout": "pattern_points", "combinations.quad_solo_pair": False}))
    assert other_readings(facts, counted, settle(facts, counted, [1, 2, 3])) == []


def test_settlements_by_every_reading():
    """What compiled code learns of a hand: its worth, then that of each open point, whether it changes it or not."""
    found = settlements(Facts(voids=2, winner="landlord"), load("platform"))
    assert [each.scores for each in found] == [[4, -2, -2], [8, -4, -4], [4, -2, -2]]


def test_what_a_hand_would_be_worth_if_everybody_had_what_he_owes(a_record: Make, own_rules: Own):
    """E-R24, E-R27: who leaves owes 60 and 30, and pays 30 and 15 of the 45 that he has; U-R17; BV-R3."""
    players = [{"id": "a", "balance": 500}, {"id": "b", "balance": 45}, {"id": "c", "balance": 500}]
    given = {"auction": "0:3 1:- 2:-", "end": "escape:1", "base": 10, "plays": "0:3"}
    hand = examine(a_record("platform", **given, players=players), load("platform"))
    assert hand.settled is not None
    assert (hand.settled.scores, hand.in_full()) == ([30, -45, 15], [60, -90, 30])
    hand = examine(a_record("platform", auction="0:- 1:- 2:-", end="void"), load("platform"))
    assert (hand.facts, hand.in_full()) == (None, [0, 0, 0])
    unknown = examine(a_record("platform", **given), load(own_rules("platform", {"balance.enforce": "always"})))
    assert unknown.facts is not None
    assert unknown.in_full() is None
    assert examine(a_record("platform", auction="0:3 1:- 2:-", plays="0:3"), load("platform")).in_full() is None
    hand = examine(a_record("botzone-v1", **HANDS), load("botzone-v1"))
    assert hand.in_full() == [2000 + 10 * (4 * 10 + 16 + 2), 0, 0]
