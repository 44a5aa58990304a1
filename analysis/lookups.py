"""Look-ups in a store that are no statistic: pages of findings, and single entries as they came."""

import pandas as pd
from msgspec import Struct

from analysis.warehouse import Warehouse


class Wanted(Struct, frozen=True):
    """Which findings are wanted; what is None or empty narrows nothing."""

    codes: tuple[str, ...] = ()
    severity: str | None = None
    rules: str | None = None
    source: str | None = None
    """Part of the file's name."""


_FOUND = """
FROM findings
LEFT JOIN hands USING (hand)
WHERE ($codes IS NULL OR list_contains(CAST($codes AS VARCHAR[]), findings.code))
    AND ($severity IS NULL OR findings.severity = $severity)
    AND ($rules IS NULL OR hands.rules = $rules)
    AND ($source IS NULL OR contains(findings.source, $source))
"""
_PAGE = f"""
SELECT
    hand, findings.source, findings.line, hands.id, hands.rules, findings.code, findings.severity, findings.phase,
    findings.index, findings.seat, findings.details
{_FOUND}
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
    """One page of the findings with the hands they are about, and how many there are in all."""
    narrowing = {
        "codes": list(wanted.codes) or None,
        "severity": wanted.severity or None,
        "rules": wanted.rules or None,
        "source": wanted.source or None,
    }
    count = warehouse.query(f"SELECT count(*) AS found {_FOUND}", narrowing)
    return warehouse.query(_PAGE, narrowing | {"rows": rows, "first": first}), int(count["found"][0])


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
