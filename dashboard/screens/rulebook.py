"""The rulebook: the chapter of a clause in the words that were agreed, and every chapter to choose from."""

import streamlit as st

from dashboard import address, rulebook, widgets
from dashboard.text import say


def _number() -> int:
    """The chapter that is shown: that of the clause in the address, else the one that was chosen."""
    chosen = address.get("chapter")
    if chosen.isdecimal() and len(chosen) < 5 and int(chosen) < len(rulebook.chapters()):
        return int(chosen)
    clause = rulebook.clauses().get(address.get("clause"))
    return 0 if clause is None else clause.chapter


def shown(text: str) -> str:
    """The book's Markdown, with nothing in it that Streamlit would take for a formula."""
    return text.replace("$", "\\$")


def _screen() -> None:
    st.title(say("rulebook"))
    st.caption(say("rulebook.lead"))
    chapters = rulebook.chapters()
    if not chapters:
        widgets.empty(say("rulebook.none"))
        return
    clause = rulebook.clauses().get(address.get("clause"))
    if clause is not None:
        with st.container(border=True):
            st.markdown(f"**{clause.name}** {shown(clause.text)}")
    number = _number()
    titles = {str(place): chapter.heading for place, chapter in enumerate(chapters)}
    if not address.get("chapter"):
        address.put("chapter", str(number))
    place = address.choice(say("rulebook.chapter"), "chapter", list(titles), titles.__getitem__)
    chapter = chapters[int(place)]
    st.subheader(chapter.heading.replace("`", ""))
    st.markdown(shown(chapter.text))


_screen()
