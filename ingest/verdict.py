"""What an audit answers (record.md 5), and how that is written as JSON."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ingest.faults import CATALOGUE, Finding, Language, message, severity
from ingest.rules.settlement import Factor

Judgement = Literal["clean", "faulty", "unreadable"]
Outcome = Literal["landlord", "farmers", "void", "escape", "surrender", "unfinished"]

UNREADABLE = frozenset(("R101", "R102", "R103", "R104", "R105", "R107", "R109", "R111", "R112"))
"""The codes after which a line is no record (record.md 6, settled details)."""


class Verdict(Struct, frozen=True, kw_only=True):
    """The answer for one record. Per-seat lists are in seat order; ``None`` where the replay gives no value."""

    source: str
    line: int
    id: str | None = None
    rules: str | None = None
    verdict: Judgement
    outcome: Outcome | None = None
    landlord: int | None = None
    winners: list[int] | None = None
    bid: int | None = None
    factors: list[Factor] = []
    multiplier: int | None = None
    unit: int | None = None
    scores: list[int] | None = None
    balances: list[int | None] | None = None
    findings: list[Finding] = []
    details: dict[str, int] | None = None
    """三打哈: points in tricks, in the bottom, and what the bottom counts for."""


def judgement(findings: list[Finding]) -> Judgement:
    """The one word for a record with these findings."""
    if any(finding.code in UNREADABLE for finding in findings):
        return "unreadable"
    return "faulty" if any(severity(finding) == "fault" for finding in findings) else "clean"


_PHASES = {phase: place for place, phase in enumerate(("record", "deal", "auction", "play", "settlement"))}


def with_findings(verdict: Verdict, more: Sequence[Finding]) -> Verdict:
    """A verdict with further findings, in the order of the phases."""
    if not more:
        return verdict
    findings = sorted([*more, *verdict.findings], key=lambda finding: _PHASES[CATALOGUE[finding.code].phase])
    return msgspec.structs.replace(verdict, findings=findings, verdict=judgement(findings))


def as_json(verdict: Verdict, language: Language) -> bytes:
    """One line of ``fupan audit --json``, without its newline."""
    answer = msgspec.structs.asdict(verdict)
    if verdict.details is None:
        del answer["details"]
    answer["findings"] = [finding_as_dict(finding, language) for finding in verdict.findings]
    return msgspec.json.encode(answer)


def finding_as_dict(finding: Finding, language: Language) -> dict[str, Any]:
    """A finding with everything that its code says about it."""
    fault = CATALOGUE[finding.code]
    return {
        "code": finding.code,
        "severity": severity(finding),
        "phase": fault.phase,
        "index": finding.index,
        "seat": finding.seat,
        "message": message(finding, language),
        "details": finding.details,
    }
