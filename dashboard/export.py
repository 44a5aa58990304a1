"""What people take away: CSV that no spreadsheet runs as a formula, JSON Lines as ``fupan audit --json``."""

import io
import re
from collections.abc import Iterable, Sequence

import msgspec
import pandas as pd

from ingest.faults import Language, message
from ingest.verdict import Verdict, as_json

_RUNS = re.compile(r"'*[=+\-@\t\r]")
"""A text that a spreadsheet would run, or that would look like a protected one when read back."""


def protected(cell: object) -> object:
    """A cell that cannot run as a formula: texts get an apostrophe in front, numbers stay numbers.

    To read such a file back, take one apostrophe away from every text that ``_RUNS`` matches.
    """
    return f"'{cell}" if isinstance(cell, str) and _RUNS.match(cell) else cell


def csv_of(frame: pd.DataFrame) -> bytes:
    """A frame as CSV, with the byte order mark without which Excel misreads Chinese."""
    safe = frame.map(protected).rename(columns=protected)
    return safe.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")


def parquet_of(frame: pd.DataFrame) -> bytes:
    """A frame as a Parquet file: texts letter for letter, numbers as numbers."""
    sink = io.BytesIO()
    frame.to_parquet(sink, index=False)
    return sink.getvalue()


def json_lines(verdicts: Iterable[Verdict], language: Language) -> bytes:
    """One line per verdict, letter for letter as the command line writes it."""
    return b"".join(as_json(verdict, language) + b"\n" for verdict in verdicts)


def json_of(names: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a JSON list of objects; bytes in hexadecimal digits, what JSON has no word for as text."""
    told = [{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in rows]
    return msgspec.json.encode(told, enc_hook=str)


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def report(verdicts: Iterable[Verdict], language: Language) -> pd.DataFrame:
    """One row per verdict, every score a number in a column of its own."""
    return pd.DataFrame([_row(verdict, language) for verdict in verdicts]).convert_dtypes()


def _row(verdict: Verdict, language: Language) -> dict[str, object]:
    row: dict[str, object] = {
        name: getattr(verdict, name)
        for name in ("source", "line", "id", "rules", "verdict", "outcome", "landlord", "bid", "multiplier", "unit")
    }
    row |= {f"score_{seat}": score for seat, score in enumerate(verdict.scores or ())}
    row["codes"] = " ".join(finding.code for finding in verdict.findings)
    row["messages"] = "\n".join(message(finding, language) for finding in verdict.findings)
    return row
