"""Charts as Vega-Lite has them, in few words.

Knows how a channel, a mark and their layers are written. Refuses to know what is drawn. Altair would write the same,
but checks every piece against a schema, which took longer than asking what the chart shows.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

Spec = dict[str, Any]
"""A piece of Vega-Lite."""
Channels = Mapping[str, Spec | list[Spec]]
"""What columns are shown by: ``x``, ``y``, ``color`` …, and the list of what ``tooltip`` tells."""
DAY = "%Y-%m-%d"


def name(column: str, title: str | None = None, **more: Any) -> Spec:
    """A column of names on a channel."""
    return _channel(column, "nominal", title, more)


def number(column: str, title: str | None = None, **more: Any) -> Spec:
    """A column of numbers on a channel."""
    return _channel(column, "quantitative", title, more)


def day(column: str, title: str | None = None, **more: Any) -> Spec:
    """A column of days on a channel, told as UTC: a browser west of it would put midnight on the day before."""
    return _channel(column, "temporal", title, {"timeUnit": "utcyearmonthdate", **more})


def _channel(column: str, kind: str, title: str | None, more: Mapping[str, Any]) -> Spec:
    return {"field": column, "type": kind, "title": title, **more}


def end(column: str) -> Spec:
    """The other end of a bar or a rule: a column on the scale of the first."""
    return {"field": column}


def layer(mark: str, /, encoding: Channels | None = None, **style: Any) -> Spec:
    """Marks of one kind with their style and the channels that they alone have."""
    return {"mark": {"type": mark, **style}, "encoding": dict(encoding or {})}


def draw(
    frame: pd.DataFrame, height: int, shared: Channels, *layers: Spec, place: DeltaGenerator | None = None
) -> None:
    """Draw rows in layers that share channels; only the columns that a channel names are sent."""
    spec = {"height": height, "encoding": dict(shared), "layer": list(layers)}
    sent = frame[[column for column in frame.columns if column in _named(spec)]]
    (place or st).vega_lite_chart(sent, spec)


def _named(piece: Any) -> set[str]:
    """The columns that a piece of Vega-Lite names."""
    if isinstance(piece, list):
        return set().union(*map(_named, piece))
    if not isinstance(piece, dict):
        return set()
    own = {piece["field"]} if isinstance(piece.get("field"), str) else set()
    return own.union(*map(_named, piece.values()))
