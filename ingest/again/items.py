"""Stored hands as a log has them: lines of one source, one after another, with what was said of each.

Knows lines. In place of what lay between two stored ones there are blank ones.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ingest.again.said import Said
from ingest.again.stored import Group
from ingest.logs import Entry, Lines
from ingest.logs.lines import BLOCK, FARTHEST
from ingest.logs.native import entry_of
from ingest.store.known import CUT_OFF

_SPACE = 32

Item = Lines | Entry


def items_of(group: Group, reported: defaultdict[str, set[str]]) -> Iterator[tuple[Item, Said]]:
    """The lines of a group, as many together as go together, with the hands of each. ``reported``: by source, the
    unknown fields that it has had so far.
    """
    said, texts = group.said, group.texts
    is_line, is_cut = _are_lines(texts), pc.is_in(said.hands["hand"], _cut(said)).combine_chunks()
    for begin, end in _together(said, texts, is_line, is_cut):
        some = said.taken(lambda table, begin=begin, end=end: table.slice(begin, end - begin))  # type: ignore[misc]
        first = some.log, some.hands["line"][0].as_py()
        is_last = is_cut[end - 1].as_py()
        if is_line[begin].as_py():
            yield Lines(*first, _joined(some, texts[begin:end], is_cut=is_last), reported[first[0]]), some
        else:
            yield entry_of(texts[begin].as_py(), *first, reported[first[0]], last=is_last), some


def _cut(said: Said) -> pa.Array:
    """The hands that were cut off at the end of their log."""
    return pa.array(said.codes.having(CUT_OFF), pa.int64())


def _are_lines(texts: pa.Array) -> pa.Array:
    """Which of these can stand as lines of a log: no newline is in them, and something is."""
    is_odd = pc.less_equal(pc.binary_slice(texts, 0, 1), bytes([_SPACE]))
    if not pc.any(is_odd, min_count=0).as_py() and b"\n" not in _bytes(texts):
        return pc.invert(is_odd)
    lines = texts.to_pylist()
    return pa.array([b"\n" not in line and bool(line) and not line.isspace() for line in lines], pa.bool_())


def _bytes(texts: pa.Array) -> bytes:
    """All of them, one behind the other."""
    _, offsets, data = texts.buffers()
    begin, end = pa.Array.from_buffers(pa.int32(), len(texts) + 1, [None, offsets], offset=texts.offset)[:: len(texts)]
    found: bytes = data.slice(begin.as_py(), end.as_py() - begin.as_py()).to_pybytes()
    return found


def _together(said: Said, texts: pa.Array, is_line: pa.Array, is_cut: pa.Array) -> Iterator[tuple[int, int]]:
    """From where to where hands are of one item."""
    size = len(said)
    if not size:
        return
    line = said.hands["line"].combine_chunks()
    step = pc.subtract(line[1:], line[:-1])
    goes_on = pc.and_(said.goes_on(), pc.and_(pc.greater(step, 0), pc.less_equal(step, FARTHEST)))
    goes_on = pc.and_(goes_on, pc.and_(is_line[1:], is_line[:-1]))
    ends = pc.indices_nonzero(pc.invert(pc.and_not(goes_on, is_cut[:-1]))).to_pylist()
    begin = 0
    for end in (*(end + 1 for end in ends), size):
        most = max(1, (end - begin) * BLOCK // max(1, texts[begin:end].nbytes))
        for first in range(begin, end, most):
            yield first, min(first + most, end)
        begin = end


def _joined(said: Said, texts: pa.Array, *, is_cut: bool) -> bytes:
    """Lines with what lay between them."""
    line: Any = said.hands["line"].combine_chunks()
    steps = pa.concat_arrays([pc.subtract(line[1:], line[:-1]), pa.array([0 if is_cut else 1], line.type)])
    if pc.all(pc.equal(steps, 1)).as_py():
        joined = pc.binary_join_element_wise(texts, b"", b"\n")
    else:
        joined = pc.binary_join_element_wise(texts, pc.binary_repeat(b"\n", steps), b"")
    return _bytes(joined)
