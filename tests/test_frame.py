"""What all screens of the dashboard share: the filter bar, the address, tables, ways to hands."""

import html
import re
from datetime import date
from urllib.parse import parse_qsl

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis import choices, hand_list
from analysis.catalogue import run, statistics
from analysis.coverage import coverage, without_each
from analysis.warehouse import Warehouse
from dashboard import links, numbers, tables
from dashboard.text import TEXTS
from tests.test_dashboard import APP, app, figures, record, shown
from tests.test_dashboard import log as lines


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three hands: a clean one and a faulty one of ``classic``, a dated one with a table and a tag; hostile names."""
    from ingest.load import load

    folder = tmp_path_factory.mktemp("frame")
    dated = {"at": "2026-05-01T20:00:00+08:00", "table": "=t", "tags": {"deal_mode": "random", "a[b]": "$x$"}}
    hands = (
        record(),
        record("h2", **dated, players=("<b>x</b>", "u2", ":red[y]")),
        record("h3", players=("u1", "u2", "u4"), claim={"scores": [3, -1, -2]}),
    )
    (folder / "log.jsonl").write_bytes(lines(*hands))
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


@pytest.fixture
def chosen(store, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(store))
    return store


# --- what the filters can be set to, and what they leave


def test_the_words_of_the_filters(store):
    with Warehouse(store) as warehouse:
        assert choices.rulesets(warehouse) == ["classic"]
        assert choices.players(warehouse) == ["u2", "u1", ":red[y]", "<b>x</b>", "u3", "u4"]
        assert choices.tables(warehouse) == ["=t"]
        assert choices.tags(warehouse) == ["deal_mode=random", "a[b]=$x$"]
        assert choices.names(warehouse, ("u1", "nobody")) == {"u1": "u1"}
        assert not choices.has_bots(warehouse)


def test_hands_left_out_are_counted_by_their_first_fault(store):
    with Warehouse(store) as warehouse:
        told = coverage(warehouse)
        assert (told.used, told.left_out) == (2, {"S603": 1})
        assert coverage(warehouse, player="u1").used == 1


def test_the_filter_that_empties_an_answer_is_named(store):
    with Warehouse(store) as warehouse:
        assert without_each(warehouse, player="u1", table="=t") == {"player": 1, "table": 1}
        assert without_each(warehouse, player="u1", role="farmer") == {"player": 2, "role": 1}


# --- hands behind numbers


MEASURES = [name for name, each in statistics().items() if each.counted]


@pytest.mark.parametrize("name", MEASURES)
def test_the_hands_behind_a_measure_add_up_to_it(name, store):
    with Warehouse(store) as warehouse:
        whole = run(warehouse, name)
        seats, count = hand_list.behind(warehouse, name, {}, {}, range(100))
    assert count == len(seats)
    column = "total" if "total" in whole else "part"
    assert seats["part"].sum() == pytest.approx(whole[column].sum())
    if "class" not in whole:
        assert seats["whole"].sum() == whole["whole"].sum()


def test_the_hands_behind_one_group(store):
    with Warehouse(store) as warehouse:
        narrowed = {"by": "role", "group": "landlord", "part": "yes"}
        seats, count = hand_list.behind(warehouse, "win_rate", {}, narrowed, range(1))
    assert (count, len(seats), list(seats["id"])) == (2, 1, ["h2"])


def test_the_hands_that_pass_the_filters(store):
    with Warehouse(store) as warehouse:
        page, count = hand_list.hands(warehouse, {"player": "u1"}, {}, range(1))
        assert (count, list(page["id"])) == (2, ["h3"])
        page, count = hand_list.hands(warehouse, {"player": "u1"}, {"verdict": "clean"}, range(9))
        assert (count, list(page["id"])) == (1, ["h1"])
        assert hand_list.hands(warehouse, {}, {"code": "S603"}, range(9))[1] == 1
        with pytest.raises(KeyError):
            hand_list.behind(warehouse, "sessions", {}, {}, range(1))


# --- how numbers are written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (numbers.count(1234567), "1,234,567"),
        (numbers.count(None), "–"),
        (numbers.short(1234567), "1.23M"),
        (numbers.rate(0.4567), "45.7%"),
        (numbers.number(3.0), "3"),
        (numbers.number(3.14159), "3.14"),
        (numbers.signed(-24), "−24.00"),
        (numbers.points(0.012), "+1.2"),
        (numbers.between(0.412, 0.495), "41.2–49.5%"),
        (numbers.between(None, 0.5), ""),
    ],
)
def test_numbers_are_written_the_same_everywhere(said, written):
    assert said == written


def test_every_bound_of_an_interval_stands_behind_its_rate():
    for each in statistics().values():
        told = tables.columns_of(each, pd.DataFrame(columns=[column.name for column in each.columns]))
        bounds = {bound for column in told for bound in column.interval or ()}
        names = {column.name for column in each.columns}
        assert bounds == {name for name in names if name.endswith(("low", "high"))}, each.name


# --- the address


def screen(name: str, **words: str) -> AppTest:
    page = app(name)
    for key, value in words.items():
        page.query_params[key] = value
    return page.run()


def words(page: AppTest) -> dict[str, str]:
    return {key: value[0] if isinstance(value, list) else value for key, value in page.query_params.items()}


def test_filters_are_written_into_the_address_and_go_along(chosen):
    page = app("overview")
    page.selectbox(key="at-rules").set_value("classic").run()
    assert words(page) == {"lang": "zh", "rules": "classic"}
    page.switch_page("screens/hands.py").run()
    assert page.selectbox(key="at-rules").value == "classic"
    page.segmented_control(key="lang").set_value("en").run()
    assert words(page) == {"lang": "en", "rules": "classic"}
    assert page.selectbox(key="at-rules").value == "classic"


def test_an_address_says_what_is_shown(chosen):
    page = screen("hands", player="<b>x</b>", tag="a[b]=$x$", since="2026-04-30")
    assert "h2" in shown(page)
    assert "h1" not in shown(page)
    assert page.date_input(key="at-since").value.isoformat() == "2026-04-30"
    assert "&lt;b&gt;x&lt;/b&gt;" not in page.selectbox(key="at-player").options


def test_a_choice_wins_over_the_address_that_comes_with_it(chosen):
    page = screen("hand", hand="1")
    page.query_params["move"] = "play-2"  # the browser writes where the replay stands, and sends it with the click
    page.toggle(key=next(each.key for each in page.toggle if each.key.endswith("mask"))).set_value(True).run()
    assert words(page) == {"lang": "zh", "hand": "1", "move": "play-2", "mask": "1"}
    assert page.toggle[0].value
    page.query_params.pop("mask")
    assert not page.run().toggle[0].value


def test_an_address_from_before_the_last_choice_undoes_nothing(chosen):
    page = screen("hands", player="u1")
    page.selectbox(key="at-rules").set_value("classic").run()
    del page.query_params["rules"]  # the browser had not heard of it yet
    page.date_input(key="at-since").set_value(date(2026, 4, 30)).run()
    assert words(page) == {"lang": "zh", "player": "u1", "rules": "classic", "since": "2026-04-30"}
    page.query_params.clear()
    page.query_params["player"] = "u1"  # one went back
    assert words(page.run()) == {"player": "u1"} | {"lang": "zh"}


def test_another_hands_address_takes_no_choice_along(chosen):
    page = screen("hand", hand="1")
    page.query_params["hand"] = "2"  # a link was followed just after
    page.toggle(key=next(each.key for each in page.toggle if each.key.endswith("mask"))).set_value(True).run()
    assert words(page) == {"lang": "zh", "hand": "2"}


STRANGE = {
    "since": "2026-13-45",
    "until": "20260101",
    "role": "king",
    "position": "x",
    "bots": "'; DROP",
    "tag": "none",
}


@pytest.mark.parametrize(("language", "said"), [("zh", "看不懂"), ("en", "not understood")])
@pytest.mark.parametrize("name", ["hands", "rulebook", "strategy"])
def test_what_a_filter_cannot_be_is_said_and_dropped_on_every_screen(name, language, said, chosen):
    page = app(name, language)
    page.query_params |= STRANGE | {"table": "=t"}
    assert said in shown(page.run())
    for word in STRANGE.values():
        assert f": {html.escape(word)}" in shown(page)
    assert not words(page).keys() & STRANGE.keys()
    assert words(page)["table"] == "=t"
    page.switch_page("screens/hands.py").run()
    assert said not in shown(page)
    assert not words(page).keys() & STRANGE.keys()


def test_what_a_filter_cannot_be_narrows_nothing(chosen):
    assert "共 3 局" in shown(screen("hands", page="0", **STRANGE))
    text = shown(screen("hand", hand="1", mask="1", tag="somebody"))
    assert "看不懂" in text
    assert "somebody" not in text


def test_a_link_with_the_words_of_the_last_screen_says_more_than_the_menu(chosen):
    page = screen("compare", player="u1", other="u2", rules="classic")
    page.switch_page("screens/hands.py").run()  # as the link to the hands of both, which has the same words
    assert words(page) == {"lang": "zh", "player": "u1", "other": "u2", "rules": "classic"}
    assert "u2" in next(each.value for each in page.text if "同桌" in each.value or "u2" in each.value)


def test_the_menu_finds_a_screen_as_it_was_left(chosen):
    page = screen("statistics", stat="win_rate", rules="classic")
    page.query_params.clear()
    page.switch_page("screens/hands.py").run()
    assert words(page) == {"lang": "zh", "rules": "classic"}
    page.query_params.clear()
    page.switch_page("screens/statistics.py").run()
    assert words(page) == {"lang": "zh", "rules": "classic", "stat": "win_rate"}


def test_a_way_to_somewhere_else_on_the_same_screen_is_written_into_the_address(chosen):
    page = screen("statistics", stat="win_rate", rules="classic")
    back = next(each for each in page.button if each.key.startswith("to-statistics"))
    back.click().run()
    assert words(page) == {"lang": "zh", "rules": "classic"}
    assert "胜率" in shown(page)
    page = screen("spots", foe="1", move="play-3")
    starter = next(each for each in page.button if each.key.startswith("to-spots"))
    starter.click().run()
    assert words(page) == {"lang": "zh", "role": "landlord", "turn": "lead", "own": "17+"}


def test_hands_with_somebody_need_a_player_with_whom(chosen):
    page = screen("hands", other="u2", side="mate")
    assert "共 3 局" in shown(page)
    assert not any("u2" in each.value for each in page.text)


def test_a_filter_that_leaves_nothing_can_be_dropped(chosen):
    page = screen("hands", player="u1", table="=t")
    assert "一局也没有" in shown(page)
    page.button(key="without-table").click().run()
    assert "共 2 局" in shown(page)
    assert words(page) == {"lang": "zh", "player": "u1"}


def ways(page: AppTest, stat: str) -> list[dict[str, str]]:
    """The words of the links of a table to the hands of a statistic."""
    found = re.findall(r'href="hands\?([^"]*)"', shown(page))
    each = [dict(parse_qsl(html.unescape(query))) for query in found]
    return [told for told in each if told.get("stat") == stat]


def test_a_row_of_a_table_leads_to_its_hands_and_no_others(chosen):
    """Two clean hands, both bid 3: of each the bid, the strength and what was led are told."""
    of_bid = {"lang": "zh", "rules": "classic", "stat": "landlord_win_rate"}
    assert ways(app("overview"), "landlord_win_rate") == [of_bid | {"bid": "3"}]
    page = screen("hands", **of_bid, bid="3")
    assert "共 2 局" in shown(page)
    assert "叫分: 3" in shown(page)
    assert offered(screen("hands", **of_bid, bid="2")) == {"rules": "去掉“规则”：0 局", "bid": "去掉“叫分”：2 局"}
    table = screen("statistics", stat="lead_types")
    led = [told for told in ways(table, "lead_types") if told["reading"] == "rocket"]
    assert [told["role"] for told in led] == ["landlord"]
    assert "共 2 局" in shown(screen("hands", **led[0]))
    assert offered(screen("hands", **led[0] | {"role": "farmer"}))["role"] == "去掉“角色”：2 局"


def test_filters_that_a_statistic_does_not_have_narrow_none_of_its_hands(chosen):
    page = screen("hands", stat="landlord_win_rate", bid="3", player="u4")
    assert "共 2 局" in shown(page)
    assert "本页不按此筛选：玩家" in shown(page)


def test_a_row_whose_hands_cannot_be_told_leads_nowhere(chosen):
    assert ways(screen("statistics", stat="words_by_standing"), "words_by_standing")
    unlinked = shown(screen("statistics", stat="tilt", player="u2"))
    assert 'href="hands' not in unlinked
    row = pd.Series({"rules": None, "hands": 3})
    assert links.behind(statistics()["lengths"], row) == ""


def test_a_share_leads_to_its_class(chosen):
    told = ways(screen("statistics", stat="first_words"), "first_words")
    assert [each["class"] for each in told] == ["3"]
    assert "共 2 局" in shown(screen("hands", **told[0]))
    assert offered(screen("hands", **told[0] | {"class": "-"}))["class"] == "去掉“表态”：2 个座次"


def test_an_entry_without_a_ruleset_leads_to_no_hands(chosen, tmp_path, monkeypatch):
    from ingest.load import load

    (tmp_path / "none.jsonl").write_bytes(lines(record(), {"players": []}))
    load([str(tmp_path / "none.jsonl")], tmp_path / "none")
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "none"))
    text = shown(app("overview"))
    assert "hands?lang=zh&amp;rules=classic" in text
    assert "rules=nan" not in text.lower()
    assert "rules=None" not in text


def test_two_players_are_called_by_name_in_the_heads_of_their_columns(tmp_path, monkeypatch):
    from ingest.load import load

    named = [{"id": "u1", "name": "老王"}, {"id": "u2", "name": "小李"}, {"id": "u3", "name": "<b>"}]
    (tmp_path / "named.jsonl").write_bytes(lines(record() | {"players": named}))
    load([str(tmp_path / "named.jsonl")], tmp_path / "named")
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "named"))
    text = shown(screen("compare", player="u1", other="u3"))
    assert re.search(r"<th[^>]*>老王 \(u1\)</th><th[^>]*>&lt;b&gt; \(u3\)</th>", text)


def offered(page: AppTest) -> dict[str, str]:
    """The buttons of an empty screen, by the word that each drops, and what each says."""
    told = {str(each.key).removeprefix("without-"): each.label for each in page.button if "without" in str(each.key)}
    assert "一局也没有" in shown(page) or "一个也没有" in shown(page) or "一条也没有" in shown(page)
    return told


def test_what_narrows_a_list_of_hands_can_be_dropped_with_what_the_list_then_has(chosen):
    page = screen("hands", verdict="clean", code="S603", tag="a[b]=x")
    assert offered(page) == {
        "tag": "去掉“标签”：0 局",
        "verdict": "去掉“结论”：0 局",
        "code": "去掉“代码”：0 局",
        "all": "清除筛选",
    }
    page.button(key="without-all").click().run()
    assert words(page) == {"lang": "zh"}
    page = screen("hands", verdict="clean", code="S603")
    assert offered(page) == {"verdict": "去掉“结论”：1 局", "code": "去掉“代码”：2 局"}
    page.button(key="without-verdict").click().run()
    assert "共 1 局" in shown(page)
    assert offered(screen("hands", tag="no=1")) == {"tag": "去掉“标签”：3 局"}


def test_a_group_that_is_none_can_be_dropped(chosen):
    page = screen("hands", stat="win_rate", by="day", group="hello", part="yes")
    assert offered(page) == {"group": "去掉“日”：2 个座次", "part": "去掉“计入”：0 个座次"}


def test_the_overview_offers_as_many_entries_as_it_counts(chosen):
    assert figures(app("overview"))[0] == "3"
    assert offered(screen("overview", since="2030-01-01")) == {"since": "去掉“起始日”：3 条记录"}


def test_a_ruleset_that_a_screen_chose_is_no_filter(tmp_path, monkeypatch):
    from ingest.load import load

    (tmp_path / "faulty.jsonl").write_bytes(lines(record(claim={"scores": [3, -1, -2]})))
    load([str(tmp_path / "faulty.jsonl")], tmp_path / "faulty")
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "faulty"))
    page = app("strategy")
    assert TEXTS["filter.none"][0] in shown(page)
    assert not [each for each in page.button if "without" in str(each.key)]
    assert offered(screen("strategy", player="u1")) == {"player": "去掉“玩家”：0 局", "all": "清除筛选"}


def test_hands_behind_a_number_have_an_address(chosen):
    page = screen("hands", stat="win_rate", by="role", group="landlord", part="yes")
    text = shown(page)
    assert "共 2 局" in text
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    assert "hand?" in text


def test_a_hand_has_an_address(chosen):
    assert "得分推导" in shown(screen("hand", hand="1"))
    for wrong in ("", "x", "-1", "99", "9" * 30):
        assert "没有这一局" in shown(screen("hand", hand=wrong))


def test_totals_are_the_same_on_every_screen(chosen):
    assert figures(app("overview"))[0] == "3"
    assert "共 3 局" in shown(screen("hands"))


# --- sentences


def test_every_sentence_that_is_said_is_there():
    source = "\n".join(path.read_text("utf-8") for path in APP.parent.rglob("*.py"))
    said = set(re.findall(r'\bsay\(\s*"([a-z_.0-9]+)"', source))
    assert said - TEXTS.keys() == set()
    assert len(said) > 100
