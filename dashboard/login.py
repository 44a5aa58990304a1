"""Who is looking: where the dashboard is open to others, nobody sees a page before he has logged in.

Knows Streamlit's own login and who may enter. Refuses to know passwords.
"""

import os

import streamlit as st

from dashboard.text import say

LOGIN = "login"


def is_wanted() -> bool:
    """Whether people have to log in (``fupan dashboard --public``)."""
    return os.environ.get("FUPAN_ACCESS") == LOGIN


def entered() -> bool:
    """Whether the page may be shown; if not, what to do about it stands there."""
    if not is_wanted():
        return True
    if not st.user.is_logged_in:
        _door()
        return False
    if not may_enter(dict(st.user), _allowed()):
        st.title(say("login.not_allowed"))
        st.text(say("login.who", who=_who()))
        _way_out()
        return False
    return True


def sidebar() -> None:
    """Who is logged in, and the way out."""
    if is_wanted() and st.user.is_logged_in:
        st.text(_who())
        _way_out()


def may_enter(claims: dict[str, object], allowed: list[str]) -> bool:
    """Whether somebody with these claims is among those allowed: an address, or a domain (``@example.org``).

    An address that its provider has not verified is nobody's. Where nobody is named all may enter.
    """
    if not allowed:
        return True
    address = str(claims.get("email") or "").lower()
    if not address or claims.get("email_verified") is False:
        return False
    names = [name.strip().lower() for name in allowed]
    return any(address.endswith(name) if name.startswith("@") else address == name for name in names)


def _allowed() -> list[str]:
    names = st.secrets.get("fupan", {}).get("allowed", [])
    return [str(name) for name in names] if not isinstance(names, str) else [names]


def _who() -> str:
    return str(st.user.get("email") or st.user.get("name") or "")


def _door() -> None:
    st.title(say("login.title"))
    st.caption(say("login.lead"))
    providers = [name for name, given in st.secrets["auth"].items() if hasattr(given, "items")]
    for name in providers or [""]:
        label, given = (say("login.with", name=name), (name,)) if name else (say("login.enter"), ())
        st.button(label, key=f"login-{name}", type="primary", icon=":material/login:", on_click=st.login, args=given)


def _way_out() -> None:
    st.button(say("login.leave"), icon=":material/logout:", on_click=st.logout)
