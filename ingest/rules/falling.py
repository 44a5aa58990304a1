"""The falling auction of 三打哈 (F-R12 … F-R18): who plays at which bid, and the duty of many fixed trumps."""

from collections.abc import Sequence

from msgspec import Struct

from ingest.faults import Finding
from ingest.record import PASS, Call
from ingest.rules.ruleset import AnyRuleset, TrickRuleset
from ingest.rules.suits import Faces, fixed_trump_count
from ingest.rules.turns import opener, spoken_out_of_turn


class Falling(Struct):
    """An auction as it goes, and at its end what it gave."""

    first: int | None
    landlord: int | None = None
    bid: int = 0
    opening: int = 0
    """The first bid that was made; the bid itself where nobody bid."""
    opener: int | None = None
    spoke: set[int] = set()
    """Seats that have bid."""
    passed: set[int] = set()
    ended: bool = False
    findings: list[Finding] = []
    stopped: bool = False


def run_falling(
    calls: Sequence[Call], first: int | None, hands: Sequence[Faces | None], rules: TrickRuleset
) -> Falling:
    """Walk through an auction. ``hands``: the dealt cards of each seat, None where they are hidden."""
    auction = Falling(first=opener(calls, first, rules.deal.players))
    turn = auction.first
    for index, call in enumerate(calls):
        if auction.ended:
            auction.findings.append(Finding("A304", index, call.seat, {"word": call.word}))
            continue
        finding = spoken_out_of_turn(turn, call, rules.deal.players) or _act(auction, call, hands, rules)
        if finding is not None:
            auction.findings.append(Finding(finding.code, index, call.seat, finding.details))
            if finding.code != "A307":
                auction.stopped = True
                return auction
        turn = _next(auction, call.seat, rules)
    _conclude(auction, rules)
    return auction


def _act(auction: Falling, call: Call, hands: Sequence[Faces | None], rules: TrickRuleset) -> Finding | None:
    """Apply one action that is in turn (F-R13, F-R14)."""
    if call.word == PASS:
        finding = _owed_bid(auction, call.seat, hands[call.seat], rules)
        auction.passed.add(call.seat)
    else:
        finding = _bid_fault(auction, call, rules)
        if finding is not None:
            return finding
        _take(auction, call.seat, call.bid or 0)
    everybody = len(auction.passed) == rules.deal.players
    alone = auction.landlord is not None and len(auction.passed) == rules.deal.players - 1
    auction.ended = everybody or alone or auction.bid == rules.bid.min
    return finding


def _bid_fault(auction: Falling, call: Call, rules: TrickRuleset) -> Finding | None:
    bid, limits = call.bid, rules.bid
    if bid is None or bid % limits.step or not limits.min <= bid <= limits.first_max:
        possible = f"{limits.min}…{limits.first_max} / {limits.step}"
        return Finding("A302", details={"word": call.word, "possible": [possible, PASS]})
    if auction.bid and bid >= auction.bid:
        return Finding("A303", details={"bid": bid, "last": auction.bid})
    return None


def _take(auction: Falling, seat: int, bid: int) -> None:
    if not auction.opening:
        auction.opening, auction.opener = bid, seat
    auction.landlord, auction.bid = seat, bid
    auction.spoke.add(seat)


def _owed_bid(auction: Falling, seat: int, hand: Faces | None, rules: TrickRuleset) -> Finding | None:
    """A307: with enough fixed trumps one bid is owed, unless somebody has bid the floor or less (F-R18, F-Q7)."""
    forced = rules.forced_bid
    if forced.mode == "off" or hand is None or seat in auction.spoke or 0 < auction.bid <= forced.floor:
        return None
    count = fixed_trump_count(hand, rules)
    return Finding("A307", details={"count": count, "floor": forced.floor}) if count >= forced.count else None


def _next(auction: Falling, seat: int, rules: TrickRuleset) -> int:
    """Who acts next: passing is final (F-R14)."""
    players = rules.deal.players
    rest = [(seat + step) % players for step in range(1, players + 1)]
    return next((candidate for candidate in rest if candidate not in auction.passed), seat)


def _conclude(auction: Falling, rules: TrickRuleset) -> None:
    """F-R16: nobody bids, the first speaker plays at the highest bid."""
    if not auction.ended:
        auction.findings.append(Finding("A305"))
        auction.stopped = True
    elif auction.landlord is None and rules.bid.all_pass == "first_speaker_at_max":
        auction.landlord, auction.bid, auction.opening = auction.first, rules.bid.max, rules.bid.max


def next_to_speak(landlord: int | None, outcome: str | None, rules: AnyRuleset) -> int | None:
    """Who speaks first in the next hand: the landlord if he kept the bank, else the seat after him.

    F-R12, F-R32, F-Q10. None where a hand does not say it, or where the rules of the game do not go by the bank.
    """
    if not isinstance(rules, TrickRuleset) or rules.bid.starter != "random_then_bank" or landlord is None:
        return None
    if outcome not in ("landlord", "farmers", "surrender"):
        return None
    return landlord if outcome == "landlord" else (landlord + 1) % rules.deal.players
