"""Stored hands audited again: packed ones by what was packed, the others by their lines, all in the order of the store.

Knows how both are put together. Whatever is not proven by what was packed is audited by its line, as that of a log.
"""

from collections.abc import Callable, Collection

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from ingest.batch import judge
from ingest.bulk.assessing import Assessed, Assessor, put_in
from ingest.bulk.packing import Unpacker
from ingest.bulk.placing import Placer
from ingest.bulk.reported import Verdicts
from ingest.logs import Entry, Lines
from ingest.logs.native import entry_of
from ingest.rules.ruleset import builtin_names

Rows = NDArray[np.int64]
_SPACE = 32


class StoredLines(Lines, frozen=True, kw_only=True):
    """The lines of stored hands of one source, each read when it is asked for; a row stands for a line's number."""

    texts: Callable[[Rows], list[bytes]]
    """The lines of some rows."""
    numbers: NDArray[np.int64]
    """Their numbers in the log."""
    cut: Collection[int]
    """Rows that were cut off at the end of their log."""

    def entry(self, number: int, start: int, stop: int) -> Entry:  # noqa: ARG002 - the line is that of the row
        """The entry of one row."""
        [text] = self.texts(np.array([number]))
        return self.entry_of(number, text, self.reported)

    def entry_of(self, row: int, text: bytes, reported: set[str]) -> Entry:
        """The entry of a row that has this line."""
        return entry_of(text, self.source, int(self.numbers[row]), reported, last=row in self.cut)


class Stored(Struct, frozen=True):
    """Some stored hands of one source."""

    lines: StoredLines
    packed: pa.Array
    """``pa.binary()``: as ``ingest.bulk.packing`` has them."""
    alone: NDArray[np.bool_]
    """Of which it is known that no other hand has their id and none is the same."""


class Reassessor:
    """Audits stored hands one after another. Use as a context manager."""

    def __init__(self, rules: str | None) -> None:
        self._rules, self._placer = rules, Placer(rules, lambda _: b"")
        self._assessor = Assessor(rules, self._placer.memory.secret, None, shortly=True)
        self._unpacker = Unpacker(builtin_names())

    def __enter__(self) -> "Reassessor":
        return self

    def __exit__(self, *problem: object) -> None:
        self._placer.batch.__exit__()
        self._placer.memory.close()

    def verdicts(self, stored: Stored) -> Verdicts:
        """The verdicts on some hands, among those before them."""
        block = self._unpacker.block(stored.packed)
        block.is_read[~stored.alone] = False
        found = self._assessor.assess_packed(stored.lines.source, block)
        found.alone[:] = stored.alone
        rows = np.flatnonzero(~found.proven)
        if len(rows):
            found = self._with_lines(found, rows, stored.lines)
        return self._placer.place(stored.lines, found)

    def _with_lines(self, found: Assessed, rows: Rows, lines: StoredLines) -> Assessed:
        """The same with what is said of these rows by their lines."""
        texts = lines.texts(rows)
        is_line = [_is_line(text) and row not in lines.cut for row, text in zip(rows.tolist(), texts, strict=True)]
        plain = np.array(is_line, np.bool_)
        if plain.any():
            text = b"\n".join([*(text for text, is_it in zip(texts, is_line, strict=True) if is_it), b""])
            found = put_in(found, rows[plain], self._assessor.assess(lines.source, 1, text))
        for place in np.flatnonzero(~plain).tolist():
            row = int(rows[place])
            entry = lines.entry_of(row, texts[place], set())
            if entry.record is not None:
                entry = msgspec.structs.replace(entry, findings=())
            judged = judge(entry, self._rules)
            found.others[row] = judged.verdict, judged.identity
        return found


def _is_line(text: bytes) -> bool:
    """Whether a text can stand as a line of a log: no newline is in it, and something is."""
    return b"\n" not in text and bool(text) and (text[0] > _SPACE or not text.isspace())
