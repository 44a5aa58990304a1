"""One hand, however often and however it comes: what it is recognised by, what repeats it, what takes its place."""

import gzip
import json
import random
from typing import Any

import pandas as pd
import pytest
from test_store_hands import IDS, record, write

from analysis.warehouse import Warehouse
from ingest.batch import Batch
from ingest.identity import identity
from ingest.load import load
from ingest.logs import Entry
from ingest.record import Record, read_record
from ingest.rules.ruleset import Ruleset, builtin_names, load_any
from ingest.simulate import hands
from ingest.store import read_manifest

TABLES = ("hands", "seats", "moves", "findings", "raw", "days", "players")


def read(given: dict[str, Any]) -> Record:
    return read_record(json.dumps(given).encode())[0]


def turned(given: dict[str, Any], turn: int) -> dict[str, Any]:
    """The same record with seat ``turn`` as the first."""
    size = len(given["players"])

    def seat(number: int) -> int:
        return (number - turn) % size

    def moves(text: str) -> str:
        return " ".join(f"{seat(int(move[0]))}{move[1:]}" for move in text.split())

    told = dict(given)
    for name in ("players", "hands"):
        if name in given:
            told[name] = given[name][turn:] + given[name][:turn]
    for name in ("auction", "plays"):
        if name in given:
            told[name] = moves(given[name])
    for name in ("first", "landlord"):
        if name in given:
            told[name] = seat(given[name])
    if str(given.get("end", "")).startswith("escape:"):
        told["end"] = f"escape:{seat(int(given['end'][-1]))}"
    told.pop("claim", None)
    return told


def shuffled(cards: str | None) -> str | None:
    if cards is None:
        return None
    each = [cards[place : place + 2] for place in range(0, len(cards.rstrip("BR")), 2)]
    if not all(face[0] in "SHCD" for face in each) or len(cards.rstrip("BR")) % 2:
        return cards
    each += list(cards[len(cards.rstrip("BR")) :])
    random.Random(5).shuffle(each)
    return "".join(each)


PLAIN = record("a", "plain", at="2026-03-01T20:00:00+08:00")


@pytest.mark.parametrize(
    "same",
    [
        {"id": "another"},
        {"at": "2026-03-01T12:00:00Z"},
        {"table": "elsewhere", "base": 20, "voids": 2, "tags": {"room": "x"}, "claim": {"scores": [0, 0, 0]}},
        {"hands": [shuffled(cards) for cards in PLAIN["hands"]], "bottom": "c3 h3 R"},
        {"plays": " ".join(f"{move}@{number}" for number, move in enumerate(PLAIN["plays"].split()))},
        turned(PLAIN, 1),
        turned(PLAIN, 2),
        {"plays": PLAIN["plays"].replace("S2H2C2D2", "D2c2H2S2").replace("ST", "S10")},
        {"hands": [PLAIN["hands"][0], None, None]},
        {"hands": [None, PLAIN["hands"][1], None], "bottom": None},
        {"hands": None, "bottom": None},
        turned(PLAIN, 2) | {"id": "x", "hands": [None, None, PLAIN["hands"][1]]},
    ],
)
def test_the_same_hand(same: dict[str, Any]):
    other = {key: value for key, value in (PLAIN | same).items() if value is not None}
    assert identity(read(PLAIN)).is_of(identity(read(other)))
    assert identity(read(other)).is_of(identity(read(PLAIN)))


@pytest.mark.parametrize(
    "other",
    [
        {"players": [{"id": name} for name in ("007", "NA", "nil")]},
        {"players": [{"id": name} for name in IDS[::-1]]},
        {"hands": [*PLAIN["hands"][:2], PLAIN["hands"][2].replace("C4", "D4")]},
        {"bottom": "RH3S3"},
        {"auction": "0:1 1:- 2:-"},
        {"plays": PLAIN["plays"].replace("0:H3", "0:C3")},
        {"plays": PLAIN["plays"] + " 1:-"},
        {"end": "escape:1"},
        {"hands": [PLAIN["hands"][0], None, PLAIN["hands"][1]]},
    ],
)
def test_another_hand(other: dict[str, Any]):
    assert not identity(read(PLAIN)).is_of(identity(read(PLAIN | other)))


def test_too_little_play_is_not_known_by_its_moves():
    short = PLAIN | {"plays": "0:H3 1:D4 2:- 0:B", "end": "escape:1"}
    view = short | {"hands": [PLAIN["hands"][0], None, None]}
    assert not identity(read(short)).is_of(identity(read(view)))


@pytest.mark.parametrize("name", builtin_names())
def test_turning_seats_and_sorting_hands_changes_nothing(name: str):
    known = set()
    for line in hands(load_any(name), 40, seed=3):
        given = json.loads(line)
        here = identity(read_record(line)[0])
        for turn in range(len(given["players"])):
            told = turned(given, turn)
            told["hands"] = [shuffled(cards) for cards in told["hands"]]
            assert identity(read(told)) == here
        known.add(here.content)
    assert len(known) == 40 or not isinstance(load_any(name), Ruleset)


def test_players_with_one_id_are_still_told_apart():
    given = PLAIN | {"players": [{"id": "bot"}] * 3}
    assert {identity(read(turned(given, turn))).content for turn in range(3)} == {identity(read(given)).content}


def test_players_copies_of_one_hand_are_one_hand():
    """Each knows his own cards; whoever comes first counts."""
    copies = [
        PLAIN
        | {"id": f"copy-{seat}", "hands": [PLAIN["hands"][place] if place == seat else None for place in range(3)]}
        | {"bottom": PLAIN["bottom"] if seat == 0 else None}
        for seat in range(3)
    ]
    given = [Entry(f"{seat}.jsonl", 1, b"", read(copy)) for seat, copy in enumerate([*copies, PLAIN])]
    with Batch() as batch:
        found = list(batch.audit(given))
    assert [each.counted for each in found] == [True, False, False, False]
    assert [finding.details for each in found[1:] for finding in each.verdict.findings if finding.code == "R108"] == [
        {"source": "0.jsonl", "line": 1}
    ] * 3


# In the store


def rows(store: Any, sql: str) -> list[Any]:
    with Warehouse(store) as warehouse:
        return [tuple(row) for row in warehouse.query(sql).itertuples(index=False)]


def test_copies_that_come_later_are_listed_and_not_counted(tmp_path):
    store = tmp_path / "store"
    load([str(write(tmp_path / "a.jsonl", PLAIN))], store)
    other = turned(PLAIN, 1) | {"id": "b"}
    view = PLAIN | {"id": "c", "hands": [None, None, PLAIN["hands"][2]]}
    log = str(write(tmp_path / "b.jsonl", other, view))
    report = load([log], store)
    assert (report.stored, report.known, report.repeated) == (0, 0, 2)
    listed = "SELECT source, line FROM findings WHERE code = 'R108' ORDER BY line"
    assert rows(store, listed) == [(log, 1), (log, 2)]
    assert rows(store, "SELECT CAST(sum(hands) AS INT) FROM players") == [(3,)]
    again = load([log], store)
    assert (again.stored, again.known, again.repeated) == (0, 2, 0)
    assert len(rows(store, listed)) == 2


def unnumbered(store: Any) -> dict[str, list[Any]]:
    """Every table, but for how hands are numbered."""
    hidden = {"hands": "hand", "seats": "hand", "moves": "hand", "findings": "hand", "raw": "hand"}
    told = {}
    for name in TABLES:
        told[name] = rows(store, f"SELECT * EXCLUDE ({hidden[name]}) FROM {name}" if name in hidden else f"FROM {name}")
    return {name: sorted(map(repr, found)) for name, found in told.items()}


def test_a_corrected_log_replaces_on_purpose_and_keeps_the_history(tmp_path):
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    wrong = PLAIN | {"claim": {"scores": [1, 2, 3]}}
    recast = record("b", "spring")
    load([str(write(log, wrong, recast))], store)
    corrected = [PLAIN, record("b", "anti_spring", bid=2)]
    refused = load([str(write(log, *corrected))], store)
    assert (refused.stored, refused.refused, refused.replaced, refused.repeated) == (1, 1, 0, 1)
    report = load([str(log)], store, replace=True)
    assert (report.stored, report.replaced, report.refused) == (2, 3, 0)
    fresh = tmp_path / "fresh"
    load([str(log)], fresh)
    mine, theirs = unnumbered(store), unnumbered(fresh)
    listed = mine.pop("findings"), theirs.pop("findings")
    assert mine == theirs
    assert [each for each in listed[0] if "'R108'" not in each] == listed[1]
    assert rows(store, "SELECT id, verdict FROM past_hands ORDER BY hand") == [
        ("a", "faulty"), ("b", "clean"), ("b", "unreadable"),
    ]  # fmt: skip
    assert rows(store, "SELECT count(*) FROM past_raw") == [(3,)]
    before = (store / "manifest.json").read_bytes()
    again = load([str(log)], store, replace=True)
    assert (again.stored, again.replaced, again.known) == (0, 0, 2)
    assert (store / "manifest.json").read_bytes() == before


def test_a_file_is_the_same_however_its_path_is_spelt(tmp_path, monkeypatch):
    store, folder = tmp_path / "store", tmp_path / "log"
    folder.mkdir()
    log = write(folder / "day.jsonl", record("a", "plain"))
    load([str(log)], store)
    monkeypatch.chdir(folder)
    write(log, record("a", "spring"))
    assert load(["day.jsonl"], store).refused == 1
    (folder / "day.jsonl.gz").write_bytes(gzip.compress(log.read_bytes()))
    assert load(["../log/day.jsonl.gz"], store).known == 1
    assert load([str(log)], store, replace=True).replaced == 2
    assert rows(store, "SELECT count(*) FROM hands") == [(1,)]


def test_a_correction_that_the_store_has_elsewhere_counts_once(tmp_path):
    store, log, other = tmp_path / "store", tmp_path / "x.jsonl", tmp_path / "y.jsonl"
    load([str(write(log, record("a", "plain")))], store)
    load([str(write(other, record("a", "spring")))], store)
    report = load([str(write(log, record("a", "spring")))], store, replace=True)
    assert (report.stored, report.repeated, report.replaced) == (0, 1, 1)
    assert rows(store, "SELECT source, spring FROM hands") == [(str(other), True)]
    assert rows(store, "SELECT CAST(sum(hands) AS INT) FROM days") == [(1,)]


def test_what_was_replaced_does_not_come_back_by_itself(tmp_path):
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    old, new = record("a", "plain"), record("a", "spring")
    load([str(write(log, old))], store)
    load([str(write(log, new))], store, replace=True)
    report = load([str(write(log, old))], store)
    assert (report.stored, report.refused) == (1, 1)
    assert rows(store, "SELECT outcome, spring FROM hands WHERE counted") == [("landlord", True)]
    report = load([str(log)], store, replace=True)
    assert report.replaced == 2
    assert rows(store, "SELECT spring FROM hands") == [(False,)]
    assert rows(store, "SELECT CAST(sum(hands) AS INT) FROM days") == [(1,)]


def test_a_line_that_was_cut_off_is_replaced_by_its_whole(tmp_path):
    store, log = tmp_path / "store", tmp_path / "log.jsonl"
    whole = [json.dumps(record("a", "plain")), json.dumps(record("b", "spring"))]
    log.write_text(whole[0] + "\n" + whole[1][:-30])
    assert load([str(log)], store).unreadable == 1
    log.write_text("\n".join(whole) + "\n")
    report = load([str(log)], store)
    assert (report.stored, report.known, report.replaced) == (1, 1, 1)
    assert rows(store, "SELECT id, verdict FROM hands ORDER BY hand") == [("a", "clean"), ("b", "clean")]
    assert rows(store, "SELECT CAST(sum(hands) AS INT) FROM days") == [(2,)]


def test_a_hand_that_came_in_another_format_can_be_audited_again(tmp_path):
    """The store keeps it as a record beside what it came as."""
    from test_logs import LOGS

    store = tmp_path / "store"
    load([str(LOGS / "ftl2-judge.jsonl"), str(write(tmp_path / "a.jsonl", PLAIN))], store)
    (foreign, own) = rows(store, "SELECT raw, record FROM raw ORDER BY hand")
    assert read_record(bytes(foreign[1]))[0].rules == "botzone"
    assert json.loads(bytes(own[0]))["id"] == "a"
    assert pd.isna(own[1])
    assert read_manifest(store).rows("replaced") == 0
