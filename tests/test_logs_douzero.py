"""DouZero's games: pickles that never run, JSON, requests and sessions; the samples in tests/logs are made by hand."""

import gzip
import io
import json
import pickle
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import judge
from ingest.faults import CATALOGUE, message
from ingest.logs import Entry, detect, pickles, read
from ingest.logs.pickle_machine import Unpicklable
from ingest.logs.readers import READERS
from ingest.record import Record, read_record, write_record

LOGS = Path(__file__).parent / "logs"
GAMES = 40
POSITIONS = ("landlord", "landlord_down", "landlord_up")
NUMBERS = [*range(3, 15), 17, 20, 30]
LETTERS = dict(zip(NUMBERS, "3456789TJQKA2XD", strict=True))
RANKS = dict(zip(NUMBERS, "3456789TJQKA2BR", strict=True))

JSON = (LOGS / "douzero.json").read_bytes()
REQUESTS = (LOGS / "douzero-requests.txt").read_bytes()
SESSION = (LOGS / "douzero-session.jsonl").read_bytes()
GAME, DEAL = json.loads(JSON)
HANDS = ["334445556789TJQKA", "3677899TJJQKKA22B", "667889TTJQQKAA22R"]
PLAYS = "0:3456789TJQKA 1:- 2:- 0:33444555"


def entries(data: bytes, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data), **options))


def codes(found: list[Entry]) -> list[tuple[int, str]]:
    return [(entry.line, ",".join(f.code for f in entry.findings) or "ok") for entry in found]


def records(data: bytes, **options: str) -> list[Record]:
    found = entries(data, **options)
    assert {code for _, code in codes(found)} == {"ok"}, [entry.findings for entry in found]
    return [entry.record for entry in found if entry.record]


def faults(record: Record) -> list[str]:
    return [finding.code for finding in judge(Entry("", 1, b"", record)).verdict.findings]


def the_finding(data: bytes, **options: str) -> tuple[str, dict[str, Any]]:
    (entry,) = entries(data, **options)
    assert entry.record is None
    (finding,) = entry.findings
    return finding.code, dict(finding.details)


def as_json(thing: Any) -> bytes:
    return json.dumps(thing).encode()


# What a game is read as


def test_a_game_and_a_deal():
    played, dealt = records(JSON)
    assert (played.id, played.rules, played.landlord, played.auction) == ("hand-made-1", "douzero", 0, None)
    assert (played.hands, played.bottom, played.plays) == (HANDS, "345", PLAYS)
    assert [(player.id, player.bot) for player in played.players] == [(position, True) for position in POSITIONS]
    assert played.claim is not None
    assert msgspec.to_builtins(played.claim) == {"winners": [0]}
    assert bytes(played.extra) == b'{"bomb_num":0}'
    verdict = judge(Entry("", 1, b"", played)).verdict
    assert (verdict.verdict, verdict.scores, verdict.winners, verdict.findings) == ("clean", [2, -1, -1], [0], [])
    assert (dealt.id, dealt.hands, dealt.plays) == ("-#2", HANDS, "")
    assert "P407" in faults(dealt)


def test_every_kind_of_the_sample_is_told_by_what_it_holds():
    for data in (JSON, REQUESTS, SESSION, pickle.dumps([GAME]), as_json(GAME)):
        for cut in (len(data), 1 << 16, 700):
            assert detect(data[:cut]) == "douzero"


def test_no_other_format_claims_them_and_they_claim_no_other():
    for data in (JSON, REQUESTS, SESSION, *(pickle.dumps([GAME], protocol) for protocol in range(6))):
        claimed = {name for name, reader in READERS.items() if reader.recognises and reader.recognises(data)}
        assert claimed == {"douzero"}
    for path in LOGS.iterdir():
        if not path.name.startswith("douzero"):
            assert not READERS["douzero"].recognises(path.read_bytes()), path  # type: ignore[misc]


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"(cards of the landlord_up\n)",
        b"(\n;VER[landlord]",
        b"curl three_landlord_cards landlord\n",
        b"\x80\x04nothing of the kind",
        pickle.dumps([{"deck": [1]}]),
        b'{"id":"a","players":[],"extra":{"landlord":1,"landlord_up":2,"landlord_down":3,"three_landlord_cards":4}}',
        b'{"action":"init","data":{"landlord":1}}',
        b"player_hand_cards=345&rival_move=&landlord",
    ],
)
def test_what_is_none_of_these(head: bytes):
    assert detect(head, "x.bin") != "douzero"


def text(cards: list[int]) -> str:
    return "".join(LETTERS[card] for card in cards)


SEQUENCE = GAME["card_play_action_seq"]
SPELLINGS: dict[str, Any] = {
    "as DouZero has it": SEQUENCE,
    "with positions": [[POSITIONS[place % 3], action] for place, action in enumerate(SEQUENCE)],
    "letters": [[LETTERS[card] for card in action] for action in SEQUENCE],
    "ten as 10": [[LETTERS[card].replace("T", "10") for card in action] for action in SEQUENCE],
    "texts": [text(action) for action in SEQUENCE],
    "one text": ",".join(text(action) for action in SEQUENCE),
    "JSON in a text": json.dumps(SEQUENCE),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("name", ["card_play_action_seq", "action_seq", "plays"])
def test_every_spelling_of_the_plays(spelling: Any, name: str):
    given = {**DEAL, name: spelling}
    for data in (as_json(given), as_json([given]), json.dumps(given, indent=1).encode(), pickle.dumps([given])):
        (record,) = records(data)
        assert (record.hands, record.plays, bytes(record.extra)) == (HANDS, PLAYS, b"")


@pytest.mark.parametrize(
    "spell", [text, lambda cards: json.dumps(cards), lambda cards: [LETTERS[card] for card in cards]]
)
def test_every_spelling_of_the_cards(spell: Callable[[list[int]], Any]):
    (record,) = records(as_json({name: spell(cards) for name, cards in DEAL.items()}))
    assert (record.hands, record.bottom) == (HANDS, "345")


def test_a_deal_within_a_game():
    (record,) = records(as_json({"card_play_data": DEAL, "action_seq": SEQUENCE, "id": 5}))
    assert (record.id, record.hands, record.plays, bytes(record.extra)) == ("5", HANDS, PLAYS, b"")


def test_an_array_whose_lines_are_games_is_one_document():
    lines = [as_json(GAME | {"id": str(number)}) for number in range(3)]
    assert [record.id for record in records(b"[\n" + b",\n".join(lines) + b"\n]\n")] == ["0", "1", "2"]
    assert [record.id for record in records(b"\n".join(lines))] == ["0", "1", "2"]


def test_a_landlord_of_seventeen_cards_keeps_them():
    (record,) = records(as_json(DEAL | {"landlord": [3, 3, 4, 4, 4, 5, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}))
    assert record.hands == HANDS


def test_what_is_wrong_with_a_deal_is_for_the_audit_to_say():
    short = DEAL | {"landlord": DEAL["landlord"][:-1]}
    elsewhere = DEAL | {"three_landlord_cards": [17, 17, 17]}
    twice = DEAL | {"landlord_up": DEAL["landlord_down"]}
    played_off = DEAL | {"three_landlord_cards": [3]}
    found = [faults(records(as_json(deal))[0]) for deal in (short, elsewhere, twice, played_off)]
    assert found == [["D201"], ["D201"], ["D203"] * len(found[2]), ["D201", "D202"]]
    assert found[2]


def test_unlawful_moves_stand():
    moves = [[3, 4], [], [], [30], [6], [17]]
    (record,) = records(as_json(GAME | {"card_play_action_seq": moves}))
    assert record.plays == "0:34 1:- 2:- 0:R 1:6 2:2"
    assert {"P402", "P403"} <= set(faults(record))
    (record,) = records(as_json(GAME | {"card_play_action_seq": [["landlord_up", [6]]]}))
    assert "P401" in faults(record)
    (record,) = records(as_json(GAME | {"winner": "farmer"}))
    assert faults(record) == ["S601"]


@pytest.mark.parametrize(
    ("change", "code", "details"),
    [
        ({"landlord_up": None}, "R105", {"field": "landlord_up", "text": "null"}),
        ({"landlord_up": [3, 15]}, "R105", {"field": "landlord_up", "text": "[3,15]"}),
        ({"landlord_up": [3, True]}, "R105", {"field": "landlord_up", "text": "[3,true]"}),
        ({"landlord_up": [3.0]}, "R105", {"field": "landlord_up", "text": "[3.0]"}),
        ({"landlord_up": "34 5"}, "R105", {"field": "landlord_up", "text": '"34 5"'}),
        ({"landlord_up": "1"}, "R105", {"field": "landlord_up", "text": '"1"'}),
        ({"landlord_up": [[3]]}, "R105", {"field": "landlord_up", "text": "[[3]]"}),
        ({"card_play_action_seq": {}}, "R103", {"field": "card_play_action_seq", "reason": "not a list of plays"}),
        ({"card_play_action_seq": [[3], None]}, "R105", {"field": "card_play_action_seq[1]", "text": "null"}),
        ({"plays": [[0]], "action_seq": [[1]]}, "R105", {"field": "action_seq[0]", "text": "[1]"}),
        ({"card_play_action_seq": [["up", [3]]]}, "R105", {"field": "card_play_action_seq[0]", "text": '["up",[3]]'}),
        ({"card_play_action_seq": "3,z"}, "R105", {"field": "card_play_action_seq[1]", "text": '"z"'}),
        ({"winner": "north"}, "R103", {"field": "winner", "reason": 'no side: "north"'}),
    ],
)  # fmt: skip
def test_what_cannot_be_read(change: dict[str, Any], code: str, details: dict[str, str]):
    given = (DEAL if "plays" in change else GAME) | change
    assert the_finding(as_json(given)) == (code, details)
    assert the_finding(pickle.dumps([given])) == (code, details)


@pytest.mark.parametrize("name", [*POSITIONS, "three_landlord_cards"])
def test_a_deal_without_a_hand(name: str):
    data = as_json({key: value for key, value in DEAL.items() if key != name})
    assert the_finding(data, format="douzero") == ("R102", {"field": name})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{}", "R112"),
        (b'{"cards":[3]}', "R112"),
        (b"7", "R103"),
        (b'"landlord"', "R103"),
        (b"[]\n", "R112"),
        (b"nonsense", "R101"),
        (b'{"landlord":"\xff"}', "R111"),
        (as_json(GAME)[:-9], "R107"),
        (b'{"landlord":' + b"[" * 9999 + b"]" * 9999 + b"}", "R107"),
        (b'{"landlord":[' + b"9" * 9999 + b'],"landlord_up":[],"landlord_down":[]}', "R103"),
        (b'{"landlord":"\\ud800"}', "R107"),
        (b"[[]]", "R112"),
    ],
)
def test_what_is_no_game(data: bytes, expected: str):
    assert the_finding(data, format="douzero")[0] == expected


# Pickles


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_and_every_shape(protocol: int):
    plain = records(as_json([GAME, GAME, DEAL]))
    for whole in ([GAME, GAME, DEAL], (GAME, GAME, DEAL)):
        data = pickle.dumps(whole, protocol)
        for packed in (data, gzip.compress(data, mtime=0), zstandard.ZstdCompressor().compress(data)):
            found = records(packed)
            assert [record.plays for record in found] == [record.plays for record in plain]
            assert [record.hands for record in found] == [HANDS] * 3
    assert len(records(pickle.dumps(([GAME, DEAL],), protocol))) == 2
    one_by_one = b"".join(pickle.dumps(game, protocol) for game in (GAME, DEAL, GAME))
    assert [(record.id, record.plays) for record in records(one_by_one)] == [
        ("hand-made-1", PLAYS),
        ("-#2", ""),
        ("hand-made-1", PLAYS),
    ]


def test_a_game_from_a_pickle_is_kept_as_json_that_reads_as_the_same():
    (entry,) = entries(pickle.dumps([GAME | {"odd": (1.5, None, True, "二")}]))
    (again,) = entries(entry.raw)
    assert entry.record is not None
    assert again.record == entry.record
    assert bytes(entry.record.extra) == '{"bomb_num":0,"odd":[1.5,null,true,"二"]}'.encode()


def test_pickles_of_python_2_are_read():
    data = b"(lp0\n(dp1\nS'landlord'\np2\nI3\nsS'landlord_up'\nL4L\nsS'landlord_down'\nI01\ns"
    data += b'S"three_landlord_cards"\n(lp3\nsa.'
    assert list(map(pickles.plain, pickles.values(io.BytesIO(data)))) == [
        {"landlord": 3, "landlord_up": 4, "landlord_down": True, "three_landlord_cards": []}
    ]
    assert detect(data) == "douzero"


ran: list[str] = []


class Hostile:
    def __init__(self, how: Any) -> None:
        self.how = how

    def __reduce__(self) -> Any:
        return self.how


FORBIDDEN = {
    "a call": (Hostile((ran.append, ("ran",))), "builtins getattr"),
    "eval": (Hostile((eval, ("1",))), "builtins eval"),
    "an object": (io.BytesIO(b""), "BytesIO"),
    "a set": ({3, 4}, "EMPTY_SET"),
    "bytes": (b"345", "BINBYTES"),
    "a bytearray": (bytearray(b"345"), "BYTEARRAY8"),
    "a complex number": (3j, "builtins complex"),
    "a class": (Path, "pathlib"),
}


@pytest.mark.parametrize(("thing", "named"), FORBIDDEN.values(), ids=FORBIDDEN)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_what_a_pickle_would_do_is_named_and_not_done(thing: Any, named: str, protocol: int):
    ran.clear()
    data = pickle.dumps([DEAL, DEAL | {"landlord": thing}], protocol)
    found = entries(data)
    assert ran == []
    assert codes(found)[-1][1] == "R112"
    reason = found[-1].findings[0].details["reason"]
    assert reason.startswith("a pickle that is not read: it holds ")
    assert protocol < 5 or named in reason


def test_arrays_of_numpy_are_named():
    numpy = pytest.importorskip("numpy")
    for cards in (numpy.array(DEAL["landlord"]), [numpy.int64(3)]):
        for protocol in range(6):
            (entry,) = entries(pickle.dumps([DEAL | {"landlord": cards}], protocol))
            assert codes([entry]) == [(1, "R112")]
            assert "numpy" in entry.findings[0].details["reason"]


@pytest.mark.parametrize(
    "opcode", "b R o i c \x81 \x92 \x93 \x82 \x83 \x84 Q P \x8f \x90 \x91 0 1 2 \x96 \x97 \x98 B C \x8e".split()
)
def test_no_opcode_but_those_of_plain_data_is_carried_out(opcode: str):
    data = b"\x80\x04]\x94(K\x01K\x02" + opcode.encode("latin-1") + b"\x00" * 12 + b"\n\n\n."
    with pytest.raises(Unpicklable):
        list(pickles.values(io.BytesIO(data)))


def laughing(depth: int) -> bytes:
    """Lists of ten times the list before: 10 ** depth values in a few bytes."""
    value: Any = "ha" * 50
    for _ in range(depth):
        value = [value] * 10
    return pickle.dumps([DEAL | {"joke": value}])


BOMBS = {
    "laughs": (laughing(30), "R103", "more than 131072 values in one item"),
    "more laughs": (laughing(200), "R103", "more than"),
    "nests": (b"\x80\x04]\x94(" + b"]" * 9000 + b"a" * 8999 + b"e.", "R103", "more than 32 lists within lists"),
    "cycle": (b"\x80\x04]\x94}\x94(\x8c\x08landlordh\x01ua.", "R103", "more than 32 lists within lists"),
    "outermost in itself": (b"\x80\x04]\x94h\x00a.", "R112", "a list within itself"),
    "outermost in another": (b"\x80\x04]\x85\x85.", "R103", "the outermost list is in another"),
    "giant text": (b"\x80\x04]\x94(\x8d" + (1 << 62).to_bytes(8, "little") + b"x", "R112", f"{1 << 62} bytes"),
    "giant number": (b"\x80\x04]\x94(\x8b" + (1 << 30).to_bytes(4, "little") + b"\1", "R112", f"{1 << 30} bytes"),
    "negative number": (b"\x80\x04]\x94(\x8b\xff\xff\xff\xff\1", "R112", "byte count < 0"),
    "long number": (b"\x80\x02]q\0I" + b"9" * 10_000 + b"\na.", "R112", "Exceeds the limit"),
    "endless line": (b"(lp0\nV" + b"x" * (3 << 20), "R112", "a value of over"),
    "endless marks": (b"(" * (1 << 15), "R112", "more than 16384 values at once"),
    "endless lists": (b"\x80\x04]\x94(" + b"]" * (1 << 15), "R112", "more than 16384 values at once"),
    "endless memory": (b"\x80\x04]" + b"\x94" * (1 << 15), "R112", "more than 16384 values at once"),
    "endless frames": (b"\x80\x04]" + b"\x95\0\0\0\0\0\0\0\0" * (1 << 15), "R112", "more than 16384 values"),
    "endless texts": (b"\x80\x04]\x94(" + (b"\x8c\xff" + b"x" * 255 + b"\x94") * (1 << 13), "R112", "more than 16384"),
    "many keys": (b"\x80\x04}\x94(" + b"K\1K\1" * 8000 + b"u.", "R103", "a key that is no text"),
}


@pytest.mark.parametrize(("data", "code", "reason"), BOMBS.values(), ids=BOMBS)
def test_bombs_do_not_go_off(data: bytes, code: str, reason: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pickles, "AT_ONCE", 1 << 14)
    tracemalloc.start()
    found = entries(data, format="douzero")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 << 20
    assert codes(found)[-1][1] == code
    assert reason in found[-1].findings[0].details["reason"]


def test_a_pickle_that_breaks_off_gives_its_whole_hands():
    data = pickle.dumps([GAME | {"id": str(number)} for number in range(2500)])
    found = entries(data[: len(data) // 2])
    assert 1200 < len(found) < 1300
    assert [entry.record.id for entry in found if entry.record] == [str(number) for number in range(len(found) - 1)]
    assert codes(found)[-1] == (len(found), "R107")
    spoilt = entries(data[: len(data) // 2] + b"\xff" + data[len(data) // 2 :])
    assert (len(spoilt), codes(spoilt)[-1][1]) == (len(found), "R112")
    assert codes(entries(data + b"\n"))[-1] == (2501, "R112")


def test_a_long_pickle_streams_and_forgets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pickles, "REMEMBERED", 100)
    shared = [3, 4, 5]
    data = [DEAL | {"three_landlord_cards": shared, "id": f"{number}"} for number in range(2500)]
    found = list(read(["-"], stdin=io.BytesIO(pickle.dumps(data))))
    assert all(entry.record for entry in found[:1000])
    assert found[-1].findings[0].details["reason"].startswith("a pickle that is not read: refers to a value")
    fresh = pickle.dumps([json.loads(json.dumps(deal)) for deal in data])
    tracemalloc.start()
    assert sum(entry.record is not None for entry in read(["-"], stdin=io.BytesIO(fresh))) == 2500
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 << 20


def test_shared_parts_are_read_where_they_stand():
    assert len(records(pickle.dumps([GAME] * 1500))) == 1500


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (float("nan"), "the number nan"),
        (1 << 70, "a number of 71 bits"),
        ("\ud800", "a text that is no text: surrogates not allowed"),
        ({3: 4}, "a key that is no text"),
        ({(3, 4): 4}, "a key that is no text"),
    ],
)
def test_what_json_cannot_say_is_no_hand_and_the_next_is_read(odd: Any, reason: str):
    found = entries(pickle.dumps([GAME | {"odd": odd}, GAME]))
    assert codes(found) == [(1, "R103"), (2, "ok")]
    assert found[0].findings[0].details == {"field": "", "reason": reason}


# Requests and sessions


def test_requests():
    start, later, curl, logged = records(REQUESTS)
    assert [record.id for record in (start, later, curl, logged)] == [f"-#{line}" for line in (1, 2, 4, 5)]
    assert (start.hands, start.bottom, start.plays) == ([HANDS[0], None, None], "345", "")
    assert (later.plays, later.bottom) == ("0:3456789TJQKA 1:- 2:-", "345")
    assert sorted(later.hands[0] or "") == sorted(HANDS[0])  # type: ignore[index]
    assert (curl.hands, curl.plays) == ([None, HANDS[1], None], "0:3456789TJQKA")
    assert (logged.hands, logged.plays, logged.bottom) == ([None, None, HANDS[2]], "0:3456789TJQKA 1:-", None)
    assert json.loads(bytes(later.extra)) == {"bomb_num": "0", "num_cards_left_landlord": "8"}
    for record in (start, later, curl, logged):
        assert set(faults(record)) == {"D207", "P407", "S607"}


def request(**changes: str) -> bytes:
    fields = {"player_position": "1", "player_hand_cards": text(DEAL["landlord_down"]), "three_landlord_cards": "345",
              "card_play_action_seq": "3456789TJQKA"} | changes  # fmt: skip
    return "&".join(f"{name}={value}" for name, value in fields.items()).encode()


def test_a_request_whose_cards_do_not_add_up():
    (record,) = records(request(player_hand_cards="345"))
    assert faults(record) == ["D201"]
    (record,) = records(
        request(
            player_position="0",
            player_hand_cards=text(DEAL["landlord"]),
            three_landlord_cards="3",
            card_play_action_seq="",
        )
    )
    assert (record.hands, record.bottom) == ([None, None, None], None)
    assert "player_hand_cards" in json.loads(bytes(record.extra))


def test_two_passes_and_no_play_at_all():
    (record,) = records(request(card_play_action_seq=","))
    assert record.plays == "0:- 1:-"
    (record,) = records(request(card_play_action_seq=""))
    assert record.plays == ""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (request(player_position="3"), "R103"),
        (request(player_hand_cards="34z"), "R105"),
        (request(player_hand_cards="%ff"), "R111"),
        (request() + b"&player_position=2", "R103"),
        (request() + b"&a=1" * 99, "R103"),
        (b"player_position=0&card_play_action_seq=", "R102"),
        (b"POST /predict", "R112"),
    ],
)
def test_requests_that_are_none(line: bytes, code: str):
    found = entries(request() + b"\n" + line + b"\n" + request())
    assert codes(found) == [(1, "ok"), (2, code), (3, "ok")]


def test_requests_as_json():
    given = {
        "player_position": "landlord_down",
        "player_hand_cards": json.dumps(DEAL["landlord_down"]),
        "three_landlord_cards": "[3, 4, 5]",
        "card_play_action_seq": json.dumps(SEQUENCE[:1]),
        "bid_info": "[3, -1, -1]",
    }
    (record,) = records(as_json(given))
    assert (record.hands, record.plays) == ([None, HANDS[1], None], "0:3456789TJQKA")
    assert json.loads(bytes(record.extra)) == {"bid_info": "[3, -1, -1]"}


def test_a_session_is_put_together_from_its_messages():
    found = entries(SESSION)
    assert codes(found) == [(1, "ok"), (3, "ok")]
    first, second = [entry.record for entry in found if entry.record]
    assert (first.id, first.hands, first.bottom, first.plays) == ("7", [HANDS[0], HANDS[1], None], "345", PLAYS)
    assert [(player.id, player.name, player.bot) for player in first.players] == [
        ("landlord", "WP", True),
        ("landlord_down", "WP", True),
        ("landlord_up", None, None),
    ]
    assert set(faults(first)) == {"D207"}
    assert (second.id, second.hands, second.plays) == ("8", [None, None, HANDS[2]], "0:3456789TJQKA")
    assert json.loads(bytes(second.extra)) == {"ai_amount": 1, "refused": ["busy"]}
    assert [entry.record for entry in entries(found[0].raw)] == [msgspec.structs.replace(first)]


def test_a_session_as_one_document():
    messages = [json.loads(line) for line in SESSION.splitlines()]
    plain = records(SESSION)
    for data in (as_json(messages), json.dumps(messages, indent=2).encode()):
        assert records(data) == plain
    (alone,) = records(json.dumps(messages[0], indent=2).encode())
    assert (alone.hands, alone.plays) == (plain[0].hands, "")


def init(**changes: Any) -> bytes:
    data = {"pid": 9, "three_landlord_cards": "345", "player_data": [{"hand_cards": HANDS[1], "position_code": 2}]}
    return as_json({"action": "init", "data": data | changes})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"action":"play","data":{"pid":9,"player":1,"cards":"3"}}', "R102"),
        (b'{"action":"play","data":7}', "R103"),
        (b'{"action":"play","data":', "R101"),
        (init(three_landlord_cards="34z"), "R105"),
        (init(player_data=[{"hand_cards": "3", "position_code": 3}]), "R103"),
        (init(player_data=[{"hand_cards": "3", "position_code": True}]), "R103"),
        (init(player_data=[{"hand_cards": "3", "position_code": 1}] * 2), "R103"),
        (init(player_data=[{"hand_cards": "3"}]), "R103"),
        (init(player_data=[{"hand_cards": "z", "position_code": 1}]), "R105"),
        (init() + b'\n{"action":"play","data":{"pid":9,"player":7,"cards":""}}', "R103"),
        (init() + b'\n{"action":"play","data":{"pid":9,"player":1,"cards":"pass"}}', "R105"),
        (b"7", "R103"),
        (as_json(GAME), "ok"),
    ],
)
def test_messages_that_are_none(line: bytes, code: str):
    found = entries(SESSION + line + b"\n")
    assert sorted(codes(found)) == [(1, "ok"), (3, "ok"), (9, code)]


def test_a_session_that_is_reported_twice_or_has_a_name_that_is_too_long():
    assert [code for _, code in codes(entries(SESSION + SESSION))] == ["ok"] * 4
    long = SESSION.replace(b'"pid": 7', b'"pid": "' + b"x" * 5000 + b'"')
    assert (1, "ok") in codes(entries(long))


# Deals with an auction


def test_deals_of_alphadou():
    deal = dict(zip(("first", "second", "third"), (DEAL["landlord_up"], HANDS[0], DEAL["landlord_down"]), strict=True))
    deal["three_landlord_cards"] = [3, 4, 5]
    (record,) = records(pickle.dumps([deal]))
    assert (record.rules, record.first, record.auction, record.landlord) == ("douzero-bidding", 0, "", None)
    assert record.hands == [HANDS[2], HANDS[0], HANDS[1]]
    assert [player.id for player in record.players] == ["first", "second", "third"]
    assert "A305" in faults(record)
    pairs = [[POSITIONS[place % 3], action] for place, action in enumerate(SEQUENCE)]
    (record,) = records(pickle.dumps([deal | {"bid_info": [0, 2, 0], "card_play_action_seq": pairs}]))
    assert (record.auction, record.plays) == ("0:- 1:2 2:-", "1:3456789TJQKA 2:- 0:- 1:33444555")
    verdict = judge(Entry("", 1, b"", record)).verdict
    assert (verdict.verdict, verdict.landlord, verdict.scores) == ("clean", 1, [-4, 8, -4])
    assert the_finding(pickle.dumps([deal | {"card_play_action_seq": pairs}])) == ("R102", {"field": "bid_info"})
    assert the_finding(pickle.dumps([deal | {"bid_info": [1, "2"]}]))[0] == "R103"


def test_standard_deals_of_the_fork():
    deck = [*range(3, 15), 17] * 4 + [20, 30]
    given = {
        "format_version": 2,
        "ruleset_id": "standard",
        "deck": deck,
        "first_bidder": "2",
        "bidding_order": ["2", "0", "1"],
    }
    (record,) = records(pickle.dumps([given]))
    assert (record.rules, record.first, record.auction) == ("douzero-bidding", 2, "")
    assert [len(hand or "") for hand in record.hands or ()] == [17, 17, 17]
    assert record.bottom == "2BR"
    assert {"A305"} == set(faults(record)) - {"S607"}
    assert the_finding(pickle.dumps([given | {"first_bidder": "3"}]))[0] == "R103"


# Games of DouZero itself


class AtRandom:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def act(self, infoset: Any) -> list[int]:
        return self.dice.choice(infoset.legal_actions)


@pytest.fixture(scope="module")
def played() -> list[tuple[dict[str, Any], list[int]]]:
    """Random games, saved with a copy of the deal, and what each position got (DZ-R3)."""
    game = pytest.importorskip("douzero.env.game")
    dice = random.Random(20261129)
    found = []
    for number in range(GAMES):
        deck = [*range(3, 15), 17] * 4 + [20, 30]
        dice.shuffle(deck)
        deal = {"landlord": sorted(deck[:20]), "landlord_up": sorted(deck[20:37]), "landlord_down": sorted(deck[37:]),
                "three_landlord_cards": sorted(deck[17:20])}  # fmt: skip
        env = game.GameEnv(dict.fromkeys(POSITIONS, AtRandom(dice)))
        env.card_play_init({name: list(cards) for name, cards in deal.items()})
        while not env.game_over:
            env.step()
        each = env.player_utility_dict["farmer"] * 2**env.bomb_num
        saved = {
            "id": f"g-{number}",
            **deal,
            "card_play_action_seq": env.card_play_action_seq,
            "winner": env.winner,
            "bomb_num": env.bomb_num,
        }
        found.append((saved, [-2 * each, each, each]))
    return found


SAVED: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "JSON lines": lambda games: b"\n".join(map(as_json, games)),
    "an array": as_json,
    "a pretty array": lambda games: json.dumps(games, indent=4).encode(),
    "an old pickle": lambda games: pickle.dumps(games, 0),
    "a pickle": lambda games: pickle.dumps(games, pickle.HIGHEST_PROTOCOL),
    "pickles one after another": lambda games: b"".join(map(pickle.dumps, games)),
    "a pickle that is packed": lambda games: gzip.compress(pickle.dumps(games)),
    "text": lambda games: b"\n".join(
        as_json({name: value if name in ("id", "winner", "bomb_num") else
                 ",".join(map(text, value)) if name == "card_play_action_seq" else text(value)
                 for name, value in game.items()})
        for game in games
    ),
}  # fmt: skip


@pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)
def test_games_of_douzero_audit_clean_and_score_as_they_did(
    played: list[tuple[dict[str, Any], list[int]]], save: Callable[[list[dict[str, Any]]], bytes]
):
    found = records(save([game for game, _ in played]))
    assert [record.id for record in found] == [f"g-{number}" for number in range(GAMES)]
    for record, (game, scores) in zip(found, played, strict=True):
        verdict = judge(Entry("", 1, b"", record)).verdict
        assert (verdict.verdict, verdict.findings, verdict.scores) == ("clean", [], scores)
        assert verdict.multiplier == 2 ** game["bomb_num"]
        again, unknown = read_record(write_record(record))
        assert (write_record(again), unknown) == (write_record(record), ())
        assert judge(Entry("", 1, b"", again)).verdict == verdict


def as_request(game: dict[str, Any]) -> bytes:
    """The game at its end, as the player whose turn it would be would ask."""
    turns = game["card_play_action_seq"]
    seat = len(turns) % 3
    left = list(game[POSITIONS[seat]])
    for card in (card for turn in turns[seat::3] for card in turn):
        left.remove(card)
    return request(
        player_position=str(seat),
        player_hand_cards=text(left),
        three_landlord_cards=text(game["three_landlord_cards"]),
        card_play_action_seq=",".join(map(text, turns)),
    )


def as_session(game: dict[str, Any]) -> list[bytes]:
    places = dict(zip(POSITIONS, (1, 2, 0), strict=True))
    held = [{"hand_cards": text(game[name]), "position_code": code} for name, code in places.items()]
    started = init(pid=game["id"], three_landlord_cards=text(game["three_landlord_cards"]), player_data=held)
    plays = [
        {"pid": game["id"], "player": (place + 1) % 3, "cards": text(turn)}
        for place, turn in enumerate(game["card_play_action_seq"])
    ]
    return [started, *(as_json({"action": "play", "data": play}) for play in plays)]


def test_games_of_douzero_as_requests(played: list[tuple[dict[str, Any], list[int]]]):
    for record, (_, scores) in zip(records(b"\n".join(as_request(game) for game, _ in played)), played, strict=True):
        verdict = judge(Entry("", 1, b"", record)).verdict
        assert ({finding.code for finding in verdict.findings}, verdict.scores) == ({"D207"}, scores)


def test_games_of_douzero_as_sessions(played: list[tuple[dict[str, Any], list[int]]]):
    messages = [message for game, _ in played for message in as_session(game)]
    for record, (_, scores) in zip(records(b"\n".join(messages)), played, strict=True):
        verdict = judge(Entry("", 1, b"", record)).verdict
        assert (verdict.verdict, verdict.findings, verdict.scores) == ("clean", [], scores)


# No damage makes reading raise


def sound(found: Iterator[Entry]) -> None:
    for entry in found:
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert message(finding, "zh")
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
            msgspec.json.encode(finding)
        if entry.record is not None:
            line = write_record(entry.record)
            assert b"\n" not in line
            assert write_record(read_record(line)[0]) == line
            judge(entry)


SEEDS = [JSON, REQUESTS, SESSION, as_json(GAME), *(pickle.dumps([GAME, DEAL], protocol) for protocol in range(6))]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(SEEDS), st.data())
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    sound(read(["-"], format="douzero", stdin=io.BytesIO(bytes(broken[:cut]))))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_json_in_the_place_of_another_makes_reading_raise(data: st.DataObject):
    strange = st.sampled_from(
        [b"null", b"[]", b"{}", b"-1", b"1e400", b'"OK"', b"[[]]", b"9" * 40, b"true", b"2.5", b'"[1"', b'"\\ud83d"']
    )
    seed = data.draw(st.sampled_from([as_json(GAME), SESSION]))
    tokens = seed.replace(b",", b"\0,\0").replace(b":", b"\0:\0").split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(strange)
    sound(read(["-"], format="douzero", stdin=io.BytesIO(b"".join(tokens))))


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"\x80\x04]\x94(", b"(lp0\n(dp1\n", b"\x80\x02]q\0(}q\1(U\x08landlordq\2"]),
)
def test_no_opcodes_make_reading_raise(data: bytes, start: bytes):
    sound(read(["-"], format="douzero", stdin=io.BytesIO(start + data)))


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=30,
    ),
    st.integers(0, 5),
)
def test_plain_data_comes_out_as_it_went_in(value: Any, protocol: int):
    data = io.BytesIO(pickle.dumps([value], protocol))
    try:
        found = [pickles.plain(part) for part in pickles.values(data)]
    except Unpicklable as problem:
        found = [str(problem)]
        assert any(reason in found[0] for reason in ("bits", "no text", "inf"))
    else:
        assert found == [value]
