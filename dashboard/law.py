"""The law of a ruleset for a screen: its sheet beside those of others, and questions about cards.

Passes questions on. Judges nothing itself.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pandas as pd

from dashboard.text import chosen, say
from ingest.rules.asked import Beaten, Refused, beaten, readings_of
from ingest.rules.combinations import ReadingName
from ingest.rules.ruleset import AnyRuleset, TrickRuleset, builtin_names, load_any, parent_of
from ingest.rules.sheet import meanings, parameters

__all__ = ["Beaten", "ReadingName", "Refused", "beats", "names", "parent_of", "readings", "sheet", "title", "trumps"]


@cache
def _law(name: str) -> AnyRuleset:
    return load_any(name)


def names() -> list[str]:
    """Every built-in ruleset."""
    return list(builtin_names())


def title(name: str) -> str:
    """What a ruleset is called."""
    return chosen(_law(name).title_zh, _law(name).title_en)


def trumps(name: str) -> tuple[str, ...]:
    """The trumps to choose from; none where the game has none."""
    law = _law(name)
    return tuple(law.trump_choice) if isinstance(law, TrickRuleset) else ()


def readings(cards: str, rules: str, trump: str | None) -> list[ReadingName]:
    """All readings of a card text. Raises ``Refused``."""
    return readings_of(cards, _law(rules), trump)


def beats(cards: str, standing: str, rules: str, trump: str | None) -> Beaten:
    """Whether cards may be played on others. Raises ``Refused``."""
    return beaten(cards, standing, _law(rules), trump)


def sheet(rules: Sequence[str]) -> pd.DataFrame:
    """Parameters of some rulesets side by side: ``path``, ``meaning``, a column for each, and whether they differ."""
    values = {name: parameters(_law(name)) for name in rules}
    paths = dict.fromkeys(path for own in values.values() for path in own)
    rows = []
    for path in paths:
        own = {name: _shown(values[name].get(path, _ABSENT)) for name in rules}
        meaning = chosen(*meanings().get(path, ("", "")))
        rows.append({"path": path, "meaning": meaning, **own, "differs": len(set(own.values())) > 1})
    return pd.DataFrame(rows)


_ABSENT = object()


def _shown(value: Any) -> str:
    """A value as a sheet shows it."""
    if value is _ABSENT:
        return "–"
    if isinstance(value, bool):
        return say("yes" if value else "no")
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "–"
    return str(value)
