"""What was said of stored hands, column by column, held against what is said of them now.

Knows the columns of ``hands`` and ``seats`` that are a verdict in short (``ingest.bulk.reported.Told``). Rows become
objects only where something else is said, or where the verdicts on them come one by one.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ingest.bulk.codes import Codes
from ingest.bulk.layout import OUTCOMES, SEATS, SHORT, Short
from ingest.bulk.reported import SHORTLY, Change, Told, Verdicts, told_of
from ingest.verdict import Verdict

if TYPE_CHECKING:
    from ingest.bulk.briefly import Brief

_NUMBERS = {"landlord": Short.LANDLORD, "bid": Short.BID, "multiplier": Short.MULTIPLIER, "unit": Short.UNIT}


class Said:
    """Some stored hands, with what was said of them."""

    def __init__(self, hands: pa.Table, scores: pa.Table, codes: Codes, ids: Callable[[int], str | None]) -> None:
        """``hands``: ``hand``, in order, ``source``, ``line`` and ``SHORTLY``. ``scores``: a column by seat, null where
        there is no such seat or not all scores of the hand are known. ``codes``: of findings, by hand. ``ids``: the id
        of a hand.
        """
        self.hands, self.scores, self.codes, self.ids = hands, scores, codes, ids

    def __len__(self) -> int:
        return int(self.hands.num_rows)

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
        unlike = pc.indices_nonzero(pc.invert(self._is_as(brief))).to_pylist()
        asked = sorted({*unlike, *noted.differ(brief.notes)})
        if asked:
            said = self.taken(lambda table: table.take(asked))
            for row, place in enumerate(asked):
                yield from said.change(row, brief.at(place))

    def _is_as(self, brief: "Brief") -> pa.Array:
        """Whether the same is said of each in short, but for notes. False where it is not plain."""
        same = pc.and_(brief.told(), pc.fill_null(pc.equal(self.hands["verdict"], "clean"), False))
        for column in self.scores.columns[SEATS:]:
            same = pc.and_(same, column.is_null())
        for before, number in self._numbers():
            same = _and_equal(same, before, brief.column(number))
        return same

    def _numbers(self) -> Iterator[tuple[pa.ChunkedArray, int]]:
        """What was said as columns, with the numbers of those that they are held against."""
        outcomes = pc.index_in(self.hands["outcome"], value_set=pa.array(OUTCOMES))
        yield pc.coalesce(outcomes, pa.scalar(-1, pa.int32())), Short.OUTCOME
        for name, number in _NUMBERS.items():
            yield self.hands[name], number
        none = pa.chunked_array([pa.nulls(len(self), pa.int64())])
        columns = [*self.scores.columns, *[none] * SEATS][:SEATS]
        yield from zip(columns, range(Short.SCORE, SHORT), strict=True)


def _and_equal(same: pa.Array, before: pa.ChunkedArray, after: pa.Array) -> pa.Array:
    """Where besides two columns are alike; null is like null."""
    nulls = before.null_count, after.null_count
    if nulls == (len(before), len(after)):
        return same
    equal = pc.equal(before, after)
    return pc.and_(same, pc.coalesce(equal, pc.and_(before.is_null(), after.is_null())) if any(nulls) else equal)


def _scores(table: pa.Table, size: int) -> Iterable[list[Any] | None]:
    """The scores of each hand, seats in order; None where they are not known."""
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    some = ([score for score in row if score is not None] or None for row in rows)
    return some if table.num_columns else [None] * size


def scores_by_seat(hands: pa.Array, seats: pa.Table) -> pa.Table:
    """The recomputed scores of ``hands``, in their order, as a column by seat; null for all seats of a hand where one
    is not known. ``seats``: ``hand``, ``seat`` and ``score``.
    """
    count = (pc.max(seats["seat"]).as_py() + 1) if len(seats) else 0
    rows, seat, score = (_numpy(seats[name]) for name in ("hand", "seat", "score"))
    numbers = _numpy(hands)
    places = np.searchsorted(numbers, rows) if _has_gaps(numbers) else rows - numbers[:1]
    found, known = np.zeros((count, len(hands)), np.int64), np.zeros((count, len(hands)), np.bool_)
    found[seat, places], known[seat, places] = score, True
    if seats["score"].null_count:
        known[:, places[_numpy(seats["score"].is_null())]] = False
    columns = [pa.array(values, mask=~there) for values, there in zip(found, known, strict=True)]
    return pa.table(columns, names=[f"score_{seat}" for seat in range(count)])


def _numpy(values: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Numbers or flags; 0 where a number is null."""
    found: NDArray[Any] = values.fill_null(0).to_numpy() if values.null_count else values.to_numpy()
    return found


def _has_gaps(numbers: NDArray[np.int64]) -> bool:
    return len(numbers) > 0 and int(numbers[-1] - numbers[0]) != len(numbers) - 1
