"""The screens of integrity: what is odd, why, on how many hands, with the hands to look at; never a verdict.

Every statistic of the catalogue that scores and names evidence is one; none is listed here. What of its rows is told,
``analysis.standouts`` says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from msgspec import structs

from analysis.catalogue import Statistic, statistics
from analysis.chapters import is_screen
from analysis.declared import StatisticColumn
from analysis.standouts import PLACES, TEST, Standout, about, standouts
from analysis.warehouse import Warehouse
from dashboard import address, filters, links, markup, numbers, store, tables, widgets
from dashboard.text import chosen, language, say

SHOWN = 12
"""Causes that are told one by one at most; the table below has all rows."""


def _title(each: Statistic) -> str:
    return chosen(each.title_zh, each.title_en)


def _choose() -> Statistic:
    """The screen to look at."""
    known = {each.name: each for each in statistics().values() if is_screen(each)}
    name = address.choice(say("integrity.which"), "stat", tuple(known), lambda name: _title(known[name]), width=360)
    return known[name]


# --- row by row


def _told(frame: pd.DataFrame, each: Statistic) -> None:
    """What stands out, highest scores first, each with its reasons, evidence and what would make it harmless."""
    found = standouts(each, frame, SHOWN)
    if found.told:
        st.html(f"{markup.STYLE}{''.join(_cause(one, each) for one in found.told)}")
    elif not found.scored:
        key = "integrity.unscored_deals" if "deal_mode" in frame else "integrity.unscored"
        st.caption(say(key, minimum=numbers.count(each.minimum)))
    else:
        widgets.empty(say("integrity.nothing_odd", count=numbers.count(found.scored)))
    if found.causes > len(found.told):
        st.caption(say("integrity.more", count=numbers.count(found.causes - len(found.told))))
    if found.few:
        st.caption(say("integrity.few", count=numbers.count(found.few), minimum=numbers.count(each.minimum)))


def _cause(one: Standout, each: Statistic) -> str:
    kind = "look" if one.look else "unsure"
    state = f"<span class='fp-state'>{markup.plain(say(f'integrity.{kind}'))}</span>"
    names = [column for column in about(each) if not (column.name == TEST and one.tests)]
    head = f"<b>{_named(one.row, [name for name in names if name.name not in PLACES])}</b> {state}"
    place = _named(one.row, [name for name in names if name.name in PLACES])
    where = f"{_dim('integrity.strongest')} {place}" if place and one.row.get("scope") != "all" else ""
    parts = [head, where, _touched(one.touched, each), _scored(one.row, each)]
    for row in one.tests or (one.row,):
        parts += _symptom(row, each, scored=bool(one.tests))
    return f"<div class='fp-screen fp-{kind} fp-plain'>{'<br>'.join(filter(None, parts))}</div>"


def _symptom(row: Mapping[str, Any], each: Statistic, *, scored: bool) -> Iterator[str]:
    """A reason, what would make it harmless, and hands; of one test among several its score too."""
    yield _text(row, "reason") + (f" {_scored(row, each)}" if scored else "")
    innocent = _text(row, "innocent")
    if innocent:
        yield f"{_dim('integrity.innocent')} {innocent}"
    yield f"{_dim('integrity.evidence')} {_evidence(row['evidence'], links.behind(each, row))}"


def _dim(key: str) -> str:
    return f"<span class='fp-dim'>{markup.plain(say(key))}</span>"


def _touched(touched: Sequence[tuple[str, int]], each: Statistic) -> str:
    """In how many files, tables, rooms or days the same was seen."""
    titles = {column.name: chosen(column.zh, column.en) for column in each.columns}
    told = [f"{titles.get(name) or widgets.spoken('scope', name)} {numbers.count(count)}" for name, count in touched]
    return f"{_dim('integrity.touched')} {markup.plain(' · '.join(told))}" if told else ""


def _named(row: Mapping[str, Any], columns: Sequence[StatisticColumn]) -> str:
    """What a row is about, column by column."""
    found = []
    for column in columns:
        value = row[column.name]
        if value is not None and value != "":
            shown = str(value)[:10] if column.unit == "day" else widgets.spoken(column.name, value)
            found.append(f"{chosen(column.zh, column.en)} {shown}")
    return markup.plain(" · ".join(found))


def _scored(row: Mapping[str, Any], each: Statistic) -> str:
    """Score and sample."""
    sample = each.sample or "hands"
    told = [f"{say('integrity.score')} {numbers.number(row['score'])}"]
    if sample in row:
        title = next((chosen(c.zh, c.en) for c in each.columns if c.name == sample), "")
        told.append(f"{title} {numbers.count(row[sample])}")
    if "adjusted" in row and pd.notna(row["adjusted"]):
        told.append(f"{say('integrity.adjusted')} {row['adjusted']:.2g}")
    return f"<small>{markup.plain(' · '.join(told))}</small>"


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(f"{name}_{language()}")
    return "" if value is None or pd.isna(value) else markup.plain(value)


def _evidence(hands: object, every: str = "") -> str:
    """Hands as links, by their running numbers, then a way to ``every`` hand that was counted."""
    told = "" if hands is None or pd.isna(hands) else re.sub("[,=]", " ", str(hands))
    found = [(links.to("hand", hand=word), f"#{word}") for word in told.split() if word.isdecimal()]
    ways = [*found, *([(every, say("behind"))] if every else [])]
    said = [f'<a href="{markup.plain(to)}" target="_self">{markup.plain(name)}</a>' for to, name in ways]
    return " ".join(said) or markup.plain(numbers.MISSING)


# --- the page


def _table(frame: pd.DataFrame, each: Statistic) -> None:
    """Everything, as a table; reasons in the language of the session only."""
    other = "_en" if language() == "zh" else "_zh"
    columns = [
        column
        for column in tables.columns_of(each, frame)
        if not (column.name.startswith(("reason", "innocent")) and column.name.endswith(other))
    ]
    ways = [tables.behind(each)] if each.behind else []
    tables.show(each.name, frame, [*_with_ways(columns), *ways], few=tables.small(each))


def _with_ways(columns: Sequence[tables.Column]) -> Iterator[tables.Column]:
    """Evidence right behind the score, each hand a way to it."""
    evidence = [
        structs.replace(column, unit="html", word=lambda value, _: _evidence(value))
        for column in columns
        if column.name == "evidence"
    ]
    for column in columns:
        if column.name != "evidence":
            yield column
        if column.name == "score":
            yield from evidence


def _screen() -> None:
    st.title(say("integrity"))
    st.caption(say("integrity.lead_in"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    each = _choose()
    narrowing = filters.bar(warehouse, [key for key in address.FILTERS if key in each.parameters])
    st.subheader(_title(each))
    with st.expander(say("integrity.what"), icon=":material/help:"):
        st.text(chosen(each.definition_zh, each.definition_en))
    try:
        _answer(warehouse, each, narrowing)
    except store.TROUBLE as reason:
        widgets.failed(reason)


def _answer(warehouse: Warehouse, each: Statistic, narrowing: store.Narrowing) -> None:
    with st.spinner(say("integrity.running")):
        frame = store.statistic(warehouse, each.name, narrowing)
    if frame.empty:
        filters.nothing(warehouse, narrowing, say("integrity.none"))
        return
    _told(frame, each)
    st.markdown(f"#### {say('integrity.all')}")
    _table(frame, each)


_screen()
