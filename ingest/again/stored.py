"""The hands of a store that can be audited again, some thousands at a time: what of them is audited, and what was said.

Knows the tables of a store. Of a whole batch only numbers of hands, scores and codes of findings are held. Lines are
read where somebody asks for one.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ingest.again.files import Files
from ingest.again.said import Said, scores_by_seat
from ingest.bulk.codes import Codes, codes_of
from ingest.bulk.reported import SHORTLY
from ingest.record import rules_named
from ingest.store import Manifest
from ingest.store.known import NO_LOG, NOT_UTF8, REFUSED, replaced
from ingest.store.layout import in_order
from ingest.store.manifest import StoredBatch
from ingest.store.rows import NATIVE

GROUP = 16_384
"""Hands of a group."""
_HANDS = ("hand", *SHORTLY, "source", "line", "rules", "counted")
_FEW = ("verdict", "outcome", "source", "rules", "format")
Named = Callable[[pa.Array], tuple[pa.Array, pa.Array]]
"""The names of the rulesets that packed hands name, and of which that is known."""
_READ = {"hands": _HANDS, "raw": ("format", "packed")}
_RAW = ("raw", "record")


class _Later:
    """Columns of a table of a batch, group by group; they are read as far as somebody asks for them."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._pieces, self._read, self._piece = in_order(path, columns, GROUP), -1, pa.table({})

    def of(self, group: int) -> pa.Table:
        """Those of a group: of none before that which was asked for last."""
        while self._read < group:
            self._piece, self._read = next(self._pieces), self._read + 1
        return self._piece


def _lines(raw: _Later, group: int) -> pa.Array:
    """The line of each hand of a group, or its record where it came in another format."""
    piece = raw.of(group)
    record = piece["record"]
    texts = pc.coalesce(record, piece["raw"]) if record.null_count < len(record) else piece["raw"]
    return texts.combine_chunks()


def _id(hands: _Later, group: int, hand: int) -> str | None:
    """The id of a hand of a group."""
    piece = hands.of(group)
    found: str | None = piece["id"][pc.index(piece["hand"], hand).as_py()].as_py()
    return found


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

    def laws(self, named: Named | None = None) -> pa.Array:
        """The ruleset that each was audited under where it stood in place of its own; null for its own.

        ``named``: tells which rulesets packed hands name; without it their lines do.
        """
        hands = self.said.hands
        rules = pc.if_else(hands["counted"], hands["rules"], pa.scalar(None, pa.string())).combine_chunks()
        told, is_told = (named or _none_named)(self.packed)
        is_asked = pc.and_not(rules.is_valid(), is_told)
        rows = pc.indices_nonzero(is_asked).to_numpy()
        if len(rows):
            names = pa.array(map(rules_named, self.texts_of(rows)), pa.string())
            told = pc.replace_with_mask(told, is_asked, names)
        return pc.if_else(pc.fill_null(pc.equal(told, rules), False), pa.scalar(None, pa.string()), rules)


def _none_named(packed: pa.Array) -> tuple[pa.Array, pa.Array]:
    return pa.nulls(len(packed), pa.string()), pa.repeat(pa.scalar(value=False), len(packed))


def groups(store: Path, manifest: Manifest, files: Files) -> Iterator[Group]:
    """The entries of a store that can be audited again, in the order of their numbers."""
    gone = pa.array(replaced(store, manifest), pa.int64())
    for batch in manifest.batches:
        yield from _of_batch(store, batch, gone, files)


def _of_batch(store: Path, batch: StoredBatch, gone: pa.Array, files: Files) -> Iterator[Group]:
    def file(table: str) -> Path:
        return store / batch.folder / f"{table}.parquet"

    codes = _codes(_columns(file("findings"), "hand", "code"))
    numbers = _columns(file("hands"), "hand")["hand"].combine_chunks().sort()
    scores = scores_by_seat(numbers, _columns(file("seats"), "hand", "seat", "score"))
    said_once = (pa.array(codes.having(code), pa.int64()) for code in (REFUSED, NO_LOG))
    left_out, begin = pa.concat_arrays([gone, *said_once]), 0
    lines, ids = _Later(file("raw"), _RAW), _Later(file("hands"), ("hand", "id"))
    pairs = zip(*(in_order(file(name), columns, GROUP, _FEW) for name, columns in _READ.items()), strict=True)
    for number, (hands, raw) in enumerate(pairs):
        size = len(hands)
        hands = hands.append_column("file", pa.array(files.of(hands["hand"].to_numpy())))
        said = Said(hands, scores.slice(begin, size), codes, partial(_id, ids, number))
        group = Group(said, _packed(raw), pa.array(np.arange(size)), partial(_lines, lines, number))
        is_asked = _is_asked(hands, raw, left_out, partial(lines.of, number))
        if pc.any(is_asked).as_py():
            yield group if pc.all(is_asked).as_py() else group.filter(is_asked)
        begin += size


def _columns(path: Path, *names: str) -> pa.Table:
    return pq.read_table(path, columns=[*names], use_threads=False)


def _packed(raw: pa.Table) -> pa.Array:
    """Packed hands; those of an earlier store are not."""
    return raw["packed"].combine_chunks() if "packed" in raw.column_names else pa.nulls(len(raw), pa.binary())


def _is_asked(hands: pa.Table, raw: pa.Table, left_out: pa.Array, lines: Callable[[], pa.Table]) -> pa.Array:
    """Which hands are audited again: those that are records, as far as anybody can tell, and not left out."""
    is_record = pc.equal(raw["format"], NATIVE).combine_chunks()
    if not pc.all(is_record, min_count=0).as_py():
        is_record = pc.or_(is_record, lines()["record"].is_valid().combine_chunks())
    return pc.and_not(is_record, pc.is_in(hands["hand"].combine_chunks(), left_out))


def _codes(findings: pa.Table) -> Codes:
    """The codes of the findings on each hand that has some, but for what is said of its log."""
    findings = findings.filter(pc.not_equal(findings["code"], NOT_UTF8))
    hands = findings["hand"].drop_null().to_numpy()
    told = findings["code"].filter(findings["hand"].is_valid()).combine_chunks().dictionary_encode()
    numbers = told.indices.to_numpy()
    return codes_of((name, hands[numbers == number]) for number, name in enumerate(told.dictionary.to_pylist()))
