"""Whatever the bytes, reading and judging ends with verdicts: every input that was found, and random damage to them."""

import random

import pytest
from fuzz.harness import CORPUS, WAYS, one

INPUTS = sorted(CORPUS.iterdir())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_every_input_that_was_found_has_verdicts(path):
    assert one(path.read_bytes())


def test_every_format_has_an_input_that_is_read():
    read = {path.read_bytes()[0] % len(WAYS) for path in INPUTS if {"clean", "faulty"} & set(one(path.read_bytes()))}
    assert len(read) > len(WAYS) // 2


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Bytes cut, doubled, joined, changed."""
    at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    match chance.randrange(5):
        case 0:
            return data[:at] + data[to:]
        case 1:
            return data[:to] + data[at:]
        case 2:
            return data[:at] + other[chance.randrange(len(other)) :]
        case 3:
            return data[:at] + chance.randbytes(3) + data[at + 3 :]
        case _:
            return bytes([chance.randrange(256)]) + data[1:]


def check(seed: int, number: int) -> None:
    chance = random.Random(seed)
    inputs = [path.read_bytes() for path in INPUTS]
    for _ in range(number):
        data = chance.choice(inputs)
        for _ in range(chance.randrange(1, 4)):
            data = damaged(data, chance.choice(inputs), chance)
        one(data)


def test_damage_ends_with_verdicts():
    check(1, 300)


@pytest.mark.soak
def test_much_damage_ends_with_verdicts():
    check(2, 50_000)
