"""How few plays shed a hand, for many hands: what ``ingest.rules.shedding`` knows of a ruleset as one flat array.

Knows no row of any ruleset: ``Parts`` comes from the rules and is written out; compiled code only searches it.
"""

from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.loads import LOAD, flat_loads
from ingest.rules.kickers import Load
from ingest.rules.ruleset import Ruleset
from ingest.rules.shedding import Costs, Part, Parts, parts_of

Flat = NDArray[np.uint64]
BITS, MIDDLE = 9, 128
"""Bits of a cost among its neighbours, of which the highest is free, and what stands for a cost of nothing: costs are
between -128 and 127; a card costs 2 at most, and a body of three is credited 4 at most.
"""
BEGUN, LIST, PARTS, WAYS, ALONE, OTHERS = range(6)
"""Where in the head of the array it says where each section begins."""
HEAD, PART, WAY, LISTED = 6, 5, 2, 3
"""Numbers of the head, of a part (cards, costs, credit at most, first and last way), of a way (load, credit), and of a
part in the list by lowest ranks (cards, the part, where those begin that begin otherwise)."""
REMEMBERED_BITS = 14
"""Twice this power of two is how many numbers remember what cards cost, from hand to hand: few enough for the processor
to have them at hand, which is worth more than remembering longer."""


def _side_by_side(costs: Costs) -> int:
    return sum((cost + MIDDLE) << BITS * i for i, cost in enumerate(costs))


def flat_parts(parts: Parts) -> Flat:
    """Everything that the search asks of a ruleset as one array."""
    every = list(dict.fromkeys(part for begun in parts.by_place for group in begun for part in group))
    loads = list(dict.fromkeys(load for part in every for load in part.loads if load is not None))
    head = [HEAD, HEAD + len(parts.by_place) + 1]
    head += [head[-1] + LISTED * sum(len(group) for begun in parts.by_place for group in begun)]
    head += [head[-1] + PART * len(every)]
    ways_at = head[-1]
    starts, listed = _listed(parts, head[LIST], {id(part): head[PARTS] + PART * i for i, part in enumerate(every)})
    loads_at = ways_at + WAY * sum(len(part.loads) for part in every)
    flat, ways = _parts(every, loads, ways_at, loads_at)
    carried, runs = flat_loads(loads, loads_at + LOAD * len(loads))
    head += [loads_at + len(carried) + len(runs)]
    alone = list(chain.from_iterable(parts.alone))
    others = [_side_by_side(costs) for by_count in parts.others for costs in by_count]
    head += [head[-1] + len(alone)]
    whole = [*head, *starts, *listed, *flat, *ways, *carried, *runs, *alone, *others]
    return np.array(whole, np.uint64)


def _listed(parts: Parts, at: int, places: dict[int, int]) -> tuple[list[int], list[int]]:
    """Where in the list, which begins at ``at``, those of each lowest rank begin and the last end; and the list."""
    starts, listed = [at], list[int]()
    for begun in parts.by_place:
        for group in begun:
            end = at + len(listed) + LISTED * len(group)
            for part in group:
                listed += [part.counts, places[id(part)], end]
        starts.append(at + len(listed))
    return starts, listed


def _parts(every: list[Part], loads: list[Load], ways_at: int, loads_at: int) -> tuple[list[int], list[int]]:
    """The sections of parts and of the ways to play them; a way without a load has 0 in its place."""
    numbers = {load: loads_at + LOAD * number for number, load in enumerate(loads)}
    flat: list[int] = []
    ways: list[int] = []
    for part in every:
        begin = ways_at + len(ways)
        for load, credit in zip(part.loads, part.credits[1:], strict=True):
            ways += [0 if load is None else numbers[load], _side_by_side(credit)]
        flat += [part.counts, _side_by_side(part.costs), _side_by_side(part.credits[0]), begin, ways_at + len(ways)]
    return flat, ways


class Shedder:
    """Fewest plays of hands under one ruleset; remembers what it worked out."""

    def __init__(self, rules: Ruleset) -> None:
        from ingest.bulk.shedding_kernel import room, shed

        assert 2 * (rules.deal.hand + rules.deal.bottom) < MIDDLE, "costs of larger hands need more bits"
        self._shed, self._room = shed, room()
        self._law = flat_parts(parts_of(rules))
        self._memo = np.zeros(2 << REMEMBERED_BITS, np.uint64)

    def fewest(self, hands: Flat) -> NDArray[np.int64]:
        """As ``ingest.rules.shedding.fewest_plays`` of each of these packed counts."""
        plays = np.zeros(hands.size, np.int64)
        self._shed(hands, self._law, self._memo, *self._room, plays)
        return plays


@cache
def shedder_of(rules: Ruleset) -> Shedder:
    """The one shedder of a ruleset."""
    return Shedder(rules)
