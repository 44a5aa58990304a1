"""The dashboard in a real browser: every screen on a small store, both languages, a phone.

Skipped where there is no program named chromium (``make browser``). Screenshots land in ``FUPAN_SCREENSHOTS``, else in
a temporary folder.
"""

import re

import pytest
from playwright.sync_api import expect
from walk import MARKS, looks_sound, opened, picture, too_wide

pytestmark = MARKS


@pytest.mark.parametrize("look", ["desk", "phone", "dark"])
def test_overview(look, context, server, pictures):
    page = opened(context(look), server)
    expect(page.get_by_role("heading", name="总览")).to_be_visible()
    expect(page.get_by_text("全部记录").first).to_be_visible()
    picture(page, pictures / f"overview-{look}.png")
    looks_sound(page)
    assert not too_wide(page)


@pytest.mark.parametrize("look", ["desk", "phone", "dark"])
def test_findings(look, context, server, pictures):
    page = opened(context(look), f"{server}/findings")
    expect(page.get_by_text("查看所在的一局")).to_be_visible()
    picture(page, pictures / f"findings-{look}.png")
    looks_sound(page)
    assert not too_wide(page)


def test_english_browsers_read_english_and_the_choice_stays_in_the_address(context, server, pictures):
    page = opened(context("english"), server)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_text("中文", exact=True).click()
    expect(page.get_by_role("heading", name="总览")).to_be_visible()
    expect(page).to_have_url(re.compile("lang=zh"))
    page.get_by_role("link", name="上传复盘").click()
    expect(page.get_by_role("heading", name="上传复盘")).to_be_visible()
    expect(page).to_have_url(re.compile("lang=zh"))
    looks_sound(page)
