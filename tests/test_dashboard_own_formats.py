"""Formats of people's own in the dashboard: a mapping uploaded beside the log reads it as the command line does."""

import pytest
from streamlit.testing.v1 import AppTest
from test_dashboard import app, shown
from test_own_formats import EXAMPLES, run

from dashboard import export, own_formats
from dashboard.shelf import Gone, Shelf, Way, shelf, way_of
from ingest.logs import BadMapping

HOSTILE = '[source]\nkind = "csv"\n"<b>x</b>$x$:red[y]" = 1\n'


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    monkeypatch.delenv("FUPAN_STORE", raising=False)


def uploaded(page: AppTest, key: str, name: str, content: bytes | None = None) -> AppTest:
    content = (EXAMPLES / name).read_bytes() if content is None else content
    page.file_uploader(key=key).upload(name, content).run()
    return page


def word(page: AppTest, key: str) -> str:
    return "".join(page.query_params.get(key, []))


@pytest.mark.parametrize(("log", "mapping"), [("moves.csv", "moves.toml"), ("rounds.json", "rounds.toml")])
def test_a_log_is_read_with_an_uploaded_mapping_as_by_the_command_line(log, mapping, tmp_path, monkeypatch):
    page = uploaded(uploaded(app("audit"), "file", log), "mapping", mapping)
    assert f"文件：{log} · {mapping}" in shown(page)
    audit = shelf().audit(shelf().get(word(page, "log")), way_of("", word(page, "as")))
    monkeypatch.chdir(EXAMPLES)
    run("audit", log, "--format", mapping, "--json", "--lang", "zh", "--out", str(tmp_path / "verdicts"))
    assert export.json_lines(audit.verdicts, "zh") == (tmp_path / "verdicts").read_bytes() != b""
    assert {verdict.verdict for verdict in audit.verdicts} == {"clean"}
    assert audit.hand(1).verdict == audit.verdicts[1]


def test_a_mapping_is_remembered_for_the_session_and_by_an_address_and_its_hands_have_pages():
    page = uploaded(uploaded(app("audit"), "file", "moves.csv"), "mapping", "moves.toml")
    words = {key: word(page, key) for key in ("log", "as")}
    page.switch_page("screens/rules.py").run()
    page.switch_page("screens/audit.py").run()
    assert page.selectbox(key="at-audit-as").value == words["as"]
    assert "moves.toml" in page.selectbox(key="at-audit-as").options
    other = app("hand")
    other.query_params.update(words | {"place": "1"})
    assert "得分推导" in shown(other.run())
    other = app("audit")
    other.query_params.update(words)
    assert f"moves.toml ({words['as'][:6]})" in other.run().selectbox(key="at-audit-as").options


@pytest.mark.parametrize(
    ("language", "sentence"), [("zh", "格式描述文件有误，没有采用"), ("en", "mistakes and is not used")]
)
def test_mistakes_of_a_mapping_are_told_letter_for_letter_and_the_log_stays_as_it_was(language, sentence):
    page = uploaded(uploaded(app("audit", language), "file", "moves.csv"), "mapping", "<i>w</i>.toml", HOSTILE.encode())
    text = shown(page)
    assert sentence in text
    assert "&lt;i&gt;w&lt;/i&gt;.toml:3: source.&lt;b&gt;x&lt;/b&gt;$x$:red[y]: unknown key" in text
    assert "<b>x</b>" not in text
    assert "as" not in page.query_params
    assert sentence not in shown(uploaded(page, "mapping", "moves.toml"))


def test_a_mapping_that_is_too_large_is_refused_at_the_limit_that_is_named():
    page = app("audit", "en")
    assert "At most 256 KB." in shown(page)
    fits = (EXAMPLES / "moves.toml").read_bytes()
    fits += b"#" * (own_formats.LIMIT - len(fits))
    assert "larger than" in shown(uploaded(page, "mapping", "large.toml", fits + b"#"))
    assert "as" not in page.query_params
    assert "larger than" not in shown(uploaded(page, "mapping", "large.toml", fits))
    assert word(page, "as")


def test_a_mapping_that_was_mended_takes_the_place_of_the_one_before_and_can_be_taken_away():
    page = uploaded(app("audit"), "mapping", "moves.toml", (EXAMPLES / "rounds.toml").read_bytes())
    first = word(page, "as")
    uploaded(page, "mapping", "moves.toml")
    assert word(page, "as") not in ("", first)
    assert page.selectbox(key="at-audit-as").options.count("moves.toml") == 1
    page.file_uploader(key="mapping").set_value(None).run()
    assert "as" not in page.query_params
    assert "moves.toml" not in page.selectbox(key="at-audit-as").options


def test_a_mapping_that_is_gone_is_asked_for_again():
    page = uploaded(app("audit"), "file", "moves.csv")
    digest, log = "0" * 64, word(page, "log")
    for screen in ("audit", "hand"):
        asked = app(screen)
        asked.query_params.update({"log": log, "as": digest, "place": "1"})
        assert "已不在服务器上" in shown(asked.run())
    kept = Shelf()
    known = kept.put_mapping("m.toml", (EXAMPLES / "moves.toml").read_bytes())
    assert kept.format(Way(format=known)).name == "m.toml"
    with pytest.raises(Gone):
        kept.format(Way(format=digest))
    assert way_of("", "../x.toml").format is None


@pytest.mark.parametrize(
    "text",
    ["x=" + "[" * 60_000, "x=" + "9" * 10_000, "[tags]\nx" + ".a" * 5_000 + "=1", "x = " + "{a=" * 3_000, "\xff"],
)
def test_a_mapping_that_means_harm_has_mistakes_and_stops_nothing(text):
    with pytest.raises(BadMapping):
        Shelf().put_mapping("m.toml", text.encode("latin-1"))
