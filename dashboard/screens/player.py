"""A player: results by role, place among peers, trends, bidding, play, bombs, people, sessions, deals."""

import streamlit as st

from analysis.catalogue import statistics
from analysis.warehouse import Warehouse
from dashboard import address, charts, filters, groups, links, players, standings, store, tables, widgets
from dashboard.text import say

SECTIONS = ("results", "trend", "bidding", "play", "bombs", "people", "sessions", "deal", "ratings")
HEADLINES = ("win_rate", "landlord_wins", "farmer_win_rate", "landlord_rate", "score")
BY_ROLE = ("win_rate", "score")
ROLES = {
    "": ("", ""),
    "landlord": ("landlord", ""),
    "farmer": ("farmer", ""),
    "up": ("farmer", "up"),
    "down": ("farmer", "down"),
}
"""What results are split by: role and a farmer's seat."""
BY_MONTH = 62
"""Days from which a trend is drawn month by month."""


def _results(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """What counts first, role by role; then every result."""
    rules = str(narrowing["rules"])
    split = players.profiles_of_parts(warehouse, BY_ROLE, narrowing, list(ROLES.values()))
    found = [
        (each, players.role_title(key, rules), {"role": role, "position": position})
        for (key, (role, position)), standings_in_it in zip(ROLES.items(), split, strict=True)
        for each in standings_in_it
    ]
    st.markdown(f"#### {say('player.by_role')}")
    standings.by_role("roles", found, rules)
    st.markdown(f"#### {say('player.results')}")
    _measured(warehouse, narrowing, "results", "volatility")


def _trend(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """The running total day by day, and the win rate over time."""
    days = store.statistic(warehouse, "trend", narrowing)
    if days.empty:
        widgets.empty(say("player.undated"))
        return
    tables.headed("trend")
    charts.total(days)
    by = "month" if len(days) > BY_MONTH else "day"
    found = store.each_statistic(warehouse, ("win_rate", "score", "landlord_rate"), narrowing | {"by": by})
    for name, frame in found.items():
        tables.headed(name)
        charts.over_time(groups.named(frame), statistics()[name].minimum)
    tables.statistic("trend", days)


def _measured(warehouse: Warehouse, narrowing: store.Narrowing, chapter: str, *further: str) -> None:
    """The measures of a chapter beside the peers, and further statistics."""
    wanted = players.measures(chapter)
    store.ahead(lambda: players.everybody(warehouse, wanted, narrowing), *players.soon(warehouse, narrowing, *further))
    found = players.profile(warehouse, wanted, narrowing)
    if found:
        standings.show(chapter, found, narrowing["rules"])
    players.tabled(warehouse, narrowing, *further)


def _people(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """With and against whom; the two are never added up."""
    found = store.each_statistic(warehouse, ("pairs", "table_mates"), narrowing)
    frame, together = found["pairs"], found["table_mates"]
    tables.headed("pairs")
    mates = (frame["role"] == "farmer") & (frame["other_role"] == "farmer")
    for side, part in (("mate", frame[mates]), ("foe", frame[~mates])):
        st.markdown(f"##### {say(f'player.{side}s')}")
        if part.empty:
            widgets.empty(say("nothing_counted"))
        else:
            players.pairs("pairs", part, side)
    if not together.empty:
        tables.headed("table_mates")
        players.pairs("table_mates", together.sort_values("hands", ascending=False, kind="stable"), "")


def _sessions(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    store.ahead(*players.soon(warehouse, narrowing, "sessions", "streaks", "hours"))
    players.tabled(warehouse, narrowing, "sessions", "streaks")
    hours = store.statistic(warehouse, "hours", narrowing)
    if not hours.empty:
        tables.headed("hours")
        charts.hours(hours, statistics()["hours"].minimum)
        tables.statistic("hours", hours)
    _measured(warehouse, narrowing, "time")


def _ratings(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """Where he stands after all hands of the ruleset: a rating is what they have led to, no sum over some of them."""
    if narrowing.keys() - {"player", "rules"}:
        st.caption(say("player.ratings_of_all"))
    for name in ("ratings", "ratings_by_role"):
        frame = store.statistic(warehouse, name, {"rules": narrowing["rules"]})
        tables.headed(name)
        if frame.empty or narrowing["player"] not in set(frame["player"]):
            widgets.empty(say("nothing_counted"))
        else:
            players.ranking(name, frame, str(narrowing["player"]))


def _section(name: str, warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """What one section shows."""
    further = {"bidding": ("bidding_discipline",), "play": ("lead_types",), "bombs": ("bombs_by_size",)}
    drawn = {
        "results": _results, "trend": _trend, "people": _people, "sessions": _sessions, "ratings": _ratings,
    }  # fmt: skip
    if name in drawn:
        drawn[name](warehouse, narrowing)
    else:
        _measured(warehouse, narrowing, name, *further.get(name, ()))
    if name == "bidding":
        _first_words(warehouse, narrowing)


def _first_words(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    frame = store.statistic(warehouse, "first_words", narrowing)
    if not frame.empty:
        tables.headed("first_words")
        charts.shares(frame)


def _player(warehouse: Warehouse, narrowing: store.Narrowing) -> bool:
    """The screen of one player under one ruleset; whether there is anything to show."""
    if "rules" not in narrowing:
        return False
    players.heading(warehouse, narrowing)
    store.ahead(lambda: players.everybody(warehouse, HEADLINES, narrowing), lambda: store.covered(warehouse, narrowing))
    headlines = players.profile(warehouse, HEADLINES, narrowing)
    if not headlines:
        return False
    filters.used(warehouse, narrowing)
    standings.cards(headlines, narrowing["rules"])
    titles = {name: say(f"player.{name}") for name in SECTIONS}
    section = address.switch(
        say("player.section"), "section", SECTIONS, titles.__getitem__, label_visibility="collapsed"
    )
    _section(section, warehouse, narrowing)
    links.button("compare", say("player.compare"), "compare_arrows", player=str(narrowing["player"]))
    return True


def _screen() -> None:
    st.title(say("player"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    narrowing = filters.bar(warehouse)
    if "player" not in narrowing:
        players.board(warehouse, narrowing)
        return
    whole = players.one_ruleset(warehouse, narrowing)
    if not _player(warehouse, whole):
        filters.nothing(warehouse, narrowing, left=players.left(warehouse, narrowing, players.most_played))


_screen()
