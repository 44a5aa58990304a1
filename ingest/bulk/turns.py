"""The flat arrays in which it is told what players could do and did: a row a move, a row a hand and seat.

Whatever tells or reads them goes by these names; no other module counts columns.
"""

from enum import IntEnum

from ingest.conduct.counts import Counts

SEATS = 4
"""Players of the largest game."""


class Move(IntEnum):
    """Columns of ``moves``, ``int64[m, MOVES]``: the plays and passes of hands, those of one hand together."""

    SEAT = 0
    BEFORE = 1
    """The number of what stood before, 0 for a lead."""
    AFTER = 2
    """The number of what stands after; -1 for a pass."""
    COUNTS = 3
    """The packed counts of the cards; 0 for a pass."""


MOVES = 4


class Turn(IntEnum):
    """Columns of ``turns``, ``int64[m, TURNS]``: one row for each of ``moves``."""

    OWNER = 0
    """The seat whose play was to be beaten; -1 for a lead."""
    COULD = 1
    """Of a turn to follow, whether there was an answer; -1 for a lead. As ``SOFTLY``: one that is no bomb."""
    SOFTLY = 2
    CHEAPEST = 3
    """Packed counts of the cheapest answer; 0 where there is none."""
    LEFT = 4
    """Cards left before the move, eight bits a seat."""


TURNS = 5

COUNTED = len(Counts.__struct_fields__)
"""Of ``did`` so many columns are those of ``Counts``."""
DID = (
    *Counts.__struct_fields__, "plays", "passes", "bombs", "rockets", "cards_left", "bombs_held", "bombs_unplayed",
)  # fmt: skip
"""Columns of ``did``, ``int64[h, SEATS, len(DID)]``, by the names that the table has for them."""


class Game(IntEnum):
    """What is told of a ruleset, ``int64[5]``."""

    PLAYERS = 0
    CLOSE = 1
    """Passes that end a trick."""
    BOMB = 2
    """Cards of the smallest bomb."""
    ROCKET = 3
    """Packed counts of the rocket; 0 where there is none."""
    JOKERS = 4
    """Packed counts of the jokers that make a rocket for ``bombs_in``; 0 where there is none."""
