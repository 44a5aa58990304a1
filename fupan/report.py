"""Reports for people: what an audit found, faults first, then counts."""

from collections import Counter
from typing import Any

from fupan.words import word
from ingest.faults import CATALOGUE, Finding, Language, message, severity
from ingest.rules.settlement import Settlement
from ingest.verdict import Verdict, judgement

SHOWN = 200
"""Findings that a report names one by one; all are counted."""


class Summary:
    """What a report says, gathered verdict by verdict in bounded memory."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.faults = 0
        self.shown: list[tuple[str, int, str | None, Finding]] = []

    @property
    def faulty(self) -> int:
        """How many entries are not clean."""
        return self.verdicts.total() - self.verdicts["clean"]

    def add(self, verdict: Verdict) -> None:
        """Count one verdict; keep its faults while there is room."""
        self.verdicts[verdict.verdict] += 1
        for finding in verdict.findings:
            self.codes[finding.code] += 1
            is_fault = severity(finding) == "fault"
            self.faults += is_fault
            if is_fault and len(self.shown) < SHOWN:
                self.shown.append((verdict.source, verdict.line, verdict.id, finding))

    def add_finding(self, source: str, line: int, finding: Finding) -> None:
        """Count an entry of which nothing but one finding is known."""
        self.add(Verdict(source=source, line=line, verdict=judgement([finding]), findings=[finding]))


def text(summary: Summary, language: Language) -> str:
    """The report of an audit."""
    lines = [_finding(*shown, language) for shown in summary.shown]
    if summary.faults > len(summary.shown):
        lines.append(word("more", language, count=summary.faults - len(summary.shown)))
    if lines:
        lines.append("")
    lines += [_counts(summary, language), *_codes(summary.codes, language)]
    return "\n".join(lines) + "\n"


def _finding(source: str, line: int, hand: str | None, finding: Finding, language: Language) -> str:
    where = [f"{source}:{line}"]
    if hand is not None:
        where.append(hand)
    if finding.index is not None:
        bidding = CATALOGUE[finding.code].phase == "auction"
        where.append(word("bid_move" if bidding else "move", language, index=finding.index + 1))
    if finding.seat is not None:
        where.append(word("seat", language, seat=finding.seat))
    return f"{' · '.join(where)} · {finding.code} {message(finding, language)}"


def _counts(summary: Summary, language: Language) -> str:
    total = summary.verdicts.total()
    if not total:
        return word("nothing", language)
    kinds = [f"{word(kind, language)} {summary.verdicts[kind]:,}" for kind in ("clean", "faulty", "unreadable")]
    return f"{total:,} {word('hands', language)}: {', '.join(kinds)}"


def _codes(codes: Counter[str], language: Language) -> list[str]:
    order = sorted(codes, key=lambda code: (CATALOGUE[code].severity, -codes[code], code))
    return [
        f"  {codes[code]:>8,}  {code}  {CATALOGUE[code].title_zh if language == 'zh' else CATALOGUE[code].title_en}"
        + (f" ({word('severity_note', language)})" if CATALOGUE[code].severity == "note" else "")
        for code in order
    ]


def loaded(counts: Any, language: Language) -> str:
    """The report of a load."""
    said = (("read", counts.read), ("stored", counts.stored), ("known", counts.known))
    head = ", ".join(f"{word(key, language)} {number:,}" for key, number in said)
    kinds = (("faulty", counts.faulty), ("unreadable", counts.unreadable))
    tail = ", ".join(f"{word(key, language)} {number:,}" for key, number in kinds)
    return "\n".join([f"{head} ({tail})", *_codes(Counter(counts.codes), language)]) + "\n"


def derivation(settled: Settlement, language: Language) -> str:
    """How a score comes about, line by line."""
    lines = [
        f"{word(factor.name, language)}{'' if factor.count is None else f' ({factor.count})'}: ×{factor.factor}"
        for factor in settled.factors
    ]
    lines += [f"{word('multiplier', language)}: {settled.multiplier}", f"{word('unit', language)}: {settled.unit}"]
    scores = word("no_scores", language) if settled.scores is None else ", ".join(map(str, settled.scores))
    return "\n".join([*lines, f"{word('scores', language)}: {scores}"])
