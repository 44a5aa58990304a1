"""The clock of a hand: move text with the milliseconds at which each move was made."""

from collections.abc import Sequence
from random import Random


class Clock:
    """Milliseconds since a hand began."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._now = rng, rng.randrange(500, 3000)

    def tick(self) -> int:
        """The next moment at which something happens."""
        self._now += int(self._rng.random() ** 2 * 9000) + 200
        return self._now


def moves_text(moves: Sequence[tuple[int, str]], clock: Clock | None) -> str:
    """Move text, with times where somebody looked at a clock."""
    if clock is None:
        return " ".join(f"{seat}:{what}" for seat, what in moves)
    return " ".join(f"{seat}:{what}@{clock.tick()}" for seat, what in moves)
