"""The store at a glance: how many hands, which verdicts and faults, who wins, what is scored."""

import pandas as pd
import streamlit as st

from analysis.warehouse import Warehouse
from dashboard import charts, filters, links, numbers, store, tables, widgets
from dashboard.tables import Column, Row
from dashboard.text import say

VERDICTS = ("clean", "faulty", "unreadable")
BARS = 12  # codes in the chart


def _figures(warehouse: Warehouse, narrowing: store.Narrowing) -> pd.DataFrame:
    """The counts that stand on top; undated hands are among them or said to be left out (H-33)."""
    days = store.statistic(warehouse, "hands_per_day", narrowing)
    undated = store.statistic(warehouse, "hands_per_day", {"rules": narrowing.get("rules")})
    undated = int(undated.loc[undated["day"].isna(), "hands"].sum())
    entries = int(days["hands"].sum())
    named = {say("overview.entries"): entries} | {say(name): int(days[name].sum()) for name in VERDICTS}
    widgets.figures(named)
    ranged = bool(narrowing.get("since") or narrowing.get("until"))
    told = [say("overview.undated_left_out" if ranged else "overview.undated", count=f"{undated:,}")]
    if entries:
        told.insert(0, say("overview.faulty_share", share=numbers.share(int(days["faulty"].sum()) / entries)))
    st.caption(" ".join([*told, say("as_of", version=warehouse.version)]))
    return days


def _nothing(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    def left(key: str) -> int:
        others = {other: value for other, value in narrowing.items() if other != key}
        return int(store.statistic(warehouse, "hands_per_day", others)["hands"].sum())

    filters.nothing(warehouse, narrowing, left=left, of="entries")


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
    counted = ("hands", *VERDICTS, "void")
    summed = days.groupby("rules", dropna=False, as_index=False)[list(counted)].sum()
    summed["share"] = summed["faulty"] / summed["hands"]
    titles = {"hands": say("overview.entries"), "void": say("outcome.void")}
    columns = (
        Column("rules", "text", say("col.rules"), link=_way),
        *(Column(name, "count", titles.get(name) or say(name)) for name in counted),
        Column("share", "share", say("overview.share"), hover=_of_entries),
    )
    tables.show("rulesets", summed, columns)


def _way(row: Row) -> str:
    """The hands of a ruleset; a line that names none is no hand."""
    return "" if pd.isna(row["rules"]) else links.to("hands", rules=row["rules"])


def _of_entries(row: Row) -> str:
    return f"{numbers.count(row['faulty'])} / {numbers.count(row['hands'])}"


def _faults(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """The codes found most often, faults and notes apart by colour; each leads to its hands."""
    frame = store.statistic(warehouse, "faults_by_code", narrowing)
    tables.headed("faults_by_code", "###")
    if frame.empty:
        widgets.empty(say("findings.none"))
        return
    summed = frame.groupby(["code", "severity"], as_index=False)["hands"].sum().nlargest(BARS, "hands")
    charts.by_code(summed.assign(title=summed["code"].map(widgets.code_title)))
    with st.expander(say("overview.table"), icon=":material/table:"):
        tables.statistic("faults_by_code", frame)


def _ways() -> None:
    """Where to go on."""
    with st.container(horizontal=True):
        for screen, icon in (
            ("findings", "rule"),
            ("integrity", "policy"),
            ("player", "person"),
            ("strategy", "insights"),
        ):
            links.button(screen, say(f"overview.to.{screen}"), icon)


def _screen() -> None:
    st.title(say("overview"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    if warehouse.damage:
        widgets.trouble(say("overview.damage"), "\n".join(f"{each.path}: {each.trouble}" for each in warehouse.damage))
    narrowing = filters.bar(warehouse, ("rules", "since", "until"))
    days = _figures(warehouse, narrowing)
    if days.empty:
        _nothing(warehouse, narrowing)
        return
    _ways()
    _days_chart(days)
    _rulesets(days)
    with widgets.part():
        _faults(warehouse, narrowing)
    for name in ("landlord_win_rate", "bombs_and_springs", "contracts", "bottoms_taken"):
        with widgets.part():
            frame = store.statistic(warehouse, name, narrowing)
            if not frame.empty:
                tables.headed(name, "###")
                tables.statistic(name, frame)


_screen()
