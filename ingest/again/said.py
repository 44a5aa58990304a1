"""What was said of stored hands, column by column, held against what is said of them now.

Knows the columns of ``hands`` and ``seats`` that are a verdict in short (``ingest.bulk.reported.Told``). Rows become
objects only where something else is said, or where the verdicts on them come one by one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ingest.again.files import named
from ingest.bulk.codes import Codes
from ingest.bulk.layout import ABSENT, OUTCOMES, SEATS, SHORT, Short
from ingest.bulk.reported import SHORTLY, Change, Told, Verdicts, told_of
from ingest.verdict import Verdict

if TYPE_CHECKING:
    from ingest.bulk.briefly import Brief

_CLEAN = ("clean",)
_NUMBERS = {"landlord": Short.LANDLORD, "bid": Short.BID, "multiplier": Short.MULTIPLIER, "unit": Short.UNIT}


class Said:
    """Some stored hands, with what was said of them."""

    def __init__(self, hands: pa.Table, scores: pa.Table, codes: Codes, ids: Callable[[int], str | None]) -> None:
        """``hands``: ``hand``, in order, ``source``, ``file``, ``line`` and ``SHORTLY``. ``scores``: a column by seat,
        null where there is no such seat or not all scores of the hand are known. ``codes``: of findings, by hand.
        ``ids``: the id of a hand.
        """
        self.hands, self.scores, self.codes, self.ids = hands, scores, codes, ids

    def __len__(self) -> int:
        return int(self.hands.num_rows)

    @property
    def log(self) -> str:
        """The file of the first, by a name that no other has."""
        return named(self.hands["source"][0].as_py(), self.hands["file"][0].as_py())

    def goes_on(self) -> pa.Array:
        """Of each hand but the first, whether it is of the same file as the one before."""
        source, file = (self.hands[name].combine_chunks() for name in ("source", "file"))
        return pc.and_(pc.equal(source[1:], source[:-1]), pc.equal(file[1:], file[:-1]))

    def taken(self, take: Callable[[pa.Table], pa.Table]) -> "Said":
        """Some of these hands."""
        return Said(take(self.hands), take(self.scores), self.codes, self.ids)

    @cached_property
    def told(self) -> list[Told]:
        """What was said of each."""
        columns = [column.to_pylist() for column in self.hands.select(SHORTLY).columns]
        codes = map(self.codes.of, self.hands["hand"].to_pylist())
        return list(map(Told, *columns, _scores(self.scores, len(self)), codes))

    def change(self, row: int, now: Told | Verdict) -> Iterator[Change[Told]]:
        """What is said otherwise of one of them, if it is."""
        before = self.told[row]
        after, id = (told_of(now), now.id) if isinstance(now, Verdict) else (now, None)
        if after != before:
            hand, source, line = (self.hands[name][row].as_py() for name in ("hand", "source", "line"))
            yield Change(source, line, self.ids(hand) or id, before, after)

    def changes(self, verdicts: Verdicts) -> Iterator[Change[Told]]:
        """The hands of which the verdicts on all of them say something else."""
        brief = verdicts.brief()
        if brief is None:
            for row, now in enumerate(verdicts.others):
                yield from self.change(row, now)
            return
        noted = self.codes.among(self.hands["hand"].to_numpy())
        asked = sorted({*np.flatnonzero(~self._is_as(brief)).tolist(), *noted.differ(brief.notes)})
        if asked:
            said = self.taken(lambda table: table.take(asked))
            for row, place in enumerate(asked):
                yield from said.change(row, brief.at(place))

    def _is_as(self, brief: "Brief") -> NDArray[np.bool_]:
        """Whether the same is said of each in short, but for notes. False where it is not plain."""
        same: NDArray[np.bool_] = brief.is_new & (_numbers_of(self.hands["verdict"], _CLEAN) == 0)
        for column in self.scores.columns[SEATS:]:
            same &= ~_numpy(column.is_valid())
        for before, number in self._numbers():
            same &= before == brief.numbers[:, number]
        return same

    def _numbers(self) -> Iterator[tuple[NDArray[np.int64], int]]:
        """What was said as numbers, ``ABSENT`` for null, with the numbers of those that they are held against."""
        yield _numbers_of(self.hands["outcome"], OUTCOMES), Short.OUTCOME
        for name, number in _NUMBERS.items():
            yield _numpy(self.hands[name], ABSENT), number
        none = [np.full(len(self), ABSENT, np.int64)] * SEATS
        columns = [*(_numpy(column, ABSENT) for column in self.scores.columns), *none][:SEATS]
        yield from zip(columns, range(Short.SCORE, SHORT), strict=True)


def _numbers_of(texts: pa.ChunkedArray, named: Sequence[str]) -> NDArray[np.int64]:
    """The places of texts among those that are named; -1 for others and for none."""
    told = texts.combine_chunks()
    told = told if pa.types.is_dictionary(told.type) else told.dictionary_encode()
    places = [named.index(each) if each in named else -1 for each in told.dictionary.to_pylist()]
    found: NDArray[np.int64] = np.array([*places, -1], np.int64)[_numpy(told.indices, len(places))]
    return found


def _scores(table: pa.Table, size: int) -> Iterable[list[Any] | None]:
    """The scores of each hand, seats in order; None where they are not known."""
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    some = ([score for score in row if score is not None] or None for row in rows)
    return some if table.num_columns else [None] * size


def scores_by_seat(hands: pa.Array, seats: pa.Table) -> pa.Table:
    """The recomputed scores of ``hands``, in their order, as a column by seat; null for all seats of a hand where one
    is not known. ``seats``: ``hand``, ``seat`` and ``score``.
    """
    rows, seat, score = (_numpy(seats[name]) for name in ("hand", "seat", "score"))
    count = int(seat.max()) + 1 if len(seat) else 0
    numbers = _numpy(hands)
    places = np.searchsorted(numbers, rows) if _has_gaps(numbers) else rows - numbers[:1]
    found, known = np.zeros((count, len(hands)), np.int64), np.zeros((count, len(hands)), np.bool_)
    found[seat, places], known[seat, places] = score, True
    if seats["score"].null_count:
        known[:, places[_numpy(seats["score"].is_null())]] = False
    columns = [pa.array(values, mask=~there) for values, there in zip(found, known, strict=True)]
    return pa.table(columns, names=[f"score_{seat}" for seat in range(count)])


def _numpy(values: Any, null: int = 0) -> NDArray[Any]:
    """Numbers or flags; ``null`` where one is null."""
    if values.null_count:
        values = values.cast(pa.int64()).fill_null(null)
    found: NDArray[Any] = (
        values.to_numpy() if isinstance(values, pa.ChunkedArray) else values.to_numpy(zero_copy_only=False)
    )
    return found


def _has_gaps(numbers: NDArray[np.int64]) -> bool:
    return len(numbers) > 0 and int(numbers[-1] - numbers[0]) != len(numbers) - 1
