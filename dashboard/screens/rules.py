"""The law: rulesets side by side with their differences marked, and cards tried against it."""

import streamlit as st

from dashboard import address, law, markup, tables, widgets
from dashboard.tables import Column, Row
from dashboard.text import reading_name, say

TRY = "333444555666"
"""Cards that are tried where none are written: four trios, which rulesets read differently."""


def _chosen() -> tuple[str, list[str]]:
    """The ruleset, and those that it is compared with."""
    known = law.names()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rules = address.choice(say("filter.rules"), "rules", known, _named, width=300)
        offered = [name for name in known if name != rules]
        picked = address.several(
            say("rules.with"), "with", offered, _named, placeholder=say("rules.with_none"), width=520
        )
    parent = law.parent_of(rules)
    return rules, picked or ([parent] if parent else [])


def _named(name: str) -> str:
    return f"{name} · {law.title(name)}"


def _sheet(rules: str, others: list[str]) -> None:
    """Parameters side by side; what differs is marked."""
    frame = law.sheet([rules, *others])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ways = {"": say("rules.all"), "yes": say("rules.differing")}
        if others:
            only = address.switch(
                say("rules.show"), "differing", list(ways), ways.__getitem__, label_visibility="collapsed"
            )
            frame = frame[frame["differs"]] if only else frame
        wanted = address.text(say("rules.search"), "q", label_visibility="collapsed", placeholder=say("rules.search"))
    if wanted:
        found = frame["path"].str.contains(wanted, regex=False) | frame["meaning"].str.contains(wanted, regex=False)
        frame = frame[found]
    if frame.empty:
        widgets.empty(say("rules.none"))
        return
    columns = (
        Column("path", "text", say("rules.parameter")),
        Column("meaning", "text", say("rules.meaning")),
        *(Column(name, "html", name, law.title(name), word=_value) for name in (rules, *others)),
    )
    tables.show("law", frame, columns, rows=200)


def _value(value: object, row: Row) -> str:
    """A value, marked where the rulesets differ."""
    text = markup.plain(value)
    return f"<mark class='fp-mark'>{text}</mark>" if row["differs"] else text


# --- trying cards


def _try(rules: str) -> None:
    """What combination is this, and may it be played on that?"""
    st.markdown(f"#### {say('rules.try')}")
    st.caption(say("rules.try_help"))
    left, middle, right = st.columns([2, 2, 1], vertical_alignment="bottom")
    cards = address.text(say("rules.cards"), "cards", left, max_chars=200, placeholder=TRY) or TRY
    standing = address.text(say("rules.standing"), "on", middle, max_chars=200)
    trumps = law.trumps(rules)
    trump = address.choice(say("rules.trump"), "trump", trumps, str, right) if trumps else None
    for name in dict.fromkeys([rules, *(address.get("with").split())]):
        if name in law.names():
            _tried(name, cards.strip(), standing.strip(), trump if law.trumps(name) else None)


def _tried(rules: str, cards: str, standing: str, trump: str | None) -> None:
    """The answers under one ruleset."""
    if law.trumps(rules) and trump is None:
        return
    try:
        found = law.readings(cards, rules, trump) if cards else []
        answer = law.beats(cards, standing, rules, trump) if cards and standing else None
    except law.Refused as reason:
        widgets.trouble(say("rules.refused"), str(reason))
        return
    named = say("semicolon").join(_reading(each) for each in found) or say("rules.nothing")
    lines = [f"<b>{markup.plain(rules)}</b> {markup.faces(cards, in_order=True)} {markup.plain(named)}"]
    if answer is not None:
        verdict = say("rules.beats" if answer.beats else "rules.not")
        lines.append(f"{markup.faces(standing, in_order=True)} ← {markup.plain(verdict)}")
    st.html(f"{markup.STYLE}<div class='fp-tried'>{'<br>'.join(lines)}</div>")


def _reading(each: law.ReadingName) -> str:
    rank = say(f"joker.{each.rank}") if each.rank in ("B", "R") else str(each.rank).replace("T", "10")
    return f"{reading_name(each.name)} {rank}" + (f" × {each.length}" if each.length > 1 else "")


def _screen() -> None:
    st.title(say("rules"))
    rules, others = _chosen()
    st.caption(
        say("rules.beside_parent", parent=others[0]) if others and not address.get("with") else say("rules.lead_in")
    )
    _try(rules)
    st.markdown(f"#### {say('rules.sheet')}")
    _sheet(rules, others)


_screen()
