"""What the compiled loop looks up, learned from the rules: plays on plays, auctions, settlements.

Each is asked once of ``ingest.rules``, as the audit asks it; nothing is decided here.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ingest.audit import other_readings_found
from ingest.bulk.compiled import law as laws
from ingest.bulk.compiled.law import Law
from ingest.bulk.layout import ABSENT, OUTCOMES, SEATS
from ingest.bulk.tables import Grid, Rows, Table, distinct
from ingest.cards import RANK_BITS, Cards
from ingest.faults import Finding, severity
from ingest.record import DECLARED, READING_NAMES, Move, UnreadableMove
from ingest.rules.answers import Standing, answers_of
from ingest.rules.auction import Bidding, hold_auction, named_landlord
from ingest.rules.climbing import bid_class, judge
from ingest.rules.combinations import Reading
from ingest.rules.ruleset import Ruleset
from ingest.rules.settlement import Facts, Settlement, cannot_settle, settle, settlements, void_settlement
from ingest.verdict import Outcome

MOST_PLAYS = 1 << 20
MOST_KINDS = 1 << 12
MOST_AUCTIONS = 1 << 16
MOST_WORTHS = 1 << 17
"""So many of each are remembered; what is new goes to the audit then. Plays and settlements are forgotten in time."""
_NO_LIMIT = 1 << 30
_LARGEST = 1 << 61
"""Beyond this no number is computed with in 64 bits."""
NAMES = sorted(READING_NAMES)
Words = NDArray[np.uint64]


class Auction(Struct, frozen=True):
    """One auction and what it gave."""

    landlord: int | None
    bid: int | None
    findings: list[Finding]
    bidding: Bidding | None = None
    """The same for hands at fault, without its calls."""


class Worth(Struct, frozen=True):
    """What hands with the same facts have in common."""

    settled: Settlement
    outcome: Outcome
    winners: list[int]
    findings: list[Finding]


def is_told(rules: Ruleset) -> bool:
    """Whether the compiled loop tells all that a ruleset's verdicts depend on."""
    score, deal, auction = rules.score, rules.deal, rules.auction
    told = score.payout != "pattern_points" and not score.redouble and rules.balance.enforce != "always"
    owed = rules.trick.must_beat or auction.must_bid_max != "none"
    plain = deal.bottom_take != "swap" and not deal.removed_ranks and deal.players <= SEATS
    return told and plain and not owed


class Learned:
    """What has been learned of one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._answers = answers_of(rules)
        self._auctions = Table(laws.AUCTION_WORDS)
        self.auctions: list[Auction] = []
        self._auction_rows = Rows(laws.AUCTION_NOTES + 1)
        self._game, self._names = _game(rules), names()
        self.standings: list[Standing] = []
        self._numbers: dict[Standing, int] = {}
        self._kind_of: dict[int, int] = {}
        self._kind_numbers: dict[tuple[tuple[Reading, ...], ...], int] = {}
        self._met: set[int] = set()
        self._tiers: NDArray[np.int32] = np.zeros(1, np.int32)
        self._ruled: NDArray[np.bool_] = np.zeros(1, np.bool_)
        self._forget_plays()
        for seat in range(SEATS):
            self._add_auction(named_landlord("", seat) if seat < rules.deal.players else None)
        self._forget_worths()

    def law(self) -> Law:
        """The arrays of all that has been learned so far."""
        return Law(
            self._game, self._kinds.slots, self._alike, self._plays.cells, self._declared.slots, self._tiers,
            (self._tiers > 0) | self._ruled, self._ruled,
            self._auctions.slots,
            self._auction_rows.array, self._worths.slots, self._shorts.slots, self._worth_rows.array, self._names,
        )  # fmt: skip

    def make_room(self) -> None:
        """Forget plays and settlements if there are too many: before a block, so that what is told of one keeps its
        meaning.
        """
        if self._kinds.size + len(self._met) >= MOST_PLAYS // 2 or self._widest() >= MOST_KINDS // 2:
            self._forget_plays()
        if len(self.worths) >= MOST_WORTHS // 2:
            self._forget_worths()

    # Plays

    def learn_plays(self, words: Words) -> bool:
        """Learn what stands after cards on what stands: rows of packed counts, and of what ``Law.plays`` has beside
        their kind.

        False where there are too many already, or none that is new: whoever asks again what was learned has no end.
        """
        before = len(self._met)
        room = max(MOST_PLAYS - self._kinds.size - len(self._met), 0)
        new = distinct(words)[: min(room, MOST_KINDS)]
        if not len(new) or self._widest() >= MOST_KINDS:
            return False
        kinds, declared = dict[int, int](), dict[int, int]()
        for counts, rest in new.tolist():
            if counts not in self._kind_of:
                kinds[counts] = self._kind_of[counts] = self._kind(counts)
            play = self._kind_of[counts] | rest
            if play not in self._met:
                self._met.add(play)
                self._learn_play(play, self._stands(counts, rest), declared)
        _put(self._kinds, kinds)
        _put(self._declared, declared)
        for counts, kind in kinds.items():
            rank = (counts.bit_length() - 1) // RANK_BITS
            if counts < 1 << RANK_BITS * (rank + 1) and counts % (1 << RANK_BITS * rank) == 0:
                self._alike[16 * rank + (counts >> RANK_BITS * rank)] = kind
        self._tiers = np.array([standing.tier for standing in self.standings], np.int32)
        self._ruled = np.array([standing.ruled for standing in self.standings], np.bool_)
        return bool(kinds) or len(self._met) > before

    def _forget_plays(self) -> None:
        self._kinds, self._declared, self._plays = Table(1), Table(1), Grid()
        self._alike: NDArray[np.int32] = np.full(16 * 16, -1, np.int32)
        self._kind_of, self._kind_numbers, self._met = {}, {}, set()
        self.standings = [self._answers.lead]
        self._numbers = {self._answers.lead: 0}
        self._tiers, self._ruled = np.zeros(1, np.int32), np.zeros(1, np.bool_)

    def _widest(self) -> int:
        return max(len(self.standings), len(self._kind_numbers))

    def _learn_play(self, play: int, stands: int, declared: dict[int, int]) -> None:
        """Keep what stands after a play, by its key."""
        if play >> laws.NAME_BITS:
            declared[play] = stands
        else:
            self._plays.put(play >> laws.STANDING_BITS, play & (1 << laws.STANDING_BITS) - 1, stands)

    def _kind(self, counts: int) -> int:
        return self._kind_numbers.setdefault(self._answers.kind(counts), len(self._kind_numbers) + 1)

    def _stands(self, counts: int, rest: int) -> int:
        standing, name = self.standings[rest >> laws.STANDING_BITS & 0xFFFFFF], rest >> laws.NAME_BITS
        findings: list[Finding] = []
        move = Move(0, Cards(counts, counts, 0, suited=False), DECLARED, "", NAMES[name - 1] if name else None)
        now = judge(0, move, standing, self._answers, findings)
        at_fault = any(severity(finding) == "fault" for finding in findings)
        if at_fault and now.ruled:
            return laws.FAULT
        if now not in self._numbers:
            self._numbers[now] = len(self.standings)
            self.standings.append(now)
        return laws.FAULTY - self._numbers[now] if at_fault else self._numbers[now]

    # Auctions

    def learn_auctions(self, words: Words) -> bool:
        """Learn auctions by their keys; False where there are too many already."""
        new = distinct(words)[: max(MOST_AUCTIONS - self._auctions.size, 0)]
        if not len(new):
            return False
        numbers = [self._add_auction(self._held(key)) for key in new]
        self._auctions.put(new, np.array(numbers, np.int64))
        return True

    def _held(self, key: Words) -> Bidding | None:
        last = int(key[-1])
        first, voids, size = (last & 0xFF) - 1, last >> 8 & 0xFFFFFF, last >> 32
        text = _calls_as_text(key[:-1].tobytes()[:size])
        try:
            return hold_auction(text, None if first < 0 else first, self.rules, voids)
        except UnreadableMove:
            return None

    def _add_auction(self, bidding: Bidding | None) -> int:
        if bidding is None or not (bidding.stopped or bidding.void or bidding.landlord is not None):
            self.auctions.append(Auction(None, None, []))
            return self._auction_rows.add([0] * (laws.AUCTION_NOTES + 1))
        landlord, sure = (None, laws.STOPPED) if bidding.stopped else (bidding.landlord, 1)
        bid, slim = None if landlord is None else bidding.bid, replace(bidding, calls=(), said={})
        self.auctions.append(Auction(landlord, bid, bidding.findings, slim))
        limits = [self._limit(bidding, seat) for seat in range(SEATS)]
        at_fault = any(severity(finding) == "fault" for finding in bidding.findings)
        told = [sure, int(at_fault), int(bidding.void), -1 if landlord is None else landlord, bidding.bid, bidding.robs]
        return self._auction_rows.add([*told, *limits, len(bidding.findings)])

    def _limit(self, bidding: Bidding, seat: int) -> int:
        if self.rules.bomb_limit.mode == "off":
            return _NO_LIMIT
        return self.rules.bomb_limit.table.get(bid_class(bidding, seat), _NO_LIMIT)

    # Settlements

    def learn_worths(self, words: Words) -> bool:
        """Learn settlements by their keys; False where there are too many already."""
        return self._learn_settled(self._worths, words)

    def learn_shorts(self, words: Words) -> bool:
        """The same by keys with balances."""
        return self._learn_settled(self._shorts, words)

    def _learn_settled(self, table: Table, words: Words) -> bool:
        new = distinct(words)[: max(MOST_WORTHS - len(self.worths), 0)]
        if not len(new):
            return False
        numbers = [self._settle(*key) for key in new.view(np.int64).tolist()]
        table.put(new, np.array(numbers, np.int64))
        return True

    def _forget_worths(self) -> None:
        self._worths, self._shorts = Table(laws.WORTH_WORDS), Table(laws.SHORT_WORDS)
        self._worth_rows = Rows(laws.WORTH_NOTES + 1)
        self.worths: list[Worth] = []
        self._of_worths: dict[Hashable, dict[Any, Any]] = {}
        self._add_worth(Worth(void_settlement(self.rules.deal.players), "void", [], []))

    def of_worths(self, what: Hashable) -> dict[Any, Any]:
        """What somebody remembers of settlements by their numbers, under ``what``; it is forgotten as they are."""
        return self._of_worths.setdefault(what, {})

    def _settle(self, base: int, packed: int, bombs: int, *balances: int) -> int:
        players = self.rules.deal.players
        facts = facts_of(base, packed, bombs, balances[:players])
        settled = None if cannot_settle(facts, self.rules) is not None else settle(facts, self.rules)
        if settled is None:
            return self._add_worth(Worth(void_settlement(players), "void", [], []), [], sure=False)
        outcome: Outcome = "escape" if facts.winner is None else facts.winner
        findings = other_readings_found(facts, self.rules, settled)
        worth = Worth(settled, outcome, _winners(facts, players), findings)
        return self._add_worth(worth, _needs(settlements(facts, self.rules), players))

    def _add_worth(self, worth: Worth, needs: Sequence[int] = (), *, sure: bool = True) -> int:
        scores = worth.settled.scores or []
        filled = [*scores, *[0] * (SEATS - len(scores)), *needs, *[0] * (SEATS - len(needs))]
        row = [1, worth.settled.multiplier, worth.settled.unit, *filled, len(worth.findings)]
        sure = sure and bool(scores) and max(map(abs, row)) <= _LARGEST
        self.worths.append(worth)
        return self._worth_rows.add(row if sure else [0] * len(row))

    def scores(self, worths: Any) -> Any:
        """``int64[n, players]``: the scores of settlements by their numbers."""
        return self._worth_rows.array[worths][:, laws.SCORE : laws.SCORE + self.rules.deal.players]


def _put(table: Table, numbers: dict[int, int]) -> None:
    """Add keys of one word."""
    keys = np.fromiter(numbers, np.uint64, len(numbers))
    table.put(keys.reshape(-1, 1), np.fromiter(numbers.values(), np.int64, len(numbers)))


def _winners(facts: Facts, players: int) -> list[int]:
    """All seats of the winning side; after an escape all but the one who left."""
    if facts.winner is None:
        return [seat for seat in range(players) if seat != facts.escape]
    return [seat for seat in range(players) if (seat == facts.landlord) == (facts.winner == "landlord")]


def facts_of(base: int, packed: int, bombs: int, balances: Sequence[int] = ()) -> Facts:
    """The facts of a hand as the words of its key have them; of a balance that is not there it is known that it
    suffices.
    """
    landlord, how = packed >> 33 & 7, packed >> 36 & 15
    escaped = how - len(OUTCOMES) + 1 if how >= len(OUTCOMES) - 1 else None
    sizes = [size for size in range(1, 9) for _ in range(bombs >> 8 * (size - 1) & 255)]
    return Facts(
        base=base, bid=packed & 1023, voids=packed >> 10 & 1023, robs=packed >> 20 & 1023,
        marker=(None, "B", "R")[packed >> 30 & 3], open=bool(packed >> 32 & 1), landlord=landlord,
        winner=None if escaped is not None else ("farmers", "landlord")[how], escape=escaped,
        spring=bool(packed >> 40 & 1), anti_spring=bool(packed >> 41 & 1), rockets=packed >> 42 & 1023, bombs=sizes,
        balances=[None if has == ABSENT else has for has in balances] or None,
    )  # fmt: skip


def _needs(possible: Sequence[Settlement], players: int) -> list[int]:
    """What each seat must have for its balance to matter in none of these settlements."""
    scores = [settled.scores for settled in possible if settled.scores is not None]
    return [max(0, *(-each[seat] for each in scores)) for seat in range(players)]


def _calls_as_text(calls: bytes) -> str:
    """The move text of calls as the key of an auction has them."""
    return "".join(f" {byte - 0x80}:" if byte >= 0x80 else chr(byte) for byte in calls)[1:]


_FIRSTS = {"seat0": laws.FIRST_SEAT, "face_up_card": laws.BY_MARKER, "marker": laws.BY_MARKER}


def _game(rules: Ruleset) -> Any:
    deal, auction = rules.deal, rules.auction
    found = (
        laws.HELD if auction.type != "none" else laws.SEAT_0 if auction.landlord == "seat0" else laws.NAMED
    )  # fmt: skip
    told = {
        "players": deal.players, "packs": deal.packs, "hand": deal.hand, "bottom": deal.bottom, "dead": deal.dead,
        "subset": deal.bottom_take == "subset", "close_passes": rules.trick.close_passes, "auction": found,
        "optional": 2 if auction.optional == "unscored" else int(auction.optional),
        "first": _FIRSTS.get(auction.first, laws.FROM_RECORD), "marker_not_in_bottom": deal.marker_not_in_bottom,
        "escapes": rules.escape.enabled, "bomb_limit": ("off", "warn", "enforce").index(rules.bomb_limit.mode),
        "least": rules.balance.min_factor, "balances": rules.balance.enforce != "never",
    }  # fmt: skip
    return np.array([int(told[name]) for name in laws.GAME], np.int64)


def names() -> Words:
    """The names of readings that a play may declare, as ``Law.names`` has them."""
    letters = [name.encode().ljust(16, b"\0") for name in NAMES]
    return np.frombuffer(b"".join(letters), np.uint64).reshape(-1, 2)
