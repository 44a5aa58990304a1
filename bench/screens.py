"""How long the screens of the dashboard take on a large store: to open, and after a change of a filter.

A screen is run by Streamlit's own test runner in this process: everything that the server does for a click, questions
to the store and what it sends to the browser among it; not the way there and the drawing. Every change is to a value
that nobody asked for before, while what the screen knew before the change is remembered, as in the dashboard. CPU
seconds of all threads stand beside, since they tell more where other work shares the cores.
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median

import streamlit as st
from msgspec import Struct
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from analysis import catalogue, choices
from analysis.chapters import is_screen
from analysis.warehouse import Warehouse
from bench.queries import HANDS, store_of

APP = Path(__file__).parents[1] / "dashboard" / "app.py"
FIRST = "overview"
TARGETS = {"first": 1.5, "change": 0.5}
"""Seconds until the first screen is there, and after a change of a filter on any."""
PATIENCE = 600.0
ROUNDS = 5

Words = Mapping[str, str]


class Screen(Struct, frozen=True):
    """A screen as an address says it, and the filters that are changed one after another."""

    name: str
    words: dict[str, str]
    changes: tuple[tuple[str, str], ...]

    @property
    def title(self) -> str:
        """The screen with what tells it from others of the same name."""
        told = [self.words[key] for key in ("stat", "section", "turn") if key in self.words]
        return " ".join([self.name, *told])


class Took(Struct, frozen=True):
    """Seconds by the clock and of CPU."""

    wall: float
    cpu: float


class Measured(Struct, frozen=True):
    """Seconds of each screen."""

    hands: int
    first: Took
    """The first screen in a server that has run it before, which remembers nothing of this store."""
    remembered: Took
    """The same once more."""
    opened: dict[str, Took]
    changed: dict[str, dict[str, Took]]
    """By screen and by the filter that was changed."""
    load: float
    """How many processes wanted a core meanwhile, on average over the last minutes."""


def measure(store: Path | None = None, hands: int = HANDS) -> Measured:
    """Open and change all screens on a store; one is made where none is."""
    set_log_level("ERROR")
    with store_of(store, hands) as path:
        os.environ["FUPAN_STORE"] = str(path)
        with Warehouse(path) as warehouse:
            asked, rows = list(screens(warehouse)), warehouse.manifest.rows("hands")
        first, remembered = _first()
        found = {screen.title: _of(screen) for screen in asked}
        return Measured(
            hands=rows,
            first=first,
            remembered=remembered,
            opened={title: took for title, (took, _) in found.items()},
            changed={title: changes for title, (_, changes) in found.items()},
            load=os.getloadavg()[1],
        )


def screens(warehouse: Warehouse) -> Iterator[Screen]:
    """Every screen that asks the store, section by section."""
    players, days = choices.players(warehouse), catalogue.run(warehouse, "hands_per_day")["day"].dropna()
    rules, (one, other, *_) = choices.rulesets(warehouse)[0], players
    since, until = (str(day)[:10] for day in (days.iloc[len(days) // 4], days.iloc[3 * len(days) // 4]))
    span = (("since", since), ("until", until))
    people = (("player", one), ("player", players[len(players) // 2]), *span, ("role", "landlord"))
    yield Screen("overview", {}, (("rules", rules), *span))
    yield Screen("hands", {}, people)
    yield Screen("hands", {"stat": "win_rate"}, people)
    yield Screen("hand", {"hand": str(warehouse.manifest.rows("hands") // 2)}, ())
    yield Screen("findings", {}, (("rules", rules), ("severity", "note"), ("codes", "P410")))
    yield Screen("player", {}, (*span, ("role", "landlord"), ("rules", rules)))
    for section in ("results", "trend", "bidding", "play", "bombs", "people", "sessions", "deal", "ratings"):
        yield Screen("player", {"player": one, "section": section}, (("player", other), *span, ("role", "landlord")))
    yield Screen("compare", {"player": one, "other": other}, (("other", players[2]), *span, ("role", "landlord")))
    for section in ("bids", "leads", "passing", "bombs", "landlords"):
        yield Screen("strategy", {"section": section}, (("player", one), *span))
    for turn in ("lead", "follow"):
        yield Screen("spots", {"turn": turn}, (("own", "6-10"), ("player", one), *span))
    for name, each in catalogue.statistics().items():
        if is_screen(each):
            narrowed = (("rules", rules), ("player", one), *span)
            yield Screen("integrity", {"stat": name}, tuple(f for f in narrowed if f[0] in each.parameters))
    yield Screen("statistics", {"stat": "win_rate", "by": "role"}, people)


def _first() -> tuple[Took, Took]:
    """The first screen, when nothing of the store is remembered, and when it is."""
    _opened(FIRST, {})
    cold = []
    for _ in range(ROUNDS):
        st.cache_data.clear()
        st.cache_resource.clear()
        cold.append(_timed(AppTest.from_file(str(APP), default_timeout=PATIENCE)))
    warm = [_timed(AppTest.from_file(str(APP), default_timeout=PATIENCE)) for _ in range(ROUNDS)]
    return _middle(cold), _middle(warm)


def _of(screen: Screen) -> tuple[Took, dict[str, Took]]:
    """How long a screen takes to open, and after each change; every filter stays while the next is changed."""
    st.cache_data.clear()
    page, took = _opened(screen.name, screen.words)
    changes: dict[str, list[Took]] = {}
    for key, value in screen.changes:
        page.query_params[key] = value
        changes.setdefault(key, []).append(_timed(page))
    return took, {key: max(each, key=lambda took: took.wall) for key, each in changes.items()}


def _opened(name: str, words: Words) -> tuple[AppTest, Took]:
    page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    page.query_params.update({"lang": "zh"} | dict(words))
    page.switch_page(f"screens/{name}.py")
    return page, _timed(page)


def _timed(page: AppTest) -> Took:
    """Run a page. Raises ``AssertionError`` where it says that something is broken."""
    start, busy = time.perf_counter(), time.process_time()
    page.run()
    took = Took(time.perf_counter() - start, time.process_time() - busy)
    assert not page.exception, page.exception
    return took


def _middle(times: Iterable[Took]) -> Took:
    times = list(times)
    return Took(median(took.wall for took in times), median(took.cpu for took in times))


def page(measured: Measured) -> str:
    """The measurement as a section of results.md."""
    order = sorted(measured.changed, key=lambda title: -_worst(measured, title))
    missed = [title for title in order if _worst(measured, title) > TARGETS["change"]]
    said = f"{len(missed)} miss the target after a change." if missed else "All meet the target after a change."
    rows = "\n".join(_line(measured, title) for title in order)
    first, again = (_cell(took, TARGETS["first"]) for took in (measured.first, measured.remembered))
    return f"""## How long screens take

`python -m bench screens`: the screens of the dashboard on a store of {measured.hands:,} hands, run by Streamlit's test
runner: all that the server does, without the way to the browser and the drawing there. Milliseconds by the clock, and
of CPU behind a stroke; {os.cpu_count()} cores, for which {measured.load:.1f} processes waited or worked meanwhile.
“Opened”: nothing is remembered of earlier answers, the store is open and its files are in the memory of the system.
“Changed”: the slowest change of that filter to a value that nobody asked for before. The first screen takes
{first} when the store has to be opened, {again} when its answers are remembered (target
{TARGETS["first"] * 1000:,.0f}). Target after a change: {TARGETS["change"] * 1000:,.0f}.

{len(order)} screens. {said}

| screen | opened, ms | changed, ms |
| --- | ---: | --- |
{rows}
"""


def _worst(measured: Measured, title: str) -> float:
    return max((took.wall for took in measured.changed[title].values()), default=0.0)


def _line(measured: Measured, title: str) -> str:
    changes = " · ".join(f"{key} {_cell(took, TARGETS['change'])}" for key, took in measured.changed[title].items())
    return f"| {title} | {_cell(measured.opened[title], float('inf'))} | {changes or '–'} |"


def _cell(took: Took, target: float) -> str:
    """Milliseconds; what misses its target is bold."""
    text = f"{took.wall * 1000:,.0f}/{took.cpu * 1000:,.0f}"
    return f"**{text}**" if took.wall > target else text
