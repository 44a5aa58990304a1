"""The frame of the dashboard: pages, language, and which store it looks at.

Knows the order of things on every page: the language, who is there, and only then the store and a screen.
"""

import logging
import os
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from analysis.warehouse import NeedsUpgrade
from dashboard import address, filters, login, markup, store
from dashboard.menu import FIRST, SCREENS
from dashboard.text import say
from dashboard.widgets import failed, trouble


def _pages() -> dict[str, list]:
    """Every screen at its name, and the first at the bare address too: in the menu stands that one where one is."""
    named = urlsplit(st.context.url or "").path.endswith(f"/{FIRST}")
    pages = {
        say(group): [_page(name, icon, shown=name != FIRST or named) for name, icon in screens]
        for group, screens in SCREENS.items()
    }
    group, ((name, icon), *_) = next(iter(SCREENS.items()))
    pages[say(group)].insert(0, _page(name, icon, shown=not named, bare=True))
    return pages


def _page(name: str, icon: str, *, shown: bool, bare: bool = False) -> st.Page:
    return st.Page(
        f"screens/{name}.py",
        title=say(name),
        icon=f":material/{icon}:" if icon else None,
        url_path="" if bare else name,
        default=bare,
        visibility="visible" if icon and shown else "hidden",
    )


LANGUAGES = {"zh": "中文", "en": "English"}


def _choose_language() -> None:
    """中文 or English: as the address says (``?lang=en``), else ``FUPAN_LANG``, else the browser; else Chinese."""
    if "lang" not in st.session_state:
        given = st.query_params.get("lang")
        st.session_state["lang"] = given if given in LANGUAGES else _usual_language()
    st.segmented_control(
        say("language"),
        list(LANGUAGES),
        format_func=LANGUAGES.get,
        key="lang",
        required=True,
        label_visibility="collapsed",
    )


def _usual_language() -> str:
    locale = os.environ.get("FUPAN_LANG") or st.context.locale or "zh"
    return "zh" if locale.startswith("zh") else "en"


def _sidebar() -> None:
    login.sidebar()
    folder = store.folder()
    if folder is not None:
        st.caption(say("store"))
        st.text(folder.name)


def frame() -> None:
    """Draw the frame and the page that was chosen."""
    st.set_page_config(page_title="复盘 Fupan", page_icon=str(Path(__file__).with_name("icon.png")), layout="wide")
    with st.sidebar:
        _choose_language()
    st.html(markup.FRAME + markup.upload_box())
    if not login.entered():
        return
    with st.sidebar:
        _sidebar()
    page = st.navigation(_pages(), expanded=True)
    address.read(page.url_path or FIRST)
    filters.understood()
    try:
        page.run()
    except NeedsUpgrade as problem:
        failed(problem)
    except Exception:
        logging.getLogger("fupan").exception("page %s", page.url_path)
        trouble(say("broken"))
    address.write()


frame()
