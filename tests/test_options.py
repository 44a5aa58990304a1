"""What a hand could play, beside every set of cards it holds, each judged by itself."""

from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random

import pytest

from ingest.cards import counts_of, pack_of, rank_counts, rank_text, read_cards
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.combinations import PLAIN
from ingest.rules.options import cheapest_answer, could_beat, options
from ingest.rules.ruleset import Ruleset, load

Own = Callable[..., str]
STRICT = {
    "singles_distinct": True, "quad_singles_distinct": True, "pairs_distinct": True,
    "both_jokers": "forbid", "bomb_inside": "forbid", "adjacent_trio": "forbid",
}  # fmt: skip
BANS = {
    rules: [{f"kickers.{key}": value} for key, value in STRICT.items()]
    for rules in ("classic", "four-player", "emperor", "platform")
}
EVERYTHING = {
    "combinations.trio1": True, "combinations.plane1": True, "combinations.quad_solos": True,
    "combinations.quad_pairs": True, "combinations.quad_solo_pair": True, "combinations.cross_size": True,
    "combinations.shuttle_wings": 1, "combinations.trio_chain": {"min_len": 2},
    "combinations.pair_chain": {"min_len": 2},
}  # fmt: skip
OWN: list[tuple[str, dict[str, object]]] = [
    *((rules, switches) for rules, several in BANS.items() for switches in several),
    ("emperor", EVERYTHING),
    ("emperor", {**EVERYTHING, "kickers.body_rank": "allow", "combinations.ambiguity": "canonical_only"}),
    ("emperor", {**EVERYTHING, "bomb.min_size": 6, "bomb.compare": "rank", "bomb.beats_rocket": True}),
    ("botzone", {"combinations.shuttle_wings": 1, "combinations.cross_size": True}),
    ("classic", {"kickers.body_rank": "allow"}),
    ("classic", {"combinations.ambiguity": "canonical_only", "combinations.solo_chain": {"min_len": 2}}),
    ("classic", {"combinations.ambiguity": "declared_only"}),
    ("classic", {"order.ranks": "3456789TJQKBRA2", "order.chain_high": "2", "combinations.solo_chain": {"min_len": 3}}),
    ("classic", {"order.jokers": "equal", "bomb.rocket": "off", "order.chain_high": "R"}),
    ("classic", {"order.chain_high": "R", "combinations.solo_chain": {"min_len": 2}, "bomb.beats_rocket": True}),
    ("platform", {"order.wrap_applies_to": "straight_only", "combinations.cross_size": False}),
    ("platform", {"order.wrap": "ace_low", "combinations.pair_chain": {"min_len": 2}}),
    ("four-player", {"order.joker_pair": "none", "combinations.pair_chain": {"min_len": 2}}),
    ("four-player", {**EVERYTHING, "kickers.pairs_distinct": True, "kickers.bomb_inside": "forbid"}),
]  # fmt: skip


def held_sets(held: int) -> Iterator[int]:
    """Every set of cards in a hand but the empty one."""
    return filter(None, map(counts_of, product(*(range(count + 1) for count in rank_counts(held)))))


def some_hand(rules: Ruleset, rng: Random, cards: int) -> int:
    """So many cards out of a few ranks, so that they go together."""
    ranks = rng.sample("3456789TJQKA2BR", rng.randint(2, 7)) if rng.random() < 0.6 else _neighbours(rng)
    pack = [face for face in pack_of(rules.deal.packs) if face[-1] in ranks]
    return read_cards(" ".join(rng.sample(pack, min(cards, len(pack))))).counts


def _neighbours(rng: Random) -> str:
    start, line = rng.randrange(15), "3456789TJQKA2BR" * 2
    return line[start : start + rng.randint(2, 7)]


def standing_plays(held: int, answers: Answers, rng: Random) -> list[Standing]:
    """Nothing, anything, and a few plays out of a hand."""
    led = [now for counts in held_sets(held) if (now := answers.answer(answers.lead, counts)) is not None]
    return [answers.lead, answers.anything, *rng.sample(led, min(len(led), 12))]


def answers_judged(held: int, standing: Standing, answers: Answers) -> dict[int, bool]:
    """The sets of cards in a hand that may be played, and whether each counts as a bomb."""
    judged = ((counts, answers.answer(standing, counts)) for counts in held_sets(held))
    return {counts: now.tier != PLAIN for counts, now in judged if now is not None}


def check_options(rules: Ruleset, rng: Random, hands: int) -> None:
    """Options, the cheapest and whether there is any, on plays out of other hands."""
    answers = answers_of(rules)
    for _ in range(hands):
        held, other = (some_hand(rules, rng, rng.choice((5, 6, 8, 8, 9, 10))) for _ in "ab")
        for standing in standing_plays(other, answers, rng):
            expected = answers_judged(held, standing, answers)
            for bombs in (True, False):
                legal = {counts for counts, bomb in expected.items() if bombs or not bomb}
                found = list(options(held, standing, answers, bombs=bombs))
                said = rank_text(held), [*map(str, standing.readings)]
                assert sorted(map(rank_text, found)) == sorted(map(rank_text, legal)), said
                assert cheapest_answer(held, standing, answers, bombs=bombs) == next(iter(found), None), said
                assert could_beat(held, standing, answers, bombs=bombs) == bool(legal), said
                assert [expected[counts] for counts in found] == sorted(expected[counts] for counts in found), said


def test_options_are_what_may_be_played(climbing: str):
    check_options(load(climbing), Random(climbing), 8)


@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_options_under_rules_of_ones_own(own_rules: Own, extends: str, switches: dict[str, object]):
    check_options(load(own_rules(extends, switches)), Random(str(switches)), 5)


LONG = [
    ("emperor", "33334444555666778899", "444455556667778899TT"),  # ships, carriers: 18 and 14 cards, the second key
    ("emperor", "333344445556667788", "333344445556667788"),
    ("emperor", "4444555566677788899", "33334444555666"),
    ("botzone", "333344445555667788", "33334444556677"),
    ("botzone-v1", "3333444455556677", "333344445566"),
    ("classic", "33344455566677788", "333444555789"),
    ("call-score", "3334445556667788", "3334445566"),
]
"""A ruleset, a hand, and a play or the hand that it is out of: too long for hands by chance."""


@pytest.mark.parametrize(("name", "held", "other"), LONG)
def test_options_of_long_hands(name: str, held: str, other: str):
    answers = answers_of(load(name))
    hand, theirs = (read_cards(cards).counts for cards in (held, other))
    led = (answers.answer(answers.lead, counts) for counts in held_sets(theirs))
    longest = sorted(filter(None, led), key=lambda now: max(reading.size for reading in now.readings))[-4:]
    for standing in {now.readings: now for now in longest}.values():
        expected = answers_judged(hand, standing, answers)
        assert set(options(hand, standing, answers)) == set(expected)
        assert could_beat(hand, standing, answers) == bool(expected)
        assert cheapest_answer(hand, standing, answers) == next(options(hand, standing, answers), None)


CHEAPEST = [
    ("classic", "3", "4455556", "4"),
    ("classic", "44", "55667777", "55"),
    ("classic", "3334", "44445556", "4445"),  # what is broken up is not weighed
    ("classic", "AA", "3333KKBR", "3333"),
    ("classic", "2222", "3333BR", "BR"),
    ("classic", "33", "4BR", "BR"),
    ("classic", "34567", "456789TJQKA", "45678"),
    ("classic", "333444" + "5566", "5566777888JJJ", "777888" + "5566"),
    ("platform", "A2345", "3456789", "34567"),  # the ace may stand low, E-Q12
    ("platform", "3333" + "45", "55556666779", "555566"),  # kickers of the lowest ranks, of another quad too
    ("four-player", "3333", "4444455555666666", "4444"),
    ("four-player", "66666", "44444455555", "444444"),
    ("four-player", "RR", "33334444BBRR", "3333"),
    ("openspiel", "BR", "3333", "3333"),  # OS-R4
    ("classic", "BR", "22223333", None),
    ("classic", "KK", "A2BR3456", "BR"),
    ("pagat", "333444" + "56", "555666777788", "555666" + "78"),
    ("pagat", "333444" + "56", "5556667777", "7777"),
]
"""Rules, a play, a hand, its cheapest answer."""


@pytest.mark.parametrize(("name", "standing", "held", "expected"), CHEAPEST)
def test_the_cheapest_answer(name: str, standing: str, held: str, expected: str | None):
    answers = answers_of(load(name))
    table = answers.answer(answers.lead, read_cards(standing).counts)
    assert table is not None
    found = cheapest_answer(read_cards(held).counts, table, answers)
    assert found == (None if expected is None else read_cards(expected).counts), found and rank_text(found)


def test_without_bombs_nothing_is_a_bomb():
    """statistics.md 2.0: soft."""
    answers = answers_of(load("classic"))
    standing = answers.answer(answers.lead, read_cards("AA").counts)
    assert standing is not None
    assert could_beat(read_cards("3333KK").counts, standing, answers)
    assert not could_beat(read_cards("3333KKBR").counts, standing, answers, bombs=False)
    assert could_beat(read_cards("22").counts, standing, answers, bombs=False)


def test_options_do_not_wait_for_the_last_one():
    """A whole pack of two can be led in more ways than anybody could list."""
    answers = answers_of(load("four-player"))
    everything = counts_of([8] * 13 + [2, 2])
    assert len(list(islice(options(everything, answers.lead, answers), 1000))) == 1000
