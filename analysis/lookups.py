"""Look-ups in a store that are no statistic: pages of findings, and single entries as they came."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from msgspec import Struct

from analysis.catalogue import filtered
from analysis.narrowing import about_seats, named, narrowed
from analysis.warehouse import Warehouse


class Wanted(Struct, frozen=True):
    """Which findings are wanted; what is None or empty narrows nothing."""

    codes: tuple[str, ...] = ()
    severity: str | None = None
    source: str | None = None
    """Part of the file's name."""
    filters: Mapping[str, Any] = {}
    """Filters that the hand must pass; one about seats, with some seat."""


_FOUND = """
FROM findings
LEFT JOIN hands USING (hand)
WHERE ($codes IS NULL OR list_contains(CAST($codes AS VARCHAR[]), findings.code))
    AND ($severity IS NULL OR findings.severity = $severity)
    AND ($source IS NULL OR contains(findings.source, $source))
    AND """
_PAGE = """
SELECT
    hand, findings.source, findings.line, hands.id, hands.rules, findings.code, findings.severity, findings.phase,
    findings.index, findings.seat, findings.details
{found}
ORDER BY hand NULLS LAST, findings.source, findings.line, findings.phase, findings.index, findings.code
LIMIT $rows OFFSET $first
"""
_RAW = """
SELECT raw.source, raw.line, raw.raw, raw.format, raw.record, hands.rules
FROM raw
JOIN hands USING (hand)
WHERE hand = $hand
"""


def findings(warehouse: Warehouse, wanted: Wanted, first: int, rows: int) -> tuple[pd.DataFrame, int]:
    """One page of the findings with the hands they are about, and how many there are in all.

    Raises ``BadFilter``.
    """
    values = filtered(wanted.filters)
    passing, table = narrowed(values), "seats" if about_seats(values) else "hands"
    found = _FOUND + ("true" if passing == "true" else f"hand IN (SELECT hand FROM {table} WHERE {passing})")
    own = {"codes": list(wanted.codes) or None, "severity": wanted.severity or None, "source": wanted.source or None}
    asked = own | {name: values[name] for name in named(passing)}
    count = warehouse.query(f"SELECT count(*) AS found {found}", asked)
    page = warehouse.query(_PAGE.replace("{found}", found), asked | {"rows": rows, "first": first})
    return page, int(count["found"][0])


class RawRecord(Struct, frozen=True):
    """One entry of a log as it came."""

    source: str
    line: int
    raw: bytes
    format: str
    """The format that it was read as."""
    record: bytes | None
    """The same as a Fupan record, where it came in another format."""
    rules: str | None


def raw_record(warehouse: Warehouse, hand: int) -> RawRecord | None:
    """The entry that a hand was read from, and the ruleset it was audited under."""
    found = warehouse.query(_RAW, {"hand": hand})
    if found.empty:
        return None
    row = found.iloc[0]
    return RawRecord(
        source=str(row["source"]),
        line=int(row["line"]),
        raw=bytes(row["raw"]),
        format=str(row["format"]),
        record=None if pd.isna(row["record"]) else bytes(row["record"]),
        rules=None if pd.isna(row["rules"]) else str(row["rules"]),
    )
