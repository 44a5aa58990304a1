"""Which lines of which logs rows came from, in few words: what must be loaded again where the rows are lost.

Knows sources and lines. Refuses to know what stood there.
"""

from collections.abc import Iterable

import pyarrow as pa

from ingest.store.manifest import Span


def spans_of(*tables: pa.Table) -> list[Span]:
    """The logs that rows of ``hands``, ``raw`` or ``findings`` came from, by name, each from first to last line."""
    places = pa.concat_tables([table.select(["source", "line"]) for table in tables])
    found = places.group_by("source").aggregate([("line", "min"), ("line", "max"), ("line", "count_distinct")])
    return merged(Span(r["source"], r["line_min"], r["line_max"], r["line_count_distinct"]) for r in found.to_pylist())


def merged(spans: Iterable[Span]) -> list[Span]:
    """One span for each log, by name."""
    found: dict[str, Span] = {}
    for each in spans:
        one = found.get(each.source, each)
        entries = each.entries if one is each else one.entries + each.entries
        found[each.source] = Span(each.source, min(one.first, each.first), max(one.last, each.last), entries)
    return sorted(found.values(), key=lambda span: span.source)
