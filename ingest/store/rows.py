"""Audited entries as rows of the tables.

Knows what of a verdict goes into which column. Refuses to know files; hands are numbered from 0 until they are stored.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
import pyarrow as pa

from ingest.audit import Hand
from ingest.batch import Audited
from ingest.faults import CATALOGUE, Finding, severity
from ingest.logs import Entry
from ingest.record import Record
from ingest.rules.climbing import Played
from ingest.rules.combinations import BOMB, ROCKET
from ingest.rules.ruleset import digest
from ingest.store.columns import Row, from_rows
from ingest.store.moves import Moves
from ingest.store.schema import FINDINGS, HANDS, RAW, SEATS
from ingest.verdict import Verdict

Part = dict[str, pa.RecordBatch]
"""A piece of every table but the roll-ups."""

FACTORS = ("bomb", "rocket", "spring", "anti_spring", "void", "marker", "open", "rob", "level", "opening")

_NO_FACTORS = {f"factor_{name}": 1 for name in FACTORS}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000
_SHANGHAI = 8 * 3_600_000_000
"""How far Asia/Shanghai is before UTC, in microseconds."""


class Rows:
    """Rows of the tables, gathered until they are taken as Arrow columns."""

    def __init__(self) -> None:
        self.entries = 0
        """Rows of ``hands`` so far; taking them does not start the numbering anew."""
        self._rows: dict[str, list[Row]] = {name: [] for name in ("hands", "seats", "findings", "raw")}
        self._moves = Moves()

    def __len__(self) -> int:
        """Entries that have been added since rows were taken."""
        return max(len(self._rows["hands"]), len(self._rows["findings"]))

    def add(self, audited: Audited) -> None:
        """Add one entry. The same hand again is listed among the findings only (R108)."""
        again = [finding for finding in audited.verdict.findings if finding.code == "R108"]
        if again:
            place = {**_place(audited.entry, None), "digest": entry_digest(audited.entry)}
            self._rows["findings"] += _findings(place, again)
            return
        place = _place(audited.entry, self.entries)
        self.entries += 1
        self._rows["findings"] += _findings(place, audited.verdict.findings)
        self._rows["raw"].append({**place, "raw": audited.entry.raw})
        if audited.hand is None or not audited.counted:
            self._rows["hands"].append(place | _no_hand(audited))
            return
        row = place | _hand(audited, audited.hand)
        self._rows["hands"].append(row)
        self._rows["seats"] += _seats(audited.verdict, audited.hand, row)
        self._moves.add(place["hand"], audited.hand)

    def take(self) -> Part:
        """What has been gathered, as Arrow columns."""
        part = {table.name: from_rows(table, self._rows[table.name]) for table in (HANDS, SEATS, FINDINGS, RAW)}
        for rows in self._rows.values():
            rows.clear()
        return part | {"moves": self._moves.take()}


def entry_digest(entry: Entry) -> bytes:
    """What an entry that is no hand of its own is recognised by: its place and its bytes."""
    return _line_digest(entry.source, entry.line, entry.raw)


def _line_digest(source: str, line: int, raw: bytes) -> bytes:
    return hashlib.blake2b(f"{source}\n{line}\n".encode() + raw, digest_size=16).digest()


def id_digest(source: str, id: str) -> bytes:
    """What shows that two hands stand under one id."""
    return hashlib.blake2b(f"{source}\n{id}".encode(), digest_size=16).digest()


def refused(hand: Row, raw: bytes, details: dict[str, Any]) -> Part:
    """A hand's rows where it cannot be kept as one, because its id stands for another hand in the store (R109)."""
    place = {key: hand[key] for key in ("hand", "source", "line")}
    findings = [Finding("R109", details=details)]
    row = place | {"id": hand["id"], "rules": hand["rules"], "verdict": "unreadable", "counted": False}
    row |= _counts(findings) | {"digest": _line_digest(hand["source"], hand["line"], raw)}
    return {
        "hands": from_rows(HANDS, [row]),
        "findings": from_rows(FINDINGS, _findings(place, findings)),
        "raw": from_rows(RAW, [place | {"raw": raw}]),
    }


def _place(entry: Entry, number: int | None) -> Row:
    return {"hand": number, "source": entry.source, "line": entry.line}


def _findings(place: Row, findings: Iterable[Finding]) -> list[Row]:
    return [
        {
            **place,
            "code": finding.code,
            "severity": severity(finding),
            "phase": CATALOGUE[finding.code].phase,
            "index": finding.index,
            "seat": finding.seat,
            "details": msgspec.json.encode(finding.details).decode(),
        }
        for finding in findings
    ]


def _counts(findings: Sequence[Finding]) -> Row:
    """How many findings there are of which severity, and the first fault."""
    faults = [finding.code for finding in findings if severity(finding) == "fault"]
    return {
        "faults": len(faults),
        "notes": len(findings) - len(faults),
        "first_fault": faults[0] if faults else None,
    }


def _no_hand(audited: Audited) -> Row:
    """A line that is no record."""
    verdict = audited.verdict
    row = {"id": verdict.id, "rules": verdict.rules, "verdict": verdict.verdict, "counted": False}
    return row | _counts(verdict.findings) | {"digest": entry_digest(audited.entry)}


def _hand(audited: Audited, hand: Hand) -> Row:
    record, verdict = hand.record, audited.verdict
    return {
        "id": record.id,
        "rules": hand.rules.name,
        "rules_digest": _digest_of(hand.rules),
        "table_id": record.table,
        **_moment(record),
        "base": record.base,
        "voids": record.voids,
        "verdict": verdict.verdict,
        "counted": True,
        "outcome": verdict.outcome,
        "landlord": verdict.landlord,
        "bid": verdict.bid,
        "multiplier": verdict.multiplier,
        "unit": verdict.unit,
        "players": len(record.players),
        "open": record.open,
        "ended": record.end,
        "moves": len(hand.moves),
        "tags": None if record.tags is None else msgspec.json.encode(record.tags).decode(),
        "digest": audited.digest,
        "id_digest": id_digest(audited.entry.source, record.id),
        **_counts(verdict.findings),
        **_factors(verdict),
        **_claimed(record),
        **_events(hand),
    }


_digest_of = lru_cache(maxsize=64)(digest)


def _moment(record: Record) -> Row:
    """When the hand began; year 1 and year 9999 have moments that no time in UTC can name, hence whole numbers."""
    if record.at is None:
        return {}
    micros = (record.at - _EPOCH) // _MICROSECOND
    return {"began": micros, "utc_offset": record.at.isoformat()[-6:], "day": (micros + _SHANGHAI) // _DAY}


def _factors(verdict: Verdict) -> Row:
    if verdict.multiplier is None:
        return {}
    return _NO_FACTORS | {f"factor_{factor.name}": factor.factor for factor in verdict.factors}


def _claimed(record: Record) -> Row:
    claim = record.claim
    if claim is None:
        return {}
    return {"claimed_landlord": claim.landlord, "claimed_bid": claim.bid, "claimed_multiplier": claim.multiplier}


def _events(hand: Hand) -> Row:
    """What happened that statistics count, whatever it is worth."""
    row: Row = {}
    if hand.bidding is not None and hand.landlord is not None:
        row["robs"] = hand.bidding.robs
    if isinstance(hand.played, Played):
        tiers = [stand.tier for stand in hand.played.stands if stand is not None]
        row |= {"bombs": tiers.count(BOMB), "rockets": tiers.count(ROCKET)}
    if hand.facts is not None:
        row |= {"spring": hand.facts.spring, "anti_spring": hand.facts.anti_spring}
    return row


_COPIED = ("hand", "rules", "day", "verdict", "outcome", "base", "bid", "spring", "anti_spring")


def _seats(verdict: Verdict, hand: Hand, row: Row) -> list[Row]:
    copied = {name: row.get(name) for name in _COPIED}
    per_seat = _results(verdict, hand.record) | _words(hand) | _plays(hand)
    seats = []
    for seat, player in enumerate(hand.record.players):
        own = {name: values[seat] for name, values in per_seat.items() if seat < len(values)}
        who = {"seat": seat, "player": player.id, "name": player.name, "bot": player.bot}
        seats.append(copied | who | own | _role(seat, verdict.landlord, len(hand.record.players)))
    return seats


def _role(seat: int, landlord: int | None, players: int) -> Row:
    if landlord is None:
        return {}
    if seat == landlord:
        return {"role": "landlord"}
    if players == 2:
        return {"role": "farmer"}
    after = (seat - landlord) % players
    return {"role": "farmer", "position": "down" if after == 1 else "up" if after == players - 1 else "across"}


def _results(verdict: Verdict, record: Record) -> dict[str, Sequence[Any]]:
    """What each seat won or lost, has and is said to have."""
    found: dict[str, Sequence[Any] | None] = {
        "score": verdict.scores,
        "balance_before": [player.balance for player in record.players],
        "balance_after": verdict.balances,
        "claimed_score": record.claim.scores if record.claim else None,
        "claimed_balance": record.claim.balances if record.claim else None,
    }
    if verdict.winners is not None and verdict.outcome != "void":
        found["won"] = [seat in verdict.winners for seat in range(len(record.players))]
    return {name: values for name, values in found.items() if values is not None}


def _words(hand: Hand) -> dict[str, Sequence[Any]]:
    """What each seat said in the auction."""
    if hand.bidding is None or not hand.bidding.calls:
        return {}
    seats, calls = range(len(hand.record.players)), hand.bidding.calls
    return {
        "first_speaker": [seat == hand.bidding.first for seat in seats],
        "words": [" ".join([call.word for call in calls if call.seat == seat]) for seat in seats],
    }


def _plays(hand: Hand) -> dict[str, Sequence[Any]]:
    """What each seat did in the plays, as far as they were judged."""
    if not isinstance(hand.played, Played):
        return {}
    stands, seats = hand.played.stands, range(len(hand.record.players))
    acted = [move.seat for move in hand.moves[: len(stands)]]
    played = [seat for seat, stand in zip(acted, stands, strict=True) if stand is not None]
    thrown = [(seat, stand.tier) for seat, stand in zip(acted, stands, strict=True) if stand is not None and stand.tier]
    plays = [played.count(seat) for seat in seats]
    return {
        "cards_left": hand.played.left,
        "plays": plays,
        "passes": [acted.count(seat) - plays[seat] for seat in seats],
        "bombs": [thrown.count((seat, BOMB)) for seat in seats],
        "rockets": [thrown.count((seat, ROCKET)) for seat in seats],
    }
