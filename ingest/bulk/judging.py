"""Entries in, judged entries out: ordinary hands by the compiled loop, the rest by the audit, in the same order."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING

from ingest.batch import Judged, judge, ruleset_of
from ingest.bulk.loaded import KERNEL, fewest_plays, turned
from ingest.logs import Entry
from ingest.logs.portions import portions, size_of
from ingest.record import read_record, write_record
from ingest.rules.ruleset import AnyRuleset, load
from ingest.verdict import Verdict, with_findings

if TYPE_CHECKING:
    from ingest.bulk.proofs import Proof

CHUNK = 1024
"""Entries that the compiled loop is given at a time."""
WARM_UP = 1024
"""Entries that are audited one by one before compiled code is loaded: a small log is done sooner without it."""


COMPILING, NO_NUMBA = "compiling", "no_numba"
"""What a person should be told: the fast path is compiled now, as never before on this machine; there is none."""
Telling = Callable[[str], None]


def available() -> bool:
    """Whether Numba is installed, and not told to compile nothing."""
    return find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def warm_up() -> bool:
    """Compile all that the fast path needs, once for this machine; False where Numba is not installed."""
    from ingest.simulate import hands

    if not available():
        return False
    rules = load("classic")
    entries = [Entry("", 1, b"", read_record(line)[0]) for line in hands(rules, 8)]
    for _ in judge_all(entries, warm_up=0):
        pass
    _warm_up_blocks(b"\n".join(hands(rules, 8)))
    fewest_plays(1, rules)
    turned([hand for entry in entries if (hand := judge(entry).hand) is not None])
    return True


def _warm_up_blocks(text: bytes) -> None:
    """Put a block of lines into rows, among those before."""
    from ingest.bulk.placing import Placer
    from ingest.bulk.sketching import Sketcher
    from ingest.logs import Lines

    placer = Placer(None, lambda _: b"")
    sketched = Sketcher(None, placer.memory.secret, "UTC").sketch("", 1, text)
    placer.one_by_one(Lines("", 1, text, set()), sketched.found)
    placer.memory.close()


def judge_all(
    entries: Iterable[Entry],
    rules: str | None = None,
    warm_up: int = WARM_UP,
    telling: Telling = lambda _: None,
) -> Iterator[Judged]:
    """The verdict on each entry by itself, in order; without Numba, and for the first few, by the audit alone.

    ``telling`` is told when a longer log is slower than it could be: ``COMPILING``, ``NO_NUMBA``.
    """
    remaining = iter(entries)
    for entry in islice(remaining, 0 if KERNEL in sys.modules else warm_up):
        yield judge(entry, rules)
    first = next(remaining, None)
    if first is None:
        return
    remaining = chain([first], remaining)
    if not available():
        telling(NO_NUMBA)
        yield from (judge(entry, rules) for entry in remaining)
        return
    if must_compile():
        telling(COMPILING)
    for chunk in portions(remaining, CHUNK, size_of):
        yield from _judge_chunk(chunk, rules)


def must_compile() -> bool:
    """Whether the fast path is still to be compiled on this machine."""
    from ingest.bulk.compiled.machine import is_compiled

    return KERNEL not in sys.modules and not is_compiled()


def _judge_chunk(chunk: list[Entry], rules: str | None) -> Iterator[Judged]:
    from ingest.bulk.proofs import prover_of

    judged: list[Judged | None] = [None] * len(chunk)
    for ruleset, places in _by_ruleset(chunk, rules).items():
        if prover_of(ruleset) is not None:
            for place, found in zip(places, _proven([chunk[place] for place in places], ruleset), strict=True):
                judged[place] = found
    for place, entry in enumerate(chunk):
        yield judged[place] or judge(entry, rules)


def _by_ruleset(chunk: list[Entry], rules: str | None) -> dict[AnyRuleset, list[int]]:
    """The places in a chunk of the records of each ruleset."""
    groups: dict[AnyRuleset, list[int]] = {}
    for place, entry in enumerate(chunk):
        ruleset = None if entry.record is None else ruleset_of(entry.record, rules)
        if ruleset is not None:
            groups.setdefault(ruleset, []).append(place)
    return groups


def _proven(entries: list[Entry], ruleset: AnyRuleset) -> list[Judged | None]:
    """The verdict on each entry that is plainly clean, None for the others."""
    import numpy as np

    from ingest.bulk.blocks import Reader
    from ingest.bulk.proofs import prover_of

    prover = prover_of(ruleset)
    assert prover is not None
    lines = b"".join([write_record(entry.record) + b"\n" for entry in entries if entry.record is not None])
    block = Reader(()).read(lines)
    proof = prover.prove(block, np.flatnonzero(block.is_read))
    return [
        judged_of(entry, proof, row) if proven else None
        for row, (entry, proven) in enumerate(zip(entries, proof.proven.tolist(), strict=True))
    ]


def judged_of(entry: Entry, proof: "Proof", row: int) -> Judged:
    """A proven hand, as ``judge`` tells it."""
    verdict = verdict_of(proof, row, entry.source, entry.line)
    return Judged(entry, with_findings(verdict, entry.findings), None, proof.identity(row))


def verdict_of(proof: "Proof", row: int, source: str, line: int) -> Verdict:
    """The verdict on a proven hand by itself."""
    worth, auction = proof.worth(row), proof.auction(row)
    settled = worth.settled
    return Verdict(
        source=source, line=line, id=proof.id(row), rules=proof.learned.rules.name, verdict="clean",
        outcome=worth.outcome, landlord=auction.landlord, winners=worth.winners, bid=auction.bid,
        factors=settled.factors, multiplier=settled.multiplier, unit=settled.unit, scores=settled.scores,
        balances=proof.balances(row), findings=proof.findings(row),
    )  # fmt: skip
