"""What a screen shows is written in its address, so that it can be refreshed, kept and sent to somebody.

Knows two kinds of words in an address: the filters, which go along from screen to screen, and a screen's own choices,
which it finds again when one comes back to it. What an address says wins over what was chosen before. Refuses to know
what the words mean: a choice that a screen does not offer is dropped by the screen.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import streamlit as st

FILTERS = ("rules", "player", "role", "position", "since", "until", "table", "tag", "bots")
"""Words that every screen understands; the parameters of statistics bear the same names."""
TELLING = ("player", "table", "tag")
"""Filters that may name who played: of a masked hand no address says them, of no screen that it leads to either."""
MASK = "mask"
"""The word by which a hand is masked."""
BROWSERS = ("move", "seat")
"""Words that the browser writes into an address by itself, as one steps through a replay."""
PAGE = "page"
"""What the words begin with that say which page of a list is shown; another choice turns back to the first."""
_SHARED, _OWN, _WRITTEN, _PAGE = "address-shared", "address-own", "address-written", "address-page"
_CHOSEN = "address-chosen"
"""Since the address was last written: the words that were chosen, by page."""
_REMEMBERED = 50
"""How many of the addresses that were written are known again."""


def read(page: str) -> None:
    """Take over what the address says, at the beginning of a run.

    With a choice the browser sends the address that it has, which may be one from before the last few choices when
    they are made quickly. So of an address of our own that comes with a choice only what the browser writes is news.
    """
    memory = st.session_state
    memory.setdefault(_SHARED, {})
    memory.setdefault(_OWN, {})
    whole = st.query_params.to_dict()
    given = {key: value for key, value in whole.items() if key != "lang"}
    written, chosen = memory.setdefault(_WRITTEN, []), memory.pop(_CHOSEN, {}).get(page, {})
    stayed, memory[_PAGE] = memory.get(_PAGE) == page, page
    if written and (not whole or (page, given) == written[-1]):  # the menu says no words: all is as it was left
        return
    if stayed and chosen and (not written or (page, _ours(given)) in [(each, _ours(words)) for each, words in written]):
        news = {key: given.get(key, "") for key in BROWSERS} if written else given
        for key, value in (news | chosen).items():
            _set(key, value)
        return
    memory[_SHARED] = {key: value for key, value in given.items() if key in FILTERS}
    memory[_OWN][page] = {key: value for key, value in given.items() if key not in FILTERS}


def _ours(words: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in words.items() if key not in BROWSERS}


def write() -> None:
    """Let the address say what is chosen."""
    memory = st.session_state
    words = {key: value for key, value in (_said() | _own()).items() if value}
    written = [each for each in memory[_WRITTEN] if each != (memory[_PAGE], words)]
    memory[_WRITTEN] = [*written, (memory[_PAGE], words)][-_REMEMBERED:]
    memory.pop(_CHOSEN, None)
    whole = {"lang": memory["lang"]} | words
    if st.query_params.to_dict() != whole:
        st.query_params.from_dict(whole)


def _said() -> dict[str, str]:
    """The filters that an address says."""
    hidden = TELLING if _own().get(MASK) else ()
    return {key: value for key, value in st.session_state[_SHARED].items() if key not in hidden}


def _own() -> dict[str, str]:
    return st.session_state[_OWN].setdefault(st.session_state[_PAGE], {})


def _place(key: str) -> dict[str, str]:
    return st.session_state[_SHARED] if key in FILTERS else _own()


def get(key: str, default: str = "") -> str:
    """What was chosen; the default where nothing was."""
    return _place(key).get(key, default)


def put(key: str, value: str) -> None:
    """Choose something; nothing takes the word away."""
    memory = st.session_state
    memory.setdefault(_CHOSEN, {}).setdefault(memory[_PAGE], {})[key] = value
    _set(key, value)


def go(words: dict[str, str]) -> None:
    """Choose all that an address of this screen says, and nothing else."""
    for key in {*st.session_state[_SHARED], *_own(), *BROWSERS, *words} - {"lang"}:
        put(key, words.get(key, ""))


def is_here(page: str) -> bool:
    """Whether it is the screen that is shown."""
    return bool(st.session_state[_PAGE] == page)


def _set(key: str, value: str) -> None:
    if value:
        _place(key)[key] = value
    else:
        _place(key).pop(key, None)


def is_day(word: str) -> bool:
    """Whether a word is a day such as 2026-11-29."""
    try:
        return date.fromisoformat(word).isoformat() == word
    except ValueError:
        return False


def link(**changes: str | int) -> dict[str, str]:
    """The words of an address that keeps the filters and says some more; empty ones are taken away."""
    whole = {"lang": st.session_state["lang"]} | _said() | changes
    return {key: str(value) for key, value in whole.items() if value != ""}


# --- choosing, on the page


def _name(key: str) -> str:
    """The name of the widget for a word: a screen's own words are its own."""
    return f"at-{key}" if key in FILTERS else f"at-{st.session_state[_PAGE]}-{key}"


def _chosen(key: str, text: Callable[[Any], str], default: str) -> None:
    value = st.session_state[_name(key)]
    said = "" if value is None else text(value)
    put(key, "" if said == default else said)
    if not key.startswith(PAGE):
        for page in [other for other in _own() if other.startswith(PAGE)]:
            put(page, "")


def _bound(key: str, value: Any, text: Callable[[Any], str] = str, default: str = "") -> dict[str, Any]:
    """What makes a widget show the word of the address and write it."""
    st.session_state[_name(key)] = value
    return {"key": _name(key), "on_change": _chosen, "args": (key, text, default)}


def choice(
    label: str, key: str, options: Sequence[str], namer: Callable[[str], str], place: Any = st, **more: Any
) -> str:
    """One of several words; the first of them where none was chosen, or one that is not offered.

    With ``accept_new_options`` any other word may be written, and is kept.
    """
    value, offered = get(key, options[0]), list(options)
    if value not in offered:
        if not more.get("accept_new_options"):
            value = options[0]
        offered = list(dict.fromkeys([*offered, value]))
    names = {option: namer(option) for option in offered}
    bound = _bound(key, value, default=options[0])
    chosen = place.selectbox(label, offered, format_func=lambda word: names.get(word, word), **bound, **more)
    return chosen or ""


def switch(label: str, key: str, options: Sequence[str], namer: Callable[[str], str], **more: Any) -> str:
    """The same for two to five words of our own, side by side. Their names are Markdown."""
    value = get(key, options[0])
    names = {option: namer(option) for option in options}
    bound = _bound(key, value if value in options else options[0], default=options[0])
    return st.segmented_control(label, list(options), format_func=names.__getitem__, required=True, **bound, **more)


def several(
    label: str, key: str, options: Sequence[str], namer: Callable[[str], str], place: Any = st, **more: Any
) -> list[str]:
    """Some of several words without spaces; those that are not offered are dropped."""
    value = [word for word in dict.fromkeys(get(key).split(" ")) if word in options]
    names = {option: namer(option) for option in options}
    return place.multiselect(
        label, list(options), format_func=names.__getitem__, **_bound(key, value, " ".join), **more
    )


def flag(key: str) -> dict[str, Any]:
    """What makes a switch show whether a word of the address is set, and set it."""
    return _bound(key, bool(get(key)), lambda on: "1" if on else "")


def text(label: str, key: str, place: Any = st, **more: Any) -> str:
    """A text."""
    return place.text_input(label, **_bound(key, get(key)), **more)


def day(label: str, key: str, place: Any = st, **more: Any) -> date | None:
    """A day; None where none was chosen, or something that is no day."""
    value = date.fromisoformat(get(key)) if is_day(get(key)) else None
    return place.date_input(label, format="YYYY-MM-DD", **_bound(key, value, date.isoformat), **more)


def page_of(count: int, rows: int, key: str = PAGE) -> int:
    """Which page of a list is shown, from 1."""
    given = get(key, "1")
    return min(max(int(given), 1), _pages(count, rows)) if given.isdecimal() and len(given) < 10 else 1


def pages(count: int, rows: int, key: str = PAGE) -> None:
    """The pages of a list to choose from, where there are several."""
    if _pages(count, rows) > 1:
        st.pagination(_pages(count, rows), **_bound(key, page_of(count, rows, key), default="1"))


def _pages(count: int, rows: int) -> int:
    return max(1, -(-count // rows))
