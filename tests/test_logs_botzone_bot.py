"""What Botzone gives a bot of FightTheLandlord and FightTheLandlord2; the samples are made by hand."""

import gzip
import io
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import judge
from ingest.faults import CATALOGUE
from ingest.logs import Entry, detect, read
from ingest.record import Record, read_calls, read_plays, read_record, write_record
from ingest.rules.ruleset import load
from ingest.simulate import lawful

LOGS = Path(__file__).parent / "logs"
REAL = Path(__file__).parents[2] / "shared" / "real"
SECOND, FIRST = "ftl2-bot.jsonl", "ftl1-bot.json"
HANDS = [
    "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6H7",
    "S7C7D7S8H8C8D8S9H9C9D9STHTCTDTHJDJ",
    "SJCJSQHQCQDQSKHKCKDKSAHACADAS2H2D2",
]
OWN = [list(range(0, 17)), list(range(17, 34)), list(range(34, 51))]
PUBLIC = [51, 52, 53]


def found(data: bytes, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data), **options))


def sample(name: str) -> list[Record]:
    entries = found((LOGS / name).read_bytes())
    assert [entry.findings for entry in entries] == [()] * len(entries)
    return [entry.record for entry in entries if entry.record]


def record_of(state: object) -> Record:
    (entry,) = found(msgspec.json.encode(state), format="botzone-bot")
    assert entry.record is not None, entry.findings
    return entry.record


def to_play(seat: int, landlord: int, bid: int, *history: list[int]) -> dict[str, object]:
    said = {"landlord": landlord, "pos": seat, "finalbid": bid}
    return {"history": list(history) or [[], []], "own": OWN[seat], "publiccard": PUBLIC, **said}


# What is read


def test_the_second_game_seen_by_the_landlord_and_by_a_farmer():
    landlord, farmer = sample(SECOND)
    assert (landlord.id, landlord.rules, landlord.first, landlord.landlord) == ("-#1", "botzone", 0, None)
    assert landlord.hands == [None, HANDS[1], None]
    assert farmer.hands == [HANDS[0], None, None]
    for record in (landlord, farmer):
        assert (record.bottom, record.auction, record.plays) == ("C2BR", "0:- 1:2 2:-", "1:BR 2:- 0:S3H3C3D3")
        assert msgspec.to_builtins(record.claim) == {"landlord": 1, "bid": 2}
        assert [player.id for player in record.players] == ["P0", "P1", "P2"]
    assert msgspec.json.decode(landlord.extra) == {"seat": 1, "data": "kept", "time_limit": "", "memory_limit": ""}
    assert msgspec.json.decode(farmer.extra) == {"seat": 0}


def test_the_first_game_in_one_document():
    (record,) = sample(FIRST)
    assert (record.rules, record.landlord, record.first, record.auction) == ("botzone-v1", 0, None, None)
    assert (record.hands, record.bottom) == ([None, HANDS[1], None], "C2BR")
    assert (record.plays, record.claim) == ("0:S3H3D3 1:- 2:- 0:H4D4", None)


def test_the_first_games_landlord_has_the_public_cards_in_hand():
    state = {"requests": [{"own": OWN[0] + PUBLIC, "publiccard": PUBLIC, "history": [[], []]}], "responses": [[0]]}
    record = record_of(state)
    assert (record.hands, record.plays) == ([HANDS[0], None, None], "0:H3")
    third = {"requests": [{"own": OWN[2], "publiccard": PUBLIC, "history": [[0], []]}], "responses": []}
    assert (record_of(third).hands, record_of(third).plays) == ([None, None, HANDS[2]], "0:H3 1:-")


def test_bidding_alone():
    record = record_of({"requests": [{"own": OWN[2], "bid": [0, 1]}], "responses": []})
    assert (record.hands, record.bottom, record.auction, record.plays) == ([None, None, HANDS[2]], None, "0:- 1:1", "")
    answered = record_of({"requests": [{"own": OWN[2], "bid": [0, 1]}], "responses": [2]})
    assert (answered.auction, answered.claim) == ("0:- 1:1 2:2", None)


@pytest.mark.parametrize(
    ("seat", "before", "own", "landlord", "final", "auction"),
    [
        (0, [], 3, 0, 3, "0:3"),
        (0, [], 2, 0, 2, "0:2 1:- 2:-"),
        (0, [], 0, 0, 0, "0:- 1:- 2:-"),
        (0, [], 0, 0, 1, "0:- 1:- 2:-"),
        (0, [], 0, 1, 3, "0:- 1:3"),
        (0, [], 0, 1, 2, "0:- 1:2 2:-"),
        (0, [], 1, 2, 2, "0:1 1:- 2:2"),
        (0, [], 0, 2, 1, "0:- 1:- 2:1"),
        (0, [], 0, 2, 2, "0:-"),
        (0, [], 1, 2, 3, "0:1"),
        (1, [0], 2, 1, 2, "0:- 1:2 2:-"),
        (1, [1], 0, 2, 3, "0:1 1:- 2:3"),
        (2, [1, 2], 3, 2, 3, "0:1 1:2 2:3"),
        (2, None, None, 0, 3, "0:3"),
        (2, None, None, 1, 3, ""),
        (1, None, None, 0, 3, "0:3"),
    ],
)
def test_bids_that_no_request_shows(
    seat: int, before: list[int] | None, own: int | None, landlord: int, final: int, auction: str
):
    """Filled in where the final bid leaves no choice; where it does, the auction ends before."""
    bidding = [] if before is None else [{"own": OWN[seat], "bid": before}]
    history = [[[], []], [[], [0]], [[0], []]][(seat - landlord) % 3]
    state = {"requests": [*bidding, to_play(seat, landlord, final, *history)], "responses": [own] if bidding else []}
    assert record_of(state).auction == auction


# What cannot be read


def state(**changes: object) -> dict[str, Any]:
    return {
        "requests": [{"own": OWN[1], "bid": [0]}, to_play(1, 1, 2), {"history": [[], [0]]}],
        "responses": [2, [17]],
    } | changes


@pytest.mark.parametrize(
    ("changes", "code", "details"),
    [
        ({"responses": [2]}, "R103", {"field": "responses", "reason": "1 responses to 3 requests"}),
        ({"responses": [2, [17], [], []]}, "R103", {"field": "responses", "reason": "4 responses to 3 requests"}),
        ({"responses": [2, "pass"]}, "R105", {"field": "responses[1]", "text": '"pass"'}),
        ({"responses": [2, [54]]}, "R105", {"field": "responses[1]", "text": "[54]"}),
        ({"responses": [2, [True]]}, "R105", {"field": "responses[1]", "text": "[true]"}),
        ({"responses": ["two", [17]]}, "R105", {"field": "responses[0]", "text": '"two"'}),
        ({"responses": [-1, [17]]}, "R105", {"field": "responses[0]", "text": "-1"}),
        ({"responses": 7}, "R103", {"field": "responses", "reason": "Expected `array`, got `int`"}),
        ({"requests": []}, "R103", {"field": "requests", "reason": "Expected `array` of length >= 1"}),
        ({"requests": [{}], "responses": []}, "R102", {"field": "requests[0].own"}),
        ({"requests": [{"own": [99], "bid": []}], "responses": []}, "R105", {"field": "own", "text": "[99]"}),
        ({"requests": [{"own": [1], "bid": ["x"]}], "responses": []}, "R105",
         {"field": "requests[0].bid[0]", "text": '"x"'}),
        ({"requests": [{"own": [1], "bid": [0, 0, 0]}], "responses": []}, "R103", None),
        ({"requests": [{"own": [1], "bid": [0]}, to_play(2, 1, 2)], "responses": [2]}, "R103", None),
        ({"requests": [{"own": [1], "landlord": 3}], "responses": []}, "R103", None),
        ({"requests": [{"own": [1], "landlord": 0, "pos": 0}], "responses": []}, "R102",
         {"field": "requests[0].history"}),
        ({"requests": [{"own": [1], "pos": 0, "bid": []}, {"own": [1], "history": [[], []]}], "responses": [0]}, "R102",
         {"field": "landlord"}),
        ({"requests": [to_play(1, 1, 2, [0], [])], "responses": []}, "R103",
         {"field": "requests[0].history", "reason": "a play before the landlord's first"}),
        ({"requests": [to_play(1, 1, 2, [0])], "responses": []}, "R103",
         {"field": "requests[0].history", "reason": "not two plays"}),
        ({"requests": [to_play(1, 1, 2) | {"history": [[], 7]}], "responses": []}, "R103",
         {"field": "requests[0].history", "reason": "not two plays"}),
        ({"requests": [to_play(2, 1, 2, [], [0, "x"])], "responses": []}, "R105",
         {"field": "requests[0].history", "text": '[0,"x"]'}),
        ({"requests": [to_play(1, 1, 9)], "responses": []}, "R103", None),
    ],
)  # fmt: skip
def test_what_a_state_cannot_have_meant(changes: dict[str, object], code: str, details: dict[str, str] | None):
    (entry,) = found(msgspec.json.encode(state(**changes)), format="botzone-bot")
    assert (entry.record, [finding.code for finding in entry.findings]) == (None, [code])
    assert details is None or entry.findings[0].details == details


def test_lines_arrays_and_what_is_cut_off():
    line = msgspec.json.encode(state())
    codes = [[f.code for f in entry.findings] for entry in found(line + b"\n" + line[:-20])]
    assert codes == [[], ["R107"]]
    assert [entry.line for entry in found(b"[" + line + b",\n" + line + b"]")] == [1, 2]
    assert [[f.code for f in e.findings] for e in found(b'{"line":1}\n7\n[]\n', format="botzone-bot")] == [["R112"]] * 2
    bad = line.replace(b'"responses"', b'"data":"\xff","responses"')
    assert [f.code for f in found(bad, format="botzone-bot")[0].findings] == ["R111"]


# Every lawful game, as its three bots saw it


def numbers(text: str) -> list[int]:
    cards, jokers = text.replace("B", "").replace("R", ""), [52 + "BR".index(card) for card in text if card in "BR"]
    return [
        4 * "3456789TJQKA2".index(cards[at + 1]) + "HDSC".index(cards[at]) for at in range(0, len(cards), 2)
    ] + jokers


def seen(record: Record, seat: int) -> dict[str, list[Any]]:
    """What Botzone gives the bot of a seat at its last turn, with its answer."""
    assert record.hands is not None
    requests: list[Any] = []
    responses: list[Any] = []
    calls = [(call.seat, call.bid or 0) for call in read_calls(record.auction or "")]
    own = numbers(record.hands[seat] or "")
    if record.auction is not None and seat < len(calls):
        requests.append({"own": own, "bid": [bid for _, bid in calls[:seat]]})
        responses.append(calls[seat][1])
    plays = [(move.seat, numbers(move.text) if move.cards else []) for move in read_plays(record.plays)]
    landlord = plays[0][0]
    whole = {"own": own, "publiccard": numbers(record.bottom or "")}
    if record.auction is None:
        whole["own"] = own + (whole["publiccard"] if seat == landlord else [])
    else:
        whole |= {"landlord": landlord, "pos": seat, "finalbid": max([bid for _, bid in calls])}  # type: ignore[dict-item]
    for index, (who, cards) in enumerate(plays):
        if who == seat:
            history = [plays[at][1] if at >= 0 else [] for at in (index - 2, index - 1)]
            requests.append({"history": history} | (whole if not any("publiccard" in r for r in requests) else {}))
            responses.append(cards)
    return {"requests": requests, "responses": responses}


@pytest.mark.parametrize("rules", ["botzone", "botzone-v1"])
def test_every_lawful_game_is_what_its_bots_saw(rules: str):
    rng, finished = Random(3), 0
    for _ in range(40):
        record = lawful(load(rules), rng)
        for seat in range(3):
            view = record_of(seen(record, seat))
            assert view.rules == rules
            plain = " ".join(token.partition("=")[0].partition("@")[0] for token in record.plays.split(" "))
            cards = [(move.seat, move.cards) for move in read_plays(plain)][: len(view.plays.split(" "))]
            assert [(move.seat, move.cards) for move in read_plays(view.plays)] == cards
            assert [h is not None for h in view.hands or []] == [at == seat for at in range(3)]
            auction = " ".join(token.partition("@")[0] for token in (record.auction or "").split(" "))
            assert auction.startswith(view.auction or "")
            verdict = judge(Entry("", 1, b"", view)).verdict
            assert {finding.code for finding in verdict.findings} <= {"D207", "P407", "S607", "A305"}
            finished += verdict.scores is not None
    assert finished >= 30


# Detection, conversion, damage


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
@pytest.mark.parametrize("size", [200, 1 << 16])
def test_only_these_are_recognised_as_such(name: str, size: int):
    told = detect((LOGS / name).read_bytes()[:size], name)
    assert (told == "botzone-bot") == (name in (SECOND, FIRST))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"requests":[{"own":[1],"publiccard":[2]}]}', "botzone-bot"),
        (b'[{"responses":[],"requests":[{"own":[1],"bid":[]}]}]', "botzone-bot"),
        (b'{"requests":["0 1 2"],"responses":["PASS"]}', None),
        (b'{"requests":[{"own":[1],"deal":[2]}]}', None),
    ],
)
def test_beginnings(head: bytes, expected: str | None):
    assert detect(head, "x.json") == expected


@pytest.mark.parametrize("name", [SECOND, FIRST])
def test_a_converted_log_has_the_same_verdicts(name: str):
    for record in sample(name):
        again, unknown = read_record(write_record(record))
        assert not unknown
        assert write_record(again) == write_record(record)
        before, after = (judge(Entry("", 1, b"", each)).verdict for each in (record, again))
        assert before == after


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_damage_makes_reading_raise(data: st.DataObject):
    strange = st.sampled_from(
        [
            b"null",
            b"[]",
            b"{}",
            b"-1",
            b"1e400",
            b'"OK"',
            b"[[]]",
            b'"\\ud800"',
            b"9" * 40,
            b"true",
            b"\xff",
            b"[" * 3000,
        ]
    )
    seed = (LOGS / data.draw(st.sampled_from([SECOND, FIRST]))).read_bytes()
    tokens = seed.replace(b",", b"\0,\0").replace(b":", b"\0:\0").split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(strange)
    for entry in read(["-"], format="botzone-bot", stdin=io.BytesIO(b"".join(tokens))):
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
        if entry.record is not None:
            assert read_record(write_record(entry.record))[0].plays == entry.record.plays
            judge(entry)


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="no folder shared/real beside the checkout")
def test_real_matches_as_their_bots_saw_them():
    """Every view is the beginning of the match, in bids and in plays."""
    whole = 0
    with gzip.open(REAL / "botzone" / "ftl2-judge.jsonl.gz") as lines:
        for line in lines:
            match = msgspec.json.decode(line)
            (judged,) = (entry.record for entry in found(line))
            assert judged is not None
            views: list[dict[str, list[Any]]] = [{"requests": [], "responses": []} for _ in range(3)]
            for step in match["log"]:
                asked = step.get("output", {})
                if asked.get("command") == "request":
                    for seat, request in asked["content"].items():
                        views[int(seat)]["requests"].append(request)
                for seat in "012":
                    if seat in step:
                        views[int(seat)]["responses"].append(step[seat]["response"])
            for view in views:
                record = record_of(view)
                assert judged.plays.startswith(record.plays)
                assert (judged.auction or "").startswith(record.auction or "")
                assert {f.code for f in judge(Entry("", 1, b"", record)).verdict.findings} <= {
                    "D207", "P407", "S607", "A305", "P403",
                }  # fmt: skip
                whole += record.auction == judged.auction
    assert whole > 800
