"""What seats could say in an auction and said, on auctions counted by hand."""

import pytest

from ingest.audit import examine
from ingest.conduct import spoken, turns
from ingest.record import Player, Record
from ingest.rules.ruleset import load
from ingest.rules.settlement import Factor, due

HANDS = ["33344455566677789", "899TTTJJJQQQKKKA2", "36789TJQKAAA222BR"]


def told(rules: str, auction: str) -> list[tuple[int | None, ...]]:
    """bid_turns, overbids, rob_turns, robs, last_turns, last_robs of each seat."""
    record = Record(id="1", players=[Player(id=name) for name in "abc"], first=0, auction=auction, hands=[*HANDS])
    each = spoken(examine(record, load(rules)))
    return [(s.bid_turns, s.overbids, s.rob_turns, s.robs, s.last_turns, s.last_robs) for s in each]


NONE = (None, None, None, None)
ZERO = (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("rules", "auction", "expected"),
    [
        ("call-score", "0:3", [(0, 0, *NONE)] * 3),
        ("call-score", "0:1 1:2 2:-", [(0, 0, *NONE), (1, 1, *NONE), (1, 0, *NONE)]),
        ("call-score", "0:- 1:- 2:-", [(0, 0, *NONE)] * 3),
        ("classic", "0:- 1:1 2:2 0:3", [(1, 1, *NONE), (0, 0, *NONE), (1, 1, *NONE)]),  # the round goes on
        ("classic", "0:1 1:2 2:- 0:-", [(1, 0, *NONE), (1, 1, *NONE), (1, 0, *NONE)]),
        ("call-rob", "0:- 1:call 2:rob", [(None, None, *ZERO), (None, None, *ZERO), (None, None, 1, 1, 0, 0)]),
        ("call-rob", "0:call 1:- 2:-", [(None, None, *ZERO), (None, None, 1, 0, 0, 0), (None, None, 1, 0, 0, 0)]),
        # seat 0 has bid, seat 2 robs him, he robs back
        ("platform", "0:3 1:- 2:rob 0:rob", [(0, 0, 1, 1, 1, 1), (0, 0, 1, 0, 0, 0), (0, 0, 1, 1, 0, 0)]),
        ("platform", "0:1 1:- 2:2 0:- 1:-", [(0, 0, 1, 0, 0, 0), (1, 0, 1, 0, 0, 0), (1, 1, 0, 0, 0, 0)]),
        ("platform", "0:3 1:- 2:rob 0:-", [(0, 0, 1, 0, 1, 0), (0, 0, 1, 0, 0, 0), (0, 0, 1, 1, 0, 0)]),
        ("platform", "0:- 1:- 2:-", [(0, 0, *ZERO)] * 3),
        ("call-score", "0:3 7:1", [(0, 0, *NONE)] * 3),  # an action too many, of nobody
        ("douzero", "", [(None,) * 6] * 3),
    ],
)
def test_turns_and_words(rules, auction, expected):
    assert told(rules, auction) == expected


def test_who_passed_may_lose_the_turn_to_rob(own_rules):
    rules = own_rules("platform", {"rob.eligibility": "not_passed"})
    assert [seat[2:5] for seat in told(rules, "0:- 1:3 2:rob 0:- 1:-")] == [(0, 0, 0), (1, 0, 1), (1, 1, 0)]


def test_bids_fall_in_sandaha():
    hands = [None] * 4
    players = [Player(id=name) for name in "abcd"]
    from ingest.audit_tricks import examine_tricks
    from ingest.rules.ruleset import load_any

    record = Record(id="1", players=players, hands=hands, auction="0:80 1:75 2:- 3:60 0:- 1:-", first=0)
    each = spoken(examine_tricks(record, load_any("sandaha")))
    assert [(seat.bid_turns, seat.overbids) for seat in each] == [(1, 0), (2, 1), (1, 0), (1, 1)]


def test_what_is_due_knows_no_cap_and_is_shared(own_rules):
    factors = [Factor("bomb", 4, 2), Factor("spring", 2)]
    for switches, expected in (
        ({}, 10 * 3 * 8),
        ({"score.cap": 6}, 10 * 3 * 8),
        ({"score.payout": "split"}, 10 * 3 * 8 // 2),
        ({"score.bid_factor": 1}, 10 * 8),
        ({"score.combine": "sum"}, 10 * 3 * 6),
        ({"score.base": 7}, 7 * 3 * 8),
        ({"score.payout": "win_loss"}, None),
    ):
        assert due(10, 3, factors, load(own_rules("call-score", switches))) == expected, switches


@pytest.mark.parametrize(("mode", "could"), [("enforce", [True, False]), ("warn", [True, True])])
def test_who_may_bomb_no_more_cannot_answer_with_a_bomb(own_rules, mode, could):
    """E-R13: the farmer may throw one bomb. He holds two, and nothing else of his beats a two."""
    says = {"bomb_limit.mode": mode, "bomb_limit.table": {"not_reached": 1}}
    record = Record(
        id="1", players=[Player(id=name) for name in "abc"], first=0, auction="0:3 1:- 2:-", bottom="ABR",
        hands=["3333222266677788" + "9", "444455556789TJQKA", "899TTTJJJQQQKKKAA"],
        plays="0:2 1:4444 2:- 0:- 1:6 2:8 0:2 1:-",
    )  # fmt: skip
    told = turns(examine(record, load(own_rules("platform-full", says))))
    assert [turn.could > 0 for turn in told if turn.seat == 1 and turn.could is not None] == could


def test_an_emperor_who_names_no_cards_has_taken_none(own_rules):
    """B-R5: the audit and the statistics read such a record alike."""
    hands = ["3" * 8 + "4" * 8 + "5" * 8 + "6" * 8 + "77", "7" * 6 + "8" * 8 + "9" * 8 + "T" * 8 + "JJJJ", None]
    record = Record(
        id="1",
        players=[Player(id=name) for name in "abc"],
        landlord=0,
        hands=hands,
        bottom="JJJJQQ",
        plays="0:33333333",
    )
    hand = examine(record, load("emperor"))
    told = turns(hand)
    assert told[0].left == (34, 34, 34)
    assert told[0].held[0] is not None
    assert hand.played is not None
    assert hand.played.left[0] == 26
