"""Hands of 三打哈 worked out by hand where a mistake in the rules could go unnoticed (``make mutation``)."""

from typing import Any

import msgspec
import pytest
from by_hand import Audit, Own, told

from ingest.cards import read_cards
from ingest.record import Player, Record, read_calls
from ingest.rules.falling import next_to_speak, run_falling
from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.sets import is_beaten, parts_of
from ingest.rules.suits import cards_text, faces_in, fixed_trump_count, single_class
from ingest.rules.tricks import TrickMove, TrickPlay, fault_of, leads, outranks, put, table_of
from ingest.rules.variants import trick_variants

SMALL = {"deal.removed_ranks": [*"3456789TJQ2"], "deal.hand": 3}
"""Aces, kings and jokers: three cards for each seat, eight at the bottom."""
HANDS = ["SASAR", "SKSKHA", "HAHKDA", "DADKDK"]
BOTTOM = "HKCACACKCKBBR"
DEAL = {"hands": HANDS, "bottom": BOTTOM, "buried": BOTTOM, "trump": "C"}
LAST = "0:R 1:HA 2:DA 3:DK"
OPEN = ("P407", "S607")


def of(deal: dict[str, Any], plays: str, landlord: int = 0) -> Record:
    """A hand that its landlord bid for alone."""
    others = [f"{(landlord + step) % 4}:-" for step in (1, 2, 3)]
    players = [Player(name) for name in "abcd"]
    return Record(
        id="a", players=players, first=landlord, auction=" ".join([f"{landlord}:80", *others]), plays=plays, **deal
    )


def found(verdict: Any) -> list[tuple[Any, ...]]:
    return [each for each in told(verdict) if each[0] not in OPEN]


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (f"0:SASA 1:SKSK 2:HAHK 3:DADK {LAST}", []),
        (f"0:SASA 1:SKSK 2:HAHK 3:DADK {LAST} 1:S5 2:-",
         [("P406", 8, 1, {"move": "S5"}), ("P406", 9, 2, {"move": "-"})]),
        ("1:SK", [("P401", 0, 1, {"expected": 0, "actual": 1})]),
        ("0:SA 0:SA", [("P411", 1, 0, {"move": "0:SA"})]),
        ("0:SA 2:HA", [("P401", 1, 2, {"expected": 1, "actual": 2})]),
        ("0:SA 1:SK 2:HA 3:DA 1:SK", [("P401", 4, 1, {"expected": 0, "actual": 1})]),
        ("0:SA 1:SK 2:HA 3:DA 0:SA 1:HA", [("T501", 5, 1, {"must": "SK", "played": "HA"})]),
        ("0:-", [("T505", 0, 0, {"cards": "-"})]),
        ("0:SA 1:-", [("T504", 1, 1, {"expected": 1, "actual": 0})]),
        ("0:SASA 1:SK", [("T504", 1, 1, {"expected": 2, "actual": 1})]),
        ("0:SASA 1:SKHA", [("T501", 1, 1, {"must": "SKSK", "played": "SKHA"})]),
        ("0:SA 1:HA", [("T501", 1, 1, {"must": "SKSK", "played": "HA"})]),
        ("0:SAR", [("T505", 0, 0, {"cards": "SAR"})]),
        ("0:HASK", [("P402", 0, 0, {"cards": "SKHA", "missing": "SKHA"})]),
        ("0:SASASA", [("P402", 0, 0, {"cards": "SASASA", "missing": "SA"})]),
        ("0:SA 1:SK 2:HA 3:DA 0:SA 1:SK 2:HA", [("P402", 6, 2, {"cards": "HA", "missing": "HA"})]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_plays(audit: Audit, own_rules: Own, plays: str, expected: list[Any]):
    """U-R6, U-R8, F-R22 … F-R24: each finding whole, at its move."""
    assert found(audit(of(DEAL, plays), own_rules("sandaha", SMALL))) == expected


TRUMPS = {
    "hands": ["RBCK", "RCACK", "SASASK", "HAHASK"],
    "bottom": "BCAHKHKDADADKDK",
    "buried": "BCAHKHKDADADKDK",
    "trump": "C",
}
ANY, NONE, LOWEST = {"throw.scope": "any"}, {"throw.scope": "none"}, {"throw.fail": "lowest_component"}


@pytest.mark.parametrize(
    ("switches", "hidden", "plays", "expected"),
    [
        ({}, (), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (), "0:RB!B 1:R", []),
        ({}, (), "0:RB!R", [("T508", {"expected": "B", "actual": "R"})]),
        ({}, (), "0:RBCK!CK 1:R", []),
        ({}, (), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (), "0:RBCK!RB", [("T508", {"expected": "CK", "actual": "BR"})]),
        ({}, (), "0:R!R", [("T507", {"cards": "R", "failing": []})]),
        ({}, (), "0:RSA!R", [("P402", {"cards": "SAR", "missing": "SA"})]),
        ({}, (1,), "0:RB", []),  # who could beat it is not known
        ({}, (1,), "0:RB!B", []),
        ({}, (1,), "0:RB!R", []),
        ({}, (2,), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (2,), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (0,), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        ({}, (0,), "0:RR", [("P402", {"cards": "RR", "missing": "R"})]),
        ({}, (0,), "0:RBCK!CK", []),
        ({}, (), "2:SASK", [("T506", {"cards": "SKSA"})]),
        ({}, (), "2:SASA", []),
        (ANY, (), "2:SASK 3:HAHA", [("T501", {"must": "SK", "played": "HAHA"})]),
        (ANY, (), "2:SASK 3:HASK", []),
        (ANY, (), "2:SASASK", []),
        (ANY, (), "2:SASK!SK", [("T507", {"cards": "SKSA", "failing": []})]),
        (ANY, (), "0:RB", [("T507", {"cards": "BR", "failing": ["B"]})]),
        (NONE, (), "0:RB", [("T505", {"cards": "BR"})]),
        (NONE, (), "2:SASK", [("T505", {"cards": "SKSA"})]),
        (NONE, (), "2:SASA", []),
        (LOWEST, (), "0:RBCK!CK", []),
        (LOWEST, (1,), "0:RBCK!B", [("T508", {"expected": "CK", "actual": "B"})]),
        ({}, (0,), "0:-", [("T505", {"cards": "-"})]),
        ({}, (0,), "0:RRB!B", [("P402", {"cards": "BRR", "missing": "R"})]),
        ({}, (0, 1), "0:RRBCK", [("P402", {"cards": "CKBRR", "missing": "?"})]),
        ({}, (0, 1), "0:RRB", []),
        ({}, (), "0:RBCK!BCK", [("T508", {"expected": "CK", "actual": "CKB"})]),
        ({}, (1,), "0:RBCK!RB", [("T508", {"expected": "CK / B / R", "actual": "BR"})]),
    ],
)  # fmt: skip
def test_what_is_thrown(audit: Audit, own_rules: Own, switches: Any, hidden: Any, plays: str, expected: list[Any]):
    """F-R27, F-Q17 … F-Q21: what is wrong with the last move."""
    hands = [None if seat in hidden else hand for seat, hand in enumerate(TRUMPS["hands"])]
    verdict = audit(of(TRUMPS | {"hands": hands}, plays, int(plays[0])), own_rules("sandaha", SMALL | switches))
    assert [(code, details) for code, *_, details in found(verdict)] == expected


SEVENS = SMALL | {"deal.removed_ranks": [*"345689TJQKA"]}
"""Nothing but what is always trump."""


@pytest.mark.parametrize(
    ("own", "others", "plays", "expected"),
    [
        ("S7S7H7", "R", "0:S7S7H7", [("T507", {"cards": "S7S7H7", "failing": ["S7S7", "H7"]})]),
        ("S7S7H7", "R", "0:S7S7H7!H7", []),
        ("S7S7H7", "R", "0:S7S7H7!S7", [("T508", {"expected": "H7", "actual": "S7"})]),
        ("S7S7H7", "R", "0:S7S7H7!S7S7", [("T508", {"expected": "H7", "actual": "S7S7"})]),
        ("S7S7R", "H7", "0:S7S7R!S7S7", []),
        ("S7S7R", "H7", "0:S7S7R!R", [("T508", {"expected": "S7S7", "actual": "R"})]),
        ("S7S7R", "H7", "0:S7S7R!D7D7", [("T508", {"expected": "S7S7", "actual": "D7D7"})]),
    ],
)
def test_what_is_led_after_a_throw_of_pairs(
    audit: Audit, own_rules: Own, own: str, others: str, plays: str, expected: list[Any]
):
    """F-Q17, F-Q18, F-Q20: of one level the single is lower than the pair, and what is led was thrown."""
    bottom = "H2H2C2C2D2D2BR"
    deal = {"hands": [own, f"C7C7{others}", "D7D7B", "H7S2S2"], "bottom": bottom, "buried": bottom, "trump": "C"}
    verdict = audit(of(deal, plays), own_rules("sandaha", SEVENS))
    assert [(code, details) for code, *_, details in found(verdict)] == expected


def law(**switches: Any) -> TrickRuleset:
    """三打哈 with other values, by ``table__key`` or ``key``."""
    rules = msgspec.to_builtins(load_any("sandaha"))
    for name, value in switches.items():
        table, _, key = name.partition("__")
        if key:
            rules[table][key] = value
        else:
            rules[name] = value
    return msgspec.convert(rules, TrickRuleset)


def faces(text: str) -> int:
    return faces_in(read_cards(text))


def laid_by(seat: int, text: str) -> TrickMove:
    return TrickMove(seat, seat, faces(text), read_cards(text).size)


@pytest.mark.parametrize(
    ("switches", "led", "hand", "played", "expected"),
    [
        ({}, "H5H5H6H6", "H8H8H9H9HTHJ", "H8H8HTHJ", ("T503", "H8H8H9H9")),
        ({}, "H5H5H6H6", "H8H8HTHTHJHQ", "H8H8HJHQ", ("T502", "H8H8HTHT")),
        ({}, "H5H5H6H6", "H8H8H9H9HJHJHQHQ", "H8H8HJHJ", ("T503", "HJHJHQHQ")),  # the highest is told
        ({}, "H5H5", "H8H8HTHJ", "HTHJ", ("T502", "H8H8")),
        ({}, "H5H5", "H8H8HTHJ", "H8H8", None),
        ({}, "H5H5", "H8HTSASA", "H8HT", None),
        ({}, "H5H5", "H8HTSASA", "SASA", ("T501", "H8HT")),
        ({}, "H5H5", "H8SASACACA", "H8SA", None),
        ({}, "H5", "H8SA", "SA", ("T501", "H8")),
        ({}, "H5", "S8SA", "S8", None),
        ({}, "RRBBC7C7C5C5C6C6", "C8C8C9C9CTCTCKCKCQD7S7H7C2", "C8C8C9C9CKCKCTD7S7H7", ("T503", "C8C8C9C9CTCT")),
        ({}, "H5H5H6H6H8H8", "HTHTHJHJHKHKHA", "HTHTHKHKHAHJ", ("T503", "HTHTHJHJ")),
        ({"follow__partial_tractor": False}, "H5H5H6H6", "H8H8H9H9HJHJ", "H8H8HJHJ", ("T503", "H8H8H9H9")),
        ({"follow__partial_tractor": False}, "H5H5H6H6H8H8", "HTHTHJHJHKHKHAHA", "HTHTHKHKHAHA", None),
        ({"follow__tractor_binding": False}, "H5H5H6H6", "H8H8H9H9HJHJ", "H8H8HJHJ", None),
        ({"follow__pair_binding": False}, "H5H5", "H8H8HTHJ", "HTHJ", None),
        ({"follow__pair_binding": False}, "H5H5H6H6", "H8H8H9H9HJHJ", "H8H8HJHJ", ("T503", "H8H8H9H9")),
    ],
)  # fmt: skip
def test_what_follows(switches: Any, led: str, hand: str, played: str, expected: tuple[str, str] | None):
    """F-R23, F-R24, F-Q22, F-Q23."""
    table = table_of(law(**switches), "C", 0)
    trick = put(None, laid_by(0, led), [None] * 4, TrickPlay([21] * 4), table)
    fault = fault_of(laid_by(1, played), trick, [None, faces(hand), None, None], table)
    told_of = None if fault is None else (fault.code, fault.details)
    assert told_of == (expected and (expected[0], {"must": expected[1], "played": cards_text(faces(played))}))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("HAHK", []),
        ("CACK", [("throw", 2, "A")]),
        ("HASA", []),
        ("HKHKHAHA", [("tractor", 2, "A")]),
        ("HA", [("single", 1, "A")]),
        ("CACACK", [("throw", 2, "A")]),
    ],
)
def test_what_is_a_lead(cards: str, expected: list[Any]):
    """F-R22, F-R27: a throw of trumps only."""
    table = table_of(law(), "C", 0)
    assert [(each.name, each.length, each.rank) for each in leads(read_cards(cards), table)] == expected


@pytest.mark.parametrize(
    ("cards", "standing", "wins"),
    [
        ("HA", "HK", True),
        ("HK", "HA", False),
        ("HA", "HA", False),
        ("C5", "HA", True),
        ("HA", "SK", False),
        ("HA", "C5", False),
        ("C6", "C5", True),
        ("HAHA", "HKHK", True),
        ("HAHA", "HK", False),
        ("HKHKHAHA", "H8H8", False),
        ("HQHQHKHKHAHA", "H8H8H9H9", False),
        ("HAHK", "H8H8", False),
        ("HAHA", "HKH8", False),
        ("HAHK", "HQH8", False),
        ("C5C5", "HAHA", True),
        ("C5C6", "HAHA", False),
    ],
)
def test_what_wins_against_a_lead(cards: str, standing: str, wins: bool):
    """F-R6, F-R25, F-Q30."""
    table = table_of(law(), "C", 0)
    assert outranks(read_cards(cards), read_cards(standing), table) == wins
    later = table_of(law(equal_beats="later"), "C", 0)
    assert outranks(read_cards(cards), read_cards(standing), later) == (wins or cards == standing)


def test_a_tractor_is_beaten_by_a_higher_one():
    """F-Q17, F-Q21: with 无主 those of 7 and 2 are equal, whatever their suits."""
    suits = table_of(law(), "NT", 0).suits
    (part,) = parts_of(faces("S7S7S2S2"), suits)
    for hand, beaten in (("H7H7H2H2", False), ("BBH7H7", True), ("RRBB", True), ("H7H7BB", True), ("BBRR", True)):
        assert is_beaten(part, faces(hand), suits) == beaten
    assert not is_beaten(part, faces("RRH7H7H2H2"), suits)


def test_what_is_always_trump():
    """F-R3, F-R18: two big jokers, a small one, two 7s of clubs, a 7 of hearts and a 2."""
    assert fixed_trump_count(faces("RRBC7C7H7D2S5S5CAH8"), law()) == 7
    assert fixed_trump_count(faces("S5S5CAH8"), law()) == fixed_trump_count(0, law()) == 0
    assert fixed_trump_count(faces("RRBC7C7D2"), law(fixed_trumps=["2"])) == 1


def test_a_pack_with_threes():
    """F-R3 … F-R5 under a pack of one's own: a 3 belongs to its suit, the lowest."""
    table = table_of(law(deal__removed_ranks=[*"456789TJQ2"], deal__hand=9), "C", 0)
    found = [[each.name for each in leads(read_cards(cards), table)] for cards in ("S3S3", "HAS3", "C3C7", "S3S3SKSK")]
    assert found == [["pair"], [], ["throw"], ["tractor"]]
    assert [single_class(faces(card), table.suits) for card in ("S3", "C3", "HA")] == ["S", "trump", "H"]
    assert single_class(0, table.suits) is None


@pytest.mark.parametrize(
    ("switches", "facts", "factors", "scores"),
    [
        ({}, {"bid": 80, "points": 79}, [], [3, -1, -1, -1]),
        ({}, {"bid": 80, "points": 80}, [], [-3, 1, 1, 1]),
        ({}, {"bid": 50, "points": 49}, [("opening", 2)], [6, -2, -2, -2]),
        ({}, {"bid": 45, "opening": 50, "points": 44}, [("opening", 2)], [6, -2, -2, -2]),
        ({}, {"bid": 51, "points": 50}, [], [3, -1, -1, -1]),
        ({}, {"bid": 50, "opening": 55, "points": 49}, [], [3, -1, -1, -1]),
        ({}, {"bid": 50, "points": 0}, [("level", 3), ("opening", 2)], [18, -6, -6, -6]),
        ({"direct50__applies": "opening_eq_50"}, {"bid": 50, "points": 49}, [("opening", 2)], [6, -2, -2, -2]),
        ({"direct50__applies": "opening_eq_50"}, {"bid": 49, "points": 48}, [], [3, -1, -1, -1]),
        ({"direct50__applies": "opening_eq_50"}, {"bid": 51, "points": 50}, [], [3, -1, -1, -1]),
        ({"direct50__survives_overbid": False}, {"bid": 50, "points": 49}, [("opening", 2)], [6, -2, -2, -2]),
        ({"direct50__survives_overbid": False}, {"bid": 45, "opening": 50, "points": 44}, [], [3, -1, -1, -1]),
        ({}, {"bid": 80, "points": 79, "poked_by": 2}, [], [3, -1, -1, -1]),
        ({}, {"bid": 80, "landlord": 3, "points": 79, "base": 5}, [], [-5, -5, -5, 15]),
    ],
)  # fmt: skip
def test_what_a_hand_is_worth(switches: Any, facts: Any, factors: list[Any], scores: list[int]):
    """F-R17, F-R19, F-R20, F-R31, F-Q8."""
    settled = settle_level(msgspec.convert(facts, TrickFacts), law(**switches))
    assert [(each.name, each.factor) for each in settled.factors] == factors
    assert settled.scores == scores


@pytest.mark.parametrize(
    ("first", "auction", "landlord", "expected"),
    [
        (None, "2:80 3:- 0:- 1:-", 2, []),
        (2, "2:80 3:- 0:- 1:-", 2, []),
        (1, "2:80 3:- 0:- 1:-", None, [("A301", 0, 2, {"expected": 1, "actual": 2})]),
        (0, "0:80 2:-", 0, [("A301", 1, 2, {"expected": 1, "actual": 2})]),
        (None, "", None, [("A305", None, None, {})]),
        (0, "", None, [("A305", None, None, {})]),
        (0, "0:80 1:- 2:- 3:- 0:75 1:-", 0,
         [("A304", 4, 0, {"word": "75"}), ("A304", 5, 1, {"word": "-"})]),
        (0, "0:5 1:-", 0, [("A304", 1, 1, {"word": "-"})]),
        (0, "0:80 1:80", 0, [("A303", 1, 1, {"bid": 80, "last": 80})]),
        (0, "0:81", None, [("A302", 0, 0, {"word": "81", "possible": ["5…85 / 5", "-"]})]),
        (0, "0:80 1:- 2:75 3:- 1:-", 2, [("A301", 4, 1, {"expected": 0, "actual": 1})]),
        (0, "0:80 1:- 2:75 3:- 0:-", 2, []),
        (0, "0:- 1:- 2:- 3:-", 0, []),
        (0, "0:80 1:- 2:- 3:75 0:70 3:-", 0, []),
        (0, "0:80 1:- 2:- 3:75 0:70 1:65", 0, [("A301", 5, 1, {"expected": 3, "actual": 1})]),
    ],
)  # fmt: skip
def test_how_an_auction_falls(first: int | None, auction: str, landlord: int | None, expected: list[Any]):
    """F-R12 … F-R16: nothing is known of the cards."""
    found = run_falling(read_calls(auction), first, [None] * 4, law())
    assert [(each.code, each.index, each.seat, each.details) for each in found.findings] == expected
    assert found.landlord == landlord
    assert found.stopped == any(code != "A304" for code, *_ in expected)


def test_who_speaks_first_in_the_next_hand():
    """F-R12, F-R32, F-Q10."""
    for outcome, expected in (("landlord", 3), ("farmers", 0), ("surrender", 0), ("void", None), (None, None)):
        assert next_to_speak(3, outcome, law()) == expected
    assert next_to_speak(1, "farmers", law()) == 2
    assert next_to_speak(None, "landlord", law()) is next_to_speak(None, "farmers", law()) is None
    assert next_to_speak(1, "landlord", law(bid__starter="log")) is None
    assert next_to_speak(1, "landlord", load_any("classic")) is None


def test_nobody_plays_where_nobody_bids_and_the_rules_say_so():
    """F-R16, `bid.all_pass`."""
    found = run_falling(read_calls("0:- 1:- 2:- 3:-"), 0, [None] * 4, law(bid__all_pass="redeal"))
    assert (found.landlord, found.bid, found.opening, found.ended, found.findings) == (None, 0, 0, True, [])
    found = run_falling(read_calls("0:- 1:- 2:- 3:-"), 0, [None] * 4, law())
    assert (found.landlord, found.bid, found.opening, found.ended, found.findings) == (0, 85, 85, True, [])


@pytest.mark.parametrize(
    ("switches", "trump", "cards", "expected"),
    [
        ({"fixed_trumps": ["7", "2"]}, "C", "RB", ["throw"]),
        ({"fixed_trumps": ["7", "2"]}, "C", "RC5", ["throw"]),
        ({"fixed_trumps": ["7", "2"]}, "C", "RRBB", ["tractor"]),
        ({"fixed_trumps": ["7", "2"]}, "C", "BBC7C7", ["tractor"]),
        ({"fixed_trumps": ["R", "B", "7"]}, "C", "HAHAH2H2", ["tractor"]),
        ({"fixed_trumps": ["R", "B", "7"]}, "C", "CACAC2C2D7D7", ["tractor"]),
        ({"no_trump__tractor_27": False}, "C", "C2C2D7D7", ["tractor"]),
        ({"no_trump__tractor_27": False}, "NT", "C2C2D7D7", ["throw"]),
        ({"no_trump__tractor_27": False}, "NT", "BBD7D7", ["tractor"]),
        ({}, "NT", "C2C2D7D7", ["tractor"]),
    ],
)
def test_what_adjoins(switches: Any, trump: str, cards: str, expected: list[str]):
    """F-R3, F-R5, F-R9, F-Q16, F-Q17."""
    assert [each.name for each in leads(read_cards(cards), table_of(law(**switches), trump, 0))] == expected


def test_the_last_trick_of_three_decides_about_the_bottom(audit: Audit, own_rules: Own):
    """F-R29, F-R30: seat 1 wins it with a single trump."""
    plays = "0:R 1:CK 2:SA 3:HA 0:B 1:CA 2:SA 3:HA 0:CK 1:R 2:SK 3:SK"
    verdict = audit(of(TRUMPS, plays), own_rules("sandaha", SMALL))
    assert found(verdict) == []
    assert verdict.details == {"points": 70, "trick_points": 30, "bottom_points": 40, "bottom_factor": 1}


def test_what_the_hand_would_be_worth_otherwise():
    """F-R17, F-R31: one short of a bid of 50 that doubles, 20 of the points in the bottom, a base of 2."""
    facts, rules = TrickFacts(bid=50, opening=50, points=49, base=2), law()
    found = trick_variants(facts, rules, settle_level(facts, rules), 20)
    assert [(each.kind, each.switch, each.value, each.scores, each.multiplier) for each in found] == [
        ("S02", "direct50.factor", "1", [6, -2, -2, -2], 1),
        ("S02", "direct50.factor", "3", [18, -6, -6, -6], 3),
        ("S02", "direct50.factor", "4", [24, -8, -8, -8], 4),
        ("S01", "facts.base", "1", [6, -2, -2, -2], 2),
        ("S10", "facts.landlord", "1", [-4, 12, -4, -4], 2),
        ("S10", "facts.landlord", "2", [-4, -4, 12, -4], 2),
        ("S10", "facts.landlord", "3", [-4, -4, -4, 12], 2),
        ("S09", "facts.bottom", "0", [24, -8, -8, -8], 4),
        ("S10", "facts.sign", "-1", [-12, 4, 4, 4], 2),
        ("S11", "facts.winner", "other", [-12, 4, 4, 4], 2),
    ]
    assert "facts.bottom" not in [each.switch for each in trick_variants(facts, rules, settle_level(facts, rules), 0)]
