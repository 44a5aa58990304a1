"""The charts: colours with one meaning everywhere, axes that say nothing in a language that was not chosen."""

import pandas as pd
import streamlit as st

from dashboard import numbers, roles, vega
from dashboard.text import say
from dashboard.vega import DAY, Channels, Spec

COLOURS = {"clean": "#4c9ac8", "faulty": "#d55e00", "unreadable": "#8a8f98", "fault": "#d55e00", "note": "#e69f00"}
LABEL = 260
"""Pixels for the names along a chart of bars."""
BAR = 26
"""Pixels of one bar with its gap."""
TICKS = 8
"""Days named along an axis."""
WHOLE: Spec = {"tickMinStep": 1}
"""An axis of counts."""
SHARE: Spec = {"format": "%"}
"""An axis of rates."""


def per_day(days: pd.DataFrame, verdicts: tuple[str, ...]) -> None:
    """Stacked columns: entries of every verdict, day by day. ``days``: ``day`` and one column a verdict."""
    first, last = _a_week_at_least(days["day"].min(), days["day"].max())
    ticks = {"interval": "day", "step": -(-(last - first).days // TICKS)}
    long = days.melt("day", list(verdicts), "verdict", "hands")
    long["name"] = long["verdict"].map(say)
    long["place"] = long["verdict"].map({name: place for place, name in enumerate(verdicts)})
    span = {"type": "utc", "domain": [_utc(first), _utc(last)], "nice": False}
    axis = {"format": DAY, "labelOverlap": True, "tickCount": ticks}
    channels: Channels = {
        "x": vega.day("day", scale=span, axis=axis),
        "y": vega.number("hands", say("col.hands"), aggregate="sum", axis=WHOLE),
        "color": _colour([say(word) for word in verdicts], [COLOURS[word] for word in verdicts]),
        "order": vega.number("place"),
        "tooltip": [
            vega.day("day", say("overview.day"), format=DAY),
            vega.name("name", say("col.verdict")),
            vega.number("hands", say("col.hands"), aggregate="sum"),
        ],
    }
    vega.draw(long, 260, channels, vega.layer("bar"))


def by_code(codes: pd.DataFrame) -> None:
    """Bars of the codes found most often. ``codes``: ``title``, ``severity`` and ``hands``."""
    words = ("fault", "note")
    channels: Channels = {
        "x": vega.number("hands", say("col.hands"), axis=WHOLE),
        "y": vega.name("title", sort="-x", axis={"labelLimit": LABEL, "labelOverlap": False}),
        "color": _colour([say(word) for word in words], [COLOURS[word] for word in words]),
        "tooltip": [vega.name("title", say("col.code")), vega.number("hands", say("col.hands"))],
    }
    named = codes.assign(name=codes["severity"].map(say))
    vega.draw(named, BAR * len(codes) + 130, channels, vega.layer("bar"))


def _a_week_at_least(first: pd.Timestamp, last: pd.Timestamp) -> tuple[pd.Timestamp, pd.Timestamp]:
    """From when to when days are drawn: a single one would be as wide as the page."""
    more = pd.Timedelta(days=max(0, 6 - (last - first).days + 1) // 2)
    return first - more, last + more + pd.Timedelta(days=1)


def _utc(day: pd.Timestamp) -> Spec:
    return {"year": day.year, "month": day.month, "date": day.day, "utc": True}


def _colour(names: list[str], colours: list[str]) -> Spec:
    """The colours of names, with a legend in the language that was chosen."""
    return vega.name("name", scale={"domain": names, "range": colours}, legend={"orient": "top"})


# --- of statistics

BLUE, ORANGE, GREY = "#4c9ac8", "#d98a2b", "#8a8f98"
DOTS = 40
"""Points from which a line is drawn without them."""
LEVEL = 60
"""Letters of all names together up to which they stand level under a chart."""
CLEAR, FAINT = 0.75, 0.25
"""How opaque marks are, and those of small samples."""


def total(days: pd.DataFrame) -> None:
    """A running total, day by day. ``days``: ``day``, ``total``, ``score``, ``hands``."""
    channels: Channels = {
        "x": vega.day("day", scale={"type": "utc"}, axis={"format": DAY}),
        "y": vega.number("total"),
        "tooltip": [
            vega.day("day", say("overview.day"), format=DAY),
            vega.number("total", say("chart.total"), format=",.1f"),
            vega.number("score", say("chart.score"), format="+,.1f"),
            vega.number("hands", say("col.hands")),
        ],
    }
    line = vega.layer("line", channels, color=BLUE, point=len(days) < DOTS)
    zero = vega.layer("rule", {"y": {"datum": 0}}, color=GREY, strokeDash=[3, 3])
    vega.draw(days, 220, {}, zero, line)


def over_time(frame: pd.DataFrame, minimum: int) -> None:
    """A measure by day or month as a line in the band of its interval."""
    intervals(frame.sort_values("group").assign(label=frame["group"]), minimum, ordered=True)


def intervals(frame: pd.DataFrame, minimum: int, *, ordered: bool = False, title: str | None = None) -> None:
    """A measure by ``label``: points with their interval, in the order given; below the ``minimum`` they are faint."""
    key, per_cent = ("rate", True) if "rate" in frame else ("ratio" if "ratio" in frame else "mean", False)
    drawn = frame.assign(
        value=frame[key],
        shown=_told(frame, key),
        label=frame["label"].astype(str),
        clear=_clearness(frame["whole"], minimum),
    )
    drawn["from"], drawn["to"] = _ends(frame, key)
    labels = list(dict.fromkeys(drawn["label"]))
    channels: Channels = {
        "x": vega.name("label", title, sort=labels, axis=_along(labels, ordered=ordered)),
        "tooltip": [vega.name("label", title or " "), vega.name("shown", say("chart.value"))],
    }
    value = vega.number("value", axis=SHARE if per_cent else {"format": ",.2f"}, scale={"zero": False})
    bars = vega.layer("rule", {"y": vega.number("from"), "y2": vega.end("to")}, color=BLUE, opacity=0.55, strokeWidth=2)
    points = vega.layer("point", {"y": value, "opacity": _CLEAR}, color=BLUE, filled=True, size=70)
    line = [vega.layer("line", {"y": value}, color=BLUE, opacity=0.5)] if ordered and len(drawn) > 1 else []
    vega.draw(drawn, 230, channels, *line, bars, points)


def _along(labels: list[str], *, ordered: bool) -> Spec:
    """The axis of labels: days and numbers may leave some out, names all stand, aslant where they are long."""
    aslant = not ordered and sum(map(len, labels)) > LEVEL
    return {"labelOverlap": ordered, "labelAngle": -40 if aslant else 0, "labelLimit": 120}


def _told(frame: pd.DataFrame, key: str) -> list[str]:
    """The value with its counts, in words."""
    parts = frame["part"] if "part" in frame else frame["total"]
    return [
        f"{numbers.figure(value, rate=key == 'rate')} ({numbers.number(part)} / {numbers.count(whole)})"
        for value, part, whole in zip(frame[key], parts, frame["whole"], strict=True)
    ]


def _ends(frame: pd.DataFrame, key: str) -> tuple[pd.Series, pd.Series]:
    if key == "rate":
        return frame["low"], frame["high"]
    return frame[key] - 1.96 * frame["error"], frame[key] + 1.96 * frame["error"]


def hours(frame: pd.DataFrame, minimum: int) -> None:
    """Win rates by the hour of the day."""
    drawn = frame.assign(label=frame["hour"], part=frame["wins"], whole=frame["hands"])
    intervals(drawn, minimum, title=say("chart.hour"))


def shares(frame: pd.DataFrame) -> None:
    """How a whole is shared by classes. ``frame``: ``class``, ``part``, ``whole``, ``rate``."""
    channels: Channels = {
        "x": vega.number("rate", axis=SHARE),
        "y": vega.name("label", sort=None, axis={"labelLimit": LABEL}),
        "tooltip": [vega.name("label", " "), vega.name("shown", say("chart.value"))],
    }
    drawn = frame.assign(shown=_told(frame, "rate"), label=frame["class"])
    vega.draw(drawn, BAR * len(frame) + 60, channels, vega.layer("bar", color=BLUE))


_CLEAR: Spec = vega.number("clear", scale=None, legend=None)


def actions(frame: pd.DataFrame, minimum: int) -> None:
    """How often each thing was played, and the share of wins after it. ``frame``: ``label``, ``share``, ``rate`` …

    Rates of fewer than ``minimum`` decided turns are faint.
    """
    channels: Channels = {
        "y": vega.name("label", sort=None, axis={"labelLimit": LABEL, "labelOverlap": False}),
        "tooltip": [
            vega.name("label", " "),
            vega.number("turns", say("spot.turns"), format=","),
            vega.number("share", say("spot.share"), format=".1%"),
            vega.number("rate", say("spot.rate"), format=".1%"),
        ],
    }
    often = vega.layer("bar", {"x": vega.number("share", say("spot.share"), axis=SHARE)}, color=BLUE, opacity=0.8)
    rate = vega.number("rate", say("spot.rate"), axis=SHARE, scale={"domain": [0, 1]})
    ended = vega.layer("point", {"x": rate, "opacity": _CLEAR}, color=ORANGE, filled=True, size=60)
    low = vega.number("low", say("spot.rate"))
    spread = vega.layer("rule", {"x": low, "x2": vega.end("high")}, color=ORANGE, opacity=0.7)
    height = BAR * len(frame) + 60
    left, right = st.columns(2)
    drawn = frame.assign(clear=_clearness(frame["decided"], minimum))
    vega.draw(frame, height, channels, often, place=left)
    vega.draw(drawn, height, channels, spread, ended, place=right)


def against(frame: pd.DataFrame, minimum: int, title: str) -> None:
    """A measure against a whole number: ``group``. Points with their interval, joined."""
    drawn = frame.assign(number=frame["group"].astype(int)).sort_values("number")
    intervals(drawn.assign(label=drawn["number"].astype(str)), minimum, ordered=True, title=title)


def _clearness(sample: pd.Series, minimum: int) -> pd.Series:
    """How opaque each mark is: faint below the minimum of its statistic."""
    return (sample.fillna(0) < minimum).map({True: FAINT, False: CLEAR})


def by_role(frame: pd.DataFrame, most: int | None, sample: str, minimum: int) -> None:
    """Rates of ``label`` for the landlord and the farmers side by side; the ``most`` frequent labels.

    Bars whose ``sample`` is below the ``minimum`` are faint.
    """
    if most is not None:
        kept = frame.groupby("label")["rate"].max().nlargest(most).index
        frame = frame[frame["label"].isin(kept)]
    named = frame.assign(
        name=[roles.role(role, rules) for role, rules in zip(frame["role"], frame["rules"], strict=True)],
        clear=_clearness(frame[sample], minimum),
    )
    names = list(dict.fromkeys(named.sort_values("role", ascending=False)["name"]))
    labels = list(dict.fromkeys(named["label"]))
    channels: Channels = {
        "y": vega.name("label", sort=labels, axis={"labelLimit": LABEL}),
        "yOffset": vega.name("name", sort=names),
        "tooltip": [
            vega.name("label", " "),
            vega.name("name", say("hand.role")),
            vega.number("rate", say("chart.value"), format=".1%"),
            vega.number("low", say("chart.from"), format=".1%"),
            vega.number("high", say("chart.to"), format=".1%"),
        ],
    }
    rate = vega.number("rate", axis=SHARE)
    bars = vega.layer("bar", {"x": rate, "color": _colour(names, [ORANGE, BLUE]), "opacity": _CLEAR})
    spread = vega.layer("rule", {"x": vega.number("low"), "x2": vega.end("high")}, color=GREY)
    vega.draw(named, 50 * len(labels) + 60, channels, bars, spread)
