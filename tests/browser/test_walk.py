"""Every screen in a real browser, on a store that grows: of nothing, of one hand, of many.

Screens come from the table of the menu, so that none can be forgotten. What belongs to no screen is where a number
leads, what is downloaded, and that a view stays in its address. Skipped where there is no program named chromium
(``make browser``); pictures go into the folder ``FUPAN_SCREENSHOTS``.
"""

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from conftest import serving
from playwright.sync_api import Page, expect
from walk import (
    HOSTILE,
    LOOKS,
    MARKS,
    PHONE,
    fits,
    lines,
    looks_sound,
    new_page,
    picture,
    runs_nothing,
    settled,
)

from dashboard.menu import SCREENS
from dashboard.texts import TEXTS
from ingest.load import load

pytestmark = MARKS

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
NAMES = [name for screens in SCREENS.values() for name, _ in screens]
REGULARS = {
    known: {"id": HOSTILE[place], "name": HOSTILE[3 + place]} for place, known in enumerate(("u17", "bot-4", "null"))
}
"""Who sits at the table of the first hand of a sample, and what they are called instead."""
ONE = {"player": HOSTILE[0], "rules": "classic"}
WORDS = {
    "overview": {"rules": "classic"},
    "hands": ONE | {"stat": "win_rate", "part": "yes"},
    "questions": {"sql": "SELECT name, player FROM seats ORDER BY seat"},
    "hand": {"hand": "0", "move": "3"},
    "player": ONE | {"section": "people"},
    "compare": ONE | {"other": HOSTILE[1]},
    "strategy": {"rules": "classic", "section": "bombs"},
    "spots": ONE | {"turn": "lead"},
    "integrity": {"stat": "integrity_strength", "rules": "classic"},
    "findings": {"severity": "fault", "rules": "classic"},
    "statistics": {"stat": "win_rate", "by": "player", "rules": "classic"},
    "rules": {"rules": "sandaha", "with": "classic"},
    "rulebook": {"clause": "A-R7"},
    "audit": {"under": "classic"},
}
"""What an address says besides, so that a screen has something to show: all of it must stay there."""
TITLES = {"statistics": ("胜率", "Win rate")}
WITHOUT_HANDS = ("audit", "questions", "rules", "rulebook")
"""Screens that have something to offer where there is no hand."""
NAMED = {
    "hands": HOSTILE[:1],
    "hand": HOSTILE[3:],
    "player": HOSTILE[:4],
    "compare": HOSTILE[:2],
    "spots": HOSTILE[:1],
    "statistics": HOSTILE[:3],
    "integrity": HOSTILE[:3],
}
"""Which hostile ids and names a screen shows."""
Grown = Callable[[str], str]


def renamed(sample: Path) -> bytes:
    """The hands of a sample, those who sit at one of its tables under hostile ids and names."""
    hands = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
    for hand in hands:
        hand["players"] = [REGULARS.get(player.get("id"), player) for player in hand["players"]]
    return lines(hands)


STAGES: dict[str, tuple[bytes, ...]] = {
    "empty": (),
    "tiny": (renamed(SAMPLES / "classic.jsonl").partition(b"\n")[0],),
    "real": (renamed(SAMPLES / "classic.jsonl"), (SAMPLES / "sandaha.jsonl").read_bytes()),
}


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    """The address of a dashboard, once its store has come so far. A store does not shrink: the order matters."""
    folder, stages = tmp_path_factory.mktemp("grown"), iter(STAGES)
    load([], folder / "store")
    reached = [next(stages)]

    def to(stage: str) -> str:
        while reached[-1] != stage:
            reached.append(next(stages))
            for number, content in enumerate(STAGES[reached[-1]]):
                file = folder / f"{reached[-1]}-{number}.jsonl"
                file.write_bytes(content)
                load([str(file)], folder / "store")
        return address

    with serving(folder / "store") as address:
        yield to


@pytest.fixture(scope="module")
def page_of(context) -> Callable[[str], Page]:
    """The one page of a look, used again and again: what it has loaded once it does not load again."""
    return cache(lambda look: new_page(context(look)))


def at(page: Page, address: str, name: str, **more: str) -> Page:
    """Go to a screen, as the table of words has it."""
    page.goto(f"{address}/{name}?{urlencode(WORDS[name] | more)}")
    settled(page)
    looks_sound(page)
    fits(page)
    return page


def says(page: Page, words: dict[str, str]) -> bool:
    """Whether the address has these words."""
    given = parse_qs(urlsplit(page.url).query)
    return all(given.get(key) == [value] for key, value in words.items())


@contextmanager
def narrow(page: Page) -> Iterator[None]:
    """The window as narrow as a phone."""
    size = page.viewport_size
    page.set_viewport_size(PHONE["viewport"])
    yield
    page.set_viewport_size(size)


def titled(page: Page, name: str, language: str) -> None:
    title = TITLES.get(name, TEXTS[name])[language == "en"]
    expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()


def shown(page: Page, address: str, name: str, store: str) -> Page:
    """A screen in Chinese on a store, with its title, the hostile names of its hands and its words in the address."""
    at(page, address, name, lang="zh")
    titled(page, name, "zh")
    for hostile_name in NAMED.get(name, ()):
        expect(page.get_by_test_id("stMain")).to_contain_text(hostile_name)
    runs_nothing(page)
    assert says(page, WORDS[name])
    picture(page, f"{name}-{store}")
    return page


def test_every_screen_has_words_to_be_walked_with():
    assert sorted(WORDS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_on_an_empty_store_says_why_it_is_empty(name, page_of, grown):
    page = at(page_of("phone"), grown("empty"), name)
    if name not in WITHOUT_HANDS:
        expect(page.get_by_text(TEXTS["no_hands"][0], exact=True)).to_be_visible()
        expect(page.get_by_role("link", name=TEXTS["go_audit"][0])).to_be_visible()
    picture(page, f"{name}-empty")


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_on_a_store_of_one_hand_stands(name, page_of, grown):
    shown(page_of("phone"), grown("tiny"), name, "tiny")


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_on_a_real_store_shows_hostile_names_and_keeps_its_view_in_another_language(name, page_of, grown):
    page = shown(page_of("desk"), grown("real"), name, "real")
    page.get_by_text("English", exact=True).click()
    titled(page, name, "en")
    expect(page).to_have_url(re.compile("lang=en"))
    assert says(settled(page), WORDS[name])
    looks_sound(page)
    with narrow(page):
        fits(page)


def test_the_first_screen_is_found_bare_and_by_its_name_with_what_the_address_says(page_of, grown):
    page = page_of("desk")
    for place in ("", "overview"):
        page.goto(f"{grown('real')}/{place}?rules=sandaha&lang=en")
        titled(settled(page), "overview", "en")
        looks_sound(page)
        expect(page.get_by_test_id("stMetricValue").first).to_have_text("60")
        assert says(page, {"rules": "sandaha", "lang": "en"})
        assert urlsplit(page.url).path == f"/{place}"
        expect(
            page.get_by_test_id("stSidebarNavLink").and_(page.get_by_role("link", name="Overview"))
        ).to_have_attribute("aria-current", "page")


def test_filters_change_numbers_and_stay_over_refresh_language_and_screens(page_of, grown):
    page = page_of("desk")
    page.goto(f"{grown('real')}?lang=zh")
    records = settled(page).get_by_test_id("stMetricValue").first
    assert records.inner_text() == "120"
    page.get_by_role("combobox", name="规则").click()
    page.get_by_role("option", name="sandaha", exact=True).click()
    expect(records).to_have_text("60")
    expect(page).to_have_url(re.compile("rules=sandaha"))
    page.reload()
    expect(records).to_have_text("60")
    settled(page).get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    expect(records).to_have_text("60")
    settled(page).get_by_role("link", name="Strategy", exact=True).click()
    expect(page.get_by_role("heading", name="Strategy", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile("rules=sandaha"))
    assert settled(page).get_by_role("combobox", name="Ruleset").input_value() == "sandaha"
    assert "lang=en" in page.url


def test_from_a_number_to_its_hands_to_one_of_them_and_back(page_of, grown):
    page = page_of("desk")
    page.goto(f"{grown('real')}/statistics?stat=win_rate&by=role&rules=classic&lang=zh")
    settled(page).get_by_role("link", name="看牌局").first.click()
    expect(page.get_by_text("“胜率”所计的局")).to_be_visible()
    assert "group=" in settled(page).url
    page.locator(".fp-rows a").first.click()
    expect(page.get_by_text("得分推导")).to_be_visible()
    looks_sound(settled(page))
    page.go_back()
    expect(page.get_by_text("“胜率”所计的局")).to_be_visible()


def downloaded(page: Page, button: str = "下载 CSV") -> list[dict[str, str]]:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).first.click()
    text = Path(waiting.value.path()).read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_what_is_downloaded_is_what_is_on_screen_and_runs_nothing(page_of, grown):
    """H-38: names cannot run as formulas, scores stay numbers, and what is read back is the name."""
    page = page_of("desk")
    page.goto(f"{grown('real')}/player?rules=classic&order-players=-mean&lang=zh")
    settled(page)
    shown = [cell.split(" ·")[0] for cell in page.locator(".fp-rows td:first-child").all_inner_texts()]
    rows = downloaded(page)
    assert [row["group"].removeprefix("'") for row in rows] == shown
    ids = {row["group"] for row in rows}
    assert {"'=1+1", *HOSTILE[:2]} <= ids
    assert min(float(row["mean"]) for row in rows) < 0 < max(float(row["mean"]) for row in rows)
    page.goto(f"{grown('real')}/hands?rules=classic&player=%3D1%2B1&lang=zh")
    settled(page)
    shown = page.locator(".fp-rows td:first-child").all_inner_texts()
    assert [row["id"] for row in downloaded(page)] == shown
    assert len(shown) > 5


def test_cards_are_tried_against_the_law(page_of, grown):
    page = page_of("desk")
    page.goto(f"{grown('real')}/rules?rules=classic&lang=zh")
    settled(page).get_by_role("textbox", name="要出的牌").fill("4444")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("cards=4444"))
    settled(page).get_by_role("textbox", name="桌上的牌（可空）").fill("AA")
    page.keyboard.press("Enter")
    expect(page.get_by_text("压得过")).to_be_visible()
    settled(page).get_by_role("textbox", name="要出的牌").fill("<b>")
    page.keyboard.press("Enter")
    expect(page.get_by_text("看不懂这些牌")).to_be_visible()
    looks_sound(settled(page))


@pytest.mark.soak
@pytest.mark.parametrize(("stage", "name", "look"), list(itertools.product(("tiny", "real"), NAMES, LOOKS)))
def test_every_screen_in_every_look_stands_and_is_found_again(stage, name, look, page_of, grown):
    page = at(page_of(look), grown(stage), name)
    runs_nothing(page)
    assert says(page, WORDS[name])
    before = page.get_by_test_id("stMain").inner_text()
    page.reload()
    assert settled(page).get_by_test_id("stMain").inner_text() == before
    picture(page, f"{name}-{stage}-{look}")
