"""Proven hands as columns of a verdict batch, without a Python object for each.

What hands with the same settlement have in common is written once and taken many times; only notes are written hand by
hand.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk.layout import ABSENT, Digest, Fact, Number, Text
from ingest.bulk.learning import Auction, Worth
from ingest.bulk.proofs import Proof
from ingest.bulk.verdicts import VERDICTS, findings_as_json
from ingest.faults import Language

Rows = NDArray[np.int64]


def as_columns(proof: Proof, rows: Rows, language: Language) -> pa.RecordBatch:
    """The verdicts on proven hands: a batch with the schema ``VERDICTS``, a row for each of these rows of the block."""
    told = _of_each(proof.learned.worths, proof.facts[rows, Fact.SETTLEMENT], _worth_columns)
    told |= _of_each(proof.learned.auctions, proof.facts[rows, Fact.AUCTION], _auction_columns)
    told |= {
        "id": texts(proof, rows, Text.ID),
        "rules": pa.array([proof.learned.rules.name] * len(rows), pa.string()),
        "verdict": pa.array(["clean"] * len(rows), pa.string()),
        "balances": _balances(proof, rows),
        "findings": _findings(proof, rows, language),
        **digests(proof, rows),
    }
    return pa.RecordBatch.from_arrays([told[name] for name in VERDICTS.names], schema=VERDICTS)


def _of_each(things: Sequence[Any], numbers: Rows, columns: Any) -> dict[str, pa.Array]:
    """The columns of those things that these numbers stand for, one row a number."""
    few, places = np.unique(numbers, return_inverse=True)
    rows = pa.array(places.ravel())
    return {name: values.take(rows) for name, values in columns([things[number] for number in few]).items()}


def _worth_columns(worths: Sequence[Worth]) -> dict[str, pa.Array]:
    settled = [worth.settled for worth in worths]
    factors = [[{"count": None} | msgspec.to_builtins(factor) for factor in each.factors] for each in settled]
    columns = {
        "outcome": [worth.outcome for worth in worths],
        "winners": [worth.winners for worth in worths],
        "factors": factors,
        "multiplier": [each.multiplier for each in settled],
        "unit": [each.unit for each in settled],
        "scores": [each.scores for each in settled],
    }
    return {name: pa.array(values, VERDICTS.field(name).type) for name, values in columns.items()}


def _auction_columns(auctions: Sequence[Auction]) -> dict[str, pa.Array]:
    told = {"landlord": [each.landlord for each in auctions], "bid": [each.bid for each in auctions]}
    return {name: pa.array(values, pa.int64()) for name, values in told.items()}


def texts(proof: Proof, rows: Rows, column: int) -> pa.Array:
    """One text of each of these rows of a block, all of them there."""
    spans = proof.block.texts[rows, column].astype(np.int64)
    lengths = spans[:, 1] - spans[:, 0]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(ends[-1]) + np.repeat(spans[:, 0] - ends[:-1], lengths)
    letters = proof.block.text[places]
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.string(), len(rows), buffers)


def _balances(proof: Proof, rows: Rows) -> pa.Array:
    """Balance and score together by seat; null where no balance is known."""
    players = proof.learned.rules.deal.players
    before = proof.block.numbers[rows, Number.BALANCE : Number.BALANCE + players]
    known = before != ABSENT
    after = np.where(known, before, 0) + proof.scores(rows)
    values = pa.array(after.ravel(), mask=~known.ravel())
    ends = pa.array(np.arange(len(rows) + 1, dtype=np.int32) * players)
    return pa.ListArray.from_arrays(ends, values, mask=pa.array(~known.any(axis=1)))


def _findings(proof: Proof, rows: Rows, language: Language) -> pa.Array:
    told: list[str | None] = [None] * len(rows)
    for place in np.flatnonzero(proof.is_noted(rows)):
        told[place] = findings_as_json(proof.findings(int(rows[place])), language)
    return pa.array(told, pa.string())


def digests(proof: Proof, rows: Rows) -> dict[str, pa.Array]:
    """digest, played, deal: what hands are recognised by."""
    told = proof.digests[rows]
    enough = told[:, Digest.ENOUGH] != 0
    valid = pa.py_buffer(np.packbits(enough, bitorder="little"))
    size = 4 * (proof.learned.rules.deal.players + 1)
    slots = np.ascontiguousarray(told[:, Digest.DEAL :]).view(np.uint8)[:, :size]
    ends = pa.py_buffer(np.concatenate([[0], np.cumsum(np.where(enough, size, 0))]).astype(np.int32))
    shown = np.ascontiguousarray(slots[enough])

    def words(first: int) -> Any:
        return pa.py_buffer(np.ascontiguousarray(told[:, first : first + 2]))

    key = pa.binary(16)
    return {
        "digest": pa.Array.from_buffers(key, len(rows), [None, words(Digest.CONTENT)]),
        "played": pa.Array.from_buffers(key, len(rows), [valid, words(Digest.MOVES)]),
        "deal": pa.Array.from_buffers(pa.binary(), len(rows), [valid, ends, pa.py_buffer(shown)]),
    }
