"""What a hand would be worth under another law or with another fact, by hand (``variants.toml``)."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from by_hand import turned

from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.settlement import Facts, settle
from ingest.rules.variants import Variant, trick_variants, variants

CASES = tomllib.loads(Path(__file__).with_name("variants.toml").read_text("utf-8"))


def worth(scores: list[int] | None, multiplier: int) -> str:
    return "" if scores is None else f"{' '.join(map(str, scores))} ×{multiplier}"


def told(found: Iterable[Variant]) -> list[str]:
    return [f"{each.kind} {each.switch} {each.value}: {worth(each.scores, each.multiplier)}" for each in found]


@pytest.mark.parametrize("case", CASES["climbing"])
def test_what_a_hand_would_be_worth_otherwise(case: dict[str, Any]):
    """statistics.md 4.2, and the clause of each case."""
    law, given = turned(case["rules"], case.get("switches", {})), dict(case["facts"])
    if "balances" in given:
        given["balances"] = [None if has == "unknown" else has for has in given["balances"]]
    settled = settle(Facts(**given), law)
    assert worth(settled.scores, settled.multiplier) == case["settled"]
    assert told(variants(Facts(**given), law, settled)) == case["others"]


@pytest.mark.parametrize("case", CASES["tricks"])
def test_what_a_hand_of_tricks_would_be_worth_otherwise(case: dict[str, Any]):
    """F-R17 … F-R20, F-R31."""
    law, facts = load_any("sandaha"), TrickFacts(**case["facts"])
    assert isinstance(law, TrickRuleset)
    settled = settle_level(facts, law)
    assert worth(settled.scores, settled.multiplier) == case["settled"]
    assert told(trick_variants(facts, law, settled, case.get("bottom", 0))) == case["others"]
