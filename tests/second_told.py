"""Clean hands and their seats as the second computation of the tables sees them, and the means and rates of a table.

Knows records, verdicts and turns. Refuses to know the store, SQL and what is asked of the hands.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta, timezone
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

from ingest.batch import Audited
from ingest.record import PASS, read_calls, read_plays
from ingest.rules.ruleset import Ruleset, load_any
from tests.second import Hand
from tests.second_cards import read, shape_of, steps_of

SHANGHAI = timezone(timedelta(hours=8))
Row = dict[str, Any]
Key = tuple[Any, ...]
Rows = dict[Key, Row]


class Seat(NamedTuple):
    """One seat of a clean hand."""

    hand: "Told"
    player: str
    role: str | None
    position: str | None
    won: bool | None
    score: float | None
    """Over the base; None also of void hands."""
    points: int | None
    """Strength dealt, where it was asked for."""
    first: str | None
    """What was said first, if anything."""
    before: str | None
    """What stood then."""


class Told(NamedTuple):
    """One clean hand."""

    place: int
    hand: Hand
    rules: str
    at: datetime | None
    seats: list[Seat]
    plays: "list[Play]"

    @property
    def played_out(self) -> bool:
        return self.hand.verdict.outcome in ("landlord", "farmers")


def rate(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def share(part: int, whole: int, name: str = "") -> Row:
    """A rate and its interval after Wilson, as the quadratic has it that he solved."""
    if not whole:
        return {f"{name}rate": None, f"{name}low": None, f"{name}high": None}
    z, p = 1.959963984540054, part / whole
    a, b, c = 1 + z * z / whole, -(2 * p + z * z / whole), p * p
    root = sqrt(max(b * b - 4 * a * c, 0))
    return {f"{name}rate": p, f"{name}low": (-b - root) / (2 * a), f"{name}high": (-b + root) / (2 * a)}


def average(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def error(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return stdev(known) / sqrt(len(known)) if len(known) > 1 else None


def quantile(values: Iterable[float], q: float) -> float | None:
    ordered = sorted(values)
    if not ordered:
        return None
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def grouped(items: Iterable[Any], key: Callable[[Any], Key]) -> dict[Key, list[Any]]:
    groups: defaultdict[Key, list[Any]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def told_of(place: int, audited: Audited, *, strengths: bool) -> Told:
    record, verdict = audited.entry.record, audited.verdict
    assert record is not None
    hand = Hand(audited, load_any(verdict.rules or ""), plays=strengths)
    told = Told(place, hand, verdict.rules or "", record.at, [], [])
    calls = read_calls(record.auction or "")
    for seat, player in enumerate(record.players):
        off = None if verdict.landlord is None else (seat - verdict.landlord) % hand.players
        role = None if off is None else "farmer" if off else "landlord"
        place_of = {None: None, 0: None, 1: "down", hand.players - 1: "up"}
        position = place_of.get(off, "across") if hand.players > 2 else None
        scored = verdict.scores is not None and verdict.outcome != "void"
        score = verdict.scores[seat] / hand.base() if verdict.scores is not None and scored else None
        spoke = next((index for index, call in enumerate(calls) if call.seat == seat), None)
        first = before = None
        if spoke is not None:
            first = calls[spoke].word
            before = next((c.word for c in reversed(calls[:spoke]) if c.word != PASS), PASS)
        dealt = None if record.hands is None else read(record.hands[seat])
        points = None
        if strengths and dealt is not None and isinstance(hand.rules, Ruleset):
            points = hand.strength(dealt, hand.rules)
        told.seats.append(Seat(told, player.id, role, position, hand.won(seat), score, points, first, before))
    told.plays.extend(plays_of(told))
    return told


def seats_of(hands: Iterable[Told]) -> Iterator[Seat]:
    return (seat for hand in hands for seat in hand.seats)


def by_player(hands: Iterable[Told]) -> dict[Key, list[Seat]]:
    return grouped(seats_of(hands), lambda seat: (seat.player, seat.hand.rules))


def in_time(seats: Iterable[Seat]) -> list[Seat]:
    """By the moment at which the hand began, then as they were loaded; undated hands last."""
    return sorted(seats, key=lambda s: (s.hand.at is None, s.hand.at or 0, s.hand.place))


def day_of(at: datetime | None) -> date | None:
    return None if at is None else at.astimezone(SHANGHAI).date()


class Play(NamedTuple):
    """One play of a clean hand."""

    hand: Told
    index: int
    seat: Seat
    size: int
    lead: bool
    reading: str | None
    tier: int


def plays_of(told: Told) -> Iterator[Play]:
    """In 三打哈 a trick is four moves, and no play has a name by itself."""
    record, rules, landlord = told.hand.record, told.hand.rules, told.hand.landlord
    if landlord is None:
        return
    if not isinstance(rules, Ruleset):
        for index, move in enumerate(read_plays(record.plays)):
            size = 0 if move.cards is None else move.cards.size
            yield Play(told, index, told.seats[move.seat], size, index % told.hand.players == 0, None, 0)
        return
    for index, step in enumerate(steps_of(record, rules, landlord)[0]):
        if step.cards is not None:
            tier = 0 if step.stands is None else step.stands.tier
            name = shape_of(step.stands)[0] or None
            yield Play(told, index, told.seats[step.seat], sum(step.cards), step.beats is None, name, tier)
