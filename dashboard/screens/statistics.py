"""The whole catalogue: every statistic with its definition, run with the filters, drawn where a chart fits."""

import pandas as pd
import streamlit as st

from analysis.catalogue import CHOICES, Statistic, statistics
from analysis.chapters import CHAPTERS, INTEGRITY, OTHER, chapter, place
from analysis.warehouse import Warehouse
from dashboard import address, charts, filters, groups, links, store, tables, widgets
from dashboard.tables import Column
from dashboard.text import chosen, say

DRAWN = 80
"""Groups up to which an answer is drawn."""


def _title(each: Statistic) -> str:
    return chosen(each.title_zh, each.title_en)


def _definition(each: Statistic) -> str:
    return chosen(each.definition_zh, each.definition_en)


# --- the list


def _found(wanted: str, part: str) -> list[Statistic]:
    """The statistics of a chapter that have some text in name, title or definition."""
    known = sorted(statistics().values(), key=place)
    if part:
        known = [each for each in known if chapter(each) == part]
    words = wanted.casefold().split()
    return [each for each in known if all(word in _text(each) for word in words)]


def _text(each: Statistic) -> str:
    parts = (each.name, each.number, each.title_zh, each.title_en, each.definition_zh, each.definition_en)
    return " ".join(parts).casefold()


def _list() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = address.text(say("stats.search"), "q", placeholder=say("stats.search_hint"), width=320)
        parts = ("", *CHAPTERS, INTEGRITY, OTHER)
        part = address.choice(
            say("stats.chapter"),
            "chapter",
            parts,
            lambda word: say(f"chapter.{word}") if word else say("all"),
            width=220,
        )
    found = _found(wanted, part)
    st.caption(say("stats.count", count=len(found), all=len(statistics())))
    if not found:
        widgets.empty(say("stats.none"))
        return
    frame = pd.DataFrame(
        [
            {
                "name": each.name,
                "title": _title(each),
                "chapter": say(f"chapter.{chapter(each)}"),
                "definition": _definition(each),
                "minimum": each.minimum,
            }
            for each in found
        ]
    )
    columns = (
        Column("title", "text", say("player.measure"), link=lambda row: links.to("statistics", stat=row["name"])),
        Column("chapter", "text", say("stats.chapter")),
        Column("definition", "long", say("stats.definition")),
        Column("minimum", "count", say("stats.minimum"), say("stats.minimum_help")),
        Column("name", "text", say("stats.name"), say("stats.name_help")),
    )
    tables.show("catalogue", frame, columns, rows=200)


# --- one of them


def _one(warehouse: Warehouse, each: Statistic) -> None:
    """A statistic, run."""
    narrowing = filters.bar(warehouse, [key for key in address.FILTERS if key in each.parameters])
    asked = narrowing | _split(each)
    frame = store.statistic(warehouse, each.name, asked)
    if frame.empty:
        filters.nothing(warehouse, narrowing)
        return
    if each.counted:
        filters.used(warehouse, narrowing)
    by = str(asked.get("by", ""))
    _chart(each, frame, by)
    tables.statistic(each.name, frame, by=by)
    if frame.attrs.get("truncated"):
        st.caption(say("stats.truncated", count=f"{len(frame):,}"))
    with st.expander(say("stats.columns"), icon=":material/table:"):
        _columns(each)


def _split(each: Statistic) -> store.Narrowing:
    """How an answer is split, and whether rulesets are put together."""
    asked: store.Narrowing = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if "by" in each.parameters:
            words = ("", *CHOICES["by"])
            asked["by"] = address.choice(
                say("stats.by"), "by", words, lambda word: say(f"by.{word}") if word else "–", width=200
            )
        if "across" in each.parameters:
            titles = {"": say("stats.apart"), "yes": say("stats.across")}
            asked["across"] = address.choice(
                say("stats.together"), "across", tuple(titles), titles.__getitem__, width=200
            )
    return {key: value for key, value in asked.items() if value}


def _chart(each: Statistic, frame: pd.DataFrame, by: str) -> None:
    """A chart where one fits: shares, and measures of some groups of one ruleset."""
    if not each.counted or frame["rules"].nunique() > 1 or len(frame) > DRAWN:
        return
    if "class" in frame:
        if frame["group"].isna().all():
            charts.shares(frame)
    elif by == "strength":
        charts.against(groups.named(frame), each.minimum, say("strategy.points"))
    elif by:
        named = groups.named(frame)
        ordered = named.sort_values("group") if by in ("day", "month", "weekday", "bid", "base") else named
        labels = [
            groups.name(by, value, rules) for value, rules in zip(ordered["group"], ordered["rules"], strict=True)
        ]
        charts.intervals(ordered.assign(label=labels), each.minimum, ordered=by in ("day", "month"))


def _columns(each: Statistic) -> None:
    rows = [
        {"name": c.name, "title": chosen(c.zh, c.en), "meaning": chosen(c.meaning_zh, c.meaning_en)}
        for c in each.columns
    ]
    columns = (
        Column("name", "text", say("stats.name")),
        Column("title", "text", say("col.title")),
        Column("meaning", "long", say("rules.meaning")),
    )
    tables.show(f"columns-{each.name}", pd.DataFrame(rows), columns, rows=60)
    st.caption(f"`fupan stats {each.name} --store …` · {say('stats.minimum')}: {each.minimum}")


def _screen() -> None:
    each = statistics().get(address.get("stat"))
    if each is None:
        st.title(say("statistics"))
        _list()
        return
    links.button("statistics", say("stats.back"), "arrow_back", stat="")
    st.title(_title(each))
    st.markdown(_definition(each).replace("~", r"\~").replace("$", r"\$"))
    warehouse = widgets.opened()
    if warehouse is None:
        return
    try:
        _one(warehouse, each)
    except store.TROUBLE as reason:
        widgets.failed(reason)


_screen()
