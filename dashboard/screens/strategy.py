"""What works: bids against the strength of hands, leads, passing, bombs, the landlord's chances."""

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from analysis.catalogue import statistics
from analysis.chapters import chapter, is_about_bombs
from analysis.profile import measures
from analysis.warehouse import Warehouse
from dashboard import address, charts, filters, groups, links, players, store, tables, widgets
from dashboard.text import reading_name, say

SECTIONS = ("bids", "leads", "passing", "bombs", "landlords")
BY_STRENGTH = {
    "bids": ("call_rate", "rob_rate", "landlord_rate", "score"),
    "landlords": ("landlord_wins", "spring_made", "score"),
}
"""Measures that a section draws against the strength of the dealt hand."""
ROLELESS = ("landlord_rate", "pass_out_rate")
"""Measures that are not split by role: a role is what they count, or what their hands lack."""
LEADS = 10
"""Combinations in the chart of leads."""


def _by_strength(warehouse: Warehouse, narrowing: store.Narrowing, names: tuple[str, ...]) -> None:
    """Measures against the strength of the hand as it was dealt."""
    st.caption(say("strategy.strength"))
    frames = store.each_statistic(warehouse, names, narrowing | {"by": "strength"})
    for place, (name, whole) in zip(st.columns(2) * len(names), frames.items(), strict=False):
        frame = groups.named(whole)
        with place:
            tables.headed(name, "#####")
            if frame.empty:
                widgets.empty(say("nothing_counted"))
            else:
                charts.against(frame, statistics()[name].minimum, say("strategy.points"))


def _bids(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    of_bidding = [name for name in measures() if chapter(statistics()[name]) == "bidding" and name not in ROLELESS]
    store.ahead(
        lambda: store.each_statistic(warehouse, BY_STRENGTH["bids"], narrowing | {"by": "strength"}),
        *players.soon(warehouse, narrowing, "strength_and_outcome", "landlord_win_rate"),
        *_soon_by_role(warehouse, narrowing, of_bidding),
    )
    with widgets.part():
        _by_strength(warehouse, narrowing, BY_STRENGTH["bids"])
    players.tabled(warehouse, narrowing, "strength_and_outcome", "landlord_win_rate")
    with widgets.part():
        _by_role(warehouse, narrowing, of_bidding)


def _leads(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    frame = store.statistic(warehouse, "lead_types", narrowing)
    tables.headed("lead_types")
    if frame.empty:
        widgets.empty(say("nothing_counted"))
        return
    named = frame.dropna(subset=["reading"])
    drawn = named.assign(label=named["reading"].map(reading_name))
    charts.by_role(drawn, LEADS, "hands", statistics()["lead_types"].minimum)
    tables.statistic("lead_types", frame)


def _play(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """Everything about passing, leading and answering, role by role."""
    _by_role(warehouse, narrowing, [name for name in measures() if players.is_play(name)])


def _bombs(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    with widgets.part():
        frame = store.statistic(warehouse, "bombs_by_cards_left", narrowing)
        tables.headed("bombs_by_cards_left")
        if frame.empty:
            widgets.empty(say("nothing_counted"))
        else:
            drawn = frame.assign(label=frame["cards"])
            charts.by_role(drawn, None, "decided", statistics()["bombs_by_cards_left"].minimum)
            tables.statistic("bombs_by_cards_left", frame)
    players.tabled(warehouse, narrowing, "bombs_by_size")
    with widgets.part():
        _by_role(warehouse, narrowing, [name for name in measures() if is_about_bombs(statistics()[name])])


def _landlords(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    with widgets.part():
        _by_strength(warehouse, narrowing | {"role": "landlord"}, BY_STRENGTH["landlords"])
    players.tabled(warehouse, narrowing, "landlord_win_rate")
    if narrowing.keys() - {"rules"}:
        st.caption(say("player.ratings_of_all"))
    players.tabled(warehouse, {"rules": narrowing["rules"]}, "role_values")


def _by_role(warehouse: Warehouse, narrowing: store.Narrowing, names: list[str]) -> None:
    """Measures as rows, roles and farmers' seats as columns."""
    st.markdown(f"#### {say('strategy.by_role')}")
    asks = _soon_by_role(warehouse, narrowing, names)
    store.ahead(*asks)
    found = [(name, groups.named(frame)) for ask in asks for name, frame in ask().items()]
    if all(frame.empty for _, frame in found):
        widgets.empty(say("nothing_counted"))
        return
    players.by_role("by-role", found, str(narrowing["rules"]))


def _soon_by_role(
    warehouse: Warehouse, narrowing: store.Narrowing, names: list[str]
) -> list[Callable[[], dict[str, pd.DataFrame]]]:
    return [partial(store.each_statistic, warehouse, names, narrowing | {"by": by}) for by in ("role", "position")]


def _screen() -> None:
    st.title(say("strategy"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    wanted = filters.bar(warehouse)
    narrowing = players.some_ruleset(warehouse, wanted)
    if not store.covered(warehouse, narrowing).used:
        filters.nothing(warehouse, wanted, left=players.left(warehouse, wanted, players.known_most))
        return
    filters.used(warehouse, narrowing)
    titles = {name: say(f"strategy.{name}") for name in SECTIONS}
    section = address.switch(
        say("player.section"), "section", SECTIONS, titles.__getitem__, label_visibility="collapsed"
    )
    drawn = {"bids": _bids, "leads": _leads, "passing": _play, "bombs": _bombs, "landlords": _landlords}
    drawn[section](warehouse, narrowing)
    links.button("spots", say("strategy.spots"), "travel_explore")


_screen()
