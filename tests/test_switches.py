"""Switches of the decision tables that no built-in ruleset sets to their other value (rules.md 9.2)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from ingest.audit import examine
from ingest.batch import Batch
from ingest.hand import verdict_of
from ingest.logs import Entry
from ingest.record import Claim, Player, Record
from ingest.rules.ruleset import load
from ingest.rules.settlement import Facts, settle

Own = Callable[..., str]
HANDS = ("33344455566677789", "899TTTJJJQQQKKKA2", "36789TJQKAAA222BR")
"""Seat 2 is dealt both jokers."""


def codes(given: Record, rules: str) -> list[str]:
    return [finding.code for finding in examine(given, load(rules)).findings]


@pytest.fixture
def dealt() -> Record:
    return Record(id="1", players=[Player(id=name) for name in "abc"], first=0, hands=list(HANDS), bottom="458")


@pytest.mark.parametrize(
    ("auction", "expected"),
    [
        ("0:- 1:- 2:3", []),
        ("0:- 1:- 2:2", ["A307"]),
        ("0:- 1:2 2:-", ["A307"]),
        ("0:3", []),
        ("0:1 1:- 2:-", ["A307"]),
    ],
)
def test_who_holds_the_rocket_must_bid_the_most(dealt: Record, own_rules: Own, auction: str, expected: list[str]):
    """G-Q15."""
    rules = own_rules("call-score", {"auction.must_bid_max": "rocket"})
    found = [code for code in codes(replace(dealt, auction=auction), rules) if code.startswith("A")]
    assert found == expected


def test_four_twos_oblige_only_where_the_ruleset_says_so(dealt: Record, own_rules: Own):
    rules = own_rules("call-score", {"auction.must_bid_max": "four_twos"})
    assert "A307" not in codes(replace(dealt, auction="0:1 1:- 2:-"), rules)
    twos = replace(dealt, hands=["33344455566677789", "899TTTJJJQQQKKK2A", "36789TJQKAAA22BR2"], auction="0:1 1:- 2:-")
    four = replace(twos, hands=[twos.hands[0], "899TTTJJJQQQKKKAA", "36789TJQKAA2222BR"])
    assert "A307" in codes(four, rules)
    assert "A307" in codes(four, own_rules("call-score", {"auction.must_bid_max": "either"}))


@pytest.mark.parametrize(("auction", "expected"), [("0:1 1:- 2:2", ["A302"]), ("0:1 1:- 2:3", []), ("0:1 1:- 2:-", [])])
def test_the_last_to_speak_bids_the_most_or_passes(dealt: Record, own_rules: Own, auction: str, expected: list[str]):
    """G-Q15."""
    rules = own_rules("call-score", {"auction.last_values": "max_or_pass"})
    assert [code for code in codes(replace(dealt, auction=auction), rules) if code.startswith("A")] == expected


def test_doublings_add_up(own_rules: Own):
    """G-Q7: three bombs and a spring are 6 + 2, not 8 × 2."""
    rules = load(own_rules("call-score", {"score.combine": "sum"}))
    settled = settle(Facts(bid=2, bombs=[4, 4, 4], spring=True, winner="landlord"), rules)
    assert [(factor.name, factor.factor) for factor in settled.factors] == [("bomb", 6), ("spring", 2)]
    assert (settled.multiplier, settled.scores) == (8, [32, -16, -16])
    assert settle(Facts(bid=2, winner="landlord"), rules).multiplier == 1


def test_doublings_of_one_kind_add_up():
    """The students' tournament: (1 + bombs) × 2 for the rocket × 2 for a spring, in hundreds."""
    settled = settle(Facts(bid=2, bombs=[4, 4, 4], rockets=1, spring=True, winner="landlord"), load("ccgc"))
    assert [(f.name, f.factor, f.count) for f in settled.factors] == [
        ("bomb", 4, 3),
        ("rocket", 2, 1),
        ("spring", 2, None),
    ]
    assert (settled.multiplier, settled.unit, settled.scores) == (16, 3200, [6400, -3200, -3200])
    one = settle(Facts(bid=3, bombs=[4], anti_spring=True, landlord=1, winner="farmers"), load("ccgc"))
    assert (one.multiplier, one.scores) == (4, [1200, -2400, 1200])


def test_a_hand_whose_bids_are_not_in_the_record_is_played_and_not_scored(a_record: Any):
    """`auction.optional` = unscored: the landlord is named, the plays are judged, S607 says why there is no score."""
    end = {"plays": "0:333444555666777888 1:- 2:- 0:99", "claim": Claim(winners=[0], scores=[1, 2, 3])}
    found = verdict_of(examine(a_record("ccgc", **end), load("ccgc")), "", 1)
    assert (found.verdict, found.outcome, found.landlord, found.scores) == ("clean", "landlord", 0, None)
    assert [(f.code, f.details) for f in found.findings if f.code != "D207"] == [("S607", {"reason": "bid"})]
    bid = verdict_of(examine(a_record("ccgc", auction="0:3", **end), load("ccgc")), "", 1)
    assert (bid.bid, bid.unit, bid.scores) == (3, 600, [1200, -600, -600])


def test_a_leaving_farmer_pays_by_the_shares_of_the_ruleset(own_rules: Own):
    """E-R24, E-R27."""
    rules = load(own_rules("platform", {"escape.split": "3:1"}))
    settled = settle(Facts(base=10, bid=2, escape=1, balances=[100, 1000, 100]), rules)
    assert settled.scores == [60, -80, 20]
    short = settle(Facts(base=10, bid=2, escape=1, balances=[100, 30, 100]), rules)
    assert short.scores == [21, -28, 7]


def test_leaving_before_there_is_a_landlord_may_cost_the_base(dealt: Record, own_rules: Own):
    """E-Q16."""
    left = replace(dealt, base=5, auction="0:- 1:1", end="escape:2", claim=Claim(scores=[5, 5, -10], winners=[0, 1]))
    fixed = verdict_of(examine(left, load(own_rules("platform", {"escape.before_landlord": "fixed"}))), "", 1)
    assert (fixed.verdict, fixed.outcome, fixed.scores, fixed.winners) == ("clean", "escape", [5, 5, -10], [0, 1])
    none = verdict_of(examine(left, load("platform")), "", 1)
    assert (none.scores, [finding.code for finding in none.findings]) == (None, ["S607"])


def test_a_score_that_needs_what_no_record_tells_is_not_computed(own_rules: Own, a_record: Any):
    """`score.redouble` and `balance.enforce` = always: S607, and no score is compared."""
    end = {"plays": "0:333444555666777888 1:- 2:- 0:99", "claim": Claim(scores=[1, 2, 3])}
    for says in ({"score.redouble": True}, {"balance.enforce": "always"}):
        found = verdict_of(examine(a_record("classic", **end), load(own_rules("classic", says))), "", 1)
        assert (found.outcome, found.scores) == ("landlord", None)
        assert [finding.code for finding in found.findings if finding.code != "D207"] == ["S607"]


def test_void_hands_that_are_owed_are_counted_down(own_rules: Own, dealt: Record):
    """E-Q2, queue: two void hands double two later hands, one each."""
    rules = own_rules("call-score", {"void.force_after": "none", "void.mode": "queue", "void.factor": 2})
    assert settle(Facts(voids=3, winner="landlord"), load(rules)).multiplier == 2

    def at(number: int, voids: int, *, void: bool) -> Entry:
        auction, end, plays = ("0:- 1:- 2:-", "void", "") if void else ("0:1 1:- 2:-", None, "0:9")
        players = [Player(id=name) for name in "abc"]
        hand = Record(
            id=str(number), table="t", players=players, first=0, voids=voids, auction=auction, end=end, plays=plays,
            hands=[HANDS[number % 3], HANDS[(number + 1) % 3], HANDS[(number + 2) % 3]], bottom="458",
        )  # fmt: skip
        return Entry("log", number, b"", hand)

    told = [at(1, 0, void=True), at(2, 1, void=True), at(3, 2, void=False), at(4, 1, void=False), at(5, 1, void=False)]
    with Batch(rules) as batch:
        found = [[f.code for f in audited.verdict.findings if f.code == "A310"] for audited in batch.audit(told)]
    assert found == [[], [], [], [], ["A310"]]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"taken": "4", "buried": "9", "plays": "0:4444"}, ["P407", "S607"]),
        ({"taken": "4", "buried": "9", "plays": "0:9"}, ["P402"]),
        ({"taken": "4", "plays": "0:4"}, ["D202"]),
        ({"taken": "4", "buried": "A", "plays": "0:4"}, ["T509"]),
        ({"plays": "0:4444"}, ["P402"]),
    ],
)
def test_cards_taken_may_have_to_be_laid_away(
    dealt: Record, own_rules: Own, fields: dict[str, str], expected: list[str]
):
    """B-Q3: with `deal.bottom_take` = swap a hand keeps its size, and what was laid away is gone."""
    rules = own_rules("classic", {"deal.bottom_take": "swap"})
    assert codes(replace(dealt, auction="0:3", **fields), rules) == expected


def test_the_landlord_of_a_swap_has_as_many_cards_as_the_others(dealt: Record, own_rules: Own):
    played = examine(
        replace(dealt, auction="0:3", taken="4", buried="9", plays="0:4444"),
        load(own_rules("classic", {"deal.bottom_take": "swap"})),
    ).played
    assert played is not None
    assert played.left == [13, 17, 17]
