"""Was it dealt at random? The tests of one group of deals, against what a sound shuffle does.

Knows statistics and counts. Refuses to know who sits where, and why a deviation is there: a test that finds something
names hands to look at. Source: statistics.md 4.3. All tests are about the deal before the bidding, because whoever
takes the bottom is not chosen at random.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import log10, nan, sqrt
from operator import itemgetter
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from analysis import expectations as sound
from analysis.deal_counts import POINTS, Cell, Group
from analysis.intervals import Z, wilson
from analysis.significance import (
    ALPHA,
    ENOUGH,
    Array,
    added_up,
    chi_square_p,
    detectable_difference,
    holm,
    noncentrality,
    normal_p,
    pearson,
    pooled,
    wald,
)
from ingest.store.decks import Deck

LEAST = 50
"""Hands, or pairs of hands, below which nothing is tested."""
WEIGHTS = tuple(float(POINTS.get(rank, 0)) for rank in sound.RANKS)


class Outcome(Struct, frozen=True, kw_only=True):
    """What one test says of one group."""

    test: str
    n: int
    """Hands; of ``overlap`` pairs of hands."""
    statistic: float
    df: int | None
    """Degrees of freedom of a chi-square; None where the statistic is a normal deviate."""
    p: float
    effect_kind: str
    """``w`` (Cohen's, the root of chi-square by n), ``V`` (Cramér's) or ``difference`` (seen minus expected)."""
    effect: float
    low: float | None = None
    high: float | None = None
    """The 95 % interval of a difference."""
    detectable: float = nan
    """The effect that would be seen with a probability of 90 % at the level that remains after correction."""
    adjusted: float = nan
    """p after Holm's correction over the tests of the group."""
    observed: float
    expected: float
    """Of the cell that deviates most, in hands; of a difference, the means."""
    cell: str = ""
    evidence: tuple[int, ...] = ()


def outcomes(group: Group, alpha: float = ALPHA) -> list[Outcome]:
    """All tests of a group that its numbers allow, Holm's correction made."""
    found = [outcome for test in TESTS for outcome in test(group) if group.hands >= LEAST]
    adjusted = holm([outcome.p for outcome in found])
    level = alpha / max(1, len(found))
    return [
        replace(outcome, adjusted=p, detectable=_detectable(outcome, group.deck, level))
        for outcome, p in zip(found, adjusted, strict=True)
    ]


def _detectable(outcome: Outcome, deck: Deck, level: float) -> float:
    if outcome.df is None:
        return detectable_difference(_sds(deck)[outcome.test], outcome.n, level)
    share = min(15 - len(deck.without), len(sound.locations(deck))) - 1 if outcome.effect_kind == "V" else 1
    cards = deck.cards if outcome.effect_kind == "V" else 1
    return sqrt(noncentrality(outcome.df, level) / outcome.n / cards / share)


class _Chances(Struct, frozen=True):
    """Chances of a deck that are asked for again and again."""

    one_joker: dict[sound.Occupancy, float]
    jokers: dict[sound.Occupancy, float]
    rocket: float
    bombs: dict[int, float]
    """At the table: 0, 1, 2, at least 3; empty with two packs."""


@lru_cache(maxsize=64)
def _chances(deck: Deck) -> _Chances:
    one, both = ({cell: float(p) for cell, p in sound.cells_of(deck, n * deck.packs).items()} for n in (1, 2))
    bombs = [float(p) for p in sound.table_bombs(deck)] if deck.packs == 1 else []
    upto = {number: p if number < 3 else sum(bombs[3:]) for number, p in enumerate(bombs[:4])}
    return _Chances(one, both, float(sound.rocket_at_the_table(deck)), upto)


@lru_cache(maxsize=64)
def _sds(deck: Deck) -> dict[str, float]:
    """The standard deviation of one observation of each test that compares a mean."""
    _, variance = sound.points_of(deck, WEIGHTS)
    rocket = _chances(deck).rocket
    return {
        "rocket": sqrt(rocket * (1 - rocket)),
        "first_seat": sqrt(sound.variance_of_sum(deck, deck.hand, variance)),
        "bottom": sqrt(sound.variance_of_sum(deck, deck.bottom, variance)),
        "overlap": sound.overlap(deck, deck.players)[1],
        "bombs_table": sqrt(_table_bombs(deck)[1]),
    }


@lru_cache(maxsize=64)
def _table_bombs(deck: Deck) -> tuple[float, float]:
    """Mean and variance of the number of bombs at the table."""
    two = sound.bombs_of_two(deck)
    number = np.arange(len(two))
    one = two.sum(axis=1)
    mean, square, both = one @ number, one @ number**2, number @ two @ number
    seats = deck.players
    return float(seats * mean), float(seats * square + seats * (seats - 1) * both - (seats * mean) ** 2)


def _place_names(deck: Deck) -> list[str]:
    rest = [name for name, size in (("bottom", deck.bottom), ("dead", deck.dead)) if size]
    return [*(f"seat {seat}" for seat in range(deck.players)), *rest]


def _in_cells(
    test: str, group: Group, expected: Mapping[Any, float], found: Mapping[Any, Cell], name: Callable[[Any], str]
) -> list[Outcome]:
    """Chi-square over cells of which each hand is in one; small ones are pooled."""
    keys = list(expected)
    seen = np.array([float(found[key].hands) if key in found else 0.0 for key in keys])
    wanted = np.array([group.hands * expected[key] for key in keys])
    pools = pooled(wanted.tolist())
    if max(pools) == 0:
        return []
    seen_in, wanted_in = added_up(seen, pools), added_up(wanted, pools)
    statistic, df = pearson(seen_in, wanted_in), max(pools)
    worst = int(np.argmax((seen_in - wanted_in) / np.sqrt(wanted_in)))
    members = [key for key, pool in zip(keys, pools, strict=True) if pool == worst]
    evidence = sorted(hand for key in members if key in found for hand in found[key].evidence)[:5]
    outcome = Outcome(
        test=test, n=group.hands, statistic=statistic, df=df, p=chi_square_p(statistic, df), effect_kind="w",
        effect=sqrt(statistic / group.hands), observed=seen_in[worst], expected=wanted_in[worst],
        cell=" | ".join(map(name, members[:3])) + (" …" if len(members) > 3 else ""), evidence=tuple(evidence),
    )  # fmt: skip
    return [outcome]


def _merged(cells: Mapping[Any, Cell], key: Callable[[Any], Any]) -> dict[Any, Cell]:
    """Cells that are the same under a coarser key."""
    found: dict[Any, Cell] = {}
    for cell, inside in cells.items():
        before = found.get(key(cell), Cell(0, ()))
        evidence = tuple(sorted(before.evidence + inside.evidence)[:5])
        found[key(cell)] = Cell(before.hands + inside.hands, evidence)
    return found


def joker_places(group: Group) -> list[Outcome]:
    """Where each of the two jokers lies: chi-square, df 3 with three seats and a bottom."""
    expected = _chances(group.deck).one_joker
    small, big = (_merged(group.jokers, itemgetter(which)) for which in (0, 1))
    name = _held(_place_names(group.deck))
    return _in_cells("small_joker", group, expected, small, name) + _in_cells("big_joker", group, expected, big, name)


def _held(names: Sequence[str]) -> Callable[[Any], str]:
    def text(cell: Sequence[int]) -> str:
        return ", ".join(
            f"{name}" + (f" × {held}" if held > 1 else "") for name, held in zip(names, cell, strict=True) if held
        )

    return text


def all_jokers(group: Group) -> list[Outcome]:
    """Where all jokers lie together: ten cells with one pack, three seats and a bottom."""
    found = _merged(group.jokers, _together)
    return _in_cells("jokers", group, _chances(group.deck).jokers, found, _held(_place_names(group.deck)))


def _together(cell: tuple[sound.Occupancy, sound.Occupancy]) -> sound.Occupancy:
    return tuple(small + big for small, big in zip(*cell, strict=True))


def rocket(group: Group) -> list[Outcome]:
    """How often some seat has all jokers: a rate, where enough are expected."""
    deck, n = group.deck, group.hands
    rate = _chances(deck).rocket
    cells = _merged(group.jokers, lambda cell: max(_together(cell)[: deck.players]) == 2 * deck.packs)
    seen = cells.get(True, Cell(0, ()))
    if n * rate < ENOUGH:
        return []
    low, high = wilson(seen.hands, n)
    z = (seen.hands - n * rate) / sqrt(n * rate * (1 - rate))
    outcome = Outcome(
        test="rocket", n=n, statistic=z, df=None, p=normal_p(z), effect_kind="difference",
        effect=seen.hands / n - rate, low=low - rate, high=high - rate, observed=seen.hands / n, expected=rate,
        cell="rate", evidence=seen.evidence,
    )  # fmt: skip
    return [outcome]


def bombs_per_hand(group: Group) -> list[Outcome]:
    """Seats with 0, 1 or at least 2 bombs. Seats of one deal depend on each other, so their exact covariance counts."""
    deck, n = group.deck, group.hands
    mean, covariance = _seats_by_bombs(deck)
    seen = np.zeros(3)
    evidence: list[list[int]] = [[], [], []]
    for bombs, cell in group.bombs.items():
        for number in bombs:
            seen[min(number, 2)] += cell.hands
            evidence[min(number, 2)] += cell.evidence
    pools = pooled((n * mean).tolist())
    if max(pools) == 0:
        return []
    merge = np.array([[float(pool == row) for pool in pools] for row in range(max(pools) + 1)])
    difference, spread = merge @ (seen - n * mean), n * merge @ covariance @ merge.T
    statistic = wald(difference, spread)
    worst = int(np.argmax(difference / np.sqrt(np.diag(spread))))
    members = [number for number, pool in enumerate(pools) if pool == worst]
    outcome = Outcome(
        test="bombs_hand", n=n, statistic=statistic, df=max(pools), p=chi_square_p(statistic, max(pools)),
        effect_kind="w", effect=sqrt(statistic / n), observed=float((merge @ seen)[worst]),
        expected=float(n * (merge @ mean)[worst]), cell=f"{' or '.join(map(_or_more(2), members))} bombs",
        evidence=tuple(sorted({hand for number in members for hand in evidence[number]})[:5]),
    )  # fmt: skip
    return [outcome]


def _or_more(most: int) -> Callable[[int], str]:
    return lambda number: f"{number}+" if number >= most else str(number)


@lru_cache(maxsize=64)
def _seats_by_bombs(deck: Deck) -> tuple[Array, Array]:
    """Mean and covariance, over deals, of how many seats have 0, 1 or at least 2 bombs."""
    two = sound.bombs_of_two(deck)
    merge = np.zeros((3, len(two)))
    merge[np.minimum(np.arange(len(two)), 2), np.arange(len(two))] = 1
    both = merge @ two @ merge.T
    one, seats = both.sum(axis=1), deck.players
    mean = seats * one
    return mean, seats * np.diag(one) + seats * (seats - 1) * both - np.outer(mean, mean)


def bombs_at_the_table(group: Group) -> list[Outcome]:
    """Bombs of all seats together: 0, 1, 2, at least 3 with one pack; with two their mean."""
    deck = group.deck
    if deck.packs != 1:
        return _mean_of_bombs(group)
    found = _merged(group.bombs, lambda bombs: min(3, sum(bombs)))
    return _in_cells("bombs_table", group, _chances(deck).bombs, found, lambda n: f"{_or_more(3)(n)} bombs")


def _mean_of_bombs(group: Group) -> list[Outcome]:
    mean, _ = _table_bombs(group.deck)
    total = sum(sum(bombs) * cell.hands for bombs, cell in group.bombs.items())
    most = sorted(group.bombs.items(), key=lambda each: -sum(each[0]))
    evidence = tuple(hand for _, cell in most for hand in cell.evidence)[:5]
    return [_mean("bombs_table", group.deck, group.hands, total, mean, "mean", evidence)]


def _mean(
    test: str, deck: Deck, n: int, total: float, mean: float, cell: str, evidence: tuple[int, ...] = ()
) -> Outcome:
    """A mean against its expectation, with the exact standard deviation."""
    error = _sds(deck)[test] / sqrt(n)
    effect = total / n - mean
    return Outcome(
        test=test, n=n, statistic=effect / error, df=None, p=normal_p(effect / error), effect_kind="difference",
        effect=effect, low=effect - Z * error, high=effect + Z * error, observed=total / n, expected=mean,
        cell=cell, evidence=evidence,
    )  # fmt: skip


def ranks_by_place(group: Group) -> list[Outcome]:
    """Cards of each rank in each location: a table whose margins every deal fixes, which (N - 1) / N makes good for."""
    deck, n = group.deck, group.hands
    held = np.array(sound.copies(deck), float)
    sizes = np.array(sound.locations(deck), float)
    expected = n * np.outer(held, sizes)[held > 0] / deck.cards
    seen = group.ranks[held > 0]
    statistic = pearson(seen, expected) * (deck.cards - 1) / deck.cards
    df = (len(seen) - 1) * (len(sizes) - 1)
    row, column = np.unravel_index(np.argmax((seen - expected) / np.sqrt(expected)), seen.shape)
    ranks = [rank for rank, number in zip(sound.RANKS, held, strict=True) if number]
    outcome = Outcome(
        test="ranks", n=n, statistic=statistic, df=df, p=chi_square_p(statistic, df), effect_kind="V",
        effect=sqrt(statistic / (n * deck.cards) / (min(seen.shape) - 1)), observed=float(seen[row, column]),
        expected=float(expected[row, column]), cell=f"rank {ranks[row]}, {_place_names(deck)[column]}",
    )  # fmt: skip
    return [outcome]


def strength_by_place(group: Group) -> list[Outcome]:
    """Points of high cards in all locations together (df one less), then at the first seat, then in the bottom."""
    deck, n = group.deck, group.hands
    mean, variance = sound.points_of(deck, WEIGHTS)
    sizes = np.array(sound.locations(deck), float)
    seen, expected = np.array(WEIGHTS) @ group.ranks, n * sizes * mean
    statistic = float(((seen - expected) ** 2 / (n * sizes)).sum()) * (deck.cards - 1) / deck.cards / variance
    df, worst = len(sizes) - 1, int(np.argmax((seen - expected) / np.sqrt(sizes)))
    everywhere = Outcome(
        test="strength", n=n, statistic=statistic, df=df, p=chi_square_p(statistic, df), effect_kind="w",
        effect=sqrt(statistic / n), observed=float(seen[worst] / n), expected=float(expected[worst] / n),
        cell=_place_names(deck)[worst],
    )  # fmt: skip
    first = _mean("first_seat", deck, n, float(seen[0]), deck.hand * mean, "mean")
    if not deck.bottom:
        return [everywhere, first]
    total = float(seen[deck.players])
    return [
        everywhere, first, _mean("bottom", deck, n, total, deck.bottom * mean, "mean", group.best_bottoms)
    ]  # fmt: skip


def serial_overlap(group: Group) -> list[Outcome]:
    """Equal cards at the same seats in consecutive deals at one table."""
    if group.pairs < LEAST:
        return []
    mean, _ = sound.overlap(group.deck, group.deck.players)
    name = "mean"
    return [_mean("overlap", group.deck, group.pairs, group.overlap, mean, name, group.closest_pairs)]


TESTS = (
    joker_places,
    all_jokers,
    rocket,
    bombs_per_hand,
    bombs_at_the_table,
    ranks_by_place,
    strength_by_place,
    serial_overlap,
)


def summary(found: Sequence[Outcome]) -> float:
    """One p for a group: the smallest after correction; 1 where nothing was tested."""
    return min((outcome.adjusted for outcome in found), default=1.0)


def score(p: float) -> float:
    """How unlikely, as the number of zeros behind the point: 3 is one in a thousand; at most 16."""
    return max(0.0, -log10(max(p, 1e-16)))
