"""What of a screen of integrity is worth a look: enough hands, what is corrected for many tests, each cause once."""

import re
from urllib.parse import parse_qsl, urlsplit

import pandas as pd
import pytest
from five_days import store_of
from test_dashboard import app, shown
from test_store_hands import record, write

from analysis import catalogue, deal_tests, hand_list
from analysis.chapters import is_screen
from analysis.standouts import Standouts, standouts
from analysis.warehouse import Warehouse
from dashboard import links
from ingest.load import load

HALVED = [240, -120, -120]
"""Claimed of a spring with a bomb and the rocket: any of the three not doubled, the bid halved, would give it."""


def found(name: str, *rows: dict[str, object], most: int = 9) -> Standouts:
    """What stands out among these rows of a screen; what they do not say is missing."""
    statistic = catalogue.statistics()[name]
    return standouts(statistic, pd.DataFrame(rows, columns=[column.name for column in statistic.columns]), most)


# --- from logs


@pytest.fixture(scope="module")
def regulars(tmp_path_factory):
    """Hands of four accounts, three of them at a table."""

    def change(told, number):
        for seat, player in enumerate(told["players"]):
            player["id"] = f"p{(number + seat) % 4}"
        told["tags"] = {} if number % 2 else {"deal_mode": "random", "room": "=hall"}
        if number % 4 == 1:
            del told["table"]

    return store_of(tmp_path_factory.mktemp("regulars"), ("platform",), 400, 4, change)


WHOLE = {
    "integrity_pairs": {"soft"},
    "integrity_paces": {"all", "quick", "even", "careless"},
    "integrity_deals": {"overlap"},
}
"""Tests whose sample is no number of hands, but of turns, moves, or pairs of hands."""


@pytest.mark.parametrize(
    "name", [each.name for each in catalogue.statistics().values() if is_screen(each) and each.behind]
)
def test_every_row_of_a_screen_leads_to_the_hands_that_its_sample_was_counted_of(name, regulars, monkeypatch):
    statistic, tests = catalogue.statistics()[name], set()
    monkeypatch.setattr(links.address, "link", lambda **words: words)
    monkeypatch.setattr(deal_tests, "LEAST", 20)
    with Warehouse(regulars) as warehouse:
        frame = catalogue.run(warehouse, name).astype(object)
        assert len(frame)
        for row in frame.drop_duplicates(["test"], keep="last").to_dict("records"):
            words = dict(parse_qsl(urlsplit(links.behind(statistic, row)).query))
            filters = {key: words[key] for key in ("player", "rules") if key in words}
            _, hands = hand_list.of_row(warehouse, name, filters, words, range(9))
            whole = row["hands" if "hands" in row else "whole"]
            assert hands if row["test"] in WHOLE[name] else hands == whole, words
            tests.add(row["test"])
    monkeypatch.undo()
    monkeypatch.setenv("FUPAN_STORE", str(regulars))
    table = told_of(name).split("<table")[-1]
    ways = re.findall(r"(?s)<tr.*?</tr>", table)[1:]
    assert len(ways) == min(len(frame), 25)
    assert all('href="hands?' in row for row in ways)
    assert {"together", "flow"} <= tests or {"even", "awake"} <= tests or {"ranks", "first_seat", "strength"} <= tests


def test_pairs_of_hands_are_ways_to_both(tmp_path, monkeypatch):
    again = [record(f"h{n}", "spring", ids=(f"a{n}", f"b{n}", f"c{n}")) for n in range(2)]
    load([str(write(tmp_path / "log.jsonl", *again))], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        (evidence,) = catalogue.run(warehouse, "repeated_deals").query("kind == 'exact'")["evidence"]
    assert evidence == "0=1"
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "store"))
    table = told_of("repeated_deals").split("<table")[-1]
    assert 'hand=0" target' in table
    assert 'hand=1" target' in table


@pytest.mark.parametrize("hands", [4, 5])
def test_few_wrong_scores_are_listed_and_many_are_told_once_with_their_reach(hands, tmp_path, monkeypatch):
    """Half the score by turns in two files, at two tables, on three days: one cause, and no cause below five hands."""
    for file in range(2):
        claims = [
            record(
                f"h{n}",
                "spring",
                ids=(f"a{n}", "b", "c"),
                table="XY"[n // 2 % 2],
                at=f"2026-03-{n % 3 + 1:02}T20:00:00+08:00",
                claim={"scores": HALVED},
            )
            for n in range(file, hands, 2)
        ]
        load([str(write(tmp_path / f"{file}.jsonl", *claims))], tmp_path / "store")
    with Warehouse(tmp_path / "store") as warehouse:
        frame = catalogue.run(warehouse, "integrity_settlement")
    told = standouts(catalogue.statistics()["integrity_settlement"], frame, 9)
    assert len(frame) > 4
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "store"))
    text = told_of("integrity_settlement")
    table = text[text.index("fp-table") :]
    assert table.count('href="hand?') >= len(frame), "every row of the table leads to its evidence"
    if hands < 5:
        assert (told.told, told.scored) == ([], 0)
        assert "worth a look<" not in text
        assert "No row has a score: samples are too small." in text
        return
    (one,) = told.told
    assert one.look
    assert (one.row["scope"], one.row["explained"], one.row["laid"], one.row["whole"]) == ("all", hands, hands, hands)
    assert dict(one.touched) == {"source": 2, "table": 2, "day": 3}
    assert frame.loc[frame["laid"].notna() & (frame["scope"] == "all"), "laid"].sum() == hands
    assert text.count("worth a look<") == 1
    assert "file 2 · table 2 · day 3" in text
    assert f"of {hands} mismatches in {hands} hands" in text


def told_of(statistic: str) -> str:
    page = app("integrity", "en")
    page.query_params["stat"] = statistic
    return shown(page.run())


def test_a_hand_is_laid_to_what_explains_most(tmp_path):
    """Rockets that do not double explain six hands, three of which have no other explanation."""
    rows = {"rules": "classic", "kind": "S05", "switch": "score.rocket_factor", "value": "1", "whole": 9}
    better = rows | {"scope": "all", "score": 9.0, "laid": 6}
    worse = rows | {"scope": "all", "score": 8.0, "laid": 3, "kind": "S04", "switch": "score.bomb_factor"}
    table = better | {"scope": "table", "name": "X", "score": 12.0}
    told = found("integrity_settlement", better, worse, table)
    assert [(one.row["switch"], one.row["name"], one.touched) for one in told.told] == [
        ("score.rocket_factor", "X", (("table", 1),))
    ]


# --- by tests


def room(name: str, day: str, test: str = "all", score: float = 6.0, hands: int = 200) -> dict[str, object]:
    place = {"rules": "classic", "deal_mode": None, "room": name, "day": pd.Timestamp(day)}
    return place | {"test": test, "score": score, "adjusted": 10**-score, "hands": hands}


def test_a_test_of_a_room_is_not_told_where_the_sum_of_its_tests_is_quiet():
    told = found("integrity_deals", room("A", "2026-01-01", score=0.4), room("A", "2026-01-01", "rocket", 2.2))
    assert (told.told, told.scored, told.few) == ([], 2, 0)


def test_a_fault_in_several_rooms_is_told_once_by_its_test():
    rows = [
        room(name, day, test, score)
        for name, day, most in (("A", "2026-01-01", 6.0), ("B", "2026-01-01", 7.0), ("B", "2026-01-02", 5.0))
        for test, score in (("all", most), ("rocket", most + 1), ("ranks", 0.2))
    ]
    rows += [room("C", "2026-01-03"), room("C", "2026-01-03", "overlap", 6.5)]
    first, second = found("integrity_deals", *rows).told
    assert (first.row["room"], dict(first.touched)) == ("B", {"room": 2, "day": 2})
    assert [row["test"] for row in first.tests] == ["rocket"]
    assert ([row["test"] for row in second.tests], dict(second.touched)) == (["overlap"], {"room": 1, "day": 1})
    assert found("integrity_deals", *rows, most=1).causes == 2


@pytest.mark.parametrize("small", [{"hands": 60}, {"test": "rocket", "hands": 60}])
def test_a_small_sample_is_counted_and_not_told(small):
    rows = [room("A", "2026-01-01"), room("A", "2026-01-01", "rocket", 8.0)]
    told = found(
        "integrity_deals", *(row | small if row["test"] == small.get("test", row["test"]) else row for row in rows)
    )
    assert (told.told, told.few) == ([], 1)


def test_what_no_other_row_sums_up_stands_for_itself():
    """awake has no p: who never rests is told though his times are those of people."""
    who = {"player": "p", "rules": "classic", "whole": 300}
    quiet = who | {"test": "all", "score": 0.1, "adjusted": 0.8}
    awake = who | {"test": "awake", "score": 5.0}
    (one,) = found("integrity_paces", quiet, awake).told
    assert (one.row["test"], one.tests, one.touched) == ("awake", (), ())
    (one,) = found("integrity_paces", quiet | {"score": 3.0}, awake).told
    assert (one.row["test"], [row["test"] for row in one.tests]) == ("all", ["awake"])


@pytest.mark.parametrize(("score", "look"), [(1.2, None), (1.3, False), (1.99, False), (2.0, True)])
def test_between_odd_and_quiet_something_cannot_be_told(score, look):
    row = {"player": "p", "rules": "classic", "hands": 100, "score": score, "adjusted": 0.5}
    assert [one.look for one in found("integrity_strength", row).told] == ([] if look is None else [look])


def test_every_screen_answers_for_an_empty_frame():
    for name in ("integrity_clocks", "integrity_pairs", "repeated_deals", "deal_tests"):
        assert found(name) == Standouts([], 0, 0, 0)
