"""Whatever stands in a record, a load keeps it or says why not, and every statistic of the store still answers."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from reliability import note

from analysis import catalogue
from analysis.warehouse import BadQuestion, Warehouse
from ingest.again import audit_again
from ingest.bulk import Engine, Way, available
from ingest.load import load
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands
from ingest.store.compact import compact

NUMBERS = [0, 1, -1, 999, 1000, 1001, 2**31, 2**53, -(2**53) - 3, 10**17, 10**18, 2**62, 2**63 - 1, -(2**63), 2**63]
TEXTS = [
    "", "\0", "a" * 128, "a" * 129, "\ud800", "=1+1", "<b>", "'; DROP", "\u2028x", "NaN", "null", "/../x", "é" * 64,
    "🂡", "0",
]  # fmt: skip
TIMES = [
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59-12:00", "2026-02-30T00:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T10:00:00.123456789+14:00", "1900-01-01T00:00:00+00:01", "2026-11-30T10:00:00",
]  # fmt: skip
Path_ = tuple[str | int, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Where something stands in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def changed(value: Any, path: Path_, new: Any) -> Any:
    """A value with another one in one place."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def another(old: Any, path: Path_, chance: random.Random) -> Any:
    """Something else in the place of a value."""
    if isinstance(old, bool):
        return chance.choice([not old, None, 1])
    if isinstance(old, int):
        return chance.choice(NUMBERS)
    if isinstance(old, str):
        spoilt = [old * 2, old[::-1], f"{old}@99999999999999999", old.replace(":", "::")]
        return chance.choice(TIMES if path[-1] == "at" else [*TEXTS, *spoilt])
    return chance.choice([None, [], {}, 0, "", [old] * 3])


def spoilt(told: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A record with one to three values replaced, and perhaps extreme ones added."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        path = chance.choice(list(places(told)))
        told = changed(told, path, another(at(told, path), path, chance))
    more = {
        "tags": {chance.choice(TEXTS): chance.choice(TEXTS)}, "at": chance.choice(TIMES),
        "extra": {"x": [chance.choice(NUMBERS)]}, "base": chance.choice(NUMBERS),
    }  # fmt: skip
    told |= {name: value for name, value in more.items() if chance.random() < 0.2}
    if chance.random() < 0.2 and isinstance(told.get("players"), list):
        balance = chance.choice(NUMBERS)
        told["players"] = [each | {"balance": balance} if isinstance(each, dict) else each for each in told["players"]]
    return told


def kept() -> Iterator[bytes]:
    """What once stopped something: a clock of three thousand years, a score beyond what a real number tells, clocks
    that are none in a hand without players, one with more digits than Python reads.
    """
    for number, line in enumerate(hands(load_any("classic"), 6, seed=1)):
        told = json.loads(line) | {"at": f"2026-11-30T1{number}:00:00Z", "table": "t", "base": 10**17}
        told["plays"] = f"{told['plays']}@99999999999999999" if told.get("plays") else ""
        if number > 3:
            told |= {"players": [], "plays": "0:-@S3@D4:1 1:-@2"} if number == 4 else {"auction": f"0:-@{'9' * 5000}"}
        yield json.dumps({name: value for name, value in told.items() if name != "claim"}).encode()


def log(seed: int, number: int) -> bytes:
    """Hands of every ruleset, each spoilt in several ways and once as it is; and what is kept."""
    chance, lines = random.Random(seed), list(kept())
    for name in builtin_names():
        for line in hands(load_any(name), number, seed=seed, faults=0.2):
            with suppress(ValueError):
                told = json.loads(line)
                lines += [json.dumps(spoilt(dict(told), chance)).encode() for _ in range(4 if told else 0)]
            lines.append(line)
    return b"\n".join(lines)


def check(seed: int, number: int, folder: Path) -> int:
    """Load a hostile log, audit it again, merge its batches, ask everything; how many lines were kept."""
    folder.mkdir()
    (folder / "log.jsonl").write_bytes(log(seed, number))
    store = folder / "store"
    report = load([str(folder / "log.jsonl")], store, batch_hands=150)
    assert [change for again in audit_again(store, Way()) for change in again.changes] == []
    compact(store)
    with Warehouse(store) as warehouse:
        for name in catalogue.statistics():
            catalogue.run(warehouse, name)
    return report.stored


def test_hostile_records_stop_neither_a_load_nor_a_statistic(tmp_path: Path):
    assert check(5, 2, tmp_path / "5") > 100


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"])
def test_moments_beyond_the_calendar_of_a_store_are_on_no_day(tmp_path: Path, at: str):
    lines = [json.loads(line) for line in hands(load_any("classic"), 3, seed=4)]
    lines[1]["at"] = at
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for engine in filter(None, (Engine.audit, Engine.bulk if available() else None)):
        load([str(tmp_path / "log.jsonl")], tmp_path / engine, engine=engine)
        with Warehouse(tmp_path / engine) as warehouse:
            days = warehouse.query("SELECT day FROM hands ORDER BY hand")["day"]
            assert days.isna().tolist() == [False, True, False]
            for name in ("trend", "hands_per_day", "rolling", "hours", "sessions"):
                catalogue.run(warehouse, name)


def test_scores_add_up_beyond_whole_numbers(tmp_path: Path):
    lines = [json.loads(line) | {"base": 3 * 10**17, "claim": {}} for line in hands(load_any("classic"), 60, seed=4)]
    for told in lines:
        told["players"] = [{"id": name} for name in "abc"]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        exact = warehouse.query("SELECT role, sum(score)::DOUBLE AS score FROM seats GROUP BY role HAVING role <> ''")
        found = warehouse.query("SELECT role, sum(score) AS score FROM players GROUP BY role")
        assert max(abs(exact["score"])) > 2**63
        assert dict(found.to_numpy()) == pytest.approx(dict(exact.to_numpy()))


def test_a_value_that_cannot_be_shown_is_a_question_that_cannot_be_answered(tmp_path: Path):
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(hands(load_any("classic"), 1, seed=4)))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        for value in ("DATE '5877642-06-25'", "TIMESTAMP 'infinity'"):
            with pytest.raises(BadQuestion):
                warehouse.query(f"SELECT {value}")


@pytest.mark.soak
def test_many_hostile_stores(tmp_path: Path):
    stored = sum(check(seed, 6, tmp_path / str(seed)) for seed in range(100))
    note(
        "Hostile records",
        f"{stored:,} entries in 100 stores: loaded, merged, audited again, all statistics answer; before, one stopped a"
        " load: a clock that is no number; and the 72nd never ended: a declared reading of cards of the 256th kind",
    )
