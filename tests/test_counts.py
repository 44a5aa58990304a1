"""How many combinations a ruleset has, counted: our perft (models.md 4.2), and beside other programs' own tables.

Candidates are every body of a shape with everything it could carry, far beyond what is legal; ``readings`` judges them.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from ingest.cards import RANKS, read_cards
from ingest.rules.combinations import Reading, law_of, readings
from ingest.rules.ruleset import load

LEGALITY = Path(__file__).parents[2] / "shared" / "engines" / "play_legality.json.gz"
MOST = dict.fromkeys(RANKS[:13], 4) | {"B": 1, "R": 1}
"""How often one pack has each rank."""


@cache
def found(cards: str, rules: str) -> tuple[Reading, ...]:
    return readings(read_cards(cards).counts, law_of(load(rules)))


def ordered(cards: str) -> str:
    return "".join(sorted(cards, key=RANKS.index))


def in_one_pack(cards: str) -> bool:
    return cards.count("B") <= 1 >= cards.count("R") and all(cards.count(rank) <= 4 for rank in set(cards))


def groups(size: int) -> Iterator[str]:
    """So many cards of one rank, jokers too where the pack has them."""
    return (rank * size for rank in RANKS if MOST[rank] >= size)


def chains(size: int, fewest: int, line: str = RANKS[:13]) -> Iterator[str]:
    """Runs of groups, over the 2 as well, of up to 20 cards."""
    for start in range(len(line)):
        for end in range(start + fewest, min(start + 20 // size, len(line)) + 1):
            yield "".join(rank * size for rank in line[start:end])


def carrying(bodies: Iterable[str], group: int, size: int) -> Iterator[str]:
    """Bodies (of groups of ``group`` cards) each with as many kickers of ``size`` cards as it has groups."""
    for body in bodies:
        yield from with_kickers(body, len(body) // group, size)


def with_kickers(body: str, number: int, size: int) -> Iterator[str]:
    others = [rank for rank in RANKS if rank not in body]
    for kickers in combinations_with_replacement(others, number):
        cards = body + "".join(rank * size for rank in kickers)
        if len(cards) <= 20 and in_one_pack(cards):
            yield cards


@cache
def planes() -> set[str]:
    """Every plane that carries single cards, without any ban but that on the ranks of the body."""
    return set(map(ordered, carrying(chains(3, 2, RANKS[:12]), 3, 1)))


@cache
def candidates() -> set[str]:
    """Every shape of one pack that any game has, legal or not."""
    shapes: list[Iterable[str]] = [groups(1), groups(2), groups(3), groups(4), ["BR", "2BR", "AKQBR"]]
    shapes += [chains(1, 3), chains(2, 2), chains(3, 2), chains(4, 2)]
    shapes += [carrying(groups(3), 3, 1), carrying(groups(3), 3, 2), carrying(chains(3, 2), 3, 2), planes()]
    shapes += [with_kickers(quad, 2, size) for quad in groups(4) for size in (1, 2)]
    return {ordered(cards) for shape in shapes for cards in shape}


RLCARD = {
    "solo": 15, "pair": 13, "trio": 13, "trio1": 182, "trio2": 156, "solo_chain": 36, "pair_chain": 52,
    "trio_chain": 45, "plane1": 21_822, "plane2": 2_939, "quad_solos": 1_326, "quad_pairs": 858,
    "bomb": 13, "rocket": 1,
}  # fmt: skip


def test_rlcard_has_27471_combinations_of_one_type_each():
    """RL-R1."""
    names = [[reading.name for reading in found(cards, "rlcard")] for cards in candidates()]
    assert max(map(len, names)) == 1
    count = Counter(name for (name,) in filter(None, names))
    assert count == RLCARD
    assert count.total() == 27_471


@pytest.mark.parametrize(
    ("rules", "lengths"),
    [
        ("openspiel", {2: 968, 3: 3_300, 4: 7_344, 5: 10_976}),  # 22,588
        ("rlcard", {2: 968, 3: 3_282, 4: 7_184, 5: 10_388}),  # 21,822
    ],
)
def test_planes_with_single_cards(rules: str, lengths: dict[int, int]):
    """OS-R2: three of a rank at most and never both jokers; RL-R1: no trio next to the plane either."""
    count = Counter(reading.length for cards in planes() for reading in found(cards, rules) if reading.name == "plane1")
    assert count == lengths


def test_planes_with_single_cards_without_a_ban():
    """A-Q4: in ``classic`` only the ranks of the body are barred."""
    count = sum(reading.name == "plane1" for cards in planes() for reading in found(cards, "classic"))
    assert count == 24_721


RLCARD_NAMES = {
    "trio_solo": "trio1", "trio_pair": "trio2", "trio_solo_chain": "plane1", "trio_pair_chain": "plane2",
    "four_two_solo": "quad_solos", "four_two_pair": "quad_pairs",
}  # fmt: skip


def test_every_play_of_rlcard_is_of_its_type():
    """RL-R1, against RLCard's own table."""
    table = pytest.importorskip("rlcard.games.doudizhu.utils").CARD_TYPE[0]
    assert len(table) == 27_471
    for cards, ((kind, _),) in table.items():
        name, _, length = kind.rpartition("_")
        name, length = (name, int(length)) if length.isdigit() else (kind, 1)
        (reading,) = found(ordered(cards), "rlcard")
        assert (reading.name, reading.length) == (RLCARD_NAMES.get(name, name), length), cards


def openspiel_reading(text: str) -> tuple[str, str, int, str]:
    """An action's text as cards, name, groups and rank: ``KKKAAA-34`` is a plane, ``KKKAAA`` a chain."""
    text = text.replace("(BWJ)", "B").replace("(CJ)", "R")
    body, _, kickers = text.partition("-")
    if len(text) in (4, 5) and len(set(text)) == 2:
        trio = max(text, key=text.count)
        body, kickers = trio * 3, text.replace(trio, "")
    if body == "BR":
        return "BR", "rocket", 1, "R"
    ranks = len(set(body))
    each = len(body) // ranks
    name = ("solo", "pair", "trio", "bomb")[each - 1] + "_chain" * (ranks > 1)
    if kickers:
        single = len(kickers) == ranks
        name = ("plane" if ranks > 1 else "trio") + ("1" if single else "2")
    return ordered(body + kickers), name, ranks, max(body, key=RANKS.index)


def test_openspiel_has_these_plays_and_no_others():
    """OS-R2, OS-R3: each action is one reading, and each reading of anything is one action."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("dou_dizhu")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    pass_and_bids = 4
    actions = range(pass_and_bids, game.num_distinct_actions())
    theirs = {openspiel_reading(state.action_to_string(0, action)) for action in actions}
    assert len(theirs) == len(actions)
    ours = {(cards, r.name, r.length, r.rank) for cards in candidates() for r in found(cards, "openspiel")}
    assert ours == theirs


@cache
def legality() -> dict[str, Any]:
    with gzip.open(LEGALITY, "rt", encoding="utf-8") as file:
        table: dict[str, Any] = json.load(file)
    return table


def differing(rules: str, engine: str) -> list[str]:
    """The plays on whose legality a ruleset and an engine differ."""
    place = legality()["engines"].index(engine)
    plays = legality()["verdicts"]
    assert len(plays) == 27_845
    return [cards for cards, bits in plays.items() if bool(found(ordered(cards), rules)) != (bits[place] == "1")]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rules", "engine"),
    [
        ("rlcard", "rlcard"),
        ("openspiel", "openspiel"),
        ("botzone", "botzone_ftl2_judge"),
        ("botzone", "botzone_local_env"),
        ("botzone-v1", "botzone_ftl1_judge"),
    ],
)
def test_legality_is_that_of_the_engine(rules: str, engine: str):
    assert differing(rules, engine) == []


@pytest.mark.shared
def test_legality_is_that_of_the_generator_of_douzero():
    """DZ-R2. The table holds DouZero's type detector, which refuses a trio beside four or more trios in the plane.

    Those are 3,124 plays, legal here (the generator yields them), and there is no other difference.
    """
    plays = differing("douzero", "douzero")
    expected = {
        cards
        for cards in legality()["verdicts"]
        for reading in found(ordered(cards), "douzero")
        if reading.name == "plane1" and reading.length >= 4 and carries_a_trio(cards, reading)
    }
    assert set(plays) == expected
    assert len(plays) == 3_124


@pytest.mark.shared
def test_legality_is_what_the_generator_of_douzero_yields():
    """DZ-R2, asked of the generator itself: each set of cards as a whole hand, may all of it be led?"""
    generator = pytest.importorskip("douzero.env.move_generator")
    values = dict(zip(RANKS, [*range(3, 15), 17, 20, 30], strict=True))
    plays = [cards for cards in legality()["verdicts"] if in_one_pack(cards)]
    assert len(plays) > 27_471
    for cards in plays:
        hand = sorted(values[card] for card in cards)
        yielded = any(sorted(move) == hand for move in generator.MovesGener(hand).gen_moves())
        assert yielded == bool(found(ordered(cards), "douzero")), cards


def carries_a_trio(cards: str, plane: Reading) -> bool:
    top = RANKS.index(plane.rank)
    body = RANKS[top - plane.length + 1 : top + 1]
    return any(cards.count(rank) >= 3 for rank in RANKS if rank not in body)


def test_call_score_is_rlcard():
    """RL-R1: the plays of RLCard are those of G-T1 … G-T12b. Planes of four and five would tell nothing more."""
    few = [cards for cards in candidates() if len(cards) < 16]
    assert [found(cards, "call-score") for cards in few] == [found(cards, "rlcard") for cards in few]
