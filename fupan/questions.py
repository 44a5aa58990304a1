"""Questions about cards and scores: the answers of ``readings``, ``beats`` and ``settle``, for every game."""

from typing import Any

import msgspec
from msgspec import Struct

from ingest.cards import Cards, UnreadableCards, covers, read_cards
from ingest.rules.answers import answers_of
from ingest.rules.combinations import ReadingName, public
from ingest.rules.deal import full_pack
from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset
from ingest.rules.settlement import Facts, Settlement, settle
from ingest.rules.tricks import leads, outranks, table_of


class Refused(Exception):
    """The command itself was wrong; ``args`` is what a person is told."""


class Beaten(Struct, frozen=True):
    """May one set of cards be played on another, and as what?"""

    beats: bool
    reading: ReadingName | None
    standing: ReadingName | None


def readings_of(text: str, rules: AnyRuleset, trump: str | None) -> list[ReadingName]:
    """All readings of a card text, the canonical one first."""
    if isinstance(rules, TrickRuleset):
        return leads(_suited(text), table_of(rules, _trump(rules, trump), 0))
    _no_trump(rules, trump)
    return [public(reading) for reading in answers_of(rules).readings(_counts(text, rules))]


def beaten(text: str, standing: str, rules: AnyRuleset, trump: str | None) -> Beaten:
    """Whether cards may be played on a standing play; in 三打哈, whether they win against it."""
    if isinstance(rules, TrickRuleset):
        table = table_of(rules, _trump(rules, trump), 0)
        mine, other = (next(iter(leads(_suited(cards), table)), None) for cards in (text, standing))
        _must_stand(other, standing)
        return Beaten(outranks(_suited(text), _suited(standing), table), mine, other)
    _no_trump(rules, trump)
    answers = answers_of(rules)
    on_table = answers.answer(answers.lead, _counts(standing, rules))
    found = answers.readings(_counts(text, rules))
    if on_table is None:
        raise Refused(f"{standing}: no combination")
    now = answers.answer(on_table, _counts(text, rules))
    shown = now.readings if now else found
    return Beaten(now is not None, public(shown[0]) if shown else None, public(on_table.readings[0]))


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
    if facts.marker is not None and _cards(facts.marker).size != 1:
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


def _must_stand(reading: ReadingName | None, text: str) -> None:
    if reading is None:
        raise Refused(f"{text}: no combination")


def _trump(rules: TrickRuleset, trump: str | None) -> str:
    if trump is None or trump not in rules.trump_choice:
        raise Refused(f"--trump: one of {', '.join(rules.trump_choice)}")
    return trump


def _no_trump(rules: Ruleset, trump: str | None) -> None:
    if trump is not None:
        raise Refused(f"--trump: {rules.name} has no trump suit")


def _counts(text: str, rules: Ruleset) -> int:
    """Packed counts, 0 for cards that the pack does not have: they are no combination."""
    cards = _cards(text)
    return cards.counts if covers(full_pack(rules).packed, cards.packed) else 0


def _suited(text: str) -> Cards:
    cards = _cards(text)
    if not cards.suited:
        raise Refused(f"{text}: here every card needs its suit")
    return cards


def _cards(text: str) -> Cards:
    try:
        return read_cards(text)
    except UnreadableCards as problem:
        raise Refused(f"{text}: {problem.args[1]!r} is no card") from None
