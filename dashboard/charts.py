"""The charts: colours with one meaning everywhere, axes that say nothing in a language that was not chosen."""

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.text import say

COLOURS = {"clean": "#2f9e44", "faulty": "#e03131", "unreadable": "#868e96", "fault": "#e03131", "note": "#f0a014"}
LABEL = 260
"""Pixels for the names along a chart of bars."""
BAR = 26
"""Pixels of one bar with its gap."""
DAY = "%Y-%m-%d"
TICKS = 8
"""Days named along an axis."""


def per_day(days: pd.DataFrame, verdicts: tuple[str, ...]) -> None:
    """Stacked columns: entries of every verdict, day by day. ``days``: ``day`` and one column a verdict.

    Days are drawn as UTC: a browser west of it would put midnight on the day before.
    """
    span = (days["day"].max() - days["day"].min()).days + 1
    ticks = {"interval": "day", "step": -(-span // TICKS)}
    long = days.melt("day", list(verdicts), "verdict", "hands")
    long["name"] = long["verdict"].map(say)
    long["place"] = long["verdict"].map({name: place for place, name in enumerate(verdicts)})
    chart = (
        alt.Chart(long, height=260)
        .mark_bar()
        .encode(
            alt.X(
                "utcyearmonthdate(day):T",
                title=None,
                scale=alt.Scale(type="utc"),
                axis=alt.Axis(format=DAY, labelOverlap=True, tickCount=ticks),
            ),
            alt.Y("sum(hands):Q", title=say("col.hands"), axis=alt.Axis(tickMinStep=1)),
            _colour(verdicts),
            alt.Order("place:Q"),
            [
                alt.Tooltip("utcyearmonthdate(day):T", title=say("overview.day"), format=DAY),
                alt.Tooltip("name:N", title=say("col.verdict")),
                alt.Tooltip("sum(hands):Q", title=say("col.hands")),
            ],
        )
    )
    st.altair_chart(chart)


def by_code(codes: pd.DataFrame) -> None:
    """Bars of the codes found most often. ``codes``: ``title``, ``severity`` and ``hands``."""
    codes = codes.assign(name=codes["severity"].map(say))
    chart = (
        alt.Chart(codes, height=BAR * len(codes) + 130)
        .mark_bar()
        .encode(
            alt.X("hands:Q", title=say("col.hands"), axis=alt.Axis(tickMinStep=1)),
            alt.Y("title:N", title=None, sort="-x", axis=alt.Axis(labelLimit=LABEL, labelOverlap=False)),
            _colour(("fault", "note")),
            tooltip=[alt.Tooltip("title:N", title=say("col.code")), alt.Tooltip("hands:Q", title=say("col.hands"))],
        )
    )
    st.altair_chart(chart)


def _colour(words: tuple[str, ...]) -> alt.Color:
    """The colour of a word, with a legend in the language that was chosen."""
    names = [say(word) for word in words]
    scale = alt.Scale(domain=names, range=[COLOURS[word] for word in words])
    return alt.Color("name:N", title=None, scale=scale, legend=alt.Legend(orient="top"))
