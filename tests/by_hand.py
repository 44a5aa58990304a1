"""A deal, and what was found, as verdicts by hand write it."""

from collections.abc import Callable
from typing import Any

import msgspec

from ingest.record import Record
from ingest.rules.ruleset import Ruleset, load
from ingest.verdict import Verdict

Make = Callable[..., Record]
Audit = Callable[[Record, str], Verdict]
Own = Callable[[str, dict[str, Any]], str]

HELD = [
    "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7",
    "H7C7D7S8H8C8D8S9H9C9D9STHTCTDTSJHJ",
    "CJDJSQHQCQDQSKHKCKDKSAHACADAS2H2C2",
]
"""With ``D2BR`` at the bottom, a pack."""


def told(verdict: Verdict) -> list[tuple[Any, ...]]:
    """Every finding but that of hidden cards, whole."""
    return [
        (finding.code, finding.index, finding.seat, finding.details)
        for finding in verdict.findings
        if finding.code != "D207"
    ]


def codes(verdict: Verdict) -> list[str]:
    return [code for code, *_ in told(verdict)]


def turned(name: str, switches: dict[str, Any]) -> Ruleset:
    """A ruleset with other values, by ``table.key``; quicker than a file of one's own."""
    rules = msgspec.to_builtins(load(name))
    for key, value in switches.items():
        table, _, of_table = key.partition(".")
        rules[table][of_table] = value
    return msgspec.convert(rules, Ruleset)
