"""Verdicts on proven hands as lines of JSON, without a Python object for each: ``ingest.verdict.as_json``.

What hands with the same auction and the same settlement have in common is written once.
"""

from collections.abc import Iterator

import msgspec

from ingest.bulk.layout import ABSENT, Fact, Number, Text
from ingest.bulk.proofs import Proof
from ingest.faults import Language
from ingest.verdict import Verdict, as_json, finding_as_dict


def lines_of(proof: Proof, source: str, first: int, language: Language) -> Iterator[bytes]:
    """The verdict on each proven hand. ``first``: the number of the block's first line."""
    rows = proof.rows
    named = msgspec.json.encode(source)
    noted = dict(zip(rows.tolist(), proof.is_noted(rows).tolist(), strict=True))
    has_balances = (proof.block.numbers[rows, Number.BALANCE : Number.BALANCE + 4] != ABSENT).any(axis=1).tolist()
    lines = (first + proof.block.numbers[rows, Number.LINE]).tolist()
    ids = proof.block.texts[rows, Text.ID].tolist()
    tails: dict[tuple[int, int], bytes] = {}
    letters = proof.block.text.tobytes()
    kinds = proof.facts[rows][:, [Fact.AUCTION, Fact.SETTLEMENT]].tolist()
    for row, line, (begin, end), kind, balanced in zip(rows.tolist(), lines, ids, kinds, has_balances, strict=True):
        tail = tails.get(tuple(kind)) or tails.setdefault(tuple(kind), _tail(proof, row))
        balances = msgspec.json.encode(proof.balances(row)) if balanced else b"null"
        findings = _findings(proof, row, language) if noted[row] else b"[]"
        yield b'{"source":%b,"line":%d,"id":"%b",%b,"balances":%b,"findings":%b}' % (
            named, line, letters[begin:end], tail, balances, findings
        )  # fmt: skip


def _tail(proof: Proof, row: int) -> bytes:
    """What stands between the id and the balances."""
    worth, auction = proof.worth(row), proof.auction(row)
    settled = worth.settled
    whole = as_json(
        Verdict(
            source="", line=0, rules=proof.learned.rules.name, verdict="clean", outcome=worth.outcome,
            landlord=auction.landlord, winners=worth.winners, bid=auction.bid, factors=settled.factors,
            multiplier=settled.multiplier, unit=settled.unit, scores=settled.scores,
        ),
        "en",
    )  # fmt: skip
    return whole[whole.index(b'"rules":') : whole.index(b',"balances":')]


def _findings(proof: Proof, row: int, language: Language) -> bytes:
    return msgspec.json.encode([finding_as_dict(finding, language) for finding in proof.findings(row)])
