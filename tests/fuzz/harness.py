"""Any bytes as any log: entries, each with a verdict, and nothing else.

Run as ``python tests/fuzz/harness.py SECONDS`` it lets atheris look for inputs that reach new code (``make fuzz``),
beginning with ``corpus/``; they gather in ``.fuzz/``. One that breaks something is written there as ``crash-…``: with
the mistake mended, it goes into ``corpus/``, which every ``make test`` reads.
"""

import io
import sys
from itertools import islice
from pathlib import Path

from ingest.batch import Batch, judge
from ingest.logs import FORMATS, read

CORPUS = Path(__file__).parent / "corpus"
GATHERED = Path(__file__).parents[2] / ".fuzz"
ENTRIES = 300
"""So many of an input are looked at."""
LONGEST = 1 << 15
"""Bytes of an input that is looked for."""
WAYS = [None, *FORMATS]
"""The first byte of an input says as which format the rest is read; at first as the one that it is told to be."""
SECONDS_EACH, MIB_EACH = 20, 2048
"""What no input of that size may take."""


def one(data: bytes) -> list[str]:
    """Read an input and judge what it has; the verdicts. Raises only what is a mistake of our own."""
    way, rest = WAYS[data[0] % len(WAYS)] if data else None, data[1:]
    with Batch() as batch:
        entries = islice(read(["-"], format=way, stdin=io.BytesIO(rest)), ENTRIES)
        verdicts = [batch.place(judge(entry)).verdict for entry in entries]
    words = [verdict.verdict for verdict in verdicts]
    assert words, "no entry"
    assert set(words) <= {"clean", "faulty", "unreadable"}
    for verdict in verdicts:
        assert verdict.source.split("/")[0] == "-"  # and what it has in an archive
        assert verdict.line >= 1
    return words


def main() -> None:
    """Fuzz for so many seconds."""
    import atheris

    atheris.instrument_all()
    GATHERED.mkdir(exist_ok=True)
    options = [f"-max_total_time={sys.argv[1]}", f"-max_len={LONGEST}", f"-timeout={SECONDS_EACH}"]
    atheris.Setup(
        [
            sys.argv[0],
            *options,
            f"-rss_limit_mb={MIB_EACH}",
            f"-artifact_prefix={GATHERED}/",
            str(GATHERED),
            str(CORPUS),
        ],
        one,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
