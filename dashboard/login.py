"""Who is looking: where the dashboard is open to others, nobody sees a page before he has logged in.

Knows Streamlit's own login and who may enter. Refuses to know passwords.
"""

import os
import re
from collections.abc import Mapping

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
    if not may_come_in(dict(st.user)):
        st.title(say("login.not_allowed"))
        st.text(say("login.who", who=_who()))
        _way_out()
        return False
    return True


def sidebar() -> None:
    """Who has come in, and the way out."""
    if is_wanted():
        st.text(_who())
        _way_out()


def may_come_in(claims: Mapping[str, object]) -> bool:
    """Whether somebody of whom the provider says this has logged in, and is among those whom the secrets allow."""
    own = st.secrets.get("fupan", {})
    names = own.get("allowed", [])
    allowed = [names] if isinstance(names, str) else [str(name) for name in names]
    return claims.get("is_logged_in") is True and may_enter(claims, allowed, trusted=own.get("trust_addresses") is True)


def may_enter(claims: Mapping[str, object], allowed: list[str], *, trusted: bool = False) -> bool:
    """Whether somebody with these claims is among those allowed: an address, or a domain (``@example.org``).

    An address that its provider has not verified is nobody's. Where the provider does not say whether it did, this is
    ``trusted`` or not. Where nobody is named all may enter.
    """
    if not allowed:
        return True
    address, said = str(claims.get("email") or ""), claims.get("email_verified")
    if not re.fullmatch(r"[^\s@]+@[^\s@]+", address):
        return False
    if not (trusted if said is None else said is True or said == "true"):
        return False
    names = [_folded(name.strip()) for name in allowed]
    own = _folded(address)
    return any(own.endswith(name) if name.startswith(b"@") else own == name for name in names)


def _folded(address: str) -> bytes:
    """An address as it is compared: A to Z as a to z, and no other letter as one that looks like it."""
    return address.encode(errors="replace").lower()


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
