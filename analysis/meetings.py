"""Who met whom and what it cost: the hands in which two accounts were opposed, as arrays.

Knows the columns of ``seats`` and adds up. Refuses to say what is suspicious. Only pairs that met appear: there is one
row for each farmer of a hand, and nothing is formed of two accounts that never sat together. What a hand moved is told
as a residual: the farmer's score over the base, as a signed logarithm since scores are powers of two, less what the
strength of both hands lets expect under the ruleset. Source: statistics.md 4.5.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from msgspec import Struct

from analysis.deal_counts import narrowed
from analysis.warehouse import Questionable

PARAMETERS = ("rules", "since", "until")
BIG = 12
"""Bid × multiplier from which a loss is a big one."""
WEAK = 0.2
"""Share of the dealt hands of a ruleset that are called weak."""
ROWS, SECONDS = 10**9, 600.0

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_MET = f"""
WITH sat AS (
    SELECT hand, seat, hash(player) AS who, role, rules, score / base AS y, won, bid * multiplier AS worth,
        multiplier > 1 AS shaped, dealt_points + coalesce(taken_points, 0) AS strength, dealt_points AS dealt,
        could - could_mate AS could, passed - passed_mate AS passed
    FROM seats
    WHERE verdict = 'clean' AND role IS NOT NULL AND won IS NOT NULL AND score IS NOT NULL AND {narrowed("seats")}
), weak AS (
    SELECT rules, quantile_disc(dealt, {WEAK}) AS quintile FROM sat GROUP BY rules
), landlords AS (
    SELECT sat.*, coalesce(dealt <= quintile, false) AND NOT won AND worth >= {BIG} AS thrown
    FROM sat LEFT JOIN weak USING (rules) WHERE role = 'landlord'
)
SELECT farmers.rules, farmers.hand, farmers.seat, landlords.who AS landlord, farmers.who AS farmer,
    farmers.y::DOUBLE AS y, (landlords.strength - farmers.dealt)::DOUBLE AS x, landlords.won AS lost, farmers.shaped,
    landlords.thrown, coalesce(farmers.could, 0)::DOUBLE AS could, coalesce(farmers.passed, 0)::DOUBLE AS passed,
    coalesce(hash(hands.source, hands.table_id), 0) AS place
FROM sat AS farmers JOIN landlords USING (hand) JOIN hands USING (hand)
WHERE farmers.role = 'farmer' AND farmers.who <> landlords.who
"""
_NAMES = f"SELECT DISTINCT hash(player) AS who, player FROM seats WHERE {narrowed('seats')}"


class Meetings(Struct, frozen=True, kw_only=True):
    """One entry for each farmer of each clean hand, in the order of hands."""

    rules: list[str]
    """Names of the rulesets, by number."""
    players: list[str]
    law: Whole
    hand: Whole
    landlord: Whole
    farmer: Whole
    y: Real
    """What the landlord paid the farmer, over the base."""
    r: Real
    """The same as residual."""
    lost: Flags
    """Whether the farmer lost."""
    shaped: Flags
    """Whether anything doubled the hand."""
    thrown: Flags
    """Whether the landlord lost a hand of at least ``BIG`` with weak cards."""
    could: Real
    passed: Real
    """Of the farmer: turns with an answer to the landlord's play, and passes among them."""
    place: Whole
    """Which table."""
    hands: Whole
    """Clean hands of each player, by ruleset and player."""
    together: dict[int, tuple[int, int]]
    """Of pairs that were farmers together: hands and wins, by the codes of ``pair_of``."""

    @property
    def size(self) -> int:
        """The number of players, whatever the ruleset."""
        return len(self.players)


def meetings(warehouse: Questionable, filters: Mapping[str, Any]) -> Meetings:
    """Every meeting of the hands that pass the filters."""
    values = {name: filters.get(name) for name in PARAMETERS}
    met = warehouse.query(_MET, values, rows=ROWS, seconds=SECONDS)
    met = met.take(np.lexsort((met["seat"], met["hand"])))
    names = warehouse.query(_NAMES, values, rows=ROWS, seconds=SECONDS).sort_values("player")
    who = pd.Index(names["who"])
    law, laws = pd.factorize(met["rules"], sort=True)
    landlord, farmer = (who.get_indexer(pd.Index(met[name])).astype(np.int64) for name in ("landlord", "farmer"))
    law, hand, y = law.astype(np.int64), met["hand"].to_numpy(np.int64), met["y"].to_numpy(float)
    lost = met["lost"].to_numpy(bool)
    sat = _sat(law, hand, landlord, farmer, len(who))
    return Meetings(
        rules=list(map(str, laws)), players=list(map(str, names["player"])), law=law, hand=hand, landlord=landlord,
        farmer=farmer, y=y, r=_residuals(law, y, met["x"].to_numpy(float)), lost=lost,
        shaped=_flags(met["shaped"]), thrown=_flags(met["thrown"]), could=met["could"].to_numpy(float),
        passed=met["passed"].to_numpy(float), place=pd.factorize(met["place"])[0].astype(np.int64), hands=sat,
        together=_together(law, hand, farmer, ~lost, len(who)),
    )  # fmt: skip


def _flags(values: pd.Series) -> Flags:
    return values.fillna(value=False).to_numpy(bool)


def pair_of(law: Any, one: Any, other: Any, size: int) -> Any:
    """One number for a ruleset and two players, whichever comes first."""
    return (law * size + np.minimum(one, other)) * size + np.maximum(one, other)


def _residuals(law: Whole, y: Real, x: Real) -> Real:
    """Signed logarithms of the payments less their regression on strength, ruleset by ruleset."""
    t = np.asarray(np.sign(y) * np.log2(1 + np.abs(y)), np.float64)
    rest: Real = np.empty(len(t))
    for one in range(int(law.max(initial=-1)) + 1):
        some = law == one
        known = some & ~np.isnan(x)
        rest[some] = t[some] - t[some].mean()
        if known.sum() > 2 and np.ptp(x[known]) > 0:
            slope, start = np.polyfit(x[known], t[known], 1)
            rest[known] = t[known] - start - slope * x[known]
    return rest


def _sat(law: Whole, hand: Whole, landlord: Whole, farmer: Whole, size: int) -> Whole:
    """Hands of each player by ruleset: landlords stand once for each farmer."""
    first = np.ones(len(hand), bool)
    first[1:] = hand[1:] != hand[:-1]
    seats = np.concatenate([law * size + farmer, (law * size + landlord)[first]])
    return np.bincount(seats, minlength=(int(law.max(initial=0)) + 1) * max(size, 1)).astype(np.int64)


def _together(law: Whole, hand: Whole, farmer: Whole, won: Flags, size: int) -> dict[int, tuple[int, int]]:
    """Farmers of the same hand stand next to one another."""
    pairs, wins = [np.empty(0, np.int64)], [np.empty(0, bool)]
    for step in (1, 2):
        same = (hand[step:] == hand[:-step]) & (farmer[step:] != farmer[:-step])
        pairs.append(pair_of(law[step:], farmer[step:], farmer[:-step], size)[same])
        wins.append(won[step:][same])
    codes, place = np.unique(np.concatenate(pairs), return_inverse=True)
    number = np.bincount(place, minlength=len(codes))
    won_too = np.bincount(place, np.concatenate(wins), minlength=len(codes)).astype(int)
    return {int(code): (int(n), int(w)) for code, n, w in zip(codes, number, won_too, strict=True)}
