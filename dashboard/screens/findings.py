"""What was found in the store: filter, look at the record that a finding is about, audit it again."""

import json
from typing import Any

import pandas as pd
import streamlit as st

from analysis import lookups
from analysis.warehouse import Warehouse
from dashboard import address, filters, store, widgets
from dashboard.hand_view import show_hand
from dashboard.tables import Row, rows_of
from dashboard.text import language, say
from dashboard.upload import again
from ingest.faults import Finding, message

PAGE = 50  # findings on one page of the table
SEVERITIES = ("", "fault", "note")


def _own(counted: pd.DataFrame) -> dict[str, tuple[str, Any]]:
    """What narrows findings besides the filters: what each is called, and what was chosen."""
    first, second, third = st.columns([2, 1, 1])
    known = sorted(counted["code"].unique())
    codes = address.several(say("col.code"), "codes", known, widgets.code_title, first, placeholder=say("all"))
    severity = address.choice(say("col.severity"), "severity", SEVERITIES, lambda word: say(word or "all"), second)
    source = address.text(say("findings.source"), "source", third)
    return {
        "codes": (say("col.code"), tuple(codes)),
        "severity": (say("col.severity"), severity),
        "source": (say("findings.source"), source),
    }


def _wanted(narrowing: store.Narrowing, own: dict[str, tuple[str, Any]], dropped: str = "") -> lookups.Wanted:
    """The findings that are asked for, without what one word narrows."""
    kept = {key: value for key, (_, value) in own.items() if key != dropped}
    return lookups.Wanted(**kept, filters={key: value for key, value in narrowing.items() if key != dropped})


def _page(warehouse: Warehouse, wanted: lookups.Wanted) -> tuple[pd.DataFrame, int, int]:
    """The findings of the chosen page, the number of the first, and how many there are."""
    _, count = store.findings(warehouse, wanted, 0, PAGE)
    address.pages(count, PAGE)
    first = (address.page_of(count, PAGE) - 1) * PAGE
    return store.findings(warehouse, wanted, first, PAGE)[0], first, count


def _nothing(warehouse: Warehouse, narrowing: store.Narrowing, own: dict[str, tuple[str, Any]]) -> None:
    called = {key: name for key, (name, value) in own.items() if value}

    def left(key: str) -> int:
        return store.findings(warehouse, _wanted(narrowing, own, key), 0, PAGE)[1]

    filters.nothing(warehouse, narrowing, say("findings.none_match"), own=called, left=left, of="findings")


def _table(found: pd.DataFrame, rows: list[Row]) -> pd.DataFrame:
    """The findings as the table shows them."""
    return pd.DataFrame(
        {
            say("col.code"): found["code"],
            say("col.severity"): found["severity"].map(say),
            say("col.message"): [message(_finding(row), language()) for row in rows],
            say("col.id"): found["id"],
            say("col.rules"): found["rules"],
            say("findings.place"): [f"{row.source}:{row.line}" for row in found.itertuples()],
        }
    )


def _finding(row: Row) -> Finding:
    """A row of the store as the finding that it was."""
    seat, index = (None if pd.isna(row[name]) else int(row[name]) for name in ("seat", "index"))
    return Finding(row["code"], index, seat, json.loads(row["details"] or "{}"))


def _choose(rows: list[Row], shown: pd.DataFrame, first: int) -> int:
    """The table and the finding chosen in it, by its place on the page. The address has its number in the list."""
    numbers = [str(first + place + 1) for place in range(len(rows))]
    labels = dict(zip(numbers, map(_label, rows, numbers), strict=True))
    widgets.selectable(shown, f"findings-{first}", lambda row: address.put("at", numbers[row]))
    chosen = address.choice(
        say("findings.choose"),
        "at",
        numbers,
        labels.__getitem__,
        help=say("audit.choose_help"),
    )
    return numbers.index(chosen)


def _label(row: Row, number: str) -> str:
    where = f"{row['source']}:{row['line']}"
    return " · ".join([number, row["code"], where, *([] if pd.isna(row["id"]) else [row["id"]])])


def _record(warehouse: Warehouse, row: Row) -> None:
    """The record that a finding is about, audited again."""
    if pd.isna(row["hand"]):
        widgets.empty(say("findings.no_record"))
        return
    kept = lookups.raw_record(warehouse, int(row["hand"]))
    if kept is None:
        widgets.empty(say("findings.no_record"))
        return
    st.divider()
    st.caption(say("findings.again"))
    show_hand(again(kept), f"store-{int(row['hand'])}")


def _screen() -> None:
    st.title(say("findings"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    counted = store.statistic(warehouse, "faults_by_code", {})
    if counted.empty:
        widgets.empty(say("findings.none"))
        return
    narrowing = filters.bar(warehouse)
    own = _own(counted)
    found, first, count = _page(warehouse, _wanted(narrowing, own))
    if found.empty:
        _nothing(warehouse, narrowing, own)
        return
    st.caption(say("findings.shown", count=f"{count:,}", first=first + 1, last=first + len(found)))
    rows = rows_of(found)
    shown = _table(found, rows)
    place = _choose(rows, shown, first)
    widgets.download(shown, "findings")
    _record(warehouse, rows[place])


_screen()
