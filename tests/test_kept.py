"""Answers that are kept with a large store: as those of the store, only while it is the same, and never needed."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import ingest.store
from analysis import catalogue, cells, choices, keeping, meetings_kept, tallies
from analysis.warehouse import Warehouse
from fupan.cli import app
from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands

KEPT = sorted(name for name, each in catalogue.statistics().items() if each.kept is not None)
APART = {
    name for name in KEPT
    if "rules" in catalogue.statistics()[name].parameters and "rules" not in (catalogue.statistics()[name].kept or {})
}  # fmt: skip
"""Of which a ruleset has an answer of its own."""
PARTS = {part.file for each in catalogue.statistics().values() for part in each.cells}
MEETINGS = {meetings_kept.ENTRIES, meetings_kept.REST}
ONCE = {f"daily.{name}" for name, each in catalogue.statistics().items() if each.tally} | PARTS | MEETINGS
"""What is kept by day, or hand by hand."""
WITHOUT_ROWS = {"side_swaps"}
"""What so few hands say nothing of."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of two rulesets, in two batches; the first deals are played again at another table."""
    folder = tmp_path_factory.mktemp("kept")
    for name in ("classic", "platform"):
        lines = list(hands(load_any(name), 80, seed=5, faults=0.1))
        log = folder / f"{name}.jsonl"
        log.write_bytes(b"\n".join([*lines, *map(_again, lines[:30])]))
        load([str(log)], folder / "store")
    return folder / "store"


def _again(line: bytes) -> bytes:
    """The same hand, but that everybody sits one seat further on; what is no record as it is."""
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        told = json.loads(line)
        players = told["players"]
        return json.dumps(
            told | {"id": f"{told['id']}-2", "table": "2", "players": [*players[1:], players[0]]}
        ).encode()
    return line


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "LEAST", 1)


def _filters(warehouse: Warehouse, name: str) -> list[dict[str, Any]]:
    picked = catalogue.statistics()[name].kept or {}
    player = str(warehouse.query("SELECT player FROM seats GROUP BY player ORDER BY count(*) DESC").iloc[0, 0])
    known = {"player": player, "rules": warehouse_rules(warehouse), "role": "farmer"}
    every = dict.fromkeys([*picked, *({"rules"} & set(catalogue.statistics()[name].parameters))])
    return [{}, *({key: known[key]} for key in every), {key: known[key] for key in every}]


def warehouse_rules(warehouse: Warehouse) -> str:
    return choices.rulesets(warehouse)[-1]


def _same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one.attrs == other.attrs


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of one ruleset, and lines that name none or are no hands."""
    folder = tmp_path_factory.mktemp("alone")
    lines = [*hands(load_any("platform"), 80, seed=5, faults=0.1), b"{}", b'{"id": "x", "players": []}', b"no line"]
    (folder / "log.jsonl").write_bytes(b"\n".join([*lines, *map(_again, lines[:30])]))
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Warehouse]]:
    """The store of a fixture, opened once; what it remembers is for its users to forget."""
    with ExitStack() as stack:
        yield cache(lambda of: stack.enter_context(Warehouse(request.getfixturevalue(of))))


@pytest.mark.parametrize(
    ("name", "of"), [(name, of) for name in KEPT for of in ("store", "alone") if of == "store" or name in APART]
)
def test_a_kept_answer_is_that_of_the_store(
    name: str, of: str, opened: Callable[[str], Warehouse], monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = opened(of)
    warehouse.forget()
    asked = _filters(warehouse, name)
    wanted = [catalogue.run(warehouse, name, **filters) for filters in asked]
    monkeypatch.setattr(keeping, "LEAST", 1)
    worked_out = [catalogue.run(warehouse, name, **filters) for filters in asked]
    warehouse.forget()
    monkeypatch.setattr(keeping, "keep", None)
    read = [catalogue.run(warehouse, name, **filters) for filters in asked]
    assert len(wanted[0]) or name in WITHOUT_ROWS or of == "alone"
    for one, other, again in zip(wanted, worked_out, read, strict=True):
        _same(other, one)
        _same(again, one)


@pytest.mark.usefixtures("large")
def test_what_was_kept_holds_for_the_same_hands_only(tmp_path: Path) -> None:
    counts = []
    for number in range(2):
        log = tmp_path / f"{number}.jsonl"
        log.write_bytes(b"\n".join(hands(load_any("classic"), 30, seed=number)))
        load([str(log)], tmp_path / "store")
        with Warehouse(tmp_path / "store") as warehouse:
            counts.append(int(catalogue.run(warehouse, "role_values")["hands"].sum()))
    assert 0 < counts[0] < counts[1]
    assert len(list((tmp_path / "store" / keeping.FOLDER).iterdir())) == 1


@pytest.mark.usefixtures("large")
def test_what_cannot_be_read_is_worked_out_again(store: Path) -> None:
    with Warehouse(store) as warehouse:
        wanted = catalogue.run(warehouse, "role_values")
        (path,) = (store / keeping.FOLDER).glob("role_values-*")
        whole = path.read_bytes()
        path.write_bytes(whole[:40] + b"\0" * 40 + whole[80:])
        warehouse.forget()
        _same(catalogue.run(warehouse, "role_values"), wanted)
        assert path.read_bytes() == whole


@pytest.mark.usefixtures("large")
def test_meetings_that_cannot_be_read_are_worked_out_again(store: Path) -> None:
    with Warehouse(store) as warehouse:
        wanted = meetings_kept.of(warehouse).hand.tolist()
        (path,) = (store / keeping.FOLDER).glob(f"{meetings_kept.ENTRIES}-*")
        whole = path.read_bytes()
        for broken in (whole[:-40] + b"\0" * 20 + whole[-20:], whole[:100], b""):
            path.write_bytes(broken)
            warehouse.forget()
            assert meetings_kept.of(warehouse).hand.tolist() == wanted
            assert path.read_bytes() == whole


@pytest.mark.usefixtures("large")
def test_where_nothing_can_be_kept_the_store_is_asked(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FOLDER", "manifest.json")
    with Warehouse(store) as warehouse:
        assert len(catalogue.run(warehouse, "role_values"))


def test_of_a_small_store_nothing_is_kept(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FOLDER", ".none")
    with Warehouse(store) as warehouse:
        catalogue.run(warehouse, "role_values")
        assert catalogue.prepare(warehouse) == 0
    assert not (store / ".none").exists()


@pytest.mark.usefixtures("large")
def test_everything_is_prepared_at_once(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FOLDER", ".prepared")
    monkeypatch.setattr(tallies, "SPARE", 1)
    monkeypatch.setattr(cells, "SPARE", 0.001)
    with Warehouse(store) as warehouse:
        assert catalogue.prepare(warehouse) == len(KEPT) + 2 * len(APART) + len(ONCE)
    names = Counter(path.name.partition("-")[0] for path in (store / ".prepared").iterdir())
    assert names == {name: 3 if name in APART else 1 for name in KEPT} | dict.fromkeys(ONCE, 1)


def test_a_load_keeps_answers_with_a_large_store_unless_told_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest.store, "LARGE", 1)
    prepared: list[Path] = []
    monkeypatch.setattr(catalogue, "prepare", lambda warehouse: prepared.append(warehouse.path) or 7)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(hands(load_any("classic"), 3, seed=1)))
    into = ["--store", str(tmp_path / "store")]
    for options in (["--no-prepare"], [], []):
        assert CliRunner().invoke(app, ["load", str(log), *into, *options]).exit_code == 0
        log.write_bytes(b"\n".join(hands(load_any("classic"), 3, seed=2)))
    assert len(prepared) == 1, "what stored nothing has nothing to prepare"
    assert "7" in CliRunner().invoke(app, ["store", "prepare", *into]).stdout
    assert len(prepared) == 2
