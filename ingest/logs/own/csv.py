"""CSV as rows: any delimiter, quotes, a header line or named columns.

Knows lines and cells, which are texts. Refuses to mend: a row with too many cells or too few is no row.
"""

import csv
from collections.abc import Iterator, Sequence

from ingest.logs.entry import Damaged, Entry, Source, broken_off, numbered_lines, too_long
from ingest.logs.own.found import Row
from ingest.logs.own.json import unfold
from ingest.logs.own.keys import Mapping, SourceKeys
from ingest.logs.own.table import lacking
from ingest.logs.own.troubles import Trouble
from ingest.record import LINE_LIMIT

CELL_LIMIT = 1 << 22
"""Letters of the longest cell; beyond it a quote was not closed. The csv module's own limit, 2 ** 17, is less than the
moves of a long hand as JSON."""


class _Lines:
    """The lines of a file as texts, and the bytes and number of those that the last row took."""

    def __init__(self, source: Source) -> None:
        self._lines = numbered_lines(source.stream, LINE_LIMIT)
        self.number = 0
        self.taken: list[bytes] = []

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        self.number, line = next(self._lines)
        self.taken.append(line)
        return line.decode("utf-8", "replace")  # which the row is told to be no text for: see _undecoded

    def raw(self) -> bytes:
        """What the last row was read from."""
        raw = b"".join(self.taken).rstrip(b"\r\n")
        self.taken.clear()
        return raw


def rows(source: Source, keys: Mapping) -> Iterator[Row | Entry]:
    """Every row of a file; an entry for what is lost of it."""
    csv.field_size_limit(max(CELL_LIMIT, csv.field_size_limit()))
    lines = _Lines(source)
    try:
        yield from _rows(source, keys, lines)
    except Damaged as problem:
        yield broken_off(source.name, lines.number + 1, problem)


def _rows(source: Source, keys: Mapping, lines: _Lines) -> Iterator[Row | Entry]:
    said = keys.source
    for _ in range(said.skip):
        next(lines, None)
    lines.taken.clear()
    cells = _cells(lines, said)
    names: Sequence[str] = said.columns or ()
    if said.columns is None:
        names, troubles = next(cells, ((), ()))
        line, raw = lines.number, lines.raw()
        if not names and not troubles:
            return
        entry = lacking(source.name, names, keys, line, raw, troubles)
        if entry is not None:
            yield entry
            return
    null = frozenset(said.null)
    for found, troubles in cells:
        line = lines.number - len(lines.taken) + 1
        raw = lines.raw()
        if len(raw) > LINE_LIMIT:
            yield too_long(source.name, line, raw, LINE_LIMIT)
        elif found or troubles:
            yield _row(line, raw, names, found, troubles, null, said)


def _cells(lines: _Lines, said: SourceKeys) -> Iterator[tuple[list[str], tuple[Trouble, ...]]]:
    """The cells of every row, or why it has none."""
    reader = csv.reader(
        lines,
        delimiter=said.delimiter,
        quotechar=said.quote or None,
        quoting=csv.QUOTE_MINIMAL if said.quote else csv.QUOTE_NONE,
        escapechar=said.escape,
        doublequote=said.escape is None,
        strict=True,
    )
    while True:
        try:
            yield next(reader), ()
        except StopIteration:
            return
        except csv.Error as problem:
            cut = "unexpected end of data" in str(problem)
            code = "R107" if cut else "R103"
            yield [], (Trouble("row", code, field="row", reason=f"no CSV: {problem}", line=lines.number),)


def _row(
    line: int,
    raw: bytes,
    names: Sequence[str],
    cells: Sequence[str],
    troubles: tuple[Trouble, ...],
    null: frozenset[str],
    said: SourceKeys,
) -> Row:
    value = dict(zip(names, cells, strict=False)) if not null else {
        name: None if cell in null else cell for name, cell in zip(names, cells, strict=False)
    }  # fmt: skip
    if cells and len(cells) != len(names):
        reason = f"{len(cells)} cells, {len(names)} columns"
        troubles = (*troubles, Trouble("row", "R103", field="row", reason=reason, line=line))
    if not raw.isascii():
        troubles = (*troubles, *_undecoded(raw, line))
    if said.json:
        troubles = (*troubles, *unfold(value, said.json))
    return Row(line, value, raw, troubles)


def _undecoded(raw: bytes, line: int) -> Iterator[Trouble]:
    try:
        raw.decode()
    except UnicodeDecodeError as problem:
        yield Trouble("text", "R111", reason=str(problem), line=line)
