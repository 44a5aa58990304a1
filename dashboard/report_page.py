"""The report on an uploaded log as one HTML page that needs nothing else: to be read, printed, kept, sent.

Whatever a log says stands there letter for letter; the page runs no script and loads nothing.
"""

from collections.abc import Iterator

from dashboard import numbers
from dashboard.markup import plain
from dashboard.roles import outcome
from dashboard.text import chosen, say, speaking
from dashboard.upload import Audit
from ingest.faults import CATALOGUE, Finding, Language, message, severity
from ingest.verdict import Verdict

LISTED = 5_000
"""Hands with findings that are listed; the other formats have all."""
VERDICTS = ("clean", "faulty", "unreadable")
STYLE = """
:root {color-scheme: light dark; --line: rgba(128,128,128,.3); --dim: rgba(128,128,128,.9)}
body {font: 15px/1.55 system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem}
h1 {font-size: 1.6rem} h2 {font-size: 1.2rem; margin-top: 2rem}
.figures {display: flex; flex-wrap: wrap; gap: .8rem}
.figures div {border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; min-width: 7rem}
.figures b {display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums}
table {border-collapse: collapse; width: 100%} th {text-align: left; opacity: .7}
th, td {padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top}
td.n, th.n {text-align: right; font-variant-numeric: tabular-nums}
.hand {border: 1px solid var(--line); border-radius: 8px; padding: .6rem 1rem; margin: .6rem 0; break-inside: avoid}
.plain {white-space: pre-wrap; overflow-wrap: anywhere}
.where {color: var(--dim); font-size: .87rem}
.fault {border-left: 4px solid #e03131; padding-left: .7rem; margin: .35rem 0}
.note {border-left: 4px solid #f0a014; padding-left: .7rem; margin: .35rem 0}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html(audit: Audit, language: Language) -> bytes:
    """The report."""
    with speaking(language):
        return _page(audit, language).encode(errors="replace")


def _page(audit: Audit, language: Language) -> str:
    title = say("report.title", name=audit.upload.name)
    head = (
        f'<!DOCTYPE html>\n<html lang="{"zh-CN" if language == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{plain(title)}</title><style>{STYLE}</style></head>"
    )
    body = "".join([f'<h1 class="plain">{plain(title)}</h1>', *_top(audit), *_codes(audit), *_hands(audit, language)])
    return f"{head}<body>{body}</body></html>\n"


def _top(audit: Audit) -> Iterator[str]:
    rules = audit.rules or say("audit.rules_own")
    yield f"<p>{plain(say('report.rules', rules=rules))}</p>"
    if audit.cut:
        yield f"<p><b>{plain(say('audit.cut', count=f'{len(audit.verdicts):,}'))}</b></p>"
    counts = [(say("audit.records"), len(audit.verdicts)), *((say(name), audit.counts[name]) for name in VERDICTS)]
    yield f'<div class="figures">{"".join(f"<div>{plain(name)}<b>{count:,}</b></div>" for name, count in counts)}</div>'


def _codes(audit: Audit) -> Iterator[str]:
    """What was found how often, and what it means."""
    if not audit.codes:
        yield f"<p>{plain(say('hand.no_findings'))}</p>"
        return
    yield f"<h2>{plain(say('report.codes'))}</h2><table><tr>"
    yield f"<th>{plain(say('col.code'))}</th><th class='n'>{plain(say('col.hands'))}</th>"
    yield f"<th>{plain(say('report.means'))}</th></tr>"
    for code, count in audit.codes.most_common():
        fault = CATALOGUE[code]
        more = chosen(fault.more_zh, fault.more_en)
        yield f"<tr><td><b>{code}</b></td><td class='n'>{count:,}</td><td><b>{plain(_title(code))}</b><br>{plain(more)}"
        yield f'<div class="where">{plain(say("hand.clauses"))}: {plain(", ".join(fault.clauses))}</div></td></tr>'
    yield "</table>"


def _title(code: str) -> str:
    return chosen(CATALOGUE[code].title_zh, CATALOGUE[code].title_en)


def _hands(audit: Audit, language: Language) -> Iterator[str]:
    """Every hand that has findings."""
    found = [verdict for verdict in audit.verdicts if verdict.findings]
    if not found:
        return
    yield f"<h2>{plain(say('report.hands'))}</h2>"
    for verdict in found[:LISTED]:
        yield _hand(verdict, language)
    if len(found) > LISTED:
        yield f"<p>{plain(say('report.cut', count=f'{LISTED:,}', all=f'{len(found):,}'))}</p>"


def _hand(verdict: Verdict, language: Language) -> str:
    where = " · ".join(
        filter(None, (verdict.source, say("audit.line", line=verdict.line), verdict.rules, say(verdict.verdict)))
    )
    findings = "".join(_finding(finding, language) for finding in verdict.findings)
    return (
        f'<div class="hand"><b class="plain">{plain(verdict.id or say("report.no_id"))}</b> '
        f'<span class="where plain">{plain(where)}</span>{findings}{_score(verdict)}</div>'
    )


def _finding(finding: Finding, language: Language) -> str:
    place = "" if finding.index is None else f" · {say('hand.move', number=finding.index + 1)}"
    phase = say(f"phase.{CATALOGUE[finding.code].phase}")
    return (
        f'<div class="{severity(finding)} plain"><b>{finding.code}</b> {plain(_title(finding.code))} '
        f'<span class="where">{plain(phase + place)}</span>\n{plain(message(finding, language))}</div>'
    )


def _score(verdict: Verdict) -> str:
    """What the rules say the hand is worth, in one line."""
    if verdict.scores is None or verdict.outcome is None:
        return ""
    factors = say("comma").join(f"{_factor(each.name)} {numbers.count(each.factor)}" for each in verdict.factors)
    parts = [outcome(verdict.outcome, verdict.rules)]
    if verdict.unit is not None and verdict.outcome != "void":
        multiplier = f"{say('col.multiplier')} {numbers.count(verdict.multiplier)}"
        parts.append(f"{say('factor.bid')} {numbers.count(verdict.bid)}")
        parts.append(say("report.made_of", multiplier=multiplier, factors=factors) if factors else multiplier)
        parts.append(f"{say('factor.unit')} {numbers.count(verdict.unit)}")
    parts.append(f"{say('report.scores')} {', '.join(map(numbers.count, verdict.scores))}")
    return f'<div class="where">{plain(" · ".join(parts))}</div>'


def _factor(name: str) -> str:
    return say(f"factor.{name}")
