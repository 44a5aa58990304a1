"""How few plays shed a hand, beside a search that tries every set of cards; and no winner ever needed fewer."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from ingest.bulk import available
from ingest.bulk.shedding import shedder_of
from ingest.cards import RANK_BITS, pack_of, rank_text, read_cards
from ingest.rules.answers import Answers, answers_of
from ingest.rules.ruleset import Ruleset, load
from ingest.rules.shedding import fewest_plays
from tests.test_options import OWN, held_sets, some_hand
from tests.test_simulate import examined

Own = Callable[..., str]


def slowly(held: int, answers: Answers, known: dict[int, int]) -> int:
    """Every set with a card of the lowest rank that may be led, and then the rest."""
    if held not in known:
        lowest = _lowest_rank(held)
        leads = (s for s in held_sets(held) if s & lowest and answers.answer(answers.lead, s) is not None)
        known[held] = min(1 + slowly(held - cards, answers, known) for cards in leads)
    return known[held]


def _lowest_rank(held: int) -> int:
    """The field of the lowest rank."""
    return 15 << ((held & -held).bit_length() - 1) // RANK_BITS * RANK_BITS


def check_shedding(rules: Ruleset, rng: Random, hands: int) -> None:
    answers, known = answers_of(rules), {0: 0}
    for _ in range(hands):
        held = some_hand(rules, rng, rng.choice((6, 8, 9, 10, 11)))
        assert fewest_plays(held, rules) == slowly(held, answers, known), rank_text(held)


def test_as_few_as_by_trying_everything(climbing: str):
    check_shedding(load(climbing), Random(climbing), 8)


@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_as_few_under_rules_of_ones_own(own_rules: Own, extends: str, switches: dict[str, object]):
    check_shedding(load(own_rules(extends, switches)), Random(str(switches)), 6)


PLAYS = [
    ("classic", "", 0),
    ("classic", "3", 1),
    ("classic", "3456789TJQKA", 1),
    ("classic", "3456789TJQKA2BR", 3),
    ("classic", "BR", 1),
    ("classic", "33344455566678JQ", 1),
    ("pagat", "3334445556667788", 2),  # 333444555666 with 7788 has equal kickers: two plays
    ("classic", "3334445556667788", 1),
    ("classic", "3334445", 2),
    ("classic", "333444567", 2),  # 333444 and 56, then 7
    ("classic", "33334", 2),
    ("classic", "333345", 1),
    ("openspiel", "333345", 3),  # no four with two: a bomb, or 3334, and two more
    ("classic", "2233445566", 2),  # the 2 is in no chain
    ("platform", "A2345", 1),
    ("classic", "A2345", 5),
    ("four-player", "333444555" + "667788", 1),
    ("four-player", "33344", 1),
    ("four-player", "3334", 2),
    ("four-player", "33333333BBRR", 2),
    ("emperor", "333344445556667788", 1),
    ("emperor", "33334444555666", 1),
    ("emperor", "3333444", 1),
]
"""Rules, a hand, its plays."""


@pytest.mark.parametrize(("name", "held", "expected"), PLAYS)
def test_fewest_plays(name: str, held: str, expected: int):
    assert fewest_plays(read_cards(held).counts, load(name)) == expected


@pytest.mark.parametrize("name", ["classic", "platform", "botzone", "openspiel", "pagat", "four-player", "ccgc"])
def test_no_winner_made_fewer_plays(name: str):
    rules, compared = load(name), 0
    for hand in examined(name, 150):
        winner = None if hand.played is None else hand.played.winner
        if winner is None or hand.dealt is None or hand.played is None:
            continue
        cards, bottom = hand.dealt.hands[winner], hand.dealt.bottom
        assert cards is not None
        assert bottom is not None
        held = cards.counts + (bottom.counts if winner == hand.landlord else 0)
        assert fewest_plays(held, rules) <= hand.played.plays[winner]
        compared += 1
    assert compared > 100


compiled = pytest.mark.skipif(not available(), reason="Numba is not installed")


def dealt(rules: Ruleset, rng: Random) -> int:
    """A whole hand: well shuffled, or such as a pack gives that was put together trick by trick."""
    cards = list(pack_of(rules.deal.packs, rules.deal.removed_ranks))
    size = rules.deal.hand + rng.choice((0, rules.deal.bottom))
    if rng.random() < 0.6:
        return read_cards(" ".join(rng.sample(cards, size))).counts
    cards.sort(key=lambda card: card[-1])
    for _ in range(12):
        one, other = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[one], cards[other] = cards[other], cards[one]
    first = rng.randrange(len(cards))
    return read_cards(" ".join((cards[first:] + cards[:first])[:size])).counts


def check_compiled(rules: Ruleset, rng: Random, small: int, whole: int) -> None:
    """The compiled search and the readable one, also where the compiled one remembers other hands."""
    hands = [some_hand(rules, rng, rng.randint(1, 14)) for _ in range(small)]
    hands += [dealt(rules, rng) for _ in range(whole)]
    for held, plays in zip(hands, shedder_of(rules).fewest(np.array(hands, np.uint64)).tolist(), strict=True):
        assert plays == fewest_plays(held, rules), rank_text(held)


@compiled
def test_the_compiled_search_finds_as_few(climbing: str):
    rules = load(climbing)
    check_compiled(rules, Random(climbing), 60, 4 if rules.deal.packs == 1 else 2)


@compiled
@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_the_compiled_search_finds_as_few_under_rules_of_ones_own(
    own_rules: Own, extends: str, switches: dict[str, object]
):
    check_compiled(load(own_rules(extends, switches)), Random(str(switches)), 30, 1)


@compiled
@pytest.mark.soak
def test_the_compiled_search_finds_as_few_at_length(climbing: str):
    rules = load(climbing)
    check_compiled(rules, Random(f"{climbing} at length"), 3_000, 2_000 if rules.deal.packs == 1 else 200)


@compiled
@pytest.mark.soak
@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_the_compiled_search_finds_as_few_under_rules_of_ones_own_at_length(
    own_rules: Own, extends: str, switches: dict[str, object]
):
    check_compiled(load(own_rules(extends, switches)), Random(f"{switches} at length"), 1_000, 100)
