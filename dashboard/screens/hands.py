"""The hands of the store that pass the filters, or those behind a number of a statistic; each leads to its page."""

from functools import partial

import pandas as pd
import streamlit as st
from msgspec import Struct

from analysis import hand_list
from analysis.catalogue import CHOICES, Statistic, statistics
from analysis.warehouse import Warehouse
from dashboard import address, filters, groups, hand_table, numbers, store, tables, widgets
from dashboard.bidi import isolated
from dashboard.tables import Column
from dashboard.text import chosen, say
from ingest.faults import CATALOGUE

PAGE = 50  # hands on one page
VERDICTS = ("clean", "faulty")
SIDES = ("mate", "foe")


def _statistic() -> Statistic | None:
    """The statistic whose hands are asked for; None where the address names none whose hands can be told."""
    known = statistics().get(address.get("stat"))
    return known if known is not None and (known.counted or known.behind) else None


def _offered(declared: Statistic | None) -> list[str]:
    """The filters that the statistic has, and those that say which of its rows is meant."""
    if declared is None:
        return list(address.FILTERS)
    columns = {column.name for column in declared.columns}
    return [key for key in address.FILTERS if key in declared.parameters or key in columns]


class Asked(Struct, frozen=True):
    """A list of hands: what finds one page of it, and the words that narrow it besides the filters."""

    question: store.Question
    """Takes what is ``given``, filters, the words and the rows of a page; gives it and how many there are in all."""
    given: tuple[str, ...]
    words: dict[str, str]
    called: dict[str, str]
    """Words that can be dropped, with what they are called."""
    of: str
    """What it lists, as ``filters.nothing`` says it."""

    def page(self, warehouse: Warehouse, narrowing: store.Narrowing, rows: range) -> tuple[pd.DataFrame, int]:
        """One page, and how many there are in all."""
        whole = range(rows.start, rows.start + PAGE)
        return store.ask(warehouse, self.question, *self.given, narrowing, self.words, whole)

    def count(self, warehouse: Warehouse, narrowing: store.Narrowing, dropped: str = "") -> int:
        """How many there are, without what one word narrows."""
        words = {key: word for key, word in self.words.items() if key != dropped}
        others = {key: value for key, value in narrowing.items() if key != dropped}
        return int(store.ask(warehouse, self.question, *self.given, others, words, range(PAGE))[1])


def _all(narrowing: store.Narrowing) -> Asked:
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
        st.text(say(f"hands.with.{side}" if side in SIDES else "hands.with", player=isolated(other)))
    words = {"verdict": verdict, "code": code, "other": other, "side": side if side in SIDES else ""}
    titles = {"verdict": say("col.verdict"), "code": say("col.code"), "other": say("compare.other")}
    return Asked(hand_list.hands, (), words, {key: title for key, title in titles.items() if words[key]}, "hands")


def _behind(declared: Statistic) -> Asked:
    """The seats that a measure counts."""
    by = address.get("by") if address.get("by") in CHOICES["by"] else ""
    group = address.get("group") if by else ""
    if group:
        st.text(f"{say(f'by.{by}')}: {groups.name(by, group)}")
    titles = {"": say("all"), "yes": say("hands.part_yes"), "no": say("hands.part_no")}
    part = address.switch(say("hands.part"), "part", list(titles), titles.__getitem__)
    titles = {column.name: chosen(column.zh, column.en) for column in declared.columns}
    kind = address.get("class") if "class" in titles else ""
    if kind:
        st.text(f"{titles['class']}: {kind}")
    words = {"by": by, "group": group, "part": part, "class": kind}
    called = {"group": say(f"by.{by}") if by else "", "part": say("hands.part"), "class": titles.get("class", "")}
    called = {key: title for key, title in called.items() if words[key]}
    return Asked(hand_list.behind, (declared.name,), words, called, "seats")


def _of_row(declared: Statistic) -> Asked:
    """The hands that a row of a statistic counts."""
    titles = {column.name: chosen(column.zh, column.en) for column in declared.columns}
    keys = declared.behind.keys if declared.behind is not None else ()
    words = {key: address.get(key) for key in keys}
    called = {key: titles[key] for key in keys if words[key]}
    for key, title in called.items():
        st.text(f"{title}: {tables.word(key, words[key], address.get('rules') or None)}")
    return Asked(hand_list.of_row, (declared.name,), words, called, "hands")


def _asked(declared: Statistic | None, narrowing: store.Narrowing) -> Asked:
    """The list that the address asks for."""
    if declared is None:
        return _all(narrowing)
    st.subheader(say("hands.behind", title=chosen(declared.title_zh, declared.title_en)))
    st.caption(chosen(declared.definition_zh, declared.definition_en))
    return _behind(declared) if declared.counted else _of_row(declared)


def _seat_columns(declared: Statistic) -> tuple[Column, ...]:
    """What a hand adds to the number."""
    titles = {column.name: chosen(column.zh, column.en) for column in declared.columns}
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
    declared = _statistic()
    narrowing = filters.bar(warehouse, _offered(declared))
    asked = _asked(declared, narrowing)
    count = asked.count(warehouse, narrowing)
    if not count:
        left = partial(asked.count, warehouse, narrowing)
        filters.nothing(warehouse, narrowing, say("none_match"), own=asked.called, left=left, of=asked.of)
        return
    frame, _ = asked.page(warehouse, narrowing, hand_table.page(count, PAGE))
    hand_table.show("hands", frame, _seat_columns(declared) if declared is not None and declared.counted else ())
    st.caption(say("hands.how", count=numbers.count(count)))


_screen()
