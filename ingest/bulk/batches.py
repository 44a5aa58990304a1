"""Record batches in, verdict batches out: what a cluster maps over its logs.

Knows columns. Every record is audited by itself; what records say about one another (R108, R109, A310, S605) is for
``ingest.batch``, which the digests are for.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ingest.batch import Judged, judge
from ingest.bulk.judging import available
from ingest.bulk.verdicts import VERDICTS, findings_as_json
from ingest.faults import Finding, Language
from ingest.logs import Entry
from ingest.record import Unreadable, read_record
from ingest.rules.ruleset import AnyRuleset, builtin_names, load_any

LINE_COLUMNS = ("record", "raw", "line")
"""Columns that a record may stand in, as bytes or text; of several the first that is not null counts."""
Rows = NDArray[np.int64]
Piece = tuple[Rows, pa.RecordBatch]


def audit_batch(batch: pa.RecordBatch, rules: str | None = None, *, language: Language = "en") -> pa.RecordBatch:
    """The verdicts on the records of a batch, each by itself: a batch with the schema ``VERDICTS``.

    ``batch``: a column ``line``, ``raw`` or ``record`` (``LINE_COLUMNS``) of bytes or text, a record in each row, as in
    the table ``raw`` of a store; other columns are passed over. ``rules``: a ruleset for every record, by name or
    file, in place of its own. ``language``: that of the messages. A batch may be of any size; some thousands are quick.
    Raises ``KeyError`` where no such column is there, ``UnknownRuleset`` and ``BadRuleset`` for ``rules``.
    """
    lines = _lines(batch)
    given = None if rules is None else load_any(rules)
    pieces = list(_proven(lines, given, language)) if available() and len(lines) else []
    done = np.zeros(len(lines), np.bool_)
    for rows, _ in pieces:
        done[rows] = True
    rest = np.flatnonzero(~done)
    pieces.append((rest, _audited(lines.take(pa.array(rest)), rules, language)))
    return _in_order(pieces)


def _lines(batch: pa.RecordBatch) -> pa.Array:
    """The bytes of each record; a null is an empty line."""
    columns = [batch.column(name) for name in LINE_COLUMNS if name in batch.schema.names]
    if not columns:
        raise KeyError(f"none of the columns {', '.join(LINE_COLUMNS)}")
    found = [column.cast(pa.large_binary()) for column in columns]
    return pc.coalesce(*found, pa.scalar(b"", pa.large_binary()))


def _in_order(pieces: Sequence[Piece]) -> pa.RecordBatch:
    rows = np.concatenate([rows for rows, _ in pieces])
    whole = pa.Table.from_batches([piece for _, piece in pieces], VERDICTS).take(pa.array(np.argsort(rows)))
    batches = whole.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], VERDICTS)


# By the audit


def _audited(lines: pa.Array, rules: str | None, language: Language) -> pa.RecordBatch:
    judged = [judge(_entry(line), rules) for line in lines.to_pylist()]
    return pa.RecordBatch.from_pylist([_as_row(each, language) for each in judged], VERDICTS)


def _entry(raw: bytes) -> Entry:
    """A record that stands alone: every field that nobody knows is noted (R106)."""
    try:
        record, unknown = read_record(raw)
    except Unreadable as problem:
        return Entry("", 1, raw, None, (problem.finding,))
    except RecursionError as problem:
        return Entry("", 1, raw, None, (Finding("R101", details={"reason": str(problem)}),))
    return Entry("", 1, raw, record, tuple(Finding("R106", details={"field": field}) for field in unknown))


def _as_row(judged: Judged, language: Language) -> dict[str, Any]:
    verdict, identity = judged.verdict, judged.identity
    row = msgspec.to_builtins(verdict)
    row |= {"factors": [{"count": None} | factor for factor in row["factors"]]}
    row |= {"findings": findings_as_json(verdict.findings, language)}
    row |= {name: _small(row[name]) for name in ("bid", "multiplier", "unit")}
    row |= {name: row[name] and list(map(_small, row[name])) for name in ("scores", "balances")}
    if identity is not None:
        row |= {"digest": identity.content, "played": identity.played or None, "deal": identity.deal or None}
    return {name: row.get(name) for name in VERDICTS.names}


def _small(number: int | None) -> int | None:
    """A number that has room in 64 bits; null for a larger one, as in the store."""
    return number if number is not None and -(1 << 63) <= number < 1 << 63 else None


# By the compiled loop


def _proven(lines: pa.Array, given: AnyRuleset | None, language: Language) -> Iterator[Piece]:
    """The verdicts on the hands that are plainly clean, ruleset by ruleset."""
    from ingest.bulk.blocks import Reader
    from ingest.bulk.columns import as_columns
    from ingest.bulk.layout import Number
    from ingest.bulk.proofs import prover_of

    names = builtin_names()
    joined = pc.binary_join_element_wise(lines, pa.scalar(b"", pa.large_binary()), pa.scalar(b"\n", pa.large_binary()))
    ends = np.frombuffer(joined.buffers()[1], np.int64)[joined.offset : joined.offset + len(joined) + 1]
    block = Reader(names).read(memoryview(joined.buffers()[2])[ends[0] : ends[-1]])
    rows = np.searchsorted(ends - ends[0], block.numbers[:, Number.START])
    alone = block.is_read & (ends[rows] - ends[0] == block.numbers[:, Number.START])
    alone &= ends[np.minimum(rows + 1, len(lines))] - ends[0] - 1 == block.numbers[:, Number.STOP]
    for number, name in enumerate(names) if given is None else [(None, "")]:
        some = np.flatnonzero(alone if number is None else alone & (block.numbers[:, Number.RULES] == number))
        prover = prover_of(load_any(name) if given is None else given) if some.size else None
        if prover is not None:
            proof = prover.prove(block, some)
            hands = np.flatnonzero(proof.proven)
            yield rows[hands], as_columns(proof, hands, language)
