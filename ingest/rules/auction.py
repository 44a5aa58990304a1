"""The auctions: who becomes landlord, at what bid, or that the hand is void.

One step function for each named way of choosing (rules.md 9.2, `auction.type`), and the round of 抢地主. Actions are
taken in order; the first that leaves no defined state stops the auction.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec import Struct

from ingest.faults import Finding
from ingest.record import CALL, PASS, ROB, Call, read_calls
from ingest.rules.ruleset import Ruleset
from ingest.rules.turns import opener, spoken_out_of_turn


class Bidding(Struct):
    """An auction as it goes, and at its end what it gave; then nobody changes it any more."""

    calls: Sequence[Call]
    first: int | None = None
    landlord: int | None = None
    bid: int = 0
    robs: int = 0
    passes: int = 0
    """Passes in a row."""
    bids: int = 0
    """How many actions belong to the bidding proper; those after them answer whether to rob."""
    said: dict[int, str] = {}
    """The last word of each seat in the bidding; what limits a farmer's bombs (E-R13)."""
    ended: bool = False
    forced: bool = False
    """Whether nobody bid and the rules made a landlord (G-R6, G-R9, BZ-R1)."""
    findings: list[Finding] = []
    stopped: bool = False

    @property
    def void(self) -> bool:
        """Whether the auction is over without a landlord."""
        return self.ended and not self.stopped and self.landlord is None


Step = Callable[[Bidding, Call, Ruleset], Finding | None]
"""Applies one action that is in turn; a finding stops the auction."""


@lru_cache(maxsize=1 << 12)
def hold_auction(
    text: str,
    first: int | None,
    rules: Ruleset,
    voids: int,
    *,
    broken_off: bool = False,
    obliged: frozenset[tuple[int, int]] = frozenset(),
) -> Bidding:
    """Walk through an auction; there are few different ones, so each is walked once. Raises ``UnreadableMove``.

    ``first`` None: whoever acts first was the one to do so. ``broken_off``: somebody left, so it need not end (E-Q16).
    ``obliged``: seats that must bid the most, with the number of cards that oblige them (G-Q15).
    """
    calls = read_calls(text)
    bidding = Bidding(calls, opener(calls, first, rules.deal.players))
    done = bidding.bids = _bid(bidding, calls, rules)
    if bidding.ended and not bidding.stopped and rules.rob.enabled and rules.auction.type != "call_rob_once":
        done = _rob(bidding, calls, done, rules)
    bidding.findings += _owed(calls[: bidding.bids], dict(obliged), rules)
    if not bidding.stopped:
        bidding.findings += [Finding("A304", i, call.seat, {"word": call.word}) for i, call in _from(calls, done)]
        _conclude(bidding, rules, voids, broken_off=broken_off)
    return bidding


def named_landlord(text: str, landlord: int | None) -> Bidding:
    """The auction of a game that has none: somebody is landlord, and every action is one too many."""
    calls = read_calls(text)
    extra = [Finding("A304", i, call.seat, {"word": call.word}) for i, call in _from(calls, 0)]
    return Bidding(calls, landlord=landlord, bid=1, ended=True, findings=extra)


def _owed(calls: Sequence[Call], obliged: dict[int, int], rules: Ruleset) -> list[Finding]:
    """A307: a seat that must bid the most said something else (G-Q15): once somebody has, nobody bids any more.

    Where no numbers are bid there is no most.
    """
    if not rules.auction.values:
        return []
    most = rules.auction.values[-1]
    return [
        Finding("A307", index, call.seat, {"count": obliged[call.seat], "floor": most})
        for index, call in enumerate(calls)
        if call.seat in obliged and call.bid != most
    ]


def _from(calls: Sequence[Call], start: int) -> list[tuple[int, Call]]:
    return list(enumerate(calls))[start:]


def _bid(bidding: Bidding, calls: Sequence[Call], rules: Ruleset) -> int:
    """The bidding proper; how many actions belong to it."""
    step, turn = STEPS[rules.auction.type], bidding.first
    for index, call in enumerate(calls):
        if bidding.ended:
            return index
        finding = spoken_out_of_turn(turn, call, rules.deal.players) or step(bidding, call, rules)
        if finding is not None:
            _stop(bidding, finding, index, call)
            return index
        bidding.said[call.seat] = call.word
        turn = None if bidding.ended else _next(bidding, call.seat, rules)
    return len(calls)


def _stop(bidding: Bidding, finding: Finding, index: int, call: Call) -> None:
    bidding.findings.append(Finding(finding.code, index, call.seat, finding.details))
    bidding.stopped = True


def _next(bidding: Bidding, seat: int, rules: Ruleset) -> int:
    """Who acts next, for the auction goes on; under ``pass_is_final`` whoever has passed is left out (A-Q7)."""
    players = rules.deal.players
    order = [(seat + step) % players for step in range(1, players)]
    return next(each for each in order if not (rules.auction.pass_is_final and bidding.said.get(each) == PASS))


def _conclude(bidding: Bidding, rules: Ruleset, voids: int, *, broken_off: bool) -> None:
    """What follows when no action is left (G-R6, G-R9, BZ-R1, G-Q4)."""
    after = rules.void.force_after
    if not bidding.ended:
        bidding.landlord = None
        bidding.findings += [] if broken_off else [Finding("A305")]
        bidding.stopped = not broken_off
    elif bidding.landlord is None and after != "none" and voids + 1 >= after:
        bidding.forced = True
        bidding.landlord, bidding.bid = bidding.first, rules.void.forced_value
    if bidding.landlord is not None and rules.score.bid_factor == 1:
        bidding.bid = 1


def _number(bidding: Bidding, call: Call, rules: Ruleset) -> Finding | None:
    """A pass, or a bid that must be one of the values and above the last (A-R6, E-R9, G-R7)."""
    values = rules.auction.values
    if call.word == PASS:
        bidding.passes += 1
        return None
    if rules.auction.last_values == "max_or_pass" and len(bidding.said) == rules.deal.players - 1:
        values = values[-1:]
    if call.bid not in values:
        return Finding("A302", details={"word": call.word, "possible": [*map(str, values), PASS]})
    if call.bid <= bidding.bid:
        return Finding("A303", details={"bid": call.bid, "last": bidding.bid})
    bidding.landlord, bidding.bid, bidding.passes = call.seat, call.bid, 0
    bidding.ended = call.bid == rules.auction.values[-1]
    return None


def _ascending_open(bidding: Bidding, call: Call, rules: Ruleset) -> Finding | None:
    """A-R7, D-Q1: round and round until, after a bid, ``end_passes`` passes follow one another, or the top bid.

    Under ``pass_is_final`` also when all others have passed, for they are asked no more.
    """
    finding = _number(bidding, call, rules)
    needed = rules.deal.players if bidding.landlord is None else rules.auction.end_passes
    bidding.ended = bidding.ended or bidding.passes == needed or _is_alone(bidding, call, rules)
    return finding


def _is_alone(bidding: Bidding, call: Call, rules: Ruleset) -> bool:
    """Whether all others have passed for good after a bid: then nobody is left to speak (A-Q7)."""
    if not rules.auction.pass_is_final or bidding.landlord is None:
        return False
    last = {**bidding.said, call.seat: call.word}
    return list(last.values()).count(PASS) == rules.deal.players - 1


def _ascending_once(bidding: Bidding, call: Call, rules: Ruleset) -> Finding | None:
    """E-R8 … E-R11, G-R7, G-R8, BZ-R1: each acts once; the top bid ends it."""
    finding = _number(bidding, call, rules)
    bidding.ended = bidding.ended or len(bidding.said) == rules.deal.players - 1
    return finding


def _call_once(bidding: Bidding, call: Call, rules: Ruleset) -> Finding | None:
    """C-R4, C-R5: the first to call is landlord; nobody: void."""
    if call.word not in (CALL, PASS):
        return Finding("A302", details={"word": call.word, "possible": [CALL, PASS]})
    if call.word == CALL:
        bidding.landlord, bidding.bid = call.seat, 1
    bidding.ended = call.word == CALL or len(bidding.said) == rules.deal.players - 1
    return None


def _call_rob_once(bidding: Bidding, call: Call, rules: Ruleset) -> Finding | None:
    """G-R4, G-R5, G-Q3: each acts once; before a call one may call, after it one may rob; the last to do so wins."""
    word = CALL if bidding.landlord is None else ROB
    if call.word not in (word, PASS):
        return Finding("A302", details={"word": call.word, "possible": [word, PASS]})
    if call.word != PASS:
        bidding.landlord, bidding.bid = call.seat, 1
        bidding.robs += word == ROB
    bidding.ended = len(bidding.said) == rules.deal.players - 1
    return None


STEPS: dict[str, Step] = {
    "ascending_open": _ascending_open,
    "ascending_once": _ascending_once,
    "call_once": _call_once,
    "call_rob_once": _call_rob_once,
}
"""The named ways of choosing a landlord."""


def _rob(bidding: Bidding, calls: Sequence[Call], start: int, rules: Ruleset) -> int:
    """抢地主 (E-R14 … E-R16, E-Q5): each in turn after the provisional landlord, who answers only if somebody robbed.

    Answers missing at the end mean that nobody robbed.
    """
    if bidding.landlord is None:
        return start
    provisional, players = bidding.landlord, rules.deal.players
    order = [(provisional + step) % players for step in range(1, players + 1)]
    for index, call in _from(calls, start):
        if not order or (order == [provisional] and not _asks_provisional(bidding, rules)):
            return index
        finding = spoken_out_of_turn(order.pop(0), call, players) or _answer_to_rob(call)
        if finding is not None:
            _stop(bidding, finding, index, call)
            return index
        if call.word == ROB:
            if bidding.said.get(call.seat) == PASS:
                enforced = rules.rob.eligibility == "not_passed"
                bidding.findings.append(Finding("A308", index, call.seat, enforced=enforced))
            bidding.landlord, bidding.robs = call.seat, bidding.robs + 1
    return len(calls)


def _asks_provisional(bidding: Bidding, rules: Ruleset) -> bool:
    return rules.rob.self == "always" or (rules.rob.self == "if_robbed" and bidding.robs > 0)


def _answer_to_rob(call: Call) -> Finding | None:
    return None if call.word in (ROB, PASS) else Finding("A302", details={"word": call.word, "possible": [ROB, PASS]})
