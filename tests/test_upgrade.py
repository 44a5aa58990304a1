"""A store of an earlier version as one of today's: what a fresh load of the same logs gives, whenever it is killed."""

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from earlier import EARLIER, STORES, fresh, kept, logs
from reliability import note
from typer.testing import CliRunner

from analysis.warehouse import Warehouse
from fupan.cli import app
from fupan.questions import Refused
from ingest.bulk import Engine, available
from ingest.load import anew, load
from ingest.load import upgrade as upgrading
from ingest.load.upgrade import Upgraded, room, upgrade
from ingest.rules.ruleset import UnknownLaw, builtin_names
from ingest.rules.ruleset import load_any as law
from ingest.simulate import hands
from ingest.store import OF_HANDS, TABLES, VERSION, BadStore, damage, read_manifest
from ingest.store.batches import UPGRADE
from ingest.store.compact import compact
from ingest.store.manifest import write_manifest

PLACED = "* EXCLUDE (entry, id_digest, digest), CASE WHEN counted THEN digest END AS digest"
"""All of ``hands`` but what depends on the folder that a log was loaded from."""
LINES = "* EXCLUDE (packed)"
"""All of ``raw`` but what compiled code alone writes beside a line, and no answer depends on."""


def tables(store: Path, hands: str = "*", findings: str = "*") -> dict[str, list[str]]:
    """Every row of every table, those that were replaced too."""
    names = [*TABLES, *(f"past_{name}" for name in OF_HANDS)]
    text = "SELECT CAST(t AS VARCHAR) AS text FROM (SELECT {} FROM {}) t ORDER BY ALL"
    with Warehouse(store) as warehouse:
        shown = {"hands": hands, "past_hands": hands, "findings": findings, "raw": LINES, "past_raw": LINES}
        asked = {name: text.format(shown.get(name, "*"), name) for name in names}
        return {name: warehouse.query(sql)["text"].tolist() for name, sql in asked.items()}


def column(store: Path, name: str) -> dict[int, object]:
    """A column of all rows of ``hands`` by their numbers."""
    found = pa.concat_tables(
        pq.read_table(path, columns=["hand", name]) for path in read_manifest(store).paths(store, "hands")
    )
    return {row["hand"]: row[name] for row in found.to_pylist()}


def spoilt(name: str, count: int) -> list[bytes]:
    """Hands of a ruleset, a third of them spoilt."""
    return [line.rstrip() for line in hands(law(name), count, seed=3, faults=0.3)]


def as_earlier(store: Path) -> Path:
    """A store of today's as if an earlier program had written it."""
    write_manifest(store, msgspec.structs.replace(read_manifest(store), version=VERSION - 1))
    return store


@pytest.mark.parametrize("version", EARLIER)
def test_upgrade_gives_what_a_fresh_load_gives(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(logs(tmp_path / "logs"))
    store, now = kept(version, tmp_path / "store"), fresh(tmp_path / "logs", corrected=version > 1)
    needed = room(store).needed
    done = upgrade(store)
    taken = sum(file.bytes for batch in read_manifest(store).batches for file in batch.files.values())
    assert taken <= needed <= 2 * taken
    assert damage(store) == []
    assert tables(store, PLACED, "* EXCLUDE (digest)") == tables(now, PLACED, "* EXCLUDE (digest)")
    unreadable_then = [("rlcard.jsonl", 1, "unreadable", "clean"), ("rlcard.jsonl", 2, "unreadable", "clean")]
    changes = [(each.source, each.line, each.before.verdict, each.after.verdict) for each in done.changes]
    assert changes == (unreadable_then if version == 1 else [])
    assert (done.version, done.hands, done.changed, done.repeated) == (
        version,
        read_manifest(store).rows("hands"),
        len(changes),
        0,
    )
    assert read_manifest(store).next_hand == done.hands
    assert upgrade(store) == Upgraded(VERSION, done.hands)


@pytest.mark.parametrize("version", EARLIER)
def test_an_upgraded_store_knows_which_files_it_has(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(logs(tmp_path / "logs"))
    store = kept(version, tmp_path / "store")
    keys = {name: column(store, name) for name in (("entry", "id_digest") if version > 2 else ())}
    upgrade(store)
    assert {name: column(store, name) for name in keys} == keys  # those of the folder that it was loaded from
    if version < 3:  # taken for loaded from here
        again = load(["hands.jsonl", "rlcard.jsonl"], store)
        assert (again.stored, again.known) == ((0, 19) if version == 1 else (1, 18))


def test_whatever_is_in_a_store_stays_as_it_was(tmp_path: Path):
    """Spoilt hands of several rulesets, repetitions, clashes, corrections, merged batches: labelled, and upgraded."""
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    lines = [line for name in ("classic", "call-rob", "sandaha") for line in spoilt(name, 25)]
    log.write_bytes(
        b"\n".join([*lines, lines[3], b"{", lines[5].replace(b'"bottom"', b'"strange":1,"bottom"')]) + b"\n"
    )
    load([str(log)], store, batch_hands=50)
    load([str(STORES / "house.jsonl")], store, rules="pagat")
    mended = [line.replace(b'"tags":{', b'"tags":{"mended":"yes",') for line in lines[10:50:5]]
    log.write_bytes(b"\n".join([*mended, *lines[50:], lines[5] + b" "]) + b"\n")
    load([str(log)], store, replace=True)
    compact(store, hands=120)
    before, keys = tables(store), column(store, "entry")
    assert before["past_hands"]
    done = upgrade(as_earlier(store))
    assert (done.changed, done.repeated, done.laws) == (0, 0, {})
    assert tables(store) == before
    assert column(store, "entry") == keys


def everything(folder: Path) -> Path:
    """A store of spoilt, hidden, repeated, replaced and foreign hands, of lines that are none, and of rules given."""
    folder.mkdir()
    store, log = folder / "store", folder / "log.jsonl"
    lines = [line for name in builtin_names() for line in spoilt(name, 12)]
    hidden = json.loads(lines[1]) | {"id": "hidden"}
    hidden["hands"] = [hidden["hands"][0], *[None] * (len(hidden["hands"]) - 1)]
    strange = [line.replace(b'"bottom"', b'"strange":1,"bottom"') for line in lines[5:7]]
    lines += [lines[3], b"{", *strange, json.dumps(hidden).encode()]
    log.write_bytes(b"\n".join(lines) + b'\n{"id":')
    load([str(log)], store, batch_hands=50)
    load([str(path) for path in sorted((STORES.parent / "logs").iterdir())], store)
    load([str(STORES / "house.jsonl")], store, rules="pagat")
    mended = [line.replace(b'"tags":{', b'"tags":{"mended":"yes",') for line in lines[10:90:3]]
    log.write_bytes(b"\n".join([*mended, *lines[100:], lines[5] + b" "]) + b"\n")
    load([str(log)], store, replace=True)
    compact(store, hands=120)
    return store


def rows(store: Path) -> dict[str, pa.Table]:
    """Every table as its files have it, one behind the other; roll-ups lie in no order of their own.

    Without what compiled code alone writes beside a line, which ``test_packed`` holds against the line.
    """
    manifest = read_manifest(store)
    found = {name: pa.concat_tables(map(pq.read_table, manifest.paths(store, name))) for name in TABLES}
    found["raw"] = found["raw"].drop_columns("packed")
    return {
        name: table
        if name in (*OF_HANDS, "replaced")
        else table.sort_by([(n, "ascending") for n in table.column_names])
        for name, table in found.items()
    }


def check_engines(store: Path, version: int, folder: Path) -> Upgraded:
    """What an upgrade does, which is the same whatever audits."""
    done = []
    for engine in (Engine.audit, Engine.bulk):
        shutil.copytree(store, folder / engine)
        write_manifest(folder / engine, msgspec.structs.replace(read_manifest(store), version=version))
        done.append(upgrade(folder / engine, engine=engine))
        assert damage(folder / engine) == []
    one_by_one, in_blocks = rows(folder / Engine.audit), rows(folder / Engine.bulk)
    assert [name for name in TABLES if not one_by_one[name].equals(in_blocks[name])] == []
    assert done[0] == done[1]
    return done[0]


@pytest.mark.skipif(not available(), reason="needs Numba")
@pytest.mark.parametrize("version", EARLIER)
def test_blocks_give_what_rows_by_themselves_give(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(anew, "FEWEST", 1)
    check_engines(kept(version, tmp_path / "store"), version, tmp_path)


@pytest.mark.skipif(not available(), reason="needs Numba")
def test_blocks_of_whatever_is_in_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Batches in parts, too: what took the place of what stays with the rows of which it speaks."""
    monkeypatch.setattr(anew, "FEWEST", 3)
    store = everything(tmp_path / "logs")
    (tmp_path / "now").mkdir()
    assert check_engines(store, VERSION - 1, tmp_path / "now").changed == 0
    parts = {name: rows(tmp_path / "now" / Engine.bulk)[name] for name in (*OF_HANDS, "replaced")}
    assert parts["replaced"].num_rows > 20
    assert not set(parts["raw"]["format"].to_pylist()) <= {"native"}
    monkeypatch.setattr(upgrading, "BATCH", 40)
    (tmp_path / "then").mkdir()
    assert check_engines(store, 2, tmp_path / "then").repeated
    monkeypatch.setattr(anew, "LINES", 7)
    upgrade(as_earlier(store), engine=Engine.bulk)
    assert len(read_manifest(store).batches) > len(read_manifest(tmp_path / "now" / Engine.bulk).batches)
    again = rows(store)
    by_hand = [("hand", "ascending"), ("by", "ascending")]
    assert again.pop("replaced").sort_by(by_hand) == parts["replaced"].sort_by(by_hand)
    assert [
        name for name in parts if name != "replaced" and not _in_order(again[name]).equals(_in_order(parts[name]))
    ] == []


def _in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in table.column_names])


def test_readers_go_over_to_the_new_store(tmp_path: Path):
    store = kept(3, tmp_path / "store")
    with Warehouse(store) as warehouse, Warehouse(store, pinned=True) as pinned:
        hands = warehouse.query("SELECT count(*) AS n FROM hands")["n"][0]
        upgrade(store)
        assert warehouse.query("SELECT count(*) AS n FROM hands, (SELECT sum(bombs_stood) FROM seats)")["n"][0] == hands
        assert not warehouse.lack
        assert warehouse.query("SELECT count(*) AS n FROM mismatches")["n"][0]
        assert pinned.query("SELECT count(*) AS n FROM hands")["n"][0] == hands


def test_rules_of_ones_own_must_be_given(tmp_path: Path):
    text = 'name = "house"\nextends = "pagat"\ntitle_zh = "自"\ntitle_en = "own"\n'
    own = tmp_path / "house.toml"
    own.write_text(text, "utf-8")
    store = tmp_path / "store"
    load([str(STORES / "house.jsonl")], store, rules=str(own))
    before = tables(store)
    as_earlier(store)
    with pytest.raises(UnknownLaw, match="house"):
        upgrade(store)
    assert read_manifest(store).is_earlier
    told = CliRunner().invoke(app, ["store", "upgrade", "--store", str(store), "--lang", "zh"])
    assert isinstance(told.exception, Refused)
    assert "自定规则审核的（house）" in str(told.exception)
    told = CliRunner().invoke(app, ["store", "upgrade", "--store", str(store), "--rules", str(own), "--lang", "en"])
    assert told.exit_code == 0, told.output
    assert f"version {VERSION - 1} is version {VERSION} now: 2 rows audited anew, 0 are told otherwise" in told.stdout
    assert "MB" in told.stderr
    assert tables(store) == before


def test_rules_that_changed_are_named_with_what_they_change(tmp_path: Path):
    """Under other rules of the same name another verdict: told, hand by hand."""
    own = tmp_path / "house.toml"
    head = 'name = "house"\ntitle_zh = "自"\ntitle_en = "own"\nextends = '
    own.write_text(f'{head}"pagat"\n', "utf-8")
    store = tmp_path / "store"
    load([str(STORES / "house.jsonl")], store, rules=str(own))
    own = tmp_path / "changed.toml"
    own.write_text(f'{head}"call-score"\n', "utf-8")
    told = CliRunner().invoke(
        app, ["store", "upgrade", "--store", str(as_earlier(store)), "--rules", str(own), "--lang", "en"]
    )
    assert told.exit_code == 1
    assert "2 hands: the rules house are not letter for letter those of the time" in told.stdout
    assert f"  {STORES / 'house.jsonl'}:1 classic-2026-000" in told.stdout
    assert "→ faulty" in told.stdout


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("batch", [0, 1])
def test_a_damaged_store_is_repaired_and_upgraded(
    batch: int, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Of the first batch some hands were replaced, and count in no roll-up of what is left."""
    monkeypatch.chdir(logs(tmp_path / "logs"))
    store = kept(version, tmp_path / "store")
    manifest = read_manifest(store)
    bad = manifest.batches[batch]
    file = store / bad.folder / "raw.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(BadStore, match=rf"{bad.folder}/raw\.parquet.*: fupan store repair"):
        upgrade(store)
    assert read_manifest(store) == manifest
    told = CliRunner().invoke(app, ["store", "repair", "--store", str(store), "--lang", "zh"])
    assert f"请先运行 fupan store upgrade --store {store}" in told.stdout
    assert (store / "aside" / bad.folder / "again.json").is_file()
    assert damage(store) == []
    check_sums(store)
    left = read_manifest(store)
    assert (left.version, left.repairs) == (version, 1)
    assert upgrade(store).hands == manifest.rows("hands") - bad.files["hands"].rows
    assert damage(store) == []
    check_sums(store)
    if version > 1:
        assert load([str(tmp_path / "logs" / name) for name in ("hands.jsonl", "rlcard.jsonl")], store).stored


def check_sums(store: Path) -> None:
    """Roll-ups say of the hands that count what these say."""
    with Warehouse(store) as warehouse:
        for rolled, told in (
            ("sum(hands) FROM days", "count(*) FROM hands"),
            ("sum(wins) FROM players", "count(*) FROM seats WHERE won AND role IS NOT NULL"),
        ):
            found = [
                int(warehouse.query(f"SELECT {sql.replace(' FROM', ' AS n FROM')}")["n"][0]) for sql in (rolled, told)
            ]
            assert found[0] == found[1], rolled


# --- killed


class Killed(BaseException):
    """The process is gone: nothing that touches the disk happens after it."""


PROCESSES = multiprocessing.get_context("forkserver")
STEPS = ((upgrading, "write_table"), (Path, "rename"), (os, "replace"), (shutil, "rmtree"))


def killed_at(step: int, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the work came to a step of so high a number, and was killed before it."""
    count = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*given: object, **named: object) -> object:
            nonlocal count
            count += 1
            if count > step:
                raise Killed
            return real(*given, **named)

        return call

    with monkeypatch.context() as patched:
        for where, name in STEPS:
            patched.setattr(where, name, counted(getattr(where, name)))
        try:
            work()
        except Killed:
            return True
    return False


def check_killed(step: int, version: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether an upgrade has so many steps; killed there, the store is the old or the new one, and upgrades still."""
    store = kept(version, folder)
    then = tables_of_version(store)
    was_killed = killed_at(step, lambda: upgrade(store), monkeypatch)
    assert damage(store) == []
    assert tables_of_version(store) == then
    upgrade(store)
    assert (read_manifest(store).version, damage(store)) == (VERSION, [])
    assert tables_of_version(store) == then
    assert not [path for path in store.iterdir() if path.name == UPGRADE]
    shutil.rmtree(store)
    return was_killed


def tables_of_version(store: Path) -> list[object]:
    """What both versions tell."""
    sql = "SELECT hand, source, line, id, verdict, outcome, unit, faults, first_fault FROM {} ORDER BY hand"
    with Warehouse(store) as warehouse:
        return [warehouse.query(sql.format(name)).to_dict("list") for name in ("hands", "past_hands")]


def test_a_killed_upgrade_leaves_the_old_store_or_the_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert [check_killed(step, 5, tmp_path / str(step), monkeypatch) for step in (1, 17, 46, 54)]


@pytest.mark.soak
def test_an_upgrade_killed_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    steps = 0
    for version in (EARLIER[1], EARLIER[-1]):
        step = 0
        while check_killed(step, version, tmp_path / "store", monkeypatch):
            step += 1
        steps += step
    assert steps > 100
    note(
        "`fupan store upgrade` stopped before every write, rename and removal, versions 2 and 5",
        f"{steps} stops, 0 stores neither old nor new",
    )


def killed_by_the_system(whole: Path, then: dict[str, pa.Table], seconds: float, store: Path) -> bool:
    """Whether an upgrade was still running after so many seconds; killed then, all is as it was, and upgrades."""
    as_earlier(Path(shutil.copytree(whole, store)))
    process = PROCESSES.Process(target=upgrade, args=(store,))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    assert damage(store) == []
    upgrade(store)
    assert (read_manifest(store).version, damage(store)) == (VERSION, [])
    now = rows(store)
    assert [name for name in (*OF_HANDS, "replaced") if not now[name].equals(then[name])] == []
    assert not [path for path in store.iterdir() if path.name == UPGRADE]
    shutil.rmtree(store)
    return process.exitcode != 0


@pytest.mark.soak
def test_an_upgrade_killed_by_the_system(tmp_path: Path):
    """``kill -9`` at a random moment: of a store that goes hand by hand, and of one that goes by blocks."""
    PROCESSES.set_forkserver_preload(["ingest.load.upgrade"])
    chance, kills, runs = random.Random(9), 0, 0
    for count, wanted in ((200, 95), (2000, 10)):
        log, whole = tmp_path / f"{count}.jsonl", tmp_path / f"whole-{count}"
        log.write_bytes(b"\n".join(spoilt("classic", count)) + b"\n")
        load([str(log)], whole, batch_hands=count // 5)
        then, killed = rows(whole), 0
        for _ in range(2):  # the first begins with what others find begun
            begun = time.monotonic()
            assert not killed_by_the_system(whole, then, 600, tmp_path / "store")
        longest = time.monotonic() - begun
        while killed < wanted:
            killed += killed_by_the_system(whole, then, chance.uniform(0, longest), tmp_path / "store")
            runs += 1
        kills += killed
    note(
        "`kill -9` of `fupan store upgrade` at a random moment",
        f"{kills} killed, {runs - kills} came to their end first; after each the store was the old or the new one",
    )
