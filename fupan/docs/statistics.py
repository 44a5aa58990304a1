"""The page of the statistics, made from the headers of their SQL files."""

from analysis.catalogue import StatisticColumn, statistics
from analysis.deals import SCREENS
from analysis.screens import Declared
from fupan.docs.markdown import anchor, code, codes, page, table, text

_INTRODUCTION = """
# Statistics · 统计

`fupan stats --store DIR` lists them, `fupan stats NAME --store DIR` answers one; the dashboard draws the same. Each is
one SQL file in `analysis/statistics/`, or a screen in Python whose header stands in `analysis/headers/`; this page is
made from their headers. A screen gives a score, its reasons, hands to look at and how many hands it rests on; it is no
verdict on anybody.

Every rate stands beside the counts that it is made of and has a 95 % Wilson interval. What is left out is counted in
`excluded`. Below the *minimum* number of hands a rate or a mean says little; tables mark such rows.

Filters (`--where KEY=VALUE`): `player` an id · `rules` a ruleset · `since`, `until` days such as 2026-11-29, in
Asia/Shanghai and both included · `role` `landlord` or `farmer`.
"""


def pages() -> dict[str, str]:
    """The one page."""
    known: list[Declared] = [*statistics().values(), *SCREENS.values()]
    head = ("name", "中文", "English", "one row is")
    rows = [(anchor(each.name), each.title_zh, each.title_en, text(each.grain)) for each in known]
    return {"statistics.md": page(_INTRODUCTION, table(head, rows), *map(_section, known))}


def _section(statistic: Declared) -> str:
    minimum = f"{statistic.minimum} hands" if statistic.minimum else "none"
    facts = (
        f"**{text(statistic.title_zh)} · {text(statistic.title_en)}** · {text(statistic.grain)} · "
        f"filters: {codes(statistic.parameters)} · minimum: {minimum}"
    )
    head = ("column", "holds", "中文", "English", "含义", "meaning")
    parts = [
        f"## {statistic.name}",
        facts,
        text(statistic.definition_zh),
        text(statistic.definition_en),
        table(head, map(_column, statistic.columns)),
    ]
    return "\n\n".join(parts)


def _column(column: StatisticColumn) -> tuple[str, ...]:
    said = (column.zh, column.en, column.meaning_zh, column.meaning_en)
    return (code(column.name), column.unit, *map(text, said))
