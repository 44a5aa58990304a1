"""Cases from public reports about files, players and stores (H-26 … H-35), and the logs that people really have."""

import gzip
import io
import json
import resource
import signal
import threading
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from apart import ended, load_until_killed
from test_duplicates import rows
from test_store_hands import many, record, write
from typer.testing import CliRunner

from analysis.warehouse import Warehouse
from fupan.cli import app
from ingest.batch import Batch
from ingest.load import load
from ingest.logs import Entry, Logbook, packing, read
from ingest.logs.portions import PORTION, portions, size_of
from ingest.rules.ruleset import load_any
from ingest.simulate import hands
from ingest.store import StoreBusy
from ingest.store.lock import locked

LOGS = Path(__file__).parent / "logs"
ENGLISH = CliRunner(env={"LC_ALL": "C"})


def audited(*paths: Path) -> list[Any]:
    with Batch() as batch:
        return list(batch.audit(read(list(map(str, paths)))))


def codes(*paths: Path) -> list[list[str]]:
    return [[finding.code for finding in each.verdict.findings] for each in audited(*paths)]


# 导入 · files


def test_h26_a_log_from_chinese_windows_has_the_same_names(tmp_path):
    given = record("a", "plain") | {"players": [{"id": name} for name in ("张三风", "李四雨", "王五雷")]}
    text = json.dumps(given, ensure_ascii=False) + "\n"
    (tmp_path / "gbk.jsonl").write_bytes(text.encode("gbk"))
    (tmp_path / "utf8.jsonl").write_bytes(text.encode())
    first, second = audited(tmp_path / "gbk.jsonl", tmp_path / "utf8.jsonl")
    assert first.entry.record == second.entry.record
    assert [finding.code for finding in first.verdict.findings] == ["R113"]
    assert [finding.code for finding in second.verdict.findings] == ["R108"]


def test_h27_line_ends_blank_lines_and_spaces_do_not_matter(tmp_path):
    lines = [json.dumps(record("a", "plain")), json.dumps(record("b", "spring"))]
    for name, text in (
        ("1-lf", "\n".join(lines) + "\n"),
        ("2-crlf", "\r\n".join(lines) + "\r\n"),
        ("3-blank", "\n\n".join(lines)),
        ("4-spaces", "  \n".join(lines) + "   "),
    ):
        (tmp_path / f"{name}.jsonl").write_bytes(text.encode())
    found = audited(*sorted(tmp_path.iterdir()))
    assert [each.counted for each in found] == [True, True] + [False] * 6
    assert {each.entry.record.plays for each in found if each.entry.record} == {
        json.loads(line)["plays"] for line in lines
    }
    report = load([str(tmp_path)], tmp_path.with_name(tmp_path.name + "-store"))
    assert (report.stored, report.repeated) == (2, 6)


def test_h27_a_hand_without_plays_is_never_silently_fine(tmp_path):
    log = write(tmp_path / "a.jsonl", {key: value for key, value in record("a", "plain").items() if key != "plays"})
    assert codes(log) == [["P407", "S607"]]


def test_h28_what_a_mac_adds_is_passed_over_and_said(tmp_path):
    three = "".join(json.dumps(record(str(n), "plain", n, ids=(f"p{n}", "b", "c"))) + "\n" for n in range(3))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("logs/a.log", three)
        archive.writestr("__MACOSX/logs/._a.log", b"\x00\x05\x16\x07")
        archive.writestr(".DS_Store", b"\x00\x00\x00\x01Bud1")
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(three.encode()))
    assert len(audited(tmp_path / "a.zip")) == len(audited(tmp_path / "a.log.gz")) == 3
    said = ENGLISH.invoke(app, ["audit", str(tmp_path / "a.zip")]).output
    assert "passed over 2" in said
    assert ".DS_Store" in said


def test_h28_bombs_and_damaged_archives_are_refused_plainly(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "FREELY", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", bytes(2 << 20))
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b'{"id":"' + b"a" * (2 << 20)))
    sound = io.BytesIO()
    with zipfile.ZipFile(sound, "w") as archive:
        archive.writestr("a.jsonl", json.dumps(record("a", "plain")))
    (tmp_path / "damaged.zip").write_bytes(sound.getvalue()[:-30])
    found = audited(tmp_path / "bomb.zip", tmp_path / "bomb.gz", tmp_path / "damaged.zip")
    assert [[(f.code, f.details) for f in each.verdict.findings] for each in found] == [
        [("R112", {"reason": "damaged archive: unpacks to more than 250 times its size"})],
        [("R112", {"reason": "damaged: unpacks to more than 250 times its size"})],
        [("R112", {"reason": "damaged archive: File is not a zip file"})],
    ]
    assert rows_after_load(tmp_path) == [("unreadable", 3)]


def rows_after_load(folder: Path) -> list[Any]:
    store = folder.with_name(folder.name + "-store")
    load([str(folder)], store)
    return rows(store, "SELECT verdict, count(*) FROM hands GROUP BY ALL ORDER BY ALL")


def test_h29_one_bad_record_stops_nothing_and_is_named(tmp_path):
    good = [record(str(n), "plain", n % 3, ids=(f"p{n}", "b", "c")) for n in range(7)]
    bad = good[2] | {"plays": good[2]["plays"].replace("H3", "H1", 1)}
    write(tmp_path / "a.jsonl", *good[:2], bad, *good[3:5])
    write(tmp_path / "b.jsonl", *good[5:])
    said = ENGLISH.invoke(app, ["load", str(tmp_path), "--store", str(tmp_path.with_name(tmp_path.name + "-store"))])
    assert said.exit_code == 1
    assert f"{tmp_path / 'a.jsonl'}:3 · 2 · R105" in said.output
    assert "7 hands: clean 6, faulty 0, unreadable 1" in said.output
    assert "read 7, stored 6, unreadable 1" in said.output
    assert rows(tmp_path.with_name(tmp_path.name + "-store"), "SELECT count(*) FROM hands WHERE counted") == [(6,)]


def test_repeated_and_refused_hands_are_named(tmp_path):
    store = tmp_path / "store"
    first = write(tmp_path / "a.jsonl", record("a", "plain"), record("b", "plain"))
    assert f"{first}:2 · b · R108" in ENGLISH.invoke(app, ["audit", str(first)]).output
    ENGLISH.invoke(app, ["load", str(first), "--store", str(store)])
    write(first, record("a", "spring"))
    second = write(tmp_path / "b.jsonl", record("c", "plain"))
    said = ENGLISH.invoke(app, ["load", str(first), str(second), "--store", str(store)]).output
    assert f"{first}:1 · a · R109" in said
    assert f"{second}:1 · c · R108" in said
    assert "read 2, stored 0, repeated 1, refused 1" in said


def test_h30_every_hand_under_its_own_rules_and_never_a_default(tmp_path):
    lines = [next(iter(hands(load_any(name), 1, seed=1))).decode() for name in ("classic", "four-player", "sandaha")]
    untold = {key: value for key, value in record("x", "plain").items() if key != "rules"}
    log = write(tmp_path / "a.jsonl", *lines, untold)
    found = audited(log)
    assert [each.verdict.rules for each in found] == ["classic", "four-player", "sandaha", None]
    assert [f.code for f in found[3].verdict.findings] == ["R104"]
    store = tmp_path / "store"
    load([str(log)], store)
    assert [rules for rules, in rows(store, "SELECT DISTINCT rules FROM players ORDER BY 1")] == [
        "classic", "four-player", "sandaha"
    ]  # fmt: skip


# 身份与时间 · who and when

NAMES = (
    "老王:3",
    "a,b",
    "O'Brien\";--",
    "(房主)小李",
    "过",
    "K",
    "不叫",
    "007",
    "NA",
    "null",
    "👍🏽",
    "123456789012345678",
)


def test_h31_names_are_names(tmp_path):
    store, log = tmp_path / "store", tmp_path / "a.jsonl"
    trios = [NAMES[place : place + 3] for place in range(0, len(NAMES), 3)]
    write(log, *(record(f"h{n}", "plain", n % 3) | {"players": [{"id": name, "name": name} for name in trio]}
                 for n, trio in enumerate(trios)))  # fmt: skip
    assert codes(log) == [[]] * len(trios)
    load([str(log)], store)
    seats = "SELECT player, name, plays, passes FROM seats ORDER BY hand, seat"
    assert [row[:2] for row in rows(store, seats)] == [(name, name) for name in NAMES]
    for place, trio in enumerate(trios):
        landlord = trio[place % 3]
        assert [row[0] for row in rows(store, seats)[3 * place : 3 * place + 3] if row[2] == 6] == [landlord]
    sql = "SELECT count(*) AS n FROM seats WHERE player = $player"
    with Warehouse(store) as warehouse:
        assert all(warehouse.query(sql, {"player": name})["n"].iloc[0] == 1 for name in NAMES)


def test_h32_a_renamed_player_is_one_and_a_namesake_another(tmp_path):
    store = tmp_path / "store"
    named = [("u17", "阿强", 5, 4)] * 10 + [("u17", "强哥", 6, -3)] * 5 + [("u99", "阿强", 6, 3)] * 2
    shapes = {4: ("plain", 0), -3: ("anti_spring", 0), 3: ("anti_spring", 1)}
    lines = []
    for number, (id, name, month, kind) in enumerate(named):
        shape, landlord = shapes[kind]
        others = [{"id": f"x{number}"}, {"id": f"y{number}"}]
        at = f"2026-{month:02}-10T20:00:{number:02}+08:00"
        lines.append(record(f"h{number}", shape, landlord, at=at) | {"players": [{"id": id, "name": name}, *others]})
    load([str(write(tmp_path / "a.jsonl", *lines))], store)
    counted = "SELECT player, CAST(sum(hands) AS INT) FROM players WHERE player LIKE 'u%' GROUP BY 1 ORDER BY 1"
    assert rows(store, counted) == [
        ("u17", 15), ("u99", 2),
    ]  # fmt: skip
    assert rows(store, "SELECT DISTINCT name FROM seats WHERE player = 'u17' ORDER BY 1") == [("强哥",), ("阿强",)]
    scores = dict(rows(store, "SELECT player, CAST(sum(score) AS INT) FROM players WHERE player LIKE 'u%' GROUP BY 1"))
    by_hand = rows(store, "SELECT player, CAST(sum(score) AS INT) FROM seats WHERE player LIKE 'u%' GROUP BY 1")
    assert scores == dict(by_hand)


def test_h33_a_hand_without_a_time_is_undated(tmp_path):
    store = tmp_path / "store"
    log = write(tmp_path / "a.jsonl", record("a", "plain", at="2026-03-01T23:30:00+00:00"), record("b", "spring"))
    load([str(log)], store)
    assert rows(store, "SELECT CAST(day AS VARCHAR), hands FROM days ORDER BY 1 NULLS LAST")[0] == ("2026-03-02", 1)
    assert rows(store, "SELECT count(*) FROM days WHERE day IS NULL AND hands = 1") == [(1,)]
    assert rows(store, "SELECT count(*) FROM hands WHERE began IS NULL") == [(1,)]


def test_a_store_has_the_days_of_one_zone(tmp_path):
    log = write(tmp_path / "a.jsonl", record("a", "plain", at="2026-07-01T23:30:00+02:00"))
    for zone, day in (
        (None, "2026-07-02"),
        ("Europe/Berlin", "2026-07-01"),
        ("UTC", "2026-07-01"),
        ("Asia/Tokyo", "2026-07-02"),
    ):
        store = tmp_path / f"store-{str(zone).replace('/', '-')}"
        load([str(log)], store, zone=zone)
        assert rows(store, "SELECT CAST(day AS VARCHAR), strftime(began, '%Y-%m-%d') FROM hands") == [(day, day)]
        said = ENGLISH.invoke(app, ["load", str(log), "--store", str(store), "--zone", "America/Lima"])
        assert "not of America/Lima" in str(said.exception)
    with pytest.raises(ValueError, match="unknown time zone: Mars"):
        load([str(log)], tmp_path / "s", zone="Mars")


# 存储 · the store


def test_h34_readers_go_on_while_loaders_take_turns(tmp_path):
    store = tmp_path / "store"
    load([str(many(tmp_path / "a.jsonl", 5, "a"))], store)
    waited: list[Any] = []
    with Warehouse(store) as warehouse, locked(store / ".lock"):
        second = threading.Thread(
            target=load,
            args=([str(many(tmp_path / "b.jsonl", 5, "b"))], store),
            kwargs={"waiting": waited.append},
        )
        second.start()
        with pytest.raises(StoreBusy):
            load([str(many(tmp_path / "c.jsonl", 5, "c"))], store, timeout=0.2)
        assert warehouse.query("SELECT count(*) AS n FROM hands")["n"].iloc[0] == 5
    second.join(30)
    assert waited
    assert rows(store, "SELECT count(*) FROM hands") == [(10,)]


def test_h35_a_killed_load_leaves_nothing_unreadable(tmp_path):
    store, log = tmp_path / "store", many(tmp_path / "log.jsonl", 100)
    assert ended(load_until_killed, 60, log, store, 10) == -signal.SIGKILL
    [(kept,)] = rows(store, "SELECT count(*) FROM hands")
    assert 60 <= kept <= 70  # whole batches, the last of which may or may not have been told of
    assert load([str(log)], store, batch_hands=10).stored == 100
    assert rows(store, "SELECT count(*), count(DISTINCT id) FROM hands") == [(100, 100)]


# The logs that people have


def test_one_report_of_one_of_each_and_nothing_stops_the_rest(tmp_path):
    for sample in LOGS.iterdir():
        (tmp_path / sample.name).write_bytes(sample.read_bytes())
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + bytes(range(256)) * 400)
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "nul.jsonl").write_bytes(b'{"id":"a\x00b","players":[]}\n' + b"\0" * 9999 + b"\n")
    with (tmp_path / "zz-huge.jsonl").open("wb") as huge:
        huge.write(b'{"id":"')
        huge.truncate(2 << 30)
    report = ENGLISH.invoke(app, ["audit", str(tmp_path)]).output
    named = {
        path.name: next(line for line in report.splitlines() if line.startswith(f"{path}  "))
        for path in tmp_path.iterdir()
    }
    assert "not a log" in named["photo.jpg"]
    assert "unreadable" in named["zz-huge.jsonl"]
    assert "R112 The file's format is not recognised: empty." in report
    assert "over 67108864 bytes" in report
    assert all("not a log" not in named[sample.name] for sample in LOGS.iterdir())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 << 20


def test_a_line_of_fifty_megabytes_is_a_hand(tmp_path):
    log = tmp_path / "a.jsonl"
    write(log, record("a", "plain", extra={"x": "y" * (50 << 20)}), record("b", "plain", 1))
    assert codes(log) == [[], []]


@pytest.mark.parametrize("sample", sorted(LOGS.iterdir()), ids=lambda path: path.name)
def test_converting_and_auditing_gives_the_same_verdicts(sample, tmp_path):
    out = tmp_path / "records.jsonl"
    ENGLISH.invoke(app, ["convert", str(sample), "--out", str(out)])
    direct = [each.verdict for each in audited(sample) if each.entry.record is not None]
    again = [each.verdict for each in audited(out)]
    assert direct
    unplaced = [msgspec.structs.replace(v, source="", line=0, findings=[f for f in v.findings if f.code[0] != "R"])
                for v in (*direct, *again)]  # fmt: skip
    assert unplaced[: len(direct)] == unplaced[len(direct) :]


def test_converting_keeps_what_nobody_knows(tmp_path):
    log = write(tmp_path / "a.jsonl", record("a", "plain") | {"colour": "red"})
    ENGLISH.invoke(app, ["convert", str(log), "--out", str(tmp_path / "b.jsonl")])
    assert (tmp_path / "b.jsonl").read_bytes() == log.read_bytes()


def test_large_hands_are_held_a_few_at_a_time():
    small, large = (Entry("a", 1, b"x" * size, None) for size in (10, PORTION))
    held = [len(portion) for portion in portions([small] * 5 + [large] * 3 + [small], 4, size_of)]
    assert held == [4, 2, 1, 1, 1]


def test_the_logbook_tells_how_far_reading_is(tmp_path):
    many(tmp_path / "a.jsonl", 50)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.write(tmp_path / "a.jsonl", "c.jsonl")
    logbook = Logbook()
    logbook.measure([str(tmp_path)])
    assert logbook.size == sum(path.stat().st_size for path in tmp_path.iterdir())
    assert sum(1 for _ in read([str(tmp_path)], logbook=logbook)) == 100
    assert 0.9 * logbook.size < logbook.read <= 1.1 * logbook.size
    assert [log.format for log in logbook.logs.values()] == ["native", "native"]
    pipe = Logbook()
    pipe.measure(["-"])
    assert pipe.size is None
