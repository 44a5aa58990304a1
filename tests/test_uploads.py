"""Uploads: how many, how large, how much at once the server takes, and how much of a log a page keeps."""

import asyncio
import gzip
import io
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_server_config import AUTH_COOKIE_MAX_AGE_SECONDS
from test_gate import awaited

from analysis import asked, questions
from dashboard import crowd, export, gate, own_formats, report_page, shelf, upload
from dashboard.shelf import Shelf, Way
from dashboard.upload import Audit, Forgotten, Upload
from ingest.logs.own.mapping import PARTS

SECURITY = " ".join((Path(__file__).parents[1] / "docs" / "security.md").read_text("utf-8").split())
LIMIT = 200 << 20
LOG = b"x\n" * 9


@pytest.mark.parametrize(
    ("words", "named", "is_so"),
    [
        ("opens 200 pages at once", crowd.PAGES, 200),
        ("at most 40 from one address", crowd.OF_ADDRESS, 40),
        ("a page may have 8 files", gate.FILES, 8),
        ("takes 8 times the limit in memory", gate.ROOM, 8),
        ("the first million hands and findings", upload.MOST, 1_000_000),
        ("keeps audits of two million", shelf.ROOM, 2_000_000),
        ("A mapping has at most 256 KB there", own_formats.LIMIT, 256 << 10),
        ("at most 32 parts in a key", PARTS, 32),
        ("the database has 1 GiB for a question", questions.USUAL.memory, 1024),
        ("its process one more", asked.OVERHEAD, 1024),
        ("Two questions of people's own are answered at a time", questions.AT_ONCE, 2),
        ("each for 20 seconds at most", questions.USUAL.seconds, 20),
        ("stays good for thirty days", AUTH_COOKIE_MAX_AGE_SECONDS, 30 * 24 * 3600),
    ],
)
def test_the_limits_are_those_that_are_named(words, named, is_so):
    assert words in SECURITY
    assert named == is_so


class Server:
    """A server behind its gate; its application holds every upload until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held: dict[str, dict[str, SimpleNamespace]] = {}
        self.reading = 0
        self.go_on = asyncio.Event()
        self._gate = gate.Gate(self._app)
        monkeypatch.setattr(gate, "_held", lambda: self.held)
        monkeypatch.setattr(gate.login, "is_wanted", lambda: False)

    async def _app(self, _scope: dict, _receive: gate.Receive, send: gate.Send) -> None:
        self.reading += 1
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def put(self, size: int | None, page: str = "a", file: str = "f") -> int:
        """The status that somebody is answered who uploads so many bytes."""
        told: list[dict] = []

        async def send(message: dict) -> None:
            told.append(message)

        async def receive() -> dict:
            pytest.fail("the body is read before it is let in")

        headers = [] if size is None else [(b"content-length", str(size).encode())]
        scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{page}/{file}", "headers": headers}
        await self._gate(scope | {"query_string": b"", "server": ("x", 1)}, receive, send)
        assert ((b"connection", b"close") in told[0]["headers"]) == (told[0]["status"] >= 400)
        return told[0]["status"]

    def hold(self, page: str, *sizes: int) -> None:
        self.held[page] = {str(number): SimpleNamespace(data=range(size)) for number, size in enumerate(sizes)}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    assert st.get_option("server.maxUploadSize") == 200
    return Server(monkeypatch)


def answers(server: Server, *asked: tuple) -> list[int]:
    server.go_on.set()

    async def one_by_one() -> list[int]:
        return [await server.put(*each) for each in asked]

    return awaited(one_by_one())


def test_a_log_that_announces_too_much_is_not_read(server):
    assert answers(server, (LIMIT,), (LIMIT + 1,), (10**30,), (None,)) == [204, 413, 204, 204]
    assert server.reading == 3  # what announces no number may still be no larger: the server counts as it reads


def test_a_page_has_so_many_files_at_once(server):
    server.hold("a", *[1] * gate.FILES)
    server.hold("b", *[1] * (gate.FILES - 1))
    assert answers(server, (1, "a"), (1, "a", "0"), (1, "b"), (1, "c")) == [429, 204, 204, 204]


def test_all_uploads_together_take_so_much(server):
    server.hold("a", *[LIMIT] * (gate.ROOM - 1))
    assert answers(server, (LIMIT, "b"), (LIMIT, "b")) == [204, 204]
    server.hold("c", 1)
    assert answers(server, (LIMIT, "b"), (LIMIT - 1, "b"), (None, "b")) == [507, 204, 507]


def test_what_is_still_being_read_counts(server):
    async def at_once() -> list[int]:
        waiting = [asyncio.create_task(server.put(None, str(number))) for number in range(gate.ROOM)]
        await asyncio.sleep(0)
        refused = await server.put(1, "late")
        server.go_on.set()
        return [*await asyncio.gather(*waiting), refused, await server.put(1, "later")]

    assert awaited(at_once()) == [*[204] * gate.ROOM, 507, 204]


# --- how much of a log a page keeps


def test_of_a_log_that_is_too_long_a_page_keeps_the_first_hands_and_says_so(monkeypatch):
    """700 bytes of memory for a line of two: 200 MB of them were 70 GB."""
    assert not Audit(Upload("a.jsonl", LOG)).cut
    monkeypatch.setattr(upload, "MOST", 8)
    audit = Audit(Upload("a.jsonl", LOG))
    assert (audit.cut, len(audit.verdicts), audit.counts["unreadable"]) == (True, 4, 4)
    assert "its first 4 hands" in report_page.html(audit, "en").decode()
    monkeypatch.setattr(upload, "MOST", 18)
    assert not Audit(Upload("a.jsonl", LOG)).cut
    assert "first" not in report_page.html(Audit(Upload("a.jsonl", LOG)), "en").decode()


def test_long_lines_weigh_more(monkeypatch):
    monkeypatch.setattr(upload, "MOST", 8)
    assert len(Audit(Upload("a.jsonl", b"x" * 5000 + b"\n" + LOG)).verdicts) == 2


def test_audits_that_are_kept_weigh_so_much_together_the_newest_aside(monkeypatch):
    kept = Shelf()
    logs = [kept.put(f"{name}.jsonl", LOG) for name in "abc"]
    monkeypatch.setattr(shelf, "ROOM", 2 * 18)
    first = kept.audit(logs[0], Way())
    kept.audit(logs[1], Way())
    assert kept.audit(logs[0], Way()) is first
    kept.audit(logs[2], Way())
    assert kept.audit(logs[0], Way()) is not first
    monkeypatch.setattr(shelf, "ROOM", 1)
    assert kept.audit(kept.put("d.jsonl", LOG), Way()).weight == 18


# --- what an upload is called


LOGS = Path(__file__).parent / "logs"
NAMES = ("01.json", "牌谱甲.json", "Log 1.JSON", "🀄️[a](b).json", "log.json.", "01", ".json", "x" * 300 + ".json")


def packed(name: str, content: bytes) -> bytes:
    """As a file of this name is packed."""
    if name.endswith(".zip"):
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            archive.writestr("牌谱/01.json", content)
        return sink.getvalue()
    return gzip.compress(content) if name.endswith(".gz") else content


@pytest.mark.parametrize("name", [*NAMES[:-1], "牌谱 (1).json.gz", "甲.zip"])
@pytest.mark.parametrize("log", ["ftl1-display.jsonl", "showdown-replay.json", "ccgc-platform.txt", "native.jsonl"])
def test_an_upload_is_told_as_the_command_line_tells_a_file_of_its_name(log, name, tmp_path, monkeypatch, commanded):
    content = packed(name, (LOGS / log).read_bytes())
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    _, said, _ = commanded("audit", name, "--json", "--lang", "zh")
    audit = Audit(Upload(name, content))
    assert export.json_lines(audit.verdicts, "zh").decode() == said
    assert audit.logbook.size == len(content)
    assert audit.hand(0).verdict.id == audit.verdicts[0].id


@pytest.mark.parametrize("name", [*NAMES, "../../../etc/passwd.json", "/a/b.json", "..", "", "\0", "\ud800.json"])
def test_hands_of_different_files_have_different_ids_whatever_the_files_are_called(name):
    content = (LOGS / "showdown-replay.json").read_bytes()
    shown = name.encode(errors="replace").decode()
    told = [(verdict.source, verdict.id) for verdict in Audit(Upload(name, content)).verdicts]
    assert told == [(shown, f"{Path(shown).name.lower()}#{number}"[-128:]) for number in range(1, len(told) + 1)]


def test_an_upload_has_no_file_that_has_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    upload = Upload("../牌谱 1.jsonl", LOG)
    assert not any(tmp_path.iterdir())
    assert [entry.source for entry in upload.entries()] == ["../牌谱 1.jsonl"] * 9
    assert [*zip(upload.entries(), upload.entries(), strict=True)] == [(entry, entry) for entry in upload.entries()]


def test_what_is_forgotten_is_read_no_more():
    upload = Upload("a.jsonl", LOG)
    entries = upload.entries()
    next(entries)
    upload.forget()
    with pytest.raises(Forgotten):
        next(upload.entries())


# --- who has an upload


def test_a_log_goes_when_the_last_who_uploaded_it_forgets_it():
    kept = Shelf()
    upload = kept.put("a.jsonl", LOG, "A")
    assert kept.put("a.jsonl", LOG, "B") is upload
    audit = kept.audit(upload, Way())
    kept.forget(upload.digest, "B")
    assert (kept.get(upload.digest, "A"), kept.get(upload.digest, "B")) == (upload, None)
    assert kept.get(upload.digest, "who was sent its address") is upload
    assert kept.audit(upload, Way()) is audit
    assert kept.put("a.jsonl", LOG, "B") is kept.get(upload.digest, "B") is upload
    for who in "BA":
        assert kept.is_owner(upload.digest, who)
        kept.forget(upload.digest, who)
    assert not kept.get(upload.digest, "A")
    with pytest.raises(Forgotten):
        next(upload.entries())


def test_an_audit_of_a_log_that_is_forgotten_meanwhile_is_not_kept(monkeypatch):
    kept = Shelf()
    upload = kept.put("a.jsonl", LOG * 100, "A")
    with pytest.raises(Forgotten):
        kept.audit(upload, Way(), lambda _: kept.forget(upload.digest, "A"))

    def made(upload: Upload, *given: object) -> Audit:
        audits.append(Audit(upload, *given))
        kept.forget(upload.digest, "A")
        return audits[-1]

    audits: list[Audit] = []
    monkeypatch.setattr(shelf, "Audit", made)
    assert kept.audit(kept.put("a.jsonl", LOG, "A"), Way()) is audits[-1]
    assert kept.audit(kept.put("a.jsonl", LOG, "A"), Way()) is audits[-1] is not audits[0]


def test_a_log_that_nobody_looks_at_goes_though_nobody_comes():
    kept = Shelf(hours=0.3 / 3600)
    upload = kept.put("a.jsonl", LOG, "A")
    assert kept.get(upload.digest, "A") is upload
    time.sleep(1.5)  # the server's own clock, and nobody who asks
    with pytest.raises(Forgotten):
        next(upload.entries())
    assert kept.get(upload.digest, "A") is None
