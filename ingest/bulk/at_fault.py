"""Hands at fault, told from what the compiled loop found of them: the audit goes on where that stands.

Knows how far a hand was followed. What is at fault, and how that is said, ``ingest.audit`` and ``ingest.rules`` decide:
here only what they need is handed to them.
"""

from collections.abc import Sequence
from typing import Any

from ingest.audit import Hand, follow_auction
from ingest.bulk.compiled.replay import AT_FAULT, NOT_HELD, OUT_OF_TURN, STOPPED, UNFINISHED
from ingest.bulk.layout import BEYOND, JUDGED, LED_PASS, Event, Fact
from ingest.bulk.proofs import Proof
from ingest.cards import packed_of
from ingest.faults import Finding
from ingest.hand import check_end, compare, is_nonsense
from ingest.record import Move, Record, read_plays
from ingest.rules.answers import answers_of
from ingest.rules.climbing import judge, not_held, passed_on_lead
from ingest.rules.turns import after_the_end, out_of_turn


def examined(proof: Proof, row: int, record: Record) -> Hand | None:
    """The hand of a row that is not clean, whose texts can all be read, as far as verdicts need it.

    None where it must be audited from the beginning.
    """
    status, bidding = proof.status.item(row), proof.auction(row).bidding
    if status < STOPPED or bidding is None:
        return None
    hand = Hand(record=record, rules=proof.learned.rules)
    if is_nonsense(hand):
        return hand
    events = [] if bidding.stopped else _events(proof, row)
    if status in (OUT_OF_TURN, NOT_HELD) or _needs_moves(proof, row, record, events):
        hand.moves = read_plays(record.plays)
    follow_auction(hand, bidding)
    if hand.over or status == STOPPED:
        return hand if hand.over else None
    hand.found(_of_moves(proof, row, hand.moves, events))
    if status in (OUT_OF_TURN, NOT_HELD):
        hand.found([_stop(proof, row, hand.moves, status)])
    elif status == UNFINISHED:
        left = proof.facts[row, Fact.LEFT :][: hand.rules.deal.players]
        check_end(hand, left.tolist(), finished=False)
    elif status == AT_FAULT:
        _settle(proof, row, hand)
    return hand


def _settle(proof: Proof, row: int, hand: Hand) -> None:
    """What it was worth, and whether the record claims the same."""
    worth = proof.worth(row)
    hand.outcome, hand.settled = worth.outcome, worth.settled
    compare(hand, worth.settled)
    hand.found(worth.findings)


def _events(proof: Proof, row: int) -> list[list[int]]:
    """What of its moves calls for a finding, in the order of the audit."""
    first = int(proof.facts[row, Fact.EVENT])
    count = int(proof.facts[row, Fact.EVENTS])
    events: list[list[int]] = proof.events[first : first + count].tolist()
    return sorted(events, key=lambda event: (event[Event.INDEX], event[Event.KIND] == BEYOND))


def _needs_moves(proof: Proof, row: int, record: Record, events: Sequence[Any]) -> bool:
    """Whether a finding names a move: of one that is judged, or stands behind the end."""
    behind = record.plays.count(" ") + 1 > proof.facts[row, Fact.MOVES]
    return behind or any(event[Event.KIND] == JUDGED for event in events)


def _of_moves(proof: Proof, row: int, moves: list[Move], events: list[list[int]]) -> list[Finding]:
    """The findings on moves behind which the hand goes on."""
    findings: list[Finding] = []
    for event in events:
        index, kind = event[Event.INDEX], event[Event.KIND]
        if kind == JUDGED:
            standing = proof.standings[event[Event.FIRST]]
            judge(index, moves[index], standing, answers_of(proof.learned.rules), findings)
        elif kind == LED_PASS:
            findings.append(passed_on_lead(index, event[Event.SEAT]))
        else:
            findings.append(proof.finding(event))
    if proof.status[row] == AT_FAULT:
        findings += after_the_end(moves, int(proof.facts[row, Fact.MOVES]))
    return findings


def _stop(proof: Proof, row: int, moves: list[Move], status: int) -> Finding:
    """The fault of the move at which a hand stops."""
    index, words = int(proof.facts[row, Fact.MOVES]), proof.words[row, :4].tolist()
    if status == OUT_OF_TURN:
        return out_of_turn(moves, index, words[0])
    counts, low, high, by_face = words
    return not_held(index, moves[index], packed_of(counts, low, high) if by_face else counts)
