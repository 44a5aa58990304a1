"""What own formats make of files: lines, cells, documents, rows and groups of them, and all that is wrong there."""

import gzip
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from ingest.batch import Batch
from ingest.load import load
from ingest.logs import Entry, read
from ingest.logs.own import csv, groups

HAND = """
[always]
rules = "classic"

[record]
id = "id"
hands = ["h0", "h1", "h2"]
bottom = "bottom"

[auction]
rows = "bids"
split = " "
between = ":"
seat = "0"
word = "1"

[plays]
rows = "plays"
split = " "
between = ":"
seat = "0"
cards = "1"
"""
ROW = {
    "id": "1", "h0": "33344455566677788", "h1": "3456789TTJJQQKKAA", "h2": "9TTJJQQKKAA2222BR", "bottom": "899",
    "bids": "0:3", "plays": "0:333444555666777888 1:- 2:- 0:99",
}  # fmt: skip
MOVES = '[source]\nkind = "csv"\ngroup = "g"\n[always]\nlandlord = 0\n[plays]\nseat = "s"\ncards = "c"\n'


def found(tmp_path: Path, mapping: str, data: bytes | str, name: str = "log") -> list[Entry]:
    (tmp_path / "own.toml").write_text(mapping, "utf-8")
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read([str(tmp_path / name)], format=str(tmp_path / "own.toml")))


def told(entries: list[Entry]) -> list[tuple[int, str]]:
    """Line and plays of each hand, or the codes of what is wrong."""
    return [(e.line, e.record.plays if e.record else ",".join(f.code for f in e.findings)) for e in entries]


def fields(entry: Entry) -> list[str]:
    return [finding.details.get("field", "") for finding in entry.findings]


# --- CSV, one row a hand


def csv_of(*rows: dict[str, str], sep: str = ",", end: str = "\n") -> str:
    return end.join(sep.join(line) for line in [list(ROW), *(list(row.values()) for row in rows)]) + end


def test_one_row_a_hand(tmp_path: Path):
    entries = found(tmp_path, '[source]\nkind = "csv"\n' + HAND, csv_of(ROW, {**ROW, "id": "2"}))
    assert [(entry.line, entry.record.id) for entry in entries if entry.record] == [(2, "1"), (3, "2")]
    with Batch(None) as batch:
        assert [audited.verdict.verdict for audited in batch.audit(entries)] == ["clean", "clean"]


def test_a_hand_that_nobody_wanted_is_void_where_there_is_no_word_for_it(tmp_path: Path):
    void = {**ROW, "bids": "0:- 1:- 2:-", "plays": ""}
    for row, end, codes in ((void, "void", []), ({**void, "bids": "0:- 1:-"}, "void", ["A305"])):
        (entry,) = found(tmp_path, '[source]\nkind = "csv"\n' + HAND, csv_of(row))
        assert entry.record is not None
        assert entry.record.end == end
        with Batch(None) as batch:
            (audited,) = batch.audit([entry])
        assert [finding.code for finding in audited.verdict.findings] == codes


@pytest.mark.parametrize(
    ("keys", "data"),
    [
        ("", csv_of(ROW, end="\r\n")),
        ("", "\ufeff" + csv_of(ROW)),
        ('delimiter = "\\t"', csv_of(ROW, sep="\t")),
        ('delimiter = "|"', csv_of(ROW, sep="|").rstrip()),
        ("skip = 2", "exported by hand\n\n" + csv_of(ROW)),
        ("columns = " + json.dumps(list(ROW)), ",".join(ROW.values()) + "\n"),
        ("", csv_of({**ROW, "bids": '"0:3"'})),
        ('quote = "\'"', csv_of({**ROW, "bids": "'0:3'"})),
        ('escape = "\\\\"', csv_of({**ROW, "bids": "0:\\3"})),
        ("", "\n" + csv_of(ROW).replace("\n", "\n\n")),
        ('null = ["\\\\N"]', csv_of(ROW)),
    ],
)
def test_every_form_of_csv(tmp_path: Path, keys: str, data: str):
    data = data.removeprefix("\n")
    (entry,) = found(tmp_path, f'[source]\nkind = "csv"\n{keys}\n' + HAND, data)
    assert entry.record is not None, entry.findings
    assert entry.record.auction == "0:3"


def test_quoted_cells_may_hold_lines(tmp_path: Path):
    mapping = '[source]\nkind = "csv"\n' + HAND + '[tags]\nnote = "note"\n'
    head, row, _ = csv_of(ROW).split("\n")
    entries = found(tmp_path, mapping, f'{head},note\n{row},"one, ""two""\nthree"\n{row.replace("1", "2", 1)},\n')
    assert [(entry.line, entry.record.tags) for entry in entries if entry.record] == [
        (2, {"note": 'one, "two"\nthree'}),
        (4, None),
    ]


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        (",".join(list(ROW.values())[:-1]), "R103"),
        (",".join([*ROW.values(), "x"]), "R103"),
        (",".join(ROW.values()).replace("0:3,", '"0:3"x,'), "R103"),
        (",".join(ROW.values()).replace("899", "8x9"), "R105"),
        (",".join(ROW.values()).replace("0:3,", "0:double,"), "R105"),
        (",".join(ROW.values()).replace("1:-", "5:-"), "R105"),
        (",".join(ROW.values()).replace("1:-", "1"), "R102"),
        (",".join(ROW.values()).replace("899", "8x9").replace("1:-", "5:-"), "R105,R105"),
        ("," + ",".join(list(ROW.values())[1:]), "R102"),
        ("i" * 129 + ",".join(ROW.values()), "R103"),
    ],
)
def test_a_broken_row_is_told_and_the_others_are_read(tmp_path: Path, row: str, codes: str):
    head, good, _ = csv_of(ROW).split("\n")
    entries = found(tmp_path, '[source]\nkind = "csv"\n' + HAND, f"{head}\n{good}\n{row}\n{good}\n")
    assert told(entries) == [(2, ROW["plays"]), (3, codes), (4, ROW["plays"])]
    assert entries[1].raw == row.encode()


def test_what_is_no_text_is_told(tmp_path: Path):
    data = csv_of(ROW, {**ROW, "id": "2"}).encode().replace(b"\n2,", b"\n\xff,")
    assert told(found(tmp_path, '[source]\nkind = "csv"\n' + HAND, data)) == [(2, ROW["plays"]), (3, "R111")]


def test_a_file_that_is_cut_off_is_told(tmp_path: Path):
    data = csv_of(ROW) + '2,"33'
    assert told(found(tmp_path, '[source]\nkind = "csv"\n' + HAND, data)) == [(2, ROW["plays"]), (3, "R107")]


def test_an_open_quote_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import csv as standard

    before = standard.field_size_limit(100_000)
    monkeypatch.setattr(csv, "CELL_LIMIT", 100_000)
    data = csv_of(ROW) + '2,"' + "x\n" * 90_000 + csv_of(ROW).split("\n")[1] + "\n"
    entries = found(tmp_path, '[source]\nkind = "csv"\n' + HAND, data)
    standard.field_size_limit(before)
    assert {entry.line for entry in entries if entry.record} == {2, 90_003}
    assert "R103" in told(entries)[1][1]


@pytest.mark.parametrize(
    ("mapping", "head", "expected"),
    [
        (HAND, "id,h0,h1,h2,bottom,bids", ["plays.rows: plays"]),
        (HAND, "h0,h1,h2,bids,plays", ["record.id: id", "record.bottom: bottom"]),
        (HAND, "id,id,h0,h1,h2,bottom,bids,plays", ["record.id"]),
        (
            HAND.replace('bottom = "bottom"', 'bottom = { at = "bottom", optional = true }'),
            "id,h0,h1,h2,bids",
            ["plays.rows: plays"],
        ),
    ],
)
def test_a_file_without_a_column_is_told_once(tmp_path: Path, mapping: str, head: str, expected: list[str]):
    (entry,) = found(tmp_path, '[source]\nkind = "csv"\n' + mapping, head + "\n" + "x\n" * 99)
    assert fields(entry) == expected
    assert entry.raw == head.encode()


@pytest.mark.parametrize("data", ["", "\n", "id\n", ",".join(ROW) + "\n"])
@pytest.mark.parametrize("kind", ["csv", "json", "jsonl", "parquet"])
def test_a_file_without_hands_is_named(tmp_path: Path, data: str, kind: str):
    assert len(found(tmp_path, f'[source]\nkind = "{kind}"\n' + HAND, data)) == 1


def test_a_damaged_archive_comes_after_its_good_rows(tmp_path: Path):
    rows = [{**ROW, "id": str(number)} for number in range(9000)]
    packed = gzip.compress(csv_of(*rows).encode())
    entries = found(tmp_path, '[source]\nkind = "csv"\n' + HAND, packed[:-20], "log.csv.gz")
    assert len(entries) > 1000
    assert all(entry.record for entry in entries[:-1])
    assert told(entries)[-1][1] == "R112"


def test_cells_that_stand_for_nothing(tmp_path: Path):
    mapping = '[source]\nkind = "csv"\nnull = ["NULL"]\n' + HAND + '[claim]\nlandlord = "l"\n[tags]\nt = "t"\n'
    head, row, _ = csv_of({**ROW, "bottom": "NULL"}).split("\n")
    (entry,) = found(tmp_path, mapping, f"{head},l,t\n{row},NULL,null\n")
    assert entry.record is not None
    assert (entry.record.bottom, entry.record.claim, entry.record.tags) == (None, None, {"t": "null"})


# --- groups


def test_rows_with_a_key_are_one_hand(tmp_path: Path):
    entries = found(tmp_path, MOVES, "g,s,c\na,0,3\na,1,\nb,0,44\n")
    assert told(entries) == [(2, "0:3 1:-"), (4, "0:44")]
    assert [entry.record.id for entry in entries if entry.record] == ["a", "b"]


def test_a_hand_whose_rows_do_not_stand_together_is_never_two(tmp_path: Path):
    entries = found(tmp_path, MOVES, "g,s,c\na,0,3\nb,0,4\na,1,5\n")
    assert told(entries) == [(2, "0:3"), (3, "0:4"), (4, "R103")]
    assert "scattered" in entries[2].findings[0].details["reason"]
    assert entries[2].raw == b"a,1,5"


def test_scattered_rows_are_brought_together(tmp_path: Path):
    mapping = MOVES.replace('group = "g"', 'group = ["t", "g"]\nscattered = true')
    rows = [f"{table},{number // 40},{place % 3},3" for place in range(6) for number in range(80) for table in "xy"]
    entries = found(tmp_path, mapping, "t,g,s,c\n" + "\n".join(rows) + "\n")
    assert [entry.record.id for entry in entries if entry.record] == ["x/0", "y/0", "x/1", "y/1"]
    assert {entry.record.plays.count(" ") + 1 for entry in entries if entry.record} == {240}


def test_rows_are_put_in_order(tmp_path: Path):
    mapping = MOVES.replace('group = "g"', 'group = "g"\nsort = "n"').replace(
        "[always]", '[times]\nzone = "+00:00"\n[always]'
    )
    assert told(found(tmp_path, mapping, "g,s,c,n\na,1,4,10\na,2,5,9.5\na,0,3,2\n")) == [(2, "0:3 2:5 1:4")]
    times = "g,s,c,n\na,1,4,2026-11-29 10:00:00\na,0,3,2026-11-29 09:00:00\n"
    assert told(found(tmp_path, mapping, times)) == [(2, "0:3 1:4")]
    assert told(found(tmp_path, mapping, "g,s,c,n\na,1,4,x\na,0,3,2\nb,0,3,1\n")) == [(2, "R103"), (4, "0:3")]


def test_a_row_may_begin_a_hand(tmp_path: Path):
    mapping = MOVES.replace('group = "g"', 'begins = { g = ["new", "first"] }')
    entries = found(tmp_path, mapping, "g,s,c\nfirst,0,3\n,1,4\nnew,0,5\n,1,\n")
    assert told(entries) == [(2, "0:3 1:4"), (4, "0:5 1:-")]
    assert [entry.record.id for entry in entries if entry.record] == ["log#1", "log#2"]


def test_a_row_without_a_key_spoils_the_hand_in_which_it_stands(tmp_path: Path):
    assert told(found(tmp_path, MOVES, "g,s,c\na,0,3\n,1,4\na,2,5\nb,0,6\n")) == [(2, "R102"), (5, "0:6")]


def test_a_broken_row_spoils_its_hand_and_no_other(tmp_path: Path):
    assert told(found(tmp_path, MOVES, "g,s,c\na,0,3\na,1\na,2,5\nb,0,6\n")) == [(2, "R103"), (5, "0:6")]


def test_a_row_that_nothing_reads_is_told(tmp_path: Path):
    mapping = MOVES.replace('seat = "s"', 'when = { k = "play" }\nseat = "s"')
    data = "g,k,s,c\na,play,0,3\na,plays,1,4\nb,play,0,6\nb,chat,0,hi\n"
    entries = found(tmp_path, mapping, data)
    assert told(entries) == [(2, "R103"), (4, "R103")]
    assert "k = plays" in entries[0].findings[0].details["reason"]
    ignoring = mapping.replace('group = "g"', 'group = "g"\nignore = { k = "chat" }')
    assert told(found(tmp_path, ignoring, data)) == [(2, "R103"), (4, "0:6")]


def test_a_hand_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(groups, "ROWS_LIMIT", 5)
    assert told(found(tmp_path, MOVES, "g,s,c\n" + "a,0,3\n" * 99 + "b,0,4\n")) == [(2, "R103"), (101, "0:4")]


# --- JSON

BY_DOCUMENT = """
[seats]
names = ["east", "south", "west"]
[record]
id = "id"
hands = "hands"
[plays]
rows = "moves"
seat = "seat"
cards = "cards"
"""
DOCUMENT: dict[str, Any] = {
    "id": 7,
    "hands": {"west": ["S5"], "east": ["S3", "H3"], "south": None},
    "moves": [{"seat": "east", "cards": ["S3"]}, {"seat": "south", "cards": []}, {"seat": "west", "cards": None}],
}


def document(**changed: Any) -> dict[str, Any]:
    return json.loads(json.dumps({**DOCUMENT, **changed}))


@pytest.mark.parametrize(
    ("keys", "data", "lines"),
    [
        ('kind = "json"', json.dumps(DOCUMENT, indent=1), [1]),
        ('kind = "json"', json.dumps([DOCUMENT, document(id=8)]), [1, 2]),
        ('kind = "json"\nhands = "a.b"', json.dumps({"a": {"b": [DOCUMENT]}}), [1]),
        ('kind = "json"\nhands = "a.*.b.*"', json.dumps({"a": [{"b": [DOCUMENT]}, {"b": [document(id=8)]}]}), [1, 2]),
        ('kind = "json"\nhands = "a"', json.dumps({"a": DOCUMENT}), [1]),
        ('kind = "jsonl"', json.dumps(DOCUMENT) + "\n\n" + json.dumps(document(id=8)), [1, 3]),
        (
            'kind = "jsonl"',
            json.dumps([DOCUMENT, document(id=8)]) + "\r\n" + json.dumps(document(id=9)) + "\n",
            [1, 1, 2],
        ),
        ('kind = "jsonl"\njson = ["moves", "hands"]', json.dumps(document(moves=json.dumps(DOCUMENT["moves"]))), [1]),
    ],
)
def test_every_form_of_json(tmp_path: Path, keys: str, data: str, lines: list[int]):
    entries = found(tmp_path, f"[source]\n{keys}\n" + BY_DOCUMENT, data)
    assert told(entries) == [(line, "0:S3 1:- 2:-") for line in lines]
    assert [entry.record.hands for entry in entries if entry.record] == [["S3H3", None, "S5"]] * len(lines)


@pytest.mark.parametrize(
    ("changed", "codes", "field"),
    [
        ({"moves": 3}, "R103", "plays"),
        ({"moves": {}}, "R103", "plays"),
        ({"moves": [3]}, "R102,R102", "plays[0].seat"),
        ({"moves": [{"seat": "east"}]}, "R102", "plays[0].cards"),
        ({"moves": [{"seat": "north", "cards": []}]}, "R105", "plays[0]"),
        ({"moves": [{"seat": 0, "cards": []}]}, "R105", "plays[0]"),
        ({"moves": [{"seat": "east", "cards": ["S3", "x"]}]}, "R105", "plays[0]"),
        ({"moves": [{"seat": "east", "cards": {"S3": 1}}]}, "R103", "plays[0]"),
        ({"moves": [{"seat": ["east"], "cards": []}]}, "R103", "plays[0]"),
        ({"hands": ["S3", "H3"]}, "R103", "hands"),
        ({"hands": {"east": "S3", "norht": "S4"}}, "R105", "hands"),
        ({"hands": {"east": "S3", "west": "S4"}}, "R102", "hands[1]"),
        ({"hands": 3}, "R103", "hands"),
        ({"id": None}, "R102", "id"),
        ({"id": [1]}, "R103", "id"),
    ],
)
def test_what_is_wrong_in_a_document(tmp_path: Path, changed: dict[str, Any], codes: str, field: str):
    data = json.dumps([document(id=1), document(**changed), document(id=3)])
    entries = found(tmp_path, '[source]\nkind = "json"\n' + BY_DOCUMENT, data)
    assert told(entries) == [(1, "0:S3 1:- 2:-"), (2, codes), (3, "0:S3 1:- 2:-")]
    assert fields(entries[1])[0] == field
    assert json.loads(entries[1].raw) == document(**changed)


@pytest.mark.parametrize("key", ["id", "hands", "moves"])
def test_what_a_document_lacks_is_told(tmp_path: Path, key: str):
    data = json.dumps({name: value for name, value in DOCUMENT.items() if name != key})
    assert told(found(tmp_path, '[source]\nkind = "json"\n' + BY_DOCUMENT, data)) == [(1, "R102")]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ("{", ["R107"]), ("[{},", ["R107"]), ("nonsense", ["R101"]), (b'{"id":"\xff"}', ["R111"]),
        ("[" * 9999 + "]" * 9999, ["R101"]),
        ("[]", ["R112"]), ("3", ["R102"]), ("[[[]]]", ["R102"]), ('{"id":1e999999,"hands":null,"moves":[]}', []),
    ],
)  # fmt: skip
def test_what_is_no_json(tmp_path: Path, data: str | bytes, codes: list[str]):
    entries = found(tmp_path, '[source]\nkind = "json"\n' + BY_DOCUMENT, data)
    assert [entry.findings[0].code for entry in entries if entry.findings] == codes


def test_a_broken_line_does_not_stop_the_others(tmp_path: Path):
    good = json.dumps(DOCUMENT)
    data = f"{good}\nnonsense\n{good[:-9]}\n{good}\n{good[:-9]}"
    codes = [told for _, told in told_lines(found(tmp_path, '[source]\nkind = "jsonl"\n' + BY_DOCUMENT, data))]
    assert codes == ["ok", "R101", "R101", "ok", "R107"]


def told_lines(entries: list[Entry]) -> list[tuple[int, str]]:
    return [(line, "ok" if ":" in said else said) for line, said in told(entries)]


def test_events_of_a_document(tmp_path: Path):
    mapping = """
    [source]
    kind = "jsonl"
    ignore = { e = "chat" }
    [seats]
    first = 1
    [record]
    hands = { rows = "log", when = { e = "deal" }, seat = "p", at = "c" }
    landlord = { rows = "log", when = { e = "lord" }, at = "p" }
    [plays]
    rows = "log"
    when = { e = ["play", "pass"] }
    pass_when = { e = "pass" }
    seat = "p"
    cards = "c"
    [claim]
    scores = { rows = "log", when = { e = "end" }, at = "s" }
    """
    log = [
        *({"e": "deal", "p": seat, "c": "S3"} for seat in (2, 1, 3)),
        {"e": "lord", "p": 2}, {"e": "chat", "m": "hi"}, {"e": "play", "p": 2, "c": "S3"}, {"e": "pass", "p": 3},
        {"e": "end", "s": [-1, 2, -1]},
    ]  # fmt: skip
    (entry,) = found(tmp_path, mapping, json.dumps({"log": log}))
    assert entry.record is not None, entry.findings
    assert (entry.record.landlord, entry.record.plays, entry.record.hands) == (1, "1:S3 2:-", ["S3"] * 3)
    (entry,) = found(tmp_path, mapping, json.dumps({"log": [*log, {"e": "left"}]}))
    assert fields(entry) == ["log[8]"]
    (entry,) = found(tmp_path, mapping, json.dumps({"log": [*log, {"e": "deal", "p": 1, "c": "S4"}]}))
    assert fields(entry) == ["hands"]
    (entry,) = found(tmp_path, mapping, json.dumps({"log": [*log, {"e": "pass", "p": 1, "c": "S4"}]}))
    assert fields(entry) == ["plays[2]"]
    (entry,) = found(tmp_path, mapping, json.dumps({"log": log[:-1]}))
    assert fields(entry) == ["claim.scores"]


def test_lines_of_events_are_grouped(tmp_path: Path):
    mapping = MOVES.replace('"csv"', '"jsonl"').replace('group = "g"', 'group = "game.id"')
    lines = [
        {"game": {"id": 1}, "s": 0, "c": "3"},
        {"game": {"id": 1}, "s": 1, "c": None},
        {"game": {"id": 2}, "s": 0, "c": "4"},
    ]
    assert told(found(tmp_path, mapping, "\n".join(map(json.dumps, lines)) + "\n")) == [(1, "0:3 1:-"), (3, "0:4")]


# --- seats and passes that are implied


@pytest.mark.parametrize(
    ("keys", "moves", "plays"),
    [
        ("", "3;;4;5", "1:3 2:- 0:4 1:5"),
        ('between = ":"\nseat = "0"\ncards = "1"', "1:3;2:pass;0:4", "1:3 2:- 0:4"),
        (
            'between = ":"\nseat = "0"\ncards = "1"\npasses_written = false',
            "1:3;0:4;0:5;2:6",
            "1:3 2:- 0:4 1:- 2:- 0:5 1:- 2:6",
        ),
        ('passes = ["要不起", "不要"]', "3;不要;4;要不起", "1:3 2:- 0:4 1:-"),
    ],
)
def test_moves_of_a_text(tmp_path: Path, keys: str, moves: str, plays: str):
    mapping = f'[source]\nkind = "json"\n[always]\nlandlord = 1\n[plays]\nrows = "m"\nsplit = ";"\n{keys}\n'
    assert told(found(tmp_path, mapping, json.dumps({"m": moves}))) == [(1, plays)]


def test_an_empty_move_that_is_no_pass_is_told(tmp_path: Path):
    mapping = '[source]\nkind = "json"\n[always]\nlandlord = 1\n[plays]\nrows = "m"\nsplit = ";"\npasses = ["pass"]\n'
    assert told(found(tmp_path, mapping, json.dumps({"m": "3;;4"}))) == [(1, "R105")]


def test_without_a_landlord_nobody_begins(tmp_path: Path):
    mapping = '[source]\nkind = "json"\n[claim]\nlandlord = "l"\n[plays]\nrows = "m"\nsplit = ";"\n'
    assert told(found(tmp_path, mapping, '[{"m":"3;4","l":2},{"m":"3","l":null},{"m":"","l":null}]')) == [
        (1, "2:3 0:4"), (2, "R102"), (3, ""),
    ]  # fmt: skip


def test_fupans_own_move_text(tmp_path: Path):
    mapping = '[source]\nkind = "csv"\n[auction]\nrows = "a"\nform = "fupan"\n[plays]\nrows = "p"\nform = "fupan"\n'
    entries = found(tmp_path, mapping, "a,p\n0:1 1:- 2:-@5,0:333=trio@9 1:-\n,\n0:one,\n0:1,0:X3\n")
    assert told(entries) == [(2, "0:333=trio@9 1:-"), (3, ""), (4, "R105"), (5, "R105")]


# --- hands with the bottom in them


@pytest.mark.parametrize(
    ("landlord", "hands", "expected"),
    [
        (0, ["S3H3S4S5", "S6S7", "S8S9"], ["S3H3", "S6S7", "S8S9"]),
        (None, ["S6S7", "S3S4H3S5", "S8S9"], ["S6S7", "S3H3", "S8S9"]),
        (0, ["S3S4", "S5S7", "S8S9"], ["S3S4", "S5S7", "S8S9"]),
        (0, ["S4S5", "S6S7", "S8S9"], ["S4S5", "S6S7", "S8S9"]),
        (0, [None, "S6S7", "S8S9"], [None, "S6S7", "S8S9"]),
        (1, ["S3H3S4S5", "S6S7", "S8S9"], ["S3H3S4S5", "S6S7", "S8S9"]),
        (0, ["S4S4S5S3", "S6S7", "S8S9"], ["S4S3", "S6S7", "S8S9"]),
    ],
)
def test_the_bottom_is_taken_out_where_it_is(
    tmp_path: Path, landlord: int | None, hands: list[Any], expected: list[Any]
):
    mapping = """
    source.kind = "json"
    record = { hands = "h", bottom = "b", hands_hold_bottom = true, landlord = "l" }
    plays = { rows = "p", seat = "0", cards = "1" }
    """
    (entry,) = found(tmp_path, mapping, json.dumps({"h": hands, "b": "S4S5", "l": landlord, "p": []}))
    assert entry.record is not None, entry.findings
    assert entry.record.hands == expected


# --- players, ends, claims


def read_one(tmp_path: Path, mapping: str, **document: Any) -> Entry:
    keys = 'source.kind = "json"\nplays = { rows = "p", seat = "0", cards = "1" }\n'
    (entry,) = found(tmp_path, keys + mapping, json.dumps({"p": [], **document}))
    return entry


@pytest.mark.parametrize(
    ("where", "given", "ids"),
    [
        ('["a", "b", "c"]', {"a": "x", "b": 7, "c": "z"}, ["x", "7", "z"]),
        ('["a", "b", "c"]', {"a": "x", "b": "y", "c": ""}, ["x", "y"]),
        ('"u"', {"u": ["x", "y", "z", "w"]}, ["x", "y", "z", "w"]),
        ('"u.*.id"', {"u": [{"id": "x"}, {"id": "y"}]}, ["x", "y"]),
        ('"u"', {"u": {"1": "y", "0": "x"}}, ["x", "y"]),
        ('{ at = "u", split = "," }', {"u": "x,y,z"}, ["x", "y", "z"]),
        ('{ rows = "u", seat = "s", at = "i" }', {"u": [{"s": 1, "i": "y"}, {"s": 0, "i": "x"}]}, ["x", "y"]),
    ],
)
def test_players(tmp_path: Path, where: str, given: dict[str, Any], ids: list[str]):
    entry = read_one(tmp_path, f"players.id = {where}\n", **given)
    assert entry.record is not None, entry.findings
    assert [player.id for player in entry.record.players] == ids


@pytest.mark.parametrize(
    ("where", "given", "field"),
    [
        ('["a", "b", "c"]', {"a": "x", "b": "", "c": "z"}, "players[1].id"),
        ('["a", "b", "c"]', {"a": "x", "b": "y"}, "players.id[2]"),
        ('"u"', {"u": []}, "players.id"),
        ('"u"', {"u": None}, "players.id"),
        ('"u"', {"u": "x,y"}, "players.id"),
        ('{ rows = "u", seat = "s", at = "i" }', {"u": [{"s": 1, "i": "y"}, {"s": 5, "i": "x"}]}, "players.id"),
    ],
)
def test_players_who_are_not_there(tmp_path: Path, where: str, given: dict[str, Any], field: str):
    entry = read_one(tmp_path, f"players.id = {where}\n", **given)
    assert entry.record is None
    assert field in fields(entry)


def test_a_hand_of_another_size_is_for_the_audit_to_judge(tmp_path: Path):
    entry = read_one(tmp_path, 'players.id = "u"\nalways.rules = "classic"\n', u=["x", "y", "z", "w"])
    with Batch(None) as batch:
        (audited,) = batch.audit([entry])
    assert [finding.code for finding in audited.verdict.findings] == ["R110"]


@pytest.mark.parametrize(
    ("given", "end", "field"),
    [
        ({"e": "ok", "l": None}, None, ""), ({"e": "flow", "l": None}, "void", ""),
        ({"e": "quit", "l": 1}, "escape:1", ""),
        ({"e": None, "l": 1}, "escape:1", ""), ({"e": "ok", "l": 2}, "escape:2", ""),
        ({"e": "quit", "l": None}, None, "escape"),
        ({"e": "flow", "l": 1}, None, "end"), ({"e": "what", "l": None}, None, "end"),
        ({"e": "ok", "l": 7}, None, "escape"),
    ],
)  # fmt: skip
def test_ends(tmp_path: Path, given: dict[str, Any], end: str | None, field: str):
    words = '{ at = "e", words = { ok = "", flow = "void", quit = "escape" } }'
    entry = read_one(tmp_path, f'record = {{ end = {words}, escape = "l" }}\n', **given)
    assert fields(entry) == ([field] if field else [])
    assert field or (entry.record is not None and entry.record.end == end)


@pytest.mark.parametrize(
    ("given", "winners"),
    [({"l": 1, "w": "L"}, [1]), ({"l": 1, "w": "F"}, [0, 2]), ({"l": 1, "w": None}, None),
     ({"l": None, "w": "F"}, "R102"), ({"l": 1, "w": "x"}, "R105")],
)  # fmt: skip
def test_the_side_that_won(tmp_path: Path, given: dict[str, Any], winners: Any):
    side = '{ at = "w", words = { L = "landlord", F = "farmers" } }'
    entry = read_one(tmp_path, f'claim = {{ landlord = "l", side = {side} }}\n', **given)
    if isinstance(winners, str):
        assert entry.findings[0].code == winners
    else:
        assert entry.record is not None
        assert (entry.record.claim.winners if entry.record.claim else None) == winners


@pytest.mark.parametrize(
    ("given", "winners"), [([2, 0], [0, 2]), ("2,0", [0, 2]), (1, [1]), ([], []), (None, None), ("", None)]
)
def test_winners_by_seat(tmp_path: Path, given: Any, winners: list[int] | None):
    entry = read_one(tmp_path, 'claim.winners = { at = "w", split = "," }\n', w=given)
    assert entry.record is not None
    assert (entry.record.claim.winners if entry.record.claim else None) == winners


@pytest.mark.parametrize(
    ("given", "scores"),
    [([0.5, -0.25, "-0.25"], [50, -25, -25]), (["1.00元", "-1元", 0], [100, -100, 0]), ([None, None, None], None),
     ([1, None, -1], "R102"), ([1, -1], "R103"), ([0.001, 0, 0], "R103"), ([1, -1, 0, None], [100, -100, 0]),
     ([1e300, 0, 0], "R103")],
)  # fmt: skip
def test_scores(tmp_path: Path, given: Any, scores: Any):
    entry = read_one(tmp_path, 'claim.scores = { at = "s", unit = "0.01", suffix = "元" }\n', s=given)
    if isinstance(scores, str):
        assert entry.findings[0].code == scores
    else:
        assert entry.record is not None
        assert (entry.record.claim.scores if entry.record.claim else None) == scores


def test_roles_turn_about_the_landlord(tmp_path: Path):
    keys = '[source]\nkind = "json"\n[seats]\nroles = ["landlord", "down", "up"]\n[record]\nlandlord = "l"\n'
    mapping = keys + '[plays]\nrows = "p"\nseat = "0"\ncards = "1"\n'
    document = {"l": 2, "p": [["landlord", "S3"], ["down", ""], ["up", "S4"]]}
    assert told(found(tmp_path, mapping, json.dumps(document))) == [(1, "2:S3 0:- 1:S4")]


def test_tags_and_what_is_kept(tmp_path: Path):
    mapping = '[tags]\n"房间" = "r"\nnone = "n"\n[extra]\nseed = "s"\nrate = "x"\n'
    entry = read_one(tmp_path, mapping, r="a", n="", s={"a": [1, None]}, x=0.1)
    assert entry.record is not None
    assert entry.record.tags == {"房间": "a"}
    assert msgspec.json.decode(bytes(entry.record.extra), type=dict[str, Any]) == {
        "seed": {"a": [1, None]},
        "rate": 0.1,
    }
    assert b'"rate":0.1' in bytes(entry.record.extra)


def test_what_always_holds(tmp_path: Path):
    mapping = '[always]\nrules = "rlcard"\ntable = "t"\nbase = 5\nvoids = 1\nopen = true\nlandlord = 1\nfirst = 2\n'
    record = read_one(tmp_path, mapping).record
    assert record is not None
    said = (record.rules, record.table, record.base, record.voids, record.open, record.landlord, record.first)
    assert said == ("rlcard", "t", 5, 1, True, 1, 2)
    assert read_one(tmp_path, "always.landlord = 7\n").findings[0].code == "R103"


# --- Parquet


def parquet_of(table: pa.Table) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def test_parquet_has_rows_of_one_hand(tmp_path: Path):
    columns = {"g": [1, 1, 2], "s": [0.0, 1.0, 0.0], "c": [b"3", None, b"4"]}
    entries = found(tmp_path, MOVES.replace('"csv"', '"parquet"'), parquet_of(pa.table(columns)))
    assert told(entries) == [(1, "0:3 1:-"), (3, "0:4")]


def test_parquet_types(tmp_path: Path):
    table = pa.table({
        "id": pa.array(["a"]).dictionary_encode(),
        "at": pa.array([1795954503123456789], pa.timestamp("ns")),
        "base": pa.array([Decimal("2.00")]),
        "scores": pa.array([[("0", 1.5), ("1", -0.5), ("2", -1.0)]], pa.map_(pa.string(), pa.float64())),
        "bid": pa.array([float("nan")]),
        "p": pa.array([[{"s": 0, "c": [3, 3]}]]),
        "day": pa.array([20000], pa.date32()),
    })  # fmt: skip
    mapping = """
    source.kind = "parquet"
    times.zone = "+08:00"
    cards.code = "ranks"
    record = { id = "id", at = "at", base = "base" }
    plays = { rows = "p", seat = "s", cards = "c" }
    claim = { bid = "bid", scores = { at = "scores", unit = "0.5" } }
    tags.day = "day"
    """
    (entry,) = found(tmp_path, mapping, parquet_of(table))
    assert entry.record is not None, entry.findings
    assert entry.record.claim is not None
    assert (entry.record.base, entry.record.claim.bid, entry.record.claim.scores) == (2, None, [3, -1, -2])
    assert (entry.record.plays, entry.record.tags) == ("0:33", {"day": "2024-10-04"})
    assert entry.record.at is not None
    assert entry.record.at.isoformat() == "2026-11-29T12:15:03.123456+08:00"


def test_parquet_lacks_a_column(tmp_path: Path):
    (entry,) = found(tmp_path, MOVES.replace('"csv"', '"parquet"'), parquet_of(pa.table({"g": [1], "s": [0]})))
    assert fields(entry) == ["plays.cards: c"]


def test_bytes_that_are_no_text_are_told(tmp_path: Path):
    table = pa.table({"g": ["a"], "s": [0], "c": [b"\xff"]})
    assert told(found(tmp_path, MOVES.replace('"csv"', '"parquet"'), parquet_of(table))) == [(1, "R111")]


@pytest.mark.parametrize("data", [b"PAR1", b"not parquet", b"PAR1" + b"x" * 99 + b"PAR1"])
def test_what_is_no_parquet(tmp_path: Path, data: bytes):
    assert told(found(tmp_path, MOVES.replace('"csv"', '"parquet"'), data)) == [(1, "R112")]


def test_parquet_in_an_archive(tmp_path: Path):
    packed = gzip.compress(parquet_of(pa.table({"g": [1], "s": [0], "c": ["3"]})))
    assert told(found(tmp_path, MOVES.replace('"csv"', '"parquet"'), packed, "log.parquet.gz")) == [(1, "0:3")]


# --- the store


def test_a_store_keeps_hands_that_need_no_mapping(tmp_path: Path):
    rows = [{**ROW, "id": str(number), "h0": "x" if number == 2 else ROW["h0"]} for number in range(4)]
    rows[3] |= {"plays": "0:99", "bids": "0:2"}
    found(tmp_path, '[source]\nkind = "csv"\n' + HAND, csv_of(*rows))
    mapping = str(tmp_path / "own.toml")
    report = load([str(tmp_path / "log")], tmp_path / "store", format=mapping)
    assert (report.read, report.clean, report.faulty, report.unreadable, report.repeated) == (4, 1, 1, 1, 1)
    assert load([str(tmp_path / "log")], tmp_path / "store", format=mapping).stored == 0
    files = (tmp_path / "store").rglob("raw*.parquet")
    kept = [row for path in files for row in parquet.read_table(path).to_pylist()]
    records = [entry.record for row in kept for entry in read(["-"], stdin=io.BytesIO(row["record"] or b"?"))]
    assert {row["format"] for row in kept} == {"own.toml"}
    assert sorted(record.plays for record in records if record) == sorted(["0:99", ROW["plays"]])
    assert any(row["raw"].startswith(b"2,x,") for row in kept)
