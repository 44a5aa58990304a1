"""Logs in, a store out: audit, keep, count.

Knows the order of steps and how much is held in memory meanwhile. Refuses to know rules and tables.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ingest.batch import Audited, Batch
from ingest.ledger import Ledger
from ingest.logs import read
from ingest.rules.ruleset import load_any
from ingest.store.lock import Waiting
from ingest.store.publish import Published, create, publish
from ingest.store.rows import Part, Rows, line_digest

BATCH = 50_000
"""Entries that are published at once."""
CHUNK = 2_000
"""Entries that are held as Python objects before they become columns."""

Progress = Callable[[int, int | None], None]
"""Told the entries read so far, and the bytes where they are known."""


class LoadReport(Struct, frozen=True):
    """What a load did."""

    read: int = 0
    """Entries of the logs."""
    stored: int = 0
    """Of these, rows of ``hands`` that are new in the store."""
    known: int = 0
    """Entries that the store had already."""
    repeated: int = 0
    """The same hand again within these logs (R108), listed among the findings."""
    clean: int = 0
    faulty: int = 0
    unreadable: int = 0
    """Verdicts of what was stored."""
    codes: dict[str, int] = {}
    """Findings stored, by code."""


def load(  # noqa: PLR0913 - every option of the command
    paths: Iterable[str],
    store: Path | str,
    *,
    rules: str | None = None,
    format: str | None = None,
    jobs: int = 1,  # noqa: ARG001
    progress: Progress | None = None,
    batch_hands: int = BATCH,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Audit the logs under these paths and keep every hand that the store does not have.

    Every ``batch_hands`` entries become visible together; whatever interrupts a load, loading again completes it.
    ``waiting`` is told when another process is writing, ``timeout`` says how long to wait for it.
    Raises what ``logs.read`` raises for paths, ``BadRuleset`` and ``UnknownRuleset`` for ``rules``, ``BadStore``,
    ``StoreBusy``.
    """
    if rules is not None:
        load_any(rules)
    entries = read(list(dict.fromkeys(paths)), format=format)
    with Batch(rules) as batch:
        keeper = Keeper(Path(store), batch_hands, timeout, waiting)
        return keeper.keep(batch.audit(entries), progress)


def load_audited(
    audited: Iterable[Audited], store: Path | str, *, timeout: float | None = None, waiting: Waiting | None = None
) -> LoadReport:
    """Keep entries that have been audited, as ``load`` does."""
    return Keeper(Path(store), BATCH, timeout, waiting).keep(audited)


class Keeper:
    """Gathers audited entries and publishes them batch by batch."""

    def __init__(self, store: Path, batch: int, timeout: float | None, waiting: Waiting | None) -> None:
        self._store, self._batch = store, batch
        self._timeout, self._waiting = timeout, waiting
        self._rows, self._parts = Rows(), list[Part]()
        self._done: list[Published] = []

    def keep(self, audited: Iterable[Audited], progress: Progress | None = None) -> LoadReport:
        """Keep all of these, in order."""
        create(self._store)
        count = 0
        for entry in _each_line_once(audited):
            count += 1
            self._rows.add(entry)
            if count % CHUNK == 0 or count % self._batch == 0:
                self._parts.append(self._rows.take())
                if progress is not None:
                    progress(count, None)
            if count % self._batch == 0:
                self._publish()
        self._parts.append(self._rows.take())
        self._publish()
        if progress is not None:
            progress(count, None)
        return self._report(count)

    def _publish(self) -> None:
        published = publish(self._store, self._parts, timeout=self._timeout, waiting=self._waiting)
        self._done.append(published)
        self._rows, self._parts = Rows(), []

    def _report(self, read: int) -> LoadReport:
        verdicts, codes = Counter[str](), Counter[str]()
        for published in self._done:
            verdicts.update(published.verdicts)
            codes.update(published.codes)
        stored, known = sum(each.stored for each in self._done), sum(each.known for each in self._done)
        return LoadReport(
            read=read,
            stored=stored,
            known=known,
            repeated=read - stored - known,
            clean=verdicts["clean"],
            faulty=verdicts["faulty"],
            unreadable=verdicts["unreadable"],
            codes=dict(sorted(codes.items())),
        )


def _each_line_once(audited: Iterable[Audited]) -> Iterator[Audited]:
    """Leave out lines that were read before, as happens where a file and its folder are both given."""
    with Ledger() as seen:
        for entry in audited:
            if not entry.counted:
                key = line_digest(entry.entry)
                if _repeats_itself(entry) or seen.get(key) is not None:
                    continue
                seen.put(key, b"")
            yield entry


def _repeats_itself(audited: Audited) -> bool:
    """Whether a hand is said to be the same as the one on the same line of the same file."""
    here = {"source": audited.entry.source, "line": audited.entry.line}
    return any(finding.code == "R108" and finding.details == here for finding in audited.verdict.findings)
