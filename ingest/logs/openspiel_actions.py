"""The numbers of OpenSpiel's dou_dizhu: what each means in each of the three numberings that its sources have had.

Knows cards, calls and plays by their numbers. Refuses to know how a history is written, and what may be played.
Source: the definitions in the program's own headers, of which this is our own reading; the tests ask the program itself
about every number. Plays have one order in all three and only begin elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

from msgspec import Struct

from ingest.cards import RANKS

CARDS = [suit + rank for suit in "CDHS" for rank in RANKS[:13]] + ["B", "R"]
"""The cards by number."""
DEALT = 51
"""Cards that are dealt, each by an action of its own; one action before them says which is turned face up."""
SEATS = 3
CHANCE = -1
"""Who acts while cards are dealt."""
BIDS = 3
"""The highest bid."""

_POSITIONS = range(DEALT)
_SPELLED = {"B": "(BWJ)", "R": "(CJ)"}
_DOUBTS = 2
"""Numbers before the first call that may be wrong, or there twice, in a history that is still recognised as one."""


class Numbering(Struct, frozen=True):
    """One numbering of the actions."""

    deal: int
    """The number of the first card where cards are dealt."""
    call: int
    """The number of a pass; bids follow it, and plays the bids."""
    shows_position: bool
    """Whether the first action says at which position the face-up card is dealt, rather than which card it is."""
    may_keep_turn: bool
    """Whether a pass may have left the turn where it was, as the program of that time did until two had followed."""

    @property
    def play(self) -> int:
        """The number of the first play."""
        return self.call + 1 + BIDS


NUMBERINGS = {
    "openspiel-1": Numbering(deal=0, call=54, shows_position=False, may_keep_turn=True),
    "openspiel-2": Numbering(deal=51, call=105, shows_position=True, may_keep_turn=False),
    "openspiel-3": Numbering(deal=51, call=0, shows_position=True, may_keep_turn=False),
}
"""By the format that names each. The sources of December 2022 and of January 2023; every release, from 1.3 on."""


class Play(Struct, frozen=True):
    """What a number means as a play."""

    body: str
    kickers: str
    name: str
    """The reading, by the record's word for it."""

    @property
    def cards(self) -> str:
        """Its ranks."""
        return self.body + self.kickers

    @property
    def text(self) -> str:
        """It in the record's move text."""
        return f"{self.cards}={self.name}"

    @property
    def spelled(self) -> str:
        """It in OpenSpiel's own text."""
        if self.name in ("plane1", "plane2"):
            return f"{_spelled(self.body)}-{_spelled(self.kickers)}"
        return _spelled(sorted(self.cards, key=RANKS.index))


@cache
def plays() -> tuple[Play, ...]:
    """Every play, in the order of their numbers."""
    return (
        *_alone("solo", 1, RANKS),
        *_chains("solo_chain", 1, range(5, 13)),
        *_alone("pair", 2, RANKS[:13]),
        *_chains("pair_chain", 2, range(3, 11)),
        *_alone("trio", 3, RANKS[:13]),
        *_trios("trio1", 1),
        *_trios("trio2", 2),
        *_chains("trio_chain", 3, range(2, 7)),
        *_planes("plane1", 1, range(2, 6)),
        *_planes("plane2", 2, range(2, 5)),
        *_alone("bomb", 4, RANKS[:13]),
        Play("BR", "", "rocket"),
    )


def numbering_of(actions: Sequence[int]) -> str | None:
    """The numbering of a history, by what only one of them has; None where it is too short to tell.

    Before the first call the second and the third are the same, and the third stands for both.
    """
    deal, later = actions[1 : DEALT + 1], actions[DEALT + 1 :]
    first, others = (sum(a in numbers for a in deal) for numbers in (range(51), range(54, 105)))
    if first == others:
        return None
    if first > others:
        return "openspiel-1"
    second = NUMBERINGS["openspiel-2"].call
    calls = later and (second <= later[0] <= second + BIDS or min(later) >= second)
    return "openspiel-2" if calls else "openspiel-3"


def begins_a_game(actions: Sequence[int]) -> bool:
    """Whether these can only be the beginning of a game: a whole deal, and then a call if anything follows."""
    name = numbering_of(actions) if len(actions) > DEALT else None
    if name is None:
        return False
    numbering, deal = NUMBERINGS[name], set(actions[1 : DEALT + 1])
    cards = deal.intersection(range(numbering.deal, numbering.deal + len(CARDS)))
    doubts = DEALT - len(cards) + (actions[0] not in _POSITIONS)
    if not numbering.shows_position:
        doubts = DEALT - len(cards) if actions[0] in cards else DEALT
    call = actions[DEALT + 1 : DEALT + 2]
    return doubts <= _DOUBTS and all(numbering.call <= action < numbering.play for action in call)


def _spelled(ranks: Iterable[str]) -> str:
    return "".join(_SPELLED.get(rank, rank) for rank in ranks)


def _alone(name: str, size: int, ranks: str) -> Iterator[Play]:
    return (Play(rank * size, "", name) for rank in ranks)


def _runs(length: int) -> Iterator[str]:
    """The runs of so many ranks, up to the ace."""
    return (RANKS[head : head + length] for head in range(RANKS.index("A") - length + 2))


def _chains(name: str, size: int, lengths: Iterable[int]) -> Iterator[Play]:
    return (Play(_each(run, size), "", name) for length in lengths for run in _runs(length))


def _trios(name: str, size: int) -> Iterator[Play]:
    kickers = RANKS if size == 1 else RANKS[:13]
    return (Play(rank * 3, kicker * size, name) for rank in RANKS[:13] for kicker in kickers if kicker != rank)


def _planes(name: str, size: int, lengths: Iterable[int]) -> Iterator[Play]:
    for length in lengths:
        for run in _runs(length):
            body = _each(run, 3)
            yield from (Play(body, _each(kickers, size), name) for kickers in _kickers(run, length, size))


def _kickers(run: str, number: int, size: int) -> list[tuple[str, ...]]:
    """What a plane may carry, by the highest rank, then the next: no four of a rank, one joker, no pair twice."""
    free = [rank for rank in RANKS if rank not in run]
    found = list(combinations_with_replacement(free, number) if size == 1 else combinations(free[:-2], number))
    kept = [kickers for kickers in found if max(map(kickers.count, kickers)) <= 3 and sum(map(_is_joker, kickers)) <= 1]
    return sorted(kept, key=lambda kickers: [RANKS.index(rank) for rank in reversed(kickers)])


def _is_joker(rank: str) -> bool:
    return rank in _SPELLED


def _each(ranks: Iterable[str], times: int) -> str:
    return "".join(rank * times for rank in ranks)
