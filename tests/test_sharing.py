"""What forked processes share: texts and arrays come through it as they were, and what has no room is sent."""

from pathlib import Path

import numpy as np
import pytest
from msgspec import Struct
from numpy.typing import NDArray

from ingest.bulk import Engine, Way, audit_logs, available, sharing
from ingest.bulk.sharing import Room, Shared, Where
from ingest.logs import lines, read_blocks
from ingest.rules.ruleset import load
from ingest.simulate import hands


class Told(Struct, frozen=True):
    """Something with arrays."""

    flags: NDArray[np.bool_]
    rows: NDArray[np.int64]
    own: NDArray[np.uint8]
    name: str


def test_a_text_lies_in_a_slot_until_that_is_free():
    memory = Shared(2)
    first, second = memory.put("地主".encode()), memory.put(b"")
    assert (first is None, second is None, memory.put(b"more")) == (False, False, None)
    assert first is not None
    assert memory.text(first, 6) == "地主".encode()
    memory.free(first)
    assert memory.put(b"more") == first
    assert memory.text(first, 4) == b"more"


def test_a_text_that_is_too_long_has_no_slot(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sharing, "TEXT", 8)
    assert Shared(1).put(b"123456789") is None
    assert Shared(1).put(b"12345678") == 0


@pytest.mark.parametrize(("size", "shared"), [(64 * 4, {"flags", "rows"}), (64, {"flags"}), (4, set())])
def test_arrays_come_back_as_they_were(size: int, shared: set[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sharing, "ARRAYS", size)
    memory = Shared(3)
    for slot in (memory.put(b"a"), memory.put(b"b")):
        assert slot is not None
        room = Room(memory.room(slot))
        told = Told(room.zeros((5,), np.bool_), room.zeros((5, 3), np.int64), np.arange(3, dtype=np.uint8), "x")
        assert not told.flags.any()
        assert not told.rows.any()
        told.flags[1], told.rows[4] = True, [1, -2, slot]
        rest, arrays = room.parted(told)
        assert {name for name, where in arrays.items() if isinstance(where, Where)} == shared
        assert not rest.rows.size
        again = memory.joined(slot, rest, arrays)
        assert again.name == "x"
        for name in ("flags", "rows", "own"):
            assert np.array_equal(getattr(again, name), getattr(told, name))
            assert getattr(again, name).dtype == getattr(told, name).dtype
        memory.free(slot)


@pytest.mark.skipif(not available(), reason="Numba is not installed")
@pytest.mark.parametrize(("text", "arrays"), [(5 << 20, 8 << 20), (4000, 8 << 20), (5 << 20, 4000), (1, 1)])
def test_the_verdicts_are_the_same_whatever_is_shared(
    text: int, arrays: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Blocks of some hands, of which all, some or none have room for their text or their arrays."""
    monkeypatch.setattr("ingest.logs.blocks", lambda source: lines.blocks(source, 4000))
    monkeypatch.setattr(sharing, "TEXT", text)
    monkeypatch.setattr(sharing, "ARRAYS", arrays)
    for name in ("classic", "platform"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(hands(load(name), 60, seed=31, faults=0.2)))
    found = []
    for jobs in (1, 2):
        way = Way(language="en", engine=Engine.bulk, jobs=jobs)
        found.append([line for some in audit_logs(read_blocks([str(tmp_path)]), way) for line in some.lines()])
    assert found[0] == found[1]
    assert len(found[0]) == 120
