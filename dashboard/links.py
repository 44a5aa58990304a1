"""Ways from screen to screen: to a hand, to the hands behind a number, to a player."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from analysis.catalogue import Statistic
from analysis.declared import MISSING
from dashboard import address

_SAID_BY_ROWS = ("player", "rules", "role", "position")
"""Filters that a row of an answer may narrow further by a column of the same name."""


def to(screen: str, **words: str | int) -> str:
    """The address of a screen, with the filters as they are and these words."""
    return f"{screen}?{urlencode(address.link(**words))}"


def to_hand(row: Mapping[str, Any]) -> str:
    """The address of the hand of a row."""
    return to("hand", hand=int(row["hand"]))


def to_player(ident: str, **words: str) -> str:
    """The address of a player's screen."""
    return to("player", player=ident, **words)


def behind(statistic: Statistic, row: Mapping[str, Any], by: str = "", **words: str) -> str:
    """The address of the hands behind a row of an answer; nothing where they cannot be told exactly."""
    told = _of_measure(row, by) if statistic.counted else _of_row(statistic, row)
    if told is None or ("rules" in row and pd.isna(row["rules"])):
        return ""
    narrowed = {key: str(row[key]) for key in _SAID_BY_ROWS if key in row and pd.notna(row[key]) and row[key] != "*"}
    return to("hands", **(narrowed | {"stat": statistic.name} | told | words))


def _of_measure(row: Mapping[str, Any], by: str) -> dict[str, str] | None:
    """What a row of a measure says besides filters: its group, of shares its class."""
    if by and pd.isna(row["group"]):
        return None
    grouped = {"by": by, "group": str(row["group"])} if by else {}
    return grouped | ({"class": str(row["class"])} if "class" in row else {})


def _of_row(statistic: Statistic, row: Mapping[str, Any]) -> dict[str, str] | None:
    """What a row of another statistic says besides filters, by the columns that tell its hands."""
    behind = statistic.behind
    if behind is None or any(pd.isna(row[key]) for key in behind.keys if key not in behind.open):
        return None
    return {key: MISSING if pd.isna(row[key]) else _text(row[key]) for key in behind.keys}


def _text(value: Any) -> str:
    """A value of a row as a text: a day without its hour, a whole number without a point."""
    if isinstance(value, date):
        return value.isoformat()[:10]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def together(row: Mapping[str, Any], side: str) -> str:
    """The address of the clean hands of two players at one table, on the ``side`` of a ``mate`` or a ``foe``."""
    narrowed = {key: str(row[key]) for key in ("player", "rules", "role", "other") if key in row}
    return to("hands", **narrowed, side=side, verdict="clean")


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
