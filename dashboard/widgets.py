"""What screens are built from: figures, tables with download, rates with their interval, empty states.

Knows how to draw. Whatever a log says is drawn as plain text, never as Markdown or HTML.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from analysis.catalogue import Statistic, StatisticColumn, statistics
from analysis.warehouse import Warehouse
from dashboard import export, markup, roles, store
from dashboard.text import TEXTS, language, say
from ingest.faults import CATALOGUE

MILLION = 1_000_000
MISSING = "–"
SHOWN = 500
"""Rows that a table shows; its download has all."""
SPOKEN = {"verdict": "", "severity": "", "role": "", "position": "position.", "phase": "phase."}
"""Columns whose values are words of our own, and where their names stand in ``TEXTS``."""


def empty(title: str, more: str = "") -> None:
    """Nothing to show, and what to do about it. Only for sentences of our own: both are Markdown."""
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(f":material/inbox: **{title}**", width="content")
        if more:
            st.caption(more, width="content")


def figures(named: Mapping[str, int]) -> None:
    """A row of whole numbers."""
    with st.container(horizontal=True):
        for name, value in named.items():
            st.metric(
                name[:1].upper() + name[1:],
                _short(value),
                border=True,
                width=165,
                help=f"{value:,}" if value >= MILLION else None,
            )


def _short(number: int) -> str:
    return f"{number:,}" if number < MILLION else f"{number / MILLION:.2f}M"


def trouble(sentence: str, reason: str = "") -> None:
    """Something did not work: our sentence, and the reason letter for letter."""
    with st.container(border=True):
        st.markdown(f":red[:material/error:] {sentence}")
        if reason:
            st.html(f'{markup.STYLE}<div class="fp-plain">{markup.plain(reason)}</div>')


def opened() -> Warehouse | None:
    """The store, or None and on the page the reason why there is none."""
    try:
        warehouse = store.opened()
    except store.TROUBLE as problem:
        trouble(say("store_unreadable"), str(problem))
        return None
    if warehouse is None:
        empty(say("no_hands"), say("no_store" if store.folder() is None else "store_missing"))
    return warehouse


def spoken(column: str, value: Any) -> Any:
    """A value of the tables as people read it; nothing for what is missing."""
    if pd.isna(value):
        return ""
    if column not in SPOKEN:
        return value
    key = f"{SPOKEN[column]}{value}"
    return say(key) if key in TEXTS else value


def code_title(code: str) -> str:
    """A code with what it means."""
    fault = CATALOGUE.get(code)
    return code if fault is None else f"{code} {fault.title_zh if language() == 'zh' else fault.title_en}"


def choice(label: str, options: Sequence[str], key: str, place: Any = st, help: str | None = None) -> str | None:
    """One of several words, or None for all of them, which the first of the list stands for."""
    offered = ["", *options]
    chosen = place.selectbox(
        label,
        offered,
        format_func=named(offered, lambda word: (say(word) if word in TEXTS else word) if word else say("all")),
        key=key,
        help=help,
        persist_state="session",
    )
    return chosen or None


def several(label: str, options: Sequence[str], namer: Callable[[str], str], key: str, place: Any = st) -> list[str]:
    """Some of several words; none chosen means all."""
    return place.multiselect(label, options, format_func=named(options, namer), key=key, placeholder=say("all"))


def named(options: Iterable[Any], namer: Callable[[Any], str]) -> Callable[[Any], str]:
    """How options are shown, said now: Streamlit asks again where no language is known."""
    return {option: namer(option) for option in options}.__getitem__


# --- tables


def download(frame: pd.DataFrame, key: str) -> None:
    """The frame as CSV."""
    st.download_button(
        say("download_csv"),
        lambda: export.csv_of(frame),
        f"{key}.csv",
        "text/csv",
        key=f"download-{key}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def selectable(frame: pd.DataFrame, key: str, chosen: Callable[[int], None]) -> None:
    """A table of which one row may be clicked; ``chosen`` is told its number."""

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            chosen(rows[0])

    st.dataframe(frame, hide_index=True, key=key, on_select=clicked, selection_mode="single-row", placeholder=MISSING)


def statistic(name: str, frame: pd.DataFrame, chart: Callable[[pd.DataFrame], None] | None = None) -> None:
    """A statistic's answer: its title, what it counts, a chart where there is one, its table and the download."""
    declared = statistics()[name]
    chinese = language() == "zh"
    st.subheader(declared.title_zh if chinese else declared.title_en)
    st.caption(declared.definition_zh if chinese else declared.definition_en)
    if frame.empty:
        empty(say("nothing_counted"))
        return
    if chart is not None:
        chart(frame)
    shown = readable(frame.head(SHOWN), declared)
    st.dataframe(shown, hide_index=True, column_config=_columns(frame, declared), placeholder=MISSING)
    with st.container(horizontal=True, vertical_alignment="center"):
        download(frame, name)
        if len(frame) > SHOWN:
            st.caption(say("first_rows", shown=SHOWN, count=f"{len(frame):,}"))


def readable(frame: pd.DataFrame, declared: Statistic) -> pd.DataFrame:
    """An answer as people read it: words for codes, one interval for two bounds, small samples marked."""
    shown = pd.DataFrame(index=frame.index)
    for column in declared.columns:
        if column.name.endswith("high") and _low(column.name) in frame:
            shown[column.name] = [
                interval(low, high) for low, high in zip(frame[_low(column.name)], frame[column.name], strict=True)
            ]
        elif column.unit == "rate" and column.name in frame and not column.name.endswith("low"):
            shown[column.name] = frame[column.name] * 100
        elif not (column.name.endswith("low") and _high(column.name) in frame):
            shown[column.name] = _words(column, frame)
        if column.name == "code":
            shown["title"] = frame["code"].map(code_title).str.partition(" ")[2]
    if declared.minimum and declared.sample is not None:
        few = say("few", minimum=declared.minimum)
        shown["sample"] = ["" if count >= declared.minimum else few for count in frame[declared.sample]]
    return shown


def _words(column: StatisticColumn, frame: pd.DataFrame) -> pd.Series:
    """A column as people read it; roles and outcomes are called what each row's game calls them."""
    values = frame[column.name]
    of_the_game = {"role": roles.role, "outcome": roles.outcome}.get(column.name)
    if column.unit != "text":
        return values
    if of_the_game is None or "rules" not in frame:
        return values.map(lambda value: spoken(column.name, value))
    pairs = zip(values, frame["rules"], strict=True)
    told = ["" if pd.isna(value) else of_the_game(value, None if pd.isna(law) else law) for value, law in pairs]
    return pd.Series(told, index=values.index)


def _low(name: str) -> str:
    return f"{name.removesuffix('high')}low"


def _high(name: str) -> str:
    return f"{name.removesuffix('low')}high"


def interval(low: float | None, high: float | None) -> str:
    """A 95 % interval of a rate."""
    return "" if pd.isna(low) or pd.isna(high) else f"{low:.1%} – {high:.1%}"


def _columns(frame: pd.DataFrame, declared: Statistic) -> dict[str, Any]:
    """Streamlit's settings for every column of a readable answer."""
    settings = {column.name: _column(column, frame) for column in declared.columns}
    return settings | {"title": say("col.title"), "sample": say("sample")}


def _column(column: StatisticColumn, frame: pd.DataFrame) -> Any:
    title, meaning = (column.zh, column.meaning_zh) if language() == "zh" else (column.en, column.meaning_en)
    if column.name.endswith("high"):
        return st.column_config.TextColumn(say("interval"), help=say("interval_help"))
    if column.unit == "rate":
        return st.column_config.NumberColumn(title, help=meaning, format="%.1f%%")
    if column.unit == "day":
        return st.column_config.DateColumn(title, help=meaning, format="YYYY-MM-DD")
    if column.unit == "number" and pd.api.types.is_float_dtype(frame[column.name]):
        return st.column_config.NumberColumn(title, help=meaning, format="%.2f")
    return st.column_config.Column(title, help=meaning)
