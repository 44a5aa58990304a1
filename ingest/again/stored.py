"""The hands of a store that can be audited again, some thousands at a time: their lines, and what was said of them.

Knows the tables of a store. Of a whole batch only numbers of hands, scores and codes of findings are held.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import Struct

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
_HANDS = ("hand", *SHORTLY, "source", "line", "id", "rules", "counted")
_RAW = ("raw", "record", "format")


class Group(Struct, frozen=True):
    """Some hands, one after another."""

    said: Said
    texts: pa.ChunkedArray
    """The line of each, or its record where it came in another format."""

    def filter(self, mask: pa.Array) -> "Group":
        """Those that the mask says."""
        return Group(self.said.taken(lambda table: table.filter(mask)), self.texts.filter(mask))

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
    left_out, begin = pa.concat_arrays([gone, pa.array(refused, pa.int64())]), 0
    for hands, raw in zip(in_order(file("hands"), _HANDS, GROUP), in_order(file("raw"), _RAW, GROUP), strict=True):
        is_told = raw["record"].null_count < len(raw)
        texts = pc.coalesce(raw["record"], raw["raw"]) if is_told else raw["raw"]
        is_record = pc.or_(raw["record"].is_valid(), pc.equal(raw["format"], NATIVE))
        group = Group(Said(hands, scores.slice(begin, len(hands)), codes), texts)
        is_asked = pc.and_not(is_record, pc.is_in(hands["hand"], left_out))
        yield group if pc.all(is_asked).as_py() else group.filter(is_asked)
        begin += len(hands)


def _codes(findings: pa.Table) -> Mapping[int, list[str]]:
    """The codes of the findings on each hand that has some, in order of the alphabet."""
    found: dict[int, list[str]] = {}
    columns: list[list[Any]] = [column.to_pylist() for column in findings.sort_by("code").columns]
    for hand, code in zip(*columns, strict=True):
        if hand is not None:
            found.setdefault(hand, []).append(code)
    return found
