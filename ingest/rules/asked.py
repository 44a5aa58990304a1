"""Questions about cards: what combination are they, and may they be played on others, for every game.

Knows how cards are written and which mechanism answers under a ruleset. Refuses to know who asks.
"""

from msgspec import Struct

from ingest.cards import Cards, UnreadableCards, covers, read_cards
from ingest.rules.answers import answers_of
from ingest.rules.combinations import ReadingName, public
from ingest.rules.deal import full_pack
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset
from ingest.rules.tricks import leads, outranks, table_of


class Refused(Exception):
    """The question itself was wrong; ``args`` is what a person is told."""


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
    cards = cards_of(text)
    return cards.counts if covers(full_pack(rules).packed, cards.packed) else 0


def _suited(text: str) -> Cards:
    cards = cards_of(text)
    if not cards.suited:
        raise Refused(f"{text}: here every card needs its suit")
    return cards


def cards_of(text: str) -> Cards:
    """A card text as cards. Raises ``Refused``."""
    try:
        return read_cards(text)
    except UnreadableCards as problem:
        raise Refused(f"{text}: {problem.args[1]!r} is no card") from None
