"""Spoilt hands: each spoiler gives its code, names it in the tags, and leaves the rest of the table sound."""

from functools import cache
from random import Random

import msgspec
import pytest

from ingest.audit import Hand, examine
from ingest.faults import severity
from ingest.rules.ruleset import load
from ingest.simulate import SPOILERS, first_fault, hands, spoil
from tests.test_simulate import CLIMBING, in_order, played, sample

WHERE = {"D205": "platform", "D208": "emperor", "S605": "platform"}
"""Rulesets in which a code can be had, for codes that ``classic`` does not know or seldom has."""


@cache
def lawful_hands(name: str) -> tuple[Hand, ...]:
    return tuple(examine(record, load(name)) for record in played(name, 150))


@pytest.mark.parametrize("code", SPOILERS)
def test_a_spoiler_gives_its_code(code: str) -> None:
    name, rng = WHERE.get(code, "classic"), Random(code)
    spoilt = [line for hand in lawful_hands(name) if (line := spoil(hand, rng, [code]))]
    assert len(spoilt) >= 3
    for line in spoilt:
        assert first_fault(line, load(name)) == ("S603" if code == "S604" else code)
        assert code == "R101" or msgspec.json.decode(line)["tags"]["spoilt"] == code


@pytest.mark.parametrize("name", CLIMBING)
def test_spoilt_logs_are_faulty_where_they_say_so_and_only_there(name: str) -> None:
    rules = load(name)
    sound, lines = set(sample(name, 150)), list(hands(rules, 90, faults=0.4))
    spoilt = [line not in sound for line in lines]
    assert 0.2 < sum(spoilt) / len(spoilt) < 0.6
    for line, faulty, audited in zip(lines, spoilt, in_order(lines), strict=True):
        faults = [finding.code for finding in audited.verdict.findings if severity(finding) == "fault"]
        if faulty:
            assert first_fault(line, rules) in faults
        else:
            assert not faults, (faults, line)


def test_many_codes_are_had_with_and_without_an_auction() -> None:
    for name in ("classic", "emperor", "platform", "rlcard"):
        seen = {first_fault(line, load(name)) for line in hands(load(name), 80, faults=1.0)}
        assert len(seen - {None}) >= 18
