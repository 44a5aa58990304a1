"""Two players side by side: how their hands differ, then every measure with its difference and interval."""

import streamlit as st

from analysis import choices
from analysis import profile as profiles
from analysis.warehouse import Warehouse
from dashboard import address, filters, links, players, standings, store, tables, widgets
from dashboard.text import say

STRATA = ("role", "base", "bot")
"""What the hands of two players may differ in."""


def _other(warehouse: Warehouse) -> str:
    """The second player."""
    ids = store.listed(warehouse, choices.players)
    called = store.names(warehouse, tuple(dict.fromkeys([*ids, *filter(None, [address.get("other")])])))
    return address.choice(
        say("compare.other"),
        "other",
        ["", *ids],
        lambda ident: filters.player_name(called, ident) if ident else say("compare.nobody"),
        accept_new_options=True,
        width=300,
    )


def _strata(warehouse: Warehouse, narrowing: store.Narrowing, pair: tuple[str, str]) -> None:
    """How the hands of the two are made up; asked once somebody wants to see it."""
    strata = st.expander(say("compare.strata"), icon=":material/balance:", key="compare-strata", on_change="rerun")
    if not strata.open:
        return
    with strata:
        st.caption(say("compare.strata_help"))
        for by in STRATA:
            for player in pair:
                frame = store.statistic(warehouse, "win_rate", narrowing | {"player": player, "by": by})
                st.text(f"{say(f'by.{by}')}: {player}")
                tables.statistic("win_rate", frame, f"strata-{by}-{pair.index(player)}", by)


def _compared(warehouse: Warehouse, narrowing: store.Narrowing, pair: tuple[str, str]) -> None:
    frames = players.everybody(warehouse, profiles.measures(), narrowing)
    found = [profiles.contrast(name, frame, *pair) for name, frame in frames.items()]
    contrasts = [each for each in found if each is not None]
    if not contrasts:
        widgets.empty(say("compare.none"))
        return
    called = store.names(warehouse, pair)
    one, other = (filters.player_name(called, ident) for ident in pair)
    standings.contrasts("compare", contrasts, str(narrowing["rules"]), (one, other))


def _screen() -> None:
    st.title(say("compare"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    narrowing = filters.bar(warehouse)
    one, other = str(narrowing.get("player", "")), _other(warehouse)
    if not one or not other or one == other:
        widgets.empty(say("compare.same" if one and one == other else "compare.choose"))
        return
    narrowing = players.one_ruleset(warehouse, narrowing)
    if "rules" not in narrowing:
        filters.nothing(warehouse, narrowing, left=players.left(warehouse, narrowing, players.most_played))
        return
    links.button("hands", say("compare.together"), "playing_cards", player=one, other=other)
    _strata(warehouse, narrowing, (one, other))
    _compared(warehouse, narrowing, (one, other))


_screen()
