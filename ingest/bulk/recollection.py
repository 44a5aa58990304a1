"""The memory of an audit of whole logs in flat arrays, which compiled code and ``ingest.batch`` share.

Knows where a hand, an id and a table are found again. What is remembered of hands is on disk, 88 bytes each; in memory
are two finders, 32 to 64 bytes a hand together, and what tables left, 136 bytes each.
"""

import os
import secrets
import tempfile
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ingest.bulk.compiled import recall as compiled
from ingest.bulk.compiled.machine import PADDING
from ingest.bulk.compiled.recall import HAS_PLAYED, IS_HAND, IS_ODD, PLACES, Remembered
from ingest.bulk.layout import ABSENT, KEPT, SEATS, STATES, Kept, State
from ingest.identity import Identity
from ingest.ledger import Ledger, Ledgers
from ingest.memory import ALIKE, ARRAYS, IN_ARRAYS, Place, TableState

_LEAST = 1 << 12
"""Slots of the smallest finder."""
_READ = 1 << 14
"""Rows that are read at once where finders grow."""
_LARGEST = 1 << 62
_DEAL_BYTES = 8 * 3
_STATES, _IDENTITIES, _ = IN_ARRAYS
_MEMO, _KEPT, _LEFT = b"memo", b"kept", b"left"
"""Under what it is saved: the rest, rows of hands, what a table left; the number of the first behind it."""
Words = NDArray[np.uint64]


class Hasher:
    """Hashes names under the key of a run, as compiled code does."""

    def __init__(self, secret: Words) -> None:
        self._secret = secret
        self._text = np.zeros(256, np.uint8)
        self._sources: dict[str, np.uint64] = {"": np.uint64(0)}

    def of(self, text: str, kind: int, source: str = "") -> tuple[int, int]:
        """The hash of a name, of which there is one in each source."""
        first, second = self._keyed(text, kind, self.source(source))
        return int(first), int(second)

    def source(self, name: str) -> np.uint64:
        """What names of a source are hashed with; 0 for no source."""
        if name not in self._sources:
            self._sources[name] = np.uint64(self._keyed(name, compiled.SOURCE_KIND, np.uint64(0))[0])
        return self._sources[name]

    def _keyed(self, text: str, kind: int, source: np.uint64) -> tuple[int, int]:
        data = text.encode(errors="surrogatepass")
        if len(data) + PADDING > len(self._text):
            self._text = np.zeros(2 * len(data) + PADDING, np.uint8)
        self._text[: len(data)] = np.frombuffer(data, np.uint8)
        hashed: tuple[int, int] = compiled.keyed(self._text, len(data), self._secret, kind, source)
        return hashed


class InArrays:
    """A memory (``ingest.memory.Memory``) that compiled code looks into and adds to."""

    def __init__(self, ledgers: Ledgers | None = None) -> None:
        """``ledgers``: ``IN_ARRAYS`` among others, in which it may be saved, and is found again where it was."""
        self.sources: list[str] = []
        self.rulesets: list[str] = []
        self._source_numbers: dict[str, int] = {}
        self._ruleset_numbers: dict[str, int] = {}
        self.secret = np.array([secrets.randbits(64), secrets.randbits(64)], np.uint64)
        """The key of this run's hashes."""
        self._ids, self._hands, self._tables = (np.zeros(_LEAST, np.uint64) for _ in range(3))
        self._states = np.zeros((_LEAST // 2, STATES), np.int64)
        self._kept = np.zeros((_LEAST, KEPT), np.uint64)
        self._counts = np.zeros(3, np.int64)
        self._file = tempfile.TemporaryFile(prefix="fupan-", buffering=0)  # noqa: SIM115 - closed by close
        self._odd, self._is_mine = ledgers or Ledgers(*IN_ARRAYS), ledgers is None
        self._saved, self._left = 0, np.zeros((0, STATES), np.int64)
        """How many rows of hands are saved, and what tables had left then."""
        self._found = np.zeros(ALIKE + 1, np.int64)
        if ledgers is not None:
            self._restore(ledgers[ARRAYS])
        self._hasher = Hasher(self.secret)

    def close(self) -> None:
        """As ``Memory``."""
        self._file.close()
        if self._is_mine:
            self._odd.close()

    def save(self) -> None:
        """Put into the ledgers whatever is not there yet."""
        self._write()
        arrays, (hands, _, states) = self._odd[ARRAYS], map(int, self._counts)
        for first in range(self._saved, hands, _READ):
            arrays.put(_KEPT + first.to_bytes(8, "big"), self._rows(first, min(_READ, hands - first)).tobytes())
        before = np.zeros((states, STATES), np.int64)
        before[: len(self._left)] = self._left
        for row in np.flatnonzero((self._states[:states] != before).any(axis=1)).tolist():
            arrays.put(_LEFT + row.to_bytes(8, "big"), self._states[row].tobytes())
        self._saved, self._left = hands, self._states[:states].copy()
        told = self.secret.tolist(), self.sources, self.rulesets, hands, states
        arrays.put(_MEMO, msgspec.msgpack.encode(told))

    def _restore(self, arrays: Ledger) -> None:
        """Everything as it was saved; what was put there by a save that was broken off counts for nothing."""
        memo = arrays.get(_MEMO)
        if memo is None:
            return
        secret, self.sources, self.rulesets, hands, states = msgspec.msgpack.decode(memo)
        self.secret[:] = secret
        self._source_numbers = {name: number for number, name in enumerate(self.sources)}
        self._ruleset_numbers = {name: number for number, name in enumerate(self.rulesets)}
        self._states = np.zeros((max(2 * states, _LEAST // 2), STATES), np.int64)
        for key, value in arrays.all():
            if key.startswith(_KEPT):
                self._file.write(value)
            elif key.startswith(_LEFT):
                self._states[int.from_bytes(key[len(_LEFT) :], "big")] = np.frombuffer(value, np.int64)
        self._counts[0], self._counts[2] = hands, states
        self._saved, self._left = hands, self._states[:states].copy()
        self._grow_finders(2 * hands)
        self._tables = _finder(2 * states)
        compiled.find_tables_again(self._states, states, self._tables)

    # For compiled code

    def arrays(self, rows: int) -> Remembered:
        """The arrays, with room for so many more hands, each at a table of its own."""
        self._make_room(rows)
        return Remembered(self.secret, self._ids, self._hands, self._tables, self._states, self._kept, self._counts)

    def source(self, name: str) -> int:
        """The number of a source."""
        return _number(name, self.sources, self._source_numbers)

    def ruleset(self, name: str) -> int:
        """The number of a ruleset."""
        return _number(name, self.rulesets, self._ruleset_numbers)

    def _make_room(self, rows: int) -> None:
        on_disk, waiting, states = map(int, self._counts)
        if waiting + rows > len(self._kept):
            self._write()
            if rows > len(self._kept):
                self._kept = np.zeros((rows, KEPT), np.uint64)
        if 2 * (on_disk + waiting + rows) > len(self._ids):
            self._grow_finders(2 * (on_disk + waiting + rows))
        if states + rows > len(self._states):
            grown = np.zeros((2 * (states + rows), STATES), np.int64)
            grown[:states] = self._states[:states]
            self._states = grown
        if 2 * (states + rows) > len(self._tables):
            self._tables = _finder(2 * (states + rows))
            compiled.find_tables_again(self._states, states, self._tables)

    def _write(self) -> None:
        """Move rows to the disk."""
        waiting = int(self._counts[1])
        data = memoryview(self._kept[:waiting].tobytes())
        while data:
            data = data[self._file.write(data) :]
        self._counts[0] += waiting
        self._counts[1] = 0

    def _grow_finders(self, slots: int) -> None:
        self._write()
        self._ids, self._hands = _finder(slots), _finder(slots)
        for first in range(0, int(self._counts[0]), _READ):
            rows = self._rows(first, min(_READ, int(self._counts[0]) - first))
            compiled.find_again(rows, first, self.secret, self._ids, self._hands)

    def _rows(self, first: int, count: int) -> Words:
        """Rows on disk."""
        size = 8 * KEPT
        data = os.pread(self._file.fileno(), count * size, first * size)
        return np.frombuffer(data, np.uint64).reshape(count, KEPT)

    def _row(self, place: int) -> Words:
        on_disk = int(self._counts[0])
        row: Words = self._kept[place - on_disk] if place >= on_disk else self._rows(place, 1)[0]
        return row

    # For ``ingest.batch``

    def name(self, player: str) -> str:
        """The hash of an id."""
        return f"{self._hasher.of(player, compiled.PLAYER_KIND)[0]:016x}"

    def place_of(self, source: str, id: str) -> Place | None:
        """As ``Memory``."""
        first, second = self._hasher.of(id, compiled.ID_KIND, source)
        for row, place in self._candidates(self._ids, first):
            if (int(row[Kept.ID]), int(row[Kept.ID + 1])) == (first, second):
                return self._place(row, place)
        return None

    def places_of(self, hand: Identity) -> Sequence[Place]:
        """As ``Memory``."""
        found = [self._place(row, at) for row, at in self._candidates(self._hands, self._hand_hash(hand))]
        return [place for place in found if place.identity.key == hand.key]

    def keep_id(self, id: str, here: Place) -> None:
        """As ``Memory``."""
        self._make_room(1)
        source = self.source(here.source)
        first, second = self._hasher.of(id, compiled.ID_KIND, here.source)
        row, hand = self._kept[int(self._counts[1])], here.identity
        place = int(self._counts[:2].sum())
        played = hand.played or bytes(16)
        row[Kept.ID], row[Kept.ID + 1] = first, second
        row[Kept.CONTENT : Kept.DEAL] = np.frombuffer(hand.content + played, np.uint64)
        is_odd = len(hand.deal) > _DEAL_BYTES
        deal = b"" if is_odd else hand.deal
        row[Kept.DEAL : Kept.WHERE] = np.frombuffer(deal.ljust(_DEAL_BYTES, b"\0"), np.uint64)
        row[Kept.WHERE] = source << PLACES | here.line
        row[Kept.HOW] = len(deal) << 8 | (HAS_PLAYED if hand.played else 0) | (IS_ODD if is_odd else 0)
        if is_odd:
            self._odd[_IDENTITIES].put(place.to_bytes(8, "big"), msgspec.msgpack.encode(hand))
        compiled.put(self._ids, np.uint64(first), place)
        self._counts[1] += 1

    def keep_hand(self, here: Place) -> None:
        """As ``Memory``: of the place that was kept last."""
        self._kept[int(self._counts[1]) - 1, Kept.HOW] |= np.uint64(IS_HAND)
        compiled.put(self._hands, np.uint64(self._hand_hash(here.identity)), int(self._counts[:2].sum()) - 1)

    def state_of(self, source: str, table: str) -> TableState | None:
        """As ``Memory``."""
        key = self._hasher.of(table, compiled.TABLE_KIND, source)
        at = compiled.state_of(self._tables, self._states, *map(np.uint64, key))
        if at < 0:
            return None
        state = self._states[at]
        if state[State.RULES] == compiled.ODD:
            known = self._odd[_STATES].get(_bytes(key))
            return None if known is None else msgspec.json.decode(known, type=TableState)
        size, voids = int(state[State.PLAYERS]), int(state[State.VOIDS])
        balances, claimed = (_numbers(state[first : first + size]) for first in (State.BALANCE, State.CLAIMED))
        return TableState(
            rules=self.rulesets[int(state[State.RULES])],
            players=[f"{int(each) & (1 << 64) - 1:016x}" for each in state[State.PLAYER : State.PLAYER + size]],
            voids=None if voids < 0 else voids,
            balances=balances,
            claimed=claimed,
        )

    def keep_state(self, source: str, table: str, state: TableState) -> None:
        """As ``Memory``."""
        self._make_room(1)
        key = self._hasher.of(table, compiled.TABLE_KIND, source)
        at = compiled.state_of(self._tables, self._states, *map(np.uint64, key))
        if at < 0:
            at = int(self._counts[2])
            self._counts[2] += 1
            compiled.put(self._tables, np.uint64(key[0]), at)
        row = self._states[at]
        row[State.KEY : State.KEY + 2] = np.array(key, np.uint64).view(np.int64)
        if not is_plain(state):
            row[State.RULES] = compiled.ODD
            self._odd[_STATES].put(_bytes(key), msgspec.json.encode(state))
            return
        size = len(state.players)
        balances = state.balances or [None] * size
        row[State.RULES] = self.ruleset(state.rules)
        row[State.PLAYERS], row[State.VOIDS] = size, -1 if state.voids is None else state.voids
        players = np.array([int(player, 16) for player in state.players], np.uint64).view(np.int64)
        for first, values in (
            (State.PLAYER, players),
            (State.BALANCE, filled(balances)),
            (State.CLAIMED, filled(state.claimed or balances)),
        ):
            row[first : first + size] = values

    def _candidates(self, finder: Words, hash: int) -> list[tuple[Words, int]]:
        count = compiled.candidates(finder, np.uint64(hash), self._found)
        return [(self._row(place), place) for place in map(int, self._found[:count])]

    def _place(self, row: Words, place: int) -> Place:
        where, how = int(row[Kept.WHERE]), int(row[Kept.HOW])
        source, line = self.sources[where >> PLACES], where & (1 << PLACES) - 1
        if how & IS_ODD:
            known = self._odd[_IDENTITIES].get(place.to_bytes(8, "big"))
            assert known is not None
            return Place(source, line, msgspec.msgpack.decode(known, type=Identity))
        content, played, deal = (
            row[first:stop].tobytes() for first, stop in ((Kept.CONTENT, Kept.PLAYED), (Kept.PLAYED, Kept.DEAL),
                                                          (Kept.DEAL, Kept.WHERE))
        )  # fmt: skip
        return Place(source, line, Identity(content, played if how & HAS_PLAYED else b"", deal[: how >> 8]))

    def _hand_hash(self, hand: Identity) -> int:
        first, second = np.frombuffer(hand.key, np.uint64)
        return int(compiled.hand_hash(first, second, self.secret))


def _number(name: str, names: list[str], numbers: dict[str, int]) -> int:
    if name not in numbers:
        numbers[name] = len(names)
        names.append(name)
    return numbers[name]


def _finder(slots: int) -> Words:
    return np.zeros(1 << max(slots - 1, _LEAST - 1).bit_length(), np.uint64)


def _bytes(key: tuple[int, int]) -> bytes:
    return b"".join(word.to_bytes(8, "big") for word in key)


def is_plain(state: TableState) -> bool:
    """Whether a state has room in a row."""
    numbers = [*(state.balances or []), *(state.claimed or []), state.voids]
    fits = all(number is None or -_LARGEST < number < _LARGEST for number in numbers)
    whole = not state.claimed or len(state.claimed) == len(state.players)
    return fits and whole and state.starter is None and len(state.players) <= SEATS and (state.voids or 0) >= 0


def _numbers(row: NDArray[np.int64]) -> list[int | None] | None:
    """Numbers of a row; None where there is none at all."""
    found = [None if value == ABSENT else value for value in row.tolist()]
    return found if any(value is not None for value in found) else None


def filled(values: Sequence[int | None]) -> list[int]:
    """Numbers, ``ABSENT`` for None."""
    return [ABSENT if value is None else value for value in values]
