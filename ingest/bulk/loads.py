"""What a body may carry, as flat numbers that compiled code searches: ``Load`` of ``ingest.rules.kickers`` written out.

Knows how loads are laid out. Which kickers are lawful it is told.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS
from ingest.rules.combinations import JOKER_PLACES
from ingest.rules.kickers import ONE, Limits, Load

EQUAL, SOLO_PAIR, TRIO_PAIR, RUNNING = range(4)
"""What is carried: equal pieces, a pair and a single card, a trio and a pair, neighbouring trios and as many pairs."""
_KINDS = {"solo_pair": SOLO_PAIR, "trios_pairs": TRIO_PAIR, "running_trios_pairs": RUNNING}

KIND, NUMBER, SIZE, MOST, ORDER, PLACES, PAIRS_MOST, PAIRS_ORDER, PAIRS_PLACES, RUNS, RUNS_END, APART = range(12)
"""Where what stands in the numbers of a load."""
LOAD, RUN = 12, 3
"""Numbers of a load, and of a run: its trios, the fields of its ranks, its strength."""

ZERO, FOUR, FIFTEEN = np.uint64(0), np.uint64(RANK_BITS), np.uint64(RANK_LIMIT)
BORROWS = np.uint64(sum(1 << RANK_BITS * i for i in range(1, len(RANKS) + 1)))
BLACK, RED = (np.uint64(RANK_LIMIT << RANK_BITS * place) for place in JOKER_PLACES)


def packed(numbers: Sequence[int]) -> int:
    """Small numbers side by side, four bits each."""
    return sum(number << RANK_BITS * i for i, number in enumerate(numbers))


def flat_loads(loads: Iterable[Load], runs_at: int) -> tuple[list[int], list[int]]:
    """Loads as numbers, and their runs, which will begin at ``runs_at`` of the whole array."""
    flat: list[int] = []
    runs: list[int] = []
    for load in loads:
        begin = runs_at + len(runs)
        for trios, top, places in load.runs:
            runs += [trios, sum(RANK_LIMIT * ONE[place] for place in places), top]
        flat += [_KINDS.get(load.kind, EQUAL), load.number, load.limits.size, *_limits(load.limits)]
        flat += [*_limits(load.pairs), begin, runs_at + len(runs), int(load.jokers_apart)]
    return flat, runs


def _limits(limits: Limits) -> list[int]:
    """How many cards of each rank at most, the ranks in order, how many ranks."""
    return [packed(limits.most), packed(limits.order), len(limits.order)]
