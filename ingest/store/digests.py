"""What entries are recognised by, so that none is kept twice; what a hand is recognised by says ``ingest.batch``.

Knows places and bytes.
"""

import hashlib
import os
from functools import lru_cache


@lru_cache(maxsize=1 << 10)
def file_of(source: str) -> bytes:
    """A file however its path is spelt and it is packed; standard input is always the same."""
    plain = source.removesuffix(".gz").removesuffix(".zst")
    return os.fsencode(plain if plain == "-" else os.path.abspath(plain))  # noqa: PTH100 - a name, not a place


def line_digest(source: str, line: int, raw: bytes) -> bytes:
    """What an entry that is no hand of its own is recognised by: its place and its bytes; 16 bytes."""
    return hashlib.blake2b(file_of(source) + b"\n%d\n" % line + raw, digest_size=16).digest()


def hand_digest(source: str, raw: bytes) -> bytes:
    """What the very same hand of a file is recognised by, on whatever line it stands; 16 bytes."""
    return hashlib.blake2b(file_of(source) + b"\n" + raw, digest_size=16).digest()


def id_digest(source: str, id: str) -> bytes:
    """What shows that two hands stand under one id; 16 bytes."""
    return hashlib.blake2b(file_of(source) + f"\n{id}".encode(), digest_size=16).digest()
