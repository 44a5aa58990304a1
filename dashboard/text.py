"""What a session reads: every sentence in its language.

Findings speak for themselves (``ingest.faults``), and so do statistics (``analysis.catalogue``).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from dashboard.texts import TEXTS
from dashboard.texts.words import READINGS
from ingest.faults import Language

__all__ = ["READINGS", "TEXTS", "chosen", "language", "reading_name", "say", "speaking"]


_SPOKEN: ContextVar[Language | None] = ContextVar("spoken", default=None)


@contextmanager
def speaking(spoken: Language) -> Iterator[None]:
    """Say everything in one language: files are made where no session is known."""
    before = _SPOKEN.set(spoken)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def language() -> Language:
    """The language of this session."""
    spoken = _SPOKEN.get()
    if spoken is not None:
        return spoken
    return "en" if st.session_state.get("lang") == "en" else "zh"


def chosen(chinese: str, english: str) -> str:
    """That one of two texts that is in the language of this session."""
    return english if language() == "en" else chinese


def say(key: str, **values: object) -> str:
    """A sentence in the language of this session."""
    return TEXTS[key][language() == "en"].format(**values)


def reading_name(name: str) -> str:
    """What a combination is called."""
    return chosen(*READINGS[name]) if name in READINGS else name
