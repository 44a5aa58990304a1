"""Tables: pages, order, CSV of what stands in them; counts on hover beside every rate, small samples grey.

Knows how a column of an answer is written. Whatever a log says is drawn letter for letter.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import pandas as pd
import streamlit as st
from msgspec import Struct

from analysis.catalogue import Statistic, StatisticColumn, statistics
from dashboard import address, groups, links, markup, numbers, roles, widgets
from dashboard.text import chosen, reading_name, say

ROWS = 25
"""Rows on one page."""
SORTED = 6
"""Rows from which a table can be put into another order."""
WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "count": numbers.count,
    "rate": numbers.rate,
    "number": numbers.number,
    "signed": numbers.signed,
    "points": numbers.points,
}
"""How values of a unit are written; those of all others are texts."""
Row = Mapping[str, Any]
"""One row of an answer, by column."""


class Column(Struct, frozen=True):
    """One column on the screen."""

    name: str
    """The column of the frame."""
    unit: str
    title: str
    meaning: str = ""
    interval: tuple[str, str] | None = None
    """The columns of the bounds that stand behind the value."""
    hover: Callable[[Row], str] | None = None
    """What is said of a cell where the pointer rests on it."""
    link: Callable[[Row], str] | None = None
    """The address that a cell leads to."""
    word: Callable[[Any, Row], str] | None = None
    """How a text is called."""
    few: Callable[[Row], str] | None = None
    """Why the sample of this cell is small; nothing where it is not."""


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """The rows of an answer, one by one."""
    return cast("list[Row]", frame.to_dict("records"))


def show(
    key: str,
    frame: pd.DataFrame,
    columns: Sequence[Column],
    *,
    few: Callable[[Row], str] | None = None,
    rows: int = ROWS,
) -> None:
    """A table. ``few`` says of a row why its sample is small, nothing where it is not."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"table-{key}"):
        ordered = _ordered(key, frame, columns)
        widgets.download(ordered, key)
    page = f"{address.PAGE}-{key}"
    first = (address.page_of(len(ordered), rows, page) - 1) * rows
    st.html(f"{markup.STYLE}{_html(ordered.iloc[first : first + rows], columns, few)}")
    if len(ordered) > rows:
        address.pages(len(ordered), rows, page)
        st.caption(say("rows", count=numbers.count(len(ordered))))


def listing(key: str, frame: pd.DataFrame, columns: Sequence[Column]) -> None:
    """One page of a list that was cut and ordered before, with its download."""
    st.html(f"{markup.STYLE}{_html(frame, columns, None)}")
    widgets.download(frame, key)


def _ordered(key: str, frame: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """The rows in the order that was asked for."""
    if len(frame) < SORTED:
        return frame
    titles = {f"{mark}{column.name}": f"{column.title} {sign}" for column in columns for mark, sign in _SIGNS}
    wanted = address.choice(
        say("order"),
        f"order-{key}",
        ["", *titles],
        lambda word: titles.get(word, say("order_given")),
        label_visibility="collapsed",
        width=190,
    )
    if not wanted:
        return frame
    return frame.sort_values(wanted[1:], ascending=wanted[0] == "+", kind="stable", na_position="last")


_SIGNS = (("-", "↓"), ("+", "↑"))


def _html(frame: pd.DataFrame, columns: Sequence[Column], few: Callable[[Row], str] | None) -> str:
    head = "".join(
        f"<th{_class(column)} title='{markup.plain(column.meaning)}'>{markup.plain(column.title)}</th>"
        for column in columns
    )
    body = "".join(_row(row, columns, few) for row in rows_of(frame))
    return f'<div class="fp-scroll"><table class="fp-table fp-rows"><tr>{head}</tr>{body}</table></div>'


def _row(row: Row, columns: Sequence[Column], few: Callable[[Row], str] | None) -> str:
    reason = few(row) if few is not None else ""
    kind = f" class='fp-few' title='{markup.plain(reason)}'" if reason else ""
    return f"<tr{kind}>{''.join(_cell(row, column) for column in columns)}</tr>"


def _class(column: Column, *more: str) -> str:
    right = column.unit in WRITTEN or column.unit in ("figure", "gap")
    kinds = " ".join(filter(None, ("fp-long" if column.unit == "long" else "n" if right else "", *more)))
    return f' class="{kinds}"' if kinds else ""


def _cell(row: Row, column: Column) -> str:
    value = row[column.name]
    if column.unit == "share":
        return f"<td>{_bar(value, column, row)}</td>"
    if column.unit == "html":
        drawn = column.word(value, row) if column.word is not None and pd.notna(value) else numbers.MISSING
        return f"<td>{drawn}</td>"
    where = column.link(row) if column.link is not None else ""
    if column.unit == "way" and not where:
        return "<td></td>"
    text = markup.plain(say("behind") if column.unit == "way" else _written(value, column, row))
    if column.interval is not None:
        text += f" <small>{markup.plain(_between(row, column))}</small>"
    if where:
        text = f'<a href="{markup.plain(where)}" target="_self">{text}</a>'
    reason = column.few(row) if column.few is not None else ""
    hover = "\n".join(filter(None, (column.hover(row) if column.hover is not None else "", reason)))
    said = f" title='{markup.plain(hover)}'" if hover else ""
    return f"<td{_class(column, 'fp-few' if reason else '')}{said}>{text}</td>"


def _bar(value: float | None, column: Column, row: Row) -> str:
    """A share as a bar with its number."""
    if pd.isna(value):
        return numbers.MISSING
    hover = markup.plain(column.hover(row)) if column.hover is not None else ""
    return f'<span class="fp-share" style="--share:{value:.0%}" title="{hover}">{numbers.share(value)}</span>'


def _written(value: Any, column: Column, row: Row) -> str:
    if column.unit == "figure":
        return numbers.figure(value, rate=bool(row["rate"]))
    if column.unit == "gap":
        return numbers.gap(value, rate=bool(row["rate"]))
    if column.unit in WRITTEN:
        return WRITTEN[column.unit](value)
    if pd.isna(value):
        return numbers.MISSING
    if column.unit == "day":
        return str(value)[:10]
    if column.unit == "flag":
        return say("yes" if value else "no")
    return column.word(value, row) if column.word is not None else str(value)


def _between(row: Row, column: Column) -> str:
    low, high = (row[bound] for bound in column.interval or ())
    if column.unit == "gap":
        return numbers.between_gaps(low, high, rate=bool(row["rate"]))
    if column.unit == "figure":
        return numbers.between(low, high) if row["rate"] else numbers.between_numbers(low, high)
    return numbers.between(low, high) if column.unit in ("rate", "points") else numbers.between_numbers(low, high)


# --- answers of the catalogue


def statistic(name: str, frame: pd.DataFrame, key: str = "", by: str = "", dropped: Sequence[str] = ()) -> None:
    """The answer of a statistic; a row leads to the hands behind it, where these can be told.

    ``by``: what a measure is split by; ``dropped``: filters of the address that the answer was not narrowed by.
    """
    declared = statistics()[name]
    columns = columns_of(declared, frame, by)
    if declared.counted or declared.behind:
        columns.append(behind(declared, by, dropped))
    show(key or name, frame, columns, few=small(declared))


def behind(declared: Statistic, by: str = "", dropped: Sequence[str] = ()) -> Column:
    """The last column: a way to the hands."""
    first = declared.columns[0].name

    def way(row: Row) -> str:
        said = {key: "" for key in dropped if key not in row or pd.isna(row[key])}
        return links.behind(declared, row, by, **said)

    return Column(first, "way", "", link=way)


def below(sample: float | None, minimum: int) -> str:
    """What is said of a sample that is below a minimum; nothing of any other, nor where there is none."""
    return "" if sample is None or pd.isna(sample) or sample >= minimum else say("few", minimum=numbers.count(minimum))


def small(declared: Statistic) -> Callable[[Row], str]:
    """What is said of rows whose sample is below the minimum of a statistic."""
    sample = declared.sample
    return lambda row: "" if sample is None else below(row[sample], declared.minimum)


def _small_cell(declared: Statistic, column: str) -> Callable[[Row], str] | None:
    """The same of one number that rests on another sample than its row."""
    sample = declared.sample_of(column)
    return None if sample is None else lambda row: below(row[sample], declared.minimum)


def columns_of(declared: Statistic, frame: pd.DataFrame, by: str = "") -> list[Column]:
    """The columns of an answer as people read them: bounds stand behind their rate; empty groups are left out."""
    bounds = {bound for pair in _bounds(declared).values() for bound in pair}
    return [
        _column(column, declared, by)
        for column in declared.columns
        if column.name in frame and column.name not in bounds and not (column.name == "group" and _empty(frame))
    ]


def _empty(frame: pd.DataFrame) -> bool:
    return bool(frame["group"].isna().all())


def _bounds(declared: Statistic) -> dict[str, tuple[str, str]]:
    """The bounds of every rate: those that stand next behind it."""
    found: dict[str, tuple[str, str]] = {}
    names, rate = [column.name for column in declared.columns], ""
    for column in declared.columns:
        if column.name.endswith("low") and column.name[:-3] + "high" in names and rate:
            found[rate] = (column.name, column.name[:-3] + "high")
        elif column.unit in ("rate", "number"):
            rate = column.name
    return found


def _column(column: StatisticColumn, declared: Statistic, by: str) -> Column:
    return Column(
        name=column.name,
        unit=column.unit,
        title=chosen(column.zh, column.en),
        meaning=chosen(column.meaning_zh, column.meaning_en),
        interval=_bounds(declared).get(column.name),
        hover=_counts(declared) if column.unit in ("rate", "number") else None,
        word=_word(column.name, by),
        few=_small_cell(declared, column.name),
    )


def _word(name: str, by: str) -> Callable[[Any, Row], str]:
    """What a value is called: roles and outcomes by the words of each row's game."""

    def said(value: Any, row: Row) -> str:
        law = None if pd.isna(row.get("rules")) else row.get("rules")
        return groups.name(by, value, law) if name == "group" else word(name, value, law)

    return said


def word(name: str, value: Any, law: str | None) -> str:
    """What a value of a column is called under a ruleset."""
    if name in ("role", "other_role", "outcome"):
        return (roles.outcome if name == "outcome" else roles.role)(value, law)
    if name == "reading":
        return reading_name(value)
    if name == "code":
        return widgets.code_title(value)
    return str(widgets.spoken(name, value))


def _counts(declared: Statistic) -> Callable[[Row], str]:
    """The counts beside a rate, for the pointer: part / whole, or all of the row."""
    counts = [column for column in declared.columns if column.unit == "count"]
    names = [column.name for column in counts]
    if "part" in names and "whole" in names:
        titles = {column.name: chosen(column.zh, column.en) for column in counts}
        return lambda row: (
            f"{titles['part']} {numbers.count(row['part'])} / {titles['whole']} {numbers.count(row['whole'])}"
        )
    return lambda row: "\n".join(f"{chosen(c.zh, c.en)} {numbers.count(row[c.name])}" for c in counts)


def headed(name: str, level: str = "####") -> None:
    """The title of a statistic and its definition."""
    declared = statistics()[name]
    title, definition = (
        chosen(declared.title_zh, declared.title_en),
        chosen(declared.definition_zh, declared.definition_en),
    )
    st.markdown(f"{level} {title}", help=definition)
