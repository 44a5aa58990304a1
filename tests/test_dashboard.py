"""The dashboard: its sentences, what it lets people take away, and every screen in Streamlit's own test runner."""

import csv
import gzip
import io
import json
import re
import shutil
import threading
from datetime import date
from pathlib import Path
from string import Formatter

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import export, markup, replay, report_page, roles
from dashboard import store as store_of_screens
from dashboard.shelf import Shelf, Way
from dashboard.text import READINGS, TEXTS
from dashboard.upload import Audit, Upload
from ingest.batch import Batch
from ingest.load import load
from ingest.logs import read
from ingest.record import READING_NAMES
from ingest.scenes import scenes

APP = Path(__file__).parents[1] / "dashboard" / "app.py"
HOSTILE = ("<b>x</b>", "$x$", "=1+1", ":red[x]", "a[b](c)", "🀄️", "-老王", "+小李", "@SUM(A1)", "不叫")
SUITS = "SHCD"


def record(name: str = "h1", *, players: tuple[str, str, str] = ("u1", "u2", "u3"), **changes: object) -> dict:
    """A hand of ``classic`` in which only the landlord plays: four bombs, the rocket of his bottom cards, and out."""
    landlord = "SJHJCJDJ SQHQCQDQ SKHKCKDK SAHACADA S2".replace(" ", "")
    first = "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7"
    second = "H7C7D7S8H8C8D8S9H9C9D9STHTCTDTH2C2"
    whole = {
        "id": name,
        "rules": "classic",
        "players": [{"id": ident, "name": ident} for ident in players],
        "hands": [landlord, first, second],
        "bottom": "D2BR",
        "auction": "0:3",
        "plays": " 1:- 2:- ".join(("0:SJHJCJDJ", "0:SQHQCQDQ", "0:SKHKCKDK", "0:SAHACADA", "0:BR", "0:S2D2")),
        "claim": {"landlord": 0, "winners": [0], "scores": [192, -96, -96]},
    }
    return whole | changes


def log(*records: dict) -> bytes:
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in records).encode() + b"\n"


LOG = log(
    record(),
    record("h2", at="2026-05-01T20:00:00+08:00", claim={"scores": [3, -1, -2]}, players=("u1", "u2", "u9")),
    {"players": []},
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "log.jsonl").write_bytes(LOG)
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


@pytest.fixture
def store(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of two hands and one line that is none, which stays as it is."""
    monkeypatch.setenv("FUPAN_STORE", str(loaded))
    return loaded


@pytest.fixture
def growing(loaded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, for more to be loaded into."""
    folder = tmp_path / "store"
    shutil.copytree(loaded, folder)
    monkeypatch.setenv("FUPAN_STORE", str(folder))
    return folder


def app(screen: str = "audit", language: str = "zh") -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.query_params["lang"] = language
    return page.switch_page(f"screens/{screen}.py").run()


def shown(page: AppTest) -> str:
    """Everything that a screen shows as text."""
    assert not page.exception, page.exception
    kinds = ("title", "subheader", "markdown", "caption", "text", "html", "metric", "success", "selectbox", "code")
    parts = [
        str(element.proto) if kind == "metric" else f"{element.value}" for kind in kinds for element in page.get(kind)
    ]
    text = "\n".join(parts)
    assert TEXTS["broken"][0] not in text
    assert TEXTS["broken"][1] not in text
    return text


# --- sentences


@pytest.mark.parametrize("key", TEXTS)
def test_every_sentence_is_said_in_both_languages_with_the_same_details(key):
    chinese, english = TEXTS[key]
    assert chinese.strip()
    assert english.strip()
    assert placeholders(chinese) == placeholders(english)


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_combination_has_a_name():
    assert set(READINGS) == READING_NAMES


# --- what people take away


def test_csv_runs_no_formula_and_keeps_numbers_and_gives_names_back():
    """H-38."""
    names = ["=1+1", "@SUM(A1)", "-老王", "+小李", "'=x", "\tx", "007", "plain"]
    frame = pd.DataFrame({"player": names, "score": [-24, 12, 12, 0, 1, 2, 3, 4]})
    text = export.csv_of(frame).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["player"][0] for row in rows[:6]] == ["'"] * 6
    assert [int(row["score"]) for row in rows] == [-24, 12, 12, 0, 1, 2, 3, 4]
    read_back = [
        row["player"][1:] if export.protected(row["player"]) != row["player"] else row["player"] for row in rows
    ]
    assert read_back == names


def test_missing_numbers_stay_whole_numbers_in_csv():
    verdicts = Audit(Upload("log.jsonl", LOG)).verdicts
    rows = list(csv.DictReader(io.StringIO(export.csv_of(export.report(verdicts, "zh")).decode("utf-8-sig"))))
    assert [row["score_0"] for row in rows] == ["192", "192", ""]
    assert [row["score_1"] for row in rows] == ["-96", "-96", ""]


def test_plain_text_is_shown_letter_for_letter():
    assert markup.plain("<b>&") == "&lt;b&gt;&amp;"
    assert markup.faces("<b>") == "&lt;b&gt;"
    assert "fp-red" in markup.faces("H3")


# --- every screen, in both languages


SCREENS = tuple(sorted(path.stem for path in (APP.parent / "screens").glob("[a-z]*.py")))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("screen", SCREENS)
def test_screen_on_a_small_store(screen, language, store):
    assert shown(app(screen, language))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty") / "store"
    load([], folder)
    return folder


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_on_an_empty_store(screen, empty, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(empty))
    assert shown(app(screen))


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_on_a_missing_store(screen, tmp_path, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "nowhere"))
    assert shown(app(screen))


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_without_a_store(screen, monkeypatch):
    monkeypatch.delenv("FUPAN_STORE", raising=False)
    assert shown(app(screen))


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_on_a_folder_that_is_no_store(screen, tmp_path, monkeypatch):
    (tmp_path / "manifest.json").write_text("{}")
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path))
    assert shown(app(screen))


def test_language_is_switched_and_kept_across_pages(store):
    page = app("audit")
    assert "上传复盘" in shown(page)
    page.segmented_control(key="lang").set_value("en").run()
    assert "Audit a log" in shown(page)
    page.switch_page("screens/overview.py").run()
    assert "Overview" in shown(page)


def test_hands_that_are_added_are_seen_at_once_on_every_screen(growing, tmp_path):
    """H-37: nothing remembered outlives what it was counted from."""
    overview, findings = app("overview"), app("findings")
    assert figures(overview) == ["3", "1", "1", "1"]
    (tmp_path / "more.jsonl").write_bytes(log(record("h3", players=("a", "b", "c")), {"players": []}))
    load([str(tmp_path / "more.jsonl")], growing)
    assert figures(overview.run()) == ["5", "2", "1", "2"]
    assert "共 3 条" in shown(findings.run())


def at_words(screen: str, **words: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.query_params.update(words | {"lang": "zh"})
    return page.switch_page(f"screens/{screen}.py").run()


def test_a_total_is_the_same_number_on_every_screen_before_and_after_a_load(growing, tmp_path):
    """H-37: 24 points are lost, and both screens say so without a restart."""
    player = at_words("player", player="u2", rules="classic")
    table = at_words("statistics", stat="score_per_player", player="u2", rules="classic")
    assert [_total(shown(player)), _total(shown(table))] == ["-96", "-96"]
    plays = " 1:- 2:- ".join("0:SJHJCJDJ 0:SQHQCQDQ 0:SKHKCKDK 0:SAHACAS2 0:DA 0:D2 0:B 0:R".split())
    lost = record("lost", players=("x", "u2", "y"), plays=plays, claim={"scores": [48, -24, -24]})
    (tmp_path / "more.jsonl").write_bytes(log(lost))
    load([str(tmp_path / "more.jsonl")], growing)
    assert [_total(shown(player.run())), _total(shown(table.run()))] == ["-120", "-120"]


def _total(text: str) -> str:
    """The total of a player's scores, on a card or in a table."""
    return re.search(r"合计 (\S+)|<td class=\"n\"[^>]*>([-−]\d+)<", text).expand(r"\1\2").replace("−", "-")


def test_a_load_that_commits_in_between_is_not_seen_before_the_next_run(growing, tmp_path, monkeypatch):
    """Issue 7: whole or not at all. The first question of a run is followed by a load, the others are not."""
    (tmp_path / "more.jsonl").write_bytes(log(record("h3", players=("a", "b", "c"))))
    asked, answers = store_of_screens.ask, []

    def ask(*question, **more):
        answers.append(asked(*question, **more))
        if len(answers) == 1:
            load([str(tmp_path / "more.jsonl")], growing)
        return answers[-1]

    monkeypatch.setattr(store_of_screens, "ask", ask)
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.query_params["lang"] = "zh"
    assert "全部记录中无日期 2 条。 数据版本 1" in shown(page.run())
    assert figures(page) == ["3", "1", "1", "1"]
    assert len(answers) > 5
    assert "全部记录中无日期 3 条。 数据版本 2" in shown(page.run())
    assert figures(page) == ["4", "2", "1", "1"]


def test_undated_hands_are_counted_where_they_can_be_seen(store):
    """H-33."""
    page = app("overview")
    assert "全部记录中无日期 2 条" in shown(page)
    page.date_input(key="at-since").set_value(date(2026, 5, 1)).run()
    page.date_input(key="at-until").set_value(date(2026, 5, 1)).run()
    assert figures(page) == ["1", "0", "1", "0"]
    assert "另有 2 条没有日期" in shown(page)


def test_one_ruleset_can_be_looked_at(store):
    page = app("overview")
    page.selectbox(key="at-rules").set_value("classic").run()
    assert figures(page) == ["2", "1", "1", "0"]


def test_findings_are_narrowed_and_their_records_audited_again(store):
    page = app("findings")
    page.multiselect(key="at-findings-codes").set_value(["S603"]).run()
    text = shown(page)
    assert "共 1 条" in text
    assert "h2" in text
    assert "得分推导" in text
    page.text_input(key="at-findings-source").set_value("nowhere").run()
    assert "没有符合条件的问题" in shown(page)


def test_findings_are_of_the_hands_that_pass_the_filters(store):
    """One hand of u9 in May has a wrong score; a filter that leaves nothing is named with the findings without it."""
    everything = int(re.search(r"共 (\d+) 条", shown(at_words("findings")))[1])
    of_one = at_words("findings", player="u9")
    assert "共 1 条" in shown(of_one)
    assert everything > 1
    assert "共 1 条" in shown(at_words("findings", since="2026-05-01", until="2026-05-01"))
    nothing = at_words("findings", player="u9", since="2026-12-01", codes="S603")
    assert "没有符合条件的问题" in shown(nothing)
    offered = {each.key: each.label for each in nothing.button if "without" in str(each.key)}
    assert offered == {
        "without-player": "去掉“玩家”：0 条",
        "without-since": "去掉“起始日”：1 条",
        "without-codes": "去掉“代码”：0 条",
    }
    nothing.button(key="without-since").click().run()
    assert "共 1 条" in shown(nothing)


def test_findings_say_which_way_they_are_narrowed(store):
    """The days of the overview go along to the findings."""
    assert "没有符合条件的问题" in shown(at_words("findings", since="2026-12-01"))


# --- uploading


def uploaded(content: bytes = LOG, name: str = "log.jsonl", language: str = "zh") -> AppTest:
    page = app("audit", language)
    page.file_uploader(key="file").upload(name, content).run()
    return page


def figures(page: AppTest) -> list[str]:
    return [metric.value for metric in page.metric]


def rows_of(page: AppTest) -> list[str]:
    """The codes of the hands in the table."""
    return page.dataframe[0].value["代码"].tolist()


def at(page: AppTest, place: int) -> AppTest:
    """The page of a hand of the log."""
    words = page.query_params
    hand = app("hand")
    for key in ("log", "under", "as"):
        if words.get(key):
            hand.query_params[key] = words[key]
    hand.query_params["place"] = str(place)
    return hand.run()


NAMED = (
    log(
        record("zq-id", players=("zq-one", "zq-two", "zq-three"), tags={"zq-key": "zq-tag"}, table="zq-table"),
        record("zq-other", players=("zq-one", "zq-two", "zq-three"), **{"zq-field": 1}),
        record("zq-id", players=("zq-one", "zq-four", "zq-three")),
        record("zq-law", rules="zq-rules"),
        record("zq-cards", plays="0:zq"),
        record("zq-type", base="zq-base"),
        record("zq-end", end="zq-end"),
        record("zq-word", auction="0:zqword"),
        record("zq-call", auction="zqname:3"),
        record("zq-bottom", bottom="zqb"),
        record("zq-hands", hands=["zqx", "S3", None]),
    )
    + b'"zq'
)
"""Hands whose every word by which somebody may be known begins with ``zq``."""


def drawn(page: AppTest) -> str:
    """All that a page is made of, what it hides too."""
    assert not page.exception, page.exception
    protos = (getattr(node, "proto", None) for node in page._tree)
    return b"\n".join(each.SerializeToString() for each in protos if each is not None).decode(errors="replace")


@pytest.mark.parametrize("place", range(1, 13))
def test_a_masked_hand_names_nobody_and_neither_file_nor_id(place, store):
    page = at(uploaded(NAMED, "zq-file.jsonl"), place)
    assert "zq" in drawn(page)
    page.query_params["mask"] = "1"
    page.query_params |= {"player": "zq-one", "tag": "zq-key=zq-tag", "table": "zq-table"}
    masked = page.run()
    assert "zq" not in drawn(masked)
    assert "zq" not in str(masked.query_params)


def test_the_neighbours_of_a_masked_hand_are_masked_and_seen_from_the_same_seat(store):
    page = at(uploaded(NAMED, "zq-file.jsonl"), 1)
    page.query_params |= {"mask": "1", "seat": "2"}
    ways = [each for each in page.run().button if each.key.startswith("to-hand") and not each.disabled]
    assert len(ways) == 2  # the next, and the next with a finding
    for way in ways:
        page.query_params |= {"mask": "1", "seat": "2", "place": "1"}
        next_to = page.run().button(key=way.key).click().run()
        assert next_to.query_params | {"mask": "1", "seat": "2", "place": "2"} == next_to.query_params
        assert "zq" not in drawn(next_to)


def test_an_uploaded_log_is_audited(store):
    page = uploaded()
    assert figures(page) == ["3", "1", "1", "1"]
    assert rows_of(page) == ["", "S603", "R102"]
    text = shown(at(page, 2))
    assert "S603" in text
    assert "得分推导" in text


AT = {"A305": "a1", "A306": "a1", "A309": "a3", "A310": "a4", "P407": "3", "T509": "bottom", "T510": "bottom"}
"""Where what is about no single move is jumped to; the deal's at the deal, all others at the end of the hand."""


def test_every_finding_of_a_hand_is_marked_in_its_replay(broken_case, tmp_path):
    code, broken, own = broken_case["code"], broken_case["broken"], tmp_path / "own.toml"
    own.write_text(broken_case.get("rules", ""))
    with Batch(str(own) if "rules" in broken_case else None) as batch:
        *_, audited = batch.audit(read(["-"], stdin=io.BytesIO("\n".join(broken["lines"]).encode())))
    found = [] if audited.hand is None else scenes(audited.hand)
    if broken["phase"] == "record" or not found:
        return
    marked = {}
    for scene in replay.told(audited, audited.hand, found)["scenes"]:
        marked |= {each["code"]: scene["key"] for each in scene["findings"]}
    last = replay.key_of(found[-1].phase, found[-1].index)
    if broken.get("index") is None:
        assert marked[code] == ("deal" if broken["phase"] == "deal" else AT.get(code, last))
    else:
        assert marked[code] == replay.key_of(broken["phase"], broken["index"])


def test_the_score_is_derived_factor_by_factor(store):
    text = shown(at(uploaded(log(record())), 1))
    for part in ("底分", "叫分", "炸弹(4)", "火箭(1)", "96"):
        assert part in text


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"PK\x03\x04broken", b"\x1f\x8bbroken", "你好".encode("gb18030")]
)
def test_what_cannot_be_read_is_a_finding_not_a_traceback(content, store):
    page = uploaded(content, "x.bin")
    assert figures(page) == ["1", "0", "0", "1"]
    assert rows_of(page)[0].startswith("R11")
    assert "R11" in shown(at(page, 1))


def test_a_compressed_log_is_audited(store):
    assert figures(uploaded(gzip.compress(LOG), "log.jsonl.gz")) == ["3", "1", "1", "1"]


def test_an_upload_is_audited_once_whoever_uploads_it(store, monkeypatch):
    """H-36."""
    page = uploaded()
    calls = []
    monkeypatch.setattr("dashboard.upload.Batch.audit", lambda *_: calls.append(1) or iter(()))
    page.text_input(key="at-audit-find").set_value("h").run()
    page.selectbox(key="at-audit-verdict").set_value("faulty").run()
    page.segmented_control(key="lang").set_value("en").run()
    page.switch_page("screens/overview.py").run()
    page.switch_page("screens/audit.py").run()
    assert figures(page) == ["3", "1", "1", "1"]
    assert figures(uploaded()) == ["3", "1", "1", "1"]
    again = app("audit")
    again.query_params["log"] = page.query_params["log"]
    assert figures(again.run()) == ["3", "1", "1", "1"]
    assert calls == []


def test_a_log_is_kept_once_whatever_is_clicked_and_the_next_is_added(tmp_path, monkeypatch):
    """H-36: three hands, then five."""
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "new"))
    page = uploaded(log(record("a"), record("b", players=("a", "b", "c")), record("c", players=("d", "e", "f"))))
    page.button(key="keep").click().run()
    for verdict in ("clean", "", "faulty", "clean", ""):
        page.selectbox(key="at-audit-verdict").set_value(verdict).run()
    page.switch_page("screens/overview.py").run()
    assert figures(page)[0] == "3"
    page.switch_page("screens/audit.py").run()
    more = log(record("d", players=("g", "h", "i")), record("e", players=("j", "k", "l")))
    page.file_uploader(key="file").clear().upload("more.jsonl", more).run()
    page.button(key="keep").click().run()
    page.switch_page("screens/overview.py").run()
    assert figures(page)[0] == "5"


def test_another_log_takes_the_place_of_the_first(store):
    """H-36."""
    page = uploaded()
    page.selectbox(key="at-audit-verdict").set_value("faulty").run()
    page.file_uploader(key="file").clear().upload("other.jsonl", log(record("x1"), record("x2"))).run()
    assert figures(page) == ["2", "2", "0", "0"]
    assert "verdict" not in page.query_params


def test_a_log_that_is_forgotten_is_gone_for_everybody(store):
    page = uploaded(log(record("gone")))
    other = app("audit")
    other.query_params["log"] = page.query_params["log"]
    assert figures(other.run()) == ["1", "1", "0", "0"]
    page.button(key="forget").click().run()
    assert figures(page) == []
    assert "已不在服务器上" in shown(other.run())


def test_a_log_of_two_people_stays_with_the_one_who_does_not_forget_it(store):
    one, other = uploaded(log(record("both"))), uploaded(log(record("both")))
    other.button(key="forget").click().run()
    assert "你上传的这份牌谱已从服务器上删去" in shown(other)
    one.text_input(key="at-audit-find").set_value("both").run()
    assert (figures(one), rows_of(one)) == (["1", "1", "0", "0"], [""])
    other.query_params["log"] = one.query_params["log"]
    assert "已不在服务器上" in shown(other.run())
    one.button(key="forget").click().run()
    assert figures(one) == []
    one.query_params["log"] = other.query_params["log"]
    assert "已不在服务器上" in shown(one.run())


def test_the_box_of_a_log_that_is_forgotten_is_empty_and_takes_the_next(store):
    page = uploaded(log(record("gone")))
    page.button(key="forget").click().run()
    (box, _) = page.file_uploader
    assert (box.key, box.value) == ("file-1", None)
    box.upload("log.jsonl", log(record("gone"))).run()
    assert figures(page) == ["1", "1", "0", "0"]
    assert page.file_uploader(key="file-1").value.name == "log.jsonl"


def test_who_came_by_its_address_does_not_take_a_log_off_the_server(store):
    page = uploaded(log(record("mine")))
    other = app("audit")
    other.query_params["log"] = page.query_params["log"]
    assert other.run().button(key="forget").disabled
    assert not page.button(key="forget").disabled


def test_filters_narrow_the_verdicts(store):
    page = uploaded()
    page.selectbox(key="at-audit-verdict").set_value("faulty").run()
    assert rows_of(page) == ["S603"]
    page.selectbox(key="at-audit-verdict").set_value("").run()
    page.text_input(key="at-audit-who").set_value("U9").run()
    assert rows_of(page) == ["S603"]
    page.text_input(key="at-audit-find").set_value("nobody").run()
    assert "没有符合条件的牌局" in shown(page)


def test_rules_can_be_chosen(store):
    nameless = record()
    del nameless["rules"]
    page = uploaded(log(nameless))
    assert figures(page) == ["1", "0", "0", "1"]
    page.selectbox(key="at-audit-under").set_value("classic").run()
    assert figures(page) == ["1", "1", "0", "0"]
    assert "没有发现问题" in shown(at(page, 1))


def test_an_address_opens_no_file_of_the_server(store, tmp_path):
    page = uploaded()
    (tmp_path / "own.toml").write_text('name = "own"\nextends = "classic"\n')
    for key in ("under", "as"):
        page.query_params[key] = str(tmp_path / "own.toml")
    assert figures(page.run()) == ["3", "1", "1", "1"]
    assert "S603" in shown(at(page, 2))


def test_hands_are_kept_once(tmp_path, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "new"))
    page = uploaded()
    page.button(key="keep").click().run()
    assert [each.value for each in page.warning] == ["读取 3 条：新存入 2、无法读取 1。"]
    page.button(key="keep").click().run()
    assert [each.value for each in page.success] == ["读取 3 条：新存入 0、以前存过 3。"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_letter_for_letter(name, store):
    page = uploaded(log(record(name, players=(name, "u2", "u3"))), f"{name}.jsonl".replace("/", "_"))
    hand = at(page, 1)
    for each in (page, hand):
        assert not each.exception
        kinds = ("markdown", "caption", "success", "title", "subheader")
        told = [element.value for kind in kinds for element in each.get(kind)]
        assert not any(name in str(part) for part in told)
    assert any(markup.plain(name) in element.value for element in hand.html)
    assert name in page.dataframe[0].value.to_numpy().ravel().tolist()


# --- reports


def test_the_report_is_one_page_that_runs_nothing():
    upload = Upload("<b>x</b>.jsonl", log(record("<script>alert(1)</script>", claim={"scores": [1, -1, 0]})))
    page = report_page.html(Audit(upload), "zh").decode()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "default-src 'none'" in page
    assert "S603" in page
    assert not re.search(r"(?:src|href)=", page)


@pytest.mark.parametrize(("language", "word"), [("zh", "地主胜"), ("en", "landlord wins")])
def test_the_report_is_in_the_language_that_was_asked_for(language, word):
    noted = record(claim={"scores": [1, -1, 0]})
    assert word in report_page.html(Audit(Upload("x.jsonl", log(noted))), language).decode()


def test_the_report_in_parquet_has_names_letter_for_letter_and_numbers():
    frame = export.report(Audit(Upload("log.jsonl", log(record("=1+1")))).verdicts, "zh")
    read = pd.read_parquet(io.BytesIO(export.parquet_of(frame)))
    assert (read["id"][0], int(read["score_1"][0])) == ("=1+1", -96)


# --- the shelf


def test_two_people_get_one_audit_of_one_log():
    kept = Shelf()
    first, second = kept.put("a.jsonl", LOG), kept.put("a.jsonl", LOG)
    assert first is second
    audits: list[Audit] = []
    threads = [threading.Thread(target=lambda: audits.append(kept.audit(first, Way()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(audit) for audit in audits}) == 1
    assert kept.put("b.jsonl", LOG) is not first


@pytest.mark.parametrize(
    ("rules", "landlord", "farmer"),
    [("classic", "地主", "农民"), ("emperor", "帝主", "起义军"), ("sandaha", "庄家", "闲家"), (None, "地主", "农民")],
)
def test_roles_and_outcomes_are_called_what_their_game_calls_them(rules, landlord, farmer, monkeypatch):
    monkeypatch.setattr(roles, "language", lambda: "zh")
    monkeypatch.setattr("dashboard.text.language", lambda: "zh")
    assert (roles.role("landlord", rules), roles.role("farmer", rules)) == (landlord, farmer)
    assert (roles.outcome("landlord", rules), roles.outcome("farmers", rules)) == (f"{landlord}胜", f"{farmer}胜")
    assert roles.outcome("void", rules) == "荒牌"
