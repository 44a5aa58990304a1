"""The play of the climbing games: turns, tricks, possession, comparison, the end (rules.md 0.6).

Walks through the plays of a record, move by move; what a play is and what it beats is looked up in ``answers``.
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.cards import BORROWS, COUNTS, rank_text
from ingest.faults import Finding
from ingest.record import Move
from ingest.rules.answers import Answers, Standing
from ingest.rules.auction import Bidding
from ingest.rules.combinations import ROCKET
from ingest.rules.deal import Holdings, lacking, take
from ingest.rules.options import owed_answer
from ingest.rules.parameters import BidClass, BombLimit
from ingest.rules.turns import after_the_end, out_of_turn


class Played(Struct):
    """What the plays of a hand came to."""

    left: list[int]
    """Cards left at each seat."""
    plays: list[int]
    """How often each seat played."""
    findings: list[Finding] = []
    stands: list[Standing | None] = []
    """For every applied move what it stands for; None for a pass."""
    bombs: list[int] = []
    """The moves that were bombs or rockets."""
    winner: int | None = None
    """The seat that went out."""


def replay(moves: Sequence[Move], landlord: int, has: Holdings, left: list[int], answers: Answers) -> Played:
    """Replay the plays of a hand. ``left``: the cards of each seat at the start, the bottom included."""
    played = Played(left, [0] * len(left))
    stands, plays, held, by_face = played.stands, played.plays, has.held, has.by_face
    last_seat, close, lead = len(left) - 1, answers.rules.trick.close_passes, answers.lead
    standing, turn, owner, passes = lead, landlord, landlord, 0
    for index, move in enumerate(moves):
        if move.seat != turn:
            return _stop(played, out_of_turn(moves, index, turn))
        cards = move.cards
        if cards is None:
            stands.append(None)
            if standing is lead:
                played.findings.append(passed_on_lead(index, turn))
            else:
                if answers.rules.trick.must_beat:
                    played.findings += _owed(index, turn, landlord, standing, has, answers)
                passes += 1
            turn = turn + 1 if turn < last_seat else 0
            if passes == close:
                standing, turn, passes = lead, owner, 0
            continue
        hold = held[turn]
        part = cards.packed if by_face[turn] else cards.counts
        if hold is not None and not (hold ^ part ^ (rest := hold - part)) & BORROWS:
            held[turn] = rest
        elif not take(has, turn, landlord, cards):
            return _stop(played, not_held(index, move, hold or has.unseen))
        now = standing.answers.get(move.key)  # type: ignore[arg-type]
        if now is None:
            now = judge(index, move, standing, answers, played.findings)
        stands.append(now)
        if now.tier:
            played.bombs.append(index)
        plays[turn] += 1
        standing, owner, passes = now, turn, 0
        left[turn] = remaining = left[turn] - cards.size
        if remaining < 0:
            return _stop(played, Finding("P402", index, turn, {"cards": move.text, "missing": "?" * -remaining}))
        if remaining == 0:
            played.winner = turn
            played.findings += after_the_end(moves, index + 1)
            return played
        turn = turn + 1 if turn < last_seat else 0
    return played


def _owed(index: int, seat: int, landlord: int, standing: Standing, has: Holdings, answers: Answers) -> list[Finding]:
    """P412 where the seat that passes is known to hold an answer; of a hand that is not all known nothing is said."""
    held = has.held[seat]
    if held is None or (seat == landlord and has.from_bottom):
        return []
    owed = owed_answer(held & COUNTS, standing, answers, landlord=seat == landlord)
    if owed is None:
        return []
    details = {"standing": " / ".join(map(str, standing.readings)), "cards": rank_text(owed)}
    return [Finding("P412", index, seat, details)]


def passed_on_lead(index: int, seat: int) -> Finding:
    """P405."""
    return Finding("P405", index, seat)


def _stop(played: Played, finding: Finding) -> Played:
    played.findings.append(finding)
    return played


def not_held(index: int, move: Move, hold: int) -> Finding:
    """P402. ``hold``: the packed set out of which the cards were to come."""
    assert move.cards is not None
    wanted = move.cards.packed
    missing = "".join(lacking(hold, wanted, by_face=False)) or "".join(lacking(hold, wanted, by_face=True))
    return Finding("P402", index, move.seat, {"cards": move.text, "missing": missing})


def judge(index: int, move: Move, standing: Standing, answers: Answers, findings: list[Finding]) -> Standing:
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


def bombs_and_rockets(played: Played, moves: Sequence[Move]) -> tuple[list[int], int]:
    """The size of every bomb played, in order, and the number of rockets."""
    sizes, rockets = [], 0
    for index in played.bombs:
        stands, cards = played.stands[index], moves[index].cards
        if stands is not None and stands.tier == ROCKET:
            rockets += 1
        elif cards is not None:
            sizes.append(cards.size)
    return sizes, rockets


def bombs_beyond(played: Played, moves: Sequence[Move], bidding: Bidding, limit: BombLimit) -> list[Finding]:
    """P408: every bomb or rocket of a farmer beyond what his bid allows (E-R13, E-Q6)."""
    findings, thrown = [], [0] * len(played.left)
    for index in played.bombs:
        move = moves[index]
        if move.seat == bidding.landlord:
            continue
        thrown[move.seat] += 1
        allowed = limit.table.get(bid_class(bidding, move.seat))
        if allowed is not None and thrown[move.seat] > allowed:
            details = {"count": thrown[move.seat], "limit": allowed}
            findings.append(Finding("P408", index, move.seat, details, enforced=limit.mode == "enforce"))
    return findings


def bid_class(bidding: Bidding, seat: int) -> BidClass:
    """What a farmer said in the bidding: not reached, pass, 1, 2, or a 3 that was robbed of the landlord (E-R13)."""
    return _BID_CLASSES.get(bidding.said.get(seat, ""), "not_reached")


_BID_CLASSES: dict[str, BidClass] = {"-": "pass", "1": "bid1", "2": "bid2", "3": "bid3_robbed"}


def is_spring(played: Played, landlord: int) -> bool:
    """The landlord went out and nobody else played a card (G-R16)."""
    return played.winner == landlord and sum(played.plays) == played.plays[landlord]


def is_anti_spring(played: Played, landlord: int) -> bool:
    """A farmer went out and the landlord made exactly one play (G-R17, G-Q19, G-Q20)."""
    return played.winner not in (None, landlord) and played.plays[landlord] == 1
