"""The store: audited hands as Parquet (record.md 8).

Knows how hands are kept so that none is kept twice and nobody ever sees half a batch. Refuses to know what is asked
of them.
"""

from ingest.store.damage import Checked, Damage, damage, whole
from ingest.store.earlier import lack
from ingest.store.history import Lack
from ingest.store.lock import StoreBusy
from ingest.store.manifest import LARGE, MANIFEST, BadStore, EarlierStore, Manifest, Span, manifest_look, read_manifest
from ingest.store.schema import KINDS, OF_HANDS, TABLES, VERSION, ZONE, Column, Table

__all__ = [
    "KINDS",
    "LARGE",
    "MANIFEST",
    "OF_HANDS",
    "TABLES",
    "VERSION",
    "ZONE",
    "BadStore",
    "Checked",
    "Column",
    "Damage",
    "EarlierStore",
    "Lack",
    "Manifest",
    "Span",
    "StoreBusy",
    "Table",
    "damage",
    "lack",
    "manifest_look",
    "read_manifest",
    "whole",
]
