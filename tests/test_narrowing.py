"""Filters by tags, whatever their keys are."""

import json
import tomllib
from pathlib import Path

import duckdb
import pytest
from test_store_hands import kept, record

from analysis import catalogue, choices
from analysis.narrowing import TAG

CASES = tomllib.loads(Path(__file__).with_name("narrowing.toml").read_text("utf-8"))


def test_a_hand_is_found_by_every_key_that_a_tag_may_have(tmp_path):
    keys = enumerate(CASES["keys"])
    hands = (record(f"h{n}", "plain", ids=(f"p{n}", "a", "b"), tags={"room": "v", key: "v"}) for n, key in keys)
    with kept(tmp_path, *hands) as warehouse:
        assert set(choices.tags(warehouse)) == {f"{key}=v" for key in ("room", *CASES["keys"])}
        for key in CASES["keys"]:
            found = catalogue.run(warehouse, "lengths", tag=f"{key}=v")
            assert found["hands"].tolist() == [1], key
            assert catalogue.run(warehouse, "lengths", tag=f"{key}=w").empty, key


@pytest.mark.parametrize("kind", ["found", "missed"])
def test_a_tag_is_its_key_and_its_value(kind):
    connection = duckdb.connect()
    connection.execute(TAG)
    for case in CASES[kind]:
        answer = connection.execute("SELECT has_tag(?, ?)", [json.dumps(case["tags"]), case["by"]]).fetchall()
        assert bool(answer[0][0]) == (kind == "found"), case
