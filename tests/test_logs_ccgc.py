"""Logs of the students' tournament (CCGC, ICGA): sessions of its protocol and its record; samples are made by hand."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import judge
from ingest.faults import CATALOGUE
from ingest.logs import Entry, detect, read
from ingest.logs.ccgc_words import noted, spoken
from ingest.record import PASS, Record, read_calls, read_plays, read_record, write_record
from ingest.rules.ruleset import load
from ingest.simulate import lawful

LOGS = Path(__file__).parent / "logs"
REAL = Path(__file__).parents[2] / "shared" / "real"
SESSIONS = ("ccgc-platform.txt", "ccgc-engine.log", "ccgc-heard.txt")
RECORD = "P2T1-AvsBvsC.txt"
SOUTH = "S7C7D7S8H8C8D8S9H9C9D9STHTCTDTHJDJ"
HANDS = ["S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6H7", SOUTH, "SJCJSQHQCQDQSKHKCKDKSAHACADAS2H2D2"]
DEAL = "DEAL A0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"


def found(data: str | bytes, **options: str) -> list[Entry]:
    raw = data.encode() if isinstance(data, str) else data
    return list(read(["-"], stdin=io.BytesIO(raw), **options))


def records(data: str | bytes, **options: str) -> list[Record]:
    entries = found(data, **options)
    assert [entry.findings for entry in entries] == [()] * len(entries)
    return [entry.record for entry in entries if entry.record]


def sample(name: str) -> list[Record]:
    return records((LOGS / name).read_bytes(), format="ccgc")


def extra(record: Record) -> dict[str, object]:
    decoded: dict[str, object] = msgspec.json.decode(record.extra)
    return decoded


# What is read


def test_a_platforms_log_says_everything_three_times_and_is_read_once():
    first, second = sample("ccgc-platform.txt")
    assert (first.id, first.rules, first.hands, first.bottom) == ("-#1", "ccgc", HANDS, "C2BR")
    assert (first.first, first.auction, first.landlord) == (0, "0:- 1:2 2:-", None)
    assert first.plays == "1:BR 2:- 0:S3H3C3D3 1:- 2:- 0:S4H4C4D4"
    assert [(player.id, player.bot) for player in first.players] == [("红队", True), ("007", True), ("blue team", True)]
    assert msgspec.to_builtins(first.claim) == {"landlord": 1, "winners": [0, 2]}
    assert (first.tags, first.end) == ({"turn": "1", "round": "1"}, None)
    assert extra(first) == {"version": "1.0", "info": "1,4,1,6,9,2100,15", "over": "A"}
    assert (second.auction, second.plays, second.end, second.bottom, second.claim) == (
        "0:- 1:- 2:-",
        "",
        "void",
        None,
        None,
    )
    assert second.players == first.players
    verdict = judge(Entry("", 1, b"", second)).verdict
    assert (verdict.verdict, verdict.outcome, verdict.scores) == ("clean", "void", [0, 0, 0])


def test_a_session_of_one_engine_with_its_answers_after_times_and_arrows():
    first, second = sample("ccgc-engine.log")
    assert first.hands == second.hands == [None, SOUTH, None]
    assert (
        [player.id for player in first.players] == [player.id for player in second.players] == ["A", "hand-made", "C"]
    )
    assert (first.auction, first.plays) == ("0:1 1:3", "1:BR 2:- 0:- 1:S7C7D7 2:SJCJ")
    assert msgspec.to_builtins(first.claim) == {"landlord": 1, "winners": [0, 2]}
    assert extra(first)["first_other_lines"] == ["[12:00:13.125] thinking: 3 candidates"]
    assert extra(first)["seat"] == "B"
    assert (second.auction, second.plays, second.end) == ("0:3", "0:H3 1:-", "escape:2")
    assert msgspec.to_builtins(second.claim) == {"landlord": 0}


@pytest.mark.parametrize("name", [*SESSIONS, RECORD])
def test_windows_newlines_change_nothing(name: str):
    raw = (LOGS / name).read_bytes()
    assert records(raw.replace(b"\n", b"\r\n"), format="ccgc") == sample(name)


def test_what_an_engine_did_not_write_down_is_not_made_up():
    (record,) = sample("ccgc-heard.txt")
    assert (record.hands, record.bottom) == ([None, None, HANDS[2]], "C2BR")
    assert (record.first, record.auction, record.landlord, record.plays) == (0, None, 1, "1:D7")
    assert extra(record)["unplaced"] == ["BID A0", "BID B1", "PLAY A-1", "PLAY B20"]
    assert extra(record)["info"] == "1,2,1,100,10,2100"
    verdict = judge(Entry("", 1, b"", record)).verdict
    assert (verdict.outcome, verdict.scores) == ("unfinished", None)
    assert [finding.code for finding in verdict.findings] == ["D207", "P407", "S607"]


def test_a_record_in_brackets():
    first, second = sample(RECORD)
    whole = sample("ccgc-platform.txt")[0]
    for field in ("hands", "bottom", "plays", "players", "claim", "tags"):
        assert getattr(first, field) == getattr(whole, field)
    assert (first.auction, first.landlord, extra(first)["unplaced"]) == (None, 1, [";BA[0]"])
    assert (second.auction, second.landlord, second.plays) == ("0:1 1:3", None, "1:BR 2:-")
    assert extra(second) == {"version": "1.0", "info": "1,4,2,6,9,2100", "over": "B"}
    assert [entry.line for entry in found((LOGS / RECORD).read_bytes())] == [1, 16]


@pytest.mark.parametrize(
    ("bids", "auction", "landlord"),
    [
        (";BA[3]", "0:3", None),
        (";BA[1]", None, 0),
        (";BA[1]\n;BB[0]\n;BC[0]", "0:1 1:- 2:-", None),
        (";BA[1];BB[0]", None, 0),
        ("", None, 0),
    ],
)
def test_an_auction_is_given_only_whole(bids: str, auction: str | None, landlord: int | None):
    text = f"(\n;VER[1.0]PA[x]PB[y]PC[z]\n;DA[0,1]\n{bids}\n;LA[51,52,53]\n;A[0]\n)"
    (record,) = records(text)
    assert (record.auction, record.landlord) == (auction, landlord)


def test_a_session_that_breaks_off_before_the_landlord_is_known_keeps_its_bids():
    (record,) = records(f"DOUDIZHUVER 1.0\n{DEAL}\nBID WHAT\nBID A1\nBID B2\n")
    assert (record.auction, record.landlord, record.claim) == ("0:1 1:2", None, None)


def test_a_pass_that_the_platform_makes_for_an_engine_is_a_pass():
    """A `PLAY` for the own seat that nobody asked for."""
    (record,) = records(
        f"{DEAL}\nBID WHAT\nBID A0\nBID B3\nLEFTOVER B51,52,53\nPLAY B20\nPLAY C-1\nPLAY A-1\nPLAY B24\n",
        format="ccgc",
    )
    assert record.plays == "1:H8 2:- 0:- 1:H9"


def test_the_code_of_the_cards_is_hearts_diamonds_spades_clubs():
    (record,) = records(
        f"{DEAL}\nBID A3\nLEFTOVER A51,52,53\nPLAY A0\nPLAY B21\nPLAY C34\nPLAY A51\nPLAY B52\nPLAY C53\n",
        format="ccgc",
    )
    assert record.plays == "0:H3 1:D8 2:SJ 0:C2 1:B 2:R"


@pytest.mark.parametrize(
    "line",
    [
        "PLAY B3,4,5", "PLAY B 3,4,5", "PLAY B3, 4 ,5", "PLAY B3，4，5", "  PLAY B3,4,5  ", "[INFO] recv: PLAY B3,4,5",
        "2015-04-06 12:00:01.123 >> PLAY B3,4,5", "<- PLAY B3,4,5", "平台→南：PLAY B3,4,5", "12:01:02 INFO PLAY B3,4,5",
    ],
)  # fmt: skip
def test_spellings_of_a_line(line: str):
    (saying,) = spoken(line)
    assert (saying.what, saying.seat) == ("play", 1)
    assert saying.text.replace(" ", "").replace("，", ",") == "3,4,5"


def test_names_stand_for_seats_only_where_it_is_plain_whose_they_are():
    one = f"DOUDIZHUVER 1.0\nName cqut\n{DEAL}\nBID A3\n"
    assert [player.id for player in records(one)[0].players] == ["cqut", "B", "C"]
    two = f"NAME x\nNAME y\n{DEAL}\nBID A3\n"
    assert [player.id for player in records(two, format="ccgc")[0].players] == ["A", "B", "C"]
    again = one + f"GAMEOVER A\n{one.replace('cqut', '007')}" + f"GAMEOVER A\nINFO 1,1,2,2,1,1,1\n{DEAL}\nBID A3\n"
    assert [record.players[0].id for record in records(again)] == ["cqut", "007", "007"]


# What cannot be read


@pytest.mark.parametrize(
    ("line", "code", "details"),
    [
        ("PLAY B54", "R105", {"field": "PLAY B54", "text": "[54]"}),
        ("PLAY B-1,3", "R105", {"field": "PLAY B-1,3", "text": "[-1,3]"}),
        ("PLAY B-2", "R105", {"field": "PLAY B-2", "text": "[-2]"}),
        ("PLAY B9999", "R105", {"field": "line", "text": "PLAY B9999"}),
        ("PLAY B", "R105", {"field": "line", "text": "PLAY B"}),
        ("PLAY B3,", "R105", {"field": "line", "text": "PLAY B3,"}),
        ("PLAY B3,x", "R105", {"field": "line", "text": "PLAY B3,x"}),
        ("PLAY D3", "R105", {"field": "line", "text": "PLAY D3"}),
        ("PLAY E3", "R105", {"field": "line", "text": "PLAY E3"}),
        ("PLAY", "R105", {"field": "line", "text": "PLAY"}),
        ("BID A/", "R105", {"field": "line", "text": "BID A/"}),
        ("BID B-1", "R105", {"field": "line", "text": "BID B-1"}),
        ("BID B1,2", "R105", {"field": "line", "text": "BID B1,2"}),
        ("LEFTOVER C51,52,53", "R103", {"field": "LEFTOVER", "reason": "said in different ways"}),
        ("GAMEOVER A\nGAMEOVER B", "R103", {"field": "GAMEOVER", "reason": "said in different ways"}),
        ("GAMEOVER E", "R105", {"field": "line", "text": "GAMEOVER E"}),
        ("GAMEOVER", "R105", {"field": "line", "text": "GAMEOVER"}),
    ],
)
def test_what_a_session_cannot_have_meant(line: str, code: str, details: dict[str, str]):
    (entry,) = found(f"DOUDIZHUVER 1.0\n{DEAL}\nBID A3\nLEFTOVER A51,52,53\nPLAY A0\n{line}\n")
    assert (entry.record, [(f.code, f.details) for f in entry.findings]) == (None, [(code, details)])


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        (";VER[1]\n;DA[0]\n;XA[1]\n", "R105", {"field": "line", "text": "XA[1]"}),
        (";VER[1]\n;DA[0]\n;A[1\n", "R105", {"field": "line", "text": ";A[1"}),
        (";VER[1]\n;DA[0]\nhello\n", "R105", {"field": "line", "text": "hello"}),
        (";VER[1]\n;DA[0]\n;A[]\n", "R105", {"field": "line", "text": ";A[]"}),
        (";VER[1]\n;DA[0]\n;BA[x]\n", "R105", {"field": "line", "text": ";BA[x]"}),
        (";VER[1]\n;DA[0]\n;LA[1,2,3]\n;OVER[Z]\n", "R103", {"field": "GAMEOVER", "reason": "no seat: Z"}),
        (";VER[1]\n;DA[0];DA[1]\n", "R103", {"field": "DEAL", "reason": "a seat is dealt two hands on one line"}),
        (";VER[1]PA[x]\n;BA[1]\n", "R102", {"field": "DEAL"}),
        ("(\n)\n", "R112", {"reason": "not a CCGC log"}),
    ],
)
def test_what_a_record_cannot_have_meant(text: str, code: str, details: dict[str, str]):
    (entry,) = found(text, format="ccgc-record")
    assert (entry.record, [(f.code, f.details) for f in entry.findings]) == (None, [(code, details)])


def test_sessions_without_a_game_and_what_is_no_session():
    assert [f.code for entry in found("DOUDIZHUVER 1.0\nNAME x\n") for f in entry.findings] == ["R102"]
    assert [f.code for entry in found("hello\nworld\n", format="ccgc") for f in entry.findings] == ["R112"]
    (entry,) = found(f"DOUDIZHUVER 1.0\nNAME \xff\n{DEAL}\n".encode("latin-1"), format="ccgc-protocol")
    assert [finding.code for finding in entry.findings] == ["R111"]


def test_a_broken_game_leaves_the_others_alone():
    one = f"INFO 1,1,1,3,1,1,1\n{DEAL}\nBID A3\nLEFTOVER A51,52,53\nPLAY A0\nGAMEOVER A\n"
    entries = found("DOUDIZHUVER 1.0\n" + one + one.replace("PLAY A0", "PLAY A77") + one.replace("1,1,1,3", "1,1,2,3"))
    assert [[f.code for f in entry.findings] for entry in entries] == [[], ["R105"], []]
    assert [entry.line for entry in entries] == [1, 8, 14]


# Every lawful game, written as each log writes it


def numbers(cards: str) -> list[int]:
    jokers = [52 + "BR".index(card) for card in cards if card in "BR"]
    others = re.findall("[SHCD][^SHCDBR]", cards)
    return [4 * "3456789TJQKA2".index(rank) + "HDSC".index(suit) for suit, rank in others] + jokers


def listed(cards: str) -> str:
    return ",".join(map(str, numbers(cards)))


def moves(record: Record) -> tuple[list[str], list[str]]:
    bids = [f"{'ABC'[call.seat]}{0 if call.word == PASS else call.word}" for call in read_calls(record.auction or "")]
    plays = [f"{'ABC'[m.seat]}{'-1' if m.text == PASS else listed(m.text)}" for m in read_plays(record.plays)]
    return bids, plays


def platform_log(record: Record) -> Iterator[str]:
    assert record.hands is not None
    bids, plays = moves(record)
    yield from ["INFO 1,1,1,1,1,2100,15", "OK INFO"] * 3
    for seat, hand in zip("ABC", record.hands, strict=True):
        yield from (f"DEAL {seat}{listed(hand or '')}", "OK DEAL")
    for bid in bids:
        yield from ("BID WHAT", f"BID {bid}", f"BID {bid}", "OK BID", f"BID {bid}", "OK BID")
    if record.end == "void":
        return
    landlord = "ABC"[next(iter(read_plays(record.plays))).seat]
    yield from [f"LEFTOVER {landlord}{listed(record.bottom or '')}", "OK LEFTOVER"] * 3
    for play in plays:
        yield from ("PLAY WHAT", f"PLAY {play}", f"PLAY {play}", "OK PLAY", f"PLAY {play}", "OK PLAY")
    yield from [f"GAMEOVER {plays[-1][0]}", "OK GAMEOVER"] * 3


def engines_log(record: Record, seat: str) -> Iterator[str]:
    assert record.hands is not None
    bids, plays = moves(record)
    yield from ("INFO 1,1,1,1,1,2100,15", f"DEAL {seat}{listed(record.hands['ABC'.index(seat)] or '')}")
    for bid in bids:
        yield from ("BID WHAT",) if bid[0] == seat else ()
        yield f"BID {bid}"
    if record.end != "void":
        yield f"LEFTOVER {'ABC'[next(iter(read_plays(record.plays))).seat]}{listed(record.bottom or '')}"
        for play in plays:
            yield from ("PLAY WHAT",) if play[0] == seat else ()
            yield f"PLAY {play}"
        yield f"GAMEOVER {plays[-1][0]}"


def in_brackets(record: Record) -> Iterator[str]:
    assert record.hands is not None
    bids, plays = moves(record)
    yield from (";VER[1.0]PA[a]PB[b]PC[c]", ";TI[1]TC[1]RI[1]RC[1]UC[1]MS[2100]")
    yield from (f";D{seat}[{listed(hand or '')}]" for seat, hand in zip("ABC", record.hands, strict=True))
    yield from (f";B{bid[0]}[{bid[1:]}]" for bid in bids)
    if record.end != "void":
        yield f";L{'ABC'[next(iter(read_plays(record.plays))).seat]}[{listed(record.bottom or '')}]"
        yield from (f";{play[0]}[{play[1:]}]" for play in plays)
        yield f";OVER[{plays[-1][0]}]"


@pytest.fixture(scope="module")
def games() -> list[Record]:
    rng, rules = Random(7), load("ccgc")
    played = [lawful(rules, rng, timid=number % 5 == 0) for number in range(60)]
    return [record for record in played if record.landlord is None and not (record.end or "").startswith("escape")]


def test_every_lawful_game_is_clean_in_every_form_and_its_score_the_same(games: list[Record]):
    assert len(games) > 50
    assert {record.end for record in games} == {None, "void"}
    for record in games:
        expected = judge(Entry("", 1, b"", record)).verdict
        for form, lines, hidden in (
            ("ccgc-protocol", platform_log(record), False),
            ("ccgc-record", in_brackets(record), False),
            *(("ccgc-protocol", engines_log(record, seat), True) for seat in "ABC"),
        ):
            (read_back,) = records("\n".join(lines), format=form)
            verdict = judge(Entry("", 1, b"", read_back)).verdict
            assert verdict.verdict == "clean", (form, verdict.findings)
            assert (verdict.scores, verdict.multiplier, verdict.bid) == (
                expected.scores,
                expected.multiplier,
                expected.bid,
            )
            assert (None in (read_back.hands or [])) == hidden
            if verdict.outcome != "void":
                assert read_back.claim is not None
                assert read_back.claim.winners == expected.winners


def test_many_games_of_one_session(games: list[Record]):
    text = "\n".join(["DOUDIZHUVER 1.0", *(line for record in games for line in platform_log(record))])
    assert [record.plays.count(" ") for record in records(text)] == [record.plays.count(" ") for record in games]


# Detection, conversion, damage


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
@pytest.mark.parametrize("size", [400, 1 << 16])
def test_only_logs_of_the_tournament_are_recognised_as_such(name: str, size: int):
    told = detect((LOGS / name).read_bytes()[:size], name)
    expected = "ccgc-record" if name == RECORD else "ccgc-protocol" if name in SESSIONS else None
    assert told == expected if expected else told not in ("ccgc", "ccgc-protocol", "ccgc-record")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"INFO 1,2,1,100,10,2100,15\nDEAL A0,1", "ccgc-protocol"),
        (b"10:00 > DOUDIZHUVER 1.0\n", "ccgc-protocol"),
        (b"(\t\r\n;VER[ 1.0]PA[x]PB[y]PC[z]\r\n", "ccgc-record"),
        (b"(;GM[1]FF[4]SZ[19]PB[x]PW[y];B[aa];W[bb])", None),
        (b"INFO 1 thing happened\nINFO 2 things happened\n", None),
        (b"DEAL with it\nBID farewell\nPLAY dead\n", None),
        (b"()\n", None),
    ],
)
def test_beginnings(head: bytes, expected: str | None):
    assert detect(head, "x.txt") == expected


@pytest.mark.parametrize("name", [*SESSIONS, RECORD])
def test_a_converted_log_has_the_same_verdicts(name: str):
    for record in sample(name):
        again, unknown = read_record(write_record(record))
        assert not unknown
        assert write_record(again) == write_record(record)
        before, after = (judge(Entry("", 1, b"", each)).verdict for each in (record, again))
        assert before == after


SEEDS = [(LOGS / name).read_bytes() for name in (*SESSIONS, RECORD)]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.data(), st.sampled_from(["ccgc", "ccgc-protocol", "ccgc-record", None]))
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject, form: str | None):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 5))):
        place = data.draw(st.integers(0, len(broken) - 1))
        broken[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    for entry in read(["-"], format=form, stdin=io.BytesIO(bytes(broken))):
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
        if entry.record is not None and not entry.findings:
            assert read_record(write_record(entry.record))[0].plays == entry.record.plays
            judge(entry)


@settings(max_examples=300, deadline=None)
@given(st.text("ABCD;[]()0123456789-, PLAYBIDNAMEVERTIOK\t", max_size=80))
def test_every_line_says_something(line: str):
    assert all(saying.what for saying in [*spoken(line), *noted(line)])


LONG = 200_000


@pytest.mark.parametrize(
    "line",
    [
        " " * LONG, "(" * LONG, ";" * LONG, ";A[1" * LONG, "A" * LONG, ";" + "A[1]" * LONG, "PLAY B" + "1," * LONG,
        "ERROR " * LONG, "OK  " * LONG, "NAME " * LONG, "1" * LONG, "PLAY B" + "9" * LONG, "INFO " + "1" * LONG,
    ],
)  # fmt: skip
def test_reading_a_long_line_takes_no_more_than_its_length(line: str):
    for form in ("ccgc-protocol", "ccgc-record"):
        assert len(found(f"{DEAL}\n{line}\n", format=form)) >= 1


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="no folder shared/real beside the checkout")
def test_the_real_session_is_readable_and_unfinished():
    (entry,) = read([str(REAL / "ccgc")])
    assert entry.record is not None
    assert (entry.record.landlord, entry.record.bottom, entry.record.plays) == (0, "S3DTCQ", "")
    verdict = judge(entry).verdict
    assert (verdict.outcome, [finding.code for finding in verdict.findings]) == ("unfinished", ["D207", "P407", "S607"])
