"""Combinations, what beats them and what a hand could play, by hand (``shapes.toml``), many in a test: it is quick."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from by_hand import turned

from ingest.cards import rank_text, read_cards
from ingest.rules.answers import Answers, Standing
from ingest.rules.combinations import BOMB, PLAIN, ROCKET, law_of, readings
from ingest.rules.options import cheapest_answer, could_beat, options

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
    for cards in ["", *case["nothing"].split()]:
        assert readings(read_cards(cards).counts, law) == (), cards


@pytest.mark.parametrize("case", CASES["answers"], ids=named)
def test_what_answers(case: dict[str, Any]):
    """U-R4, U-R5, U-R10, U-R14."""
    answers = Answers(turned(case["rules"], case.get("switches", {})))
    for standing, expected in case["on"].items():
        on_table = answers.answer(answers.lead, read_cards(standing).counts) or answers.anything
        found: dict[str, list[str]] = {"yes": [], "ruled": [], "no": []}
        for cards in " ".join(expected.values()).split():
            now = answers.answer(on_table, read_cards(cards).counts)
            found["no" if now is None else "ruled" if now.ruled else "yes"].append(cards)
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
