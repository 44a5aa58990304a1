"""Screen of pairs: points that flow from one account to another when the two are opposed, and how.

Knows what meetings add up to, and what each of a pair does against everybody else. Farmers who help one another play as
the rules mean; only opposed hands count against a pair. Refuses to give a verdict on anybody: friends, a weak player
with a strong one and a table of regulars flow too. All pairs are tested at once. Source: statistics.md 4.5. The side
that gives is chosen by the flow, so the other tests, which look in its direction only, have their chances doubled.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from msgspec import Struct, structs

from analysis.evidence import EVIDENCE
from analysis.flows import HABIT, Flows, most, runs, tables
from analysis.intervals import Z, wilsons
from analysis.meetings import Counts, Flags, Meetings, Places, Real, Whole
from analysis.significance import benjamini_hochberg, fisher_ps, holms, normal_p, one_sided_p

LEAST = 20
"""Opposed hands below which nothing is said of a pair."""
LEAST_RUNS, LEAST_OF_EACH = 30, 5
"""The same of runs, and how many must be won and how many not."""
PRIOR = 100.0
"""Hands of an average player that everybody is taken to have played besides his own: players differ by about a tenth
of what a hand does."""
_NOTHING = 1e-9
HABITUAL = 30.0
"""Turns below which a habit is not compared."""
THRESHOLDS = (20, 3, 0.7, 0.75)
"""An operator's first screen: hands together, tables, wins together, share of one account's hands."""
GIVER, TAKER = 0, 1


class Told(Struct, frozen=True, kw_only=True):
    """What a test says, pair by pair."""

    whole: Whole
    words: str
    """What was seen, for the figures ``seen``."""
    seen: tuple[Whole | Real, ...]
    tested: Flags | None = None
    """Of which pairs it says anything; None: of all."""
    p: Real | None = None
    value: Real | None = None
    expected: Real | None = None
    value_from: Real | None = None
    value_to: Real | None = None
    points: Real | None = None
    evidence: Whole | None = None
    """Hands, -1 where there are no more."""


class Pairs(Struct, frozen=True, kw_only=True, dict=True):
    """Pairs with ``LEAST`` opposed hands. What is said of both sides has a row for either, that of the giver first."""

    flows: Flows
    law: Whole
    pair: Whole
    """By the number that meetings give it."""
    met: Places
    """Which it is among the pairs that met."""
    who: Whole
    way: Places
    """The way in which this side was landlord, -1 where it never was."""

    def landlord(self, name: str) -> Real:
        """A sum of meetings by which side was landlord."""
        return np.where(self.way >= 0, np.append(self.flows.ways[name], 0.0)[self.way], 0.0)

    def account(self, sums: Real) -> Real:
        """What each side does, of sums of accounts."""
        return sums[self.flows.cells(self.law, self.who)]

    @cached_property
    def hands(self) -> Counts:
        """In which the two were opposed."""
        return _counts(self.landlord("met").sum(axis=0))

    @cached_property
    def given(self) -> Whole:
        """Of every entry, how much the giver lost to the taker, as levels go."""
        signs = np.ones(len(self.flows.starts) + 1, np.int8)
        signs[self.way[TAKER]] = -1
        return self.flows.met.level * np.repeat(signs[:-1], self.flows.met.ways.met)

    @cached_property
    def losses(self) -> Places:
        """The entries in which most of that was lost, by which side was landlord."""
        return most(self.flows, self.way, self.given, EVIDENCE)


class Screened(Struct, frozen=True, kw_only=True):
    """The pairs of some meetings and what is said of them."""

    rules: list[str]
    players: list[str]
    law: Whole
    who: Whole
    """Giver and taker."""
    told: dict[str, Told]
    adjusted: Real
    """The p of each test, corrected for all of the pair, NaN where there is none: pairs by tests."""
    worst: Whole
    """Of each pair the test with the least of them."""
    summed: Real
    """That, corrected for all pairs."""
    order: Whole
    """Pairs, the highest scores first."""


def screened(met: Meetings) -> Screened:
    """Every pair that was opposed often enough, tested."""
    found = _pairs(met)
    told = {name: test(found) for name, test in TESTS.items()}
    chances = np.stack([np.full(len(found.law), np.nan) if each.p is None else each.p for each in told.values()], 1)
    adjusted = holms(chances)
    worst = np.argmin(np.where(np.isnan(adjusted), np.inf, adjusted), axis=1)
    least = adjusted[np.arange(len(worst)), worst]
    return Screened(
        rules=met.rules, players=met.players, law=found.law, who=found.who, told=told, adjusted=adjusted, worst=worst,
        summed=np.array(benjamini_hochberg(least.tolist())), order=np.argsort(least, kind="stable"),
    )  # fmt: skip


def _pairs(met: Meetings) -> Pairs:
    """The giver is who lost more to the other than both lose elsewhere."""
    flows, ways = Flows(met), met.ways
    starts = flows.pair_starts
    often = np.flatnonzero(np.diff(flows.starts[starts], append=len(met.hand)) >= LEAST)
    first, last = starts[often], np.append(starts, len(ways.pair))[often + 1] - 1
    who = np.sort([ways.landlord[first], ways.farmer[first]], axis=0)
    way = np.where([ways.landlord[first] == who[0], ways.landlord[last] == who[1]], [first, last], -1)
    found = Pairs(flows=flows, law=ways.law[first], pair=ways.pair[first], met=often, who=who, way=way)
    z, (one, other) = np.round(_flow(found)[0], 9), found.landlord("points")
    gives = (z > 0) | ((z == 0) & (one >= other))
    return structs.replace(found, who=np.where(gives, who, who[::-1]), way=np.where(gives, way, way[::-1]))


def _flow(pairs: Pairs, sides: tuple[int, ...] = (GIVER, TAKER)) -> tuple[Real, Real, Real]:
    """What the giver lost beyond expectation: as deviate, a hand, and the error of that.

    ``sides``: which side was landlord in the hands that count.
    """
    flows, own, (paid, spread) = pairs.flows, pairs.landlord("met"), _beyond(pairs)
    signs = (1, -1)
    beyond = np.sum([signs[side] * paid[side] for side in sides], axis=0)
    hands, spread = (np.sum([each[side] for side in sides], axis=0) for each in (own, spread))
    variance = flows.of_laws("rr") / np.maximum(flows.of_laws("met"), 1)
    error = np.sqrt(variance[pairs.law] * spread)
    known = error > _NOTHING
    z = np.where(known, beyond / np.where(known, error, 1), 0.0)
    return z, beyond / np.maximum(hands, 1), error / np.maximum(hands, 1)


def _beyond(pairs: Pairs) -> tuple[Real, Real]:
    """What each side as landlord paid the other, beyond what it pays others and others pay him.

    Its variance stands beside, in variances of a hand.
    """
    flows, own, total = pairs.flows, pairs.landlord("met"), pairs.landlord("r")
    hands, paid_by = (pairs.account(flows.of_landlords(name)) for name in ("hands", "paid_r"))
    met, got_by = (pairs.account(flows.of_farmers(name))[::-1] for name in ("met", "r"))
    paid, one = _effect(hands, paid_by, pairs.landlord("faced"), pairs.landlord("faced_r"))
    got, other = _effect(met, got_by, own, total)
    return total - own * (paid + got), own + own**2 * (one + other)


def _effect(hands: Real, sums: Real, own: Real, total: Real) -> tuple[Real, Real]:
    """What an account does elsewhere, drawn towards the average, and 1 over the hands that this rests on."""
    rest = hands - own + PRIOR
    return (sums - total) / rest, 1 / rest


def _best(pairs: Pairs, worth: Whole, sides: tuple[int, ...], places: Places | None = None) -> Whole:
    """The hands that are worth most, the first of those that are worth as much, where these sides were landlord.

    ``places``: the entries by which side was, if they are known.
    """
    met = pairs.flows.met
    found = most(pairs.flows, pairs.way, worth, EVIDENCE) if places is None else places
    found = np.hstack([found[side] for side in sides])
    if len(sides) > 1:
        keys = np.where(found >= 0, (_at(worth, found) << 32) - _at(met.turn, found), -1)
        found = np.take_along_axis(found, np.argsort(-keys, axis=1, kind="stable")[:, :EVIDENCE], axis=1)
    return np.where(found >= 0, _at(met.hand, found), -1)


def _at(values: Whole, places: Places) -> Whole:
    """The values of entries, whatever where there is none."""
    return (values[places] if len(values) else places).astype(np.int64)


def _chances(of: Callable[[float], float], values: Real, tested: Flags | None = None) -> Real:
    """A p for every value, NaN for what is not tested."""
    found = np.array([of(value) for value in values.tolist()])
    return found if tested is None else np.where(tested, found, np.nan)


def _greater(z: float) -> float:
    """How likely a deviate is at least so great in the direction that the flow has chosen."""
    return min(1.0, 2 * one_sided_p(-z))


def _together(pairs: Pairs) -> Told:
    """togetherness, and an operator's thresholds: no test, since friends may sit where they like."""
    flows, mates = pairs.flows, pairs.flows.met.mates
    known = int(pairs.pair.max(initial=-1)) + 1
    beside, wins = (_counts(np.bincount(mates.pair, each, known))[pairs.pair] for each in (mates.hands, mates.wins))
    hands, places = pairs.hands + beside, tables(flows)[pairs.pair]
    each = _counts(pairs.account(flows.of_farmers("met") + flows.of_landlords("hands")))
    rarer, share = each.min(axis=0), hands / each.min(axis=0)
    of_wins = (beside > 0) & (wins / np.maximum(beside, 1) >= THRESHOLDS[2])
    reached = ((hands >= THRESHOLDS[0]), (places >= THRESHOLDS[1]), of_wins, (share >= THRESHOLDS[3]))
    seen = (hands, rarer, places, wins, beside, np.sum(reached, axis=0))
    return Told(
        whole=hands, words="{} / {}, {}, {} / {}; {} / 4", seen=seen, value=share,
        expected=each.max(axis=0) / np.rint(flows.of_laws("hands"))[pairs.law],
    )  # fmt: skip


def _counts(values: Real | Whole) -> Counts:
    return np.rint(values).astype(np.int64)


def _plain(points: Real) -> Real:
    """Whole points, of which none has no sign."""
    return np.rint(points) + 0.0


def _flow_told(pairs: Pairs) -> Told:
    """directed flow: points a hand over the base, and the residual that is tested."""
    z, value, error = _flow(pairs)
    points = pairs.landlord("points")
    given = points[GIVER] - points[TAKER]
    return Told(
        whole=pairs.hands, words="{:+.0f} / {}", seen=(_plain(given), pairs.hands), p=_chances(normal_p, z),
        value=value, expected=np.zeros(len(z)), value_from=value - Z * error, value_to=value + Z * error, points=given,
        evidence=_best(pairs, pairs.given, (GIVER, TAKER), pairs.losses),
    )  # fmt: skip


def _third_party(pairs: Pairs) -> Told:
    """third-party harm: what all farmers get while one of them faces his partner as landlord."""
    hands = _counts(pairs.landlord("met")[TAKER])
    tested = (hands >= LEAST) & (pairs.flows.players > 2)
    z, value, error = _flow(pairs, (TAKER,))
    return Told(
        whole=hands, words="{:+.0f} / {}", seen=(_plain(-pairs.landlord("points")[TAKER]), hands), tested=tested,
        p=_chances(_greater, z, tested), value=value, expected=np.zeros(len(z)), value_from=value - Z * error,
        value_to=value + Z * error, evidence=_best(pairs, pairs.given, (TAKER,), pairs.losses),
    )  # fmt: skip


def _soft(pairs: Pairs) -> Told:
    """soft play: passes of the giver over the taker's plays, against his own elsewhere and others' there."""
    flows = pairs.flows
    here = np.array([pairs.landlord(name)[TAKER] for name in HABIT])
    own = np.array([pairs.account(flows.of_farmers(name))[GIVER] for name in HABIT]) - here
    others = np.array([pairs.account(flows.of_landlords(name))[TAKER] for name in HABIT]) - here
    everybody = np.array([flows.of_laws(name)[pairs.law] for name in HABIT])
    tested = np.min([here[1], own[1], others[1]], axis=0) >= HABITUAL
    (rate, here_by), (usual, own_by), (faced, others_by), (common, _) = map(_rate, (here, own, others, everybody))
    expected, error = usual + faced - common, np.sqrt(here_by + own_by + others_by)
    z = np.where(error > 0, (rate - expected) / np.where(error > 0, error, 1), 0.0)
    return Told(
        whole=here[1], words="{:.3f}, {:.3f}", seen=(rate, expected), tested=tested, p=_chances(_greater, z, tested),
        value=rate, expected=expected, value_from=np.maximum(0.0, rate - Z * error),
        value_to=np.minimum(1.0, rate + Z * error), evidence=_best(pairs, flows.met.passed, (TAKER,)),
    )  # fmt: skip


def _rate(habit: Real) -> tuple[Real, Real]:
    """A rate and its variance by hand, of the five sums of a habit."""
    part, whole, parts, both, wholes = habit
    whole = np.where(whole > 0, whole, 1)
    r = part / whole
    return r, np.maximum(parts - 2 * r * both + r * r * wholes, r * (1 - r) * whole) / whole**2


def _weak_bids(pairs: Pairs) -> Told:
    """bid manipulation: weak bids that lost much with the taker at the table, against those without him."""
    flows = pairs.flows
    here = (pairs.landlord("thrown")[GIVER], pairs.landlord("faced")[GIVER])
    total = tuple(pairs.account(flows.of_landlords(name))[GIVER] for name in ("thrown_hands", "hands"))
    return _more_often(here, total, _best(pairs, flows.thrown.view(np.uint8), (GIVER,)))


def _shape(pairs: Pairs) -> Told:
    """multiplier shape: doubled hands among those that the giver lost to the taker, against those lost to others."""
    flows = pairs.flows
    here = tuple(
        pairs.landlord(f"paid{shaped}")[GIVER] + pairs.landlord(f"got{shaped}")[TAKER] for shaped in ("_shaped", "")
    )
    beaten = flows.of_farmers("lost") + flows.of_landlords("met") - flows.of_landlords("lost")
    shaped = flows.of_farmers("lost_shaped") + flows.of_landlords("won_shaped")
    worth = (flows.met.shaped & (pairs.given > 0)).view(np.uint8)
    total = tuple(pairs.account(sums)[GIVER] for sums in (shaped, beaten))
    return _more_often(here, total, _best(pairs, worth, (GIVER, TAKER)))


def _more_often(here: tuple[Real, ...], total: tuple[Real, ...], evidence: Whole) -> Told:
    """Fisher's test of a rate here against the same account's elsewhere."""
    part, whole, part_else, whole_else = map(_counts, (*here, total[0] - here[0], total[1] - here[1]))
    tested = (whole >= LEAST) & (whole_else >= LEAST)
    p = np.full(len(whole), np.nan)
    p[tested] = 2 * fisher_ps(part[tested], whole[tested], part_else[tested], whole_else[tested])
    low, high = wilsons(part, np.maximum(whole, 1))
    return Told(
        whole=whole, words="{} / {}, {} / {}", seen=(part, whole, part_else, whole_else), tested=tested,
        p=np.minimum(1.0, p), value=part / np.maximum(whole, 1), expected=part_else / np.maximum(whole_else, 1),
        value_from=low, value_to=high, evidence=evidence,
    )  # fmt: skip


def _runs(pairs: Pairs) -> Told:
    """win trading: more runs of wins than chance makes (Wald and Wolfowitz), in the order of loading."""
    n = pairs.hands
    wins = pairs.landlord("got")[GIVER] + pairs.landlord("paid")[TAKER]
    tested = (n >= LEAST_RUNS) & (wins >= LEAST_OF_EACH) & (wins <= n - LEAST_OF_EACH)
    seen = runs(pairs.flows, pairs.given < 0)[pairs.met]
    mean = 2 * wins * (n - wins) / n + 1
    sd = np.sqrt(np.where(tested, (mean - 1) * (mean - 2) / (n - 1), 1.0))
    p = _chances(lambda z: one_sided_p(-z), (seen - mean - 0.5) / sd, tested)
    return Told(
        whole=n, words="{}, {:.1f}", seen=(seen, mean), tested=tested, p=p, value=seen.astype(np.float64),
        expected=mean, value_from=mean - Z * sd, value_to=mean + Z * sd,
    )  # fmt: skip


TESTS: dict[str, Callable[[Pairs], Told]] = {
    "together": _together, "flow": _flow_told, "third_party": _third_party, "soft": _soft, "weak_bids": _weak_bids,
    "shape": _shape, "runs": _runs,
}  # fmt: skip
