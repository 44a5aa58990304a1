"""What two people upload: kept, forgotten, named alike, in both languages; what is left when a server ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from conftest import serving
from playwright.sync_api import Browser, expect
from test_login import free_port
from walk import (
    DESK,
    HERE,
    LOOKS,
    MARKS,
    fits,
    lines,
    looks_sound,
    opened,
    picture,
    record,
    settled,
    upload,
    wait_until_healthy,
    window_of,
)

pytestmark = MARKS


@contextmanager
def commanded(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and process of ``fupan dashboard``, in a group of its own, whose temporary files lie in a folder."""
    (folder / "temporary").mkdir()
    port = free_port()
    command = [sys.executable, "-m", "fupan", "dashboard", "--store", str(folder / "store"), "--port", str(port)]
    environment = HERE | {"TMPDIR": str(folder / "temporary")}
    process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}", process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)


def wait_until_gone(group: int) -> None:
    """Wait until nothing of a group of processes is left."""
    end = time.monotonic() + 60
    with suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.1)
        raise AssertionError("a process is left")


@pytest.mark.parametrize("ended", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_of_an_upload_is_left_however_the_server_ends(ended, browser: Browser, tmp_path):
    with commanded(tmp_path) as (address, process), window_of(browser, **DESK) as window:
        upload(opened(window, f"{address}/audit"))
        process.send_signal(ended)
        process.wait(60)
        wait_until_gone(process.pid)
    assert [path.name for path in (tmp_path / "temporary").rglob("*")] == []


WORDS = {
    "desk": {
        "keep": "存入牌局库",
        "other": "另一份：换名存入",
        "replace": "更正：取代库中的牌局",
        "sum": "读取 {read} 条：{parts}。",
        "stored": "新存入 {n}",
        "known": "以前存过 {n}",
        "replaced": "取代旧局 {n}",
        "forget": "核对后删除",
        "forgotten": "你上传的这份牌谱已从服务器上删去。",
        "hand": "局号或文件名",
        "shown": "共 1 局符合",
    },
    "english": {
        "keep": "Keep in the store",
        "other": "Another log: keep it under the new name",
        "replace": "Corrected: replace the hands in the store",
        "sum": "Read {read}: {parts}.",
        "stored": "{n} kept",
        "known": "{n} kept before",
        "replaced": "{n} replaced",
        "forget": "Audit and forget",
        "forgotten": "The log that you uploaded was taken off the server.",
        "hand": "Hand or file",
        "shown": "1 hands match",
    },
}


def mine(who: str, count: int) -> bytes:
    """A log of hands that are told by their players, under ids that any log may have."""
    hands = (record(number, [192, -96, -96]) for number in range(1, count + 1))
    return lines(hand | {"players": [{"id": f"{who}-{hand['id']}"}, {"id": "y"}, {"id": "z"}]} for hand in hands)


class Person:
    """Somebody with a browser of his own, in his language."""

    def __init__(self, browser: Browser, look: str, server: str) -> None:
        self.words = WORDS[look]
        self.window = window_of(browser, **LOOKS[look])
        self.page = opened(self.window, f"{server}/audit")

    def press(self, word: str) -> None:
        self.page.get_by_role("button", name=self.words[word]).click()

    def reads(self, read: int, **parts: int) -> None:
        comma = "、" if "读取" in self.words["sum"] else ", "
        told = comma.join(self.words[word].format(n=n) for word, n in parts.items())
        expect(self.page.get_by_text(self.words["sum"].format(read=read, parts=told))).to_be_visible()
        looks_sound(settled(self.page))

    def narrows(self) -> None:
        """He uses a filter, and finds his log there."""
        box = self.page.get_by_role("textbox", name=self.words["hand"])
        box.fill("g-3")
        box.press("Enter")
        expect(self.page.get_by_text(self.words["shown"])).to_be_visible()
        settled(self.page)  # and the address says so


@pytest.mark.parametrize("looks", [("desk", "english"), ("english", "desk")])
def test_two_people_keep_and_forget_logs_of_one_name(looks, browser: Browser, tmp_path):
    with serving(tmp_path / "store") as server:
        one, other = (Person(browser, look, server) for look in looks)
        upload(one.page, mine("one", 6))
        one.press("keep")
        one.reads(6, stored=6)
        upload(other.page, mine("other", 6))
        other.press("keep")
        expect(other.page.get_by_text("牌谱 (2).jsonl")).to_be_visible()
        fits(other.page)
        picture(other.page, f"asked-{looks[1]}")
        other.press("other")
        other.reads(6, stored=6)
        other.press("keep")
        other.reads(6, stored=0, known=6)
        corrected = mine("one", 5) + lines([record(6, [192, -96, -96])])
        upload(one.page, corrected)
        one.press("keep")
        one.press("replace")
        one.reads(6, stored=1, known=5, replaced=1)

        upload(other.page, corrected)  # the very same file, in another browser
        with other.page.expect_download() as waiting:
            other.page.get_by_role("button", name="JSON Lines").click()
        assert Path(waiting.value.path()).read_bytes()  # how long it lies there besides is the server's affair
        other.press("forget")
        expect(other.page.get_by_text(other.words["forgotten"])).to_be_visible()
        settled(other.page)
        assert other.page.request.get(waiting.value.url).status == 404
        expect(other.page.get_by_text("牌谱.jsonl")).to_have_count(0)
        one.narrows()
        one.page.reload()
        expect(one.page.get_by_text(one.words["shown"])).to_be_visible()
        link = settled(one.page).url
        one.press("forget")  # after a refresh, by whom it belongs to
        expect(one.page.get_by_text(one.words["forgotten"])).to_be_visible()
        for person in (one, other):
            person.page.goto(link)
            expect(
                person.page.get_by_text("已不在服务器上").or_(person.page.get_by_text("no longer on"))
            ).to_be_visible()
            looks_sound(settled(person.page))
            person.window.close()
