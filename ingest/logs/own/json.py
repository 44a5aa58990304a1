"""JSON as rows: a document a line, or the whole file one document; a list in it is so many rows.

Knows where in a document the hands are. Refuses to know what they say.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from ingest.logs.documents import line_hands
from ingest.logs.entry import (
    NOT_JSON,
    Damaged,
    Entry,
    Source,
    broken_off,
    not_json,
    too_long,
)
from ingest.logs.own.found import Row
from ingest.logs.own.keys import Mapping
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.troubles import Trouble
from ingest.record import LINE_LIMIT

_decoder = msgspec.json.Decoder(float_hook=Decimal)
"""Numbers stay what they are: 12.34 is no binary fraction."""


def rows(source: Source, keys: Mapping, limit: int = LINE_LIMIT) -> Iterator[Row | Entry]:
    """Every row of a file; an entry for what is lost of it. ``limit``: bytes of the longest document that is read."""
    try:
        if keys.source.kind == "jsonl":
            yield from line_hands(source, partial(_of_document, keys), limit)
            return
        raw = source.stream.read(limit + 1)
    except Damaged as problem:
        yield broken_off(source.name, 1, problem)
        return
    if len(raw) > limit:
        yield too_long(source.name, 1, raw, limit)
    else:
        yield from _numbered(_of_document(keys, raw.strip(), 1, True))


def _numbered(found: Iterator[Row]) -> Iterator[Row]:
    """Rows of one document are told apart by their number."""
    return (msgspec.structs.replace(row, line=number) for number, row in enumerate(found, 1))


def _of_document(keys: Mapping, raw: bytes, line: int, last: bool) -> Iterator[Row]:
    try:
        value = _decoder.decode(raw)
    except NOT_JSON as problem:
        finding = not_json(raw, str(problem), last=last and not isinstance(problem, RecursionError))
        reason = finding.details.get("reason", "")
        yield Row(line, {}, raw, (Trouble("text", finding.code, reason=reason, line=line),))
        return
    path = keys.source.hands
    if path is not None:
        value = find(value, path)
    if value is MISSING:
        yield Row(line, {}, raw, (Trouble("missing", "R102", field="source.hands", text=path or ""),))
    elif type(value) is not list:
        yield _row(line, value, b"" if path else raw, keys)
    else:
        yield from (_row(line, item, b"", keys) for item in value)


def _row(line: int, value: Any, raw: bytes, keys: Mapping) -> Row:
    troubles = tuple(unfold(value, keys.source.json)) if keys.source.json else ()
    return Row(line, value, raw, troubles)


def unfold(value: Any, names: list[str]) -> Iterator[Trouble]:
    """Put in place of texts that are themselves JSON what they say."""
    if type(value) is not dict:
        return
    for name in names:
        text = value.get(name)
        if isinstance(text, str):
            try:
                value[name] = _decoder.decode(text) if text else None
            except NOT_JSON as problem:
                yield Trouble("text", "R103", field=name, text=text[:80], reason=f"not JSON: {problem}")
