"""The spot explorer: choose a situation, see what was played in it and how that ended, and look at examples."""

import pandas as pd
import streamlit as st
from msgspec import structs

from analysis import spots
from analysis.spots import CARDS, COULD, TURNS, WHOSE, Spot
from analysis.warehouse import Warehouse
from dashboard import address, charts, filters, links, markup, numbers, players, situations, store, tables, widgets
from dashboard.replay import key_of
from dashboard.tables import Column, Row
from dashboard.text import reading_name, say
from ingest.cards import RANKS

LATEST = ("20000", "100000", "1000000")
"""How many of the latest hands are looked into."""
EXAMPLES = 20
SMALL = 100  # turns below which a share says little
DRAWN = 12  # actions in the chart


def _choices(warehouse: Warehouse, latest: int) -> Spot:
    """The situation, part by part."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="spot"):
        turn = _part("turn", TURNS)
        for key in ("own", "foe", "mate"):
            _part(key, tuple(CARDS), situations.cards)
        if turn != "lead":
            combinations = store.ask(warehouse, spots.combinations, latest)
            _part("standing", tuple(combinations), reading_name)
            _part(
                "rank", tuple(RANKS), lambda rank: rank.replace("T", "10") if rank not in "BR" else say(f"joker.{rank}")
            )
            _part("whose", WHOSE)
            _part("could", COULD)
    return situations.chosen()


def _part(key: str, words: tuple[str, ...], namer: object = None) -> str:
    named = namer if callable(namer) else lambda word: say(f"spot.{key}.{word}")
    return address.choice(
        say(f"spot.{key}"), key, ("", *words), lambda word: named(word) if word else say("all"), width=150
    )


def _starters() -> None:
    """Questions to begin with: each is an address."""
    with st.expander(say("spot.starters"), icon=":material/lightbulb:", expanded=situations.chosen() == Spot()):
        for name, words in situations.STARTERS.items():
            links.button("spots", say(f"starter.{name}"), "arrow_right", **situations.words(words))


def _actions(frame: pd.DataFrame) -> None:
    """What was played, with how it ended."""
    named = frame.assign(label=[situations.action(action) for action in frame["action"]])
    drawn = named.head(DRAWN)
    charts.actions(drawn, SMALL)

    def counted(row: Row) -> str:
        return f"{say('spot.wins')} {numbers.count(row['wins'])} / {numbers.count(row['decided'])}"

    columns = (
        Column(
            "label", "text", say("spot.action"), link=lambda row: links.to("spots", **situations.here(row["action"]))
        ),
        Column("turns", "count", say("spot.turns")),
        Column("hands", "count", say("col.hands")),
        Column(
            "share",
            "share",
            say("spot.share"),
            hover=lambda row: f"{numbers.count(row['turns'])} / {numbers.count(frame['turns'].sum())}",
        ),
        Column(
            "rate",
            "rate",
            say("spot.rate"),
            say("interval_help"),
            ("low", "high"),
            counted,
            few=lambda row: tables.below(row["decided"], SMALL),
        ),
        Column("score", "signed", say("player.score"), say("player.score_help")),
    )
    tables.show("actions", named, columns, few=lambda row: tables.below(row["turns"], SMALL))


def _examples(warehouse: Warehouse, spot: Spot, narrowing: store.Narrowing, latest: int, exactly: bool) -> None:
    """Turns of the situation, each of which leads to its hand."""
    action = address.get("action")
    st.markdown(f"#### {say('spot.examples_of', action=situations.action(action)) if action else say('spot.examples')}")
    asked = {"exactly": exactly, "action": action, "rows": EXAMPLES}
    frame = store.ask(warehouse, spots.examples, spot, narrowing, latest, **asked)
    if frame.empty:
        widgets.empty(say("spot.no_example"))
        return
    played = [
        situations.action("pass") if passed else cards
        for passed, cards in zip(frame["pass"], frame["cards"], strict=True)
    ]
    shown = frame.assign(played=played, open=frame["id"].where(frame["id"].notna(), frame["hand"].astype(str)))
    columns = (
        Column("open", "text", say("col.id"), say("hands.open"), link=_to_turn),
        Column("player", "text", say("filter.player"), link=lambda row: links.to_player(row["player"])),
        Column("role", "text", say("hand.role"), word=lambda value, row: situations.role(value, row["rules"])),
        Column("own", "count", say("spot.own")),
        Column("foe", "count", say("spot.foe")),
        Column("standing_cards", "html", say("spot.standing"), word=lambda value, _: markup.faces(value)),
        Column("played", "html", say("spot.action"), word=lambda value, _: markup.faces(value)),
        Column("won", "flag", say("spot.won")),
        Column("multiplier", "count", say("col.multiplier")),
    )
    tables.listing("examples", shown, columns)


def _to_turn(row: Row) -> str:
    """The way to the turn of a row in the replay of its hand."""
    return links.to("hand", hand=int(row["hand"]), move=key_of("play", int(row["index"])))


def _explore(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    latest = int(
        address.choice(
            say("spot.latest"), "latest", LATEST, lambda word: say("spot.hands", count=f"{int(word):,}"), width=200
        )
    )
    spot = _choices(warehouse, latest)
    _starters()
    st.markdown(f"**{situations.sentence(spot)}**")
    ways = {"": say("spot.by_kind"), "yes": say("spot.exactly")}
    exactly = (
        address.switch(say("spot.split"), "exactly", list(ways), ways.__getitem__, label_visibility="collapsed")
        == "yes"
    )
    frame = store.ask(warehouse, spots.actions, spot, narrowing, latest, exactly=exactly)
    if frame.empty:
        _nothing(warehouse, narrowing, spot)
        return
    st.caption(say("spot.counted", turns=numbers.count(int(frame["turns"].sum())), latest=numbers.count(latest)))
    _actions(frame)
    _examples(warehouse, spot, narrowing, latest, exactly)


def _nothing(warehouse: Warehouse, narrowing: store.Narrowing, spot: Spot) -> None:
    """Nothing was played in this situation: parts of it can be dropped, filters too."""
    widgets.empty(say("spot.nothing"), say("spot.widen"))
    with st.container(horizontal=True):
        for key, word in structs.asdict(spot).items():
            if word:
                st.button(
                    say("filter.drop", name=say(f"spot.{key}")),
                    key=f"wider-{key}",
                    on_click=address.put,
                    args=(key, ""),
                )
    wanted = filters.chosen()
    if wanted and not store.covered(warehouse, narrowing).used:
        filters.nothing(warehouse, wanted, left=players.left(warehouse, wanted, players.known_most))


def _screen() -> None:
    st.title(say("spots"))
    st.caption(say("spot.lead_in"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    narrowing = players.some_ruleset(warehouse, filters.bar(warehouse))
    _explore(warehouse, narrowing)


_screen()
