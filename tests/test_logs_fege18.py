"""FEGE18's text logs of FightTheLandlord2, in both dialects; the samples are made by hand."""

import gzip
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import judge
from ingest.faults import CATALOGUE
from ingest.logs import Entry, detect, read
from ingest.record import Record, read_record, write_record

LOGS = Path(__file__).parent / "logs"
REAL = Path(__file__).parents[2] / "shared" / "real"
TWO, THREE = "fege18-reference.txt", "fege18-three-bots.txt"
HANDS = [
    "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6H7",
    "S7C7D7S8H8C8D8S9H9C9D9STHTCTDTHJDJ",
    "SJCJSQHQCQDQSKHKCKDKSAHACADAS2H2D2",
]
NAMES = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "joker", "JOKER"]


def found(data: bytes, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data), **options))


def sample(name: str) -> list[Record]:
    entries = found((LOGS / name).read_bytes())
    assert [entry.findings for entry in entries] == [()] * len(entries)
    return [entry.record for entry in entries if entry.record]


def extra(record: Record) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(record.extra)
    return decoded


# What is read


def test_the_dialect_of_one_bot_against_the_reference():
    first, second = sample(TWO)
    assert (first.id, first.rules, first.hands, first.bottom, first.first) == ("-#5", "botzone", HANDS, "C2BR", 0)
    assert [(player.id, player.bot) for player in first.players] == [("REF", True), ("OUR", True), ("REF", True)]
    assert (first.auction, first.plays, first.end) == ("0:- 1:2 2:-", "1:BR 2:- 0:S3H3C3D3", None)
    assert msgspec.to_builtins(first.claim) == {"landlord": 1, "winners": [0, 2], "multiplier": 8, "bid": 2}
    assert extra(first) == {"game": "1", "seed": "7", "winner": "P0", "spring": "False", "antiSpring": "True"}
    assert (second.auction, second.plays) == ("0:3", "0:H3 1:D7D8")
    assert msgspec.to_builtins(second.claim) == {"landlord": 0, "bid": 3}
    (fault,) = extra(second)["illegal"]
    assert (fault["play"], fault["reason"][:33]) == (1, "cannot_beat required=SINGLE 3x1 [")
    assert extra(second)["stopped"].startswith("illegal=illegal_play turn=2 P1")


def test_an_illegal_play_stands_and_the_audit_faults_it():
    verdict = judge(Entry("", 1, b"", sample(TWO)[1])).verdict
    assert [(finding.code, finding.index) for finding in verdict.findings][:1] == [("P403", 1)]


def test_the_dialect_of_three_bots_with_its_crashes():
    first, second = sample(THREE)
    assert [player.id for player in first.players] == ["TEST", "TEST3", "REF"]
    assert (first.auction, first.plays, first.end) == ("0:3", "0:H3", "escape:1")
    assert msgspec.to_builtins(first.claim) == {"landlord": 0, "winners": [0], "multiplier": 1, "bid": 3}
    assert extra(first)["crash"] == "PLAY CRASH P1 TEST3 landlord=P0 error=Bot exited with code 3"
    assert (second.auction, second.plays, second.end) == ("0:-", "", "escape:1")
    assert msgspec.to_builtins(second.claim) == {"landlord": 1, "winners": [0, 2], "multiplier": 1}
    assert extra(second)["forcedByCrash"] == "True"


def test_the_totals_are_no_game_and_nothing_else_is_passed_over():
    raw = (LOGS / TWO).read_bytes()
    assert [entry.line for entry in found(raw)] == [5, 44]
    assert len(found(raw[raw.index(b"================ GAME 1") :])) == 2
    damaged = found(raw.replace(b"================ GAME 1 ", b"######## GAME 1 "))
    assert [[f.code for f in entry.findings] for entry in damaged] == [["R112"], []]
    assert [f.code for entry in found(raw[:140]) for f in entry.findings] == ["R112"]


def test_windows_newlines():
    raw = (LOGS / TWO).read_bytes()
    assert [e.record and e.record.plays for e in found(raw.replace(b"\n", b"\r\n"))] == [r.plays for r in sample(TWO)]


# What cannot be read


@pytest.mark.parametrize(
    ("old", "new", "code", "details"),
    [
        ("initial P1 OUR", "initial P7 OUR", "R102", {"field": "initial P1"}),
        ("initial P1 OUR", "initial P0 OUR", "R102", {"field": "initial P1"}),
        ("public=", "publik=", "R102", {"field": "public"}),
        ("[51,52,53]\nBID", "[51,52,54]\nBID", "R105", {"field": "public", "text": "[51,52,54]"}),
        ("[51,52,53]\nBID", "[51,,53]\nBID", "R105", {"field": "public", "text": "[51,,53]"}),
        ("[51,52,53]\nBID", "[51,52,true]\nBID", "R105", {"field": "public", "text": "[51,52,true]"}),
        ("bid=2 ok", "bid=two ok", "R105", {"field": "BID P1", "text": "two"}),
        ("bid=2 ok", "bid=-1 ok", "R105", {"field": "BID P1", "text": "-1"}),
        ("bid=2 ok", "bod=2 ok", "R105", {"field": "BID", "text": "3 lines, 2 bids"}),
        ("TURN 2 P2", "TURN 3 P2", "R103", {"field": "TURN 3", "reason": "stands where turn 2 is due"}),
        ("TURN 2 P2", "TURN 2 P3", "R105", {"field": "TURN 2", "text": "2 P3 REF team="}),
        ("TURN 2 P2", "turn 2 P2", "R102", {"field": "TURN 2"}),
        ("  action=PASS", "  axion=PASS", "R102", {"field": "TURN 2.action"}),
        ("action=PASS legal", "action=SINGLE legal", "R105", {"field": "TURN 2.action", "text": "SINGLE legal=True"}),
        ("[52,53] level=14", "[52,x] level=14", "R105", {"field": "TURN 1.action", "text": "[52,x]"}),
        ("[52,53] level=14", "[] level=14", "R105", {"field": "TURN 1.action", "text": "ROCKET joker"}),
        ("winner=P0 ", "winner=P0 landlord=P9 ", "R103", None),
        ("winnerTeam=farmers", "winnerTeam=both", "R103", None),
        ("multiplier=8", "multiplier=8.5", "R103", {"field": "SUMMARY.multiplier", "reason": "no whole number: 8.5"}),
        ("multiplier=8", "multiplier=" + "8" * 30, "R103", None),
        ("OUR_LOSS", "SUMMARY x=1\nOUR_LOSS", "R103", {"field": "SUMMARY", "reason": "stands 2 times in one game"}),
    ],
)  # fmt: skip
def test_what_a_game_cannot_have_meant(old: str, new: str, code: str, details: dict[str, str] | None):
    text = (LOGS / TWO).read_text("utf-8")
    assert old in text
    spoilt = text.replace(old, new, 1)
    if "landlord=P9" in new:
        spoilt = spoilt.replace("ourWon=False landlord=P1", "ourWon=False")
    first, second = found(spoilt.encode(), format="fege18")
    assert (first.record, [f.code for f in first.findings]) == (None, [code])
    for key, value in (details or {}).items():
        assert str(first.findings[0].details[key]).startswith(value)
    assert second.record is not None


def test_a_log_that_is_cut_off():
    raw = (LOGS / TWO).read_bytes()
    turn = raw.index(b"TURN 2 P2")
    ends = {
        raw.index(b"public="): ["R107"],
        raw.index(b"TURN 1"): [],
        turn + 30: ["R107"],
        raw.index(b"[52,53] level=14") + 4: ["R107"],
        turn: [],
        raw.index(b"\nSUMMARY") + 4: [],
    }
    for end, expected in ends.items():
        (entry,) = found(raw[:end])
        assert [f.code for f in entry.findings] == expected, raw[:end][-60:]
    assert found(raw[:turn])[0].record.plays == "1:BR"  # type: ignore[union-attr]


def test_a_name_that_is_no_utf8():
    raw = (LOGS / TWO).read_bytes()
    assert [f.code for f in found(raw.replace(b"P1=OUR", b"P1=\xff\xfe"), format="fege18")[0].findings] == ["R111"]


# Detection, conversion, damage


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
@pytest.mark.parametrize("size", [300, 1 << 16])
def test_only_these_logs_are_recognised_as_such(name: str, size: int):
    told = detect((LOGS / name).read_bytes()[:size], name)
    assert (told == "fege18") == (name in (TWO, THREE))


@pytest.mark.parametrize("name", [TWO, THREE])
def test_a_converted_log_has_the_same_verdicts(name: str):
    for record in sample(name):
        again, unknown = read_record(write_record(record))
        assert not unknown
        assert write_record(again) == write_record(record)
        before, after = (judge(Entry("", 1, b"", each)).verdict for each in (record, again))
        assert before == after


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([TWO, THREE]), st.data(), st.sampled_from(["fege18", None]))
def test_no_damage_makes_reading_raise(name: str, data: st.DataObject, form: str | None):
    broken = bytearray((LOGS / name).read_bytes())
    for _ in range(data.draw(st.integers(0, 5))):
        place = data.draw(st.integers(0, len(broken) - 1))
        broken[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    for entry in read(["-"], format=form, stdin=io.BytesIO(bytes(broken[:cut]))):
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
        if entry.record is not None and not entry.findings:
            assert read_record(write_record(entry.record))[0].plays == entry.record.plays
            judge(entry)


LONG = 200_000


@pytest.mark.parametrize(
    "line",
    [
        "BID P0 " + "bid=" * LONG, "initial P0 " + "[" * LONG, "initial P0 x" + "[1]" * LONG,
        "landlord=P0 " + "finalBid= " * LONG, "  action=A " + "[1] " * LONG, "TURN " + "1" * LONG,
        "SUMMARY " + "a=" * LONG, "TURN 1 P0 \n" * LONG, "bots: " + "P0=" * LONG,
    ],
)  # fmt: skip
def test_reading_a_long_line_takes_no_more_than_its_length(line: str):
    raw = (LOGS / TWO).read_bytes()
    assert len(found(raw.replace(b"\nOUR_LOSS_TURNS", b"\n" + line.encode()), format="fege18")) == 2


# Real matches of this log, written back as it writes them


def shown(cards: list[int]) -> str:
    levels = [card // 4 + (card == 53) for card in cards]
    counts = " ".join(f"{NAMES[level]}x{levels.count(level)}" for level in sorted(set(levels)))
    return f"{counts or 'PASS'} [{','.join(map(str, cards))}]"


def game(number: int, match: dict[str, Any], fact: dict[str, Any]) -> str:
    deal, answers = (
        match["initdata"],
        [(int(s), v["response"]) for e in match["log"] for s, v in e.items() if s in "012"],
    )
    lines = [f"================ GAME {number} seed={deal['seed']} ourSeat=0 ================"]
    lines += [f"initial P{seat} B hand={shown(deal['allocation'][seat])}" for seat in range(3)]
    lines += [f"public={shown(deal['publiccard'])}"]
    lines += [f"BID P{seat} B bid={bid} ok=True elapsedMs=1.0 reason=" for seat, bid in answers if isinstance(bid, int)]
    plays = [(seat, cards) for seat, cards in answers if isinstance(cards, list)]
    for turn, (seat, cards) in enumerate(plays, 1):
        action = f"SOME {shown(cards)} level=1" if cards else "PASS"
        lines += ["", f"TURN {turn} P{seat} B team=x", f"  action={action} legal=True reason="]
    if fact["winners"]:
        team = "landlord" if fact["landlord"] in fact["winners"] else "farmers"
        said = f"landlord=P{fact['landlord']} finalBid={fact['claimed_bid']} multiplier={fact['multiplier']}"
        lines += [f"SUMMARY winner=P{fact['winners'][0]} winnerTeam={team} {said}"]
    return "\n".join(lines)


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="no folder shared/real beside the checkout")
def test_real_matches_audit_as_known():
    facts = [msgspec.json.decode(line) for line in (REAL / "botzone" / "truth.jsonl").read_bytes().splitlines()]
    with gzip.open(REAL / "botzone" / "ftl2-judge.jsonl.gz") as lines:
        matches = [msgspec.json.decode(line) for line in lines]
    text = "\n\n".join(game(number, *each) for number, each in enumerate(zip(matches, facts, strict=True), 1))
    entries = found(text.encode())
    assert len(entries) == len(facts) == 328
    for entry, fact in zip(entries, facts, strict=True):
        verdict = judge(entry).verdict
        assert (verdict.verdict, verdict.outcome, verdict.multiplier, verdict.scores) == (
            fact["verdict"], fact["outcome"], fact["multiplier"], fact["scores"],
        )  # fmt: skip
