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
    "combinations.shuttle_wings": 1, "combinations.trio_chain": {"min_len": 2}, "combinations.pair_chain": {"min_len": 2},
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
    ("platform", {"order.wrap": "ace_low", "combinations.quad_chain": {"min_len": 2}, "combinations.pair_chain": {"min_len": 2}}),
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
    check_options(load(climbing), Random(climbing), 12)


@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_options_under_rules_of_ones_own(own_rules: Own, extends: str, switches: dict[str, object]):
    check_options(load(own_rules(extends, switches)), Random(str(switches)), 6)
