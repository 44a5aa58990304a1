"""Whole records: the cases of kind ``records``, the golden verdicts, and what the contract settles in detail."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.faults import CATALOGUE, LANGUAGES, Finding, Language, severity
from ingest.record import Record
from ingest.rules.ruleset import builtin_names
from ingest.verdict import Verdict, as_json, judgement

Make = Callable[..., Record]
Audit = Callable[[Record, str], Verdict]
WON = "0:3456789TJQKA 1:- 2:- 0:34567 1:- 2:- 0:222"
"""Seat 0 goes out with 20 cards and nobody else plays one."""


def test_records(records_case: dict[str, Any], verdicts: Callable[..., list[Verdict]], brief: Any):
    log = "".join(line + "\n" for line in records_case["lines"])
    found = {verdict.line: verdict for verdict in verdicts(log.encode())}
    assert len(found) == len(records_case["lines"])
    assert len(records_case["expect"]) > 0
    for expected in records_case["expect"]:
        verdict = found[expected["line"]]
        for key, value in expected.items():
            if key == "findings":
                assert brief(verdict.findings) == value
            else:
                assert getattr(verdict, key) == (None if value == "null" else value), (key, verdict.line)


@pytest.fixture
def audit(audited: Any) -> Audit:
    return lambda record, name: audited(record, name).verdict


GOLDEN = Path(__file__).parent / "golden"
OTHERS_WORDS = {"R101", "R103", "R111", "R112"}
"""Findings whose details quote what a library said."""


def told(found: list[Verdict], language: Language) -> str:
    return "".join(as_json(verdict, language).decode() + "\n" for verdict in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_golden_verdicts_on_a_hand_of_every_game(verdicts: Any, golden: Any, language: Language):
    found = verdicts((GOLDEN / "hands.jsonl").read_bytes())
    assert {verdict.rules for verdict in found} == {name for name in builtin_names() if name != "sandaha"}
    golden(f"hands.{language}.jsonl", told(found, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_golden_verdicts_on_every_fault(verdicts: Any, golden: Any, language: Language):
    """The broken record of each code's file, judged whole and put into words."""
    text = ""
    for path in sorted((Path(__file__).parent / "cases" / "faults").glob("*.toml")):
        case = tomllib.loads(path.read_text("utf-8"))
        if path.stem not in OTHERS_WORDS and "rules" not in case and "xfail" not in case:
            log = "\n".join(case["broken"]["lines"]) + ("" if case["broken"].get("cut") else "\n")
            text += told(verdicts(log.encode())[-1:], language)
    golden(f"faults.{language}.jsonl", text)


def codes(verdict: Verdict) -> list[str]:
    return [finding.code for finding in verdict.findings if finding.code != "D207"]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"landlord": 0, "winners": [0], "multiplier": 1, "bid": 3, "scores": [6, -3, -3]}, []),
        ({"landlord": 1}, ["A306"]),
        ({"winners": []}, ["S601"]),
        ({"winners": [0, 1]}, ["S601"]),
        ({"multiplier": 2}, ["S602"]),
        ({"bid": 1}, ["S602"]),
        ({"bid": 1, "multiplier": 3}, ["S602", "S602"]),
        ({"scores": [3, -3, -3]}, ["S603", "S604"]),
        ({"scores": [-6, 3, 3]}, ["S603"]),
        ({"balances": [1, 2, 3]}, []),
        ({}, []),
    ],
)
def test_claims(a_record: Make, audit: Audit, claim: dict[str, Any], expected: list[str]):
    assert codes(audit(a_record("classic", plays=WON, claim=claim), "classic")) == expected


def test_two_claims_of_a_landlord_are_one_finding(a_record: Make, audit: Audit):
    record = a_record("classic", plays=WON, landlord=2, claim={"landlord": 1})
    assert codes(audit(record, "classic")) == ["A306"]


@pytest.mark.parametrize("rules", ["rlcard", "botzone-v1"])
def test_where_payoffs_do_not_sum_to_zero_nobody_is_charged_for_it(a_record: Make, audit: Audit, rules: str):
    """RL-R2, BV-R3."""
    verdict = audit(a_record(rules, plays=WON), rules)
    assert verdict.scores is not None
    assert sum(verdict.scores) != 0
    claimed = a_record(rules, plays=WON, claim={"scores": verdict.scores})
    assert codes(audit(claimed, rules)) == []
    claimed = a_record(rules, plays=WON, claim={"scores": [7, 7, 7]})
    assert codes(audit(claimed, rules)) == ["S603"]


def test_balances_are_known_for_some_seats_only(a_record: Make, audit: Audit):
    players = [{"id": "a", "balance": 10}, {"id": "b"}, {"id": "c", "balance": 0}]
    rules = "classic"
    verdict = audit(a_record(rules, plays=WON, players=players, claim={"balances": [16, 99, -3]}), rules)
    assert (verdict.balances, codes(verdict)) == ([16, None, -3], [])
    verdict = audit(a_record(rules, plays=WON, players=players, claim={"balances": [None, 99, -2]}), rules)
    assert codes(verdict) == ["S605"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"first": 3}, "first"),
        ({"landlord": 3}, "landlord"),
        ({"end": "escape:3"}, "end"),
        ({"end": "gone"}, "end"),
        ({"end": "escape:"}, "end"),
        ({"end": "void "}, "end"),
        ({"trump": "X"}, "trump"),
        ({"hands": [None, None]}, "hands"),
        ({"claim": {"winners": [0, 3]}}, "claim"),
        ({"claim": {"landlord": 3}}, "claim"),
        ({"claim": {"scores": [1, -1]}}, "claim.scores"),
        ({"claim": {"balances": [1, -1, 0, 0]}}, "claim.balances"),
    ],
)
def test_impossible_values(a_record: Make, audit: Audit, fields: dict[str, Any], field: str):
    verdict = audit(a_record("classic", plays=WON, **fields), "classic")
    assert [(finding.code, finding.details["field"]) for finding in verdict.findings] == [("R103", field)]
    assert (verdict.verdict, verdict.scores, verdict.multiplier) == ("unreadable", None, None)


@pytest.mark.parametrize(
    "fields", [{"first": 3}, {"plays": "0:X"}, {"bottom": "1"}, {"marker": "34"}, {"auction": "0:all"}]
)
def test_what_is_unreadable_has_no_outcome(a_record: Make, audit: Audit, fields: dict[str, Any]):
    verdict = audit(a_record("classic", **{"plays": WON, **fields}), "classic")
    assert (verdict.verdict, verdict.outcome) == ("unreadable", None)


@pytest.mark.parametrize("rules", ["rlcard", "douzero", "botzone-v1"])
def test_a_landlord_who_must_be_named(a_record: Make, audit: Audit, rules: str):
    """rules.md 10: in ``douzero`` the record says who it is; in the two others it is seat 0."""
    unnamed = msgspec.structs.replace(a_record(rules, plays=WON), landlord=None)
    verdict = audit(unnamed, rules)
    assert codes(verdict) == (["R102"] if rules == "douzero" else [])
    other = msgspec.structs.replace(unnamed, landlord=1, plays=WON.replace("0:", "x").replace("1:", "0:"))
    assert "A306" in codes(audit(msgspec.structs.replace(other, plays=WON), rules)) or rules == "douzero"


HELD = [
    "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7",
    "H7C7D7S8H8C8D8S9H9C9D9STHTCTDTSJHJ",
    "CJDJSQHQCQDQSKHKCKDKSAHACADAS2H2C2",
]
WITHOUT_SUITS = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222"]


@pytest.mark.parametrize(
    ("rules", "fields", "expected"),
    [
        ("classic", {"marker": "H7", "first": 1, "auction": "1:3"}, []),
        ("classic", {"marker": "H7", "first": None, "auction": "1:3"}, []),
        ("classic", {"marker": "H7", "first": None, "auction": "0:3"}, ["A301"]),
        ("classic", {"marker": "H7", "first": 0, "auction": "0:3"}, ["D206"]),
        ("classic", {"marker": "H7", "first": 2, "auction": "1:3"}, ["D206", "A301"]),
        ("openspiel", {"marker": "H7", "first": 0, "auction": "0:3"}, ["D206"]),
        ("platform", {"marker": "H7", "first": 0, "auction": "0:3"}, ["D206"]),
        ("platform", {"marker": "R", "first": 0, "auction": "0:3"}, ["D205"]),
        ("classic", {"marker": "R", "first": 2, "auction": "2:3"}, []),
        ("four-player", {"first": 2, "auction": "0:3"}, ["A301"]),
        ("botzone", {"first": 0, "auction": "0:3"}, []),
        ("botzone", {"first": None, "auction": "0:3"}, []),
        ("botzone", {"first": None, "auction": "1:3"}, ["A301"]),
        ("botzone", {"first": 1, "auction": "1:3"}, ["D206"]),
        ("call-score", {"marker": "H7", "first": 0, "auction": "0:3"}, []),
        ("call-rob", {"first": 2, "auction": "2:call 0:- 1:-"}, []),
    ],
)
def test_who_speaks_first(a_record: Make, audit: Audit, rules: str, fields: dict[str, Any], expected: list[str]):
    """A-R5, A-Q9 (a card that lies in the bottom names nobody), E-R5, E-R6, G-R3, BZ-R1, OS-R1."""
    hands = [None] * 4 if rules == "four-player" else HELD
    bottom = None if rules == "four-player" else "D2BR"
    found = codes(audit(a_record(rules, hands=hands, bottom=bottom, **fields), rules))
    assert [code for code in found if code not in ("P407", "S607")] == expected


@pytest.mark.parametrize(("first", "expected"), [(0, []), (1, []), (2, ["D206"])])
def test_a_marker_without_suit_may_be_held_by_several(a_record: Make, audit: Audit, first: int, expected: list[str]):
    record = a_record("classic", hands=WITHOUT_SUITS, bottom="2BR", marker="7", first=first, auction=f"{first}:3")
    assert [code for code in codes(audit(record, "classic")) if code[0] in "DA"] == expected


def test_hidden_hands_share_what_nobody_showed(a_record: Make, audit: Audit):
    """A card cannot be played oftener than the pack has it, whoever hides it."""
    rules = "classic"
    assert "P402" in codes(audit(a_record(rules, plays="0:333 1:44 2:- 0:- 1:33"), rules))
    assert "P402" not in codes(audit(a_record(rules, plays="0:33 1:44 2:- 0:- 1:33"), rules))
    shown = a_record(rules, hands=["2222BR34567893456", None, None], plays="0:4 1:5 2:2")
    assert "P402" in codes(audit(shown, rules))


def test_a_hidden_bottom_lends_the_landlord_three_cards(a_record: Make, audit: Audit):
    rules = "classic"
    hands = ["33334444555566667", "7778888999TTTJJJQ", "9TJQQQKKKKAAAA222"]
    assert "P402" not in codes(audit(a_record(rules, hands=hands, plays="0:BR 1:- 2:- 0:2"), rules))
    assert "P402" in codes(audit(a_record(rules, hands=hands, plays="0:BR 1:- 2:- 0:2 1:- 2:- 0:7 1:- 2:- 0:8"), rules))
    assert "P402" in codes(audit(a_record(rules, hands=hands, plays="0:3 1:B"), rules))
    alone = [hands[0], None, None]
    lent = "0:8 1:- 2:- 0:9 1:- 2:- 0:T"
    assert "P402" not in codes(audit(a_record(rules, hands=alone, plays=lent), rules))
    assert "P402" in codes(audit(a_record(rules, hands=alone, plays=lent + " 1:- 2:- 0:J"), rules))


def test_by_face_where_suits_are_written(a_record: Make, audit: Audit):
    rules = "classic"
    suited = "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7"
    others = ["H7C7D7S8H8C8D8S9H9C9D9STHTCTDTSJHJ", "CJDJSQHQCQDQSKHKCKDKSAHACADAS2H2C2"]
    record = a_record(rules, hands=[suited, *others], bottom="D2BR", plays="0:S7 1:S8 2:H2 0:D2")
    assert codes(audit(record, rules)) == ["P404", "P407", "S607"]
    record = a_record(rules, hands=[suited, *others], bottom="D2BR", plays="0:S7 1:S8 2:D2")
    assert codes(audit(record, rules)) == ["P402"]
    record = a_record(rules, hands=[suited, *others], bottom="D2BR", plays="0:7 1:8 2:2")
    assert codes(audit(record, rules)) == ["P407", "S607"]


@pytest.mark.parametrize("rules", ["classic", "emperor", "two-player", "four-player", "platform", "call-rob", "rlcard"])
def test_a_record_without_plays_is_unfinished(a_record: Make, audit: Audit, rules: str):
    verdict = audit(a_record(rules), rules)
    assert (verdict.verdict, verdict.outcome, verdict.scores, verdict.winners) == ("faulty", "unfinished", None, None)
    assert codes(verdict) == ["P407", "S607"]


def test_a_stopping_fault_ends_the_story(a_record: Make, audit: Audit):
    rules = "classic"
    verdict = audit(a_record(rules, plays="1:3 0:- 0:-", claim={"scores": [1, 2, 3], "winners": [2]}), rules)
    assert codes(verdict) == ["P401"]
    verdict = audit(a_record(rules, auction="0:3 1:-", plays="0:- 1:3 2:3 0:8", bottom="33"), rules)
    assert codes(verdict) == ["D202"]


def test_verdicts_name_the_ruleset_and_the_bid_of_a_hand_without_bids(a_record: Make, audit: Audit):
    for name, bid in (("two-player", 1), ("call-rob", 1), ("emperor", 1), ("classic", 3), ("douzero", 1)):
        verdict = audit(a_record(name), name)
        assert (verdict.rules, verdict.bid) == (name, bid)


def test_judgement():
    assert judgement([]) == "clean"
    assert judgement([Finding("P410"), Finding("S608")]) == "clean"
    assert judgement([Finding("P410"), Finding("S603")]) == "faulty"
    assert judgement([Finding("P408", enforced=True)]) == "faulty"
    assert judgement([Finding("S603"), Finding("R105")]) == "unreadable"
    assert judgement([Finding("R110")]) == "faulty"
    assert {severity(Finding(code)) for code in ("P408", "A308")} == {"note"}


def test_json_of_a_verdict(a_record: Make, audit: Audit):
    """record.md 5: the keys and their order."""
    rules = "classic"
    said = msgspec.json.decode(as_json(audit(a_record(rules, plays=WON, claim={"bid": 2}), rules), "en"))
    keys = "source line id rules verdict outcome landlord winners bid factors multiplier unit scores balances findings"
    assert list(said) == keys.split()
    assert (said["source"], said["line"], said["factors"], said["balances"]) == ("", 1, [], None)
    finding = said["findings"][-1]
    assert list(finding) == "code severity phase index seat message details".split()
    assert (finding["code"], finding["severity"], finding["phase"]) == ("S602", "fault", CATALOGUE["S602"].phase)
    assert finding["details"] == {"field": "bid", "expected": 3, "actual": 2}


def test_an_audit_changes_nothing_in_a_record(a_record: Make, audit: Audit):
    rules = "classic"
    record = a_record(rules, plays=WON)
    before = msgspec.json.encode(record)
    assert audit(record, rules) == audit(record, rules)
    assert msgspec.json.encode(record) == before
