"""Many people look at a store, each through filters of his own, while a load commits.

Whatever anybody sees is what some state of the store holds, never less than what he saw before; no chart is empty.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path
from urllib.parse import urlencode

import pytest
from conftest import serving
from msgspec import Struct
from playwright.sync_api import Page
from reliability import note
from walk import HERE, MARKS, looks_sound, new_page, settled

from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands

pytestmark = MARKS

PLAYERS = ("<b>甲</b>", "$乙$", "=丙", "丁", "戊")
LOADER = """
import sys
from ingest.load import load
load([sys.argv[1]], sys.argv[2], batch_hands=int(sys.argv[3]))
"""
CHART = "[data-testid=stVegaLiteChart]"

Hand = dict[str, object]


class Visitor(Struct, frozen=True):
    """What somebody looks at: a screen, its words, and which hands the number on it counts; None of a chart."""

    screen: str
    words: dict[str, str]
    counts: Callable[[Hand], bool] | None = None


def _sat(player: str) -> Callable[[Hand], bool]:
    return lambda hand: player in hand["sat"]  # type: ignore[operator]


def _on(since: str, until: str) -> Callable[[Hand], bool]:
    return lambda hand: since <= str(hand["day"]) <= until


VISITORS = (
    Visitor("hands", {"player": PLAYERS[0]}, _sat(PLAYERS[0])),
    Visitor("strategy", {"rules": "classic", "section": "leads"}),
    Visitor("hands", {"since": "2026-03-02", "until": "2026-03-03"}, _on("2026-03-02", "2026-03-03")),
    Visitor("player", {"player": PLAYERS[1], "rules": "classic", "section": "trend"}),
    Visitor("hands", {"rules": "classic"}, lambda _: True),
    Visitor("hands", {"table": "t1"}, lambda hand: hand["table"] == "t1"),
    Visitor(
        "hands",
        {"player": PLAYERS[1], "since": "2026-03-04"},
        lambda hand: _sat(PLAYERS[1])(hand) and _on("2026-03-04", "2026-12-31")(hand),
    ),
    Visitor("overview", {"rules": "classic"}),
)


def _log(path: Path, count: int) -> list[Hand]:
    """Clean hands of a few players at two tables over five days; what is needed to count them."""
    known = []
    with path.open("wb") as file:
        for number, line in enumerate(hands(load_any("classic"), count, seed=3, faults=0.0)):
            told = json.loads(line)
            sat = [PLAYERS[(number + seat) % len(PLAYERS)] for seat in range(3)]
            day = f"2026-03-0{number % 5 + 1}"
            told |= {"players": [{"id": player} for player in sat], "table": f"t{number % 2}"}
            told |= {"id": f"h{number}", "at": f"{day}T12:00:00+08:00"}
            told.pop("claim", None)
            file.write(json.dumps(told).encode() + b"\n")
            known.append({"sat": sat, "day": day, "table": told["table"]})
    return known


def _states(known: list[Hand], first: int, batch: int, visitor: Visitor) -> list[int]:
    """What the number of a visitor may be: that of each state of the store."""
    assert visitor.counts is not None
    ends = [first, *range(first + batch, len(known), batch), len(known)]
    return [sum(map(visitor.counts, known[:end])) for end in ends]


def _number(page: Page) -> int:
    found = re.search(r"共 ([\d,]+) 局", page.inner_text("[data-testid=stMain]"))
    assert found is not None, page.inner_text("[data-testid=stMain]")
    return int(found[1].replace(",", ""))


def _drawn(page: Page) -> None:
    """Every chart of a page has something in it."""
    charts = page.locator(CHART)
    assert charts.count() > 0, page.url
    for chart in charts.all():
        assert chart.locator("canvas, svg").first.bounding_box() is not None


def _rounds(pages: list[tuple[Visitor, Page]], is_over: Callable[[], bool]) -> Iterator[tuple[Visitor, Page, float]]:
    """Everybody refreshes at once, until it is over and once more; the seconds until each page stood."""
    last = False
    while True:
        starts = []
        for _, page in pages:
            starts.append(time.monotonic())
            page.reload(wait_until="commit")
        for (visitor, page), start in zip(pages, starts, strict=True):
            settled(page)
            yield visitor, page, time.monotonic() - start
        if last:
            return
        last = is_over()


@pytest.mark.parametrize(
    ("people", "first", "more", "batch"),
    [(2, 20, 40, 20), pytest.param(8, 2_000, 20_000, 1_000, marks=pytest.mark.soak)],
    ids=("short", "long"),
)
def test_people_who_look_while_a_load_commits(
    people: int, first: int, more: int, batch: int, context, tmp_path: Path
) -> None:
    known = _log(tmp_path / "whole.jsonl", first + more)
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "first.jsonl").write_bytes(b"".join(lines[:first]))
    (tmp_path / "more.jsonl").write_bytes(b"".join(lines[first:]))
    load([str(tmp_path / "first.jsonl")], tmp_path / "store")
    seen: dict[int, list[int]] = {}
    took: list[float] = []
    with serving(tmp_path / "store") as server:
        pages = []
        for visitor in VISITORS[:people]:
            page = new_page(context("desk"))
            page.goto(f"{server}/{visitor.screen}?{urlencode({'lang': 'zh'} | visitor.words)}")
            settled(page)
            pages.append((visitor, page))
        command = [sys.executable, "-c", LOADER, str(tmp_path / "more.jsonl"), str(tmp_path / "store"), str(batch)]
        with subprocess.Popen(command, env=HERE) as loader:
            for visitor, page, seconds in _rounds(pages, lambda: loader.poll() is not None):
                took.append(seconds)
                looks_sound(page)
                if visitor.counts is None:
                    _drawn(page)
                else:
                    seen.setdefault(VISITORS.index(visitor), []).append(_number(page))
            assert loader.returncode == 0
    for place, numbers in seen.items():
        states = _states(known, first, batch, VISITORS[place])
        assert set(numbers) <= set(states)
        assert numbers == sorted(numbers)
        assert numbers[-1] == states[-1] > states[0]
    if people == len(VISITORS):
        assert all(len(set(numbers)) > 2 for numbers in seen.values())
        p95 = sorted(took)[ceil(0.95 * len(took)) - 1]
        note(
            "Eight people refresh while a load commits",
            f"{len(took)} pages, {sum(map(len, seen.values()))} numbers of a state of the store each, no empty chart; "
            f"95 % stood within {p95:.1f} s, all eight asking at once beside the load on two cores",
        )
