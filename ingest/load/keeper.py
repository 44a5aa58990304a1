"""Audited entries gathered and published, batch by batch, with the count of what became of them."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct, structs

from ingest.bulk.reported import Verdicts
from ingest.load.resume import Journal
from ingest.store.lock import Waiting
from ingest.store.publish import NOTICES, Notice, Published, publish
from ingest.store.sketches import Part

BYTES = 1 << 27
"""Bytes of logs that are published at once, at the latest."""
PATIENCE = 30.0
"""Seconds after which a tenth of a batch is published rather than lost to an interruption."""


class LoadReport(Struct, frozen=True):
    """What a load did."""

    read: int = 0
    """Entries of the logs."""
    stored: int = 0
    """Of these, rows of ``hands`` that are new in the store."""
    known: int = 0
    """Entries that the store had already."""
    repeated: int = 0
    """The same hand again (R108), in these logs or the store; listed among the findings."""
    elsewhere: int = 0
    """Of these, hands that the store has from another place; the others repeat one of these logs."""
    replaced: int = 0
    """Rows of the store that no longer count, because new ones took their place."""
    refused: int = 0
    """Of the new rows, hands whose id stands for another hand in the store (R109)."""
    continued: int = 0
    """Entries that an interrupted load had kept before."""
    clean: int = 0
    faulty: int = 0
    unreadable: int = 0
    """Verdicts of what was stored."""
    codes: dict[str, int] = {}
    """Findings stored, by code."""
    notices: list[Notice] = []
    """The first hands of which the store says that it knows them (R108) or their id (R109)."""

    def with_batch(self, entries: int, published: Published) -> "LoadReport":
        """This report after one more batch of so many entries."""
        stored, known = self.stored + published.stored, self.known + published.known
        read = self.read + entries
        return LoadReport(
            read=read,
            stored=stored,
            known=known,
            repeated=read - stored - known,
            elsewhere=self.elsewhere + published.elsewhere,
            replaced=self.replaced + published.replaced,
            refused=self.refused + published.refused,
            continued=self.continued,
            clean=self.clean + published.verdicts.get("clean", 0),
            faulty=self.faulty + published.verdicts.get("faulty", 0),
            unreadable=self.unreadable + published.verdicts.get("unreadable", 0),
            codes=dict(sorted((Counter(self.codes) + Counter(published.codes)).items())),
            notices=[*self.notices, *published.notices][:NOTICES],
        )


class Kept(Struct, frozen=True):
    """Some entries among those before: what a store gets of them."""

    part: Part
    """All rows, hands numbered from a number on."""
    taken: int
    """How many were read."""
    entries: int
    """Of these, those that leave a trace."""
    size: int
    """Their bytes."""
    verdicts: Verdicts


Chunk = Callable[[int], Kept]
"""Some entries that were placed; answers with their rows, once it is told the number of the first."""


class Keeper:
    """Gathers audited entries and publishes them batch by batch."""

    def __init__(
        self,
        store: Path,
        batch: int,
        journal: Journal,
        *,
        replace: bool = False,
        timeout: float | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        self._store, self._batch, self._journal = store, batch, journal
        self._replace, self._timeout, self._waiting = replace, timeout, waiting
        self._parts: list[Part] = []
        self._rows = self._entries = self._bytes = 0
        self._since = time.monotonic()
        self._taken = journal.taken
        before = journal.report(LoadReport)
        self.report = LoadReport() if before is None else structs.replace(before, continued=before.read)

    def keep(self, chunks: Iterable[Chunk], told: Callable[[Verdicts], None] | None = None) -> LoadReport:
        """Keep these chunks of entries."""
        for chunk in chunks:
            kept = chunk(self._rows)
            self._add(kept)
            if told is not None:
                told(kept.verdicts)
        self._publish()
        self._journal.done()
        return self.report

    def _add(self, kept: Kept) -> None:
        self._parts.append(kept.part)
        self._rows += kept.part["hands"].num_rows
        self._entries += kept.entries
        self._taken += kept.taken
        self._bytes += kept.size
        if self._entries >= self._batch or self._bytes >= BYTES or self._is_time():
            self._publish()
            self._journal.checkpoint(self._taken, self.report)

    def _is_time(self) -> bool:
        """Whether so much is gathered, and so long ago, that losing it would be a pity."""
        return self._entries >= self._batch // 10 and time.monotonic() - self._since >= PATIENCE

    def _publish(self) -> None:
        published = publish(
            self._store, self._parts, replace=self._replace, timeout=self._timeout, waiting=self._waiting
        )
        self.report = self.report.with_batch(self._entries, published)
        self._parts, self._rows, self._entries, self._bytes = [], 0, 0, 0
        self._since = time.monotonic()
