"""Whose turn it is, in every game alike: moves out of turn, and moves after the end."""

from collections.abc import Sequence

from ingest.faults import Finding
from ingest.record import Move


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
