"""Questions of people's own: one SELECT over the tables of the store, and what it answers."""

import streamlit as st

from analysis.questions import Answer, Limits, Refusal, examples
from analysis.warehouse import NeedsUpgrade, Warehouse
from dashboard import address, export, markup, numbers, store, store_schema, widgets
from dashboard.text import chosen, language, say

PAGE = 100  # rows on one page
ROW = 35  # pixels of one row
HIGH = 18  # rows that are seen at once
LIMITS = Limits()
STYLE = "<style>.st-key-questions-sql textarea {font-family: var(--st-code-font, monospace); font-size: .9rem}</style>"


def _question() -> str:
    """The question that is asked, as the address has it."""
    st.caption(say("questions.lead", seconds=LIMITS.seconds, rows=f"{LIMITS.rows:,}", megabytes=LIMITS.megabytes))
    known = {name: chosen(each.title_zh, each.title_en) for name, each in examples().items()}
    st.selectbox(
        say("questions.example"),
        ["", *known],
        format_func={"": say("questions.example_none"), **known}.__getitem__,
        key="questions-example",
        on_change=_example,
    )
    if st.session_state.get("questions-asked") != address.get("sql"):
        st.session_state["questions-sql"] = address.get("sql")
    with st.form("questions", border=False):
        written = st.text_area(say("questions.sql"), key="questions-sql", height=220, help=say("questions.sql_help"))
        if st.form_submit_button(say("questions.ask"), type="primary", icon=":material/play_arrow:"):
            address.put("sql", written.strip())
            address.put(address.PAGE, "")
    st.session_state["questions-asked"] = address.get("sql")
    return address.get("sql")


def _example() -> None:
    name = st.session_state["questions-example"]
    if name:
        sql = examples()[name].sql.strip()
        st.session_state["questions-sql"] = sql
        address.put("sql", sql)
        address.put(address.PAGE, "")
        st.session_state["questions-example"] = ""


def _tables() -> None:
    """Every table with its columns and what they mean."""
    st.subheader(say("questions.tables"))
    wanted = st.text_input(say("questions.find"), key="questions-find", placeholder=say("questions.find_help"))
    found = store_schema.tables_with(wanted)
    parts = "".join(_table(table, columns, is_open=bool(wanted)) for table, columns in found)
    st.html(f"{markup.STYLE}{parts or markup.plain(say('questions.found'))}")
    st.caption(say("questions.past"))


def _table(table: store_schema.Table, columns: list[store_schema.Column], *, is_open: bool) -> str:
    rows = "".join(
        f"<dt><code>{column.name}</code> <small>{store_schema.kind(column)}</small></dt>"
        f"<dd>{markup.plain(store_schema.meaning(column.meaning))}</dd>"
        for column in columns
    )
    head = (
        f"<summary><code>{table.name}</code> <small>{markup.plain(store_schema.meaning(table.row))}</small></summary>"
    )
    return f'<details class="fp-schema"{" open" if is_open else ""}>{head}<dl>{rows}</dl></details>'


def _answered(warehouse: Warehouse, sql: str) -> None:
    """The answer, or in plain words why there is none."""
    if not sql:
        widgets.empty(say("questions.empty"), say("questions.empty_more"))
        return
    try:
        with st.spinner(say("questions.asking")):
            answer = store.asked(warehouse, sql, LIMITS)
    except NeedsUpgrade as problem:
        widgets.failed(problem)
        return
    except Refusal as refusal:
        widgets.trouble(say("questions.not_answered"), refusal.sentence(language()))
        if refusal.kind == "other" and refusal.said:
            with st.expander(say("questions.said")):
                st.text(refusal.said)
        return
    _shown(answer)


def _shown(answer: Answer) -> None:
    frame = answer.frame()
    count = numbers.count(len(frame))
    st.caption(say("questions.rows", count=count, seconds=answer.seconds))
    if answer.truncated:
        st.warning(say(f"questions.cut_{answer.truncated}", count=count), icon=":material/content_cut:")
    if frame.empty:
        widgets.empty(say("questions.none"))
        return
    page = address.page_of(len(frame), PAGE)
    first = (page - 1) * PAGE
    shown = frame.iloc[first : first + PAGE]
    height = ROW * min(len(shown) + 1, HIGH) + 3
    st.dataframe(shown, hide_index=True, placeholder=numbers.MISSING, height=height, key="questions-answer")
    with st.container(horizontal=True):
        if len(frame) > PAGE:
            st.caption(say("questions.page", first=first + 1, last=min(first + PAGE, len(frame))), width="content")
        widgets.downloads(
            "question",
            csv=lambda: export.csv_of(frame),
            parquet=answer.parquet,
            json=lambda: export.json_of(answer.names, answer.rows()),
        )


def _screen() -> None:
    st.title(say("questions"))
    warehouse = widgets.opened(empty_too=True)
    if warehouse is None:
        return
    st.html(STYLE)
    left, right = st.columns([5, 3], gap="large")
    with left:
        sql = _question()
        _answered(warehouse, sql)
    with right:
        _tables()


_screen()
