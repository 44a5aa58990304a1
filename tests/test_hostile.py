"""Records that contradict themselves, or were made to break an audit: each has its finding, and the rest goes on."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.rules.answers import answers_of
from ingest.rules.ruleset import load
from ingest.verdict import Verdict, as_json

Verdicts = Callable[..., list[Verdict]]
RECORD = (
    '{"id":"%s","rules":"%s","players":[{"id":"a"},{"id":"b"},{"id":"c"}],"first":0,"auction":"0:3%s","plays":"%s"%s}'
)
WON = "0:34567 1:- 2:- 0:89TJQKA 1:- 2:- 0:33344 1:- 2:- 0:222"
"""Twenty cards of seat 0, whose hand nobody showed."""


def record(plays: str = WON, rules: str = "classic", more: str = "", name: str = "1") -> str:
    return RECORD % (name, rules, " 1:- 2:-" if rules.startswith("platform") else "", plays, more)


def first(verdict: Verdict) -> list[str]:
    return [finding.code for finding in verdict.findings if finding.code != "D207"]


@pytest.mark.parametrize(
    "more",
    [
        ',"voids":9223372036854775807', ',"voids":20000', ',"voids":1001', ',"base":1' + "0" * 4299,
        ',"base":9223372036854775808', ',"claim":{"scores":[1,2,-99999999999999999999]}', ',"first":100',
    ],
)  # fmt: skip
def test_numbers_that_no_hand_has_are_impossible_and_the_rest_of_the_file_goes_on(verdicts: Verdicts, more: str):
    log = "\n".join([record(name="1"), record(name="2", rules="platform", more=more), record("0:3", name="3")]) + "\n"
    found = verdicts(log.encode())
    assert [verdict.verdict for verdict in found] == ["clean", "unreadable", "faulty"]
    assert first(found[1]) == ["R103"]
    assert all(as_json(verdict, "zh") for verdict in found)


def test_the_largest_numbers_that_are_believed_are_told_whole(verdicts: Verdicts):
    (verdict,) = verdicts((record(rules="platform", more=',"voids":1000,"base":9223372036854775807') + "\n").encode())
    assert verdict.verdict == "clean"
    assert b"9223372036854775807" in as_json(verdict, "en") or verdict.unit is not None


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1])
@pytest.mark.parametrize("rules", ["classic", "platform"])
def test_balances_may_pass_the_largest_number(verdicts: Verdicts, rules: str, number: int):
    """What a table leaves to its next hand needs more than 64 bits here."""
    three = f"[{number},{number},{number}]"
    more = f',"table":"t","claim":{{"scores":{three},"balances":{three}}}'
    lines = [record(rules=rules, more=more, name=name) for name in ("1", "2", "3")]
    lines = [re.sub(r'"id":"([abc])"', rf'"id":"\1","balance":{number}', line) for line in lines]
    found = verdicts("".join(f"{line}\n" for line in lines).encode())
    assert [verdict.verdict for verdict in found] == ["faulty"] * 3
    assert all(as_json(verdict, "zh") for verdict in found)


@pytest.mark.parametrize("last", ["QQQKKKJJAA", "QQQJJJ"])
def test_a_hidden_hand_has_no_more_cards_than_were_dealt(verdicts: Verdicts, last: str):
    """U-R8: twelve and one of seventeen are played, and then more than four."""
    plays = f"0:3 1:4 2:- 0:- 1:5566778899TT 2:- 0:- 1:{last}"
    (verdict,) = verdicts((record(plays) + "\n").encode())
    assert (first(verdict), verdict.scores) == (["P402"], None)


@pytest.mark.parametrize("rules", ["classic", "platform", "call-score", "pagat"])
@pytest.mark.parametrize("end", ["escape:1", "surrender"])
def test_a_hand_that_was_played_out_has_no_other_end(verdicts: Verdicts, rules: str, end: str):
    """record.md 2: `end` is absent where a hand was played out."""
    (verdict,) = verdicts((record(rules=rules, more=f',"end":"{end}"') + "\n").encode())
    assert (verdict.verdict, verdict.outcome) == ("faulty", "landlord")
    assert [(f.code, f.index) for f in verdict.findings if f.code == "P406"] == [("P406", None)]


def test_a_failed_throw_is_no_move_of_a_climbing_game(verdicts: Verdicts):
    (verdict,) = verdicts((record(WON.replace("0:34567", "0:SAHA!34567")) + "\n").encode())
    assert (verdict.verdict, first(verdict)) == ("unreadable", ["R105"])


@pytest.mark.parametrize(("rules", "cards"), [("classic", {"3": 5}), ("classic", {"B": 2}), ("four-player", {"3": 9})])
def test_cards_that_the_pack_does_not_have_are_no_combination(rules: str, cards: dict[str, int]):
    from ingest.cards import read_cards

    text = "".join(card * count for card, count in cards.items())
    assert answers_of(load(rules)).readings(read_cards(text).counts) == ()


def test_the_command_line_says_what_was_wrong_and_blames_nobody_else(
    tmp_path: Path, commanded: Callable[..., tuple[Any, str, str]]
):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me", "utf-8")
    (tmp_path / "log.jsonl").write_text(record() + "\n", "utf-8")
    for words in (
        ("load", tmp_path / "log.jsonl", "--store", tmp_path / "mine"),
        ("load", tmp_path / "log.jsonl", "--store", tmp_path / "log.jsonl"),
        ("audit", tmp_path / "log.jsonl", "--out", tmp_path),
        ("rules", "classic", "extra"),
        ("rules", "check"),
        ("rules", "check", tmp_path / "absent.toml"),
        ("settle", '{"bombs":[9],"winner":"landlord"}', "--rules", "classic"),
        ("settle", '{"marker":"ZZ","winner":"landlord"}', "--rules", "platform"),
        ("settle", '{"spring":true,"anti_spring":true,"winner":"landlord"}', "--rules", "call-score"),
        ("beats", "33333", "AAAAA", "--rules", "classic"),
    ):
        code, _, complaint = commanded(*words)
        assert (code, "mistake of our own" in complaint) == (2, False), (words, complaint)
        assert complaint
    assert (tmp_path / "mine" / "letter.txt").read_text("utf-8") == "keep me"
