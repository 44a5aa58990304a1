"""The page of the log formats: what each of them can say, made from ``ingest/logs/support/``."""

from collections.abc import Iterator

from fupan.docs.markdown import anchor, code, codes, page, table, text
from ingest.logs import FORMATS, Format

_INTRODUCTION = """
# Log formats · 日志格式

Every format is read into one record; the audit knows nothing else. The format of a file is told from what it holds;
`--format NAME` names it instead. `fupan convert` writes any of them as Fupan records. Files may be plain or compressed
(`.gz`, `.zst`), folders and `.zip` archives are walked through, and `-` is standard input.

A log that has none of these formats needs no code: a TOML file says where its fields stand and how its cards are spelt,
and `--format FILE.toml` reads it. [own-formats.md](own-formats.md) shows how.

*yes* the format says it · *derived* not in so many words, but it follows from what is said · *no* it does not; what the
record then lacks cannot be checked, and the audit says so where it matters.
"""


def pages() -> dict[str, str]:
    """The one page."""
    known = FORMATS.values()
    rows = [(anchor(each.name), each.title_zh, each.title_en) for each in known]
    parts = [table(("format", "中文", "English"), rows), _matrix(), *map(_section, known)]
    return {"formats.md": page(_INTRODUCTION, *parts)}


def _matrix() -> str:
    telling = [each for each in FORMATS.values() if each.fields]
    fields = dict.fromkeys(field for each in telling for field in each.fields)
    rows = [(code(field), *(_says(each, field) for each in telling)) for field in fields]
    return "## What they say\n\n" + table(("field of the record", *(code(each.name) for each in telling)), rows)


def _says(each: Format, field: str) -> str:
    support = each.fields.get(field)
    return "" if support is None else support.says


def _section(each: Format) -> str:
    parts = [f"## {each.name}", f"**{text(each.title_zh)} · {text(each.title_en)}**"]
    if each.note_zh:
        parts += [text(each.note_zh), text(each.note_en)]
    if each.needs:
        parts.append(f"Must be said elsewhere where a record does not: {codes(each.needs)}.")
    if each.accepts:
        parts.append(f"Another name for {codes(each.accepts)}, whichever a file turns out to be.")
    notes = list(_notes(each))
    if notes:
        parts.append(table(("field", "says", "中文", "English"), notes))
    return "\n\n".join(parts)


def _notes(each: Format) -> Iterator[tuple[str, ...]]:
    """The fields of which there is more to say than yes or no."""
    for field, support in each.fields.items():
        if support.zh or support.en:
            yield code(field), support.says, text(support.zh), text(support.en)
