"""The store at a glance: how many hands, which verdicts and faults, who wins, what is scored."""

import pandas as pd
import streamlit as st

from analysis.warehouse import Warehouse
from dashboard import charts, store, widgets
from dashboard.text import say

VERDICTS = ("clean", "faulty", "unreadable")
BARS = 12  # codes in the chart


def _narrowing(days: pd.DataFrame) -> store.Narrowing:
    """The filters: a ruleset, and a range of days."""
    left, right = st.columns(2)
    rules = widgets.choice(say("col.rules"), sorted(days["rules"].dropna().unique()), "overview-rules", left)
    known = days["day"].dropna()
    if known.empty:
        right.caption(say("overview.all_undated"))
        return {"rules": rules}
    first, last = known.min().date(), known.max().date()
    chosen = right.date_input(
        say("overview.days"), (), first, last, key=f"overview-days-{first}-{last}", help=say("overview.days_help")
    )
    since, until = chosen if len(chosen) == 2 else (None, None)
    return {"rules": rules, "since": since, "until": until}


def _figures(warehouse: Warehouse, narrowing: store.Narrowing) -> pd.DataFrame:
    """The counts that stand on top; undated hands are among them or said to be left out (H-33)."""
    days = store.statistic(warehouse, "hands_per_day", narrowing)
    undated = store.statistic(warehouse, "hands_per_day", {"rules": narrowing["rules"]})
    undated = int(undated.loc[undated["day"].isna(), "hands"].sum())
    named = {say("overview.entries"): int(days["hands"].sum())}
    named |= {say(name): int(days[name].sum()) for name in VERDICTS}
    widgets.figures(named)
    ranged = narrowing.get("since") is not None
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
    st.dataframe(shown, hide_index=True, placeholder=widgets.MISSING)
    widgets.download(summed, "rulesets")


def _faults_chart(faults: pd.DataFrame) -> None:
    """The codes found most often, faults and notes apart by colour."""
    summed = faults.groupby(["code", "severity"], as_index=False)["hands"].sum().nlargest(BARS, "hands")
    charts.by_code(summed.assign(title=summed["code"].map(widgets.code_title)))


def _screen() -> None:
    st.title(say("overview"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    everything = store.statistic(warehouse, "hands_per_day", {})
    if everything.empty:
        widgets.empty(say("no_hands"), say("store_missing"))
        return
    narrowing = _narrowing(everything)
    days = _figures(warehouse, narrowing)
    _days_chart(days)
    _rulesets(days)
    faults = store.statistic(warehouse, "faults_by_code", narrowing)
    widgets.statistic("faults_by_code", faults, _faults_chart)
    for name in ("landlord_win_rate", "win_rate_by_role", "score_per_player", "bombs_and_springs"):
        widgets.statistic(name, store.statistic(warehouse, name, narrowing))
    for name in ("contracts", "bottoms_taken"):
        tricks = store.statistic(warehouse, name, narrowing)
        if not tricks.empty:
            widgets.statistic(name, tricks)


_screen()
