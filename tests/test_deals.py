"""The screens of the shuffle: sound ones stay quiet, planted biases are found as often as is claimed."""

from itertools import pairwise
from math import sqrt
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from shuffled import BIG, DECK, Rooms, shuffled, steered
from test_store_hands import MIDDLE, STRONG, WEAK, kept, record

from analysis import catalogue
from analysis.deal_counts import ROOMS, WHOLE, groups
from analysis.deal_screens import ALL, TITLES
from analysis.deal_tests import WEIGHTS, outcomes
from analysis.significance import noncentrality
from analysis.warehouse import Warehouse
from ingest.store.decks import read_deck
from ingest.store.publish import create

ROOM, TRIALS = 200, 1_000
TITLED = set(TITLES) - {ALL}
SCREENS = ("integrity_deals", "deal_tests", "repeated_deals", "integrity_strength")


def run(rooms, name, **filters):
    return catalogue.run(rooms, name, **filters)


def within(seen, trials, p, errors=4.0):
    """Whether a count of trials is within so many standard errors of what is expected."""
    return abs(seen - trials * p) <= errors * sqrt(trials * p * (1 - p))


def test_sound_shuffles_deviate_as_often_as_the_level_says_and_rooms_stay_quiet():
    """1,000 rooms of 200 hands: each test's p within four binomial standard errors at 5 % and at 25 %.

    After Holm's correction at most 5 % of rooms, plus three standard errors; after that over all rooms none.
    """
    found = run(Rooms(shuffled(ROOM * TRIALS, 1), ROOM), "integrity_deals")
    tests, rooms = found[found["test"] != "all"], found[found["test"] == "all"]
    assert set(tests["test"]) == TITLED
    for _, ps in tests.groupby("test")["p"]:
        assert len(ps) == TRIALS
        assert within((ps <= 0.05).sum(), TRIALS, 0.05)
        assert within((ps <= 0.25).sum(), TRIALS, 0.25)
    assert len(rooms) == TRIALS
    assert 0 < (rooms["p"] <= 0.05).sum() <= TRIALS * 0.05 + 3 * sqrt(TRIALS * 0.05 * 0.95)
    assert (rooms["adjusted"] > 0.05).all()
    assert rooms["hands"].eq(ROOM).all()


@pytest.mark.parametrize(
    ("deck", "packs", "tests"),
    [
        ("4x25+8+0 of 2", 2, TITLED - {"rocket"}),
        ("3x34+6+0 of 2", 2, TITLED - {"rocket"}),
        ("2x20+3+11 of 1", 1, TITLED),
    ],
)
def test_sound_shuffles_of_other_decks_deviate_as_often_as_the_level_says(deck, packs, tests):
    """150 rooms of 120 hands, within four binomial standard errors; rockets of four jokers are too few to be tested."""
    trials, hands = 150, 120
    found = run(Rooms(shuffled(trials * hands, 21, packs), hands, dealt=deck), "integrity_deals")
    found = found[found["test"] != "all"]
    assert set(found["test"]) == tests
    for _, ps in found.groupby("test")["p"]:
        assert len(ps) == trials
        assert within((ps <= 0.05).sum(), trials, 0.05)
        assert within((ps <= 0.25).sum(), trials, 0.25)


def rockets(packs, effect, seed):
    """The same with the small joker put beside the big one where that lies at a seat, so often that the rate of
    rockets rises by ``effect``.
    """
    rng, packs = np.random.default_rng(seed), packs.copy()
    at, small = (packs == BIG).argmax(axis=1), (packs == BIG - 1).argmax(axis=1)
    beside = np.minimum(at // 17, 3) == np.minimum(small // 17, 3)
    rate = 3 * 17 * 16 / 54 / 53
    chosen = np.flatnonzero((at < 51) & ~beside & (rng.random(len(packs)) < effect / (51 / 54 - rate)))
    places = at[chosen] // 17 * 17 + (at[chosen] + rng.integers(1, 17, len(chosen))) % 17
    packs[chosen, small[chosen]] = packs[chosen, places]
    packs[chosen, places] = BIG - 1
    return packs


def better_first_seats(packs, effect, seed):
    """The same with the big joker put into seat 0 so often that its points of high cards, on the mean, rise by
    ``effect``: he brings 4 for a card that is worth 15 / 53.
    """
    return steered(packs, BIG, effect / (37 / 54 * (4 - 15 / 53)), seed)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("test", "plant", "sd"),
    [
        ("rocket", rockets, sqrt(0.285115 * 0.714885)),
        ("first_seat", better_first_seats, sqrt(17 * 37 / 53 * (45 / 54 - (19 / 54) ** 2))),
    ],
)
def test_a_planted_bias_is_found_as_often_as_is_claimed(test, plant, sd):
    """1,000 rooms of 1,000 hands, with just the effect that is called detectable: found at the corrected level in 90 %
    of rooms, within three binomial standard errors and one in a hundred, as the bias changes the variance as well.
    """
    trials, hands, level = 1_000, 1_000, 0.05 / len(TITLED)
    effect = sd * (NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(0.9)) / sqrt(hands)
    found = run(Rooms(plant(shuffled(trials * hands, 31), effect, 32), hands), "integrity_deals")
    own = found[found["test"] == test]
    assert own["detectable"].to_numpy() == pytest.approx(effect, rel=2e-3)
    assert own["effect"].mean() == pytest.approx(effect, rel=0.05)
    assert abs((own["p"] <= level).mean() - 0.9) <= 3 * sqrt(0.9 * 0.1 / trials) + 0.01


def test_a_steered_joker_is_found_as_often_as_is_claimed():
    """300 rooms of 600 hands, with the big joker steered by just the effect that is called detectable.

    Found at the corrected level in 90 % of rooms, within three binomial standard errors (5.2 %).
    """
    trials, hands, tests = 300, 600, len(TITLED)
    effect = sqrt(noncentrality(3, 0.05 / tests) / hands)
    chance = 17 / 54
    packs = steered(shuffled(trials * hands, 2), BIG, effect * sqrt(chance / (1 - chance)), 3)
    found = run(Rooms(packs, hands), "integrity_deals")
    of_joker = found[found["test"] == "big_joker"]
    assert of_joker["detectable"].to_numpy() == pytest.approx(effect)
    assert within((of_joker["p"] <= 0.05 / tests).sum(), trials, 0.9, 3)
    rooms = found[found["test"] == "all"]
    assert (rooms["adjusted"] <= 0.05).mean() > 0.85
    surely = of_joker[of_joker["adjusted"] < 1e-6].iloc[0]
    assert surely["reason_en"].startswith("where the big joker lies: seat 0: ")
    assert surely["reason_zh"].startswith("大王的位置：座位 0：实际 ")
    assert surely["evidence"].count(" ") == 4


def test_deals_that_were_hardly_shuffled_are_found_by_what_they_have_in_common():
    """Every second deal is the one before with 20 cards moved."""
    packs = shuffled(400, 4)
    packs[1::2] = packs[::2]
    packs[1::2, ::3] = np.roll(packs[1::2, ::3], 1, axis=1)
    found = run(Rooms(packs, 400), "deal_tests").set_index("test")
    assert found.loc["overlap", "hands"] == 399
    assert found.loc["overlap", "adjusted"] < 1e-12
    assert found.loc["all", "score"] > 10
    assert found.loc["jokers", "p"] > 0.001


def test_a_lucky_account_is_found_and_the_others_are_not():
    packs = shuffled(12_000, 5)
    lucky = packs[:300]
    better = np.isin(lucky[:, 17:34], [52, 53]).any(axis=1)
    lucky[better, :34] = np.roll(lucky[better, :34], 17, axis=1)
    found = run(Rooms(packs, 300), "integrity_strength")
    assert found["hands"].eq(300).all()
    assert found.loc[found["adjusted"] <= 0.001, "player"].tolist() == ["p0-0", "p0-1"]
    assert (found["adjusted"] <= 0.05).sum() == 2
    one = found[found["player"] == "p0-0"].iloc[0]
    assert one["effect_from"] < one["effect"] == pytest.approx(one["mean"] - one["expected"])
    assert one["effect"] > one["detectable"] > 0
    assert run(Rooms(packs[:300], 300), "integrity_strength", player="p0-1")["player"].tolist() == ["p0-1"]


@pytest.mark.soak
def test_sound_shuffles_deviate_as_often_as_the_level_says_over_many_rooms():
    """20,000 rooms: each test at 5 % within five standard errors, and rooms after correction."""
    seen = pd.concat([run(Rooms(shuffled(ROOM * TRIALS, seed), ROOM), "integrity_deals") for seed in range(100, 120)])
    for _, ps in seen[seen["test"] != "all"].groupby("test")["p"]:
        assert within((ps <= 0.05).sum(), len(ps), 0.05, 5)
    rooms = seen[seen["test"] == "all"]
    assert (rooms["p"] <= 0.05).mean() <= 0.05 + 4 * sqrt(0.05 * 0.95 / len(rooms))


def test_counts_of_a_group_are_those_of_its_cards():
    packs = shuffled(200, 6)
    (group,) = groups(Rooms(packs, 200), {}, WHOLE)
    assert group.key == ("classic", DECK, None)
    assert group.deck == read_deck(DECK)
    assert (group.hands, group.excluded, group.pairs) == (200, 0, 199)
    ranks = np.minimum(packs // 4, 13) + (packs == BIG)
    seats = [ranks[:, at : at + 17] for at in (0, 17, 34)]
    for rank in range(15):
        assert group.ranks[rank].tolist() == [(part == rank).sum() for part in (*seats, ranks[:, 51:])]
    rockets = [((seat == 13).any(axis=1) & (seat == 14).any(axis=1)).sum() for seat in seats]
    at = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
    assert [group.jokers[place, place].hands for place in at] == rockets
    bombs = [[(np.bincount(hand, minlength=15) == 4).sum() for hand in seat] for seat in seats]
    assert {cell: found.hands for cell, found in group.bombs.items()} == {
        cell: sum(1 for each in zip(*bombs, strict=True) if each == cell) for cell in zip(*bombs, strict=True)
    }
    equal = [
        sum(len(set(one[at : at + 17]) & set(two[at : at + 17])) for at in (0, 17, 34)) for one, two in pairwise(packs)
    ]
    assert group.overlap == sum(equal)
    assert equal[group.closest_pairs[0] - 1] == max(equal)
    points = np.array(WEIGHTS)[ranks[:, 51:]].sum(axis=1)
    assert points[group.best_bottoms[0]] == points.max()


def test_rooms_days_modes_and_what_is_hidden_are_kept_apart():
    packs = shuffled(240, 7)
    tags = [None] * 60 + ['{"deal_mode":"random","room":"高级"}'] * 60 + ['{"deal_mode":"unshuffled"}'] * 120
    decks = [None] * 3 + [DECK] * 237
    rooms = Rooms(packs, 120, tags=tags, deck=decks)
    keys = [(group.key[2:4], group.hands, group.excluded, group.pairs) for group in groups(rooms, {}, ROOMS)]
    assert keys == [
        (("random", "高级"), 60, 0, 59),
        (("unshuffled", "room 1"), 120, 0, 119),
        ((None, "room 0"), 57, 3, 56),
    ]
    found = run(rooms, "integrity_deals")
    assert found[found["test"] == "all"].groupby("deal_mode", dropna=False)["score"].count().to_dict() == {
        "random": 1, "unshuffled": 0, np.nan: 1
    }  # fmt: skip
    assert run(rooms, "integrity_deals", rules="pagat").empty
    assert run(rooms, "integrity_deals", until="2026-02-28").empty
    few = run(Rooms(packs[:49], 49), "integrity_deals")
    assert few["test"].tolist() == ["all"]
    assert few["p"].isna().all()


def test_the_big_joker_of_sixty_hands_by_hand():
    """All 60 big jokers in seat 0: chi-square = 41.11²/18.89 + 2 · 18.89 (+ 3.33, which joins one of them)."""
    packs = steered(shuffled(60, 8), BIG, 1.0, 9)
    (group,) = groups(Rooms(packs, 60), {}, WHOLE)
    found = {outcome.test: outcome for outcome in outcomes(group)}["big_joker"]
    expected = 60 * 17 / 54
    assert found.df == 2
    assert found.statistic == pytest.approx((60 - expected) ** 2 / expected + (60 - expected))
    assert (found.observed, found.expected) == (60, pytest.approx(expected))
    assert found.effect == pytest.approx(sqrt(found.statistic / 60))


def renamed(cards, suits):
    """Cards with other names of suits."""
    table = str.maketrans("SHCD", suits)
    return "".join(card.translate(table) for card in cards)


def test_repeats_are_told_apart_by_kind(tmp_path):
    """Of one deal two records, one with suits renamed, one from another seat on: pairs 1, 2 and 3."""
    hands = ["".join(STRONG), "".join(MIDDLE), "".join(WEAK)]
    turned = [renamed(hand, "HCDS") for hand in (hands[2], hands[0], hands[1])]
    suits = [renamed(hand, "DCHS") for hand in hands]
    records = (
        record("1", "void"),
        record("2", "void", ids=("a", "b", "c")),
        record("3", "void", hands=suits, bottom=renamed("RH3C3", "DCHS")),
        record("4", "void", hands=turned, bottom=renamed("RH3C3", "HCDS")),
        record("5", "void", ids=("d", "e", "f"), hands=None),
        record("6", "void", hands=[hands[0], hands[2], hands[1]]),
    )
    with kept(tmp_path, *records) as warehouse:
        deals = warehouse.query("SELECT hand, deal_digest, deal_shape FROM hands ORDER BY hand")
        found = catalogue.run(warehouse, "repeated_deals")
    assert deals["deal_shape"].nunique() == 2
    assert deals["deal_digest"].nunique() == 4
    assert deals["deal_digest"].isna().tolist() == [False] * 4 + [True, False]
    assert found["hands"].tolist() == [5, 5, 5]
    assert dict(zip(found["kind"], found["pairs"], strict=True)) == {"exact": 1, "suits": 2, "turned": 3}
    assert found["evidence"].tolist()[0] == "0=1"
    assert found["evidence"].tolist()[2].startswith(("0=3", "1=3", "2=3"))
    assert (found["score"] > 15).all()
    assert found["bits"].tolist() == pytest.approx([np.log2(10), np.log2(5), np.log2(10 / 3)])


def test_weak_seeds_are_found_by_how_often_deals_repeat():
    """5,000 deals of a generator with 10,000 seeds: 1,250 pairs are expected, within five standard errors."""
    seeds = np.random.default_rng(11).integers(0, 10_000, 5_000)
    rooms = Rooms(shuffled(10_000, 12)[seeds], 5_000, deal_digest=seeds, deal_shape=seeds)
    found = run(rooms, "repeated_deals").set_index("kind")
    assert abs(found.loc["exact", "pairs"] - 1_250) < 5 * sqrt(1_250)
    assert found["pairs"].tolist()[1:] == [0, 0]
    assert found.loc["exact", "bits"] == pytest.approx(np.log2(10_000), abs=0.2)
    assert found.loc["exact", "expected_32"] == pytest.approx(5_000**2 / 2**33, rel=1e-3)
    assert found.loc["exact", "evidence"].count(" ") == 4


@pytest.mark.parametrize("name", SCREENS)
def test_an_answer_has_the_declared_columns_and_so_has_that_of_an_empty_store(tmp_path, name):
    columns = [column.name for column in catalogue.statistics()[name].columns]
    create(tmp_path / "empty")
    with Warehouse(tmp_path / "empty") as warehouse:
        empty = catalogue.run(warehouse, name)
    assert list(empty.columns) == columns
    assert empty.empty
    rooms = Rooms(shuffled(100, 13), 100)
    assert len(catalogue.run(rooms, name))
    assert list(catalogue.run(rooms, name).columns) == columns
    assert catalogue.run(rooms, name, rules="none").empty


def test_every_screen_says_what_it_is_in_both_languages():
    for screen in map(catalogue.statistics().__getitem__, SCREENS):
        chinese = [screen.title_zh, screen.definition_zh]
        chinese += [text for column in screen.columns for text in (column.zh, column.meaning_zh) if text != "p"]
        chinese = [text for text in chinese if text != "df"]
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in chinese), screen.name
        assert screen.definition_en.isascii()
