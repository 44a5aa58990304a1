"""Clocks: what a hand's stamps tell, what is odd in a file's, and whose pace is not that of people."""

from math import comb, log

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_store_hands import kept, one, record

from analysis import catalogue
from analysis.clocks import LOG_ODDITIES, PACE_TITLES, of_players
from analysis.significance import binomial_p
from analysis.warehouse import Warehouse
from ingest.store.publish import create


def stamped(given, times):
    """A record whose plays have these stamps."""
    plays = given["plays"].split()
    return given | {"plays": " ".join(f"{play}@{ms}" for play, ms in zip(plays, times, strict=True))}


PLAIN = record("p", "plain")  # 13 plays; 0 leads H3, 1 answers D4, 2 passes, 0 beats, 1 and 2 pass ...


def test_a_hands_clock_by_hand(tmp_path):
    """The plain hand with a move a second, but one of 100 ms, one twice and one backwards."""
    number = len(PLAIN["plays"].split())
    times = [1000 * (n + 1) for n in range(number)]
    times[3] = times[2] + 100  # the landlord beats with B: a choice
    times[5] = times[4]  # a forced pass that took no time
    times[8] = times[7] - 500
    warehouse = kept(tmp_path, stamped(PLAIN, times))
    row = one(warehouse, "SELECT * FROM hands")
    assert (row["duration"], row["backwards"], row["standing_still"]) == (times[-1], 1, 1)
    assert row["clock_digest"] is not None
    seats = warehouse.query("SELECT * FROM seats ORDER BY seat")
    assert seats["quick"].tolist() == [1, 0, 0]
    took = {0: [1.0, 0.1], 1: [1.0]}
    moves = warehouse.query("SELECT seat, lead, could, took FROM moves WHERE phase = 'play' AND took IS NOT NULL")
    free = moves[moves["lead"] | (moves["could"] == True)]  # noqa: E712 - null is neither
    forced = moves[moves["could"] == False]  # noqa: E712
    assert seats["free"].tolist() == [int((free["seat"] == s).sum()) for s in range(3)]
    assert seats["forced"].tolist() == [int((forced["seat"] == s).sum()) for s in range(3)]
    assert took[0] == [1.0, 0.1]
    sums = [sum(log(ms / 1000) for ms in free.loc[free["seat"] == s, "took"]) for s in range(3)]
    assert seats["free_log"].tolist() == pytest.approx(sums)


def test_a_hand_without_stamps_has_no_clock(tmp_path):
    warehouse = kept(tmp_path, PLAIN)
    row = one(warehouse, "SELECT count(duration) + count(clock_digest) AS n FROM hands")
    assert row["n"] == 0
    assert one(warehouse, "SELECT count(free) + count(quick) AS n FROM seats")["n"] == 0
    assert catalogue.run(warehouse, "integrity_clocks").empty
    assert catalogue.run(warehouse, "integrity_paces").empty


def at(minute, zone="+08:00", hour=20):
    return f"2026-03-01T{hour:02}:{minute:02}:00{zone}"


def test_every_oddity_of_a_file_is_found_in_the_hand_that_has_it(tmp_path):
    """Nine hands at one table, each with the oddity that its place names, and one sound hand at another."""
    size = len(PLAIN["plays"].split())
    even = [2000 * (n + 1) for n in range(size)]
    hands = [
        ("sound", [1900 * (n + 1) + 37 * n * n for n in range(size)], at(0)),
        ("backwards", [*even[:5], even[4] - 7, *[ms + 99 for ms in even[6:]]], at(2)),
        ("standing_still", [*even[:5], even[4], *[ms + 55 for ms in even[6:]]], at(4)),
        ("hasty", [100 * (n + 1) + n * n for n in range(size)], at(6)),
        ("overlap", [1800 * (n + 1) + n for n in range(size)], "2026-03-01T20:06:01+08:00"),
        ("twin", [ms + 400 for ms in [1800 * (n + 1) + n for n in range(size)]], at(10)),
        ("order", [2100 * (n + 1) + n for n in range(size)], at(9)),
        ("offset", [2200 * (n + 1) + n for n in range(size)], at(12, "+00:00", 12)),
        ("eight_hours", [2300 * (n + 1) + n for n in range(size)], "2026-03-01T20:14:00+00:00"),
    ]
    records = [
        stamped(record(name, "plain", 0, 3, ids=(f"{name}0", "b", "c"), table="T"), times) | {"at": when}
        for name, times, when in hands
    ]
    warehouse = kept(tmp_path, *records)
    found = catalogue.run(warehouse, "integrity_clocks").set_index("kind")
    assert set(found.index) == set(LOG_ODDITIES)
    shown = {kind: row["evidence"] for kind, row in found.iterrows()}
    assert shown == {
        "backwards": "1", "standing_still": "2", "hasty": "3", "overlap": "4", "twins": "4 5", "order": "6",
        "offset": "7", "eight_hours": "8",
    }  # fmt: skip
    assert tuple(found.loc["backwards", ["part", "whole", "excluded"]]) == (1, 9, 0)
    assert tuple(found.loc["order", ["part", "whole", "excluded"]]) == (1, 8, 1)
    assert found.loc["backwards", "p"] == pytest.approx(1 - 0.999**9)
    assert found.loc["backwards", "reason_en"] == "a stamp lower than the one before: 1 / 9 hands"
    assert found.loc["twins", "score"] > 8


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 60), st.integers(1, 60), st.floats(0.001, 0.9))
def test_a_binomial_tail_is_the_sum_of_its_chances(k, n, p):
    exact = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
    assert binomial_p(k, n, p) == pytest.approx(exact, rel=1e-9, abs=1e-300)


class People:
    """``seats`` and ``hands`` of accounts with times of their own, to be asked as a warehouse is."""

    def __init__(self, number, hands, seed, *, even=0.5, choice=0.6, quick=0.0, hours=3.0, overlap=0.0, moves=(6, 4)):
        rng, rows = np.random.default_rng(seed), number * hands
        free = np.log(2.0) + rng.normal(choice, even, (rows, moves[0]))
        forced = np.log(2.0) + rng.normal(0.0, even, (rows, moves[1]))
        began = pd.Timestamp("2026-03-01T12:00", tz="UTC") + pd.to_timedelta(
            np.tile(np.arange(hands) * hours * 3600.0 / hands, number) + np.repeat(np.arange(number) * 86400.0, hands),
            unit="s",
        )
        lasted = np.where(rng.random(rows) < overlap, 10_000_000, 1)
        seats = pd.DataFrame(
            {
                "hand": np.arange(rows), "player": np.repeat([f"p{n}" for n in range(number)], hands),
                "rules": "classic", "day": pd.Timestamp("2026-03-01"), "bot": False, "free": moves[0],
                "free_log": free.sum(axis=1),
                "free_log_squares": (free**2).sum(axis=1), "forced": moves[1], "forced_log": forced.sum(axis=1),
                "forced_log_squares": (forced**2).sum(axis=1), "quick": rng.binomial(moves[0], quick, rows),
            }
        )  # fmt: skip
        played = {"rules": "classic", "day": pd.Timestamp("2026-03-01"), "began": began, "duration": lasted}
        hands = pd.DataFrame({"hand": np.arange(rows)} | played)
        self._connection = duckdb.connect()
        for name, columns in (("seats", seats), ("hands", hands)):
            self._connection.register("given", columns)
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")

    def query(self, sql, parameters=None, *, rows, seconds):
        assert rows
        assert seconds
        return self._connection.execute(sql, parameters).df()


def summed(people):
    return [row for row in of_players(people, {}) if row["test"] == "all"]


def false_alarms(trials, accounts, hands):
    """Rooms of people at the edge of what people do in which somebody is called odd."""
    alarms = 0
    for seed in range(trials):
        rows = summed(People(accounts, hands, seed, even=0.21, choice=0.21, quick=0.009, overlap=0.0009))
        alarms += any(row["adjusted"] < 0.05 for row in rows)
    return alarms


def test_people_at_the_edge_of_what_people_do_are_left_alone():
    """15 rooms of 20 accounts: an alarm in at most 5 % of rooms, plus three binomial standard errors."""
    assert false_alarms(15, 20, 40) <= 15 * 0.05 + 3 * (15 * 0.05 * 0.95) ** 0.5


@pytest.mark.soak
def test_people_at_the_edge_are_left_alone_in_many_rooms():
    assert false_alarms(1_000, 50, 60) <= 1_000 * 0.05 + 3 * (1_000 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize(
    ("test", "machine"),
    [
        ("quick", {"quick": 0.08}),
        ("even", {"even": 0.05}),
        ("careless", {"choice": 0.0, "even": 0.3}),
        ("overlap", {"overlap": 0.2}),
    ],
)
def test_a_machine_is_found_by_its_test(test, machine):
    rows = of_players(People(10, 60, 1, **machine), {})
    found = [row for row in rows if row["test"] == test]
    assert len(found) == 10
    assert all(row["adjusted"] < 0.001 for row in found)
    other = {"quick", "even", "careless", "overlap"} - {test}
    assert all(row["adjusted"] > 0.001 for row in rows if row["test"] in other)
    sums = [row for row in rows if row["test"] == "all"]
    assert all(row["score"] > 3 and row["reason_zh"].startswith(PACE_TITLES[test][0]) for row in sums)


def test_who_never_rests_is_told_by_hours():
    rows = [row for row in of_players(People(2, 120, 1, hours=40.0), {}) if row["test"] == "awake"]
    assert [row["value"] for row in rows] == [40, 40]
    assert [row["score"] for row in rows] == [12.0, 12.0]
    assert all(row["score"] == 0.0 for row in of_players(People(2, 120, 1), {}) if row["test"] == "awake")


@pytest.mark.parametrize("name", ["integrity_clocks", "integrity_paces", "integrity_settlement", "mismatched_hands"])
def test_an_empty_store_gives_the_declared_columns(tmp_path, name):
    create(tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        found = catalogue.run(warehouse, name)
    assert found.empty
    assert list(found.columns) == [column.name for column in catalogue.statistics()[name].columns]
