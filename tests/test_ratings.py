"""Ratings that know the roles: their mathematics beside OpenSkill's, three hands by hand, and thousands of hands."""

import json
from itertools import permutations
from math import exp, log, sqrt
from random import Random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull, PlackettLuce
from test_store_hands import kept, record, write

from analysis import catalogue, ratings, weng_lin
from analysis.ratings import ROLE_DRIFT, course
from analysis.warehouse import REMEMBERED, Warehouse
from analysis.weng_lin import DRIFT, MU, SIGMA, Ratings, exponential, logistic
from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands

# --- the mathematics


@given(st.floats(-690, 0))
def test_the_exponential_is_that_of_the_library(x):
    assert exponential(x) == pytest.approx(exp(x), rel=5e-16, abs=0)


def test_the_logistic_has_its_symmetry_and_its_ends():
    assert logistic(0.0) == 0.5
    assert logistic(-3.0) == pytest.approx(1 / (1 + exp(3)), rel=1e-15)
    assert logistic(3.0) + logistic(-3.0) == pytest.approx(1, rel=1e-15)
    assert (logistic(-1e6), logistic(1e6)) == (0.0, 1.0)


@pytest.mark.parametrize("model", [BradleyTerryFull(), PlackettLuce()], ids=["Bradley-Terry", "Plackett-Luce"])
@pytest.mark.parametrize("drift_of_role", [0.0, ROLE_DRIFT, DRIFT], ids=["steady", "slow", "like a player"])
def test_matches_are_rated_as_openskill_rates_them(model, drift_of_role):
    """Two on one side, one to three on the other, over and over. OpenSkill lets everybody drift alike; what is steadier
    is handed to it with so much less variance.
    """
    chance, players = Random(7), 12
    ours = Ratings([MU] * players + [0.0, MU, 2 * MU], [DRIFT] * players + [drift_of_role] * 3)
    theirs = [model.rating(mu) for mu in ours.mu]
    for _ in range(400):
        farmers = chance.randint(1, 3)
        landlord, *others = chance.sample(range(players), farmers + 1)
        role, won = players + farmers - 1, chance.random() < 0.4
        theirs[role].sigma = sqrt(theirs[role].sigma ** 2 - (DRIFT - drift_of_role))
        sides = [[theirs[landlord], theirs[role]], [theirs[other] for other in others]]
        told = model.rate(sides, ranks=[0, 1] if won else [1, 0])
        for one, rating in zip([landlord, role, *others], [*told[0], *told[1]], strict=True):
            theirs[one] = rating
        ours.match((landlord, role), others, won=won)
    assert ours.mu == pytest.approx([rating.mu for rating in theirs], abs=1e-9)
    assert [sqrt(each) for each in ours.variance] == pytest.approx([rating.sigma for rating in theirs], abs=1e-9)


def test_who_sits_twice_on_a_side_is_pushed_by_both_seats():
    twice, once = (Ratings([MU] * 4, [DRIFT] * 4) for _ in range(2))
    assert twice.match((0, 1), (2, 2), won=True) == once.match((0, 1), (2, 3), won=True) == 0.5
    assert twice.mu[2] - MU == pytest.approx(2 * (once.mu[2] - MU))
    assert twice.variance[:3] == once.variance[:3]


def test_who_is_spared_belongs_to_his_side_and_learns_nothing():
    ratings = Ratings([MU, MU, MU, 30.0], [DRIFT] * 4)
    assert ratings.match((0, 1), (2, 3), won=True, spared=(3,)) < 0.5
    assert (ratings.mu[3], ratings.variance[3]) == (30.0, SIGMA * SIGMA)
    assert ratings.mu[2] < MU < ratings.mu[0]


# --- thousands of hands, played by players of known skill

PLAYERS, HANDS = 60, 30_000
WINS = 0.45
"""How often a landlord wins among equals."""


def played(skill, with_role, hands=HANDS):
    """The ratings after all hands, and for each hand its players, the chance given and whether the landlord won."""
    chance, players, role = Random(11), range(len(skill)), len(skill)
    ratings = Ratings([MU] * (len(skill) + 1), [DRIFT] * len(skill) + [ROLE_DRIFT])
    told = []
    for _ in range(hands):
        landlord, up, down = chance.sample(players, 3)
        edge = log(WINS / (1 - WINS)) + skill[landlord] - skill[up] - skill[down]
        won = chance.random() < 1 / (1 + exp(-edge))
        side = (landlord, role) if with_role else (landlord,)
        told.append((landlord, up, down, ratings.match(side, (up, down), won=won), won))
    return ratings, told


def test_equal_players_stay_where_they_began_and_the_role_is_learnt():
    ratings, told = played([0.0] * PLAYERS, with_role=True)
    players, role = ratings.mu[:PLAYERS], ratings.mu[PLAYERS]
    mean = sum(players) / PLAYERS
    assert 24 < mean < 26
    assert 22 < role < 24.5  # below 25: the landlord is the weaker side
    assert sqrt(ratings.variance[PLAYERS]) < 0.6
    assert max(players) > MU + 1  # a newcomer does not top the table by mu, and by mu - 3 sigma he is at its foot
    assert min(mu - 3 * sqrt(v) for mu, v in zip(players, ratings.variance, strict=False)) > MU - 3 * SIGMA
    late = [expected for *_, expected, _ in told[-10_000:]]
    assert sum(late) / len(late) == pytest.approx(WINS, abs=0.02)


def test_one_against_two_without_a_role_collapses():
    ratings, _ = played([0.0] * PLAYERS, with_role=False)
    assert max(ratings.mu[:PLAYERS]) < 6  # the next newcomer would top the table with his 25


@pytest.mark.parametrize("spread", [0.0, 0.4])
def test_wins_are_what_was_expected(spread):
    chance = Random(3)
    _, told = played([chance.gauss(0, spread) for _ in range(PLAYERS)], with_role=True)
    wins, expected = sum(won for *_, won in told), sum(p for *_, p, _ in told)
    assert abs(wins - expected) < 3 * sqrt(sum(p * (1 - p) for *_, p, _ in told))
    for player in range(PLAYERS):
        own = [(p, won) if player == who[0] else (1 - p, not won) for *who, p, won in told if player in who]
        over = sum(won - p for p, won in own)
        assert abs(over) < 3 * sqrt(sum(p * (1 - p) for p, _ in own)), player


def test_the_role_follows_players_who_are_met_again_but_seldom():
    """Thousands of players, each learnt slowly: the mean of them moves, and a role that stood still would lag by more
    than one standard error. What the role misses it makes up for, so that far less than chance is left.
    """
    chance = Random(3)
    _, told = played([chance.gauss(0, 0.4) for _ in range(2000)], with_role=True, hands=60_000)
    over = sum(won - p for *_, p, won in told)
    assert abs(over) < 0.7 * sqrt(sum(p * (1 - p) for *_, p, _ in told))


def test_skill_is_found():
    chance = Random(5)
    skill = [chance.gauss(0, 0.4) for _ in range(PLAYERS)]
    ratings, _ = played(skill, with_role=True)
    pairs = pd.DataFrame({"skill": skill, "mu": ratings.mu[:PLAYERS]})
    assert pairs.corr().iloc[0, 1] > 0.9


# --- hands of a store

ABC = ("a", "b", "c")
THREE = (
    record("1", "spring", 0, ids=ABC, at="2026-03-01T10:00:00+08:00"),  # a is landlord and wins
    record("2", "anti_spring", 0, ids=ABC, at="2026-03-02T10:00:00+08:00"),  # a is landlord and loses
    record("3", "plain", 1, ids=ABC),  # undated: the last; b is landlord and wins
)


def by_hand():
    """The three hands by Weng and Lin's formulae: (mu, sigma) of a, b, c and the role; the chances of each landlord."""
    beta, drift = 25 / 6, {"role": (25 / 3000) ** 2}
    ratings = dict.fromkeys(("a", "b", "c", "role"), (25.0, 25 / 3))
    chances = []
    for landlord, farmers, won in (("a", "bc", 1), ("a", "bc", 0), ("b", "ca", 1)):
        now = {who: (mu, sqrt(sigma**2 + drift.get(who, (25 / 300) ** 2))) for who, (mu, sigma) in ratings.items()}
        sides = ((landlord, "role"), tuple(farmers))
        theta = [sum(now[who][0] for who in side) for side in sides]
        omega = [sum(now[who][1] ** 2 for who in side) for side in sides]
        c = sqrt(omega[0] + omega[1] + 2 * beta**2)
        p = exp(theta[0] / c) / (exp(theta[0] / c) + exp(theta[1] / c))
        chances.append(p)
        for side, all_of_it, score, chance in ((sides[0], omega[0], won, p), (sides[1], omega[1], 1 - won, 1 - p)):
            gained = all_of_it / c * (score - chance)
            lost = sqrt(all_of_it) / c * all_of_it / c**2 * p * (1 - p)
            for who in side:
                mu, sigma = now[who]
                part = sigma**2 / all_of_it
                ratings[who] = (mu + part * gained, sigma * sqrt(1 - part * lost))
    return ratings, chances


def rows(warehouse, name, **parameters):
    return catalogue.run(warehouse, name, **parameters).astype(object).to_dict("records")


def test_three_hands_by_hand(tmp_path):
    ratings, (first, second, third) = by_hand()
    assert first == pytest.approx(0.5)
    with kept(tmp_path, *THREE) as warehouse:
        found = {row["player"]: row for row in rows(warehouse, "ratings")}
        (role,) = rows(warehouse, "role_values")
    for player in "abc":
        mu, sigma = ratings[player]
        told = [found[player][key] for key in ("mu", "sigma", "conservative")]
        assert told == pytest.approx([mu, sigma, mu - 3 * sigma], abs=1e-9)
    chances = {"a": (first, second, 1 - third), "b": (1 - first, 1 - second, third)}
    chances["c"] = (1 - first, 1 - second, 1 - third)
    for player, wins in (("a", 1), ("b", 2), ("c", 1)):
        row, expected = found[player], sum(chances[player])
        assert (row["rules"], row["wins"], row["hands"], row["excluded"]) == ("call-score", wins, 3, 0)
        assert [row["expected"], row["over"]] == pytest.approx([expected, wins - expected], abs=1e-9)
        assert row["error"] == pytest.approx(sqrt(sum(p * (1 - p) for p in chances[player])), abs=1e-9)
        assert str(row["last_day"].date()) == "2026-03-02"
    assert [role[key] for key in ("rules", "farmers", "start", "wins", "hands")] == ["call-score", 2, 25, 2, 3]
    assert [role["mu"], role["sigma"]] == pytest.approx(ratings["role"], abs=1e-9)
    assert role["expected"] == pytest.approx(first + second + third, abs=1e-9)


def test_the_order_of_loading_does_not_matter(tmp_path):
    """Many at the same moment, some undated, and every id in two files."""
    chance, at = Random(1), ("2026-03-01T10:00:00+08:00", "2026-03-01T02:00:00Z", None)
    logs = ([], [])
    for number, (one, other) in enumerate(chance.sample([*permutations("abcdefgh", 2)], 40)):
        given = record(f"{number % 20}", chance.choice(("spring", "anti_spring")), number % 3, ids=("z", one, other))
        moment = chance.choice(at)
        logs[number // 20].append(given | ({"at": moment} if moment else {}))
    answers = []
    for turn in range(3):
        store = tmp_path / f"store{turn}"
        for part, lines in enumerate(logs[:: -1 if turn else 1]):
            chance.shuffle(lines)
            load([str(write(tmp_path / f"{turn}-{part}.jsonl", *lines))], store)
        with Warehouse(store) as warehouse:
            answers.append([catalogue.run(warehouse, name) for name in RATINGS])
    assert answers[0][-1]["hands"].tolist() == [40]
    for answer in answers[1:]:
        for frame, wanted in zip(answer, answers[0], strict=True):
            pd.testing.assert_frame_equal(frame, wanted, check_exact=True)


RATINGS = ("ratings", "ratings_across", "ratings_by_role", "role_values")


def test_rulesets_are_rated_apart_unless_asked(tmp_path):
    one, other = THREE[0], record("9", "plain", 0, ids=ABC, rules="botzone")
    with kept(tmp_path, one, other) as warehouse:
        apart = {(row["player"], row["rules"]): row["mu"] for row in rows(warehouse, "ratings")}
        across = {row["player"]: row["mu"] for row in rows(warehouse, "ratings_across")}
        alone = {row["player"]: row["mu"] for row in rows(warehouse, "ratings", rules="botzone")}
        assert [row["rules"] for row in rows(warehouse, "role_values")] == ["botzone", "call-score"]
    assert apart["a", "botzone"] == apart["a", "call-score"] == alone["a"] < across["a"]
    assert len(apart) == 6


def test_by_role_a_player_has_two_ratings(tmp_path):
    with kept(tmp_path, *THREE) as warehouse:
        found = {(row["player"], row["role"]): row for row in rows(warehouse, "ratings_by_role")}
        assert [row["player"] for row in rows(warehouse, "ratings_by_role", role="landlord")] == ["b", "a"]
    assert {key: row["hands"] for key, row in found.items()} == {
        ("a", "landlord"): 2, ("a", "farmer"): 1, ("b", "landlord"): 1, ("b", "farmer"): 2, ("c", "farmer"): 3,
    }  # fmt: skip
    assert found["b", "landlord"]["mu"] > MU


def test_filters_narrow_rows_or_hands(tmp_path):
    with kept(tmp_path, *THREE) as warehouse:
        everybody = {row["player"]: row for row in rows(warehouse, "ratings")}
        assert rows(warehouse, "ratings", player="b") == [everybody["b"]]
        assert {row["hands"] for row in rows(warehouse, "ratings", until="2026-03-01")} == {1}
        assert rows(warehouse, "ratings", since="2026-03-02")[0]["hands"] == 1
        assert rows(warehouse, "ratings", rules="classic") == []


def test_what_is_left_out_is_counted_and_bots_are_flagged(tmp_path):
    faulty = record("4", "plain", 0, ids=("a", "d", "e"), claim={"scores": [1, 0, -1]})
    himself = record("5", "spring", 0, ids=("a", "f", "a"))
    bot = record("6", "anti_spring", 1, players=[{"id": "g", "bot": True}, {"id": "h"}, {"id": "g", "bot": True}])
    with kept(tmp_path, faulty, himself, bot, record("7", "void", ids=ABC)) as warehouse:
        found = {row["player"]: row for row in rows(warehouse, "ratings")}
    assert {who: (row["hands"], row["excluded"]) for who, row in found.items()} == {
        "a": (0, 2), "d": (0, 1), "e": (0, 1), "f": (0, 1), "g": (1, 0), "h": (1, 0),
    }  # fmt: skip
    assert {who for who, row in found.items() if row["bot"]} == {"g"}
    assert pd.isna(found["a"]["mu"])
    assert found["a"]["expected"] == 0
    assert found["g"]["wins"] == 1


def escape(seat):
    """A hand of ``platform`` that a seat leaves after its first move, and its landlord."""
    given = json.loads(next(hands(load_any("platform"), 1, seed=4)))
    given = {key: value for key, value in given.items() if key not in ("claim", "end")}
    landlord = int(given["plays"].split()[0][0])
    return given | {"plays": given["plays"].split()[0], "end": f"escape:{(landlord + seat) % 3}"}, landlord


def test_who_leaves_has_lost_and_his_fellow_stays_as_he_was(tmp_path):
    given, landlord = escape(1)
    ids = [given["players"][(landlord + step) % 3]["id"] for step in range(3)]
    with kept(tmp_path, given) as warehouse:
        assert warehouse.query("SELECT outcome, verdict FROM hands").to_numpy().tolist() == [["escape", "clean"]]
        found = {row["player"]: row for row in rows(warehouse, "ratings")}
    solo, left, fellow = (found[who] for who in ids)
    assert (solo["wins"], solo["hands"], left["wins"], left["hands"]) == (1, 1, 0, 1)
    assert left["mu"] < MU < solo["mu"]
    assert (fellow["hands"], fellow["excluded"]) == (0, 1)


@pytest.mark.parametrize("leaves", [1, 2])
def test_who_sits_on_both_seats_of_the_side_has_lost_with_the_one_he_left(tmp_path, leaves):
    given, landlord = escape(leaves)
    players = [{"id": "solo" if seat == landlord else "twin"} for seat in range(3)]
    with kept(tmp_path, given | {"players": players}) as warehouse:
        found = {row["player"]: row for row in rows(warehouse, "ratings")}
    assert [found["twin"][key] for key in ("wins", "hands", "excluded")] == [0, 1, 0]
    assert found["twin"]["mu"] < MU < found["solo"]["mu"]


def test_after_the_landlord_left_both_farmers_have_won(tmp_path):
    given, landlord = escape(0)
    with kept(tmp_path, given) as warehouse:
        found = {row["player"]: row["wins"] for row in rows(warehouse, "ratings")}
    left = given["players"][landlord]["id"]
    assert found == {player["id"]: int(player["id"] != left) for player in given["players"]}


@pytest.mark.parametrize(("name", "farmers"), [("two-player", 1), ("classic", 2), ("four-player", 3), ("sandaha", 3)])
def test_every_game_has_a_role_that_starts_even(tmp_path, name, farmers):
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(hands(load_any(name), 12, seed=2)) + b"\n")
    load([str(log)], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        (role,) = rows(warehouse, "role_values")
        others = catalogue.run(warehouse, "landlord_win_rate")
        went = course(warehouse, "ruleset")
    assert (role["farmers"], role["start"]) == (farmers, MU * (farmers - 1))
    assert (role["wins"], role["hands"]) == (others["wins"].sum(), others["hands"].sum())
    first = went.hand == 0
    assert (went.expected[first] == 0.5).all()
    assert (went.before[first] == MU).all()
    assert first.sum() == farmers + 1


def test_ratings_follow_the_store_and_are_remembered_meanwhile(tmp_path, monkeypatch):
    warehouse = kept(tmp_path, *THREE[:2])
    before = rows(warehouse, "ratings")
    with monkeypatch.context() as patched:
        patched.setattr(weng_lin.Ratings, "match", None)
        assert rows(warehouse, "ratings") == before
    load([str(write(tmp_path / "more.jsonl", THREE[2]))], warehouse.path)
    assert {row["hands"] for row in rows(warehouse, "ratings")} == {3}


def test_only_so_much_is_remembered(tmp_path):
    warehouse, worked = kept(tmp_path, THREE[0]), []
    for key in [*range(REMEMBERED + 1), REMEMBERED, 0]:
        assert warehouse.remembered(key, lambda key=key: worked.append(key) or key) == key
    assert worked == [*range(REMEMBERED + 1), 0]


def test_compiled_code_rates_to_the_last_bit_as_the_plain_one(tmp_path, monkeypatch):
    """One to three farmers, escapes, who sits on two seats, several rulesets."""
    pytest.importorskip("numba")
    lines = [line for name in ("classic", "two-player", "four-player") for line in hands(load_any(name), 60, seed=3)]
    lines += [json.dumps(escape(seat)[0] | {"id": f"e{seat}"}).encode() for seat in range(3)]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(lines))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        for pool in ("ruleset", "role", "everything"):
            plain = course(warehouse, pool)
            monkeypatch.setattr(ratings, "COMPILED", 1)
            compiled = course(warehouse, pool)
            monkeypatch.undo()
            assert plain.before.tobytes() == compiled.before.tobytes()
            assert plain.expected.tobytes() == compiled.expected.tobytes()
            pd.testing.assert_frame_equal(plain.members, compiled.members, check_exact=True)
            pd.testing.assert_frame_equal(plain.roles, compiled.roles, check_exact=True)
