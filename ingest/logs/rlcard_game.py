"""A game of RLCard put together from what was shown of it: its moves, the hands dealt, the landlord's three cards.

Knows how RLCard takes what is played out of a hand and out of the cards that it shows, so that it can say what is
certain. Refuses to guess: what does not follow for certain is None, and views that contradict each other are refused.
"""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ingest.logs.entry import refused
from ingest.logs.rlcard_words import HIDDEN, PASSED, Hands, Trace, View, ranks, unreadable

LANDLORD_HAND = 20
FARMER_HAND = 17
BOTTOM = 3

Plays = list[tuple[int, str]]
"""Who, and the ranks; nothing for a pass."""


class Told(Struct, frozen=True):
    """What the views of a game tell together. Seats are RLCard's."""

    landlord: int
    plays: Plays
    hands: Hands
    """The hands dealt, the landlord's with his three cards."""
    seen: list[str] | None
    """Those three, if all of them are known."""
    left: list[str]
    """Otherwise those that are."""


def told_by(views: list[View]) -> Told:
    """What these views of one game tell. Raises ``Unreadable``: R103 if they contradict each other, R105."""
    landlord = _landlord(views)
    longest = _longest(views)
    plays = _plays(longest)
    sure = _settled(views, landlord)
    for place, reason in _contradictions(sure, longest.trace):
        raise refused("R103", field=place.lstrip("."), reason=reason)
    hands = tuple([_dealt(sure, seat, _full(seat, landlord)) for seat in range(3)])
    seen, left = _seen(views, landlord)
    return Told(landlord, plays, hands, seen, left)


def is_one_game(views: list[View]) -> bool:
    """Whether these show one game as it went on, rather than several games. May raise ``Unreadable``."""
    last = [-1, -1, -1]
    for view in views:
        for seat in range(3):
            if view.hands[seat] is None and view.doubtful[seat] is None:
                continue
            if len(view.trace) <= last[seat]:
                return False
            last[seat] = len(view.trace)
    return not any(_contradictions(_left_hands(views), _longest(views).trace))


def _longest(views: list[View]) -> View:
    return max(views, key=lambda view: len(view.trace))


def _landlord(views: list[View]) -> int:
    """The landlord's seat; the first where nothing says it (RL-R1)."""
    said = [(view.place, view.landlord) for view in views if view.landlord is not None]
    for place, landlord in said:
        if landlord != said[0][1]:
            raise refused("R103", field=f"{place}.landlord".lstrip("."), reason=f"not {said[0][1]} as before")
    return said[0][1] if said else 0


def _plays(view: View) -> Plays:
    """The moves of a trace. Raises ``Unreadable`` (R105)."""
    return [(seat, _play(cards, f"{view.place}[{number}]")) for number, (seat, cards) in enumerate(view.trace)]


def _play(cards: object, place: str) -> str:
    if cards == PASSED:
        return ""
    if cards == "":
        raise unreadable(place, cards)
    return ranks(cards, place)


def _played(seat: int, trace: Trace) -> list[str]:
    """Every card that a seat played, in order."""
    return [card for mover, cards in trace if mover == seat and cards != PASSED for card in str(cards)]


def _full(seat: int, landlord: int) -> int:
    return LANDLORD_HAND if seat == landlord else FARMER_HAND


def _settled(views: list[View], landlord: int) -> list[View]:
    """The views with doubtful hands taken for what they are: of several moments, what is left; of one, by its size."""
    doubtful = [view for view in views if view.doubtful is not HIDDEN]
    if len(doubtful) != 1:
        return _left_hands(views)
    (view,) = doubtful
    moved = [seat for seat in range(3) if _played(seat, view.trace) and view.doubtful[seat] is not None]
    sizes = [(seat, len(view.doubtful[seat] or ())) for seat in moved]
    as_dealt = any(size == _full(seat, landlord) or (view.seen and size == FARMER_HAND) for seat, size in sizes)
    as_left = any(size + len(_played(seat, view.trace)) == _full(seat, landlord) for seat, size in sizes)
    if as_left and not as_dealt:
        return _left_hands(views)
    if as_dealt and not as_left:
        return [replace(view, trace=[], hands=view.doubtful), *views]
    still = tuple([None if seat in moved else view.doubtful[seat] for seat in range(3)])
    return [replace(view, hands=still), *views]


def _left_hands(views: list[View]) -> list[View]:
    return [view if view.doubtful is HIDDEN else replace(view, hands=view.doubtful) for view in views]


def _contradictions(views: list[View], longest: Trace) -> Iterator[tuple[str, str]]:
    """Places of what cannot have been shown of one game, with the reason."""
    for view in views:
        if view.trace != longest[: len(view.trace)]:
            yield view.place, "its moves are not the first of those that stand elsewhere"
    for seat in range(3):
        shown = sorted((len(view.trace), i) for i, view in enumerate(views) if view.hands[seat] is not None)
        for (_, before), (_, after) in pairwise(shown):
            earlier, later = views[before], views[after]
            moves = longest[len(earlier.trace) : len(later.trace)]
            expected = without(earlier.hands[seat] or [], _played(seat, moves))
            if sorted(map(_rank, expected)) != sorted(map(_rank, later.hands[seat] or [])):
                yield later.place, f"the hand of seat {seat} does not follow from the one before"


def _rank(card: str) -> str:
    return card[-1]


def without(hand: list[str], cards: list[str]) -> list[str]:
    """A hand without these cards; as in RLCard, what it does not hold leaves no gap. By rank where one has no suit."""
    rest = list(hand)
    for card in cards:
        found = next(
            (held for held in rest if held == card or (1 in (len(card), len(held)) and held[-1] == card[-1])), ""
        )
        if found:
            rest.remove(found)
    return rest


def _dealt(views: list[View], seat: int, full: int) -> list[str] | None:
    """The hand dealt to a seat, from the first time it was shown.

    Once the seat has played, only if with what it played it is ``full``: RLCard takes out of a hand what is there and
    puts anything into the trace, so a larger number means that something was played that was not there.
    """
    shown = [view for view in views if view.hands[seat] is not None]
    if not shown:
        return None
    first = min(shown, key=lambda view: len(view.trace))
    hand = [*(first.hands[seat] or ()), *(played := _played(seat, first.trace))]
    return hand if not played or len(hand) == full else None


def _seen(views: list[View], landlord: int) -> tuple[list[str] | None, list[str]]:
    """The landlord's three cards if they are known, and those that are known."""
    shown = [(view, view.seen) for view in views if view.seen is not None]
    whole = [(view, seen) for view, seen in shown if len(seen) == BOTTOM or not _played(landlord, view.trace)]
    for view, seen in whole:
        if sorted(seen) != sorted(whole[0][1]):
            raise refused("R103", field=f"{view.place}.seen_cards".lstrip("."), reason="not those shown before")
    if whole:
        return whole[0][1], whole[0][1]
    return None, max((seen for _, seen in shown), key=len, default=[])
