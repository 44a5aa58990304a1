"""Stored rows judged anew: block by block with compiled code as a load does, one by one where that cannot be.

Knows which rows may stand in a block, and what of a row stays as it was. Whatever is used, the rows are the same.
Refuses to know files.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct, structs

from ingest.batch import Audited, Batch, Judged
from ingest.bulk import fewest_plays, judge_all, turned
from ingest.hand import unreadable
from ingest.load.stored import NEIGHBOURS, Reader, Rows, Stored
from ingest.logs import Entry, Lines
from ingest.logs.lines import BLOCK, FARTHEST, spaced
from ingest.logs.portions import portions, size_of
from ingest.memory import InLedgers
from ingest.record import rules_named
from ingest.store.columns import from_lists
from ingest.store.digests import hand_digest
from ingest.store.known import CUT_OFF, NO_LOG, NOT_UTF8, REFUSED
from ingest.store.recall import with_hand
from ingest.store.rows import NATIVE, complete, is_row
from ingest.store.schema import HANDS, RAW
from ingest.store.sketches import Part, sketch
from ingest.verdict import with_findings

if TYPE_CHECKING:
    from ingest.bulk.placing import Placer
    from ingest.bulk.sketching import Sketcher
    from ingest.memory import Memory

CHUNK = 1_000
"""Rows that are held as Python objects."""
LINES = 10_000
"""Rows that are judged as one block."""
FEWEST = 20
"""Rows for which a block is not worth its columns."""

_ODD = frozenset((CUT_OFF, NO_LOG, NOT_UTF8))
"""What is said of a line that is more than its bytes."""
Read = tuple[Stored, Entry]


class Replacements(Struct, frozen=True):
    """Which rows stand out of the order of their table, and which do not count."""

    late: frozenset[int]
    """Hands that took the place of one before them: what was said of their neighbours stays."""
    gone: frozenset[int]
    """Hands that another took the place of."""


class Anew(Struct, frozen=True):
    """Some rows as they are today, under the numbers that they had."""

    begin: int
    """The place of the first."""
    count: int
    """How many they were."""
    left: Sequence[int]
    """The places among them of those that are still rows."""
    part: Part


class Run(NamedTuple):
    """Neighbouring rows that are judged together."""

    begin: int
    end: int
    law: str | None
    is_block: bool


class Renewal:
    """Rows judged one after another. Use as a context manager."""

    def __init__(
        self, laws: Mapping[str, str], zone: str, replacements: Replacements, *, recognised: bool, compiled: bool
    ) -> None:
        """``laws``: what to load the rules from that rows name. ``recognised``: whether the same hand was recognised
        then as it is today. ``compiled``: whether compiled code is to be used.
        """
        self._laws, self._zone, self._recognised = laws, zone, recognised
        self._late, self._gone = replacements.late, replacements.gone
        self._compiled, self._reader = compiled, Reader()
        self._memory = _memory(compiled=compiled)
        self._batches: dict[str | None, Batch] = {}
        self._placers: dict[str | None, tuple[Placer, Sketcher]] = {}

    def __enter__(self) -> "Renewal":
        return self

    def __exit__(self, *problem: object) -> None:
        self._memory.close()

    def anew(self, rows: Rows) -> Iterator[Anew]:
        """Rows, some at a time."""
        texts = self._texts(rows)
        for run in _runs(rows, texts, self._named(rows, texts)):
            if run.is_block:
                yield self._block(rows, texts, run)
            else:
                yield from self._by_themselves(rows, run)

    # Which rows may stand in a block

    def _texts(self, rows: Rows) -> list[bytes | None]:
        """Each row as a line of a log; None where it must be read by itself."""
        if not self._compiled:
            return [None] * len(rows.hands)
        hands = rows.hands["hand"].to_pylist()
        odd = {hand for hand, found in rows.findings.items() if not _ODD.isdisjoint(each.code for each in found)}
        raw = zip(hands, *(rows.raw[name].to_pylist() for name in rows.raw.column_names), strict=True)
        return [None if hand in odd else self._reader.line(*each) for hand, *each in raw]

    def _named(self, rows: Rows, texts: Sequence[bytes | None]) -> list[str | None]:
        """The ruleset that each line was audited under in place of its own; None for its own."""
        told = zip(rows.hands["counted"].to_pylist(), rows.hands["rules"].to_pylist(), texts, strict=True)
        return [
            None if text is None else self._law(rules if counted else None, rules_named(text))
            for counted, rules, text in told
        ]

    def _law(self, rules: str | None, named: str | None) -> str | None:
        """What is to be loaded in place of the rules that a record names, where it was audited under these."""
        if rules is None:
            return None
        law = self._laws[rules]
        return None if law == rules == named else law

    # Block by block

    def _block(self, rows: Rows, texts: Sequence[bytes | None], run: Run) -> Anew:
        """A run of lines."""
        from ingest.bulk.settling import settle, with_untold

        placer, sketcher = self._of_law(run.law)
        lines = self._lines(rows, texts, run)
        sketched = sketcher.sketch(lines.source, lines.line, lines.text)
        hands = rows.hands["hand"].slice(run.begin, run.end - run.begin).to_pylist()
        apart = [row for row, hand in enumerate(hands) if self._is_apart(hand, rows)]
        placed = placer.one_by_one(
            lines, sketched.found, partial(self._single, rows, run, sketched.found.proven.tolist()), apart
        )
        single = with_untold(lines, sketched, placed)
        part = settle(lines, sketched, single, 0, lambda _: False).part
        gone = {row for row, audited in single.items() if not is_row(audited)}
        left = [row for row in range(len(hands)) if row not in gone]
        return Anew(run.begin, len(hands), left, _as_it_came(part, rows, texts, [run.begin + at for at in left]))

    def _of_law(self, law: str | None) -> "tuple[Placer, Sketcher]":
        from ingest.bulk.placing import Placer
        from ingest.bulk.recollection import InArrays
        from ingest.bulk.sketching import Sketcher

        if law not in self._placers:
            assert isinstance(self._memory, InArrays)
            placer = Placer(law, lambda _: b"", self._memory)
            self._placers[law] = placer, Sketcher(law, self._memory.secret, self._zone)
        return self._placers[law]

    def _lines(self, rows: Rows, texts: Sequence[bytes | None], run: Run) -> Lines:
        source = rows.hands["source"][run.begin].as_py()
        numbers = rows.hands["line"].slice(run.begin, run.end - run.begin).to_pylist()
        some = zip(numbers, texts[run.begin : run.end], strict=True)
        told = [(number, text) for number, text in some if text is not None]
        return spaced(source, told, self._reader.reported(source))

    def _is_apart(self, hand: int, rows: Rows) -> bool:
        """Whether a hand is not put among the others as they come."""
        stays = any(finding.code == REFUSED for finding in rows.findings.get(hand, ()))
        return stays or hand in self._late or (hand in self._gone and not self._recognised)

    def _single(
        self, rows: Rows, run: Run, proven: Sequence[bool], at: int, judged: Callable[[], Judged]
    ) -> Audited | None:
        """A row of a block by itself. What took another's place need not be judged again where it is proven."""
        [row] = rows.each(run.begin + at, run.begin + at + 1)
        if proven[at] and row.hand in self._late and row.codes.isdisjoint((REFUSED, *NEIGHBOURS)):
            return None
        found = judged()
        if row.record is not None:
            entry = structs.replace(found.entry, raw=row.raw, format=row.format or NATIVE)
            found = structs.replace(found, entry=entry)
        return self._placed(row, found, run.law)

    # One by one

    def _by_themselves(self, rows: Rows, run: Run) -> Iterator[Anew]:
        """A run of rows that are read by themselves."""
        read = ((row, self._reader.entry(row)) for row in rows.each(run.begin, run.end))
        begin = run.begin
        for law, some in groupby(read, self._law_of):
            for chunk, judged in _judged(some, law):
                placed = [self._placed(row, each, law) for row, each in zip(chunk, judged, strict=True)]
                part = complete(placed, sketch(list(judged), self._zone, fewest_plays, turned), 0)
                left = [at for at, audited in enumerate(placed) if is_row(audited)]
                numbers = pa.array([chunk[at].hand for at in left], pa.int64())
                yield Anew(begin, len(chunk), left, {n: _renumbered(batch, numbers) for n, batch in part.items()})
                begin += len(chunk)

    def _law_of(self, read: Read) -> str | None:
        row, entry = read
        return self._law(row.rules if row.counted else None, None if entry.record is None else entry.record.rules)

    def _placed(self, row: Stored, judged: Judged, law: str | None) -> Audited:
        """A row among those before it. What took another's place stands out of its order: what was said stays."""
        entry, record = judged.entry, judged.entry.record
        stays = [finding for finding in row.findings if finding.code == REFUSED]
        if stays and record is not None:
            verdict = unreadable(stays[0], entry.source, entry.line, record)
            return Audited(entry, verdict, identity=judged.identity, counted=False)
        batch = self._batch(law)
        if record is None or judged.identity is None:
            return Audited(entry, judged.verdict, counted=False)
        if row.hand not in self._late:
            known_then = self._recognised or row.hand in self._gone
            return batch.follow(judged) if known_then else batch.place(judged)
        said = [each for each in row.findings if each.code in NEIGHBOURS and each not in judged.verdict.findings]
        verdict = with_findings(judged.verdict, said)
        return Audited(entry, verdict, judged.hand, judged.identity, counted=verdict.verdict != "unreadable")

    def _batch(self, law: str | None) -> Batch:
        if self._compiled:
            return self._of_law(law)[0].batch
        return self._batches.setdefault(law, Batch(law, self._memory))


def _memory(*, compiled: bool) -> "Memory":
    if not compiled:
        return InLedgers()
    from ingest.bulk.recollection import InArrays

    return InArrays()


def _runs(rows: Rows, texts: Sequence[bytes | None], laws: Sequence[str | None]) -> Iterator[Run]:
    """Rows as runs: blocks where there are lines enough, and what lies between them."""
    begun = 0
    for begin, end in _stretches(rows, texts, laws):
        if texts[begin] is not None and end - begin >= FEWEST:
            if begun < begin:
                yield Run(begun, begin, None, is_block=False)
            yield Run(begin, end, laws[begin], is_block=True)
            begun = end
    if begun < len(texts):
        yield Run(begun, len(texts), None, is_block=False)


def _stretches(rows: Rows, texts: Sequence[bytes | None], laws: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    """Rows that may be lines of one block, from one place to before another."""
    sources, lines = rows.hands["source"].to_pylist(), rows.hands["line"].to_pylist()
    kinds = [*zip([text is None for text in texts], laws, sources, strict=True)]
    begin = size = 0
    for at in range(1, len(texts) + 1):
        size += len(texts[at - 1] or b"")
        is_last = at == len(texts) or size >= BLOCK or at - begin >= LINES
        if is_last or kinds[at] != kinds[begin] or not lines[at - 1] < lines[at] <= lines[at - 1] + FARTHEST:
            yield begin, at
            begin, size = at, 0


def _judged(read: Iterable[Read], law: str | None) -> Iterator[tuple[list[Stored], list[Judged]]]:
    """Rows with what is said of each by itself, some at a time."""
    asked: list[Stored] = []

    def entries() -> Iterator[Entry]:
        for row, entry in read:
            asked.append(row)
            yield entry

    found = (with_hand(each, law) for each in judge_all(entries(), law))
    for chunk in portions(found, CHUNK, lambda each: size_of(each.entry)):
        yield asked[: len(chunk)], chunk
        del asked[: len(chunk)]


def _as_it_came(part: Part, rows: Rows, texts: Sequence[bytes | None], left: Sequence[int]) -> Part:
    """The tables of a block with what they have of these rows in place of its lines."""
    came = rows.raw.take(pa.array(left, pa.int64()))
    is_other = pc.is_valid(came["record"])
    record = [texts[at] if other else None for at, other in zip(left, is_other.to_pylist(), strict=True)]
    hands = rows.hands.take(pa.array(left, pa.int64()))
    raw = {
        "hand": hands["hand"], "source": hands["source"], "line": hands["line"], "raw": came["raw"],
        "format": pc.fill_null(came["format"], NATIVE), "record": pa.array(record, RAW.schema.field("record").type),
        "packed": part["raw"]["packed"],
    }  # fmt: skip
    whole = {name: each.combine_chunks() if isinstance(each, pa.ChunkedArray) else each for name, each in raw.items()}
    if pc.any(is_other).as_py():
        part = part | {"hands": _keyed(part["hands"], came)}
    numbers = whole["hand"]
    return {name: _renumbered(batch, numbers) for name, batch in part.items()} | {"raw": from_lists(RAW, whole)}


def _keyed(hands: pa.RecordBatch, came: pa.Table) -> pa.RecordBatch:
    """Hands of other programs' logs are known by what they came as, not by our line for it."""
    told = (hands["counted"], hands["source"], hands["entry"], came["raw"], came["record"])
    keys = [
        hand_digest(source, raw) if counted and record is not None else entry
        for counted, source, entry, raw, record in zip(*(each.to_pylist() for each in told), strict=True)
    ]
    place = hands.schema.get_field_index("entry")
    field = HANDS.schema.field("entry")
    return hands.set_column(place, field, pa.array(keys, field.type))


def _renumbered(batch: pa.RecordBatch, numbers: pa.Array) -> pa.RecordBatch:
    """Rows under the numbers that they had; findings of no row have none."""
    return batch.set_column(0, batch.schema.field("hand"), pc.take(numbers, batch["hand"]))
