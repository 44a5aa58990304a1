"""The page of the statistics, made from the headers of their files."""

from analysis.catalogue import Statistic, StatisticColumn, statistics
from analysis.measures import GROUPS
from fupan.docs.markdown import anchor, code, codes, page, table, text

_INTRODUCTION = """
# Statistics · 统计

`fupan stats --store DIR` lists them, `fupan stats NAME --store DIR` answers one; the dashboard draws the same. Each is
one file in `analysis/statistics/`, SQL or, where SQL cannot say it, Python; this page is made from their headers.

Every rate stands beside the counts that it is made of and has a 95 % Wilson interval. What is left out is counted in
`excluded`. Below the *minimum* number of hands a rate or a mean says little; tables mark such rows.

Filters (`--where KEY=VALUE`): `player` an id · `rules` a ruleset · `since`, `until` days such as 2026-11-29, in the
time zone of the store and both included · `role` `landlord` or `farmer` · `position` of a farmer: `down` next after the
landlord, `up` just before, `across` · `table` a table · `tag` such as `deal_mode=random` · `bots`: `human` seats,
`only` those of robots, or hands with `none` at the table. `by` splits an answer: {groups}. Rulesets are told apart
unless `across=yes` asks for all together.

Statistics of one number count the seats of clean hands; hands left out are counted by the code of their first fault.
The numbers in parentheses are those of the project's list of statistics.
"""


def pages() -> dict[str, str]:
    """The one page."""
    known = statistics().values()
    head = ("name", "中文", "English", "one row is")
    rows = [(anchor(each.name), each.title_zh, each.title_en, text(each.grain)) for each in known]
    return {"statistics.md": page(_INTRODUCTION.format(groups=codes(GROUPS)), table(head, rows), *map(_section, known))}


def _section(statistic: Statistic) -> str:
    minimum = f"{statistic.minimum} hands" if statistic.minimum else "none"
    number = f" ({statistic.number})" if statistic.number else ""
    facts = (
        f"**{text(statistic.title_zh)} · {text(statistic.title_en)}**{number} · {text(statistic.grain)} · "
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
