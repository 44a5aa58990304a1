"""How far a command is: hands and hands a second, to standard error, on a terminal only."""

import sys
import time

_EVERY = 0.2
"""Seconds between two updates."""


class Progress:
    """A line that says how many hands are done; silent where standard error is no terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._hands = 0
        self._start = self._last = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *problem: object) -> None:
        if self._shown and self._hands:
            sys.stderr.write("\r\x1b[K")

    def advance(self) -> None:
        """One more hand is done."""
        self._hands += 1
        if self._shown and not self._hands % 256:
            self._draw()

    def at(self, hands: int, size: int | None = None) -> None:
        """So many hands are done."""
        self._hands = hands
        if self._shown:
            self._draw(size)

    def _draw(self, size: int | None = None) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            rate = self._hands / max(now - self._start, 1e-9)
            read = "" if size is None else f" · {size / 1e6:,.0f} MB"
            sys.stderr.write(f"\r\x1b[K{self._hands:,} · {rate:,.0f}/s{read}")
            sys.stderr.flush()
