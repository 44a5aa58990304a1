"""Blocks of lines assessed and put into rows at once: proven hands as columns, the rest hand by hand.

Knows one block. What its hands say about those before is for ``ingest.bulk.placing``, and what becomes of its rows
then for ``ingest.bulk.settling``, perhaps in another process: so all of it can be sent.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import Judged
from ingest.bulk.assessing import Assessed, Assessor, Examined
from ingest.bulk.judging import judged_of
from ingest.bulk.layout import Number
from ingest.bulk.loaded import fewest_plays, turned
from ingest.bulk.packing import Packer
from ingest.bulk.proofs import Proof
from ingest.bulk.proven import told_rows
from ingest.bulk.rows import rows_of
from ingest.identity import Identity
from ingest.logs import Lines
from ingest.store.recall import with_hand
from ingest.store.sketches import Part, sketch
from ingest.verdict import Verdict


class Sketched(Struct, frozen=True):
    """An assessed block with its hands as rows, which have their rows in the block as numbers."""

    found: Assessed
    told: Part
    """Hands that are told as they are proven, with their findings."""
    others: Part
    """The other hands, without."""
    untold: dict[int, tuple[Verdict, Identity | None]]
    """Of these, the verdicts on the proven ones."""
    packed: pa.Array
    """For each row of the block its hand as ``ingest.bulk.packing`` has it, null where it is not proven."""


class Sketcher:
    """Sketches blocks one after another."""

    def __init__(self, rules: str | None, secret: NDArray[np.uint64], zone: str) -> None:
        """``zone``: whose days hands are put on."""
        self._assessor, self._rules, self._zone = Assessor(rules, secret, None), rules, zone
        self._packer = Packer()

    def sketch(self, source: str, line: int, text: bytes) -> Sketched:
        """Sketch a block: the text of ``Lines`` that begin with this line of a log."""
        examined = self._assessor.examine(source, line, text, with_moves=True)
        told: list[Part] = []
        judged, lines = dict(examined.judged), Lines(source, line, text, set())
        for proof in examined.proofs:
            rows = told_rows(proof)
            if len(rows):
                told.append(rows_of(proof, rows, source, line, self._zone))
            rest = np.setdiff1d(proof.rows, rows)
            judged |= {row: self._judged(proof, row, lines, examined) for row in rest}
        untold = {row: (each.verdict, each.identity) for row, each in judged.items() if row not in examined.judged}
        packed = self._packer.packed(examined.block, examined.found.proven)
        return Sketched(examined.found, in_order(told), self._others(judged), untold, packed)

    def _judged(self, proof: Proof, row: int, lines: Lines, examined: Examined) -> Judged:
        """A proven hand that is told by itself."""
        number = lines.line + int(proof.block.numbers[row, Number.LINE])
        entry = lines.entry(number, *map(int, examined.found.spans[row]))
        return with_hand(judged_of(entry, proof, row), self._rules)

    def _others(self, judged: dict[int, Judged]) -> Part:
        rows = sorted(judged)
        part = sketch([judged[row] for row in rows], self._zone, fewest_plays, turned)
        return {name: numbered(batch, np.array(rows, np.int64)) for name, batch in part.items()}


def numbered(batch: pa.RecordBatch, numbers: NDArray[np.int64]) -> pa.RecordBatch:
    """Rows under other numbers: in place of each, what stands there in ``numbers``."""
    hands = pa.array(numbers, pa.int64()).take(batch["hand"])
    return batch.set_column(0, batch.schema.field("hand"), hands)


def in_order(parts: Sequence[Part]) -> Part:
    """Parts as one, in the order of their numbers; nothing of none."""
    found = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        some = [part[name] for part in parts if name in part and part[name].num_rows] or [parts[-1][name]]
        whole = pa.concat_batches(some) if len(some) > 1 else some[0]
        ordered = len(some) == 1
        found[name] = whole if ordered else whole.take(pa.array(whole["hand"].to_numpy().argsort(kind="stable")))
    return found
