"""How many hands a second `audit` does, beside OpenSpiel's own replay of the same games, and how much memory it takes.

Both sides run in one process, in turn, on the same games: random games of OpenSpiel, replayed by OpenSpiel with
``apply_action_with_legality_check``, and audited by us from a JSON Lines file that holds them as records, reading
included. The best of several rounds of CPU time counts for each side.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from bench.openspiel import Game, as_record, games, replay
from ingest.batch import Batch, judge, quiet_collector
from ingest.bulk import audit_logs
from ingest.logs import read, read_blocks

GAMES = 12_000
ROUNDS = 9
SEED = 20261129
LONG = (100_000, 400_000)
"""Hands of the two files whose memory is compared."""


class Measured(Struct, frozen=True):
    """Hands a second of each side."""

    games: int
    moves: float
    """Moves of a game, the auction included."""
    openspiel: float
    audit: float
    """The whole of `fupan audit`: the fast path, the audit behind it."""
    audit_alone: float
    """Every hand through the audit, without the fast path."""
    memory: tuple[int, int]
    """MiB at the peak, for the shorter and the longer file."""


def measure() -> Measured:
    """Measure everything in one run."""
    played = games(GAMES, SEED)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "games.jsonl"
        log.write_bytes(b"".join(as_record(game, number) + b"\n" for number, game in enumerate(played)))
        sides = {
            "openspiel": lambda: _replay(played),
            "audit": lambda: _audit(log),
            "audit_alone": lambda: _audit_alone(log),
        }
        best = _best_of(sides)
        memory = (_peak(log, LONG[0], Path(folder)), _peak(log, LONG[1], Path(folder)))
    moves = sum(len(game.actions) - 52 for game in played) / len(played)
    return Measured(GAMES, moves, *(GAMES / best[side] for side in sides), memory=memory)


def _best_of(sides: dict[str, Callable[[], None]]) -> dict[str, float]:
    """The best CPU seconds of each side; they take turns, so that a busy moment hits both."""
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(ROUNDS):
        for name, run in sides.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def _replay(played: list[Game]) -> None:
    for game in played:
        if replay(game) != game.returns:
            raise AssertionError("OpenSpiel disagrees with itself")


def _audit(log: Path) -> None:
    _all_clean(sum(some.clean for some in audit_logs(read_blocks([str(log)]))))


def _audit_alone(log: Path) -> None:
    with quiet_collector(), Batch() as batch:
        _all_clean(sum(batch.place(judge(entry)).verdict.verdict == "clean" for entry in read([str(log)])))


def _all_clean(clean: int) -> None:
    if clean != GAMES:
        raise AssertionError(f"{GAMES - clean} of OpenSpiel's games are not clean")


def _peak(log: Path, hands: int, folder: Path) -> int:
    """MiB that `fupan audit` holds at its peak for a file of so many different hands, in a process of its own."""
    long = folder / f"{hands}.jsonl"
    lines = log.read_bytes().splitlines()
    with long.open("wb") as file:
        for number in range(hands):
            line = lines[number % len(lines)].replace(b'"openspiel-', b'"%d-' % number)
            file.write(line.replace(b'"random-', b'"player-%d-' % number) + b"\n")
    done = subprocess.run([sys.executable, "-c", _PEAK, str(long)], capture_output=True, text=True, check=True)
    long.unlink()
    return int(done.stdout.split()[-1])


_PEAK = """
import resource, sys
from ingest.bulk import audit_logs
from ingest.logs import read_blocks
clean = sum(some.clean for some in audit_logs(read_blocks([sys.argv[1]])))
print(clean, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def page(measured: Measured) -> str:
    """The measurement as a section of results.md."""
    ratio, alone = measured.audit / measured.openspiel, measured.audit_alone / measured.openspiel
    short, long = measured.memory
    return f"""## Audit beside OpenSpiel

`python -m bench audit`: {measured.games:,} random games of OpenSpiel ({measured.moves:.0f} moves each, passes
included), the same games on both sides, one core, best of {ROUNDS} rounds in turn, CPU time. Compiled code is loaded
after the first round; a process that meets fewer than a thousand hands never loads it.

| side | hands/s | against OpenSpiel |
| --- | ---: | ---: |
| OpenSpiel, `apply_action_with_legality_check`, no log read, no claim settled | {measured.openspiel:,.0f} | 1.00 |
| `fupan audit`, JSON Lines to verdicts | {measured.audit:,.0f} | {ratio:.2f} |
| the audit alone, without the compiled fast path | {measured.audit_alone:,.0f} | {alone:.2f} |

Memory of `fupan audit` at its peak: {short} MiB for {LONG[0]:,} hands, {long} MiB for {LONG[1]:,}.
"""
