"""The screen of pairs a second time: slowly, meeting by meeting in plain Python, from the definitions.

Knows rows of ``seats``. Refuses to know arrays, and how anything is written down.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import comb, erfc, log2, sqrt
from typing import Any

from msgspec import Struct

Row = dict[str, Any]
Found = dict[tuple[str, str, str, str], Row]


class Met(Struct):
    """One farmer of one hand."""

    law: str
    hand: int
    lord: str
    farmer: str
    y: float
    x: float | None
    lost: bool
    shaped: bool
    big: bool
    dealt: float | None
    could: float
    passed: float
    share: float = 0.0
    r: float = 0.0
    thrown: bool = False

    def given(self, giver: str) -> float:
        return self.y if self.lord == giver else -self.y


def screened(seats: Iterable[Row]) -> Found:
    """By giver, taker, ruleset and test: the sample, what was seen, what was expected, the chance and the hands."""
    clean = sorted(
        (seat for seat in seats if seat["verdict"] == "clean"), key=lambda seat: (seat["hand"], seat["seat"])
    )
    found = {}
    for law in {seat["rules"] for seat in clean}:
        met = _met([seat for seat in clean if seat["rules"] == law])
        by_pair = defaultdict(list)
        for one in met:
            by_pair[min(one.lord, one.farmer), max(one.lord, one.farmer)].append(one)
        for (low, high), own in by_pair.items():
            if len(own) >= 20:
                z = _flow(met, own, own, low)[2]
                gives = round(z, 9) > 0 or (round(z, 9) == 0 and sum(one.given(low) for one in own) >= 0)
                giver, taker = (low, high) if gives else (high, low)
                found |= {(giver, taker, law, test): row for test, row in _tests(met, own, giver, taker)}
    return found


def _met(seats: Sequence[Row]) -> list[Met]:
    met = []
    for lord in (seat for seat in seats if seat["role"] == "landlord"):
        for seat in seats:
            if seat["hand"] == lord["hand"] and seat["role"] == "farmer" and seat["player"] != lord["player"]:
                known = lord["dealt_points"] is not None and seat["dealt_points"] is not None
                met.append(
                    Met(
                        lord["rules"], lord["hand"], lord["player"], seat["player"], seat["score"] / seat["base"],
                        lord["dealt_points"] + lord["taken_points"] - seat["dealt_points"] if known else None,
                        lord["won"], seat["multiplier"] > 1,
                        not lord["won"] and lord["bid"] * lord["multiplier"] >= 12, lord["dealt_points"],
                        seat["could"], seat["passed"],
                    )
                )  # fmt: skip
    dealt = sorted(seat["dealt_points"] for seat in seats if seat["dealt_points"] is not None)
    weak = dealt[-(-len(dealt) // 5) - 1] if dealt else None
    t = {id(one): (1 if one.y > 0 else -1) * log2(1 + abs(one.y)) for one in met}
    known = [(one.x, t[id(one)]) for one in met if one.x is not None]
    usual = sum(t.values()) / max(len(t), 1)
    slope, start = _line(known) if len({x for x, _ in known}) > 1 else (None, None)
    for one in met:
        one.share = 1 / sum(other.hand == one.hand for other in met)
        one.r = t[id(one)] - (usual if one.x is None or slope is None else start + slope * one.x)
        one.thrown = one.big and weak is not None and one.dealt is not None and one.dealt <= weak
    return met


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    x, t = (sum(column) / len(points) for column in zip(*points, strict=True))
    slope = sum((a - x) * (b - t) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope, t - slope * x


def _flow(met: Sequence[Met], own: Sequence[Met], counted: Sequence[Met], giver: str) -> tuple[float, float, float]:
    """What the giver lost in the counted meetings beyond expectation, its error, and the one over the other."""
    total, spread = 0.0, float(len(counted))
    for lord, farmer in {(one.lord, one.farmer) for one in own}:
        here = [one for one in own if one.lord == lord]
        some = [one for one in counted if one.lord == lord]
        paid = [one for one in met if one.lord == lord]
        got = [one for one in met if one.farmer == farmer]
        n, r = len(here), sum(one.r for one in here)
        one = sum(each.share for each in paid) - n + 100
        other = len(got) - n + 100
        usual = (sum(each.share * each.r for each in paid) - r) / one + (sum(each.r for each in got) - r) / other
        total += (1 if lord == giver else -1) * (sum(each.r for each in some) - len(some) * usual)
        spread += len(some) ** 2 * (1 / one + 1 / other)
    error = sqrt(sum(one.r**2 for one in met) / len(met) * spread)
    return total, error, total / error if error > 1e-9 else 0.0


def _above(z: float) -> float:
    return min(1.0, erfc(z / sqrt(2)))


def _best(met: Sequence[Met], worth: Any) -> list[int]:
    return [one.hand for one in sorted(met, key=lambda one: -worth(one)) if worth(one) > 0][:5]


def _tests(met: Sequence[Met], own: Sequence[Met], giver: str, taker: str) -> Iterator[tuple[str, Row]]:
    took = [one for one in own if one.lord == taker]
    for test, some in (("flow", own), ("third_party", took)):
        if test == "flow" or len(some) >= 20:
            beyond, _, z = _flow(met, own, some, giver)
            p = erfc(abs(z) / sqrt(2)) if test == "flow" else _above(z)
            hands = _best(some, lambda one: one.given(giver))
            yield test, {"whole": len(some), "value": beyond / len(some), "expected": 0.0, "p": p, "hands": hands}
    yield from _soft(met, took, giver, taker)
    lost = [one for one in own if one.given(giver) > 0]
    bid, seated = ({one.hand: one for one in some if one.lord == giver}.values() for some in (own, met))
    beaten = [one for one in met if (one.farmer == giver and one.lost) or (one.lord == giver and not one.lost)]
    for test, some, everything in (("weak_bids", bid, seated), ("shape", lost, beaten)):
        name = "thrown" if test == "weak_bids" else "shaped"
        k, both = sum(getattr(one, name) for one in some), sum(getattr(one, name) for one in everything)
        n, rest = len(some), len(everything) - len(some)
        if min(n, rest) >= 20:
            p = sum(comb(both, j) * comb(n + rest - both, n - j) for j in range(k, min(n, both) + 1)) / comb(
                n + rest, n
            )
            hands = [one.hand for one in some if getattr(one, name)][:5]
            row = {"whole": n, "value": k / n, "expected": (both - k) / rest, "p": min(1.0, 2 * p), "hands": hands}
            yield test, row
    won = [one.given(giver) < 0 for one in own]
    n, wins = len(own), sum(won)
    if n >= 30 and 5 <= wins <= n - 5:
        runs, mean = 1 + sum(one != other for one, other in pairwise(won)), 2 * wins * (n - wins) / n + 1
        z = (runs - mean - 0.5) / sqrt((mean - 1) * (mean - 2) / (n - 1))
        yield "runs", {"whole": n, "value": runs, "expected": mean, "p": erfc(z / sqrt(2)) / 2, "hands": []}


def _soft(met: Sequence[Met], took: Sequence[Met], giver: str, taker: str) -> Iterator[tuple[str, Row]]:
    here = {id(one) for one in took}
    own = [one for one in met if one.farmer == giver and id(one) not in here]
    others = [one for one in met if one.lord == taker and id(one) not in here]
    if min(sum(one.could for one in some) for some in (took, own, others)) < 30:
        return
    (rate, a), (usual, b), (faced, c), (common, _) = map(_rate, (took, own, others, met))
    expected, error = usual + faced - common, sqrt(a + b + c)
    row = {"value": rate, "expected": expected, "p": _above((rate - expected) / error if error else 0.0)}
    yield "soft", row | {"whole": sum(one.could for one in took), "hands": _best(took, lambda one: one.passed)}


def _rate(met: Sequence[Met]) -> tuple[float, float]:
    whole = sum(one.could for one in met)
    rate = sum(one.passed for one in met) / whole
    by_hand = sum((one.passed - rate * one.could) ** 2 for one in met)
    return rate, max(by_hand, rate * (1 - rate) * whole) / whole**2
