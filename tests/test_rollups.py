"""Roll-ups: what was added up when hands were loaded is what the rows themselves say, whatever is asked."""

import random

import pandas as pd
import pytest

from analysis import measures
from analysis.narrowing import named, narrowed
from analysis.rolled import RELATIONS
from analysis.warehouse import Warehouse
from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands
from ingest.store.compact import compact

CLEAN = "verdict = 'clean'"
FILTERS = {
    "player": ("u01", "u17", "bot-2", "007", "nobody"),
    "rules": ("platform", "sandaha", "classic"),
    "since": ("2026-11-01", "2026-11-02"),
    "until": ("2026-11-01", "2026-11-03"),
    "role": ("landlord", "farmer"),
    "position": ("down", "up"),
    "bots": ("human", "only"),
}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    """Hands of two games in several batches, the first of which others took the place of."""
    folder = tmp_path_factory.mktemp("rollups")
    log, store = folder / "log.jsonl", folder / "store"
    first = list(hands(load_any("platform"), 40, seed=1, faults=0.1))
    log.write_bytes(b"\n".join([*first, *hands(load_any("sandaha"), 10, seed=3)]) + b"\n")
    load([str(log)], store, batch_hands=15)
    other = [line.replace(b'"platform-2-', b'"platform-1-') for line in hands(load_any("platform"), 12, seed=2)]
    log.write_bytes(b"\n".join(other) + b"\n")
    assert load([str(log)], store, batch_hands=15, replace=True).replaced > 8
    with Warehouse(store) as opened:
        yield opened


def some_filters(number):
    rng = random.Random(7)
    for _ in range(number):
        chosen = rng.sample(sorted(FILTERS), rng.randrange(4))
        yield {name: rng.choice(FILTERS[name]) for name in chosen}


def added(warehouse, relation, values, parts):
    chosen = f"SELECT * FROM seats WHERE {narrowed(values, CLEAN)}"
    sums = ", ".join(f"sum({name}) AS {name}" for name in relation.sums)
    keys = ", ".join(relation.keys)
    sql = (
        f"WITH chosen AS ({chosen}), {', '.join(parts)} SELECT {keys}, {sums} FROM counted GROUP BY ALL"
        f" HAVING {' OR '.join(f'{name} <> 0' for name in relation.sums[:3])} ORDER BY {keys}"
    )
    return warehouse.query(sql, {name: values[name] for name in named(sql)}).astype(dict.fromkeys(relation.sums, float))


def relations_agree(warehouse, relation):
    found = {"rolled": 0, "daily": 0}
    for values in some_filters(40):
        known = {name: value for name, value in values.items() if name in (*relation.filters, "since", "until")}
        told = added(warehouse, relation, known, relation.parts("counted", known))
        pd.testing.assert_frame_equal(
            told, added(warehouse, relation, known, [f"counted AS ({relation.raw})"]), rtol=1e-12
        )
        found["rolled" if relation.is_rolled(known) else "daily"] += len(told)
    assert found["rolled"] > 200
    assert relation.daily is None or found["daily"] > 200


OF_PLAYERS = """
SELECT player, rules, role, position, verdict, {} AS hands, {} AS wins, {} AS scored, {} AS score, {} AS plays,
    {} AS passes, {} AS bombs, {} AS rockets, {} AS springs, {} AS anti_springs
FROM {} GROUP BY ALL HAVING hands > 0 ORDER BY ALL
"""
SUMS = ("won::INT", "(score IS NOT NULL)::INT", "score", "plays", "passes", "bombs", "rockets", "spring::INT",
        "anti_spring::INT")  # fmt: skip


def the_others_agree(warehouse):
    sums = [f"coalesce(sum({what}), 0)::BIGINT" for what in ("1", *SUMS)]
    raw = OF_PLAYERS.format(*sums, "seats WHERE won IS NOT NULL AND role IS NOT NULL")
    names = ("hands", "wins", "scored", "score", "plays", "passes", "bombs", "rockets", "springs", "anti_springs")
    rolled = OF_PLAYERS.format(*(f"sum({name})::BIGINT" for name in names), "players")
    assert warehouse.query(rolled).equals(warehouse.query(raw))
    by = "day, rules, verdict, outcome"
    counted = warehouse.query(f"SELECT {by}, count(*) AS hands FROM hands GROUP BY ALL ORDER BY ALL")
    assert warehouse.query(f"SELECT {by}, hands FROM days ORDER BY ALL").equals(counted)


def test_roll_ups_say_what_the_rows_say(warehouse):
    for relation in RELATIONS.values():
        relations_agree(warehouse, relation)
    the_others_agree(warehouse)


def test_and_so_they_do_after_a_compaction(warehouse):
    compact(warehouse.path, hands=30)
    for relation in RELATIONS.values():
        relations_agree(warehouse, relation)
    the_others_agree(warehouse)


def test_what_a_roll_up_does_not_know_is_asked_of_the_rows(warehouse):
    combined, mated = RELATIONS["combined"], RELATIONS["mated"]
    assert combined.is_rolled({"player": "u01", "bots": "human", "table": None})
    assert mated.is_rolled({"player": "u01", "role": "farmer"})
    for values in ({"table": "room-1"}, {"tag": "deal_mode=random"}, {"bots": "none"}):
        assert not combined.is_rolled(values)
        assert not mated.is_rolled(values)
    assert not mated.is_rolled({"since": "2026-11-01"})
    question = measures.table(", x AS (SELECT * FROM combined) SELECT count(*) FROM x")
    assert "FROM combinations" in question({"player": "u01"})
    assert "FROM moves" in question({"table": "room-1"})
