"""Players: what is led, what is answered, when one passes or bombs; a hand played out to its end.

Looks like play and is quick; not meant to be strong. Every move is asked of ``ingest.rules.answers``.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from msgspec import Struct

from ingest.cards import RANKS, rank_counts
from ingest.record import PASS
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.combinations import JOKER_PLACES, law_of
from ingest.rules.options import owed_answer
from ingest.rules.ruleset import Ruleset
from ingest.simulate.candidates import ONE, Body, Row, answers_like, bombs, chain_line, rows_of, with_kickers


class Seat(Struct):
    """One seat's cards, and how it plays."""

    ranks: list[int]
    """How many of each rank."""
    faces: list[list[str]]
    """Which, by rank."""
    left: int
    boldness: float
    absent: bool = False
    """Whether nobody is there: passes whenever it may."""

    @property
    def counts(self) -> int:
        """The cards of the hand, packed."""
        return sum(count * one for count, one in zip(self.ranks, ONE, strict=True) if count)


class Play(Struct, frozen=True):
    """A move as a record writes it, without seat and clock."""

    seat: int
    what: str


class Part(Struct, frozen=True, gc=False):
    """What a hand is split into before a lead."""

    body: int
    places: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many cards."""
        return self.body * len(self.places)


class Trick(Struct):
    """What lies on the table."""

    standing: Standing
    owner: int
    passes: int = 0


def seat_of(cards: Sequence[str], boldness: float, *, absent: bool = False) -> Seat:
    """A seat with its cards."""
    faces: list[list[str]] = [[] for _ in RANKS]
    for card in cards:
        faces[RANKS.index(card[-1])].append(card)
    return Seat([len(cards) for cards in faces], faces, len(cards), boldness, absent)


def play_out(seats: Sequence[Seat], landlord: int, rules: Ruleset, rng: Random) -> list[Play]:
    """Play a hand until a seat is out of cards (U-R1 … U-R6)."""
    answers, moves, turn = answers_of(rules), list[Play](), landlord
    trick = Trick(answers.lead, landlord)
    while True:
        leads = trick.standing is answers.lead
        counts = lead(seats[turn], rules, rng) if leads else answer(seats, turn, landlord, trick, rules, rng)
        if not counts:
            counts = owed_answer(seats[turn].counts, trick.standing, answers, landlord=turn == landlord) or 0
        if counts:
            moves.append(Play(turn, _put_down(seats[turn], counts, trick, answers, rng)))
            trick.owner, trick.passes = turn, 0
            if not seats[turn].left:
                return moves
        else:
            moves.append(Play(turn, PASS))
            trick.passes += 1
        turn = (turn + 1) % len(seats)
        if trick.passes == rules.trick.close_passes:
            trick.standing, turn, trick.passes = answers.lead, trick.owner, 0


def _put_down(seat: Seat, counts: int, trick: Trick, answers: Answers, rng: Random) -> str:
    """Put cards on the table; the text of the move, now and then with the reading it declares (U-R11)."""
    now = answers.answer(trick.standing, counts)
    assert now is not None
    text = _take(seat, counts)
    if len(now.readings) > 1 and rng.random() < 0.5:
        name = rng.choice(now.readings).name
        named = tuple(reading for reading in answers.readings(counts) if reading.name == name)
        now = answers.judge(trick.standing, named, counts)
        assert now is not None
        text += f"={name}"
    trick.standing = now
    return text


def _take(seat: Seat, counts: int) -> str:
    """Take cards out of a hand, the most of a rank first."""
    wanted = [(-count, place) for place, count in enumerate(rank_counts(counts)) if count]
    wanted.sort()
    cards: list[str] = []
    for less, place in wanted:
        faces = seat.faces[place]
        cards += faces[less:]
        del faces[less:]
        seat.ranks[place] += less
        seat.left += less
    return "".join(cards)


def lead(seat: Seat, rules: Ruleset, rng: Random) -> int:
    """What a seat leads: all it has if that is one combination, else long combinations and low cards first."""
    answers, parts = answers_of(rules), split(seat.ranks, rules, rng)
    if _may_be_one(parts, seat.left) and answers.answer(answers.lead, seat.counts) is not None:
        return seat.counts
    for part in _by_preference(parts, rules, rng):
        for counts in _dressed(part, seat.ranks, rules, rng):
            if answers.answer(answers.lead, counts) is not None:
                return counts
    return next(ONE[place] for place, count in enumerate(seat.ranks) if count)


def _may_be_one(parts: Sequence[Part], left: int) -> bool:
    """Whether it is worth asking if all parts together are one combination."""
    return len(parts) == 1 or any(part.body >= 3 and left <= 2 * part.size for part in parts)


def split(ranks: Sequence[int], rules: Ruleset, rng: Random) -> list[Part]:
    """A hand split into bombs, chains and groups; which chains come first is a matter of mood."""
    rest, law, spans = list(ranks), law_of(rules), _chain_spans(rules)
    parts = _bombs_apart(rest, rules, rng) if 4 not in spans or rng.random() < 0.5 else []
    for body in rng.choice(_ORDERS):
        if body in spans:
            parts += _longest_chains(rest, body, spans[body], chain_line(body, law))
    return parts + [Part(count, (place,)) for place, count in enumerate(rest) if count]


def _bombs_apart(rest: list[int], rules: Ruleset, rng: Random) -> list[Part]:
    """Most bombs and the rocket, taken out of ``rest`` so that no chain breaks them."""
    parts, packs = [], rules.deal.packs
    for place, count in enumerate(rest[:13]):
        if count >= rules.bomb.min_size and rng.random() < 0.8:
            parts.append(Part(count, (place,)))
            rest[place] = 0
    if rest[13:] == [packs, packs]:
        parts.append(Part(packs, JOKER_PLACES))
        rest[13:] = [0, 0]
    return parts


_ORDERS = ((4, 3, 2, 1), (4, 3, 1, 2), (4, 2, 3, 1), (4, 1, 2, 3))


@cache
def _chain_spans(rules: Ruleset) -> dict[int, tuple[int, int]]:
    return {row.body: (row.fewest, row.most) for row in rows_of(rules) if row.chain}


def _longest_chains(rest: list[int], body: int, span: tuple[int, int], line: Sequence[int]) -> Iterator[Part]:
    """Chains of a body, taken out of ``rest`` from the lowest up; a bomb is not broken for a straight."""
    kept = 4 if body < 3 else 9
    fitting = [body <= rest[place] < kept for place in line]
    start, end, (fewest, most) = 0, 0, span
    if sum(fitting) < fewest:
        return
    for end, fits in enumerate((*fitting, False)):
        if fits and end - start < most:
            continue
        if end - start >= fewest:
            yield _cut_out(rest, body, line[start:end])
        start = end if fits else end + 1


def _cut_out(rest: list[int], body: int, places: Sequence[int]) -> Part:
    """A chain, no longer in ``rest``; a rank at both ends of the line is taken once where there is but one."""
    cut = []
    for place in places:
        if rest[place] >= body:
            rest[place] -= body
            cut.append(place)
    return Part(body, tuple(cut))


def _by_preference(parts: list[Part], rules: Ruleset, rng: Random) -> list[Part]:
    """Long ones first, or low ones first; bombs last, or not."""
    strength, weight = law_of(rules).strength, rng.choice((0, 6, 6, 20))
    kept = rules.bomb.min_size if rng.random() < 0.7 else 99
    return sorted(parts, key=lambda part: _dearness(part, kept) + strength[part.places[0]] - weight * part.size)


def _dearness(part: Part, kept: int) -> int:
    return 1000 if (part.body >= kept and len(part.places) == 1) or part.places == JOKER_PLACES else 0


def _dressed(part: Part, ranks: Sequence[int], rules: Ruleset, rng: Random) -> Iterator[int]:
    """A part with what it may carry; bare where that fails, or now and then first."""
    rows = [row for row in rows_of(rules) if row.sizes and _carries(row, part)]
    rng.shuffle(rows)
    bare = part.body * sum(ONE[place] for place in part.places)
    if rng.random() < (0.15 if part.body == 3 else 0.5):
        yield bare
    body = Body(min(part.body, 4) * sum(ONE[place] for place in part.places), part.places, 0)
    for row in rows:
        yield from with_kickers(body, row, ranks, law_of(rules), rng)
    yield bare
    yield ONE[part.places[0]] * part.body


def _carries(row: Row, part: Part) -> bool:
    return row.body == part.body and row.chain == (len(part.places) > 1)


def answer(seats: Sequence[Seat], turn: int, landlord: int, trick: Trick, rules: Ruleset, rng: Random) -> int:
    """What a seat answers: the cheapest that beats, a bomb, or 0 for a pass."""
    seat, answers = seats[turn], answers_of(rules)
    if seat.absent:
        return 0
    if _may_go_out(seat, trick.standing) and answers.answer(trick.standing, seat.counts) is not None:
        return seat.counts
    friendly = landlord not in (turn, trick.owner)
    if friendly and rng.random() < 0.7:
        return 0
    if rng.random() < 0.8 + 0.15 * seat.boldness:
        for counts in _like(trick.standing, seat, rules, rng):
            if answers.answer(trick.standing, counts) is not None:
                return counts
    return 0 if friendly else _bomb(seat, seats[trick.owner].left, trick.standing, rules, rng)


def _may_go_out(seat: Seat, standing: Standing) -> bool:
    """Whether it is worth asking if all cards together are an answer."""
    if seat.left == max(seat.ranks) or seat.left == 2:
        return True
    return any(reading.size == seat.left for reading in standing.readings)


def _like(standing: Standing, seat: Seat, rules: Ruleset, rng: Random) -> Iterator[int]:
    for reading in standing.readings:
        if not reading.tier and reading.size <= seat.left + 2:  # E-Q8: the answer may be two cards shorter
            yield from answers_like(reading, seat.ranks, rules, rng)


def _bomb(seat: Seat, threat: int, standing: Standing, rules: Ruleset, rng: Random) -> int:
    """A bomb, rather against somebody who is nearly out; 0 if there is none or it is kept."""
    if rng.random() > 0.15 + 0.2 * seat.boldness + (0.5 if threat <= 4 else 0):
        return 0
    answers = answers_of(rules)
    fitting = (counts for counts in bombs(seat.ranks, rules) if answers.answer(standing, counts) is not None)
    return next(fitting, 0)
