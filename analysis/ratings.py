"""Ratings that know the roles (statistics.md 2.9): who wins more hands than his company lets expect.

Knows which hands of a store are rated, in which order, and who sits on which side: the landlord with a virtual member
that stands for his role under a ruleset, learnt from the hands like everybody else, against the farmers. Without it a
lone landlord would be one skill against two, and every rating would sink. Refuses to know the mathematics, which are
those of ``weng_lin``.
"""

from array import array
from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from msgspec import Struct

from analysis.warehouse import Warehouse
from analysis.weng_lin import DRIFT, MU, Ratings

Pool = Literal["ruleset", "role", "everything"]
"""What a rating is of: a player under a ruleset, a player in a role under a ruleset, a player whatever he plays."""

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ROLE_DRIFT = DRIFT / 100
"""What is added to a role's variance before every hand. Rules don't change, but the mean of the players does while they
are being learnt: a role that stood still would be too sure to follow, one that drifted like a player would be noise.
"""
COMPILED = 50_000
"""Hands from which on they are rated by compiled code, where Numba is installed: to load it takes a second."""
_SECONDS = 300.0
"""A question about every hand of a store takes longer than one of a screen."""
_ALL = 10**12

# A player under a ruleset is a pair with a number, and only the pair's first hand spells it: texts cost more than all
# else. Ordered by what hands say, of which a digest stands once, so that the order of loading does not matter.
_SEATS = """
WITH looked AS (
    SELECT hand, seat, player, rules, day, coalesce(bot, false) AS bot, role = 'landlord' AS landlord, won,
        verdict = 'clean' AS clean
    FROM seats
    WHERE role IS NOT NULL
        AND (verdict <> 'clean' OR won IS NOT NULL)
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
),
pairs AS (
    SELECT
        player, rules, row_number() OVER (ORDER BY rules, player) - 1 AS pair, bool_or(bot) AS bot, min(hand) AS first
    FROM looked
    GROUP BY player, rules
),
places AS (
    SELECT hand, row_number() OVER (ORDER BY began NULLS LAST, id, digest) AS place
    FROM hands
    SEMI JOIN looked USING (hand)
)
SELECT
    pair, landlord, won, clean, day, pairs.bot,
    CASE WHEN hand = first THEN pairs.player END AS player,
    CASE WHEN hand = first THEN pairs.rules END AS rules
FROM looked
JOIN pairs ON looked.player = pairs.player AND looked.rules = pairs.rules
JOIN places USING (hand)
ORDER BY place, landlord DESC, seat
"""


class Course(Struct, frozen=True, kw_only=True):
    """How ratings went from hand to hand: one entry a seat, in the order of rating.

    The landlord of a hand stands first, then its farmers in order of turn.
    """

    hand: Whole
    """Which hand, from 0."""
    day: npt.NDArray[np.datetime64]
    landlord: Flags
    won: Flags
    """Whether the seat's side won."""
    rated: Flags
    """Whether the hand counts for the seat."""
    first: Flags
    """False for a seat at which the member of another seat of the hand sits again: he is counted once."""
    member: Whole
    """Which of ``members`` sits there."""
    law: Whole
    """Which of ``roles`` is played."""
    before: Real
    """The mu of the member before the hand; NaN where the hand was not rated."""
    expected: Real
    """How probable it was before the hand that the seat's side wins; NaN where the hand was not rated."""
    members: pd.DataFrame
    """One row a member: what it is a rating of (player, and rules and role where the pool has them), bot, mu, sigma."""
    roles: pd.DataFrame
    """One row a ruleset: rules, farmers, start, and mu and sigma of the landlord's role; null where none was rated."""


class _Sides(Struct, frozen=True):
    """The seats of the hands that are played out in a course; the landlord of each stands first."""

    member: Whole
    role: Whole
    landlord: Flags
    won: Flags
    spared: Flags

    def __getitem__(self, some: Flags) -> "_Sides":
        return _Sides(*(getattr(self, field)[some] for field in self.__struct_fields__))


def course(
    warehouse: Warehouse,
    pool: Pool,
    *,
    rules: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> Course:
    """Rate the hands of a store, or those of a ruleset or of some days, from the first to the last.

    Clean hands with a winner, by (time, id, digest), undated ones last. An escape counts as the ruleset ends it: the
    side of the one who left has lost. His fellow farmer, who by the ruleset has won although his side has lost, stays
    as he was. Nobody is rated against himself. Raises ``TooSlow``.
    """
    asked = {"rules": rules, "since": since, "until": until}
    seats = warehouse.query(_SEATS, asked, rows=_ALL, seconds=_SECONDS)
    landlord = seats["landlord"].to_numpy(bool)
    won = seats["won"].fillna(value=False).to_numpy(bool)
    hand = np.cumsum(landlord, dtype=np.int64) - 1
    player, law, pairs = _pairs(seats)
    member, members = _members(seats["pair"].to_numpy(), landlord, pairs, pool)
    spared = _spared(player, landlord, won, hand)
    counts = seats["clean"].to_numpy(bool) & ~_against_himself(player, landlord, hand)
    sides = _Sides(member, law + len(members), landlord, won, spared)[counts]
    roles = _roles(sides, pairs["rules"].unique(), len(members))
    ratings, before, expected = _played(sides, len(members), roles["start"])
    mu, sigma = np.array(ratings.mu), np.sqrt(np.array(ratings.variance))
    return Course(
        hand=hand,
        day=seats["day"].to_numpy(),
        landlord=landlord,
        won=won[landlord][hand] == landlord,
        rated=counts & ~spared,
        first=~pd.DataFrame({"hand": hand, "member": member}).duplicated().to_numpy(bool),
        member=member,
        law=law,
        before=_placed(before, counts),
        expected=_placed(expected, counts),
        members=members.assign(mu=mu[: len(members)], sigma=sigma[: len(members)]),
        roles=roles.assign(mu=mu[len(members) :], sigma=np.where(roles["start"].isna(), np.nan, sigma[len(members) :])),
    )


def _pairs(seats: pd.DataFrame) -> tuple[Whole, Whole, pd.DataFrame]:
    """For every seat the numbers of its player and its ruleset; and the pairs of both, by number."""
    pairs = seats.loc[seats["player"].notna(), ["pair", "player", "rules", "bot"]]
    pairs = pairs.drop_duplicates("pair").sort_values("pair", ignore_index=True)
    player, law = (pd.factorize(pairs[key])[0][seats["pair"]].astype(np.int64) for key in ("player", "rules"))
    return player, law, pairs


def _members(pair: Whole, landlord: Flags, pairs: pd.DataFrame, pool: Pool) -> tuple[Whole, pd.DataFrame]:
    """For every seat the number of the member that sits there; and the members, by number."""
    if pool == "everything":
        player, names = pd.factorize(pairs["player"])
        bot = pairs["bot"].groupby(player).any()
        return player[pair].astype(np.int64), pd.DataFrame({"player": names, "bot": bot.to_numpy()})
    if pool == "ruleset":
        return pair, pairs[["player", "rules", "bot"]]
    sat, members = pd.factorize(pair * 2 + ~landlord, sort=True)
    of = pairs.iloc[members // 2][["player", "rules", "bot"]].reset_index(drop=True)
    return sat.astype(np.int64), of.assign(role=np.where(members % 2, "farmer", "landlord"))


def _against_himself(player: Whole, landlord: Flags, hand: Whole) -> Flags:
    """Every seat of the hands in which the landlord is also a farmer: bots that play themselves."""
    himself = np.zeros(int(landlord.sum()), bool)
    himself[hand[~landlord & (player == player[landlord][hand])]] = True
    return himself[hand]


def _spared(player: Whole, landlord: Flags, won: Flags, hand: Whole) -> Flags:
    """The farmers who won although their side lost, but for seats of the very player who left."""
    spared: Flags = ~landlord & (won == won[landlord][hand])
    if spared.any():
        who = hand * (player.max() + 1) + player
        spared &= ~np.isin(who, who[~spared])
    return spared


def _roles(sides: _Sides, laws: npt.NDArray[np.object_], members: int) -> pd.DataFrame:
    """The landlord's role of every ruleset: a newcomer among newcomers should have even chances, so it starts with
    the skill of as many newcomers as there are farmers more than landlords.
    """
    starts = np.flatnonzero(sides.landlord)
    farmers = np.diff(starts, append=len(sides.landlord)) - 1
    known, first = np.unique(sides.role[starts] - members, return_index=True)
    number = pd.Series(farmers[first], index=known).reindex(range(len(laws)))
    return pd.DataFrame({"rules": laws, "farmers": number, "start": MU * (number - 1)})


def _played(sides: _Sides, members: int, roles: "pd.Series[float]") -> tuple[Ratings, Real, Real]:
    """The ratings after all hands, and for every seat the mu and the chances of its side before its hand."""
    ratings = Ratings([MU] * members + roles.to_list(), [DRIFT] * members + [ROLE_DRIFT] * len(roles))
    if int(sides.landlord.sum()) >= COMPILED and find_spec("numba") is not None:
        return _compiled(sides, ratings)
    before, expected = array("d"), array("d")
    for landlord, role, farmers, won, spared in _hands(sides):
        before.append(ratings.mu[landlord])
        before.extend([ratings.mu[farmer] for farmer in farmers])
        chance = ratings.match((landlord, role), farmers, won=won, spared=spared)
        expected.append(chance)
        expected.extend([1.0 - chance] * len(farmers))
    return ratings, np.array(before), np.array(expected)


def _compiled(sides: _Sides, ratings: Ratings) -> tuple[Ratings, Real, Real]:
    """The same by compiled code, to the last bit."""
    from analysis.rating_kernel import rate

    starts = np.flatnonzero(sides.landlord)
    ends = np.append(starts[1:], len(sides.landlord))
    before, expected = np.empty(len(sides.landlord)), np.empty(len(sides.landlord))
    mu, variance, drift = (np.array(each) for each in (ratings.mu, ratings.variance, ratings.drift))
    hands = (ends, sides.member, sides.role[starts], sides.won[starts], sides.spared)
    rate(*hands, mu, variance, drift, before, expected)
    ratings.mu, ratings.variance = mu.tolist(), variance.tolist()
    return ratings, before, expected


def _hands(sides: _Sides) -> Iterator[tuple[int, int, list[int], bool, list[int]]]:
    """Hand by hand: landlord, role, farmers, whether the landlord won, and which farmers are spared."""
    starts = np.flatnonzero(sides.landlord)
    ends = np.append(starts, len(sides.landlord))[1:]
    member, deserted = sides.member.tolist(), set(np.flatnonzero(sides.spared).tolist())
    columns = (starts.tolist(), ends.tolist(), sides.role[starts].tolist(), sides.won[starts].tolist())
    for start, end, role, won in zip(*columns, strict=True):
        spared = [member[seat] for seat in range(start + 1, end) if seat in deserted] if deserted else []
        yield member[start], role, member[start + 1 : end], won, spared


def _placed(values: Real, places: Flags) -> Real:
    """The values at these places, NaN elsewhere."""
    placed = np.full(len(places), np.nan)
    placed[places] = values
    return placed


def players_of(warehouse: Warehouse, pool: Pool, player: str | None, **narrowed: Any) -> pd.DataFrame:
    """One row a member, best first: its rating, and how its hands went beside what was expected.

    Columns: those of ``Course.members``, conservative (mu - 3 sigma) and those of ``_tally``. Who was never rated has
    no rating.
    """
    went = course_of(warehouse, pool, narrowed)
    told = pd.concat([went.members, _tally(went, went.member, went.first, len(went.members))], axis=1)
    told[["mu", "sigma"]] = told[["mu", "sigma"]].where(told["hands"] > 0)
    told["conservative"] = told["mu"] - 3 * told["sigma"]
    order = [key for key in ("rules", "conservative", "player", "role") if key in told]
    ranked = told.sort_values(order, ascending=[key != "conservative" for key in order], ignore_index=True)
    return ranked if player is None else ranked[ranked["player"] == player].reset_index(drop=True)


def roles_of(warehouse: Warehouse, **narrowed: Any) -> pd.DataFrame:
    """One row a ruleset: the columns of ``Course.roles`` and of ``_tally``, of the landlord's side."""
    went = course_of(warehouse, "ruleset", narrowed)
    told = pd.concat([went.roles, _tally(went, went.law, went.landlord, len(went.roles))], axis=1)
    return told.sort_values("rules", ignore_index=True)


def course_of(warehouse: Warehouse, pool: Pool, narrowed: dict[str, Any]) -> Course:
    """The course of the hands so narrowed, worked out once for each state of the store."""
    key = ("ratings", pool, *sorted(narrowed.items()))
    return warehouse.remembered(key, lambda: course(warehouse, pool, **narrowed))


def _tally(went: Course, of: Whole, seats: Flags, number: int) -> pd.DataFrame:
    """One row for each number up to ``number`` in ``of``, over these seats.

    wins, hands, expected (the sum of the chances before each hand), over (wins less expected) and its standard error:
    each hand differs from its chance p by itself, whatever went before, with variance p (1 - p). last_day, excluded.
    """
    rated = seats & went.rated
    who, chance, days = of[rated], went.expected[rated], pd.Series(went.day[rated])

    def added(values: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        return np.bincount(who, values, minlength=number)  # adds up in order, unlike a sum of pandas or NumPy

    wins, expected = added(went.won[rated]).astype(np.int64), added(chance)
    return pd.DataFrame(
        {
            "wins": wins,
            "hands": added(),
            "expected": expected,
            "over": wins - expected,
            "error": np.sqrt(added(chance * (1.0 - chance))),
            "last_day": days.groupby(who).max().reindex(range(number)),
            "excluded": np.bincount(of[seats & ~went.rated], minlength=number),
        }
    )
