"""Reading OpenSpiel's histories; the samples in tests/logs are made by hand: one game of three bombs, and one void."""

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
from ingest.cards import read_cards
from ingest.faults import CATALOGUE, message
from ingest.logs import FORMATS, Entry, detect, read
from ingest.logs.openspiel_actions import CARDS, NUMBERINGS, numbering_of, plays
from ingest.record import Record, read_record, write_record
from ingest.rules.combinations import law_of, readings
from ingest.rules.ruleset import load
from ingest.verdict import Verdict

LOGS = Path(__file__).parent / "logs"
SAMPLES = sorted(path.name for path in LOGS.glob("openspiel*"))
OTHERS = sorted(path.name for path in LOGS.iterdir() if path.name not in SAMPLES)
OBJECT = json.loads((LOGS / "openspiel.jsonl").read_bytes().split(b"\n")[0])
PLAYED: list[int] = OBJECT["history"]
"""0 bids 3 after a pass and a 1, and plays a chain, a bomb, the rocket and a trio; nobody answers."""
VOID: list[int] = json.loads((LOGS / "openspiel.jsonl").read_bytes().split(b"\n")[1])
HANDS = [
    "C3C4C5C6C7C8C9CTCJCQCKCAS2H2C2D2B",
    "S3D4S5H5D6S7H7D8S9H9DTSJHJDQSKHKDA",
    "S4H4D5S6H6D7S8H8D9STHTDJSQHQDKSAHA",
]
PLAYS = "0:456789TJQKA=solo_chain 1:- 2:- 0:2222=bomb 1:- 2:- 0:BR=rocket 1:- 2:- 0:333=trio"
GAMES = 60


def entries(data: bytes | str, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data.encode() if isinstance(data, str) else data), **options))


def faults(found: list[Entry]) -> list[tuple[int, str, dict[str, Any]]]:
    return [(entry.line, f.code, f.details) for entry in found for f in entry.findings]


def records(data: bytes | str, **options: str) -> list[Record]:
    found = entries(data, **options)
    assert not faults(found)
    return [entry.record for entry in found if entry.record]


def one(data: bytes | str, **options: str) -> Record:
    (record,) = records(data, **options)
    return record


def audit(found: list[Record]) -> list[Verdict]:
    with Batch() as batch:
        return [said.verdict for said in batch.audit(Entry("log", i, b"", r) for i, r in enumerate(found, 1))]


def verdict_on(history: object, **options: str) -> tuple[str, list[str]]:
    """The verdict on a game, and the codes of its faults; of what cannot be read, those of its entry."""
    (entry,) = entries(json.dumps(history), **options)
    if entry.record is None:
        return "unreadable", [finding.code for finding in entry.findings]
    (verdict,) = audit([entry.record])
    return verdict.verdict, [finding.code for finding in verdict.findings if finding.code != "S607"]


def renumbered(history: list[int], name: str) -> list[int]:
    """A history of a release in another numbering, but for the turns that the oldest gave."""
    to, by = NUMBERINGS[name], NUMBERINGS["openspiel-3"]
    deal = [action - by.deal + to.deal for action in history[1:52]]
    first = history[0] if to.shows_position else deal[history[0]]
    return [first, *deal, *(action - by.call + to.call for action in history[52:])]


def changed(index: int, action: Any, history: list[int] = PLAYED) -> list[Any]:
    return [*history[:index], action, *history[index + 1 :]]


# The numbers


def test_every_number_means_what_openspiel_says():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("dou_dizhu")
    state, by = game.new_initial_state(), NUMBERINGS["openspiel-3"]
    jokers = {"B": "(BWJ)", "R": "(CJ)"}
    assert [play.spelled for play in plays()] == [
        state.action_to_string(0, action) for action in range(by.play, game.num_distinct_actions())
    ]
    assert [f"Deal {jokers.get(card, card)}" for card in CARDS] == [
        state.action_to_string(-1, action) for action in range(by.deal, game.max_chance_outcomes())
    ]
    assert [state.action_to_string(0, by.call + n) for n in range(4)] == ["Pass", "Bid 1", "Bid 2", "Bid 3"]


@pytest.mark.parametrize(
    ("name", "action", "text"),
    [
        ("openspiel-1", 58, "3=solo"),
        ("openspiel-1", 82, "456789=solo_chain"),
        ("openspiel-1", 112, "66=pair"),
        ("openspiel-1", 184, "KKK=trio"),
        ("openspiel-1", 339, "KKKB=trio1"),
        ("openspiel-1", 491, "KKK55=trio2"),
        ("openspiel-1", 535, "KKKAAA=trio_chain"),
        ("openspiel-1", 1451, "KKKAAA34=plane1"),
        ("openspiel-1", 1526, "KKKAAA2B=plane1"),
        ("openspiel-1", 23760, "KKKAAATT22=plane2"),
        ("openspiel-1", 26105, "JJJJ=bomb"),
        ("openspiel-1", 26110, "BR=rocket"),
        ("openspiel-2", 109, "3=solo"),
        ("openspiel-2", 26161, "BR=rocket"),
        ("openspiel-3", 4, "3=solo"),
        ("openspiel-3", 250, "JJJ8=trio1"),
        ("openspiel-3", 26056, "BR=rocket"),
    ],
)
def test_plays_have_one_order_and_begin_elsewhere_in_each_numbering(name: str, action: int, text: str):
    assert plays()[action - NUMBERINGS[name].play].text == text


def test_every_play_is_a_reading_of_its_cards_under_the_ruleset():
    """OS-R3; and the ruleset has no play that has no number (``test_counts`` counts both)."""
    law = law_of(load("openspiel"))
    some = [play for number, play in enumerate(plays()) if number % 5 == 0 or "trio" in play.name]
    for play in some:
        assert play.name in {reading.name for reading in readings(read_cards(play.cards).counts, law)}, play
    assert len(plays()) == 26053


def test_numbers_of_one_set_of_cards_name_the_trios_that_are_the_plane():
    three = [play for play in plays() if sorted(play.cards) == sorted("333444555666")]
    assert [play.text for play in three] == [
        "333444555666=trio_chain",
        "333444555666=plane1",
        "444555666333=plane1",
    ]


# The samples


def test_a_game_played_to_its_end():
    record = records((LOGS / "openspiel.jsonl").read_bytes())[0]
    assert (record.id, record.rules, record.landlord, record.end) == ("hand-made-1", "openspiel", None, None)
    assert [player.id for player in record.players] == ["甲", "乙", "丙"]
    assert (record.hands, record.bottom) == (HANDS, "H3D3R")
    assert (record.marker, record.first) == ("D8", 1)
    assert record.auction == "1:- 2:1 0:3"
    assert record.plays == PLAYS
    assert msgspec.to_builtins(record.claim) == {"scores": [48, -24, -24], "winners": [0]}
    assert json.loads(bytes(record.extra)) == {"seed": 7}
    (verdict,) = audit([record])
    assert (verdict.verdict, verdict.scores, verdict.multiplier) == ("clean", [48, -24, -24], 8)


def test_nobody_bids():
    """OS-R1."""
    record = records((LOGS / "openspiel.jsonl").read_bytes())[1]
    assert record.hands == [HANDS[2], HANDS[1], HANDS[0]]
    assert (record.marker, record.first) == ("C3", 2)
    assert (record.auction, record.plays, record.end, record.claim) == ("2:- 0:- 1:-", "", "void", None)
    (verdict,) = audit([record])
    assert (verdict.verdict, verdict.outcome, verdict.scores) == ("clean", "void", [0, 0, 0])


def test_every_line_is_numbered_as_it_stands():
    found = list(read([str(LOGS / "openspiel.jsonl")]))
    assert [(entry.line, entry.record and entry.record.id) for entry in found] == [
        (1, "hand-made-1"), *((line, f"openspiel.jsonl#{line}") for line in (2, 4, 5, 6)),
    ]  # fmt: skip
    assert all(entry.record and entry.record.hands == HANDS for entry in found if entry.line != 2)
    last = found[-1].record
    assert last
    assert last.plays == " ".join(PLAYS.split(" ")[:6])


@pytest.mark.parametrize(
    ("name", "lines"),
    [("openspiel.txt", [1, 2]), ("openspiel-column.txt", [1, 67]), ("openspiel-state.txt", [1, 74])],
)
def test_the_same_games_in_other_files(name: str, lines: list[int]):
    plain = records((LOGS / "openspiel.jsonl").read_bytes())
    found = list(read([str(LOGS / name)]))
    assert [entry.line for entry in found] == lines
    assert [_bare(entry.record) for entry in found] == [_bare(record) for record in plain[:2]]


def test_a_playthrough():
    record = one((LOGS / "openspiel-playthrough.txt").read_bytes())
    assert record.plays == PLAYS
    assert msgspec.to_builtins(record.claim) == {"scores": [48, -24, -24], "winners": [0]}
    assert audit([record])[0].verdict == "clean"


def _bare(record: Record | None) -> Record:
    assert record
    return msgspec.structs.replace(
        record, id="x", claim=None, extra=msgspec.Raw(), players=[msgspec.structs.replace(record.players[0], id="x")]
    )


# Spellings


PAIRS = [[-1, action] for action in PLAYED[:52]] + [
    [seat, action] for seat, action in zip([1, 2, 0, *[0, 1, 2] * 4], PLAYED[52:], strict=False)
]
ACTED = [{"player": seat, "action": action} for seat, action in PAIRS]
COLUMN = "\n".join(map(str, PLAYED)) + "\n"
REMARK = "# Automatically generated by OpenSpiel SerializeGameAndState\n"
STATE = f"{REMARK}[Meta]\nVersion: 1\n\n[Game]\ndou_dizhu()\n[State]\n{COLUMN}\n"
COMMAS = ", ".join(map(str, PLAYED))
SPELLINGS: dict[str, str] = {
    "a list": json.dumps(PLAYED),
    "a list of lists": json.dumps([PLAYED]),
    "a list on many lines": json.dumps(PLAYED, indent=2),
    "a list of lists on many lines": json.dumps([PLAYED], indent=2),
    "a list of lists with a game a line": f"[\n{json.dumps(PLAYED)}\n]\n",
    "a list broken where it pleased": json.dumps(PLAYED).replace(", 61", ",\n61").replace(", 82", ",\r\n 82"),
    "an object": json.dumps({"history": PLAYED}),
    "an object with other keys before": json.dumps({"steps": [1, 2], "game": "dou_dizhu()", "history": PLAYED}),
    "an object on many lines": json.dumps({"returns": None, "actions": PLAYED}, indent=4),
    "a list of objects": json.dumps([{"history": PLAYED}]),
    "pairs": json.dumps(PAIRS),
    "pairs on many lines": json.dumps(PAIRS, indent=4),
    "a list of lists of pairs": json.dumps([PAIRS]),
    "an object with pairs": json.dumps({"full_history": PAIRS}),
    "objects of player and action": json.dumps(ACTED),
    "objects of player and action on many lines": json.dumps(ACTED, indent=4),
    "a list of lists of objects": json.dumps([ACTED]),
    "an object with objects": json.dumps({"history": ACTED}),
    "a text in an object": json.dumps({"history": COMMAS}),
    "a column in an object": json.dumps({"history": COLUMN}),
    "a serialized game in an object": json.dumps({"history": STATE}),
    "a text in JSON": json.dumps(COMMAS),
    "a list of texts": json.dumps([STATE]),
    "a line with commas": COMMAS,
    "a line with spaces": " ".join(map(str, PLAYED)) + "\r\n",
    "a line with tabs and a comma at its end": "\t".join(map(str, PLAYED)) + ",",
    "a tuple": str(tuple(PLAYED)),
    "a column": COLUMN,
    "a column of another system": COLUMN.replace("\n", "\r\n"),
    "a column after blank lines": f"\n\n{COLUMN}\n\n",
    "a column with commas": COLUMN.replace("\n", ",\n"),
    "a serialized game": STATE,
    "a serialized game of another system": STATE.replace("\n", "\r\n"),
    "a serialized game without its remark": STATE.partition("\n")[2],
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_of_one_game(spelling: str):
    assert detect(spelling.encode()) == "openspiel"
    record = one(spelling)
    assert _bare(record) == _bare(one(json.dumps(OBJECT)))


@pytest.mark.parametrize("name", ["a list", "an object", "pairs", "a line with commas", "a tuple"])
def test_many_games_a_line_each(name: str):
    data = "\n".join([SPELLINGS[name]] * 3) + "\n\n" + SPELLINGS[name]
    assert [(entry.line, bool(entry.record)) for entry in entries(data)] == [(n, True) for n in (1, 2, 3, 5)]


@pytest.mark.parametrize(
    "name", ["a serialized game", "a serialized game without its remark", "a column after blank lines"]
)
def test_many_games_after_each_other(name: str):
    assert len(records(SPELLINGS[name] * 3)) == 3


def test_lines_of_different_spellings_in_one_file():
    data = "\n".join(
        SPELLINGS[name] for name in ("a list", "an object", "a text in JSON", "objects of player and action")
    )
    assert len(records(data)) == 4
    assert len(records(f"{COMMAS}\n{data}\n{COMMAS}")) == 6


def test_an_array_keeps_each_game_as_it_came():
    found = entries(f"[{json.dumps(PLAYED)}, {json.dumps(VOID)}]")
    assert [(entry.line, entry.raw.decode()) for entry in found] == [(1, json.dumps(PLAYED)), (2, json.dumps(VOID))]


def test_what_else_an_object_says():
    keeps = {"seed": 7, "agents": ["mcts"], "players": ["a", "b"], "id": 3}
    record = one(json.dumps({"history": PLAYED, "returns": [48, -24.0, -24], "rewards": [0, 0, 0], **keeps}))
    assert json.loads(bytes(record.extra)) == {"rewards": [0, 0, 0], **keeps}
    assert (record.id, [player.id for player in record.players]) == ("-#1", ["P0", "P1", "P2"])
    assert record.claim
    assert record.claim.scores == [48, -24, -24]


def test_players_are_said_by_full_history():
    acted = [[seat, action] for seat, action in PAIRS[:-1]] + [[1, PAIRS[-1][1]]]
    record = one(json.dumps(acted))
    assert record.plays.endswith(" 1:333=trio")
    assert verdict_on(acted) == ("faulty", ["P401"])


# Numberings


@pytest.mark.parametrize("name", NUMBERINGS)
@pytest.mark.parametrize("game", [PLAYED, VOID], ids=["played", "void"])
def test_a_history_tells_its_numbering(name: str, game: list[int]):
    renamed = renumbered(game, name)
    assert numbering_of(renamed) == name
    assert detect(json.dumps(renamed).encode()) == "openspiel"
    assert one(json.dumps(renamed)) == one(json.dumps(game))
    assert one(json.dumps(renamed), format=name) == one(json.dumps(game))


def test_games_of_different_numberings_in_one_file():
    data = "\n".join(json.dumps(renumbered(PLAYED, name)) for name in NUMBERINGS)
    assert len({record.plays for record in records(data)}) == 1


@pytest.mark.parametrize("dealt", range(4))
def test_a_numbering_that_cannot_be_told_must_be_named(dealt: int):
    """The numbers 51 to 53 are cards in all of them."""
    history = [7, 51, 53, 52][: dealt + 1]
    reason = (
        "fits openspiel-1 (deals 0-53, bids 54-57) and openspiel-3 (deals 51-104, bids 0-3): name one as the format"
    )
    assert faults(entries(json.dumps(history), format="openspiel")) == [
        (1, "R103", {"field": "history", "reason": reason})
    ]
    for name in NUMBERINGS:
        record = one(json.dumps(history), format=name)
        assert [read_cards(hand or "").size for hand in record.hands or []] == [
            (dealt + 2 - seat) // 3 for seat in range(3)
        ]


def test_before_the_first_call_the_later_numberings_are_one():
    deal = json.dumps(PLAYED[:52])
    assert one(deal, format="openspiel-2") == one(deal, format="openspiel-3") == one(deal)


@pytest.mark.parametrize(
    ("name", "other", "index"),
    [("openspiel-1", "openspiel-3", 2), ("openspiel-3", "openspiel-1", 1), ("openspiel-2", "openspiel-3", 52)],
)
def test_a_numbering_that_is_named_is_held_to(name: str, other: str, index: int):
    history = renumbered(PLAYED, other)
    ((_, code, details),) = faults(entries(json.dumps(history), format=name))
    assert (code, details) == ("R105", {"field": f"history[{index}]", "text": str(history[index])})


def test_the_oldest_program_kept_the_turn_at_a_pass():
    """A history does not say so; but seat 2 has no two fives, and seat 1 has."""
    by = NUMBERINGS["openspiel-1"]
    numbers = {play.text: by.play + number for number, play in enumerate(plays())}
    deal = renumbered(PLAYED, "openspiel-1")[:52]
    auction = [by.call, by.call, by.call + 1, by.call, by.call]
    moves = [numbers["33=pair"], by.call, numbers["55=pair"], by.call, by.call, numbers["77=pair"]]
    record = one(json.dumps(deal + auction + moves))
    assert record.auction == "1:- 2:- 0:1 1:- 2:-"
    assert record.plays == "0:33=pair 1:- 1:55=pair 2:- 2:- 1:77=pair"
    (verdict,) = audit([record])
    assert [finding.code for finding in verdict.findings] == ["P401"]
    fitting = one(json.dumps(deal + auction + [numbers["33=pair"], by.call, numbers["44=pair"], by.call]))
    assert fitting.plays == "0:33=pair 1:- 2:44=pair 0:-"
    later = renumbered([7, *PLAYED[1:52], 0, 0, 1, 0, 0, *(move - by.call for move in moves)], "openspiel-2")
    assert one(json.dumps(later)).plays == "0:33=pair 1:- 2:55=pair 0:- 1:- 2:77=pair"


@pytest.mark.parametrize("where", ["last", "nowhere"])
def test_the_oldest_numbering_names_the_card_that_is_turned_up(where: str):
    deal = renumbered(PLAYED, "openspiel-1")[1:52]
    face_up = deal[-1] if where == "last" else next(card for card in range(54) if card not in deal)
    record = one(json.dumps([face_up, *deal]), format="openspiel")
    assert (record.marker, record.first) == (CARDS[face_up], 2 if where == "last" else None)
    (entry,) = entries(json.dumps([face_up, *deal, 54]), format="openspiel")
    assert [f.code for f in entry.findings] == ([] if where == "last" else ["R103"])


# What is unlawful stands


@pytest.mark.parametrize(
    ("history", "verdict", "codes"),
    [
        (PLAYED, "clean", []),
        (PLAYED[:-1], "faulty", ["P407"]),
        (PLAYED[:55], "faulty", ["P407"]),
        (PLAYED[:54], "faulty", ["A305"]),
        (PLAYED[:52], "faulty", ["A305"]),
        (PLAYED[:30], "faulty", ["D201", "D201", "D201"]),
        (changed(20, PLAYED[21]), "faulty", ["D203"]),
        ([*PLAYED, 0], "faulty", ["P406"]),
        ([*PLAYED[:55], 0, *PLAYED[55:]], "faulty", ["A304"]),
        ([*PLAYED[:52], 0, 2, 1, *PLAYED[55:]], "faulty", ["A303"]),
        ([*PLAYED[:52], 0, 0, 0, *PLAYED[55:]], "faulty", ["A309"]),
        ([*VOID, 0], "faulty", ["A304"]),
        (VOID[:-1], "faulty", ["A305"]),
        (changed(64, 55), "faulty", ["P407"]),
        (changed(56, 4), "faulty", ["P404"]),
        ({"history": PLAYED, "returns": [24, -12, -12]}, "faulty", ["S603"]),
        ({"history": PLAYED, "returns": [-48, 24, 24]}, "faulty", ["S601", "S603"]),
        ({"history": PLAYED, "returns": [48, -24, 0]}, "faulty", ["S603", "S604"]),
        ({"history": PLAYED[:-1], "returns": [0, 0, 0]}, "faulty", ["P407"]),
        ({"history": VOID, "returns": [0.0, 0.0, -0.0]}, "clean", []),
    ],
)
def test_what_the_audit_says(history: object, verdict: str, codes: list[str]):
    assert verdict_on(history, format="openspiel") == (verdict, codes)


# What cannot be read


WORD = "x" * 60


@pytest.mark.parametrize(
    ("data", "code", "details"),
    [
        ("[]", "R102", {"field": "history"}),
        ("{}", "R102", {"field": "history"}),
        ('{"history":[]}', "R102", {"field": "history"}),
        ('{"game":"leduc_poker()","history":[1]}', "R112", {"reason": "a game of leduc_poker, not of dou_dizhu"}),
        ('{"history":null}', "R103", {"field": "history", "reason": "Expected `array`, got `null`"}),
        ('{"history":{}}', "R103", {"field": "history", "reason": "Expected `array`, got `object`"}),
        ("null", "R112", {"reason": "not a history of OpenSpiel"}),
        ("hello world", "R112", {"reason": "not a history of OpenSpiel"}),
        (changed(0, 51), "R103", {"field": "history[0]", "reason": "no position 51"}),
        (changed(0, -1), "R103", {"field": "history[0]", "reason": "no position -1"}),
        (changed(20, 105), "R105", {"field": "history[20]", "text": "105"}),
        (changed(20, -3), "R105", {"field": "history[20]", "text": "-3"}),
        (changed(52, -3), "R105", {"field": "history[52]", "text": "-3"}),
        (changed(60, 26057), "R105", {"field": "history[60]", "text": "26057"}),
        (changed(60, 10**4000), "R105", {"field": "history[60]", "text": "1" + "0" * 39}),
        (changed(60, 2), "R105", {"field": "history[60]", "text": "2"}),
        (changed(60, 1.5), "R103", {"field": "history[60]", "reason": "Expected `int`, got `float`"}),
        (changed(60, True), "R103", {"field": "history[60]", "reason": "Expected `int`, got `bool`"}),
        (changed(60, "0"), "R103", {"field": "history[60]", "reason": "Expected `int`, got `str`"}),
        (changed(60, []), "R103", {"field": "history[60]", "reason": "Expected `int`, got `array`"}),
        (changed(60, None), "R103", {"field": "history[60]", "reason": "Expected `int`, got `null`"}),
        (["18", "97"], "R103", {"field": "history[0]", "reason": "Expected `int`, got `str`"}),
        (changed(60, [3, 0], PAIRS), "R103", {"field": "history[60]", "reason": "player 3"}),
        (changed(60, [-1, 0], PAIRS), "R103", {"field": "history[60]", "reason": "player -1"}),
        (changed(3, [0, 66], PAIRS), "R103", {"field": "history[3]", "reason": "player 0"}),
        (changed(60, [0], PAIRS), "R103",
         {"field": "history[60]", "reason": "Expected `array` of length 2"}),
        (changed(60, {"player": 0}, ACTED), "R103",
         {"field": "history[60]", "reason": "Object missing required field `action`"}),
        (changed(60, {"player": 0, "action": 0, "by": 1}, ACTED), "R103",
         {"field": "history[60]", "reason": "Object contains unknown field `by`"}),
        ({"history": PLAYED, "returns": [1.5, -1.5, 0]}, "R103",
         {"field": "returns[0]", "reason": "1.5 is not a whole number"}),
        ({"history": PLAYED, "returns": [1, "NaN", 0]}, "R103",
         {"field": "returns[1]", "reason": "NaN is not a whole number"}),
        ({"history": PLAYED, "returns": [1, 0]}, "R103", {"field": "returns", "reason": "2 returns for 3 players"}),
        ({"history": PLAYED, "returns": 1}, "R103",
         {"field": "returns", "reason": "Expected `array | null`, got `int`"}),
        ('{"history":' + json.dumps(PLAYED) + ',"returns":[1e9999999,0,0]}', "R103",
         {"field": "returns[0]", "reason": "1E+9999999 is not a whole number"}),
        (COMMAS.replace(" 61,", " x61,"), "R105", {"field": f"history[{PLAYED.index(61)}]", "text": "x61"}),
        (COMMAS + " " + WORD, "R105", {"field": "history[65]", "text": WORD[:40]}),
        (COMMAS + " 1.0", "R105", {"field": "history[65]", "text": "1.0"}),
        (COMMAS + " " + "9" * 9999, "R105", {"field": "history[65]", "text": "9" * 40}),
        (STATE.replace("[State]", "[Stat]"), "R102", {"field": "[State]"}),
        (STATE.replace("[Game]", "[Gam]"), "R102", {"field": "[Game]"}),
        (STATE.replace("dou_dizhu", "kuhn_poker"), "R112", {"reason": "a game of kuhn_poker, not of dou_dizhu"}),
        (STATE.replace("dou_dizhu()", ""), "R112", {"reason": "no game is named"}),
        (STATE.replace("\n67\n", "\nx\n"), "R105", {"field": "history[5]", "text": "x"}),
    ],
)  # fmt: skip
def test_what_cannot_be_read(data: object, code: str, details: dict[str, str]):
    text = data if isinstance(data, str) else json.dumps(data)
    (entry,) = entries(text, format="openspiel")
    assert entry.record is None
    assert [(f.code, f.details) for f in entry.findings] == [(code, details)]


def test_what_is_cut_off_or_no_json_or_no_text():
    line = json.dumps(OBJECT)
    assert [f[:2] for f in faults(entries(f"{line}\n{line[:-30]}"))] == [(2, "R107")]
    assert [f[:2] for f in faults(entries(f"{line[:-30]}\n{line}\n"))] == [(1, "R101")]
    assert [f[:2] for f in faults(entries(json.dumps(PLAYED, indent=1)[:-20]))] == [(1, "R107")]
    assert [f[:2] for f in faults(entries(COMMAS.encode() + b"\n1 \xff 2\n"))] == [(2, "R111")]
    assert [f[:2] for f in faults(entries(f"{line}\n{'[' * 9999}{']' * 9999}\n"))] == [(2, "R101")]
    assert [f[:2] for f in faults(entries(f"{line}\n[1, 2, NaN]\n"))] == [(2, "R101")]


PLAYTHROUGH = (LOGS / "openspiel-playthrough.txt").read_text()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"2222"\naction: 26055', '"2222"\naction: 26054', ("R103", {
            "field": "history[58]", "reason": "action 26054 is AAAA, and the log calls it 2222"})),
        ("action: 26055", "action: x", ("R105", {"field": "history[58]", "text": "x"})),
        ("action: 26055", "action: ", ("R105", {"field": "history[58]", "text": ""})),
        ("game: dou_dizhu", "game: leduc_poker", ("R112", {"reason": "a game of leduc_poker, not of dou_dizhu"})),
        ("Returns() = [48, -24, -24]", "Returns() = [48, -24]", (
            "R103", {"field": "returns", "reason": "2 returns for 3 players"})),
        ("Returns() = [48, -24, -24]", "Returns() = 48, -24", (
            "R103", {"field": "returns", "reason": "Expected `array | null`, got `int`"})),
    ],
)  # fmt: skip
def test_playthroughs_that_cannot_be_read(old: str, new: str, expected: tuple[str, dict[str, str]]):
    assert old in PLAYTHROUGH
    ((_, code, details),) = faults(entries(PLAYTHROUGH.replace(old, new), format="openspiel"))
    assert (code, details) == expected


def test_a_playthrough_that_is_cut_off():
    before, _, _ = PLAYTHROUGH.partition("action: 26055")
    assert [f[1] for f in faults(entries(before))] == ["R107"]
    record = one(before.rpartition("# Apply")[0])
    assert (record.plays, record.claim) == (" ".join(PLAYS.split(" ")[:3]), None)


def test_playthroughs_after_each_other_and_one_of_another_game():
    other = PLAYTHROUGH.replace("dou_dizhu", "leduc_poker")
    size = PLAYTHROUGH.count("\n")
    found = entries(PLAYTHROUGH + other + PLAYTHROUGH)
    assert [(entry.line, bool(entry.record)) for entry in found] == [(1, True), (size + 1, False), (2 * size + 1, True)]
    assert faults(entries(f"copied from a page\n{PLAYTHROUGH}")) == [(1, "R112", {"reason": "no game is named"})]
    assert faults(entries(f"copied from a page\n{STATE * 2}")) == [(1, "R102", {"field": "[Game]"})]


# Detection


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_told_by_their_beginning(name: str):
    data = (LOGS / name).read_bytes()
    assert detect(data, name) == "openspiel"
    assert detect(data[:400], name) == "openspiel"


@pytest.mark.parametrize("name", OTHERS)
def test_samples_of_others_are_not_claimed(name: str):
    assert detect((LOGS / name).read_bytes(), name) not in (None, "openspiel", *NUMBERINGS)


@pytest.mark.parametrize(
    "data",
    [
        changed(20, PLAYED[21]),
        changed(20, 999),
        changed(0, 99),
        changed(0, 99, changed(20, 999)),
        changed(20, renumbered(PLAYED, "openspiel-1")[21], renumbered(PLAYED, "openspiel-1")),
        {"history": changed(20, 999)},
        PLAYED[:52],
    ],
)
def test_a_wrong_number_or_two_do_not_hide_a_game(data: object):
    assert detect(json.dumps(data).encode()) == "openspiel"


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(PLAYED[:51]),
        json.dumps([*PLAYED[:52], 4]),
        json.dumps(changed(20, 999, changed(21, 999, changed(22, 999)))),
        json.dumps([*range(52)]),
        json.dumps([*range(54)]),
        json.dumps([*range(60)]),
        json.dumps([[*range(52)]] * 3),
        json.dumps([0, *range(51, 101)]),
        "\n".join(map(str, range(100))),
        " ".join(map(str, range(100, 200))),
        json.dumps([53, *range(53)]),
        json.dumps({"steps": PLAYED}),
        json.dumps({"id": "a", "players": [], "hands": [], "plays": "", "history": PLAYED}),
        json.dumps({"id": "a", "players": [], "extra": {"history": PLAYED}}),
        json.dumps({"history": [[1, 2], [3]], "own": [1]}),
        json.dumps({"history": {"0": PLAYED}}),
        PLAYTHROUGH.replace("dou_dizhu", "leduc_poker"),
        STATE.replace("dou_dizhu", "leduc_poker"),
        "a remark on dou_dizhu\n[Game]\n",
        "the game: dou_dizhu\n",
    ],
)
def test_what_is_no_log_of_ours(data: str):
    assert detect(data.encode()) != "openspiel"
    assert detect(data.encode(), "x.jsonl") != "openspiel"


@pytest.mark.parametrize("numbers", ["1 2 3\n4 5 6\n", "\n".join(map(str, range(100))), "51\n", "0.5 1.5\n"])
def test_other_numbers_are_of_no_known_format(numbers: str, tmp_path: Path):
    (tmp_path / "numbers.txt").write_text(numbers)
    ((_, code, _),) = faults(list(read([str(tmp_path)])))
    assert code == "R112"


def test_detection_of_hostile_beginnings_is_linear():
    for hostile in (b"9" * 65536, b"[-1," + b"9" * 65532, b" " * 65536, b"[" * 65536, b"1 " + b" " * 65530 + b"x",
                    b'{"history":' * 6000, b'"action":' * 7000, b"game:" + b" " * 65531):  # fmt: skip
        assert detect(hostile) != "openspiel"


def test_every_numbering_is_a_format_and_one_name_stands_for_all():
    assert FORMATS["openspiel"].accepts == tuple(NUMBERINGS)
    assert all(FORMATS[name].fields for name in NUMBERINGS)


# Games that OpenSpiel plays


@pytest.fixture(scope="module")
def spiel() -> Any:
    return pytest.importorskip("pyspiel")


@pytest.fixture(scope="module")
def played(spiel: Any) -> list[Any]:
    """Random games, played to their end."""
    rng, game = random.Random(20261129), spiel.load_game("dou_dizhu")
    states = [game.new_initial_state() for _ in range(GAMES)]
    for state in states:
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return states


def _pairs(state: Any) -> list[tuple[int, int]]:
    return [(act.player, act.action) for act in state.full_history()]


SAVED: dict[str, Callable[[Any, list[Any]], str]] = {
    "lines": lambda _, states: "\n".join(json.dumps(state.history()) for state in states),
    "one document": lambda _, states: json.dumps([state.history() for state in states]),
    "one document on many lines": lambda _, states: json.dumps([state.history() for state in states], indent=1),
    "objects": lambda _, states: "\n".join(
        json.dumps({"history": state.history(), "returns": state.returns()}) for state in states
    ),
    "players": lambda _, states: json.dumps([_pairs(state) for state in states]),
    "objects of player and action": lambda _, states: "\n".join(
        json.dumps({"history": [{"player": seat, "action": action} for seat, action in _pairs(state)]})
        for state in states
    ),
    "history_str": lambda _, states: "\n".join(state.history_str() for state in states),
    "numbers": lambda _, states: "\n".join(" ".join(map(str, state.history())) for state in states),
    "serialize": lambda _, states: "\n".join(state.serialize() for state in states),
    "serialize_game_and_state": lambda spiel, states: "".join(
        spiel.serialize_game_and_state(state.get_game(), state) for state in states
    ),
}


@pytest.mark.parametrize("saved", SAVED.values(), ids=SAVED)
def test_random_games_are_clean_and_score_the_same(spiel: Any, played: list[Any], saved: Callable[..., str]):
    """OS-R1 … OS-R6."""
    data = saved(spiel, played)
    assert detect(data.encode()[: 1 << 16], "x.txt") == "openspiel"
    found = records(data)
    for record, verdict, state in zip(found, audit(found), played, strict=True):
        assert (verdict.verdict, verdict.findings) == ("clean", [])
        assert verdict.scores == [int(value) for value in state.returns()]
        assert record.claim is None or record.claim.scores == verdict.scores
    assert {verdict.outcome for verdict in audit(found)} == {"landlord", "farmers", "void"}


@pytest.mark.parametrize("name", NUMBERINGS)
def test_random_games_in_every_numbering(played: list[Any], name: str):
    found = records("\n".join(json.dumps(renumbered(state.history(), name)) for state in played))
    for verdict, state in zip(audit(found), played, strict=True):
        assert (verdict.verdict, verdict.scores) == ("clean", [int(value) for value in state.returns()])


def test_random_games_cut_anywhere(played: list[Any]):
    """Only a whole game is clean; up to where it is cut, it reads as the whole does."""
    for state in played[:8]:
        history = state.history()
        whole = one(json.dumps(history))
        for size in range(53, len(history)):
            record = one(json.dumps(history[:size]))
            assert whole.auction
            assert whole.auction.startswith(record.auction or "")
            assert whole.plays.startswith(record.plays)
            assert verdict_on(history[:size])[0] == "faulty"


def test_a_converted_log_has_the_same_verdicts(played: list[Any]):
    found = records("\n".join(json.dumps({"history": s.history(), "returns": s.returns(), "n": 1}) for s in played))
    again = [read_record(write_record(record)) for record in found]
    assert not any(unknown for _, unknown in again)
    assert [write_record(record) for record, _ in again] == [write_record(record) for record in found]
    assert audit([record for record, _ in again]) == audit(found)


def test_playthroughs_that_openspiel_writes(spiel: Any, played: list[Any]):
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough").playthrough
    states = [state for state in played if any(state.returns())][:5]
    text = "\n".join(playthrough("dou_dizhu", state.history()) for state in states)
    assert detect(text.encode()[: 1 << 16]) == "openspiel"
    found = records(text)
    for record, verdict, state in zip(found, audit(found), states, strict=True):
        assert record.claim
        assert record.claim.scores == [int(value) for value in state.returns()]
        assert (verdict.verdict, verdict.findings) == ("clean", [])
    assert detect(playthrough("leduc_poker", None, seed=1).encode()) != "openspiel"


# No bytes make reading raise


SEEDS = [(LOGS / name).read_bytes() for name in SAMPLES] + [text.encode() for text in SPELLINGS.values()]


def sound(found: list[Entry]) -> None:
    """Every entry can be said, and every record written."""
    for entry in found:
        refused = [finding for finding in entry.findings if finding.code != "R113"]  # damage may look like an encoding
        assert (entry.record is None) == bool(refused)
        for finding in entry.findings:
            assert message(finding, "zh")
            assert message(finding, "en")
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
            msgspec.json.encode(finding)
        if entry.record is not None:
            assert not read_record(write_record(entry.record))[1]
    audit([entry.record for entry in found if entry.record])


damage = given(st.sampled_from(SEEDS), st.data(), st.sampled_from(["openspiel", *NUMBERINGS]))


@settings(max_examples=100, deadline=None)
@damage
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject, name: str):
    reads(seed, data, name)


@pytest.mark.soak
@settings(max_examples=3_000, deadline=None)
@damage
def test_no_damage_of_many_makes_reading_raise(seed: bytes, data: st.DataObject, name: str):
    reads(seed, data, name)


def reads(seed: bytes, data: st.DataObject, name: str) -> None:
    """Change up to five bytes, cut the end off, and read what is left."""
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(
            st.integers(0, 255) | st.sampled_from(b'0123456789,[]{}":-.\n ()')
        )
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    if broken[:cut].strip():
        sound([entry for entry in entries(bytes(broken[:cut]), format=name) if entry.record or entry.findings])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_json_in_the_place_of_another_makes_reading_raise(data: st.DataObject):
    strange = st.sampled_from(
        [
            "null",
            "[]",
            "{}",
            "-1",
            "1e400",
            '"x"',
            "[[]]",
            '{"action":0}',
            "9" * 40,
            "9" * 5000,
            "true",
            "1E9999999",
            "-0",
        ]
    )
    tokens = data.draw(
        st.sampled_from([SPELLINGS["an object"], json.dumps(OBJECT), SPELLINGS["pairs"], json.dumps(ACTED)])
    )
    parts = tokens.replace(",", "\0,\0").replace(":", "\0:\0").split("\0")
    for _ in range(data.draw(st.integers(1, 3))):
        parts[data.draw(st.integers(0, len(parts) - 1))] = data.draw(strange)
    sound(entries("".join(parts), format="openspiel"))
