"""The store that the dashboard looks at: which one it is, remembered answers from it, and hands into it.

Knows when an answer is out of date: what is remembered is keyed by what the store holds (H-37). Refuses to know SQL.
"""

import argparse
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from analysis import abreast, catalogue, choices, coverage, lookups, questions
from analysis.questions import Answer, Limits
from analysis.warehouse import BadQuestion, TooSlow, Warehouse
from dashboard.text import language, say
from ingest.batch import Audited
from ingest.load import LoadReport, load_audited, naming
from ingest.load.naming import Name
from ingest.logs import Entry
from ingest.store import BadStore, StoreBusy, manifest_look

TROUBLE = (OSError, BadStore, StoreBusy, BadQuestion, TooSlow)
"""What a store may answer instead of doing what it was asked."""
PATIENCE = 20.0
"""Seconds that a person waits for another process that is writing."""
FEW = 4
"""Answers to questions of people's own that are remembered; each may be large."""
STATES = 2
"""States of stores that are kept open; a screen that is drawn keeps its own."""
REMEMBERED = 200
"""Answers that are remembered."""

Narrowing = dict[str, str | date | None]
Question = Callable[..., Any]
"""A function of ``analysis`` whose first argument is the store."""
Listing = Callable[[Warehouse], list[str]]


def folder() -> Path | None:
    """The folder named by ``--store`` behind ``--``, else by ``FUPAN_STORE``; None where neither names one."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--store")
    given = parser.parse_known_args(sys.argv[1:])[0].store or os.environ.get("FUPAN_STORE")
    return Path(given) if given else None


def opened() -> Warehouse | None:
    """The store as it is now, opened; None where none was chosen or none is there yet.

    Whoever asks several questions of it is answered from one state: a load that commits in between is seen by the next
    run of the screen, and then by all of it. Raises ``BadStore`` and ``OSError``.
    """
    chosen = folder()
    if chosen is None:
        return None
    try:
        return _warehouse(chosen.resolve(), manifest_look(chosen))
    except FileNotFoundError:
        return None


@st.cache_resource(show_spinner=False, max_entries=STATES)
def _warehouse(path: Path, look: tuple[int, ...]) -> Warehouse:  # noqa: ARG001
    return Warehouse(path, pinned=True)


def _state(warehouse: Warehouse) -> str:
    """What the store holds now, as a key. A number alone would be met again in a store that was made anew."""
    return hashlib.blake2b(msgspec.json.encode(warehouse.manifest), digest_size=16).hexdigest()


def ask(warehouse: Warehouse, question: Question, *given: Any, **named: Any) -> Any:
    """The answer of a function of ``analysis`` to a store, remembered while the store stays as it is.

    Raises what ``TROUBLE`` lists.
    """
    name = f"{question.__module__}.{question.__qualname__}"
    return _asked(warehouse, question, (str(warehouse.path), _state(warehouse), name), given, tuple(named.items()))


@st.cache_data(show_spinner=False, max_entries=REMEMBERED)
def _asked(_warehouse: Warehouse, _question: Question, key: tuple, given: tuple, named: tuple) -> Any:  # noqa: ARG001
    return _question(_warehouse, *given, **dict(named))


def statistic(warehouse: Warehouse, name: str, narrowing: Narrowing) -> pd.DataFrame:
    """The answer of a statistic, narrowed by those parameters that it has. Raises what ``TROUBLE`` lists."""
    return each_statistic(warehouse, (name,), narrowing)[name]


def each_statistic(warehouse: Warehouse, names: Sequence[str], narrowing: Narrowing) -> dict[str, pd.DataFrame]:
    """The answers of statistics that have the same parameters, asked at once. Raises what ``TROUBLE`` lists."""
    if not names:
        return {}
    return ask(warehouse, catalogue.run_each, tuple(names), **_parameters(names[0], narrowing))


def each_part(
    warehouse: Warehouse, names: Sequence[str], narrowing: Narrowing, parts: Sequence[tuple[str, str]]
) -> list[dict[str, pd.DataFrame]]:
    """The answers of measures for several parts of the seats: a role and a position each, as far as they are said.

    Raises what ``TROUBLE`` lists.
    """
    said = [{key: word for key, word in zip(("role", "position"), part, strict=True) if word} for part in parts]
    return ask(warehouse, catalogue.run_parts, tuple(names), said, **_parameters(names[0], narrowing))


def _parameters(name: str, narrowing: Narrowing) -> Narrowing:
    """What of the filters a statistic has."""
    known = catalogue.statistics()[name].parameters
    return {key: value for key, value in sorted(narrowing.items()) if key in known and value is not None}


def ahead(*asks: Callable[[], object]) -> None:
    """Ask at once what a screen is about to need; answers are kept, trouble is met again by who needs one."""
    context = get_script_run_ctx()

    def asked(ask: Callable[[], object]) -> None:
        add_script_run_ctx(threading.current_thread(), context)
        with suppress(*TROUBLE):
            ask()

    abreast.each(asked, asks)


def listed(warehouse: Warehouse, words: Listing) -> list[str]:
    """The words that a filter offers."""
    return ask(warehouse, words)


def names(warehouse: Warehouse, ids: tuple[str, ...]) -> dict[str, str]:
    """What players with these ids called themselves last."""
    return ask(warehouse, choices.names, ids)


def covered(warehouse: Warehouse, narrowing: Narrowing) -> coverage.Coverage:
    """How many hands count under these filters, and why others do not."""
    return ask(warehouse, coverage.coverage, **narrowing)


def without_each(warehouse: Warehouse, narrowing: Narrowing) -> dict[str, int]:
    """How many hands would count without one of the filters."""
    return ask(warehouse, coverage.without_each, **narrowing)


def findings(warehouse: Warehouse, wanted: lookups.Wanted, first: int, rows: int) -> tuple[pd.DataFrame, int]:
    """One page of the findings, and how many there are in all. Raises what ``TROUBLE`` lists."""
    return ask(warehouse, _findings, msgspec.structs.astuple(wanted), first, rows)


def _findings(warehouse: Warehouse, wanted: tuple, first: int, rows: int) -> tuple[pd.DataFrame, int]:
    return lookups.findings(warehouse, lookups.Wanted(*wanted), first, rows)


def said(problem: Exception) -> str:
    """What a store answers instead, in the language of the page where it has both."""
    sentence = getattr(problem, "sentence", None)
    return str(problem) if sentence is None else str(sentence(language()))


def asked(warehouse: Warehouse, sql: str, limits: Limits) -> Answer:
    """The answer to a question of somebody's own. Raises ``Refusal``, and what ``TROUBLE`` lists."""
    return _answer(warehouse, str(warehouse.path), _state(warehouse), sql, msgspec.structs.astuple(limits))


@st.cache_data(show_spinner=False, max_entries=FEW)
def _answer(_warehouse: Warehouse, path: str, state: str, sql: str, limits: tuple) -> Answer:  # noqa: ARG001
    return questions.ask(_warehouse, sql, Limits(*limits))


def keep(audited: Iterable[Audited], *, replace: bool = False) -> LoadReport:
    """Keep hands in the store. ``replace``: in the place of those with their ids. Raises what ``TROUBLE`` lists."""
    return load_audited(audited, _chosen(), replace=replace, timeout=PATIENCE)


def name_for(name: str, hands: Iterable[Entry]) -> Name:
    """What a log of these hands can be kept as. Raises what ``TROUBLE`` lists."""
    return naming.name_for(_chosen(), name, hands)


def _chosen() -> Path:
    chosen = folder()
    if chosen is None:
        raise BadStore(say("audit.no_store"))
    return chosen
