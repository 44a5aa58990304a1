"""Own formats: what a mapping may say, what is read with it, and that nothing of a source is lost in silence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import own_writers as writers
from ingest.batch import Batch
from ingest.logs import Entry, read
from ingest.record import Record, read_record, write_record
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands as played
from ingest.verdict import Verdict

WRITERS: dict[str, tuple[str, writers.Writer, str]] = {
    "csv": (writers.MOVES_BY_ROW, writers.as_csv, "log.csv"),
    "json": (writers.nested(builtin_names()), writers.as_json, "log.json"),
    "parquet": (writers.COLUMNAR, writers.as_parquet, "log.parquet"),
}


def native(rules: str, count: int, seed: int, faults: float) -> list[Record]:
    """Hands of the simulator that are records at all, and whose players every format can tell apart."""
    found = []
    for line in played(load_any(rules), count, seed=seed, faults=faults):
        try:
            record, unknown = read_record(line)
        except Exception:
            continue
        ids = [player.id for player in record.players]
        if not unknown and record.at is not None and len(set(ids)) == len(ids):
            found.append(record)
    return found


def without_nobody(record: Record) -> dict[str, Any]:
    """A record in which nobody won is one that does not say who did: CSV has no empty list."""
    plain = msgspec.json.decode(write_record(record))
    claim = plain.get("claim", {})
    if claim.get("winners") == []:
        del claim["winners"]
    plain.pop("extra", None)
    return {key: value for key, value in plain.items() if value not in ({}, "", None)}


def verdicts(entries: list[Entry]) -> list[Verdict]:
    with Batch(None) as batch:
        return [msgspec.structs.replace(each.verdict, source="", line=0) for each in batch.audit(entries)]


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("rules", builtin_names())
def test_a_mapping_reads_what_was_written(rules: str, kind: str, tmp_path: Path):
    mapping, write, name = WRITERS[kind]
    records = native(rules, 12, 5, 0.0)
    assert len(records) > 10
    (tmp_path / "own.toml").write_text(mapping, "utf-8")
    (tmp_path / name).write_bytes(write(records))
    entries = list(read([str(tmp_path / name)], format=str(tmp_path / "own.toml")))
    assert [entry.findings for entry in entries] == [()] * len(records)
    for entry, record in zip(entries, records, strict=True):
        assert entry.record is not None
        assert without_nobody(entry.record) == without_nobody(record)
