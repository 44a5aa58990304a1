"""Pairs: who met whom by hand, honest rooms stay quiet, and a pair that gives points away is found."""

from math import comb, sqrt

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_store_hands import kept, record

from analysis import catalogue
from analysis.meetings import meetings, pair_of
from analysis.pairs import TITLES, rows
from analysis.significance import fisher_p
from analysis.warehouse import Warehouse
from ingest.store.publish import create

DAY = pd.Timestamp("2026-03-01")


class Room:
    """``seats`` and ``hands`` of three at a table, drawn from so many players; ``dumps``: how player 0 serves player 1.

    Half of what a hand brings lies in its cards, players differ in skill, stakes are powers of two.
    """

    def __init__(self, players, hands, seed, dumps=0.0, soft=0.0, skill=0.1):
        rng = np.random.default_rng(seed)
        who = rng.random((hands, players)).argsort(axis=1)[:, :3]
        able = rng.normal(0, skill, players)
        strength = rng.normal(0, 4, (hands, 3)).round()
        edge = 0.15 * (strength[:, 0] - strength[:, 1:].mean(axis=1)) + able[who[:, 0]] - able[who[:, 1:]].mean(axis=1)
        wins = rng.random(hands) < 1 / (1 + np.exp(-edge))
        worth = 2 ** rng.integers(0, 5, hands)
        gives, takes = who[:, 0] == 0, (who[:, 1:] == 1).any(axis=1)
        serves = gives & takes & (rng.random(hands) < dumps)
        wins, worth = wins & ~serves, np.where(serves, 16, worth)
        wins |= (who[:, 0] == 1) & (who[:, 1:] == 0).any(axis=1) & (rng.random(hands) < dumps)
        tables, could = [], rng.integers(2, 7, (hands, 3))
        for seat in range(3):
            chance = np.where((who[:, seat] == 0) & (who[:, 0] == 1) & (seat > 0), 0.3 + soft, 0.3)
            won = wins == (seat == 0)
            tables.append(
                {
                    "hand": np.arange(hands), "seat": seat, "player": [f"p{n:03}" for n in who[:, seat]], "base": 10,
                    "rules": "classic", "day": DAY, "verdict": "clean", "role": "farmer" if seat else "landlord",
                    "won": won, "score": np.where(won, 1, -1) * worth * 10 * (1 if seat else 2), "bid": 3,
                    "multiplier": worth, "dealt_points": strength[:, seat], "taken_points": 0, "could": could[:, seat],
                    "passed": rng.binomial(could[:, seat], chance), "could_mate": 0, "passed_mate": 0,
                }
            )  # fmt: skip
        self._connection = duckdb.connect()
        frame = pd.concat([pd.DataFrame(each) for each in tables])
        listed = pd.DataFrame(
            {"hand": np.arange(hands), "source": "a", "table_id": [f"t{n // 60}" for n in range(hands)]}
        )
        for name, columns in (("seats", frame), ("hands", listed)):
            self._connection.register("given", columns)
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")

    def query(self, sql, parameters=None, *, rows, seconds):
        assert rows
        assert seconds
        return self._connection.execute(sql, parameters).df()


def told(room):
    return pd.DataFrame(rows(meetings(room, {})))


def alarms(rooms, players, hands, **more):
    """Honest rooms in which some pair is called odd."""
    return sum(
        bool((told(Room(players, hands, seed, **more)).query("test == 'all'")["adjusted"] < 0.05).any())
        for seed in range(rooms)
    )


def test_honest_rooms_stay_quiet():
    """20 rooms of 10 players and 45 pairs: an alarm in at most 5 % of rooms, plus three binomial standard errors."""
    assert alarms(20, 10, 900) <= 20 * 0.05 + 3 * sqrt(20 * 0.05 * 0.95)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("rooms", "players", "hands", "skill"),
    [(1_000, 10, 900, 0.1), (100, 30, 6_000, 0.1), (200, 12, 4_000, 0.3), (200, 60, 9_000, 0.0)],
)
def test_honest_rooms_stay_quiet_whatever_their_size(rooms, players, hands, skill):
    assert alarms(rooms, players, hands, skill=skill) <= rooms * 0.05 + 3 * sqrt(rooms * 0.05 * 0.95)


def test_a_pair_that_gives_points_away_is_found_and_no_other():
    found = told(Room(12, 3_000, 1, dumps=0.8, soft=0.3))
    summed = found[found["test"] == "all"]
    assert len(summed) == 66
    assert summed.iloc[0][["player", "other"]].tolist() == ["p000", "p001"]
    assert summed.iloc[0]["score"] > 6
    assert (summed["adjusted"].iloc[1:] > 0.05).all()
    own = found[(found["player"] == "p000") & (found["other"] == "p001")].set_index("test")
    assert own.loc["flow", "points"] > 0
    assert own.loc["flow", "value_from"] > 0
    assert own.loc["soft", "adjusted"] < 0.01
    assert own.loc["soft", "value"] > own.loc["soft", "expected"] + 0.1
    assert own.loc["third_party", "adjusted"] < 0.05
    assert own.loc["flow", "evidence"].count(" ") == 4
    assert set(found["test"]) <= set(TITLES)


def test_players_who_win_by_turns_are_found():
    room = Room(5, 900, 2)
    room._connection.execute(
        "UPDATE seats SET won = (role = 'landlord') = turn FROM ("
        "  SELECT hand, (row_number() OVER (ORDER BY hand)) % 2 = 0 AS even,"
        "    (arg_min(player, player) = any_value(player) FILTER (role = 'landlord')) = even AS turn"
        "  FROM seats WHERE hand IN ("
        "    SELECT hand FROM seats WHERE player IN ('p000', 'p001') GROUP BY hand HAVING count(*) = 2"
        "      AND count(*) FILTER (role = 'landlord') = 1"
        "  ) AND player IN ('p000', 'p001') GROUP BY hand"
        ") AS turns WHERE turns.hand = seats.hand"
    )
    room._connection.execute("UPDATE seats SET score = abs(score) * CASE WHEN won THEN 1 ELSE -1 END")
    found = told(room)
    runs = found[found["test"] == "runs"].set_index(["player", "other"])["p"]
    pair = min(runs.index, key=lambda pair: runs[pair])
    assert set(pair) == {"p000", "p001"}
    assert runs[pair] < 1e-6


def test_meetings_of_three_hands_by_hand(tmp_path):
    """a is landlord twice (a spring, then plain) and c once: base 10, the plain hand without rocket is worth 60."""
    warehouse = kept(
        tmp_path,
        record("1", "spring", 0, ids=("a", "b", "c"), table="T"),
        record("2", "plain", 0, ids=("a", "b", "c"), table="T", base=20),
        record("3", "anti_spring", 2, ids=("a", "b", "c"), table="U"),
        record("4", "void", ids=("a", "b", "c")),
    )
    met = meetings(warehouse, {})
    who = [(met.players[lord], met.players[farmer]) for lord, farmer in zip(met.landlord, met.farmer, strict=True)]
    assert who == [("a", "b"), ("a", "c"), ("a", "b"), ("a", "c"), ("c", "a"), ("c", "b")]
    scores = warehouse.query("SELECT score / base AS y FROM seats WHERE role = 'farmer' ORDER BY hand, seat")["y"]
    assert met.y.tolist() == scores.tolist() == [-24, -24, -6, -6, 12, 12]
    assert met.lost.tolist() == [True, True, True, True, False, False]
    assert met.hands.tolist() == [3, 3, 3]
    b, c = met.players.index("b"), met.players.index("c")
    a = met.players.index("a")
    assert met.together == {pair_of(0, b, c, 3): (2, 0), pair_of(0, a, b, 3): (1, 1)}
    assert met.r.sum() == pytest.approx(0, abs=1e-9)
    assert len(set(met.place.tolist())) == 2
    assert catalogue.run(warehouse, "integrity_pairs").empty  # three hands say nothing


def test_a_pair_of_twenty_five_hands_by_hand(tmp_path):
    """25 plain hands that a wins over b and others, 6 times the base each; nobody else is there to compare with."""
    hands = [record(f"h{n}", "plain", 0, 3, ids=("a", "b", f"c{n}"), table=f"T{n % 4}") for n in range(25)]
    found = catalogue.run(kept(tmp_path, *hands), "integrity_pairs", player="b")
    assert found[found["test"] == "all"][["player", "other", "whole"]].values.tolist() == [["b", "a", 25]]
    own = found.set_index("test")
    assert own.loc["flow", "points"] == 25 * 6
    assert own.loc["flow", "value"] == pytest.approx(0.0, abs=1e-9)
    assert own.loc["together", ["whole", "value", "expected"]].tolist() == [25, 1.0, 1.0]
    assert own.loc["together", "reason_en"] == "together: 25 / 25, 4, 0 / 0; 3 / 4"
    assert "runs" not in own.index


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_fishers_test_is_the_sum_of_its_tables(k, rest, k_other, rest_other):
    n, n_other, both = k + rest, k_other + rest_other, k + k_other
    ways = sum(comb(n, j) * comb(n_other, both - j) for j in range(k, min(n, both) + 1) if both - j <= n_other)
    assert fisher_p(k, n, k_other, n_other) == pytest.approx(ways / comb(n + n_other, both), rel=1e-9)


@settings(max_examples=6, deadline=None)
@given(st.integers(3, 6), st.integers(0, 150), st.integers(0, 10**6))
def test_whatever_a_room_is_rows_fit_together(players, hands, seed):
    found = told(Room(players, hands, seed))
    if found.empty:
        return
    assert found["p"].dropna().between(0, 1).all()
    assert (found["adjusted"].dropna() >= found.loc[found["adjusted"].notna(), "p"] - 1e-12).all()
    assert (found["whole"] > 0).all()
    flows = found[found["test"] == "flow"]
    assert (flows["value"] >= 0).all()
    assert len(flows) == (found["test"] == "all").sum() <= players * (players - 1) // 2


def test_an_empty_store_gives_the_declared_columns(tmp_path):
    create(tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        found = catalogue.run(warehouse, "integrity_pairs")
    assert list(found.columns) == [column.name for column in catalogue.statistics()["integrity_pairs"].columns]
    assert found.empty
