"""Upload a log, see every verdict, look at single hands, take the report away or keep the hands in the store."""

import pandas as pd
import streamlit as st

from dashboard import export, store, widgets
from dashboard.hand_view import show_hand
from dashboard.roles import outcome
from dashboard.text import language, say
from dashboard.upload import Audit, Upload
from ingest.batch import builtin_names
from ingest.logs import FORMATS

VERDICTS = ("clean", "faulty", "unreadable")
PAGE = 50  # verdicts on one page of the table
REMEMBERED = 3  # audits that a session keeps: going back to other rules does not audit again


def _taken() -> None:
    """A file was chosen, replaced or taken away: remember it beyond this page."""
    file = st.session_state["file"]
    st.session_state["upload"] = None if file is None else Upload(file.name, file.getvalue())
    st.session_state.pop("place", None)


def _choices() -> tuple[Upload | None, str | None]:
    """The log and the rules to audit it by."""
    left, right = st.columns([2, 1], vertical_alignment="top")
    offered = ["", *builtin_names()]
    with left:
        st.file_uploader(say("audit.file"), key="file", on_change=_taken, help=say("audit.file_help"))
    with right:
        rules = st.selectbox(
            say("audit.rules"),
            offered,
            format_func=widgets.named(offered, lambda name: name or say("audit.rules_own")),
            key="rules",
            help=say("audit.rules_help"),
            persist_state="session",
        )
    return st.session_state.get("upload"), rules or None


def _audit(upload: Upload, rules: str | None) -> Audit:
    """The audit of this content under these rules, made once in a session (H-36)."""
    audits: dict[tuple[str, str | None], Audit] = st.session_state.setdefault("audits", {})
    key = (upload.digest, rules)
    if key not in audits:
        with st.spinner(say("audit.running")):
            line = st.empty()
            audit = Audit(upload, rules, lambda count: line.text(say("audit.progress", count=f"{count:,}")))
            line.empty()
        while len(audits) >= REMEMBERED:
            audits.pop(next(iter(audits)))
        audits[key] = audit
    return audits[key]


def _empty() -> None:
    widgets.empty(say("audit.empty"), say("audit.lead"))
    with st.expander(say("audit.formats")):
        for form in FORMATS.values():
            st.text(form.title_zh if language() == "zh" else form.title_en)


def _summary(audit: Audit) -> None:
    if st.session_state.get("file") is None:
        st.caption(say("audit.kept_before"))
    st.text(f"{say('audit.file_is')} {audit.upload.name}")
    counts = {"records": len(audit.verdicts)} | {name: audit.counts[name] for name in VERDICTS}
    titles = {"records": say("audit.records")}
    widgets.figures({titles.get(name) or say(name): count for name, count in counts.items()})


def _filtered(audit: Audit) -> list[int]:
    """The places of the hands that the filters let through."""
    first, second, third = st.columns(3)
    key = f"{audit.upload.digest[:8]}-{audit.rules}"
    verdicts = widgets.several(say("audit.filter_verdict"), VERDICTS, say, f"verdicts-{key}", first)
    codes = widgets.several(say("audit.filter_code"), sorted(audit.codes), widgets.code_title, f"codes-{key}", second)
    wanted = third.text_input(say("audit.filter_id"), key=f"wanted-{key}")
    return audit.matching(verdicts, codes, wanted)


def _rows(audit: Audit, places: list[int]) -> pd.DataFrame:
    """One row a verdict, as the table shows it."""
    verdicts = [audit.verdicts[place] for place in places]
    return pd.DataFrame(
        {
            say("col.verdict"): [say(verdict.verdict) for verdict in verdicts],
            say("col.line"): [verdict.line for verdict in verdicts],
            say("col.id"): [verdict.id for verdict in verdicts],
            say("col.rules"): [verdict.rules for verdict in verdicts],
            say("col.outcome"): [verdict.outcome and outcome(verdict.outcome, verdict.rules) for verdict in verdicts],
            say("col.multiplier"): pd.array([verdict.multiplier for verdict in verdicts], "Int64"),
            say("col.unit"): pd.array([verdict.unit for verdict in verdicts], "Int64"),
            say("col.codes"): [" ".join(finding.code for finding in verdict.findings) for verdict in verdicts],
            say("col.source"): [verdict.source for verdict in verdicts],
        }
    )


def _choose(audit: Audit, places: list[int]) -> int:
    """The table of verdicts, page by page, and the hand chosen in it."""
    pages = -(-len(places) // PAGE)
    page = st.pagination(pages, key=f"page-{pages}") if pages > 1 else 1
    shown = places[(page - 1) * PAGE : page * PAGE]
    first = (page - 1) * PAGE + 1
    st.caption(say("audit.shown", count=f"{len(places):,}", first=first, last=first + len(shown) - 1))
    if st.session_state.get("place") not in shown:
        st.session_state["place"] = next((p for p in shown if audit.verdicts[p].verdict != "clean"), shown[0])
    widgets.selectable(_rows(audit, shown), "verdicts", lambda row: st.session_state.update(place=shown[row]))
    return st.selectbox(
        say("audit.choose"),
        shown,
        format_func=widgets.named(shown, lambda place: _label(audit, place)),
        key="place",
        help=say("audit.choose_help"),
    )


def _label(audit: Audit, place: int) -> str:
    verdict = audit.verdicts[place]
    codes = " ".join(dict.fromkeys(finding.code for finding in verdict.findings))
    return " · ".join(filter(None, (say("audit.line", line=verdict.line), verdict.id, say(verdict.verdict), codes)))


def _take_away(audit: Audit) -> None:
    """The report as files, and the hands into the store."""
    spoken = language()
    stem = audit.upload.name.partition(".")[0] or "fupan"
    with st.container(horizontal=True):
        st.download_button(
            say("audit.report_json"),
            lambda: export.json_lines(audit.verdicts, spoken),
            f"{stem}.verdicts.jsonl",
            "application/jsonl",
            icon=":material/download:",
            help=say("audit.report_help"),
            on_click="ignore",
        )
        st.download_button(
            say("audit.report_csv"),
            lambda: export.csv_of(export.report(audit.verdicts, spoken)),
            f"{stem}.verdicts.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        _keep(audit)


def _keep(audit: Audit) -> None:
    there = store.folder() is not None
    pressed = st.button(
        say("audit.keep"),
        type="primary",
        icon=":material/inventory_2:",
        disabled=not there,
        help=say("audit.keep_help") if there else say("audit.no_store"),
    )
    if pressed:
        st.session_state["kept"] = _kept(audit)


def _kept(audit: Audit) -> tuple[str, str]:
    """Keep the hands: what to say about it, and the reason where it did not work."""
    try:
        with st.spinner(say("audit.keeping")):
            report = store.keep(audit.upload.audited(audit.rules))
    except store.TROUBLE as problem:
        return say("audit.keep_failed"), str(problem)
    return say("audit.kept", stored=report.stored, known=report.known, repeated=report.repeated), ""


def _say_what_was_kept() -> None:
    sentence, reason = st.session_state.pop("kept", ("", ""))
    if reason:
        widgets.trouble(sentence, reason)
    elif sentence:
        st.success(sentence, icon=":material/inventory_2:")


def _screen() -> None:
    st.title(say("audit"))
    upload, rules = _choices()
    if upload is None:
        _empty()
        return
    audit = _audit(upload, rules)
    _summary(audit)
    _take_away(audit)
    _say_what_was_kept()
    st.subheader(say("audit.table"))
    places = _filtered(audit)
    if places:
        place = _choose(audit, places)
        show_hand(audit.hand(place), f"{audit.upload.digest[:12]}-{audit.rules}-{place}")
    else:
        widgets.empty(say("none_match"))


_screen()
