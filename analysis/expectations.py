"""What a sound shuffle deals: exact expectations for any deck, by counting.

Knows combinatorics. Refuses to know what was dealt. Every deal of the deck is taken to be equally likely, cards of two
packs being told apart. A bomb is four or more cards of one rank, a rocket all jokers. Source: statistics.md 4.3.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, log10, perm, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingest.store.decks import Deck

RANKS = "3456789TJQKA2BR"
BOMB = 4
"""Cards of one rank that are a bomb."""
MOST = 8
"""Bombs in a hand from which on they are not counted apart."""

Occupancy = tuple[int, ...]
"""How many of some cards lie in each location."""


def locations(deck: Deck) -> tuple[int, ...]:
    """Cards in each location: the seats in order, the bottom, and what is dead where something is."""
    rest = tuple(size for size in (deck.bottom, deck.dead) if size)
    return (deck.hand,) * deck.players + rest


def copies(deck: Deck) -> tuple[int, ...]:
    """Cards of each of the 15 ranks."""
    return tuple(0 if rank in deck.without else deck.packs * (1 if rank in "BR" else 4) for rank in RANKS)


def lie_so(deck: Deck, occupancy: Occupancy) -> Fraction:
    """How likely so many of some marked cards, all of which are counted, lie in each location."""
    ways = prod(comb(size, held) for size, held in zip(locations(deck), occupancy, strict=True))
    return Fraction(ways, comb(deck.cards, sum(occupancy)))


def occupancies(cards: int, places: int) -> list[Occupancy]:
    """Every way in which cards may lie in so many locations, only their numbers told."""
    if places == 1:
        return [(cards,)]
    return [(held, *rest) for held in range(cards + 1) for rest in occupancies(cards - held, places - 1)]


def cells_of(deck: Deck, cards: int) -> dict[Occupancy, Fraction]:
    """Where so many marked cards lie: one cell for each occupancy that can be."""
    return {cell: p for cell in occupancies(cards, len(locations(deck))) if (p := lie_so(deck, cell))}


def joker_cells(deck: Deck) -> dict[Occupancy, Fraction]:
    """Where all jokers lie."""
    return cells_of(deck, 2 * deck.packs)


def all_jokers(deck: Deck, size: int) -> Fraction:
    """How likely one hand of ``size`` cards has all jokers."""
    jokers = 2 * deck.packs
    return Fraction(comb(size, jokers), comb(deck.cards, jokers))


def rocket_at_the_table(deck: Deck) -> Fraction:
    """How likely some seat has all jokers before the bottom cards."""
    return deck.players * all_jokers(deck, deck.hand)


@lru_cache(maxsize=64)
def bombs_in(deck: Deck, size: int) -> tuple[Fraction, ...]:
    """How likely a hand of ``size`` cards has 0, 1, 2 … bombs."""
    ways = _ways(copies(deck), size)
    return tuple(Fraction(number, comb(deck.cards, size)) for number in ways[size])


def _ways(ranks: Sequence[int], size: int) -> list[list[int]]:
    """Hands of each number of cards up to ``size``, by number of bombs."""
    most = size // BOMB
    table = [[0] * (most + 1) for _ in range(size + 1)]
    table[0][0] = 1
    for cards in ranks:
        new = [[0] * (most + 1) for _ in range(size + 1)]
        for held in range(cards + 1):
            ways, bomb = comb(cards, held), held >= BOMB
            for before in range(size + 1 - held):
                for bombs in range(most + 1 - bomb):
                    new[before + held][bombs + bomb] += ways * table[before][bombs]
        table = new
    return table


def bomb_or_rocket(deck: Deck, size: int) -> Fraction:
    """How likely a hand of ``size`` cards has at least one bomb or the rocket."""
    jokers = 2 * deck.packs
    suited = _ways(copies(deck)[:13], size)
    neither = sum(comb(jokers, held) * suited[size - held][0] for held in range(min(size + 1, jokers)))
    return 1 - Fraction(neither, comb(deck.cards, size))


def ranks_with(deck: Deck, size: int, least: int) -> Fraction:
    """Of how many ranks a hand of ``size`` cards has at least ``least`` cards, on average."""
    total = Fraction(0)
    for cards in copies(deck):
        ways = sum(comb(cards, n) * comb(deck.cards - cards, size - n) for n in range(least, min(cards, size) + 1))
        total += Fraction(ways, comb(deck.cards, size))
    return total


def table_bombs(deck: Deck) -> tuple[Fraction, ...]:
    """How likely the seats together have 0, 1, 2 … bombs. One pack only, where no rank makes two: else ``ValueError``.

    By factorial moments: how likely it is that k given ranks are bombs, summed over ranks and seats.
    """
    if deck.packs != 1:
        raise ValueError("only for one pack")
    ranks = 13 - len(deck.without)
    moments = [comb(ranks, k) * _all_bombs(deck, k) for k in range(ranks + 1)]
    signed = [[(-1) ** (k - m) * comb(k, m) * moments[k] for k in range(m, ranks + 1)] for m in range(ranks + 1)]
    return tuple(sum(terms, Fraction(0)) for terms in signed)


def _all_bombs(deck: Deck, ranks: int) -> Fraction:
    """How likely each of some given ranks lies whole at one seat."""
    ways = sum(
        factorial(ranks) // prod(map(factorial, split)) * prod(perm(deck.hand, BOMB * bombs) for bombs in split)
        for split in occupancies(ranks, deck.players)
    )
    return Fraction(ways, perm(deck.cards, BOMB * ranks))


@lru_cache(maxsize=16)
def bombs_of_two(deck: Deck) -> NDArray[np.float64]:
    """How likely two seats have so many bombs each: an array of MOST + 1 times MOST + 1, the last for MOST or more."""
    size = deck.hand
    table = np.zeros((size + 1, size + 1, MOST + 1, MOST + 1))
    table[0, 0, 0, 0] = 1.0
    for cards in copies(deck):
        table = _with_rank(table, cards)
    chances: NDArray[np.float64] = table[size, size] / float(comb(deck.cards, size) * comb(deck.cards - size, size))
    return chances


def _with_rank(table: NDArray[np.float64], cards: int) -> NDArray[np.float64]:
    """Ways to give two hands of each size cards of one rank more."""
    new, size = np.zeros_like(table), table.shape[0]
    for one in range(cards + 1):
        for other in range(cards + 1 - one):
            ways = comb(cards, one) * comb(cards - one, other)
            part = table[: size - one, : size - other]
            part = _bombed(part, 2) if one >= BOMB else part
            part = _bombed(part, 3) if other >= BOMB else part
            new[one:, other:] += ways * part
    return new


def _bombed(part: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """The same with one bomb more along an axis, the last place taking what goes beyond."""
    rolled = np.roll(part, 1, axis)
    first, last = _at(axis, 0), _at(axis, MOST)
    rolled[last] += rolled[first]
    rolled[first] = 0
    return rolled


def _at(axis: int, place: int) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, place)


def overlap(deck: Deck, seats: int) -> tuple[float, float]:
    """Equal cards that the first ``seats`` seats have in two independent deals, seat by seat: mean and SD of the sum.

    With two packs, pairs of equal cards. Where deals follow one another, the sums are uncorrelated, because given one
    deal the mean over the next does not depend on it.
    """
    n, size, packs = deck.cards, deck.hand, deck.packs
    faces = n // packs
    mean = seats * faces * (size * packs / n) ** 2
    rest = n * (n - 1)
    twice = packs * (packs - 1) * size * (size - 1) / rest
    same_seat, other_seat = packs**2 * size * (size - 1) / rest, packs**2 * size**2 / rest
    squares = (
        seats * faces * (packs * size / n + twice) ** 2
        + seats * (seats - 1) * faces * (packs * (packs - 1) * size**2 / rest) ** 2
        + seats * faces * (faces - 1) * same_seat**2
        + seats * (seats - 1) * faces * (faces - 1) * other_seat**2
    )
    return mean, sqrt(squares - mean**2)


def points_of(deck: Deck, weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the weight of one card, ``weights`` being those of the 15 ranks."""
    held = copies(deck)
    mean = sum(w * c for w, c in zip(weights, held, strict=True)) / deck.cards
    return mean, sum(c * (w - mean) ** 2 for w, c in zip(weights, held, strict=True)) / deck.cards


def variance_of_sum(deck: Deck, size: int, variance: float) -> float:
    """The variance of the weight of ``size`` cards, drawn without putting back."""
    return size * variance * (deck.cards - size) / (deck.cards - 1)


def deals(deck: Deck) -> int:
    """How many deals there are, seats told apart and cards of two packs too."""
    return factorial(deck.cards) // prod(map(factorial, locations(deck)))


def expected_repeats(hands: int, possible: float) -> float:
    """Pairs of equal deals among so many hands, where so many deals are equally likely: the birthday formula."""
    return hands * (hands - 1) / 2 / possible


def log_deals(deck: Deck) -> float:
    """How many deals there are at least that can be told apart by their faces, as a power of ten."""
    return log10(deals(deck)) - deck.cards / deck.packs * log10(deck.packs)
