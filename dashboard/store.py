"""The store that the dashboard looks at: which one it is, remembered answers from it, and hands into it.

Knows when an answer is out of date: what is remembered is keyed by what the store holds (H-37). Refuses to know SQL.
"""

import argparse
import hashlib
import os
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import msgspec
import pandas as pd
import streamlit as st

from analysis import catalogue, lookups
from analysis.warehouse import BadQuestion, TooSlow, Warehouse
from dashboard.text import say
from ingest.batch import Audited
from ingest.load import LoadReport, load_audited
from ingest.store import BadStore, StoreBusy

TROUBLE = (OSError, BadStore, StoreBusy, BadQuestion, TooSlow)
"""What a store may answer instead of doing what it was asked."""
PATIENCE = 20.0
"""Seconds that a person waits for another process that is writing."""
REMEMBERED = 200
"""Answers that are remembered."""

Narrowing = dict[str, str | date | None]


def folder() -> Path | None:
    """The folder named by ``--store`` behind ``--``, else by ``FUPAN_STORE``; None where neither names one."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--store")
    given = parser.parse_known_args(sys.argv[1:])[0].store or os.environ.get("FUPAN_STORE")
    return Path(given) if given else None


def opened() -> Warehouse | None:
    """The store, opened; None where none was chosen or none is there yet. Raises ``BadStore`` and ``OSError``."""
    chosen = folder()
    if chosen is None:
        return None
    try:
        warehouse = _warehouse(chosen.resolve())
        return warehouse if warehouse.version >= 0 else None
    except FileNotFoundError:
        return None


@st.cache_resource(show_spinner=False)
def _warehouse(path: Path) -> Warehouse:
    return Warehouse(path)


def _state(warehouse: Warehouse) -> str:
    """What the store holds now, as a key. A number alone would be met again in a store that was made anew."""
    return hashlib.blake2b(msgspec.json.encode(warehouse.manifest), digest_size=16).hexdigest()


def statistic(warehouse: Warehouse, name: str, narrowing: Narrowing) -> pd.DataFrame:
    """The answer of a statistic, narrowed by those parameters that it has. Raises what ``TROUBLE`` lists."""
    known = catalogue.statistics()[name].parameters
    parameters = tuple((key, value) for key, value in sorted(narrowing.items()) if key in known and value is not None)
    return _statistic(warehouse, str(warehouse.path), _state(warehouse), name, parameters)


@st.cache_data(show_spinner=False, max_entries=REMEMBERED)
def _statistic(_warehouse: Warehouse, path: str, state: str, name: str, parameters: tuple) -> pd.DataFrame:  # noqa: ARG001
    return catalogue.run(_warehouse, name, **dict(parameters))


def findings(warehouse: Warehouse, wanted: lookups.Wanted, first: int, rows: int) -> tuple[pd.DataFrame, int]:
    """One page of the findings, and how many there are in all. Raises what ``TROUBLE`` lists."""
    return _findings(warehouse, str(warehouse.path), _state(warehouse), msgspec.structs.astuple(wanted), first, rows)


@st.cache_data(show_spinner=False, max_entries=REMEMBERED)
def _findings(_warehouse: Warehouse, path: str, state: str, wanted: tuple, first: int, rows: int) -> tuple:  # noqa: ARG001
    return lookups.findings(_warehouse, lookups.Wanted(*wanted), first, rows)


def keep(audited: Iterable[Audited]) -> LoadReport:
    """Keep hands in the store. Raises what ``TROUBLE`` lists."""
    chosen = folder()
    if chosen is None:
        raise BadStore(say("audit.no_store"))
    return load_audited(audited, chosen, timeout=PATIENCE)
