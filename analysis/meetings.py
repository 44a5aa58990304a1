"""Who met whom and what it cost: the hands in which two accounts were opposed, as arrays.

Knows the columns of ``seats``, and how to pick days and a ruleset. Refuses to say what is suspicious, and to add
anything up. Only accounts that met appear: there is one entry for each farmer of a hand, and nothing is formed of two
accounts that never sat together. Entries lie by ruleset and pair, in each first those in which the account whose name
comes first was landlord, and so in the order of hands: what one account did as landlord to another, a way, is a slice.
Source: statistics.md 4.5.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from msgspec import Struct, structs

from analysis.warehouse import Questionable

BIG = 12
"""Bid × multiplier from which a loss is a big one."""
NO_DAY, UNKNOWN, NEVER = 1 - 2**31, 1 - 2**15, 2**15 - 1
"""A hand without a day; a strength that is not known; no weak bid, whatever is called weak."""
ROWS, SECONDS = 10**9, 600.0
BLOCK = 1 << 15
"""Entries that are added up at once."""
_EPOCH = 719_163
"""The day from which days are counted, 1970-01-01, as ``date.toordinal`` has it."""

Whole = npt.NDArray[np.integer[Any]]
Counts = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_SAT = "verdict = 'clean' AND role IS NOT NULL AND won IS NOT NULL AND score IS NOT NULL"
_DAY = f"coalesce(day::DATE - DATE '1970-01-01', {NO_DAY})::INTEGER AS day"
_MET = f"""
WITH sat AS (
    SELECT hand, seat, hash(player) AS who, role, hash(rules) AS law, {_DAY}, score / base AS y, won,
        bid * multiplier AS worth, multiplier > 1 AS shaped, dealt_points + coalesce(taken_points, 0) AS strength,
        dealt_points AS dealt, could - could_mate AS could, passed - passed_mate AS passed
    FROM seats
    WHERE {_SAT}
)
SELECT farmers.law, farmers.hand, farmers.seat, farmers.day, landlords.who AS landlord, farmers.who AS farmer,
    farmers.y::DOUBLE AS y, coalesce((landlords.strength - farmers.dealt)::SMALLINT, {UNKNOWN}::SMALLINT) AS x,
    landlords.won AS lost, coalesce(farmers.shaped, false) AS shaped,
    coalesce(CASE WHEN NOT landlords.won AND landlords.worth >= {BIG} THEN landlords.dealt::SMALLINT END,
        {NEVER}::SMALLINT) AS weak,
    coalesce(farmers.could, 0)::SMALLINT AS could, coalesce(farmers.passed, 0)::SMALLINT AS passed,
    coalesce(hash(hands.source, hands.table_id), 0) AS place
FROM sat AS farmers JOIN sat AS landlords USING (hand) JOIN hands USING (hand)
WHERE farmers.role = 'farmer' AND landlords.role = 'landlord' AND farmers.who <> landlords.who
"""
_DEALT = f"""
SELECT hash(rules) AS law, {_DAY}, dealt_points::SMALLINT AS points, count(*)::INTEGER AS seats
FROM seats
WHERE {_SAT} AND dealt_points IS NOT NULL
GROUP BY ALL
ORDER BY ALL
"""
_NAMES = "SELECT DISTINCT hash({0}) AS code, {0} AS name FROM seats WHERE {0} IS NOT NULL"


class Ways(Struct, frozen=True, kw_only=True):
    """Who met whom as landlord, in the order of the entries."""

    law: Whole
    landlord: Whole
    farmer: Whole
    pair: Whole
    """Ruleset and two accounts, whoever was landlord, by number."""
    met: Whole
    """Entries."""


class Mates(Struct, frozen=True, kw_only=True):
    """Accounts that were farmers together, by day, if they were opposed as well."""

    pair: Whole
    day: Whole
    hands: Whole
    wins: Whole


class Dealt(Struct, frozen=True, kw_only=True):
    """Seats of clean hands by ruleset, day and points dealt."""

    law: Whole
    day: Whole
    points: Whole
    seats: Whole


class Meetings(Struct, frozen=True, kw_only=True):
    """One entry for each farmer of each clean hand; accounts and rulesets by number."""

    rules: list[str]
    players: list[str]
    amounts: Real
    """What landlords paid or got over the base, without signs, by size; nothing left out."""
    table_pair: Whole
    """Of every table at which a pair met, which pair it was."""
    ways: Ways
    mates: Mates
    dealt: Dealt
    everything: int
    """Entries before any were left out."""

    hand: Whole
    day: Whole
    level: Whole
    """What the landlord paid the farmer, over the base: 1 for the first of the amounts; below 0 he got it."""
    x: Whole
    """How much stronger the landlord's cards were, or ``UNKNOWN``."""
    lost: Flags
    """Whether the farmer lost."""
    shaped: Flags
    """Whether anything doubled the hand."""
    weak: Whole
    """The landlord's points where he lost a hand of at least ``BIG``, else ``NEVER``."""
    could: Whole
    passed: Whole
    """Of the farmer: turns with an answer to the landlord's play, and passes among them."""
    farmers: Whole
    """Entries of the same hand."""
    table: Whole
    """Which of the pair's tables: a place in ``table_pair``."""
    turn: Whole
    """Where it would stand, were entries of a pair in the order of hands, whoever was landlord."""

    @property
    def size(self) -> int:
        """The number of players, whatever the ruleset."""
        return len(self.players)

    @property
    def starts(self) -> npt.NDArray[np.intp]:
        """Where the entries of each way start."""
        return np.cumsum(self.ways.met, dtype=np.intp) - self.ways.met

    def blocks(self) -> Iterator["Meetings"]:
        """The same in parts that a processor's own memory holds, each of one ruleset; no way is cut."""
        ends = np.cumsum(self.ways.met)
        first = 0
        while first < len(ends):
            start = ends[first] - self.ways.met[first]
            last = max(first + 1, int(np.searchsorted(ends, start + BLOCK, "right")))
            last = min(last, int(np.searchsorted(self.ways.law, self.ways.law[first], "right")))
            each = {name: getattr(self, name)[start : ends[last - 1]] for name in EACH}
            yield structs.replace(self, ways=_picked(self.ways, slice(first, last)), **each)
            first = last

    def signed(self, amounts: Real) -> Real:
        """A value of each amount as one of each level, which is of the other sign below 0; of each entry."""
        return np.concatenate([[0.0], amounts, -amounts[::-1]])[self.level]


EACH = Meetings.__struct_fields__[Meetings.__struct_fields__.index("hand") :]
"""What is said of every entry."""


def meetings(warehouse: Questionable) -> Meetings:
    """Every meeting of a store."""
    met = warehouse.query(_MET, rows=ROWS, seconds=SECONDS)
    met = met.take(np.lexsort((met["seat"], met["hand"])))
    dealt = warehouse.query(_DEALT, rows=ROWS, seconds=SECONDS)
    (rules, laws), (players, who) = (_named(warehouse, column) for column in ("rules", "player"))
    law, landlord, farmer = (
        _numbers(met.pop(name), codes) for name, codes in (("law", laws), ("landlord", who), ("farmer", who))
    )
    met = met.assign(farmers=np.repeat(*[_lengths(met["hand"].to_numpy())] * 2))
    return _arranged(rules, players, law, landlord, farmer, met, dealt.assign(law=_numbers(dealt["law"], laws)))


def _named(warehouse: Questionable, column: str) -> tuple[list[str], pd.Index]:
    """The values of a column in order, and what stands for them."""
    names = warehouse.query(_NAMES.format(column), rows=ROWS, seconds=SECONDS).sort_values("name")
    return list(map(str, names["name"])), pd.Index(names["code"])


def _numbers(codes: pd.Series, known: pd.Index) -> Whole:
    return known.get_indexer(pd.Index(codes)).astype(np.int64)


def _lengths(keys: Whole) -> Whole:
    """How many equal keys stand together, group by group."""
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)) if len(keys) else np.empty(0, np.int64)
    return np.diff(starts, append=len(keys))


def _arranged(
    rules: list[str], players: list[str], law: Whole, landlord: Whole, farmer: Whole, met: pd.DataFrame,
    dealt: pd.DataFrame,
) -> Meetings:  # fmt: skip
    """Meetings in the order of hands and seats, way by way."""
    low, high = np.minimum(landlord, farmer), np.maximum(landlord, farmer)
    codes = (law * len(players) + low) * len(players) + high
    order, by_pair = np.argsort(2 * codes + (landlord > low), kind="stable"), np.argsort(codes, kind="stable")
    turn = np.empty(len(codes), np.int64)
    turn[by_pair] = np.arange(len(codes))
    pairs, pair = np.unique(codes[order], return_inverse=True)
    many = _lengths(2 * codes[order] + (landlord > low)[order])
    first = order[np.cumsum(many) - many]
    places = pd.factorize(met["place"].to_numpy())[0].astype(np.int64)
    tables, table = np.unique(pair * (places.max(initial=0) + 1) + places[order], return_inverse=True)
    levels, amounts = _levels(met["y"].to_numpy(np.float64))
    names = ("hand", "day", "x", "lost", "shaped", "weak", "could", "passed", "farmers")
    return Meetings(
        rules=rules, players=players, amounts=amounts, table_pair=_narrow(tables // (places.max(initial=0) + 1)),
        ways=Ways(
            law=_narrow(law[first]), landlord=_narrow(landlord[first]), farmer=_narrow(farmer[first]),
            pair=_narrow(pair[np.cumsum(many) - many]), met=many,
        ),
        mates=_mates(law * len(players), farmer, met, pairs, len(players)),
        dealt=Dealt(**{name: dealt[name].to_numpy() for name in Dealt.__struct_fields__}),
        everything=len(codes), level=_narrow(levels[order]), table=_narrow(table), turn=_narrow(turn[order]),
        **{name: _narrow(met[name].to_numpy()[order]) for name in names},
    )  # fmt: skip


def _levels(y: Real) -> tuple[Whole, Real]:
    """Payments as numbers of amounts with their sign, and the amounts."""
    rank, amounts = pd.factorize(np.abs(y), sort=True)
    zero = int(len(amounts) > 0 and amounts[0] == 0)
    return np.sign(y).astype(np.int64) * (rank + 1 - zero), np.asarray(amounts[zero:], np.float64)


def _narrow(values: Any) -> Any:
    """The same whole numbers in as few bytes as hold them, whatever their sign."""
    if values.dtype == bool or not len(values):
        return values
    return values.astype(np.min_scalar_type(-1 - max(abs(int(values.min())), abs(int(values.max())))))


def _mates(cells: Whole, farmer: Whole, met: pd.DataFrame, pairs: Whole, size: int) -> Mates:
    """Farmers of the same hand stand next to one another; ``pairs`` says which were opposed."""
    hand, told = met["hand"].to_numpy(), []
    for step in (1, 2):
        same = np.flatnonzero((hand[step:] == hand[:-step]) & (farmer[step:] != farmer[:-step]))
        one, other = farmer[same], farmer[same + step]
        code = (cells[same] + np.minimum(one, other)) * size + np.maximum(one, other)
        won = ~met["lost"].to_numpy(bool)[same + step]
        told.append(pd.DataFrame({"code": code, "day": met["day"].to_numpy()[same], "wins": won}))
    found = pd.concat(told)
    found = found[np.isin(found["code"], pairs)].groupby(["code", "day"])["wins"].agg(["size", "sum"]).reset_index()
    return Mates(
        pair=_narrow(np.searchsorted(pairs, found["code"].to_numpy(np.int64))), day=found["day"].to_numpy(),
        hands=_narrow(found["size"].to_numpy()), wins=_narrow(found["sum"].to_numpy(np.int64)),
    )  # fmt: skip


def narrowed(met: Meetings, filters: Mapping[str, Any]) -> Meetings:
    """The meetings of a ruleset and of the days from ``since`` to ``until``; ways without any are left out."""
    since, until, rules = (filters.get(name) for name in ("since", "until", "rules"))
    if since is None and until is None and (rules is None or met.rules == [rules]):
        return met
    law = met.rules.index(rules) if rules in met.rules else None if rules is None else -1
    first = NO_DAY + 1 if since is None else since.toordinal() - _EPOCH
    last = 2**31 - 1 if until is None else until.toordinal() - _EPOCH

    def passes(day: Whole, laws: Whole | None) -> Flags:
        of_days = np.ones(len(day), bool) if since is None and until is None else (day >= first) & (day <= last)
        return of_days if laws is None or law is None else of_days & (laws == law)

    of_law = None if law is None else np.repeat(met.ways.law, met.ways.met)
    some = np.flatnonzero(kept := passes(met.day, of_law))
    many = np.add.reduceat(kept.view(np.uint8), met.starts, dtype=np.int64) if len(kept) else met.ways.met
    mates = met.mates
    return structs.replace(
        met,
        ways=_picked(structs.replace(met.ways, met=many), many > 0),
        mates=_picked(mates, passes(mates.day, None)),
        dealt=_picked(met.dealt, passes(met.dealt.day, met.dealt.law)),
        **{name: getattr(met, name).take(some) for name in EACH},
    )


def _picked(columns: Any, some: Flags | slice) -> Any:
    return type(columns)(**{name: getattr(columns, name)[some] for name in columns.__struct_fields__})
