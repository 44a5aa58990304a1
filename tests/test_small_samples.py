"""Small samples are grey everywhere, numbers have one minus sign, names along a chart all stand."""

import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from analysis import samples
from analysis.catalogue import statistics
from dashboard import charts, export, numbers, tables
from tests.test_dashboard import shown
from tests.test_frame import chosen, screen, store  # noqa: F401

NUMBER = re.compile(r"(?=.*[.%])[+−]?[\d,.]+%?( [\d.,–%−… ]+)?")


class Cells(HTMLParser):
    """Every cell of the tables of a page: its text, and whether it is grey."""

    def __init__(self):
        super().__init__()
        self.found, self.row, self.open = [], "", False

    def handle_starttag(self, tag, attrs):
        kind = dict(attrs).get("class") or ""
        if tag == "tr":
            self.row = kind
        elif tag == "td":
            self.open = True
            self.found.append(["", "fp-few" in f"{self.row} {kind}"])

    def handle_endtag(self, tag):
        self.open = self.open and tag != "td"

    def handle_data(self, data):
        if self.open:
            self.found[-1][0] += data


def black(page):
    """Rates and means of a page that are not grey."""
    shown(page)
    cells = Cells()
    for element in page.get("html"):
        cells.feed(element.value)
    assert any(NUMBER.fullmatch(text.strip()) for text, _ in cells.found)
    return [text for text, grey in cells.found if NUMBER.fullmatch(text.strip()) and not grey]


@pytest.mark.parametrize("section", ["bids", "passing", "leads", "bombs", "landlords"])
def test_every_rate_of_three_hands_is_grey_on_the_screen_of_strategy(chosen, section):  # noqa: F811
    assert not black(screen("strategy", rules="classic", section=section))


@pytest.mark.parametrize("name", ["strength_and_outcome", "sessions", "volatility"])
def test_every_rate_of_three_hands_is_grey_in_the_catalogue(chosen, name):  # noqa: F811
    page = screen("statistics", stat=name)
    assert not black(page)


def test_every_rate_of_the_board_is_grey(chosen):  # noqa: F811
    assert not black(screen("player"))


def test_a_rate_is_grey_whose_own_sample_is_small_in_a_row_that_is_not():
    """1000 hands, of which 99 spoke, 100 were landlords: the rate of calls is grey, that of wins is not."""
    declared = statistics()["strength_and_outcome"]
    row = pd.Series({"hands": 1000, "words": 99, "landlords": 100})
    columns = {column.name: column for column in tables.columns_of(declared, pd.DataFrame(columns=_names(declared)))}
    assert tables.small(declared)(row) == ""
    assert "100" in columns["call_rate"].few(row)
    assert columns["rate"].few(row) == ""
    assert columns["hands"].few is None


def _names(declared):
    return [column.name for column in declared.columns]


def test_every_statistic_with_a_minimum_says_what_its_rates_rest_on():
    without = {
        each.name
        for each in statistics().values()
        if each.minimum and each.sample is None and any(column.unit == "rate" for column in each.columns)
    }
    assert without == {"verdicts"}
    for name, counts in [*((key, {"": count}) for key, count in samples.ROWS.items()), *samples.CELLS.items()]:
        units = {column.name: column.unit for column in statistics()[name].columns}
        assert {units[count] for count in counts.values()} == {"count"}
        assert all(not column or units[column] in ("rate", "number") for column in counts)


def _drawn(page):
    return [json.loads(each.proto.spec) for each in page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")]


def test_bars_of_small_samples_are_faint():
    assert list(charts._clearness(pd.Series([99, 100, None]), 100)) == [charts.FAINT, charts.CLEAR, charts.FAINT]


@pytest.mark.parametrize(("section", "mark"), [("bombs", "bar"), ("bids", "point")])
def test_charts_draw_small_samples_faint(section, mark, chosen):  # noqa: F811
    specs = _drawn(screen("strategy", rules="classic", section=section))
    marks = [layer for spec in specs for layer in spec["layer"] if layer["mark"]["type"] == mark]
    assert marks
    assert all(layer["encoding"]["opacity"]["field"] == "clear" for layer in marks)


# --- numbers and names


@pytest.mark.parametrize("write", [numbers.count, numbers.number, numbers.signed, numbers.points, numbers.rate])
def test_people_read_one_minus_sign_and_files_a_hyphen(write):
    assert write(-1234.5).startswith("−")
    assert "-" not in write(-1234.5)
    assert "-" not in numbers.figure(-1.5, rate=False) + numbers.between_numbers(-2, -1) + numbers.between(-0.1, 0.1)
    assert b"-1234.5" in export.csv_of(pd.DataFrame({"x": [-1234.5]}))


def test_the_scores_of_a_hand_have_a_minus_sign(chosen):  # noqa: F811
    text = shown(screen("hand", hand="0", mask="1"))
    assert ">−96<" in text
    assert ">-96<" not in text


def test_every_name_stands_along_a_chart_and_days_may_be_left_out():
    names = [f"player-{number}" for number in range(12)]
    assert charts._along(names, ordered=False) == {"labelOverlap": False, "labelAngle": -40, "labelLimit": 120}
    assert charts._along(list("abc"), ordered=False)["labelAngle"] == 0
    assert charts._along(names, ordered=True)["labelOverlap"] is True


def test_the_two_choices_of_rulesets_have_names_of_their_own(chosen):  # noqa: F811
    labels = [box.label for box in screen("statistics", stat="win_rate").selectbox]
    assert len(set(labels)) == len(labels)
