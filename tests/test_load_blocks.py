"""What a load keeps of whole blocks is what the audit keeps hand by hand: every table, every column, in order."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_resume import Stop, a_log, stopping_after

from ingest.bulk import Engine, available, learning, proofs
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
    """Tables without what compiled code alone writes beside a line, which ``test_packed`` holds against the line."""
    folders = [store / batch.folder for batch in read_manifest(store).batches]
    found = {name: pa.concat_tables(pq.read_table(each / f"{name}.parquet") for each in folders) for name in names}
    return found | ({"raw": found["raw"].drop_columns("packed")} if "raw" in found else {})


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


def by_hand(log: Path, store: Path, **options):
    """A load without compiled code."""
    return load([str(log)], store, engine=Engine.audit, **options)


def by_blocks(log: Path, store: Path, **options):
    """A load with compiled code, for however little."""
    return load([str(log)], store, engine=Engine.bulk, **options)


def check(rules: str, folder: Path, number: int, seed: int = 3):
    log = a_log_of(rules, folder / "log.jsonl", number, seed)
    slowly = by_hand(log, folder / f"by-hand-{seed}")
    assert by_blocks(log, folder / f"blocks-{seed}") == slowly
    check_alike(tables(folder / f"by-hand-{seed}"), tables(folder / f"blocks-{seed}"))


@pytest.mark.parametrize("rules", builtin_names())
def test_blocks_are_kept_as_they_are_kept_hand_by_hand(tmp_path, rules):
    check(rules, tmp_path, 30)


@pytest.mark.soak
@pytest.mark.parametrize("rules", builtin_names())
def test_blocks_are_kept_as_they_are_kept_hand_by_hand_at_length(tmp_path, rules):
    for seed in range(4):
        check(rules, tmp_path, 500, seed)


def test_settlements_that_were_forgotten_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "MOST_WORTHS", 40)
    proofs.prover_of.cache_clear()
    log = a_log_of("platform", tmp_path / "log.jsonl", 120)
    slowly = by_hand(log, tmp_path / "whole")
    assert by_blocks(log, tmp_path / "store", batch_hands=15) == slowly
    whole, store = (tables(tmp_path / name, OF_HANDS) for name in ("whole", "store"))
    for found in (whole, store):
        found["seats"] = found["seats"].sort_by([("hand", "ascending"), ("seat", "ascending")])
    check_alike(whole, store)
    proofs.prover_of.cache_clear()


def test_processes_and_batches_of_any_size_make_the_same_store(tmp_path):
    log = a_log_of("platform", tmp_path / "log.jsonl", 60)
    slowly = by_hand(log, tmp_path / "whole", zone="Europe/Berlin")
    for batch, jobs in ((7, 1), (40, 2)):
        store = tmp_path / f"store-{batch}"
        assert by_blocks(log, store, batch_hands=batch, jobs=jobs, zone="Europe/Berlin") == slowly
        assert len(read_manifest(store).batches) > 1
        names = [name for name in OF_HANDS if name != "seats"]  # which lie in an order of their own, batch by batch
        check_alike(tables(tmp_path / "whole", names), tables(store, names))


def test_a_load_that_stops_among_blocks_goes_on_as_if_it_had_not(tmp_path):
    log = a_log(tmp_path / "log.jsonl")
    with log.open("ab") as file:
        file.write(b"\n" + a_log_of("platform", tmp_path / "more.jsonl", 20).read_bytes())
    whole = by_hand(log, tmp_path / "whole", batch_hands=5)
    for stop in (8, 15, 33):
        store = tmp_path / f"store-{stop}"
        with pytest.raises(Stop):
            by_blocks(log, store, batch_hands=5, told=stopping_after(stop))
        report = by_blocks(log, store, batch_hands=5)
        assert report.continued >= 5
        assert (report.read, report.stored + report.known) == (whole.read, whole.stored + whole.known)
        check_alike(tables(tmp_path / "whole", OF_HANDS), tables(store, OF_HANDS))


def test_a_load_that_began_without_compiled_code_goes_on_without_it(tmp_path):
    log = a_log(tmp_path / "log.jsonl")
    by_hand(log, tmp_path / "whole", batch_hands=5)
    with pytest.raises(Stop):
        by_hand(log, tmp_path / "store", batch_hands=5, told=stopping_after(8))
    assert load([str(log)], tmp_path / "store", batch_hands=5).continued >= 5
    check_alike(tables(tmp_path / "whole", OF_HANDS), tables(tmp_path / "store", OF_HANDS))


def test_a_load_that_goes_on_where_compiled_code_is_gone_begins_again(tmp_path, monkeypatch):
    log = a_log(tmp_path / "log.jsonl")
    with pytest.raises(Stop):
        by_blocks(log, tmp_path / "store", batch_hands=5, told=stopping_after(8))
    monkeypatch.setattr("ingest.load.available", lambda: False)
    report = load([str(log)], tmp_path / "store", batch_hands=5)
    assert report.continued == 0
    assert report.known > 0


@pytest.mark.parametrize(("first", "then"), [(Engine.bulk, Engine.audit), (Engine.audit, Engine.bulk)])
def test_a_load_that_goes_on_with_another_engine_begins_again(tmp_path, first, then):
    log = a_log(tmp_path / "log.jsonl")
    by_hand(log, tmp_path / "whole", batch_hands=5)
    with pytest.raises(Stop):
        load([str(log)], tmp_path / "store", batch_hands=5, told=stopping_after(8), engine=first)
    report = load([str(log)], tmp_path / "store", batch_hands=5, engine=then)
    assert report.continued == 0
    assert report.known > 0
    check_alike(tables(tmp_path / "whole", OF_HANDS), tables(tmp_path / "store", OF_HANDS))
