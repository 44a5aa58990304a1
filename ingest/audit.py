"""The audit of one hand of a climbing game: the story from deal to score, with everything found on the way.

Strings the phases together; a stopping fault ends the story. Knows nothing of files or of other hands.
"""

from msgspec import structs

from ingest.cards import NONE, Cards
from ingest.faults import Finding
from ingest.hand import Story, check_claimed_landlord, check_end, check_void, compare, is_nonsense
from ingest.record import Record, UnreadableMove, escapee, read_calls, read_plays
from ingest.rules import climbing, settlement
from ingest.rules.answers import answers_of
from ingest.rules.auction import Bidding, hold_auction, named_landlord
from ingest.rules.climbing import Played
from ingest.rules.deal import (
    Dealt,
    UnreadableField,
    check_deal,
    check_swap,
    first_speaker,
    holdings,
    obliged_to_bid,
    read_deal,
)
from ingest.rules.ruleset import Ruleset
from ingest.rules.settlement import Facts, Settlement


class Hand(Story):
    """A hand of a climbing game under audit."""

    rules: Ruleset
    bidding: Bidding | None = None
    played: Played | None = None
    facts: Facts | None = None

    def in_full(self) -> list[int] | None:
        """By seat, the scores if everybody had what he owes (E-R25 … E-R27 left out)."""
        if self.facts is None or self.settled is None:
            return super().in_full()
        return settlement.settle(structs.replace(self.facts, balances=None), self.rules, _points(self)).scores

    def judged_moves(self) -> int:
        """How many of the plays were judged."""
        return 0 if self.played is None else len(self.played.stands)

    def readings_of(self, index: int) -> list[tuple[str, int]]:
        """Name and length of every reading that a play stands for."""
        stands = self.played.stands if self.played is not None else []
        found = stands[index] if index < len(stands) else None
        return [] if found is None else [(reading.name, reading.length) for reading in found.readings]


def examine(record: Record, rules: Ruleset) -> Hand:
    """Audit one record under the rules of a climbing game, from the deal to the score."""
    hand = Hand(record=record, rules=rules)
    for phase in (_read, _deal, _choose_landlord, _play, _settle, _compare):
        phase(hand)
        if hand.over:
            break
    return hand


def _read(hand: Hand) -> None:
    """Is this a record of this game, and can its cards and moves be read? (R110, R103, R105)"""
    record, field = hand.record, "auction"
    if is_nonsense(hand):
        return
    try:
        hand.dealt = read_deal(record)
        hand.calls = read_calls(record.auction or "")
        field = "plays"
        hand.moves = read_plays(record.plays)
        if "!" in record.plays:
            raise UnreadableMove(next(token for token in record.plays.split(" ") if "!" in token))
    except UnreadableField as problem:
        hand.found([Finding("R105", details={"field": problem.field, "text": problem.text})])
    except UnreadableMove as problem:
        hand.found([Finding("R105", details={"field": field, "text": problem.args[0]})])


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


def _is_unbid(hand: Hand) -> bool:
    """Whether the bid is not known, because the record lacks an auction that was held."""
    return hand.rules.auction.optional == "unscored" and not _has_auction(hand)


def _choose_landlord(hand: Hand) -> None:
    """Who became landlord, at what bid, or was the hand void? (A301 … A309)"""
    record, rules = hand.record, hand.rules
    text = record.auction or ""
    if _has_auction(hand):
        broken_off = _left_early(hand) and not hand.moves
        obliged = frozenset[tuple[int, int]]()
        if rules.auction.must_bid_max != "none" and hand.dealt is not None:
            obliged = obliged_to_bid(hand.dealt, rules)
        bidding = hold_auction(text, hand.first, rules, record.voids, broken_off=broken_off, obliged=obliged)
    else:
        bidding = named_landlord(text, 0 if rules.auction.landlord == "seat0" else record.landlord)
        hand.found([] if bidding.landlord is not None else [Finding("R102", details={"field": "landlord"})])
    follow_auction(hand, bidding)


def follow_auction(hand: Hand, bidding: Bidding) -> None:
    """What an auction that was held means for its hand (A301 … A309)."""
    hand.bidding = bidding
    if not bidding.stopped:
        hand.landlord = bidding.landlord
        hand.bid = None if hand.landlord is None else bidding.bid
    hand.found(bidding.findings)
    if hand.over:
        return
    check_claimed_landlord(hand)
    check_void(hand, void=bidding.void, forced=bidding.forced)
    if not bidding.void and hand.landlord is None:
        _give_up(hand)


def _give_up(hand: Hand) -> None:
    """Somebody left before there was a landlord: no score, or a fixed one (E-Q16)."""
    seat = escapee(hand.record)
    hand.outcome, hand.over = "escape", True
    if hand.rules.escape.before_landlord == "fixed" and seat is not None:
        hand.settled = settlement.fixed_escape(seat, hand.record.base, hand.rules)
        compare(hand, hand.settled)
    else:
        hand.found([Finding("S607", details={"reason": "no_landlord"})])


def _play(hand: Hand) -> None:
    """Was every play in turn, held, a combination, and higher? (P401 … P412)"""
    if hand.outcome == "void":
        return
    dealt, rules, landlord = hand.dealt, hand.rules, hand.landlord
    assert dealt is not None
    assert landlord is not None
    taken, laid_away = _bottom_taken(hand, dealt), NONE
    if rules.deal.bottom_take == "swap":
        hand.found(check_swap(dealt, landlord))
        laid_away = dealt.buried or NONE
        if hand.over:
            return
    left = [rules.deal.hand] * rules.deal.players
    left[landlord] += (rules.deal.bottom if taken is None else taken.size) - laid_away.size
    has = holdings(dealt, landlord, rules, taken, laid_away)
    hand.played = climbing.replay(hand.moves, landlord, has, left, answers_of(rules))
    hand.found(hand.played.findings)
    if rules.bomb_limit.mode != "off" and hand.bidding is not None:
        _limit_bombs(hand, hand.played, hand.bidding)
    check_end(hand, hand.played.left, finished=hand.played.winner is not None, left_early=_left_early(hand))


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
    reason = "bid" if _is_unbid(hand) else settlement.cannot_settle(hand.facts, hand.rules)
    if reason is None:
        hand.settled = settlement.settle(hand.facts, hand.rules, _points(hand))
    else:
        hand.found([Finding("S607", details={"reason": reason})])
        hand.over = True


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


def _compare(hand: Hand) -> None:
    """Does the record claim the same? (S601 … S606, S608)"""
    assert hand.settled is not None
    compare(hand, hand.settled)
    if hand.facts is not None and hand.rules.notes.other_readings:
        hand.found(other_readings_found(hand.facts, hand.rules, hand.settled))


def other_readings_found(facts: Facts, rules: Ruleset, settled: Settlement) -> list[Finding]:
    """S608 for every open point that would change these scores (U-R15)."""
    return [
        Finding("S608", details={"switch": other.switch, "value": other.value, "scores": other.scores})
        for other in settlement.other_readings(facts, rules, settled)
    ]
