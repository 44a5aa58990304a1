"""How long the statistics take: all of the catalogue, over all hands and with one player's filter.

Each is asked several times in one process that has the store open, as the dashboard has, and the median counts. What
the process remembers of its answers is forgotten before every question; the files are in the memory of the system. What
a load keeps with a large store is kept here too, and how long that takes is told. CPU seconds of all threads stand
beside, since they tell more where other work shares the cores.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from msgspec import Struct

from analysis import catalogue
from analysis.keeping import FOLDER
from analysis.warehouse import TooSlow, Warehouse
from ingest.load import load
from ingest.store import LARGE, MANIFEST

HANDS = 100_000
"""Hands of a store that is made for the benchmark; the target is stated for a million."""
SAMPLE = 50_000
"""Hands of one sampled log."""
RULES = "classic"
ROUNDS = 5
LONG = 2.0
"""Seconds after which a question is asked twice only."""
TARGETS = {"all": 1.0, "typical": 0.2, "heavy": 0.2}
"""Seconds that a question may take over all hands, and with the filter of a typical player and of the busiest."""

_PLAYERS = """
SELECT player, count(*) AS hands FROM seats WHERE verdict = 'clean' GROUP BY player ORDER BY hands, player
"""


class Measured(Struct, frozen=True):
    """Seconds of each question."""

    hands: int
    batches: int
    megabytes: int
    players: int
    typical: int
    heavy: int
    """Hands of the typical player and of the busiest."""
    opening: float
    """Seconds until the store is open."""
    kept: dict[str, float]
    """Of what a load keeps with a large store, seconds of CPU to work it out; none for a small one."""
    seconds: dict[str, dict[str, float]]
    """By statistic and by what was asked; a statistic without the filter has no time for it."""
    cpu: dict[str, float]
    """By statistic, over all hands."""
    load: float
    """How many processes wanted a core meanwhile, on average over the last minutes."""


def measure(store: Path | None = None, hands: int = HANDS) -> Measured:
    """Ask everything of a store; one is made where none is."""
    with store_of(store, hands) as path:
        start = time.perf_counter()
        with Warehouse(path) as warehouse:
            opening = time.perf_counter() - start
            return _measured(warehouse, opening)


def _measured(warehouse: Warehouse, opening: float) -> Measured:
    manifest = warehouse.manifest
    players = warehouse.query(_PLAYERS, rows=10**9)
    typical, heavy = players.iloc[len(players) // 2], players.iloc[-1]
    who = {"all": None, "typical": str(typical["player"]), "heavy": str(heavy["player"])}
    kept = _kept(warehouse) if manifest.rows("hands") >= LARGE else {}
    took = {name: _of(warehouse, name, who) for name in catalogue.statistics()}
    return Measured(
        hands=manifest.rows("hands"),
        batches=len(manifest.batches),
        megabytes=sum(file.bytes for batch in manifest.batches for file in batch.files.values()) // 1_000_000,
        players=len(players),
        typical=int(typical["hands"]),
        heavy=int(heavy["hands"]),
        opening=opening,
        kept=kept,
        seconds={name: {kind: wall for kind, (wall, _) in times.items()} for name, times in took.items()},
        cpu={name: times["all"][1] for name, times in took.items()},
        load=os.getloadavg()[1],
    )


def _kept(warehouse: Warehouse) -> dict[str, float]:
    """Work out anew what a load keeps, each by itself; seconds of CPU."""
    shutil.rmtree(warehouse.path / FOLDER, ignore_errors=True)
    took = {}
    for name, statistic in catalogue.statistics().items():
        if statistic.kept is not None:
            warehouse.forget()
            busy = time.process_time()
            catalogue.run(warehouse, name)
            took[name] = time.process_time() - busy
    return took


def _of(warehouse: Warehouse, name: str, who: dict[str, str | None]) -> dict[str, tuple[float, float]]:
    """The seconds, by the clock and of CPU, of one statistic, for all and for each player where it has that filter."""
    filtered = "player" in catalogue.statistics()[name].parameters
    return {
        kind: _median(warehouse, name, {} if player is None else {"player": player})
        for kind, player in who.items()
        if filtered or player is None
    }


def _median(warehouse: Warehouse, name: str, filters: dict[str, str]) -> tuple[float, float]:
    wall: list[float] = []
    cpu: list[float] = []
    while len(wall) < (2 if wall and wall[0] > LONG else ROUNDS):
        warehouse.forget()
        start, busy = time.perf_counter(), time.process_time()
        with suppress(TooSlow):
            catalogue.run(warehouse, name, **filters)
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - busy)
    return median(wall), median(cpu)


@contextmanager
def store_of(store: Path | None, hands: int) -> Iterator[Path]:
    """The store that was named, or a new one; what was not named is gone afterwards."""
    if store is None:
        with tempfile.TemporaryDirectory() as folder:
            yield _made(Path(folder) / "store", hands)
    else:
        yield store if (store / MANIFEST).exists() else _made(store, hands)


def _made(store: Path, hands: int) -> Path:
    """A store of sampled hands, with the answers that are kept with it: `fupan sample`, then `fupan load`."""
    with tempfile.TemporaryDirectory() as folder:
        for number, first in enumerate(range(0, hands, SAMPLE)):
            log = Path(folder) / f"{number}.jsonl"
            command = [sys.executable, "-m", "fupan", "sample", "--rules", RULES, "--out", str(log)]
            size = min(SAMPLE, hands - first)
            subprocess.run([*command, "--hands", str(size), "--seed", str(number)], check=True)
            load([str(log)], store, jobs=2)
            log.unlink()
    with Warehouse(store) as warehouse:
        catalogue.prepare(warehouse)
    return store


def page(measured: Measured) -> str:
    """The measurement as a section of results.md."""
    slow = [name for name, seconds in measured.seconds.items() if _misses(seconds)]
    misses = f"{len(slow)} miss the target: {', '.join(sorted(slow))}." if slow else "All meet the target."
    order = sorted(measured.seconds, key=lambda name: -max(measured.seconds[name].values()))
    rows = "\n".join(_line(measured, name) for name in order)
    return f"""## How long statistics take

`python -m bench queries`: every statistic of the catalogue on a store of {measured.hands:,} hands in {measured.batches}
batches ({measured.megabytes:,} MB, {measured.players:,} players), over all hands, with the filter of a typical player
({measured.typical:,} hands) and of the busiest ({measured.heavy:,} hands). Median of {ROUNDS}, nothing remembered of
earlier answers, files in the memory of the system, store opened in {_ms(measured.opening)} ms. {os.cpu_count()} cores,
for which {measured.load:.1f} processes waited or worked meanwhile. Targets: {_ms(TARGETS["all"])} ms over all hands,
{_ms(TARGETS["typical"])} ms with a player's filter. The last column is of answers over all hands that a load works out
and keeps with a large store: {sum(measured.kept.values()):,.0f} s of CPU together, each by itself.

{len(order)} statistics. {misses}

| statistic | all hands, ms | a typical player, ms | the busiest, ms | CPU over all hands, ms | CPU to keep it, ms |
| --- | ---: | ---: | ---: | ---: | ---: |
{rows}
"""


def _line(measured: Measured, name: str) -> str:
    cells = [*_cells(measured.seconds[name]), _ms(measured.cpu[name])]
    return f"| `{name}` | {' | '.join(cells)} | {_ms(measured.kept[name]) if name in measured.kept else '–'} |"


def _misses(seconds: dict[str, float]) -> bool:
    return any(took > TARGETS[kind] for kind, took in seconds.items())


def _cells(seconds: dict[str, float]) -> list[str]:
    """Milliseconds by what was asked; what misses its target is bold."""
    shown = []
    for kind, target in TARGETS.items():
        took = seconds.get(kind)
        text = "–" if took is None else _ms(took)
        shown.append(f"**{text}**" if took is not None and took > target else text)
    return shown


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f}"
