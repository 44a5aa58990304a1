"""Keeping the hands of an uploaded log: what is asked before, and what is said of it then.

Knows what a load reports. Refuses to know how hands are stored. Names and ids of a log are drawn as plain text.
"""

from typing import Literal

import streamlit as st
from msgspec import Struct

from dashboard import numbers, store, widgets
from dashboard.bidi import isolated
from dashboard.text import language, say
from dashboard.upload import Audit, Forgotten
from ingest.faults import Finding, message
from ingest.load import LoadReport
from ingest.load.naming import Name
from ingest.store.publish import Notice
from ingest.verdict import Verdict

NAMED = 20
"""Hands that the store had, or had under their ids, that are named."""
_ASKED, _SAID = "keep-asked", "keep-said"
"""In the session: a question that is open, and what became of the last log."""

Way = Literal["ask", "other", "replace"]
"""What to do where ids clash: ask, keep the log under another name, or put its hands in the place of the others."""
_Log = tuple[str, str | None, str]


class _Asked(Struct, frozen=True):
    log: _Log
    name: Name


class _Said(Struct, frozen=True):
    """What became of a log."""

    log: _Log
    sentence: str
    lines: tuple[str, ...] = ()
    """More of it, letter for letter."""
    kind: Literal["good", "mixed", "trouble"] = "trouble"


def button(audit: Audit) -> None:
    """Keeps the hands of a log, or says why it cannot."""
    there = store.folder() is not None
    pressed = st.button(
        say("audit.keep"),
        type="primary",
        icon=":material/inventory_2:",
        disabled=audit.cut or not there,
        help=say("audit.cut_keep" if audit.cut else "audit.keep_help" if there else "audit.no_store"),
        key="keep",
    )
    if pressed:
        _keep(audit, "ask")


def outcome(audit: Audit) -> None:
    """The question that is open about a log, and what became of it."""
    asked = st.session_state.get(_ASKED)
    if asked is not None and asked.log == _log(audit):
        _ask(audit, asked.name)
    said = st.session_state.pop(_SAID, None)
    if said is None or said.log != _log(audit):
        return
    if said.kind == "trouble":
        widgets.trouble(said.sentence, "\n".join(said.lines))
        return
    draw, icon = (st.success, "inventory_2") if said.kind == "good" else (st.warning, "error")
    draw(said.sentence, icon=f":material/{icon}:")
    if said.lines:
        widgets.plain(said.lines)


def _log(audit: Audit) -> _Log:
    format = audit.format
    return audit.upload.digest, audit.rules, format if isinstance(format, str) else getattr(format, "name", "")


def _ask(audit: Audit, name: Name) -> None:
    names = {"name": audit.upload.name, "other": name.name, "corrects": name.corrects}
    with st.container(border=True):
        st.markdown(f":orange[:material/help:] {say('keep.clash', count=numbers.count(name.clashes))}")
        widgets.plain((say("keep.names", **{word: isolated(said) for word, said in names.items()}),))
        with st.container(horizontal=True):
            ways: tuple[Way, ...] = ("other", "replace")
            for way in ways:
                text, help = say(f"keep.{way}"), say(f"keep.{way}_help")
                st.button(text, help=help, key=f"keep-{way}", on_click=_keep, args=(audit, way))
            st.button(say("keep.leave"), key="keep-leave", type="tertiary", on_click=_close)


def _close() -> None:
    st.session_state.pop(_ASKED, None)


def _keep(audit: Audit, way: Way) -> None:
    """Keep a log, or ask first where ids of it stand for other hands in the store."""
    _close()
    said = _refusal(audit)
    if said is None:
        try:
            with st.spinner(say("audit.keeping")):
                said = _kept(audit, way)
        except store.TROUBLE as problem:
            said = _Said(_log(audit), say("audit.keep_failed"), (store.said(problem),))
        except Forgotten:
            said = _Said(_log(audit), say("audit.gone"))
    if said is not None:
        st.session_state[_SAID] = said


def _refusal(audit: Audit) -> _Said | None:
    """Why nothing of a log is kept: it is broken (H-28), or nothing of it could be read."""
    if audit.damage is not None:
        return _Said(_log(audit), say("keep.damaged"), (_named(audit.damage, audit.damage.findings[0]),))
    return None if audit.has_hands else _Said(_log(audit), say("keep.nothing"))


def _kept(audit: Audit, way: Way) -> _Said | None:
    """What became of the hands; None where it is asked first what to do with them. Raises as ``store.keep``."""
    own, name = audit.upload.name, store.name_for(audit.upload.name, audit.hands())
    if way == "ask" and name.clashes and not name.is_known:
        st.session_state[_ASKED] = _Asked(_log(audit), name)
        return None
    under = name.corrects if way == "replace" else name.name
    report = store.keep(audit.upload.audited(audit.rules, audit.format, name=under), replace=way == "replace")
    lines = [] if under == own else [say("keep.under", name=isolated(under))]
    return _Said(_log(audit), _sum(report), (*lines, *_notices(report)), _kind(report))


def _kind(report: LoadReport) -> Literal["good", "mixed"]:
    return "mixed" if report.unreadable else "good"


def _sum(report: LoadReport) -> str:
    """What became of how many, as ``fupan load`` counts them."""
    counts = {
        "stored": report.stored - report.unreadable,
        "unreadable": report.unreadable - report.refused,
        "known": report.known,
        "repeated": report.repeated - report.elsewhere,
        "elsewhere": report.elsewhere,
        "replaced": report.replaced,
        "refused": report.refused,
    }
    parts = [say(f"keep.{word}", count=numbers.count(n)) for word, n in counts.items() if n or word == "stored"]
    return say("keep.sum", count=numbers.count(report.read), parts=say("comma").join(parts))


def _notices(report: LoadReport) -> list[str]:
    """The first hands that the store knows, or knows their ids."""
    shown = [_named(notice, Finding(notice.code, details=notice.details)) for notice in report.notices[:NAMED]]
    more = report.elsewhere + report.refused - len(shown)
    return [*shown, say("keep.more", count=numbers.count(more))] if more > 0 else shown


def _named(where: Notice | Verdict, finding: Finding) -> str:
    parts = [f"{isolated(where.source)}:{where.line}", *([isolated(where.id)] if where.id else [])]
    return f"{' · '.join(parts)} · {finding.code} {message(finding, language())}"
