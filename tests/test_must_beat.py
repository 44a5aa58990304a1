"""Games in which one who can beat must (`trick.must_beat`, A-Q11): whom P412 accuses, and whom not."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ingest.audit import Hand, examine
from ingest.batch import judge
from ingest.bulk import available, judge_all
from ingest.faults import severity
from ingest.logs import Entry
from ingest.record import Player, Record, read_record
from ingest.rules.ruleset import load
from ingest.simulate import DUTY_SPOILERS, SPOILERS, first_fault, hands, spoil

Own = Callable[..., str]
DUTY = {"trick.must_beat": True}
HANDS = ["33344455566677788", "3456789TTJJQQKKAA", "9TTJJQQKKAA2222BR"]


def codes(rules: str, plays: str, **fields: Any) -> list[str]:
    """The findings of the play, with their moves; the hand breaks off."""
    players = [Player(id=name) for name in "abc"]
    given = {"hands": HANDS, "bottom": "899", "first": 0, "auction": "0:3", "plays": plays, **fields}
    found = examine(Record(id="1", players=players, **given), load(rules)).findings
    return [f"{finding.code}@{finding.index}" for finding in found if finding.code[0] == "P" and finding.code != "P407"]


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ("0:99 1:- 2:-", ["P412@1", "P412@2"]),
        ("0:99 1:TT 2:JJ", []),
        ("0:333444555666 1:-", []),
        ("0:333444555666 1:- 2:-", ["P412@2"]),  # bombs are owed
        ("0:99 1:- 2:TT 0:- 1:- 2:3", ["P412@1", "P412@4", "P402@5"]),
        ("0:34 1:- 2:-", ["P403@0"]),  # nothing is owed on what is no combination
        ("0:99 1:3 2:-", ["P404@1", "P412@2"]),
        ("0:- 1:A 2:-", ["P405@0", "P412@2"]),
    ],
)
def test_who_passes_though_he_could_beat(own_rules: Own, plays: str, expected: list[str]):
    assert codes(own_rules("classic", DUTY), plays) == expected
    assert not any(found.startswith("P412") for found in codes("classic", plays))


def test_the_cheapest_answer_is_named(own_rules: Own):
    rules = load(own_rules("classic", DUTY))
    players = [Player(id=name) for name in "abc"]
    record = Record(id="1", players=players, hands=[*HANDS], bottom="899", first=0, auction="0:3", plays="0:99 1:-")
    hand = examine(record, rules)
    (finding,) = [finding for finding in hand.findings if finding.code == "P412"]
    assert finding.details == {"standing": "pair 9", "cards": "TT"}


def test_a_hand_that_is_not_all_known_is_not_accused(own_rules: Own):
    rules = own_rules("classic", DUTY)
    assert codes(rules, "0:99 1:- 2:-", hands=[HANDS[0], None, HANDS[2]]) == ["P412@2"]
    assert codes(rules, "0:3 1:4 2:- 0:-") == ["P412@2", "P412@3"]
    assert codes(rules, "0:3 1:4 2:- 0:-", bottom=None) == ["P412@2"]


def test_where_bombs_are_limited_a_farmer_need_not_bomb(own_rules: Own):
    """E-R13: else he could be charged with a bomb too few as well as with one too many."""
    limited, free = own_rules("platform", DUTY), own_rules("platform", {**DUTY, "bomb_limit.mode": "off"})
    marked: dict[str, Any] = {"marker": "R", "first": None}
    for rules, expected in ((limited, []), (free, ["P412@2"])):
        assert codes(rules, "0:333444555666 1:- 2:-", auction="2:- 0:3 1:- 2:-", **marked) == expected
    led_by_a_farmer = "2:- 0:333444555 1:- 2:-"
    assert codes(limited, led_by_a_farmer, auction="2:3 0:- 1:-", **marked) == ["P405@0", "P412@3"]


@pytest.mark.parametrize("extends", ["classic", "platform", "emperor", "two-player", "four-player", "ccgc", "botzone"])
def test_players_keep_the_duty_and_spoilers_break_it(own_rules: Own, extends: str):
    path = own_rules(extends, DUTY)
    rules, rng, spoilt = load(path), Random(extends), 0
    for line in hands(rules, 40):
        record, _ = read_record(line)
        hand = examine(record, rules)
        assert [finding for finding in hand.findings if severity(finding) == "fault"] == []
        broken = spoil(hand, rng, ["P412"])
        if broken is not None:
            assert first_fault(broken, rules) == "P412"
            assert msgspec.json.decode(broken)["tags"]["spoilt"] == "P412"
            spoilt += 1
    assert spoilt > 25


def test_only_where_there_is_the_duty_it_can_be_broken():
    assert set(DUTY_SPOILERS) - set(SPOILERS) == {"P412"}


def passed_instead(hand: Hand) -> Record:
    """The same hand; the first answer is a pass."""
    moves = hand.record.plays.split(" ")
    index = next(i for i, move in enumerate(moves) if i and not move.split(":")[1].startswith("-"))
    return replace(hand.record, plays=" ".join([*moves[:index], moves[index].split(":")[0] + ":-"]))


@pytest.mark.skipif(not available(), reason="Numba is not installed")
def test_the_fast_path_leaves_such_games_to_the_audit(own_rules: Own):
    path = own_rules("classic", DUTY)
    records = [read_record(line)[0] for line in hands(load(path), 30)]
    records += [passed_instead(examine(record, load(path))) for record in records if record.plays.count(" ") > 3]
    entries = [Entry("log", number, b"", record) for number, record in enumerate(records)]
    fast = [judged.verdict for judged in judge_all(entries, path, warm_up=0)]
    assert fast == [judge(entry, path).verdict for entry in entries]
    assert sum("P412" in {finding.code for finding in verdict.findings} for verdict in fast) > 15
