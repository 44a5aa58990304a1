"""A ruleset as the compiled code has it: a few numbers, and tables of what was learned from ``ingest.rules``.

Nothing here is a rule: which play stands after which, what an auction gives and what a hand is worth are looked up.
"""

from typing import Any, NamedTuple

from ingest.bulk.layout import SEATS


class Law(NamedTuple):
    """The arrays of one ruleset. What is not in a table is for Python to learn; then the hand is replayed again."""

    game: Any
    """``int64``: see ``GAME``."""
    kinds: Any
    """By one word, packed counts: the number of their kind, from 1. Cards of one kind do alike on whatever stands."""
    alike: Any
    """The same for cards of one rank alone, by sixteen times the rank and how many they are; -1 for what is not met."""
    plays: Any
    """``int16``, by what stands and a kind: one more than the number of what stands then, 0 for what is not met;
    ``FAULT`` where it
    calls for the audit, below ``FAULTY`` where it is at fault."""
    declared: Any
    """By one word, a kind, what stands and a declared reading (``STANDING_BITS``): the number of what stands then."""
    tiers: Any
    """By number of what stands: 0, 1 for a bomb, 2 for the rocket."""
    remarkable: Any
    """By number of what stands: whether it has a tier or is ruled."""
    ruled: Any
    """By number of what stands: whether it is legal only by a ruling."""
    auction_numbers: Any
    """By ``AUCTION_WORDS`` words, the calls, eight bytes a word, and in the last who begins, void hands, length."""
    auctions: Any
    """``int64[a, 11]``: sure, at fault, void, landlord, bid, robs, by seat how many bombs it may throw, and
    notes on it. The first ``SEATS`` are those where a seat is named landlord without one."""
    worth_numbers: Any
    """By ``WORTH_WORDS`` words: base; bid, void hands and the like; bombs by size."""
    short_numbers: Any
    """By ``SHORT_WORDS`` words, those and by seat the balance where it may be too small, ``ABSENT`` elsewhere: a number
    of ``worths``."""
    worths: Any
    """``int64[w, 12]``: sure, multiplier, unit, score by seat, by seat what it must have for no balance to matter, and
    notes on it. The first is that of a void hand."""
    names: Any
    """``uint64[r, 2]``: the names that a play may declare, as two words each."""


GAME = (
    "players", "packs", "hand", "bottom", "dead", "subset", "close_passes", "auction", "optional", "first",
    "marker_not_in_bottom", "escapes", "bomb_limit", "least", "balances",
)  # fmt: skip
"""What the numbers of ``Law.game`` are, in their order."""
HELD, NAMED, SEAT_0 = 0, 1, 2
"""How the landlord is found: by an auction, named by the record, always seat 0."""
FROM_RECORD, FIRST_SEAT, BY_MARKER = 0, 1, 2
"""How it is told who speaks first."""
FAULT = -2
FAULTY = -3
"""Of a play that is at fault, and of which it is known what stands then: this, less the number of that."""
STANDING_BITS, NAME_BITS = 24, 48
"""Where in the key of a play the number of what stands begins, and that of the declared reading from 1; its kind is
below them."""
AUCTION_WORDS = 9
WORTH_WORDS = 3
SHORT_WORDS = WORTH_WORDS + SEATS
SURE, AT_FAULT, VOID, AUCTION_LANDLORD, BID, ROBS, LIMIT, AUCTION_NOTES = 0, 1, 2, 3, 4, 5, 6, 6 + SEATS
STOPPED = 2
"""In place of sure: an auction that stops at a fault."""
MULTIPLIER, UNIT, SCORE, NEED, WORTH_NOTES = 1, 2, 3, 3 + SEATS, 3 + 2 * SEATS
