"""The audit of one hand: the story from deal to score, told once, with everything found on the way.

Strings the phases together and compares what the record claims with what they give. A stopping fault ends the story.
Knows nothing of files or of other hands.
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.cards import NONE, Cards
from ingest.faults import STOPPING, Finding
from ingest.record import Claim, Move, Record, UnreadableMove, escapee, impossible, read_calls, read_plays
from ingest.rules import climbing, settlement
from ingest.rules.answers import answers_of
from ingest.rules.auction import Bidding, hold_auction, named_landlord
from ingest.rules.climbing import Played
from ingest.rules.deal import Dealt, UnreadableField, check_deal, first_speaker, holdings, read_deal
from ingest.rules.ruleset import Ruleset
from ingest.rules.settlement import Facts, Settlement
from ingest.verdict import Outcome, Verdict, judgement


class Hand(Struct):
    """A hand under audit: the record, and what each phase made of it as far as the audit came."""

    record: Record
    rules: Ruleset
    findings: list[Finding] = []
    dealt: Dealt | None = None
    first: int | None = None
    bidding: Bidding | None = None
    landlord: int | None = None
    moves: list[Move] = []
    played: Played | None = None
    facts: Facts | None = None
    settled: Settlement | None = None
    outcome: Outcome = "unfinished"
    over: bool = False
    """Whether nothing is left to judge, by a stopping fault or because the hand was given up."""

    def found(self, findings: Sequence[Finding]) -> None:
        """Keep findings; a stopping one ends the audit of this hand."""
        if not findings:
            return
        self.findings += findings
        self.over = self.over or any(finding.code in STOPPING for finding in findings)


def examine(record: Record, rules: Ruleset) -> Hand:
    """Audit one record under one ruleset, from the deal to the score."""
    hand = Hand(record=record, rules=rules)
    for phase in (_read, _deal, _choose_landlord, _play, _settle, _compare):
        phase(hand)
        if hand.over:
            break
    return hand


def audit(record: Record, rules: Ruleset, source: str = "", line: int = 1) -> Verdict:
    """The verdict on one record by itself, without regard to other records."""
    return verdict_of(examine(record, rules), source, line)


def verdict_of(hand: Hand, source: str, line: int) -> Verdict:
    """What an audit answers (record.md 5)."""
    settled = hand.settled
    scores = None if settled is None else settled.scores
    return Verdict(
        source=source,
        line=line,
        id=hand.record.id,
        rules=hand.rules.name,
        verdict=judgement(hand.findings),
        outcome=hand.outcome,
        landlord=hand.landlord,
        winners=None if scores is None else winners(hand),
        bid=_bid(hand),
        factors=[] if settled is None else settled.factors,
        multiplier=None if settled is None else settled.multiplier,
        unit=None if settled is None else settled.unit,
        scores=scores,
        balances=balances_after(hand.record, scores),
        findings=hand.findings,
    )


def unreadable(finding: Finding, source: str, line: int, record: Record | None = None) -> Verdict:
    """The verdict on a line that is no record."""
    return Verdict(
        source=source,
        line=line,
        id=None if record is None else record.id,
        rules=None if record is None else record.rules,
        verdict=judgement([finding]),
        findings=[finding],
    )


def _read(hand: Hand) -> None:
    """Is this a record of this game, and can its cards and moves be read? (R110, R103, R105)"""
    record, players = hand.record, hand.rules.deal.players
    if len(record.players) != players:
        return hand.found([Finding("R110", details={"expected": players, "actual": len(record.players)})])
    nonsense = impossible(record)
    if nonsense is not None:
        return hand.found([nonsense])
    try:
        hand.dealt = read_deal(record)
        field = "auction"
        read_calls(record.auction or "")
        field = "plays"
        hand.moves = read_plays(record.plays)
    except UnreadableField as problem:
        hand.found([Finding("R105", details={"field": problem.field, "text": problem.text})])
    except UnreadableMove as problem:
        hand.found([Finding("R105", details={"field": field, "text": problem.args[0]})])
    return None


def _deal(hand: Hand) -> None:
    """Are the cards those of the pack, and who speaks first? (D201 … D208)"""
    assert hand.dealt is not None
    hand.found(check_deal(hand.record, hand.dealt, hand.rules))
    if not hand.over and _has_auction(hand):
        hand.first, findings = first_speaker(hand.record, hand.dealt, hand.rules)
        hand.found(findings)


def _has_auction(hand: Hand) -> bool:
    """Whether the landlord is found by bidding; in some games only where bids are logged (B-Q1)."""
    auction = hand.rules.auction
    return auction.type != "none" and not (auction.optional and not hand.record.auction)


def _choose_landlord(hand: Hand) -> None:
    """Who became landlord, at what bid, or was the hand void? (A301 … A309)"""
    record, rules = hand.record, hand.rules
    text = record.auction or ""
    if _has_auction(hand):
        broken_off = _left_early(hand) and not hand.moves
        bidding = hold_auction(text, hand.first, rules, record.voids, broken_off=broken_off)
    else:
        bidding = named_landlord(text, 0 if rules.auction.landlord == "seat0" else record.landlord)
        hand.found([] if bidding.landlord is not None else [Finding("R102", details={"field": "landlord"})])
    hand.bidding, hand.landlord = bidding, bidding.landlord
    hand.found(bidding.findings)
    if hand.over:
        return
    claims = (record.landlord, record.claim.landlord if record.claim else None)
    wrong = [claim for claim in claims if claim is not None and claim != hand.landlord]
    hand.found([Finding("A306", details={"expected": hand.landlord, "actual": claim}) for claim in wrong[:1]])
    _void_or_not(hand, bidding)


def _void_or_not(hand: Hand, bidding: Bidding) -> None:
    """A309: void only where nobody bid and nobody is forced; and then nothing is played. Given up: E-Q16."""
    said_void = hand.record.end == "void"
    if bidding.void and said_void and not hand.moves:
        hand.outcome = "void"
    elif bidding.void:
        hand.found([Finding("A309", details={"reason": "void_but_played" if hand.moves else "void_not_said"})])
    elif said_void:
        hand.found([Finding("A309", details={"reason": "landlord_forced" if bidding.forced else "landlord_chosen"})])
    elif hand.landlord is None:
        hand.outcome, hand.over = "escape", True
        hand.found([Finding("S607", details={"reason": "no_landlord"})])


def _play(hand: Hand) -> None:
    """Was every play in turn, held, a combination, and higher? (P401 … P411)"""
    if hand.outcome == "void":
        return
    dealt, rules, landlord = hand.dealt, hand.rules, hand.landlord
    assert dealt is not None
    assert landlord is not None
    taken = _bottom_taken(hand, dealt)
    left = [rules.deal.hand] * rules.deal.players
    left[landlord] += rules.deal.bottom if taken is None else taken.size
    hand.played = climbing.replay(
        hand.moves, landlord, holdings(dealt, landlord, rules, taken), left, answers_of(rules)
    )
    hand.found(hand.played.findings)
    if rules.bomb_limit.mode != "off" and hand.bidding is not None:
        _limit_bombs(hand, hand.played, hand.bidding)
    if not hand.over and hand.played.winner is None and not _left_early(hand):
        hand.found([Finding("P407", details={"left": hand.played.left})])
        hand.found([Finding("S607", details={"reason": "unfinished"})])


def _limit_bombs(hand: Hand, played: Played, bidding: Bidding) -> None:
    """P408, put among the findings of the play in the order of the moves."""
    beyond = climbing.bombs_beyond(played, hand.moves, bidding, hand.rules.bomb_limit)
    if beyond:
        rest = len(hand.findings) - len(played.findings)
        in_order = sorted([*played.findings, *beyond], key=lambda finding: finding.index or 0)
        hand.findings[rest:] = in_order


def _bottom_taken(hand: Hand, dealt: Dealt) -> Cards | None:
    """The bottom cards that the landlord took into his hand: all, or those that the record names (B-R5)."""
    if hand.rules.deal.bottom_take == "all":
        return dealt.bottom
    return NONE if dealt.taken is None else dealt.taken


def _left_early(hand: Hand) -> bool:
    return hand.rules.escape.enabled and escapee(hand.record) is not None


def _settle(hand: Hand) -> None:
    """What is the hand worth?"""
    if hand.outcome == "void":
        hand.settled = settlement.void_settlement(hand.rules.deal.players)
        return
    assert hand.bidding is not None
    assert hand.dealt is not None
    hand.facts = _facts(hand, hand.bidding, hand.dealt)
    hand.outcome = "escape" if hand.facts.winner is None else hand.facts.winner
    hand.settled = settlement.settle(hand.facts, hand.rules, _points(hand))


def _facts(hand: Hand, bidding: Bidding, dealt: Dealt) -> Facts:
    assert hand.played is not None
    assert hand.landlord is not None
    record, played, landlord, winner = hand.record, hand.played, hand.landlord, hand.played.winner
    bombs, rockets = climbing.bombs_and_rockets(played, hand.moves)
    return Facts(
        base=record.base,
        bid=bidding.bid,
        voids=record.voids,
        marker=dealt.marker,
        open=record.open,
        robs=bidding.robs,
        bombs=bombs,
        rockets=rockets,
        spring=climbing.is_spring(played, landlord),
        anti_spring=climbing.is_anti_spring(played, landlord),
        landlord=landlord,
        winner=None if winner is None else ("landlord" if winner == landlord else "farmers"),
        escape=escapee(record) if winner is None else None,
        balances=[player.balance for player in record.players],
    )


def _points(hand: Hand) -> list[int] | None:
    """Pattern points of each seat (BV-R3)."""
    if hand.rules.score.payout != "pattern_points" or hand.played is None:
        return None
    points = [0] * hand.rules.deal.players
    for move, stands in zip(hand.moves, hand.played.stands, strict=False):
        if stands is not None and stands.readings:
            points[move.seat] += settlement.pattern_points(stands.readings[0].name, stands.readings[0].length)
    return points


def winners(hand: Hand) -> list[int]:
    """All seats of the winning side (U-R13); after an escape all but the one who left; nobody in a void hand."""
    seats = range(hand.rules.deal.players)
    if hand.outcome == "escape":
        return [seat for seat in seats if seat != escapee(hand.record)]
    if hand.outcome == "void":
        return []
    return [seat for seat in seats if (seat == hand.landlord) == (hand.outcome == "landlord")]


def _bid(hand: Hand) -> int | None:
    return hand.bidding.bid if hand.bidding is not None and hand.landlord is not None else None


def balances_after(record: Record, scores: Sequence[int] | None) -> list[int | None] | None:
    """Balance and score together, where balances are known; None where no balance is."""
    before = [player.balance for player in record.players]
    if scores is None or before.count(None) == len(before):
        return None
    return [None if has is None else has + score for has, score in zip(before, scores, strict=True)]


def _compare(hand: Hand) -> None:
    """Does the record claim the same? (S601 … S606, S608)"""
    assert hand.settled is not None
    hand.found(_below_the_minimum(hand))
    if hand.record.claim is not None:
        hand.found(_claims(hand, hand.record.claim, hand.settled))
    if hand.facts is not None and hand.rules.notes.other_readings:
        hand.found(other_readings_found(hand.facts, hand.rules, hand.settled))


def other_readings_found(facts: Facts, rules: Ruleset, settled: Settlement) -> list[Finding]:
    """S608 for every open point that would change these scores (U-R15)."""
    return [
        Finding("S608", details={"switch": other.switch, "value": other.value, "scores": other.scores})
        for other in settlement.other_readings(facts, rules, settled)
    ]


def _claims(hand: Hand, claim: Claim, settled: Settlement) -> list[Finding]:
    findings = []
    won = winners(hand)
    if claim.winners is not None and sorted(claim.winners) != won:
        findings.append(Finding("S601", details={"expected": won, "actual": claim.winners}))
    for field, expected, actual in (
        ("multiplier", settled.multiplier, claim.multiplier),
        ("bid", _bid(hand) or 0, claim.bid),
    ):
        if actual is not None and actual != expected:
            findings.append(Finding("S602", details={"field": field, "expected": expected, "actual": actual}))
    if claim.scores is not None and claim.scores != settled.scores:
        findings.append(Finding("S603", details={"expected": settled.scores, "actual": claim.scores}))
    if claim.scores is not None and sum(claim.scores) != 0 and is_zero_sum(hand.rules):
        findings.append(Finding("S604", details={"sum": sum(claim.scores)}))
    return findings + _claimed_balances(hand.record, claim, settled)


def is_zero_sum(rules: Ruleset) -> bool:
    """Whether what one side gets the other pays (RL-R2 and BV-R3 say where not)."""
    return rules.score.payout not in ("win_loss", "pattern_points")


def _claimed_balances(record: Record, claim: Claim, settled: Settlement) -> list[Finding]:
    expected = balances_after(record, settled.scores)
    if claim.balances is None or expected is None:
        return []
    differ = [a for a, b in zip(claim.balances, expected, strict=True) if a is not None and b is not None and a != b]
    return [Finding("S605", details={"expected": expected, "actual": claim.balances})] if differ else []


def _below_the_minimum(hand: Hand) -> list[Finding]:
    """S606: a player who began the hand with less than the table asks (E-R3)."""
    minimum = hand.rules.balance.min_factor * hand.record.base
    if not minimum:
        return []
    return [
        Finding("S606", seat=seat, details={"balance": player.balance, "minimum": minimum})
        for seat, player in enumerate(hand.record.players)
        if player.balance is not None and player.balance < minimum
    ]
