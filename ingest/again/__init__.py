"""A store audited again, under the same rules or others: what would be said of its hands now that was not said then.

Knows which hands are audited under which rules. The store is not changed. Lines that are no record of ours, such as the
damaged ones of other formats, say the same under any rules and are passed over.

What is audited are the lines as they came, or what was packed of a hand when it was proven (``ingest.bulk.packing``).
The other columns of a store lack the marker, who spoke first, what was taken, declared readings, claimed winners and
how cards were spelt, and all of these may make a hand faulty.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pyarrow.compute as pc
from msgspec import Struct

from ingest.again.files import Files, files_of
from ingest.again.items import Item, items_of
from ingest.again.said import Said
from ingest.again.stored import Group, Named, groups
from ingest.bulk import Engine, Telling, Way, audit_logs, available
from ingest.bulk.course import must_be_there, pays
from ingest.bulk.judging import COMPILING, must_compile
from ingest.bulk.reported import Change, Told, Verdicts
from ingest.rules.ruleset import UnknownLaw, builtin_names
from ingest.store import Checked, EarlierStore, Manifest, lack, read_manifest, whole

if TYPE_CHECKING:
    from ingest.again.packed import Packed

__all__ = ["Again", "audit_again"]


class Again(Struct, frozen=True):
    """Some hands that were audited again."""

    hands: int
    changes: list[Change[Told]]


def audit_again(store: Path, way: Way, telling: Telling = lambda _: None) -> Iterator[Again]:
    """Audit the records of a store again, in the order in which it has them.

    Without rules each hand is audited under those of the time. Raises ``FileNotFoundError``, ``BadStore``,
    ``UnknownLaw`` and what ``audit_logs`` raises.
    """
    manifest, _ = whole(read_manifest(store), Checked(store))
    lacks = sorted(lack(store, manifest).columns.get("raw", frozenset()) - {"packed"})
    if lacks:
        raise EarlierStore(store, manifest.version, [f"raw.{name}" for name in lacks])
    packed = _packed(store, manifest, telling) if _is_packed(manifest, way) else None
    named = None if packed is None else packed.named
    files = files_of(store, manifest)
    laws = [way.rules] if way.rules is not None else _laws(store, manifest, files, named)
    for law in laws:
        found: Iterable[Group] = groups(store, manifest, files)
        if way.rules is None and len(laws) > 1:
            found = (some for group in found if len((some := _under(group, law, named)).said))
        if packed is None:
            yield from _compared(found, msgspec.structs.replace(way, rules=law, shortly=True), telling)
        else:
            for said, verdicts in packed.verdicts(found, law):
                yield Again(verdicts.count, [*said.changes(verdicts)])


def _is_packed(manifest: Manifest, way: Way) -> bool:
    """Whether hands are audited by what was packed of them: by compiled code, in this process."""
    must_be_there(way.engine)
    can = available() and way.engine is not Engine.audit and way.jobs == 1 and not manifest.is_earlier
    return can and pays(manifest.rows("hands"), way.engine, few=way.warm_up, warm_up=way.warm_up)


def _packed(store: Path, manifest: Manifest, telling: Telling) -> "Packed":
    """What audits hands by what was packed of them."""
    if must_compile():
        telling(COMPILING)
    from ingest.again.packed import Packed

    return Packed(store, manifest)


def _laws(store: Path, manifest: Manifest, files: Files, named: Named | None) -> list[str | None]:
    """The rulesets that hands were audited under in place of their own, after None for their own."""
    found = {law for group in groups(store, manifest, files) for law in pc.unique(group.laws(named)).to_pylist()}
    own = sorted(name for name in found if name is not None and name not in builtin_names())
    if own:
        raise UnknownLaw(", ".join(own))
    return [None, *sorted(name for name in found if name is not None)]


def _under(group: Group, law: str | None, named: Named | None) -> Group:
    """The hands of a group that were audited under a ruleset in place of their own; None for their own."""
    laws = group.laws(named)
    return group.filter(laws.is_null() if law is None else pc.fill_null(pc.equal(laws, law), False))


def _compared(found: Iterable[Group], way: Way, telling: Telling) -> Iterator[Again]:
    """Hands with what is said of them now."""
    asked: deque[Said] = deque()
    reported: defaultdict[str, set[str]] = defaultdict(set)

    def told() -> Iterator[Item]:
        for group in found:
            for item, said in items_of(group, reported):
                asked.append(said)
                yield item

    begin = 0
    for verdicts in audit_logs(told(), way, telling):
        changes: list[Change[Told]] = []
        if begin == 0 and len(asked[0]) == verdicts.count:
            changes.extend(asked.popleft().changes(verdicts))
        else:
            begin = _one_by_one(asked, begin, verdicts, changes)
        yield Again(verdicts.count, changes)


def _one_by_one(asked: deque[Said], begin: int, verdicts: Verdicts, changes: list[Change[Told]]) -> int:
    """Compare verdicts that are not those on all hands of an item: how many of the next item are done."""
    for now in verdicts.shortly():
        changes.extend(asked[0].change(begin, now))
        begin += 1
        if begin == len(asked[0]):
            asked.popleft()
            begin = 0
    return begin
