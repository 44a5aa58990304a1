"""A store as tables to ask: the one place where SQL is run.

Knows how to see exactly the files that count, how long a question may take and how much it may answer. Refuses to
change anything: only questions are run, and no file but the store's own can be read.
"""

import json
import os
import re
import tempfile
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import duckdb
import pandas as pd
import pyarrow as pa

from analysis.asked import closed, lacking, lock
from analysis.duplicate import DEALT_AGAIN
from analysis.intervals import MACROS
from analysis.narrowing import TAG, named, settled
from ingest.faults import Language
from ingest.store import (
    KINDS,
    OF_HANDS,
    TABLES,
    Checked,
    Damage,
    Lack,
    Manifest,
    Table,
    lack,
    manifest_look,
    read_manifest,
    whole,
)
from ingest.store.history import sentence

ROWS = 100_000
_GONE = "SELECT hand FROM replaced"
SECONDS = 30.0
_LAST_YEAR = 9999
_MISSED = r'does not have a column named "(\w+)"|[Cc]olumn "(\w+)" not found'
"""How the database says that there is no such column."""
REMEMBERED = 4
"""Results that are remembered of a store; those of a million hands have hundreds of megabytes."""

Result = TypeVar("Result")


class BadQuestion(ValueError):
    """SQL that is not one question, or that does not fit the tables; the text says why."""


class NeedsUpgrade(BadQuestion):
    """A question about what an earlier store does not have as it is today."""

    def __init__(self, store: Path, version: int, names: Sequence[str]) -> None:
        self._values = {"store": store, "version": version, "names": ", ".join(names)}
        super().__init__(self.sentence("en"))

    def sentence(self, language: Language) -> str:
        """What it lacks, and what is to be done."""
        return sentence("read")(language, **self._values)


class TooSlow(Exception):
    """A question that was not answered in time."""


class Warehouse:
    """One store, opened. Safe to use from several threads.

    Follows the store as it grows; ``pinned``, it stays with what counted when it was opened, so that several questions
    are answered from one state (for minutes: batches that no longer count are kept no longer than that).
    """

    def __init__(self, path: Path | str, *, pinned: bool = False) -> None:
        """Raises ``FileNotFoundError`` where no store is, and ``BadStore``."""
        self.path = Path(path).resolve()
        self._pinned = pinned
        self._changing = threading.Lock()
        self._seen: tuple[int, ...] = ()
        self._open = False
        self._remembered: dict[Hashable, Any] = {}
        self._checked = Checked(self.path)
        self._damage: tuple[Damage, ...] = ()
        self._manifest = read_manifest(self.path)
        self._lack = Lack()
        self._connection = _connect(self.path, self._manifest.zone)
        self._refresh()

    def __enter__(self) -> "Warehouse":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection."""
        self._connection.close()

    @property
    def manifest(self) -> Manifest:
        """What counts now, and can be read."""
        self._refresh()
        return self._manifest

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What is not as it was written. Batches that it is in are left out of every answer."""
        self._refresh()
        return self._damage

    @property
    def lack(self) -> Lack:
        """What a store of an earlier version does not have as it is today."""
        self._refresh()
        return self._lack

    @property
    def version(self) -> int:
        """A number that changes whenever the store does: the key for whatever is remembered of answers."""
        return self.manifest.sequence

    def query(
        self,
        sql: str,
        parameters: Mapping[str, Any] | list[Any] | None = None,
        *,
        beside: Mapping[str, pa.Table] | None = None,
        rows: int = ROWS,
        seconds: float = SECONDS,
    ) -> pd.DataFrame:
        """The answer to one question; ``attrs["truncated"]`` says whether it has more than ``rows`` rows.

        ``beside``: tables that are not the store's, for this question only. Raises ``BadQuestion``, ``NeedsUpgrade``
        and ``TooSlow``.
        """
        wanted = f"SELECT * FROM (\n{{}}\n) LIMIT {rows + 1}"
        return first_rows(self._asked(sql, wanted, parameters, beside, seconds, _shown), rows)

    def arrow(self, sql: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
        """The whole answer to one question, however many rows it has. Raises ``BadQuestion`` and ``TooSlow``."""
        return self._asked(sql, "{}", parameters, None, SECONDS, _whole)

    def _asked(
        self,
        sql: str,
        wanted: str,
        parameters: Mapping[str, Any] | list[Any] | None,
        beside: Mapping[str, pa.Table] | None,
        seconds: float,
        run: Callable[[duckdb.DuckDBPyConnection, str, Any], Result],
    ) -> Result:
        """The answer to one question put into ``wanted``; asked again where files have vanished meanwhile."""

        if isinstance(parameters, Mapping):
            sql = settled(sql, parameters)
            parameters = {name: parameters[name] for name in named(sql) if name in parameters}

        def answer() -> Result:
            with self._connection.cursor() as cursor, _limited(cursor, seconds):
                for name, table in (beside or {}).items():
                    cursor.register(name, table)
                question = _question(cursor, sql)
                if self._lack:
                    self._must_have(cursor, question)
                return run(cursor, wanted.format(question), parameters)

        self._refresh()
        try:
            return answer()
        except (duckdb.Error, BadQuestion) as problem:
            if not self._refresh(again=True):
                raise self._told(problem) from None
            return answer()

    def _must_have(self, cursor: duckdb.DuckDBPyConnection, question: str) -> None:
        """Raise ``NeedsUpgrade`` for a question that names what an earlier store lacks."""
        parsed = json.loads(cursor.execute("SELECT json_serialize_sql(?)", [question]).fetchall()[0][0])
        names = lacking(parsed, lack_by_table(self._lack))
        if names:
            raise NeedsUpgrade(self.path, self._manifest.version, names)

    def _told(self, problem: Exception) -> Exception:
        """The same problem, or that the store lacks what the database did not find."""
        missed = re.search(_MISSED, str(problem)) if self._lack else None
        name = "" if missed is None else next(filter(None, missed.groups()))
        lacks = self._lack.of(name)
        return NeedsUpgrade(self.path, self._manifest.version, lacks) if lacks else problem

    def remembered(self, key: Hashable, work_out: Callable[[], Result]) -> Result:
        """What was worked out from the store, worked out again only when the store has changed or it was long ago."""
        self._refresh()
        memory = self._remembered
        if key not in memory:
            memory[key] = work_out()
            for oldest in list(memory)[:-REMEMBERED]:
                memory.pop(oldest, None)
        result: Result = memory[key]
        return result

    def forget(self) -> None:
        """Forget what was worked out: the next question is answered from the store."""
        self._remembered = {}

    def _refresh(self, *, again: bool = False) -> bool:
        """See the files that count now; whether they are others than before.

        ``again``: also where the manifest is the same, because files may have vanished or been spoilt.
        """
        with self._changing:
            seen = manifest_look(self.path)
            moved_on = seen != self._seen
            if self._open and (self._pinned if moved_on else not again):
                return False
            manifest, damage = whole(read_manifest(self.path), self._checked)
            self._seen = seen
            if manifest == self._manifest and damage == self._damage and self._open:
                return False
            self._manifest, self._damage, self._open = manifest, damage, True
            self._lack = lack(self.path, manifest)
            with self._connection.cursor() as cursor:
                cursor.execute("BEGIN")
                for gone in self._lack.tables:
                    cursor.execute(f"DROP VIEW IF EXISTS {gone}")
                for view in views(self._manifest, self.path, self._lack).values():
                    cursor.execute(view)
                cursor.execute(DEALT_AGAIN)
                cursor.execute("COMMIT")
            self._remembered = {}
            return True


class Questionable(Protocol):
    """What answers SQL, a store or something that is asked like one."""

    def query(
        self,
        sql: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        beside: Mapping[str, pa.Table] | None = None,
        rows: int = ROWS,
        seconds: float = SECONDS,
    ) -> pd.DataFrame:
        """As ``Warehouse.query``."""


def _whole(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Any) -> pa.Table:
    return cursor.sql(sql, params=parameters or None).to_arrow_table()


def _shown(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Any) -> pd.DataFrame:
    """An answer as a frame; ``BadQuestion`` for a moment beyond the years 1 to 9999, which no calendar here has."""
    try:
        frame = cursor.execute(sql, parameters).df()
    except (NotImplementedError, OverflowError, pd.errors.OutOfBoundsDatetime, duckdb.ConversionException) as problem:
        raise BadQuestion(f"a value that cannot be shown: {problem}") from None
    for name, moments in frame.select_dtypes(["datetime", "datetimetz"]).items():
        years = moments.dropna().dt.year
        if ((years < 1) | (years > _LAST_YEAR)).any():
            raise BadQuestion(f"{name}: a moment beyond the years 1 to {_LAST_YEAR}")
    return frame


def first_rows(frame: pd.DataFrame, rows: int = ROWS) -> pd.DataFrame:
    """The first rows of an answer; ``attrs["truncated"]`` says whether there are more."""
    answer = frame.iloc[:rows] if len(frame) > rows else frame
    answer.attrs["truncated"] = len(frame) > rows
    return answer


def _connect(store: Path, zone: str) -> duckdb.DuckDBPyConnection:
    """A database in memory that reads no file but those of the store."""
    spill = Path(tempfile.gettempdir()) / f"fupan-duckdb-{os.getpid()}"
    connection = closed(zone, "directories", [f"{store}/"], (*MACROS, TAG), temp_directory=str(spill))
    connection.execute("SET GLOBAL parquet_metadata_cache = true")  # half of a short question went into reading footers
    lock(connection)
    return connection


def lack_by_table(found: Lack) -> dict[str, list[str] | None]:
    """What a store lacks by the views that show it: None for a whole table, else columns; past rows likewise."""
    gone: dict[str, list[str] | None] = dict.fromkeys(found.tables)
    gone |= {table: sorted(columns) for table, columns in found.columns.items()}
    return gone | {f"past_{table}": columns for table, columns in gone.items() if table in OF_HANDS}


def views(manifest: Manifest, store: Path, gone: Lack) -> dict[str, str]:
    """For every table that may be asked, the statement that shows it; ``replaced`` first, because others name it."""
    tables = sorted(TABLES.values(), key=lambda table: table.name != "replaced")
    shown = [(table, columns) for table in tables if (columns := gone.shown(table)) is not None]
    found = {table.name: _view(table, columns, manifest, store) for table, columns in shown}
    return found | {f"past_{t.name}": _past(t, columns, manifest, store) for t, columns in shown if t.name in OF_HANDS}


def _view(table: Table, shown: Sequence[str], manifest: Manifest, store: Path) -> str:
    """The view of one table over the files that count; roll-ups of several batches are added up."""
    source, some_replaced = _files(table, shown, manifest, store), bool(manifest.rows("replaced"))
    if not table.sums or not table.added or not manifest.batches:
        counts = f" WHERE hand IS NULL OR hand NOT IN ({_GONE})" if some_replaced and table.name in OF_HANDS else ""
        return f"CREATE OR REPLACE VIEW {table.name} AS {source}{counts}"
    columns = ", ".join(
        f'CAST(sum("{c.name}") AS {KINDS[c.kind][1]}) AS "{c.name}"' if c.name in table.sums else f'"{c.name}"'
        for c in table.columns
        if c.name in shown
    )
    still = " HAVING sum(hands) <> 0" if some_replaced else ""
    return f"CREATE OR REPLACE VIEW {table.name} AS SELECT {columns} FROM ({source}) GROUP BY ALL{still}"


def _past(table: Table, shown: Sequence[str], manifest: Manifest, store: Path) -> str:
    """The view of the rows of one table that others took the place of."""
    files = _files(table, shown, manifest, store)
    return f"CREATE OR REPLACE VIEW past_{table.name} AS {files} WHERE hand IN ({_GONE})"


def _files(table: Table, shown: Sequence[str], manifest: Manifest, store: Path) -> str:
    """What to select from: the files of one table, or nothing with its columns where there are none."""
    files = [_quoted(str(path)) for path in manifest.paths(store, table.name)]
    if files:
        all_of_it = len(shown) == len(table.columns)
        columns = "" if all_of_it else f"SELECT {', '.join(_named(name) for name in shown)} "
        return f"{columns}FROM read_parquet([{', '.join(files)}])"
    empty = ", ".join(f"CAST(NULL AS {KINDS[c.kind][1]}) AS {_named(c.name)}" for c in table.columns if c.name in shown)
    return f"FROM (SELECT {empty} WHERE false)"


def _named(column: str) -> str:
    return f'"{column}"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _question(cursor: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The text of the one question in some SQL. Raises ``BadQuestion`` for anything else."""
    try:
        statements = cursor.extract_statements(sql)
    except duckdb.Error as problem:
        raise BadQuestion(str(problem)) from None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise BadQuestion("one SELECT is wanted")
    return statements[0].query.rstrip().rstrip(";")


@contextmanager
def _limited(cursor: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Stop what the cursor does after some seconds, and say in our words what went wrong."""
    timer = threading.Timer(seconds, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise TooSlow(f"not answered within {seconds:g} seconds") from None
    except (duckdb.ProgrammingError, duckdb.DataError, duckdb.NotSupportedError, duckdb.PermissionException) as problem:
        raise BadQuestion(str(problem)) from None
    finally:
        timer.cancel()
        timer.join()
