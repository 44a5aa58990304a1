"""What compiled code answers in place of the readable one, once a process has enough to do to load it.

The answers are the same. Knows only whether it is loaded.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.rules import shedding
from ingest.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from ingest.hand import Story
    from ingest.store.conducts import Turned

KERNEL = "ingest.bulk.compiled.prove"
"""The module that is loaded when there is enough to do for compiled code."""


def fewest_plays(held: int, rules: Ruleset) -> int:
    """As ``ingest.rules.shedding.fewest_plays``."""
    if KERNEL not in sys.modules:
        return shedding.fewest_plays(held, rules)
    import numpy as np

    from ingest.bulk.shedding import shedder_of

    return int(shedder_of(rules).fewest(np.array([held], np.uint64))[0])


def turned(stories: "Sequence[Story]") -> "Sequence[Turned | None]":
    """What is told of the turns of hands; None of those that are to be told hand by hand."""
    if KERNEL not in sys.modules:
        from ingest.store.sketches import by_hand

        return by_hand(stories)
    from ingest.bulk import telling

    return telling.turned(stories)
