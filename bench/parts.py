"""Where the time of an audit of whole logs goes, part by part, beside only decoding the same bytes.

Each part is asked for by itself, all in turn; of each the fastest of some rounds counts, in CPU time, so that what else
the machine does shows least. What is left of the whole is the rest.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct

from bench.bulk import COMPILED, ENOUGH, HANDS, SEED, decode, written
from ingest.bulk import Engine, Way, audit_logs
from ingest.bulk.blocks import Reader
from ingest.bulk.proofs import Prover
from ingest.logs import Lines, read_blocks
from ingest.rules.ruleset import builtin_names, load
from ingest.simulate import hands

ROUNDS = 9
AS_JSON = Way(language="en", engine=Engine.bulk)


class Parts(Struct, frozen=True):
    """Microseconds a hand."""

    decode: float
    """The same bytes decoded by msgspec, and nothing else."""
    file: float
    """The file read, cut into blocks."""
    read: float
    """Texts and numbers found in them."""
    prove: float
    """Hands replayed, settled, compared with their claims and digested."""
    whole: float
    """All of it, as far as verdicts that are counted."""
    lines: float
    """The same with the verdicts as lines of JSON."""


def measure() -> dict[str, Parts]:
    """The parts by ruleset."""
    with tempfile.TemporaryDirectory() as folder:
        logs = {name: Path(folder) / f"{name}.jsonl" for name in ENOUGH}
        return {name: _parts(written(log, hands(load(name), HANDS, seed=SEED)), name) for name, log in logs.items()}


def _parts(log: Path, name: str) -> Parts:
    blocks = [each for each in read_blocks([str(log)]) if isinstance(each, Lines)]
    reader, prover = Reader(builtin_names()), Prover(load(name))
    took: dict[str, list[float]] = {}

    def timed(part: str, run: Callable[[], object]) -> None:
        start = time.process_time()
        run()
        took.setdefault(part, []).append(time.process_time() - start)

    for _ in range(ROUNDS + 1):
        timed("decode", lambda: decode(log))
        timed("file", lambda: [*read_blocks([str(log)])])
        timed("read", lambda: [reader.read(block.text) and None for block in blocks])
        timed("proved", lambda: [_prove(reader, prover, block) for block in blocks])
        timed("whole", lambda: [some.count for some in audit_logs(read_blocks([str(log)]), COMPILED)])
        timed("lines", lambda: [[*some.lines()] and None for some in audit_logs(read_blocks([str(log)]), AS_JSON)])
    best = {part: min(times[1:]) * 1e6 / HANDS for part, times in took.items()}
    proved = best.pop("proved")
    return Parts(prove=proved - best["read"], **best)


def _prove(reader: Reader, prover: Prover, lines: Lines) -> None:
    block = reader.read(lines.text)
    prover.prove(block, np.flatnonzero(block.is_read))


def page(measured: dict[str, Parts]) -> str:
    """The measurement as a section of results.md."""
    rows = "\n".join(f"| `{name}` | {' | '.join(_row(parts))} |" for name, parts in measured.items())
    return f"""## Where the time of an audit goes

`python -m bench parts`: {HANDS:,} generated hands of each ruleset, one process, microseconds of CPU a hand, the
fastest of {ROUNDS} rounds after one in which every play was met first. The floor is msgspec decoding the same bytes.
The rest is what hands say about one another, what tables left, notes and counting. {os.cpu_count()} cores, for which
{os.getloadavg()[1]:.1f} processes waited or worked meanwhile.

| ruleset | floor | file | read | prove | rest | whole | against the floor | verdicts as JSON, more |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{rows}
"""


def _row(parts: Parts) -> list[str]:
    rest = parts.whole - parts.file - parts.read - parts.prove
    told = (parts.decode, parts.file, parts.read, parts.prove, rest, parts.whole)
    return [
        *(f"{each:.2f}" for each in told),
        f"{parts.whole / parts.decode:.2f} ×",
        f"{parts.lines - parts.whole:.2f}",
    ]
