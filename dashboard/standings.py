"""A player beside his peers, and two players side by side: tables of ``analysis.profile`` and figures of it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from msgspec import structs

from analysis.catalogue import statistics
from analysis.profile import Contrast, Standing
from dashboard import links, markup, numbers, tables
from dashboard.tables import Column, Row
from dashboard.text import chosen, say


def title(name: str) -> str:
    """What a statistic is called."""
    return chosen(statistics()[name].title_zh, statistics()[name].title_en)


def definition(name: str) -> str:
    """What a statistic counts."""
    return chosen(statistics()[name].definition_zh, statistics()[name].definition_en)


def counts(name: str, part: float, whole: float) -> str:
    """The counts behind a number, with what they are called."""
    titles = {column.name: chosen(column.zh, column.en) for column in statistics()[name].columns}
    first = titles.get("part") or titles["total"]
    return f"{first} {numbers.number(part)} / {titles['whole']} {numbers.count(whole)}"


# --- one player


def show(key: str, found: Sequence[Standing], rules: str) -> None:
    """The measures of one player, each with its interval, its counts on hover and its place among the peers."""
    frame = pd.DataFrame([structs.asdict(each) for each in found])
    tables.show(key, frame, (*_names(rules), *_values()), few=_few, rows=60)


def by_role(key: str, found: Sequence[tuple[Standing, str, dict[str, str]]], rules: str) -> None:
    """Measures of one player role by role: each standing with what the role is called and the filters that make it."""
    frame = pd.DataFrame([structs.asdict(each) | {"as": called} | narrowed for each, called, narrowed in found])

    def way(row: Row) -> str:
        return links.to("hands", stat=row["name"], rules=rules, role=row["role"], position=row["position"])

    name = Column("name", "text", say("player.measure"), word=lambda name, _: title(name), link=way)
    tables.show(key, frame, (name, Column("as", "text", say("hand.role")), *_values()), few=_few)


def _names(rules: str) -> tuple[Column, ...]:
    return (
        Column(
            "name",
            "text",
            say("player.measure"),
            word=lambda name, _: title(name),
            hover=lambda row: definition(row["name"]),
            link=lambda row: links.to("hands", stat=row["name"], rules=rules),
        ),
    )


def _values() -> tuple[Column, ...]:
    return (
        Column("value", "figure", say("player.value"), say("interval_help"), ("low", "high"), _counts),
        Column("whole", "count", say("player.sample"), say("player.sample_help")),
        Column("everybody", "figure", say("player.everybody"), say("player.everybody_help")),
        Column("place", "share", say("player.place"), say("player.place_help"), hover=_place),
        Column("peers", "count", say("player.peers"), say("player.peers_help")),
    )


def _counts(row: Row) -> str:
    return counts(row["name"], row["part"], row["whole"])


def _place(row: Row) -> str:
    return say("player.above", share=f"{row['place']:.0%}", peers=numbers.count(row["peers"]))


def _few(row: Row) -> str:
    return say("few", minimum=statistics()[row["name"]].minimum) if row["few"] else ""


def cards(found: Sequence[Standing], rules: str) -> None:
    """Measures as large figures, each of which leads to its hands."""
    body = "".join(_card(each, rules) for each in found)
    st.html(f'{markup.STYLE}<div class="fp-cards">{body}</div>')


def _card(each: Standing, rules: str) -> str:
    small = [numbers.between(each.low, each.high) if each.rate else numbers.between_numbers(each.low, each.high)]
    if each.place is not None:
        small.append(say("player.above", share=f"{each.place:.0%}", peers=numbers.count(each.peers)))
    where = links.to("hands", stat=each.name, rules=rules)
    value = f"<b>{markup.plain(numbers.figure(each.value, rate=each.rate))}</b>"
    lines = "".join(
        f"<small>{markup.plain(line)}</small>" for line in (counts(each.name, each.part, each.whole), *small)
    )
    kind = "fp-figure fp-dim" if each.few else "fp-figure"
    return (
        f'<a class="{kind}" href="{markup.plain(where)}" target="_self" title="{markup.plain(definition(each.name))}">'
        f"<span>{markup.plain(title(each.name))}</span>{value}{lines}</a>"
    )


# --- two players


def contrasts(key: str, found: Sequence[Contrast], rules: str, players: tuple[str, str]) -> None:
    """Two players, by what they are called, measure by measure, with the difference and its interval."""
    tables.show(key, pd.DataFrame(list(map(_flat, found))), _contrast_columns(rules, players), few=_few, rows=80)


def _flat(each: Contrast) -> dict[str, object]:
    ours, theirs = structs.asdict(each.one), structs.asdict(each.other)
    row = ours | {f"other_{key}": value for key, value in theirs.items()}
    apart = {"gap": each.difference, "gap_low": each.low, "gap_high": each.high}
    clear = each.low is not None and each.high is not None and (each.low > 0 or each.high < 0)
    return row | apart | {"clear": clear, "few": each.one.few or each.other.few}


def _contrast_columns(rules: str, players: tuple[str, str]) -> tuple[Column, ...]:
    one, other = players
    return (
        *_names(rules),
        Column("value", "figure", one, "", ("low", "high"), _counts),
        Column(
            "other_value",
            "figure",
            other,
            "",
            ("other_low", "other_high"),
            lambda row: counts(row["name"], row["other_part"], row["other_whole"]),
        ),
        Column("gap", "gap", say("compare.difference"), say("compare.difference_help"), ("gap_low", "gap_high")),
        Column("clear", "text", say("compare.clear"), say("compare.clear_help"), word=_clear),
    )


def _clear(value: object, _: Row) -> str:
    return say("compare.apart" if value else "compare.unclear")
