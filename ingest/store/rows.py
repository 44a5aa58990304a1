"""Audited entries as rows of the tables.

Knows what of a verdict goes into which column. Refuses to know files; hands are numbered from 0 until they are stored.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
import pyarrow as pa

from ingest.batch import Audited
from ingest.faults import CATALOGUE, Finding, severity
from ingest.hand import Story
from ingest.logs import Entry
from ingest.record import Claim, Record
from ingest.rules.combinations import BOMB, ROCKET
from ingest.rules.ruleset import digest
from ingest.store.columns import Row, from_rows
from ingest.store.moves import Moves
from ingest.store.replays import UNJUDGED, Replay, replay_of
from ingest.store.schema import FINDINGS, HANDS, RAW, SEATS
from ingest.verdict import Verdict

Part = dict[str, pa.RecordBatch]
"""A piece of every table but the roll-ups."""

FACTORS = ("bomb", "rocket", "spring", "anti_spring", "void", "marker", "open", "rob", "level", "opening")
"""The factors in the order of their columns."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000
_SHANGHAI = 8 * 3_600_000_000
"""How far Asia/Shanghai is before UTC, in microseconds."""
_NO_CLAIM = Claim()


class Rows:
    """Rows of the tables, gathered until they are taken as Arrow columns."""

    def __init__(self) -> None:
        self.entries = 0
        """Rows of ``hands`` so far; taking them does not start the numbering anew."""
        self._hands: list[Row] = []
        self._seats: list[Row] = []
        self._findings: list[Row] = []
        self._raw: list[Row] = []
        self._moves = Moves()

    def add(self, audited: Audited) -> None:
        """Add one entry. The same hand again is listed among the findings only (R108)."""
        entry, verdict = audited.entry, audited.verdict
        again = [finding for finding in verdict.findings if finding.code == "R108"]
        if again:
            self._findings += _findings((None, entry.source, entry.line), again, line_digest(entry))
            return
        place = (self.entries, entry.source, entry.line)
        self.entries += 1
        self._raw.append((*place, entry.raw))
        if verdict.findings:
            self._findings += _findings(place, verdict.findings)
        if audited.hand is None or not audited.counted:
            self._hands.append(_no_hand(place, verdict, line_digest(entry)))
            return
        replay, moment = replay_of(audited.hand), _moment(audited.hand.record)
        self._hands.append(_hand(place, audited, audited.hand, replay, moment))
        self._seats += _seats(place[0], verdict, audited.hand, replay, moment[-1])
        self._moves.add(place[0], audited.hand, replay)

    def take(self) -> Part:
        """What has been gathered, as Arrow columns."""
        gathered = ((HANDS, self._hands), (SEATS, self._seats), (FINDINGS, self._findings), (RAW, self._raw))
        part = {table.name: from_rows(table, rows) for table, rows in gathered}
        for _, rows in gathered:
            rows.clear()
        return part | {"moves": self._moves.take()}


def line_digest(entry: Entry) -> bytes:
    """What an entry that is no hand of its own is recognised by: its place and its bytes."""
    return _digest_of_line(entry.source, entry.line, entry.raw)


def _digest_of_line(source: str, line: int, raw: bytes) -> bytes:
    return hashlib.blake2b(f"{source}\n{line}\n".encode() + raw, digest_size=16).digest()


def id_digest(source: str, id: str) -> bytes:
    """What shows that two hands stand under one id."""
    return hashlib.blake2b(f"{source}\n{id}".encode(), digest_size=16).digest()


def refused(hand: Mapping[str, Any], raw: bytes, details: dict[str, Any]) -> Part:
    """A hand's rows where it cannot be kept as one, because its id stands for another hand in the store (R109)."""
    place = (hand["hand"], hand["source"], hand["line"])
    findings = [Finding("R109", details=details)]
    verdict = Verdict(
        source=hand["source"], line=hand["line"], id=hand["id"], rules=hand["rules"], verdict="unreadable",
        findings=findings,
    )  # fmt: skip
    row = _no_hand(place, verdict, _digest_of_line(hand["source"], hand["line"], raw))
    return {
        "hands": from_rows(HANDS, [row]),
        "findings": from_rows(FINDINGS, _findings(place, findings)),
        "raw": from_rows(RAW, [(*place, raw)]),
    }


def _findings(place: Row, findings: Iterable[Finding], key: bytes | None = None) -> list[Row]:
    return [
        (
            *place,
            finding.code,
            severity(finding),
            CATALOGUE[finding.code].phase,
            finding.index,
            finding.seat,
            msgspec.json.encode(finding.details).decode(),
            key,
        )
        for finding in findings
    ]


def _counts(findings: Sequence[Finding]) -> Row:
    """faults, notes, first_fault."""
    if not findings:
        return 0, 0, None
    faults = [finding.code for finding in findings if severity(finding) == "fault"]
    return len(faults), len(findings) - len(faults), faults[0] if faults else None


_BEFORE_VERDICT = HANDS.place("verdict") - HANDS.place("rules") - 1
_AFTER_VERDICT = HANDS.place("faults") - HANDS.place("counted") - 1


def _no_hand(place: Row, verdict: Verdict, key: bytes) -> Row:
    """The row of a line that is no record: little more than where it stands."""
    return (
        *(*place, verdict.id, verdict.rules, *(None,) * _BEFORE_VERDICT),
        *(verdict.verdict, False, *(None,) * _AFTER_VERDICT),
        *(*_counts(verdict.findings), None, key, None),
    )


def _hand(place: Row, audited: Audited, hand: Story, replay: Replay, moment: Row) -> Row:
    """The row of a hand, in the order of its columns."""
    record, rules, verdict = hand.record, hand.rules, audited.verdict
    claim = record.claim or _NO_CLAIM
    return (
        *(*place, record.id, rules.name, _digest_of(rules), record.table, *moment, record.base, record.voids),
        *(verdict.verdict, True, verdict.outcome, verdict.landlord, verdict.bid),
        *(*_factors(verdict), verdict.multiplier, verdict.unit),
        *(claim.landlord, claim.bid, claim.multiplier),
        *(len(record.players), *_happened(replay), record.open, record.end, len(hand.moves)),
        *(*_counts(verdict.findings), None if record.tags is None else msgspec.json.encode(record.tags).decode()),
        *(audited.digest, id_digest(audited.entry.source, record.id)),
    )


_digest_of = lru_cache(maxsize=64)(digest)


def _moment(record: Record) -> Row:
    """began, utc_offset, day; as whole numbers, since year 1 has moments that no time in UTC can name."""
    if record.at is None:
        return None, None, None
    micros = (record.at - _EPOCH) // _MICROSECOND
    return micros, record.at.isoformat()[-6:], (micros + _SHANGHAI) // _DAY


def _factors(verdict: Verdict) -> Row:
    if verdict.multiplier is None:
        return (None,) * len(FACTORS)
    entered = {factor.name: factor.factor for factor in verdict.factors}
    return tuple([entered.get(name, 1) for name in FACTORS])


def _happened(replay: Replay) -> Row:
    """bombs, rockets, spring, anti_spring, robs: what happened, whatever it is worth."""
    bombs = rockets = None
    if replay.left is not None:
        tiers = [stand.tier for stand in replay.stands if stand is not None]
        bombs, rockets = tiers.count(BOMB), tiers.count(ROCKET)
    return bombs, rockets, replay.spring, replay.anti_spring, replay.robs


def _seats(number: int, verdict: Verdict, hand: Story, replay: Replay, day: int | None) -> list[Row]:
    """The rows of a hand's seats, in the order of their columns."""
    record, players = hand.record, hand.record.players
    size = len(players)
    claim = record.claim or _NO_CLAIM
    shared = (hand.rules.name, day, verdict.verdict, verdict.outcome, record.base, verdict.bid)
    said, springs = _said(replay, size), (replay.spring, replay.anti_spring)
    columns: list[Sequence[Any]] = [
        *([number] * size, range(size)),
        *([player.id for player in players], [player.name for player in players], [player.bot for player in players]),
        *([value] * size for value in shared),
        *(_roles(verdict.landlord, size), _positions(verdict.landlord, size), _won(verdict, size)),
        *(_each(verdict.scores, size), _each(claim.scores, size)),
        *([player.balance for player in players], _each(verdict.balances, size), _each(claim.balances, size)),
        *_did(hand, replay, size),
        *(said[0], *([value] * size for value in springs), said[1]),
    ]
    return list(zip(*columns, strict=True))


def _each(values: Sequence[Any] | None, size: int) -> Sequence[Any]:
    """One value a seat, null where there are none or not as many as seats."""
    return values if values is not None and len(values) == size else [None] * size


def _roles(landlord: int | None, size: int) -> list[str | None]:
    if landlord is None:
        return [None] * size
    return ["landlord" if seat == landlord else "farmer" for seat in range(size)]


def _positions(landlord: int | None, size: int) -> list[str | None]:
    if landlord is None or size == 2:
        return [None] * size
    around = [None, "down", *["across"] * (size - 3), "up"]
    return [around[(seat - landlord) % size] for seat in range(size)]


def _won(verdict: Verdict, size: int) -> Sequence[bool | None]:
    if verdict.winners is None or verdict.outcome == "void":
        return [None] * size
    return [seat in verdict.winners for seat in range(size)]


def _said(replay: Replay, size: int) -> tuple[Sequence[Any], Sequence[Any]]:
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
