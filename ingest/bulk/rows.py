"""Proven hands as rows of the tables of a store.

Knows which module tells which table.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from ingest.bulk.hand_rows import hand_columns
from ingest.bulk.layout import Number
from ingest.bulk.move_rows import move_rows
from ingest.bulk.proofs import Proof
from ingest.bulk.proven import Ints, proven_of
from ingest.bulk.seat_rows import seat_columns
from ingest.store.columns import from_lists, from_rows
from ingest.store.rows import finding_rows
from ingest.store.schema import FINDINGS, HANDS, SEATS
from ingest.store.sketches import Part


def rows_of(proof: Proof, rows: Ints, source: str, first: int, zone: str) -> Part:
    """What a store has of proven hands (``told_rows``), which have their rows in the block as numbers.

    ``first``: the number of the block's first line. ``zone``: whose days they are put on.
    """
    told = proven_of(proof, rows)
    lines = (first + proof.block.numbers[rows, Number.LINE]).tolist()
    noted = {int(row): proof.findings(int(row)) for row in rows[proof.is_noted(rows)]}
    found = [each for row, line in zip(rows.tolist(), lines, strict=True) if row in noted
             for each in finding_rows((row, source, line), noted[row])]  # fmt: skip
    notes = np.zeros(len(rows), np.int64)
    notes[np.searchsorted(rows, [*noted])] = [len(each) for each in noted.values()]
    hands = hand_columns(told, source, first, zone, notes)
    numbers = pa.array(rows)
    moves = move_rows(told)
    return {
        "hands": from_lists(HANDS, {"hand": numbers} | hands),
        "seats": from_lists(SEATS, {"hand": pa.array(np.repeat(rows, told.players))} | seat_columns(told, hands)),
        "moves": _with_hand(moves, numbers.take(moves["hand"])),
        "findings": from_rows(FINDINGS, found),
    }


def _with_hand(batch: pa.RecordBatch, numbers: Any) -> pa.RecordBatch:
    return batch.set_column(0, batch.schema.field("hand"), numbers)
