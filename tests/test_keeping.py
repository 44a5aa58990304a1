"""Keeping uploaded logs in the store: what is said of it, what is refused, and what is asked where names are alike."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from test_dashboard import app, log, record, shown

from analysis.warehouse import Warehouse
from dashboard.upload import Audit, Upload
from ingest.load import load_audited
from ingest.load.naming import Name, name_for, numbered

NAME = "牌谱 <b>$x$</b>.jsonl"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FUPAN_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def hands(who: str, count: int = 4) -> bytes:
    """A log of hands that are told by their players, under ids that any log may have."""
    return log(*(record(f"game-{n}", players=(f"{who}{n}", f"{who}x", f"{who}y")) for n in range(count)))


def kept(content: bytes, name: str = NAME, language: str = "zh") -> AppTest:
    """A page on which somebody uploaded a log and pressed the button."""
    page = app("audit", language)
    page.file_uploader(key="file").upload(name, content).run()
    return press(page, "keep")


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def told(page: AppTest) -> list[str]:
    """What is said of it, good or bad."""
    shown(page)
    return [element.value for kind in ("success", "warning") for element in page.get(kind)]


def rows(store: Path) -> list[tuple]:
    """Every hand of the store that counts: its file, id, verdict and first player."""
    with Warehouse(store) as warehouse:
        found = warehouse.query(
            "SELECT h.source, h.id, h.verdict, s.player FROM hands h JOIN seats s ON s.hand = h.hand AND s.seat = 0 "
            "ORDER BY h.hand"
        )
    return [*found.itertuples(index=False, name=None)]


def is_asked(page: AppTest) -> bool:
    return any(button.key == "keep-other" for button in page.button)


# --- two logs of one name


def test_another_log_of_the_same_name_is_kept_only_after_a_question(store):
    kept(hands("A"))
    before = rows(store)
    page = kept(hands("B"))
    assert is_asked(page)
    assert "4 个局号" in shown(page)
    assert "牌谱 &lt;b&gt;$x$&lt;/b&gt; (2).jsonl" in shown(page)
    assert told(page) == []
    assert rows(store) == before
    press(page, "keep-leave")
    assert not is_asked(page)
    assert rows(store) == before


def test_it_is_kept_as_another_log_and_known_as_that_one_again(store):
    kept(hands("A"))
    page = press(kept(hands("B")), "keep-other")
    assert told(page) == ["读取 4 条：新存入 4。"]
    assert not is_asked(page)
    other = "牌谱 <b>$x$</b> (2).jsonl"
    assert rows(store) == [
        (name, f"game-{n}", "clean", f"{who}{n}") for name, who in ((NAME, "A"), (other, "B")) for n in range(4)
    ]
    for who, count in (("B", 4), ("A", 4)):
        page = kept(hands(who))
        assert not is_asked(page)
        assert told(page) == [f"读取 {count} 条：新存入 0、以前存过 {count}。"]
    assert told(kept(hands("B", 5))) == ["读取 5 条：新存入 1、以前存过 4。"]
    assert is_asked(kept(hands("C")))
    assert name_for(store, NAME, Audit(Upload(NAME, hands("C"))).hands()).name == "牌谱 <b>$x$</b> (3).jsonl"
    assert len(rows(store)) == 9


def test_a_corrected_log_takes_the_place_of_the_first(store):
    kept(hands("A"))
    corrected = hands("A", 3) + log(record("game-3", players=("new", "Ax", "Ay")))
    page = kept(corrected, language="en")
    assert "in a log of the same name: 1. " in shown(page)
    page = press(page, "keep-replace")
    assert told(page) == ["Read 4: 1 kept, 3 kept before, 1 replaced."]
    assert [row[3] for row in rows(store)] == ["A0", "A1", "A2", "new"]
    assert told(kept(corrected)) == ["读取 4 条：新存入 0、以前存过 4。"]


def test_a_corrected_log_that_was_kept_under_another_name_takes_nobody_elses_place(store):
    kept(hands("A"))
    press(kept(hands("B")), "keep-other")
    press(kept(hands("C")), "keep-other")
    corrected = hands("B", 3) + log(record("game-3", players=("new", "Bx", "By")))
    page = kept(corrected)
    assert name_for(store, NAME, Audit(Upload(NAME, corrected)).hands()).corrects == "牌谱 <b>$x$</b> (2).jsonl"
    page = press(page, "keep-replace")
    assert told(page) == ["读取 4 条：新存入 1、以前存过 3、取代旧局 1。"]
    assert sorted(row[3] for row in rows(store)) == sorted(
        [*(f"{who}{n}" for who in "AC" for n in range(4)), "B0", "B1", "B2", "new"]
    )


def test_the_question_is_about_the_log_that_is_shown(store):
    kept(hands("A"))
    page = kept(hands("B"))
    page.file_uploader(key="file").clear().upload("other.jsonl", hands("C")).run()
    assert not is_asked(page)
    assert told(press(page, "keep")) == ["读取 4 条：新存入 4。"]


def test_what_clashes_after_all_is_never_said_to_be_good(store, monkeypatch):
    """Somebody else keeps his log between the look and the load."""
    kept(hands("A"))
    monkeypatch.setattr("dashboard.store.name_for", lambda name, _: Name(name, name))
    page = kept(hands("B"))
    assert [each.value for each in page.warning] == ["读取 4 条：新存入 0、局号在库中是另一局而未收 4。"]
    assert "R109" in shown(page)
    assert not page.success


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("log.jsonl", "log (2).jsonl"),
        ("a.b.jsonl.GZ", "a.b (2).jsonl.GZ"),
        ("a.zip", "a (2).zip"),
        ("a.zst", "a (2).zst"),
        ("log", "log (2)"),
        ("", " (2)"),
        (".jsonl", ".jsonl (2)"),
    ],
)
def test_a_numbered_name_is_of_the_same_kind(name, other):
    assert numbered(name, 2) == other


def test_a_free_name_is_nobodys_also_where_ids_do_not_clash(store):
    """Whatever else is in the store under that name, packed or not, as a file or as an archive."""
    kept(hands("A"), "a.zip")
    for name in ("a (2).zip", "a (3).zip/inner.jsonl"):
        load_audited(Upload(name, log(record(f"own-{name}", players=(name, "v", "w")))).audited(None), store)
    assert name_for(store, "a.zip", Audit(Upload("a.zip", hands("B"))).hands()) == Name("a (4).zip", "a.zip", 4)


def test_members_of_an_archive_are_told_by_their_own_names(store):
    def packed(who: str) -> bytes:
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            for part in "12":
                archive.writestr(f"{part}.jsonl", hands(who + part, 2))
        return sink.getvalue()

    kept(packed("A"), "logs.zip")
    page = kept(packed("B"), "logs.zip")
    assert "4 个局号" in shown(page)
    press(page, "keep-other")
    assert [row[0] for row in rows(store)[4:]] == [f"logs (2).zip/{part}.jsonl" for part in "1122"]


# --- what is said


def test_hands_of_a_renamed_copy_are_hands_of_the_store(store):
    kept(hands("A"))
    page = kept(hands("A") + hands("A", 1), "copy.jsonl", "en")
    assert told(page) == [
        "Read 5: 0 kept, 1 repeat another of this log, 4 are hands that the store has from another log."
    ]
    assert shown(page).count("R108") == 4
    assert told(kept(hands("A") + hands("A", 1), "copy.jsonl")) == ["读取 5 条：新存入 0、以前存过 5。"]


def test_only_the_first_hands_are_named(store):
    kept(hands("A", 25))
    page = kept(hands("A", 25), "copy.jsonl")
    assert shown(page).count("R108") == 20
    assert "另有 5 条未列出" in shown(page)


def test_it_is_counted_as_the_command_line_counts(store, tmp_path, monkeypatch, commanded):
    content = hands("A") + b'{"id": 1}\nnothing\n' + hands("A", 1)
    assert told(kept(content, language="en")) == ["Read 7: 4 kept, 2 unreadable, 1 repeat another of this log."]
    (tmp_path / "log.jsonl").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    _, said, _ = commanded("load", "log.jsonl", "--store", tmp_path / "other", "--lang", "en")
    assert said.splitlines()[-1] == "read 7, stored 4, unreadable 2, repeated 1"


def damaged_zip() -> bytes:
    """Two members, the second of which is broken."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("a.jsonl", hands("A"))
        archive.writestr("b.jsonl", hands("B"))
    return sink.getvalue().replace(b'"B1"', b'"B?"')


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04broken", damaged_zip(), gzip.compress(hands("A", 50))[:-20]], ids=("zip", "member", "gz")
)
@pytest.mark.parametrize(("language", "word"), [("zh", "文件已损坏"), ("en", "The file is damaged")])
def test_of_a_damaged_archive_nothing_is_kept(content, language, word, store):
    """H-28."""
    page = kept(content, "logs.zip", language)
    assert word in shown(page)
    assert "R112" in shown(page)
    assert told(page) == []
    assert not store.exists()


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\0\0", b"hello\n" * 9, b"[]", log({"players": []})])
@pytest.mark.parametrize(("language", "word"), [("zh", "没有一局能读出来"), ("en", "Not one hand of this log")])
def test_of_what_is_no_log_nothing_is_kept(content, language, word, store):
    page = kept(content, "photo.png", language)
    assert word in shown(page)
    assert told(page) == []
    assert not store.exists()


def test_a_photo_in_an_archive_keeps_no_log_out(store):
    """H-28, H-29: only what is broken does."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, content in (
            ("logs/a.log", hands("A", 3)),
            ("__MACOSX/logs/._a.log", b"\0\5\x16\7"),
            (".DS_Store", b"\0"),
        ):
            archive.writestr(name, content)
        archive.writestr("photo.jpg", b"\xff\xd8\xff\xe0\0")
    page = kept(sink.getvalue(), "logs.zip")
    assert told(page) == ["读取 4 条：新存入 3、无法读取 1。"]
    assert "略过 2 个：logs.zip/.DS_Store、logs.zip/__MACOSX/logs/._a.log" in shown(page)


# --- how much a log unpacks to


def zipped(content: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", content)
    return sink.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, zipped, lambda each: zipped(gzip.compress(each))])
def test_a_log_may_unpack_to_no_more_than_may_be_uploaded(pack):
    content = hands("A", 50)
    inner = len(gzip.compress(content)) if pack not in (gzip.compress, zipped) else 0
    assert len(Audit(Upload("a.zip", pack(content), len(content) + inner)).verdicts) == 50
    refused = Audit(Upload("a.zip", pack(content), len(content) + inner - 1))
    assert (refused.is_too_large, refused.verdicts, [*refused.counts]) == (True, [], [])


@pytest.mark.parametrize(("language", "word"), [("zh", "解压后超过 200 MB"), ("en", "unpacks to more than 200 MB")])
def test_a_log_that_unpacks_to_too_much_is_refused_as_a_whole(language, word, store):
    content = gzip.compress(hands("A") + b" " * (200 << 20))
    page = app("audit", language)
    page.file_uploader(key="file").upload("<b>bomb</b>.gz", content).run()
    assert word in shown(page)
    assert "&lt;b&gt;bomb&lt;/b&gt;.gz" in shown(page)
    assert [button.key for button in page.button if button.key in ("keep", "forget")] == ["forget"]
    press(page, "forget")
    assert word not in shown(page)


def test_the_page_says_both_limits(store):
    assert "单个文件不超过 200 MB，压缩文件解压后也不超过 200 MB。" in shown(app("audit"))
