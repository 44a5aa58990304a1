"""What meetings add up to: by way, from one account to another, and by account.

Knows arithmetic of slices. Refuses to say what is suspicious. What a hand moved is told as a residual: the farmer's
score over the base, as a signed logarithm since scores are powers of two, less what the strength of both hands lets
expect under the ruleset. Source: statistics.md 4.5.
"""

from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from analysis.meetings import UNKNOWN, Counts, Flags, Meetings, Places, Real, Whole

WEAK = 5
"""Of the dealt hands of a ruleset the weakest one in so many are called weak."""
HABIT = ("passed", "could", "passed_passed", "passed_could", "could_could")
"""Sums of which a rate, passed / could, has its error by hand."""


class Flows:
    """Sums of meetings. ``ways`` has them for each way, by name:

    ``met`` and the residuals ``r``, by seat of a farmer; ``hands``, ``paid_r`` and ``thrown_hands``, shared among all
    farmers of a hand; ``faced``, ``faced_r`` and ``thrown``, by hand, in however many seats the farmer sat. Thrown are
    big losses of a landlord with weak cards. By seat are those of ``HABIT``, ``points`` (what the landlord paid), what
    the farmer ``lost``, and doubled ones that he ``lost_shaped`` or ``won_shaped``; what ``paid`` the farmer or ``got``
    from him, and doubled ones of them; ``rr``, squares of residuals.
    """

    def __init__(self, met: Meetings) -> None:
        self.met = met
        self.starts = met.starts
        self.laws = len(met.rules)
        weak = quintiles(met)
        self.thrown = met.weak <= np.repeat(weak[met.ways.law], met.ways.met)
        """Of each entry."""
        fits = _fits(met)
        found = [_ways(block, fits[block.ways.law[0]], weak[block.ways.law[0]]) for block in met.blocks()]
        found = found or [_ways(met, _Fit(), UNKNOWN)]
        self.ways = {name: np.concatenate([each[name] for each in found]) for name in found[0]}

    def of_laws(self, name: str) -> Real:
        """A sum by ruleset."""
        return np.bincount(self.met.ways.law, self.ways[name], self.laws).astype(np.float64)

    def of_landlords(self, name: str) -> Real:
        """A sum by ruleset and landlord, as ``cells`` has them."""
        return self._of(self.met.ways.landlord, self.ways[name])

    def of_farmers(self, name: str) -> Real:
        """A sum by ruleset and farmer, as ``cells`` has them."""
        return self._of(self.met.ways.farmer, self.ways[name])

    def _of(self, who: Whole, values: Real) -> Real:
        cells = self.cells(self.met.ways.law, who)
        return np.bincount(cells, values, self.laws * self.met.size).astype(np.float64)  # whole ones of nothing

    def cells(self, law: Whole, player: Whole) -> Places:
        """Where players stand in sums of accounts."""
        return law.astype(np.intp) * self.met.size + player

    @cached_property
    def players(self) -> int:
        """How many accounts met any other."""
        some = np.zeros(self.met.size, bool)
        some[self.met.ways.landlord] = some[self.met.ways.farmer] = True
        return int(some.sum())

    @cached_property
    def pair_starts(self) -> Places:
        """The first way of each pair that met."""
        return np.flatnonzero(np.diff(self.met.ways.pair.astype(np.int64), prepend=-1))


def quintiles(met: Meetings) -> NDArray[np.int16]:
    """By ruleset, the points at or below which a fifth of the dealt hands are (the smallest such number)."""
    found = np.full(len(met.rules), UNKNOWN, np.int16)
    for law in range(len(met.rules)):
        some = met.dealt.law == law
        points, place = np.unique(met.dealt.points[some], return_inverse=True)
        below = np.cumsum(np.bincount(place, met.dealt.seats[some], len(points)))
        found[law] = points[np.argmax(below * WEAK >= below[-1])] if len(points) else UNKNOWN
    return found


class _Fit(Struct, frozen=True):
    """What is expected of the hands of a ruleset, as logarithms."""

    usual: float = 0.0
    """Where the strength is not known."""
    start: float = 0.0
    slope: float = 0.0
    """Where it is: the regression on it."""


def _fits(met: Meetings) -> list[_Fit]:
    """By ruleset."""
    sums = np.zeros((len(met.rules), 7))
    for block in met.blocks():
        t, known = _logarithms(block), (block.x != UNKNOWN).astype(np.float64)
        x = block.x * known
        # no `@`: it wakes threads, which takes longer than such short sums
        sums[block.ways.law[0]] += [len(t), *(each.sum() for each in (t, known, t * known, x, x * x, x * t))]
    return [_fit(*map(float, each)) for each in sums]


def _fit(n: float, t: float, known: float, t_known: float, x: float, xx: float, xt: float) -> _Fit:
    """Of sums of logarithms and strengths."""
    usual, spread = t / max(n, 1), known * xx - x * x
    if known <= 2 or spread <= 0:  # exactly 0 where all are as strong, because they are whole numbers
        return _Fit(usual, usual)
    slope = (known * xt - x * t_known) / spread
    return _Fit(usual, (t_known - slope * x) / known, slope)


def _logarithms(met: Meetings) -> Real:
    return met.signed(np.log2(1 + met.amounts))


def _residuals(met: Meetings, fit: _Fit) -> Real:
    rest: Real = _logarithms(met) - np.where(met.x == UNKNOWN, fit.usual, fit.start + fit.slope * met.x)
    return rest


def _ways(met: Meetings, fit: _Fit, weak: int) -> dict[str, Real]:
    """The sums of ``Flows.ways`` of meetings under one ruleset."""
    paid, got, thrown, share = met.level > 0, met.level < 0, met.weak <= weak, 1.0 / met.farmers
    r, passed, could = _residuals(met, fit), met.passed.astype(np.float64), met.could.astype(np.float64)
    starts, first = met.starts, np.diff(met.hand, prepend=-1) != 0
    first[starts] = True
    flags = {
        "faced": first, "thrown": thrown & first, "lost": met.lost, "lost_shaped": met.lost & met.shaped,
        "won_shaped": met.shaped & ~met.lost, "paid": paid, "paid_shaped": paid & met.shaped, "got": got,
        "got_shaped": got & met.shaped,
    }  # fmt: skip
    values = {
        "hands": share, "r": r, "faced_r": r / _seats(first), "paid_r": r * share, "rr": r * r,
        "points": met.signed(met.amounts), "passed": passed, "could": could, "passed_passed": passed * passed,
        "passed_could": passed * could, "could_could": could * could, "thrown_hands": thrown * share,
    }  # fmt: skip
    counts = {name: counted(each, starts).astype(np.float64) for name, each in flags.items()}
    sums = {name: np.add.reduceat(each, starts) if len(starts) else each for name, each in values.items()}
    return {"met": met.ways.met.astype(np.float64)} | counts | sums


def _seats(first: Flags) -> Real | float:
    """In how many seats of its hand each farmer sits: one, unless there are entries that are not its first."""
    return 1.0 if first.all() else np.bincount(np.cumsum(first))[np.cumsum(first)].astype(np.float64)


def counted(flags: Flags, starts: Places) -> Counts:
    """How many are set from each start to the next."""
    if not len(starts):
        return np.empty(0, np.int64)
    return np.add.reduceat(flags.view(np.uint8), starts, dtype=np.int64)


def tables(flows: Flows) -> Counts:
    """At how many tables each pair met, by the number of the pair."""
    seen = np.zeros(len(flows.met.table_pair), bool)
    seen[flows.met.table] = True
    return np.bincount(flows.met.table_pair[seen], minlength=int(flows.met.ways.pair.max(initial=-1)) + 1)


def runs(flows: Flows, won: Flags) -> Counts:
    """How often what is said of each entry changes within a pair that met, in the order of hands, and once more."""
    met = flows.met
    told = np.full(met.everything, 2, np.uint8)
    told[met.turn] = won
    told = told[told != 2] if len(won) < len(told) else told
    changed = np.diff(told, prepend=told[:1]) != 0
    starts = flows.starts[flows.pair_starts]
    changed[starts] = True
    return counted(changed, starts)


def most(flows: Flows, ways: Places, worth: Whole, number: int) -> Places:
    """The entries of some ways that are worth most, the first of those that are worth as much; -1 where none is.

    Only what is worth more than 0 counts. Every way stands once, or is -1. Shape: that of ``ways``, by ``number``.
    """
    found = np.full((ways.size, number), -1, np.intp)
    wanted = np.zeros(len(flows.starts) + 1, bool)
    wanted[ways] = True
    some = (worth > 0) & np.repeat(wanted[:-1], flows.met.ways.met)
    rows, order = np.flatnonzero(some), np.argsort(ways, axis=None)
    many = np.append(counted(some, flows.starts), 0)[ways.ravel()[order]]
    order, many = order[many > 0], many[many > 0]
    starts = np.cumsum(many) - many
    keys = (worth[rows].astype(np.int64) << 32) - np.arange(len(rows))
    for rank in range(number if len(rows) else 0):
        best = np.maximum.reduceat(keys, starts)
        left = best > 0
        place = -best[left] & 0xFFFFFFFF
        found[order[left], rank] = rows[place]
        keys[place] = 0
    return found.reshape(*ways.shape, number)
