"""How far a command is: hands, hands a second and time left, to standard error, on a terminal only."""

import sys
import time
from collections.abc import Sequence

from ingest.logs import Logbook

_OFTEN = 256
"""Hands after which the clock is looked at."""
_EVERY = 0.2
"""Seconds between two updates."""
_BAR = 24


class Progress:
    """A bar that says how many hands are done; silent where standard error is no terminal.

    ``logbook``: the one that is filled while these ``paths`` are read; from it comes what is left.
    """

    def __init__(self, logbook: Logbook | None = None, paths: Sequence[str] = ()) -> None:
        self._shown = sys.stderr.isatty()
        self._logbook = logbook
        self._hands = 0
        self._start = self._last = time.monotonic()
        if self._shown and logbook is not None:
            logbook.measure(paths)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *problem: object) -> None:
        if self._shown and self._hands:
            sys.stderr.write("\r\x1b[K")

    def advance(self, hands: int = 1) -> None:
        """Some more hands are done."""
        before, self._hands = self._hands, self._hands + hands
        if self._shown and before // _OFTEN < self._hands // _OFTEN:
            self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            sys.stderr.write(f"\r\x1b[K{line(self._hands, now - self._start, self._logbook)}")
            sys.stderr.flush()


def line(hands: int, seconds: float, logbook: Logbook | None) -> str:
    """Such as ``[█████     ] 52 % · 120,000 · 23,500/s · 0:05``; without the share where the size is not known."""
    rate = f"{hands:,} · {hands / max(seconds, 1e-9):,.0f}/s"
    if logbook is None or not logbook.size:
        return rate
    share = min(logbook.read / logbook.size, 1.0)
    left = "" if not share else f" · {_clock(seconds / share - seconds)}"
    return f"[{'█' * int(share * _BAR):{_BAR}}] {share:.0%} · {rate}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
