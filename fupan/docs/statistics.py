"""The page of the statistics, made from the headers of their files, and what the list has beyond them."""

import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Any

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

Statistics with a number count the seats of clean hands. Hands left out are counted by the code of their first fault:
below a table, and on standard error beside CSV and JSON, which hold rows and nothing else. Where an answer is empty,
standard error says which filter emptied it. CSV writes a text that a spreadsheet would run as a formula with a `'`
before it: the player `=1+1` stands there as `'=1+1`; JSON keeps every text letter for letter.
The numbers in parentheses are those of the project's list of statistics.
"""


def pages() -> dict[str, str]:
    """The one page."""
    known = statistics().values()
    head = ("name", "中文", "English", "one row is")
    rows = [(anchor(each.name), each.title_zh, each.title_en, text(each.grain)) for each in known]
    introduction = _INTRODUCTION.format(groups=codes(GROUPS))
    return {"statistics.md": page(introduction, table(head, rows), *map(_section, known), _beyond())}


def numbers() -> dict[str, Any]:
    """``answered``: numbers of the list by what answers them under another name; ``missing``: what is not computed, or
    only ``partly``, and why.
    """
    return tomllib.loads(resources.files("fupan.docs").joinpath("numbers.toml").read_text("utf-8"))


def _beyond() -> str:
    told = numbers()
    answered = [(number, anchor(name)) for number, name in sorted(told["answered"].items(), key=lambda e: int(e[0]))]
    return "\n\n".join(
        [
            "## Numbers of the list beyond these · 清单中的其余编号",
            "Answered under another name · 见于：",
            table(("number", "statistic"), answered),
            "In part · 只有一部分：",
            _reasons(each for each in told["missing"] if each.get("partly")),
            "Not computed · 不计算：",
            _reasons(each for each in told["missing"] if not each.get("partly")),
        ]
    )


def _reasons(missing: Iterable[dict[str, Any]]) -> str:
    rows = [(each["numbers"], _reason(each["zh"]), _reason(each["en"])) for each in missing]
    return table(("numbers", "原因", "why"), rows)


def _reason(said: str) -> str:
    """A sentence in which names stand in backticks; those of statistics lead to them."""
    parts = enumerate(said.split("`"))
    return "".join((anchor(part) if part in statistics() else code(part)) if n % 2 else text(part) for n, part in parts)


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
