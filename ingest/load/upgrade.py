"""A store of an earlier version as one of today's: its records audited anew, each under the rules of the time.

Knows what is kept as it was: the numbers and the order of hands, which files were loaded, what took the place of what,
and what could not be kept under its id. All else is worked out again. Until the last step the store is the old one; it
is beside the new one meanwhile, and its folders stay for those who are reading them.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.batch import Audited, Batch, Judged, quiet_collector
from ingest.bulk import fewest_plays, judge_all, turned
from ingest.hand import unreadable
from ingest.load.resume import FOLDER as JOURNALS
from ingest.load.stored import NEIGHBOURS, Reader, Stored, Told, repetitions, stored
from ingest.logs import Entry
from ingest.logs.portions import portions, size_of
from ingest.memory import InLedgers
from ingest.rules.ruleset import UnknownLaw, builtin_names, digest, load_any
from ingest.store import BadStore, Checked, read_manifest, whole
from ingest.store.batches import UPGRADE, add_batch, clean
from ingest.store.damage import vouch
from ingest.store.known import REFUSED, replaced
from ingest.store.layout import write_table
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import (
    LOCK,
    Manifest,
    Retired,
    StoredBatch,
    StoredFile,
    keep_folder,
    write_manifest,
)
from ingest.store.publish import rolled_up
from ingest.store.recall import with_hand
from ingest.store.rows import complete, is_row, joined
from ingest.store.schema import FINDINGS, REPLACED
from ingest.store.sketches import Part, sketch
from ingest.store.spans import spans_of
from ingest.verdict import with_findings

CHUNK = 1_000
"""Rows that are held as Python objects."""
KEYS_SINCE = 3
"""The version from which on hands, entries and ids are recognised as today, wherever they were loaded from."""
TOLD = 1_000
"""Hands whose verdict changed that are named."""

Tables = dict[str, pa.Table]
Read = tuple[Stored, Entry]


class Change(Struct, frozen=True):
    """A hand of which something else is said now."""

    source: str
    line: int
    id: str | None
    before: Told
    after: Told


class Upgraded(Struct, frozen=True):
    """What an upgrade did."""

    version: int
    """Of the store before it."""
    hands: int = 0
    """Rows of ``hands``."""
    changed: int = 0
    """Of these, rows of which something else is said now."""
    changes: list[Change] = []
    """The first of them."""
    repeated: int = 0
    """Rows that are no more: the same hand again, which was not recognised then (R108)."""
    laws: dict[str, int] = {}
    """Hands by ruleset whose rules are not letter for letter those of the time."""


class Room(Struct, frozen=True):
    """Bytes on the disk of a store."""

    needed: int
    """What an upgrade takes at most, the old store not counted."""
    free: int


def room(store: Path) -> Room:
    """What an upgrade needs and there is. Raises as ``read_manifest`` does."""
    manifest = read_manifest(store)
    own = sum(file.bytes for batch in manifest.batches for file in batch.files.values())
    return Room(own * (2 if manifest.version == 1 else 1) * 5 // 4, shutil.disk_usage(store).free)


def upgrade(
    store: Path,
    *,
    laws: Mapping[str, str] | None = None,
    told: Callable[[int], None] = lambda _: None,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> Upgraded:
    """Make a store one of today's; one that is stays as it is.

    ``laws``: files of the rules of one's own that hands were audited under, by name. ``told`` hears how many hands are
    done. Raises ``FileNotFoundError``, ``BadStore`` (also for a damaged store), ``StoreBusy`` and ``UnknownLaw``.
    """
    with locked(_there(store) / LOCK, timeout, waiting):
        manifest = read_manifest(store)
        clean(store, manifest)
        if not manifest.is_earlier:
            return Upgraded(manifest.version, manifest.rows("hands"))
        _must_be_whole(store, manifest)
        anew = store / UPGRADE
        anew.mkdir()
        try:
            with quiet_collector():
                done = _Upgrade(store, anew, manifest, laws or {}).batches(told)
        except BaseException:
            shutil.rmtree(anew, ignore_errors=True)
            raise
        _take_place(store, manifest, anew)
        return done


def _there(store: Path) -> Path:
    read_manifest(store)
    return store


def _must_be_whole(store: Path, manifest: Manifest) -> None:
    _, damage = whole(manifest, Checked(store))
    if damage:
        more = f" and {len(damage) - 1} more" if len(damage) > 1 else ""
        raise BadStore(f"{store} is damaged ({damage[0].path}{more}): load its logs into a new store")


def _take_place(store: Path, old: Manifest, anew: Path) -> None:
    """Publish the new batches in the place of the old ones, at once."""
    new = read_manifest(anew)
    for batch in new.batches:
        (anew / batch.folder).rename(store / batch.folder)
    keep_folder(store)
    since = int(time.time())
    retired = (*old.retired, *(Retired(batch.folder, since) for batch in old.batches))
    write_manifest(store, structs.replace(new, retired=retired, repairs=old.repairs, next_hand=old.next_hand))
    for batch in new.batches:
        vouch(store, read_manifest(store), batch)
    for leftover in (anew, store / JOURNALS):
        shutil.rmtree(leftover, ignore_errors=True)


class _Upgrade:
    """One store on its way."""

    def __init__(self, store: Path, anew: Path, manifest: Manifest, laws: Mapping[str, str]) -> None:
        self._store, self._anew, self._old = store, anew, manifest
        self._laws = {name: name for name in builtin_names()} | dict(laws)
        self._digests = dict[str, str]()
        self._memory, self._reader = InLedgers(), Reader()
        self._batches = dict[str | None, Batch]()
        self._gone = replaced(store, manifest)
        pairs = (row for batch in manifest.batches for row in _pairs(store, batch).to_pylist())
        self._late = frozenset(row["by"] for row in pairs if row["by"] > row["hand"])
        self._count = dict.fromkeys(("hands", "changed", "repeated"), 0)
        self._changes = list[Change]()
        self._other_laws = dict[str, int]()

    def batches(self, told: Callable[[int], None]) -> Upgraded:
        """Write every batch anew."""
        self._must_know_laws()
        write_manifest(self._anew, Manifest(zone=self._old.zone, sequence=self._old.sequence))
        try:
            for batch in self._old.batches:
                self._publish(self._tables(batch, told))
        finally:
            self._memory.close()
        return Upgraded(version=self._old.version, **self._count, changes=self._changes, laws=self._other_laws)

    def _must_know_laws(self) -> None:
        found = (pq.read_table(path, columns=["rules", "counted"]) for path in self._old.paths(self._store, "hands"))
        named = {name for table in found for name in pc.unique(table["rules"].filter(table["counted"])).to_pylist()}
        unknown = sorted(named - self._laws.keys() - {None})
        if unknown:
            raise UnknownLaw(", ".join(unknown))

    # Rows

    def _tables(self, batch: StoredBatch, told: Callable[[int], None]) -> Tables:
        """All rows of one batch but for roll-ups, under the numbers that they had."""
        parts: list[Part] = []
        read = ((row, self._reader.entry(row)) for row in stored(self._store, batch))
        for law, some in groupby(read, self._law):
            for rows, judged in _judged(some, law):
                parts.append(self._part(rows, judged, law))
                told(len(rows))
        tables = joined(parts)
        again = repetitions(self._store, batch)
        return tables | {
            "findings": pa.concat_tables([tables["findings"], again.cast(FINDINGS.schema)]),
            "replaced": _pairs(self._store, batch),
        }

    def _law(self, read: Read) -> str | None:
        """The ruleset that a hand was audited under in place of its own; None for its own."""
        row, entry = read
        if not row.counted or row.rules is None:
            return None
        law = self._laws[row.rules]
        if law not in self._digests:
            self._digests[law] = digest(load_any(law))
        if self._digests[law] != row.rules_digest:
            self._other_laws[row.rules] = self._other_laws.get(row.rules, 0) + 1
        named = None if entry.record is None else entry.record.rules
        return None if law == row.rules == named else law

    def _part(self, rows: Sequence[Stored], judged: Sequence[Judged], law: str | None) -> Part:
        """Some rows anew."""
        placed = [self._placed(row, each, law) for row, each in zip(rows, judged, strict=True)]
        whole = complete(placed, sketch(list(judged), self._old.zone, fewest_plays, turned), 0)
        left = [row for row, audited in zip(rows, placed, strict=True) if is_row(audited)]
        numbers = pa.array([row.hand for row in left], pa.int64())
        part = {name: _renumbered(batch, numbers) for name, batch in whole.items()}
        self._tell(left, part["hands"])
        self._count["repeated"] += len(rows) - len(left)
        return part if self._old.version < KEYS_SINCE else part | {"hands": _recognised(part["hands"], left)}

    def _placed(self, row: Stored, judged: Judged, law: str | None) -> Audited:
        """A row among those before it. What took another's place stands out of its order: what was said stays."""
        entry, record = judged.entry, judged.entry.record
        stays = [finding for finding in row.findings if finding.code == REFUSED]
        if stays and record is not None:
            verdict = unreadable(stays[0], entry.source, entry.line, record)
            return Audited(entry, verdict, identity=judged.identity, counted=False)
        batch = self._batches.setdefault(law, Batch(law, self._memory))
        if record is None or judged.identity is None:
            return Audited(entry, judged.verdict, counted=False)
        if row.hand not in self._late:
            known_then = self._old.version >= KEYS_SINCE or row.hand in self._gone
            return batch.follow(judged) if known_then else batch.place(judged)
        said = [each for each in row.findings if each.code in NEIGHBOURS and each not in judged.verdict.findings]
        verdict = with_findings(judged.verdict, said)
        return Audited(entry, verdict, judged.hand, judged.identity, counted=verdict.verdict != "unreadable")

    def _tell(self, rows: Sequence[Stored], hands: pa.RecordBatch) -> None:
        """Note what is said otherwise of rows."""
        now = {row.pop("hand"): Told(**row) for row in hands.select(["hand", *Told.__struct_fields__]).to_pylist()}
        changes = [
            Change(row.source, row.line, row.id, row.told, now[row.hand]) for row in rows if now[row.hand] != row.told
        ]
        self._count["hands"] += len(rows)
        self._count["changed"] += len(changes)
        self._changes += changes[: TOLD - len(self._changes)]

    def _publish(self, tables: Tables) -> None:
        new = read_manifest(self._anew)
        whole = tables | rolled_up(self._anew, new, tables)

        def write(folder: Path) -> dict[str, StoredFile]:
            return {name: write_table(folder / f"{name}.parquet", name, rows) for name, rows in whole.items()}

        add_batch(self._anew, new, write, spans_of(tables["raw"], tables["findings"]))


def _judged(read: Iterable[Read], law: str | None) -> Iterator[tuple[list[Stored], list[Judged]]]:
    """Rows with what is said of each by itself, some at a time."""
    asked: list[Stored] = []

    def entries() -> Iterator[Entry]:
        for row, entry in read:
            asked.append(row)
            yield entry

    found = (with_hand(each, law) for each in judge_all(entries(), law))
    for chunk in portions(found, CHUNK, lambda each: size_of(each.entry)):
        yield asked[: len(chunk)], chunk
        del asked[: len(chunk)]


def _pairs(store: Path, batch: StoredBatch) -> pa.Table:
    """What took the place of what, as a batch says."""
    if "replaced" not in batch.files:
        return REPLACED.schema.empty_table()
    return pq.read_table(store / batch.folder / "replaced.parquet").cast(REPLACED.schema)


def _renumbered(batch: pa.RecordBatch, numbers: pa.Array) -> pa.RecordBatch:
    """Rows under the numbers that they had; findings of no row have none."""
    return batch.set_column(0, batch.schema.field("hand"), pc.take(numbers, batch["hand"]))


def _recognised(hands: pa.RecordBatch, rows: Iterable[Stored]) -> pa.RecordBatch:
    """Rows that are recognised by what they were, wherever this program runs: the place of a log is in that."""
    before = {row.hand: row for row in rows}
    told = [
        (before[hand], counted, entry, digest_, id_digest)
        for hand, counted, entry, digest_, id_digest in zip(
            *(hands[name].to_pylist() for name in ("hand", "counted", "entry", "digest", "id_digest")), strict=True
        )
    ]
    keys = [
        (row.entry, digest_ if counted else row.entry, row.id_digest)
        if row.counted == counted
        else (entry, digest_, id_)
        for row, counted, entry, digest_, id_ in told
    ]
    for name, values in zip(("entry", "digest", "id_digest"), zip(*keys, strict=True), strict=False):
        place = hands.schema.get_field_index(name)
        hands = hands.set_column(place, hands.schema.field(name), pa.array(values, hands.schema.field(name).type))
    return hands
