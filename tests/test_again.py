"""A store audited again: nothing changes under the same rules, and under others what their audit of the logs says."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from fupan.cli import app
from fupan.questions import Refused
from ingest.again import audit_again
from ingest.again.files import files_of
from ingest.again.items import items_of
from ingest.again.said import Said
from ingest.again.stored import groups
from ingest.batch import Batch
from ingest.bulk import Engine, Way, audit_logs, available
from ingest.bulk.codes import codes_of
from ingest.bulk.reported import SHORTLY, Told
from ingest.load import load
from ingest.logs import read
from ingest.rules.ruleset import UnknownLaw, builtin_names, load_any
from ingest.simulate import hands
from ingest.store import read_manifest
from ingest.store.compact import compact
from ingest.store.digests import file_of
from ingest.verdict import Verdict

LOGS = Path(__file__).parent / "logs"


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> Path:
    """Logs of every ruleset, of several formats, with damaged lines, repetitions, blank lines, numbers past 64 bits."""
    folder = tmp_path_factory.mktemp("logs")
    for name in builtin_names():
        lines = list(hands(load_any(name), 20, seed=3, faults=0.3))
        whole = [*lines[:9], b"", b"  ", lines[2], *lines[9:], b'{"id"']
        (folder / f"{name}.jsonl").write_bytes(b"\n".join(whole))
    for log in LOGS.iterdir():
        if log.is_file():
            (folder / log.name).write_bytes(log.read_bytes())
    players = [{"id": who, "balance": (1 << 62) + 5} for who in "abc"]
    large = {"rules": "platform", "base": 10**17, "players": players, "auction": "0:1 1:- 2:-", "plays": ""}
    both = ({"id": "large"} | large, {"id": "left", "end": "escape:1"} | large)
    (folder / "large.jsonl").write_text("\n".join(map(json.dumps, both)))
    return folder


@pytest.fixture(scope="module")
def store(logs: Path, tmp_path_factory) -> Path:
    """All of them in a store, in several batches."""
    folder = tmp_path_factory.mktemp("again") / "store"
    load([str(logs)], folder, batch_hands=100)
    return folder


WAYS = [Way(), Way(engine=Engine.audit), Way(jobs=2)]


@pytest.mark.parametrize("way", [*WAYS, *([Way(engine=Engine.bulk)] if available() else [])])
def test_nothing_changes_under_the_same_rules(store: Path, way: Way):
    found = list(audit_again(store, way))
    assert [change for again in found for change in again.changes] == []
    assert sum(again.hands for again in found) > 330


def test_nor_after_a_compaction_or_a_replacement(tmp_path: Path):
    log = tmp_path / "log.jsonl"
    lines = list(hands(load_any("classic"), 12, seed=1))
    log.write_bytes(b"\n".join(lines))
    load([str(log)], tmp_path / "store", batch_hands=5)
    lines[3] = lines[3].replace(b'"bottom":"', b'"bottom":"S3')
    log.write_bytes(b"\n".join(lines))
    load([str(log)], tmp_path / "store", replace=True)
    compact(tmp_path / "store")
    found = list(audit_again(tmp_path / "store", Way()))
    assert sum(again.hands for again in found) == 12
    assert not any(again.changes for again in found)


@pytest.mark.parametrize("way", WAYS)
def test_nor_where_a_log_has_more_blocks_than_one(way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    lines = [line.replace(b"{", b'{"own":1,', 1) for line in hands(load_any("classic"), 12, seed=1)]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([*lines[:5], b"", *lines[5:]]))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store", batch_hands=7)
    monkeypatch.setattr("ingest.again.items.BLOCK", 2_000)
    monkeypatch.setattr("ingest.again.stored.GROUP", 4)
    found = list(audit_again(tmp_path / "store", way))
    assert sum(again.hands for again in found) == 12
    assert not any(again.changes for again in found)


EVERY_WAY = [*WAYS, *([Way(engine=Engine.bulk)] if available() else [])]


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("is_merged", [False, True])
def test_nor_where_logs_of_other_folders_had_the_same_name_and_ids(
    way: Way, is_merged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = [{"id": "own", "rules": "classic", "players": [{"id": who} for who in "abc"], "auction": "0:- 1:- 2:-"}]
    for folder, seed in (("may", 1), ("june", 2), ("july", 3)):
        (tmp_path / folder).mkdir()
        lines = [line.replace(b"classic-%d-" % seed, b"") for line in hands(load_any("classic"), 15, seed=seed)]
        (tmp_path / folder / "log.jsonl").write_bytes(
            b"\n".join([*lines, *(json.dumps(each).encode() for each in own)])
        )
        monkeypatch.chdir(tmp_path / folder)
        file_of.cache_clear()  # a program has one folder as long as it runs
        load(["log.jsonl"], tmp_path / "store", batch_hands=10)
    if is_merged:
        compact(tmp_path / "store")
    found = list(audit_again(tmp_path / "store", way))
    assert sum(again.hands for again in found) >= 45
    assert [change for again in found for change in again.changes] == []


def test_an_id_for_two_hands_of_one_file_is_still_found(tmp_path: Path):
    lines = [*hands(load_any("classic"), 5, seed=1)]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(lines))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    twice = lines[3].replace(json.loads(lines[3])["id"].encode(), json.loads(lines[0])["id"].encode())
    (tmp_path / "log.jsonl").write_bytes(twice)
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    manifest = read_manifest(tmp_path / "store")
    assert {0} == {*files_of(tmp_path / "store", manifest).of(np.arange(manifest.rows("hands"))).tolist()}


@pytest.mark.parametrize("way", EVERY_WAY)
def test_nor_what_is_said_of_a_whole_log(way: Way, tmp_path: Path):
    """That nobody knows its format (R112), or that it is not UTF-8 (R113)."""
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 30)
    lines = b"\n".join(hands(load_any("classic"), 5, seed=1)).decode()
    named = lines.replace('"players":[{"id"', '"players":[{"name":"张三，李四，王五","id"')
    (tmp_path / "names.jsonl").write_bytes(named.encode("gb18030"))
    done = load([str(tmp_path / "binary.jsonl"), str(tmp_path / "names.jsonl")], tmp_path / "store")
    assert {"R112", "R113"} <= {*done.codes}
    found = list(audit_again(tmp_path / "store", way))
    assert sum(again.hands for again in found) == 5
    assert [change for again in found for change in again.changes] == []


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("is_named", [False, True])
def test_nor_where_hands_were_loaded_under_other_rules(way: Way, is_named: bool, tmp_path: Path):
    lines = [*hands(load_any("classic"), 5, seed=1)]
    if not is_named:
        lines = [line.replace(b'"rules":"classic",', b"") for line in lines]
    (tmp_path / "law.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / "own.jsonl").write_bytes(b"\n".join(hands(load_any("pagat"), 5, seed=2)))
    load([str(tmp_path / "law.jsonl")], tmp_path / "store", rules="pagat" if is_named else "classic")
    for whole in (5, 10):
        found = list(audit_again(tmp_path / "store", way))
        assert sum(again.hands for again in found) == whole
        assert [change for again in found for change in again.changes] == []
        load([str(tmp_path / "own.jsonl")], tmp_path / "store")


def told(verdict: Verdict) -> Told:
    codes = sorted(finding.code for finding in verdict.findings)
    return Told(
        verdict.verdict, verdict.outcome, verdict.landlord, verdict.bid, verdict.multiplier, verdict.unit,
        verdict.scores, codes,
    )  # fmt: skip


@pytest.mark.parametrize("engine", [Engine.audit, *([Engine.bulk] if available() else [])])
def test_other_rules_say_what_an_audit_of_the_logs_says(engine: Engine, tmp_path: Path):
    names = ("classic", "platform", "call-score")
    for name in names:
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(hands(load_any(name), 40, seed=9, faults=0.2)))
    paths = [str(tmp_path / f"{name}.jsonl") for name in names]
    load(paths, tmp_path / "store")
    for rules in ("pagat", "platform"):
        with Batch(rules) as batch:
            after = {(each.entry.source, each.entry.line): told(each.verdict) for each in batch.audit(read(paths))}
        with Batch() as batch:
            before = {(each.entry.source, each.entry.line): told(each.verdict) for each in batch.audit(read(paths))}
        changes = [
            change for again in audit_again(tmp_path / "store", Way(rules, engine=engine)) for change in again.changes
        ]
        found = {(change.source, change.line): (change.before, change.after) for change in changes}
        assert found == {where: (before[where], after[where]) for where in before if before[where] != after[where]}
        assert len(found) > 20


@pytest.mark.skipif(not available(), reason="needs numba")
def test_whatever_is_said_otherwise_of_one_hand_is_found(tmp_path: Path):
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(hands(load_any("platform"), 30, seed=5, faults=0.0)))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    manifest = read_manifest(tmp_path / "store")
    (group,) = groups(tmp_path / "store", manifest, files_of(tmp_path / "store", manifest))
    ((lines, said),) = items_of(group, defaultdict(set))
    (now,) = audit_logs([lines], Way(shortly=True, engine=Engine.bulk))
    assert list(said.changes(now)) == []
    place = next(place for place, told in enumerate(said.told) if told.outcome != "void" and not told.codes)
    told, hand = said.told[place], said.hands["hand"][place].as_py()
    for name in (*SHORTLY, *said.scores.column_names):
        for other in (None, "faulty" if name in ("verdict", "outcome") else 7_777):
            said_of, scores = _with(said.hands, name, place, other), _with(said.scores, name, place, other)
            (change,) = Said(said_of, scores, said.codes, said.ids).changes(now)
            assert (change.line, change.after) == (said.hands["line"][place].as_py(), told), name
            assert change.id == json.loads(lines.text.split(b"\n")[change.line - 1])["id"]
    codes = {code: said.codes.having(code) for code in said.codes.names}
    more = codes_of([*codes.items(), ("P408", np.array([hand]))])
    (change,) = Said(said.hands, said.scores, more, said.ids).changes(now)
    assert (change.before.codes, change.after.codes) == (["P408"], [])
    twice = codes_of([*codes.items(), *codes.items()])
    for other in (codes_of([]), twice):
        found = list(Said(said.hands, said.scores, other, said.ids).changes(now))
        assert len(found) == len({hand for hands in codes.values() for hand in hands.tolist()}) > 0


def _with(table: pa.Table, name: str, place: int, value: object) -> pa.Table:
    """A table with another value in one place of a column, if it has that column."""
    if name not in table.column_names:
        return table
    values = table[name].to_pylist()
    kind = pa.string() if isinstance(values[place], str) else pa.int64()
    values[place] = value
    return table.set_column(table.schema.get_field_index(name), name, pa.array(values, kind))


def test_the_command_says_what_changed(store: Path, tmp_path: Path):
    def run(*words: str):
        return CliRunner(env={"LC_ALL": "C"}).invoke(app, ["audit", "--store", str(store), *words])

    same = run("--lang", "en")
    assert (same.exit_code, "0 are told otherwise" in same.output) == (0, True)
    other = run("--rules", "pagat", "--lang", "en")
    assert other.exit_code == 1
    assert "clean → faulty" in other.output
    told = run("--rules", "pagat", "--json").stdout
    lines = [json.loads(line) for line in told.split("\n") if line]
    assert len(lines) > 100, told
    verdicts = Counter((line["before"]["verdict"], line["after"]["verdict"]) for line in lines)
    assert f"{verdicts['clean', 'faulty']:,}  clean → faulty" in other.output
    assert "结论不同的有" in run("--rules", "pagat", "--lang", "zh").output
    assert isinstance(run(str(tmp_path)).exception, Refused)  # logs and a store
    assert isinstance(CliRunner().invoke(app, ["audit"]).exception, Refused)


def test_rules_of_ones_own_must_be_named_again(tmp_path: Path):
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "classic"\n')
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(hands(load_any("classic"), 3, seed=1)))
    load([str(log)], tmp_path / "store", rules=str(own))
    with pytest.raises(UnknownLaw, match="own"):
        list(audit_again(tmp_path / "store", Way()))
    assert not any(again.changes for again in audit_again(tmp_path / "store", Way(str(own))))
