"""Deals played at several tables: differences by hand, a second computation, and what the deal is worth."""

from importlib import resources
from itertools import permutations
from statistics import mean, stdev, variance

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_store_hands import kept, record

from analysis import catalogue
from analysis.duplicate import DEALT_AGAIN
from analysis.intervals import MACROS, wilson
from analysis.warehouse import Warehouse
from ingest.store.publish import create

NAMES = ("duplicate_datum", "same_deal", "deal_share", "side_swaps", "robots_at_table")


def test_a_deal_at_three_tables_by_hand(tmp_path):
    """The same spring at three tables, bid at 3, 1 and 2: 24, 8 and 16 times the base a farmer; and another deal."""
    spring = record("s", "spring", 0, ids=("a", "b", "c"))
    slow = record("t", "spring", 0, ids=("d", "b", "e"), bid=1)
    third = record("u", "spring", 0, ids=("a", "f", "g"), bid=2)
    warehouse = kept(tmp_path, spring, slow, third, record("v", "anti_spring", 0, ids=("x", "y", "z")))
    scores = warehouse.query("SELECT player, score / base AS x FROM seats WHERE hand < 3 ORDER BY hand, seat")
    assert scores["x"].tolist() == [48, -24, -24, 16, -8, -8, 32, -16, -16]
    datum = catalogue.run(warehouse, "duplicate_datum").set_index("player")
    assert set(datum.index) == set("abcdefg")
    # a sat twice in seat 0: 48 - (16 + 32) / 2 = 24 and 32 - (48 + 16) / 2 = 0, 12 on the mean
    assert datum.loc["a", ["hands", "deals", "mean", "capped", "better"]].tolist() == [2, 1, 12, 12, 1]
    assert datum.loc["d", ["mean", "capped"]].tolist() == [-24, -12]
    # b sat twice in seat 1: -24 against (-8 - 16) / 2, and -8 against (-24 - 16) / 2
    assert datum.loc["b", "mean"] == (-12 + 12) / 2
    pairs = catalogue.run(warehouse, "same_deal", player="a").set_index("other")
    assert pairs.index.tolist() == ["d"]
    assert pairs.loc["d", ["deals", "total", "mean", "capped", "excluded"]].tolist() == [1, 24, 24, 12, 0]
    assert catalogue.run(warehouse, "same_deal", player="d")["total"].tolist() == [-24]
    assert catalogue.run(warehouse, "side_swaps").empty


def test_sides_swapped_by_hand(tmp_path):
    """Agents x and y on one deck: x wins as landlord with a bomb and a rocket (±8), then y does as landlord."""
    warehouse = kept(
        tmp_path,
        record("1", "spring", 0, ids=("x", "y", "y")),
        record("2", "spring", 0, 1, ids=("y", "x", "x")),
        record("3", "anti_spring", 0, ids=("x", "y", "y")),
    )
    found = catalogue.run(warehouse, "side_swaps").set_index("player")
    assert found.loc["x", ["other", "decks", "wins", "hands", "rate", "adp"]].tolist() == ["y", 1, 1, 2, 0.5, 0.0]
    assert found.loc["x", "score"] == (48 - 16) / 2
    assert found.loc["y", "score"] == (16 - 48) / 2
    assert tuple(found.loc["y", ["low", "high"]]) == pytest.approx(wilson(1, 2))


def test_robots_at_the_table_by_hand(tmp_path):
    players = [{"id": "r", "bot": True}, {"id": "b"}, {"id": "c"}]
    warehouse = kept(
        tmp_path,
        record("1", "spring", 0, players=players),
        record("2", "anti_spring", 0, players=players),
        record("3", "plain", 1, ids=("d", "b", "c")),
        record("4", "void", players=players),
    )
    found = catalogue.run(warehouse, "robots_at_table").set_index(["robots", "seat"])
    assert found.index.tolist() == [(0, "human"), (1, "human"), (1, "robot")]
    assert found.loc[(1, "robot"), ["hands", "part", "whole", "landlord"]].tolist() == [2, 1, 2, 1.0]
    assert found.loc[(1, "human"), ["hands", "part", "whole", "landlord"]].tolist() == [2, 2, 4, 0.0]
    assert found.loc[(0, "human"), ["part", "whole", "share"]].tolist() == pytest.approx([1, 3, 1 / 3])


class Club:
    """``hands`` and ``seats`` of deals played at several tables each, to be asked as a warehouse is."""

    def __init__(self, rows):
        self._connection = duckdb.connect()
        for macro in MACROS:
            self._connection.execute(macro)
        seats = pd.DataFrame(rows, columns=["hand", "seat", "player", "role", "won", "score", "bombs"])
        told = {"rules": "classic", "verdict": "clean", "day": pd.Timestamp("2026-03-01")}
        seats = seats.assign(base=1, rockets=0, bot=False, **told)
        deals = {hand: hand[0] for hand in seats["hand"]}
        numbers = {hand: number for number, hand in enumerate(deals)}
        hands = pd.DataFrame({"hand": list(numbers.values()), "deal_digest": list(deals.values())})
        hands = hands.assign(counted=True, **told)
        seats["hand"] = seats["hand"].map(numbers)
        for name, columns in (("seats", seats), ("hands", hands)):
            self._connection.register("given", columns)
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        self._connection.execute(DEALT_AGAIN)

    def query(self, sql, parameters=None, **_):
        return self._connection.execute(sql, parameters).df()


def club(draws):
    """Rows of hands: deal, table, who sits in which seat, the landlord's gain and bombs."""
    rows = []
    for table, (deal, who, gain, bombs) in enumerate(draws):
        for seat, player in enumerate(who):
            score = 2 * gain if seat == 0 else -gain
            role = "farmer" if seat else "landlord"
            rows.append(((deal, table), seat, player, role, score > 0, score, bombs if seat == 0 else 0))
    return rows


HANDS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from([*permutations("abcd", 3), ("a", "b", "b"), ("b", "a", "a")]),
        st.integers(-20, 20).filter(bool),
        st.integers(0, 3),
    ),
    max_size=25,
)


@settings(max_examples=12, deadline=None)
@given(HANDS)
def test_a_second_computation_agrees(draws):
    rows, shop = club(draws), Club(club(draws) or [((0, 0), 0, "a", "landlord", True, 1, 0)])
    by_seat = {}
    for (deal, table), seat, player, _, _, score, _ in rows:
        by_seat.setdefault((deal, seat), []).append((table, player, score))
    gains, differences = {}, {}
    for key, played in by_seat.items():
        for table, player, score in played:
            others = [other for at, _, other in played if at != table]
            if others:
                gains.setdefault(player, {}).setdefault(key, []).append(score - mean(others))
        means = {p: mean(s for _, other, s in played if other == p) for p in {player for _, player, _ in played}}
        for one, other in permutations(means, 2):
            differences.setdefault((one, other), {}).setdefault(key[0], []).append(means[one] - means[other])
    values = {"player": None, "rules": None, "since": None, "until": None}
    datum = shop.query(body("duplicate_datum"), values).set_index("player")
    assert set(datum.index) == set(gains)
    for player, deals in gains.items():
        each = [mean(found) for found in deals.values()]
        assert datum.loc[player, "mean"] == pytest.approx(mean(each))
        assert datum.loc[player, "capped"] == pytest.approx(mean(max(-12, min(12, gain)) for gain in each))
        assert 0 <= datum.loc[player, "better"] <= datum.loc[player, "deals"] == len(each)
    pairs = shop.query(body("same_deal"), values).set_index(["player", "other"])
    assert set(pairs.index) == set(differences)
    for pair, deals in differences.items():
        each = [mean(found) for found in deals.values()]
        assert pairs.loc[pair, "total"] == pytest.approx(sum(each), abs=1e-9)
        if len(each) > 1:
            assert pairs.loc[pair, "error"] == pytest.approx(stdev(each) / len(each) ** 0.5, abs=1e-9)


def by_deal(rows, key):
    """Lists of what ``key`` says of each row, of deals that were played at several tables."""
    tables = {}
    for (deal, table), *_ in rows:
        tables.setdefault(deal, set()).add(table)
    told = {}
    for row in rows:
        if len(tables[row[0][0]]) > 1:
            told.setdefault((row[0][0], key(row)), []).append(row)
    return told


@settings(max_examples=7, deadline=None)
@given(HANDS)
def test_a_second_computation_of_the_share_of_the_deal_agrees(draws):
    rows, values = club(draws), {"rules": None, "since": None, "until": None}
    groups = [[score for *_, score, _ in found] for found in by_deal(rows, lambda row: row[1]).values()]
    found = Club(rows or [((0, 0), 0, "a", "landlord", True, 1, 0)]).query(body("deal_share"), values)
    assert len(found) == bool(groups)
    if not groups:
        return
    number, k = sum(map(len, groups)), len(groups)
    within = sum(sum((x - mean(group)) ** 2 for x in group) for group in groups) / (number - k)
    middle = mean(x for group in groups for x in group)
    between = sum(len(group) * (mean(group) - middle) ** 2 for group in groups) / (k - 1)
    size = (number - sum(len(group) ** 2 for group in groups) / number) / (k - 1)
    own = (between - within) / size
    row = found.iloc[0]
    assert row["within"] == pytest.approx(within, abs=1e-9)
    assert row["variance"] == pytest.approx(own + within, abs=1e-9)
    if own + within > 1e-6:
        assert row["share"] == pytest.approx(own / (own + within), abs=1e-9)
    assert (row["deals"], row["hands"]) == (k // 3, number // 3)


SIDES = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(
            [("a", "b", "b"), ("b", "a", "a"), ("a", "c", "c"), ("c", "a", "a"), ("a", "b", "c"), ("a",) * 3]
        ),
        st.integers(-20, 20).filter(bool),
        st.integers(0, 3),
    ),
    max_size=25,
)


@settings(max_examples=7, deadline=None)
@given(SIDES)
def test_a_second_computation_of_swapped_sides_agrees(draws):
    decks = {}
    for deal, (lord, one, other), gain, bombs in draws:
        if one == other != lord:
            points = (2 if gain > 0 else -2) * 2**bombs
            decks.setdefault((lord, one, deal), []).append((True, gain > 0, points, 2 * gain))
            decks.setdefault((one, lord, deal), []).append((False, gain < 0, -points, -2 * gain))
    pairs = {}
    for (player, other, _), played in decks.items():
        if len({led for led, *_ in played}) == 2:
            pairs.setdefault((player, other), []).append(played)
    values = {"player": None, "rules": None, "since": None, "until": None}
    rows = club(draws) or [((0, 0), 0, "a", "landlord", True, 1, 0)]
    found = Club(rows).query(body("side_swaps"), values).set_index(["player", "other"])
    assert set(found.index) == set(pairs)
    for pair, of_pair in pairs.items():
        hands = [hand for played in of_pair for hand in played]
        row = found.loc[pair]
        assert (row["decks"], row["hands"]) == (len(of_pair), len(hands))
        assert (row["wins"], row["rate"]) == (sum(hand[1] for hand in hands), mean(hand[1] for hand in hands))
        assert row["adp"] == pytest.approx(mean(hand[2] for hand in hands))
        assert row["score"] == pytest.approx(mean(hand[3] for hand in hands))
        if len(of_pair) > 1:
            each = [mean(hand[2] for hand in played) for played in of_pair]
            assert row["error"] == pytest.approx(stdev(each) / len(each) ** 0.5, abs=1e-9)


def body(name):
    return resources.files("analysis").joinpath("statistics", f"{name}.sql").read_text("utf-8")


def test_the_share_of_the_deal_is_found_again():
    """A thousand deals at three tables, half of whose variance lies in the deal: 0.5 within 0.05."""
    rng = np.random.default_rng(1)
    worth = np.repeat(rng.normal(0, 1, 1000), 3)
    scores = worth + rng.normal(0, 1, 3000)
    rows = [((n // 3, n), 0, f"p{n % 7}", "landlord", x > 0, x, 0) for n, x in enumerate(scores)]
    found = Club(rows).query(body("deal_share"), {"rules": None, "since": None, "until": None}).iloc[0]
    assert found["share"] == pytest.approx(0.5, abs=0.05)
    assert found["saved"] == pytest.approx(1 / (1 - found["share"]), rel=1e-6)
    assert found["variance"] == pytest.approx(variance(scores), rel=0.02)
    assert (found["hands"], found["deals"]) == (3000, 1000)


def test_equal_players_differ_as_often_as_their_t_says():
    """Eight players without skill, 300 deals at two tables: |t| > 2.6 in at most 3 % of pairs, and three errors."""
    rng = np.random.default_rng(2)
    rows = []
    for deal in range(300):
        who = rng.permutation(8)[:6]
        for table in range(2):
            gain = int(rng.integers(1, 9)) * (1 if rng.random() < 0.5 else -1)
            players = [f"p{n}" for n in who[3 * table : 3 * table + 3]]
            rows += [
                ((deal, table), seat, player, "farmer" if seat else "landlord", gain > 0, gain * (-1 if seat else 2), 0)
                for seat, player in enumerate(players)
            ]
    values = {"player": None, "rules": None, "since": None, "until": None}
    found = Club(rows).query(body("same_deal"), values)
    assert len(found) == 56
    assert (found["t"].abs() > 2.6).mean() <= 0.03 + 3 * (0.03 * 0.97 / 28) ** 0.5


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_store_gives_the_declared_columns(tmp_path, name):
    create(tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        found = catalogue.run(warehouse, name)
    assert list(found.columns) == [column.name for column in catalogue.statistics()[name].columns]
