"""Entries placed one after another: by readable code at first, in a memory that compiled code shares once that is
worth loading.

Knows what audits, and when that changes. Refuses to know what is made of what was placed.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

import msgspec

from ingest.batch import Audited, Batch, Judged
from ingest.bulk.judging import WARM_UP, available, must_compile
from ingest.bulk.loaded import KERNEL
from ingest.logs import Entry, Lines

if TYPE_CHECKING:
    from ingest.bulk.placing import Placer


class Engine(StrEnum):
    """What audits."""

    audit = "audit"
    """The readable code alone."""
    bulk = "bulk"
    """Compiled code from the first hand on, where it knows the format."""


def must_be_there(engine: Engine | None) -> None:
    """Raise ``ValueError`` where compiled code is asked for and there is none."""
    if engine is Engine.bulk and not available():
        raise ValueError(
            "--engine bulk: Numba (the extra named fast) is not installed, or may not compile (NUMBA_DISABLE_JIT)"
        )


def pays(count: int, engine: Engine | None, *, few: int, warm_up: int) -> bool:
    """Whether compiled code, where it is installed, is worth loading for so many entries, else as ``Course``."""
    if engine is Engine.bulk or KERNEL in sys.modules:
        return True
    return count > few and (count > warm_up or not must_compile())


class Course:
    """Entries as they are placed."""

    def __init__(
        self,
        batch: Batch,
        begin: Callable[[], "Placer"],
        engine: Engine | None = None,
        *,
        few: int,
        warm_up: int = WARM_UP,
        is_new: bool = True,
    ) -> None:
        """``begin``: what places in the memory of compiled code. ``few``: entries for which that is not loaded even
        where it has been compiled before, ``warm_up``: for which it is not compiled. ``is_new``: whether the batch has
        placed nothing yet; else it stays with readable code.
        """
        self.batch, self.placer = batch, None
        self._begin, self._engine, self._few, self._warm_up = begin, engine, few, warm_up
        can_change = is_new and available() and engine is not Engine.audit
        self._early: list[Judged] | None = [] if can_change else None
        """What was placed before compiled code was loaded; None where it never will be, or has been."""

    batch: Batch
    placer: "Placer | None"

    def close(self) -> None:
        """Give up what is remembered."""
        self.batch.__exit__()
        if self.placer is not None:
            self.placer.memory.close()

    def parts(self, items: Iterable[Lines | Entry]) -> Iterator[tuple[bool, Iterator[Any]]]:
        """Blocks that are for compiled code (True), and entries one by one (False), as they come.

        Each part is to be used up before the next is asked for.
        """
        for kind, some in groupby(items, type):
            if kind is Lines:
                yield from self._parts_of_blocks(some)
            else:
                yield False, some

    def _parts_of_blocks(self, blocks: Iterator[Any]) -> Iterator[tuple[bool, Iterator[Any]]]:
        for is_worth_it, some in groupby(blocks, self._is_worth_it):
            if is_worth_it:
                yield True, some
            else:
                yield False, chain.from_iterable(map(Lines.entries, some))

    def place(self, judged: Judged) -> Audited:
        """The verdict on an entry among those before it."""
        if self._early is not None:
            if len(self._early) >= self._warm_up:
                self.compiled()
            else:
                self._early.append(msgspec.structs.replace(judged, hand=None))
        return self.batch.place(judged)

    def _is_worth_it(self, lines: Lines) -> bool:
        """Whether a block is for compiled code: it is loaded already, or there is enough to do for it."""
        if self.placer is not None or self._early is None:
            return self.placer is not None
        return any(pays(count, self._engine, few=self._few, warm_up=self._warm_up) for count in self._counts(lines))

    def _counts(self, lines: Lines) -> Iterator[int]:
        """How many entries there are: so far, then with a block, whose lines are counted only where that decides."""
        yield len(self._early or ())
        yield len(self._early or ()) + lines.text.count(b"\n")

    def compiled(self) -> "Placer":
        """What places blocks; whatever was placed without it is placed again in its memory."""
        if self.placer is None:
            self.placer = self._begin()
            self.batch.__exit__()
            self.batch = self.placer.batch
            for judged in self._early or ():
                self.batch.place(judged)
            self._early = None
        return self.placer
