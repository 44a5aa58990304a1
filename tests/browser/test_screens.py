"""The dashboard in a real browser: every screen on a small store, an upload, both languages, a phone.

Skipped where there is no program named chromium (``make browser``). Screenshots land in ``FUPAN_SCREENSHOTS``, else in
a temporary folder.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from ingest.load import load

CHROMIUM = shutil.which("chromium")

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium (make browser)")]

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run"
).split()
PATIENCE = 60_000
"""Milliseconds until a screen must stand."""

HANDS = {
    "hands": [
        "SJHJCJDJSQHQCQDQSKHKCKDKSAHACADAS2",
        "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7",
        "H7C7D7S8H8C8D8S9H9C9D9STHTCTDTH2C2",
    ],
    "bottom": "D2BR",
    "auction": "0:3",
    "plays": " 1:- 2:- ".join(("0:SJHJCJDJ", "0:SQHQCQDQ", "0:SKHKCKDK", "0:SAHACADA", "0:BR", "0:S2D2")),
}
NAMES = ("<b>老王</b>", "$x$", "=1+1")


def record(number: int, scores: list[int]) -> dict:
    players = [{"id": f"u{seat}-{number}", "name": name} for seat, name in enumerate(NAMES)]
    day = f"2026-11-{number % 28 + 1:02}T20:15:03+08:00"
    plays = HANDS["plays"] if number % 3 else HANDS["plays"].replace("0:BR", "0:B")
    changed = {"plays": plays, "claim": {"scores": scores}}
    return {"id": f"g-{number}", "rules": "classic", "at": day, "players": players} | HANDS | changed


def log(count: int) -> bytes:
    records = (record(n, [192, -96, -96] if n % 4 else [180, -90, -90]) for n in range(count))
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in records).encode() + b'\n{"cut": '


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard on a store of forty lines."""
    folder = tmp_path_factory.mktemp("dashboard")
    (folder / "log.jsonl").write_bytes(log(40))
    load([str(folder / "log.jsonl")], folder / "store")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"server.address": "127.0.0.1", "server.port": str(port), "server.headless": "true"}
    options |= {"browser.gatherUsageStats": "false", "server.fileWatcherType": "none", "client.toolbarMode": "minimal"}
    flags = [flag for key, value in options.items() for flag in (f"--{key}", value)]
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *flags, "--", "--store", str(folder / "store")]
    with (folder / "server.log").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def wait_until_healthy(address: str) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        assert time.monotonic() < deadline, "the dashboard does not answer"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(os.environ.get("FUPAN_SCREENSHOTS") or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


DESK = {"locale": "zh-CN", "viewport": {"width": 1280, "height": 900}}
PHONE = {"locale": "zh-CN", "viewport": {"width": 390, "height": 844}}
DARK = DESK | {"color_scheme": "dark"}
ENGLISH = DESK | {"locale": "en-GB"}


LOOKS = {"desk": DESK, "phone": PHONE, "dark": DARK, "english": ENGLISH}
Look = Callable[[str], BrowserContext]


@pytest.fixture(scope="module")
def context(browser: Browser) -> Look:
    """A browser window of some look, made once: what it has loaded once it does not load again."""
    return cache(lambda look: browser.new_context(**LOOKS[look]))


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    settled(page)
    return page


def settled(page: Page) -> None:
    """Wait until the server has run the page to its end and the browser has drawn what it was sent."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_timeout(500)


def looks_sound(page: Page) -> None:
    assert page.get_by_test_id("stException").count() == 0
    assert "出了错" not in page.inner_text("body")
    assert "Traceback" not in page.inner_text("body")


def picture(page: Page, path: Path) -> None:
    """The whole page, however tall."""
    size = page.viewport_size
    height = page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": int(height) + 100})
    settled(page)
    page.screenshot(path=path)
    page.set_viewport_size(size)


def too_wide(page: Page) -> bool:
    """Whether the page has to be scrolled sideways."""
    return page.evaluate(
        "main => main.scrollWidth > main.clientWidth + 1", page.get_by_test_id("stMain").element_handle()
    )


def upload(page: Page, content: bytes = log(12)) -> None:
    page.set_input_files("input[type=file]", {"name": "牌谱.jsonl", "mimeType": "application/json", "buffer": content})
    expect(page.get_by_text("得分推导").or_(page.get_by_text("How the score came about"))).to_be_visible(
        timeout=PATIENCE
    )
    settled(page)


@pytest.mark.parametrize("look", ["desk", "phone", "dark"])
def test_overview(look, context, server, pictures):
    page = opened(context(look), server)
    expect(page.get_by_role("heading", name="总览")).to_be_visible()
    expect(page.get_by_text("全部记录").first).to_be_visible()
    picture(page, pictures / f"overview-{look}.png")
    looks_sound(page)
    assert not too_wide(page)


@pytest.mark.parametrize("look", ["desk", "phone", "dark"])
def test_upload(look, context, server, pictures):
    page = opened(context(look), f"{server}/audit")
    expect(page.get_by_text("还没有上传牌谱")).to_be_visible()
    upload(page)
    expect(page.get_by_text("<b>老王</b>").first).to_be_visible()
    picture(page, pictures / f"audit-{look}.png")
    looks_sound(page)
    assert not too_wide(page)


@pytest.mark.parametrize("look", ["desk", "phone", "dark"])
def test_findings(look, context, server, pictures):
    page = opened(context(look), f"{server}/findings")
    expect(page.get_by_text("查看所在的一局")).to_be_visible()
    picture(page, pictures / f"findings-{look}.png")
    looks_sound(page)
    assert not too_wide(page)


def test_a_row_of_the_verdicts_can_be_clicked(context, server):
    page = opened(context("desk"), f"{server}/audit")
    upload(page)
    chosen = page.get_by_role("combobox", name="查看一局")
    before = chosen.input_value()
    expect(page.get_by_test_id("data-grid-canvas").first).to_be_visible()
    page.get_by_test_id("stDataFrameResizable").first.click(position={"x": 16, "y": 35 * 3 + 17})
    expect(chosen).not_to_have_value(before)
    looks_sound(page)


def test_english_browsers_read_english_and_the_choice_stays_in_the_address(context, server, pictures):
    page = opened(context("english"), server)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_text("中文", exact=True).click()
    expect(page.get_by_role("heading", name="总览")).to_be_visible()
    assert "lang=zh" in page.url
    page.get_by_role("link", name="上传复盘").click()
    expect(page.get_by_role("heading", name="上传复盘")).to_be_visible()
    assert "lang=zh" in page.url
    looks_sound(page)


def test_english_screens(context, server, pictures):
    page = opened(context("desk"), f"{server}/audit?lang=en")
    upload(page)
    picture(page, pictures / "audit-english.png")
    looks_sound(page)


def test_the_report_is_the_command_lines(context, server, tmp_path):
    page = opened(context("desk"), f"{server}/audit")
    upload(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="复盘报告 JSON Lines").click()
    lines = Path(waiting.value.path()).read_bytes()
    (tmp_path / "牌谱.jsonl").write_bytes(log(12))
    command = [sys.executable, "-m", "fupan", "audit", "牌谱.jsonl", "--json", "--lang", "zh"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert lines == said.stdout
