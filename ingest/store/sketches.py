"""Hands as rows, before it is known whether they count and what other hands say against them.

Knows what of a hand goes into which column. Hands are numbered by their place among those that are sketched together.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import chain, repeat
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
import pyarrow as pa
from msgspec import structs

from ingest.batch import Audited, Judged
from ingest.conduct import Shed
from ingest.faults import Finding, severity
from ingest.hand import Story, base_paid
from ingest.identity import Identity
from ingest.mismatches import Mismatch, mismatches
from ingest.record import Claim, Record
from ingest.rules.combinations import BOMB, ROCKET
from ingest.rules.ruleset import Ruleset, digest
from ingest.rules.settlement import Factor, due
from ingest.rules.shedding import fewest_plays
from ingest.store.clocks import ClockColumns, clock_columns
from ingest.store.columns import Row, from_lists, from_rows
from ingest.store.conducts import Conduct, Turned, conduct_of
from ingest.store.deals import DealColumns, deal_columns
from ingest.store.digests import hand_digest, id_digest
from ingest.store.moves import Moves
from ingest.store.replays import UNJUDGED, Replay, replay_of
from ingest.store.schema import HANDS, MISMATCHES, SEATS, ZONE
from ingest.verdict import Outcome, Verdict

Part = dict[str, pa.RecordBatch]
"""A piece of some tables."""

FACTORS = ("bomb", "rocket", "spring", "anti_spring", "void", "marker", "open", "rob", "level", "opening")
"""The factors in the order of their columns."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
DAY = 86_400_000_000
FIRST_DAY, LAST_DAY = ((date_ - EPOCH.date()).days for date_ in (date.min, date.max))
"""Days since 1970 that a calendar of four digits has."""
SHANGHAI = 8 * 3_600_000_000
"""How far Asia/Shanghai is before UTC, in microseconds: without summer time since 1991."""
SETTLED = (datetime(1992, 1, 1, tzinfo=UTC) - EPOCH) // _MICROSECOND
_NO_CLAIM = Claim()


COPIED = (
    *("rules", "day", "began", "table_id", "verdict", "outcome", "bid", "multiplier", "balanced", "open", "spring"),
    "anti_spring",
)
"""The columns of ``seats`` that say the same of every seat of a hand, as ``hands`` has it."""
_OWN = tuple(column.name for column in SEATS.columns if column.name not in COPIED)


class Told(NamedTuple):
    """What is told of one hand for its rows."""

    replay: Replay
    conduct: Conduct
    deal: DealColumns
    clock: ClockColumns


Tell = Callable[[Sequence[Story]], Sequence[Turned | None]]
"""What tells the turns of hands, as far as it can; the rest is told hand by hand."""


def by_hand(stories: Sequence[Story]) -> list[Turned | None]:
    """Nothing is known of any turn yet."""
    return [None] * len(stories)


def sketch(
    entries: Sequence[Judged | Audited], zone: str = ZONE, shed: Shed = fewest_plays, tell: Tell = by_hand
) -> Part:
    """The tables of those entries that are hands, but for findings and raw.

    ``zone``: whose days they are put on. ``shed``: what tells how few plays shed a hand. ``tell``: the turns of many.
    """
    hands: list[Row] = []
    seats: list[Row] = []
    sizes: list[int] = []
    moves = Moves()
    differing: list[Row] = []
    chosen = [(number, entry, hand) for number, entry in enumerate(entries) if (hand := _hand_of(entry)) is not None]
    turned = tell([hand for _, _, hand in chosen])
    for (number, entry, hand), of_turns in zip(chosen, turned, strict=True):
        replay = replay_of(hand)
        conduct = conduct_of(hand, replay, shed, of_turns)
        told = Told(replay, conduct, deal_columns(hand), clock_columns(hand, conduct))
        hands.append(_hand(number, entry, hand, told, zone))
        seats += _seats(number, entry.verdict, hand, told)
        sizes.append(len(hand.record.players))
        moves.add(number, hand, replay, told.conduct)
        differing += [(number, *structs.astuple(each)) for each in _differing(hand, entry.verdict)]
    batch = from_rows(HANDS, hands)
    found = from_rows(MISMATCHES, differing)
    return {"hands": batch, "seats": _with_copies(seats, sizes, batch), "moves": moves.take(), "mismatches": found}


def _hand_of(entry: Judged | Audited) -> Story | None:
    """The hand of an entry that has rows."""
    return None if entry.verdict.verdict == "unreadable" else entry.hand


def _differing(hand: Story, verdict: Verdict) -> list[Mismatch]:
    """What a claim has otherwise; nothing where the fast path proved that it agrees and settled no hand."""
    return mismatches(hand) if hand.settled is not None or verdict.scores is None else []


def _with_copies(seats: Sequence[Row], sizes: Sequence[int], hands: pa.RecordBatch) -> pa.RecordBatch:
    """Rows of seats with what is copied from their hands."""
    own = dict(zip(_OWN, zip(*seats, strict=True), strict=True)) if seats else dict.fromkeys(_OWN, ())
    places = pa.array(chain.from_iterable(repeat(place, size) for place, size in enumerate(sizes)), pa.int32())
    return from_lists(SEATS, own | {name: hands[name].take(places) for name in COPIED})


def counts(findings: Sequence[Finding]) -> Row:
    """faults, notes, first_fault."""
    if not findings:
        return 0, 0, None
    faults = [finding.code for finding in findings if severity(finding) == "fault"]
    return len(faults), len(findings) - len(faults), faults[0] if faults else None


def _hand(number: int, entry: Judged | Audited, hand: Story, told: Told, zone: str) -> Row:
    """The row of a hand, in the order of its columns."""
    record, rules, verdict = hand.record, hand.rules, entry.verdict
    source, line = entry.entry.source, entry.entry.line
    claim, replay = record.claim or _NO_CLAIM, told.replay
    return (
        *(number, source, line, record.id, rules.name, digest_of(rules), record.table),
        *(*_moment(record, zone), record.base, record.voids),
        *(verdict.verdict, True, verdict.outcome, verdict.landlord, verdict.bid),
        *(*entered(verdict.multiplier, verdict.factors), verdict.multiplier, verdict.unit, _balanced(verdict)),
        *(claim.landlord, claim.bid, claim.multiplier),
        *(len(record.players), *_happened(replay), *_points(hand), _open(hand), record.end, len(hand.moves)),
        *(*told.deal.of_hand, *told.clock.of_hand),
        *(*counts(verdict.findings), None if record.tags is None else msgspec.json.encode(record.tags).decode()),
        *(hand_digest(source, entry.entry.raw), *_recognised(entry.identity), id_digest(source, record.id)),
    )


def _recognised(hand: Identity | None) -> Row:
    """digest, played, deal."""
    return (None, None, None) if hand is None else (hand.content, hand.played or None, hand.deal or None)


digest_of = lru_cache(maxsize=64)(digest)


def _moment(record: Record, zone: str) -> Row:
    """began, utc_offset, day; as whole numbers, since year 1 has moments that no time in UTC can name."""
    if record.at is None:
        return None, None, None
    micros = (record.at - EPOCH) // _MICROSECOND
    day = (micros + ahead(micros, zone)) // DAY
    return micros, record.at.isoformat()[-6:], day if FIRST_DAY <= day <= LAST_DAY else None


def ahead(micros: int, zone: str) -> int:
    """How far a time zone is before UTC, in microseconds; where a year ends all calendars, as it is in 1970."""
    if zone == ZONE and micros > SETTLED:
        return SHANGHAI
    try:
        offset = (EPOCH + timedelta(microseconds=micros)).astimezone(ZoneInfo(zone)).utcoffset()
    except OverflowError:
        offset = datetime.fromtimestamp(0, ZoneInfo(zone)).utcoffset()
    return (offset or timedelta()) // _MICROSECOND


def entered(multiplier: int | None, factors: Sequence[Factor]) -> Row:
    """The factors of a hand in the order of their columns."""
    if multiplier is None:
        return (None,) * len(FACTORS)
    by_name = {factor.name: factor.factor for factor in factors}
    return tuple([by_name.get(name, 1) for name in FACTORS])


def _open(hand: Story) -> bool | None:
    """Whether 摊打 was declared, where the rules have it."""
    return hand.record.open if isinstance(hand.rules, Ruleset) and hand.rules.open.enabled else None


def _balanced(verdict: Verdict) -> bool | None:
    return None if verdict.scores is None else sum(verdict.scores) == 0


def _happened(replay: Replay) -> Row:
    """bombs, rockets, spring, anti_spring, robs: what happened, whatever it is worth."""
    bombs = rockets = None
    if replay.left is not None:
        tiers = [stand.tier for stand in replay.stands if stand is not None]
        bombs, rockets = tiers.count(BOMB), tiers.count(ROCKET)
    return bombs, rockets, replay.spring, replay.anti_spring, replay.robs


def _points(hand: Story) -> Row:
    """trick_points, bottom_points, bottom_factor: what a hand of 三打哈 came to."""
    details = hand.details or {}
    return details.get("trick_points"), details.get("bottom_points"), details.get("bottom_factor")


def _seats(number: int, verdict: Verdict, hand: Story, told: Told) -> list[Row]:
    """What the rows of a hand's seats have of their own, in the order of their columns."""
    record, players, landlord = hand.record, hand.record.players, verdict.landlord
    size, replay = len(players), told.replay
    claim = record.claim or _NO_CLAIM
    columns: list[Sequence[Any]] = [
        *([number] * size, range(size)),
        *([player.id for player in players], [player.name for player in players], [player.bot for player in players]),
        [base_paid(hand)] * size,
        *(roles(landlord, size), positions(landlord, size), _won(verdict, size)),
        *(_each(verdict.scores, size), _due(hand, verdict, size), _each(claim.scores, size)),
        *([player.balance for player in players], _each(verdict.balances, size), _each(claim.balances, size)),
        *_did(hand, replay, size),
        *said(replay, size),
        *told.conduct.seats,
        *told.clock.of_seats,
        *told.deal.of_seats,
    ]
    return list(zip(*columns, strict=True))


def _each(values: Sequence[Any] | None, size: int) -> Sequence[Any]:
    """One value a seat, null where there are none or not as many as seats."""
    return values if values is not None and len(values) == size else [None] * size


def _due(hand: Story, verdict: Verdict, size: int) -> Sequence[int | None]:
    """What a farmer was to pay or get, of a hand that was won and lost."""
    owed = None
    if verdict.unit is not None and is_decided(verdict.outcome):
        owed = verdict.unit
        if isinstance(hand.rules, Ruleset):
            owed = due(hand.record.base, verdict.bid or 0, verdict.factors, hand.rules)
    return [None if seat == verdict.landlord else owed for seat in range(size)]


def is_decided(outcome: Outcome | None) -> bool:
    """Whether a hand was won and lost."""
    return outcome in ("landlord", "farmers")


@lru_cache(maxsize=64)
def roles(landlord: int | None, size: int) -> Sequence[str | None]:
    """What each seat was."""
    if landlord is None:
        return [None] * size
    return ["landlord" if seat == landlord else "farmer" for seat in range(size)]


@lru_cache(maxsize=64)
def positions(landlord: int | None, size: int) -> Sequence[str | None]:
    """Where each farmer sat."""
    if landlord is None or size == 2:
        return [None] * size
    around = [None, "down", *["across"] * (size - 3), "up"]
    return [around[(seat - landlord) % size] for seat in range(size)]


def _won(verdict: Verdict, size: int) -> Sequence[bool | None]:
    if verdict.winners is None or verdict.outcome == "void":
        return [None] * size
    return [seat in verdict.winners for seat in range(size)]


def said(replay: Replay, size: int) -> tuple[Sequence[Any], Sequence[Any]]:
    """first_speaker, words."""
    calls, seats = replay.calls, range(size)
    if not calls:
        return [None] * size, [None] * size
    words = [" ".join([call.word for call in calls if call.seat == seat]) for seat in seats]
    return [seat == replay.first for seat in seats], words


def _did(hand: Story, replay: Replay, size: int) -> list[Sequence[Any]]:
    """plays, passes, bombs, rockets, cards_left: what each seat did, as far as the plays were judged."""
    if replay.left is None:
        return [[None] * size] * 5
    judged = [(move.seat, s) for move, s in zip(hand.moves, replay.stands, strict=True) if s is not UNJUDGED]
    acted, seats = [seat for seat, _ in judged], range(size)
    tiers = [(seat, stand.tier) for seat, stand in judged if stand is not None]
    played = [seat for seat, _ in tiers]
    plays = [played.count(seat) for seat in seats]
    return [
        plays,
        [acted.count(seat) - plays[seat] for seat in seats],
        [tiers.count((seat, BOMB)) for seat in seats],
        [tiers.count((seat, ROCKET)) for seat in seats],
        replay.left,
    ]
