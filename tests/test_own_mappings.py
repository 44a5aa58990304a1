"""Mappings of own formats: every mistake by its line and key; every way of spelling cards, seats, numbers, times."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.cards import FACES, RANKS
from ingest.logs import BadMapping, described, read
from ingest.logs.own import values
from ingest.logs.own.cards import spelling
from ingest.logs.own.keys import CardKeys, SeatKeys, TimeKeys
from ingest.logs.own.mapping import parsed
from ingest.logs.own.paths import MISSING, covers, find, leaves, steps_of, written
from ingest.logs.own.seats import Seating
from ingest.logs.own.times import clock
from ingest.logs.own.troubles import Unread

BARE = '[source]\nkind = "csv"\ngroup = "g"\n\n[plays]\nseat = "s"\ncards = "c"\n\n'


def mistakes(text: str) -> list[tuple[int, str]]:
    return [(mistake.line, mistake.key) for mistake in parsed(text)[1]]


# --- mistakes


def test_a_short_mapping_has_none():
    assert parsed(BARE)[1] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, "source"), (0, "plays")]),
        ("[source]\n", [(0, "plays"), (1, "source.kind")]),
        ("kind = \n", [(1, "")]),
        (BARE + "[record]\nid = 7\n", [(10, "record.id")]),
        (BARE + "[record]\nids = 'x'\n", [(10, "record.ids")]),
        (BARE + "[recod]\nid = 'x'\n", [(9, "recod")]),
        (BARE + "[record]\nid = { att = 'x' }\n", [(10, "record.id.att"), (10, "record.id")]),
        (BARE + "[record]\nid = 'a..b'\n", [(10, "record.id")]),
        (BARE + "[record.id]\nat = 'a'\nwhen = { 'b..c' = 1 }\n", [(11, "record.id.when.b..c")]),
        (BARE + "[record]\nid = { at = 'a', when = {} }\n", [(10, "record.id.when")]),
        (BARE + "[record]\nid = { at = 'a', seat = 's' }\n", [(10, "record.id.seat")]),
        (BARE + "[record]\nid = { at = 'a', unit = '2' }\n", [(10, "record.id.unit")]),
        (BARE + "[record]\nid = { at = 'a', split = ',' }\n", [(10, "record.id.split")]),
        (BARE + "[record]\nbase = { at = 'a', unit = '-1' }\n", [(10, "record.base.unit")]),
        (BARE + "[record]\nend = { at = 'a', words = { x = 'over' } }\n", [(10, "record.end.words.x")]),
        (BARE + "[claim]\nside = { at = 'a', words = { x = 'me' } }\n",
         [(10, "claim.side"), (10, "claim.side.words.x")]),
        (BARE + "[always]\nbase = 0\n", [(10, "always.base")]),
        (BARE + "[always]\nbase = 1\n[record]\nbase = 'b'\n", [(10, "always.base")]),
        (BARE + "[seats]\ncount = 1\n", [(10, "seats.count")]),
        (BARE + "[seats]\nnames = ['a', 'a']\n", [(10, "seats.names")]),
        (BARE + "[seats]\ncount = 3\nnames = ['a', 'b']\n", [(11, "seats.names")]),
        (BARE + "[seats]\nplayers = true\n", [(10, "seats.players")]),
        (BARE + "[seats]\nroles = ['l', 'd', 'u']\n", [(10, "seats.roles")]),
        (BARE + "[seats]\nfirst = 1\nnames = ['a', 'b']\n", [(10, "seats.first")]),
        (BARE + "[cards]\ncode = 'octal'\n", [(10, "cards.code")]),
        (BARE + "[cards]\nsuits = 'SHCD'\n", [(10, "cards.suits")]),
        (BARE + "[cards]\ncode = 'hex'\nsuits = 'SHCX'\n", [(11, "cards.suits")]),
        (BARE + "[cards]\ncode = 'numbers'\nranks = '33456789TJQKA'\n", [(11, "cards.ranks")]),
        (BARE + "[cards]\ncode = 'words'\n", [(9, "cards.words")]),
        (BARE + "[cards.words]\nx = 'S1'\n", [(10, "cards.words.x")]),
        (BARE + "[cards]\nsplit = ','\nwidth = 2\n", [(11, "cards.width")]),
        (BARE + "[times]\nform = 'local'\n", [(9, "times.zone")]),
        (BARE + "[times]\nzone = 'Middle/Earth'\n", [(10, "times.zone")]),
        (BARE + "[times]\nmoves_form = 's'\n", [(10, "times.moves_form")]),
        (BARE + "[times]\nform = 's'\npattern = '%Y'\n", [(11, "times.pattern")]),
        (BARE + "time = 't'\n[times]\nmoves = 'absolute'\n", [(11, "times.moves")]),
        (BARE + "form = 'fupan'\n", [(6, "plays.seat")]),
        (BARE + "reading = 'r'\nreading_words = { x = 'fullhouse' }\n", [(10, "plays.reading_words.x")]),
        (BARE + "[auction]\nwords = { x = 'double' }\n", [(9, "auction.seat"), (10, "auction.words.x")]),
        (BARE.replace('seat = "s"\n', ""), [(5, "plays.seat")]),
        (BARE.replace('seat = "s"', "passes_written = false"), [(5, "plays.seat"), (6, "plays.passes_written")]),
        (BARE.replace('group = "g"\n', ""), [(4, "plays.rows")]),
        (BARE.replace('group = "g"', "group = []"), [(3, "source.group")]),
        (BARE.replace('group = "g"', 'scattered = true\nbegins = { a = "b" }'), [(3, "source.scattered")]),
        (BARE.replace('group = "g"', 'group = "g"\nbegins = { a = "b" }'), [(4, "source.begins")]),
        (BARE.replace('group = "g"', 'group = "g"\nhands = "a"'), [(4, "source.hands")]),
        (BARE.replace('group = "g"', "group = 'g'\ndelimiter = ';;'"), [(4, "source.delimiter")]),
        (BARE.replace('group = "g"', "group = 'g'\ndelimiter = '\"'"), [(4, "source.delimiter")]),
        (BARE.replace('group = "g"', "group = 'g'\ncolumns = ['a', 'a']"), [(4, "source.columns")]),
        (BARE.replace('"csv"', '"json"') + "[source.x]\n", [(9, "source.x")]),
        (BARE.replace('"csv"', '"parquet"').replace('group = "g"', 'sort = "a"\nskip = 2'),
         [(3, "source.sort"), (4, "source.skip"), (6, "plays.rows")]),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_line(text: str, expected: list[tuple[int, str]]):
    assert sorted(mistakes(text)) == sorted(expected)


def test_one_mistake_does_not_hide_another():
    text = BARE + "[seats]\ncount = 'x'\n[cards]\ncode = 'hex'\nsuits = 'SHCX'\n[tags]\nroom = 3\nlevel = 'a.'\n"
    assert mistakes(text) == [(10, "seats.count"), (13, "cards.suits"), (15, "tags.room"), (16, "tags.level")]


def test_a_list_over_several_lines_does_not_shift_them():
    text = BARE + '[players]\nid = [\n  "p0",\n  { at = "p1" },\n  "p2",\n]\nname = 3\n'
    assert mistakes(text) == [(15, "players.name")]


def test_a_mapping_with_mistakes_is_the_callers(tmp_path: Path):
    path = tmp_path / "own.toml"
    path.write_text(BARE + "[x]\n", "utf-8")
    with pytest.raises(BadMapping) as problem:
        read([], format=str(path))
    assert [mistake.key for mistake in problem.value.mistakes] == ["x"]
    path.write_bytes(b'source.kind = "\xff"')
    with pytest.raises(BadMapping, match="not UTF-8"):
        read([], format=str(path))
    with pytest.raises(FileNotFoundError):
        read([], format=str(tmp_path / "absent.toml"))


# --- paths

DOCUMENT = {"a": {"b": [10, {"c": 1}, {"c": 2}]}, "x.y": 3, "*": 4, "n": None, "7": 5, "l": [{"m": [1, 2]}, {"m": [3]}]}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", DOCUMENT), ("a.b.0", 10), ("a.b.-1.c", 2), ("a.b.3", MISSING), ("a.c", MISSING), ("a.b.c", MISSING),
        ('"x.y"', 3), ("'x.y'", 3), ('"*"', 4), ("n", None), ("n.m", MISSING), ("7", 5), ("l.*.m", [[1, 2], [3]]),
        ("l.*.m.*", [1, 2, 3]), ("l.*.m.0", [1, 3]), ("l.*.k", MISSING), ("a.*", MISSING), ("a.b.*.c", MISSING),
    ],
)  # fmt: skip
def test_paths(path: str, expected: Any):
    assert find(DOCUMENT, path) == expected


@pytest.mark.parametrize("path", ["a.", ".a", "a..b", 'a"b"', '"a', '"a"b', " a", "a. b"])
def test_what_is_no_path(path: str):
    with pytest.raises(ValueError, match="no path"):
        steps_of(path)


@pytest.mark.parametrize("path", ["a.b.0", "a.*.c", '"x.y".z', "中文.列", '"7"', '"*"', "a b.c"])
def test_paths_are_written_as_they_are_read(path: str):
    assert written(steps_of(path)) == path


def test_what_is_used_covers_what_is_there():
    there = {written(leaf): leaf for leaf in leaves(DOCUMENT)}
    assert set(there) == {"a.b.*", "a.b.*.c", '"x.y"', '"*"', "n", '"7"', "l.*.m"}
    assert covers(steps_of("a.b.1.c"), there["a.b.*.c"])
    assert covers(steps_of("a"), there["a.b.*.c"])
    assert covers(steps_of("n.m"), there["n"])
    assert not covers(steps_of("a.b.*.d"), there["a.b.*.c"])


# --- cards


def cards(given: Any, **keys: Any) -> str:
    return " ".join(spelling(msgspec.convert(keys, CardKeys)).cards(given))


HEX_RANKS = list(enumerate("A23456789TJQK", 1))
HEX = {f"{suit}{rank}": high << 4 | low for high, suit in enumerate("DCHS") for low, rank in HEX_RANKS}


@pytest.mark.parametrize(
    ("given", "keys", "expected"),
    [
        ("S3H10BR", {}, "S3 HT B R"),
        (["S3", "BJ", "RJ", "10", "♠A"], {}, "S3 B R T SA"),
        ([3, 10], {}, "3 T"),
        ("S3-RJ", {"split": "-"}, "S3 R"),
        ("S3小王H4", {"words": {"小王": "B"}}, "S3 B H4"),
        ("黑桃3红心10方片A 小王,大王♣J", {"code": "chinese"}, "S3 HT DA B R CJ"),
        (["黑桃A", "10", "小王"], {"code": "chinese"}, "SA T B"),
        ([0x01, 0x1A, 0x2D, 0x33, 0x4E, 0x4F], {"code": "hex"}, "DA CT HK S3 B R"),
        ("0x01,0X1a,2D,33", {"code": "hex", "split": ","}, "DA CT HK S3"),
        ("011A2D4F", {"code": "hex", "width": 2}, "DA CT HK R"),
        ("1,26,78", {"code": "hex", "radix": 10, "split": ","}, "DA CT B"),
        ("0x1A", {"code": "hex", "radix": 10}, "CT"),
        ([1], {"code": "hex", "suits": "SHCD"}, "SA"),
        ([0x4E], {"code": "hex", "jokers": "RB"}, "R"),
        ([3, 10, 14, 15, 16, 17], {"code": "ranks"}, "3 T A 2 B R"),
        ("3 14 17", {"code": "ranks", "split": " "}, "3 A R"),
        ([3.0, Decimal("14.0")], {"code": "ranks"}, "3 A"),
        (7, {"code": "ranks"}, "7"),
        ("7", {"code": "ranks"}, "7"),
        ([17, 20, 30], {"code": "words", "words": {"17": "2", "20": "B", "30": "R"}}, "2 B R"),
        ([0, 1, 4, 51, 52, 53], {"code": "numbers"}, "S3 H3 S4 D2 B R"),
        ([1, 14, 52, 53, 54], {"code": "numbers", "first": 1, "by": "suit"}, "S3 H3 D2 B R"),
        ([0, 53], {"code": "numbers", "ranks": "A23456789TJQK", "suits": "HDSC", "jokers": "RB"}, "HA B"),
        ([0, 54, 53, 107], {"code": "numbers", "packs": 2}, "S3 S3 R R"),
        ([1, 2, 3, 108], {"code": "numbers", "packs": 2, "first": 1, "copies": "together"}, "S3 S3 H3 R"),
        ("10,sj,bj", {"code": "words", "split": ",", "words": {"10": "T", "sj": "B", "bj": "R"}}, "T B R"),
        ("10sjbj", {"code": "words", "words": {"10": "T", "sj": "B", "bj": "R"}}, "T B R"),
        ([3, 3, 0, 0], {"code": "ranks", "words": {"0": ""}}, "3 3"),
        ([{"s": "S", "r": "10"}, {"s": None, "r": "B"}], {"parts": ["s", "r"]}, "ST B"),
        ([["H", 3]], {"parts": ["0", "1"]}, "H3"),
        ("", {}, ""), (None, {"code": "hex"}, ""), ([], {"code": "ranks"}, ""),
    ],
)  # fmt: skip
def test_cards(given: Any, keys: dict[str, Any], expected: str):
    assert cards(given, **keys) == expected


@pytest.mark.parametrize(
    ("given", "keys", "text"),
    [
        ("S3X", {}, "X"), (["S3H3"], {}, "S3H3"), ("3,", {"split": ","}, ""), (["小王"], {}, "小王"),
        ([0x0E], {"code": "hex"}, "14"), ([0x40], {"code": "hex"}, "64"), (["1G"], {"code": "hex"}, "1G"),
        ([2], {"code": "ranks"}, "2"), ([18], {"code": "ranks"}, "18"), ("3 4", {"code": "ranks"}, "3 4"),
        ([-1], {"code": "numbers"}, "-1"), ([54], {"code": "numbers"}, "54"), ([True], {"code": "ranks"}, "true"),
        ("黑桃3x", {"code": "chinese"}, "x"), ("10;sj", {"code": "words", "words": {"10": "T", "sj": "B"}}, ";"),
        ("0x0", {"code": "hex"}, "0x0"), ("-1", {"code": "hex"}, "-1"),
    ],
)  # fmt: skip
def test_unreadable_cards(given: Any, keys: dict[str, Any], text: str):
    with pytest.raises(Unread) as problem:
        cards(given, **keys)
    assert (problem.value.trouble.code, problem.value.trouble.text) == ("R105", text)


@pytest.mark.parametrize("given", [[{"a": 1}], [[1]], {"a": 1}, [None], [1.5]])
def test_what_is_no_card_at_all(given: Any):
    for code in ("fupan", "hex", "ranks", "chinese"):
        with pytest.raises(Unread):
            cards(given, code=code)


def test_hexadecimal_codes_are_all_54():
    known = spelling(CardKeys(code="hex")).numbers
    assert sorted(known.values()) == sorted(FACES)
    assert all(known[number] == face for face, number in HEX.items())


def test_ranks_are_all_15():
    assert [cards([number], code="ranks") for number in range(3, 18)] == list(RANKS)


# --- seats


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, {"0": 0, "2": 2, "1.0": 1}),
        ({"first": 1}, {"1": 0, "3": 2}),
        ({"names": ["east", ["south", "S"], "west"]}, {"east": 0, "south": 1, "S": 1, "west": 2}),
        ({"players": True}, {"a": 0, "b": 1, "c": 2}),
        ({"order": "against"}, {"0": 0, "1": 2, "2": 1}),
        ({"names": ["e", "n", "w"], "order": "against"}, {"e": 0, "n": 2, "w": 1}),
        ({"roles": ["地主", "下家", "上家"]}, {"地主": 1, "下家": 2, "上家": 0, "0": 0}),
    ],
)
def test_seats(keys: dict[str, Any], words: dict[str, int]):
    seating = Seating(msgspec.convert(keys, SeatKeys), 3, ["a", "b", "c"], landlord=1)
    assert {word: seating.seat(word) for word in words} == words
    for word in ("", "9", "-1", "x", "²", None, [1], {"a": 1}, 10**30, True, "00001"):
        with pytest.raises(Unread):
            seating.seat(word)


def test_numbers_are_seats_too():
    assert [Seating(SeatKeys(), 3).seat(given) for given in (1, 1.0, Decimal(2))] == [1, 1, 2]


def test_lists_of_seats_are_put_in_order_of_turn():
    assert Seating(SeatKeys(order="against"), 4).in_turn("abcd") == list("adcb")
    assert Seating(SeatKeys(), 4).in_turn("abcd") == list("abcd")


def test_a_player_who_sits_twice_is_no_seat():
    with pytest.raises(Unread):
        Seating(SeatKeys(players=True), 3, ["a", "a", "b"]).seat("a")


# --- numbers


@pytest.mark.parametrize(
    ("given", "keys", "expected"),
    [
        (7, {}, 7), ("7", {}, 7), ("+7", {}, 7), ("-7", {}, -7), ("7.0", {}, 7), (7.0, {}, 7), (Decimal("7.00"), {}, 7),
        (Decimal("1E+3"), {}, 1000), ("007", {}, 7), ("12.34", {"unit": "0.01"}, 1234), ("3", {"unit": "0.5"}, 6),
        ("20分", {"suffix": "分"}, 20), ("20", {"suffix": "分"}, 20), (2**63 - 1, {}, 2**63 - 1),
        (600, {"unit": "100"}, 6),
        ("0.30000000000000000000000000000000000001", {"unit": "0.00000000000000000000000000000000000001"}, None),
    ],
)  # fmt: skip
def test_numbers(given: Any, keys: dict[str, str], expected: int | None):
    if expected is None:
        with pytest.raises(Unread):
            values.whole(given, **keys)
    else:
        assert values.whole(given, **keys) == expected


@pytest.mark.parametrize(
    "given",
    ["", "x", "1,200", "1e3", "0x10", " 7", "7 ", "1_000", "٣", "7.5", 7.5, Decimal("7.5"), True, None, [7],
     {"a": 7}, 2**63,
     "9" * 40, "9" * 99, Decimal("1E+999999999"), Decimal("1E-999999999"), Decimal("NaN"), float("inf"), "NaN", "--7"],
)  # fmt: skip
def test_what_is_no_whole_number(given: Any):
    with pytest.raises(Unread):
        values.whole(given)


def test_yes_and_no():
    assert all(values.yes_or_no(given) for given in (True, "True", 1))
    assert not any(values.yes_or_no(given) for given in (False, "false", "0", Decimal(0)))
    for given in ("yes", "是", 2, [1]):
        with pytest.raises(Unread):
            values.yes_or_no(given)


def test_texts_are_kept_letter_for_letter():
    given = (" 007 ", 7, True, None, Decimal("1.50"), "null")
    assert [values.text(each) for each in given] == [" 007 ", "7", "true", "", "1.50", "null"]


# --- times

EVENING = datetime(2026, 11, 29, 12, 15, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "keys"),
    [
        ("2026-11-29T20:15:03+08:00", {}),
        ("2026-11-29T12:15:03Z", {}),
        ("2026-11-29 20:15:03", {"form": "local", "zone": "+08:00"}),
        ("2026-11-29 20:15:03", {"form": "local", "zone": "Asia/Shanghai"}),
        ("2026/11/29 20.15.03", {"form": "local", "zone": "+08:00", "pattern": "%Y/%m/%d %H.%M.%S"}),
        (1795954503, {"form": "s"}),
        ("1795954503.000", {"form": "s"}),
        (1795954503000, {"form": "ms", "zone": "-03:30"}),
        (EVENING, {}),
        (EVENING.replace(tzinfo=None), {"zone": "+00:00"}),
    ],
)
def test_times(given: Any, keys: dict[str, Any]):
    assert clock(msgspec.convert(keys, TimeKeys)).moment(given) == EVENING


def test_a_time_keeps_the_offset_that_was_stated():
    assert clock(TimeKeys(form="ms", zone="+08:00")).moment(0).isoformat() == "1970-01-01T08:00:00+08:00"


@pytest.mark.parametrize(
    ("given", "form"),
    [("x", "rfc3339"), ("2026-11-29 20:15:03", "rfc3339"), (5, "rfc3339"), (None, "rfc3339"), ([], "ms"), ("x", "s"),
     (10**18, "s"), (10**30, "ms"), (-(10**14), "s"), (Decimal("1E+400"), "s"), (True, "s"),
     (EVENING.replace(tzinfo=None), "s")],
)  # fmt: skip
def test_what_is_no_time(given: Any, form: str):
    with pytest.raises(Unread):
        clock(msgspec.convert({"form": form}, TimeKeys)).moment(given)


@pytest.mark.parametrize(
    ("given", "keys", "expected"),
    [
        (1500, {}, 1500), ("1500.9", {}, 1500), ("1.5", {"moves": "s"}, 1500), (0, {}, 0),
        ("2026-11-29T12:15:04.2505Z", {"moves": "absolute"}, 1250),
        (1795954504, {"moves": "absolute", "moves_form": "s"}, 1000),
    ],
)  # fmt: skip
def test_times_of_moves(given: Any, keys: dict[str, Any], expected: int):
    assert clock(msgspec.convert(keys, TimeKeys)).since(EVENING, given) == expected


def test_a_move_before_the_hand_has_no_time():
    with pytest.raises(Unread):
        clock(TimeKeys(moves="absolute")).since(EVENING, "2026-11-29T12:15:02Z")
    with pytest.raises(Unread):
        clock(TimeKeys(moves="absolute")).since(None, "2026-11-29T12:15:02Z")
    with pytest.raises(Unread):
        clock(TimeKeys()).since(EVENING, -1)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (".".join("a" * 100_000) + " = 1", 1, "a key of over 32 parts"),
        ("\n[" + " . ".join(['"a.\\"b"', "'c'"] * 20_000) + "]", 2, "a key of over 32 parts"),
        ("a = " + "[" * 100_000 + "]" * 100_000, 0, "tables or lists too deep in one another"),
        ("a = " + "{a=" * 50_000 + "1" + "}" * 50_000, 0, "tables or lists too deep in one another"),
        ("a = " + "9" * 200_000, 0, "Exceeds the limit"),
    ],
    ids=["dots", "quoted dots", "lists", "tables", "number"],
)
def test_a_mapping_that_goes_too_deep_is_refused_before_it_is_read(text, line, problem):
    """As large as the dashboard takes: a key of 100,000 parts would take the reader of TOML an hour."""
    with pytest.raises(BadMapping) as caught:
        described(text.encode(), "deep.toml")
    (mistake,) = caught.value.mistakes
    assert mistake.problem.startswith(problem)
    assert mistake.line == line


def test_a_mapping_may_have_dots_in_its_texts_and_32_parts_in_a_key():
    for text in (".".join("a" * 32) + " = 1", "a = '" + "1. " * 100 + "'"):
        with pytest.raises(BadMapping) as caught:
            described(text.encode(), "long.toml")
        assert not any("parts" in mistake.problem for mistake in caught.value.mistakes)
