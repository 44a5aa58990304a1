"""A question of somebody's own, answered in a process of its own, which ``analysis.questions`` starts.

Knows how little such a process may do: no file but the store's Parquet, no network, no setting, so much memory and
time. Refuses every statement that is not one SELECT over the documented tables. One JSON object comes in on standard
input; one line of JSON goes out, and behind it, where there is an answer, an Arrow stream.
"""

import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import duckdb
import pyarrow as pa

NODES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"))
"""What a question may be made of; rows can be written inside of one, too (``WITH … AS (INSERT …)``)."""
TABLE_FUNCTIONS = frozenset(("range", "generate_series", "unnest", "repeat_row", "json_each", "json_tree"))
"""Functions that stand in a FROM; the others read files, run texts as SQL, or tell about this process."""
REFUSED = frozenset(
    "create_sort_key current_query current_setting currval format_type get_block_size "
    "getenv getvariable in_search_path json_deserialize_sql json_serialize_plan json_serialize_sql "
    "nextval parse_duckdb_log_message pg_get_constraintdef pg_get_viewdef pg_sleep setseed setval sleep_ms "
    "txid_current write_log".split()
)
"""Functions that tell about this process or where the store lies, wait, or change what the next one would see."""
PATH_LIKE = re.compile(r"[./\\:*?\[\]]")
"""What a name has that may be the name of a file."""
AS_TEXT = re.compile(r"\b(BIT|ENUM|INTERVAL|TIME WITH TIME ZONE|UHUGEINT|UNION|VARIANT|GEOMETRY)\b")
"""Types that files and tables elsewhere do not have: they are shown as DuckDB writes them, in lists and objects too."""
CHUNK = 1000
"""Rows that are fetched at a time."""
MEGABYTE = 1 << 20
OVERHEAD = 1024
"""Megabytes that programs and libraries take beside what the database may use."""


_CLOSED = dict.fromkeys(
    ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions"), False
)


class Refused(Exception):
    """A question that is not answered; ``args`` are the kind of refusal and what it is about."""


def confine(memory: int) -> None:
    """Let this process write no file and take so many megabytes, where the system can say so."""
    os.environ.clear()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        for limit, value in ((resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_DATA, (memory + OVERHEAD) * MEGABYTE)):
            resource.setrlimit(limit, (value, value))
        os.nice(5)


def closed(
    zone: str, readable: Literal["paths", "directories"], allowed: list[str], macros: Iterable[str], **config: Any
) -> duckdb.DuckDBPyConnection:
    """A database in memory that loads no extension, reaches no network, and reads these files or folders alone.

    ``zone``: its time zone. ``config``: further settings of DuckDB, which may be changed until ``lock``.
    """
    connection = duckdb.connect(":memory:", config={**_CLOSED, **config})
    connection.execute("SET GLOBAL TimeZone = ?", [zone])
    connection.execute(f"SET GLOBAL allowed_{readable} = ?", [allowed])
    connection.execute("SET GLOBAL enable_external_access = false")
    for macro in macros:
        connection.execute(macro)
    return connection


def lock(connection: duckdb.DuckDBPyConnection) -> None:
    """No setting is changed from here on."""
    connection.execute("SET GLOBAL lock_configuration = true")


def opened(asked: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """A database in memory that may read the files of the store and nothing else."""
    return closed(
        asked["zone"],
        "paths",
        asked["files"],
        asked["macros"],
        errors_as_json=True,
        memory_limit=f"{asked['memory']}MB",
        python_enable_replacements=False,
        temp_directory="",
        threads=asked["threads"],
    )


def check(sql: str, connection: duckdb.DuckDBPyConnection, tables: list[str], gone: "Lacking") -> tuple[str, set[str]]:
    """The text of one question, and the tables that it names. Raises ``Refused`` for what is none or may not be.

    ``gone``: what the store lacks.
    """
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise Refused("several" if statements else "empty", {})
    if not _is_select(statements[0]):
        raise Refused("not_a_question", {})
    text = without_end(statements[0].query)
    parsed = json.loads(connection.execute("SELECT json_serialize_sql(?)", [text]).fetchall()[0][0])
    if parsed["error"]:
        raise Refused("not_a_question", {})
    names = lacking(parsed, gone)
    if names:
        raise Refused("earlier", {"name": ", ".join(names)})
    named = set[str]()
    own = {name.lower() for name in _names_of_parts(parsed)}
    for name in own:
        _name_of_part(name, connection)
    for node in _nodes(parsed):
        named |= _checked(node, {table.lower() for table in tables}, own)
    return text, named


def _is_select(statement: duckdb.Statement) -> bool:
    try:
        return statement.type == duckdb.StatementType.SELECT
    except ValueError:  # the database has kinds for which its Python side has no name: UPDATE EXTENSIONS
        return False


def without_end(sql: str) -> str:
    """A question without the semicolons that end it and what stands behind them, to stand in parentheses."""
    told = sql.encode()
    for place, kind in reversed(duckdb.tokenize(sql)):
        if kind == duckdb.token_type.comment:
            continue
        if told[place:].lstrip()[:1] != b";":
            break
        told = told[:place]
    return told.decode()


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a parsed question."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
        waiting.extend(one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())


def _names_of_parts(parsed: Any) -> Iterator[str]:
    """The names that a question gives to parts of itself (WITH)."""
    for node in _nodes(parsed):
        for entry in node.get("cte_map", {}).get("map", ()):
            yield entry["key"]
        if node.get("type") in ("RECURSIVE_CTE_NODE", "CTE_NODE"):
            yield node.get("cte_name", "")


def _name_of_part(name: str, connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ``Refused`` for the name of a part that outside of the part's reach is a file or one of DuckDB's tables."""
    known = "FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema' AND lower(view_name) = ?"
    if PATH_LIKE.search(name) or connection.execute(known, [name]).fetchall():
        raise Refused("table", {"name": name, "position": ""})


def _checked(node: dict[str, Any], tables: set[str], own: set[str]) -> set[str]:
    """The table that one object of a parsed question names. Raises ``Refused``."""
    kind = str(node.get("type", ""))
    if kind.endswith("_NODE") and kind not in NODES:
        raise Refused("not_a_question", {})
    if kind == "TABLE_FUNCTION":
        _allow(node["function"]["function_name"].lower() in TABLE_FUNCTIONS, node["function"])
    elif kind == "FUNCTION":
        _allow(node["function_name"].lower() not in REFUSED, node)
    elif kind in ("BASE_TABLE", "SHOW_REF"):
        return _table(node, tables, own)
    return set()


def _allow(allowed: bool, function: dict[str, Any]) -> None:
    if not allowed:
        raise Refused("function_refused", {"name": function["function_name"]})


def _table(node: dict[str, Any], tables: set[str], own: set[str]) -> set[str]:
    name = str(node.get("table_name") or "").strip('"')
    if not name:
        return set()
    if node["type"] == "SHOW_REF" and name == "tables":
        return tables
    within = node.get("catalog_name", "").lower(), node.get("schema_name", "").lower()
    if name.lower() in tables and within in (("", ""), ("", "main"), ("memory", "main")):
        return {name.lower()}
    if name.lower() in own and within == ("", ""):
        return set()
    path = ".".join([*filter(None, within), name])
    raise Refused("table", {"name": path, "position": str(node.get("query_location", ""))})


Lacking = dict[str, list[str] | None]
"""What a store of an earlier version lacks: columns by table, None for a whole table."""


def lacking(parsed: Any, gone: Lacking) -> list[str]:
    """Which of what a store lacks a parsed question names, as ``table`` or ``table.column``.

    A name without its table is that of every table of the question: where a column is missing, the database would take
    another of the same name, from outside a subquery or of an alias, and answer with that.
    """
    nodes = list(_nodes(parsed))
    own = {name.lower() for name in _names_of_parts(parsed)}
    named = dict[str, set[str]]()
    for node in nodes:
        if node.get("type") in ("BASE_TABLE", "SHOW_REF"):
            table = str(node.get("table_name") or "").strip('"').lower()
            if table in gone and table not in own:
                named.setdefault(str(node.get("alias") or table).lower(), set()).add(table)
    found = {table for tables in named.values() for table in tables if gone[table] is None}
    natural = any(node.get("type") == "JOIN" and node.get("ref_type") == "NATURAL" for node in nodes)
    for path in _column_names(nodes):
        of = named.get(path[-2], set()) if len(path) > 1 else set[str]().union(*named.values())
        found |= {f"{table}.{path[-1]}" for table in of if path[-1] in (gone[table] or ())}
    return sorted(found or ({table for tables in named.values() for table in tables} if natural else ()))


def _column_names(nodes: list[dict[str, Any]]) -> Iterator[list[str]]:
    """Every column that is named, with its table where that is said; a join's columns, and those left out of a star."""
    for node in nodes:
        if node.get("type") == "COLUMN_REF":
            yield [name.lower() for name in node["column_names"]]
        for name in node.get("using_columns") or ():
            yield [name.lower()]
        for name in node.get("exclude_list") or ():
            yield [str(name).lower()]


def answer(asked: dict[str, Any]) -> tuple[dict[str, Any], pa.Table]:
    """The rows of an answer, and whether there are more. Raises ``Refused`` and what DuckDB raises."""
    connection = opened(asked)
    sql, named = check(asked["sql"], connection, list(asked["views"]), asked["lacking"])
    for name, view in asked["views"].items():
        if name in named or name == asked["needed"]:
            connection.execute(view)
    lock(connection)
    timer = threading.Timer(asked["seconds"], connection.interrupt)
    timer.daemon = True
    timer.start()
    return _fetched(connection, sql, asked)


def _fetched(connection: duckdb.DuckDBPyConnection, sql: str, asked: dict[str, Any]) -> tuple[dict[str, Any], pa.Table]:
    wrapped = f"{asked['before']}{sql}\n) LIMIT {asked['rows'] + 1}"
    connection.execute(f"{asked['explain']}{wrapped}")  # finds the same mistakes, and says where they are
    relation = connection.sql(wrapped)
    types = [str(kind) for kind in relation.types]
    if any(map(AS_TEXT.search, types)):
        columns = zip(relation.columns, types, strict=True)
        relation = connection.sql(f"SELECT {', '.join(_column(*each) for each in columns)} FROM (\n{wrapped}\n)")
    reader = relation.to_arrow_reader(CHUNK)
    batches: list[pa.RecordBatch] = []
    size, truncated = 0, ""
    for batch in reader:
        size += batch.nbytes
        if size > asked["bytes"]:
            truncated = "size"
            break
        batches.append(batch)
    table = pa.Table.from_batches(batches, reader.schema)
    if table.num_rows > asked["rows"]:
        table, truncated = table.slice(0, asked["rows"]), "rows"
    return {"truncated": truncated}, _whole(table)


def _column(name: str, kind: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    return f"CAST({quoted} AS VARCHAR) AS {quoted}" if AS_TEXT.search(kind) else quoted


def _whole(table: pa.Table) -> pa.Table:
    """Numbers of 38 digits, which sums come as: whole numbers where they fit, else texts; the others as fractions."""
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            column = table.column(place)
            table = table.set_column(
                place, field.name, _whole_numbers(column) if field.type.scale == 0 else column.cast("double")
            )
    return table


def _whole_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return pa.chunked_array([[None if value is None else str(value) for value in column.to_pylist()]], pa.string())


def respond(asked: dict[str, Any]) -> tuple[dict[str, Any], pa.Table | None]:
    """What there is to say to a question, and its rows where it was answered."""
    try:
        return answer(asked)
    except Refused as refusal:
        return {"refused": refusal.args[0], **refusal.args[1]}, None
    except duckdb.Error as problem:
        return {"duckdb": str(problem)}, None
    except MemoryError:
        return {"refused": "memory"}, None


def written(said: dict[str, Any], table: pa.Table | None) -> bytes:
    """The same as bytes."""
    sink = pa.BufferOutputStream()
    sink.write(json.dumps(said).encode() + b"\n")
    if table is not None:
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
    return bytes(sink.getvalue())


def main() -> None:
    """Answer the question on standard input."""
    asked = json.load(sys.stdin)
    confine(asked["memory"])
    sys.stdout.buffer.write(written(*respond(asked)))
    sys.stdout.buffer.flush()
    os._exit(0)  # a thread of the database may still be at work


if __name__ == "__main__":
    main()
