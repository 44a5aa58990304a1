"""Pairs: who met whom by hand, honest rooms stay quiet, and a pair that gives points away is found."""

from collections.abc import Mapping
from datetime import date
from math import comb, sqrt
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from five_days import store_of
from hypothesis import given, settings
from hypothesis import strategies as st
from second_pairs import screened as second
from test_store_hands import kept, record

from analysis import catalogue, keeping, meetings_kept, pairs
from analysis.flows import Flows
from analysis.meetings import meetings, narrowed
from analysis.pair_rows import ALL, TITLES, rows
from analysis.pairs import screened
from analysis.significance import fisher_ps, holm, holms
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
    return rows(screened(meetings(room)))


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
    assert set(found["test"]) <= {ALL, *TITLES}


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
    met = meetings(warehouse)
    flows, ways = Flows(met), met.ways
    landlord, farmer = (np.repeat(who, ways.met) for who in (ways.landlord, ways.farmer))
    scores = warehouse.query("SELECT hand, player, score / base AS y FROM seats WHERE role = 'farmer' ORDER BY ALL")
    told = sorted(zip(met.hand, farmer, met.signed(met.amounts), strict=True))
    assert [y for _, _, y in told] == scores["y"].tolist() == [-24, -24, -6, -6, 12, 12]
    who = [f"{met.players[a]}{met.players[b]}" for _, a, b in sorted(zip(met.hand, landlord, farmer, strict=True))]
    assert who == ["ab", "ac", "ab", "ac", "ca", "cb"]
    assert [met.lost[met.hand == hand].tolist() for hand in (0, 1, 2)] == [[True, True], [True, True], [False, False]]
    assert (flows.of_farmers("met") + flows.of_landlords("hands")).tolist() == [3, 3, 3]
    together = {name: (n, won) for name, n, won in zip(met.mates.pair, met.mates.hands, met.mates.wins, strict=True)}
    pair = {
        f"{met.players[a]}{met.players[b]}": n for a, b, n in zip(ways.landlord, ways.farmer, ways.pair, strict=True)
    }
    assert together == {pair["cb"]: (2, 0), pair["ab"]: (1, 1)}
    assert flows.ways["r"].sum() == pytest.approx(0, abs=1e-9)
    assert len(set(met.table_pair[met.table])) == 3
    assert len(met.table_pair) == 4  # a and c met at both tables
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


TABLE = st.tuples(*[st.integers(0, 20)] * 4)


@settings(max_examples=40, deadline=None)
@given(st.lists(TABLE, min_size=1, max_size=5))
def test_fishers_test_is_the_sum_of_its_tables(tables):
    k, rest, k_other, rest_other = np.array(tables).T
    found = fisher_ps(k, k + rest, k_other, k_other + rest_other)
    for (one, one_rest, other, other_rest), p in zip(tables, found, strict=True):
        n, n_other, both = one + one_rest, other + other_rest, one + other
        ways = sum(comb(n, j) * comb(n_other, both - j) for j in range(one, min(n, both) + 1) if both - j <= n_other)
        assert p == pytest.approx(ways / comb(n + n_other, both), rel=1e-9)


P = st.one_of(st.just(np.nan), st.floats(0, 1), st.sampled_from([0.01, 0.2]))


@given(st.lists(st.lists(P, min_size=4, max_size=4), min_size=1, max_size=4))
def test_families_of_tests_are_corrected_each_for_itself(families):
    for ps, adjusted in zip(families, holms(np.array(families)), strict=True):
        tested = [place for place, p in enumerate(ps) if not np.isnan(p)]
        assert adjusted[tested] == pytest.approx(holm([ps[place] for place in tested]))
        assert np.isnan(np.delete(adjusted, tested)).all()


def mixed(players: int, hands: int, seed: int) -> Room:
    """Two rulesets and five days in turn, some hands without a day, faulty, of unknown strength, worth nothing."""
    room = Room(players, hands, seed, dumps=0.5, soft=0.3)
    for change in (
        "SET day = DATE '2026-03-01' + INTERVAL (hand % 5) DAY, rules = 'r' || (hand * 7 // 3 % 3 // 2)",
        "SET day = NULL WHERE hand % 11 = 3",
        "SET verdict = 'faulty' WHERE hand % 13 = 2",
        "SET dealt_points = NULL WHERE (hand * 3 + seat) % 17 = 5",
        "SET score = 0 WHERE hand % 19 = 4",
    ):
        room._connection.execute(f"UPDATE seats {change}")
    return room


def test_every_number_is_that_of_the_definitions():
    room = mixed(5, 900, 3)
    found = told(room)
    wanted = second(room.query("SELECT * FROM seats", rows=1, seconds=1).replace(np.nan, None).to_dict("records"))
    tests = found[~found["test"].isin(["all", "together"])].set_index(["player", "other", "rules", "test"])
    assert set(tests.index) == set(wanted)
    assert {test for *_, test in wanted} == TITLES.keys() - {"together"}
    for key, row in wanted.items():
        own = tests.loc[key]
        for name in ("whole", "value", "expected", "p"):
            assert own[name] == pytest.approx(row[name], rel=1e-7, abs=1e-9), (key, name)
        hands = [] if pd.isna(own["evidence"]) else list(map(int, own["evidence"].split()))
        assert hands == row["hands"], key


def test_an_account_in_both_seats_of_the_farmers_is_bid_against_once_a_hand():
    room = Room(6, 3_000, 5, dumps=0.8)
    room._connection.execute(
        "UPDATE seats SET player = 'p001' WHERE role = 'farmer' AND hand % 2 = 0"
        " AND hand IN (SELECT hand FROM seats WHERE role = 'landlord' AND player = 'p000')"
    )
    met = room.query(
        "SELECT count(DISTINCT hand) FROM seats AS own JOIN seats AS other USING (hand)"
        " WHERE own.role = 'landlord' AND own.player = 'p000' AND other.player = 'p001'", rows=1, seconds=1
    )  # fmt: skip
    found = told(room).set_index(["player", "other", "test"]).loc["p000", "p001", "weak_bids"]
    assert found["whole"] == met.iloc[0, 0]
    assert 0 < found["value"] < 1
    assert 1e-3 < found["p"] <= 1


SPANS: tuple[dict[str, Any], ...] = (
    {"since": date(2026, 3, 2)},
    {"until": date(2026, 3, 3)},
    {"since": date(2026, 3, 2), "until": date(2026, 3, 4), "rules": "r0"},
    {"rules": "r1"},
    {"rules": "r2"},
    {"since": date(2027, 1, 1)},
)


@pytest.mark.parametrize("span", SPANS, ids=str)
def test_a_span_is_as_if_there_were_no_other_hands(span: Mapping[str, Any]) -> None:
    room = mixed(4, 900, 7)
    found = rows(screened(narrowed(meetings(room), span)))
    wanted = {"since": "day >= ", "until": "day <= ", "rules": "rules = "}
    kept = " AND ".join(f"{wanted[name]}'{value}'" for name, value in span.items())
    for table in ("seats", "hands"):
        of_hands = f"hand IN (SELECT hand FROM seats WHERE {kept})"
        room._connection.execute(f"DELETE FROM {table} WHERE ({of_hands}) IS NOT TRUE")
    alone = told(room)
    pd.testing.assert_frame_equal(found, alone, rtol=1e-9)
    assert found.empty == (span in SPANS[-2:])


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return store_of(tmp_path_factory.mktemp("pairs"), ("platform", "four-player"), 150, 4, lambda *_: None)


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"since": "2026-01-02"},
        {"until": "2026-01-03", "rules": "four-player"},
        {"since": "2026-01-04", "player": 0},
    ],
    ids=str,
)
def test_what_is_kept_with_a_large_store_tells_the_same(filters, large, monkeypatch):
    monkeypatch.setattr(pairs, "LEAST", 4)
    with Warehouse(large) as warehouse:
        if "player" in filters:
            filters = filters | {"player": catalogue.run(warehouse, "integrity_pairs")["player"].iloc[0]}
        plain = catalogue.run(warehouse, "integrity_pairs", **filters)
        monkeypatch.setattr(keeping, "LEAST", 1)
        warehouse.forget()
        assert meetings_kept.prepare(warehouse) == 2
        warehouse.forget()
        monkeypatch.setattr(meetings_kept, "meetings", None)
        pd.testing.assert_frame_equal(catalogue.run(warehouse, "integrity_pairs", **filters), plain)
    assert len(plain)


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
