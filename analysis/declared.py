"""What a statistic is, and how its file declares it: a header of keys and values before SQL or Python.

Knows headers. Refuses to know what any statistic computes. A file is a whole question whose columns its header names;
or one of ``measures.KINDS``, of which it says only what is counted; or ``table``, a question over ``chosen``;
or a module whose function ``answer`` takes the store and the parameters, and gives a frame or rows.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

import pandas as pd
from msgspec import Struct, structs

from analysis import measures, narrowing, rolled, samples
from analysis.cells import Cells, asked, cut
from analysis.warehouse import Warehouse, first_rows

Answer = Callable[[Warehouse, Mapping[str, Any]], pd.DataFrame]
"""What asks a store; every parameter that the statistic has is given, None where it narrows nothing."""
Header = list[tuple[str, str]]

UNITS = ("text", "flag", "day", "count", "rate", "number")
"""What a column holds, so that it can be shown."""

_COMMON = ("name", "title_zh", "title_en", "definition_zh", "definition_en", "minimum")
_KEYS: dict[str | None, tuple[str, ...]] = {
    None: (*_COMMON, "grain", "parameters"),
    "table": (*_COMMON, "kind", "number", "grain"),
    "rate": (*_COMMON, "kind", "number", "part", "whole"),
    "ratio": (*_COMMON, "kind", "number", "part", "whole"),
    "mean": (*_COMMON, "kind", "number", "whole"),
    "shares": (*_COMMON, "kind", "number", "class", "part", "whole"),
}
_ONCE = ("once", "hand")
"""What a header says, by the kind that it names. Any may say ``kept``; a whole question or a table also ``cells``, the
names of its parts that no filter changes, and ``behind``, the hands of a row.

``class``, ``part`` and ``whole`` are titles, Chinese | English. A measure may say ``once: hand``: seats of one hand
that count alike count once; else each counts.
"""
_ALIKE = {
    "definition_zh": "同一局里计法相同的座位只计一次。",
    "definition_en": " Seats of one hand that count alike count once.",
}
MISSING = "∅"
"""What stands for a value that a row does not have, where its hands are told by it."""
_MAY_MISS = re.compile(rf"nullif\(\$([a-z_]+), '{MISSING}'\)")
BEHIND = ("hands", "seats", "every seat")
"""What the hands of a row are found among."""
_HEADER = re.compile(r" ([a-z_]+):(?: (.*))?")
_MORE = re.compile(r"   +(\S.*)")


class BadStatistic(ValueError):
    """A file whose header is not as it must be."""


class StatisticColumn(Struct, frozen=True):
    """One column of an answer."""

    name: str
    unit: str
    zh: str
    en: str
    meaning_zh: str
    meaning_en: str


class Behind(Struct, frozen=True):
    """Which hands a row of an answer counts: those of ``hands`` that pass the conditions, or those of the seats that
    do, in ``seats`` of clean hands, in ``every seat`` of any. A condition names columns of the row as parameters, as
    texts; as ``nullif($name, '∅')`` one that may be missing.
    """

    table: str
    conditions: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of a row that its hands are told by, besides filters."""
        return tuple(sorted(set().union(*map(narrowing.named, self.conditions))))

    @property
    def open(self) -> frozenset[str]:
        """Those among them that may be missing, which is told as ``MISSING``."""
        return frozenset(_MAY_MISS.findall(" ".join(self.conditions)))


class Statistic(Struct, frozen=True, kw_only=True):
    """One statistic, as its header declares it."""

    name: str
    title_zh: str
    title_en: str
    grain: str
    """What one row of the answer is."""
    parameters: tuple[str, ...]
    columns: tuple[StatisticColumn, ...]
    definition_zh: str
    definition_en: str
    minimum: int
    """Hands, or whatever the sample is counted in, below which a rate or a mean says little."""
    answer: Answer
    number: str = ""
    """Its number in the project's list of statistics."""
    kept: Mapping[str, tuple[str, ...]] | None = None
    """Of one whose answer over all hands is kept with a large store: the filters that pick rows of it, and the columns
    of which one must be equal."""
    narrow: Callable[..., pd.DataFrame] | None = None
    """Of one that is kept: what makes the answer for some days, ``since`` and ``until``, from that for all."""
    behind: Behind | None = None
    """Of one that is no measure: the hands of a row, where they can be told."""
    counted: measures.Question | None = None
    """Of a measure: SQL that makes ``counted``, the seats behind the number, as ``measures.counted`` says."""
    tally: measures.Tally | None = None
    """Of a measure: what is kept of it day by day with a large store."""
    cells: tuple[Cells, ...] = ()
    """Parts of its question that no filter changes, which are kept with a large store."""

    @property
    def of_clean(self) -> bool:
        """Whether it counts the seats of clean hands that pass the filters; its answer does not say what it leaves out.

        Those that state a kind do, and they state their number too.
        """
        return bool(self.number)

    @property
    def sample(self) -> str | None:
        """The column that says how large the sample of a row is."""
        if self.name in samples.ROWS:
            return samples.ROWS[self.name]
        counts = [column.name for column in self.columns if column.unit == "count"]
        whole = next((name for name in ("whole", "entries", "hands") if name in counts), None)
        return whole if whole == "whole" or len(counts) > 1 else None

    def sample_of(self, column: str) -> str | None:
        """The column that says how large the sample of one number is, where it is another than that of its row."""
        return samples.CELLS.get(self.name, {}).get(column)


def parse(text: str, name: str) -> Statistic:
    """The statistic in a file of SQL. Raises ``BadStatistic`` for anything in its header that is unknown, missing or
    twice, and where the header and the query differ in their parameters.
    """
    header = _header(text, name, "--")
    told = _of_sql(header, text, name)
    return structs.replace(told, kept=_kept(header), behind=_behind(header, told))


def _of_sql(header: Header, text: str, name: str) -> Statistic:
    given, columns = _declared(header, name)
    kind, body = given.pop("kind", None), _body(text)
    used = narrowing.named(body)
    if used and kind is not None:
        raise BadStatistic(f"{name}: a {kind} has its parameters put around it; it names {sorted(used)}")
    if kind is not None and kind != "table":
        return _measure(kind, given, body, name)
    question: measures.Question = (lambda _: body) if kind is None else measures.table(body)
    if kind == "table":
        given["parameters"], used = " ".join(narrowing.FILTERS), set(narrowing.FILTERS)
    cells = (*_cells(header, body, name), *rolled.cells(body))
    return structs.replace(_statistic(given, columns, name, used, _asking(question, cells)), cells=cells)


def _cells(header: Header, body: str, name: str) -> tuple[Cells, ...]:
    """The parts of a question that its header says to keep."""
    try:
        return tuple(cut(f"{name}.{part}", part, body) for part in dict(header).get("cells", "").split())
    except ValueError as problem:
        raise BadStatistic(f"{name}: {problem}") from None


def parse_module(text: str, name: str) -> Statistic:
    """The statistic in a module of ``analysis.statistics``, whose text this is; as ``parse``.

    The parameters of its function ``answer`` are the store, and by name those of the statistic; of a ``table`` the
    store and the values of all filters.
    """
    module = import_module(f"analysis.statistics.{name}")
    function = module.answer
    header = _header(text, name, "#")
    given, columns = _declared(header, name)
    of_all = given.pop("kind", None) == "table"

    def answer(warehouse: Warehouse, values: Mapping[str, Any]) -> pd.DataFrame:
        found = function(warehouse, values) if of_all else function(warehouse, **values)
        return first_rows(_framed(found, columns) if isinstance(found, list) else found)

    used = set(narrowing.FILTERS) if of_all else set(signature(function).parameters) - {"warehouse"}
    if of_all:
        given["parameters"] = " ".join(narrowing.FILTERS)
    told = _statistic(given, columns, name, used, answer)
    narrow, cells = getattr(module, "narrow", None), getattr(module, "cells", ())
    return structs.replace(told, kept=_kept(header), behind=_behind(header, told), narrow=narrow, cells=cells)


def _kept(header: Header) -> dict[str, tuple[str, ...]] | None:
    """Filters that pick rows of an answer, if it is kept: each is named as a column; behind a stroke stand others that
    may have its value.
    """
    told = dict(header).get("kept")
    return None if told is None else {each.partition("/")[0]: tuple(each.split("/")) for each in told.split()}


def _behind(header: Header, told: Statistic) -> Behind | None:
    """The hands of a row, as lines ``behind`` say them: the table, then condition by condition."""
    table, *conditions = [value for key, value in header if key == "behind"] or [""]
    if not table:
        return None
    found = Behind(table, tuple(conditions))
    unknown = set(found.keys) - {column.name for column in told.columns}
    if table not in BEHIND or unknown or told.counted:
        raise BadStatistic(f"{told.name}: behind is {BEHIND}, then conditions on columns: {table}, {unknown}")
    return found


_KINDS = {
    "text": "object", "flag": "boolean", "day": "datetime64[us]", "count": "Int64", "rate": "float64",
    "number": "float64",
}  # fmt: skip


def _framed(rows: list[dict[str, Any]], columns: tuple[StatisticColumn, ...]) -> pd.DataFrame:
    """Rows as an answer: its columns in order, whole numbers that may be missing among them."""
    frame = pd.DataFrame(rows, columns=[column.name for column in columns])
    return frame.astype({column.name: _KINDS[column.unit] for column in columns})


def _asking(question: measures.Question, cells: tuple[Cells, ...] = ()) -> Answer:
    def answer(warehouse: Warehouse, values: Mapping[str, Any]) -> pd.DataFrame:
        sql = question(values)
        return asked(warehouse, sql, cells, {name: values[name] for name in narrowing.named(sql)})

    return answer


def _measure(kind: str, given: dict[str, str], body: str, name: str) -> Statistic:
    """The statistic of a file that says only what is counted."""
    try:
        by_hand = given.pop("once", None) is not None
        if by_hand:
            given = {key: value + _ALIKE.get(key, "") for key, value in given.items()}
        question = measures.measure(kind, body, by_hand=by_hand)
    except ValueError as problem:
        raise BadStatistic(f"{name}: {problem}") from None
    columns = _columns_of(kind, given, name)
    given = {key: value for key, value in given.items() if key not in ("class", "part", "whole")}
    given["grain"] = "one row per ruleset and group" + (" and class" if kind == "shares" else "")
    given["parameters"] = " ".join(measures.PARAMETERS)
    whole = _statistic(given, columns, name, set(measures.PARAMETERS), _asking(question))
    counted, tally = measures.counted(kind, body, by_hand=by_hand), measures.Tally(kind, body, by_hand)
    return structs.replace(whole, counted=counted, tally=tally)


_RULES = StatisticColumn("rules", "text", "规则", "Ruleset", "审计所用的规则集；* 为全部", "The ruleset; * for all")
_GROUP = StatisticColumn("group", "text", "分组", "Group", "按 by 分的组", "The group that `by` makes")


def _columns_of(kind: str, given: dict[str, str], name: str) -> tuple[StatisticColumn, ...]:
    """The columns of a measure, with the names that its file gives them."""
    found = [_RULES, _GROUP]
    for column, unit, zh, en in measures.SHAPES[kind].columns:
        if column in given:
            zh, _, en = (part.strip() for part in given[column].partition("|"))
            if not zh or not en:
                raise BadStatistic(f"{name}: {column} is zh | en: {given[column]}")
        found.append(StatisticColumn(column, unit, zh, en, zh, en))
    return tuple(found)


def _statistic(
    given: dict[str, str], columns: tuple[StatisticColumn, ...], name: str, used: set[str], answer: Answer
) -> Statistic:
    """The statistic that a header declares, of a file that uses these parameters."""
    parameters = tuple(given.pop("parameters").split())
    if given["name"] != name or set(parameters) != used or not used <= set(measures.PARAMETERS):
        raise BadStatistic(f"{name}: the header names {given['name']} with {parameters}, the query uses {sorted(used)}")
    minimum = given.pop("minimum")
    if not minimum.isdecimal():
        raise BadStatistic(f"{name}: minimum is a number of hands, not {minimum}")
    return Statistic(
        **given,
        parameters=parameters,
        columns=columns,
        minimum=int(minimum),
        answer=answer,
        kept=None,
        narrow=None,
        behind=None,
        counted=None,
        tally=None,
        cells=(),
    )


def _declared(header: Header, name: str) -> tuple[dict[str, str], tuple[StatisticColumn, ...]]:
    """What a header says by key, and the columns."""
    columns = tuple(_column(value, name) for key, value in header if key == "column")
    said = [(key, value) for key, value in header if key not in ("column", "kept", "cells", "behind")]
    kind = dict(said).get("kind")
    if kind not in _KEYS:
        raise BadStatistic(f"{name}: unknown kind: {kind}")
    given: dict[str, str] = {}
    for key, value in said:
        may_be = key in _KEYS[kind] or (kind in measures.KINDS and (key, value) == _ONCE)
        if not may_be or key in given:
            raise BadStatistic(f"{name}: {'twice' if key in given else 'unknown key'}: {key}")
        given[key] = value
    missing = [key for key in _KEYS[kind] if key not in given]
    if missing or bool(columns) == (kind in measures.KINDS):
        raise BadStatistic(f"{name}: missing: {', '.join(missing) or 'column'}")
    return given, columns


def _body(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def _header(text: str, name: str, mark: str) -> Header:
    """Keys and values of the comment that a file begins with; a line that is indented goes on with the last value."""
    found: Header = []
    for line in text.splitlines():
        if not line.startswith(mark):
            break
        key, more = (form.fullmatch(line.removeprefix(mark)) for form in (_HEADER, _MORE))
        if key:
            found.append((key[1], (key[2] or "").strip()))
        elif more and found:
            found[-1] = (found[-1][0], _joined(found[-1][1], more[1]))
        else:
            raise BadStatistic(f"{name}: neither a key nor more of a value: {line}")
    return found


def _joined(text: str, more: str) -> str:
    """Two lines of a text as one; between Chinese characters stands no space."""
    return f"{text}{more}" if text and not text[-1].isascii() and not more[0].isascii() else f"{text} {more}"


def _column(value: str, name: str) -> StatisticColumn:
    parts = [part.strip() for part in value.split("|")]
    if len(parts) != 6 or not all(parts) or parts[1] not in UNITS:
        raise BadStatistic(f"{name}: a column is name | unit | zh | en | meaning zh | meaning en: {value}")
    return StatisticColumn(*parts)
