"""Every statistic on ten hands whose numbers were worked out by hand, and the headers that declare them."""

from datetime import date
from functools import cache

import pytest
from test_store_hands import kept, record

from analysis import catalogue, declared, hand_list
from analysis.catalogue import BadStatistic, parse, parse_module
from analysis.chapters import is_screen
from analysis.coverage import coverage
from analysis.intervals import wilson
from analysis.warehouse import Warehouse, first_rows
from ingest.store.publish import create

TEN = (
    record("1", "spring", 0, 3, at="2026-03-01T23:30:00+00:00"),  # unit 240, the day is the 2nd in Shanghai
    record("2", "anti_spring", 0, 3, at="2026-03-01T10:00:00+08:00"),  # unit 120
    record("3", "plain", 1, 2),  # unit 40
    record("4", "plain", 0, 2, base=20),  # unit 80
    record("5", "anti_spring", 2, 1),  # unit 40
    record("6", "void", 0),
    record("7", "plain", 0, 3, claim={"scores": [1, 0, -1]}),  # faulty
    "not a record",
    record("9", "spring", 2, 3),  # unit 240
    record("10", "plain", 1, 3),  # unit 60
)


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    with kept(tmp_path_factory.mktemp("ten"), *TEN) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    create(folder / "store")
    with Warehouse(folder / "store") as warehouse:
        yield warehouse


def rows(warehouse, name, *columns, **parameters):
    frame = catalogue.run(warehouse, name, **parameters)
    frame = frame.astype(object).where(frame.notna(), None)
    return [tuple(row) for row in frame[list(columns)].itertuples(index=False)] if columns else frame


def test_hands_per_day(ten):
    found = rows(ten, "hands_per_day", "day", "rules", "hands", "clean", "faulty", "unreadable", "void")
    assert [(None if day is None else str(day.date()), *rest) for day, *rest in found] == [
        (None, None, 1, 0, 0, 1, 0),
        (None, "call-score", 7, 6, 1, 0, 1),
        ("2026-03-01", "call-score", 1, 1, 0, 0, 0),
        ("2026-03-02", "call-score", 1, 1, 0, 0, 0),
    ]
    assert rows(ten, "hands_per_day", "hands", since="2026-03-02", until=date(2026, 3, 2)) == [(1,)]


def test_verdicts(ten):
    found = rows(ten, "verdicts", "rules", "verdict", "outcome", "hands", "rate")
    assert found == [
        (None, "unreadable", None, 1, 1.0),
        ("call-score", "clean", "farmers", 2, pytest.approx(2 / 9)),
        ("call-score", "clean", "landlord", 5, pytest.approx(5 / 9)),
        ("call-score", "clean", "void", 1, pytest.approx(1 / 9)),
        ("call-score", "faulty", "landlord", 1, pytest.approx(1 / 9)),
    ]


def test_faults_by_code(ten):
    found = rows(ten, "faults_by_code", "rules", "code", "severity", "findings", "hands", "entries", "rate")
    assert [row for row in found if row[1] in ("R101", "S603")] == [
        (None, "R101", "fault", 1, 1, 1, 1.0),
        ("call-score", "S603", "fault", 1, 1, 9, pytest.approx(1 / 9)),
    ]


def test_win_rate_by_role(ten):
    columns = ("player", "role", "position", "wins", "hands", "excluded")
    assert sorted(rows(ten, "win_rate_by_role", *columns), key=str) == [
        ("007", "farmer", "down", 1, 2, 0),
        ("007", "farmer", "up", 0, 2, 0),
        ("007", "landlord", None, 2, 3, 1),
        ("NA", "farmer", "down", 1, 3, 1),
        ("NA", "farmer", "up", 1, 2, 0),
        ("NA", "landlord", None, 2, 2, 0),
        ("null", "farmer", "down", 0, 2, 0),
        ("null", "farmer", "up", 1, 3, 1),
        ("null", "landlord", None, 1, 2, 0),
    ]
    one = rows(ten, "win_rate_by_role", "player", "rate", "low", "high", player="007", role="landlord")
    assert one == [("007", pytest.approx(2 / 3), *map(pytest.approx, wilson(2, 3)))]
    assert rows(ten, "win_rate_by_role", "player", rules="classic") == []


def test_score_per_player(ten):
    found = rows(ten, "score_per_player", "player", "hands", "score", "mean", "error", "excluded")
    assert [row[:3] + row[5:] for row in found] == [("007", 7, 100, 1), ("NA", 7, -200, 1), ("null", 7, 100, 1)]
    assert [row[3] for row in found] == [pytest.approx(mean / 7) for mean in (2, -16, 14)]
    scores = (48, -24, -4, 8, 4, -24, -6)
    squares = sum((score - 2 / 7) ** 2 for score in scores)
    assert found[0][4] == pytest.approx((squares / 6 / 7) ** 0.5)
    assert rows(ten, "score_per_player", "hands", "error", player="007", role="landlord", since="2026-03-02") == [
        (1, None)
    ]


def test_bombs_and_springs(ten):
    columns = ("rules", "hands", "bombs", "rockets", "springs", "anti_springs", "excluded")
    assert rows(ten, "bombs_and_springs", *columns) == [
        (None, 0, 0, 0, 0, 0, 1),
        ("call-score", 7, 7, 2, 2, 2, 1),
    ]
    rates = ("bombs_per_hand", "rockets_per_hand", "spring_rate", "spring_low", "spring_high", "anti_spring_rate")
    assert rows(ten, "bombs_and_springs", *rates, rules="call-score") == [
        (1.0, pytest.approx(2 / 7), pytest.approx(2 / 7), *map(pytest.approx, wilson(2, 7)), pytest.approx(2 / 7))
    ]


def test_landlord_win_rate(ten):
    assert rows(ten, "landlord_win_rate", "rules", "bid", "wins", "hands", "excluded") == [
        ("call-score", 1, 0, 1, 0),
        ("call-score", 2, 2, 2, 0),
        ("call-score", 3, 3, 4, 1),
    ]


def test_what_is_left_out_is_counted_by_reason(ten):
    assert coverage(ten).left_out == {"S603": 1}
    assert coverage(ten, player="NA", rules="call-score").left_out == {"S603": 1}
    assert coverage(ten, rules="classic").left_out == {}
    assert rows(ten, "win_rate", "part", "whole", by="role") == [(4, 14), (5, 7)]


OF_TRICKS = {"contracts", "bottoms_taken"}
"""Statistics that only 三打哈 has."""
OF_CLEAN = {"bid_threshold", "schedule", "serial", "synergy"}
"""Statistics in Python that have no row for who has no clean hand."""
ACROSS = {"ratings_across"}
"""Statistics that mix rulesets, and say so by their name."""


OF_MANY = {
    "integrity_clocks", "integrity_paces", "integrity_pairs", "duplicate_datum", "same_deal", "deal_share",
    "side_swaps", "robots_at_table",
}  # fmt: skip
"""Statistics that say nothing of one hand, or of one that is not clean."""


def test_rulesets_are_never_mixed(tmp_path):
    wrong = {"scores": [1, 0, -1]}
    two = (record("1", "plain", claim=wrong), record("2", "plain", rules="botzone", ids=("a", "b", "c"), claim=wrong))
    with kept(tmp_path, *two) as warehouse:
        for name in catalogue.statistics().keys() - ACROSS:
            climbing = {("botzone",), ("call-score",)}
            found = set(rows(warehouse, name, "rules"))
            silent = name in OF_TRICKS | OF_MANY | OF_CLEAN or catalogue.statistics()[name].number
            assert found == (set() if silent else climbing)


def test_rulesets_are_mixed_only_when_asked(tmp_path):
    two = (record("1", "plain"), record("2", "plain", rules="botzone", ids=("a", "b", "c")))
    with kept(tmp_path, *two) as warehouse:
        for name, statistic in catalogue.statistics().items():
            if name in ACROSS:
                continue
            assert set(rows(warehouse, name, "rules")) <= {("botzone",), ("call-score",)}
            if "across" in statistic.parameters:
                assert set(rows(warehouse, name, "rules", across="yes")) <= {("*",)}


@pytest.fixture(scope="module")
def answer(ten):
    """What a statistic says of the ten hands, asked once."""
    return cache(lambda name: catalogue.run(ten, name))


@pytest.mark.parametrize("name", catalogue.statistics())
def test_an_answer_has_the_declared_columns(ten, empty, answer, name):
    statistic = catalogue.statistics()[name]
    columns = [column.name for column in statistic.columns]
    assert list(answer(name).columns) == columns
    assert list(catalogue.run(empty, name).columns) == columns
    everything = dict.fromkeys(statistic.parameters)
    assert catalogue.run(ten, name, **everything).equals(answer(name))


@pytest.mark.parametrize("name", catalogue.statistics())
def test_counts_fit_and_intervals_hold_their_rates(answer, name):
    statistic = catalogue.statistics()[name]
    frame = answer(name)
    for column in statistic.columns:
        values = frame[column.name].dropna()
        if column.unit == "count":
            assert (values >= 0).all()
        elif column.unit == "rate":
            assert values.between(0, 1).all()
    for low in [column.name for column in statistic.columns if column.name.endswith("low")]:
        rate, high = low.replace("low", "rate"), low.replace("low", "high")
        known = frame.dropna(subset=[low])
        assert (known[low] <= known[rate] + 1e-12).all()
        assert (known[rate] <= known[high] + 1e-12).all()


def test_what_is_unknown_is_refused(ten):
    with pytest.raises(KeyError, match="unknown statistic: none"):
        catalogue.run(ten, "none")
    with pytest.raises(ValueError, match="no parameter player"):
        catalogue.run(ten, "verdicts", player="007")
    with pytest.raises(ValueError, match="a day such as"):
        catalogue.run(ten, "verdicts", since="yesterday")
    with pytest.raises(ValueError, match="landlord / farmer"):
        catalogue.run(ten, "score_per_player", role="up")


HEADER = """-- name: mine
-- title_zh: 我的
-- title_en: Mine
-- grain: one row
-- parameters: rules
-- column: hands | count | 局数 | Hands | 局数 | How many
-- definition_zh: 都计。
-- definition_en: All of them,
--   every one.
-- minimum: 0
SELECT count(*) AS hands FROM hands WHERE $rules IS NULL OR rules = $rules
"""


def test_a_header_is_read(tmp_path):
    statistic = parse(HEADER, "mine")
    assert statistic.definition_en == "All of them, every one."
    assert statistic.parameters == ("rules",)
    assert statistic.columns[0].meaning_en == "How many"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-- grain: one row\n", ""),
        ("-- grain: one row\n", "-- grain: one row\n-- grain: two\n"),
        ("-- grain: one row\n", "-- grain: one row\n-- color: red\n"),
        ("-- grain: one row\n", "-- grain: one row\n-- what\n"),
        ("-- minimum: 0", "-- minimum: few"),
        ("-- name: mine", "-- name: yours"),
        ("parameters: rules", "parameters:"),
        ("parameters: rules", "parameters: rules player"),
        ("| count |", "| number of |"),
        (" | How many", ""),
        ("$rules", "$color"),
    ],
)
def test_a_careless_header_is_refused(old, new):
    with pytest.raises(BadStatistic, match="mine"):
        parse(HEADER.replace(old, new), "mine")


OF_PYTHON = HEADER.replace("--", "#").replace("mine", "ratings").replace(": rules", ": player rules since until")


def test_a_statistic_of_python_has_the_parameters_of_its_function():
    assert parse_module(OF_PYTHON, "ratings").parameters == ("player", "rules", "since", "until")
    for old, new in (("since until", "since"), ("until", "until role"), ("# name: ratings", "# name: mine")):
        with pytest.raises(BadStatistic, match="ratings"):
            parse_module(OF_PYTHON.replace(old, new), "ratings")
    with pytest.raises(BadStatistic, match="missing"):
        parse_module(OF_PYTHON.replace("#", "--"), "ratings")


def test_an_answer_of_python_is_cut_as_one_of_sql_is(ten, monkeypatch):
    assert not catalogue.run(ten, "ratings").attrs["truncated"]
    monkeypatch.setattr(declared, "first_rows", lambda frame: first_rows(frame, 2))
    frame = catalogue.run(ten, "ratings")
    assert len(frame) == 2
    assert frame.attrs["truncated"]


def test_every_statistic_says_what_it_is_in_both_languages():
    for statistic in catalogue.statistics().values():
        texts = [statistic.title_zh, statistic.definition_zh]
        texts += [text for column in statistic.columns for text in (column.zh, column.meaning_zh) if text != "p"]
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in texts), statistic.name
        assert all(
            text.isprintable() and text for text in (statistic.title_en, statistic.definition_en, statistic.grain)
        )


# --- the hands behind a row

OF_SEATS = {"lead_types": "leads", "words_by_standing": "part", "hours": "hands", "strength_and_outcome": "hands",
            "bombs_by_cards_left": "bombs", "bombs_by_size": "bombs", "role_neutral_win_rate": None}  # fmt: skip
"""Statistics of seats and plays, whose rows count as many hands at most."""
BEHIND = sorted(name for name, each in catalogue.statistics().items() if each.behind and not is_screen(each))
"""Of screens of integrity ``test_standouts.py`` asks the same."""


@pytest.mark.parametrize("name", BEHIND)
def test_a_row_leads_to_as_many_hands_as_it_counts(name, ten):
    keys = catalogue.statistics()[name].behind.keys
    frame = catalogue.run(ten, name)
    for row in frame[frame["rules"].notna()].astype(object).to_dict("records"):
        told = {key: str(row[key])[:10] for key in keys}
        if {"NaT", "<NA>", "None"} & set(told.values()):
            continue
        said = {key: row[key] for key in ("player", "rules", "role", "position") if isinstance(row.get(key), str)}
        _, count = hand_list.of_row(ten, name, said, told, range(9))
        column = OF_SEATS.get(name, "part" if name == "sandaha_results" else "hands")
        if name in OF_SEATS:
            assert 0 < count <= (row[column] if column else row["landlord_hands"] + row["farmer_hands"])
        else:
            assert count == row[column], (name, told)


def test_the_hands_of_a_row_are_those_that_its_columns_say(ten):
    def ids(name, **told):
        return sorted(hand_list.of_row(ten, name, {"rules": "call-score"}, told, range(9))[0]["id"], key=int)

    assert ids("landlord_win_rate", bid="2") == ["3", "4"]
    assert ids("landlord_win_rate", bid="1") == ["5"]
    assert ids("bombs_and_springs") == ["1", "2", "3", "4", "5", "9", "10"]
    assert ids("verdicts", verdict="clean", outcome="void") == ["6"]
    assert ids("faults_by_code", code="S603", severity="fault") == ["7"]
    assert ids("hands_per_day", day="2026-03-02") == ["1"]
    with pytest.raises(KeyError):
        hand_list.of_row(ten, "win_rate", {}, {}, range(9))


def test_hands_of_a_row_are_told_by_columns_that_it_has():
    header = catalogue.resources.files("analysis").joinpath("statistics", "landlord_win_rate.sql").read_text("utf-8")
    assert parse(header, "landlord_win_rate").behind.keys == ("bid",)
    for wrong in (header.replace("= $bid", "= $bet"), header.replace("behind: seats", "behind: chairs")):
        with pytest.raises(BadStatistic, match="behind"):
            parse(wrong, "landlord_win_rate")
