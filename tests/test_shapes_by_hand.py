"""Combinations, what beats them and what a hand could play, by hand (``shapes.toml``), many in a test: it is quick."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from by_hand import turned

from ingest.cards import RANKS, rank_text, read_cards
from ingest.rules.answers import Answers, Standing
from ingest.rules.combinations import BOMB, PLAIN, ROCKET, STEP, law_of, readings
from ingest.rules.menus import menu_of
from ingest.rules.options import cheapest_answer, could_beat, options, owed_answer

CASES = tomllib.loads(Path(__file__).with_name("shapes.toml").read_text("utf-8"))
TIERS = {"bomb": BOMB, "rocket": ROCKET}


def named(case: dict[str, Any]) -> str:
    return " ".join([case["rules"], *case.get("switches", ())])


def is_bomb(cards: str, on: Standing, answers: Answers) -> bool:
    now = answers.answer(on, read_cards(cards).counts)
    return now is not None and now.tier != PLAIN


@pytest.mark.parametrize("case", CASES["shapes"], ids=named)
def test_what_cards_are(case: dict[str, Any]):
    """U-R9, U-R12, and the T clauses of each ruleset."""
    law = law_of(turned(case["rules"], case.get("switches", {})))
    for cards, expected in case["readings"].items():
        found = readings(read_cards(cards).counts, law)
        assert [str(reading) for reading in found] == expected, cards
        assert {(reading.size, reading.tier) for reading in found} == {
            (len(cards), TIERS.get(reading.name, PLAIN)) for reading in found
        }
    whole_pack = "".join(RANKS[:13]) * 4 + "BR"
    for cards in ["", whole_pack * law.rules.deal.packs, *case["nothing"].split()]:
        assert readings(read_cards(cards).counts, law) == (), cards


@pytest.mark.parametrize("case", CASES["answers"], ids=named)
def test_what_answers(case: dict[str, Any]):
    """U-R4, U-R5, U-R10, U-R14."""
    answers = Answers(turned(case["rules"], case.get("switches", {})))
    for standing, expected in case["on"].items():
        on_table = answers.answer(answers.lead, read_cards(standing).counts) or answers.anything
        found: dict[str, list[str]] = {"yes": [], "ruled": [], "no": []}
        for cards in " ".join(expected.values()).split():
            counts = read_cards(cards).counts
            now = answers.answer(on_table, counts)
            kind = "no" if now is None else "ruled" if now.ruled else "yes"
            found[kind].append(cards)
            assert answers.answer(on_table, counts) is now  # what was answered once is answered so again
            assert (counts in on_table.answers) == (kind == "yes")  # a replay remarks on all others
        assert {kind: " ".join(some) for kind, some in found.items() if some} == expected, standing


@pytest.mark.parametrize("case", CASES["options"], ids=named)
def test_what_could_be_played(case: dict[str, Any]):
    """Every answer in its order, the cheapest, whether there is any; and the same without bombs."""
    answers = Answers(turned(case["rules"], case.get("switches", {})))
    for standing, held, expected in case["on"]:
        on = answers.lead if standing == "-" else answers.answer(answers.lead, read_cards(standing).counts)
        hand, on = read_cards(held).counts, on or answers.anything
        for bombs in (True, False):
            found = [cards for cards in expected.split() if bombs or not is_bomb(cards, on, answers)]
            assert [rank_text(counts) for counts in options(hand, on, answers, bombs=bombs)] == found
            cheapest = cheapest_answer(hand, on, answers, bombs=bombs)
            assert (None if cheapest is None else rank_text(cheapest)) == next(iter(found), None)
            assert could_beat(hand, on, answers, bombs=bombs) == bool(found)


def test_what_counts_as_a_bomb():
    """U-R5: what can be a bomb is one, what is no combination is none; nor is what any combination may be led on."""
    answers = Answers(turned("classic", {"kickers.body_rank": "allow"}))
    bomb = answers.answer(answers.lead, read_cards("3333").counts)
    assert bomb is not None
    assert ([str(reading) for reading in bomb.readings], bomb.tier) == (["bomb 3", "trio1 3"], BOMB)
    assert (answers.lead.tier, answers.anything.tier) == (PLAIN, PLAIN)


def test_cards_of_one_kind():
    """What is read alike under the rules and under their strict profile."""
    answers = Answers(turned("classic", {}))
    ruled, strict = (answers.readings(read_cards("33344455").counts), ())
    assert answers.kind(read_cards("33344455").counts) == (ruled, strict)
    assert answers.kind(read_cards("33344456").counts) == (ruled, ruled)
    assert answers.kind(read_cards("34").counts) == ((), ())
    assert Answers(turned("rlcard", {})).kind(read_cards("33344456").counts) == (ruled, ())


def test_a_memory_that_is_full_is_emptied(monkeypatch: pytest.MonkeyPatch):
    """Whatever is asked, no more is kept than one ruleset may keep; what was forgotten is worked out anew."""
    monkeypatch.setattr("ingest.rules.answers.REMEMBERED", 3)
    answers = Answers(turned("classic", {}))
    quads, other = (read_cards(cards).counts for cards in ("33334455", "44445555"))
    standing = answers.answer(answers.lead, quads)
    assert standing is not None

    def remembered() -> list[object]:
        answered = answers.answer(answers.lead, quads)
        return [answers.readings(quads), answers.kind(quads)[1], answers.deciding_switches(standing, other), answered]

    before = remembered()
    assert all(one is another for one, another in zip(before, remembered(), strict=True))
    for cards in ("44445566", "3"):
        answers.answer(standing, read_cards(cards).counts)
    assert (len(standing.answers), len(standing.others), len(answers.lead.answers)) == (1, 1, 1)
    answers.answer(answers.anything, read_cards("5").counts)
    assert (len(standing.answers), len(standing.others), len(answers.lead.answers)) == (0, 0, 0)
    answers.answer(answers.anything, read_cards("6").counts)
    assert not any(one is another for one, another in zip(before, remembered(), strict=True))
    assert [len(each.answers) for each in (answers.lead, answers.anything)] == [1, 2]
    answers.answer(answers.anything, read_cards("7").counts)
    assert [len(each.answers) for each in (answers.lead, answers.anything)] == [0, 1]


@pytest.mark.parametrize(
    ("rules", "switches", "standing", "above", "rocket"),
    [
        ("classic", {}, "", -1, True),
        ("classic", {}, "3", -1, True),
        ("classic", {}, "3333", STEP * 4, True),
        ("classic", {}, "2222", STEP * 4 + 12, True),
        ("classic", {}, "BR", -1, False),
        ("classic", {"bomb.beats_rocket": True}, "BR", -1, False),
        ("classic", {"bomb.rocket": "off"}, "3", -1, False),
        ("classic", {"kickers.body_rank": "allow"}, "4444", -1, True),  # it may be a trio with a fourth
    ],
)
def test_what_a_bomb_has_to_be_above(rules: str, switches: Any, standing: str, above: int, rocket: bool):
    """U-R5."""
    law = turned(rules, switches)
    menu = menu_of(readings(read_cards(standing).counts, law_of(law)), law)
    assert (menu.bombs_above, menu.rocket > 0) == (above, rocket)
    assert (menu.bombs == ()) == (standing == "BR" and not switches)


def test_what_is_owed():
    """A-Q11: an answer only where the rules say so, bombs only where farmers' bombs are not counted."""
    for switches, landlord, expected in (
        ({}, True, None),
        ({"trick.must_beat": True}, False, "4444"),
        ({"trick.must_beat": True, "bomb_limit.mode": "warn"}, False, None),
        ({"trick.must_beat": True, "bomb_limit.mode": "warn"}, True, "4444"),
    ):
        answers = Answers(turned("classic", switches))
        standing = answers.answer(answers.lead, read_cards("55").counts)
        assert standing is not None
        owed = owed_answer(read_cards("4444").counts, standing, answers, landlord=landlord)
        assert (None if owed is None else rank_text(owed)) == expected
        assert owed_answer(read_cards("4444").counts, answers.anything, answers, landlord=landlord) is None
