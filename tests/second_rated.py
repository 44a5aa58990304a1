"""Ratings, and whom one met, a second time: OpenSkill's own model, hand after hand, in plain Python.

Knows which hands are matches and what is added up of them. Refuses to know the store, SQL, ``analysis.ratings`` and
``analysis.weng_lin``, which it checks.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime
from math import exp, sqrt
from statistics import mean
from typing import Any

from openskill.models import BradleyTerryFull

from ingest.batch import Audited
from tests.second_told import Key, Row, Rows, day_of, share

MODEL = BradleyTerryFull()
DRIFT, ROLE_DRIFT = MODEL.tau**2, MODEL.tau**2 / 100
LAST = datetime.max.replace(tzinfo=UTC)
POOLS = {"ratings": "player rules", "ratings_across": "player", "ratings_by_role": "player rules role"}
"""What ratings are of: the first of player, ruleset and role."""
NAMES = POOLS.keys() | {"role_values", "schedule", "synergy"}


class Tally:
    """What is added up of a player, or of a role."""

    def __init__(self) -> None:
        self.chances: list[float] = []
        self.won: list[bool] = []
        self.days: list[date] = []
        self.excluded = 0

    def add(self, chance: float, day: date | None, *, won: bool) -> None:
        self.chances.append(chance)
        self.won.append(won)
        self.days += [] if day is None else [day]

    def told(self) -> Row:
        wins, expected = sum(self.won), sum(self.chances)
        return {
            "wins": wins, "hands": len(self.won), "expected": expected, "over": wins - expected,
            "error": sqrt(sum(p * (1 - p) for p in self.chances)), "last_day": max(self.days, default=None),
            "excluded": self.excluded,
        }  # fmt: skip


class Rated:
    """All ratings of one pool after all hands, and what was met on the way."""

    def __init__(self, entries: Iterable[Audited], told_apart: int) -> None:
        """``told_apart``: how many of player, ruleset and role make a member."""
        self.told_apart = told_apart
        self.ratings: dict[Key, Any] = defaultdict(MODEL.rating)
        self.roles: dict[str, Any] = {}
        self.farmers: dict[str, int] = {}
        self.tallies: defaultdict[Key, Tally] = defaultdict(Tally)
        self.of_roles: defaultdict[str, Tally] = defaultdict(Tally)
        self.bots: defaultdict[tuple[str, str], bool] = defaultdict(bool)
        self.met: defaultdict[Key, list[tuple[float, float, float | None]]] = defaultdict(list)
        self.together: defaultdict[Key, list[tuple[float, bool]]] = defaultdict(list)
        for audited in sorted(filter(has_sides, entries), key=in_time):
            self.hand(audited)

    def hand(self, audited: Audited) -> None:
        verdict, record = audited.verdict, audited.entry.record
        assert record is not None
        assert verdict.landlord is not None
        rules, lord = verdict.rules or "", verdict.landlord
        seats = [(lord + step) % len(record.players) for step in range(len(record.players))]
        for seat in seats:
            self.bots[record.players[seat].id, rules] |= bool(record.players[seat].bot)
        ids = [record.players[seat].id for seat in seats]
        members = [(who, rules, "farmer" if at else "landlord")[: self.told_apart] for at, who in enumerate(ids)]
        if verdict.verdict == "faulty" or ids[0] in ids[1:]:
            self.of_roles[rules].excluded += 1
            for member in set(members):
                self.tallies[member].excluded += 1
            return
        winners = verdict.winners or []
        with_side = {
            who for who, seat in zip(ids, seats, strict=True) if (seat in winners) == side_won(seat, lord, winners)
        }
        self.match(rules, ids, members, won=lord in winners, fellows=set(ids) - with_side, day=day_of(record.at))

    def match(
        self, rules: str, ids: list[str], members: list[Key], *, won: bool, fellows: set[str], day: date | None
    ) -> None:
        """``fellows``: farmers whom their mate left, and who as the rules have it won or lost otherwise than he."""
        role = self.role(rules, len(ids) - 1)
        before = [self.ratings[member] for member in members]
        chance = even(MODEL, [before[0], role], before[1:])
        now = [MODEL.rating(r.mu, r.sigma) for r in before]
        sides = MODEL.rate([[now[0], role], now[1:]], ranks=[0, 1] if won else [1, 0])
        self.roles[rules] = sides[0][1]
        learnt: defaultdict[Key, list[Any]] = defaultdict(list)
        for member, who, rating in zip(members, ids, [sides[0][0], *sides[1]], strict=True):
            learnt[member] += [] if who in fellows else [rating]
        for member, told in learnt.items():
            if told:
                old = self.ratings[member].mu
                self.ratings[member] = MODEL.rating(old + sum(each.mu - old for each in told), told[-1].sigma)
        self.of_roles[rules].add(chance, day, won=won)
        for at, member in enumerate(members):
            if member in members[:at]:
                continue
            if ids[at] in fellows:
                self.tallies[member].excluded += 1
                continue
            own = chance if at == 0 else 1 - chance
            self.tallies[member].add(own, day, won=won == (at == 0))
            self.company(rules, ids, before, at, fellows, (own, won == (at == 0)))

    def company(
        self, rules: str, ids: list[str], before: list[Any], at: int, fellows: set[str], told: tuple[float, bool]
    ) -> None:
        """Whom a seat met: its own mu, its opponents', its mates'; and who was farmer with it."""
        mu = [rating.mu for rating in before]
        mates = [mu[other] for other in range(1, len(ids)) if other != at] if at else []
        self.met[ids[at], rules].append((mu[at], mu[0] if at else mean(mu[1:]), mean(mates) if mates else None))
        for other in dict.fromkeys(ids[1:]) if at else ():
            if other != ids[at] and other not in fellows:
                self.together[ids[at], other, rules].append(told)

    def role(self, rules: str, farmers: int) -> Any:
        """The role of the landlord, whose variance grows a hundred times more slowly than OpenSkill lets it grow."""
        if rules not in self.roles:
            self.farmers[rules] = farmers
            self.roles[rules] = MODEL.rating(MODEL.mu * (farmers - 1), MODEL.sigma)
        role = self.roles[rules]
        return MODEL.rating(role.mu, sqrt(role.sigma**2 - (DRIFT - ROLE_DRIFT)))


def has_sides(audited: Audited) -> bool:
    verdict = audited.verdict
    known = audited.entry.record is not None and audited.hand is not None and verdict.landlord is not None
    return known and (verdict.verdict == "faulty" or (verdict.winners is not None and verdict.outcome != "void"))


def in_time(audited: Audited) -> tuple[datetime, bytes, bytes]:
    record, identity = audited.entry.record, audited.identity
    assert record is not None
    assert identity is not None
    return record.at or LAST, record.id.encode(), identity.content


def side_won(seat: int, landlord: int, winners: list[int]) -> bool:
    """Whether the side of a seat has won, which is the landlord's or the other one."""
    return (landlord in winners) == (seat == landlord)


def even(model: Any, ours: list[Any], theirs: list[Any]) -> float:
    """How probable it is that the first side wins: Bradley and Terry's logistic, over what both sides vary by."""
    everybody = [*ours, *theirs]
    spread = sqrt(sum(each.sigma**2 + model.tau**2 for each in everybody) + 2 * model.beta**2)
    return 1 / (1 + exp((sum(r.mu for r in theirs) - sum(r.mu for r in ours)) / spread))


def of_members(rated: Rated) -> Rows:
    """The rows of the statistics that list ratings."""
    rows = {}
    for key, tally in rated.tallies.items():
        rating = rated.ratings.get(key) if tally.won else None
        bots = [bot for (who, law), bot in rated.bots.items() if who == key[0] and law == (key[1:2] or (law,))[0]]
        rows[key] = {"bot": any(bots), **known(rating), **tally.told()}
        rows[key]["conservative"] = rating.mu - 3 * rating.sigma if rating is not None else None
    return rows


def known(rating: Any) -> Row:
    return {"mu": None, "sigma": None} if rating is None else {"mu": rating.mu, "sigma": rating.sigma}


def role_values(rated: Rated) -> Rows:
    rows = {}
    for rules, tally in rated.of_roles.items():
        farmers, told = rated.farmers.get(rules), tally.told()
        start = None if farmers is None else MODEL.mu * (farmers - 1)
        side = {"farmers": farmers, "start": start, **known(rated.roles.get(rules))}
        rows[(rules,)] = {**side, **share(told["wins"], told["hands"]), **told}
    return rows


def schedule(rated: Rated) -> Rows:
    rows = {}
    for key, found in rated.met.items():
        mates = [mu for _, _, mu in found if mu is not None]
        rows[key] = {
            "hands": len(found), "own": mean(mu for mu, _, _ in found), "opponents": mean(mu for _, mu, _ in found),
            "mates": mean(mates) if mates else None,
        }  # fmt: skip
    return rows


def synergy(rated: Rated) -> Rows:
    rows = {}
    for key, found in rated.together.items():
        tally = Tally()
        for chance, won in found:
            tally.add(chance, None, won=won)
        told = tally.told()
        rows[key] = {name: told[name] for name in ("hands", "wins", "expected", "over", "error")}
    return rows


def tables(entries: Iterable[Audited]) -> dict[str, tuple[str, Rows]]:
    """Every such statistic: by what its rows are told apart, and its rows."""
    everybody = list(entries)
    rated = {name: Rated(everybody, len(keys.split())) for name, keys in POOLS.items()}
    told = {name: (keys, of_members(rated[name])) for name, keys in POOLS.items()}
    own = rated["ratings"]
    return told | {
        "role_values": ("rules", role_values(own)), "schedule": ("player rules", schedule(own)),
        "synergy": ("player other rules", synergy(own)),
    }  # fmt: skip
