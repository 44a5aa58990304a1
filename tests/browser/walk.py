"""What the browser tests stand on: a store, a server, looks of windows, and what a sound page is."""

import json
import os
import re
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dashboard.texts import TEXTS
from dashboard.upload import Upload
from tests.four_bombs import HANDS

CHROMIUM = shutil.which("chromium")

MARKS = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium (make browser)")]

APP = Path(__file__).parents[2] / "dashboard" / "serving.py"
HERE = os.environ | {"PYTHONPATH": str(APP.parents[1])}
"""The environment of programs that are started: they are those of this checkout, wherever they run."""
PICTURES = os.environ.get("FUPAN_SCREENSHOTS", "")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run"
).split()
PATIENCE = 120_000
"""Milliseconds until a screen must stand: the first one took 50 s on two cores shared by eight programs."""

HOSTILE = ("<b>老王</b>", "$x$", "=1+1", ":red[x]", "a[b](c)", "🀄️")
NAMES = HOSTILE[:3]
"""Names that would like to be HTML, a formula of TeX or of a spreadsheet, Markdown, a link, a sign."""


def record(number: int, scores: list[int], names: Sequence[str] = NAMES) -> dict:
    """A hand that the landlord wins."""
    named = [{"id": f"u{seat}-{number}", "name": name} for seat, name in enumerate(names)]
    day = f"2026-11-{number % 28 + 1:02}T20:15:03+08:00"
    plays = HANDS["plays"] if number % 3 else HANDS["plays"].replace("0:BR", "0:B")
    changed = {"plays": plays, "claim": {"scores": scores}}
    return {"id": f"g-{number}", "rules": "classic", "at": day, "players": named} | HANDS | changed


def lines(records: Iterable[dict]) -> bytes:
    """Records as a log."""
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in records)


def log(count: int) -> bytes:
    records = (record(n, [192, -96, -96] if n % 4 else [180, -90, -90]) for n in range(count))
    return lines(records) + b'{"cut": '


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


NIGHT = PHONE | {"color_scheme": "dark", "locale": "en-GB"}
LOOKS = {"desk": DESK, "phone": PHONE, "dark": DARK, "english": ENGLISH, "night": NIGHT}
Look = Callable[[str], BrowserContext]


STILL = """(() => {
    const style = document.createElement("style")
    style.textContent = "*, ::before, ::after { animation: none !important; transition: none !important }"
    const put = () => document.documentElement.append(style)
    document.documentElement ? put() : document.addEventListener("readystatechange", put, {once: true})
})()"""
"""Nothing moves: drawing what fades and slides cost a fifth of the time of these tests."""


def window_of(browser: Browser, **look: Any) -> BrowserContext:
    """A window of its own, in which nothing moves."""
    context = browser.new_context(reduced_motion="reduce", **look)
    context.add_init_script(STILL)
    return context


def new_page(context: BrowserContext) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def opened(context: BrowserContext, address: str) -> Page:
    page = new_page(context)
    page.goto(address)
    return settled(page)


SETTLED = """() => {
    if (!window.drawn) {
        window.drawn = performance.now()
        const seen = new MutationObserver(() => { window.drawn = performance.now() })
        seen.observe(document, {subtree: true, childList: true, attributes: true, characterData: true})
    }
    const app = document.querySelector("[data-testid=stApp]")
    return app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
        && document.querySelector("h1") && !document.querySelector("[data-testid=stSkeleton], [data-testid=stSpinner]")
        && performance.now() - window.drawn > 150
}"""
"""Whether the server has run the page to its end and the browser has drawn it, and nothing more, for a moment."""


def settled(page: Page) -> Page:
    """Wait until the page stands. After a click the server may not have begun yet: expect what it leads to as well."""
    page.wait_for_function(SETTLED, polling=50)
    return page


def looks_sound(page: Page) -> None:
    assert page.get_by_test_id("stException").count() == 0
    told = page.inner_text("body")
    assert not any(word in told for word in (*TEXTS["broken"], "Traceback", "Page not found")), page.url


def runs_nothing(page: Page) -> None:
    """No hostile name has become an element, a formula or a link."""
    page_of = page.get_by_test_id("stMain")
    assert page_of.locator("b").filter(has_text=re.compile("^老王$")).count() == 0
    assert page_of.locator(".katex, a[href$='/c'], a[href='c']").count() == 0
    assert page_of.locator("span[style*=color]").filter(has_text=re.compile("^x$")).count() == 0


def picture(page: Page, name: str) -> None:
    """The whole page, however tall, into the folder ``FUPAN_SCREENSHOTS`` where one is named."""
    if not PICTURES:
        return
    size = page.viewport_size
    height = page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": int(height) + 100})
    settled(page)
    page.screenshot(path=Path(PICTURES) / f"{name}.png")
    page.set_viewport_size(size)


def fits(page: Page) -> None:
    """Wait until the page need not be scrolled sideways: the menu may still be folding away."""
    main = "document.querySelector('[data-testid=stMain]')"
    page.wait_for_function(f"() => {main}.scrollWidth <= {main}.clientWidth + 1", polling=50)


def upload(page: Page, content: bytes = log(12)) -> None:
    """Upload a log and wait for its verdicts, which are not those of the log before: the address names it."""
    name = "牌谱.jsonl"
    page.set_input_files("input[type=file]", {"name": name, "mimeType": "application/json", "buffer": content})
    expect(page).to_have_url(re.compile(Upload(name, content).digest), timeout=PATIENCE)
    expect(page.get_by_text("逐局结论").or_(page.get_by_text("Verdicts", exact=True))).to_be_visible(timeout=PATIENCE)
    settled(page)
