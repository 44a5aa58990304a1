"""Ways from screen to screen: to a hand, and to the hands behind a number."""

from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dashboard import address, numbers, roles, tables, widgets
from dashboard.tables import Column
from dashboard.text import say


def to(screen: str, **words: str | int) -> str:
    """The address of a screen, with the filters as they are and these words."""
    return f"{screen}?{urlencode(address.link(**words))}"


def to_hand(row: pd.Series) -> str:
    """The address of the hand of a row."""
    return to("hand", hand=int(row["hand"]))


def button(screen: str, label: str, icon: str = "arrow_forward", **words: str | int) -> None:
    """A way to another screen; what it is called is our own, and Markdown."""
    st.page_link(f"screens/{screen}.py", label=label, icon=f":material/{icon}:", query_params=address.link(**words))


def hands(key: str, frame: pd.DataFrame, more: tuple[Column, ...] = ()) -> None:
    """A list of hands, each of which leads to its page."""
    shown = frame.assign(open=frame["id"].where(frame["id"].notna(), frame["hand"].astype(str)))
    tables.listing(key, shown, (*_columns(), *more))


def _columns() -> tuple[Column, ...]:
    return (
        Column("open", "text", say("col.id"), say("hands.open"), link=to_hand),
        Column("rules", "text", say("col.rules")),
        Column("began", "text", say("hands.began"), word=lambda value, _: f"{value:%Y-%m-%d %H:%M}"),
        Column("verdict", "text", say("col.verdict"), word=lambda value, _: say(value)),
        Column("outcome", "text", say("col.outcome"), word=lambda value, row: roles.outcome(value, row["rules"])),
        Column("multiplier", "count", say("col.multiplier")),
        Column("unit", "count", say("col.unit")),
        Column("first_fault", "text", say("hands.first_fault"), word=lambda value, _: widgets.code_title(value)),
    )


def page(count: int, rows: int) -> range:
    """The rows of the page of a list that is shown, and which they are."""
    number = address.page_of(count, rows)
    shown = range((number - 1) * rows, min(number * rows, count))
    st.caption(
        say(
            "hands.shown",
            count=numbers.count(count),
            first=numbers.count(shown.start + 1),
            last=numbers.count(shown.stop),
        )
    )
    return shown
