"""The search for the fewest plays, by hand: what cards cost at least, what bodies carry, and what that rules out."""

from typing import Any

import pytest
from by_hand import turned

from ingest.cards import RANKS, rank_text, read_cards
from ingest.rules.kickers import Limits, Load
from ingest.rules.ruleset import load
from ingest.rules.shedding import PRICES, Part, Search, fewest_plays, parts_of


def taken(rules: str, cards: str) -> dict[str, Part]:
    """The parts that could take the lowest rank of a hand."""
    found = Search(parts_of(load(rules)))._splits(read_cards(cards).counts)
    held = read_cards(cards).counts
    assert all(part.counts + rest == held for part, rest in found)
    return {rank_text(part.counts): part for part, _ in found}


@pytest.mark.parametrize(
    ("rules", "rank", "expected"),
    [
        ("classic", "3", [0, 1, 1, 2, 2]),
        ("classic", "2", [0, 1, 1, 2, 2]),
        ("classic", "B", [0, 1, 2]),
        ("four-player", "R", [0, 1, 1, 2, 2]),  # two jokers alike are a pair (D-R8)
        ("emperor", "3", [0, 1, 1, 1, 2, 2, 2, 3, 3]),  # a trio that is carried is one piece
        ("emperor", "R", [0, 1, 1, 2, 2]),  # of jokers there is no trio
    ],
)
def test_how_many_pieces_cards_of_a_rank_are(rules: str, rank: str, expected: list[int]):
    assert list(parts_of(load(rules)).alone[RANKS.index(rank)][: len(expected)]) == expected


@pytest.mark.parametrize(
    ("rules", "rank", "expected"),
    [
        # A single card and a pair cost what a body is credited for them, and a play costs 2.
        ("classic", "3", ["0000000", "2102112", "2101212", "4203324", "4202424"]),
        ("classic", "R", ["0000000", "2102112", "4204224"]),
        # Where only pairs are carried a single card is a play.
        ("four-player", "3", ["0000000", "2222222", "2101212", "4323434", "4202424"]),
        ("emperor", "3", ["0000000", "2222222", "2101212", "2101200", "4202422"]),
        ("emperor", "B", ["0000000", "2222222", "2101212", "4323434"]),
    ],
)
def test_what_cards_of_a_rank_cost_at_each_price(rules: str, rank: str, expected: list[str]):
    found = parts_of(load(rules)).others[RANKS.index(rank)]
    assert ["".join(map(str, costs)) for costs in found[: len(expected)]] == expected


def loaded(kind: str, number: int = 3) -> Load:
    return Load(kind, number, Limits(1, (), ()), Limits(2, (), ()))


def test_what_a_body_is_credited_for():
    """Single cards, pairs and trios that it carries, each at its price."""
    from ingest.rules.shedding import _part, _pieces

    assert _pieces(None) == (0, 0, 0)
    assert _pieces(loaded("solo_pair")) == (1, 1, 0)
    assert _pieces(loaded("solos")) == _pieces(loaded("quad_solos")) == (3, 0, 0)
    assert _pieces(loaded("pairs")) == (0, 3, 0)
    assert _pieces(loaded("trios")) == (0, 0, 3)
    assert _pieces(loaded("trios_pairs")) == _pieces(loaded("running_trios_pairs")) == (0, 3, 3)
    bare, one, pair, both = (0,) * 7, (2, 1, 0, 2, 1, 1, 2), (2, 1, 0, 1, 2, 1, 2), (4, 2, 0, 3, 3, 2, 4)
    part = _part(333, (None, loaded("solos", 1), loaded("pairs", 1)))
    assert (part.counts, part.loads[0], part.costs) == (333, None, (0, 1, 2, 0, 0, 1, 0))
    assert part.credits == ((2, 1, 0, 2, 2, 1, 2), bare, one, pair)
    assert _part(0, (None, loaded("solo_pair"))).credits == (both, bare, both)
    assert _part(0, (loaded("solo_pair"),)).costs == (-2, 0, 2, -1, -1, 0, -2)
    assert _part(0, (None,)).costs == (2,) * len(PRICES)


@pytest.mark.parametrize(
    ("rules", "cards", "expected"),
    [
        ("classic", "3344556", "334455"),
        ("classic", "34567788", "34567 345678"),
        ("classic", "33334444", "333 333444 3333"),
        ("classic", "3445566", ""),  # neither one card nor a pair is a body
        ("classic", "335566", ""),
        ("classic", "BR", "BR"),
        ("classic", "22BR", ""),
        ("four-player", "BBRR", "BBRR"),
        ("four-player", "BBR", ""),
        ("four-player", "33333333", "333 3333 33333 333333 3333333 33333333"),
        ("emperor", "3333344444", "333 3333 33334444 33333 "),
        ("two-player", "55556", "555 5555"),
    ],
)
def test_the_bodies_that_could_take_the_lowest_rank(rules: str, cards: str, expected: str):
    assert sorted(taken(rules, cards)) == sorted(expected.split())


def test_a_body_is_one_part_however_it_may_be_played():
    """A-R12, A-R14: a trio bare, with a card or a pair; four with two, with two pairs, or as a bomb; a chain bare."""
    found = taken("classic", "33334567")
    assert [each and (each.kind, each.number) for each in found["333"].loads] == [None, ("solos", 1), ("pairs", 1)]
    found_kinds = {each and (each.kind.removeprefix("quad_"), each.number) for each in found["3333"].loads}
    assert found_kinds == {None, ("solos", 2), ("pairs", 2)}
    assert found["34567"].loads == (None,)


BOUNDS = [
    ("classic", "3", 1),
    ("classic", "35", 2),
    ("classic", "33", 1),
    ("classic", "BR", 1),
    ("classic", "3456789TJQKA2BR", 3),
    ("classic", "3334", 1),
    ("classic", "33345", 2),  # one trio carries one of two
    ("classic", "333456", 3),
    ("classic", "33344455667", 2),
    ("classic", "357", 3),
    ("classic", "33557799JJ", 5),
    ("classic", "333357", 1),
    ("classic", "3333579", 2),
    ("four-player", "3334", 2),
    ("four-player", "33344", 1),
    ("four-player", "335577", 3),
    ("four-player", "BBRR", 1),
    ("emperor", "33334444555666", 1),
    ("emperor", "333344445556667788", 1),
]
"""Hands of which nothing is ruled out that could not be: the bound is what is needed."""


@pytest.mark.parametrize(("rules", "cards", "expected"), BOUNDS)
def test_how_many_plays_are_needed_at_least(rules: str, cards: str, expected: int):
    held, law = read_cards(cards).counts, load(rules)
    search = Search(parts_of(law))
    assert search.bound(held) == fewest_plays(held, law) == expected
    assert search.sheds(held, expected)
    assert not search.sheds(held, expected - 1)


@pytest.mark.parametrize(
    ("rules", "switches", "cards", "expected"),
    [
        ("classic", {}, "333444555JQKBR", 2),  # three singles and the rocket
        ("classic", {}, "33344455566BR", 2),
        ("classic", {}, "3334445557788", 2),  # 778 and 8
        ("classic", {}, "333344445566", 2),
        ("classic", {}, "3334447788", 1),
        ("classic", {}, "33355577889", 3),
        ("classic", {}, "33355577", 2),  # 33377 and 555
        ("classic", {}, "3334567", 2),  # 33 and 34567
        ("classic", {}, "33345678", 2),  # 34567 … leaves 338: 333 and 45678
        ("classic", {}, "33445566778", 2),
        ("classic", {}, "222BR", 2),
        ("classic", {}, "2222BR", 1),
        ("classic", {"bomb.rocket": "off"}, "BR", 2),
        ("classic", {"kickers.both_jokers": "forbid"}, "2222BR", 2),
        ("emperor", {}, "33334445", 2),
        ("emperor", {}, "333344455", 1),
        ("emperor", {}, "33344455", 2),
        ("emperor", {}, "333555777", 3),
        ("four-player", {}, "333344445566", 3),  # 333444 with 55 and 66, then 3 and 4
        ("four-player", {}, "3333344444", 2),
        ("two-player", {}, "", 0),
    ],
)
def test_as_few_plays_as_by_hand(rules: str, switches: Any, cards: str, expected: int):
    assert fewest_plays(read_cards(cards).counts, turned(rules, switches)) == expected
