"""What a sound shuffle does: the table of statistics.md 4.3, small decks dealt in every way, the sample's deals."""

import json
from collections import Counter
from itertools import combinations, pairwise
from math import sqrt
from random import Random

import numpy as np
import pytest

from analysis import expectations as sound
from ingest.cards import RANKS, split_cards
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands as simulated
from ingest.simulate.deals import deal
from ingest.simulate.tricks.deals import deal as trick_deal
from ingest.store.decks import Deck, deck_of, read_deck

CLASSIC = Deck(3, 17, 3)
FOUR = Deck(4, 25, 8, packs=2)
SMALL = Deck(2, 4, 2, without="3456789TJQK")
"""Ten cards: aces, twos, jokers."""
TWO_PACKS = Deck(2, 4, 4, packs=2, without="3456789TJQKA")
"""Twelve cards of six faces: twos and jokers."""


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([sound.lie_so(CLASSIC, (1, 0, 0, 0)), sound.lie_so(CLASSIC, (0, 0, 0, 1))], [0.31481, 0.05556]),
        (
            [sound.lie_so(CLASSIC, cell) for cell in ((2, 0, 0, 0), (1, 1, 0, 0), (1, 0, 0, 1), (0, 0, 0, 2))],
            [0.095038, 0.201957, 0.035639, 0.002096],
        ),
        ([sound.rocket_at_the_table(CLASSIC), sound.all_jokers(CLASSIC, 20)], [0.285115, 0.132774]),
        ([*sound.bombs_in(CLASSIC, 17)[:2], sum(sound.bombs_in(CLASSIC, 17)[2:])], [0.903984, 0.094204, 0.001812]),
        ([*sound.bombs_in(CLASSIC, 20)[:2], sum(sound.bombs_in(CLASSIC, 20)[2:])], [0.810177, 0.180589, 0.009234]),
        (
            [*sound.table_bombs(CLASSIC)[:3], sum(sound.table_bombs(CLASSIC)[3:])],
            [0.744860, 0.220080, 0.031954, 0.003106],
        ),
        ([sound.bomb_or_rocket(CLASSIC, 17), sound.bomb_or_rocket(CLASSIC, 20)], [0.184889, 0.303686]),
        (sound.overlap(CLASSIC, 1), [5.352, 1.600]),
        ([sound.all_jokers(FOUR, 25)], [0.002360]),
        ([sound.ranks_with(FOUR, 25, least) for least in (4, 5, 6)], [1.0625, 0.2040, 0.0238]),
        ([sound.log_deals(CLASSIC)], [26.93]),
    ],
)
def test_the_table_of_the_notes_comes_out_to_its_last_digit(found, expected):
    digits = [len(str(number).partition(".")[2]) for number in expected]
    for number, wanted, places in zip(found, expected, digits, strict=True):
        assert abs(float(number) - wanted) <= 0.5001 * 10**-places


def test_weak_seeds_repeat_as_the_notes_say():
    cases = [(10**6, 32, 116), (10**7, 32, 11_642), (10**7, 48, 0.18)]
    for hands, bits, expected in cases:
        assert sound.expected_repeats(hands, 2**bits) == pytest.approx(expected, rel=0.015)
    assert sound.expected_repeats(10**7, sound.deals(CLASSIC)) < 1e-12


@pytest.mark.parametrize("name", builtin_names())
def test_chances_of_every_rulesets_deck_add_up(name):
    deck = deck_of(load_any(name))
    assert read_deck(deck.text) == deck
    assert sum(sound.locations(deck)) == sum(sound.copies(deck)) == deck.cards
    assert sum(sound.joker_cells(deck).values()) == 1
    assert sum(sound.bombs_in(deck, deck.hand)) == 1
    two = sound.bombs_of_two(deck)
    assert two.sum() == pytest.approx(1)
    assert pytest.approx(two) == two.T
    one = [float(p) for p in sound.bombs_in(deck, deck.hand)][: sound.MOST]
    assert two.sum(axis=1)[: len(one)] == pytest.approx(one)
    mean = sum(number * p for number, p in enumerate(sound.bombs_in(deck, deck.hand)))
    if deck.packs == 1:
        assert sum(sound.table_bombs(deck)) == 1
        assert sum(number * p for number, p in enumerate(sound.table_bombs(deck))) == deck.players * mean
    else:
        with pytest.raises(ValueError, match="one pack"):
            sound.table_bombs(deck)


def test_a_text_that_is_no_deck_is_refused():
    with pytest.raises(ValueError, match="no deck"):
        read_deck("17+17+17")


def every_deal(deck):
    """Every deal as three sets of card numbers; cards by rank, faces of two packs side by side."""
    cards = range(deck.cards)
    for one in combinations(cards, deck.hand):
        rest = [card for card in cards if card not in one]
        for other in combinations(rest, deck.hand):
            yield one, other, tuple(card for card in rest if card not in other)


def rank_of(deck, card):
    return "".join(rank * held for rank, held in zip(RANKS, sound.copies(deck), strict=True))[card]


@pytest.fixture(scope="module")
def small_deals():
    return [[Counter(rank_of(SMALL, card) for card in place) for place in deal] for deal in every_deal(SMALL)]


def test_a_small_deck_dealt_in_every_way_has_the_chances_that_are_worked_out(small_deals):
    jokers, bombs, hands, two = Counter(), Counter(), Counter(), np.zeros((9, 9))
    for places in small_deals:
        jokers[tuple(place["B"] + place["R"] for place in places)] += 1
        of_seats = [sum(held >= 4 for held in place.values()) for place in places[:2]]
        bombs[sum(of_seats)] += 1
        hands[of_seats[0]] += 1
        two[of_seats[0], of_seats[1]] += 1
    number = len(small_deals)
    assert number == sound.deals(SMALL) == 3150
    assert {cell: p * number for cell, p in sound.joker_cells(SMALL).items()} == jokers
    assert [p * number for p in sound.table_bombs(SMALL)] == [bombs[n] for n in range(3)]
    assert [p * number for p in sound.bombs_in(SMALL, 4)] == [hands[n] for n in range(2)]
    assert sound.bombs_of_two(SMALL) * number == pytest.approx(two)
    either = sum(1 for (one, _, _) in small_deals if max(one.values()) >= 4 or (one["B"] and one["R"]))
    assert sound.bomb_or_rocket(SMALL, 4) * number == either


def test_points_of_a_small_deck_have_the_mean_and_variance_that_are_worked_out(small_deals):
    weights = [float(place**2) for place in range(15)]
    sums = [sum(weights[RANKS.index(rank)] * held for rank, held in one.items()) for one, _, _ in small_deals]
    mean, variance = sound.points_of(SMALL, weights)
    assert np.mean(sums) == pytest.approx(4 * mean)
    assert np.var(sums) == pytest.approx(sound.variance_of_sum(SMALL, 4, variance))


@pytest.mark.parametrize("deck", [SMALL, TWO_PACKS])
@pytest.mark.parametrize("seats", [1, 2])
def test_equal_cards_of_two_deals_have_the_mean_and_deviation_that_are_worked_out(deck, seats):
    rows = Counter(
        tuple(sum(card // deck.packs == face for card in place) for place in deal[:seats] for face in range(10))
        for deal in every_deal(deck)
    )
    held, share = np.array(list(rows)), np.array(list(rows.values())) / sound.deals(deck)
    equal = held @ held.T
    mean, sd = share @ equal @ share, sqrt(share @ equal**2 @ share - (share @ equal @ share) ** 2)
    assert sound.overlap(deck, seats) == (pytest.approx(mean), pytest.approx(sd))
    assert equal @ share == pytest.approx(mean)  # so consecutive pairs are uncorrelated


@pytest.mark.parametrize(("name", "number"), [("classic", 12_000), ("four-player", 3_000), ("sandaha", 3_000)])
def test_deals_of_the_sample_have_the_expected_shares(name, number):
    """Each count within four standard errors of what is expected."""
    rules, rng = load_any(name), Random(20261129)
    dealer = trick_deal if name == "sandaha" else deal
    dealt = [each for each in (dealer(rules, rng) for _ in range(number)) if each.mode == "random"]
    deck, n = deck_of(rules), len(dealt)
    seen = Counter()
    for each in dealt:
        places = [*each.hands, each.bottom]
        seen["jokers", tuple(sum(card in ("B", "R") for card in place) for place in places)] += 1
        first = Counter(card[-1] for card in each.hands[0])
        seen["bombs", sum(held >= 4 for held in first.values())] += 1
    chances = {("jokers", cell): float(p) for cell, p in sound.joker_cells(deck).items()}
    chances |= {("bombs", bombs): float(p) for bombs, p in enumerate(sound.bombs_in(deck, deck.hand))}
    assert n > number / 3
    for key, p in chances.items():
        assert abs(seen[key] - n * p) <= 4 * sqrt(n * p * (1 - p)) + 1


NOTED = {
    "small joker at seat 0": 0.31481, "big joker in the bottom": 0.05556, "both jokers at seat 0": 0.095038,
    "one at seat 0, one at seat 1": 0.201957, "one at seat 0, one in the bottom": 0.035639,
    "both in the bottom": 0.002096, "rocket at a seat": 0.285115, "rocket in the landlord's 20": 0.132774,
    "no bomb in 17": 0.903984, "one bomb in 17": 0.094204, "more bombs in 17": 0.001812, "no bomb in 20": 0.810177,
    "one bomb in 20": 0.180589, "more bombs in 20": 0.009234, "no bomb at the table": 0.744860,
    "one bomb at the table": 0.220080, "two bombs at the table": 0.031954, "more bombs at the table": 0.003106,
    "bomb or rocket in 17": 0.184889, "bomb or rocket in 20": 0.303686, "equal cards of two deals": 5.352,
    "equal cards, squared": 1.600**2 + 5.352**2,
}  # fmt: skip
"""The table of statistics.md 4.3 for 17 cards at each of three seats and a bottom of 3."""
NOTED_OF_FOUR = {
    "four jokers at a seat": 4 * 0.002360,
    "ranks with 4": 1.0625,
    "ranks with 5": 0.2040,
    "ranks with 6": 0.0238,
}
"""The same for 25 cards of two packs at each of four seats."""


def bombs_of(cards):
    return sum(held >= 4 for held in Counter(card[-1] for card in cards).values())


def noted(places, before):
    """What is counted of a deal of three seats, as numbers by the names of the table."""
    own, landlord, bottom = places[0], places[0] + places[3], places[3]
    jokers = [("B" in place) + ("R" in place) for place in places]
    few, many = bombs_of(own), bombs_of(landlord)
    table, equal = few + bombs_of(places[1]) + bombs_of(places[2]), len(set(own) & set(before[0]))
    return {
        "small joker at seat 0": "B" in own, "big joker in the bottom": "R" in bottom,
        "both jokers at seat 0": jokers[0] == 2, "one at seat 0, one at seat 1": jokers[:2] == [1, 1],
        "one at seat 0, one in the bottom": jokers[0] == jokers[3] == 1, "both in the bottom": jokers[3] == 2,
        "rocket at a seat": 2 in jokers[:3], "rocket in the landlord's 20": jokers[0] + jokers[3] == 2,
        "no bomb in 17": few == 0, "one bomb in 17": few == 1, "more bombs in 17": few > 1, "no bomb in 20": many == 0,
        "one bomb in 20": many == 1, "more bombs in 20": many > 1, "no bomb at the table": table == 0,
        "one bomb at the table": table == 1, "two bombs at the table": table == 2, "more bombs at the table": table > 2,
        "bomb or rocket in 17": few > 0 or jokers[0] == 2,
        "bomb or rocket in 20": many > 0 or jokers[0] + jokers[3] == 2,
        "equal cards of two deals": equal, "equal cards, squared": equal**2,
    }  # fmt: skip


def noted_of_four(places, _):
    ranks = Counter(card[-1] for card in places[0] if card not in "BR").values()
    jokers = [sum(card in ("B", "R") for card in place) for place in places[:4]]
    alike = {f"ranks with {least}": sum(held >= least for held in ranks) for least in (4, 5, 6)}
    return {"four jokers at a seat": 4 in jokers} | alike


def shuffled_deals(name, number):
    """Deals of the sample whose pack was shuffled, one after another."""
    rules, rng = load_any(name), Random(43)
    every = (deal(rules, rng) for _ in range(number))
    return [[*each.hands, each.bottom] for each in every if each.mode == "random"]


def recorded_deals(name, number):
    """The same as the records of the sample tell them."""
    told = (json.loads(line) for line in simulated(load_any(name), number, seed=43))
    shuffled = (each for each in told if each["tags"]["deal_mode"] == "random")
    return [[tuple(split_cards(cards)) for cards in (*each["hands"], each["bottom"])] for each in shuffled]


def check_noted(deals, count, table):
    """Every mean within four standard errors, and the last digit of the table."""
    rows = [count(places, before) for before, places in pairwise(deals)]
    for name, wanted in table.items():
        values = np.array([float(row[name]) for row in rows])
        spread = sqrt(wanted * (1 - wanted)) if values.max() <= 1 else values.std()
        error = 4 * spread / sqrt(len(rows)) + 0.5001 * 10.0 ** (-6 if wanted < 1 else -3) + 1 / len(rows)
        assert abs(values.mean() - wanted) <= error, (name, values.mean(), wanted)


def test_the_frequencies_of_the_notes_come_out_of_the_samples_deals():
    check_noted(shuffled_deals("classic", 8_000), noted, NOTED)
    check_noted(shuffled_deals("four-player", 2_000), noted_of_four, NOTED_OF_FOUR)


@pytest.mark.soak
def test_the_frequencies_of_the_notes_come_out_of_many_deals():
    check_noted(shuffled_deals("classic", 400_000), noted, NOTED)
    check_noted(shuffled_deals("four-player", 100_000), noted_of_four, NOTED_OF_FOUR)


@pytest.mark.soak
def test_the_frequencies_of_the_notes_come_out_of_the_samples_records():
    check_noted(recorded_deals("classic", 20_000), noted, NOTED)
    check_noted(recorded_deals("four-player", 4_000), noted_of_four, NOTED_OF_FOUR)
