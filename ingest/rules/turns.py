"""Whose turn it is, in every game alike: who speaks first, what is out of turn, and moves after the end."""

from collections.abc import Sequence

from ingest.faults import Finding
from ingest.record import Call, Move


def opener(calls: Sequence[Call], first: int | None, players: int) -> int | None:
    """Who speaks first: ``first``, or where that is open whoever did; None where the game has no such seat."""
    if first is not None or not calls:
        return first
    return calls[0].seat if calls[0].seat < players else None


def spoken_out_of_turn(turn: int | None, call: Call, players: int) -> Finding | None:
    """A301 where it was not this seat's turn to speak. ``turn`` None: any seat's that the game has."""
    if call.seat == turn:
        return None
    return Finding("A301", details={"expected": [*range(players)] if turn is None else turn, "actual": call.seat})


def after_the_end(moves: Sequence[Move], start: int) -> list[Finding]:
    """P406 for every move that stands after the hand has ended (U-R6)."""
    return [Finding("P406", i, move.seat, {"move": move.text}) for i, move in enumerate(moves[start:], start)]


def out_of_turn(moves: Sequence[Move], index: int, turn: int) -> Finding:
    """P411 where the move before stands again, else P401."""
    move = moves[index]
    before = moves[index - 1] if index else None
    if before is not None and before.seat == move.seat and before.cards == move.cards:
        return Finding("P411", index, move.seat, {"move": f"{move.seat}:{move.text}"})
    return Finding("P401", index, move.seat, {"expected": turn, "actual": move.seat})
