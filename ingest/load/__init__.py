"""Logs in, a store out: audit, keep, count; what was interrupted goes on where it stopped.

Knows the order of steps. Refuses to know rules and tables.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ingest.batch import Audited, quiet_collector
from ingest.bulk import Engine, available
from ingest.bulk.course import must_be_there
from ingest.bulk.reported import Verdicts
from ingest.load.chunks import Loading, Way, of_audited
from ingest.load.keeper import Keeper, LoadReport
from ingest.load.resume import Journal
from ingest.logs import Logbook, read_blocks
from ingest.rules.ruleset import load_any
from ingest.store.lock import Waiting
from ingest.store.publish import create, sound

__all__ = ["LoadReport", "load", "load_audited"]

BATCH = 50_000
"""Entries that are published at once."""

Told = Callable[[Verdicts], None]
"""Is told the verdicts on some entries, once they are among their neighbours."""


def load(  # noqa: PLR0913 - every option of the command
    paths: Iterable[str],
    store: Path | str,
    *,
    rules: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    jobs: int = 1,
    replace: bool = False,
    zone: str | None = None,
    told: Told | None = None,
    logbook: Logbook | None = None,
    batch_hands: int = BATCH,
    engine: Engine | None = None,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Audit the logs under these paths and keep every hand that the store does not have.

    Every ``batch_hands`` entries become visible together. Whatever interrupts a load, loading the same files in the
    same way goes on after the last of them; ``told`` then hears of the rest only, the report counts all.
    ``replace``: a hand with a known id of the same file, and other content, takes the place of the one before.
    ``zone``: the time zone whose days a new store has, such as ``Europe/Berlin``.
    ``jobs``: processes that audit side by side; ``engine``: what audits, None for what is sooner done. The store is
    the same whatever is said.
    ``waiting`` is told when another process is writing, ``timeout`` says how long to wait for it.
    Raises what ``logs.read`` raises for its arguments, ``BadRuleset`` and ``UnknownRuleset`` for ``rules``,
    ``BadStore`` (also for a store of
    another zone), ``StoreBusy``, ``ValueError`` for a ``zone`` that there is not, and where compiled code is asked for
    and there is none.
    """
    if rules is not None:
        load_any(rules)
    must_be_there(engine)
    if zone is not None:
        _must_be_a_zone(zone)
    paths = list(dict.fromkeys(paths))
    items = read_blocks(paths, format=format, encoding=encoding, logbook=logbook)
    days_of = create(Path(store), zone).zone
    sound(Path(store))
    with quiet_collector(), Journal(Path(store), paths, (rules, format, encoding, replace)) as journal:
        if journal.taken and not _goes_on(journal, engine):
            journal.begin_again()
        keeper = Keeper(Path(store), batch_hands, journal, replace=replace, timeout=timeout, waiting=waiting)
        with Loading(Way(rules, days_of, jobs, batch_hands, engine), journal) as loading:
            return keeper.keep(loading.chunks(items, journal.taken), told)


def load_audited(
    audited: Iterable[Audited],
    store: Path | str,
    *,
    replace: bool = False,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> LoadReport:
    """Keep entries that have been audited, as ``load`` does. Raises ``ValueError`` for one whose hand was let go."""
    days_of = create(Path(store)).zone
    with Journal(Path(store)) as journal:
        keeper = Keeper(Path(store), BATCH, journal, replace=replace, timeout=timeout, waiting=waiting)
        return keeper.keep(of_audited(map(_with_hand, audited), days_of, journal))


def _goes_on(journal: Journal, engine: Engine | None) -> bool:
    """Whether what audits now can read what was remembered by what audited then."""
    if journal.is_in_arrays:
        return available() and engine is not Engine.audit
    return engine is not Engine.bulk


def _must_be_a_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"unknown time zone: {zone}") from None


def _with_hand(audited: Audited) -> Audited:
    if audited.counted and audited.hand is None:
        raise ValueError("verdicts alone cannot be kept: the hand is needed")
    return audited
