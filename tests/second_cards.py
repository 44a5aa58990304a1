"""Cards and turns for the second computation of the statistics: what could be played, found by trying cards.

Knows which cards might be of a shape, asks the classifier whether they are, and whose turn it is. Does not look at
``ingest.rules.options``, ``shedding`` and ``climbing``, which it checks; refuses to know statistics.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ingest.cards import RANKS, counts_of, rank_counts, read_cards
from ingest.record import Move, Record, read_plays
from ingest.rules.answers import Answers, Standing, answers_of
from ingest.rules.ruleset import Ruleset

Held = tuple[int, ...]
"""How many cards of each rank, lowest first."""
TWO, BLACK, RED, SIX, TEN = (RANKS.index(rank) for rank in "2BR6T")
GROUPS = {
    "solo": 1, "pair": 2, "trio": 3, "quad": 4, "solo_chain": 1, "pair_chain": 2, "trio_chain": 3, "quad_chain": 4,
    "trio1": 3, "plane1": 3, "trio2": 3, "plane2": 3, "quad_solos": 4, "quad_solo_pair": 4, "quad_pairs": 4,
    "quad_trio": 4, "carrier": 4, "quad_trio_pair": 4, "ship": 4,
}  # fmt: skip
"""Equal cards in each group of a body."""
PIECES = {
    "trio1": (1,), "plane1": (1,), "trio2": (2,), "plane2": (2,), "quad_solos": (1, 1), "quad_solo_pair": (1, 2),
    "quad_pairs": (2, 2), "quad_trio": (3,), "carrier": (3,), "quad_trio_pair": (2, 3), "ship": (2, 3),
}  # fmt: skip
"""What each group carries; each quad of a winged shuttle (BV-R2) one card or two."""
WITH_TWO = ("quad_solos", "quad_solo_pair", "quad_pairs")
"""四带二 of six, seven and eight cards, which some rules compare with one another (E-Q8)."""


class Step(NamedTuple):
    """One play or pass."""

    seat: int
    cards: Held | None
    stands: Standing | None
    beats: Standing | None
    """What was on the table; None for a lead."""
    owner: int | None
    held: tuple[Held | None, ...]
    left: tuple[int, ...]


def stays(steps: Sequence[Step], place: int, landlord: int, close: int) -> bool:
    """Whether the side of this play has the trick when it is over."""
    trick = [steps[place]]
    for step in steps[place + 1 :]:
        if step.beats is None:
            break
        trick.append(step)
    last = max(number for number, step in enumerate(trick) if step.cards is not None)
    taker, me = trick[last], steps[place].seat
    over = sum(taker.cards or ()) == taker.left[taker.seat] or len(trick) - 1 - last == close
    return over and (taker.seat == me or landlord not in (me, taker.seat))


def less(held: Held, cards: Held) -> Held:
    return tuple(a - b for a, b in zip(held, cards, strict=True))


def more(held: Held, cards: Held) -> Held:
    return tuple(a + b for a, b in zip(held, cards, strict=True))


def of(places: Iterable[int], size: int) -> Held:
    cards = [0] * len(RANKS)
    for place in places:
        cards[place] += size
    return tuple(cards)


def read(text: str | None) -> Held | None:
    return None if text is None else tuple(rank_counts(read_cards(text).counts))


def every_set(held: Held) -> Iterator[Held]:
    """Every set of the cards of a hand, without the empty one."""
    sets: list[Held] = [()]
    for count in held:
        sets = [(*cards, n) for cards in sets for n in range(count + 1)]
    return iter(sets[1:])


def with_pieces(cards: Held, rest: Held, pieces: tuple[int, ...]) -> Iterator[Held]:
    """Cards and, out of the rest, pieces of equal cards."""
    if not pieces:
        yield cards
        return
    for place, count in enumerate(rest):
        if count >= pieces[0]:
            piece = of([place], pieces[0])
            yield from with_pieces(more(cards, piece), less(rest, piece), pieces[1:])


def pieces_of(name: str, length: int, size: int) -> tuple[int, ...]:
    """What a play of so many groups and so many cards in all carries."""
    each = PIECES.get(name, ())
    if length > 1 and name in ("quad_solos", "quad_pairs"):
        each = each[: (size // length - 4) // each[0]]
    return tuple(sorted(each * length))


def shaped(held: Held, name: str, length: int, pieces: tuple[int, ...]) -> Iterator[Held]:
    """Sets that might be of a shape: neighbouring groups, round the corner too, and whatever they carry."""
    size, places = GROUPS[name], len(RANKS) if length == 1 else TWO + 1
    for start in range(places):
        body = of([(start + step) % places for step in range(length)], size)
        if min(less(held, body)) >= 0:
            yield from with_pieces(body, less(held, body), pieces)


def bombs(held: Held) -> Iterator[Held]:
    """Sets that might be bombs or the rocket."""
    for place in range(TWO + 1):
        yield from (of([place], size) for size in range(3, held[place] + 1))
    for black in range(held[BLACK] + 1):
        yield from (more(of([BLACK], black), of([RED], red)) for red in range(held[RED] + 1) if black + red > 1)


def leads(held: Held, answers: Answers) -> Iterator[Held]:
    """Every set that might be led and is a combination, some more than once."""
    maybe = list(bombs(held))
    for name in GROUPS:
        for length in range(1, TWO + 2):
            for carried in {sum(PIECES.get(name, ())), 2 if name == "quad_pairs" else len(PIECES.get(name, ()))}:
                size = (GROUPS[name] + carried) * length
                if size <= sum(held):
                    maybe += shaped(held, name, length, pieces_of(name, length, size))
    yield from (cards for cards in dict.fromkeys(maybe) if beats(cards, None, answers) is not None)


def beats(cards: Held, standing: Standing | None, answers: Answers) -> Standing | None:
    """What stands after cards are played, None where they may not be."""
    return answers.answer(answers.lead if standing is None else standing, counts_of(cards))


def stands_for(move: Move, standing: Standing | None, answers: Answers) -> Standing | None:
    """What stands after a play: what its source calls it, where it may be called that."""
    if move.cards is None:
        return None
    counts = move.cards.counts
    named = tuple(reading for reading in answers.readings(counts) if reading.name == move.declared)
    on = answers.lead if standing is None else standing
    return answers.judge(on, named, counts) if named else answers.answer(on, counts)


@cache
def could(held: Held, standing: Standing, answers: Answers) -> tuple[bool, bool]:
    """Whether a hand has a legal answer, and one that is neither bomb nor rocket."""
    if sum(held) <= 8:
        maybe = every_set(held)
    else:
        maybe = (
            cards
            for reading in standing.readings
            if reading.tier == 0
            for name in (WITH_TWO if reading.name in WITH_TWO and reading.length == 1 else (reading.name,))
            for cards in shaped(held, name, reading.length, pieces_of(name, reading.length, reading.size))
        )
    found = [stands.tier for cards in maybe if (stands := beats(cards, standing, answers)) is not None]
    bombed = any(beats(cards, standing, answers) is not None for cards in bombs(held))
    return bool(found) or bombed, 0 in found


@cache
def another_lead(held: Held, feared: str, answers: Answers) -> bool:
    """Whether a hand can lead anything but a single, or a pair."""
    return any(shape_of(beats(cards, None, answers))[0] != feared for cards in leads(held, answers))


def fewest(held: Held, answers: Answers, known: dict[Held, int]) -> int:
    """The fewest plays that shed a hand: whatever is led with the lowest card, and then the rest."""
    if held not in known:
        lowest = next(place for place, count in enumerate(held) if count)
        known[held] = min(
            1 + fewest(less(held, cards), answers, known) for cards in leads(held, answers) if cards[lowest]
        )
    return known[held]


def shape_of(stands: Standing | None) -> tuple[str, int]:
    if stands is None or not stands.readings:
        return "", -1
    return stands.readings[0].name, RANKS.index(stands.readings[0].rank)


def opened(record: Record, rules: Ruleset, landlord: int) -> tuple[list[Held | None], list[int]]:
    """The hands when play begins, and how many cards that is."""
    held = [read(cards) for cards in record.hands or [None] * len(record.players)]
    left = [rules.deal.hand] * len(held)
    bottom = read(record.bottom if rules.deal.bottom_take == "all" else record.taken)
    left[landlord] += rules.deal.bottom if rules.deal.bottom_take == "all" else sum(bottom or ())
    own = held[landlord]
    if rules.deal.bottom_take != "all" and bottom is None:
        bottom = (0,) * len(RANKS)  # what a record does not name was not taken (B-R5)
    held[landlord] = None if own is None or bottom is None else more(own, bottom)
    return held, left


def steps_of(record: Record, rules: Ruleset, landlord: int) -> tuple[list[Step], list[Held | None], list[int]]:
    """The steps of a sound hand, the hands at its end, and how many cards they are."""
    answers, players = answers_of(rules), len(record.players)
    held, left = opened(record, rules, landlord)
    steps: list[Step] = []
    turn, table, owner, passed = landlord, None, None, 0
    for move in read_plays(record.plays):
        assert move.seat == turn, "a sound hand is played in turn"
        cards = None if move.cards is None else tuple(rank_counts(move.cards.counts))
        stands = stands_for(move, table, answers)
        steps.append(Step(turn, cards, stands, table, owner, tuple(held), tuple(left)))
        if cards is not None:
            own = held[turn]
            held[turn] = None if own is None else less(own, cards)
            left[turn] -= sum(cards)
            table, owner, passed = stands, turn, 0
        else:
            passed += 1
        turn = (turn + 1) % players
        if passed == players - 1:
            turn, table, owner, passed = owner if owner is not None else turn, None, None, 0
    return steps, held, left


def wastes_kicker(step: Step, rest: Held, answers: Answers) -> bool | None:
    """Whether a two or a joker was carried where a card below two that stayed might have been; None: none might."""
    assert step.stands is not None
    assert step.cards is not None
    reading = step.stands.readings[0]
    pieces = PIECES.get(reading.name, ())
    if not pieces or 3 in pieces:
        return None
    size = 2 if pieces[0] == 2 else 1
    high = [p for p in range(TWO, RED + 1) if 0 < step.cards[p] < 3]
    low = [p for p in range(TWO) if rest[p] >= size]
    swaps = [
        more(less(step.cards, of([a], size)), of([b], size))
        for a in (high or [p for p in range(TWO) if size <= step.cards[p] < GROUPS[reading.name]])
        if step.cards[a] >= size
        for b in low
    ]
    alike = (reading.name, reading.rank, reading.length)
    could_be = any(
        (r.name, r.rank, r.length) == alike for cards in swaps for r in answers.readings(counts_of(cards))
    )  # fmt: skip
    return bool(high) if could_be else None


def is_leap(step: Step, own: Held, answers: Answers) -> bool:
    """Whether a single, pair or trio beats by five ranks where a whole smaller one was held that does too."""
    name, rank = shape_of(step.stands)
    under, below = shape_of(step.beats)
    if name not in ("solo", "pair", "trio") or name != under or rank - below < 5:
        return False
    size = GROUPS[name]
    whole = [place for place, count in enumerate(own) if count == size and place < rank]
    return any(beats(of([place], size), step.beats, answers) is not None for place in whole)
