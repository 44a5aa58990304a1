"""What compiled code tells of hands and seats is what the readable code tells, value by value."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from test_options import OWN, some_hand

from ingest.batch import judge
from ingest.bulk import available
from ingest.cards import rank_text
from ingest.logs import read
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.menus import is_plain
from ingest.rules.options import cheapest_answer, could_beat
from ingest.rules.ruleset import Ruleset, builtin_names, load
from ingest.simulate import hands
from ingest.store.sketches import sketch

CLIMBING = [name for name in builtin_names() if name != "sandaha"]

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")
Own = Callable[..., str]


def standings_of(answers: Answers, rng: Random, number: int) -> list[Standing]:
    """What may be led, and plays on plays."""
    found = [answers.lead]
    for _ in range(200 * number):
        cards = some_hand(answers.rules, rng, rng.choice((1, 2, 3, 4, 5, 6, 8, 10)))
        stands = answers.answer(rng.choice(found), cards)
        if stands is not None and stands not in found:
            found.append(stands)
        if len(found) > number:
            break
    return found


def check_options(rules: Ruleset, rng: Random, plays: int, tries: int) -> None:
    from ingest.bulk import options_kernel as compiled
    from ingest.bulk.menus import Menus, Play

    answers, menus = answers_of(rules), Menus(rules)
    standings = standings_of(answers, rng, plays)
    menus.learn(standings[: plays // 2])
    menus.learn(standings)
    for _ in range(tries):
        held, number = some_hand(rules, rng, rng.randint(1, 16)), rng.randrange(len(standings))
        standing, menu, bombs = standings[number], int(menus.plays[number, Play.MENU]), rng.random() < 0.8
        counts, softly = compiled.cheapest_answer(np.uint64(held), menus.law, menu, bombs)
        expected = cheapest_answer(held, standing, answers, bombs=bombs)
        what = f"{rank_text(held)} on {standing.readings}"
        assert int(counts) == (expected or 0), what
        assert softly == could_beat(held, standing, answers, bombs=False), what
        assert compiled.could_beat(np.uint64(held), menus.law, menu, 0, bombs) == (expected is not None), what


@pytest.mark.parametrize("name", [name for name in CLIMBING if is_plain(load(name))])
def test_the_same_cheapest_answers(name: str):
    check_options(load(name), Random(name), 30, 200)


@pytest.mark.parametrize(("extends", "switches"), OWN)
def test_the_same_cheapest_answers_under_rules_of_ones_own(own_rules: Own, extends: str, switches: dict[str, object]):
    rules = load(own_rules(extends, switches))
    if not is_plain(rules):
        pytest.skip("what is found under these rules is judged as a whole")
    check_options(rules, Random(str(switches)), 20, 120)


def check_told(name: str, log, number: int, seed: int) -> tuple[int, int]:
    """All tables of generated and spoilt hands; how many of how many hands were told by compiled code."""
    from ingest.bulk.telling import turned

    log.write_bytes(b"\n".join(hands(load(name), number, seed=seed, faults=0.2)) + b"\n")
    judged, told = [judge(entry) for entry in read([str(log)])], []

    def tell(stories):
        told.extend(turned(stories))
        return told

    by_hand, compiled = sketch(judged), sketch(judged, tell=tell)
    for table, rows in by_hand.items():
        for column in rows.schema.names:
            assert compiled[table][column].equals(rows[column]), f"{table}.{column}"
    return sum(each is not None for each in told), len(told)


@pytest.mark.parametrize("name", CLIMBING)
def test_hands_are_told_alike(tmp_path, name: str):
    told, whole = check_told(name, tmp_path / "log.jsonl", 28, 17)
    assert whole > 20
    assert (told > whole // 3) == is_plain(load(name))


@pytest.mark.soak
@pytest.mark.parametrize("name", CLIMBING)
def test_hands_are_told_alike_at_length(tmp_path, name: str):
    for seed in range(40):
        check_told(name, tmp_path / "log.jsonl", 250, 1000 + seed)


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in CLIMBING if is_plain(load(name))])
def test_the_same_cheapest_answers_at_length(name: str):
    check_options(load(name), Random(f"{name} at length"), 400, 50_000)
