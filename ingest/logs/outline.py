"""The outside of JSON of which only a beginning may be there: how it opens, and the keys of its first object.

Linear in its bytes, whatever they are. Refuses to know what any key means.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

LOOKED_AT = 20
"""Lines that are looked at before a file of JSON lines is given up."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}:]', re.DOTALL)


class Outline(tuple[bytes, frozenset[bytes]]):
    """The brackets with which JSON opens, up to the first ``{``, and that object's keys."""

    __slots__ = ()

    @property
    def opening(self) -> bytes:
        """Such as ``{``, ``[{`` or ``[[``; empty for what is no JSON array or object."""
        return self[0]

    @property
    def keys(self) -> frozenset[bytes]:
        """The keys of the first object, as far as they are there."""
        return self[1]


@lru_cache(maxsize=64)
def outline(text: bytes) -> Outline:
    """The outline of JSON that may have no end."""
    opening, keys, depth, last = b"", set(), 0, b""
    if text.lstrip()[:1] not in (b"{", b"["):
        return Outline((b"", frozenset()))
    for token in map(re.Match.group, _TOKEN.finditer(text)):
        if depth == 0:
            opening += token
            if token not in b"[{":
                break
            depth = token == b"{"
        elif token == b":" and depth == 1:
            keys.add(last.strip(b'"'))
        else:
            depth += (token in b"[{") - (token in b"]}")
            last = token
            if depth == 0:
                break
    return Outline((opening, frozenset(keys)))


def lines_of(head: bytes) -> list[bytes]:
    """The first lines of a log that are not blank; the last of them may be cut."""
    return [line for line in head.split(b"\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]


def outlines(head: bytes) -> Iterator[Outline]:
    """The outline of a log as one document, then of each of its first lines."""
    yield outline(head)
    yield from map(outline, lines_of(head))
