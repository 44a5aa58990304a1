"""How strong dealt cards are, by what every player counts: jokers, twos, bombs, and how few plays shed the hand.

Knows cards and asks ``rules.shedding``. Refuses to know who holds them and what came of it.
"""

from collections.abc import Callable

from msgspec import Struct

from ingest.cards import RANKS, rank_counts
from ingest.rules.ruleset import Ruleset
from ingest.rules.shedding import fewest_plays

_TWO, _SMALL, _BIG = (RANKS.index(rank) for rank in "2BR")
POINTS = {"big": 4, "small": 3, "two": 2, "bomb": 4, "rocket": 2}


class Strength(Struct, frozen=True, gc=False):
    """What a hand is worth before it is played."""

    jokers: int
    twos: int
    bombs: int
    """Ranks held often enough for a bomb; the rocket is not among them."""
    rocket: bool
    plays: int
    """Fewest plays that shed it (29)."""
    points: int
    """4 for each big joker, 3 for each small one, 2 for each two, 4 for each bomb, 2 for a rocket, less ``plays``.

    A measure of our own for comparing hands with one another: no rule knows it. It is compared within a ruleset only.
    """


def bombs_in(counts: int, rules: Ruleset) -> int:
    """How many bombs and rockets could be played of these packed counts, one after another."""
    held = rank_counts(counts)
    return sum(count // rules.bomb.min_size for count in held[: _TWO + 1]) + _has_rocket(held, rules)


def _has_rocket(held: list[int], rules: Ruleset) -> bool:
    small, big = (rules.bomb.rocket.count(rank) for rank in "BR")
    return big > 0 and held[_SMALL] >= small and held[_BIG] >= big


Shed = Callable[[int, Ruleset], int]
"""What answers ``rules.shedding.fewest_plays``: itself, or the same compiled."""


def strength(counts: int, rules: Ruleset, shed: Shed = fewest_plays) -> Strength:
    """The strength of packed counts under a ruleset."""
    held = rank_counts(counts)
    jokers = held[_SMALL] + held[_BIG]
    bombs = sum(count >= rules.bomb.min_size for count in held[: _TWO + 1])
    rocket = _has_rocket(held, rules)
    plays = shed(counts, rules)
    points = (
        POINTS["big"] * held[_BIG]
        + POINTS["small"] * held[_SMALL]
        + POINTS["two"] * held[_TWO]
        + POINTS["bomb"] * bombs
        + POINTS["rocket"] * rocket
        - plays
    )
    return Strength(jokers, held[_TWO], bombs, rocket, plays, points)
