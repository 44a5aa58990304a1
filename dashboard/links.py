"""Ways from screen to screen: to a hand, to the hands behind a number, to a player."""

from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from analysis.catalogue import Statistic
from dashboard import address

_SAID_BY_ROWS = ("player", "rules", "role", "position")
"""Filters that a row of an answer may narrow further by a column of the same name."""


def to(screen: str, **words: str | int) -> str:
    """The address of a screen, with the filters as they are and these words."""
    return f"{screen}?{urlencode(address.link(**words))}"


def to_hand(row: pd.Series) -> str:
    """The address of the hand of a row."""
    return to("hand", hand=int(row["hand"]))


def to_player(ident: str, **words: str) -> str:
    """The address of a player's screen."""
    return to("player", player=ident, **words)


def behind(statistic: Statistic, row: pd.Series, by: str = "", **words: str) -> str:
    """The address of the hands behind a row of an answer."""
    narrowed = {key: str(row[key]) for key in _SAID_BY_ROWS if key in row and pd.notna(row[key]) and row[key] != "*"}
    if "day" in row and pd.notna(row["day"]):
        narrowed |= {"since": str(row["day"])[:10], "until": str(row["day"])[:10]}
    narrowed |= {key: str(row[key]) for key in ("code", "verdict", "other") if key in row and pd.notna(row[key])}
    if not statistic.counted and not {"code", "verdict"} & set(row.index):
        narrowed["verdict"] = "clean"
    if statistic.counted:
        narrowed["stat"] = statistic.name
        if by and pd.notna(row["group"]):
            narrowed |= {"by": by, "group": str(row["group"])}
    return to("hands", **(narrowed | words))


def button(screen: str, label: str, icon: str = "arrow_forward", *, disabled: bool = False, **words: str | int) -> None:
    """A way to another screen, or to somewhere else on this one; what it is called is our own, and Markdown.

    A browser keeps its address when a link leads to the screen that it shows: there it is a choice like others.
    """
    whole, symbol = address.link(**words), f":material/{icon}:"
    if address.is_here(screen):
        key = f"to-{screen}-{icon}-{urlencode(whole)}"
        told = {"icon": symbol, "type": "tertiary", "key": key, "disabled": disabled}
        st.button(label, on_click=address.go, args=(whole,), **told)
    else:
        st.page_link(f"screens/{screen}.py", label=label, icon=symbol, query_params=whole, disabled=disabled)
