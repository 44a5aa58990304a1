"""Never a false clean: of lawful hands that are changed in one thing, none that cannot be lawful is found clean."""

from collections import Counter

import pytest
from mutants import tried
from reliability import note

from ingest.rules.ruleset import builtin_names

DECIDED = {
    "auction: seat",
    "auction: twice",
    "plays: seat",
    "plays: order",
    "plays: gone",
    "plays: twice",
    "dealt card",
}


@pytest.mark.parametrize("rules", builtin_names())
def test_no_change_that_cannot_be_lawful_is_found_clean(rules: str):
    count = tried(rules, 6, seed=9)
    assert count.missed == []
    assert count.differing == []
    assert set(count.kinds) > DECIDED - {"auction: seat", "auction: twice"}
    assert count.unlawful * 2 > count.tried > 60


@pytest.mark.soak
def test_a_million_changes():
    tries, unlawful, missed, kinds = 0, 0, 0, Counter[str]()
    for seed in range(1_000):
        for rules in builtin_names():
            count = tried(rules, 4, seed)
            tries, unlawful, missed = tries + count.tried, unlawful + count.unlawful, missed + len(count.missed)
            kinds += count.kinds
            assert (count.missed, count.differing) == ([], [])
        if tries > 1_000_000:
            break
    note(
        "One thing changed in a lawful record",
        f"{tries:,} changes of {len(kinds)} kinds under {len(builtin_names())} rulesets; {unlawful:,} cannot be lawful,"
        f" {missed} of them found clean; both engines agree on all",
    )
