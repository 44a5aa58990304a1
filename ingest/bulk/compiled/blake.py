"""BLAKE2b (RFC 7693) with digests of at most 16 bytes and no key, as ``hashlib`` computes it."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ingest.bulk.compiled.machine import inner, put

BLOCK = 128
DIGEST = 16
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


def _turned(builder: Any, word: Any, bits: int) -> Any:
    """A word turned to the right."""
    return builder.or_(builder.lshr(word, _WORD(bits)), builder.shl(word, _WORD(64 - bits)))


def _mix(builder: Any, v: list[Any], places: tuple[int, ...], x: Any, y: Any) -> None:
    """The function G of the RFC on four words of ``v``."""
    a, b, c, d = places
    for word, (first, second) in ((x, (32, 24)), (y, (16, 63))):
        v[a] = builder.add(builder.add(v[a], v[b]), word)
        v[d] = _turned(builder, builder.xor(v[d], v[a]), first)
        v[c] = builder.add(v[c], v[d])
        v[b] = _turned(builder, builder.xor(v[b], v[c]), second)


@intrinsic
def _compress(_context: Any, message: Any, at: Any, state: Any, _written: Any, _last: Any) -> Any:
    """Take the block at a place of the message in. ``written``: bytes so far, this block included. ``last``: all ones
    for the last block, else 0. Laid out without a loop, so that every word is where the processor needs it.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bytes_, words = (
            context.make_array(signature.args[i])(context, builder, arguments[i]).data for i in (0, 2)
        )  # fmt: skip
        block = builder.bitcast(builder.gep(bytes_, [arguments[1]]), _WORD.as_pointer())
        told = []
        for place in range(BLOCK // 8):
            told.append(builder.load(builder.gep(block, [_WORD(place)])))
            told[-1].align = 1
        before = [builder.load(builder.gep(words, [_WORD(place)])) for place in range(8)]
        v = before + [_WORD(int(word)) for word in _START]
        v[12] = builder.xor(v[12], arguments[3])
        v[14] = builder.xor(v[14], arguments[4])
        for turn in range(_ROUNDS):
            order = _ORDER[turn % len(_ORDER)]
            for number, places in enumerate((*_COLUMNS, *_DIAGONALS)):
                _mix(builder, v, places, told[order[2 * number]], told[order[2 * number + 1]])
        for place, word in enumerate(before):
            mixed = builder.xor(word, builder.xor(v[place], v[place + 8]))
            builder.store(mixed, builder.gep(words, [_WORD(place)]))
        return context.get_dummy_value()

    return types.void(message, at, state, types.uint64, types.uint64), code


_NOT_LAST, _LAST = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


@inner
def shortened(message, size, length, state):
    """The two words of the digest of ``size`` bytes, which is of ``length`` bytes: of 8 the first word alone.

    The message is filled up with zeros to whole blocks.
    ``state``, ``uint64[8]``, is worked in; ``message`` has room for the zeros.
    """
    for place in range(8):
        state[place] = _START[place]
    state[0] ^= _PARAMETERS ^ np.uint64(length)
    blocks = max((size + BLOCK - 1) // BLOCK, 1)
    for place in range(size, blocks * BLOCK):
        put(message, place, np.uint8(0))
    for block in range(blocks - 1):
        _compress(message, block * BLOCK, state, np.uint64((block + 1) * BLOCK), _NOT_LAST)
    _compress(message, (blocks - 1) * BLOCK, state, np.uint64(size), _LAST)
    return state[0], state[1]


@inner
def digest(message, size, state):
    """As ``shortened``: sixteen bytes."""
    return shortened(message, size, DIGEST, state)
