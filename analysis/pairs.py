"""Screen of pairs: points that flow from one account to another when the two are opposed, and how.

Knows meetings, and what each of a pair does against everybody else. Farmers who help one another play as the rules
mean; only opposed hands count against a pair. Refuses to give a verdict on anybody: friends, a weak player with a
strong one and a table of regulars flow too. Source: statistics.md 4.5. The side that gives is chosen by the flow, so
the other tests, which look in its direction only, have their chances doubled.
"""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct

from analysis.deal_tests import score
from analysis.evidence import EVIDENCE
from analysis.intervals import Z, wilson
from analysis.meetings import Flags, Meetings, Real, Whole, pair_of
from analysis.screens import numbers
from analysis.significance import benjamini_hochberg, fisher_p, holm, normal_p, one_sided_p

LEAST = 20
"""Opposed hands below which nothing is said of a pair."""
LEAST_RUNS = 30
PRIOR = 100.0
"""Hands of an average player that everybody is taken to have played besides his own: players differ by about a tenth
of what a hand does."""
_NOTHING = 1e-9
HABIT = 30.0
"""Turns below which a habit is not compared."""
THRESHOLDS = (20, 3, 0.7, 0.75)
"""An operator's first screen: hands together, tables, wins together, share of one account's hands."""

ALL = "all"
TITLES: dict[str, tuple[str, str, str, str]] = {
    ALL: ("全部", "all tests", "固定的牌友，水平相差很大", "regulars at one table, players of very different skill"),
    "together": ("同桌", "together", "朋友相约，或人少", "friends who play together, or few players"),
    "flow": (
        "相对时得分流向对方", "points flow to the other when opposed",
        "一方擅长对付另一方", "one of them knows how to play the other",
    ),
    "third_party": (
        "作农民时己方少得", "as farmer against him his side gets less",
        "与这位地主同桌的第三人较弱", "the third at that table is weak",
    ),
    "soft": (
        "能压而不压对方", "passes although he could beat him",
        "对方的牌路使人保留实力", "the other's play makes one wait",
    ),
    "weak_bids": (
        "弱牌叫地主而大输给对方", "bids with weak cards and loses much to him",
        "同桌者都敢叫", "everybody bids boldly at that table",
    ),
    "shape": (
        "输给对方的局更多翻倍", "what is lost to him is doubled more often",
        "对方好炸", "the other bombs freely",
    ),
    "runs": ("胜负交替过于整齐", "wins alternate too regularly", "地主轮流当", "the two are landlord by turns"),
}  # fmt: skip
"""What is tested of a pair, and what would make it harmless."""


class Habit(Struct, frozen=True):
    """Sums of a rate part / whole over hands, for its error by hand."""

    part: float = 0.0
    whole: float = 0.0
    parts: float = 0.0
    both: float = 0.0
    wholes: float = 0.0

    def __sub__(self, other: "Habit") -> "Habit":
        return Habit(*(a - b for a, b in zip(self._sums, other._sums, strict=True)))

    @property
    def _sums(self) -> tuple[float, ...]:
        return self.part, self.whole, self.parts, self.both, self.wholes

    @property
    def rate(self) -> float:
        """The rate."""
        return self.part / self.whole

    @property
    def variance(self) -> float:
        """Of the rate, by hand."""
        r = self.rate
        return max(self.parts - 2 * r * self.both + r * r * self.wholes, r * (1 - r) * self.whole) / self.whole**2


class _Sums(Struct, frozen=True):
    """What every account does, by ruleset and player."""

    hands: Whole
    """Hands, by ruleset."""
    landlord: tuple[Real, Real]
    """Hands, and residuals that he paid."""
    farmer: tuple[Real, Real]
    """Hands, and residuals that he got."""
    passes: tuple[Real, ...]
    """As farmer: the five sums of ``Habit``."""
    faced: tuple[Real, ...]
    """The same of all farmers whom he faced as landlord."""
    thrown: Whole
    seated: Whole
    """Hands as landlord, and weak bids that lost much among them."""
    shaped: Whole
    beaten: Whole
    """Farmers and landlords he lost to, and those meetings that were doubled."""
    variance: Real
    """Of a residual, by ruleset."""
    everybody: tuple[Habit, ...]
    """By ruleset, passes of all farmers."""


def _sums(met: Meetings) -> _Sums:
    size, laws = met.size, len(met.rules)
    cells = laws * size
    lords, farmers = met.law * size + met.landlord, met.law * size + met.farmer
    shares = 1.0 / np.bincount(_hands(met.hand))[_hands(met.hand)] if len(met.hand) else np.empty(0)
    habits = (met.passed, met.could, met.passed**2, met.passed * met.could, met.could**2)
    first = np.ones(len(met.hand), bool)
    first[1:] = met.hand[1:] != met.hand[:-1]
    losers = np.where(met.lost, farmers, lords)
    squares = np.bincount(met.law, met.r**2, minlength=laws) / np.maximum(np.bincount(met.law, minlength=laws), 1)
    everybody = [Habit(*(float(each[met.law == law].sum()) for each in habits)) for law in range(laws)]
    return _Sums(
        hands=np.bincount(met.law[first], minlength=laws),
        landlord=(_added(lords, cells, shares), _added(lords, cells, shares * met.r)),
        farmer=(_added(farmers, cells), _added(farmers, cells, met.r)),
        passes=tuple(_added(farmers, cells, each) for each in habits),
        faced=tuple(_added(lords, cells, each) for each in habits),
        thrown=np.bincount(lords[first & met.thrown], minlength=cells),
        seated=np.bincount(lords[first], minlength=cells),
        shaped=np.bincount(losers[met.shaped], minlength=cells),
        beaten=np.bincount(losers, minlength=cells),
        variance=squares,
        everybody=tuple(everybody),
    )


def _added(places: Whole, cells: int, weights: Real | None = None) -> Real:
    """One where nothing is weighed, or the weights, added up by place."""
    return np.bincount(places, weights, cells).astype(np.float64)


def _hands(hand: Whole) -> Whole:
    """Hands numbered from 0."""
    return np.cumsum(np.concatenate([[0], hand[1:] != hand[:-1]])).astype(np.int64) if len(hand) else hand


class Pair(Struct, frozen=True):
    """One pair, seen from the side that gives, with its meetings."""

    met: Meetings
    sums: _Sums
    law: int
    giver: int
    taker: int
    rows: Whole
    """Its meetings, in order."""
    given: Real
    """Of each, what the giver lost to the taker."""
    gave: Flags
    """Of each, whether the giver was landlord."""

    def cell(self, player: int) -> int:
        """Where a player stands in ``sums``."""
        return self.law * self.met.size + player


def rows(met: Meetings) -> list[dict[str, Any]]:
    """Every pair that was opposed often enough: a row that sums it up, then its tests; the highest scores first."""
    found = [(pair, _tests(pair)) for pair in _pairs(met, _sums(met))]
    summed = [_summed_up(tests) for _, tests in found]
    adjusted = benjamini_hochberg([float(row["p"]) for row in summed])
    order = sorted(range(len(found)), key=lambda place: (float(summed[place]["p"]), place))
    told: list[dict[str, Any]] = []
    for place in order:
        pair, tests = found[place]
        own = {"player": met.players[pair.giver], "other": met.players[pair.taker], "rules": met.rules[pair.law]}
        summary = summed[place] | {"adjusted": adjusted[place], "score": score(adjusted[place])}
        told += [own | row for row in (summary, *tests)]
    return told


def _pairs(met: Meetings, sums: _Sums) -> Iterator[Pair]:
    """Pairs with ``LEAST`` opposed hands; the giver is who lost more to the other than both lose elsewhere."""
    codes = pair_of(met.law, met.landlord, met.farmer, met.size)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    for start, end in zip(starts, np.append(starts, len(order))[1:], strict=True):
        if end - start < LEAST:
            continue
        some = order[start:end]
        law, low = int(met.law[some[0]]), int(min(met.landlord[some[0]], met.farmer[some[0]]))
        high = int(max(met.landlord[some[0]], met.farmer[some[0]]))
        pair = _seen_from(low, high, Pair(met, sums, law, low, high, some, met.y[:0], met.lost[:0]))
        yield pair if (round(_flow(pair)[0], 9), pair.given.sum()) >= (0.0, 0.0) else _seen_from(high, low, pair)


def _seen_from(giver: int, taker: int, pair: Pair) -> Pair:
    gave = pair.met.landlord[pair.rows] == giver
    given = np.where(gave, pair.met.y[pair.rows], -pair.met.y[pair.rows])
    return Pair(pair.met, pair.sums, pair.law, giver, taker, pair.rows, given, gave)


def _effect(sums: tuple[Real, Real], cell: int, own: float, total: float) -> tuple[float, float]:
    """What an account does elsewhere, drawn towards the average, and 1 over the hands that this rests on."""
    hands = float(sums[0][cell]) - own + PRIOR
    return (float(sums[1][cell]) - total) / hands, 1 / hands


def _flow(pair: Pair, part: Flags | None = None) -> tuple[float, float, float]:
    """z of the residual flow, its mean a hand beyond what both do elsewhere, and the error of that."""
    some = np.ones(len(pair.gave), bool) if part is None else part
    r = np.where(pair.gave, 1.0, -1.0) * pair.met.r[pair.rows]
    n, expected, spread = int(some.sum()), 0.0, float(some.sum())
    for gave, lord, farmer, sign in ((True, pair.giver, pair.taker, 1), (False, pair.taker, pair.giver, -1)):
        here = pair.gave == gave
        own, total = int(here.sum()), float(sign * r[here].sum())
        paid, one = _effect(pair.sums.landlord, pair.cell(lord), own, total)
        got, other = _effect(pair.sums.farmer, pair.cell(farmer), own, total)
        count = int((here & some).sum())
        expected += sign * count * (paid + got)
        spread += count**2 * (one + other)
    beyond, error = float(r[some].sum()) - expected, sqrt(float(pair.sums.variance[pair.law]) * spread)
    return (beyond / error if error > _NOTHING else 0.0), beyond / max(n, 1), error / max(n, 1)


def _tests(pair: Pair) -> list[dict[str, Any]]:
    told = [row for test in TESTS for row in test(pair)]
    tested = [row for row in told if row["p"] is not None]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row |= {"adjusted": adjusted, "score": score(adjusted)}
    return told


def _summed_up(tests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    worst = min((row for row in tests if row["p"] is not None), key=lambda row: float(row["adjusted"]))
    row = _row(ALL, next(each["whole"] for each in tests if each["test"] == "flow"), worst["adjusted"], "")
    kept = ("reason_zh", "reason_en", "innocent_zh", "innocent_en", "evidence")
    return row | {name: worst[name] for name in kept}


def _row(test: str, whole: float, p: float | None, seen: str, **more: Any) -> dict[str, Any]:
    zh, en, innocent_zh, innocent_en = TITLES[test]
    return {
        "test": test, "whole": int(whole), "p": p, "reason_zh": f"{zh}：{seen}", "reason_en": f"{en}: {seen}",
        "innocent_zh": innocent_zh, "innocent_en": innocent_en, "evidence": None,
    } | more  # fmt: skip


def _evidence(pair: Pair, worth: Real) -> str | None:
    """The hands in which most was given."""
    order = np.argsort(-worth, kind="stable")[:EVIDENCE]
    return numbers(tuple(int(pair.met.hand[pair.rows[place]]) for place in order if worth[place] > 0))


def _together_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """togetherness, and an operator's thresholds: no test, since friends may sit where they like."""
    met = pair.met
    code = int(pair_of(pair.law, pair.giver, pair.taker, met.size))
    mates, wins = met.together.get(code, (0, 0))
    hands, tables = len(pair.rows) + mates, len(np.unique(met.place[pair.rows]))
    each = [int(met.hands[pair.cell(player)]) for player in (pair.giver, pair.taker)]
    share, expected = hands / min(each), max(each) / int(pair.sums.hands[pair.law])
    reached = (hands >= THRESHOLDS[0], tables >= THRESHOLDS[1], mates and wins / mates >= THRESHOLDS[2])
    passed = sum(map(bool, reached)) + (share >= THRESHOLDS[3])
    yield _row(
        "together", hands, None, f"{hands} / {min(each)}, {tables}, {wins} / {mates}; {passed} / 4",
        value=share, expected=expected,
    )  # fmt: skip


def _flow_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """directed flow: points a hand over the base, and the residual that is tested."""
    z, beyond, error = _flow(pair)
    seen = f"{pair.given.sum():+.0f} / {len(pair.rows)}"
    yield _row(
        "flow", len(pair.rows), normal_p(z), seen, value=beyond, expected=0.0, value_from=beyond - Z * error,
        value_to=beyond + Z * error, points=float(pair.given.sum()), evidence=_evidence(pair, pair.given),
    )  # fmt: skip


def _third_party_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """third-party harm: what all farmers get while one of them faces his partner as landlord."""
    some = ~pair.gave
    if pair.met.size < 3 or some.sum() < LEAST:
        return
    z, beyond, error = _flow(pair, some)
    yield _row(
        "third_party", some.sum(), _doubled(one_sided_p(-z)), f"{pair.given[some].sum():+.0f} / {some.sum()}",
        value=beyond, expected=0.0, value_from=beyond - Z * error, value_to=beyond + Z * error,
        evidence=_evidence(pair, np.where(some, pair.given, 0.0)),
    )  # fmt: skip


def _doubled(p: float) -> float:
    return min(1.0, 2 * p)


def _soft_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """soft play: passes of the giver over the taker's plays, against his own elsewhere and others' there."""
    met, rows = pair.met, pair.rows[~pair.gave]
    passed, could = met.passed[rows], met.could[rows]
    here = Habit(*(float(x.sum()) for x in (passed, could, passed**2, passed * could, could**2)))
    own = Habit(*(float(each[pair.cell(pair.giver)]) for each in pair.sums.passes)) - here
    others = Habit(*(float(each[pair.cell(pair.taker)]) for each in pair.sums.faced)) - here
    everybody = pair.sums.everybody[pair.law]
    if min(here.whole, own.whole, others.whole) < HABIT:
        return
    expected = own.rate + others.rate - everybody.rate
    error = sqrt(here.variance + own.variance + others.variance)
    z, gap = (here.rate - expected) / error if error else 0.0, Z * error
    yield _row(
        "soft", here.whole, _doubled(one_sided_p(-z)), f"{here.rate:.3f}, {expected:.3f}", value=here.rate,
        expected=expected, value_from=max(0.0, here.rate - gap), value_to=min(1.0, here.rate + gap),
        evidence=_evidence_of(pair, rows, passed),
    )  # fmt: skip


def _evidence_of(pair: Pair, rows: Whole, worth: Real) -> str | None:
    order = np.argsort(-worth, kind="stable")[:EVIDENCE]
    return numbers(tuple(int(pair.met.hand[rows[place]]) for place in order if worth[place] > 0))


def _weak_bids_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """bid manipulation: weak bids that lost much with the taker at the table, against those without him."""
    rows, cell = pair.rows[pair.gave], pair.cell(pair.giver)
    thrown = pair.met.thrown[rows]
    yield from _more_often(pair, "weak_bids", rows, thrown, (int(pair.sums.thrown[cell]), int(pair.sums.seated[cell])))


def _shape_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """multiplier shape: doubled hands among those that the giver lost to the taker, against those lost to others."""
    rows, cell = pair.rows[pair.given > 0], pair.cell(pair.giver)
    shaped = pair.met.shaped[rows]
    yield from _more_often(pair, "shape", rows, shaped, (int(pair.sums.shaped[cell]), int(pair.sums.beaten[cell])))


def _more_often(pair: Pair, test: str, rows: Whole, seen: Flags, total: tuple[int, int]) -> Iterator[dict[str, Any]]:
    """Fisher's test of a rate in these rows against the same account's elsewhere."""
    part, whole = int(seen.sum()), len(rows)
    rest = (total[0] - part, total[1] - whole)
    if whole < LEAST or rest[1] < LEAST:
        return
    low, high = wilson(part, whole)
    yield _row(
        test, whole, _doubled(fisher_p(part, whole, *rest)), f"{part} / {whole}, {rest[0]} / {rest[1]}",
        value=part / whole, expected=rest[0] / rest[1], value_from=low, value_to=high,
        evidence=_evidence_of(pair, rows, seen.astype(float)),
    )  # fmt: skip


def _runs_row(pair: Pair) -> Iterator[dict[str, Any]]:
    """win trading: more runs of wins than chance makes (Wald and Wolfowitz), in the order of loading."""
    won, n = pair.given < 0, len(pair.rows)
    wins = int(won.sum())
    if n < LEAST_RUNS or not 5 <= wins <= n - 5:
        return
    runs = 1 + int((won[1:] != won[:-1]).sum())
    mean = 2 * wins * (n - wins) / n + 1
    sd = sqrt((mean - 1) * (mean - 2) / (n - 1))
    p = one_sided_p(-(runs - mean - 0.5) / sd)
    yield _row(
        "runs", n, p, f"{runs}, {mean:.1f}", value=runs, expected=mean, value_from=mean - Z * sd, value_to=mean + Z * sd
    )


TESTS: tuple[Callable[[Pair], Iterator[dict[str, Any]]], ...] = (
    _together_row, _flow_row, _third_party_row, _soft_row, _weak_bids_row, _shape_row, _runs_row,
)  # fmt: skip
