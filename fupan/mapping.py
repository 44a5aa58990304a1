"""The check of an own format, for people: what a mapping reads of samples, and what it misses."""

from collections.abc import Iterator, Mapping, Sequence

from fupan.words import word
from ingest.faults import CATALOGUE, Language
from ingest.logs.own.check import Report, Seen

SHOWN = 50
"""Columns and troubles that are named one by one."""


def text(report: Report, language: Language) -> str:
    """The report of a check."""
    parts = [
        [word("own_read", language, hands=f"{report.hands:,}", unread=f"{report.unread:,}")],
        list(_counts("own_found", report.found, report.hands, language)),
        [word("own_moves", language), *(f"  {count:>8,}  {name}" for name, count in report.moves.items())],
        list(_unused(report.unused, language)),
        list(_troubles(report.troubles, language)),
        list(_records(report, language)),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _counts(title: str, counts: Mapping[str, int], whole: int, language: Language) -> Iterator[str]:
    if counts:
        yield word(title, language)
        yield from (f"  {count:>8,} / {whole:,}  {key}" for key, count in counts.items())


def _unused(unused: Mapping[str, int], language: Language) -> Iterator[str]:
    if unused:
        yield word("own_unused", language)
        yield from (f"  {count:>8,}  {path or '.'}" for path, count in list(unused.items())[:SHOWN])
        yield from _more(unused, language)


def _troubles(troubles: Sequence[Seen], language: Language) -> Iterator[str]:
    if troubles:
        yield word("own_troubles", language)
        yield from (f"  {seen.times:>8,}  {_trouble(seen, language)}" for seen in troubles[:SHOWN])
        yield from _more(troubles, language)


def _trouble(seen: Seen, language: Language) -> str:
    title = CATALOGUE[seen.code].title_zh if language == "zh" else CATALOGUE[seen.code].title_en
    what = seen.reason or (f'"{seen.text}"' if seen.kind != "missing" else "")
    where = " · ".join(part for part in (f"{seen.source}:{seen.line}", seen.field) if part)
    said = f"{word('own_' + seen.kind, language)} {what}".rstrip()
    return f"{said} · {word('own_first', language)} {where} · {seen.code} {title}"


def _more(several: Mapping[str, int] | Sequence[Seen], language: Language) -> Iterator[str]:
    if len(several) > SHOWN:
        yield "  " + word("more", language, count=len(several) - SHOWN)


def _records(report: Report, language: Language) -> Iterator[str]:
    if report.records:
        yield word("own_records", language)
        yield from (bytes(record).decode() for record in report.records)
