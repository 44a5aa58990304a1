"""The catalogue of findings, one file per phase (record.md 6)."""

from ingest.faults import auction, deal, play, record, settlement, tricks
from ingest.faults.catalogue import LANGUAGES, Fault, Finding, Language, Phase, Severity, register, say

CATALOGUE = register(record.FAULTS, deal.FAULTS, auction.FAULTS, play.FAULTS, tricks.FAULTS, settlement.FAULTS)
"""Every code, in the order of the contract."""

STOPPING = frozenset(code for code, fault in CATALOGUE.items() if fault.stops)


def severity(finding: Finding) -> Severity:
    """Whether a finding is a fault or a note."""
    return "fault" if finding.enforced else CATALOGUE[finding.code].severity


def message(finding: Finding, language: Language) -> str:
    """What a finding says to a person."""
    return say(CATALOGUE[finding.code], finding.details, language)


__all__ = [
    "CATALOGUE",
    "LANGUAGES",
    "STOPPING",
    "Fault",
    "Finding",
    "Language",
    "Phase",
    "Severity",
    "message",
    "severity",
]
