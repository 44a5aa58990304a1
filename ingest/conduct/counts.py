"""What each seat did in a hand, counted turn by turn for the statistics to add up.

Knows turns. Judges nothing and averages nothing. Source of the definitions: docs/statistics.md; numbers in brackets
are those of the project's list of statistics (2.4).
"""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from ingest.audit import Hand
from ingest.cards import RANKS, covers, rank_counts
from ingest.conduct.turns import Turn
from ingest.rules.answers import Standing, answers_of
from ingest.rules.combinations import PLAIN, Reading, law_of
from ingest.rules.kickers import ONE
from ingest.rules.options import could_beat, options

FEW = 3
"""Cards with which a team mate is fed (45)."""
HIGH, LOW = RANKS.index("T"), RANKS.index("6")
"""From which rank on a play shuts the gate (46), up to which one leaves it open (47)."""
LEAP = 5
"""Ranks by which a play beats too well (55)."""
_TWO, _BIG = RANKS.index("2"), RANKS.index("R")


class Counts(Struct):
    """What one seat did in one hand, counted turn by turn; the columns of the same names say what each is."""

    leads: int = 0
    lead_cards: int = 0
    follows: int = 0
    could: int = 0
    could_softly: int = 0
    passed: int = 0
    passed_softly: int = 0
    could_mate: int = 0
    passed_mate: int = 0
    harmed_mate: int = 0
    feed_turns: int = 0
    feeds: int = 0
    gate_turns: int = 0
    gates: int = 0
    guard_turns: int = 0
    unguarded: int = 0
    alert_turns: int = 0
    alert_kept: int = 0
    bomb_cards_left: int = 0
    bombs_stood: int = 0
    bombs_at: int = 0
    bombs_stood_at: int = 0
    bombs_broken: int = 0
    answers_softly: int = 0
    leaps: int = 0
    kicker_turns: int = 0
    kickers_wasted: int = 0
    tricks: int = 0
    tricks_won: int = 0
    cards_won: int = 0


def counted(told: Sequence[Turn], hand: Hand) -> list[Counts]:
    """What each seat did in the hand of these turns."""
    seats = [Counts() for _ in hand.record.players]
    if hand.landlord is None:
        return seats
    table = _Table(hand)
    for place, turn in enumerate(told):
        mine = seats[turn.seat]
        if turn.standing is None:
            if turn.counts is not None:
                _lead(mine, turn, table)
        else:
            _follow(mine, turn, told[place + 1 :], table)
        if turn.stands is not None and turn.counts is not None:
            _play(mine, turn, told[place + 1 :], table)
    _tricks(seats, told, hand.rules.trick.close_passes)
    return seats


class _Table:
    """Who sits where, and by what rules."""

    def __init__(self, hand: Hand) -> None:
        assert hand.landlord is not None
        self.landlord, self.players = hand.landlord, len(hand.record.players)
        self.answers, self.rules = answers_of(hand.rules), hand.rules
        self.upper = (self.landlord - 1) % self.players if self.players > 2 else None
        """The farmer who acts just before the landlord."""
        self.bomb, self.rocket = hand.rules.bomb.min_size, law_of(hand.rules).rocket

    def mates(self, seat: int) -> list[int]:
        """The other farmers of a farmer."""
        if seat == self.landlord:
            return []
        return [other for other in range(self.players) if other not in (seat, self.landlord)]

    def foes(self, seat: int) -> list[int]:
        """Those who play against a seat."""
        return [self.landlord] if seat != self.landlord else [s for s in range(self.players) if s != seat]


def _lead(mine: Counts, turn: Turn, table: _Table) -> None:
    mine.leads += 1
    mine.lead_cards += turn.size
    _feed(mine, turn, table)
    name, rank = _shape(turn.stands)
    if turn.seat == table.upper and turn.left[table.landlord] <= 2:
        mine.guard_turns += 1
        mine.unguarded += name in ("solo", "pair") and rank <= LOW
    _alert(mine, turn, name, table)


def _feed(mine: Counts, turn: Turn, table: _Table) -> None:
    """(45) A lead that a team mate with few cards can beat."""
    near = [mate for mate in table.mates(turn.seat) if turn.left[mate] <= FEW and turn.held[mate] is not None]
    if near and turn.stands is not None:
        mine.feed_turns += 1
        mine.feeds += any(
            could_beat(turn.held[mate] or 0, turn.stands, table.answers, bombs=mate not in turn.barred) for mate in near
        )


def _alert(mine: Counts, turn: Turn, name: str, table: _Table) -> None:
    """(48) A lead against an opponent with one or two cards: not of the shape that he may go out with."""
    few = [turn.left[foe] for foe in table.foes(turn.seat) if turn.left[foe] in (1, 2)]
    own = turn.held[turn.seat]
    if not few or own is None:
        return
    feared = "solo" if 1 in few else "pair"
    if feared == "solo" and not _leads_more(own, table, bombs=turn.seat not in turn.barred):
        return
    mine.alert_turns += 1
    mine.alert_kept += name != feared


def _leads_more(own: int, table: _Table, *, bombs: bool) -> bool:
    """Whether a hand could lead more than one card: whether it has more leads than ranks."""
    held = rank_counts(own)
    if any(count > 1 for count in held[: _TWO + 1]):
        return True
    ranks = sum(count > 0 for count in held)
    return len([*islice(options(own, table.answers.lead, table.answers, bombs=bombs), ranks + 1)]) > ranks


def _follow(mine: Counts, turn: Turn, rest: Sequence[Turn], table: _Table) -> None:
    mine.follows += 1
    if not turn.could:
        return
    is_pass, over_mate = turn.counts is None, turn.owner in table.mates(turn.seat)
    mine.could += 1
    mine.passed += is_pass
    if turn.could_softly:
        mine.could_softly += 1
        mine.passed_softly += is_pass
    if over_mate:
        mine.could_mate += 1
        mine.passed_mate += is_pass
        if not is_pass:
            mate = turn.owner if turn.owner is not None else turn.seat
            mine.harmed_mate += turn.left[mate] <= 2 or _next_play(rest) == table.landlord
    if not is_pass and turn.could_softly and turn.stands is not None and turn.stands.tier == PLAIN:
        mine.answers_softly += 1
        mine.leaps += _is_leap(turn)


def _next_play(rest: Sequence[Turn]) -> int | None:
    """Who next beats a play; None where nobody does."""
    for turn in rest:
        if turn.standing is None:
            return None
        if turn.counts is not None:
            return turn.seat
    return None


def _is_leap(turn: Turn) -> bool:
    """(55) A single, pair or trio that beats by many ranks where a whole smaller one would have done."""
    name, rank = _shape(turn.stands)
    under, below = _shape(turn.standing)
    own = turn.held[turn.seat]
    if name not in ("solo", "pair", "trio") or under != name or rank - below < LEAP or own is None:
        return False
    size = ("solo", "pair", "trio").index(name) + 1
    return any(rank_counts(own)[place] == size for place in range(below + 1, rank))


def _play(mine: Counts, turn: Turn, rest: Sequence[Turn], table: _Table) -> None:
    """What is counted of every play, led or not."""
    assert turn.stands is not None
    own, counts = turn.held[turn.seat], turn.counts or 0
    if turn.stands.tier != PLAIN:
        left, stood = turn.left[turn.seat], _stands_to_the_end(turn, rest, table)
        mine.bomb_cards_left += left
        mine.bombs_stood += stood
        mine.bombs_at += _one_among(left)
        mine.bombs_stood_at += stood * _one_among(left)
    elif own is not None:
        mine.bombs_broken += _breaks_bomb(own, counts, table)
        _kickers(mine, turn, own, table)
    if turn.seat == table.upper:
        _gate(mine, turn, own)


def _stands_to_the_end(turn: Turn, rest: Sequence[Turn], table: _Table) -> bool:
    """(52) Whether a play, or one of its side, takes the trick; none is taken that somebody left before its end."""
    winner, passes = turn, 0
    for later in rest:
        if _goes_out(winner) or passes == table.rules.trick.close_passes:
            break
        winner, passes = (winner, passes + 1) if later.counts is None else (later, 0)
    ended = _goes_out(winner) or passes == table.rules.trick.close_passes
    return ended and (winner.seat == turn.seat or winner.seat in table.mates(turn.seat))


def _goes_out(turn: Turn) -> bool:
    return turn.counts is not None and turn.size == turn.left[turn.seat]


def _one_among(left: int) -> int:
    """(52) One bomb as counts by cards in hand, 4 bits each: up to 5, to 10, to 15, more."""
    return int(1 << 4 * min((left - 1) // 5, 3))


def _breaks_bomb(own: int, counts: int, table: _Table) -> bool:
    """(54) A play that leaves of a bomb too little for one, or of a rocket some jokers. A whole one spent is none."""
    held, left = rank_counts(own), rank_counts(own - counts)
    if any(held[place] >= table.bomb > left[place] > 0 for place in range(_TWO + 1)):
        return True
    rocket = table.rocket
    return rocket > 0 and covers(own, rocket) and not covers(own - counts, rocket) and not covers(counts, rocket)


_PAIRS_KICKED = frozenset(("trio2", "plane2", "quad_pairs"))
_KICKED = _PAIRS_KICKED | frozenset(("trio1", "plane1", "quad_solos", "quad_solo_pair"))


def _kickers(mine: Counts, turn: Turn, own: int, table: _Table) -> None:
    """(56) Twos and jokers among the kickers where a card below two that stayed could have been one."""
    assert turn.stands is not None
    reading = turn.stands.readings[0] if turn.stands.readings else None
    if reading is None or reading.name not in _KICKED:
        return
    counts = turn.counts or 0
    used, left = rank_counts(counts), rank_counts(own - counts)
    size, body = 2 if reading.name in _PAIRS_KICKED else 1, 4 if reading.name.startswith("quad") else 3
    high = [place for place in range(_TWO, _BIG + 1) if size <= used[place] < 3]
    carried = high or [place for place in range(_TWO) if size <= used[place] < body]
    others = [place for place in range(_TWO) if left[place] >= size]
    swapped = (counts + size * (ONE[other] - ONE[place]) for place in carried for other in others)
    if any(_is_alike(table.answers.readings(cards), reading) for cards in swapped):
        mine.kicker_turns += 1
        mine.kickers_wasted += bool(high)


def _is_alike(found: Sequence[Reading], reading: Reading) -> bool:
    """Whether cards stand for the same but for the kickers."""
    return any((r.name, r.rank, r.length) == (reading.name, reading.rank, reading.length) for r in found)


def _gate(mine: Counts, turn: Turn, own: int | None) -> None:
    """(46) Singles and pairs just in front of the landlord, where a lower one was possible."""
    name, rank = _shape(turn.stands)
    below = _shape(turn.standing)[1] if turn.standing is not None else -1
    if name not in ("solo", "pair") or own is None:
        return
    size = 1 if name == "solo" else 2
    if any(rank_counts(own)[place] >= size for place in range(below + 1, rank)):
        mine.gate_turns += 1
        mine.gates += rank >= HIGH


def _shape(stands: Standing | None) -> tuple[str, int]:
    """Name and place of the rank of what stands, by its first reading."""
    if stands is None or not stands.readings:
        return "", -1
    return stands.readings[0].name, RANKS.index(stands.readings[0].rank)


def _tricks(seats: list[Counts], told: Sequence[Turn], close: int) -> None:
    """(59) Who took each trick, and the cards in it; none that somebody left before its end, or who went out."""
    winner, cards, passes = None, 0, 0
    for turn in told:
        if turn.counts is not None:
            winner, cards, passes = turn.seat, cards + turn.size, 0
        else:
            passes += 1
        if winner is not None and (_goes_out(turn) or passes == close):
            seats[winner].tricks_won += 1
            seats[winner].cards_won += cards
            winner, cards = None, 0
    tricks = sum(seat.tricks_won for seat in seats)
    for seat in seats:
        seat.tricks = tricks
