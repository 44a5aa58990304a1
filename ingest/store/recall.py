"""Hands that the fast path proved clean, told again move by move for the tables.

Knows that nothing is wrong with them, and so looks up what each play stands for and checks nothing.
"""

import msgspec

from ingest.audit import Hand
from ingest.batch import Judged, judge, ruleset_of
from ingest.cards import read_cards
from ingest.record import Move, Record, escapee, read_plays
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.auction import Bidding, hold_auction, named_landlord
from ingest.rules.climbing import Played, is_anti_spring, is_spring
from ingest.rules.deal import read_deal
from ingest.rules.ruleset import Ruleset
from ingest.rules.settlement import Facts


def with_hand(judged: Judged, rules: str | None) -> Judged:
    """A judged entry with its hand, also where its verdict alone was kept. ``rules``: as ``judge`` was given them."""
    record = judged.entry.record
    if judged.hand is not None or record is None or judged.identity is None:
        return judged
    ruleset = ruleset_of(record, rules)
    if not isinstance(ruleset, Ruleset) or judged.verdict.verdict != "clean" or "=" in record.plays:
        return judge(judged.entry, rules)
    return msgspec.structs.replace(judged, hand=_recalled(judged, record, ruleset))


def _recalled(judged: Judged, record: Record, rules: Ruleset) -> Hand:
    verdict, bidding = judged.verdict, bidding_of(record, rules)
    hand = Hand(record=record, rules=rules, landlord=verdict.landlord, bid=verdict.bid, moves=read_plays(record.plays))
    hand.dealt = read_deal(record)
    hand.bidding = bidding
    if verdict.landlord is None:
        return hand  # void, or left before there was a landlord: nothing was played
    hand.played = Played(_dealt(record, rules, verdict.landlord), [0] * rules.deal.players)
    hand.played.stands = _stands(hand.moves, answers_of(rules))
    _count(hand.moves, hand.played)
    if verdict.outcome in ("landlord", "farmers"):
        hand.played.winner = hand.moves[-1].seat
    spring, anti_spring = (is_s(hand.played, verdict.landlord) for is_s in (is_spring, is_anti_spring))
    hand.facts = Facts(spring=spring, anti_spring=anti_spring)
    return hand


def bidding_of(record: Record, rules: Ruleset) -> Bidding:
    """The auction of a hand that is known to be faultless."""
    auction, text = rules.auction, record.auction or ""
    if auction.type == "none" or (auction.optional and not text):
        return named_landlord(text, 0 if auction.landlord == "seat0" else record.landlord)
    broken_off = escapee(record) is not None and not record.plays
    return hold_auction(text, None, rules, record.voids, broken_off=broken_off)


def _dealt(record: Record, rules: Ruleset, landlord: int | None) -> list[int]:
    """Cards at each seat before the first play, the bottom included."""
    left = [rules.deal.hand] * rules.deal.players
    if landlord is not None:
        all_taken = rules.deal.bottom_take == "all"
        left[landlord] += rules.deal.bottom if all_taken else read_cards(record.taken or "").size
    return left


def _stands(moves: list[Move], answers: Answers) -> list[Standing | None]:
    """What each play stands for in a hand in which every play answers the one before."""
    lead, close = answers.lead, answers.rules.trick.close_passes
    standing, passes = lead, 0
    stands: list[Standing | None] = []
    for move in moves:
        if move.cards is None:
            stands.append(None)
            passes += 1
            if passes == close:
                standing, passes = lead, 0
            continue
        found = standing.answers.get(move.cards.counts) or answers.answer(standing, move.cards.counts)
        standing, passes = found or answers.anything, 0
        stands.append(standing)
    return stands


def _count(moves: list[Move], played: Played) -> None:
    for move in moves:
        if move.cards is not None:
            played.left[move.seat] -= move.cards.size
            played.plays[move.seat] += 1
