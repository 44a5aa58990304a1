"""What is packed, too long or too many: how much is believed of a file, by every limit that docs/security.md names."""

import gzip
import io
import json
import struct
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_logs import GOOD, codes, entries, written, zipped

from ingest import record
from ingest.batch import judge
from ingest.logs import Entry, documents, packing, read, sources
from ingest.logs.entry import HEAD, Source


def test_the_limits_are_those_that_are_named():
    said = (Path(__file__).parents[1] / "docs" / "security.md").read_text("utf-8").replace("\n", " ")
    for words, limit, bytes_ in (
        ("at most 64 MiB", record.LINE_LIMIT, 64 << 20),
        ("more than 1 GiB at most 250 times its size", packing.FREELY, 1 << 30),
        ("a zip without random access 4 GiB", sources.SPOOL_LIMIT, 4 << 30),
        ("a zip's list of files 32 MiB", packing.DIRECTORY, 32 << 20),
        ("the plays of a hand 10,000 moves", record.MOVES, 10_000),
    ):
        assert words in said
        assert limit == bytes_
    assert packing.DENSEST == 250


def zeros(count: int) -> bytes:
    return gzip.compress(bytes(count), 9)


@pytest.mark.parametrize(
    ("bomb", "reason"),
    [
        (gzip.compress(zeros(3 << 20), 9), "250 times"),
        (zipped({"a.gz": zeros(3 << 20)}), "250 times"),
        (gzip.compress(zipped({"a.jsonl": bytes(1 << 20)}), 9), "250 times"),
        (zipped({f"{n}.gz": gzip.compress(GOOD * 9000) for n in range(9)}), "250 times"),
    ],
    ids=["gz in gz", "gz in zip", "zip in gz", "many in one zip"],
)
def test_what_is_packed_twice_is_measured_by_what_came(bomb, reason, monkeypatch: pytest.MonkeyPatch):
    """Each layer packs less than 250 times; or each member is free, and all of them are not."""
    monkeypatch.setattr(packing, "FREELY", 1 << 19)
    found = entries(bomb)
    assert found[-1].record is None
    assert reason in found[-1].findings[0].details["reason"]


def test_members_that_lie_over_each_other_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A list that names the same bytes a hundred times, each as large as the whole."""
    monkeypatch.setattr(packing, "FREELY", 1 << 19)
    data = zipped({"a.jsonl": GOOD * 2000})
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry, last = data[start:end], bytearray(data[end:])
    last[8:12] = struct.pack("<HH", 100, 100)
    last[12:16] = struct.pack("<I", 100 * len(entry))
    bomb = data[:start] + entry * 100 + bytes(last)
    (found,) = read([written(tmp_path, "over.zip", bomb)])
    assert "250 times" in found.findings[0].details["reason"]


def test_a_list_of_files_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packing, "DIRECTORY", 1000)
    data = zipped({f"{n}.jsonl": GOOD for n in range(30)})
    (found,) = read([written(tmp_path, "long.zip", data)])
    assert "list of files" in found.findings[0].details["reason"]
    assert codes(list(read([written(tmp_path, "short.zip", zipped({"a.jsonl": GOOD}))]))) == ["ok"]


def test_archives_are_opened_one_in_another_and_no_deeper():
    inner = zipped({"a.jsonl": GOOD})
    assert codes(entries(zipped({"b.zip": inner}))) == ["ok"]
    assert codes(entries(gzip.compress(gzip.compress(GOOD)))) == ["ok"]
    for deep in (zipped({"c.zip": zipped({"b.zip": inner})}), zipped({"b.zip": zipped({"a.gz": gzip.compress(GOOD)})})):
        (found,) = entries(deep)
        assert found.findings[0].details["reason"] == "an archive in an archive in an archive"


def test_a_zip_without_random_access_has_an_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "SPOOL_LIMIT", 100)
    (found,) = entries(zipped({"a.jsonl": GOOD}))
    assert "without random access" in found.findings[0].details["reason"]


@pytest.mark.parametrize("field", ["auction", "plays"])
def test_no_hand_has_moves_without_an_end(field: str):
    """Else each would be a finding, a hundred times as long as its text."""
    hand = json.loads(GOOD) | {"rules": "classic", field: " ".join(["0:-"] * (record.MOVES + 1))}
    (finding,) = judge(next(native_entries(hand))).verdict.findings
    assert (finding.code, finding.details) == ("R103", {"field": field, "reason": "over 10000 moves"})
    hand[field] = hand[field].removesuffix(" 0:-")
    assert "R103" not in {each.code for each in judge(next(native_entries(hand))).verdict.findings}


def native_entries(hand: dict) -> Iterator[Entry]:
    return read(["-"], stdin=io.BytesIO(json.dumps(hand).encode()))


def source_of(data: bytes) -> Source:
    return Source("s", "s", data[:HEAD], io.BufferedReader(io.BytesIO(data)))  # type: ignore[arg-type]


def test_a_document_has_an_end():
    """Where a whole file is one: its limit is a line's; here 200 bytes."""
    document = b'{"a":\n"' + b"x" * 300 + b'"}'
    (found,) = documents.json_hands(source_of(document), lambda *_: pytest.fail("read"), lambda _: False, limit=200)
    assert codes([found]) == ["R101"]
    assert len(found.raw) <= 1024


def test_a_block_of_text_has_an_end():
    """A hand of many lines; here of 200 bytes."""
    text = b"begin\n" + b"move\n" * 100 + b"begin\n" + b"move\n" * 2
    hands = documents.block_hands(source_of(text), read_block, lambda line: line.startswith(b"begin"), limit=200)
    assert [(entry.line, entry.record is None, len(entry.raw) < 250) for entry in hands] == [
        (1, True, True), (102, False, True),
    ]  # fmt: skip


def read_block(raw: bytes, place: str) -> record.Record:
    return record.read_record(GOOD)[0]


def peak(count: int) -> int:
    """Bytes that reading so many hands takes at most, while none is kept."""
    stream = io.BufferedReader(Many(count))  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        for _ in read(["-"], stdin=stream):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Many(io.RawIOBase):
    """A log of so many hands, which nobody holds."""

    def __init__(self, count: int) -> None:
        self._left = count

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        take = min(self._left, len(buffer) // (len(GOOD) + 1))
        self._left -= take
        buffer[: take * (len(GOOD) + 1)] = (GOOD + b"\n") * take
        return take * (len(GOOD) + 1)


def test_memory_does_not_grow_with_the_length_of_a_log():
    peak(100)
    assert peak(24_000) < 1.5 * peak(6_000)
