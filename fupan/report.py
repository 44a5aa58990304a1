"""Reports for people: what an audit found, faults first, then counts."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fupan.words import word
from ingest.bulk import Verdicts
from ingest.faults import CATALOGUE, Finding, Language, message, severity
from ingest.logs import Logbook, LogFile
from ingest.rules.settlement import Settlement
from ingest.verdict import Verdict, judgement

if TYPE_CHECKING:
    from ingest.again import Again
    from ingest.bulk.reported import Change, Told

SHOWN = 200
"""Findings that a report names one by one; all are counted."""
REPEATS = 20
"""Of these, hands that only repeat others."""
SAME_AGAIN = "R108"
FILES = 1_000
"""Files that a report names; all are counted."""
_PASSED_OVER = 10
_NAME_WIDTH = 60


class Summary:
    """What a report says, gathered verdict by verdict in bounded memory."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.faults = self.repeats = 0
        self.shown: list[tuple[str, int, str | None, Finding]] = []
        self.files: dict[str, Counter[str]] = {}
        """Verdicts by file, of the first files."""

    @property
    def faulty(self) -> int:
        """How many entries are not clean."""
        return self.verdicts.total() - self.verdicts["clean"]

    def add(self, verdict: Verdict) -> None:
        """Count one verdict; keep its faults while there is room."""
        self._count(verdict.source, verdict.verdict)
        for finding in verdict.findings:
            self.codes[finding.code] += 1
            if severity(finding) == "fault" or finding.code == SAME_AGAIN:
                self.name(verdict.source, verdict.line, verdict.id, finding)

    def add_all(self, verdicts: Verdicts) -> None:
        """Count some verdicts of one log."""
        if verdicts.clean:
            self._count(verdicts.source, "clean", verdicts.clean)
            self.codes.update(verdicts.notes)
        for verdict in verdicts.others:
            self.add(verdict)

    def _count(self, source: str, verdict: str, number: int = 1) -> None:
        self.verdicts[verdict] += number
        if source in self.files or len(self.files) < FILES:
            self.files.setdefault(source, Counter())[verdict] += number

    def name(self, source: str, line: int, hand: str | None, finding: Finding) -> None:
        """Name one finding, while there is room; of hands that repeat others only the first few."""
        self.faults += 1
        self.repeats += finding.code == SAME_AGAIN
        if len(self.shown) < SHOWN and (finding.code != SAME_AGAIN or self.repeats <= REPEATS):
            self.shown.append((source, line, hand, finding))

    def add_finding(self, source: str, line: int, finding: Finding) -> None:
        """Count an entry of which nothing but one finding is known."""
        self.add(Verdict(source=source, line=line, verdict=judgement([finding]), findings=[finding]))


def text(summary: Summary, language: Language, logbook: Logbook | None = None) -> str:
    """The report of an audit. ``logbook``: the one of its files."""
    lines = [_finding(*shown, language) for shown in summary.shown]
    if summary.faults > len(summary.shown):
        lines.append(word("more", language, count=summary.faults - len(summary.shown)))
    if lines:
        lines.append("")
    if logbook is not None:
        lines += _files(summary, logbook, language)
    lines += [_counts(summary.verdicts, language), *_codes(summary.codes, language)]
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


def _files(summary: Summary, logbook: Logbook, language: Language) -> list[str]:
    """What each file is and what was found in it, then what was passed over; nothing for a plain log alone."""
    lines = list(_named_files(summary, logbook, language)) if _worth_naming(logbook) else []
    if logbook.passed_over:
        names = ", ".join(logbook.passed_over_names[:_PASSED_OVER])
        more = " …" if logbook.passed_over > _PASSED_OVER else ""
        lines.append(f"{word('passed_over', language, count=logbook.passed_over)} {names}{more}")
    return [*lines, ""] if lines else []


def _worth_naming(logbook: Logbook) -> bool:
    return logbook.files > 1 or any(log.encoding or log.format not in (None, "native") for log in logbook.logs.values())


def _named_files(summary: Summary, logbook: Logbook, language: Language) -> Iterator[str]:
    width = min(max(map(len, summary.files), default=0), _NAME_WIDTH)
    for name, verdicts in summary.files.items():
        log = logbook.logs.get(name) or LogFile(name)
        kind = ", ".join(filter(None, (log.format, log.encoding)))
        found = ", ".join(f"{word(each, language)} {number:,}" for each, number in sorted(verdicts.items()))
        yield f"{name:{width}}  " + (f"{kind} · {found}" if kind else word("no_format", language))
    if logbook.files > len(summary.files):
        yield word("more_files", language, count=logbook.files - len(summary.files))


def _counts(verdicts: Counter[str], language: Language) -> str:
    total = verdicts.total()
    if not total:
        return word("nothing", language)
    kinds = [f"{word(kind, language)} {verdicts[kind]:,}" for kind in ("clean", "faulty", "unreadable")]
    return f"{total:,} {word('hands', language)}: {', '.join(kinds)}"


def _codes(codes: Counter[str], language: Language) -> list[str]:
    order = sorted(codes, key=lambda code: (CATALOGUE[code].severity, -codes[code], code))
    return [
        f"  {codes[code]:>8,}  {code}  {CATALOGUE[code].title_zh if language == 'zh' else CATALOGUE[code].title_en}"
        + (f" ({word('severity_note', language)})" if CATALOGUE[code].severity == "note" else "")
        for code in order
    ]


def loaded(counts: Any, summary: Summary, logbook: Logbook, language: Language) -> str:
    """The report of a load: what its audit found, then what became of it."""
    for notice in counts.notices:
        summary.name(notice.source, notice.line, notice.id, Finding(notice.code, details=notice.details))
    names = ("read", "stored", "unreadable", "known", "repeated", "replaced", "refused", "continued")
    figures = {name: getattr(counts, name) for name in names}
    figures["stored"] -= counts.unreadable
    figures["unreadable"] -= counts.refused
    kept = ", ".join(f"{word(name, language)} {n:,}" for name, n in figures.items() if n or name in ("read", "stored"))
    return text(summary, language, logbook) + kept + "\n"


class Changes:
    """What a report on a store that was audited again says, gathered in bounded memory."""

    def __init__(self) -> None:
        self.hands = self.count = self.scores = 0
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.appeared: Counter[str] = Counter()
        self.vanished: Counter[str] = Counter()
        self.shown: list[Change[Told]] = []

    def add(self, again: "Again") -> None:
        """Count some hands."""
        self.hands += again.hands
        for change in again.changes:
            self.count += 1
            self.verdicts[change.before.verdict, change.after.verdict] += 1
            self.scores += change.before.scores != change.after.scores
            before, after = Counter(change.before.codes), Counter(change.after.codes)
            self.appeared += after - before
            self.vanished += before - after
            if len(self.shown) < SHOWN:
                self.shown.append(change)


def changed(changes: Changes, language: Language) -> str:
    """The report on a store that was audited again."""
    lines = [_change(change, language) for change in changes.shown]
    if changes.count > len(changes.shown):
        lines.append(word("more", language, count=changes.count - len(changes.shown)))
    if lines:
        lines.append("")
    lines.append(word("again", language, hands=f"{changes.hands:,}", changes=f"{changes.count:,}"))
    for (before, after), number in sorted(changes.verdicts.items()):
        lines.append(f"  {number:>8,}  {word(before, language)} → {word(after, language)}")
    if changes.scores:
        lines.append(f"  {changes.scores:>8,}  {word('other_scores', language)}")
    for sign, codes in (("+", changes.appeared), ("−", changes.vanished)):
        for code, number in sorted(codes.items()):
            title = CATALOGUE[code].title_zh if language == "zh" else CATALOGUE[code].title_en
            lines.append(f"  {number:>8,}  {sign} {code}  {title}")
    return "\n".join(lines) + "\n"


def _change(change: "Change[Told]", language: Language) -> str:
    before, after = change.before, change.after
    parts = [f"{change.source}:{change.line}", *([] if change.id is None else [change.id])]
    if before.verdict != after.verdict:
        parts.append(f"{word(before.verdict, language)} → {word(after.verdict, language)}")
    codes, now = Counter(before.codes), Counter(after.codes)
    signs = [f"+{code}" for code in (now - codes).elements()] + [f"−{code}" for code in (codes - now).elements()]
    if signs:
        parts.append(" ".join(signs))
    for name in ("outcome", "landlord", "bid", "multiplier", "unit"):
        if getattr(before, name) != getattr(after, name):
            parts.append(f"{name} {getattr(before, name)} → {getattr(after, name)}")
    if before.scores != after.scores:
        parts.append(f"{word('scores', language)} {_numbers(before.scores)} → {_numbers(after.scores)}")
    return " · ".join(parts)


def _numbers(scores: list[int | None] | None) -> str:
    return "–" if scores is None else " ".join("–" if score is None else str(score) for score in scores)


def derivation(settled: Settlement, language: Language) -> str:
    """How a score comes about, line by line."""
    lines = [
        f"{word(factor.name, language)}{'' if factor.count is None else f' ({factor.count})'}: ×{factor.factor}"
        for factor in settled.factors
    ]
    lines += [f"{word('multiplier', language)}: {settled.multiplier}", f"{word('unit', language)}: {settled.unit}"]
    scores = word("no_scores", language) if settled.scores is None else ", ".join(map(str, settled.scores))
    return "\n".join([*lines, f"{word('scores', language)}: {scores}"])
