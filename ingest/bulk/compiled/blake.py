"""BLAKE2b (RFC 7693) with digests of at most 16 bytes and no key, as ``hashlib`` computes it."""

import numpy as np

from ingest.bulk.compiled.machine import eight_bytes, inner

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
_ORDER = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.uint8,
)  # fmt: skip
_16, _24, _32, _63, _1, _40, _48 = (np.uint64(bits) for bits in (16, 24, 32, 63, 1, 40, 48))


@inner
def _mix(a, b, c, d, x, y):
    a = a + b + x
    d ^= a
    d = (d >> _32) | (d << _32)
    c += d
    b ^= c
    b = (b >> _24) | (b << _40)
    a = a + b + y
    d ^= a
    d = (d >> _16) | (d << _48)
    c += d
    b ^= c
    return a, (b >> _63) | (b << _1), c, d


@inner
def _compress(state, words, written, last):
    """Take one block of 16 words in. ``written``: bytes so far, this block included."""
    a0, a1, a2, a3 = state[0], state[1], state[2], state[3]
    b0, b1, b2, b3 = state[4], state[5], state[6], state[7]
    c0, c1, c2, c3 = _START[0], _START[1], _START[2], _START[3]
    d0, d1, d2, d3 = _START[4] ^ np.uint64(written), _START[5], _START[6], _START[7]
    if last:
        d2 = ~d2
    for turn in range(12):
        s = _ORDER[turn]
        a0, b0, c0, d0 = _mix(a0, b0, c0, d0, words[s[0]], words[s[1]])
        a1, b1, c1, d1 = _mix(a1, b1, c1, d1, words[s[2]], words[s[3]])
        a2, b2, c2, d2 = _mix(a2, b2, c2, d2, words[s[4]], words[s[5]])
        a3, b3, c3, d3 = _mix(a3, b3, c3, d3, words[s[6]], words[s[7]])
        a0, b1, c2, d3 = _mix(a0, b1, c2, d3, words[s[8]], words[s[9]])
        a1, b2, c3, d0 = _mix(a1, b2, c3, d0, words[s[10]], words[s[11]])
        a2, b3, c0, d1 = _mix(a2, b3, c0, d1, words[s[12]], words[s[13]])
        a3, b0, c1, d2 = _mix(a3, b0, c1, d2, words[s[14]], words[s[15]])
    state[0] ^= a0 ^ c0
    state[1] ^= a1 ^ c1
    state[2] ^= a2 ^ c2
    state[3] ^= a3 ^ c3
    state[4] ^= b0 ^ d0
    state[5] ^= b1 ^ d1
    state[6] ^= b2 ^ d2
    state[7] ^= b3 ^ d3


@inner
def shortened(message, size, length, state, words):
    """The two words of the digest of ``size`` bytes, which is of ``length`` bytes: of 8 the first word alone.

    The message is filled up with zeros to whole blocks.
    ``state``, ``uint64[8]``, and ``words``, ``uint64[16]``, are worked in; ``message`` has room for the zeros.
    """
    for place in range(8):
        state[place] = _START[place]
    state[0] ^= _PARAMETERS ^ np.uint64(length)
    blocks = max((size + BLOCK - 1) // BLOCK, 1)
    for place in range(size, blocks * BLOCK):
        message[place] = 0
    for block in range(blocks):
        for place in range(16):
            words[place] = eight_bytes(message, block * BLOCK + 8 * place)
        last = block == blocks - 1
        _compress(state, words, size if last else (block + 1) * BLOCK, last)
    return state[0], state[1]


@inner
def digest(message, size, state, words):
    """As ``shortened``: sixteen bytes."""
    return shortened(message, size, DIGEST, state, words)
