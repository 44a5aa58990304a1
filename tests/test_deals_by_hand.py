"""Deals worked out by hand on points that a mistake in the rules could change unnoticed (``make mutation``)."""

from typing import Any

import pytest
from by_hand import HELD, Audit, Make, Own, codes, told

UNSUITED = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222"]
"""With ``2BR`` at the bottom, a pack."""
SHORT = {"hands": [HELD[0], HELD[1][2:], HELD[2]], "bottom": "D2BR"}
"""Without the 7 of hearts."""


def with_card(seat: int, card: str) -> dict[str, Any]:
    """The deal with another card in place of a seat's first."""
    return {
        "hands": [card + hand[2:] if number == seat else hand for number, hand in enumerate(HELD)],
        "bottom": "D2BR",
    }


@pytest.mark.parametrize(
    ("rules", "fields", "expected"),
    [
        ("classic", SHORT, [("D201", 1, {"expected": 17, "actual": 16})]),
        ("classic", {"hands": [HELD[0] + "H7", HELD[1][2:], None]},
         [("D201", 0, {"expected": 17, "actual": 18}), ("D201", 1, {"expected": 17, "actual": 16})]),
        ("classic", {"bottom": "D2B"}, [("D202", None, {"field": "bottom", "expected": 3, "actual": 2})]),
        ("classic", {"dead": "S3"}, [("D202", None, {"field": "dead", "expected": 0, "actual": 1})]),
        ("two-player", {"dead": "3344556677"}, [("D202", None, {"field": "dead", "expected": 11, "actual": 10})]),
        ("emperor", {"bottom": "334455", "taken": "3344556"},
         [("D202", None, {"field": "taken", "expected": 6, "actual": 7})]),
        ("classic", with_card(1, "S3"), [("D203", None, {"card": "S3", "count": 2, "limit": 1})]),
        ("classic", {"hands": ["S4S3" + HELD[0][4:], HELD[1], "H4S3" + HELD[2][4:]], "bottom": "D2BR"},
         [("D203", None, {"card": "S3", "count": 2, "limit": 1}),
          ("D203", None, {"card": "H4", "count": 2, "limit": 1}),
          ("D203", None, {"card": "S4", "count": 2, "limit": 1})]),
        ("classic", {"hands": HELD, "bottom": "BBR"}, [("D203", None, {"card": "B", "count": 2, "limit": 1})]),
        ("classic", {"bottom": "BBR"}, [("D203", None, {"card": "B", "count": 2, "limit": 1})]),
        ("classic", {"hands": UNSUITED, "bottom": "3BR"}, [("D203", None, {"card": "3", "count": 5, "limit": 4})]),
        ("classic", {"hands": [HELD[0], None, None], "bottom": "3BR"},
         [("D203", None, {"card": "3", "count": 5, "limit": 4})]),
        ("four-player", {"bottom": "S3S3S3BBRR4"}, [("D203", None, {"card": "S3", "count": 3, "limit": 2})]),
        ("four-player", {"bottom": "S3S3H3BBRR4"}, []),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "S5"}, [("D208", None, {"card": "S5"})]),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "S4S4"}, [("D208", None, {"card": "S4"})]),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "555"}, [("D208", None, {"card": "5"})]),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "R5"}, [("D208", None, {"card": "R"})]),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "55B"}, []),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "C5D5B"}, []),
        ("emperor", {"taken": "C5D5B"}, []),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "S4DTC2BC5D5"}, []),
        ("emperor", {"bottom": "4T2B55", "taken": "S4"}, []),
        ("emperor", {"bottom": "4T2B55", "taken": "S4S6"}, [("D208", None, {"card": "6"})]),
        ("classic", {"bottom": "S4DTC2", "taken": "S5"}, []),  # all of it is taken there, whatever a record says
        ("platform", {"hands": HELD, "bottom": "D2BR", "marker": "D2", "first": 0}, [("D205", None, {"card": "D2"})]),
        ("platform", {"hands": HELD, "bottom": "D2BR", "marker": "2", "first": 2, "auction": "2:3"}, []),
        ("classic", {"hands": HELD, "bottom": "D2BR", "marker": "D2", "first": 1, "auction": "1:3"}, []),
        ("classic", {"hands": HELD, "bottom": "D2BR", "marker": "H7", "first": 0},
         [("D206", None, {"expected": [1], "actual": 0})]),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "marker": "7", "first": None, "auction": "2:3"},
         [("D206", None, {"expected": [0, 1], "actual": 2})]),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "marker": "7", "first": None, "auction": "1:3"}, []),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "marker": "7", "first": None, "auction": None}, []),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "marker": "2", "first": 0}, []),  # it may lie in the bottom
        ("classic", {"hands": [None, *HELD[1:]], "bottom": "D2BR", "marker": "S3", "first": 1, "auction": "1:3"},
         [("D206", None, {"expected": [0], "actual": 1})]),
        ("classic", {"hands": [None, None, HELD[2]], "bottom": "D2BR", "marker": "S3", "first": 1, "auction": "1:3"},
         []),
        ("classic", {"hands": [None, None, HELD[2]], "bottom": "D2BR", "marker": "S3", "first": 2, "auction": "2:3"},
         [("D206", None, {"expected": [0, 1], "actual": 2})]),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "marker": "H7", "first": 2, "auction": "2:3"},
         [("D206", None, {"expected": [0, 1], "actual": 2})]),
        ("platform", {"hands": HELD, "marker": "H7", "first": 0}, [("D206", None, {"expected": [1], "actual": 0})]),
        ("classic", {"hands": HELD, "bottom": "D2BR", "marker": "D2", "first": None, "auction": "1:3"}, []),
        ("classic", {"hands": HELD, "bottom": "D2BR", "marker": "H7", "first": None, "auction": None}, []),
        ("botzone", {"first": 1, "auction": "1:3"}, [("D206", None, {"expected": [0], "actual": 1})]),
        ("call-score", {"hands": HELD, "bottom": "D2BR", "marker": "H7", "first": 2, "auction": "2:3"}, []),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_deal(a_record: Make, audit: Audit, rules: str, fields: Any, expected: list[Any]):
    """A-R3, A-R5, A-Q9, B-R5, C-R2, D-R1, E-R5, E-R6, BZ-R1: each finding whole."""
    verdict = audit(a_record(rules, **fields), rules)
    found = [(code, seat, details) for code, _, seat, details in told(verdict) if code[0] == "D"]
    assert found == expected


@pytest.mark.parametrize("three", ["3", "S3"])
def test_a_rank_that_is_taken_out_is_no_card_of_the_pack(a_record: Make, audit: Audit, own_rules: Own, three: str):
    """D204, with its suit or without."""
    rules = own_rules("classic", {"deal.removed_ranks": ["3"], "deal.hand": 15, "deal.bottom": 5})
    verdict = audit(a_record("classic", bottom=f"{three}4567"), rules)
    assert [finding for finding in told(verdict) if finding[0][0] == "D"] == [("D204", None, None, {"card": three})]


@pytest.mark.parametrize(
    ("fields", "seats"),
    [
        ({"hands": HELD, "bottom": "D2BR"}, None),
        ({"hands": HELD}, []),
        ({"hands": [HELD[0], None, HELD[2]], "bottom": "D2BR"}, [1]),
        ({"hands": [None, HELD[1], None]}, [0, 2]),
        ({}, [0, 1, 2]),
    ],
)
def test_whose_cards_are_hidden(a_record: Make, audit: Audit, fields: Any, seats: list[int] | None):
    found = [finding.details for finding in audit(a_record("classic", **fields), "classic").findings
             if finding.code == "D207"]  # fmt: skip
    assert found == ([] if seats is None else [{"seats": seats}])


def test_of_a_broken_deal_nobody_asks_what_is_hidden(a_record: Make, audit: Audit):
    verdict = audit(a_record("platform", hands=[HELD[0][2:], None, None], bottom="D2BR", marker="D2"), "platform")
    assert [finding.code for finding in verdict.findings] == ["D201"]


WHOLE = {"hands": HELD, "bottom": "D2BR"}
OPEN = ["P407", "S607"]
DEAD = "SQHQCQDQSKHKCKDKS9H9C9"


@pytest.mark.parametrize(
    ("rules", "fields", "expected"),
    [
        ("classic", WHOLE | {"plays": "0:S8"}, {"cards": "S8", "missing": "8"}),
        ("classic", WHOLE | {"plays": "0:H7"}, {"cards": "H7", "missing": "H7"}),
        ("classic", WHOLE | {"plays": "0:77"}, {"cards": "77", "missing": "7"}),
        ("classic", WHOLE | {"plays": "0:7 1:- 2:- 0:7"}, {"cards": "7", "missing": "7"}),
        ("classic", WHOLE | {"plays": "0:S7 1:- 2:- 0:D2BR"}, None),
        ("classic", WHOLE | {"plays": "0:S7 1:B"}, {"cards": "B", "missing": "B"}),
        ("classic", {"hands": UNSUITED, "bottom": "2BR", "plays": "0:S3 1:- 2:- 0:S3 1:- 2:- 0:33"}, None),
        ("classic", {"hands": HELD, "bottom": "2BR", "plays": "0:D2"}, None),
        ("classic", {"hands": UNSUITED, "bottom": "D2BR", "plays": "0:S3 1:- 2:- 0:C2"}, None),
        ("classic", {"hands": HELD, "plays": "0:D2 1:- 2:- 0:D2"}, {"cards": "D2", "missing": "2"}),
        ("classic", {"hands": UNSUITED, "plays": "0:2 1:- 2:- 0:2"}, {"cards": "2", "missing": "2"}),
        ("classic", {"hands": HELD, "plays": "0:2 1:- 2:- 0:BR"}, None),
        ("classic", {"hands": HELD, "plays": "0:S8"}, {"cards": "S8", "missing": "8"}),
        ("two-player", {"dead": DEAD, "plays": "0:HQ"}, {"cards": "HQ", "missing": "Q"}),
        ("two-player", {"dead": DEAD, "plays": "0:D9"}, None),
        ("two-player", {"dead": DEAD, "plays": "0:H9"}, {"cards": "H9", "missing": "H9"}),
        ("two-player", {"dead": "QQQQKKKK999", "plays": "0:9 1:T 0:J 1:A 0:2 1:- 0:9"}, {"cards": "9", "missing": "9"}),
        ("classic", {"hands": [UNSUITED[0], None, None], "plays": "0:4 1:S3"}, {"cards": "S3", "missing": "3"}),
        ("classic", {"hands": [UNSUITED[0], HELD[1], None], "plays": "0:4 1:S8 2:SJ"},
         {"cards": "SJ", "missing": "SJ"}),  # what one hand shows by face no hidden hand has
        ("classic", {"hands": [UNSUITED[0], HELD[1], None], "plays": "0:4 1:S8 2:DJ"}, None),
        ("classic", {"hands": [HELD[0], UNSUITED[1], None], "plays": "0:S4 1:8 2:DJ"}, None),
        ("classic", {"hands": [None, HELD[1], None], "bottom": "2BR", "plays": "0:3 1:- 2:B"}, None),
        ("classic", {"hands": [HELD[0], None, None], "bottom": "2BR", "plays": "0:3 1:- 2:B"},
         {"cards": "B", "missing": "B"}),
        ("classic", {"hands": [HELD[0], None, None], "bottom": "2BR", "plays": "0:3 1:- 2:D2"}, None),
        ("classic", {"hands": HELD, "plays": "0:7 1:- 2:- 0:S7"}, {"cards": "S7", "missing": "7"}),
        ("classic", {"hands": [HELD[0], None, None], "plays": "0:7 1:- 2:- 0:S7"}, None),  # one from the bottom
        ("classic", {"hands": [HELD[0], None, None], "plays": "0:H77 1:- 2:- 0:S7 1:- 2:- 0:7"}, None),
        ("classic", {"hands": [HELD[0], None, None], "plays": "0:H77 1:- 2:- 0:S7 1:- 2:- 0:7 1:- 2:- 0:8"},
         {"cards": "8", "missing": "8"}),
        ("classic", {"hands": [HELD[0], None, None], "plays": "0:H77 1:- 2:- 0:H7"}, {"cards": "H7", "missing": "7"}),
        ("classic", {"hands": [UNSUITED[0], None, None], "plays": "0:S8 1:S8"}, None),
        ("classic", {"hands": [UNSUITED[0], None, None], "plays": "0:S8H8D8 1:8 2:8"}, {"cards": "8", "missing": "8"}),
        ("emperor", {"taken": "", "bottom": "S4DTC2BC5D5", "hands": ["3344556677889999TTTTJJJJQQQQKKAA22", None, None],
                     "plays": "0:B"}, {"cards": "B", "missing": "B"}),
        ("emperor", {"taken": "B", "bottom": "S4DTC2BC5D5", "hands": ["3344556677889999TTTTJJJJQQQQKKAA22", None, None],
                     "plays": "0:B"}, None),
        ("emperor", {"bottom": "BBRR45", "plays": "0:3 1:B"}, {"cards": "B", "missing": "B"}),  # he took nothing
        ("emperor", {"bottom": "BBRR45", "taken": "BB", "plays": "0:3 1:B"}, None),  # a hidden hand: one of the two
        ("emperor", {"bottom": "BBRR45", "taken": "B", "plays": "0:3 1:4 2:BB"}, {"cards": "BB", "missing": "B"}),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "DT", "plays": "0:3 1:- 2:S4S4"},
         {"cards": "S4S4", "missing": "S4"}),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "4", "plays": "0:3 1:- 2:S4S4"}, None),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "4T2B55", "plays": "0:3 1:S4S4"}, None),
        ("emperor", {"bottom": "4T2B55", "taken": "DT", "plays": "0:3 1:- 2:DTDTDT"},
         {"cards": "DTDTDT", "missing": "DT"}),
        ("emperor", {"bottom": "S4DTC2BC5D5", "taken": "4", "plays": "0:3 1:- 2:BB"}, {"cards": "BB", "missing": "B"}),
    ],
)  # fmt: skip
def test_what_a_seat_lacks(a_record: Make, audit: Audit, rules: str, fields: Any, expected: dict[str, str] | None):
    """U-R8, P402: by face where suits are written; hidden hands share what nobody showed."""
    verdict = audit(a_record(rules, **fields), rules)
    lacks = [details for code, _, _, details in told(verdict) if code == "P402"]
    assert lacks == ([] if expected is None else [expected])
    assert expected is not None or codes(verdict)[-2:] == OPEN


def test_what_was_laid_away_is_played_no_more(a_record: Make, audit: Audit, own_rules: Own):
    """B-Q3, `deal.bottom_take` = swap: of the bottom only what was taken is the landlord's, of his hand not all."""
    swap = own_rules("classic", {"deal.bottom_take": "swap"})
    for hands, bottom, taken, buried in ((HELD, "D2BR", "D2", "S3"), (UNSUITED, "2BR", "2", "3")):
        deal = {"hands": hands, "bottom": bottom, "taken": taken, "buried": buried, "auction": "0:3"}
        for plays, expected in ((f"0:{taken}", OPEN), ("0:B", ["P402"]), ("0:3333", ["P402"])):
            assert codes(audit(a_record("classic", **deal, plays=plays), swap)) == expected
        left = told(audit(a_record("classic", **deal, plays="0:333"), swap))[0]
        assert left == ("P407", None, None, {"left": [14, 17, 17]})
    by_rank = {"hands": HELD, "bottom": "D2BR", "taken": "D2", "buried": "3", "auction": "0:3"}
    assert codes(audit(a_record("classic", **by_rank, plays="0:H7"), swap)) == OPEN  # one card lacks its suit
    mine = {"hands": HELD, "bottom": "D2BR", "taken": "D2", "buried": "S3", "auction": "0:3"}
    assert codes(audit(a_record("classic", **mine, plays="0:S3"), swap)) == ["P402"]


@pytest.mark.parametrize(
    ("landlord", "buried", "play", "missing"),
    [
        (HELD[0], "S3", "S3", "3"),
        (None, "S3", "S3", "S3"),
        (HELD[0], "3", "3333", "3333"),
        (None, "3", "3333", "3"),
        (None, "3", "S3H3C3", None),
        (HELD[0], "S3", "B", "B"),
        (None, "S3", "B", "B"),
        (HELD[0], "S3", "H8", None),
        (HELD[0], "S3", "D2", "D2"),
        (None, "S3", "D2", None),
    ],
)
def test_what_was_laid_away_or_left_lying_no_hidden_hand_has(
    a_record: Make, audit: Audit, own_rules: Own, landlord: str | None, buried: str, play: str, missing: str | None
):
    """U-R8, B-Q3: of ``D2BR`` the landlord took the 2, and laid a 3 away."""
    swap = own_rules("classic", {"deal.bottom_take": "swap"})
    deal = {"hands": [landlord, None, None], "bottom": "D2BR", "taken": "D2", "auction": "0:3"}
    verdict = audit(a_record("classic", **deal, buried=buried, plays=f"0:S4 1:- 2:{play}"), swap)
    lacks = [details["missing"] for code, _, _, details in told(verdict) if code == "P402"]
    assert lacks == ([] if missing is None else [missing])


@pytest.mark.parametrize(
    ("hands", "taken", "buried", "expected"),
    [
        (HELD, "D2", "H2", ("T509", None, None, {"cards": "2"})),
        (HELD, "D2", "77", ("D202", None, None, {"field": "buried", "expected": 1, "actual": 2})),
        (HELD, "2", "D2", None),
        (HELD, "2", "2", None),
        (UNSUITED, "D2", "H3", None),
        (UNSUITED, "D2", "8", ("T509", None, None, {"cards": "8"})),
        ([None, *HELD[1:]], "D2", "H2", None),
        (["3344445555666672R", *UNSUITED[1:]], "33B", "333", None),
    ],
)
def test_what_may_be_laid_away(
    a_record: Make, audit: Audit, own_rules: Own, hands: Any, taken: str, buried: str, expected: Any
):
    """B-Q3: counted by face where all suits are written, else by rank; of a hidden hand nothing is known."""
    swap = own_rules("classic", {"deal.bottom_take": "swap"})
    bottom = taken if len(taken) == 3 else "D2BR"
    record = a_record("classic", hands=hands, bottom=bottom, taken=taken, buried=buried, auction="0:3")
    found = told(audit(record, swap))
    assert found[:1] == [expected] if expected else [each[0] for each in found] == OPEN
