"""The hands of a store that can be audited again, some thousands at a time: what of them is audited, and what was said.

Knows the tables of a store. Of a whole batch only numbers of hands, scores and codes of findings are held. Lines are
read where somebody asks for one.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ingest.again.said import Said, scores_by_seat
from ingest.bulk.reported import SHORTLY
from ingest.record import rules_named
from ingest.store import Manifest
from ingest.store.known import REFUSED, replaced
from ingest.store.layout import in_order
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE

GROUP = 16_384
"""Hands of a group."""
_HANDS = ("hand", *SHORTLY, "source", "line", "id", "rules", "counted", "id_digest", "digest", "played")
_OF_RAW, _RAW = ("format", "packed"), ("raw", "record")


class _Lines:
    """The lines of a batch, group by group; they are read as far as somebody asks for one."""

    def __init__(self, path: Path) -> None:
        self._pieces, self._read, self._piece = in_order(path, _RAW, GROUP), -1, pa.table({})

    def of(self, group: int) -> pa.Array:
        """The line of each hand of a group, or its record where it came in another format: of no group before that
        which was asked for last.
        """
        piece = self._piece_of(group)
        raw, record = piece["raw"], piece["record"]
        texts = pc.coalesce(record, raw) if record.null_count < len(record) else raw
        return texts.combine_chunks()

    def are_records(self, group: int) -> pa.Array:
        """Of which hands of a group there is a record that came in another format."""
        return self._piece_of(group)["record"].is_valid().combine_chunks()

    def _piece_of(self, group: int) -> pa.Table:
        while self._read < group:
            self._piece, self._read = next(self._pieces), self._read + 1
        return self._piece


class Group:
    """Some hands, one after another."""

    def __init__(self, said: Said, packed: pa.Array, rows: pa.Array, lines: Callable[[], pa.Array]) -> None:
        """``packed``: by hand, null where it is not. ``rows``: which of ``lines`` are theirs."""
        self.said, self.packed, self._rows, self._lines = said, packed, rows, lines

    def filter(self, mask: pa.Array) -> "Group":
        """Those that the mask says."""
        return self._taken(lambda each: each.filter(mask))

    def slice(self, begin: int, end: int) -> "Group":
        """Those from one place to before another."""
        return self._taken(lambda each: each.slice(begin, end - begin))

    def _taken(self, take: Callable[[Any], Any]) -> "Group":
        return Group(self.said.taken(take), take(self.packed), take(self._rows), self._lines)

    @cached_property
    def texts(self) -> pa.Array:
        """The line of each, or its record where it came in another format."""
        every = self._lines()
        return every if len(every) == len(self._rows) else every.take(self._rows)

    def texts_of(self, rows: NDArray[np.int64]) -> list[bytes]:
        """The same of some of them."""
        found: list[bytes] = self._lines().take(self._rows.take(pa.array(rows))).to_pylist()
        return found

    def laws(self) -> Iterator[str | None]:
        """The ruleset that each was audited under where it stood in place of its own; None for its own."""
        hands = self.said.hands
        rules = pc.if_else(hands["counted"], hands["rules"], pa.scalar(None, pa.string())).to_pylist()
        for name, text in zip(rules, self.texts.to_pylist(), strict=True):
            yield None if name is None or name == rules_named(text) else name


def groups(store: Path, manifest: Manifest) -> Iterator[Group]:
    """The entries of a store that can be audited again, in the order of their numbers."""
    gone = pa.array(replaced(store, manifest), pa.int64())
    for batch in manifest.batches:
        yield from _of_batch(store, batch, gone)


def _of_batch(store: Path, batch: StoredBatch, gone: pa.Array) -> Iterator[Group]:
    def file(table: str) -> Path:
        return store / batch.folder / f"{table}.parquet"

    codes = _codes(pq.read_table(file("findings"), columns=["hand", "code"]))
    numbers = pq.read_table(file("hands"), columns=["hand"])["hand"].combine_chunks().sort()
    scores = scores_by_seat(numbers, pq.read_table(file("seats"), columns=["hand", "seat", "score"]))
    refused = [hand for hand, found in codes.items() if REFUSED in found]
    left_out, begin, lines = pa.concat_arrays([gone, pa.array(refused, pa.int64())]), 0, _Lines(file("raw"))
    pairs = zip(in_order(file("hands"), _HANDS, GROUP), in_order(file("raw"), _OF_RAW, GROUP), strict=True)
    for number, (hands, raw) in enumerate(pairs):
        size = len(hands)
        said = Said(hands, scores.slice(begin, size), codes)
        group = Group(said, _packed(raw), pa.array(np.arange(size)), partial(lines.of, number))
        is_asked = _is_asked(hands, raw, left_out, partial(lines.are_records, number))
        yield group if pc.all(is_asked).as_py() else group.filter(is_asked)
        begin += size


def _packed(raw: pa.Table) -> pa.Array:
    """Packed hands; those of an earlier store are not."""
    return raw["packed"].combine_chunks() if "packed" in raw.column_names else pa.nulls(len(raw), pa.binary())


def _is_asked(hands: pa.Table, raw: pa.Table, left_out: pa.Array, records: Callable[[], pa.Array]) -> pa.Array:
    """Which hands are audited again: those that are records, as far as anybody can tell, and not left out."""
    is_record = pc.equal(raw["format"], NATIVE).combine_chunks()
    if not pc.all(is_record, min_count=0).as_py():
        is_record = pc.or_(is_record, records())
    return pc.and_not(is_record, pc.is_in(hands["hand"], left_out))


def _codes(findings: pa.Table) -> Mapping[int, list[str]]:
    """The codes of the findings on each hand that has some, in order of the alphabet."""
    found: dict[int, list[str]] = {}
    columns: list[list[Any]] = [column.to_pylist() for column in findings.sort_by("code").columns]
    for hand, code in zip(*columns, strict=True):
        if hand is not None:
            found.setdefault(hand, []).append(code)
    return found
