"""Mistakes are made as they are said to be, and every explanation is of a mistake that can still be made."""

import ast
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "mutation"))
from mistakes import mistakes, sketched
from trial import MODULES, ROOT, explained

SOURCE = '''
def least(cards, limit=3):
    """The least of some cards."""
    assert cards
    found = min(cards)
    if found < limit and not limit == 9:
        return found + 1
    return [card for card in cards if card]
'''
EXPECTED = {
    "found = min(cards) → found = None",
    "min(cards) → max(cards)",
    "min(cards) → min(None)",
    "found < limit → found <= limit",
    "found < limit → found >= limit",
    "found < limit and (not limit == 9) → found < limit or not limit == 9",
    "found < limit and (not limit == 9) → not limit == 9",
    "found < limit and (not limit == 9) → found < limit",
    "not limit == 9 → limit == 9",
    "limit == 9 → limit != 9",
    "9 → 10",
    "9 → 8",
    "return found + 1 → return None",
    "found + 1 → found - 1",
    "1 → 2",
    "1 → 0",
    "return [card for card in cards if card] → return None",
    "for card in cards if card → for card in cards",
}


def test_every_small_mistake_is_made():
    made = list(mistakes(SOURCE, "source"))
    assert {each.name for each in made if not each.name.startswith("if ")} == EXPECTED
    assert len(made) == len(EXPECTED) + 2  # the condition turned round, and all of it left out
    assert {each.function for each in made} == {"least"}
    assert {each.lines[0] for each in made} == {5, 6, 7, 8}


def test_a_mistake_changes_what_the_function_does():
    def outcome(code) -> object:
        names: dict[str, object] = {}
        exec(compile(SOURCE, "source", "exec"), names)
        least = names["least"]
        least.__code__ = code
        try:
            return least([2, 5])
        except TypeError:
            return "no answer"

    found = {each.name: outcome(each.code) for each in mistakes(SOURCE, "source")}
    assert found["found + 1 → found - 1"] == 1
    assert found["min(cards) → max(cards)"] == [2, 5]
    assert found["found = min(cards) → found = None"] == "no answer"
    assert list(found.values()).count(3) == 8  # what it answers without a mistake


@pytest.mark.parametrize("module", MODULES)
def test_what_is_explained_can_still_be_made(module: str):
    told = {key[1:]: why for key, why in explained().items() if key[0] == module}
    if told:
        made = {each[:2] for each in sketched(ast.parse((ROOT / module).read_text("utf-8")))}
        assert set(told) - made == set()
        assert all(len(why) > 10 for why in told.values())
