"""The hands of the store that pass the filters, or those behind a number of a statistic; each leads to its page."""

import pandas as pd
import streamlit as st

from analysis import hand_list
from analysis.catalogue import CHOICES, statistics
from analysis.warehouse import Warehouse
from dashboard import address, filters, groups, hand_table, numbers, store, widgets
from dashboard.tables import Column
from dashboard.text import chosen, say
from ingest.faults import CATALOGUE

PAGE = 50  # hands on one page
VERDICTS = ("clean", "faulty")
SIDES = ("mate", "foe")


def _measure() -> str:
    """The statistic whose hands are asked for; nothing where the address names none that counts hands."""
    known = statistics().get(address.get("stat"))
    return known.name if known is not None and known.counted else ""


def _all(warehouse: Warehouse, narrowing: store.Narrowing) -> tuple[pd.DataFrame, int]:
    """The hands that pass the filters."""
    with st.container(horizontal=True):
        verdict = address.choice(
            say("col.verdict"), "verdict", ["", *VERDICTS], lambda word: say(word or "all"), width=160
        )
        code = address.choice(
            say("col.code"), "code", ["", *CATALOGUE], lambda word: widgets.code_title(word) or say("all"), width=260
        )
    other, side = address.get("other") if "player" in narrowing else "", address.get("side")
    if other:
        st.text(say(f"hands.with.{side}" if side in SIDES else "hands.with", player=other))
    wanted = {"verdict": verdict, "code": code, "other": other, "side": side if side in SIDES else ""}
    _, count = store.ask(warehouse, hand_list.hands, narrowing, wanted, 0, PAGE)
    if not count:
        return pd.DataFrame(), 0
    page = hand_table.page(count, PAGE)
    return store.ask(warehouse, hand_list.hands, narrowing, wanted, page.start, PAGE)


def _behind(warehouse: Warehouse, name: str, narrowing: store.Narrowing) -> tuple[pd.DataFrame, int]:
    """The seats that a measure counts."""
    declared = statistics()[name]
    st.subheader(say("hands.behind", title=chosen(declared.title_zh, declared.title_en)))
    st.caption(chosen(declared.definition_zh, declared.definition_en))
    by = address.get("by") if address.get("by") in CHOICES["by"] else ""
    if by and address.get("group"):
        st.text(f"{say(f'by.{by}')}: {groups.name(by, address.get('group'))}")
    titles = {"": say("all"), "yes": say("hands.part_yes"), "no": say("hands.part_no")}
    part = address.switch(say("hands.part"), "part", list(titles), titles.__getitem__)
    wanted = {"by": by, "group": address.get("group"), "part": part}
    _, count = store.ask(warehouse, hand_list.behind, name, narrowing, wanted, range(PAGE))
    if not count:
        return pd.DataFrame(), 0
    page = hand_table.page(count, PAGE)
    return store.ask(warehouse, hand_list.behind, name, narrowing, wanted, page)


def _seat_columns(name: str) -> tuple[Column, ...]:
    """What a hand adds to the number."""
    titles = {column.name: chosen(column.zh, column.en) for column in statistics()[name].columns}
    return (
        Column("player", "text", say("filter.player")),
        Column("part", "number", titles.get("part") or titles.get("mean") or ""),
        Column("whole", "number", titles.get("whole", "")),
        Column("score", "number", say("hand.recomputed")),
    )


def _screen() -> None:
    st.title(say("hands"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    narrowing = filters.bar(warehouse)
    name = _measure()
    frame, count = _behind(warehouse, name, narrowing) if name else _all(warehouse, narrowing)
    if not count:
        filters.nothing(warehouse, narrowing, say("none_match"))
        return
    hand_table.show("hands", frame, _seat_columns(name) if name else ())
    st.caption(say("hands.how", count=numbers.count(count)))


_screen()
