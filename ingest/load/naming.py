"""Under which name the hands of a log can be kept, where the store has another log of its name.

Knows names, ids and what hands are recognised by. Refuses to know which of two logs is right.
"""

from collections.abc import Iterable
from itertools import count
from pathlib import Path, PurePosixPath

import pyarrow as pa
from msgspec import Struct

from ingest.identity import Identity, identity
from ingest.logs import Entry
from ingest.store.digests import file_of, id_digest
from ingest.store.known import named, sources
from ingest.store.manifest import Manifest, is_store
from ingest.store.publish import sound
from ingest.store.schema import KINDS

_PACKED = (".gz", ".zst")


class Name(Struct, frozen=True):
    """What a log can be kept as."""

    name: str
    """Under this name no id of the log stands for another hand."""
    corrects: str
    """Of which log it would be a corrected one: of its own name, unless more of its hands are there under another."""
    clashes: int = 0
    """Ids that do so under the name that the log has; none where that is the one."""
    is_known: bool = False
    """Whether the store has hands of the log under another name than its own."""


class _Hand(Struct, frozen=True):
    inner: str
    """The name of its file within the log, as it stands behind the log's."""
    id: str
    identity: Identity


def name_for(store: Path, name: str, hands: Iterable[Entry]) -> Name:
    """What a log can be kept as: its own name where that fits, else the name under which the store has it, else a free
    one. ``hands``: its entries that are hands, each once. Raises ``BadStore``.
    """
    if not is_store(store):
        return Name(name, name)
    manifest = sound(store)
    told = [
        _Hand(entry.source.removeprefix(name), entry.record.id, identity(entry.record))
        for entry in hands
        if entry.record is not None
    ]
    clashes, most = _met(store, manifest, name, told)
    if not clashes:
        return Name(name, name)
    corrects = name
    taken = {file_of(part) for source in sources(store, manifest) for part in (source, source.partition("/")[0])}
    for number in count(2):
        other = numbered(name, number)
        if file_of(other) not in taken:
            return Name(other, corrects, clashes)
        others, same = _met(store, manifest, other, told)
        if same and not others:
            return Name(other, other, clashes, is_known=True)
        if same > most:
            corrects, most = other, same
    raise AssertionError("numbers end")


def numbered(name: str, number: int) -> str:
    """A log's name with a number: ``a (2).jsonl.gz``."""
    packed = next((suffix for suffix in _PACKED if name.lower().endswith(suffix)), "")
    plain = name[: len(name) - len(packed)]
    suffix = PurePosixPath(plain).suffix
    return f"{plain[: len(plain) - len(suffix)]} ({number}){suffix}{name[len(plain) :]}"


def _met(store: Path, manifest: Manifest, name: str, hands: list[_Hand]) -> tuple[int, int]:
    """How many ids of a log stand for other hands under a name, and how many for the same."""
    ids = pa.array([id_digest(name + hand.inner, hand.id) for hand in hands], KINDS["key"][0])
    is_same: dict[int, bool] = {}
    for place, other in named(store, manifest, ids):
        is_same[place] = is_same.get(place, True) and hands[place].identity.is_of(other)
    same = sum(is_same.values())
    return len(is_same) - same, same
