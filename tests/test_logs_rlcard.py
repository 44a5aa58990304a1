"""RLCard: every way in which its games are saved, what is certain of late states, what is contradictory or broken.

The game: three fives of trios with four wings, two passes, four twos. What was shown of it is made here as RLCard 1.2
makes it; games of RLCard itself follow at the end.
"""

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import Batch
from ingest.logs import Entry, detect, read
from ingest.record import Record, read_record, write_record
from ingest.verdict import Verdict
from tests.test_logs import codes, entries, sound

LOGS = Path(__file__).parent / "logs"
RUN = (LOGS / "rlcard-run.json").read_bytes()
TABLE = (LOGS / "rlcard-table.jsonl").read_bytes()

LANDLORD, DOWN, UP = HANDS = ("333444555666789T2222", "3456777888999TTTJ", "JJJQQQQKKKKAAAABR")
TRACE = [[0, "333444555666789T"], [1, "pass"], [2, "pass"], [0, "2222"]]
DEALT = ["33444555666789222", DOWN, UP]
PLAYS = "0:333444555666789T 1:- 2:- 0:2222"
Json = Any


def audited(found: list[Entry]) -> list[Verdict]:
    with Batch() as batch:
        return [judged.verdict for judged in batch.audit(iter(found))]


def faults(found: list[Entry]) -> list[str]:
    return [",".join(f.code for f in verdict.findings) or "clean" for verdict in audited(found)]


def read_json(value: Json) -> list[Entry]:
    return entries(json.dumps(value).encode())


def record(value: Json) -> Record:
    (entry,) = read_json(value)
    assert entry.record is not None, entry.findings
    return entry.record


def refusal(value: Json, **options: str) -> tuple[str, dict[str, Any]]:
    (entry,) = entries(json.dumps(value).encode(), **options)
    assert entry.record is None
    (finding,) = entry.findings
    return finding.code, finding.details


def raw_obs(seat: int, moves: int, trace: Json = TRACE, **changes: Json) -> Json:
    """What a seat is shown after so many moves."""
    hand = list(HANDS[seat])
    for mover, cards in trace[:moves]:
        for card in cards if mover == seat and cards != "pass" else "":
            if card in hand:
                hand.remove(card)
    seen = "3T2" if moves == 0 else "2" if moves < 4 else ""
    return {
        "seen_cards": seen,
        "landlord": 0,
        "trace": trace[:moves],
        "self": seat,
        "current_hand": "".join(hand),
    } | changes


def paths(
    shown: Callable[[int, int], Json] = lambda seat, moves: {"raw_obs": raw_obs(seat, moves)},
) -> list[list[Json]]:
    return [
        [shown(0, 0), 26000, shown(0, 3), 27000, shown(0, 4)],
        [shown(1, 1), 27471, shown(1, 4)],
        [shown(2, 2), 27471, shown(2, 4)],
    ]


def reorganised(payoffs: list[Json]) -> list[list[Json]]:
    return [
        [[path[i], path[i + 1], payoffs[seat] if i == len(path) - 3 else 0, path[i + 2], i == len(path) - 3]
         for i in range(0, len(path) - 2, 2)]
        for seat, path in enumerate(paths())
    ]  # fmt: skip


# Every way to save a game


def test_a_run_as_it_is():
    (entry,) = read([str(LOGS / "rlcard-run.json")])
    assert entry.record is not None
    assert msgspec.to_builtins(entry.record) == {
        "id": "rlcard-run.json#1",
        "rules": "rlcard",
        "players": [{"id": "P0"}, {"id": "P1"}, {"id": "P2"}],
        "hands": DEALT,
        "bottom": "3T2",
        "landlord": 0,
        "plays": PLAYS,
        "claim": {"scores": [1, 0, 0]},
    }
    assert faults([entry]) == ["clean"]


WAYS: dict[str, Json] = {
    "pair": [paths(), [1, 0, 0]],
    "floats": [paths(), [1.0, 0.0, 0.0]],
    "default=str": [paths(), "[1 0 0]"],
    "floats, default=str": {"trajectories": paths(), "payoffs": "[1. 0. 0.]"},
    "texts": {"trajectories": paths(), "payoffs": ["1", "0", "0"]},
    "object": {"trajectories": paths(), "payoffs": [1, 0, 0]},
    "payoffs first": {"payoffs": [1, 0, 0], "trajectories": paths()},
    "reorganised": reorganised([1, 0, 0]),
    "reorganised pair": [reorganised([1, 0, 0]), [1, 0, 0]],
    "reorganised object": {"trajectories": reorganised([1.0, 0.0, 0.0]), "payoffs": [1, 0, 0]},
    "raw_obs in trajectories": {"trajectories": paths(raw_obs), "payoffs": [1, 0, 0]},
    "states alone": [[[step for step in path if isinstance(step, dict)] for path in paths()], [1, 0, 0]],
    "a table of our own": {"trace": TRACE, "landlord": 0, "seen_cards": "3T2", "hands": HANDS, "payoffs": [1, 0, 0]},
    "lists of cards": {
        "trace": TRACE,
        "seen_cards": "3T2",
        "hands": [list(hand) for hand in HANDS],
        "payoffs": [1, 0, 0],
    },
    "seventeen each": {"trace": TRACE, "seen_cards": "3T2", "hand_cards": DEALT, "payoffs": [1, 0, 0]},
    "action_record": {"action_record": TRACE, "seen_cards": "3T2", "initial_hands": HANDS, "payoffs": [1, 0, 0]},
    "first states and what was done": {
        "trajectories": [[{"raw_obs": raw_obs(seat, seat), "action_record": TRACE}] for seat in range(3)],
        "payoffs": [1, 0, 0],
    },
}


@pytest.mark.parametrize("value", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("many", ["one", "pretty", "array", "pretty array", "array of lines", "lines", "sorted"])
def test_every_way(value: Json, many: str):
    one = json.dumps(value)
    data = {
        "one": one,
        "pretty": json.dumps(value, indent=2),
        "sorted": json.dumps(value, sort_keys=True, indent=1),
        "array": json.dumps([value, value]),
        "pretty array": json.dumps([value, value], indent=1),
        "array of lines": f"[\n{one},\n{one}\n]\n",
        "lines": f"{one}\n\n{one}\n",
    }[many].encode()
    assert detect(data[: 1 << 16]) == "rlcard"
    found = entries(data)
    assert len(found) == (1 if many in ("one", "pretty", "sorted") else 2)
    for entry in found:
        assert entry.record is not None, entry.findings
        assert (entry.record.hands, entry.record.bottom, entry.record.plays) == (DEALT, "3T2", PLAYS)
        assert entry.record.tags is None
        assert entry.record.claim is not None
        assert entry.record.claim.scores == [1, 0, 0]
    assert audited(found)[0].findings == []


PARTS: dict[str, Json] = {
    "trajectories alone": (paths(), DEALT, "3T2"),
    "one seat": (paths()[0], [DEALT[0], None, None], "3T2"),
    "another seat": (paths()[1], [None, DOWN, None], None),
    "one seat reorganised": (reorganised([1, 0, 0])[0], [DEALT[0], None, None], "3T2"),
    "one raw_obs": ({"raw_obs": raw_obs(0, 0)}, [DEALT[0], None, None], "3T2"),
    "the observation alone": (raw_obs(1, 1), [None, DOWN, None], None),
    "the hand dealt": (raw_obs(1, 4, initial_hand=DOWN), [None, DOWN, None], None),
    "first states": ([raw_obs(seat, seat) for seat in range(3)], DEALT, "3T2"),
    "perfect information at the start": ({"hand_cards": HANDS, "trace": [], "current_player": 0}, None, "222"),
    "perfect information at the end": ({"hand_cards": ["", DOWN, UP], "trace": TRACE}, None, "222"),
    "last states": ([raw_obs(seat, 4) for seat in range(3)], None, "222"),
    "step by step": ([{"hand_cards": [hand, DOWN, UP], "trace": TRACE[:n]}
                      for n, hand in enumerate([LANDLORD, *["2222"] * 3, ""])], None, "222"),
    "one last state": (raw_obs(0, 4), ["333444555666789T2", None, None], "222"),
    "a late state of 1.2": (raw_obs(0, 3), ["333444555666789T2", None, None], "222"),
}  # fmt: skip


@pytest.mark.parametrize(("value", "hands", "bottom"), PARTS.values(), ids=PARTS)
def test_parts_of_a_game(value: Json, hands: Json, bottom: str | None):
    assert detect(json.dumps(value).encode()) == "rlcard"
    told = record(value)
    assert told.hands == (hands or ["333444555666789T2", DOWN, UP])
    assert told.bottom == bottom
    assert told.tags == ({"bottom": "assumed"} if bottom == "222" else None)


def test_cards_that_the_landlord_still_holds_are_in_the_bottom():
    """seen_cards keeps what he has not played: of the three it says two."""
    trace = [[0, "6789T"], [1, "pass"], [2, "pass"]]
    late = record(raw_obs(0, 3, trace, seen_cards="34"))
    assert (late.hands, late.bottom) == (["3344555666789T222", None, None], "342")
    assert late.tags == {"bottom": "assumed"}


def test_perfect_information_with_suits():
    _, perfect = read([str(LOGS / "rlcard-table.jsonl")])
    assert perfect.record is not None
    assert perfect.record.hands is not None
    assert perfect.record.hands[2] == "HJCJDJSQHQCQDQSKHKCKDKSAHACADABR"
    table, _ = read([str(LOGS / "rlcard-table.jsonl")])
    assert table.record is not None
    assert (table.record.id, bytes(table.record.extra)) == ("made-1", b'{"seed":7}')
    assert msgspec.to_builtins(table.record.claim) == {"winners": [0], "scores": [1, 0, 0]}
    assert faults([table, perfect]) == ["clean", "clean"]


def test_a_joker_is_known_by_its_suit():
    hands = ["S3", "BJ", "RJ"]
    told = record({"hand_cards_with_suit": hands, "trace": [], "current_player": 0})
    assert (told.hands, told.bottom) == (["", "B", "R"], "S3")


def test_what_python_prints():
    table = {"hand_cards": list(HANDS), "trace": [tuple(move) for move in TRACE], "seen_cards": "3T2", "landlord": 0}
    one = str(table).encode()
    for data, games in ((one, 1), (one + b"\n" + one, 2), (str([table, table]).encode(), 2)):
        assert detect(data) == "rlcard"
        found = entries(data)
        assert [entry.record and entry.record.hands for entry in found] == [DEALT] * games


def test_the_landlord_of_another_seat_becomes_seat_0():
    trace = [[(seat + 2) % 3, cards] for seat, cards in TRACE]
    result = {"payoffs": [0, 0, 1], "winner_id": 2}
    told = record({"trace": trace, "landlord": 2, "seen_cards": "3T2", "hands": [DOWN, UP, LANDLORD]} | result)
    assert (told.hands, told.plays, told.landlord) == (DEALT, PLAYS, 0)
    assert [player.id for player in told.players] == ["P2", "P0", "P1"]
    assert msgspec.to_builtins(told.claim) == {"winners": [0], "scores": [1, 0, 0]}


def test_farmers_who_won():
    told = record({"trace": TRACE, "hands": HANDS, "landlord": 0, "winner_id": 2, "payoffs": [0, 1, 1]})
    assert msgspec.to_builtins(told.claim) == {"winners": [1, 2], "scores": [0, 1, 1]}
    assert faults(read_json({"trace": TRACE, "hands": HANDS, "landlord": 0, "winner_id": 2})) == ["S601"]
    assert record({"trace": TRACE, "hands": HANDS, "landlord": 0, "winner_id": None, "payoffs": None}).claim is None


def test_games_that_are_not_steps_of_one():
    """First states of several games, the same game twice, and a game that was not played before one that was."""
    first = [raw_obs(0, 0), raw_obs(0, 0, current_hand=LANDLORD[::-1])]
    assert len(read_json(first)) == 2
    perfect = {"hand_cards": ["", DOWN, UP], "trace": TRACE}
    assert len(read_json([perfect, perfect])) == 2
    assert len(read_json([{"hand_cards": [UP + "345", DOWN, UP], "trace": []}, perfect])) == 2
    assert [len(read_json([path, path, path])) for path in (paths()[0], paths()[1])] == [3, 3]


def test_names_beside_a_game_are_kept_where_they_are_short():
    value = {
        "trajectories": paths(),
        "payoffs": [1, 0, 0],
        "seed": 7,
        "agents": ["a", "b", "b"],
        "weights": [0.5] * 999,
    }
    assert msgspec.json.decode(record(value | {"id": 12}).extra) == {"seed": 7, "agents": ["a", "b", "b"]}
    big = json.dumps(value | {"trajectories": paths()}).replace('"seed": 7', '"seed": 1e400').encode()
    assert [msgspec.json.decode(entry.record.extra) for entry in entries(big) if entry.record] == [
        {"agents": ["a", "b", "b"]}
    ]
    assert record(value | {"id": 12}).id == "12"
    assert record(value | {"game_id": "x"}).id == "x"
    for strange in ("", "x" * 129, None, [], 1.5, True):
        assert record(value | {"id": strange}).id == "-#1"


# What stays as it is, and what is not certain


def spoilt(**changes: Json) -> list[Entry]:
    return read_json({"trace": TRACE, "landlord": 0, "seen_cards": "3T2", "initial_hands": list(HANDS)} | changes)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "clean"),
        ({"payoffs": [0, 1, 1]}, "S603"),
        ({"trace": [[0, "AAAA"], *TRACE[1:]]}, "P402"),
        ({"trace": [[0, "33344"], *TRACE[1:3]]}, "P407,S607"),
        ({"trace": [[0, "3344"], *TRACE[1:3]]}, "P403,P407,S607"),
        ({"trace": [*TRACE, [1, "3"]]}, "P406"),
        ({"trace": [TRACE[0], TRACE[0]]}, "P411"),
        ({"trace": [[1, "3"]]}, "P401"),
        ({"initial_hands": [LANDLORD[1:], DOWN, UP]}, "D201"),
        ({"initial_hands": ["3" + LANDLORD, DOWN, UP]}, "D201"),
        ({"initial_hands": [LANDLORD, DOWN[1:], UP]}, "D201"),
        ({"initial_hands": ["3" + LANDLORD[1:-1] + "A", DOWN, UP]}, "D203"),
        ({"seen_cards": "3TR"}, "D201"),
        ({"seen_cards": "3T"}, "clean"),
    ],
)
def test_faults_are_left_for_the_audit(changes: Json, expected: str):
    assert faults(spoilt(**changes)) == [expected]


def test_a_late_hand_counts_only_if_everything_played_was_held():
    """RLCard takes AAAA of a seat that holds none: nothing leaves the hand, and 24 cards are no hand dealt."""
    trace = [[0, "AAAA"], [1, "pass"], [2, "pass"], [0, "2222"], [1, "BR"]]
    assert record(raw_obs(0, 5, trace)).hands == [None, None, None]
    assert record(raw_obs(1, 5, trace)).hands == [None, None, None]
    assert record(raw_obs(2, 5, trace)).hands == [None, None, UP]
    whole = read_json([[raw_obs(seat, moves, trace) for moves in (seat, 5)] for seat in range(3)])
    assert faults(whole) == ["P402"]


def test_hands_of_which_nothing_says_when_they_were_shown():
    mixed = {"hand_cards": ["2222", DOWN, UP], "trace": [*TRACE[:3], [0, "22"]]}
    assert record(mixed).hands == [None, DOWN, UP]
    assert record({"hands": [*HANDS[:2], UP[:-1]], "trace": TRACE}).hands == ["333444555666789T2", DOWN, UP[:-1]]


# What contradicts itself or is broken


def test_views_of_a_game_that_contradict_each_other():
    other = paths()
    other[1][2] = {"raw_obs": raw_obs(1, 4, [*TRACE[:3], [0, "222"]])}
    reason = "its moves are not the first of those that stand elsewhere"
    assert refusal(other) == ("R103", {"field": "[1][2].raw_obs", "reason": reason})
    other = paths()
    other[1][2] = {"raw_obs": raw_obs(1, 4, current_hand=DOWN[1:])}
    reason = "the hand of seat 1 does not follow from the one before"
    assert refusal(other) == ("R103", {"field": "[1][2].raw_obs", "reason": reason})
    other = paths()
    other[0][2] = {"raw_obs": raw_obs(0, 3, landlord=1)}
    assert refusal(other) == ("R103", {"field": "[0][2].raw_obs.landlord", "reason": "not 0 as before"})
    other = paths()
    other[1][0] = {"raw_obs": raw_obs(1, 1, seen_cards="3TT")}
    assert refusal(other) == ("R103", {"field": "[1][0].raw_obs.seen_cards", "reason": "not those shown before"})
    other = {"trajectories": reorganised([1, 0, 0]), "payoffs": [0, 1, 1]}
    assert refusal(other) == ("R103", {"field": "payoffs", "reason": "not the rewards of the trajectories"})
    other = {"hand_cards": HANDS, "hand_cards_with_suit": ["S3", "H3", "D3"], "trace": []}
    assert refusal(other) == ("R103", {"field": "hand_cards", "reason": "not the cards of hand_cards_with_suit"})


def told_of(**changes: Json) -> Json:
    return {"trace": TRACE, "landlord": 0, "seen_cards": "3T2", "hands": list(HANDS)} | changes


@pytest.mark.parametrize(
    ("value", "code", "details"),
    [
        (told_of(trace=[[0, "3X"]]), "R105", {"field": "[0]", "text": '"3X"'}),
        (told_of(trace=[[0, ""]]), "R105", {"field": "[0]", "text": '""'}),
        (told_of(trace=[[0, "PASS"]]), "R105", {"field": "[0]", "text": '"PASS"'}),
        (told_of(trace=[[0, 193]]), "R105", {"field": "[0]", "text": "193"}),
        (told_of(trace=[[3, "3"]]), "R103", {"field": "trace[0][0]", "reason": "Expected `int` <= 2"}),
        (told_of(trace=[[True, "3"]]), "R103", {"field": "trace[0][0]", "reason": "Expected `int`, got `bool`"}),
        (told_of(trace=[[0, "3", 1]]), "R103", {"field": "trace[0]", "reason": "Expected `array` of length 2"}),
        (told_of(trace="3"), "R103", {"field": "trace", "reason": "Expected `array | null`, got `str`"}),
        (told_of(trace=None), "R102", {"field": "trace"}),
        (told_of(hands=["3", "4"]), "R103", {"field": "hands", "reason": "2 hands for 3 players"}),
        (told_of(hands=["3", "4", 5]), "R105", {"field": "hands[2]", "text": "5"}),
        (told_of(hands=["3", "4", "10"]), "R105", {"field": "hands[2]", "text": '"10"'}),
        (told_of(hands=["3", "4", "S6 67"]), "R105", {"field": "hands[2]", "text": '"S6 67"'}),
        (told_of(seen_cards="3,T"), "R105", {"field": "seen_cards", "text": '"3,T"'}),
        (told_of(landlord=3), "R103", {"field": "landlord", "reason": "Expected `int` <= 2"}),
        (told_of(winner_id=3), "R103", {"field": "winner_id", "reason": "no seat 3"}),
        (told_of(payoffs=[1, 0]), "R103", {"field": "payoffs", "reason": "not one payoff for each of 3 players"}),
        (told_of(payoffs="won"), "R103", {"field": "payoffs", "reason": "not one payoff for each of 3 players"}),
        (told_of(payoffs=[0.5, 0, 0]), "R103", {"field": "payoffs[0]", "reason": "0.5 is not a whole number"}),
        (told_of(payoffs=[0, "NaN", 0]), "R103", {"field": "payoffs[1]", "reason": "impossible score"}),
        (told_of(payoffs=[0, 0, 10**40]), "R103", {"field": "payoffs[2]", "reason": "impossible score"}),
        (told_of(payoffs=[True, 0, 0]), "R103", {"field": "payoffs[0]", "reason": "Expected `decimal`, got `bool`"}),
        ({"raw_obs": {"trace": [], "self": 0}, "seen_cards": ""}, "R102", {"field": "raw_obs.current_hand"}),
        ({"raw_obs": raw_obs(0, 0, self=4)}, "R103", {"field": "raw_obs.self", "reason": "Expected `int` <= 2"}),
        ({"raw_obs": raw_obs(0, 0, current_hand=None)}, "R103",
         {"field": "raw_obs.current_hand", "reason": "Expected `str`, got `null`"}),
        ({"trajectories": [[], [], []], "payoffs": [1, 0, 0], "seen_cards": ""}, "R103",
         {"field": "trajectories", "reason": "not the trajectories of three seats"}),
        ([[[{"obs": [0], "legal_actions": {"1": [0]}}, 1, {"obs": [0]}]] * 3, [1, 0, 0]], "R102",
         {"field": "[0][0][0].raw_obs"}),
    ],
)  # fmt: skip
def test_what_cannot_be_meant(value: Json, code: str, details: Json):
    assert detect(json.dumps(value).encode()) == "rlcard"
    assert refusal(value) == (code, details)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (RUN[:-40], ["R107"]),
        (TABLE[:-40], ["ok", "R107"]),
        (TABLE.replace(b'{"id"', b'{"id', 1), ["R101", "ok"]),
        (TABLE.replace(b'"seed": 7', b'"seed": "\xff"'), ["R111", "ok"]),
        (TABLE.replace(b'"seed": 7', b'"seed": ' + b"[" * 5000 + b"]" * 5000), ["R101", "ok"]),
        (TABLE + b"7\n[]\n{}\n", ["ok", "ok", "R112", "R112", "R112"]),
    ],
)
def test_broken_files(data: bytes, expected: list[str]):
    assert codes(entries(data, format="rlcard")) == expected


# Detection


def test_the_beginning_of_a_first_state_is_enough():
    """The landlord may have more legal actions than the first 64 KiB hold."""
    legal = {str(number): [0] * 54 for number in range(600)}
    state = {"obs": [0] * 790, "legal_actions": legal, "raw_obs": raw_obs(0, 0)}
    for value in ([[[state]], [1]], {"trajectories": [[state]]}, [[[[state, 1, 0, state, True]]]], [state]):
        for data in (json.dumps(value), json.dumps(value, indent=2), json.dumps(value, sort_keys=True)):
            head = data.encode()[: 1 << 16]
            assert b"seen_cards" not in head
            assert detect(head) == "rlcard"


@pytest.mark.parametrize(
    "value",
    [
        [[[{"obs": [1], "legal_actions": {"0": None}, "raw_obs": {"hand": "SJ", "public_card": None}}]], [1.0, -1.0]],
        {"trajectories": [[{"obs": [1], "legal_actions": {"0": None}}]], "payoffs": [1, -1]},
        {"id": "a", "players": [], "plays": "", "trace": [], "landlord": 0},
        {"trace": ["line 1"], "error": "boom"},
        {"obs": [1, 2]},
        "seen_cards",
    ],
)
def test_other_peoples_logs_are_left_to_them(value: Json):
    assert detect(json.dumps(value).encode()) != "rlcard"


def test_no_other_sample_is_taken():
    taken = {path.name for path in LOGS.iterdir() if detect(path.read_bytes()[: 1 << 16], path.name) == "rlcard"}
    assert taken == {"rlcard-run.json", "rlcard-table.jsonl"}


# Records survive, and nothing raises


@pytest.mark.parametrize("name", ["rlcard-run.json", "rlcard-table.jsonl"])
def test_records_survive_conversion(name: str):
    found = list(read([str(LOGS / name)]))
    lines = b"\n".join(write_record(entry.record) for entry in found if entry.record)
    again = entries(lines)
    assert [entry.record for entry in again] == [read_record(write_record(e.record))[0] for e in found if e.record]
    for before, after in zip(audited(found), audited(again), strict=True):
        assert (before.verdict, before.scores, before.findings) == (after.verdict, after.scores, after.findings)


STRANGE = [
    b"null",
    b"[]",
    b"{}",
    b"-1",
    b"1e400",
    b'"pass"',
    b"[[]]",
    b'{"raw_obs":{}}',
    b"9" * 40,
    b"true",
    b'"\\ud800"',
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([RUN, TABLE, json.dumps(reorganised([1, 0, 0])).encode()]), st.data())
def test_no_json_in_the_place_of_another_makes_reading_raise(seed: bytes, data: st.DataObject):
    tokens = seed.replace(b",", b"\0,\0").replace(b":", b"\0:\0").split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(st.sampled_from(STRANGE))
    sound(read(["-"], format="rlcard", stdin=io.BytesIO(b"".join(tokens))))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([RUN, TABLE]), st.data())
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    sound(read(["-"], format="rlcard", stdin=io.BytesIO(bytes(broken[:cut]))))


# Games of RLCard itself


def plain(value: Any) -> Any:
    """As people hand NumPy's values to JSON."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


class AtRandom:
    """An agent of RLCard."""

    use_raw = False

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.dice.choice(list(state["legal_actions"])), {}


def played(games: int) -> tuple[Any, list[tuple[Any, Any]]]:
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("doudizhu", config={"seed": 20261129})
    env.set_agents([AtRandom(random.Random(20261129))] * 3)
    return env, [env.run(is_training=False) for _ in range(games)]


def test_games_of_rlcard_in_every_way():
    _, runs = played(6)
    reorganize = pytest.importorskip("rlcard.utils").reorganize
    for trajectories, payoffs in runs:
        last = [path[-1]["raw_obs"] for path in trajectories]
        hands = [state["current_hand"] for state in last]
        ways = {
            "pair": [trajectories, payoffs],
            "object": {"trajectories": trajectories, "payoffs": payoffs},
            "reorganised": reorganize(trajectories, payoffs),
            "last": {"trace": last[0]["trace"], "hand_cards": hands, "payoffs": payoffs},
        }
        for name, value in ways.items():
            for default in (plain, str):
                (entry,) = entries(json.dumps(value, default=default).encode())
                (verdict,) = audited([entry])
                assert (verdict.verdict, verdict.findings) == ("clean", []), name
                assert verdict.scores == payoffs.tolist()


def test_rlcard_takes_cards_that_nobody_holds():
    """RL-R3: its own game of a play that was never held is faulty from first states, unknown from last ones."""
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("doudizhu", config={"seed": 3})
    states = [[], [], []]  # type: list[list[Any]]
    state, seat = env.reset()
    for action in ("2222", "pass", "pass", "3333"):
        states[seat].append(state)
        state, seat = env.step(action, raw_action=True)
    for seat in range(3):
        states[seat].append(env.get_state(seat))
    (entry,) = entries(json.dumps([states, [0, 0, 0]], default=plain).encode())
    assert faults([entry]) == ["P402"]
    (entry,) = entries(json.dumps(states[0][-1], default=plain).encode())
    assert entry.record is not None
    assert entry.record.hands == [None, None, None]
