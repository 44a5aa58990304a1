"""Texts of a block that may hold JSON escapes, as columns."""

from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from ingest.bulk.arrays import texts_at
from ingest.bulk.blocks import Block

_BACKSLASH = 92


def names_at(block: Block, spans: Any) -> pa.Array:
    """Parts of a block without their quotes, ``int[..., 2]``; decoded one by one where any has an escape."""
    flat = spans.reshape(-1, 2)
    backslashes = np.flatnonzero(block.text == _BACKSLASH)
    after = np.searchsorted(backslashes, flat[:, 0])
    places = np.append(backslashes, len(block.text))[after]
    escaped = np.flatnonzero((flat[:, 0] >= 0) & (places < flat[:, 1]))
    if not len(escaped):
        return texts_at(block.text, flat)
    told = texts_at(block.text, flat).to_pylist()
    for row in escaped.tolist():
        start, stop = map(int, flat[row])
        told[row] = msgspec.json.decode(b'"' + block.bytes_of(start, stop) + b'"')
    return pa.array(told, pa.string())
