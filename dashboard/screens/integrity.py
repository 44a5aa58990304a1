"""The screens of integrity: what is odd, why, on how many hands, with the hands to look at; never a verdict.

Every statistic of the catalogue that scores and names evidence is one; none is listed here.
"""

import pandas as pd
import streamlit as st

from analysis.catalogue import Statistic, statistics
from analysis.chapters import is_screen
from analysis.warehouse import Warehouse
from dashboard import address, filters, links, markup, numbers, store, tables, widgets
from dashboard.text import chosen, language, say

SHOWN = 12
"""Rows that are told one by one at most; the table below has all."""
LOOK, UNSURE = 2.0, 1.3
"""Scores (minus the logarithm of an adjusted p) from which a row is worth a look, or cannot be told from chance."""
_NOT_NAMES = ("reason", "innocent", "evidence", "effect_kind")


def _title(each: Statistic) -> str:
    return chosen(each.title_zh, each.title_en)


def _choose() -> Statistic:
    """The screen to look at."""
    known = {each.name: each for each in statistics().values() if is_screen(each)}
    name = address.choice(say("integrity.which"), "stat", tuple(known), lambda name: _title(known[name]), width=360)
    return known[name]


# --- row by row


def _told(frame: pd.DataFrame, each: Statistic) -> None:
    """The rows worth a look, highest scores first, each with its reason, evidence and what would make it harmless."""
    scored = frame[frame["score"].notna()].sort_values("score", ascending=False, kind="stable")
    if scored.empty:
        st.caption(say("integrity.unscored", minimum=numbers.count(each.minimum)))
        return
    odd = [row for _, row in scored.head(SHOWN).iterrows() if _state(row["score"], "adjusted" in row) != "clear"]
    if odd:
        st.html(f"{markup.STYLE}{''.join(_row(row, each) for row in odd)}")
    else:
        widgets.empty(say("integrity.nothing_odd", count=numbers.count(len(scored))))


def _row(row: pd.Series, each: Statistic) -> str:
    kind = _state(row["score"], "adjusted" in row)
    state = f"<span class='fp-state'>{markup.plain(say(f'integrity.{kind}'))}</span>"
    head = f"<b>{markup.plain(_name(row, each))}</b> {state}"
    parts = [head, _scored(row, each), _text(row, "reason")]
    innocent = _text(row, "innocent")
    if innocent:
        parts.append(f"<span class='fp-dim'>{markup.plain(say('integrity.innocent'))}</span> {innocent}")
    evidence = _evidence(row["evidence"])
    parts.append(f"<span class='fp-dim'>{markup.plain(say('integrity.evidence'))}</span> {evidence}")
    return f"<div class='fp-screen fp-{kind} fp-plain'>{'<br>'.join(filter(None, parts))}</div>"


def _state(score: float, adjusted: bool) -> str:
    """Worth a look, not to be told from chance, or nothing odd. Scores of no p only rank."""
    if not adjusted:
        return "look" if score > 0 else "clear"
    return "look" if score >= LOOK else "unsure" if score >= UNSURE else "clear"


def _name(row: pd.Series, each: Statistic) -> str:
    """What a row is about: its texts that are no reason."""
    found = []
    for column in each.columns:
        named = column.unit in ("text", "day") and not column.name.startswith(_NOT_NAMES)
        if named and pd.notna(row[column.name]) and row[column.name] != "":
            value = (
                str(row[column.name])[:10] if column.unit == "day" else widgets.spoken(column.name, row[column.name])
            )
            found.append(f"{chosen(column.zh, column.en)} {value}")
    return " · ".join(found)


def _scored(row: pd.Series, each: Statistic) -> str:
    """Score and sample."""
    sample = each.sample or "hands"
    told = [f"{say('integrity.score')} {numbers.number(row['score'])}"]
    if sample in row:
        title = next((chosen(c.zh, c.en) for c in each.columns if c.name == sample), "")
        told.append(f"{title} {numbers.count(row[sample])}")
    if "adjusted" in row and pd.notna(row["adjusted"]):
        told.append(f"{say('integrity.adjusted')} {row['adjusted']:.2g}")
    return f"<small>{markup.plain(' · '.join(told))}</small>"


def _text(row: pd.Series, name: str) -> str:
    value = row.get(f"{name}_{language()}")
    return "" if value is None or pd.isna(value) else markup.plain(value)


def _evidence(hands: object) -> str:
    """Hands as links, by their running numbers."""
    if hands is None or pd.isna(hands) or not str(hands).strip():
        return markup.plain(numbers.MISSING)
    found = [word for word in str(hands).replace(",", " ").split() if word.isdecimal()]
    return " ".join(
        f'<a href="{markup.plain(links.to("hand", hand=word))}" target="_self">#{markup.plain(word)}</a>'
        for word in found
    )


# --- the page


def _table(frame: pd.DataFrame, each: Statistic) -> None:
    """Everything, as a table; reasons in the language of the session only."""
    other = "_en" if language() == "zh" else "_zh"
    columns = [
        column
        for column in tables.columns_of(each, frame)
        if not (column.name.startswith(("reason", "innocent")) and column.name.endswith(other))
    ]
    tables.show(each.name, frame, columns, few=tables.small(each))


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
        widgets.trouble(say("failed"), str(reason))


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
