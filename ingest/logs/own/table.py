"""Columns that a mapping names and a file does not have.

Knows names of columns. Refuses to know how a file has them.
"""

from collections.abc import Sequence

from ingest.faults import Finding
from ingest.logs.entry import RAW_LIMIT, Entry
from ingest.logs.own.keys import Mapping
from ingest.logs.own.places import columns
from ingest.logs.own.troubles import Trouble


def lacking(
    source: str, names: Sequence[str], keys: Mapping, line: int, raw: bytes = b"", troubles: tuple[Trouble, ...] = ()
) -> Entry | None:
    """The entry of a file whose columns are not those of the mapping, with a finding for each; None where they are."""
    findings = [trouble.finding for trouble in troubles]
    for column, key in columns(keys).items():
        if column not in names:
            findings.append(Finding("R102", details={"field": f"{key}: {column}"}))
        elif names.count(column) > 1:
            reason = f"{names.count(column)} columns are called {column}"
            findings.append(Finding("R103", details={"field": key, "reason": reason}))
    return Entry(source, line, raw[:RAW_LIMIT], None, tuple(findings)) if findings else None
