"""How many pages are open at once, in all and from one address: beyond that the server opens no more.

Knows connections and where they come from. Refuses to know who is there. Behind a proxy all come from its address:
there counts what it says of theirs, and where it says nothing only how many they are in all.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct
from starlette.requests import HTTPConnection

from dashboard.texts import TEXTS

PAGES = 200
"""Pages that are open at once, unless ``fupan dashboard --pages`` says otherwise."""
OF_ADDRESS = 40
"""Of these, pages of one address, unless ``--pages-per-address`` does."""
PROXIES = ("proxy", "local_proxy")
"""What ``FUPAN_ACCESS`` is where a proxy stands before the dashboard, and nobody can come but through it."""
_HOUSE = 64
"""Bits of an address of the longer kind that whoever has one of them has all of."""


class Most(Struct, frozen=True):
    """How many pages may be open."""

    pages: int = PAGES
    of_address: int = OF_ADDRESS


def most() -> Most:
    """As ``fupan dashboard`` was told."""
    asked = {"pages": "FUPAN_PAGES", "of_address": "FUPAN_PAGES_PER_ADDRESS"}
    return Most(**{name: int(os.environ[key]) for name, key in asked.items() if os.environ.get(key)})


class Crowd:
    """The pages that are open."""

    def __init__(self, most: Most) -> None:
        self._most = most
        self._open: Counter[str | None] = Counter()

    def refusal(self, address: str | None) -> str:
        """Why one more page cannot be opened, in both languages; nothing where it can."""
        if self._open.total() >= self._most.pages:
            return _said("crowd.all", self._most.pages)
        if address is not None and self._open[address] >= self._most.of_address:
            return _said("crowd.address", self._most.of_address)
        return ""

    @contextmanager
    def page(self, address: str | None) -> Iterator[None]:
        """One more page, for as long as it is open."""
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # forgets who has left


def address(asked: HTTPConnection) -> str | None:
    """Where a connection comes from, as far as that is told."""
    if os.environ.get("FUPAN_ACCESS") not in PROXIES:
        return None if asked.client is None else _house(asked.client.host)
    forwarded = asked.headers.getlist("x-forwarded-for")
    return _house(forwarded[-1].rpartition(",")[2].strip()) if forwarded else None


def _house(text: str) -> str | None:
    """An address, all those of one house being the same; None for what is none."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, _HOUSE), strict=False))


def _said(key: str, pages: int) -> str:
    return "\n".join(text.format(pages=pages) for text in TEXTS[key])
