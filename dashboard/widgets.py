"""What screens are built from: figures, choices, tables of which one row is chosen, empty states.

Knows how to draw. Whatever a log says is drawn as plain text, never as Markdown or HTML.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pandas as pd
import streamlit as st

from analysis.warehouse import NeedsUpgrade, Warehouse
from dashboard import export, links, markup, numbers, store
from dashboard.text import TEXTS, language, say
from ingest.faults import CATALOGUE

SPOKEN = {"verdict": "", "severity": "", "role": ""} | {
    column: f"{column}." for column in ("position", "phase", "deal_mode", "scope", "effect_kind", "test", "kind")
}
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
                numbers.short(value),
                border=True,
                width=165,
                help=f"{value:,}" if value >= numbers.MILLION else None,
            )


def trouble(sentence: str, reason: str = "") -> None:
    """Something did not work: our sentence, and the reason letter for letter."""
    with st.container(border=True):
        st.markdown(f":red[:material/error:] {sentence}")
        if reason:
            plain([reason])


def plain(lines: Iterable[str]) -> None:
    """Lines letter for letter."""
    text = markup.plain("\n".join(lines))
    st.html(f'{markup.STYLE}<div class="fp-plain">{text}</div>')


def failed(problem: Exception) -> None:
    """A question that was not answered: what the store lacks for it, or the reason."""
    if isinstance(problem, NeedsUpgrade):
        trouble(store.said(problem))
    else:
        trouble(say("failed"), str(problem))


@contextmanager
def part() -> Iterator[None]:
    """A part of a screen that stands by itself: what an earlier store lacks for it is said there, the rest is drawn."""
    try:
        yield
    except NeedsUpgrade as problem:
        failed(problem)


def opened(*, empty_too: bool = False) -> Warehouse | None:
    """The store, or None and on the page the reason why there is none, or why it has nothing to show."""
    try:
        warehouse = store.opened()
    except store.TROUBLE as problem:
        trouble(say("store_unreadable"), store.said(problem))
        return None
    if warehouse is None or not (empty_too or warehouse.damage or warehouse.manifest.rows("hands")):
        empty(say("no_hands"), say("no_store" if store.folder() is None else "store_missing"))
        links.button("audit", say("go_audit"), "upload_file")
        return None
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


MIMES = {
    "html": "text/html",
    "jsonl": "application/jsonl",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}


def downloads(key: str, **files: Callable[[], bytes]) -> None:
    """The same in several formats; each is made when it is asked for."""
    for kind, made in files.items():
        st.download_button(
            say(f"download_{kind}"),
            made,
            f"{key}.{kind}",
            MIMES[kind],
            key=f"download-{key}-{kind}",
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

    st.dataframe(
        frame, hide_index=True, key=key, on_select=clicked, selection_mode="single-row", placeholder=numbers.MISSING
    )
