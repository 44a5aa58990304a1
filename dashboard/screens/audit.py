"""Upload a log, see every verdict, go to single hands, take the report away, keep the hands or forget them."""

import pandas as pd
import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import address, export, keeping, numbers, own_formats, report_page, widgets
from dashboard.bidi import isolated
from dashboard.roles import outcome
from dashboard.shelf import Gone, Way, shelf, way_of
from dashboard.text import language, say
from dashboard.upload import Audit, Forgotten, Upload
from ingest.batch import builtin_names
from ingest.logs import FORMATS

VERDICTS = ("clean", "faulty", "unreadable")
PAGE = 50  # verdicts on one page of the table
ROW = 35  # pixels of one row
PASSED_OVER = 5  # files that are named of those that were left alone
FILTERS = ("verdict", "code", "who", "find")


def _box() -> str:
    """What the box for a log is called: by another name it is another one, and empty."""
    number = st.session_state.setdefault("boxes", 0)
    return f"file-{number}" if number else "file"


def _taken() -> None:
    """A file was chosen or replaced: the address names it from now on. One that is taken out of the box stays."""
    file = st.session_state[_box()]
    if file is None:
        return
    upload = shelf().put(file.name, file.getvalue(), most=_limit() << 20)
    address.put("log", upload.digest)
    _reset()


def _limit() -> int:
    """Megabytes of the largest log, packed or unpacked."""
    return int(st.get_option("server.maxUploadSize"))


def _reset() -> None:
    for word in (*FILTERS, address.PAGE):
        address.put(word, "")


def _choices() -> tuple[Upload | None, Way]:
    """The log, and how to audit it."""
    left, right = st.columns([2, 1], vertical_alignment="top")
    with left:
        st.file_uploader(say("audit.file"), key=_box(), on_change=_taken, help=say("audit.file_help"))
        st.caption(say("audit.limit", limit=_limit()))
    with right:
        rules = address.choice(
            say("audit.rules"),
            "under",
            ["", *builtin_names()],
            lambda name: name or say("audit.rules_own"),
            help=say("audit.rules_help"),
        )
        formats = ["", *FORMATS, *own_formats.offered()]
        format = address.choice(say("audit.format"), "as", formats, own_formats.title, help=say("audit.format_help"))
        own_formats.upload(_reset)
    digest = address.get("log")
    return (shelf().get(digest) if digest else None), way_of(rules, format)


# --- the audit


def _audit(upload: Upload, way: Way) -> Audit:
    """The audit of this log, with a bar while it is made."""
    bar = st.empty()

    def told(audit: Audit) -> None:
        bar.progress(audit.share, say("audit.progress", count=numbers.count(len(audit.verdicts))))

    with st.spinner(say("audit.running")):
        audit = shelf().audit(upload, way, told)
    bar.empty()
    return audit


def _empty() -> None:
    if address.get("log"):
        widgets.empty(say("audit.gone"), say("audit.gone_more"))
    else:
        widgets.empty(say("audit.empty"), say("audit.lead"))
    with st.expander(say("audit.formats")):
        for name in FORMATS:
            st.text(own_formats.title(name))


def _summary(audit: Audit) -> None:
    formats = say("comma").join(map(own_formats.title, audit.formats))
    st.text(say("audit.file_is", name=isolated(audit.upload.name), formats=f" · {formats}" if formats else ""))
    if audit.logbook.passed_over:
        st.text(_passed_over(audit))
    counts = {"records": len(audit.verdicts)} | {name: audit.counts[name] for name in VERDICTS}
    titles = {"records": say("audit.records")}
    widgets.figures({titles.get(name) or say(name): count for name, count in counts.items()})
    if audit.cut:
        st.warning(say("audit.cut", count=numbers.count(len(audit.verdicts))), icon=":material/content_cut:")


def _passed_over(audit: Audit) -> str:
    """What was left alone in an archive, the first of it by name (H-28)."""
    book = audit.logbook
    names = say("comma").join(map(isolated, book.passed_over_names[:PASSED_OVER]))
    more = " …" if book.passed_over > PASSED_OVER else ""
    return say("audit.passed_over", count=numbers.count(book.passed_over), names=names + more)


# --- taking away, keeping, forgetting


def _take_away(audit: Audit) -> None:
    """The report as files, the hands into the store, or everything gone."""
    spoken = language()
    part = f".first-{len(audit.verdicts)}" if audit.cut else ""
    name = f"{audit.upload.name.partition('.')[0] or 'fupan'}{part}.verdicts"
    table = lambda: export.report(audit.verdicts, spoken)  # noqa: E731
    with st.container(horizontal=True, vertical_alignment="center"):
        keeping.button(audit)
        _forget_button(audit)
        widgets.downloads(
            name,
            html=lambda: report_page.html(audit, spoken),
            csv=lambda: export.csv_of(table()),
            parquet=lambda: export.parquet_of(table()),
            jsonl=lambda: export.json_lines(audit.verdicts, spoken),
        )


def _forget_button(audit: Audit) -> None:
    is_owner = shelf().is_owner(audit.upload.digest)
    st.button(
        say("audit.forget"),
        icon=":material/delete:",
        disabled=not is_owner,
        help=say("audit.forget_help" if is_owner else "audit.forget_others"),
        on_click=_forget,
        key="forget",
    )


def _forget() -> None:
    shelf().forget(address.get("log"))
    _empty_box()
    get_instance().media_file_mgr.remove_orphaned_files()  # marks what was taken away; the end of the run deletes it
    address.put("log", "")
    _reset()
    st.session_state["forgotten"] = True


def _empty_box() -> None:
    """Take the file out of its box, and out of the memory in which the server holds what lies in boxes."""
    file, context = st.session_state.pop(_box(), None), get_script_run_ctx()
    if file is not None and context is not None:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
    st.session_state["boxes"] += 1


# --- the table


def _filtered(audit: Audit) -> list[int]:
    """The places of the hands that the filters let through."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        verdict = address.choice(
            say("audit.filter_verdict"),
            "verdict",
            ["", *VERDICTS],
            lambda word: f"{say(word)} ({numbers.count(audit.counts[word])})" if word else say("all"),
            width=180,
        )
        code = address.choice(
            say("audit.filter_code"),
            "code",
            ["", *sorted(audit.codes)],
            lambda word: f"{widgets.code_title(word)} ({numbers.count(audit.codes[word])})" if word else say("all"),
            width=300,
        )
        player = address.text(say("audit.filter_player"), "who", width=180)
        text = address.text(say("audit.filter_text"), "find", width=180)
    return audit.matching(verdict, code, player, text)


def _rows(audit: Audit, places: range | list[int]) -> pd.DataFrame:
    """One row a verdict, as the table shows it; its file where there are several."""
    verdicts = [audit.verdicts[place] for place in places]
    rows = pd.DataFrame(
        {
            say("col.verdict"): [say(verdict.verdict) for verdict in verdicts],
            say("col.line"): [verdict.line for verdict in verdicts],
            say("col.id"): [verdict.id for verdict in verdicts],
            say("col.rules"): [verdict.rules for verdict in verdicts],
            say("col.outcome"): [verdict.outcome and outcome(verdict.outcome, verdict.rules) for verdict in verdicts],
            say("col.multiplier"): pd.array([verdict.multiplier for verdict in verdicts], "Int64"),
            say("col.unit"): pd.array([verdict.unit for verdict in verdicts], "Int64"),
            say("col.codes"): [" ".join(dict.fromkeys(f.code for f in verdict.findings)) for verdict in verdicts],
            say("col.source"): [verdict.source for verdict in verdicts],
        }
    )
    return rows if audit.logbook.files > 1 else rows.drop(columns=say("col.source"))


def _table(audit: Audit, places: list[int]) -> None:
    """The verdicts, page by page; a row that is clicked leads to its hand."""
    page = address.page_of(len(places), PAGE)
    shown = places[(page - 1) * PAGE : page * PAGE]
    first = (page - 1) * PAGE + 1
    count, last = numbers.count(len(places)), numbers.count(first + len(shown) - 1)
    st.caption(say("audit.shown", count=count, first=numbers.count(first), last=last))
    clicked = st.dataframe(
        _rows(audit, shown),
        hide_index=True,
        key=f"verdicts-{address.get('log')[:8]}-{page}-{len(places)}",
        on_select="rerun",
        selection_mode="single-row",
        placeholder=numbers.MISSING,
        column_config={say("col.codes"): st.column_config.TextColumn(width="medium")},
        height=ROW * (len(shown) + 1) + 3,
    )
    rows = clicked.selection.rows
    if rows:
        st.switch_page("screens/hand.py", query_params=_hand(audit, shown[rows[0]]))


def _hand(audit: Audit, place: int) -> dict[str, str]:
    """The address of one hand of the log."""
    return address.link(
        log=audit.upload.digest, place=place + 1, under=address.get("under"), **{"as": address.get("as")}
    )


def _screen() -> None:
    st.title(say("audit"))
    upload, way = _choices()
    if st.session_state.pop("forgotten", False):
        st.success(say("audit.forgotten"), icon=":material/delete:")
    if upload is None:
        _empty()
        return
    try:
        audit = _audit(upload, way)
    except Forgotten:
        _empty()
        return
    except Gone:
        widgets.empty(say("audit.mapping_gone"), say("audit.mapping_gone_more"))
        return
    if audit.is_too_large:
        widgets.trouble(say("audit.too_large", limit=_limit()), audit.upload.name)
        _forget_button(audit)
        return
    _summary(audit)
    _take_away(audit)
    keeping.outcome(audit)
    st.subheader(say("audit.table"))
    places = _filtered(audit)
    if places:
        _table(audit, places)
    else:
        widgets.empty(say("none_match"), say("audit.none_match_more"))


_screen()
