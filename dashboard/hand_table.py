"""Lists of hands on a page: each leads to the hand."""

import pandas as pd
import streamlit as st

from dashboard import address, links, numbers, roles, tables, widgets
from dashboard.tables import Column
from dashboard.text import say


def show(key: str, frame: pd.DataFrame, more: tuple[Column, ...] = ()) -> None:
    """A list of hands, each of which leads to its page."""
    named = frame.assign(open=frame["id"].where(frame["id"].notna(), frame["hand"].astype(str)))
    tables.listing(key, named, (*_columns(), *more))


def _columns() -> tuple[Column, ...]:
    return (
        Column("open", "text", say("col.id"), say("hands.open"), link=links.to_hand),
        Column("rules", "text", say("col.rules")),
        Column("began", "text", say("hands.began"), word=lambda value, _: f"{value:%Y-%m-%d %H:%M}"),
        Column("verdict", "text", say("col.verdict"), word=lambda value, _: say(value)),
        Column("outcome", "text", say("col.outcome"), word=lambda value, row: roles.outcome(value, row["rules"])),
        Column("multiplier", "count", say("col.multiplier")),
        Column("unit", "count", say("col.unit")),
        Column("first_fault", "text", say("hands.first_fault"), word=lambda value, _: widgets.code_title(value)),
    )


def page(count: int, rows: int) -> range:
    """The rows of the page of a list that is shown, and which they are; the pages to choose from stand above it."""
    number = address.page_of(count, rows)
    address.pages(count, rows)
    shown = range((number - 1) * rows, min(number * rows, count))
    first, last = numbers.count(shown.start + 1), numbers.count(shown.stop)
    st.caption(say("hands.shown", count=numbers.count(count), first=first, last=last))
    return shown
