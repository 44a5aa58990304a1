"""Reading logs: containers, lines, detection, Botzone; the samples in tests/logs are made by hand."""

import gzip
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.faults import CATALOGUE, message
from ingest.logs import FORMATS, Entry, detect, native, read, sources
from ingest.logs.entry import Source
from ingest.logs.outline import outline
from ingest.logs.readers import READERS
from ingest.record import Record, read_record, write_record

LOGS = Path(__file__).parent / "logs"
REAL = Path(__file__).parents[2] / "shared" / "real"
NATIVE = (LOGS / "native.jsonl").read_bytes()
GOOD = b'{"id":"a","players":[{"id":"x"},{"id":"y"},{"id":"z"}]}'


def entries(data: bytes, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data), **options))


def codes(found: list[Entry]) -> list[str]:
    return [",".join(f.code for f in entry.findings) or "ok" for entry in found]


def written(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def zipped(members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def by_line(found: list[Entry]) -> list[tuple[int, str]]:
    return [(entry.line, code) for entry, code in zip(found, codes(found), strict=True)]


# Fupan's own logs


def test_native_lines_are_numbered_as_they_stand_and_each_unknown_field_is_noted_once():
    found = list(read([str(LOGS / "native.jsonl")]))
    assert by_line(found) == [(1, "ok"), (3, "R106"), (4, "R106"), (5, "R101"), (6, "R102")]
    assert [f.details["field"] for entry in found for f in entry.findings if f.code == "R106"] == ["colour", "size"]
    assert found[0].raw == NATIVE.split(b"\n")[0]
    assert {entry.source for entry in found} == {str(LOGS / "native.jsonl")}
    assert read_record(found[2].raw)[0].id == "g-3"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GOOD + b"\r\n" + GOOD + b"\r\n", [(1, "ok"), (2, "ok")]),
        (b"\xef\xbb\xbf" + GOOD + b"\n", [(1, "ok")]),
        (b"\n \t\r\n" + GOOD, [(3, "ok")]),
        (GOOD + b"\n" + GOOD[:-9], [(1, "ok"), (2, "R107")]),
        (GOOD + b"\n" + '{"id":"老'.encode()[:-1], [(1, "ok"), (2, "R107")]),
        (GOOD + b"\n" + b'{"zzz":1,"id":', [(1, "ok"), (2, "R107")]),
        (GOOD + b"\n" + b'{"id":5,"pla', [(1, "ok"), (2, "R107")]),
        (GOOD + b"\n" + b"nonsense", [(1, "ok"), (2, "R101")]),
        (GOOD[:-9] + b"\n" + GOOD + b"\n", [(1, "R101"), (2, "ok")]),
        (b'{"zzz":1,"id":\n' + GOOD + b"\n", [(1, "R101"), (2, "ok")]),
        (b'{"zzz":"\xff","id":"a","players":[]}\n' + GOOD + b"\n", [(1, "R111"), (2, "ok")]),
        (b'{"zzz":' + b"[" * 9999 + b"]" * 9999 + b"}\n", [(1, "R101")]),
        (b'{"id":"\xff\xcf"}\n', [(1, "R111")]),
        (GOOD + b"\n12\n[]\n" + b'"id"', [(1, "ok"), (2, "R101"), (3, "R101"), (4, "R101")]),
        (b'{"id":"a","players":7}\n', [(1, "R103")]),
        (GOOD[:-1] + b',"extra":1e99999999999999999999}\n', [(1, "ok")]),
    ],
)
def test_native_lines(data: bytes, expected: list[tuple[int, str]]):
    assert by_line(entries(data)) == expected


def test_raw_is_the_line_without_newline_and_byte_order_mark():
    assert [entry.raw for entry in entries(b"\xef\xbb\xbf" + GOOD + b"\r\n" + GOOD)] == [GOOD, GOOD]


def test_a_giant_line_is_passed_over_and_not_kept():
    data = GOOD + b"\n" + b"{" + b" " * 5000 + b"}\n" + GOOD + b"\n" + b"x" * 3000
    source = Source("s", "s", data[:100], io.BufferedReader(io.BytesIO(data)))  # type: ignore[arg-type]
    found = list(native.entries(source, limit=2000))
    assert by_line(found) == [(1, "ok"), (2, "R101"), (3, "ok"), (4, "R101")]
    assert len(found[1].raw) == 1024


# Paths, folders, containers


def test_paths_that_do_not_exist_and_formats_that_are_unknown_are_the_callers_mistake(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read([str(LOGS), str(tmp_path / "absent.jsonl")])
    with pytest.raises(ValueError, match="unknown format"):
        read([], format="chess")


def test_a_folder_is_walked_by_name_without_what_is_hidden(tmp_path: Path):
    for name in ("b.jsonl", "a/z.jsonl", "a/y.jsonl", ".hidden/c.jsonl", ".d.jsonl", "__MACOSX/e.jsonl"):
        written(tmp_path, name, GOOD)
    written(tmp_path, "c/README.md", b"# Not a log\n\n- id: players\n")
    written(tmp_path, "d/photo.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + bytes(range(256)) * 4)
    written(tmp_path, "e.jsonl", b'{"line":1,"verdict":"clean"}\n' * 9)
    (tmp_path / "f.jsonl").symlink_to(tmp_path / "nowhere")
    found = list(read([str(tmp_path)]))
    assert [
        (Path(e.source).relative_to(tmp_path).as_posix(), e.line, c) for e, c in zip(found, codes(found), strict=True)
    ] == [
        ("a/y.jsonl", 1, "ok"),
        ("a/z.jsonl", 1, "ok"),
        ("b.jsonl", 1, "ok"),
        ("c/README.md", 1, "R112"),
        ("d/photo.jpg", 1, "R112"),
        ("e.jsonl", 1, "R112"),
        ("f.jsonl", 1, "R112"),
    ]


def test_a_file_that_may_not_be_read_is_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = written(tmp_path, "a.jsonl", GOOD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    for action in ("open", "stat"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, action, refuse)
            (entry,) = read([path])
        assert (entry.line, entry.record, entry.findings[0].details) == (1, None, {"reason": "Permission denied"})


def test_a_folder_that_may_not_be_listed_is_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    (entry,) = read([str(tmp_path)])
    assert (entry.source, codes([entry])) == (str(tmp_path), ["R112"])


def test_links_and_what_is_no_file(tmp_path: Path):
    written(tmp_path, "there/a.jsonl", GOOD)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "folder").symlink_to(tmp_path / "there")
    (tmp_path / "here" / "file.jsonl").symlink_to(tmp_path / "there" / "a.jsonl")
    os.mkfifo(tmp_path / "here" / "pipe.jsonl")
    (tmp_path / "way").symlink_to(tmp_path / "there")
    assert [Path(entry.source).name for entry in read([str(tmp_path / "here")])] == ["file.jsonl"]
    assert codes(list(read([str(tmp_path / "way")]))) == ["ok"]


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), b" " * (1 << 17)])
@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.gz"])
def test_an_empty_file_is_named(tmp_path: Path, name: str, data: bytes):
    (entry,) = read([written(tmp_path, name, data)])
    assert (entry.line, entry.findings[0].code, entry.findings[0].details) == (1, "R112", {"reason": "empty"})


PACKED = {
    "gz": gzip.compress(NATIVE, mtime=0),
    "gz of two members": gzip.compress(NATIVE[:50], mtime=0) + gzip.compress(NATIVE[50:], mtime=0) + b"\0" * 512,
    "zst": zstandard.ZstdCompressor().compress(NATIVE),
    "zst of two frames": zstandard.ZstdCompressor().compress(NATIVE[:50])
    + b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    + zstandard.ZstdCompressor().compress(NATIVE[50:]),
    "zst after a skippable frame": b"\x5f\x2a\x4d\x18\x00\x00\x00\x00" + zstandard.ZstdCompressor().compress(NATIVE),
    "zip in gz": gzip.compress(zipped({"native.jsonl": NATIVE}), mtime=0),
    "zip in zip": zipped({"inner.zip": zipped({"native.jsonl": NATIVE})}),
    "gz in zip": zipped({"a/native.jsonl.gz": gzip.compress(NATIVE, mtime=0)}),
    "zst in zip": zipped({"native.zst": zstandard.ZstdCompressor().compress(NATIVE)}),
    "stored zip": zipped({"native.jsonl": NATIVE}, compression=zipfile.ZIP_STORED),
    "lzma zip": zipped({"native.jsonl": NATIVE}, compression=zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
@pytest.mark.parametrize("way", ["by name", "by content", "standard input"])
def test_every_container(tmp_path: Path, packed: bytes, way: str):
    plain = [(entry.line, entry.raw, entry.record) for entry in read([str(LOGS / "native.jsonl")])]
    if way == "standard input":
        found = entries(packed)
    else:
        found = list(read([written(tmp_path, "native.jsonl" if way == "by content" else "native.jsonl.gz", packed)]))
    assert [(entry.line, entry.raw, entry.record) for entry in found] == plain


def test_a_zip_names_its_members(tmp_path: Path):
    members = {
        "b.jsonl": GOOD,
        "a/x.jsonl.gz": gzip.compress(GOOD, mtime=0),
        "__MACOSX/._b.jsonl": b"\0",
        "n.txt": b"hello",
    }
    path = written(tmp_path, "a.zip", zipped(members))
    assert [(entry.source.removeprefix(path), codes([entry])) for entry in read([path])] == [
        ("/a/x.jsonl.gz", ["ok"]),
        ("/b.jsonl", ["ok"]),
        ("/n.txt", ["R112"]),
    ]


def test_a_zip_from_chinese_windows_keeps_its_names(tmp_path: Path):
    data = zipped({"牌局.jsonl": GOOD}).replace("牌局".encode(), "牌局一".encode("gb18030"))
    data = data.replace(b"PK\x03\x04\x14\x00\x00\x08", b"PK\x03\x04\x14\x00\x00\x00")
    data = data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x08", b"PK\x01\x02\x14\x03\x14\x00\x00\x00")
    (entry,) = read([written(tmp_path, "a.zip", data)])
    assert entry.source.endswith("a.zip/牌局一.jsonl")


def test_members_are_read_wherever_their_names_point():
    found = entries(zipped({"../a.jsonl": GOOD, "/b.jsonl": GOOD.replace(b'"a"', b'"b"'), "x/../.hidden": GOOD}))
    assert codes(found) == ["ok", "ok"]


def test_a_tar_archive_is_told_from_a_log():
    import tarfile

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo("a.jsonl")
        info.size = len(GOOD)
        archive.addfile(info, io.BytesIO(GOOD))
    (entry,) = entries(packed.getvalue())
    assert entry.findings[0].details == {"reason": "a tar archive: unpack it first"}


def test_archives_in_archives_in_archives_are_refused():
    found = entries(zipped({"b.zip": zipped({"c.jsonl.gz": gzip.compress(GOOD, mtime=0)})}))
    assert codes(found) == ["R112"]
    assert found[0].source == "-/b.zip/c.jsonl.gz"


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_a_damaged_archive_comes_after_its_good_lines(kind: str):
    lines = b"".join(b'{"id":"%d","players":[]}\n' % number for number in range(20000))
    packed = gzip.compress(lines, mtime=0) if kind == "gz" else zstandard.ZstdCompressor().compress(lines)
    found = entries(packed[:-20])
    assert len(found) > 1000
    assert set(codes(found[:-1])) == {"ok"}
    assert (found[-1].line, codes(found[-1:])) == (len(found), ["R112"])
    assert "damaged" in found[-1].findings[0].details["reason"]


def test_a_broken_zip_is_named_and_its_good_members_are_read(tmp_path: Path):
    members = {"a.jsonl": GOOD + b"\n", "b.jsonl": GOOD + b"\n" + b" " * 99}
    data = zipped(members, compression=zipfile.ZIP_STORED)
    broken = data.replace(b" " * 99, b" " * 98 + b"x")
    assert codes(list(read([written(tmp_path, "crc.zip", broken)]))) == ["ok", "R112"]
    assert codes(list(read([written(tmp_path, "cut.zip", data[:-9])]))) == ["R112"]
    assert codes(list(read([written(tmp_path, "none.zip", zipped({}))]))) == ["R112"]
    assert codes(list(read([written(tmp_path, "text.zip", b"no zip at all")]))) == ["R112"]


def test_a_zip_that_asks_for_a_password(tmp_path: Path):
    data = bytearray(zipped({"a.jsonl": GOOD}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert codes(list(read([written(tmp_path, "a.zip", bytes(data))]))) == ["R112"]


def test_a_zip_from_a_pipe_may_go_to_disk(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "SPOOL", 100)
    assert codes(entries(zipped({"a.jsonl": GOOD + b"\n" + GOOD}))) == ["ok", "ok"]
    assert codes(entries(zipped({"a.jsonl": GOOD})[:-9])) == ["R112"]
    monkeypatch.setattr(sources, "SPOOL_LIMIT", 100)
    assert codes(entries(zipped({"a.jsonl": GOOD}))) == ["R112"]


def test_reading_streams():
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, _size: int = -1) -> bytes:
            return (GOOD + b"\n") * 1000

    hands = read(["-"], stdin=Endless())  # type: ignore[arg-type]
    assert [next(hands).line for _ in range(5000)] == list(range(1, 5001))


# Detection


@pytest.mark.parametrize(
    ("head", "title", "expected"),
    [
        (GOOD, "", "native"),
        (b'{"id":"a","plays":"0:3', "x.log", "native"),
        (b"garbage\n\n" + GOOD + b"\n", "x.log", "native"),
        (b"garbage\nmore\n", "x.log", None),
        (b"garbage\nmore\n", "x.jsonl", "native"),
        (b'{"broken":\n{"landlord":0}\n', "x.jsonl", None),
        (b'{"line":1,"verdict":"clean","landlord":0}\n', "truth.jsonl", None),
        (b'{"line":1,"verdict":"clean","landlord":0}\n', "-", "native"),
        (b"\x00\x01\x02", "x.jsonl", None),
        (b"", "x.jsonl", "native"),
        (b"", "", None),
        ((LOGS / "ftl2-judge.jsonl").read_bytes()[:3000], "x.jsonl", "botzone-judge"),
        ((LOGS / "ftl2-display.json").read_bytes()[:500], "", "botzone-display"),
        ((LOGS / "ftl1-judge.json").read_bytes(), "", "botzone-judge"),
        ((LOGS / "ftl1-display.jsonl").read_bytes(), "", "botzone-display"),
        (b'[[{"allocation":[[1]],"publiccard":[2]}', "", "botzone-display"),
        (b'[{"output":{"display":{"publiccard":[]}}}]', "", "botzone-judge"),
        (b'{"initdata":"","log":[]}', "mahjong.json", None),
        (b'{"requests":[{"own":[1],"publiccard":[2]}]}', "request.json", "botzone-bot"),
    ],
)
def test_detection(head: bytes, title: str, expected: str | None):
    assert detect(head, title) == expected


def test_the_outline_of_hostile_json_is_linear():
    assert outline(b'{"a":"' + b'\\"' * 40000) == (b"{", frozenset((b"a",)))
    assert outline(b"[" * 60000)[1] == frozenset()
    assert outline(b'{"a":{"b":1},"c":[{"d":1}]}{"e":1}')[1] == frozenset((b"a", b"c"))


NAMED = '{"id":"a","players":[{"id":"1","name":"张三风"},{"id":"2","name":"李四雨"},{"id":"3","name":"王五雷"}]}'


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_names_are_the_same_in_every_encoding(encoding: str, ending: str):
    data = (NAMED + "\n" + NAMED.replace('"a"', '"b"') + ending).encode(encoding)
    found = entries(data)
    assert [entry.record.id for entry in found if entry.record] == ["a", "b"]
    assert all(
        [p.name for p in entry.record.players] == ["张三风", "李四雨", "王五雷"] for entry in found if entry.record
    )
    assert codes(found) == (["ok", "ok"] if encoding == "utf-8-sig" else ["R113", "ok"])


def test_an_encoding_may_be_named():
    traditional = NAMED.replace("张三风", "張三風")
    assert codes(entries(traditional.encode("big5"))) == ["R113"]
    (entry,) = entries(NAMED.replace("张三风", "アキラ").encode("shift_jis"), encoding="shift_jis")
    assert entry.record is not None
    assert entry.record.players[0].name == "アキラ"
    assert codes(entries(NAMED.encode(), encoding="utf-8")) == ["ok"]
    with pytest.raises(ValueError, match="unknown encoding"):
        read([], encoding="klingon")
    with pytest.raises(ValueError, match="unknown encoding"):
        read([], encoding="base64")


def test_a_broken_line_is_no_other_encoding():
    data = f"{NAMED}\n{NAMED}\n".encode()
    for place in range(data.index("张".encode()), len(data) // 2):
        broken = data[:place] + b"\xff" + data[place + 1 :]
        assert [code for code in codes(entries(broken)) if code != "ok"] in (["R111"], ["R101"])


def test_what_an_encoding_does_not_have_spoils_its_line_only():
    data = NAMED.encode("utf-16-le") + "\n".encode("utf-16-le") + b"\x00\xdc\n\0" + NAMED.encode("utf-16-le")
    assert by_line(entries(data)) == [(1, "R113"), (2, "R111"), (3, "ok")]


@pytest.mark.parametrize("name", ["张四雨", "郑云磊", "李超", "赵英春", "孔鑫", "王五雷"])
def test_what_may_be_two_encodings_is_never_read_as_the_wrong_one(name: str):
    (entry,) = entries(NAMED.replace("张三风", name).encode("gbk"))
    if entry.record is None:
        assert codes([entry]) == ["R111"]
    else:
        assert entry.record.players[0].name == name


def test_common_names_tell_their_encoding():
    traditional = NAMED.replace("张三风", "陳國華").replace("李四雨", "劉麗軍").replace("王五雷", "鄭遠濤")
    (entry,) = entries(traditional.encode("big5"))
    assert entry.record is not None
    assert [player.name for player in entry.record.players] == ["陳國華", "劉麗軍", "鄭遠濤"]


def test_a_long_log_of_another_encoding_streams():
    data = "".join(NAMED.replace('"a"', f'"{number}"') + "\n" for number in range(3000)).encode("gb18030")
    assert len(data) > 1 << 18
    found = entries(data)
    assert [entry.record.id for entry in found if entry.record] == [str(number) for number in range(3000)]


def test_a_forced_format_names_every_line():
    data = b'{"line":1}\n{"line":2}\n'
    assert codes(entries(data, format="native")) == ["R102", "R102"]
    assert codes(entries(data, format="botzone")) == ["R112", "R112"]
    judge = (LOGS / "ftl2-judge.jsonl").read_bytes()
    assert codes(entries(judge, format="botzone-judge")) == ["ok"]
    assert codes(entries(judge, format="botzone-display")) == ["R112"]


def test_every_format_says_what_it_can_say_of_every_field():
    for form in FORMATS.values():
        assert form.title_zh
        assert form.title_en
        assert all(name in FORMATS for name in form.accepts)
        assert tuple(form.fields) == (() if form.accepts else Record.__struct_fields__), form.name
        assert all(bool(said.zh) == bool(said.en) for said in form.fields.values())
    assert READERS.keys() == FORMATS.keys()


# Botzone


def record_of(name: str) -> list[Record]:
    found = list(read([str(LOGS / name)]))
    assert set(codes(found)) == {"ok"}
    return [entry.record for entry in found if entry.record]


HANDS = [
    "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6H7",
    "S7C7D7S8H8C8D8S9H9C9D9STHTCTDTHJDJ",
    "SJCJSQHQCQDQSKHKCKDKSAHACADAS2H2D2",
]


def test_a_judge_log_of_the_second_game():
    (record,) = record_of("ftl2-judge.jsonl")
    assert (record.id, record.rules, record.first, record.landlord) == ("hand-made-1", "botzone", 0, None)
    assert (record.hands, record.bottom) == (HANDS, "C2BR")
    assert (record.auction, record.plays) == ("0:- 1:2 2:-", "1:BR 2:- 0:S3H3C3D3")
    assert msgspec.to_builtins(record.claim) == {"landlord": 1, "bid": 2, "scores": [4, -8, 4]}
    assert [msgspec.to_builtins(player) for player in record.players] == [
        {"id": f"P{n}", "bot": True} for n in range(3)
    ]
    assert msgspec.json.decode(record.extra) == {"seed": "7", "errored": [None, None, "INVALID_PASS"]}


def test_a_display_log_of_the_second_game_pretty_printed():
    (record,) = record_of("ftl2-display.json")
    (judged,) = record_of("ftl2-judge.jsonl")
    assert record.id == "ftl2-display.json#1"
    assert record.claim == msgspec.structs.replace(judged.claim, bid=None)  # type: ignore[type-var]
    for field in ("rules", "hands", "bottom", "first", "auction", "plays", "players"):
        assert getattr(record, field) == getattr(judged, field)


def test_a_judge_log_of_the_first_game_from_a_download():
    (record,) = record_of("ftl1-judge.json")
    assert (record.id, record.rules) == ("0123456789abcdef01234567", "botzone-v1")
    assert (record.first, record.auction, record.landlord) == (None, None, 0)
    assert (record.hands, record.bottom) == (HANDS, "C2BR")
    assert record.plays == "0:H3C3D3 1:-".replace("H3C3D3", "S3H3D3")
    assert msgspec.to_builtins(record.claim) == {"scores": [2220, 165, 165]}
    assert [(player.id, player.name, player.bot) for player in record.players] == [
        ("b1", "甲", True),
        ("u2", "乙", False),
        ("丙", None, True),
    ]


def test_display_logs_of_the_first_game_line_by_line():
    played, refused = record_of("ftl1-display.jsonl")
    assert (played.id, played.plays) == ("ftl1-display.jsonl#1", "0:S3H3D3 1:-")
    assert msgspec.to_builtins(played.claim) == {"scores": [2220, 165, 165]}
    assert (refused.plays, refused.claim.scores) == ("0:S3H3D3", [2500, -1000, -1000])  # type: ignore[union-attr]
    assert msgspec.json.decode(refused.extra) == {"errorInfo": "LESS_COMPARE"}


@pytest.mark.parametrize("name", ["ftl2-judge.jsonl", "ftl2-display.json", "ftl1-judge.json", "ftl1-display.jsonl"])
def test_botzone_records_are_records(name: str):
    for record in record_of(name):
        again, unknown = read_record(write_record(record))
        assert not unknown
        assert write_record(again) == write_record(record)


def judge(**changes: object) -> dict[str, object]:
    return msgspec.json.decode((LOGS / "ftl2-judge.jsonl").read_bytes()) | changes


def spoilt(old: bytes, new: bytes) -> bytes:
    raw = (LOGS / "ftl2-judge.jsonl").read_bytes()
    assert old in raw
    return raw.replace(old, new)


FRACTION = "4.5 is not a whole number of 1/1 points"
IMPOSSIBLE = {"field": "scores[0]", "reason": "impossible score"}


@pytest.mark.parametrize(
    ("old", "new", "code", "details"),
    [
        (b'"OK","response":[53,52]', b'"TLE","response":null', "R105", {"field": "log[7].1.verdict", "text": "TLE"}),
        (b'"response":[53,52]', b'"response":[53,54]', "R105", {"field": "log[7].1", "text": "[53,54]"}),
        (b'"response":[53,52]', b'"response":[true]', "R105", {"field": "log[7].1", "text": "[true]"}),
        (b'"response":[53,52]', b'"response":"pass"', "R105", {"field": "log[7].1", "text": '"pass"'}),
        (b'"response":2', b'"response":-2', "R105", {"field": "log[3].1", "text": "-2"}),
        (b'"response":2', b'"response":true', "R105", {"field": "log[3].1", "text": "true"}),
        (b'53],"seed"', b'"R"],"seed"', "R105", {"field": "publiccard", "text": '[51,52,"R"]'}),
        (b'"content":{"0":4,', b'"content":{"0":4.5,', "R103", {"field": "scores[0]", "reason": FRACTION}),
        (b'"content":{"0":4,', b'"content":{"0":"NaN",', "R103", IMPOSSIBLE),
        (b'"content":{"0":4,', b'"content":{"0":1e9999999,', "R103", IMPOSSIBLE),
        (b'"log":[', b'"log":[7,', "R103", {"field": "log[0]", "reason": "Expected `object`, got `int`"}),
        (b'"log":[', b'"log":[{},', "R105", {"field": "log[0]", "text": "null"}),
    ],
)  # fmt: skip
def test_what_botzone_cannot_have_meant(old: bytes, new: bytes, code: str, details: dict[str, str]):
    (entry,) = entries(spoilt(old, new), format="botzone")
    assert entry.record is None
    assert [(f.code, f.details) for f in entry.findings] == [(code, details)]


def test_refused_moves_stand_and_unfinished_logs_end_where_they_end():
    document = judge()
    document["log"] = document["log"][:10]  # type: ignore[index]
    (entry,) = entries(msgspec.json.encode(document))
    assert entry.record is not None
    assert entry.record.plays == "1:BR 2:-"
    assert entry.record.claim == entry.record.claim.__class__(landlord=1, bid=2)


def test_other_spellings_of_a_judge_log():
    document = judge()
    plain = record_of("ftl2-judge.jsonl")[0]
    log, initdata = document["log"], document["initdata"]
    seed = {"seed": 7}
    for spelling in (
        {"_id": "hand-made-1", "logs": log, "initdata": msgspec.json.encode(initdata).decode()},
        {"_id": "hand-made-1", "log": log, "initdata": ""},
        {"_id": "hand-made-1", "log": log, "initdata": "seed seven"},
        {"_id": "hand-made-1", "log": log, "initdata": seed},
        [document],
        log,
    ):
        (entry,) = entries(msgspec.json.encode(spelling))
        assert entry.record is not None, entry.findings
        for field in ("hands", "bottom", "auction", "plays", "claim"):
            assert getattr(entry.record, field) == getattr(plain, field)


def test_an_array_numbers_its_matches_and_keeps_each_as_it_came():
    one = (LOGS / "ftl1-display.jsonl").read_bytes().split(b"\n")[:2]
    found = entries(b"[" + b" ,\n".join(one) + b"]\n")
    assert [(entry.line, entry.raw) for entry in found] == [(1, one[0]), (2, one[1])]


def test_lines_of_which_one_is_broken():
    one = (LOGS / "ftl2-judge.jsonl").read_bytes().strip()
    data = b"\n".join((one[:-40], b"", one, one[:2000]))
    assert by_line(entries(data)) == [(1, "R101"), (3, "ok"), (4, "R107")]


def test_a_pretty_printed_log_that_is_cut_off():
    assert codes(entries((LOGS / "ftl2-display.json").read_bytes()[:-30])) == ["R107"]


def test_a_match_without_a_deal():
    assert codes(entries(b'{"initdata":{"seed":1},"log":[]}\n', format="botzone")) == ["R102"]
    assert codes(entries(b'{"initdata":{"allocation":[[1],[2]],"publiccard":[3]},"log":[]}\n')) == ["R103"]


def test_ids_that_are_too_long_or_no_text():
    for strange in ("", "x" * 129, 7, None, {"$oid": 1}, []):
        (entry,) = entries(msgspec.json.encode(judge(_id=strange)))
        assert entry.record is not None
        assert entry.record.id == "-#1"


# No bytes make read raise


def sound(found: Iterator[Entry]) -> None:
    """Read to the end; every entry can be said and written."""
    for entry in found:
        assert entry.line >= 1
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert message(finding, "zh")
            assert message(finding, "en")
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
            msgspec.json.encode(finding)
        if entry.record is not None and entry.findings == ():
            msgspec.json.encode(entry.source)
            msgspec.json.decode(write_record(entry.record))


JUDGE = (LOGS / "ftl2-judge.jsonl").read_bytes()
DISPLAY = (LOGS / "ftl1-display.jsonl").read_bytes()
SEEDS = [
    NATIVE,
    JUDGE,
    DISPLAY,
    *PACKED.values(),
    gzip.compress(JUDGE, mtime=0),
    zipped({"a.jsonl": DISPLAY, "b.gz": b"x"}),
]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([None, *FORMATS]))
def test_no_bytes_make_read_raise(data: bytes, form: str | None):
    sound(read(["-"], format=form, stdin=io.BytesIO(data)))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.data(), st.sampled_from([None, *FORMATS]))
def test_no_damage_makes_read_raise(seed: bytes, data: st.DataObject, form: str | None):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(broken) - 1))
        broken[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    sound(read(["-"], format=form, stdin=io.BytesIO(bytes(broken[:cut]))))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_json_in_the_place_of_another_makes_botzone_raise(data: st.DataObject):
    strange = st.sampled_from(
        [b"null", b"[]", b"{}", b"-1", b"1e400", b'"OK"', b"[[]]", b'{"0":{}}', b"9" * 40, b"true"]
    )
    tokens = (data.draw(st.sampled_from([JUDGE, DISPLAY])).replace(b",", b"\0,\0").replace(b":", b"\0:\0")).split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(strange)
    sound(read(["-"], format="botzone", stdin=io.BytesIO(b"".join(tokens))))


# Real logs, where they are


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="no folder shared/real beside the checkout")
class TestRealLogs:
    def test_all_matches_of_the_second_game(self):
        truth = [msgspec.json.decode(line) for line in (REAL / "botzone" / "truth.jsonl").read_bytes().splitlines()]
        judged = list(read([str(REAL / "botzone" / "ftl2-judge.jsonl.gz")]))
        shown = list(read([str(REAL / "botzone" / "ftl2-display.jsonl.gz")]))
        assert len(judged) == len(shown) == len(truth) == 328
        for fact, left, right in zip(truth, judged, shown, strict=True):
            assert left.line == right.line == fact["line"]
            assert not left.findings + right.findings
            assert left.record.claim.landlord == right.record.claim.landlord == fact["landlord"]
            assert left.record.claim.scores == right.record.claim.scores == fact["scores"]
            assert left.record.claim.bid == fact["bid"]
            assert left.record.hands == right.record.hands
            assert left.record.auction == right.record.auction
            assert left.record.plays == right.record.plays or fact["line"] == 155

    def test_a_play_that_the_judge_refused_stands_in_the_judge_log_alone(self):
        *_, judged = (e for e in read([str(REAL / "botzone" / "ftl2-judge.jsonl.gz")]) if e.line == 155)
        *_, shown = (e for e in read([str(REAL / "botzone" / "ftl2-display.jsonl.gz")]) if e.line == 155)
        assert judged.record is not None
        assert shown.record is not None
        assert (judged.record.plays.count(" "), shown.record.plays) == (0, "")
        assert judged.record.plays.startswith("2:")

    def test_all_matches_of_the_first_game(self):
        found = list(read([str(REAL / "botzone-v1")]))
        assert [Path(entry.source).name for entry in found] == [f"0{n}.json" for n in range(1, 7)]
        assert all(entry.record is not None and entry.record.rules == "botzone-v1" for entry in found)
        assert found[0].record.claim.scores == [2220, 165, 165]
        assert found[3].record.claim.scores == [160, 2150, 2150]

    def test_other_files_are_named_once(self):
        found = [entry for entry in read([str(REAL)]) if entry.record is None]
        assert set(codes(found)) == {"R112"}
        assert len({entry.source for entry in found}) == len(found)
        assert any(entry.source.endswith("truth.jsonl") for entry in found)
