"""Messages digested side by side by compiled code have the digests of hashlib."""

import os
import random
import subprocess
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ingest.bulk import available

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")


@cache
def together() -> Any:
    """Compiled code that digests up to ``LANES`` messages, which lie one behind the other."""
    from ingest.bulk.compiled.blake import digest_lanes, into_lane
    from ingest.bulk.compiled.machine import outer

    @outer
    def digest(parts, sizes, count, message, words, state, found):
        at = 0
        for lane in range(count):
            for place in range(sizes[lane]):
                message[place] = parts[at + place]
            at += sizes[lane]
            into_lane(message, sizes[lane], lane, words, 0)
        digest_lanes(words, 0, sizes, 0, count, state, found)

    return digest


def digests(messages: list[bytes]) -> list[bytes]:
    from ingest.bulk.compiled.blake import BLOCK, LANES, STATE

    room = max(map(len, messages)) + 2 * BLOCK
    found = np.zeros((LANES, 2), np.uint64)
    together()(
        np.frombuffer(b"".join(messages) + b"\0", np.uint8), np.array([*map(len, messages)], np.int64), len(messages),
        np.full(room, 255, np.uint8), np.full(room // 8 * LANES, 7, np.uint64), np.full(STATE * LANES, 9, np.uint64),
        found,
    )  # fmt: skip
    return [row.tobytes() for row in found[: len(messages)]]


def test_lanes_of_any_length_have_the_digests_of_hashlib():
    chance = random.Random(5)
    lengths = [[0], [128, 0, 129, 1], [127], [256, 256, 255, 257], [1000, 3], [40, 700, 128]]
    lengths += [[chance.randrange(700) for _ in range(chance.randint(1, 4))] for _ in range(60)]
    for sizes in lengths:
        messages = [chance.randbytes(size) for size in sizes]
        assert digests(messages) == [blake2b(each, digest_size=16).digest() for each in messages], sizes


def test_and_so_have_lanes_of_any_length_where_the_processor_mixes_one_at_a_time(tmp_path: Path):
    """Compiled for any processor of its kind: words are as wide as everywhere."""
    width = "from ingest.bulk.compiled.machine import AT_ONCE as n; assert n == 1; import test_blake as t; "
    command = [sys.executable, "-c", f"{width}t.test_lanes_of_any_length_have_the_digests_of_hashlib()"]
    path = os.pathsep.join(map(str, (Path(__file__).parents[1], Path(__file__).parent)))
    plain = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": path,
    }
    done = subprocess.run(command, env=os.environ | plain, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
