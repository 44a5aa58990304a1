"""Verdicts on proven hands as lines of JSON, without a Python object for each: ``ingest.verdict.as_json``.

What hands with the same auction and the same settlement have in common is written once.
"""

from collections.abc import Iterator
from functools import cache

import msgspec

from ingest.bulk.layout import ABSENT, SEATS, Fact, Number, Text
from ingest.bulk.learning import Learned, Worth
from ingest.bulk.proofs import Proof
from ingest.faults import Language
from ingest.verdict import Verdict, as_json, finding_as_dict


class _Parts:
    """The parts of lines that hands with the same settlement, or the same auction, have in common."""

    def __init__(self, learned: Learned) -> None:
        self._learned = learned
        self.before = b'","rules":%b,"verdict":"clean","outcome":' % msgspec.json.encode(learned.rules.name)
        self._auctions: dict[int, tuple[bytes, bytes]] = {}

    def worth(self, number: int) -> tuple[bytes, bytes, bytes]:
        """The outcome, the winners, and what stands from the factors to the scores."""
        of_worths: dict[int, tuple[bytes, bytes, bytes]] = self._learned.of_worths(_Parts)
        known = of_worths.get(number)
        if known is None:
            worth = self._learned.worths[number]
            known = of_worths[number] = (
                msgspec.json.encode(worth.outcome), msgspec.json.encode(worth.winners), _settled(worth)
            )  # fmt: skip
        return known

    def auction(self, number: int) -> tuple[bytes, bytes]:
        """The landlord and the bid."""
        known = self._auctions.get(number)
        if known is None:
            auction = self._learned.auctions[number]
            known = self._auctions[number] = msgspec.json.encode(auction.landlord), msgspec.json.encode(auction.bid)
        return known


@cache
def _parts_of(learned: Learned) -> _Parts:
    return _Parts(learned)


def lines_of(proof: Proof, source: str, first: int, language: Language) -> Iterator[bytes]:
    """The verdict on each proven hand. ``first``: the number of the block's first line."""
    rows, block, parts = proof.rows, proof.block, _parts_of(proof.learned)
    head = b'{"source":%b,"line":' % msgspec.json.encode(source)
    noted = proof.is_noted(rows).tolist()
    balanced = (block.numbers[rows, Number.BALANCE : Number.BALANCE + SEATS] != ABSENT).any(axis=1).tolist()
    lines, ids = (first + block.numbers[rows, Number.LINE]).tolist(), block.texts[rows, Text.ID].tolist()
    numbers = proof.facts[rows][:, [Fact.AUCTION, Fact.SETTLEMENT]].tolist()
    letters = block.text.tobytes()
    for row, line, (begin, end), (auction, worth), has_balances, has_notes in zip(
        rows.tolist(), lines, ids, numbers, balanced, noted, strict=True
    ):
        landlord, bid = parts.auction(auction)
        outcome, winners, settled = parts.worth(worth)
        balances = msgspec.json.encode(proof.balances(row)) if has_balances else b"null"
        findings = _findings(proof, row, language) if has_notes else b"[]"
        yield b"".join((
            head, b"%d" % line, b',"id":"', letters[begin:end], parts.before, outcome, b',"landlord":', landlord,
            b',"winners":', winners, b',"bid":', bid, settled, b',"balances":', balances, b',"findings":', findings,
            b"}",
        ))  # fmt: skip


def _settled(worth: Worth) -> bytes:
    """What stands from the factors to the scores, a comma in front."""
    settled = worth.settled
    whole = as_json(
        Verdict(
            source="", line=0, verdict="clean", factors=settled.factors, multiplier=settled.multiplier,
            unit=settled.unit, scores=settled.scores,
        ),
        "en",
    )  # fmt: skip
    return whole[whole.index(b',"factors":') : whole.index(b',"balances":')]


def _findings(proof: Proof, row: int, language: Language) -> bytes:
    return msgspec.json.encode([finding_as_dict(finding, language) for finding in proof.findings(row)])
