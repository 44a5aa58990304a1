"""What the code never does, read from its syntax trees; what a hostile path, archive or manifest cannot do."""

import ast
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_store_hands import many, record, write

from ingest.load import load
from ingest.logs import read
from ingest.logs.own.found import Row
from ingest.logs.own.stowed import fetch, stow
from ingest.store import BadStore, read_manifest
from ingest.store.manifest import COPY, MANIFEST

TOP = Path(__file__).parents[1]
MODULES = sorted(
    path for folder in ("ingest", "analysis", "fupan", "dashboard") for path in (TOP / folder).rglob("*.py")
)
NO_MODULE = {
    "pickle": "a pickle runs what stands in it",
    "cPickle": "likewise",
    "dill": "likewise",
    "joblib": "likewise",
    "marshal": "likewise",
    "shelve": "it pickles",
    "yaml": "it may make any object",
    "ctypes": "no check of anything",
    "socket": "nothing calls out; what listens is Streamlit's",
    "urllib.request": "nothing calls out",
    "http.client": "nothing calls out",
    "requests": "nothing calls out",
    "ftplib": "nothing calls out",
}
MAY = {("fupan/serve.py", "socket"): "asks its own server on this machine whether it is up"}
NO_CALL = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.execv", "os.execvp", "os.spawnv"}
ASKS = {"execute", "executemany", "executescript", "sql", "query"}
PUT_TOGETHER = {
    "ingest/ledger.py": "names of ledgers, which are written in the code",
    "analysis/courses.py": "columns and conditions of a statistic, which are written in the code",
    "analysis/asked.py": "a question of one's own, in a process that can do nothing else, and its quoted columns",
    "analysis/hand_list.py": "the SELECT of a statistic, which is written in the code",
    "analysis/lookups.py": "the conditions of the filters, which are written in the code",
    "analysis/spots.py": "which columns of a turn are read, which are written in the code",
    "analysis/warehouse.py": "files and columns of the schema, quoted; the question itself, which is one SELECT",
}
"""Where SQL is more than a text: what goes into it. Values go by parameters everywhere."""


def name_of(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
    return "?"


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.removesuffix(".parse") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def is_put_together(sql: ast.expr) -> bool:
    """Whether SQL is more than a text and constants of its module."""
    if isinstance(sql, ast.JoinedStr):
        parts = [part.value for part in sql.values if isinstance(part, ast.FormattedValue)]
        return not all(isinstance(part, ast.Name) and part.id.isupper() for part in parts)
    if isinstance(sql, ast.BinOp):
        return is_put_together(sql.left) or is_put_together(sql.right)
    return not (isinstance(sql, ast.Constant) or (isinstance(sql, ast.Name) and sql.id.isupper()))


def faults(source: str, name: str) -> list[str]:
    """What a module does that it must not."""
    tree = ast.parse(source)
    found = [f"imports {each}" for each in imported(tree) if each in NO_MODULE and (name, each) not in MAY]
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        what = dotted(call.func)
        if what in NO_CALL:
            found.append(f"calls {what}")
        if any(each.arg == "shell" for each in call.keywords):
            found.append(f"{what} with a shell")
        asks = isinstance(call.func, ast.Attribute) and call.func.attr in ASKS
        text = call.args[0] if asks and call.args else None
        if isinstance(text, ast.JoinedStr | ast.BinOp) and is_put_together(text) and name not in PUT_TOGETHER:
            found.append(f"{what} of SQL that is put together")
    return found


def test_no_module_runs_text_calls_out_or_puts_values_into_sql():
    assert len(MODULES) > 150
    assert {name_of(path): found for path in MODULES if (found := faults(path.read_text("utf-8"), name_of(path)))} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import pickle", "from yaml import load", "import urllib.request", "eval('1')", "os.system('ls')",
        "subprocess.run('ls', shell=True)", "cursor.execute(f'SELECT {x}')", "db.query('SELECT ' + x)",
    ],
)  # fmt: skip
def test_the_reading_of_syntax_trees_finds_each_of_them(source: str):
    assert len(faults(source, "ingest/new.py")) == 1


def test_what_is_excused_is_still_there():
    for (name, module), _ in MAY.items():
        assert module in imported(ast.parse((TOP / name).read_text("utf-8")))
    for name in PUT_TOGETHER:
        assert any(f".{ask}(" in (TOP / name).read_text("utf-8") for ask in ASKS)


def codes(path: Path | str) -> list[tuple[str, list[str]]]:
    return [(entry.source, [finding.code for finding in entry.findings]) for entry in read([str(path)])]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused_and_does_not_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert codes(tmp_path / "pipe.jsonl") == [(str(tmp_path / "pipe.jsonl"), ["R112"])]
    assert codes("/dev/zero") == [("/dev/zero", ["R112"])]
    assert list(read([str(tmp_path)])) == []


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
def test_a_pipe_that_the_shell_has_opened_is_read():
    """What <(…) gives."""
    out, inward = os.pipe()
    with os.fdopen(inward, "wb") as stream:
        stream.write(json.dumps(record("a", "plain")).encode() + b"\n")
    try:
        (entry,) = read([f"/dev/fd/{out}"])
    finally:
        os.close(out)
    assert entry.record is not None


def test_an_archive_writes_no_file_whatever_its_members_are_called(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    names = ["../../evil.jsonl", "/etc/evil.jsonl", "C:\\evil.jsonl", "a/../../b.jsonl", "link.jsonl", "x\x00y.jsonl"]
    with zipfile.ZipFile(inner / "log.zip", "w") as archive:
        for number, name in enumerate(names):
            info = zipfile.ZipInfo(name)
            if name == "link.jsonl":
                info.external_attr = 0o120777 << 16
            text = "/etc/passwd" if name == "link.jsonl" else json.dumps(record(f"h{number}", "plain"))
            archive.writestr(info, text)
    before = sorted(tmp_path.rglob("*"))
    found = list(read([str(inner / "log.zip")]))
    assert len(found) == len(names)
    assert sum(entry.record is not None for entry in found) == len(names) - 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_out_of_a_folder_leads_to_a_file_and_never_to_a_folder(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "secret").mkdir()
    write(tmp_path / "secret" / "s.jsonl", record("s", "plain"))
    (tmp_path / "logs" / "out").symlink_to(tmp_path / "secret", target_is_directory=True)
    (tmp_path / "logs" / "round").symlink_to(tmp_path / "logs", target_is_directory=True)
    assert list(read([str(tmp_path / "logs")])) == []


@pytest.mark.parametrize(
    "folder", ["../elsewhere", "batch-000001/../../elsewhere", "/tmp", "batch-", "new-batch-000001"]
)
def test_a_manifest_names_only_folders_of_its_own(tmp_path, folder):
    store = tmp_path / "store"
    load([str(many(tmp_path / "log.jsonl", 3))], store)
    told = json.loads((store / MANIFEST).read_text())
    told["batches"][0]["folder"] = folder
    for name in (MANIFEST, COPY):
        (store / name).write_text(json.dumps(told | {"blake2b": ""}))
    with pytest.raises(BadStore, match="folder"):
        read_manifest(store)


def unfolded(value):
    """No source says which of two equal hours it means."""
    return value.replace(fold=0)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters())
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.datetimes(timezones=st.none() | st.just(UTC)).map(unfolded)
    | st.dates()
    | st.times().map(unfolded)
    | st.timedeltas(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_rows_come_back_from_the_disk_as_what_they_were(value):
    again = fetch(stow(Row(3, value, b"raw")))
    assert (again.line, again.raw, again.value) == (3, b"raw", value)
    assert repr(again.value) == repr(value)


def test_rows_that_cannot_be_told_become_a_trouble():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, object()):
        again = fetch(stow(Row(1, value)))
        assert (again.value, again.troubles[0].code) == ({}, "R103")
