"""What was dealt, day by day, kept with a large store, so that any span of days is soon added up.

Knows that ``deal_counts`` has such questions. Refuses to know what they count, and to be needed.
"""

from collections.abc import Mapping

import pyarrow as pa

from analysis import deal_counts, keeping
from analysis.warehouse import Warehouse


def found(warehouse: Warehouse) -> Mapping[str, pa.Table] | None:
    """What is kept for ``deal_counts.groups``; None where not all of it is."""
    if not keeping.is_large(warehouse):
        return None
    key = keeping.key_of(warehouse)
    tables = {name: keeping.found(warehouse, name, key) for name in deal_counts.DAILY}
    kept = {name: table for name, table in tables.items() if table is not None}
    return kept if len(kept) == len(tables) else None


def prepare(warehouse: Warehouse) -> int:
    """Keep the days of a large store; how many tables that is. What takes too long is left to who asks."""
    return keeping.prepare(warehouse, deal_counts.DAILY) if keeping.is_large(warehouse) else 0
