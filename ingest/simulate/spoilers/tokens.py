"""Move text as tokens that can be changed one by one, with the clocks kept."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ingest.record import PASS


class Token(Struct, frozen=True):
    """One move as it stands in a move text."""

    seat: int
    what: str
    clock: str = ""
    """``@`` and milliseconds, or nothing."""

    @property
    def cards(self) -> str:
        """The card text of a play, without a declared reading."""
        return self.what.partition("=")[0]

    @property
    def passes(self) -> bool:
        """Whether it is a pass."""
        return self.what == PASS


def tokens(text: str | None) -> list[Token]:
    """The moves of a move text."""
    return [_token(move) for move in text.split(" ")] if text else []


def _token(move: str) -> Token:
    said, at, clock = move.partition("@")
    seat, _, what = said.partition(":")
    return Token(int(seat), what, at + clock)


def text_of(moves: Sequence[Token]) -> str:
    """The move text of tokens."""
    return " ".join(f"{move.seat}:{move.what}{move.clock}" for move in moves)


def with_what(moves: Sequence[Token], index: int, what: str) -> list[Token]:
    """The same moves, one of them saying something else."""
    return [*moves[:index], replace(moves[index], what=what), *moves[index + 1 :]]


def with_seat(moves: Sequence[Token], index: int, seat: int) -> list[Token]:
    """The same moves, one of them by another seat."""
    return [*moves[:index], replace(moves[index], seat=seat), *moves[index + 1 :]]


def after(moves: Sequence[Token], seat: int, what: str) -> list[Token]:
    """The same moves and one more at the end."""
    return [*moves, Token(seat, what, moves[-1].clock if moves else "")]
