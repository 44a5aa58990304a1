"""A store of an earlier version as one of today's: its records audited anew, each under the rules of the time.

Knows what is kept as it was: the numbers and the order of hands, which files were loaded, what took the place of what,
and what could not be kept under its id. All else is worked out again. Until the last step the store is the old one; it
is beside the new one meanwhile, and its folders stay for those who are reading them.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct, structs

from ingest.batch import quiet_collector
from ingest.bulk import Engine, available
from ingest.bulk.course import must_be_there, pays
from ingest.bulk.judging import WARM_UP
from ingest.bulk.reported import Change
from ingest.load.anew import Anew, Renewal, Replacements
from ingest.load.chunks import FEW
from ingest.load.resume import FOLDER as JOURNALS
from ingest.load.stored import Rows, Told, repetitions, stored
from ingest.rules.ruleset import UnknownLaw, builtin_names, digest, load_any
from ingest.store import read_manifest
from ingest.store.batches import UPGRADE, add_batch, clean
from ingest.store.damage import must_be_whole, vouch
from ingest.store.known import replaced
from ingest.store.layout import write_table
from ingest.store.lock import Waiting, locked
from ingest.store.manifest import (
    LOCK,
    Manifest,
    StoredBatch,
    StoredFile,
    keep_folder,
    write_manifest,
)
from ingest.store.publish import rolled_up
from ingest.store.retiring import retired
from ingest.store.rows import joined
from ingest.store.schema import FINDINGS, REPLACED
from ingest.store.sketches import Part
from ingest.store.spans import spans_of

BATCH = 50_000
"""Rows that become one batch at most: memory does not grow with the batches that there are."""
KEYS_SINCE = 3
"""The version from which on hands, entries and ids are recognised as today, wherever they were loaded from."""
TOLD = 1_000
"""Hands whose verdict changed that are named."""

Tables = dict[str, pa.Table]


class Upgraded(Struct, frozen=True):
    """What an upgrade did."""

    version: int
    """Of the store before it."""
    hands: int = 0
    """Rows of ``hands``."""
    changed: int = 0
    """Of these, rows of which something else is said now."""
    changes: list[Change[Told]] = []
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
    engine: Engine | None = None,
    timeout: float | None = None,
    waiting: Waiting | None = None,
) -> Upgraded:
    """Make a store one of today's; one that is stays as it is.

    ``laws``: files of the rules of one's own that hands were audited under, by name. ``told`` hears how many hands are
    done. ``engine``: what audits, None for what is sooner done; the store is the same whatever is said, but that
    compiled code alone packs hands.
    Raises ``FileNotFoundError``, ``BadStore`` (also for a damaged store), ``StoreBusy`` and ``UnknownLaw``.
    """
    with locked(_there(store) / LOCK, timeout, waiting):
        must_be_there(engine)
        manifest = clean(store, read_manifest(store))
        if not manifest.is_earlier:
            return Upgraded(manifest.version, manifest.rows("hands"))
        must_be_whole(store, manifest)
        anew = store / UPGRADE
        anew.mkdir()
        try:
            with quiet_collector():
                done = _Upgrade(store, anew, manifest, laws or {}).batches(told, engine)
        except BaseException:
            shutil.rmtree(anew, ignore_errors=True)
            raise
        _take_place(store, manifest, anew)
        return done


def _there(store: Path) -> Path:
    read_manifest(store)
    return store


def _take_place(store: Path, old: Manifest, anew: Path) -> None:
    """Publish the new batches in the place of the old ones, at once."""
    new = read_manifest(anew)
    for batch in new.batches:
        (anew / batch.folder).rename(store / batch.folder)
    keep_folder(store)
    left = (*old.retired, *retired(old.batches))
    write_manifest(store, structs.replace(new, retired=left, repairs=old.repairs, next_hand=old.next_hand))
    for batch in new.batches:
        vouch(store, read_manifest(store), batch)
    for leftover in (anew, store / JOURNALS):
        shutil.rmtree(leftover, ignore_errors=True)


class _Upgrade:
    """One store on its way."""

    def __init__(self, store: Path, anew: Path, manifest: Manifest, laws: Mapping[str, str]) -> None:
        self._store, self._anew, self._old = store, anew, manifest
        self._laws = {name: name for name in builtin_names()} | dict(laws)
        self._count = dict.fromkeys(("hands", "changed", "repeated"), 0)
        self._changes = list[Change[Told]]()

    def batches(self, told: Callable[[int], None], engine: Engine | None) -> Upgraded:
        """Write every batch anew; one that has many rows as several, so that memory does not grow with it."""
        changed = self._laws_of_the_time()
        write_manifest(self._anew, Manifest(zone=self._old.zone, sequence=self._old.sequence))
        with self._renewal(engine) as renewal:
            for batch in self._old.batches:
                for tables in self._tables(batch, renewal, told):
                    self._publish(tables)
        return Upgraded(version=self._old.version, **self._count, changes=self._changes, laws=changed)

    def _renewal(self, engine: Engine | None) -> Renewal:
        pairs = [_pairs(self._store, batch) for batch in self._old.batches]
        late = frozenset(row["by"] for some in pairs for row in some.to_pylist() if row["by"] > row["hand"])
        can = available() and engine is not Engine.audit
        compiled = can and pays(self._old.rows("hands"), engine, few=FEW, warm_up=WARM_UP)
        replacements = Replacements(late, replaced(self._store, self._old))
        recognised = self._old.version >= KEYS_SINCE
        return Renewal(self._laws, self._old.zone, replacements, recognised=recognised, compiled=compiled)

    def _laws_of_the_time(self) -> dict[str, int]:
        """Hands by ruleset whose rules have changed since. Raises ``UnknownLaw`` for rules that nobody has given."""
        found = [
            pq.read_table(path, columns=["rules", "rules_digest", "counted"])
            for path in self._old.paths(self._store, "hands")
        ]
        counts = Counter[tuple[str, str]]()
        for hands in found:
            counted = hands.filter(hands["counted"]).group_by(["rules", "rules_digest"]).aggregate([([], "count_all")])
            counts.update({(row["rules"], row["rules_digest"]): row["count_all"] for row in counted.to_pylist()})
        unknown = sorted({name for name, _ in counts} - self._laws.keys())
        if unknown:
            raise UnknownLaw(", ".join(unknown))
        now = {name: digest(load_any(self._laws[name])) for name, _ in counts}
        changed = Counter[str]()
        for (name, then), hands in counts.items():
            changed[name] += hands * (then != now[name])
        return dict(+changed)

    # Rows

    def _tables(self, batch: StoredBatch, renewal: Renewal, told: Callable[[int], None]) -> Iterator[Tables]:
        """All rows of one batch but for roll-ups, under the numbers that they had, so many at a time."""
        pairs, again = _pairs(self._store, batch), repetitions(self._store, batch).cast(FINDINGS.schema)
        left = batch.files["hands"].rows
        for rows in stored(self._store, batch, BATCH) if left else ():
            tables = joined([self._part(rows, each, told) for each in renewal.anew(rows)])
            left -= len(rows.hands)
            if left:
                here, pairs = _parted(pairs, rows.hands["hand"][-1])
                yield tables | {"replaced": here}
            else:
                yield _with(tables, again, pairs)
        if not batch.files["hands"].rows:
            yield _with(joined([]), again, pairs)

    def _part(self, rows: Rows, anew: Anew, told: Callable[[int], None]) -> Part:
        """Some rows anew, recognised as they were where that means the same."""
        before = rows.hands.slice(anew.begin, anew.count).take(pa.array(anew.left, pa.int64()))
        hands = anew.part["hands"].sort_by("hand")
        self._tell(before, hands)
        self._count["repeated"] += anew.count - len(anew.left)
        told(anew.count)
        return anew.part | {"hands": hands if self._old.version < KEYS_SINCE else _recognised(hands, before)}

    def _tell(self, before: pa.Table, hands: pa.RecordBatch) -> None:
        """Note what is said otherwise of rows."""
        changed = pc.indices_nonzero(_differ(before, hands, Told.__struct_fields__))
        self._count["hands"] += len(before)
        self._count["changed"] += len(changed)
        some = changed[: TOLD - len(self._changes)]
        told = [each.select(Told.__struct_fields__).take(some).to_pylist() for each in (before, hands)]
        places = before.select(["source", "line", "id"]).take(some).to_pylist()
        self._changes += [
            Change(**place, before=Told(**then), after=Told(**now))
            for place, then, now in zip(places, *told, strict=True)
        ]

    def _publish(self, tables: Tables) -> None:
        new = read_manifest(self._anew)
        whole = tables | rolled_up(self._anew, new, tables)

        def write(folder: Path) -> dict[str, StoredFile]:
            return {name: write_table(folder / f"{name}.parquet", name, rows) for name, rows in whole.items()}

        add_batch(self._anew, new, write, spans_of(tables["raw"], tables["findings"]))


def _with(tables: Tables, again: pa.Table, pairs: pa.Table) -> Tables:
    """The last rows of a batch, with what it says of none of its rows."""
    return tables | {"findings": pa.concat_tables([tables["findings"], again]), "replaced": pairs}


def _parted(pairs: pa.Table, last: pa.Scalar) -> tuple[pa.Table, pa.Table]:
    """What took the place of what up to a hand, and what later: a batch must not speak of hands that come later."""
    is_here = pc.less_equal(pc.max_element_wise(pairs["hand"], pairs["by"]), last)
    return pairs.filter(is_here), pairs.filter(pc.invert(is_here))


def _pairs(store: Path, batch: StoredBatch) -> pa.Table:
    """What took the place of what, as a batch says."""
    if "replaced" not in batch.files:
        return REPLACED.schema.empty_table()
    return pq.read_table(store / batch.folder / "replaced.parquet").cast(REPLACED.schema)


def _differ(before: pa.Table, now: pa.RecordBatch, names: Iterable[str]) -> pa.Array:
    """The rows that differ in any of these columns; null is a value like others."""
    differ = pa.array([False] * len(before), pa.bool_())
    for name in names:
        old, new = before[name].combine_chunks(), now[name]
        unequal = pc.fill_null(pc.not_equal(old, new), False)
        differ = pc.or_(pc.or_(differ, unequal), pc.not_equal(pc.is_null(old), pc.is_null(new)))
    return differ


def _recognised(hands: pa.RecordBatch, before: pa.Table) -> pa.RecordBatch:
    """Rows that are recognised by what they were, wherever this program runs: the place of a log is in that."""
    entry, id_digest, counted = (before[name].combine_chunks() for name in ("entry", "id_digest", "counted"))
    digest_ = pc.if_else(hands["counted"], hands["digest"], entry)
    same = pc.equal(counted, hands["counted"])
    for name, then in (("entry", entry), ("digest", digest_), ("id_digest", id_digest)):
        place = hands.schema.get_field_index(name)
        hands = hands.set_column(place, hands.schema.field(name), pc.if_else(same, then, hands[name]))
    return hands
