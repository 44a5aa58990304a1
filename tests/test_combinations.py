"""What is a combination and what beats what: the cases of kinds ``readings`` and ``beats``.

A reading is written ``name length rank``. ``expect`` of a reading case: all readings in canonical order (U-R12).
``ruled``: whether the play carries P410. ``stands``: what a play that beats stands for afterwards (U-R10).
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from ingest.cards import read_cards
from ingest.rules.answers import Answers, answers_of
from ingest.rules.combinations import Reading, law_of, public, readings
from ingest.rules.ruleset import load

Named = Callable[[dict[str, Any]], str]


def written(found: Iterable[Reading]) -> list[str]:
    return [f"{reading.name} {reading.length} {reading.rank}" for reading in map(public, found)]


def test_readings(readings_case: dict[str, Any], named: Named):
    rules = load(named(readings_case))
    counts = read_cards(readings_case["cards"]).counts
    assert written(readings(counts, law_of(rules))) == readings_case["expect"]
    answers = Answers(rules)
    led = answers.answer(answers.lead, counts)
    assert (led is not None and led.ruled) == readings_case.get("ruled", False)


def test_beats(beats_case: dict[str, Any], named: Named):
    answers = Answers(load(named(beats_case)))
    standing = answers.answer(answers.lead, read_cards(beats_case["standing"]).counts)
    assert standing is not None
    now = answers.answer(standing, read_cards(beats_case["cards"]).counts)
    assert (now is not None) == beats_case["expect"]
    assert (now is not None and now.ruled) == beats_case.get("ruled", False)
    if "stands" in beats_case:
        assert now is not None
        assert written(now.readings) == beats_case["stands"]


def test_what_was_answered_once_is_answered_so_again(climbing: str):
    answers = answers_of(load(climbing))
    three, four, bomb = (read_cards(text).counts for text in ("3", "4", "33333333"))
    standing = answers.answer(answers.lead, three)
    assert standing is not None
    assert answers.answer(standing, four) is answers.answer(standing, four) is not None
    assert answers.answer(standing, three) is answers.answer(standing, three) is None
    assert answers.readings(bomb) is answers.readings(bomb)


def test_a_full_memory_is_forgotten_and_answers_stay_right(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ingest.rules.answers.REMEMBERED", 2)
    answers = Answers(load("classic"))
    for standing, cards, beats in [("3", "4", True), ("44", "55", True), ("4", "3", False), ("BR", "3333", False)] * 2:
        on_table = answers.answer(answers.lead, read_cards(standing).counts)
        assert on_table is not None
        assert (answers.answer(on_table, read_cards(cards).counts) is not None) == beats


def test_no_cards_are_no_combination(climbing: str):
    assert readings(0, law_of(load(climbing))) == ()
