"""What a hand could play: every legal answer out of its cards, the cheapest one, and whether there is any.

Knows packed counts and standing plays; suits never matter. Refuses to know whether it would be wise. ``held`` are the
cards of one hand, out of the ruleset's pack. Nothing but what ``Answers.answer`` accepts is given, and all of that; a
reading that a record would have to declare (U-R11) is not looked for where one reading only counts.

Cheapest first means: what is no bomb before bombs, bombs before the rocket; the weakest body, then the fewest cards,
then the lowest kickers. Whether a play breaks up a pair or a bomb is not weighed.
"""

from collections.abc import Iterator
from heapq import merge

from ingest.cards import RANK_BITS, covers
from ingest.rules.answers import Answers, Standing
from ingest.rules.combinations import PLAIN, STEP, bomb_power, law_of
from ingest.rules.kickers import ONE, choices
from ingest.rules.menus import Body, Menu, Target, bodies_in, starts_in
from ingest.rules.ruleset import Ruleset

Found = tuple[int, int, int]
"""A play as it is found: the height of its body, how many cards, packed counts."""


def options(held: int, standing: Standing, answers: Answers, *, bombs: bool = True) -> Iterator[int]:
    """Packed counts of every play that a hand could make on a standing play, cheapest first, each once.

    On ``answers.lead`` and ``answers.anything``: all that it could lead. Without ``bombs``: what would be neither a
    bomb nor the rocket (statistics.md 2.0, soft). Lazy: a hand can have a hundred thousand leads.
    """
    menu = answers.menu(standing)
    found = (_found(held, target) for target in menu.targets)
    seen = set[int]()
    for _, _, counts in merge(*found, key=_dearness) if len(menu.targets) > 1 else next(found, ()):
        if counts not in seen and (menu.plain or _is_answer(counts, standing, answers, bomb=False)):
            seen.add(counts)
            yield counts
    if bombs:
        yield from _bombs(held, menu, standing, answers)


def cheapest_answer(held: int, standing: Standing, answers: Answers, *, bombs: bool = True) -> int | None:
    """Packed counts of the cheapest play that a hand could make on a standing play, None where it must pass."""
    menu = standing.menu or answers.menu(standing)
    if not menu.plain:
        return next(options(held, standing, answers, bombs=bombs), None)
    firsts = (next(_found(held, target), None) for target in menu.targets if starts_in(held, target))
    found = [play for play in firsts if play is not None]
    if found:
        return min(found, key=_dearness)[2]
    return next(_bombs(held, menu, standing, answers), None) if bombs else None


def could_beat(held: int, standing: Standing, answers: Answers, *, bombs: bool = True) -> bool:
    """Whether a hand holds any play that beats a standing one; without ``bombs``, one that is none (soft)."""
    menu = standing.menu or answers.menu(standing)
    if not menu.plain:
        return next(options(held, standing, answers, bombs=bombs), None) is not None
    if bombs and _could_bomb(held, menu):
        return True
    return any(starts_in(held, target) and (target.bare or _fits(held, target)) for target in menu.targets)


def owed_answer(held: int, standing: Standing, answers: Answers, *, landlord: bool) -> int | None:
    """What a seat must play at least where `trick.must_beat` forbids to pass, None where it may pass (A-Q11).

    Where farmers' bombs are counted (E-R13) nobody but the landlord is held to bombing, and nobody at all to answering
    cards that are no combination (U-R16).
    """
    rules = answers.rules
    if not (rules.trick.must_beat and standing.readings):
        return None
    return cheapest_answer(held, standing, answers, bombs=landlord or rules.bomb_limit.mode == "off")


def _dearness(play: Found) -> tuple[int, int]:
    """What orders plays that are no bombs; those as dear as one another stay in the order of the table of shapes."""
    return play[:2]


def _found(held: int, target: Target) -> Iterator[Found]:
    size = target.row.size
    for body in bodies_in(held, target):
        for counts in _dressed(held, body, target):
            yield body.height, size, counts


def _dressed(held: int, body: Body, target: Target) -> Iterator[int]:
    """A body with each choice of what it carries."""
    if body.load is None:
        yield body.counts
        return
    for kickers in choices(held - body.counts, body.load, target.power - STEP * body.height):
        yield body.counts + kickers


def _fits(held: int, target: Target) -> bool:
    """Whether some body is there with all that it has to carry."""
    return any(next(_dressed(held, body, target), 0) for body in bodies_in(held, target))


def _is_answer(counts: int, standing: Standing, answers: Answers, *, bomb: bool) -> bool:
    """Whether cards may be played, and count as a bomb or do not."""
    now = answers.answer(standing, counts)
    return now is not None and (now.tier != PLAIN) == bomb


def _could_bomb(held: int, menu: Menu) -> bool:
    for lift, high in menu.bombs:
        if held + lift & high:
            return True
    return menu.rocket > 0 and covers(held, menu.rocket)


def _bombs(held: int, menu: Menu, standing: Standing, answers: Answers) -> Iterator[int]:
    """Every bomb that beats, weakest and smallest first, and the rocket."""
    for _, _, counts in sorted(_bombs_found(held, menu, answers.rules)):
        if menu.plain or _is_answer(counts, standing, answers, bomb=True):
            yield counts
    if menu.rocket and covers(held, menu.rocket):
        yield menu.rocket


def _bombs_found(held: int, menu: Menu, rules: Ruleset) -> Iterator[Found]:
    law = law_of(rules)
    for size, (lift, high) in enumerate(menu.bombs, start=rules.bomb.min_size):
        marks = held + lift & high
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            place = lowest.bit_length() // RANK_BITS - 1
            yield bomb_power(place, size, law), size, size * ONE[place]
