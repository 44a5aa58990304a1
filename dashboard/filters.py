"""The filter bar, the same on every screen; what it leaves of the hands, and which filter left nothing.

The filters are words of the address (``address.FILTERS``). A screen names those that it can use; what else is set is
kept, and said not to count here. What a filter cannot be is said and dropped, whatever the screen.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from analysis import choices
from analysis.warehouse import Warehouse
from dashboard import address, numbers, roles, store, widgets
from dashboard.bidi import isolated
from dashboard.text import say

WORDS = {
    "role": ("landlord", "farmer"),
    "position": ("down", "up", "across"),
    "bots": ("human", "only", "none"),
}
REASONS = 6
"""Reasons that are named of hands left out; all others are added up."""


def bar(warehouse: Warehouse, offered: Sequence[str] = address.FILTERS) -> store.Narrowing:
    """The filters to choose from, and what is chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="filter-bar"):
        if "rules" in offered:
            _one(warehouse, "rules", choices.rulesets)
        if "player" in offered:
            _player(warehouse)
        _more(warehouse, [key for key in offered if key not in ("rules", "player")])
        if any(address.get(key) for key in offered):
            st.button(say("filter.clear"), icon=":material/filter_alt_off:", type="tertiary", on_click=_clear)
    _chips(offered)
    return chosen(offered)


def chosen(offered: Sequence[str] = address.FILTERS) -> store.Narrowing:
    """What is chosen, by parameter; only what a screen offers."""
    return {key: address.get(key) for key in offered if address.get(key)}


def understood() -> None:
    """Take out of the address what a filter cannot be, and say so; of a masked hand not what it said."""
    strange = {key: address.get(key) for key in address.FILTERS if address.get(key) and not _sound(key)}
    for key in strange:
        address.put(key, "")
    if strange:
        words = (say(f"filter.{key}") + ("" if address.get(address.MASK) else f": {strange[key]}") for key in strange)
        widgets.trouble(say("filter.strange"), "\n".join(words))


def _sound(key: str) -> bool:
    """Whether a word of the address is one that the filter can have."""
    if key in WORDS:
        return address.get(key) in WORDS[key]
    if key in ("since", "until"):
        return address.is_day(address.get(key))
    return key != "tag" or "=" in address.get(key)


def _clear(*own: str) -> None:
    for key in (*address.FILTERS, *own):
        address.put(key, "")


def _one(warehouse: Warehouse, key: str, known: store.Listing, width: int = 200) -> None:
    words = ["", *store.listed(warehouse, known)]
    address.choice(
        say(f"filter.{key}"), key, words, lambda word: word or say("all"), accept_new_options=True, width=width
    )


def _player(warehouse: Warehouse) -> None:
    """Players by id, with the name that they bore last."""
    ids = store.listed(warehouse, choices.players)
    called = store.names(warehouse, tuple(dict.fromkeys([*ids, *filter(None, [address.get("player")])])))
    address.choice(
        say("filter.player"),
        "player",
        ["", *ids],
        partial(player_name, called),
        accept_new_options=True,
        width=240,
        help=say("filter.player_help"),
    )


def player_name(called: dict[str, str], ident: str) -> str:
    """A player's name and id."""
    name, plain = called.get(ident) or ident, isolated(ident)
    return say("all") if not ident else plain if name == ident else f"{isolated(name)} ({plain})"


def _more(warehouse: Warehouse, offered: Sequence[str]) -> None:
    """What is not needed every day."""
    if not offered:
        return
    count = len(chosen(offered))
    with st.popover(say("filter.more", count=f" · {count}" if count else ""), icon=":material/tune:"):
        left, right = st.columns(2)
        for key, place in (("since", left), ("until", right)):
            if key in offered:
                address.day(say(f"filter.{key}"), key, place, help=say("filter.days_help"))
        for key, words in WORDS.items():
            if key in offered:
                address.choice(say(f"filter.{key}"), key, ["", *words], partial(_word, key))
        for key, known in (("table", choices.tables), ("tag", choices.tags)):
            if key in offered:
                _one(warehouse, key, known, 320)


def _word(key: str, word: str) -> str:
    if not word:
        return say("all")
    if key == "role":
        return roles.role(word, address.get("rules") or None)
    return say(f"{key}.{word}")


def _chips(offered: Sequence[str]) -> None:
    """What is set behind the button, so that nobody overlooks it; and what does not count on this screen."""
    hidden = [key for key in offered if key not in ("rules", "player") and key in chosen(offered)]
    if hidden:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filter-chips"):
            for key in hidden:
                _chip(key)
    unused = [key for key in address.FILTERS if address.get(key) and key not in offered]
    if unused:
        st.caption(say("filter.unused", names=say("comma").join(say(f"filter.{key}") for key in unused)))


def _chip(key: str) -> None:
    value = address.get(key)
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xxsmall"):
        named = _word(key, value) if value in WORDS.get(key, ()) else value
        st.text(f"{say(f'filter.{key}')}: {named}", width="content")
        st.button(
            say("filter.drop", name=say(f"filter.{key}")),
            key=f"drop-{key}",
            icon=":material/close:",
            type="tertiary",
            on_click=address.put,
            args=(key, ""),
        )


# --- what is left


def used(warehouse: Warehouse, narrowing: store.Narrowing) -> None:
    """How many hands count, and why others do not."""
    covered = store.covered(warehouse, narrowing)
    counted, reasons = covered.used, list(covered.left_out.items())
    if not reasons:
        st.caption(say("used_all", used=numbers.count(counted)))
        return
    lost = sum(covered.left_out.values())
    named = [f"{widgets.code_title(code)} ({numbers.count(hands)})" for code, hands in reasons[:REASONS]]
    rest = sum(hands for _, hands in reasons[REASONS:])
    if rest:
        named.append(say("used_rest", count=numbers.count(rest)))
    sentence = {"used": numbers.count(counted), "all": numbers.count(counted + lost), "lost": numbers.count(lost)}
    st.caption(say("used", **sentence, reasons=say("semicolon").join(named)))


def nothing(
    warehouse: Warehouse,
    narrowing: store.Narrowing,
    title: str = "",
    *,
    own: Mapping[str, str] | None = None,
    left: Callable[[str], int] | None = None,
    of: str = "hands",
) -> None:
    """Nothing is left: which filter did it, and a button that drops it.

    ``narrowing``: the filters that somebody chose; ``own``: words of the screen that narrow too, with what they are
    called. ``left``: how many the screen lists without one of all these, clean hands where it counts no others;
    ``of``: what it lists, ``hands``, ``entries``, ``findings`` or ``seats``.
    """
    called = {key: say(f"filter.{key}") for key in narrowing} | dict(own or {})
    widgets.empty(title or say("nothing_counted"), say(f"filter.which.{of}" if called else "filter.none"))
    without = {key: left(key) for key in called} if left else store.without_each(warehouse, narrowing)
    with st.container(horizontal=True):
        for key, count in without.items():
            st.button(
                say(f"filter.without.{of}", name=called[key], count=numbers.count(count)),
                key=f"without-{key}",
                icon=":material/filter_alt_off:",
                disabled=count == 0,
                on_click=address.put,
                args=(key, ""),
            )
        if called and not any(without.values()):
            st.button(
                say("filter.clear"),
                key="without-all",
                icon=":material/filter_alt_off:",
                on_click=_clear,
                args=tuple(own or ()),
            )
