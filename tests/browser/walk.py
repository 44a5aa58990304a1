"""What the browser tests stand on: a store, a server, looks of windows, and what a sound page is."""

import json
import os
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

CHROMIUM = shutil.which("chromium")

MARKS = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium (make browser)")]

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
HERE = os.environ | {"PYTHONPATH": str(APP.parents[1])}
"""The environment of programs that are started: they are those of this checkout, wherever they run."""
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


DESK = {"locale": "zh-CN", "viewport": {"width": 1280, "height": 900}}
PHONE = {"locale": "zh-CN", "viewport": {"width": 390, "height": 844}}
DARK = DESK | {"color_scheme": "dark"}
ENGLISH = DESK | {"locale": "en-GB"}


LOOKS = {"desk": DESK, "phone": PHONE, "dark": DARK, "english": ENGLISH}
Look = Callable[[str], BrowserContext]


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
    """Upload a log and wait for its verdicts."""
    page.set_input_files("input[type=file]", {"name": "牌谱.jsonl", "mimeType": "application/json", "buffer": content})
    expect(page.get_by_text("逐局结论").or_(page.get_by_text("Verdicts", exact=True))).to_be_visible(timeout=PATIENCE)
    settled(page)
