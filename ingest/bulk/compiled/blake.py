"""BLAKE2b (RFC 7693) with digests of at most 16 bytes and no key, as ``hashlib`` computes it.

Messages are digested one by one, or ``LANES`` side by side: where the processor has vectors of as many words, in less
than half the time. A state is rows of words, a lane each: eight that are chained, the bytes taken in so far, and all
ones for the last block.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ingest.bulk.compiled.machine import AT_ONCE, eight_bytes, inner, put

BLOCK = 128
DIGEST = 16
LANES = 4
STATE = 10
"""Rows of a state."""
_WORDS = BLOCK // 8
_WIDTH = LANES if AT_ONCE >= LANES else 1
"""Lanes that are mixed at once."""
_WRITTEN, _LAST = 8, 9
_START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
_PARAMETERS = np.uint64(0x01010000)
_ORDER = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
_ROUNDS = 12
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
_WORD = ir.IntType(64)


def _turned(builder: Any, words: Any, bits: int) -> Any:
    """Words turned to the right."""
    return builder.or_(builder.lshr(words, _each(words.type, bits)), builder.shl(words, _each(words.type, 64 - bits)))


def _each(kind: Any, number: int) -> Any:
    return kind(number) if kind == _WORD else kind([number] * kind.count)


def _mix(builder: Any, v: list[Any], places: tuple[int, ...], x: Any, y: Any) -> None:
    """The function G of the RFC on four words of ``v``."""
    a, b, c, d = places
    for word, (first, second) in ((x, (32, 24)), (y, (16, 63))):
        v[a] = builder.add(builder.add(v[a], v[b]), word)
        v[d] = _turned(builder, builder.xor(v[d], v[a]), first)
        v[c] = builder.add(v[c], v[d])
        v[b] = _turned(builder, builder.xor(v[b], v[c]), second)


def _compressor(width: int, lanes: int) -> Any:
    """What takes a block into ``width`` of ``lanes`` that lie side by side."""
    kind = _WORD if width == 1 else ir.VectorType(_WORD, width)

    @intrinsic
    def compress(_context: Any, message: Any, at: Any, state: Any, _lane: Any) -> Any:
        """Take the blocks at a place of an array into the states from a lane on. Laid out without a loop, so that every
        word is where the processor needs it.
        """

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def rows(array: int, place: Any) -> Any:
                data = context.make_array(signature.args[array])(context, builder, arguments[array]).data
                words = builder.bitcast(builder.gep(data, [place]), _WORD.as_pointer())
                return lambda row: builder.bitcast(builder.gep(words, [_WORD(row * lanes)]), kind.as_pointer())

            def loaded(pointer: Any) -> Any:
                words = builder.load(pointer)
                words.align = 1
                return words

            block, chained = rows(0, arguments[1]), rows(2, arguments[3])
            told = [loaded(block(row)) for row in range(_WORDS)]
            before = [loaded(chained(row)) for row in range(8)]
            v = before + [_each(kind, int(word)) for word in _START]
            v[12] = builder.xor(v[12], loaded(chained(_WRITTEN)))
            v[14] = builder.xor(v[14], loaded(chained(_LAST)))
            for turn in range(_ROUNDS):
                order = _ORDER[turn % len(_ORDER)]
                for number, places in enumerate((*_COLUMNS, *_DIAGONALS)):
                    _mix(builder, v, places, told[order[2 * number]], told[order[2 * number + 1]])
            for row, words in enumerate(before):
                mixed = builder.xor(words, builder.xor(v[row], v[row + 8]))
                builder.store(mixed, chained(row)).align = 1
            return context.get_dummy_value()

        return types.void(message, at, state, types.int64), code

    return compress


_compress = _compressor(1, 1)
_compress_lanes = _compressor(_WIDTH, LANES)
_NONE, _ALL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


@inner
def _fill_up(message, size):
    """Zeros behind a message up to a whole block, and how many blocks it has."""
    blocks = max((size + BLOCK - 1) // BLOCK, 1)
    for place in range(size, blocks * BLOCK):
        put(message, place, np.uint8(0))
    return blocks


@inner
def shortened(message, size, length, state):
    """The two words of the digest of ``size`` bytes, which is of ``length`` bytes: of 8 the first word alone.

    The message is filled up with zeros to whole blocks.
    ``state``, ``uint64[STATE]``, is worked in; ``message`` has room for the zeros.
    """
    for place in range(8):
        state[place] = _START[place]
    state[0] ^= _PARAMETERS ^ np.uint64(length)
    blocks = _fill_up(message, size)
    state[_LAST] = _NONE
    for block in range(blocks - 1):
        state[_WRITTEN] = np.uint64((block + 1) * BLOCK)
        _compress(message, block * BLOCK, state, 0)
    state[_WRITTEN], state[_LAST] = np.uint64(size), _ALL
    _compress(message, (blocks - 1) * BLOCK, state, 0)
    return state[0], state[1]


@inner
def into_lane(message, size, lane, words, at):
    """Put a message into a lane of ``words`` from a place on, ``LANES`` words a row, with zeros behind it.

    ``message`` has room for the zeros.
    """
    blocks = _fill_up(message, size)
    at += lane
    for place in range(0, blocks * BLOCK, 8):
        put(words, at, eight_bytes(message, place))
        at += LANES


@inner
def digest_lanes(words, at, sizes, first, count, state, digests):
    """The digests, of ``DIGEST`` bytes, of the first ``count`` lanes from a place on: a row of ``digests`` for each.

    ``sizes``, ``int64``: bytes of each, from the place ``first`` on. ``state``: ``uint64[STATE * LANES]``. ``digests``:
    ``uint64[LANES, 2]``.
    """
    for lane in range(LANES):
        for row in range(8):
            state[row * LANES + lane] = _START[row]
        state[lane] ^= _PARAMETERS ^ np.uint64(DIGEST)
    done, block = 0, 0
    while done < count:
        for lane in range(count):
            written = (block + 1) * BLOCK
            state[_WRITTEN * LANES + lane] = np.uint64(min(written, sizes[first + lane]))
            state[_LAST * LANES + lane] = _ALL if sizes[first + lane] <= written else _NONE
        for lane in range(0, count, _WIDTH):
            if _WIDTH > 1 or block * BLOCK < max(sizes[first + lane], 1):
                _compress_lanes(words, at + block * _WORDS * LANES + lane, state, lane)
        for lane in range(count):
            if max(sizes[first + lane] - 1, 0) // BLOCK == block:
                digests[lane, 0], digests[lane, 1] = state[lane], state[LANES + lane]
                done += 1
        block += 1
