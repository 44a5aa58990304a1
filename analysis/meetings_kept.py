"""All meetings of a large store, kept beside it, so that those of any days are soon picked.

Knows how meetings lie in files: a row for each entry, and one row for all the rest. Refuses to know what they say, and
to be needed.
"""

from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from analysis import keeping
from analysis.meetings import EACH, Dealt, Mates, Meetings, Ways, meetings
from analysis.warehouse import TooSlow, Warehouse

ENTRIES, REST = "meetings", "meetings.rest"
"""What they are kept under."""
_PARTS = {"ways": Ways, "mates": Mates, "dealt": Dealt}


def of(warehouse: Warehouse) -> Meetings:
    """The meetings of a store, remembered, and kept from now on if it is large. Raises ``TooSlow``."""
    return warehouse.remembered(("meetings",), lambda: _of(warehouse))


def prepare(warehouse: Warehouse) -> int:
    """Keep those of a large store; how many tables that is. What takes too long is left to who asks."""
    if keeping.is_large(warehouse):
        with suppress(TooSlow):
            of(warehouse)
            return len((ENTRIES, REST))
    return 0


def _of(warehouse: Warehouse) -> Meetings:
    if not keeping.is_large(warehouse):
        return meetings(warehouse)
    key = keeping.key_of(warehouse)
    with suppress(pa.ArrowException, KeyError, ValueError):
        entries, rest = (keeping.found(warehouse, name, key, keeping.QUICK) for name in (ENTRIES, REST))
        if entries is not None and rest is not None:
            return _read(entries, rest)
    found = meetings(warehouse)
    for name, table in ((ENTRIES, _entries(found)), (REST, _rest(found))):
        keeping.keep(warehouse, name, key, table, keeping.QUICK)
    return found


def _entries(met: Meetings) -> pa.Table:
    return pa.table({name: getattr(met, name) for name in EACH})


def _rest(met: Meetings) -> pa.Table:
    """One row of lists."""
    told = {name: getattr(met, name) for name in Meetings.__struct_fields__ if name not in (*EACH, *_PARTS)}
    for part in _PARTS:
        columns = getattr(met, part)
        told |= {f"{part}.{name}": getattr(columns, name) for name in columns.__struct_fields__}
    return pa.table({name: _listed(value) for name, value in told.items()})


def _listed(value: Any) -> Any:
    if isinstance(value, int):
        return pa.array([value])
    flat = pa.array(value, pa.string()) if isinstance(value, list) else pa.array(value)
    return pa.ListArray.from_arrays([0, len(flat)], flat)


def _read(entries: pa.Table, rest: pa.Table) -> Meetings:
    told: dict[str, Any] = {name: entries.column(name).to_numpy() for name in EACH}
    parts: dict[str, dict[str, Any]] = {name: {} for name in _PARTS}
    for name in rest.column_names:
        part, _, field = name.rpartition(".")
        (parts[part] if part else told)[field] = _value(rest.column(name).combine_chunks())
    return Meetings(**told, **{name: kind(**parts[name]) for name, kind in _PARTS.items()})


def _value(column: pa.Array) -> Any:
    if not pa.types.is_list(column.type):
        return column[0].as_py()
    flat = column.flatten()
    return flat.to_pylist() if pa.types.is_string(flat.type) else np.asarray(flat)
