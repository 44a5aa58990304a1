"""Entries in, judged entries out: ordinary hands by the compiled loop, the rest by the audit, in the same order.

A hand is ordinary where its record is complete, its auction faultless and its end a seat that goes out. The verdict on
a proven hand is put together from the same settlement as everywhere.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from ingest.audit import other_readings_found
from ingest.batch import Judged, judge, ruleset_of
from ingest.bulk.shedding import KERNEL
from ingest.faults import Finding
from ingest.hand import balances_after
from ingest.identity import identity
from ingest.logs import Entry
from ingest.logs.portions import portions, size_of
from ingest.record import Record, UnreadableMove, impossible
from ingest.rules.auction import Bidding, hold_auction, named_landlord
from ingest.rules.climbing import bid_class
from ingest.rules.ruleset import Ruleset
from ingest.rules.settlement import Facts, Settlement, settle
from ingest.verdict import Verdict, with_findings

CHUNK = 1024
"""Entries that the compiled loop is given at a time."""
WARM_UP = 1024
"""Entries that are audited one by one before compiled code is loaded: a small log is done sooner without it."""


def available() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def judge_all(entries: Iterable[Entry], rules: str | None = None, warm_up: int = WARM_UP) -> Iterator[Judged]:
    """The verdict on each entry by itself, in order; without Numba, and for the first few, by the audit alone."""
    remaining = iter(entries)
    for entry in islice(remaining, 0 if KERNEL in sys.modules else warm_up):
        yield judge(entry, rules)
    if not available():
        yield from (judge(entry, rules) for entry in remaining)
        return
    for chunk in portions(remaining, CHUNK, size_of):
        yield from _judge_chunk(chunk, rules)


def _judge_chunk(chunk: list[Entry], rules: str | None) -> Iterator[Judged]:
    judged: list[Judged | None] = [None] * len(chunk)
    for ruleset, places in _by_ruleset(chunk, rules).items():
        for place, found in zip(places, prover_of(ruleset).prove([chunk[place] for place in places]), strict=True):
            judged[place] = found
    for place, entry in enumerate(chunk):
        yield judged[place] or judge(entry, rules)


def _by_ruleset(chunk: list[Entry], rules: str | None) -> dict[Ruleset, list[int]]:
    """The places in a chunk of the records of each ruleset that the compiled loop can settle."""
    groups: dict[Ruleset, list[int]] = {}
    for place, entry in enumerate(chunk):
        ruleset = None if entry.record is None else ruleset_of(entry.record, rules)
        if isinstance(ruleset, Ruleset) and is_plain(ruleset):
            groups.setdefault(ruleset, []).append(place)
    return groups


@cache
def is_plain(rules: Ruleset) -> bool:
    """Whether the compiled loop tells all that a ruleset's verdicts depend on."""
    score, deal, auction = rules.score, rules.deal, rules.auction
    told = score.payout != "pattern_points" and not score.redouble and rules.balance.enforce != "always"
    owed = rules.trick.must_beat or auction.must_bid_max != "none"
    return told and deal.bottom_take != "swap" and not owed


@cache
def prover_of(rules: Ruleset) -> "Prover":
    """The one prover of a ruleset."""
    return Prover(rules)


class Ordinary(Struct, frozen=True, gc=False):
    """A record that the compiled loop may replay."""

    place: int
    entry: Entry
    record: Record
    bidding: Bidding
    parts: list[str]


class Prover:
    """Proves hands of one ruleset clean."""

    def __init__(self, rules: Ruleset) -> None:
        from ingest.bulk.table import PlayTable

        self.rules = rules
        self._table = PlayTable(rules)

    def prove(self, entries: Sequence[Entry]) -> list[Judged | None]:
        """The verdict on each entry that is plainly clean, None for the others."""
        judged: list[Judged | None] = [None] * len(entries)
        hands = [hand for place, entry in enumerate(entries) if (hand := self._ordinary(place, entry)) is not None]
        if hands:
            for hand, facts in zip(hands, self._replay(hands), strict=True):
                judged[hand.place] = None if facts is None else self._judged(hand, facts)
        return judged

    def _ordinary(self, place: int, entry: Entry) -> Ordinary | None:
        record, rules = entry.record, self.rules
        if record is None or record.end is not None or not record.hands or record.bottom is None:
            return None
        if None in record.hands or len(record.players) != rules.deal.players or impossible(record) is not None:
            return None
        taken = record.taken or "" if rules.deal.bottom_take == "subset" else ""
        parts = [*record.hands, record.bottom, record.dead or "", taken, record.plays]
        bidding = self._bidding(record)
        if bidding is None or (record.dead == "" and rules.deal.dead) or (record.taken and not taken):
            return None
        return Ordinary(place, entry, record, bidding, parts)  # type: ignore[arg-type]

    def _bidding(self, record: Record) -> Bidding | None:
        """The auction, where it is faultless and gives the landlord that the record names."""
        auction, text = self.rules.auction, record.auction or ""
        if auction.optional == "unscored" and not text:
            return None
        if auction.type == "none" or (auction.optional and not text):
            bidding = named_landlord(text, 0 if auction.landlord == "seat0" else record.landlord)
        else:
            known, first = self._first(record)
            if not known:
                return None
            try:
                bidding = hold_auction(text, first, self.rules, record.voids)
            except UnreadableMove:
                return None
        landlord = bidding.landlord
        claimed = record.claim.landlord if record.claim else None
        agreed = record.landlord in (None, landlord) and claimed in (None, landlord)
        return bidding if agreed and landlord is not None and not bidding.findings else None

    def _first(self, record: Record) -> tuple[bool, int | None]:
        """Whether it is plain who speaks first, and who; a card with its suit stands in a text exactly where it is."""
        auction, marker = self.rules.auction, record.marker
        if marker is not None and not _is_plain_card(marker):
            return False, None
        if auction.first == "seat0":
            return record.first in (None, 0), 0
        if marker is None or auction.first not in ("face_up_card", "marker"):
            return True, record.first
        if not _all_suited(record):
            return False, None
        if marker in (record.bottom or ""):
            return not self.rules.deal.marker_not_in_bottom, record.first
        holders = [seat for seat, hand in enumerate(record.hands or ()) if hand is not None and marker in hand]
        plain = len(holders) == 1 and record.first in (None, holders[0])
        return plain, holders[0] if plain else None

    def _replay(self, hands: Sequence[Ordinary]) -> list[list[int] | None]:
        """The facts of each hand that is proven clean."""
        import numpy as np

        from ingest.bulk.kernel import CLEAN, FACTS, UNKNOWN_PLAY, prove

        text, bounds, games = self._flat(hands, np)
        status = np.zeros(len(hands), np.int64)
        facts = np.zeros((len(hands), FACTS), np.int64)
        unknown = np.zeros(len(hands), np.uint64)
        todo = np.arange(len(hands))
        while todo.size:
            some_status, some_facts, some_unknown = status[todo], facts[todo], unknown[todo]
            prove(text, bounds[todo], games[todo], self._table.arrays(), some_status, some_facts, some_unknown)
            status[todo], facts[todo] = some_status, some_facts
            new = some_status == UNKNOWN_PLAY
            self._table.learn([int(counts) for counts in np.unique(some_unknown[new])])
            todo = todo[new]
        found: list[list[int]] = facts.tolist()
        return [row if state == CLEAN else None for row, state in zip(found, status.tolist(), strict=True)]

    def _flat(self, hands: Sequence[Ordinary], np: Any) -> tuple[Any, Any, Any]:
        """The texts of all hands in one array of bytes, the bounds of their parts, and the numbers of each game."""
        lengths = np.array([[len(part) for part in hand.parts] for hand in hands], np.int64)
        whole = "".join(["".join(hand.parts) for hand in hands])
        if not whole.isascii():
            whole = "".join([_ascii("".join(hand.parts)) for hand in hands])
        bounds = np.concatenate([[0], np.cumsum(lengths.ravel())])
        columns = lengths.shape[1]
        rows = np.arange(len(hands))[:, None] * columns + np.arange(columns + 1)[None, :]
        deal, trick = self.rules.deal, self.rules.trick
        game = [deal.players, deal.packs, deal.hand, deal.bottom, deal.dead, int(deal.bottom_take == "subset")]
        game += [trick.close_passes, int(self.rules.bomb.beats_rocket)]
        games = np.array([[*game, hand.bidding.landlord] for hand in hands], np.int64)
        return np.frombuffer(whole.encode(), np.uint8), bounds[rows], games

    def _judged(self, hand: Ordinary, facts: list[int]) -> Judged | None:
        record, rules, bidding = hand.record, self.rules, hand.bidding
        if rules.bomb_limit.mode != "off" and self._bombs_beyond(bidding, facts[15:19]):
            return None
        if rules.balance.min_factor and _below_the_minimum(record, rules.balance.min_factor * record.base):
            return None
        worth = _worth(rules, _key(record, bidding, facts, with_balances=rules.balance.enforce != "never"))
        settled = worth.settled
        after = balances_after(record, settled.scores)
        if record.claim is not None and not _agrees(record, worth, bidding.bid, after):
            return None
        verdict = Verdict(
            source=hand.entry.source, line=hand.entry.line, id=record.id, rules=rules.name, verdict="clean",
            outcome=worth.outcome, landlord=bidding.landlord, winners=worth.winners, bid=bidding.bid,
            factors=settled.factors, multiplier=settled.multiplier, unit=settled.unit, scores=settled.scores,
            balances=after, findings=list(worth.notes),
        )  # fmt: skip
        return Judged(hand.entry, with_findings(verdict, hand.entry.findings), None, identity(record))

    def _bombs_beyond(self, bidding: Bidding, bombs: Sequence[int]) -> bool:
        limits = self.rules.bomb_limit.table
        return any(
            number > limits.get(bid_class(bidding, seat), number)
            for seat, number in enumerate(bombs)
            if number and seat != bidding.landlord
        )


def _ascii(text: str) -> str:
    """A text whose strange letters are no cards but take no more room."""
    return "".join(letter if letter.isascii() else "?" for letter in text)


def _is_plain_card(text: str) -> bool:
    return text in ("B", "R") or (len(text) == 2 and text[0] in "SHCD" and text[1] in "3456789TJQKA2")


def _all_suited(record: Record) -> bool:
    """Whether every dealt card shows its suit: so many letters of suits and jokers as cards."""
    dealt = [*(record.hands or ()), record.bottom]
    return all(cards is not None and _faces(cards) * 2 == len(cards) + _jokers(cards) for cards in dealt)


def _faces(text: str) -> int:
    return sum(map(text.count, "SHCD")) + _jokers(text)


def _jokers(text: str) -> int:
    return text.count("B") + text.count("R")


class Worth(Struct, frozen=True):
    """What hands with the same facts have in common."""

    settled: Settlement
    outcome: Literal["landlord", "farmers"]
    winners: list[int]
    notes: list[Finding]


class Key(NamedTuple):
    """The facts of a proven hand, as what its worth is remembered by."""

    base: int
    bid: int
    voids: int
    marker: str | None
    open: bool
    robs: int
    landlord: int
    winner: int
    rockets: int
    bombs: tuple[int, ...]
    """How many bombs of one card, two cards … eight cards."""
    plays: tuple[int, ...]
    balances: tuple[int | None, ...] | None


def _key(record: Record, bidding: Bidding, facts: list[int], *, with_balances: bool) -> Key:
    balances = tuple([player.balance for player in record.players]) if with_balances else None
    return Key(
        record.base, bidding.bid, record.voids, record.marker, record.open, bidding.robs, bidding.landlord or 0,
        facts[0], facts[1], tuple(facts[3:11]), tuple(facts[11:15]), balances,
    )  # fmt: skip


def _below_the_minimum(record: Record, minimum: int) -> bool:
    return any(player.balance is not None and player.balance < minimum for player in record.players)


@lru_cache(maxsize=1 << 14)
def _worth(rules: Ruleset, key: Key) -> Worth:
    won = key.winner == key.landlord
    outcome: Literal["landlord", "farmers"] = "landlord" if won else "farmers"
    facts = Facts(
        base=key.base, bid=key.bid, voids=key.voids, marker=key.marker, open=key.open, robs=key.robs,
        bombs=[size for size, count in enumerate(key.bombs, start=1) for _ in range(count)], rockets=key.rockets,
        spring=won and sum(key.plays) == key.plays[key.landlord], anti_spring=not won and key.plays[key.landlord] == 1,
        landlord=key.landlord, winner=outcome, balances=None if key.balances is None else list(key.balances),
    )  # fmt: skip
    settled = settle(facts, rules)
    winners = [seat for seat in range(rules.deal.players) if (seat == key.landlord) == won]
    return Worth(settled, outcome, winners, other_readings_found(facts, rules, settled))


def _agrees(record: Record, worth: Worth, bid: int, after: list[int | None] | None) -> bool:
    """Whether everything that is claimed is what the rules say."""
    claim, settled = record.claim, worth.settled
    if claim is None:
        return True
    if claim.winners is not None and sorted(claim.winners) != worth.winners:
        return False
    if claim.multiplier not in (None, settled.multiplier) or claim.bid not in (None, bid):
        return False
    return claim.scores in (None, settled.scores) and (
        claim.balances is None or after is None or claim.balances == after
    )
