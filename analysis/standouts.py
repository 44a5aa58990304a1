"""What of a screen of integrity is worth a look, every cause told once with how far it reaches.

Knows the columns that screens share: what a row is about, where it was seen, by which test, how it scores, on how many
hands. Refuses to know any single screen, and how anything is drawn. Where tests are summed up in a row ``all``, that
row decides, because it alone is corrected for all the others; a sample below the statistic's minimum is counted and
not told. Source: statistics.md 4.2 to 4.5.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.declared import Statistic, StatisticColumn
from analysis.screens import LOOK, UNSURE

PLACES = ("scope", "name", "source", "room", "day")
"""Columns that say where something was seen; the same elsewhere is the same cause."""
TEST, ALL = "test", "all"
_WORDS = ("reason", "innocent", "evidence", "effect_kind")
_SUBJECT, _CAUSE = "\x1fsubject", "\x1fcause"
"""Added columns: what a row is about, and that without the place."""

Row = dict[str, Any]


class Standout(Struct, frozen=True):
    """A cause that stands out."""

    row: Row
    """Where it is seen best."""
    look: bool
    """Worth a look; else it cannot be told from chance."""
    tests: tuple[Row, ...] = ()
    """Of a row that sums tests up those that stand out, the highest score first."""
    touched: tuple[tuple[str, int], ...] = ()
    """In how many places of each kind it was seen."""


class Standouts(Struct, frozen=True):
    """What stands out among the rows of a screen."""

    told: list[Standout]
    causes: int
    """How many causes there are; ``told`` has the first of them."""
    scored: int
    """Rows that have a score."""
    few: int
    """Rows that would stand out, had they not too small a sample."""


def about(statistic: Statistic) -> list[StatisticColumn]:
    """The columns that say what a row is about, places and tests among them."""
    return [each for each in statistic.columns if each.unit in ("text", "day") and not each.name.startswith(_WORDS)]


def standouts(statistic: Statistic, frame: pd.DataFrame, most: int) -> Standouts:
    """The causes that stand out, the highest scores first, at most so many of them."""
    odd = frame[pd.to_numeric(frame["score"]) >= UNSURE].sort_values("score", ascending=False, kind="stable")
    odd = odd.assign(**{_SUBJECT: _key(odd, _subject(statistic)), _CAUSE: _key(odd, _cause(statistic))})
    large = _large(statistic, odd)
    tests = odd[odd[TEST] != ALL] if TEST in odd else odd[:0]
    found = tests[large[tests.index]]
    heads = _heads(statistic, odd, tests)
    few = ~large[heads.index] | (heads[_SUBJECT].isin(tests[_SUBJECT]) & ~heads[_SUBJECT].isin(found[_SUBJECT]))
    heads = _by_test(statistic, heads[~few], found)
    best = heads.drop_duplicates(_CAUSE)
    told = [_standout(statistic, row, heads, found, frame) for _, row in best.head(most).iterrows()]
    return Standouts(told, len(best), int(frame["score"].notna().sum()), int(few.sum()))


def _large(statistic: Statistic, rows: pd.DataFrame) -> pd.Series:
    """Which rows have the sample that the statistic wants."""
    sample = statistic.sample
    return rows[sample] >= statistic.minimum if sample in rows else pd.Series(True, rows.index)


def _heads(statistic: Statistic, odd: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Rows that stand for themselves: no test that is summed up, no explanation where others score higher."""
    if "laid" in odd:
        return odd[odd["laid"] >= statistic.minimum]
    summed = odd.drop(tests.index)
    if tests.empty:
        return summed
    alone = tests[tests["adjusted"].isna() & ~tests[_SUBJECT].isin(summed[_SUBJECT])]
    return pd.concat([summed, alone]).sort_values("score", ascending=False, kind="stable")


def _by_test(statistic: Statistic, heads: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Places that stand out by the same test have the same cause."""
    if tests.empty or not _places(statistic):
        return heads
    worst = tests.drop_duplicates(_SUBJECT).set_index(_SUBJECT)[TEST]
    return heads.assign(**{_CAUSE: heads[_CAUSE] + "\x1f" + heads[_SUBJECT].map(worst).fillna("")})


def _standout(
    statistic: Statistic, row: pd.Series, heads: pd.DataFrame, tests: pd.DataFrame, frame: pd.DataFrame
) -> Standout:
    """One cause, from where it is seen best."""
    own = tests[tests[_SUBJECT] == row[_SUBJECT]] if row.get(TEST) == ALL else tests[:0]
    reach = _reach(statistic, row, heads[heads[_CAUSE] == row[_CAUSE]], frame)
    return Standout(
        _plain(row.to_dict()), bool(row["score"] >= LOOK), tuple(map(_plain, own.to_dict("records"))), reach
    )


def _reach(
    statistic: Statistic, row: pd.Series, same: pd.DataFrame, frame: pd.DataFrame
) -> tuple[tuple[str, int], ...]:
    """How many places of each kind have the cause; where rows have a scope, whatever they score."""
    places = _places(statistic)
    if "scope" not in places:
        return tuple((name, int(same[name].nunique())) for name in places)
    scopes = frame["scope"][_key(frame, _cause(statistic)) == row[_CAUSE]].value_counts()
    return tuple((scope, int(scopes[scope])) for scope in ("source", "table", "day") if scope in scopes)


def _subject(statistic: Statistic) -> list[str]:
    return [each.name for each in about(statistic) if each.name != TEST]


def _places(statistic: Statistic) -> list[str]:
    return [name for name in _subject(statistic) if name in PLACES]


def _cause(statistic: Statistic) -> list[str]:
    return [name for name in _subject(statistic) if name not in PLACES]


def _key(frame: pd.DataFrame, names: list[str]) -> pd.Series:
    """The values of some columns as one text for each row."""
    whole = pd.Series("", frame.index, dtype=object)
    for place, name in enumerate(names):
        whole = whole + ("\x1f" if place else "") + frame[name].map(str).astype(object)
    return whole


def _plain(row: Mapping[Hashable, Any]) -> Row:
    """A row as it was, None for what is missing."""
    own = ((str(name), value) for name, value in row.items() if name not in (_SUBJECT, _CAUSE))
    return {name: None if pd.isna(value) else value for name, value in own}
