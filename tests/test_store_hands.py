"""Hands written by hand for the tests of the store, and what becomes of them in its rows."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from analysis.warehouse import Warehouse
from ingest.batch import judge
from ingest.bulk import judge_all
from ingest.load import load
from ingest.logs import read
from ingest.rules.ruleset import Ruleset, builtin_names, load_any
from ingest.simulate import hands
from ingest.store.recall import with_hand
from ingest.store.sketches import sketch

IDS = ("007", "NA", "null")
STRAIGHT = "3456789TJQKA"
SPADES = [f"S{rank}" for rank in STRAIGHT]
STRONG = [*SPADES, "S2", "H2", "C2", "D2", "B"]
MIDDLE = [*(f"D{rank}" for rank in STRAIGHT), "H4", "H5", "H6", "H7", "H8"]
WEAK = [*(f"H{rank}" for rank in "9TJQKA"), *(f"C{rank}" for rank in "456789TJQKA")]
BOTTOM = "RH3C3"

RUN, TWOS = "".join(SPADES), "S2H2C2D2"
# Offsets from the landlord's seat: 1 acts next after him. Who has the strong hand, and what is played.
SHAPES = {
    "spring": (0, f"0:{RUN} 1:- 2:- 0:{TWOS} 1:- 2:- 0:BR 1:- 2:- 0:H3C3"),
    "anti_spring": (1, f"0:D3 1:B 2:- 0:- 1:{RUN} 2:- 0:- 1:{TWOS}"),
    "plain": (0, f"0:H3 1:D4 2:- 0:B 1:- 2:- 0:{RUN} 1:- 2:- 0:C3 1:- 2:- 0:R 1:- 2:- 0:{TWOS}"),
    "void": (0, ""),
}


def record(id: str, shape: str, landlord: int = 0, bid: int = 3, **more: Any) -> dict[str, Any]:
    """A record of ``call-score``. The strong hand has a straight, a bomb and a joker."""
    strong, plays = SHAPES[shape]
    holds = {strong: STRONG, (strong + 1) % 3: WEAK if strong else MIDDLE, (strong + 2) % 3: MIDDLE if strong else WEAK}
    hands = ["".join(holds[(seat - landlord) % 3]) for seat in range(3)]
    seats = [(landlord + step) % 3 for step in range(3)]
    moves = [move.split(":") for move in plays.split()]
    passes = "" if bid == 3 else f" {seats[1]}:- {seats[2]}:-"
    given: dict[str, Any] = {
        "id": id,
        "rules": "call-score",
        "base": 10,
        "players": [{"id": player} for player in more.pop("ids", IDS)],
        "hands": hands,
        "bottom": BOTTOM,
        "first": landlord,
        "auction": f"{landlord}:{bid}{passes}",
        "plays": " ".join(f"{seats[int(offset)]}:{what}" for offset, what in moves),
    }
    if shape == "void":
        given |= {"auction": " ".join(f"{seat}:-" for seat in seats), "end": "void"}
    return given | more


def write(path: Path, *records: dict[str, Any] | str) -> Path:
    """A log of these records; a text is a line as it stands."""
    lines = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def many(path: Path, number: int, source: str = "h") -> Path:
    """A log of so many different hands."""
    shapes = ("spring", "anti_spring", "plain")
    return write(
        path,
        *(record(f"{source}{n}", shapes[n % 3], n % 3, ids=(f"{source}{n}", "u1", "u2")) for n in range(number)),
    )


def kept(tmp_path: Path, *records: dict[str, Any] | str) -> Warehouse:
    """A store that holds these records."""
    store = tmp_path / "store"
    load([str(write(tmp_path / "log.jsonl", *records))], store)
    return Warehouse(store)


def one(warehouse: Warehouse, sql: str) -> dict[str, Any]:
    """The one row that answers a question."""
    frame = warehouse.query(sql)
    assert len(frame) == 1
    return dict(frame.iloc[0])


def test_a_hands_row_says_what_happened(tmp_path):
    warehouse = kept(tmp_path, record("a", "spring", 1, 2, at="2026-03-01T23:30:00+00:00", tags={"room": "高级"}))
    row = one(warehouse, "SELECT * FROM hands")
    expected = {
        "hand": 0, "line": 1, "id": "a", "rules": "call-score", "utc_offset": "+00:00", "base": 10, "voids": 0,
        "verdict": "clean", "counted": True, "outcome": "landlord", "landlord": 1, "bid": 2, "factor_bomb": 2,
        "factor_rocket": 2, "factor_spring": 2, "factor_anti_spring": 1, "factor_rob": 1, "multiplier": 8,
        "unit": 160, "players": 3, "bombs": 1, "rockets": 1, "spring": True, "anti_spring": False, "robs": 0,
        "moves": 10, "faults": 0, "tags": '{"room":"高级"}',
    }  # fmt: skip
    assert {key: row[key] for key in expected} == expected


def test_a_seats_row_says_who_did_what(tmp_path):
    players = [{"id": "a", "name": "老王", "balance": 1000, "bot": True}, {"id": "b"}, {"id": "c", "balance": 900}]
    claim = {"scores": [-60, 120, -60], "balances": [940, None, 840]}
    warehouse = kept(tmp_path, record("a", "plain", 1, 3, players=players, claim=claim))
    rows = warehouse.query("SELECT * FROM seats ORDER BY seat").to_dict("records")
    columns = ("player", "role", "position", "won", "score", "claimed_score", "plays", "passes", "bombs", "cards_left")
    assert [tuple(row[name] for name in columns[:2]) for row in rows] == [
        ("a", "farmer"), ("b", "landlord"), ("c", "farmer"),
    ]  # fmt: skip
    assert [row["position"] for row in rows if row["role"] == "farmer"] == ["up", "down"]
    assert [tuple(row[name] for name in columns[3:]) for row in rows] == [
        (False, -60, -60, 0, 5, 0, 17), (True, 120, 120, 6, 0, 1, 0), (False, -60, -60, 1, 4, 0, 16),
    ]  # fmt: skip
    assert rows[0]["balance_before"] == 1000
    assert rows[0]["balance_after"] == 940
    assert [row["words"] for row in rows] == ["", "3", ""]
    assert [row["first_speaker"] for row in rows] == [False, True, False]


def test_moves_say_who_led_and_whom_a_play_answered(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain", 0, 2))
    moves = warehouse.query("SELECT * FROM moves ORDER BY phase, index")
    assert moves["word"].dropna().tolist() == ["2", "-", "-"]
    plays = moves[moves["phase"] == "play"]
    assert plays["seat"].tolist()[:5] == [0, 1, 2, 0, 1]
    assert plays["lead"].tolist()[:7] == [True, False, False, False, False, False, True]
    assert plays["answered"].tolist()[1:6] == [0, 1, 1, 0, 0]
    assert plays["reading"].dropna().tolist() == ["solo", "solo", "solo", "solo_chain", "solo", "solo", "bomb"]
    assert plays["size"].dropna().tolist() == [1, 1, 1, 12, 1, 1, 4]
    assert plays["bomb"].tolist()[-1]


def test_clocks_are_kept(tmp_path):
    timed = record("a", "void", auction="0:-@100 1:- 2:-@2500")
    moves = kept(tmp_path, timed).query("SELECT coalesce(ms, -1) AS ms FROM moves ORDER BY index")
    assert moves["ms"].tolist() == [100, -1, 2500]


STRANGE = (
    "007",
    "NA",
    "null",
    "=1+1",
    "O'Brien",
    "🀄️😀",
    "123456789012345678",
    "nan",
    " a ",
    "",
    "None",
    "a\u0000b",
    "1e5",
)


@pytest.mark.parametrize("name", STRANGE)
def test_ids_and_names_are_kept_letter_for_letter(tmp_path, name):
    players = [{"id": name, "name": name}, {"id": "b"}, {"id": "c"}]
    warehouse = kept(tmp_path, record(name or "x", "plain", table=name, players=players))
    row = one(warehouse, "SELECT player, name, id, hands.table_id FROM seats JOIN hands USING (hand) WHERE seat = 0")
    assert tuple(row.values()) == (name, name, name or "x", name)
    found = warehouse.query("SELECT player FROM seats WHERE player = $player", {"player": name})
    assert found["player"].tolist() == [name]


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-01T23:30:00+00:00", "2026-03-02"),
        ("2026-03-01T15:59:59Z", "2026-03-01"),
        ("2026-03-01T16:00:00Z", "2026-03-02"),
        ("2026-03-01T00:10:00+08:00", "2026-03-01"),
        ("2026-12-31T23:30:00-05:00", "2027-01-01"),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T15:59:59Z", "9999-12-31"),
        ("9999-12-31T16:00:00Z", None),
        ("9999-12-31T23:59:59-12:00", None),
    ],
)
def test_a_day_is_a_day_in_shanghai(tmp_path, at, day):
    warehouse = kept(tmp_path, record("a", "plain", at=at))
    sql = (
        "SELECT coalesce(CAST(day AS VARCHAR), '') AS day, coalesce(day = CAST(began AS DATE), true) AS same FROM hands"
    )
    assert one(warehouse, sql) == {"day": day or "", "same": True}


def by_cards(held: int, rules: Ruleset) -> int:
    """In place of the fewest plays, which take seconds to find: a number that other cards would change."""
    return held % 31 + len(rules.name)


@pytest.mark.parametrize("name", [name for name in builtin_names() if isinstance(load_any(name), Ruleset)])
def test_a_proven_hand_is_told_as_the_audit_tells_it(tmp_path, name):
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(hands(load_any(name), 40, seed=7, faults=0.2)) + b"\n")
    entries = list(read([str(log)]))
    audited = sketch([judge(entry) for entry in entries], shed=by_cards)
    proven = sketch([with_hand(judged, None) for judged in judge_all(entries, warm_up=0)], shed=by_cards)
    assert all(audited[table].equals(proven[table]) for table in audited)


@pytest.mark.parametrize("name", ["platform", "call-score"])
def test_a_hand_of_which_the_verdict_alone_was_kept_is_told_as_the_audit_tells_it(tmp_path, name):
    """Hands that nobody wanted or that somebody left among them."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(hands(load_any(name), 150, seed=7, faults=0.0)) + b"\n")
    judged = [judge(entry) for entry in read([str(log)])]
    outcomes = {each.verdict.outcome for each in judged}
    assert outcomes >= ({"void", "escape"} if name == "platform" else {"void"})
    audited = sketch(judged, shed=by_cards)
    recalled = sketch([with_hand(replace(each, hand=None), None) for each in judged], shed=by_cards)
    assert [table for table in audited if not audited[table].equals(recalled[table])] == []


def test_every_entry_has_a_row_but_the_same_hand_again(tmp_path):
    again = record("b", "plain")
    other = record("a", "spring")
    warehouse = kept(tmp_path, record("a", "plain"), "not json", again, other, '{"id":"c"}')
    hands = warehouse.query("SELECT line, verdict, counted, first_fault FROM hands ORDER BY hand")
    assert hands["line"].tolist() == [1, 2, 4, 5]
    assert hands["verdict"].tolist() == ["clean", "unreadable", "unreadable", "unreadable"]
    assert hands["counted"].tolist() == [True, False, False, False]
    assert hands["first_fault"].tolist()[1:] == ["R101", "R109", "R102"]
    row = one(warehouse, "SELECT * FROM findings WHERE code = 'R108'")
    assert row["line"] == 3
    assert json.loads(row["details"])["line"] == 1
    assert warehouse.query("SELECT DISTINCT hand FROM seats")["hand"].tolist() == [0]


def test_the_raw_line_is_kept_byte_for_byte(tmp_path):
    log = tmp_path / "log.jsonl"
    lines = [json.dumps(record("a", "plain"), ensure_ascii=True).encode(), b'\xff\xfe"', b"{"]
    log.write_bytes(b"\n".join(lines))
    load([str(log)], tmp_path / "store")
    raw = Warehouse(tmp_path / "store").query("SELECT raw FROM raw ORDER BY line")["raw"]
    assert [bytes(line) for line in raw] == lines


def test_a_number_beyond_the_column_is_null_and_costs_nothing_else(tmp_path):
    warehouse = kept(tmp_path, record("a", "plain", base=10**30), record("b", "spring"))
    assert warehouse.query("SELECT base IS NULL AS gone FROM hands ORDER BY hand")["gone"].tolist() == [True, False]
    assert warehouse.query("SELECT sum(score) AS s FROM seats WHERE hand = 1")["s"].tolist() == [0]


def test_balances_of_eighteen_digits_are_exact(tmp_path):
    has = 123_456_789_012_345_677
    players = [{"id": "a", "balance": has}, {"id": "b"}, {"id": "c", "balance": 5000}]
    warehouse = kept(tmp_path, record("a", "plain", players=players))
    seats = warehouse.query("SELECT balance_before, balance_after, score FROM seats ORDER BY seat")
    assert seats["balance_before"].tolist()[0] == has
    assert seats["balance_after"].tolist()[0] == has + seats["score"].tolist()[0]
