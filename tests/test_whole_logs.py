"""Whole logs by blocks, by compiled code: the same verdicts in the same order as entry by entry."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reliability import note

from fupan.report import Summary
from ingest.batch import Batch
from ingest.bulk import Engine, Way, audit_logs, available, learning, proofs
from ingest.bulk.reported import Told, told_of
from ingest.identity import Identity
from ingest.logs import Entry, Lines, lines, native, read, read_blocks, sources
from ingest.logs.entry import Damaged
from ingest.logs.readers import READERS, Reader
from ingest.memory import ALIKE, InLedgers, Memory, Place, TableState
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands
from ingest.verdict import Verdict, as_json

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")
BULK = Way(language="zh", engine=Engine.bulk)


def slow(paths: Iterable[str], rules: str | None = None) -> list[Verdict]:
    with Batch(rules) as batch:
        return [audited.verdict for audited in batch.audit(read(paths))]


def assert_same(paths: list[str], way: Way = BULK) -> Counter[str]:
    """Both ways give the same; the codes that were found."""
    expected, whole, parts = slow(paths, way.rules), Summary(), Summary()
    told: list[bytes] = []
    for some in audit_logs(read_blocks(paths), way):
        lines = list(some.lines())
        assert len(lines) == some.count
        parts.add_all(some)
        told += lines
    assert told == [as_json(verdict, "zh") for verdict in expected]
    for verdict in expected:
        whole.add(verdict)
    assert (parts.verdicts, parts.codes, parts.files, parts.shown) == (
        whole.verdicts, whole.codes, whole.files, whole.shown
    )  # fmt: skip
    return whole.codes


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few hands."""
    monkeypatch.setattr("ingest.logs.blocks", lambda source: lines.blocks(source, 4000))


def disturbed(log: list[bytes], seed: int) -> list[bytes]:
    """A log as logs are: hands again, ids again, tables that are joined and left, blank lines, odd ends of lines."""
    chance = random.Random(seed)
    changed = []
    for line in log:
        changed.append(line)
        event = chance.random()
        if event < 0.06:
            changed.append(chance.choice(log))
        elif event < 0.10:
            changed.append(line.replace(b'{"id":"', b'{"id":"again-', 1))
        elif event < 0.14:
            told = json.loads(chance.choice(log))
            changed.append(json.dumps(told | {"id": json.loads(line).get("id", "none")}).encode())
        elif event < 0.20:
            told = json.loads(line) if line.endswith(b"}") else {}
            told |= {"id": f"w-{len(changed)}", "voids": chance.randrange(3), "unknown": 1}
            told["players"] = told.get("players", [])[1:] + told.get("players", [])[:1]
            changed.append(json.dumps(told).encode())
        elif event < 0.24:
            changed += [b"", b"  ", b"[]"]
        elif event < 0.27:
            changed.pop()
    return [line + chance.choice((b"", b"", b"", b"\r", b" ")) for line in changed]


def decodable(log: Iterable[bytes]) -> list[bytes]:
    """Lines that are JSON objects."""
    found = []
    for line in log:
        with suppress(ValueError):
            found += [line] if isinstance(json.loads(line), dict) else []
    return found


@pytest.mark.parametrize("name", builtin_names())
def test_disturbed_logs(name: str, tmp_path: Path, small_blocks):
    log = decodable(hands(load_any(name), 60, seed=5, faults=0.2))
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(disturbed(log, 3)))
    codes = assert_same([str(tmp_path / "log.jsonl")])
    assert {"R108", "R109", "R106"} <= set(codes)
    assert_same([str(tmp_path / "log.jsonl")], msgspec.structs.replace(BULK, rules=name))


def test_rulesets_mixed_in_several_files_and_formats(tmp_path: Path, small_blocks):
    chance = random.Random(1)
    for number in range(4):
        log = [line for name in builtin_names() for line in hands(load_any(name), 4, seed=number // 2, faults=0.1)]
        chance.shuffle(log)
        (tmp_path / f"{number}.jsonl").write_bytes(b"\n".join(log))
    (tmp_path / "4.jsonl.gz").write_bytes(gzip.compress(b"\n".join(log))[:-900])
    (tmp_path / "5.jsonl").write_bytes(b"")
    (tmp_path / "6.jsonl").write_bytes(b" \n\n")
    (tmp_path / "7.jsonl").write_text("\n".join(map(bytes.decode, log)), "utf-16")
    (tmp_path / "8.txt").write_text("no log at all")
    codes = assert_same([str(tmp_path)])
    assert {"R108", "R112", "R113"} <= set(codes)
    assert_same([str(tmp_path)], msgspec.structs.replace(BULK, rules="platform"))
    for engine in Engine:
        assert_same([str(tmp_path)], Way(language="zh", engine=engine, jobs=2))


@pytest.mark.parametrize("warm_up", [0, 10, 55, 1000])
def test_whenever_compiled_code_is_loaded(warm_up: int, tmp_path: Path, small_blocks, monkeypatch):
    monkeypatch.setattr("ingest.bulk.course.KERNEL", "not yet")
    log = disturbed(decodable(hands(load_any("platform"), 50, seed=2, faults=0.1)), 1)
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([*log, *log[:5]]))
    assert_same([str(tmp_path / "log.jsonl")], Way(language="zh", warm_up=warm_up))


def test_void_hands_and_balances_that_do_not_run_on(tmp_path: Path):
    log = [json.loads(line) for line in hands(load_any("platform"), 300, seed=8) if b'"table"' in line]
    chance = random.Random(4)
    for told in log:
        if chance.random() < 0.1:
            told["voids"] = told.get("voids", 0) + 1
        if chance.random() < 0.1:
            told["players"][0]["balance"] = told["players"][0].get("balance", 500_000) + 1
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, log)))
    codes = assert_same([str(path)])
    assert codes["A310"] > 5
    assert codes["S605"] > 5


@pytest.mark.parametrize(("sitting", "expected"), [("abc", 0), ("cab", 0), ("abd", 3)])
def test_void_hands_count_for_those_who_sat_there(sitting: str, expected: int, tmp_path: Path):
    """E-R12: who sits down later begins anew (`void.carry_survives_leave`)."""
    told = [json.loads(line) for line in hands(load_any("platform"), 300, seed=8, faults=0.0)]
    ends = [[each for each in told if each.get("end") == end] for end in ("void", None)]
    log = []
    for number, (void, hand) in enumerate([*zip(*ends, strict=False)][:3]):
        for each, players, voids in ((void, "abc", 0), (hand, sitting, 1)):
            seated = [{"id": player} for player in players]
            log.append(each | {"id": f"{number}-{voids}", "table": f"t{number}", "players": seated, "voids": voids})
            log[-1].pop("claim", None)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, log)))
    assert assert_same([str(path)])["A310"] == expected


@pytest.mark.soak
def test_twenty_thousand_hands(tmp_path: Path):
    log, number, codes = tmp_path / "log.jsonl", 0, Counter[str]()
    for name in builtin_names():
        for faults in (0.0, 1.0):
            for seed in range(500, 510):
                lines = [*hands(load_any(name), 2_000, seed=seed, faults=faults)]
                log.write_bytes(b"\n".join(lines))
                codes += assert_same([str(log)])
                number += len(lines)
    note(
        "20,000 lawful and 20,000 spoilt hands of each ruleset by compiled code and by the audit alone",
        f"{number:,} hands, {codes.total():,} findings of {len(codes)} codes: the same, in every number",
    )


# Blocks


def entries_of_blocks(paths: list[str]) -> list[Entry]:
    blocks = read_blocks(paths)
    return [entry for each in blocks for entry in (each.entries() if isinstance(each, Lines) else [each])]


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r", b"\r\n", b"\n\n"])
def test_blocks_have_the_entries_of_the_log(size: int, end: bytes, tmp_path: Path, monkeypatch):
    log = [*hands(load_any("classic"), 5, seed=3), b"", b"\xff", b'{"id"', b" " * 2000, b"x" * 400]
    (tmp_path / "log.jsonl").write_bytes(b"\r\n".join([*log, *log]) + end)
    monkeypatch.setattr("ingest.logs.lines._END", size // 2 + 1)
    monkeypatch.setattr("ingest.logs.blocks", lambda source: lines.blocks(source, size))
    assert entries_of_blocks([str(tmp_path / "log.jsonl")]) == list(read([str(tmp_path / "log.jsonl")]))


@pytest.mark.parametrize("readable", [0, 5_000, 20_000])
def test_a_file_that_cannot_be_read_on_has_the_lines_before(readable: int, tmp_path: Path, monkeypatch):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(hands(load_any("classic"), 40, seed=3)))
    whole = list(read([str(path)]))
    part = sources._Plain.part

    def broken(self: sources._Plain, start: int, size: int) -> bytes:
        if start >= readable:
            raise Damaged("the disk is gone")
        return part(self, start, min(size, readable - start))

    monkeypatch.setattr("ingest.logs.sources._Plain.part", broken)
    monkeypatch.setattr("ingest.logs.blocks", lambda source: lines.blocks(source, 4_000))
    *found, last = entries_of_blocks([str(path)])
    assert found == whole[: len(found)]
    assert len(found) == path.read_bytes()[:readable].count(b"\n")
    assert (last.line, last.findings[0].details["reason"]) == (len(found) + 1, "damaged: the disk is gone")


@pytest.mark.parametrize("size", [1, 50, 100])
def test_lines_that_are_too_long(size: int, tmp_path: Path, monkeypatch):
    limit = 120
    long = [b'{"id":"' + b"x" * 300 + b'"}', b"y" * 1000, b"z" * 121, b"z" * 120, b"z" * 119]
    long += [b" " * 300, b" " * 300 + b"{}", b" " * 119]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([b"{}", *long, b"{}", b"w" * 5000]))
    monkeypatch.setattr("ingest.logs.lines._PIECE", 16)
    monkeypatch.setattr("ingest.logs.blocks", lambda source: lines.blocks(source, size, limit))
    monkeypatch.setitem(READERS, "native", Reader(lambda source: native.entries(source, limit)))
    assert entries_of_blocks([str(tmp_path / "log.jsonl")]) == list(read([str(tmp_path / "log.jsonl")]))


# The memory


def memories() -> tuple[Memory, Memory]:
    from ingest.bulk.recollection import InArrays

    return InLedgers(), InArrays()


def an_identity(chance: random.Random, slots: int) -> Identity:
    content = bytes([chance.randrange(40)]) * 16
    if chance.random() < 0.4:
        return Identity(content)
    return Identity(content, bytes([chance.randrange(3)]) * 16, bytes(chance.randrange(2) for _ in range(4 * slots)))


def test_two_memories_remember_alike(monkeypatch):
    monkeypatch.setattr("ingest.bulk.recollection._LEAST", 4)
    monkeypatch.setattr("ingest.bulk.recollection._READ", 3)
    one, other = memories()
    chance = random.Random(7)
    for number in range(3000):
        source, id = chance.choice("ab"), str(chance.randrange(2000))
        here = Place(source, number, an_identity(chance, chance.choice((4, 5, 9))))
        places = one.place_of(source, id), other.place_of(source, id)
        assert places[0] == places[1]
        assert list(one.places_of(here.identity)) == list(other.places_of(here.identity))
        assert len(one.places_of(here.identity)) <= ALIKE
        if places[0] is None:
            for memory in (one, other):
                memory.keep_id(id, here)
                if number % 3:
                    memory.keep_hand(here)
    one.close()
    other.close()


STATES = [
    TableState("classic", ["a", "b", "c"], 0, None, None),
    TableState("classic", ["a", "b", "c"], None, [1, None, -5], [2, None, 3]),
    TableState("", ["a"], 3, [1 << 70], None),
    TableState("own", list("abcdef"), 3, None, None),
    TableState("sandaha", list("abcd"), 0, None, None, "a"),
    TableState("classic", ["a", "b", "c"], 1, [1, 2, 3], [1]),
]


def test_states_of_tables_are_kept():
    one, other = memories()
    for turn in range(3):
        for number, state in enumerate(STATES[turn:]):
            for memory in (one, other):
                named = [memory.name(player) for player in state.players]
                starter = None if state.starter is None else memory.name(state.starter)
                told = TableState(state.rules, named, state.voids, state.balances, state.claimed, starter)
                memory.keep_state("s", str(number), told)
                found = memory.state_of("s", str(number))
                assert found is not None
                assert (found.rules, found.players, found.voids) == (told.rules, told.players, told.voids)
                assert (found.balances, found.starter) == (told.balances, told.starter)
                assert (found.claimed or found.balances) == (told.claimed or told.balances)
                assert memory.state_of("t", str(number)) is None
    one.close()
    other.close()


def test_notes_are_counted_without_their_hands(tmp_path: Path):
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(hands(load_any("platform"), 300, seed=1)))
    found = list(audit_logs(read_blocks([str(tmp_path / "log.jsonl")]), BULK))
    notes = sum((Counter(some.notes) for some in found), Counter())
    lines = [json.loads(line) for some in found for line in some.lines()]
    others = {verdict.line for some in found for verdict in some.others}
    told = Counter(each["code"] for line in lines if line["line"] not in others for each in line["findings"])
    assert notes == told
    assert notes["P410"] > 10
    assert sum(some.clean for some in found) > 250


def test_verdicts_in_short_are_the_verdicts(tmp_path: Path):
    for name in ("classic", "platform", "emperor"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(hands(load_any(name), 150, seed=2, faults=0.2)))
    paths, short = [str(tmp_path)], 0
    expected = [told_of(verdict) for verdict in slow(paths)]
    for way in (Way(shortly=True, engine=Engine.bulk), Way(shortly=True, engine=Engine.bulk, jobs=2)):
        found = [each for some in audit_logs(read_blocks(paths), way) for each in some.shortly()]
        assert [told_of(each) if isinstance(each, Verdict) else each for each in found] == expected
        short += sum(isinstance(each, Told) and bool(each.codes) for each in found)
    assert short > 20


def test_verdicts_in_short_follow_settlements_that_were_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learning, "MOST_WORTHS", 40)
    proofs.prover_of.cache_clear()
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_bytes(b"\n".join(hands(load_any("platform"), 25, seed=number, faults=0.0)))
    way, paths = Way(shortly=True, engine=Engine.bulk), [str(tmp_path)]
    told = [each for some in audit_logs(read_blocks(paths), way) for each in some.shortly()]
    assert [told_of(each) if isinstance(each, Verdict) else each for each in told] == [*map(told_of, slow(paths))]
    proofs.prover_of.cache_clear()


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 2])
def test_lines_keep_their_numbers_whoever_counts_those_before(jobs: int, tmp_path: Path):
    some = [*hands(load_any("classic"), 240, seed=8, faults=0.3)]
    spaced = [*some[:80], *[b""] * 50, *some[80:160], b" " * 70_000, b"{", *some[160:], b'{"v']
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(spaced))
    paths = [str(tmp_path / "log.jsonl")]
    found = [*audit_logs(read_blocks(paths), Way(engine=Engine.bulk, jobs=jobs))]
    told = [(verdict.line, verdict.id, verdict.verdict) for each in found for verdict in each.others]
    expected = [(verdict.line, verdict.id, verdict.verdict) for verdict in slow(paths) if verdict.verdict != "clean"]
    assert [each for each in told if each[2] != "clean"] == expected
    assert len(found) > 8
    assert len(expected) > 40


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("language", [None, "zh"])
def test_lines_that_are_nothing_are_judged_some_at_a_time(jobs: int, language, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("ingest.bulk.assessing.MOST_UNPROVEN", 7)
    lawful = [*hands(load_any("classic"), 60, seed=8, faults=0.0)]
    wild = [*lawful[:30], *[b"x"] * 40, b"", b"", lawful[30], *[b"", b"{}", b" ", b"y"] * 20, *lawful[31:], b'{"v']
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([*wild, *wild[35:]]))
    paths = [str(tmp_path / "log.jsonl")]
    found = [*audit_logs(read_blocks(paths), Way(engine=Engine.bulk, jobs=jobs, language=language))]
    told = [(verdict.line, verdict.id, verdict.verdict) for each in found for verdict in each.others]
    expected = [(verdict.line, verdict.id, verdict.verdict) for verdict in slow(paths)]
    assert [each for each in told if each[2] != "clean"] == [each for each in expected if each[2] != "clean"]
    assert sum(each.count for each in found) == len(expected)
    assert len(found) > 10


@given(st.lists(st.sampled_from([b"", b" ", b"\t\r", b"{}", b" {}", b"x\r"]), max_size=12), st.integers(1, 6))
def test_a_block_in_pieces_has_the_same_lines(written: list[bytes], most: int):
    whole = Lines("a.jsonl", 7, b"\n".join([*written, b"{}"]), set())
    rest: Lines | None = whole
    found = []
    while rest is not None:
        first, count, rest = rest.parted(most)
        entries = [(entry.line, entry.raw) for entry in first.entries()]
        assert len(entries) == count
        assert count == most or rest is None
        found += entries
    assert found == [(entry.line, entry.raw) for entry in whole.entries()]


def test_compiled_code_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setattr("ingest.bulk.course.available", lambda: False)
    with pytest.raises(ValueError, match="Numba"):
        list(audit_logs([], BULK))
