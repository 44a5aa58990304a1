"""Deals: a pack shuffled, or cut in blocks as in unshuffled games (不洗牌), and the card that is turned face up.

Knows how many cards lie where. Refuses to know what they are good for.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from ingest.cards import pack_of
from ingest.rules.ruleset import AnyRuleset, Ruleset

UNSHUFFLED = 0.25
"""The share of hands whose pack is not shuffled."""

BLOCKS = ((4,), (8,), (2, 4, 8), (2, 2, 8), (3, 1), (3, 3, 6, 1), (5, 6, 7), (6, 2, 12), (7, 5, 12))
"""Sizes of the blocks in which a sorted pack is cut, for each pack: 4 keeps a rank together, 8 and 12 neighbours."""


class Deal(Struct, frozen=True):
    """Who was dealt which cards."""

    hands: tuple[tuple[str, ...], ...]
    bottom: tuple[str, ...]
    dead: tuple[str, ...]
    mode: str
    """``random`` or ``unshuffled``; goes into the record's tag ``deal_mode``."""


class Opening(Struct, frozen=True):
    """Who speaks first, and what the record says of it."""

    speaker: int
    marker: str | None = None
    first: int | None = None


def deal(rules: Ruleset, rng: Random) -> Deal:
    """Deal one pack (or two) as the ruleset says."""
    pack = list(pack_of(rules.deal.packs, rules.deal.removed_ranks))
    unshuffled = rng.random() < UNSHUFFLED
    if unshuffled:
        pack = cut_and_mixed(pack, rng.choice(BLOCKS), rules.deal.packs, rng)
    else:
        rng.shuffle(pack)
    return hand_out(pack, rules, "unshuffled" if unshuffled else "random")


def cut_and_mixed(pack: Sequence[str], sizes: Sequence[int], packs: int, rng: Random) -> list[str]:
    """A sorted pack cut in blocks, the blocks in random order."""
    blocks, place = [], 0
    while place < len(pack):
        size = rng.choice(sizes) * rng.randint(1, packs)
        blocks.append(pack[place : place + size])
        place += size
    rng.shuffle(blocks)
    return [card for block in blocks for card in block]


def hand_out(pack: Sequence[str], rules: AnyRuleset, mode: str) -> Deal:
    """Everybody's cards, in the order of the pack."""
    size, players = rules.deal.hand, rules.deal.players
    rest = players * size
    return Deal(
        hands=tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in range(players)),
        bottom=tuple(pack[rest : rest + rules.deal.bottom]),
        dead=tuple(pack[rest + rules.deal.bottom :]),
        mode=mode,
    )


def opening(dealt: Deal, rules: Ruleset, rng: Random) -> Opening:
    """Who speaks first (A-R5, A-Q9, C-Q2, E-R6, G-R3, BZ-R1)."""
    if rules.auction.type == "none":
        return Opening(0)
    if rules.auction.first == "seat0":
        return Opening(0, first=rng.choice((None, 0)))
    if rules.auction.first == "log":
        first = rng.randrange(rules.deal.players)
        return Opening(first, first=first)
    return _face_up(dealt, rules, rng)


def _face_up(dealt: Deal, rules: Ruleset, rng: Random) -> Opening:
    """One card lies face up: whoever has it speaks first; if nobody has, the dealer does (A-Q9)."""
    cards = [card for hand in dealt.hands for card in hand]
    if not rules.deal.marker_not_in_bottom:
        cards += dealt.bottom
    marker = rng.choice(cards)
    holders = [seat for seat, hand in enumerate(dealt.hands) if marker in hand]
    if len(holders) == 1 and rng.random() < 0.7:
        return Opening(holders[0], marker=marker)
    speaker = rng.choice(holders) if holders else rng.randrange(rules.deal.players)
    told = rules.deal.marker or not holders or rng.random() < 0.5
    return Opening(speaker, marker=marker if told else None, first=speaker)
