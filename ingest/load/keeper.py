"""Audited entries gathered and published, batch by batch, with the count of what became of them."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct, structs

from ingest.batch import Audited
from ingest.ledger import Ledger
from ingest.load.resume import SEEN, Journal
from ingest.store.digests import line_digest
from ingest.store.lock import Waiting
from ingest.store.publish import NOTICES, Notice, Published, publish
from ingest.store.rows import complete
from ingest.store.sketches import Part
from ingest.verdict import Verdict

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
            replaced=self.replaced + published.replaced,
            refused=self.refused + published.refused,
            continued=self.continued,
            clean=self.clean + published.verdicts.get("clean", 0),
            faulty=self.faulty + published.verdicts.get("faulty", 0),
            unreadable=self.unreadable + published.verdicts.get("unreadable", 0),
            codes=dict(sorted((Counter(self.codes) + Counter(published.codes)).items())),
            notices=[*self.notices, *published.notices][:NOTICES],
        )


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

    def keep(
        self, chunks: Iterable[tuple[list[Audited], Part]], told: Callable[[Verdict], None] | None = None
    ) -> LoadReport:
        """Keep these chunks of entries, each with the rows of its hands."""
        seen = self._journal.ledgers[SEEN]
        for audited, part in chunks:
            entries = [None if _is_read_again(entry, seen) else entry for entry in audited]
            self._add(part, entries)
            if told is not None:
                for entry in audited:
                    told(entry.verdict)
        self._publish()
        self._journal.done()
        return self.report

    def _add(self, part: Part, entries: list[Audited | None]) -> None:
        self._parts.append(complete(entries, part, self._rows))
        self._rows += self._parts[-1]["hands"].num_rows
        self._entries += len(entries) - entries.count(None)
        self._taken += len(entries)
        self._bytes += sum(len(entry.entry.raw) for entry in entries if entry is not None)
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


def _is_read_again(audited: Audited, seen: Ledger) -> bool:
    """Whether this line was read before, as happens where a file and its folder are both given."""
    if audited.counted:
        return False
    entry = audited.entry
    key = line_digest(entry.source, entry.line, entry.raw)
    if _repeats_itself(audited) or seen.get(key) is not None:
        return True
    seen.put(key, b"")
    return False


def _repeats_itself(audited: Audited) -> bool:
    """Whether a hand is said to be the same as the one on the same line of the same file."""
    here = {"source": audited.entry.source, "line": audited.entry.line}
    return any(finding.code == "R108" and finding.details == here for finding in audited.verdict.findings)
