"""The record and its move text (record.md 2 and 4)."""

import json
from typing import Any

import msgspec
import pytest

from ingest.record import (
    DECLARED,
    Call,
    Claim,
    Player,
    Record,
    Unreadable,
    UnreadableMove,
    escapee,
    impossible,
    read_calls,
    read_clock,
    read_plays,
    read_record,
    write_moves,
    write_record,
)

LEAST: dict[str, Any] = {"id": "a", "players": [{"id": "x"}, {"id": "y"}]}
FULL = (
    '{"id":"g-000123","rules":"platform","table":"room-7","at":"2026-11-29T20:15:03+08:00","base":10,"voids":1,'
    '"players":[{"id":"u17","name":"老王","balance":1200},{"id":"u4","balance":900},{"id":"u9","balance":45,"bot":true}],'
    '"hands":["S3H3D3",null,""],"bottom":"S9HKB","dead":"4","marker":"H7","first":1,'
    '"auction":"1:1 2:- 0:2 1:rob 2:- 0:rob","landlord":0,"taken":"S9","open":true,"trump":"NT","buried":"5",'
    '"plays":"0:S3H3D3C4 1:- 2:S5H5D5C7","end":"escape:1",'
    '"claim":{"landlord":0,"winners":[0],"multiplier":32,"bid":2,"scores":[365,-320,-45],"balances":[1,null,3]},'
    '"tags":{"room":"1"},"extra":{"skin":[1,2.5,null]}}'
)


def read(**fields: Any) -> tuple[Record, tuple[str, ...]]:
    return read_record(json.dumps({**LEAST, **fields}).encode())


def code(line: bytes) -> str:
    with pytest.raises(Unreadable) as problem:
        read_record(line)
    return problem.value.finding.code


def test_every_field_is_read_and_written():
    record, unknown = read_record(FULL.encode())
    assert unknown == ()
    assert (record.id, record.base, record.voids, record.open, record.first) == ("g-000123", 10, 1, True, 1)
    assert record.hands == ["S3H3D3", None, ""]
    assert msgspec.to_builtins(record.players[0]) == {"id": "u17", "name": "老王", "balance": 1200}
    assert record.players[2].bot is True
    assert json.loads(write_record(record)) == json.loads(FULL)
    assert read_record(write_record(record))[0] == record


def test_what_is_left_out():
    record, _ = read()
    assert (record.base, record.voids, record.open, record.plays, record.hands) == (1, 0, False, "", None)
    assert json.loads(write_record(record)) == LEAST


@pytest.mark.parametrize(
    "name", ["007", "NA", "null", "123456789012345678", "老王:3", "O'Brien\";--", "过", "🀄", "=1+1"]
)
def test_names_are_kept_letter_for_letter(name: str):
    record, _ = read(players=[{"id": name, "name": name}, {"id": "y"}])
    assert (record.players[0].id, record.players[0].name) == (name, name)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"base": 1.5}, "base"),
        ({"base": "3"}, "base"),
        ({"base": True}, "base"),
        ({"base": 0}, "base"),
        ({"base": None}, "base"),
        ({"voids": -1}, "voids"),
        ({"id": ""}, "id"),
        ({"id": "x" * 129}, "id"),
        ({"id": 7}, "id"),
        ({"players": {}}, "players"),
        ({"players": [{"id": 5}, {"id": "y"}]}, "players"),
        ({"players": [{"id": "x", "bot": 1}, {"id": "y"}]}, "players"),
        ({"players": [{"id": "x", "balance": 0.5}, {"id": "y"}]}, "players"),
        ({"hands": "S3"}, "hands"),
        ({"hands": [3]}, "hands"),
        ({"bottom": 3}, "bottom"),
        ({"at": "2026-11-29 20:15"}, "at"),
        ({"at": "2026-11-29T20:15:03"}, "at"),
        ({"first": -1}, "first"),
        ({"first": 1.0}, "first"),
        ({"open": 1}, "open"),
        ({"plays": None}, "plays"),
        ({"plays": ["0:3"]}, "plays"),
        ({"claim": []}, "claim"),
        ({"claim": {"scores": [1.5, -1.5]}}, "claim"),
        ({"claim": {"winners": 0}}, "claim"),
        ({"tags": {"room": 1}}, "tags"),
    ],
)
def test_values_of_the_wrong_kind(fields: dict[str, Any], field: str):
    with pytest.raises(Unreadable) as problem:
        read(**fields)
    assert problem.value.finding.code == "R103"
    assert problem.value.finding.details["field"].startswith(field)


def test_whole_numbers_are_exact():
    """A number that a float would round stays what it is; one with a fraction is refused, even 1.0."""
    largest, smallest = 2**63 - 1, -(2**63)
    claim = read(claim={"scores": [largest, smallest]})[0].claim
    assert claim is not None
    assert claim.scores == [largest, smallest]
    assert code(b'{"id":"a","players":[],"base":1.0}') == "R103"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", "R101"),
        (b"null", "R101"),
        (b"[1]", "R101"),
        (b'"id"', "R101"),
        (b'{"id":"a"', "R101"),
        (b'{"id":"a","players":[]} x', "R101"),
        (b"{'id':'a'}", "R101"),
        (b'{"id":"a"}', "R102"),
        (b'{"players":[]}', "R102"),
        (b'{"id":"a","players":[{}]}', "R102"),
        (b'{"id":"a\xff","players":[]}', "R111"),
        (b'{"id":"a","players":[],"extra":"\xff"}', "R111"),
        (b'{"id":"a","players":[],"other":"\xff"}', "R111"),
        (b'{"id":"a","players":[],"extra":' + b"[" * 5000 + b"]" * 5000 + b"}", "R101"),
    ],
)
def test_what_is_no_record(line: bytes, expected: str):
    assert code(line) == expected


def test_missing_fields_are_named():
    with pytest.raises(Unreadable) as problem:
        read_record(b'{"id":"a","players":[{"name":"x"}]}')
    assert problem.value.finding.details["field"].endswith("id")


def test_unknown_fields_are_named_and_everything_else_is_read():
    record, unknown = read(
        colour="red", players=[{"id": "x", "size": 4}, {"id": "y", "size": 5}], claim={"tax": 1, "bid": 2}
    )
    assert unknown == ("colour", "players.size", "claim.tax")
    assert record.claim == Claim(bid=2)


@pytest.mark.parametrize(("end", "seat"), [("escape:0", 0), ("escape:2", 2), ("void", None), (None, None)])
def test_who_left(end: str | None, seat: int | None):
    assert escapee(Record(id="a", players=[], end=end)) == seat


def test_nothing_impossible():
    players = [Player(id=name) for name in "xyz"]
    possible = Record(id="a", players=players, first=2, landlord=0, end="escape:2", trump="NT", hands=[None] * 3)
    assert impossible(possible) is None
    assert impossible(msgspec.structs.replace(possible, claim=Claim(winners=[0, 1, 2], scores=[0, 0, 0]))) is None


# Move text


def test_plays():
    passes, plays, declared = read_plays("1:- 0:3334 2:333444555666=plane1")
    assert (passes.seat, passes.cards, passes.key, passes.text) == (1, None, None, "-")
    assert plays.cards is not None
    assert (plays.seat, plays.cards.size, plays.key, plays.text) == (0, 4, plays.cards.counts, "3334")
    assert (declared.declared, declared.key, declared.text) == ("plane1", DECLARED, "333444555666")
    assert read_plays("") == []


def test_a_failed_throw():
    (move,) = read_plays("0:CTC9C9C5C5!CT")
    assert move.cards is not None
    assert (move.thrown, move.text, move.cards.size) == ("CTC9C9C5C5", "CT", 1)


def test_calls():
    assert read_calls("0:- 1:call 2:rob 0:3 1:85") == [
        Call(0, "-", None), Call(1, "call", None), Call(2, "rob", None), Call(0, "3", 3), Call(1, "85", 85)
    ]  # fmt: skip
    assert read_calls("") == []


def test_clocks():
    assert [move.text for move in read_plays("0:S3@5 1:-@120 2:4")] == ["S3", "-", "4"]
    assert read_clock("0:S3@5 1:-@120 2:4") == [5, 120, None]
    assert read_clock("") == []
    assert read_calls("0:3@0") == [Call(0, "3", 3)]


@pytest.mark.parametrize(
    "text",
    [
        " ", "0:3 ", " 0:3", "0:3  1:-", "0:3\n1:-", "0:3\t1:-", "0", "0:", ":3", "a:3", "-1:3", "00:3", "10:3", "٣:3",
        "0：3", "0:x", "0:-3", "0:--", "0:3=", "0:3=plane", "0:=solo", "0:-=solo", "0:3@", "0:3@x", "0:3@-1",
        "0:3@1@2", "0:3@1.5", "0:!3", "0:3!", "0:3!x", "0:x!3", "0:pass", "0:3,4 1:-x", "0:\uff13",
    ],
)  # fmt: skip
def test_plays_that_cannot_be_read(text: str):
    with pytest.raises(UnreadableMove):
        read_plays(text)


@pytest.mark.parametrize(
    "text",
    [
        "0:x",
        "0:Call",
        "0:robs",
        "0:--",
        "0:-1",
        "0:+1",
        "0:1.5",
        "0:",
        "0:1234567890",
        "0:٣",
        "0:\uff13",
        "x:1",
        "0 :1",
    ],
)
def test_calls_that_cannot_be_read(text: str):
    with pytest.raises(UnreadableMove) as problem:
        read_calls(f"0:- {text}")
    assert problem.value.args[0] in text


def test_moves_are_written_as_they_are_read():
    text = "0:S3H3 1:- 2:S4H4"
    assert write_moves([(move.seat, move.text) for move in read_plays(text)]) == text


def test_a_full_memory_of_moves_is_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ingest.record._calls._limit", 3)
    for number in range(1, 20):
        assert read_calls(f"0:{number} 1:-") == [Call(0, str(number), number), Call(1, "-", None)]
