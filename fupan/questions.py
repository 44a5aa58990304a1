"""What a hand is worth by its facts: the answer of ``settle``, for every game."""

from typing import Any

import msgspec

from ingest.rules.asked import Beaten, Refused, beaten, cards_of, readings_of
from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset
from ingest.rules.settlement import Facts, Settlement, settle

__all__ = ["Beaten", "Refused", "beaten", "readings_of", "settled"]


def settled(text: bytes, rules: AnyRuleset) -> Settlement:
    """What a hand with these facts is worth."""
    if isinstance(rules, TrickRuleset):
        facts = _facts(text, TrickFacts)
        _at_table([facts.landlord, facts.poked_by or 0], rules)
        return settle_level(facts, rules)
    return settle(_climbing_facts(text, rules), rules)


def _climbing_facts(text: bytes, rules: Ruleset) -> Facts:
    facts: Facts = _facts(text, Facts)
    _at_table([facts.landlord, facts.escape or 0], rules)
    if (facts.winner is None) == (facts.escape is None):
        raise Refused("FACTS: either winner or escape")
    if facts.escape is not None and not rules.escape.enabled:
        raise Refused(f"FACTS: {rules.name} knows no escape")
    if facts.marker is not None and cards_of(facts.marker).size != 1:
        raise Refused("FACTS: marker is one card")
    if any(not rules.bomb.min_size <= size <= 4 * rules.deal.packs for size in facts.bombs):
        raise Refused(f"FACTS: bombs have {rules.bomb.min_size} to {4 * rules.deal.packs} cards under {rules.name}")
    if facts.spring and facts.anti_spring:
        raise Refused("FACTS: spring and anti_spring exclude each other")
    if facts.balances is not None and len(facts.balances) != rules.deal.players:
        raise Refused(f"FACTS: balances of {rules.deal.players} players")
    return facts


def _facts(text: bytes, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise Refused(f"FACTS: {problem}") from None


def _at_table(seats: list[int], rules: AnyRuleset) -> None:
    if max(seats) >= rules.deal.players:
        raise Refused(f"FACTS: {rules.deal.players} players sit at seats 0 to {rules.deal.players - 1}")
