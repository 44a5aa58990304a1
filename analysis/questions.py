"""Questions of people's own to a store: one SELECT, answered in a process that can do nothing else.

Knows the limits of a question and what is said where it is not answered. Refuses to trust it: whatever a question
tries, it runs in ``analysis.asked``, without the right to write, and is stopped from outside.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct

from analysis.intervals import MACROS
from analysis.narrowing import TAG
from analysis.warehouse import BadQuestion, NeedsUpgrade, Warehouse, lack_by_table, views
from ingest.faults import Language
from ingest.store import TABLES

LETTERS = 20_000
"""Characters of the longest question."""
GRACE = 3.0
"""Seconds beyond its time after which a question that cannot be interrupted is killed, its start included."""
AT_ONCE = 2
"""Questions that one process has answered side by side; others wait their turn."""
PROGRAM = ["-I", str(Path(__file__).with_name("asked.py"))]
EXPLAIN = "EXPLAIN "
BEFORE = "SELECT * FROM (\n"
"""What is put around a question, so that nothing but a question can be answered."""
_turns = threading.BoundedSemaphore(AT_ONCE)


class Limits(Struct, frozen=True):
    """What one question may take."""

    rows: int = 10_000
    seconds: float = 20.0
    megabytes: int = 64
    """Of the answer."""
    memory: int = 1024
    """Megabytes that the database may use for it."""


USUAL = Limits()


class Example(Struct, frozen=True):
    """A question to start from."""

    name: str
    title_zh: str
    title_en: str
    sql: str


class Answer(Struct, frozen=True):
    """The rows of an answer."""

    table: pa.Table
    truncated: Literal["", "rows", "size"]
    """Which limit cut it off, if one did."""
    seconds: float

    @property
    def names(self) -> list[str]:
        """Its columns."""
        return list(self.table.column_names)

    def rows(self) -> Iterator[list[Any]]:
        """Its rows as Python values: numbers exact, lists and objects as such."""
        for batch in self.table.to_batches():
            yield from (list(row) for row in zip(*(column.to_pylist() for column in batch.columns), strict=True))

    def frame(self) -> pd.DataFrame:
        """The same to be shown: what is neither a number, a text nor a moment as text."""
        columns = {name: _shown(self.table.column(place)) for place, name in enumerate(self.names)}
        return pd.DataFrame(columns)

    def parquet(self) -> bytes:
        """The same as a Parquet file, with the types that it has."""
        sink = pa.BufferOutputStream()
        pq.write_table(self.table, sink)
        return bytes(sink.getvalue())


class Refusal(BadQuestion):
    """A question that was not answered: which kind of mistake it is, and what it is about."""

    def __init__(self, kind: str, said: str = "", **details: Any) -> None:
        self.kind = kind if kind in _texts()["mistakes"] else "other"
        self.details = details
        self.said = said
        """The database's own sentence, if it has one."""
        super().__init__(self.sentence("en"))

    def sentence(self, language: Language) -> str:
        """What is wrong, for people."""
        texts = _texts()
        parts = [texts["mistakes"][self.kind][language].format_map(self.details)]
        if self.details.get("near"):
            parts.append(texts["words"]["near"][language].format_map(self.details))
        if self.details.get("quotes"):
            parts.append(texts["words"]["quotes"][language].format_map(self.details))
        if self.details.get("line"):
            parts.append(texts["words"]["where"][language].format_map(self.details))
        return (" " if language == "en" else "").join(parts)


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(resources.files("analysis").joinpath("questions.toml").read_text("utf-8"))


@cache
def examples() -> dict[str, Example]:
    """Questions to start from, by name."""
    return {name: Example(name, **given) for name, given in _texts()["examples"].items()}


def ask(warehouse: Warehouse, sql: str, limits: Limits = USUAL) -> Answer:
    """The answer to a question. Raises ``Refusal`` for whatever is not answered, and why."""
    if not sql.strip():
        raise Refusal("empty")
    if len(sql) > LETTERS:
        raise Refusal("long", limit=LETTERS)
    if "\0" in sql:
        raise Refusal("nul", "", **_place(sql, str(sql.encode().index(b"\0"))))
    if not _turns.acquire(timeout=limits.seconds):
        raise Refusal("busy")
    try:
        started = time.monotonic()
        said, table = _said(_run(_asked(warehouse, sql, limits), limits))
    finally:
        _turns.release()
    if said.get("refused") == "earlier":
        raise NeedsUpgrade(warehouse.path, warehouse.manifest.version, [said["name"]])
    if table is None:
        raise _upgraded(_refusal(said, sql, limits), warehouse)
    for name in table.column_names:
        if _is_beyond(table.column(name)):
            raise Refusal("moment", name=name)
    return Answer(table, said["truncated"], time.monotonic() - started)


def _upgraded(refusal: Refusal, warehouse: Warehouse) -> BadQuestion:
    """The refusal, or that an earlier store lacks the column that was not found."""
    name = refusal.details.get("name") if refusal.kind == "column" else None
    lacks = [] if name is None else warehouse.lack.of(name)
    return NeedsUpgrade(warehouse.path, warehouse.manifest.version, lacks) if lacks else refusal


def _is_beyond(column: pa.ChunkedArray) -> bool:
    """Whether a column has a moment that no calendar of four digits has, be it within a list or an object."""
    if pa.types.is_nested(column.type):
        return _is_unspeakable(column)
    if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return False
    return _is_unspeakable(pc.min_max(column))


def _is_unspeakable(values: Any) -> bool:
    """Whether Python has no value for one of these."""
    try:
        values.to_pylist() if isinstance(values, pa.ChunkedArray) else values.as_py()
    except (OverflowError, ValueError):
        return True
    return False


def _asked(warehouse: Warehouse, sql: str, limits: Limits) -> dict[str, Any]:
    """What the process is told."""
    manifest, store = warehouse.manifest, warehouse.path
    return {
        "before": BEFORE,
        "explain": EXPLAIN,
        "bytes": limits.megabytes << 20,
        "lacking": lack_by_table(warehouse.lack),
        "files": [str(path) for table in TABLES for path in manifest.paths(store, table)],
        "macros": [*MACROS, TAG],
        "memory": limits.memory,
        "needed": "replaced",
        "rows": limits.rows,
        "seconds": limits.seconds,
        "sql": sql,
        "threads": max(1, (os.cpu_count() or 2) // 2),
        "views": views(manifest, store, warehouse.lack),
        "zone": manifest.zone,
    }


def _run(asked: dict[str, Any], limits: Limits) -> bytes:
    """What the process answers. Raises ``Refusal`` where it does not end by itself, or not well."""
    command = [sys.executable, *PROGRAM]
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet, env=_environment()) as process:  # type: ignore[call-overload]
        try:
            out, _ = process.communicate(json.dumps(asked).encode(), timeout=limits.seconds + GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Refusal("slow", seconds=limits.seconds) from None
    if process.returncode or not out:
        raise Refusal("crashed", memory=limits.memory)
    return bytes(out)


def _environment() -> dict[str, str]:
    """Nothing that a question could find out; Windows starts no program without its own folder."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}


def _said(out: bytes) -> tuple[dict[str, Any], pa.Table | None]:
    line, _, rest = out.partition(b"\n")
    return json.loads(line), pa.ipc.open_stream(rest).read_all() if rest else None


# --- what is said of a question that was not answered

_FORMS: tuple[tuple[str, str], ...] = (
    ("ambiguous", r'^Ambiguous reference to column name "(?P<name>.*?)" \(use: (?P<choice>.*)\)'),
    ("group", r'^column "(?P<name>.*?)" must appear in the GROUP BY'),
    ("aggregate", r"^(?P<name>WHERE|GROUP BY|FILTER|RETURNING) clause cannot contain aggregates"),
    ("arguments", r"^No function matches the given name and argument types '(?P<name>[^(]*)\((?P<given>.*?)\)'"),
    ("arguments", r'^Could not choose .*? for the function call "(?P<name>.+?)\((?P<given>[^)]*)\)"'),
    ("compare", r"^Cannot compare values of type (?P<left>.*?) and type (?P<right>.*?)(?: -|$|\.)"),
    ("convert", r"^Could not convert string '(?P<name>.*?)' to"),
    ("convert", r'field (?:format|value out of range): "(?P<name>.*?)"'),
    ("compare", r"^Unimplemented type for cast \((?P<left>.*?) -> (?P<right>.*?)\)"),
    ("single", r"More than one row returned by a subquery"),
    ("one_column", r"Subquery returns (?P<name>\d+) columns"),
    ("parameter", r"Values were not provided for the following parameters: (?P<name>.*)"),
    ("syntax", r'^syntax error at or near "(?P<name>.*)"'),
    ("end", r"^syntax error at end of input"),
    ("union", r"^Set operations can only apply to expressions with the same number of result columns"),
)
"""For kinds of mistakes, how the database's sentence begins that tells of them."""


def _refusal(said: dict[str, Any], sql: str, limits: Limits) -> Refusal:
    """What to tell people of what the process said."""
    if "refused" in said:
        details = {"name": said.get("name", ""), "memory": limits.memory}
        if said["refused"] == "table":
            details |= _place(sql, said["position"]) | _near(details["name"], ASKED)
        return Refusal(said["refused"], **details)
    try:
        told = json.loads(said["duckdb"].partition(": ")[2])
    except ValueError:
        return Refusal("other", said["duckdb"])
    place = _place(sql, told.get("position"), 0 if told["exception_type"] == "Parser" else len(EXPLAIN + BEFORE))
    return _told(told, sql, place, limits)


def _told(told: dict[str, Any], sql: str, place: dict[str, Any], limits: Limits) -> Refusal:
    """A mistake that the database found."""
    kind, said, name = told["exception_type"], told["exception_message"], told.get("name", "")
    if kind in ("INTERRUPT", "Out of Memory"):
        return Refusal("slow" if kind == "INTERRUPT" else "memory", seconds=limits.seconds, memory=limits.memory)
    if told.get("error_subtype") == "COLUMN_NOT_FOUND" or "does not have a column named" in said:
        name = name or _quoted_in(said)
        return Refusal("column", said, name=name, quotes=f'"{name}"' in sql, **place | _near_column(name, told))
    if kind == "Catalog" and "Function" in told.get("type", ""):
        return Refusal("function", said, name=name, **place | _near_of(told))
    if kind == "Catalog" and told.get("type") == "Table":
        return Refusal("table", said, name=name, **place | _near(name, ASKED))
    for form, pattern in _FORMS:
        found = re.search(pattern, said)
        if found:
            return Refusal(form, said, **place | found.groupdict())
    return Refusal("other", said, **place)


ASKED = tuple(TABLES)
"""The tables that people are pointed to."""
COLUMNS = {column.name: table.name for table in reversed(TABLES.values()) for column in table.columns}
"""Every column, with the first table that has it."""


def _quoted_in(said: str) -> str:
    found = re.search(r'column named "(.*?)"', said)
    return found[1] if found else ""


def _near(name: str, known: Iterable[str]) -> dict[str, str]:
    """Names that somebody may have meant."""
    found = get_close_matches(name.lower(), known, 3, 0.5)
    return {"near": ", ".join(found)} if found else {}


def _near_of(told: dict[str, Any]) -> dict[str, str]:
    return {"near": told["candidates"]} if told.get("candidates") else {}


def _near_column(name: str, told: dict[str, Any]) -> dict[str, str]:
    """Columns that somebody may have meant: of the tables that he names, else of any."""
    if name in COLUMNS:
        return {"near": f"{COLUMNS[name]}.{name}"}
    return _near(name, [each.split(".")[-1] for each in told.get("candidates", "").split(",")]) or _near(name, COLUMNS)


def _place(sql: str, position: str | None, before: int = 0) -> dict[str, int]:
    """The line and column of a byte of a question, from 1; nothing where it is not known."""
    place = int(position) - before if position and position.isdigit() else -1
    told = sql.encode()
    if not 0 <= place <= len(told):
        return {}
    until = told[:place].decode(errors="ignore")
    return {"line": until.count("\n") + 1, "column": len(until) - until.rfind("\n")}


def _shown(column: pa.ChunkedArray) -> Any:
    """A column as a frame has it."""
    kind = column.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_time(kind) or pa.types.is_null(kind):
        return pd.Series([None if value is None else as_text(value) for value in column.to_pylist()], dtype="string")
    return column.to_pandas(types_mapper=pd.ArrowDtype)


def as_text(value: Any) -> str:
    """A value that is neither a number nor a text: lists and objects as JSON, bytes in hexadecimal digits."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=as_text)
    return str(value)
