"""What entries are recognised by, so that none is kept twice; what a hand is recognised by says ``ingest.batch``.

Knows places and bytes.
"""

import hashlib


def line_digest(source: str, line: int, raw: bytes) -> bytes:
    """What an entry that is no hand of its own is recognised by: its place and its bytes; 16 bytes."""
    return hashlib.blake2b(f"{source}\n{line}\n".encode() + raw, digest_size=16).digest()


def hand_digest(source: str, raw: bytes) -> bytes:
    """What the very same hand of a file is recognised by, on whatever line it stands; 16 bytes."""
    return hashlib.blake2b(f"{source}\n".encode() + raw, digest_size=16).digest()


def id_digest(source: str, id: str) -> bytes:
    """What shows that two hands stand under one id; 16 bytes."""
    return hashlib.blake2b(f"{source}\n{id}".encode(), digest_size=16).digest()
