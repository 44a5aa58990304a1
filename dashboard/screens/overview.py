"""The store at a glance: how many hands, which verdicts and faults, who wins, what is scored."""

import pandas as pd
import streamlit as st

from analysis.warehouse import Warehouse
from dashboard import charts, filters, numbers, store, tables, widgets
from dashboard.text import say

VERDICTS = ("clean", "faulty", "unreadable")
BARS = 12  # codes in the chart


def _figures(warehouse: Warehouse, narrowing: store.Narrowing) -> pd.DataFrame:
    """The counts that stand on top; undated hands are among them or said to be left out (H-33)."""
    days = store.statistic(warehouse, "hands_per_day", narrowing)
    undated = store.statistic(warehouse, "hands_per_day", {"rules": narrowing.get("rules")})
    undated = int(undated.loc[undated["day"].isna(), "hands"].sum())
    named = {say("overview.entries"): int(days["hands"].sum())}
    named |= {say(name): int(days[name].sum()) for name in VERDICTS}
    widgets.figures(named)
    ranged = bool(narrowing.get("since") or narrowing.get("until"))
    st.caption(say("overview.undated_left_out" if ranged else "overview.undated", count=f"{undated:,}"))
    return days


def _days_chart(days: pd.DataFrame) -> None:
    st.subheader(say("overview.per_day"))
    dated = days.dropna(subset=["day"]).groupby("day", as_index=False)[list(VERDICTS)].sum()
    if dated.empty:
        widgets.empty(say("overview.all_undated"))
        return
    charts.per_day(dated, VERDICTS)


def _rulesets(days: pd.DataFrame) -> None:
    """One row a ruleset: hands of different laws are never added up further down."""
    st.subheader(say("overview.rulesets"))
    columns = ["hands", *VERDICTS, "void"]
    summed = days.groupby("rules", dropna=False, as_index=False)[columns].sum()
    titles = {"rules": say("col.rules"), "hands": say("overview.entries"), "void": say("outcome.void")}
    shown = summed.rename(columns=titles | {name: say(name) for name in VERDICTS})
    st.dataframe(shown, hide_index=True, placeholder=numbers.MISSING)
    widgets.download(summed, "rulesets")


def _faults_chart(faults: pd.DataFrame) -> None:
    """The codes found most often, faults and notes apart by colour."""
    summed = faults.groupby(["code", "severity"], as_index=False)["hands"].sum().nlargest(BARS, "hands")
    charts.by_code(summed.assign(title=summed["code"].map(widgets.code_title)))


def _statistic(name: str, frame: pd.DataFrame) -> None:
    tables.headed(name, "###")
    if frame.empty:
        widgets.empty(say("nothing_counted"))
    else:
        tables.statistic(name, frame)


def _screen() -> None:
    st.title(say("overview"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    everything = store.statistic(warehouse, "hands_per_day", {})
    if everything.empty:
        widgets.empty(say("no_hands"), say("store_missing"))
        return
    narrowing = filters.bar(warehouse, ("rules", "since", "until"))
    days = _figures(warehouse, narrowing)
    _days_chart(days)
    _rulesets(days)
    faults = store.statistic(warehouse, "faults_by_code", narrowing)
    if not faults.empty:
        _faults_chart(faults)
    for name in ("faults_by_code", "landlord_win_rate", "win_rate_by_role", "score_per_player", "bombs_and_springs"):
        _statistic(name, store.statistic(warehouse, name, narrowing))
    for name in ("contracts", "bottoms_taken"):
        tricks = store.statistic(warehouse, name, narrowing)
        if not tricks.empty:
            _statistic(name, tricks)


_screen()
