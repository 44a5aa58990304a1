"""Formats of one's own: logs that nobody wrote a module for, described by a TOML file.

Knows sources, rows and hands. Refuses to know rules; a mapping holds paths, words and switches, never an expression.
"""

from collections.abc import Iterator

import msgspec

from ingest.logs.entry import Entry, Source
from ingest.logs.own import csv, json, parquet
from ingest.logs.own.found import Hand
from ingest.logs.own.groups import gathered
from ingest.logs.own.hands import Reading, reading
from ingest.logs.own.mapping import BadMapping, Own, described, load

__all__ = ["BadMapping", "Own", "described", "entries", "hands_of", "is_mapping", "load", "reading_of"]

SUFFIX = ".toml"

_ROWS = {"json": json.rows, "jsonl": json.rows, "csv": csv.rows, "parquet": parquet.rows}


def is_mapping(format: str) -> bool:
    """Whether the name of a format is the path of a mapping."""
    return format.endswith(SUFFIX)


def entries(source: Source, own: Own) -> Iterator[Entry]:
    """Every hand of a log of one's own; ``raw`` is the rows as they came."""
    for number, hand in enumerate(hands_of(source, own), 1):
        if isinstance(hand, Entry):
            yield hand
            continue
        found = reading_of(hand, own, source, number)
        findings = tuple(trouble.finding for trouble in found.troubles)
        yield Entry(source.name, hand.line, raw_of(hand), found.record, findings)


def hands_of(source: Source, own: Own) -> Iterator[Hand | Entry]:
    """Every hand of a source before it is a record; an entry for what is lost of it."""
    return gathered(_ROWS[own.keys.source.kind](source, own.keys), own)


def reading_of(hand: Hand, own: Own, source: Source, number: int) -> Reading:
    """The record of the hand of this number."""
    return reading(hand, own, f"{source.title}#{number}"[-128:])


def raw_of(hand: Hand) -> bytes:
    """What a hand was read from: its lines, or its rows as JSON."""
    if hand.rows is None:
        return hand.raw or _as_json(hand.head)
    return b"\n".join(row.raw or _as_json(row.value) for row in hand.rows)


def _as_json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except (TypeError, ValueError, RecursionError):
        return b""
