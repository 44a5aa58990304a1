"""The one assessor or sketcher of a process that was started for it: made when it begins, asked block by block."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.assessing import PRIVATE, Assessed, Assessor
from ingest.bulk.blocks import TooManyLines
from ingest.bulk.sharing import Arrays, Room, Shared
from ingest.faults import Language

if TYPE_CHECKING:
    from ingest.bulk.sketching import Sketched, Sketcher

_assessors: list[Assessor] = []
_memories: list[Shared] = []
_sketchers: list["Sketcher"] = []


def begin(
    rules: str | None, secret: NDArray[np.uint64], language: Language | None, shortly: bool, memory: Shared | None
) -> None:
    """Make the assessor; of whatever was assessed before nothing is left but what was learned. ``memory``: where
    blocks come from and their arrays go to.
    """
    _assessors[:] = [Assessor(rules, secret, language, shortly=shortly)]
    _memories[:] = [] if memory is None else [memory]


def assess(source: str, line: int, text: bytes | memoryview, room: Room = PRIVATE) -> Assessed | None:
    """As ``Assessor.assess``; None where it raises ``TooManyLines``."""
    try:
        return _assessors[0].assess(source, line, text, room)
    except TooManyLines:
        return None


def assess_shared(source: str, line: int, slot: int, size: int) -> tuple[Assessed, Arrays] | None:
    """The same of a text of this size in a slot: its arrays are left there."""
    memory = _memories[0]
    room = Room(memory.room(slot))
    found = assess(source, line, memory.text(slot, size), room)
    return None if found is None else room.parted(found)


def begin_sketching(rules: str | None, secret: NDArray[np.uint64], zone: str) -> None:
    """Make the sketcher."""
    from ingest.bulk.sketching import Sketcher

    _sketchers[:] = [Sketcher(rules, secret, zone)]


def sketch_block(source: str, line: int, text: bytes) -> "Sketched":
    """As ``Sketcher.sketch``."""
    return _sketchers[0].sketch(source, line, text)
