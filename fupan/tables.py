"""Statistics on the command line: as a table for people, as CSV for spreadsheets, as JSON for programs.

Knows how an answer is written. What is asked, and what it means, stands in ``analysis``.
"""

import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from analysis.catalogue import BadFilter, Statistic, StatisticColumn, of_frame, run, statistics
from analysis.coverage import coverage, emptied
from analysis.narrowing import FILTERS
from analysis.questions import Limits, Refusal, as_text, ask
from analysis.warehouse import NeedsUpgrade, TooSlow, Warehouse
from fupan.asking import unknown
from fupan.words import word
from ingest.faults import Language
from ingest.store import BadStore

Cell = str | int | float | None
Columns = Sequence[StatisticColumn]

_RUNS = re.compile(r"'*[=+\-@\t\r]")
"""A text that a spreadsheet would run, or that would look like a protected one when read back."""
_WORDS = {
    "filters": ("可用 --where：", "--where: "),
    "few": (
        "* 少于 {minimum} 局，比率与平均说明不了多少",
        "* fewer than {minimum} hands: its rates and means say little",
    ),
    "left_out": ("另有 {hands} 局因有误未计：{reasons}", "{hands} faulty hands left out: {reasons}"),
    "nothing_such": (
        "结果为空：符合筛选的合规局有 {hands} 局，但其中没有这项统计所计的内容。",
        "Empty: {hands} clean hands pass the filters, but none has what this statistic counts.",
    ),
    "nothing": ("结果为空：库里没有合规的局。", "Empty: the store has no clean hands."),
    "nothing_passes": (
        "结果为空：没有合规的局符合全部筛选。{without}。",
        "Empty: no clean hand passes all filters; there are {without}.",
    ),
    "without": ("去掉 {filter} 有 {hands} 局", "{hands} without {filter}"),
    "nothing_alone": ("单独一项就没有局的：{alone}。", "No clean hand passes alone: {alone}."),
    "comma": ("，", ", "),
    "yes": ("是", "yes"),
    "no": ("否", "no"),
    "interval": ("95% 区间", "95 % interval"),
    "cut": (
        "只列出前 {rows} 行，请用 WHERE、LIMIT 或 --rows",
        "the first {rows} rows only; use WHERE, LIMIT or --rows",
    ),
    "more": ("只列出前 {rows} 行，请用 --where 收窄", "the first {rows} rows only; narrow it with --where"),
}


def listing(format: str, language: Language) -> str:
    """Every statistic with its title and what it may be narrowed by, ``format`` being as for ``statistic``.

    For programs with its definition, and the sample below which it says little.
    """
    known = statistics().values()
    if format == "table":
        filters = _word("filters", language)
        rows = [
            [each.name, _of(each.title_zh, each.title_en, language), filters + " ".join(each.parameters)]
            for each in known
        ]
        return "\n".join(_aligned(rows, set())) + "\n"
    told: list[list[Cell]] = [
        [
            each.name,
            _of(each.title_zh, each.title_en, language),
            _of(each.definition_zh, each.definition_en, language),
            " ".join(each.parameters),
            each.minimum,
        ]
        for each in known
    ]
    return _json(told, _LISTED) if format == "json" else _csv(told, _LISTED)


_LISTED = tuple(
    StatisticColumn(name, "count" if name == "minimum" else "text", *[name] * 4)
    for name in ("name", "title", "definition", "parameters", "minimum")
)


def statistic(store: Path, name: str, filters: dict[str, str], format: str, language: Language) -> str:
    """The answer of one statistic over a store, ``format`` being ``table``, ``csv`` or ``json``.

    Raises ``FileNotFoundError`` where no store is, ``KeyError`` for an unknown statistic, and ``ValueError`` for an
    unknown filter, a value that a filter cannot have, and an answer that cannot be had.
    """
    declared = _declared(name, filters, store, language)
    try:
        with Warehouse(store) as warehouse:
            _warn(warehouse, language)
            frame = run(warehouse, name, **filters)
            out = coverage(warehouse, **filters).left_out if declared.of_clean else {}
            if frame.empty:
                _aside(_why_empty(warehouse, filters, language))
    except (BadFilter, NeedsUpgrade) as problem:
        raise ValueError(problem.sentence(language)) from None
    except (BadStore, TooSlow) as problem:
        raise ValueError(str(problem)) from None
    rows = _rows(frame, declared.columns)
    truncated = bool(frame.attrs["truncated"])
    if format == "table":
        return _table(rows, declared, language, truncated=truncated, out=out)
    if out:
        _aside(_left_out(out, language))
    if truncated:
        raise ValueError(f"{name}: {_word('more', language, rows=f'{len(rows):,}')}")
    return _json(rows, declared.columns) if format == "json" else _csv(rows, declared.columns)


def question(store: Path, sql: str, format: str, language: Language, limits: Limits) -> str:
    """The answer of a question of one's own, written likewise. Raises as ``statistic`` does."""
    try:
        with Warehouse(store) as warehouse:
            _warn(warehouse, language)
            answer = ask(warehouse, sql, limits)
    except Refusal as refusal:
        raise ValueError("\n".join(filter(None, (refusal.sentence(language), refusal.said)))) from None
    except NeedsUpgrade as problem:
        raise ValueError(problem.sentence(language)) from None
    except BadStore as problem:
        raise ValueError(str(problem)) from None
    declared = of_frame(answer.frame())
    rows = [[_told(value) for value in row] for row in answer.rows()]
    if format == "table":
        notes = [_word("cut", language, rows=f"{len(rows):,}")] if answer.truncated else []
        shown, numbers = _shown_columns(rows, declared, language)
        return "\n".join([*_aligned(shown, numbers), *(["", *notes] if notes else [])]) + "\n"
    if answer.truncated:
        raise ValueError(_word("cut", language, rows=f"{len(rows):,}"))
    return _json(rows, declared) if format == "json" else _csv(rows, declared)


def _warn(warehouse: Warehouse, language: Language) -> None:
    """Say on standard error what an answer does not count because it is damaged."""
    lost = sorted({each.batch for each in warehouse.damage})
    if lost:
        _aside(word("left_out_batches", language, batches=", ".join(lost), store=warehouse.path))


def _aside(sentence: str) -> None:
    """What belongs to an answer and stands in none of its rows: on standard error, so that programs can read those."""
    print(sentence, file=sys.stderr)


def _left_out(out: dict[str, int], language: Language) -> str:
    reasons = ", ".join(f"{code} {hands:,}" for code, hands in out.items())
    return _word("left_out", language, hands=f"{sum(out.values()):,}", reasons=reasons)


def _why_empty(warehouse: Warehouse, filters: dict[str, str], language: Language) -> str:
    """Which filters left nothing to count, and what there would be without each of them."""
    narrowing = {key: value for key, value in filters.items() if key in FILTERS}
    found = emptied(warehouse, **narrowing)
    if found.passing:
        return _word("nothing_such", language, hands=f"{found.passing:,}")
    if not narrowing:
        return _word("nothing", language)
    comma = _word("comma", language)
    each = {key: f"{key}={value}" for key, value in narrowing.items()}
    without = comma.join(
        _word("without", language, filter=each[key], hands=f"{hands:,}") for key, hands in found.without.items()
    )
    said = [_word("nothing_passes", language, without=_printable(without))]
    if found.alone and len(narrowing) > 1:
        alone = comma.join(each[key] for key in found.alone)
        said.append(_word("nothing_alone", language, alone=_printable(alone)))
    return (" " if language == "en" else "").join(said)


def _told(value: Any) -> Cell:
    """A value of a question of one's own: what is no number is told as text."""
    return value if value is None or isinstance(value, str | int | float) else as_text(value)


def _declared(name: str, filters: dict[str, str], store: Path, language: Language) -> Statistic:
    known = statistics()
    if name not in known:
        raise KeyError(unknown(name, store, language))
    strange = [key for key in filters if key not in known[name].parameters]
    if strange:
        possible = ", ".join(known[name].parameters)
        raise ValueError(word("filter_unknown", language, filter=strange[0], name=name, possible=possible))
    return known[name]


def _rows(frame: pd.DataFrame, declared: Columns) -> list[list[Cell]]:
    """The answer as plain values, row by row, in the order in which its columns are declared."""
    columns = [[_plain(value, column) for value in frame[column.name]] for column in declared]
    return [list(row) for row in zip(*columns, strict=True)]


def _plain(value: Any, column: StatisticColumn) -> Cell:
    if pd.isna(value):
        return None
    if column.unit == "day":
        return str(value.date().isoformat())
    if column.unit == "number" and not isinstance(value, int | float):
        return float(value) if hasattr(value, "__float__") else str(value)
    if column.unit == "text":
        return str(value)
    if column.unit == "flag":
        return bool(value)
    return float(value) if isinstance(value, float) and column.unit != "count" else int(value)


def _json(rows: Sequence[Sequence[Cell]], declared: Columns) -> str:
    names = [column.name for column in declared]
    answer = [dict(zip(names, row, strict=True)) for row in rows]
    return msgspec.json.encode(answer).decode() + "\n"


def _csv(rows: Sequence[Sequence[Cell]], declared: Columns) -> str:
    lines = [[column.name for column in declared], *rows]
    return "".join(",".join(map(_csv_cell, line)) + "\n" for line in lines)


def _csv_cell(value: Cell) -> str:
    """A cell of CSV: nothing for null, numbers and flags as in JSON, texts that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value).lower()
    safe = f"'{value}" if _RUNS.match(value) else value
    quoted = not safe or any(mark in safe for mark in ',"\r\n')
    return '"' + safe.replace('"', '""') + '"' if quoted else safe


def _table(
    rows: list[list[Cell]], declared: Statistic, language: Language, *, truncated: bool, out: dict[str, int]
) -> str:
    """What people read: titles for names, one interval for two bounds, small samples marked."""
    few = _few(rows, declared)
    shown, numbers = _shown_columns(rows, declared.columns, language)
    lines = _aligned(shown, numbers)
    lines = [line + (" *" if number in few else "") for number, line in enumerate(lines, start=-1)]
    notes = [_of(declared.definition_zh, declared.definition_en, language)]
    if out:
        notes.append(_left_out(out, language))
    if few:
        notes.insert(0, _word("few", language, minimum=declared.minimum))
    if truncated:
        notes.insert(0, _word("more", language, rows=f"{len(rows):,}"))
    title = _of(declared.title_zh, declared.title_en, language)
    return "\n".join([title, "", *lines, "", *notes]) + "\n"


def _few(rows: Sequence[Sequence[Cell]], declared: Statistic) -> set[int]:
    """The rows that rest on a smaller sample than the statistic wants."""
    if declared.sample is None or not declared.minimum:
        return set()
    place = [column.name for column in declared.columns].index(declared.sample)
    return {number for number, row in enumerate(rows) if int(row[place] or 0) < declared.minimum}


def _shown_columns(
    rows: Sequence[Sequence[Cell]], declared: Columns, language: Language
) -> tuple[list[list[str]], set[int]]:
    """The cells as people read them, titles first, and which columns hold numbers."""
    names = [column.name for column in declared]
    columns: list[list[str]] = []
    numbers: set[int] = set()
    for place, column in enumerate(declared):
        other = column.name.removesuffix("low") + "high"
        if column.name.endswith("low") and other in names:
            high = names.index(other)
            cells = [_interval(row[place], row[high]) for row in rows]
            title = _word("interval", language)
        elif column.name.endswith("high") and column.name.removesuffix("high") + "low" in names:
            continue
        else:
            cells = [_cell(row[place], column, language) for row in rows]
            title = _of(column.zh, column.en, language)
        if column.unit not in ("text", "day"):
            numbers.add(len(columns))
        columns.append([title, *cells])
    return [list(line) for line in zip(*columns, strict=True)], numbers


def _interval(low: Cell, high: Cell) -> str:
    return "-" if low is None or high is None else f"{low:.1%} – {high:.1%}"


def _cell(value: Cell, column: StatisticColumn, language: Language) -> str:
    if value is None:
        return "-"
    if column.unit == "flag":
        return _word("yes" if value else "no", language)
    if isinstance(value, str):
        return _printable(value)
    if column.unit == "rate":
        return f"{value:.1%}"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2g}" if 0 < abs(value) < 0.005 else f"{value:,.2f}"


def _printable(text: str) -> str:
    """A text of a log, letter for letter but for what would move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def _aligned(rows: Sequence[Sequence[str]], numbers: set[int]) -> list[str]:
    """Rows of cells as lines, every column as wide as its widest cell; columns of numbers stand to the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, gaps, strict=True))
        cells = [gap + cell if place in numbers else cell + gap for place, (cell, gap) in pairs]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    """Places that a text takes on a terminal: two for a Chinese letter, none for an accent that stands on another."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def _of(zh: str, en: str, language: Language) -> str:
    return zh if language == "zh" else en


def _word(key: str, language: Language, **values: object) -> str:
    return _of(*_WORDS[key], language).format_map(values)
