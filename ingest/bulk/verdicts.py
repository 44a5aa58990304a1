"""The columns of a verdict batch, declared once, and findings as they stand in one of them."""

from collections.abc import Sequence

import msgspec
import pyarrow as pa

from ingest.faults import Finding, Language
from ingest.verdict import finding_as_dict

_FACTOR = pa.struct([("name", pa.string()), ("factor", pa.int64()), ("count", pa.int64())])
_NUMBERS = pa.list_(pa.int64())
VERDICTS = pa.schema(
    [
        pa.field("id", pa.string()), pa.field("rules", pa.string()), pa.field("verdict", pa.string(), nullable=False),
        pa.field("outcome", pa.string()), pa.field("landlord", pa.int64()), pa.field("winners", _NUMBERS),
        pa.field("bid", pa.int64()), pa.field("factors", pa.list_(_FACTOR)), pa.field("multiplier", pa.int64()),
        pa.field("unit", pa.int64()), pa.field("scores", _NUMBERS), pa.field("balances", _NUMBERS),
        pa.field("findings", pa.string()), pa.field("digest", pa.binary(16)), pa.field("played", pa.binary(16)),
        pa.field("deal", pa.binary()),
    ]
)  # fmt: skip
"""What a verdict batch has: one row for each record, in their order; the columns are those of ``fupan audit --json``.

``findings`` is a JSON list as there, null where there is none. ``digest``, ``played`` and ``deal`` are what the hand is
recognised by (docs/store.md); null for what is no record.
"""


def findings_as_json(findings: Sequence[Finding], language: Language) -> str | None:
    """Findings as ``fupan audit --json`` writes them; None where there are none."""
    if not findings:
        return None
    return msgspec.json.encode([finding_as_dict(finding, language) for finding in findings]).decode()
