"""What a load keeps of whole blocks is what the audit keeps hand by hand: every table, every column, in order."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_resume import Stop, a_log, stopping_after

from ingest.bulk import available
from ingest.load import load
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands
from ingest.store import OF_HANDS, TABLES, read_manifest

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")

HAND = (
    '{"id":"%s","rules":"classic","table":"t\\u00e4","at":"%s",'
    '"players":[{"id":"a","name":"\\"x\\" \\u5c0f","bot":true},'
    '{"id":"b","balance":1000},{"id":"c","name":"","bot":false}],"tags":{ "deal_mode" : "r\\u0061ndom" },%s}'
)
DEAL = (
    '"hands":["S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7","H7C7D7S8H8C8D8S9H9C9D9STHTCTDTSJHJ",'
    '"CJDJSQHQCQDQSKHKCKDKSAHACADAS2H2C2"],"bottom":"D2BR"'
)
ODD = [
    HAND % ("void", "0001-01-01T00:30:00+14:00", DEAL + ',"auction":"0:- 1:- 2:-","end":"void"'),
    HAND % ("timed", "1985-07-01T12:00:00.5Z", DEAL + ',"auction":"0:-@5 1:-@5 2:-@3","end":"void"'),
    HAND % ("unknown", "2026-01-01T00:00:00-03:30", DEAL + ',"auction":"0:- 1:- 2:-","end":"void","more":1'),
    HAND % ("more", "9999-12-31T23:59:59-12:00", DEAL + ',"auction":"0:- 1:- 2:-","end":"void","more":2'),
    "not json", "", "  ", '{"id":"x"}',
]  # fmt: skip


def tables(store: Path, names=tuple(TABLES)) -> dict[str, pa.Table]:
    folders = [store / batch.folder for batch in read_manifest(store).batches]
    return {name: pa.concat_tables(pq.read_table(each / f"{name}.parquet") for each in folders) for name in names}


def check_alike(one, other):
    for name, rows in one.items():
        for column in rows.schema.names:
            assert other[name][column].equals(rows[column]), f"{name}.{column}"


def a_log_of(rules: str, path: Path, number: int, seed: int = 3) -> Path:
    """Generated hands, spoilt ones, repeated ones, and lines that are none."""
    lines = list(hands(load_any(rules), number, seed=seed, faults=0.15))
    again = [lines[2], lines[5].replace(b'"id":"', b'"id":"again-'), *lines[7:10], b'{"id":']
    path.write_bytes(b"\r\n".join([*lines, *(line.encode() for line in ODD), *again]))
    return path


@pytest.fixture
def block_by_block(monkeypatch):
    """Compiled code is loaded for however little."""
    for name in ("FEW", "WARM_UP"):
        monkeypatch.setattr(f"ingest.load.chunks.{name}", 0)


def by_hand(log: Path, store: Path, monkeypatch, **options):
    """A load without compiled code."""
    with monkeypatch.context() as patch:
        patch.setattr("ingest.load.chunks.available", lambda: False)
        return load([str(log)], store, **options)


def check(rules: str, folder: Path, number: int, monkeypatch, seed: int = 3):
    log = a_log_of(rules, folder / "log.jsonl", number, seed)
    slowly = by_hand(log, folder / f"by-hand-{seed}", monkeypatch)
    assert load([str(log)], folder / f"blocks-{seed}") == slowly
    check_alike(tables(folder / f"by-hand-{seed}"), tables(folder / f"blocks-{seed}"))


@pytest.mark.usefixtures("block_by_block")
@pytest.mark.parametrize("rules", builtin_names())
def test_blocks_are_kept_as_they_are_kept_hand_by_hand(tmp_path, monkeypatch, rules):
    check(rules, tmp_path, 30, monkeypatch)


@pytest.mark.soak
@pytest.mark.usefixtures("block_by_block")
@pytest.mark.parametrize("rules", builtin_names())
def test_blocks_are_kept_as_they_are_kept_hand_by_hand_at_length(tmp_path, monkeypatch, rules):
    for seed in range(4):
        check(rules, tmp_path, 500, monkeypatch, seed)


@pytest.mark.usefixtures("block_by_block")
def test_processes_and_batches_of_any_size_make_the_same_store(tmp_path, monkeypatch):
    log = a_log_of("platform", tmp_path / "log.jsonl", 60)
    slowly = by_hand(log, tmp_path / "whole", monkeypatch, zone="Europe/Berlin")
    for batch, jobs in ((7, 1), (40, 2)):
        store = tmp_path / f"store-{batch}"
        assert load([str(log)], store, batch_hands=batch, jobs=jobs, zone="Europe/Berlin") == slowly
        assert len(read_manifest(store).batches) > 1
        names = [name for name in OF_HANDS if name != "seats"]  # which lie in an order of their own, batch by batch
        check_alike(tables(tmp_path / "whole", names), tables(store, names))


@pytest.mark.usefixtures("block_by_block")
def test_a_load_that_stops_among_blocks_goes_on_as_if_it_had_not(tmp_path, monkeypatch):
    log = a_log(tmp_path / "log.jsonl")
    with log.open("ab") as file:
        file.write(b"\n" + a_log_of("platform", tmp_path / "more.jsonl", 20).read_bytes())
    whole = by_hand(log, tmp_path / "whole", monkeypatch, batch_hands=5)
    for stop in (8, 15, 33):
        store = tmp_path / f"store-{stop}"
        with pytest.raises(Stop):
            load([str(log)], store, batch_hands=5, told=stopping_after(stop))
        report = load([str(log)], store, batch_hands=5)
        assert report.continued >= 5
        assert (report.read, report.stored + report.known) == (whole.read, whole.stored + whole.known)
        check_alike(tables(tmp_path / "whole", OF_HANDS), tables(store, OF_HANDS))


@pytest.mark.usefixtures("block_by_block")
def test_a_load_that_began_without_compiled_code_goes_on_without_it(tmp_path, monkeypatch):
    log = a_log(tmp_path / "log.jsonl")
    by_hand(log, tmp_path / "whole", monkeypatch, batch_hands=5)
    with pytest.raises(Stop):
        by_hand(log, tmp_path / "store", monkeypatch, batch_hands=5, told=stopping_after(8))
    assert load([str(log)], tmp_path / "store", batch_hands=5).continued >= 5
    check_alike(tables(tmp_path / "whole", OF_HANDS), tables(tmp_path / "store", OF_HANDS))


@pytest.mark.usefixtures("block_by_block")
def test_a_load_that_goes_on_where_compiled_code_is_gone_begins_again(tmp_path, monkeypatch):
    log = a_log(tmp_path / "log.jsonl")
    with pytest.raises(Stop):
        load([str(log)], tmp_path / "store", batch_hands=5, told=stopping_after(8))
    monkeypatch.setattr("ingest.load.available", lambda: False)
    report = by_hand(log, tmp_path / "store", monkeypatch, batch_hands=5)
    assert report.continued == 0
    assert report.known > 0
