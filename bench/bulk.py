"""How many hands a second whole logs are audited, beside OpenSpiel's replay and beside decoding the same bytes.

All sides run in one process, in turn, so that a busy moment hits all of them; the median of CPU time counts. OpenSpiel
replays its own random games with ``apply_action_with_legality_check``: it reads no log and settles no claim. Decoding
is msgspec into the structs of records and nothing else.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct

from bench.openspiel import Game, as_record, games, replay
from ingest.again import audit_again
from ingest.bulk import Engine, Way, audit_logs
from ingest.load import load
from ingest.logs import read_blocks
from ingest.record import Record
from ingest.rules.ruleset import load as rules_of
from ingest.simulate import hands

GAMES = 3_000
HANDS = 48_000
"""So many that what a log costs as such, some milliseconds, is not what is measured: users have millions."""
FEW = 6_000
"""Hands of the log that is audited without compiled code."""
ROUNDS = 7
SEED = 20261130
ENOUGH = {"classic": 15.0, "platform": 7.0, "four-player": 7.0, "emperor": 7.0}
"""How many times OpenSpiel's rate the audit of clean hands of a ruleset is to have."""
OF_DECODING = 1.5
FAULTS = 0.05
LONG = (500_000, 2_000_000)
"""Hands of the two files whose memory is compared."""
COMPILED = Way(engine=Engine.bulk)
Side = Callable[[], None]


class Measured(Struct, frozen=True):
    """Hands a second of each side, by CPU time unless said otherwise."""

    moves: float
    """Moves of a game of OpenSpiel, the auction included."""
    openspiel: float
    games: float
    """The same games audited."""
    audit: dict[str, float]
    """Clean hands by ruleset."""
    decode: dict[str, float]
    """The same bytes decoded."""
    alone: float
    """`--engine audit`, classic."""
    faulty: float
    """Classic, ``FAULTS`` of the hands spoilt."""
    json: float
    """Classic, `--json`."""
    store: float
    """Classic, `fupan audit --store --rules classic`, of a store that has no other hands."""
    jobs: dict[int, float]
    """Classic, by the clock, by number of processes."""
    at_once: float
    """By the clock, how much more two processes hash at once than one: what this machine gives two at most."""
    load: float
    """Classic, `fupan load` into a new store."""
    memory: tuple[int, int]
    """MiB at the peak, for the shorter and the longer file."""
    load_average: float
    """How many processes wanted a core meanwhile."""


def measure() -> Measured:
    """Measure everything in one run."""
    played = games(GAMES, SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = written(folder / "openspiel.jsonl", (as_record(game, number) for number, game in enumerate(played)))
        logs = {rules: written(folder / f"{rules}.jsonl", _clean(rules)) for rules in ENOUGH}
        few = written(folder / "few.jsonl", islice(_clean("classic"), FEW))
        spoilt = written(folder / "spoilt.jsonl", hands(rules_of("classic"), HANDS, seed=SEED, faults=FAULTS))
        sides: dict[str, tuple[int, Side]] = {
            "openspiel": (GAMES, lambda: _replay(played)),
            "games": (GAMES, lambda: _audit(own)),
            "alone": (FEW, lambda: _audit(few, Way(engine=Engine.audit))),
            "json": (HANDS, lambda: _audit(logs["classic"], Way(language="en", engine=Engine.bulk))),
            "store": (HANDS, lambda: _audit_store(folder / "first")),
            "faulty": (HANDS, lambda: _audit(spoilt, spoilt=True)),
        }
        for rules, log in logs.items():
            sides[f"audit {rules}"] = HANDS, lambda log=log: _audit(log)  # type: ignore[misc]
            sides[f"decode {rules}"] = HANDS, lambda log=log: decode(log)  # type: ignore[misc]
        load([str(logs["classic"])], folder / "first")
        rates = _rates(sides)
        long = _without_tables(logs["classic"])
        return Measured(
            moves=sum(len(game.actions) - 52 for game in played) / len(played),
            openspiel=rates["openspiel"], games=rates["games"], alone=rates["alone"], faulty=rates["faulty"],
            json=rates["json"], store=rates["store"], audit={rules: rates[f"audit {rules}"] for rules in logs},
            decode={rules: rates[f"decode {rules}"] for rules in logs}, jobs=_by_the_clock(long, folder),
            at_once=_at_once(), load=_load(logs["classic"], folder),
            memory=(_peak(long, LONG[0], folder), _peak(long, LONG[1], folder)),
            load_average=os.getloadavg()[1],
        )  # fmt: skip


def _clean(rules: str) -> Iterator[bytes]:
    return hands(rules_of(rules), HANDS, seed=SEED, faults=0.0)


def written(path: Path, lines: Iterator[bytes]) -> Path:
    """A log of these lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def _rates(sides: dict[str, tuple[int, Side]]) -> dict[str, float]:
    """Hands a CPU second of each side: the median of rounds in turn, after one in which everything is met first."""
    took: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(ROUNDS + 1):
        for name, (_, run) in sides.items():
            start = time.process_time()
            run()
            if turn:
                took[name].append(time.process_time() - start)
    return {name: number / median(took[name]) for name, (number, _) in sides.items()}


def _replay(played: list[Game]) -> None:
    for game in played:
        if replay(game) != game.returns:
            raise AssertionError("OpenSpiel disagrees with itself")


def _audit(log: Path, way: Way = COMPILED, *, spoilt: bool = False) -> None:
    """Audit a log, and write the verdicts as JSON where the way says so."""
    entries = told = faulty = 0
    for some in audit_logs(read_blocks([str(log)]), way):
        entries += some.count
        faulty += sum(verdict.verdict != "clean" for verdict in some.others)
        told += sum(1 for _ in some.lines()) if way.language is not None else 0
    if not entries or spoilt != (faulty > 0) or told not in (0, entries):
        raise AssertionError(f"{log.name}: {faulty} of {entries} are not clean, {told} told")


def _audit_store(store: Path) -> None:
    """Audit a store again, of which nothing else is said than before."""
    found = list(audit_again(store, Way(rules="classic", engine=Engine.bulk)))
    if sum(again.hands for again in found) != HANDS or any(again.changes for again in found):
        raise AssertionError("a store says something else of its own hands")


def decode(log: Path) -> None:
    """Decode every line of a log into the struct of a record."""
    read = msgspec.json.Decoder(Record).decode
    with log.open("rb") as lines:
        for line in lines:
            read(line)


def _without_tables(log: Path) -> list[bytes]:
    """The hands of a log as a pattern: of no table, the ids of hands and players to be filled in."""
    found = []
    for line in log.read_bytes().splitlines():
        told = {name: value for name, value in json.loads(line).items() if name != "table"}
        for player in told["players"]:
            player["id"] = "@" + player["id"]
        found.append(json.dumps(told | {"id": "@"}, ensure_ascii=False, separators=(",", ":")).encode())
    return found


def _long(pattern: list[bytes], number: int, path: Path) -> Path:
    """A log of so many different hands."""
    with path.open("wb") as file:
        for turn in range(number):
            file.write(pattern[turn % len(pattern)].replace(b'"@', b'"%d-' % turn) + b"\n")
    return path


def _by_the_clock(pattern: list[bytes], folder: Path) -> dict[int, float]:
    """Hands a second by the clock with one process and with two, each in a process of its own, started and ended."""
    log = _long(pattern, LONG[1], folder / "long.jsonl")
    took: dict[int, list[float]] = {}
    for jobs in (1, 2, 1, 2, 1, 2):
        start = time.perf_counter()
        command = [sys.executable, "-m", "fupan", "audit", str(log), "--engine", "bulk", "--jobs", str(jobs)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=_ENVIRONMENT)
        took.setdefault(jobs, []).append(time.perf_counter() - start)
    log.unlink()
    return {jobs: LONG[1] / median(seconds) for jobs, seconds in took.items()}


_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Programs start as where they are installed: with bytecode kept, whatever is said of this process."""


def _at_once() -> float:
    """How much more is hashed in the same time by two processes than by one, which want nothing of each other."""
    took: dict[int, list[float]] = {}
    for jobs in (1, 2) * 5:
        running = [
            subprocess.Popen([sys.executable, "-c", _HASHING], stdout=subprocess.PIPE, text=True) for _ in range(jobs)
        ]
        took.setdefault(jobs, []).append(max(float(each.communicate()[0]) for each in running))
    return 2 * median(took[1]) / median(took[2])


_HASHING = """
import hashlib, time
text, start = bytes(1 << 16), time.perf_counter()
for _ in range(20_000):
    hashlib.blake2b(text).digest()
print(time.perf_counter() - start)
"""


def _load(log: Path, folder: Path) -> float:
    """A load into a new store, compiled code loaded and everything met before."""
    start = time.process_time()
    load([str(log)], folder / "store")
    return HANDS / (time.process_time() - start)


def _peak(pattern: list[bytes], number: int, folder: Path) -> int:
    """MiB that `fupan audit` holds at its peak for a file of so many different hands, in a process of its own."""
    long = _long(pattern, number, folder / f"{number}.jsonl")
    done = subprocess.run([sys.executable, "-c", _PEAK, str(long)], capture_output=True, text=True, check=True)
    long.unlink()
    clean, peak = map(int, done.stdout.split())
    if clean != number:
        raise AssertionError(f"{number - clean} of {number} hands are not clean and new")
    return peak


_PEAK = """
import re, resource, sys
from pathlib import Path
from ingest.bulk import audit_logs
from ingest.logs import read_blocks
clean = 0
for some in audit_logs(read_blocks([sys.argv[1]])):
    clean += some.clean + sum(v.verdict == "clean" and "R108" not in {f.code for f in v.findings} for v in some.others)
told = Path("/proc/self/status")
own = re.search(r"VmHWM:\\s+(\\d+)", told.read_text()) if told.exists() else None
print(clean, int(own[1] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) // 1024)
"""
"""Where the system tells it, the peak of this process alone: the other number begins with that of who started it."""


def page(measured: Measured) -> str:
    """The measurement as a section of results.md."""
    rows = "\n".join(f"| {' | '.join(row)} |" for row in _rows(measured))
    return f"""## Whole logs

`python -m bench bulk`: {HANDS:,} generated hands of each ruleset (`fupan sample`), {GAMES:,} random games of OpenSpiel
({measured.moves:.0f} moves each). One process, all sides in turn, median CPU time of {ROUNDS} rounds after one in which
compiled code was loaded and every play and settlement met first, unless said otherwise; a log of so many hands takes so
long that what is done once for a file counts for little. `--engine audit` has {FEW:,} of the hands.
{os.cpu_count()} cores, for which {measured.load_average:.1f} processes waited or worked meanwhile.

| what | hands/s | against | target |
| --- | ---: | ---: | ---: |
{rows}

Memory of `fupan audit` at its peak: {measured.memory[0]:,} MiB for {LONG[0]:,} hands, {measured.memory[1]:,} MiB for
{LONG[1]:,}; target 1,536 MiB, not growing.
"""


def _rows(measured: Measured) -> Iterator[tuple[str, str, str, str]]:
    openspiel, classic = measured.openspiel, measured.audit["classic"]
    yield "OpenSpiel, `apply_action_with_legality_check`, no log read, no claim settled", f"{openspiel:,.0f}", "", ""
    yield "the same games, JSON to verdicts", f"{measured.games:,.0f}", _times(measured.games / openspiel), ""
    for rules, target in ENOUGH.items():
        rate, decode = measured.audit[rules], measured.decode[rules]
        yield f"`{rules}`, JSON to verdicts", f"{rate:,.0f}", _times(rate / openspiel), f"≥ {target:.0f} × OpenSpiel"
        share = f"{decode / rate:.2f} × its time"
        yield f"`{rules}`, only decoded", f"{decode:,.0f}", share, f"≤ {OF_DECODING} ×" if rules == "classic" else ""
    yield "`classic`, `--json`", f"{measured.json:,.0f}", _times(measured.json / openspiel), ""
    share = f"{measured.store / classic:.2f} × JSON to verdicts"
    yield "`classic`, `fupan audit --store`, Parquet to verdicts", f"{measured.store:,.0f}", share, "≥ 2 ×"
    yield "`classic`, `--engine audit`", f"{measured.alone:,.0f}", _times(measured.alone / openspiel), ""
    share = f"{measured.faulty / classic:.2f} × the clean rate"
    yield f"`classic`, {FAULTS:.0%} of the hands spoilt", f"{measured.faulty:,.0f}", share, "≥ 0.5 ×"
    ratio = f"{measured.jobs[2] / measured.jobs[1]:.2f} × one"
    yield (
        f"`classic`, two processes, {LONG[1]:,} hands, by the clock, start included",
        f"{measured.jobs[2]:,.0f}",
        ratio,
        "≥ 1.7 ×",
    )
    yield "two processes that only hash, at once, by the clock", "", f"{measured.at_once:.2f} × one", ""
    yield "`classic`, `fupan load`", f"{measured.load:,.0f}", _times(measured.load / openspiel), "≥ 2 × OpenSpiel"


def _times(ratio: float) -> str:
    return f"{ratio:.2f} × OpenSpiel"
