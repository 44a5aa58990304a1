"""The page of benchmarks: one that is run alone leaves what the others measured."""

from pathlib import Path

from analysis.warehouse import Warehouse
from bench import results, screens
from dashboard.menu import SCREENS
from ingest.load import load

PAGE = results.merged(results.HEAD, ["## One\n\n1\n", "## Two\n\n| a |\n| --- |\n| 2 |\n", "## Three\n\n3\n"])


def test_a_section_is_replaced_where_it_stands_and_the_others_stay():
    assert results.merged(PAGE, ["## Two\n\ntwo\n"]) == PAGE.replace("| a |\n| --- |\n| 2 |", "two")
    assert results.merged(PAGE, []) == PAGE


def test_a_new_section_comes_last():
    assert results.merged(PAGE, ["## Four\n\n4\n"]) == PAGE + "\n## Four\n\n4\n"


def test_a_section_says_when_and_where_it_was_measured(tmp_path):
    measured = results.section("## Two\n\nmany\n")
    assert measured.startswith("## Two\n\n2")
    assert "Python 3." in measured
    results.write(tmp_path / "results.md", [measured])
    assert (tmp_path / "results.md").read_text("utf-8") == results.merged(results.HEAD, [measured])


def test_every_screen_that_asks_the_store_is_measured(tmp_path):
    log = Path(__file__).parents[1] / "data" / "samples" / "classic.jsonl"
    load([str(log)], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        found = list(screens.screens(warehouse))
    silent = {"audit", "questions", "rules", "rulebook"}
    assert {screen.name for screen in found} == {name for group in SCREENS.values() for name, _ in group} - silent
    assert len({screen.title for screen in found}) == len(found)
    assert all(value for screen in found for _, value in screen.changes)


def test_what_misses_its_target_is_bold_and_counted():
    quick, slow = screens.Took(0.1, 0.2), screens.Took(0.6, 0.05)
    told = screens.page(
        screens.Measured(
            hands=9,
            first=screens.Took(1.6, 1.0),
            remembered=quick,
            opened={"hands": slow, "hand": quick},
            changed={"hands": {"player": slow, "role": quick}, "hand": {}},
            load=1.0,
        )
    )
    assert "| hands | 600/50 | player **600/50** · role 100/200 |\n| hand | 100/200 | – |" in told
    assert "2 screens. 1 miss the target" in told
    assert "takes\n**1,600/1,000** when" in told
    assert "100/200 when" in told
