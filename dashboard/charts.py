"""The charts: colours with one meaning everywhere, axes that say nothing in a language that was not chosen."""

import altair as alt
import pandas as pd
import streamlit as st

from dashboard import numbers, roles
from dashboard.text import say

COLOURS = {"clean": "#4c9ac8", "faulty": "#d55e00", "unreadable": "#8a8f98", "fault": "#d55e00", "note": "#e69f00"}
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
    first, last = _a_week_at_least(days["day"].min(), days["day"].max())
    span = (last - first).days
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
                scale=alt.Scale(type="utc", domain=[_utc(first), _utc(last)], nice=False),
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


def _a_week_at_least(first: pd.Timestamp, last: pd.Timestamp) -> tuple[pd.Timestamp, pd.Timestamp]:
    """From when to when days are drawn: a single one would be as wide as the page."""
    more = pd.Timedelta(days=max(0, 6 - (last - first).days + 1) // 2)
    return first - more, last + more + pd.Timedelta(days=1)


def _utc(day: pd.Timestamp) -> alt.DateTime:
    return alt.DateTime(year=day.year, month=day.month, date=day.day, utc=True)


def _colour(words: tuple[str, ...]) -> alt.Color:
    """The colour of a word, with a legend in the language that was chosen."""
    names = [say(word) for word in words]
    scale = alt.Scale(domain=names, range=[COLOURS[word] for word in words])
    return alt.Color("name:N", title=None, scale=scale, legend=alt.Legend(orient="top"))


# --- of statistics

BLUE, ORANGE, GREY = "#4c9ac8", "#d98a2b", "#8a8f98"


def total(days: pd.DataFrame) -> None:
    """A running total, day by day. ``days``: ``day``, ``total``, ``score``, ``hands``."""
    base = alt.Chart(days, height=220).encode(
        alt.X("utcyearmonthdate(day):T", title=None, scale=alt.Scale(type="utc"), axis=alt.Axis(format=DAY)),
        alt.Y("total:Q", title=None),
        tooltip=[
            alt.Tooltip("utcyearmonthdate(day):T", title=say("overview.day"), format=DAY),
            alt.Tooltip("total:Q", title=say("chart.total"), format=",.1f"),
            alt.Tooltip("score:Q", title=say("chart.score"), format="+,.1f"),
            alt.Tooltip("hands:Q", title=say("col.hands")),
        ],
    )
    zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[3, 3]).encode(y="zero:Q")
    st.altair_chart(zero + base.mark_line(color=BLUE, point=len(days) < DOTS))


DOTS = 40
"""Points from which a line is drawn without them."""


def over_time(frame: pd.DataFrame) -> None:
    """A measure by day or month as a line in the band of its interval."""
    intervals(frame.sort_values("group").assign(label=frame["group"]), ordered=True)


def intervals(frame: pd.DataFrame, *, ordered: bool = False, title: str | None = None) -> None:
    """A measure by ``label``: points with their interval, in the order given; small samples fade."""
    key, per_cent = ("rate", True) if "rate" in frame else ("ratio" if "ratio" in frame else "mean", False)
    drawn = frame.assign(value=frame[key], shown=_told(frame, key))
    drawn["from"], drawn["to"] = _ends(frame, key)
    form = "%" if per_cent else ",.2f"
    labels = list(dict.fromkeys(drawn["label"].astype(str)))
    x = alt.X("label:N", title=title, sort=labels, axis=alt.Axis(labelOverlap=True, labelAngle=0))
    tips = [alt.Tooltip("label:N", title=title or " "), alt.Tooltip("shown:N", title=say("chart.value"))]
    base = alt.Chart(drawn, height=230).encode(x, tooltip=tips)
    y = alt.Y("value:Q", title=None, axis=alt.Axis(format=form), scale=alt.Scale(zero=False))
    bars = base.mark_rule(color=BLUE, opacity=0.55, strokeWidth=2).encode(alt.Y("from:Q", title=None), alt.Y2("to:Q"))
    faded = alt.Opacity("whole:Q", scale=alt.Scale(domain=[0, 100], range=[0.35, 1], clamp=True), legend=None)
    layers = bars + base.mark_point(filled=True, size=70, color=BLUE).encode(y, faded)
    if ordered and len(drawn) > 1:
        layers = base.mark_line(color=BLUE, opacity=0.5).encode(y) + layers
    st.altair_chart(layers)


def _told(frame: pd.DataFrame, key: str) -> list[str]:
    """The value with its counts, in words."""
    told = []
    for _, row in frame.iterrows():
        value = numbers.figure(row[key], rate=key == "rate")
        part = row["part"] if "part" in frame else row["total"]
        told.append(f"{value} ({numbers.number(part)} / {numbers.count(row['whole'])})")
    return told


def _ends(frame: pd.DataFrame, key: str) -> tuple[pd.Series, pd.Series]:
    if key == "rate":
        return frame["low"], frame["high"]
    return frame[key] - 1.96 * frame["error"], frame[key] + 1.96 * frame["error"]


def hours(frame: pd.DataFrame) -> None:
    """Win rates by the hour of the day."""
    intervals(frame.assign(label=frame["hour"], part=frame["wins"], whole=frame["hands"]), title=say("chart.hour"))


def shares(frame: pd.DataFrame) -> None:
    """How a whole is shared by classes. ``frame``: ``class``, ``part``, ``whole``, ``rate``."""
    drawn = frame.assign(shown=_told(frame, "rate"), label=frame["class"])
    chart = (
        alt.Chart(drawn, height=BAR * len(frame) + 60)
        .mark_bar(color=BLUE)
        .encode(
            alt.X("rate:Q", title=None, axis=alt.Axis(format="%")),
            alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelLimit=LABEL)),
            tooltip=[alt.Tooltip("label:N", title=" "), alt.Tooltip("shown:N", title=say("chart.value"))],
        )
    )
    st.altair_chart(chart)


def actions(frame: pd.DataFrame) -> None:
    """How often each thing was played, and the share of wins after it. ``frame``: ``label``, ``share``, ``rate`` …"""
    tips = [
        alt.Tooltip("label:N", title=" "),
        alt.Tooltip("turns:Q", title=say("spot.turns"), format=","),
        alt.Tooltip("share:Q", title=say("spot.share"), format=".1%"),
        alt.Tooltip("rate:Q", title=say("spot.rate"), format=".1%"),
    ]
    y = alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelLimit=LABEL, labelOverlap=False))
    base = alt.Chart(frame, height=BAR * len(frame) + 60).encode(y, tooltip=tips)
    often = base.mark_bar(color=BLUE, opacity=0.8).encode(
        alt.X("share:Q", title=say("spot.share"), axis=alt.Axis(format="%"))
    )
    x = alt.X("rate:Q", title=say("spot.rate"), axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    ended = base.mark_point(filled=True, color=ORANGE, size=60).encode(x)
    spread = base.mark_rule(color=ORANGE, opacity=0.7).encode(alt.X("low:Q"), alt.X2("high:Q"))
    left, right = st.columns(2)
    left.altair_chart(often)
    right.altair_chart(spread + ended)


def against(frame: pd.DataFrame, title: str) -> None:
    """A measure against a whole number: ``group``. Points with their interval, joined."""
    drawn = frame.assign(number=frame["group"].astype(int)).sort_values("number")
    intervals(drawn.assign(label=drawn["number"].astype(str)), ordered=True, title=title)


def by_role(frame: pd.DataFrame, most: int | None) -> None:
    """Rates of ``label`` for the landlord and the farmers side by side; the ``most`` frequent labels."""
    if most is not None:
        kept = frame.groupby("label")["rate"].max().nlargest(most).index
        frame = frame[frame["label"].isin(kept)]
    named = frame.assign(
        name=[roles.role(role, rules) for role, rules in zip(frame["role"], frame["rules"], strict=True)]
    )
    names = list(dict.fromkeys(named.sort_values("role", ascending=False)["name"]))
    colour = alt.Color(
        "name:N", title=None, scale=alt.Scale(domain=names, range=[ORANGE, BLUE]), legend=alt.Legend(orient="top")
    )
    tips = [
        alt.Tooltip("label:N", title=" "),
        alt.Tooltip("name:N", title=say("hand.role")),
        alt.Tooltip("rate:Q", title=say("chart.value"), format=".1%"),
        alt.Tooltip("low:Q", title=say("chart.from"), format=".1%"),
        alt.Tooltip("high:Q", title=say("chart.to"), format=".1%"),
    ]
    labels = list(dict.fromkeys(named["label"]))
    base = alt.Chart(named, height=50 * len(labels) + 60).encode(
        alt.Y("label:N", title=None, sort=labels, axis=alt.Axis(labelLimit=LABEL)),
        alt.YOffset("name:N", sort=names),
        tooltip=tips,
    )
    bars = base.mark_bar(opacity=0.75).encode(alt.X("rate:Q", title=None, axis=alt.Axis(format="%")), colour)
    spread = base.mark_rule(color=GREY).encode(alt.X("low:Q", title=None), alt.X2("high:Q"))
    st.altair_chart(bars + spread)
