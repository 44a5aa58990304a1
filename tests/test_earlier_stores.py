"""Stores that programs of earlier versions wrote: they are read as far as they mean the same, and never otherwise."""

import json
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from earlier import EARLIER, STORES, fresh, kept, logs
from test_dashboard import at_words, shown
from typer.testing import CliRunner

from analysis.catalogue import run, statistics
from analysis.questions import ask
from analysis.warehouse import BadQuestion, NeedsUpgrade, Warehouse
from fupan.cli import app
from fupan.questions import Refused
from ingest.load import load
from ingest.store import TABLES, VERSION, BadStore, EarlierStore, damage, lack, read_manifest
from ingest.store.compact import compact
from ingest.store.history import lack_of, steps, tables_of
from ingest.store.manifest import COPY, MANIFEST, write_manifest
from ingest.store.repair import Repaired, repair

UNREADABLE = {1: 4}
"""Entries that are no hands: the first version could not read the log of RLCard's."""
CORRECTED = {1: 0}


@pytest.mark.parametrize("version", [*EARLIER, VERSION])
def test_store_of_every_version_opens(version: int, tmp_path: Path):
    store = kept(version, tmp_path / "store")
    assert damage(store) == []
    with Warehouse(store) as warehouse:
        found = warehouse.query(
            "SELECT count(*) AS hands, count(*) FILTER (NOT counted) AS unreadable, count(DISTINCT rules) AS rules "
            "FROM hands"
        )
        seats = warehouse.query("SELECT count(*) AS seats FROM seats WHERE rules = 'sandaha'")["seats"][0]
        told = warehouse.query("SELECT count(*) AS gone FROM past_hands")["gone"][0]
        days = warehouse.query("SELECT CAST(sum(hands) AS INTEGER) AS hands FROM days")["hands"][0]
    unreadable, gone = UNREADABLE.get(version, 2), CORRECTED.get(version, 1)
    assert (found["hands"][0], found["unreadable"][0]) == (21, unreadable)
    assert found["rules"][0] == (5 if version == 1 else 6)
    assert (seats, told, days) == (8, gone, 21)
    assert warehouse.damage == ()


def test_the_version_of_today_lacks_nothing(tmp_path: Path):
    store = kept(VERSION, tmp_path / "store")
    assert not lack(store, read_manifest(store))


@pytest.mark.parametrize("version", EARLIER)
def test_what_a_store_lacks_is_what_the_history_says(version: int, tmp_path: Path):
    store = kept(version, tmp_path / "store")
    manifest = read_manifest(store)
    assert lack(store, manifest) == lack_of(version)
    assert all(batch.files.keys() == tables_of(version) for batch in manifest.batches)
    with Warehouse(store) as warehouse:
        for name, table in TABLES.items():
            shown = lack_of(version).shown(table)
            if shown is None:
                with pytest.raises(NeedsUpgrade, match=f"no {name} as"):
                    warehouse.query(f"FROM {name}")
            else:
                assert list(warehouse.query(f"FROM {name}").columns) == shown


def test_history_is_of_the_declarations_of_today():
    assert [step.number for step in steps()] == [*range(1, VERSION + 1)]
    for step in steps():
        assert {*step.tables, *step.added, *step.changed} <= TABLES.keys()
        assert {*step.none} <= {*step.tables}
        for named in (step.added, step.changed):
            for table, columns in named.items():
                assert {*columns} <= {column.name for column in TABLES[table].columns}, (step.number, table)
        for each in step.within:
            assert {*each.columns} <= {column.name for column in TABLES[each.table].columns}


def test_the_schema_does_not_change_without_a_step_of_the_history(tmp_path: Path):
    """Whoever changes a column, or what it means, raises the version and says so; the kept store shows what was."""
    import pyarrow.parquet as pq

    store = kept(VERSION, tmp_path / "store")
    for batch in read_manifest(store).batches:
        for name, table in TABLES.items():
            assert pq.read_schema(store / batch.folder / f"{name}.parquet").equals(table.schema, check_metadata=True)


def answers(store: Path, **filters: str) -> dict[str, pd.DataFrame | None]:
    """What every statistic answers; None where it needs what the store lacks."""
    found: dict[str, pd.DataFrame | None] = {}
    with Warehouse(store) as warehouse:
        for name, each in statistics().items():
            narrowing = {key: value for key, value in filters.items() if key in each.parameters}
            if filters and not narrowing:
                continue
            try:
                found[name] = run(warehouse, name, **narrowing)
            except NeedsUpgrade:
                found[name] = None
    return found


@pytest.mark.parametrize(
    "version", [1, *(pytest.param(version, marks=pytest.mark.soak) for version in EARLIER[1:-1]), EARLIER[-1]]
)
def test_statistic_of_an_earlier_store_is_that_of_today_or_refused(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(logs(tmp_path / "logs"))
    filters = {"rules": "classic"} if version == 1 else {}
    then, now = (
        answers(s, **filters)
        for s in (kept(version, tmp_path / "s"), fresh(tmp_path / "logs", corrected=version > 1, rlcard=version > 1))
    )
    answered = [name for name, frame in then.items() if frame is not None]
    assert len(answered) > {1: 20, 2: 50}.get(version, 80)
    for name in answered:
        pd.testing.assert_frame_equal(then[name], now[name], check_dtype=False, obj=name)
    assert all(frame is not None for frame in now.values())


LACKING = {
    "SELECT sum(bombs_stood) FROM seats": "seats.bombs_stood",
    "SELECT (SELECT max(digest) FROM hands h WHERE h.hand = s.hand) FROM seats s": "hands.digest",
    "SELECT s.hand FROM seats s WHERE s.bombs_at > 1": "seats.bombs_at",
    "WITH x AS (FROM seats) SELECT x.bombs_at FROM x": "seats.bombs_at",
    "WITH x AS (FROM seats) SELECT bombs AS bombs_at FROM x WHERE bombs_at > 0": "seats.bombs_at",
    "SELECT hand AS digest FROM past_hands WHERE digest IS NULL": "past_hands.digest",
    "SELECT 1 FROM hands NATURAL JOIN seats": "hands, seats",
    "SELECT 1 FROM hands a JOIN hands b USING (digest)": "hands.digest",
    "SELECT * EXCLUDE (digest) FROM hands": "hands.digest",
}
"""Questions to a store of version 5, and what it lacks for them."""


@pytest.mark.parametrize("sql", LACKING)
def test_no_other_column_stands_in_for_one_that_is_missing(sql: str, tmp_path: Path):
    store = kept(5, tmp_path / "store")
    with Warehouse(store) as warehouse:
        with pytest.raises(NeedsUpgrade) as found:
            warehouse.query(sql)
        assert f"has no {LACKING[sql]} as they are today" in str(found.value)
        assert f"没有今天意义上的 {LACKING[sql]}；" in found.value.sentence("zh")


def test_questions_of_ones_own_are_told_likewise(tmp_path: Path):
    with Warehouse(kept(5, tmp_path / "store")) as warehouse:
        for sql in ("SELECT bombs_stood FROM seats", "WITH x AS (FROM seats) SELECT x.bombs_stood FROM x"):
            with pytest.raises(NeedsUpgrade, match=r"no seats\.bombs_stood as"):
                ask(warehouse, sql)
        assert ask(warehouse, "FROM seats").table.num_columns == len(TABLES["seats"].columns) - 3
        with pytest.raises(BadQuestion, match="nothing_such") as found:
            ask(warehouse, "SELECT nothing_such FROM seats")
        assert not isinstance(found.value, NeedsUpgrade)


def refusal(*command: str | Path, language: str = "zh") -> str:
    """What a command says that does not do what it was asked of a store, its last word."""
    *words, store = map(str, command)
    told = CliRunner().invoke(app, [*words, "--store", store, "--lang", language])
    assert isinstance(told.exception, Refused), told
    return str(told.exception)


def test_stats_say_it_in_both_languages(tmp_path: Path):
    store = kept(5, tmp_path / "store")
    for language, word in (("zh", "请先运行"), ("en", "run")):
        assert f"{word} fupan store upgrade --store {store}" in refusal(
            "stats", "bombs_stood", store, language=language
        )
    whole = CliRunner().invoke(app, ["stats", "win_rate", "--store", str(store), "--format", "json"])
    assert whole.exit_code == 0, whole.stderr
    assert json.loads(whole.stdout)


@pytest.mark.parametrize("version", EARLIER)
def test_nothing_is_added_to_an_earlier_store(version: int, tmp_path: Path):
    store = kept(version, tmp_path / "store")
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    log = str(STORES / "house.jsonl")
    for write in (lambda: load([log], store), lambda: compact(store)):
        with pytest.raises(EarlierStore) as found:
            write()
        assert f"fupan store upgrade --store {store}" in found.value.sentence("zh")
    for command in (["load", log], ["store", "compact"], ["store", "prepare"]):
        assert f"请先运行 fupan store upgrade --store {store}" in refusal(*command, store)
    assert repair(store) == Repaired()
    assert {path: path.read_bytes() for path in store.rglob("*") if path.is_file() and path.name[0] != "."} == before


def test_bytes_of_an_earlier_store_are_checked(tmp_path: Path):
    store = kept(3, tmp_path / "store")
    file = store / "batch-000001" / "seats.parquet"
    text = bytearray(file.read_bytes())
    text[200] ^= 1
    file.write_bytes(text)
    with Warehouse(store) as warehouse:
        assert {each.trouble for each in warehouse.damage} == {"bytes", "depends"}
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"][0] == 2
    for name in (MANIFEST, COPY):
        changed = (store / name).read_bytes().replace(b'"next_hand": 20', b'"next_hand": 21')
        (store / name).write_bytes(changed.replace(b'"next_hand": 22', b'"next_hand": 23'))
    with pytest.raises(BadStore, match="checksum differs"):
        read_manifest(store)


def test_columns_that_meant_something_else_under_this_version_are_not_shown(tmp_path: Path):
    """Some stores of version 6 were written before a bomb stood when its side took the trick."""
    import pyarrow.parquet as pq

    from ingest.store.manifest import file_digest

    store = kept(6, tmp_path / "store")
    file = store / "batch-000001" / "seats.parquet"
    table = pq.read_table(file)
    place = table.schema.get_field_index("bombs_stood")
    then = table.schema.field(place).with_metadata({"meaning": "bombs and rockets that nobody beat"})
    pq.write_table(table.cast(table.schema.set(place, then)), file)
    manifest = read_manifest(store)
    first = manifest.batches[0]
    seats = msgspec.structs.replace(first.files["seats"], bytes=file.stat().st_size, blake2b=file_digest(file))
    first = msgspec.structs.replace(first, files=first.files | {"seats": seats})
    write_manifest(store, msgspec.structs.replace(manifest, batches=(first, *manifest.batches[1:])))
    with Warehouse(store) as warehouse:
        assert warehouse.lack.columns == {"raw": frozenset({"packed"}), "seats": frozenset({"bombs_stood"})}
        with pytest.raises(NeedsUpgrade):
            warehouse.query("SELECT bombs_stood FROM seats")


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path):
    store = kept(VERSION, tmp_path / "store")
    write_manifest(store, msgspec.structs.replace(read_manifest(store), version=VERSION + 1))
    for command in (["store", "check"], ["stats", "win_rate"], ["load", str(STORES / "house.jsonl")]):
        assert f"has version {VERSION + 1}" in refusal(*command, store)


@pytest.mark.parametrize("screen", ["overview", "statistics"])
def test_a_screen_says_what_the_store_lacks(screen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = kept(1, tmp_path / "store")
    monkeypatch.setenv("FUPAN_STORE", str(store))
    said = shown(at_words(screen, stat="bombs_stood", lang="zh"))
    assert f"请先运行 fupan store upgrade --store {store}" in said
    assert "查询没有完成" not in said


@pytest.mark.parametrize("section", ["bids", "landlords"])
def test_a_screen_shows_whatever_the_store_has(section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is lacking is said in its place; what would stand below it does."""
    store = kept(1, tmp_path / "store")
    monkeypatch.setenv("FUPAN_STORE", str(store))
    said = shown(at_words("strategy", lang="zh", section=section))
    lacking, title = f"请先运行 fupan store upgrade --store {store}", statistics()["landlord_win_rate"].title_zh
    assert title in said[said.index(lacking) :]
