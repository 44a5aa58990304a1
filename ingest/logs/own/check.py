"""What a mapping makes of a sample: what was found and how often, what was passed over, what could not be read.

Knows how to count. Refuses to read in another way than an audit does: it reads with the same functions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec
from msgspec import Struct

from ingest.faults import Finding
from ingest.logs.entry import Entry, Source
from ingest.logs.own import hands_of, reading_of
from ingest.logs.own.found import Hand, value_at, values_at
from ingest.logs.own.keys import Mapping, MoveKeys, Place
from ingest.logs.own.mapping import Own
from ingest.logs.own.moves import items
from ingest.logs.own.paths import ALL, MISSING, Steps, covers, find, has_every, leaves, steps_of, written
from ingest.logs.own.places import group_paths, moves, paths_in_moves, places
from ingest.logs.own.troubles import Trouble, Unread
from ingest.logs.own.values import is_empty
from ingest.record import write_record

FIRST = 3
"""Hands shown as records."""
LIMIT = 10_000
"""Different columns or troubles that are counted; what has more has no columns."""


class Seen(Struct, frozen=True):
    """A trouble of one kind about one text: how often, and where first."""

    kind: str
    code: str
    text: str
    reason: str
    times: int
    source: str
    line: int
    field: str


class Report(Struct, frozen=True):
    """What a mapping makes of samples."""

    hands: int
    unread: int
    """Of these, hands of which no record could be made; and what is no hand at all."""
    found: dict[str, int]
    """In how many hands each place of the mapping has a value."""
    moves: dict[str, int]
    """Rows that are calls, and plays."""
    unused: dict[str, int]
    """Columns and keys that no place of the mapping reads, and in how many hands they stand."""
    troubles: list[Seen]
    records: list[msgspec.Raw]
    """The first hands, as records."""

    @property
    def sound(self) -> bool:
        """Whether everything was read."""
        return self.hands > 0 and not self.unread


class _Counts:
    """What is counted while hands are read."""

    def __init__(self, own: Own) -> None:
        self.own = own
        self.hands = self.unread = 0
        self.found = Counter[str](dict.fromkeys((key for key, _ in places(own.keys)), 0))
        self.moves = Counter[str](dict.fromkeys((name for name, _ in moves(own.keys)), 0))
        self.leaves = Counter[Steps]()
        self.troubles: dict[tuple[str, str, str], Seen] = {}
        self.records: list[msgspec.Raw] = []

    def count(self, source: Source) -> None:
        """Read one sample."""
        for number, hand in enumerate(hands_of(source, self.own), 1):
            if isinstance(hand, Entry):
                self.unread += 1
                for finding in hand.findings:
                    self.see(_as_trouble(finding), hand.source, hand.line)
            else:
                self._count_hand(hand, source, number)

    def _count_hand(self, hand: Hand, source: Source, number: int) -> None:
        self.hands += 1
        result = reading_of(hand, self.own, source, number)
        self.unread += result.record is None
        for trouble in result.troubles:
            self.see(trouble, source.name, trouble.line or hand.line)
        if result.record is not None and len(self.records) < FIRST:
            self.records.append(msgspec.Raw(write_record(result.record)))
        for key, several in places(self.own.keys):
            self.found[key] += any(_has_value(each, hand) for each in several)
        for name, table in moves(self.own.keys):
            self.moves[name] += _rows(table, hand)
        if len(self.leaves) < LIMIT:
            self.leaves.update(_leaves(hand))

    def see(self, trouble: Trouble, source: str, line: int) -> None:
        """Count a trouble."""
        key = (trouble.kind, trouble.code, trouble.text or trouble.reason or trouble.field)
        before = self.troubles.get(key)
        if before is not None:
            self.troubles[key] = msgspec.structs.replace(before, times=before.times + 1)
        elif len(self.troubles) < LIMIT:
            said = (trouble.kind, trouble.code, trouble.text, trouble.reason)
            self.troubles[key] = Seen(*said, 1, source, line, trouble.field)


def checked(samples: Iterable[Source | Entry], own: Own) -> Report:
    """What a mapping makes of samples."""
    counts = _Counts(own)
    for sample in samples:
        if isinstance(sample, Entry):
            counts.unread += 1
            counts.see(_as_trouble(sample.findings[0]), sample.source, sample.line)
        else:
            counts.count(sample)
    used = list(_used(own.keys))
    unused = {leaf: times for leaf, times in counts.leaves.items() if not any(covers(path, leaf) for path in used)}
    return Report(
        hands=counts.hands,
        unread=counts.unread,
        found=dict(counts.found),
        moves=dict(counts.moves),
        unused={written(leaf): times for leaf, times in sorted(unused.items(), key=lambda item: written(item[0]))},
        troubles=sorted(counts.troubles.values(), key=lambda seen: (seen.kind, -seen.times)),
        records=counts.records,
    )


def _as_trouble(finding: Finding) -> Trouble:
    said = finding.details
    return Trouble("file", finding.code, field=said.get("field", ""), reason=said.get("reason", ""))


def _has_value(each: Place, hand: Hand) -> bool:
    try:
        values = [value for _, value in values_at(each, hand)] if each.seat is not None else [value_at(each, hand)]
    except Unread:
        return False
    return any(value is not MISSING and not is_empty(value) for value in values)


def _rows(table: MoveKeys, hand: Hand) -> int:
    try:
        if table.form == "fupan":
            return len(str(find(hand.head, table.rows or "") or "").split())
        return sum(1 for _ in items(table, hand))
    except Unread:
        return 0


def _leaves(hand: Hand) -> set[Steps]:
    try:
        return set(chain.from_iterable(leaves(value) for value in _values(hand)))
    except RecursionError:
        return set()


def _values(hand: Hand) -> Iterator[object]:
    yield from ([hand.head] if hand.rows is None else (row.value for row in hand.rows))


def _used(keys: Mapping) -> Iterator[Steps]:
    """Every path that a mapping reads, from the top of a hand or a row."""
    source = keys.source
    tops = [*group_paths(keys), *([source.sort] if source.sort else []), *(source.begins or ()), *(source.ignore or ())]
    yield from map(steps_of, tops)
    for _, several in places(keys):
        for each in several:
            inside = [each.at, *(each.when or ()), *([] if each.seat is None else [each.seat])]
            yield from (_in_rows(each.rows, path) for path in inside)
    for name, table in moves(keys):
        paths = [*(path for _, path in paths_in_moves(name, table)), *(table.when or ())]
        paths += keys.plays.pass_when or () if name == "plays" else ()
        if table.form == "fupan" or table.split is not None:
            paths = [""]
        yield from (_in_rows(table.rows, path) for path in paths)


def _in_rows(rows: str | None, path: str) -> Steps:
    if rows is None:
        return steps_of(path)
    steps = steps_of(rows)
    return (*steps, *(() if has_every(steps) or not path else steps_of(ALL)), *steps_of(path))
