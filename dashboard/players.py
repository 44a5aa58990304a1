"""What screens of players are made of: the board to choose from, one ruleset at a time, pairs, rankings."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from analysis import catalogue, choices
from analysis import profile as profiles
from analysis.chapters import chapter, is_about_bombs
from analysis.profile import Standing
from analysis.warehouse import Warehouse
from dashboard import address, filters, links, markup, numbers, roles, standings, store, tables, widgets
from dashboard.tables import Column, Row
from dashboard.text import say

LEAST = ("1", "30", "100", "300", "1000")
"""Numbers of hands from which a board lists players."""
AROUND = 5
"""Players above and below one in a ranking."""


def measures(wanted: str) -> list[str]:
    """The measures of a section: those of a chapter of the list; bombs and springs are a section of their own."""
    known = catalogue.statistics()
    bombs = [name for name in profiles.measures() if is_about_bombs(known[name]) or chapter(known[name]) == "springs"]
    if wanted == "bombs":
        return bombs
    return [name for name in profiles.measures() if chapter(known[name]) == wanted and name not in bombs]


def tabled(warehouse: Warehouse, narrowing: store.Narrowing, *names: str) -> None:
    """Statistics as tables, those that have something to say."""
    for name in names:
        with widgets.part():
            frame = store.statistic(warehouse, name, narrowing)
            if not frame.empty:
                tables.headed(name)
                tables.statistic(name, frame)


def soon(warehouse: Warehouse, narrowing: store.Narrowing, *names: str) -> list[Callable[[], object]]:
    """Statistics to be asked ahead."""
    return [partial(store.statistic, warehouse, name, narrowing) for name in names]


def profile(warehouse: Warehouse, names: Sequence[str], narrowing: store.Narrowing) -> list[Standing]:
    """The standing of the player of these filters; every measure is remembered for all players at once."""
    return _standings(everybody(warehouse, names, narrowing), str(narrowing["player"]))


def profiles_of_parts(
    warehouse: Warehouse, names: Sequence[str], narrowing: store.Narrowing, parts: Sequence[tuple[str, str]]
) -> list[list[Standing]]:
    """The same for several parts of his hands: a role and a position each, as far as they are said."""
    frames = store.each_part(warehouse, names, _of_everybody(narrowing), parts)
    return [_standings(each, str(narrowing["player"])) for each in frames]


def _standings(frames: Mapping[str, pd.DataFrame], player: str) -> list[Standing]:
    found = [profiles.standing(name, frame, player) for name, frame in frames.items()]
    return [each for each in found if each is not None]


def everybody(warehouse: Warehouse, names: Sequence[str], narrowing: store.Narrowing) -> dict[str, pd.DataFrame]:
    """Measures of every player under the filters but that for a player."""
    return store.each_statistic(warehouse, names, _of_everybody(narrowing))


def _of_everybody(narrowing: store.Narrowing) -> store.Narrowing:
    return {key: value for key, value in narrowing.items() if key != "player"} | {"by": "player"}


def one_ruleset(warehouse: Warehouse, narrowing: store.Narrowing) -> store.Narrowing:
    """The filters with a ruleset: the one that the player has most hands of, where none was chosen."""
    if "rules" in narrowing:
        return narrowing
    played = most_played(warehouse, narrowing)
    if len(played) > 1:
        st.caption(say("player.one_ruleset", rules=played[0], count=len(played)))
    return narrowing | ({"rules": played[0]} if played else {})


def most_played(warehouse: Warehouse, narrowing: store.Narrowing) -> list[str]:
    """The rulesets of the hands that count under these filters, that of most hands first."""
    played = store.statistic(warehouse, "win_rate", narrowing)
    return list(map(str, played.sort_values("whole", ascending=False, kind="stable")["rules"]))


def known_most(warehouse: Warehouse, _: store.Narrowing) -> list[str]:
    """The rulesets of the store, that of most hands first."""
    return store.listed(warehouse, choices.rulesets)


def left(
    warehouse: Warehouse, chosen: store.Narrowing, rulesets: Callable[[Warehouse, store.Narrowing], list[str]]
) -> Callable[[str], int]:
    """How many hands a screen of one ruleset counts without one of the filters; it looks at the first of ``rulesets``
    where none is chosen.
    """

    def counted(dropped: str) -> int:
        others = {key: value for key, value in chosen.items() if key != dropped}
        first = [] if "rules" in others else rulesets(warehouse, others)[:1]
        return store.covered(warehouse, others | ({"rules": first[0]} if first else {})).used

    return counted


def some_ruleset(warehouse: Warehouse, narrowing: store.Narrowing) -> store.Narrowing:
    """The filters with a ruleset: the one with most hands where none was chosen and there are several."""
    known = known_most(warehouse, narrowing)
    if "rules" in narrowing or not known:
        return narrowing
    if len(known) > 1:
        st.caption(say("strategy.one_ruleset", rules=known[0]))
    return narrowing | {"rules": known[0]}


def is_play(name: str) -> bool:
    """Whether a measure is about the play, bombs apart."""
    known = catalogue.statistics()[name]
    return chapter(known) == "play" and not is_about_bombs(known)


def heading(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """Who it is, letter for letter."""
    ident = str(narrowing["player"])
    name = store.names(warehouse, (ident,)).get(ident, "")
    shown = markup.plain(name or ident)
    more = f' <small class="fp-dim">{markup.plain(ident)}</small>' if name and name != ident else ""
    st.html(f"{markup.STYLE}<h2 class='fp-plain' style='padding:0'>{shown}{more}</h2>")


def role_title(key: str, rules: str) -> str:
    """What a part of the results is called."""
    if key in ("landlord", "farmer"):
        return say("player.as", role=roles.role(key, rules))
    return say("player.as", role=say(f"position.{key}")) if key else say("player.all_roles")


# --- the board


def board(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """All players to choose from, with what counts first."""
    st.caption(say("player.choose"))
    least = int(
        address.choice(say("player.least"), "least", LEAST, lambda word: say("player.from", least=word), width=200)
    )
    frame = _board(warehouse, narrowing)
    frame = frame[frame["hands"] >= least] if not frame.empty else frame
    if frame.empty:
        own = {"least": say("player.least")} if address.get("least") else {}
        filters.nothing(warehouse, narrowing, own=own, left=left(warehouse, narrowing, lambda *_: []))
        return
    least_hands = catalogue.statistics()["win_rate"].minimum
    tables.show("players", frame, _board_columns(), few=lambda row: tables.below(row["hands"], least_hands))


def _board(warehouse: Warehouse, narrowing: store.Narrowing) -> pd.DataFrame:
    """One row a player and ruleset: win rates in each role, score."""
    asked = narrowing | {"by": "player"}
    wins = store.statistic(warehouse, "win_rate", asked).rename(columns={"whole": "hands"})
    keys = ["rules", "group"]
    for name in ("landlord_wins", "farmer_win_rate", "score"):
        other = store.statistic(warehouse, name, asked)
        wins = wins.merge(other, on=keys, how="left", suffixes=("", f"_{name}"))
    called = store.names(warehouse, tuple(store.listed(warehouse, choices.players)))
    return wins.assign(name=wins["group"].map(called))


def _board_columns() -> tuple[Column, ...]:
    def rate(key: str, title: str) -> Column:
        end = f"_{key}" if key else ""
        whole = "whole" if key == "landlord_wins" else f"whole{end}" if key else "hands"
        return Column(
            f"rate{end}",
            "rate",
            title,
            say("interval_help"),
            (f"low{end}", f"high{end}"),
            lambda row: f"{numbers.count(row[f'part{end}'])} / {numbers.count(row[whole])}",
            few=lambda row: tables.below(row[whole], catalogue.statistics()[key or "win_rate"].minimum),
        )

    return (
        Column(
            "group", "text", say("filter.player"), link=lambda row: links.to_player(row["group"], rules=row["rules"])
        ),
        Column("name", "text", say("player.name")),
        Column("rules", "text", say("col.rules")),
        Column("hands", "count", say("col.hands")),
        rate("", say("player.win_rate")),
        rate("landlord_wins", say("player.landlord_wins")),
        rate("farmer_win_rate", say("player.farmer_wins")),
        Column(
            "mean",
            "signed",
            say("player.score"),
            say("player.score_help"),
            few=lambda row: tables.below(row["whole_score"], catalogue.statistics()["score"].minimum),
        ),
    )


# --- by role


def by_role(key: str, found: Sequence[tuple[str, pd.DataFrame]], rules: str) -> None:
    """Measures as rows, roles and farmers' seats as columns. ``found``: measures with their answers by role or seat."""
    known: dict[str, dict[str, Standing]] = {}
    for name, frame in found:
        each = zip(frame["group"], profiles.standings(name, frame, *frame["group"]), strict=True)
        known.setdefault(name, {}).update({group: own for group, own in each if own is not None})
    groups = [
        name for name in ("landlord", "farmer", "up", "down", "across") if any(name in own for own in known.values())
    ]
    rows = pd.DataFrame([_across(name, own, groups) for name, own in known.items() if own])

    def column(group: str) -> Column:
        return Column(
            f"value_{group}",
            "figure",
            role_title(group, rules),
            say("interval_help"),
            (f"low_{group}", f"high_{group}"),
            lambda row: _told(row, group),
            few=lambda row: tables.below(row[f"whole_{group}"], catalogue.statistics()[row["name"]].minimum),
        )

    first = Column(
        "name",
        "text",
        say("player.measure"),
        word=lambda name, _: standings.title(name),
        hover=lambda row: standings.definition(row["name"]),
        link=lambda row: links.to("hands", stat=row["name"], rules=rules),
    )
    tables.show(key, rows, (first, *map(column, groups)), rows=60)


def _across(name: str, own: Mapping[str, Standing], groups: Sequence[str]) -> dict[str, object]:
    """The values of one measure, group by group."""
    row: dict[str, object] = {"name": name, "rate": any(each.rate for each in own.values())}
    for group in groups:
        kept = ("value", "low", "high", "part", "whole")
        row |= {f"{key}_{group}": getattr(own[group], key) if group in own else None for key in kept}
    return row


def _told(row: Row, group: str) -> str:
    whole = row[f"whole_{group}"]
    return "" if pd.isna(whole) else standings.counts(row["name"], row[f"part_{group}"], whole)


# --- pairs and rankings


def pairs(name: str, frame: pd.DataFrame, side: str) -> None:
    """A statistic of pairs: the other leads to his screen, the row to the hands of both."""
    declared = catalogue.statistics()[name]

    def way(row: Row) -> str:
        return links.together(row, side)

    columns = [
        column
        if column.name != "other"
        else Column("other", "text", column.title, column.meaning, link=lambda row: links.to_player(row["other"]))
        for column in tables.columns_of(declared, frame)
        if column.name not in ("player", "rules")
    ]
    tables.show(f"{name}{side}", frame, (*columns, Column("other", "way", "", link=way)), few=tables.small(declared))


def ranking(name: str, frame: pd.DataFrame, player: str) -> None:
    """The place of a player in a ranking, and who stands around him."""
    for _, part in frame.groupby("role", sort=False) if "role" in frame else [("", frame)]:
        ordered = part.reset_index(drop=True)
        at = ordered.index[ordered["player"] == player]
        if len(at):
            place = int(at[0])
            st.caption(say("player.rank", place=place + 1, count=numbers.count(len(ordered))))
            around = ordered.iloc[max(0, place - AROUND) : place + AROUND + 1]
            key = f"{name}-{part.get('role', pd.Series([''])).iloc[0]}"
            tables.statistic(name, around, key, dropped=[word for word in address.FILTERS if word != "rules"])
