"""The play of the climbing games: turns, tricks, possession, comparison, the end (rules.md 0.6).

Walks through the plays of a record, move by move; what a play is and what it beats is looked up in ``answers``.
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.cards import BORROWS, rank_text
from ingest.faults import Finding
from ingest.record import Move
from ingest.rules.answers import Answers, Standing
from ingest.rules.auction import Bidding
from ingest.rules.combinations import BOMB, ROCKET
from ingest.rules.deal import Holdings, take_from_bottom
from ingest.rules.ruleset import BidClass, BombLimit


class Played(Struct):
    """What the plays of a hand came to."""

    findings: list[Finding] = []
    stands: list[Standing | None] = []
    """For every applied move what it stands for; None for a pass."""
    left: list[int] = []
    """Cards left at each seat."""
    winner: int | None = None
    """The seat that went out."""
    stopped: bool = False


def replay(moves: Sequence[Move], landlord: int, holdings: Holdings, left: list[int], answers: Answers) -> Played:
    """Replay the plays of a hand. ``left``: the cards of each seat at the start, the bottom included."""
    played = Played(left=left)
    findings, stands = played.findings, played.stands
    held, slots, masks = holdings.held, holdings.slots, holdings.masks
    last_seat, close = len(left) - 1, answers.rules.trick.close_passes
    lead = answers.lead
    standing, turn, owner, passes = lead, landlord, landlord, 0
    for index, move in enumerate(moves):
        if move.seat != turn:
            findings.append(_out_of_turn(moves, index, turn))
            played.stopped = True
            return played
        cards = move.cards
        if cards is None:
            stands.append(None)
            if standing is lead:
                findings.append(Finding("P405", index, turn))
            passes += 1
            turn = turn + 1 if turn < last_seat else 0
            if passes == close and standing is not lead:
                standing, turn, passes = lead, owner, 0
            continue
        slot = slots[turn]
        hold, part = held[slot], cards.packed & masks[slot]
        rest = hold - part
        if not (hold ^ part ^ rest) & BORROWS:
            held[slot] = rest
        elif turn == landlord and take_from_bottom(holdings, landlord, cards):
            held[slot] -= part
        else:
            findings.append(_not_held(index, move, hold))
            played.stopped = True
            return played
        now = standing.answers.get(cards.counts)
        if now is None or now.ruled or move.declared is not None:
            now = _judge(index, move, standing, answers, findings)
        stands.append(now)
        standing, owner, passes = now, turn, 0
        left[turn] -= cards.size
        if left[turn] <= 0:
            played.winner = turn
            findings += [Finding("P406", i, m.seat, {"move": m.text}) for i, m in enumerate(moves) if i > index]
            return played
        turn = turn + 1 if turn < last_seat else 0
    return played


def _out_of_turn(moves: Sequence[Move], index: int, turn: int) -> Finding:
    """P411 where the move before stands again, else P401."""
    move = moves[index]
    before = moves[index - 1] if index else None
    if before is not None and before.seat == move.seat and before.cards == move.cards:
        return Finding("P411", index, move.seat, {"move": f"{move.seat}:{move.text}"})
    return Finding("P401", index, move.seat, {"expected": turn, "actual": move.seat})


def _not_held(index: int, move: Move, hold: int) -> Finding:
    assert move.cards is not None
    missing = 0
    for shift in range(0, 60, 4):
        short = (move.cards.counts >> shift & 15) - (hold >> shift & 15)
        missing += max(short, 0) << shift
    return Finding("P402", index, move.seat, {"cards": move.text, "missing": rank_text(missing) or move.text})


def _judge(index: int, move: Move, standing: Standing, answers: Answers, findings: list[Finding]) -> Standing:
    """What a play stands for when it was not met before, declares a reading, or is at fault (U-R10, U-R11, U-R16)."""
    assert move.cards is not None
    counts, seat = move.cards.counts, move.seat
    found = answers.readings(counts)
    if not found:
        findings.append(Finding("P403", index, seat, {"cards": move.text}))
        return answers.anything
    now = answers.answer(standing, counts)
    if move.declared is not None:
        named = tuple(reading for reading in found if reading.name == move.declared)
        if named:
            now = answers.judge(standing, named, counts)
        else:
            findings.append(_misnamed(index, move, [str(reading) for reading in found]))
    if now is None:
        details = {"cards": move.text, "standing": " / ".join(map(str, standing.readings))}
        findings.append(Finding("P404", index, seat, details))
        return answers.all_readings(counts)
    if now.ruled:
        findings.append(_by_ruling(index, move, standing, answers))
    return now


def _misnamed(index: int, move: Move, found: list[str]) -> Finding:
    return Finding("P409", index, move.seat, {"declared": move.declared, "readings": found})


def _by_ruling(index: int, move: Move, standing: Standing, answers: Answers) -> Finding:
    assert move.cards is not None
    switches = answers.deciding_switches(standing, move.cards.counts)
    return Finding("P410", index, move.seat, {"cards": move.text, "switches": switches})


class Tally(Struct):
    """What the plays of a hand count for in the score."""

    bombs: list[int]
    """The size of every bomb, in order."""
    rockets: int
    plays: list[int]
    """How often each seat played."""
    bombs_by_seat: list[int]
    """Bombs and rockets of each seat."""


def tally(played: Played, moves: Sequence[Move]) -> Tally:
    """Count plays, bombs and rockets."""
    count = Tally([], 0, [0] * len(played.left), [0] * len(played.left))
    plays = count.plays
    for move, stands in zip(moves, played.stands, strict=False):
        if stands is None:
            continue
        plays[move.seat] += 1
        if stands.tier:
            _count_bomb(count, move, stands.tier)
    return count


def _count_bomb(count: Tally, move: Move, tier: int) -> None:
    assert move.cards is not None
    count.bombs_by_seat[move.seat] += 1
    if tier == BOMB:
        count.bombs.append(move.cards.size)
    elif tier == ROCKET:
        count.rockets += 1


def bombs_beyond(played: Played, moves: Sequence[Move], bidding: Bidding, limit: BombLimit) -> list[Finding]:
    """P408: every bomb or rocket of a farmer beyond what his bid allows (E-R13, E-Q6)."""
    findings, thrown = [], [0] * len(played.left)
    for index, (move, stands) in enumerate(zip(moves, played.stands, strict=False)):
        if stands is None or not stands.tier or move.seat == bidding.landlord:
            continue
        thrown[move.seat] += 1
        allowed = limit.table.get(_bid_class(bidding, move.seat))
        if allowed is not None and thrown[move.seat] > allowed:
            details = {"count": thrown[move.seat], "limit": allowed}
            findings.append(Finding("P408", index, move.seat, details, enforced=limit.mode == "enforce"))
    return findings


def _bid_class(bidding: Bidding, seat: int) -> BidClass:
    """What a farmer said in the bidding: not reached, pass, 1, 2, or a 3 that was robbed of the landlord (E-R13)."""
    return _BID_CLASSES.get(bidding.said.get(seat, ""), "not_reached")


_BID_CLASSES: dict[str, BidClass] = {"-": "pass", "1": "bid1", "2": "bid2", "3": "bid3_robbed"}


def is_spring(count: Tally, landlord: int, winner: int) -> bool:
    """The landlord went out and nobody else played a card (G-R16)."""
    return winner == landlord and not any(n for seat, n in enumerate(count.plays) if seat != landlord)


def is_anti_spring(count: Tally, landlord: int, winner: int) -> bool:
    """A farmer went out and the landlord made exactly one play (G-R17, G-Q19, G-Q20)."""
    return winner != landlord and count.plays[landlord] == 1
