"""How many hands of 三打哈 a second the audit does, beside OpenSpiel's replay of games of 斗地主.

There is no other engine for this game; OpenSpiel's C++ replay, in turn in the same process, tells how busy the machine
is. Hands are those of ``ingest.simulate``; reading JSON is included. What was read before counts as much as in a long
log: caches are warm from other hands, and every round has hands of its own.
"""

import subprocess
import sys
import time
from collections.abc import Sequence

from msgspec import Struct

from bench.openspiel import games, replay
from ingest.audit_tricks import examine_tricks
from ingest.batch import quiet_collector
from ingest.record import read_plays, read_record
from ingest.rules.ruleset import TrickRuleset, load_any

HANDS = 400
"""Hands of a round."""
GAMES = 1_500
ROUNDS = 5
SEED = 20261129


class Measured(Struct, frozen=True):
    """Hands a second of each side."""

    hands: int
    moves: float
    """Plays of a hand; a play may be of many cards."""
    openspiel: float
    audit: float


def measure() -> Measured:
    """Measure both sides in one run."""
    rules = load_any("sandaha")
    assert isinstance(rules, TrickRuleset)
    warm, *rounds = [_sample(SEED + turn) for turn in range(ROUNDS + 1)]
    played = games(GAMES, SEED)
    audit = openspiel = float("inf")
    with quiet_collector():
        _audit(warm, rules)
        for lines in rounds:
            start = time.process_time()
            for game in played:
                replay(game)
            between = time.process_time()
            _audit(lines, rules)
            openspiel = min(openspiel, between - start)
            audit = min(audit, time.process_time() - between)
    moves = sum(len(read_plays(read_record(line)[0].plays)) for line in warm) / HANDS
    return Measured(HANDS * ROUNDS, moves, GAMES / openspiel, HANDS / audit)


def _sample(seed: int) -> list[bytes]:
    """Lawful hands, made by another process, which leaves no trace of them in this one."""
    command = [sys.executable, "-m", "fupan", "sample", "--rules", "sandaha", "--hands", str(HANDS)]
    return subprocess.run([*command, "--seed", str(seed)], capture_output=True, check=True).stdout.splitlines()


def _audit(lines: Sequence[bytes], rules: TrickRuleset) -> None:
    findings = sum(len(examine_tricks(read_record(line)[0], rules).findings) for line in lines)
    if findings:
        raise AssertionError(f"{findings} findings on lawful hands")


def page(measured: Measured) -> str:
    """The measurement as a section of results.md."""
    return f"""## The audit of 三打哈

`python -m bench tricks`: {measured.hands:,} generated hands ({measured.moves:.0f} plays each), one core, best of
{ROUNDS} rounds of different hands, CPU time. OpenSpiel replays games of 斗地主 in turn; it is there for the scale.

| side | hands/s | against OpenSpiel |
| --- | ---: | ---: |
| OpenSpiel, `apply_action_with_legality_check`, 斗地主 | {measured.openspiel:,.0f} | 1.00 |
| the audit of 三打哈, JSON to score | {measured.audit:,.0f} | {measured.audit / measured.openspiel:.2f} |
"""
