"""RLCard-Showdown: replays in every spelling and wherever they stand, with the landlord at any index."""

import io
import json
import pprint
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.logs import Entry, detect, read
from ingest.record import Record, read_record, write_record
from tests.test_logs import codes, entries, sound
from tests.test_logs_rlcard import audited, faults, refusal

LOGS = Path(__file__).parent / "logs"
REAL = Path(__file__).parents[2] / "shared" / "real" / "rlcard-showdown"
REPLAY = (LOGS / "showdown-replay.json").read_bytes()
SERVER = (LOGS / "showdown-server.jsonl").read_bytes()
HANDS = [
    "H3D3C3S4D4C4S5H5C5S6H6D6C7C8C9CTS2",
    "S3H4D5C6S7H7D7S8H8D8S9H9D9STHTDTSJ",
    "HJDJCJSQHQDQCQSKHKDKCKSAHADACABR",
]
PLAYS = "0:H3D3C3S4D4C4S5H5C5S6H6D6C7C8C9CT 1:- 2:- 0:S2H2D2C2"
Json = Any


def replay(**changes: Json) -> Json:
    return json.loads(REPLAY) | changes


def only(found: list[Entry]) -> Record:
    (entry,) = found
    assert entry.record is not None, entry.findings
    return entry.record


def record(value: Json) -> Record:
    return only(entries(json.dumps(value).encode()))


def test_a_replay_turned_so_that_the_landlord_is_seat_0():
    told = only(list(read([str(LOGS / "showdown-replay.json")])))
    assert msgspec.to_builtins(told) == {
        "id": "showdown-replay.json#1",
        "rules": "rlcard",
        "players": [{"id": "5", "name": "随机"}, {"id": "6", "name": "rule"}, {"id": "4", "name": "rule"}],
        "hands": HANDS,
        "bottom": "H2D2C2",
        "landlord": 0,
        "plays": PLAYS,
        "tags": {"bottom": "assumed"},
    }
    assert faults(entries(REPLAY)) == ["clean"]


def test_what_the_server_keeps():
    alone, held = read([str(LOGS / "showdown-server.jsonl")])
    for entry in (alone, held):
        assert entry.record is not None
        assert (entry.record.hands, entry.record.plays) == (HANDS, PLAYS)
        assert [(player.id, player.name) for player in entry.record.players] == [("0", "a"), ("1", "b"), ("2", "b")]
    assert alone.record is not None
    assert alone.record.claim is None
    assert held.record is not None
    assert msgspec.to_builtins(held.record.claim) == {"winners": [0]}
    beside = {"name": "doudizhu", "index": "0", "agent0": "a", "agent1": "b", "win": True, "payoff": 1.0}
    assert msgspec.json.decode(held.record.extra) == beside
    assert [verdict.verdict for verdict in audited([alone, held])] == ["clean", "clean"]


GAME = {"name": "doudizhu", "index": "0", "agent0": "a", "agent1": "b", "win": False, "payoff": 0.0}
STORED = json.dumps(str(replay()))
PLACES: dict[str, bytes] = {
    "one line": json.dumps(replay()).encode(),
    "pretty": json.dumps(replay(), indent=2, sort_keys=True).encode(),
    "array of one": json.dumps([replay()]).encode(),
    "text of a dict": json.dumps(str(replay())).encode(),
    "text of that text": json.dumps(STORED).encode(),
    "text of JSON": json.dumps(json.dumps(replay())).encode(),
    "dict": str(replay()).encode(),
    "dict, pretty": pprint.pformat(replay(), width=60).encode(),
    "list of dicts": str([replay()]).encode(),
    "what the viewer makes of it": str(replay()).replace("'", '"').encode(),
    "row": json.dumps(GAME | {"replay": STORED}).encode(),
    "pretty row": json.dumps(GAME | {"replay": replay()}, indent=1).encode(),
    "dumpdata": json.dumps(
        [
            {"model": "tournament.payoff", "pk": 1, "fields": {"name": "doudizhu", "payoff": 0.5}},
            {"model": "tournament.game", "pk": 7, "fields": GAME | {"replay": STORED}},
            {"model": "tournament.uploadedagent", "pk": 2, "fields": {"name": "a"}},
        ]
    ).encode(),
    "answer": json.dumps({"value": 0, "data": [{"fields": GAME | {"replay": STORED}}], "total_page": 1}).encode(),
    "a note that names the key": json.dumps({"note": "see moveHistory", "replay": replay()}).encode(),
}


@pytest.mark.parametrize("data", PLACES.values(), ids=PLACES)
def test_every_place(data: bytes):
    assert detect(data) == "rlcard-showdown"
    told = only(entries(data))
    assert (told.hands, told.bottom, told.plays) == (HANDS, "H2D2C2", PLAYS)
    assert [player.id for player in told.players] == ["5", "6", "4"]
    has_row = b'"agent0"' in data
    assert (told.claim is not None) == has_row
    again, unknown = read_record(write_record(told))
    assert (write_record(again), unknown) == (write_record(told), ())


@pytest.mark.parametrize(
    "data",
    [
        PLACES["one line"] + b"\n" + PLACES["text of a dict"] + b"\n\n" + PLACES["dict"] + b"\n" + PLACES["row"],
        json.dumps([replay(), str(replay()), STORED, GAME | {"replay": STORED}]).encode(),
        json.dumps([replay()] * 4, indent=1).encode(),
        json.dumps([{"pk": n, "fields": GAME | {"replay": STORED}} for n in range(4)]).encode(),
        b"[\n" + b",\n".join([PLACES["one line"]] * 4) + b"\n]",
        json.dumps({"a": replay(), "b": STORED, "c": [replay(), replay()]}).encode(),
        str([replay()] * 4).encode(),
    ],
)
def test_several_replays(data: bytes):
    assert detect(data) == "rlcard-showdown"
    found = entries(data)
    assert [entry.record and entry.record.plays for entry in found] == [PLAYS] * 4
    assert len({entry.line for entry in found}) == 4
    assert all((entry.record.claim is not None) == (b"agent0" in entry.raw) for entry in found if entry.record)


def test_old_spellings():
    old = replay()
    old["initHand"] = [hand.split() for hand in old.pop("initHands")]
    passes: Iterator[Json] = iter(["P", ""])
    for move in old["moveHistory"]:
        move["playerId"] = 4 + move.pop("playerIdx")
        move["move"] = next(passes) if move["move"] == "pass" else move["move"].split()
        move["probabilities"] = [{"move": "pass", "probability": 1}]
    assert record(old) == msgspec.structs.replace(record(replay()), id="-#1")
    old["moveHistory"][1]["move"] = []
    assert record(old).plays == PLAYS


@pytest.mark.parametrize("landlord", range(3))
def test_the_landlord_at_any_index(landlord: int):
    """Seats turn, nothing else: the same game, and whoever won."""
    value = replay()
    turn = landlord - 1
    for player in value["playerInfo"]:
        player["index"] = (player["index"] + turn) % 3
    value["initHands"] = [value["initHands"][(seat - turn) % 3] for seat in range(3)]
    for move in value["moveHistory"]:
        move["playerIdx"] = (move["playerIdx"] + turn) % 3
    told = record(value)
    assert (told.hands, told.plays, told.landlord) == (HANDS, PLAYS, 0)
    assert [player.id for player in told.players] == ["5", "6", "4"]
    for win in (True, False):
        claim = record({"replay": value, "win": win}).claim
        assert claim is not None
        assert claim.winners == ([0] if win == (landlord == 0) else [1, 2])
    payoffs = [int(seat == landlord) for seat in range(3)]
    assert record(value | {"payoffs": payoffs}).claim == record({"payoffs": payoffs, "replay": value}).claim
    assert msgspec.to_builtins(record(value | {"payoffs": payoffs}).claim) == {"scores": [1, 0, 0]}


def test_players_without_names_or_ids():
    value = replay(playerInfo=[{"role": "peasant"}, {"role": "landlord", "id": "x"}, {"role": "peasant", "id": None}])
    assert [(player.id, player.name) for player in record(value).players] == [("x", None), ("P2", None), ("P0", None)]
    assert record(replay(id="mine")).id == "mine"
    assert record({"id": 12, "replay": str(replay())}).id == "12"


def spoilt(hand: str) -> list[Entry]:
    value = replay()
    value["initHands"][1] = hand
    return entries(json.dumps(value).encode())


def test_faults_are_left_for_the_audit():
    """Nothing is mended: a card too many, too few, twice; one never held; nobody out."""
    whole = replay()["initHands"][1]
    assert faults(spoilt(whole)) == ["clean"]
    assert faults(spoilt(whole[3:])) == ["D201"]
    assert faults(spoilt(whole + " S3")) == ["D201"]
    assert faults(spoilt("S3 " + whole[3:])) == ["D203"]
    assert faults(spoilt("H3 D3")) == ["D201,D202"]
    assert only(spoilt("")).bottom == ""
    value = replay()
    value["moveHistory"][1]["move"] = "RJ BJ"
    assert faults(entries(json.dumps(value).encode())) == ["P402"]
    assert faults(entries(json.dumps(replay(moveHistory=value["moveHistory"][:1])).encode())) == ["P407,S607"]


def without(name: str) -> Json:
    return {key: value for key, value in replay().items() if key != name}


def players(**changes: Json) -> Json:
    return replay(playerInfo=[player | changes for player in replay()["playerInfo"]])


def first_move(**changes: Json) -> Json:
    value = replay()
    value["moveHistory"][0] = {key: given for key, given in (value["moveHistory"][0] | changes).items() if given != "-"}
    return value


@pytest.mark.parametrize(
    ("value", "code", "details"),
    [
        (without("playerInfo"), "R102", {"field": "playerInfo"}),
        (without("initHands"), "R102", {"field": "initHands"}),
        (without("moveHistory"), "R102", {"field": "moveHistory"}),
        (players(role=None), "R102", {"field": "playerInfo[0].role"}),
        (players(role="landlord"), "R103", {"field": "playerInfo.role", "reason": "3 landlords"}),
        (players(role="peasant"), "R103", {"field": "playerInfo.role", "reason": "0 landlords"}),
        (players(role="dealer"), "R103",
         {"field": "playerInfo[0].role", "reason": 'neither landlord nor peasant: "dealer"'}),
        (players(index=1), "R103", {"field": "playerInfo", "reason": "seats [1,1,1] of 3 players"}),
        (players(index="1"), "R103", {"field": "playerInfo[0].index", "reason": "Expected `int | null`, got `str`"}),
        (replay(playerInfo=replay()["playerInfo"][:2]), "R103",
         {"field": "playerInfo", "reason": "seats [0,1] of 3 players"}),
        (replay(initHands=["S3", "S4"]), "R103", {"field": "initHands", "reason": "2 hands for 3 players"}),
        (replay(initHand=["S3", "S4", ""]), "R103", {"field": "initHand", "reason": "initHands is there as well"}),
        (replay(initHands=["S3 S10", "", ""]), "R105", {"field": "initHands[0]", "text": '"S3 S10"'}),
        (replay(initHands=["3", "", ""]), "R105", {"field": "initHands[0]", "text": '"3"'}),
        (replay(initHands=[["S3", 4], "", ""]), "R105", {"field": "initHands[0]", "text": '["S3",4]'}),
        (replay(initHands=[None, "", ""]), "R105", {"field": "initHands[0]", "text": "null"}),
        (first_move(move="S3S4"), "R105", {"field": "moveHistory[0].move", "text": '"S3S4"'}),
        (first_move(move="PASS"), "R105", {"field": "moveHistory[0].move", "text": '"PASS"'}),
        (first_move(move=None), "R105", {"field": "moveHistory[0].move", "text": "null"}),
        (first_move(move="-"), "R102", {"field": "moveHistory[0].move"}),
        (first_move(playerIdx="-"), "R102", {"field": "moveHistory[0].playerIdx"}),
        (first_move(playerIdx=3), "R103", {"field": "moveHistory[0].playerIdx", "reason": "no seat 3"}),
        (first_move(playerIdx=True), "R103", {"field": "moveHistory[0].playerIdx", "reason": "no seat true"}),
        (first_move(playerId=9), "R103", {"field": "moveHistory[0].playerId", "reason": "no player 9"}),
        (first_move(playerId=4), "R103",
         {"field": "moveHistory[0].playerIdx", "reason": "not the seat of playerId 4"}),
        (replay(moveHistory=[[1]]), "R103",
         {"field": "moveHistory[0]", "reason": "Expected `object`, got `array`"}),
        ({"win": 1, "replay": replay()}, "R103", {"field": "win", "reason": "neither true nor false: 1"}),
        (replay(payoffs=[1]), "R103", {"field": "payoffs", "reason": "not one payoff for each of 3 players"}),
        (replay(publicCard="SJ"), "R112", {"reason": "a replay of Leduc Hold'em"}),
        ({"value": -1}, "R112", {"reason": "no replay of RLCard-Showdown"}),
    ],
)  # fmt: skip
def test_what_cannot_be_meant(value: Json, code: str, details: Json):
    assert refusal(value, format="rlcard-showdown") == (code, details)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (REPLAY[:-40], ["R107"]),
        (SERVER[:300], ["R107"]),
        (SERVER[:-40], ["ok", "R107"]),
        (PLACES["dict"][:-40], ["R107"]),
        (SERVER.replace(b"playerInfo", b"player\\qInfo", 1), ["R101", "ok"]),
        (SERVER.replace(b'"win"', b'"\xff"'), ["ok", "R111"]),
        (PLACES["one line"].replace(b'"move"', b'"\xff"') + b"\n" + SERVER, ["R111", "ok", "ok"]),
        (SERVER + b'"just a text"\n7\n[]\n[{"value":1}]\n', ["ok", "ok", "R112", "R112", "R112"]),
        (json.dumps("{" * 9 + "moveHistory").encode(), ["R112"]),
        (json.dumps([1, replay(), {"x": 1}]).encode(), ["R112", "ok", "R112"]),
    ],
)
def test_broken_files(data: bytes, expected: list[str]):
    assert codes(entries(data, format="rlcard-showdown")) == expected


# Detection


LEDUC = {"playerInfo": [{"id": 0, "index": 0}], "initHands": ["SJ", "HQ"], "moveHistory": [[]], "publicCard": "HJ"}


@pytest.mark.parametrize(
    "head",
    [
        json.dumps(LEDUC).encode(),
        json.dumps(str(LEDUC)).encode(),
        json.dumps(GAME).encode(),
        b"data['initHands'] = ['S3 S4']\ndata['playerInfo'] = []\n",
        b'# replay\n{"initHands": ["S3 S4"], "playerInfo": []}',
        b'{"initHands": ["S3 S4"], "id": "a"}',
    ],
)
def test_other_peoples_logs_are_left_to_them(head: bytes):
    assert detect(head) != "rlcard-showdown"


def test_a_dump_of_both_games():
    both = json.dumps([str(LEDUC), str(replay())]).encode()
    assert detect(both) == "rlcard-showdown"
    assert codes(entries(both)) == ["R112", "ok"]


def test_a_beginning_is_enough():
    data = json.dumps(GAME | {"replay": str(replay(moveHistory=replay()["moveHistory"] * 400))}).encode()
    assert len(data) > 1 << 16
    assert detect(data[: 1 << 16]) == "rlcard-showdown"
    assert detect(REPLAY[:500]) == "rlcard-showdown"


def test_no_other_sample_is_taken():
    taken = {path.name for path in LOGS.iterdir() if detect(path.read_bytes(), path.name) == "rlcard-showdown"}
    assert taken == {"showdown-replay.json", "showdown-server.jsonl"}


# Nothing raises


STRANGE = [
    b"null",
    b"[]",
    b"{}",
    b"-1",
    b"1e400",
    b'"pass"',
    b"[[]]",
    b"9" * 40,
    b"true",
    b"'S3'",
    b'"\\ud800"',
    b"None",
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([REPLAY, SERVER, PLACES["dict"], PLACES["dumpdata"]]), st.data())
def test_no_value_in_the_place_of_another_makes_reading_raise(seed: bytes, data: st.DataObject):
    tokens = seed.replace(b",", b"\0,\0").replace(b":", b"\0:\0").split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(st.sampled_from(STRANGE))
    sound(read(["-"], format="rlcard-showdown", stdin=io.BytesIO(b"".join(tokens))))


def test_detection_is_linear():
    for text in (
        b"\\" * 65000,
        b'"initHands' * 6500,
        b"[" * 65000,
        b"'initHands':[" * 5000,
        b'{"a":' * 13000,
        b"'" * 65000,
    ):
        begun = time.process_time()
        detect(b"{" + text)
        assert time.process_time() - begun < 2


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([REPLAY, SERVER, PLACES["dict"]]), st.data())
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    sound(read(["-"], format="rlcard-showdown", stdin=io.BytesIO(bytes(broken[:cut]))))


def test_replays_in_replays_have_an_end():
    value: Json = replay()
    for _ in range(300):
        value = {"moveHistory of": [value]}
    assert codes(entries(json.dumps(value).encode(), format="rlcard-showdown")) == ["R112"]


# Games of RLCard, as the server writes them


def suited(action: str, hand: list[str]) -> str:
    """The cards of a hand that a play of ranks takes, as the server picks them."""
    taken = []
    for rank in action:
        faces = (f"{rank}J",) if rank in "BR" else tuple(suit + rank for suit in "SHDC")
        card = next(card for card in hand if card in faces)
        hand.remove(card)
        taken.append(card)
    return " ".join(taken)


def test_games_of_rlcard_as_the_server_writes_them():
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("doudizhu", config={"seed": 20261129})
    dice = random.Random(20261129)
    roles = ("landlord", "peasant", "peasant")
    lines, wins = [], []
    for _ in range(25):
        info = [{"id": i, "index": i, "role": role, "agentInfo": {"name": "random"}} for i, role in enumerate(roles)]
        state, seat = env.reset()
        dealt = env.get_perfect_information()["hand_cards_with_suit"]
        hands, moves = [hand.split() for hand in dealt], []
        while not env.is_over():
            action = dice.choice(state["raw_legal_actions"])
            probs = dict.fromkeys(state["raw_legal_actions"], 0.5)
            move = action if action == "pass" else suited(action, hands[seat])
            moves.append({"playerIdx": seat, "move": move, "info": {"probs": probs}})
            state, seat = env.step(action, raw_action=True)
        wins.append(bool(env.get_payoffs()[0] > 0))
        game = {"playerInfo": info, "initHands": dealt, "moveHistory": moves}
        lines.append(json.dumps({"replay": json.dumps(str(game)), "win": wins[-1]}))
    found = entries("\n".join(lines).encode())
    for win, verdict in zip(wins, audited(found), strict=True):
        assert (verdict.verdict, verdict.findings) == ("clean", [])
        assert verdict.scores == ([1, 0, 0] if win else [0, 1, 1])
    assert set(wins) == {True, False}


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="no folder shared/real beside the checkout")
def test_real_replays_are_as_faulty_as_they_are():
    found = list(read([str(REAL)]))
    assert [Path(entry.source).name[:15] for entry in found] == ["doudizhu_random", *["sample_doudizhu"] * 3]
    assert faults(found) == ["P404,P402", "D203", "D203", "R108,D203"]
    assert [player.name for player in found[-1].record.players] == ["CFR", "random", "DQN"]  # type: ignore[union-attr]
