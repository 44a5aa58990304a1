"""Decks: how many cards lie where before anybody bids, in a text that a column can hold.

Knows sizes. Refuses to know who was dealt what, and what it is good for.
"""

import re
from functools import lru_cache

from msgspec import Struct

from ingest.rules.ruleset import AnyRuleset

_TEXT = re.compile(r"([0-9]+)x([0-9]+)\+([0-9]+)\+([0-9]+) of ([0-9]+)(?: without ([3-9TJQKA2]+))?")


class Deck(Struct, frozen=True):
    """The packs of a ruleset and how they are dealt (``[deal]`` of a ruleset)."""

    players: int
    hand: int
    bottom: int
    dead: int = 0
    packs: int = 1
    without: str = ""
    """Ranks that are taken out."""

    @property
    def cards(self) -> int:
        """Cards in all."""
        return self.packs * (54 - 4 * len(self.without))

    @property
    def text(self) -> str:
        """As the column ``deck`` has it: ``3x17+3+0 of 1``, ``4x21+8+0 of 2 without 34``."""
        removed = f" without {self.without}" if self.without else ""
        return f"{self.players}x{self.hand}+{self.bottom}+{self.dead} of {self.packs}{removed}"


@lru_cache(maxsize=64)
def deck_of(rules: AnyRuleset) -> Deck:
    """The deck of a ruleset."""
    deal = rules.deal
    removed = "".join(deal.removed_ranks)
    return Deck(deal.players, deal.hand, deal.bottom, deal.dead, deal.packs, removed)


@lru_cache(maxsize=64)
def read_deck(text: str) -> Deck:
    """The deck of a text. Raises ``ValueError`` for any other text."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"no deck: {text}")
    players, hand, bottom, dead, packs = map(int, found.groups()[:5])
    return Deck(players, hand, bottom, dead, packs, found[6] or "")
